"""Phones that send at the same moment, on the database that the suite runs on."""

from functools import partial
from uuid import uuid4

import pytest

from scoring.scorebook import services
from scoring.scorebook.models import Hand
from scoring.scorebook.refusals import AlreadyStands, Refused
from scoring.scorebook.services import Recorded
from scoring.scorebook.verifying import recount
from tests.scoring.scorebook.book import (
    DRAWN,
    EAST_WINS_IN_TILES,
    SOUTH_WINS,
    WEST_WINS,
    open_game,
    play,
    points,
    record,
)
from tests.threads import at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]


def test_of_two_reports_for_one_hand_one_is_stored_and_the_other_is_told_so() -> None:
    for _ in range(5):
        game = open_game()
        answers = at_once([partial(record, game, 1, told) for told in (SOUTH_WINS, WEST_WINS)])
        (stored,) = [answer for answer in answers if isinstance(answer, Recorded)]
        (refused,) = [answer for answer in answers if isinstance(answer, AlreadyStands)]
        assert (refused.hand, game.hands.get()) == (stored.hand, stored.hand)
        assert points(game) == list(stored.hand.gains.values())


def test_one_submission_from_eight_threads_is_one_hand() -> None:
    game, sent = open_game(), uuid4()
    answers = at_once([partial(record, game, 1, SOUTH_WINS, submission_id=sent)] * 8)
    recorded = [answer for answer in answers if isinstance(answer, Recorded)]
    assert sorted(answer.is_new for answer in recorded) == [False] * 7 + [True]
    assert {answer.hand for answer in recorded} == {game.hands.get()}
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
        correct = partial(
            services.correct_hand,
            hand_id=first.pk,
            report=DRAWN,
            corrected_by="user 7",
            reason="a slip",
        )
        answers = at_once([correct, partial(record, game, 2, WEST_WINS)])
        assert [type(answer) for answer in answers] == [Hand, Recorded]
        winds = game.hands.filter(is_current=True).values_list("deal__dealer", flat=True)
        assert list(winds) == [1, 1]
        assert recount().differences == ()


def test_of_two_corrections_one_is_told_that_it_came_too_late() -> None:
    game = open_game()
    (first,) = play(game, SOUTH_WINS)
    answers = at_once(
        [
            partial(
                services.correct_hand,
                hand_id=first.pk,
                report=report,
                corrected_by="user 7",
                reason="a slip",
            )
            for report in (WEST_WINS, DRAWN)
        ]
    )
    (corrected,) = [answer for answer in answers if isinstance(answer, Hand)]
    (refused,) = [answer for answer in answers if isinstance(answer, Refused)]
    assert str(refused) == "Hand 1 has just been corrected by someone else."
    assert game.hands.get(is_current=True) == corrected
