"""The scorer corrects a hand: nothing is lost, and every later hand follows its new winds."""

from uuid import uuid4

import pytest

from scoring.scorebook import services
from scoring.scorebook.models import Game, Hand, HandState
from scoring.scorebook.refusals import Refused
from scoring.scorebook.reports import Report
from scoring.scorebook.verifying import recount
from tests.scoring.scorebook.book import (
    DRAWN,
    EAST_WINS,
    NORTH_WINS,
    SOUTH_WINS,
    WEST_WINS,
    dispute,
    ledger,
    open_game,
    play,
    points,
    record,
)

pytestmark = pytest.mark.django_db


def correct(hand: Hand, report: Report, *, reason: str = "West went out, not South") -> Hand:
    return services.correct_hand(
        hand_id=hand.pk, report=report, corrected_by="user 7", reason=reason
    )


def refusal(hand: Hand, report: Report, *, reason: str = "a slip") -> list[tuple[str, str]]:
    with pytest.raises(Refused) as refused:
        correct(hand, report, reason=reason)
    return [(found.where, found.sentence) for found in refused.value.problems]


def test_the_old_hand_stays_and_the_new_one_says_who_and_why(game: Game) -> None:
    (old,) = play(game, SOUTH_WINS)
    new = correct(old, WEST_WINS)
    old.refresh_from_db()
    assert (old.is_current, old.winner, old.reason) == (False, 2, "")
    assert (new.is_current, new.winner, new.replaces) == (True, 3, old)
    assert (new.sent_by, new.reason, new.state) == (
        "user 7",
        "West went out, not South",
        HandState.DECIDED,
    )


def test_the_ledger_takes_the_old_gains_back_and_adds_the_new(game: Game) -> None:
    (old,) = play(game, SOUTH_WINS)
    correct(old, DRAWN)
    assert ledger(game) == [
        ("hand", 1, -64),
        ("hand", 2, 240),
        ("hand", 3, -80),
        ("hand", 4, -96),
        ("reversal", 1, 64),
        ("reversal", 2, -240),
        ("reversal", 3, 80),
        ("reversal", 4, 96),
        ("hand", 1, 0),
        ("hand", 2, 0),
        ("hand", 3, 0),
        ("hand", 4, 0),
    ]
    assert points(game) == [0, 0, 0, 0]


def test_a_wrong_winner_at_hand_3_changes_east_of_every_later_hand(game: Game) -> None:
    hands = play(game, SOUTH_WINS, SOUTH_WINS, SOUTH_WINS, WEST_WINS, NORTH_WINS)
    assert [hand.deal["dealer"] for hand in hands] == [1, 2, 2, 2, 3]
    correct(hands[2], NORTH_WINS, reason="North went out, not South")
    current = Hand.objects.filter(is_current=True)
    assert [hand.deal["dealer"] for hand in current] == [1, 2, 2, 3, 3]
    assert [hand.winner for hand in current] == [2, 2, 4, 3, 4]
    assert [hand.reason for hand in current] == ["", "", *["North went out, not South"] * 2, ""]


def test_corrected_totals_are_those_of_a_game_played_right_from_the_start(game: Game) -> None:
    hands = play(game, SOUTH_WINS, SOUTH_WINS, SOUTH_WINS, WEST_WINS, NORTH_WINS)
    correct(hands[1], NORTH_WINS)
    right = open_game()
    play(right, SOUTH_WINS, NORTH_WINS, SOUTH_WINS, WEST_WINS, NORTH_WINS)
    columns = ("points", "hands", "mahjongs", "best_hand")
    assert list(game.seats.values_list(*columns)) == list(right.seats.values_list(*columns))
    assert recount().differences == ()


def test_play_goes_on_under_the_corrected_winds(game: Game) -> None:
    (old,) = play(game, SOUTH_WINS)
    correct(old, EAST_WINS)
    assert record(game, 2, DRAWN).hand.deal["dealer"] == 1


def test_a_hand_that_was_corrected_meanwhile_is_not_corrected_again(game: Game) -> None:
    (old,) = play(game, SOUTH_WINS)
    correct(old, WEST_WINS)
    assert refusal(old, DRAWN) == [("", "Hand 1 has just been corrected by someone else.")]


def test_a_correction_can_be_corrected(game: Game) -> None:
    (old,) = play(game, SOUTH_WINS)
    again = correct(correct(old, WEST_WINS), NORTH_WINS)
    assert (again.winner, Hand.objects.count()) == (4, 3)
    assert points(game) == list(again.gains.values())


@pytest.mark.parametrize("reason", ["", "   ", "x" * 201])
def test_a_correction_says_why(game: Game, reason: str) -> None:
    (old,) = play(game, SOUTH_WINS)
    assert [where for where, _ in refusal(old, WEST_WINS, reason=reason)] == ["reason"]
    assert Hand.objects.count() == 1


def test_a_later_hand_that_no_longer_fits_is_named_and_nothing_is_changed() -> None:
    game = open_game(5)
    hands = play(game, SOUTH_WINS, Report(winner=5, totals={2: 20, 3: 8, 4: 4, 5: 60}))
    assert refusal(hands[0], EAST_WINS) == [
        (
            "hands.2",
            (
                "Hand 2, played later, would no longer fit: Seat 5, which sits out, is neither "
                "the number of a seat in play nor a drawn hand."
            ),
        )
    ]
    assert Hand.objects.filter(is_current=True).count() == 2
    assert points(game)[4] == 240


def test_a_chow_in_what_becomes_a_goulash_is_named_with_its_hand(game: Game) -> None:
    chow = {
        "sets": [{"tiles": ["B2", "B3", "B4"], "exposed": True}],
        "concealed": ["C5", "C5", "C5", "O3", "O3", "O3", "O7", "O7", "O7", "B6", "B6"],
    }
    told = Report(winner=1, won_by="wall", tiles={1: chow}, totals={2: 8, 3: 0, 4: 0})
    hands = play(game, SOUTH_WINS, told)
    ((where, sentence),) = refusal(hands[0], DRAWN)
    assert (where, sentence) == (
        "hands.2",
        "Hand 2, played later, would no longer fit: Chows in this hand: 1; the rules allow 0 here.",
    )


def test_a_winner_who_does_not_play_is_refused_at_the_field(game: Game) -> None:
    (old,) = play(game, SOUTH_WINS)
    ((where, _),) = refusal(old, Report(winner=5, totals=WEST_WINS.totals))
    assert where == "winner"


def test_wrong_totals_are_refused_at_the_field(game: Game) -> None:
    (old,) = play(game, SOUTH_WINS)
    ((where, _),) = refusal(old, Report(winner=2, totals={**SOUTH_WINS.totals, 3: 37}))
    assert where == "scores.3"


def test_a_later_dispute_outlives_the_replay(game: Game) -> None:
    hands = play(game, SOUTH_WINS, WEST_WINS)
    dispute(hands[1])
    correct(hands[0], EAST_WINS)
    states = Hand.objects.filter(is_current=True).values_list("state", flat=True)
    assert list(states) == [HandState.DECIDED, HandState.DISPUTED]


def test_the_same_submission_stays_one_hand_through_corrections(game: Game) -> None:
    sent = uuid4()
    hand = record(game, 1, SOUTH_WINS, submission_id=sent).hand
    new = correct(hand, WEST_WINS)
    assert new.submission_id != sent
    assert record(game, 1, SOUTH_WINS, submission_id=sent).hand == hand
