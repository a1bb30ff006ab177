"""The recount plays every hand again: totals, ledger and hands agree, or what differs is named."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from hypothesis import given, settings, strategies as st
from hypothesis.extra.django import TestCase

from scoring.scorebook import selectors, services
from scoring.scorebook.models import EntryKind, Game, Hand, LedgerEntry, Seat
from scoring.scorebook.reports import Report
from scoring.scorebook.verifying import Recount, recount
from tests.scoring.scorebook.book import (
    DRAWN,
    EAST_WINS_IN_TILES,
    SOUTH_WINS,
    WEST_WINS,
    correct,
    open_game,
    play,
    record,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def hands() -> list[Hand]:
    """Two games, one of five players, with a correction and an adjustment."""
    five = play(open_game(5), SOUTH_WINS, Report(winner=5, totals={2: 20, 3: 8, 4: 4, 5: 60}))
    four = play(open_game(), EAST_WINS_IN_TILES, DRAWN, SOUTH_WINS)
    correct(four[2], WEST_WINS)
    services.adjust_points(
        seat=four[0].game.seats.all()[0], points=-50, written_by="user 7", reason="late"
    )
    return [*five, *four]


def all_rows() -> list[object]:
    return [*Hand.objects.values(), *Seat.objects.values(), *LedgerEntry.objects.values()]


def test_a_recount_of_an_honest_book_finds_nothing_and_changes_nothing(hands: list[Hand]) -> None:
    rows_before = all_rows()
    assert recount() == Recount(games=2, hands=5, differences=())
    assert all_rows() == rows_before


def test_a_tampered_total_is_found_and_left(hands: list[Hand]) -> None:
    seat = Seat.objects.filter(game=hands[0].game)[0]
    Seat.objects.filter(pk=seat.pk).update(points=seat.points + 1000)
    rows_before = all_rows()
    (difference,) = recount().differences
    assert difference.startswith(f"seat 1 of game {seat.game_id}: stored {{'points': 936,")
    assert all_rows() == rows_before


def test_a_tampered_total_can_be_repaired(hands: list[Hand]) -> None:
    honest = all_rows()
    Seat.objects.filter(game=hands[0].game).update(points=7, best_hand=1)
    assert len(recount(repair=True).differences) == 5
    assert all_rows() == honest
    assert recount().differences == ()


def test_a_tampered_score_is_found(hands: list[Hand]) -> None:
    Hand.objects.filter(pk=hands[0].pk).update(score_3=12)
    (difference,) = [line for line in recount().differences if line.startswith("hand")]
    assert difference.startswith(f"hand 1 of game {hands[0].game_id}: stored ")


def test_a_tampered_report_is_found(hands: list[Hand]) -> None:
    report = {"winner": 2, "totals": {"1": 20, "2": 37, "3": 8, "4": 4}}
    Hand.objects.filter(pk=hands[0].pk).update(report=report)
    (difference,) = recount().differences
    assert difference.startswith(
        f"hand 1 of game {hands[0].game_id}: the engine refuses it now: 37 "
    )


def test_a_hand_won_by_somebody_who_sat_out_is_found(hands: list[Hand]) -> None:
    Hand.objects.filter(pk=hands[0].pk).update(winner=5)
    (difference,) = [line for line in recount().differences if "played again" in line]
    assert difference.startswith(f"game {hands[0].game_id} (bmja/2008) cannot be played again: ")


def test_an_entry_that_no_hand_explains_is_found(hands: list[Hand]) -> None:
    seat = Seat.objects.filter(game=hands[0].game)[0]
    LedgerEntry.objects.create(
        seat=seat, kind=EntryKind.HAND, points=500, written_by="?", written_at=hands[0].sent_at
    )
    Seat.objects.filter(pk=seat.pk).update(points=seat.points + 500)
    assert recount().differences == (
        f"seat 1 of game {seat.game_id}: the hands gave -64, the ledger says 436",
    )


def test_the_command_says_how_much_it_played_again(hands: list[Hand]) -> None:
    output = StringIO()
    call_command("recount", stdout=output)
    assert output.getvalue() == "2 games, 5 hands, 0 differences\n"


def test_the_command_fails_when_something_differs(hands: list[Hand]) -> None:
    Seat.objects.filter(game=hands[0].game, number=1).update(points=0)
    output, err = StringIO(), StringIO()
    with pytest.raises(CommandError, match="The recount differs from what is stored"):
        call_command("recount", stdout=output, stderr=err)
    assert output.getvalue() == "2 games, 5 hands, 1 differences\n"
    assert len(err.getvalue().splitlines()) == 1


LOSERS = st.sampled_from([0, 2, 4, 8, 16, 24, 32, 64, 128])
WINNERS = st.sampled_from([56, 60, 64, 72, 96, 128, 256, 512, 1000])


def draw_report(data: st.DataObject, playing: list[int]) -> Report:
    """A hand that those who play may report: one of them won, or nobody did."""
    winner = data.draw(st.sampled_from([None, *playing]))
    if winner is None:
        return Report(winner=None)
    totals = {seat: data.draw(WINNERS if seat == winner else LOSERS) for seat in playing}
    return Report(winner=winner, totals=totals)


def points_of_hands(game: Game) -> dict[int, int]:
    """Each seat's gains over the current hands."""
    current = list(game.hands.filter(is_current=True))
    return {
        seat.number: sum(hand.gains.get(seat.number, 0) for hand in current)
        for seat in game.seats.all()
    }


class TestTotalsHold(TestCase):
    @settings(max_examples=15, deadline=None)
    @given(size=st.sampled_from([3, 4, 5]), hands=st.integers(1, 8), data=st.data())
    def test_a_random_game_with_a_correction(
        self, size: int, hands: int, data: st.DataObject
    ) -> None:
        game = open_game(size)
        for number in range(1, hands + 1):
            record(game, number, draw_report(data, list(selectors.progress(game).deals[-1].winds)))
        hand = data.draw(st.sampled_from(list(game.hands.all())))
        # The same player wins with another score, so that whoever sits out later still does.
        totals = dict.fromkeys(hand.gains, 8) | ({hand.winner: 60} if hand.winner else {})
        report = Report(winner=hand.winner, totals=totals if hand.winner else {})
        correct(hand, report)
        totals_now = selectors.game_view(game).totals
        assert totals_now == points_of_hands(game)
        assert sum(totals_now.values()) == 0
        assert sum(LedgerEntry.objects.values_list("points", flat=True)) == 0
        assert {sum(hand.gains.values()) for hand in Hand.objects.all()} == {0}
        assert recount().differences == ()
