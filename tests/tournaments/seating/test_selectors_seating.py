"""The seating as players and directors ask for it."""

from tournaments.models import RoundState
from tournaments.rounds.selectors import PlaceRow, RoundView, TableRow
from tournaments.seating.selectors import Fairness, Sitting, by_player, named, report_on


def a_round(number: int, *tables: str) -> RoundView:
    """A round whose tables seat one letter a player, East first."""
    return RoundView(
        number,
        RoundState.SEATED,
        tuple(
            TableRow(
                number=at,
                link_key="",
                places=tuple(
                    PlaceRow(seat, "ESWN"[seat - 1], ord(name), name, 0)
                    for seat, name in enumerate(table, start=1)
                ),
                hands=0,
                hands_planned=8,
                disputed=(),
                last_at=None,
            )
            for at, table in enumerate(tables, start=1)
        ),
    )


def test_everybody_finds_table_and_wind_of_every_round() -> None:
    players = by_player([a_round(1, "DABC", "EFGH"), a_round(2, "EFGH", "ABCD")])
    assert [player.name for player in players] == list("ABCDEFGH")
    assert players[0].sittings == (Sitting(1, 1, "S"), Sitting(2, 2, "E"))
    assert players[4].sittings == (Sitting(1, 2, "E"), Sitting(2, 1, "E"))
    assert [player.name for player in named(players, "b")] == ["B"]
    assert named(players, "") == ()


def test_a_good_seating_says_so() -> None:
    assert report_on([a_round(1, "ABCD", "EFGH", "IJKL", "MNOP"), a_round(2, "FKPA")]) == (
        Fairness(is_kept=True, sentence="No one meets anyone twice."),
        Fairness(
            is_kept=True,
            sentence="Everyone starts in each wind equally often, as far as the number of rounds "
            "allows.",
        ),
    )


def test_meeting_again_and_the_same_wind_again_are_counted() -> None:
    once = a_round(1, "ABCD")
    assert report_on([once, a_round(2, "ABEF")]) == (
        Fairness(is_kept=False, sentence="1 pair meets more than once."),
        Fairness(is_kept=False, sentence="2 players start in one wind more often than necessary."),
    )
    assert report_on([once, a_round(2, "AEFG"), a_round(3, "BCDA"), a_round(4, "DCBA")]) == (
        Fairness(is_kept=False, sentence="6 pairs meet more than once, at most 3 times."),
        Fairness(is_kept=False, sentence="2 players start in one wind more often than necessary."),
    )
