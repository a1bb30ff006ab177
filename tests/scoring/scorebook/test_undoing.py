"""The last hand is taken back by the table: it stays in the book, and its number is free again."""

from uuid import uuid4

import pytest

from scoring.scorebook import services
from scoring.scorebook.models import Game, Hand
from scoring.scorebook.refusals import Refused
from scoring.scorebook.selectors import game_view, taken_back
from scoring.scorebook.verifying import recount
from tests.scoring.scorebook.book import (
    DRAWN,
    SOUTH_WINS,
    WEST_WINS,
    agree,
    decide,
    dispute,
    ledger,
    open_game,
    play,
    points,
    record,
)

pytestmark = pytest.mark.django_db


def take_back(hand: Hand) -> Hand:
    return services.take_back(game_id=hand.game_id, hand_id=hand.pk, taken_by="table 1 seat 3")


def test_the_hand_stays_and_its_gains_go_back(game: Game) -> None:
    hands = play(game, SOUTH_WINS, WEST_WINS)
    take_back(hands[1])
    assert points(game) == [-64, 240, -80, -96]
    assert [kind for kind, *_ in ledger(game)] == ["hand"] * 8 + ["reversal"] * 4
    (gone,) = taken_back(game_view(game).taken_back)
    assert (gone.hand.pk, gone.hand.number, gone.taken_by) == (hands[1].pk, 2, "table 1 seat 3")
    assert [row.number for row in game_view(game).hands] == [1]
    assert recount().differences == ()


def test_every_total_of_a_seat_is_told_anew(game: Game) -> None:
    hands = play(game, SOUTH_WINS, SOUTH_WINS)
    take_back(hands[1])
    once = open_game()
    play(once, SOUTH_WINS)
    columns = ("points", "hands", "mahjongs", "best_hand")
    assert list(game.seats.values_list(*columns)) == list(once.seats.values_list(*columns))


def test_the_number_is_free_again(game: Game) -> None:
    hands = play(game, SOUTH_WINS, WEST_WINS)
    take_back(hands[1])
    again = record(game, 2, SOUTH_WINS)
    assert (again.is_new, again.hand.deal) == (True, hands[1].deal)
    assert recount().differences == ()


def test_a_retry_does_not_bring_it_back(game: Game) -> None:
    sent = uuid4()
    hand = record(game, 1, SOUTH_WINS, submission_id=sent).hand
    take_back(hand)
    again = record(game, 1, SOUTH_WINS, submission_id=sent)
    assert (again.is_new, again.hand, again.hand.is_current) == (False, hand, False)
    assert points(game) == [0, 0, 0, 0]


def test_a_double_tap_takes_back_one_hand(game: Game) -> None:
    hands = play(game, SOUTH_WINS, WEST_WINS)
    assert take_back(hands[1]) == take_back(hands[1])
    assert len(ledger(game)) == 12


def test_only_the_last_hand_is_taken_back(game: Game) -> None:
    hands = play(game, SOUTH_WINS, WEST_WINS)
    with pytest.raises(Refused, match="Hand 2 has been recorded since, so hand 1 can no longer"):
        take_back(hands[0])
    take_back(hands[1])
    take_back(hands[0])
    assert points(game) == [0, 0, 0, 0]


@pytest.mark.parametrize("say", [agree, dispute])
def test_an_agreed_or_disputed_hand_can_be_taken_back(game: Game, say: object) -> None:
    (hand,) = play(game, SOUTH_WINS)
    assert callable(say)
    say(hand)
    assert not take_back(hand).is_current


def test_the_table_does_not_undo_what_the_scorer_decided(game: Game) -> None:
    (hand,) = play(game, SOUTH_WINS)
    decide(hand)
    with pytest.raises(Refused, match="The scorer has decided hand 1"):
        take_back(hand)


def test_nor_what_the_scorer_corrected(game: Game) -> None:
    (old,) = play(game, SOUTH_WINS)
    new = services.correct_hand(
        hand_id=old.pk, report=WEST_WINS, corrected_by="user 7", reason="a slip"
    )
    with pytest.raises(Refused, match="The scorer has decided hand 1"):
        take_back(new)
    with pytest.raises(Refused, match="Hand 1 has been corrected since"):
        take_back(old)


def test_a_finished_game_keeps_its_hands(game: Game) -> None:
    (hand,) = play(game, SOUTH_WINS)
    services.close_games(Game.objects.all())
    with pytest.raises(Refused, match="This game is finished, so its hands cannot be undone"):
        take_back(hand)


def test_the_last_hand_of_a_game_opens_it_again() -> None:
    game = open_game(hands_planned=1)
    (hand,) = play(game, SOUTH_WINS)
    assert game_view(game).is_over
    take_back(hand)
    assert not game_view(game).is_over
    assert record(game, 1, DRAWN).is_new


def test_a_hand_taken_back_is_no_correction(game: Game) -> None:
    (hand,) = play(game, SOUTH_WINS)
    take_back(hand)
    record(game, 1, WEST_WINS)
    assert game_view(game).corrected == ()
    assert [row.corrections for row in game_view(game).hands] == [0]


def test_nothing_more_is_said_of_it(game: Game) -> None:
    (hand,) = play(game, SOUTH_WINS)
    take_back(hand)
    for say in (agree, dispute, decide):
        with pytest.raises(Refused, match="Hand 1 has been undone since"):
            say(hand)


def test_a_hand_of_another_game_is_not_found(game: Game) -> None:
    (hand,) = play(open_game(), SOUTH_WINS)
    with pytest.raises(Hand.DoesNotExist):
        services.take_back(game_id=game.pk, hand_id=hand.pk, taken_by="table 1")
