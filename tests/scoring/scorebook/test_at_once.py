"""Phones that send, agree, correct and take back at the same moment, on the suite's database."""

from functools import partial
from uuid import uuid4

import pytest

from scoring.scorebook.models import Agreement, Hand, HandState
from scoring.scorebook.refusals import AlreadyStands, Refused
from scoring.scorebook.services import RecordedHand
from scoring.scorebook.verifying import recount
from tests.scoring.scorebook.book import (
    DRAWN,
    EAST_WINS_IN_TILES,
    SOUTH_WINS,
    WEST_WINS,
    correct,
    open_game,
    page_digest,
    play,
    points,
    record,
    say,
    take_back,
)
from tests.threads import at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]


def test_of_two_reports_for_one_hand_one_is_stored_and_the_other_is_told_so() -> None:
    for _ in range(5):
        game = open_game()
        answers = at_once([partial(record, game, 1, report) for report in (SOUTH_WINS, WEST_WINS)])
        (recorded_hand,) = [answer for answer in answers if isinstance(answer, RecordedHand)]
        (refusal,) = [answer for answer in answers if isinstance(answer, AlreadyStands)]
        assert (refusal.hand, game.hands.get()) == (recorded_hand.hand, recorded_hand.hand)
        assert points(game) == list(recorded_hand.hand.gains.values())


def test_one_submission_from_eight_threads_is_one_hand() -> None:
    game, submission_id = open_game(), uuid4()
    answers = at_once([partial(record, game, 1, SOUTH_WINS, submission_id=submission_id)] * 8)
    recorded_hands = [answer for answer in answers if isinstance(answer, RecordedHand)]
    assert sorted(answer.is_new for answer in recorded_hands) == [False] * 7 + [True]
    assert {answer.hand for answer in recorded_hands} == {game.hands.get()}
    assert points(game) == [-64, 240, -80, -96]


def test_hands_of_eight_tables_at_once_are_all_there() -> None:
    games = [open_game() for _ in range(8)]
    reports = [SOUTH_WINS, EAST_WINS_IN_TILES, DRAWN, WEST_WINS]
    at_once([partial(play, game, *reports) for game in games])
    assert Hand.objects.filter(is_current=True).count() == 32
    assert {tuple(points(game)) for game in games} == {(100, -40, 204, -264)}
    assert recount().differences == ()


def test_a_correction_and_the_next_hand_do_not_lose_each_other() -> None:
    for _ in range(5):
        game = open_game()
        (first,) = play(game, SOUTH_WINS)
        correction = partial(correct, first, DRAWN)
        answers = at_once([correction, partial(record, game, 2, WEST_WINS)])
        assert [type(answer) for answer in answers] == [Hand, RecordedHand]
        winds = game.hands.filter(is_current=True).values_list("deal__dealer", flat=True)
        assert list(winds) == [1, 1]
        assert recount().differences == ()


def test_of_two_corrections_one_is_told_that_it_came_too_late() -> None:
    game = open_game()
    (first,) = play(game, SOUTH_WINS)
    answers = at_once([partial(correct, first, report) for report in (WEST_WINS, DRAWN)])
    (corrected_hand,) = [answer for answer in answers if isinstance(answer, Hand)]
    (refusal,) = [answer for answer in answers if isinstance(answer, Refused)]
    assert str(refusal) == "Hand 1 has just been corrected by someone else."
    assert game.hands.get(is_current=True) == corrected_hand


def test_four_phones_that_agree_at_once_settle_the_hand() -> None:
    (hand,) = play(open_game(), SOUTH_WINS)
    digest = page_digest(hand)
    answers = at_once([partial(say, hand, seat, digest=digest) for seat in (1, 2, 3, 4, 4, 1)])
    assert [type(answer) for answer in answers] == [Hand] * 6
    hand.refresh_from_db()
    assert (hand.state, Agreement.objects.count()) == (HandState.AGREED, 4)


def test_who_agrees_while_it_is_corrected_never_agrees_to_the_correction() -> None:
    for _ in range(3):
        (hand,) = play(open_game(), SOUTH_WINS)
        correction = partial(correct, hand, WEST_WINS)
        answers = at_once([partial(say, hand, 1, digest=page_digest(hand)), correction])
        stands = Hand.objects.get(game=hand.game, is_current=True)
        assert stands == answers[1]
        assert not stands.agreements.exists()
        if isinstance(answers[0], Refused):
            assert str(answers[0]) == "Hand 1 has been corrected since you opened this page."


def test_a_hand_is_taken_back_or_the_next_is_entered_never_both() -> None:
    for _ in range(4):
        game = open_game()
        (hand,) = play(game, SOUTH_WINS)
        undone, record_answer = at_once([partial(take_back, hand), partial(record, game, 2, DRAWN)])
        if isinstance(record_answer, RecordedHand):
            assert "Hand 2 has been recorded since" in str(undone)
        else:
            assert isinstance(undone, Hand)
            assert "the next hand of this game is 1" in str(record_answer)
        assert points(game) == (
            [-64, 240, -80, -96] if isinstance(record_answer, RecordedHand) else [0] * 4
        )
        assert recount().differences == ()


def test_a_hand_taken_back_from_every_phone_at_once_goes_back_once() -> None:
    game = open_game()
    (hand,) = play(game, SOUTH_WINS)
    answers = at_once([partial(take_back, hand)] * 4)
    assert answers == [hand] * 4
    assert (points(game), hand.entries.count()) == ([0, 0, 0, 0], 8)
