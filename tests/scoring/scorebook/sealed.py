"""Games with one of everything that a book seals."""

from django.utils import timezone

from scoring.scorebook import ledger, services
from scoring.scorebook.models import (
    Agreement,
    Decision,
    Game,
    Hand,
    HandState,
    LinkKind,
    Repair,
    RepairedGame,
    RepairKind,
)
from tests.scoring.scorebook.book import DRAWN, EAST_WINS_IN_TILES, SOUTH_WINS, WEST_WINS, play


def open_games(count: int = 1, *, size: int = 4) -> list[Game]:
    """Games of one event."""
    laid = services.open_games(rules="bmja", sizes=[size] * count)
    return [seats[0].game for seats in laid]


def agree(hand: Hand, seat: int = 1) -> Agreement:
    """A seat says that the hand is right, and that is enough."""
    said = Agreement.objects.create(
        hand=hand,
        seat=seat,
        agrees=True,
        digest="0" * 64,
        said_by="table 1",
        said_at=timezone.now(),
    )
    Hand.objects.filter(pk=hand.pk).update(state=HandState.AGREED)
    ledger.said(Hand.objects.get(pk=hand.pk), [said])
    return said


def let_stand(hand: Hand) -> Decision:
    """The scorer has looked at it."""
    decision = Decision.objects.create(
        hand=hand, reason="seen at the table", made_by="user 7", made_at=timezone.now()
    )
    Hand.objects.filter(pk=hand.pk).update(state=HandState.DECIDED)
    ledger.decided(Hand.objects.get(pk=hand.pk), decision)
    return decision


def repair(game: Game) -> Repair:
    """Two players change places from the second hand on."""
    made = Repair.objects.create(
        kind=RepairKind.SEATS,
        words="Ann and Ben sat in each other's place.",
        reason="told by both",
        made_by="user 7",
        made_at=timezone.now(),
    )
    RepairedGame.objects.create(repair=made, game=game, before={"exchanges": []}, after={})
    Game.objects.filter(pk=game.pk).update(exchanges=[[2, 1, 2]])
    ledger.repaired(LinkKind.REPAIRED, made, [game])
    return made


def well_read_game() -> Game:
    """A game with one of everything that a book seals, after another event with a repair."""
    (elsewhere,) = open_games(size=2)
    repair(elsewhere)
    (game,) = open_games()
    first, second, third = play(game, SOUTH_WINS, EAST_WINS_IN_TILES, DRAWN)
    agree(first)
    let_stand(third)
    services.correct_hand(
        hand_id=second.pk, report=WEST_WINS, corrected_by="user 7", reason="a slip"
    )
    services.adjust(seat=game.seats.get(number=2), points=-50, written_by="user 7", reason="late")
    repair(game)
    return game
