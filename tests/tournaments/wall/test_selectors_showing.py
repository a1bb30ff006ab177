"""How far the standings may be seen, by whom."""

import pytest

from tournaments.models import Tournament
from tournaments.rounds.selectors import is_hidden, shown_through

OPEN = Tournament(rounds_planned=5)
HIDING = Tournament(rounds_planned=5, hides_last_round=True)


@pytest.mark.parametrize(
    ("cup", "asked", "officials", "through"),
    [
        (OPEN, "", False, None),
        (OPEN, "3", False, 3),
        (OPEN, "0", False, None),
        (OPEN, "two", False, None),
        (OPEN, "²", False, None),
        (OPEN, "99999", False, None),
        (HIDING, "", False, 4),
        (HIDING, "5", False, 4),
        (HIDING, "2", False, 2),
        (HIDING, "", True, None),
        (HIDING, "5", True, 5),
    ],
)
def test_the_last_round_is_kept_from_the_public_where_it_is_hidden(
    cup: Tournament, asked: str, officials: bool, through: int | None
) -> None:
    assert shown_through(cup, wanted=asked, to_officials=officials) == through


def test_only_the_last_round_is_hidden() -> None:
    assert [is_hidden(HIDING, number=number) for number in (1, 4, 5)] == [False, False, True]
    assert not is_hidden(OPEN, number=5)
