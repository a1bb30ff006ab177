"""The possible totals of the rules in use are reckoned before anybody asks."""

from datetime import date
from typing import Any

import pytest

from clubs.models import Club
from config import warming
from tournaments.models import Tournament


@pytest.mark.django_db(transaction=True)
def test_the_rules_of_every_club_and_open_tournament_are_reckoned_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[tuple[str, bool, str, str]] = []

    def reckon(rules: Any, *, won: bool, seat_wind: Any, prevailing_wind: Any) -> None:
        asked.append((rules.key, won, seat_wind.value, prevailing_wind.value))

    monkeypatch.setattr(warming, "possible_totals", reckon)
    for name, rules in (("Riverside", "safalra"), ("Abbey", "safalra"), ("Hill", "english")):
        Club.objects.create(name=name, slug=name.lower(), rules=rules)
    for name, rules, state in (("Cup", "tallies", "playing"), ("Old Cup", "baggaley", "finished")):
        Tournament.objects.create(
            club=Club.objects.get(slug="hill"),
            name=name,
            held_on=date(2026, 11, 21),
            rules=rules,
            state=state,
        )
    warming.start().join()
    assert len(asked) == len(set(asked)) == 3 * 32
    assert {key for key, *_rest in asked} == {"safalra/1", "english/1", "tallies/1"}
