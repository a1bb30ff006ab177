"""Tables of three and five: who has no wind, who has no company for long."""

from collections import Counter

import pytest

from tests.clubs.seating.recount import meetings, seat, seats_held


def test_thirteen_at_two_fours_and_a_five_meet_again_as_seldom_as_they_can() -> None:
    made = seat(13, 4, table_sizes=(4, 5, 3))
    assert made.report.repeated_meetings <= 26
    assert max(meetings(made.rounds).values()) <= 3
    assert not made.report.cut_short


@pytest.mark.parametrize("players", [10, 15, 20])
def test_everybody_starts_as_fifth_once(players: int) -> None:
    made = seat(players, 5, table_sizes=(5,), seconds=0.5)
    turns = {held.count("fifth") for held in seats_held(made.rounds).values()}
    assert turns == {1}
    assert made.report.wind_imbalance == 0


def test_a_table_of_three_has_no_north() -> None:
    made = seat(15, 4, table_sizes=(4, 3))
    threes = [list(t.seats) for r in made.rounds for t in r.tables if len(t.seats) == 3]
    assert threes == [["E", "S", "W"]] * 4


@pytest.mark.parametrize("players", [13, 14, 15, 17, 18, 22])
def test_as_few_tables_of_three_as_can_be(players: int) -> None:
    made = seat(players, 2, table_sizes=(4, 3), seconds=0.1)
    sizes = Counter(len(table.seats) for table in made.rounds[0].tables)
    assert sizes == {3: -players % 4, 4: (players - 3 * (-players % 4)) // 4}
