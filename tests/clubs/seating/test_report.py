"""The lower bound that a plan is measured against."""

import pytest

from clubs.seating import Request, Round, Table, plan
from tests.clubs.seating.recount import numbered, seat


@pytest.mark.parametrize(
    ("players", "rounds", "sizes", "least"),
    [
        (8, 2, (4,), 0),  # 6 meetings each of 7
        (8, 4, (4,), 20),  # 8 players have 5 meetings too many, each counted twice
        (12, 4, (4,), 6),
        (5, 2, (5,), 10),
        (13, 4, (4, 5), 10),  # 4 x (6 + 6 + 10) meetings of 78 pairs
        (8, 3, (5, 3), 11),  # 3 x (10 + 3) meetings of 28 pairs
        (7, 2, (4, 3), 0),
    ],
)
def test_more_meetings_than_pairs_must_repeat(
    players: int, rounds: int, sizes: tuple[int, ...], least: int
) -> None:
    report = seat(players, rounds, table_sizes=sizes, seconds=0.05).report
    assert report.least_possible == least
    assert report.repeated_meetings >= least


def test_repeats_that_were_played_cannot_be_undone() -> None:
    names = numbered(16)
    fours = [names[start : start + 4] for start in range(0, 16, 4)]
    tables = tuple(
        Table(number, dict(zip("ESWN", four, strict=True))) for number, four in enumerate(fours, 1)
    )
    made = plan(Request(names, 3, played=(Round(tables), Round(tables))))
    assert (made.report.repeated_meetings, made.report.least_possible) == (24, 24)
    mixed = plan(Request(names, 1, table_sizes=(5, 3), played=(Round(tables), Round(tables))))
    assert mixed.report.least_possible == 24
