"""Agreeing, correcting, taking back and playing on at the same moment, from several phones."""

from functools import partial

import pytest

from scoring.scorebook import services
from scoring.scorebook.models import Agreement, Hand, HandState
from scoring.scorebook.refusals import Refused
from scoring.scorebook.services import Recorded
from scoring.scorebook.verifying import recount
from tests.scoring.scorebook.book import (
    DRAWN,
    SOUTH_WINS,
    WEST_WINS,
    open_game,
    play,
    points,
    record,
    shown,
)
from tests.threads import at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]


def agree(hand: Hand, seat: int, digest: str) -> Hand:
    return services.say(
        game_id=hand.game_id,
        hand_id=hand.pk,
        seats={seat},
        agrees=True,
        shown=digest,
        names={},
        said_by=f"table 1 seat {seat}",
    )


def take_back(hand: Hand) -> Hand:
    return services.take_back(game_id=hand.game_id, hand_id=hand.pk, taken_by="table 1")


def test_four_phones_that_agree_at_once_settle_the_hand() -> None:
    (hand,) = play(open_game(), SOUTH_WINS)
    digest = shown(hand)
    answers = at_once([partial(agree, hand, seat, digest) for seat in (1, 2, 3, 4, 4, 1)])
    assert [type(answer) for answer in answers] == [Hand] * 6
    hand.refresh_from_db()
    assert (hand.state, Agreement.objects.count()) == (HandState.AGREED, 4)


def test_who_agrees_while_it_is_corrected_never_agrees_to_the_correction() -> None:
    for _ in range(3):
        (hand,) = play(open_game(), SOUTH_WINS)
        correct = partial(
            services.correct_hand,
            hand_id=hand.pk,
            report=WEST_WINS,
            corrected_by="user 7",
            reason="a slip",
        )
        answers = at_once([partial(agree, hand, 1, shown(hand)), correct])
        stands = Hand.objects.get(game=hand.game, is_current=True)
        assert stands == answers[1]
        assert not stands.agreements.exists()
        if isinstance(answers[0], Refused):
            assert str(answers[0]) == "Hand 1 has been corrected since you opened this page."


def test_a_hand_is_taken_back_or_the_next_is_entered_never_both() -> None:
    for _ in range(4):
        game = open_game()
        (hand,) = play(game, SOUTH_WINS)
        undone, entered = at_once([partial(take_back, hand), partial(record, game, 2, DRAWN)])
        if isinstance(entered, Recorded):
            assert "Hand 2 has been recorded since" in str(undone)
        else:
            assert isinstance(undone, Hand)
            assert "the next hand of this game is 1" in str(entered)
        assert points(game) == ([-64, 240, -80, -96] if isinstance(entered, Recorded) else [0] * 4)
        assert recount().differences == ()


def test_a_hand_taken_back_from_every_phone_at_once_goes_back_once() -> None:
    game = open_game()
    (hand,) = play(game, SOUTH_WINS)
    answers = at_once([partial(take_back, hand)] * 4)
    assert answers == [hand] * 4
    assert (points(game), hand.entries.count()) == ([0, 0, 0, 0], 8)
