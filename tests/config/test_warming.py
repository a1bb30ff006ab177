"""Pages are loaded, and the possible totals of the rules in use worked out, before anyone asks."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.template import engines

from clubs.models import Club
from config import warming
from tournaments.models import Tournament


def test_every_template_is_loaded_before_the_first_page() -> None:
    django: Any = engines["django"]
    (loader,) = django.engine.template_loaders
    loader.reset()
    warming.load_pages()
    pages = {path.name for path in (settings.BASE_DIR / "templates").rglob("*.html")}
    loaded_templates = {Path(name).name for name in loader.get_template_cache}
    assert pages <= loaded_templates


@pytest.mark.django_db(transaction=True)
def test_the_rules_of_every_club_and_open_tournament_are_reckoned_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls: list[tuple[str, bool, bool, str, str]] = []

    def reckon(
        rules: Any, *, won: bool, seat_wind: Any, prevailing_wind: Any, goulash: bool
    ) -> None:
        calls.append((rules.key, goulash, won, seat_wind.value, prevailing_wind.value))

    monkeypatch.setattr(warming, "possible_totals", reckon)
    for name, rules in (("Riverside", "bmja"), ("Abbey", "bmja"), ("Hill", "english")):
        Club.objects.create(name=name, slug=name.lower(), rules=rules)
    for name, rules, state in (("Cup", "tallies", "playing"), ("Old Cup", "baggaley", "finished")):
        Tournament.objects.create(
            club=Club.objects.get(slug="hill"),
            name=name,
            held_on=date(2026, 11, 21),
            rules=rules,
            state=state,
        )
    warming.start_warming().join()
    assert len(calls) == len(set(calls)) == 3 * 32 + 32
    assert {key for key, *_other_fields in calls} == {"bmja/2008", "english/3", "tallies/2"}
    assert {key for key, goulash, *_other_fields in calls if goulash} == {"bmja/2008"}
