"""The possible totals of the rules in use are reckoned before anybody asks."""

from typing import Any

import pytest

from clubs.models import Club
from config import warming


@pytest.mark.django_db(transaction=True)
def test_the_rules_of_every_club_are_reckoned_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, bool, str, str]] = []

    def reckon(rules: Any, *, won: bool, seat_wind: Any, prevailing_wind: Any) -> None:
        asked.append((rules.key, won, seat_wind.value, prevailing_wind.value))

    monkeypatch.setattr(warming, "possible_totals", reckon)
    for name, rules in (("Riverside", "safalra"), ("Abbey", "safalra"), ("Hill", "english")):
        Club.objects.create(name=name, slug=name.lower(), rules=rules)
    warming.start().join()
    assert len(asked) == len(set(asked)) == 2 * 32
    assert {key for key, *_rest in asked} == {"safalra/1", "english/1"}
