"""The last hand of a game is taken back by the table, until the next one is recorded."""

from django.db import transaction

from scoring.scorebook import metrics
from scoring.scorebook.models import Game, Hand, HandState
from scoring.scorebook.refusals import refuse
from scoring.scorebook.reports import Report
from scoring.scorebook.services.games import lock_game
from scoring.scorebook.services.judging import moved_on
from scoring.scorebook.services.replacing import take_out
from scoring.scorebook.services.tapping import tap_again

TAKEN_BACK = "undone at the table"


@transaction.atomic
def take_back(*, game_id: int, hand_id: int, taken_by: str) -> Hand:
    """The hand stays in the book as taken back; its number is free again, its gains go back.

    Taking the same hand back again answers with it. Raises ``Hand.DoesNotExist`` for a hand of
    another game, ``Refused`` where another hand was recorded since, where the scorer has ruled
    on it, or where the game is closed.
    """
    game = lock_game(game_id)
    hand = game.hands.get(pk=hand_id)
    if is_taken_back(hand):
        return hand
    _check(game, hand)
    take_out(hand, written_by=taken_by, reason=TAKEN_BACK)
    metrics.judged("taken_back")
    if hand.report.get("tiles"):
        tap_again(game, Report.from_json(hand.report))
    return hand


def is_taken_back(hand: Hand) -> bool:
    """Whether the hand was taken out of the book and nothing was put in its place."""
    return not hand.is_current and not Hand.objects.filter(replaces=hand).exists()


def _check(game: Game, hand: Hand) -> None:
    if not hand.is_current:
        raise moved_on(hand)
    if game.is_closed:
        raise refuse("game_closed", "This game is finished, so its hands cannot be undone.")
    if game.hands.filter(is_current=True, number__gt=hand.number).exists():
        raise refuse(
            "not_the_last",
            f"Hand {hand.number + 1} has been recorded since, so hand {hand.number} can no "
            "longer be undone. Report a problem instead, and the scorer will check it.",
        )
    if hand.state == HandState.DECIDED or hand.replaces_id is not None:
        raise refuse(
            "hand_decided",
            f"The scorer has decided hand {hand.number}, so the table cannot undo it.",
        )
