"""A repair is taken back for a day: everything is as it was, later hands stay."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial

import pytest
from django.utils import timezone
from hypothesis import HealthCheck, given, settings, strategies as st
from hypothesis.extra.django import TestCase

from scoring import rule_set_keys
from scoring.scorebook import services
from scoring.scorebook.editions import rule_set
from scoring.scorebook.models import Game, Hand, HandState, Repair, RepairKind
from scoring.scorebook.refusals import Refused
from scoring.scorebook.repairs import Mistake, exchanged, repairs_of
from scoring.scorebook.reports import Report
from tests.scoring.scorebook.book import (
    DRAWN,
    EAST_WINS,
    NORTH_WINS,
    SOUTH_WINS,
    WEST_WINS,
    play,
    record,
)
from tests.scoring.scorebook.mending import (
    FIGURES,
    SEATS,
    WINNER,
    current,
    nothing_differs,
    put_right,
    refusals,
    seats_mixed,
    sheets,
    standing,
    undo,
    winds,
)

pytestmark = pytest.mark.django_db


def test_a_repair_taken_back_leaves_everything_as_it_was(game: Game) -> None:
    play(game, SOUTH_WINS, EAST_WINS, EAST_WINS)
    before = standing(game)
    undo(put_right(seats_mixed(game, 2, 3, 4)))
    game.refresh_from_db()
    assert (standing(game), game.exchanges) == (before, [])
    assert current(game)[2].reason == "Undone: Seen on the paper"
    assert nothing_differs(game)


def test_hands_played_after_a_repair_stay_when_it_is_taken_back(two: tuple[Game, Game]) -> None:
    one, other = two
    play(one, EAST_WINS)
    play(other, SOUTH_WINS, WEST_WINS)
    made = put_right(sheets(one, other))
    record(one, 3, NORTH_WINS)
    record(other, 2, DRAWN)
    undo(made)
    assert [hand.winner for hand in current(one)] == [1, 4]
    assert [hand.winner for hand in current(other)] == [2, 3, None]
    assert nothing_differs(one)


def test_what_was_disputed_before_is_disputed_again(game: Game) -> None:
    (hand,) = play(game, SOUTH_WINS)
    Hand.objects.filter(pk=hand.pk).update(state=HandState.DISPUTED)
    undo(put_right(Mistake(kind=WINNER, game_id=game.pk, first=1, report=WEST_WINS)))
    assert current(game)[0].state == HandState.DISPUTED


def test_a_repair_is_taken_back_once(game: Game) -> None:
    play(game, EAST_WINS)
    made = put_right(seats_mixed(game, 1, 3, 4))
    undo(made)
    assert refusals(lambda: undo(made)) == [("", "This correction has already been undone.")]


def test_a_repair_can_be_taken_back_for_a_day(game: Game) -> None:
    play(game, EAST_WINS)
    made = put_right(seats_mixed(game, 1, 3, 4))
    (row,) = repairs_of([game.pk])
    assert row.can_be_undone(made.made_at + timedelta(hours=24))
    assert not row.can_be_undone(made.made_at + timedelta(hours=24, seconds=1))
    Repair.objects.filter(pk=made.pk).update(made_at=timezone.now() - timedelta(hours=25))
    ((_, sentence),) = refusals(lambda: undo(made))
    assert "more than a day old" in sentence


def test_a_repair_stays_once_a_hand_of_it_was_corrected(game: Game) -> None:
    play(game, EAST_WINS, EAST_WINS)
    made = put_right(seats_mixed(game, 1, 3, 4))
    services.correct_hand(
        hand_id=current(game)[1].pk, report=DRAWN, corrected_by="user 7", reason="drawn"
    )
    ((_, sentence),) = refusals(lambda: undo(made))
    assert sentence.startswith("Hand 2 has been changed since")


def test_the_later_repair_is_taken_back_first(game: Game) -> None:
    play(game, EAST_WINS, EAST_WINS, EAST_WINS)
    first = put_right(seats_mixed(game, 1, 3, 4, last=1))
    second = put_right(seats_mixed(game, 3, 2, 3))
    ((_, sentence),) = refusals(lambda: undo(first))
    assert sentence.startswith("The seats have been corrected again since")
    undo(second)
    undo(first)
    assert winds(game) == ["ESWN"] * 3


# Laws -------------------------------------------------------------------------------------------

TOTALS = st.sampled_from([0, 4, 8, 20, 32])
KEYS = rule_set_keys()


@st.composite
def games(draw: st.DrawFn) -> tuple[str, list[Report]]:
    """A rule set and a few hands for four players: a winner with 40, or nobody."""
    key = draw(st.sampled_from(KEYS))
    rules = rule_set(key)
    hands = []
    for winner in draw(st.lists(st.sampled_from([1, 2, 3, 4, None]), min_size=1, max_size=5)):
        if winner is None:
            hands.append(DRAWN)
            continue
        losers = [seat for seat in (1, 2, 3, 4) if seat != winner]
        told = {seat: draw(TOTALS) for seat in losers} if rules.losers_score else {}
        discarder = draw(st.sampled_from(losers))
        hands.append(
            Report(
                winner=winner, totals={winner: 40, **told}, won_by="discard", discarder=discarder
            )
        )
    return key, hands


def outcome(act: Callable[[], object]) -> object:
    """What it gave, or that it was refused."""
    try:
        return act()
    except Refused:
        return None


class RepairsCanBeTakenBack(TestCase):
    """Random games of random rule sets, a random repair: undone, everything is as before."""

    @settings(deadline=None, max_examples=15, suppress_health_check=list(HealthCheck))
    @given(
        told=games(),
        kind=st.sampled_from([SEATS, FIGURES]),
        first=st.integers(1, 5),
        more=st.none() | st.integers(0, 3),
        pair=st.sampled_from([(1, 2), (1, 3), (2, 3), (3, 4), (1, 4)]),
        names_are_right=st.booleans(),
    )
    def test_undone_is_as_before(
        self,
        told: tuple[str, list[Report]],
        kind: RepairKind,
        first: int,
        more: int | None,
        pair: tuple[int, int],
        names_are_right: bool,
    ) -> None:
        key, hands = told
        game = services.open_game(rules=key, size=4)
        for number, report in enumerate(hands, start=1):
            outcome(partial(record, game, number, report))
        before = standing(game)
        mistake = Mistake(
            kind=kind,
            game_id=game.pk,
            first=first,
            last=None if more is None else first + more,
            seats=pair,
            names_are_right=names_are_right,
        )
        made = outcome(lambda: put_right(mistake))
        assert nothing_differs(game)
        if isinstance(made, Repair):
            undo(made)
        game.refresh_from_db()
        assert (standing(game), game.exchanges) == (before, [])
        assert nothing_differs(game)


@given(winner=st.sampled_from([1, 2, 3, 4]), pair=st.sampled_from([(1, 2), (1, 3), (2, 4)]))
def test_a_report_changed_about_twice_is_the_same(winner: int, pair: tuple[int, int]) -> None:
    told = Report(
        winner=winner,
        totals={1: 10, 2: 20, 3: 30, 4: 40},
        tiles={2: {"concealed": []}},
        discarder=2,
        pays_for_all=1,
    )
    assert exchanged(exchanged(told, *pair), *pair) == told
