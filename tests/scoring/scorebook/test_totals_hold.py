"""Whatever is played and corrected: totals, ledger and hands agree, and add to nothing."""

from hypothesis import given, settings, strategies as st
from hypothesis.extra.django import TestCase

from scoring.scorebook import selectors, services
from scoring.scorebook.models import Game, Hand, LedgerEntry
from scoring.scorebook.reports import Report
from scoring.scorebook.verifying import recount
from tests.scoring.scorebook.book import open_game, record

LOSERS = st.sampled_from([0, 2, 4, 8, 16, 24, 32, 64, 128])
WINNERS = st.sampled_from([56, 60, 64, 72, 96, 128, 256, 512, 1000])


def told(data: st.DataObject, playing: list[int]) -> Report:
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
            record(game, number, told(data, list(selectors.progress(game).deals[-1].winds)))
        hand = data.draw(st.sampled_from(list(game.hands.all())))
        # The same player wins with another score, so that whoever sits out later still does.
        totals = dict.fromkeys(hand.gains, 8) | ({hand.winner: 60} if hand.winner else {})
        report = Report(winner=hand.winner, totals=totals if hand.winner else {})
        services.correct_hand(
            hand_id=hand.pk, report=report, corrected_by="user 7", reason="a slip"
        )
        totals_now = selectors.game_view(game).totals
        assert totals_now == points_of_hands(game)
        assert sum(totals_now.values()) == 0
        assert sum(LedgerEntry.objects.values_list("points", flat=True)) == 0
        assert {sum(hand.gains.values()) for hand in Hand.objects.all()} == {0}
        assert recount().differences == ()
