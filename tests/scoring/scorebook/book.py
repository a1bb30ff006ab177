"""Hands for the score book's tests: reports, a short way to record them, mistakes put right."""

from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import transaction

from scoring.scorebook import services
from scoring.scorebook.consent import Sitters, shown_digest
from scoring.scorebook.models import Game, Hand, LedgerEntry, Repair, RepairKind
from scoring.scorebook.refusals import ProblemLike, Refused
from scoring.scorebook.reports import Report
from scoring.scorebook.selectors import hand_row
from scoring.scorebook.services import Mistake
from scoring.scorebook.verifying import recount, verify_book

EAST_WINS = Report(winner=1, totals={1: 60, 2: 20, 3: 8, 4: 4})
SOUTH_WINS = Report(winner=2, totals={1: 20, 2: 60, 3: 8, 4: 4})
WEST_WINS = Report(winner=3, totals={1: 20, 2: 8, 3: 60, 4: 4})
NORTH_WINS = Report(winner=4, totals={1: 20, 2: 8, 3: 4, 4: 60})
DRAWN = Report(winner=None)

# East: pungs of 2 + 2 + 4 + 4 and 20 for Mah-Jong, doubled for no chows. North: a pung of 8
# and 4 for the flower, doubled because it is the own flower.
EAST_WINS_IN_TILES = Report(
    winner=1,
    won_by="discard",
    tiles={
        1: {
            "sets": [
                {"tiles": ["B2", "B2", "B2"], "exposed": True},
                {"tiles": ["C5", "C5", "C5"], "exposed": True},
            ],
            "concealed": ["O3", "O3", "O3", "O7", "O7", "O7", "B6", "B6"],
            "winning_tile": "B6",
        },
        2: {"concealed": ["B1", "B3"]},
        3: {"concealed": []},
        4: {"concealed": ["C1", "C1", "C1"], "bonus": ["F4"]},
    },
)


def open_game(size: int = 4, *, rules: str = "bmja", hands_planned: int | None = None) -> Game:
    """A game without an end of its own, unless so many hands are planned."""
    (seats,) = services.open_games(rules=rules, sizes=[size], hands_planned=hands_planned)
    return seats[0].game


def record(
    game: Game, number: int, report: Report, *, submission_id: UUID | None = None
) -> services.RecordedHand:
    """The hand as a phone at the table sends it."""
    with transaction.atomic():
        return services.record_hand(
            game=services.lock_game(game.pk),
            submission_id=submission_id or uuid4(),
            number=number,
            report=report,
            sent_by="table 1",
        )


def play(game: Game, *reports: Report) -> list[Hand]:
    """These hands one after another."""
    return [record(game, number, report).hand for number, report in enumerate(reports, start=1)]


def page_digest(hand: Hand, substitutes: dict[int, str] | None = None) -> str:
    """The digest of a hand as a page with these substitutes shows it."""
    return shown_digest(hand_row(hand), substitutes=substitutes or {}, rules=hand.game.rules)


def say(
    hand: Hand,
    *seats: int,
    agrees: bool = True,
    note: str = "",
    substitutes: dict[int, str] | None = None,
    digest: str = "",
) -> Hand:
    """What these seats say of the hand as a page with these substitutes shows it; none: all.

    ``digest`` is the digest of what they saw, if it was something else.
    """
    hand = Hand.objects.get(pk=hand.pk)
    return services.record_agreement(
        game_id=hand.game_id,
        hand_id=hand.pk,
        seats=seats or None,
        agrees=agrees,
        seen_digest=digest or page_digest(hand, substitutes),
        sitters=Sitters(substitutes or {}, substitutes or {}),
        said_by="table 1",
        note=note,
    )


def agree(hand: Hand, *seats: int) -> Hand:
    """These seats say that the hand is right; with none, everyone who played it."""
    return say(hand, *seats)


def dispute(hand: Hand, seat: int = 1, note: str = "") -> Hand:
    """That seat says that the hand is not right."""
    return say(hand, seat, agrees=False, note=note)


def decide(hand: Hand, reason: str = "as on the paper sheet") -> Hand:
    """The scorer lets the hand stand."""
    return services.decide_hand(
        game_id=hand.game_id, hand_id=hand.pk, reason=reason, made_by="user 7"
    )


def correct(hand: Hand, report: Report, *, reason: str = "a slip") -> Hand:
    """The scorer corrects the hand."""
    return services.correct_hand(
        hand_id=hand.pk, report=report, corrected_by="user 7", reason=reason
    )


def take_back(hand: Hand) -> Hand:
    """The table undoes the hand."""
    return services.undo_hand(game_id=hand.game_id, hand_id=hand.pk, taken_by="table 1 seat 3")


def points(game: Game) -> list[int]:
    """Each seat's points so far, in the order of the seats."""
    return list(game.seats.values_list("points", flat=True))


def ledger(game: Game) -> list[tuple[str, int, int]]:
    """Kind, seat and points of every entry, oldest first."""
    entries = LedgerEntry.objects.filter(seat__game=game).order_by("pk")
    return list(entries.values_list("kind", "seat__number", "points"))


SEATS, FIGURES, WINNER, SHEETS = RepairKind


def put_right(mistake: Mistake, *, reason: str = "Seen on the paper", **options: Any) -> Repair:
    return services.repair_games(
        mistake=mistake, description="what was done", reason=reason, made_by="user 7", **options
    ).repair


def nothing_differs(game: Game) -> bool:
    """Whether every hand recounts, every total adds up and the book is as it was sealed."""
    return recount().differences == () and verify_book(game.book_id or 0).findings == ()


def undo(repair: Repair) -> None:
    services.undo_repair(repair_id=repair.pk, undone_by="user 8")


def seats_mixed(
    game: Game, first: int, seat: int, other_seat: int, **mistake_fields: Any
) -> Mistake:
    return Mistake(
        kind=SEATS, game_id=game.pk, first=first, seats=(seat, other_seat), **mistake_fields
    )


def current(game: Game) -> list[Hand]:
    return list(game.hands.filter(is_current=True).order_by("number"))


def winds(game: Game) -> list[str]:
    """Each hand's winds in the order of the seats, a dash for who sits out."""
    return [
        "".join(hand.deal["winds"].get(str(seat), "-") for seat in range(1, game.size + 1))
        for hand in current(game)
    ]


def standing(game: Game) -> list[tuple[Any, ...]]:
    """Everything about the current hands that a game is told by, and the totals."""
    hands = [
        (hand.number, hand.report, hand.deal, hand.gains, hand.scores) for hand in current(game)
    ]
    return [*hands, tuple(game.seats.values_list("points", "hands", "mahjongs", "best_hand"))]


def problems(act: Callable[[], object]) -> Sequence[ProblemLike]:
    """What is wrong with an act that is refused."""
    with pytest.raises(Refused) as refusal:
        act()
    return refusal.value.problems


def refusals(act: Callable[[], object]) -> list[tuple[str, str]]:
    """The field of each problem, and its sentence."""
    return [(problem.path, problem.message) for problem in problems(act)]


def codes(act: Callable[[], object]) -> list[tuple[str, str]]:
    """The code of each problem, and its field."""
    return [(problem.code, problem.path) for problem in problems(act)]


def open_tables(count: int, *, hands_planned: int | None = None) -> list[Game]:
    """So many tables of one event."""
    seats = services.open_games(rules="bmja", sizes=[4] * count, hands_planned=hands_planned)
    return [places[0].game for places in seats]


def sheets(game: Game, other_game: Game, first: int = 1) -> Mistake:
    return Mistake(kind=SHEETS, game_id=game.pk, other_id=other_game.pk, first=first)
