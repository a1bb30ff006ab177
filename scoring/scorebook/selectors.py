"""Reads of the score book: a game's hands as rows, its next deal, what was said, and receipts."""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache, partial
from itertools import groupby
from operator import attrgetter
from typing import Any, Final, NamedTuple
from zlib import crc32

from django.db.models import Count, F, QuerySet

from scoring import Deal, Progress, RuleSet, Wind, deals
from scoring.building import Draft, read_draft, seat_draft
from scoring.rules.declarations import FirstDealer
from scoring.scorebook.editions import rule_set
from scoring.scorebook.ledger import CODE_DIGITS, short_code
from scoring.scorebook.models import (
    SEAT_NUMBERS,
    Agreement,
    Book,
    Decision,
    EntryKind,
    Game,
    Hand,
    HandState,
    LedgerEntry,
    Link,
    LinkKind,
    Recording,
    RepairedGame,
    Seat,
)
from scoring.scorebook.prepared import PreparedQuery
from scoring.scorebook.reports import Report
from scoring.table.progression import Exchange, Opening, table_after

_PROGRESS_CACHE_SIZE: Final = 256  # tables

OUTCOME_FIELDS = ("winner", *(f"gain_{seat}" for seat in SEAT_NUMBERS))
UNDO_PERIOD = timedelta(days=1)
ADDRESS_DIGITS: Final = 32
_HEX_PATTERN: Final = re.compile(r"[0-9a-f]+")
_AFTER_ANY_DIGIT: Final = "g"


class Outcome(NamedTuple):
    """How a hand ended: who went Mah-Jong (None: drawn), and what each seat gained by it."""

    winner: int | None
    gains: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class HandRow:
    """One current hand of a game, as pages, API and paper show it.

    ``hands_before`` is how many hands the table had played when its game carried on another one.
    """

    pk: int
    number: int
    winds: dict[int, Wind]
    dealer: int
    prevailing_wind: Wind | None
    goulash: bool
    zero_sum: bool
    winner: int | None
    scores: dict[int, int]
    gains: dict[int, int]
    payments: tuple[tuple[int, int, int], ...]
    lines: dict[str, Any]
    report: dict[str, Any]
    state: HandState
    sent_by: str
    sent_at: datetime
    reason: str
    corrections: int
    hands_before: int = 0

    @property
    def number_at_table(self) -> int:
        """As people count: hands before a change of players count too."""
        return self.hands_before + self.number

    @property
    def is_drawn(self) -> bool:
        return self.winner is None

    @property
    def recording(self) -> Recording:
        return Report.from_json(self.report).recording


@dataclass(frozen=True, slots=True)
class GameView:
    """A game with its hands so far and the deal to play next (None when it is over).

    ``winners`` are the seats that have won a race to so many points. ``opening`` is where it began
    if it carries on another one, and ``hands_before`` how many hands the table had played by then.
    ``corrected_hands`` are hands that another has replaced, ``taken_back`` those that nothing has,
    both the oldest first.
    """

    pk: int
    rules: str
    size: int
    is_closed: bool
    hands_planned: int | None
    hands: tuple[HandRow, ...]
    totals: dict[int, int]
    next_deal: Deal | None
    first_dealer: int = 1
    winners: tuple[int, ...] = ()
    opening: Opening | None = None
    hands_before: int = 0
    corrected_hands: tuple[HandRow, ...] = ()
    taken_back: tuple[HandRow, ...] = ()

    @property
    def is_over(self) -> bool:
        return self.next_deal is None

    @property
    def first_dealer_is_open(self) -> bool:
        """Whether the table may name who deals first: the rules let it, and no hand is recorded."""
        is_waiting = not (self.hands or self.opening) and self.next_deal is not None
        return is_waiting and leaves_first_dealer_open(rule_set(self.rules))


def leaves_first_dealer_open(rules: RuleSet) -> bool:
    return rules.passing.first_dealer is FirstDealer.NAMED


def progress(game: Game) -> Progress:
    """The deals played so far and the next one."""
    return progress_after(game, outcomes(game))


def outcomes(game: Game) -> list[Outcome]:
    """How each hand so far ended; one query."""
    return [make_outcome(*row) for row in _OUTCOMES_QUERY(game.pk)]


def _current_outcomes(game: int) -> QuerySet[Hand, Any]:
    current = Hand.objects.filter(game=game, is_current=True)
    return current.order_by("number").values_list(*OUTCOME_FIELDS)


_OUTCOMES_QUERY = PreparedQuery(_current_outcomes, int)


def outcome_of(hand: Hand) -> Outcome:
    """How a stored hand ended; reads only ``OUTCOME_FIELDS``."""
    return make_outcome(*(getattr(hand, name) for name in OUTCOME_FIELDS))


def make_outcome(winner: int | None, *gains: int) -> Outcome:
    return Outcome(winner, dict(zip(SEAT_NUMBERS, gains, strict=True)))


def progress_after(game: Game, hand_outcomes: Sequence[Outcome]) -> Progress:
    """The deals that these outcomes lead to, under the game's rules and length.

    A race to so many points ends the game with the hand in which someone has them.
    """
    return _cached_progress(
        game.rules,
        game.size,
        game.wind_rounds,
        game.hands_planned,
        game.first_dealer,
        tuple((hand, first, other_seat) for hand, first, other_seat in game.exchanges),
        tuple((outcome.winner, *outcome.gains.items()) for outcome in hand_outcomes),
        json.dumps(game.opening["state"]) if game.opening else "",
    )


def opening_of(game: Game) -> Opening | None:
    """Where a game begins that carries on another one.

    Raises ``ValueError`` where something else is stored.
    """
    return Opening.from_json(game.opening["state"]) if game.opening else None


def seats_before(game: Game) -> list[int | None]:
    """The seats of the game before that the seats of this one carry on, in their order."""
    return list(game.opening["seats"]) if game.opening else []


def opening_after(game: Game, seats: Sequence[int | None]) -> dict[str, Any]:
    """What ``Game.opening`` holds of a game that carries this one on; one query."""
    return opening_from(game, outcomes(game), seats)


def opening_from(
    game: Game, hand_outcomes: Sequence[Outcome], seats: Sequence[int | None]
) -> dict[str, Any]:
    """The same after these outcomes of the game."""
    table = table_after(
        [outcome.winner for outcome in hand_outcomes],
        rules=rule_set(game.rules),
        seats=game.size,
        wind_rounds=game.wind_rounds,
        hands=game.hands_planned,
        gains=[outcome.gains for outcome in hand_outcomes],
        exchanges=[(hand, first, other_seat) for hand, first, other_seat in game.exchanges],
        dealer=game.first_dealer,
        opening=opening_of(game),
    )
    hands = game.hands_before + len(hand_outcomes)
    return {"seats": list(seats), "state": table.opens(seats).as_json(), "hands": hands}


@lru_cache(_PROGRESS_CACHE_SIZE)  # to save a hand asks twice, and every page of a table asks again
def _cached_progress(
    rules: str,
    seats: int,
    wind_rounds: int | None,
    hands: int | None,
    dealer: int,
    exchanges: tuple[Exchange, ...],
    hand_outcomes: tuple[tuple[Any, ...], ...],
    opening: str,
) -> Progress:
    return deals(
        [winner for winner, *_ in hand_outcomes],
        rules=rule_set(rules),
        seats=seats,
        wind_rounds=wind_rounds,
        hands=hands,
        gains=[dict(gains) for _, *gains in hand_outcomes],
        exchanges=exchanges,
        dealer=dealer,
        opening=Opening.from_json(json.loads(opening)) if opening else None,
    )


def drafts_of(game: Game, deal: Deal) -> dict[int, Draft]:
    """The draft of each seat that has tapped at this deal's hand, as the deal has it; one query."""
    rules = rule_set(game.rules)
    rows = game.tapped.filter(number=deal.number, seat__in=list(deal.winds))
    return {
        seat: seat_draft(read_draft(text), seat, deal, rules)
        for seat, text in rows.values_list("seat", "draft")
    }


def winner_of(drafts: Mapping[int, Draft]) -> int | None:
    return next((seat for seat, draft in drafts.items() if draft.won), None)


def starting_winds(game: Game | GameView) -> Mapping[int, Wind]:
    """The wind that each seat starts the game with; none for who sits out.

    A game that carries on another one starts where that one stopped.
    """
    opening = game.opening if isinstance(game, GameView) else opening_of(game)
    opening_text = json.dumps(opening.as_json()) if opening else ""
    start = _cached_progress(
        game.rules, game.size, None, None, game.first_dealer, (), (), opening_text
    )
    return start.deals[0].winds


def deal_as_json(deal: Deal) -> dict[str, Any]:
    return {
        "winds": {str(seat): str(wind) for seat, wind in deal.winds.items()},
        "dealer": deal.dealer,
        "prevailing_wind": None if deal.prevailing_wind is None else str(deal.prevailing_wind),
        "goulash": deal.goulash,
        "sits_out": deal.sits_out,
    }


def game_view(game: Game) -> GameView:
    """Everything about a game that a page shows, in two queries."""
    return game_views([game])[game.pk]


def game_views(games: Sequence[Game]) -> dict[int, GameView]:
    """The same for many games, by their keys, in the same two queries."""
    hands: dict[int, list[Hand]] = defaultdict(list)
    annotated_hands = Hand.objects.filter(game__in=games).annotate(successor=F("replaced_by"))
    for hand in annotated_hands.order_by("number", "pk"):
        hands[hand.game_id].append(hand)
    seats: dict[int, list[Seat]] = defaultdict(list)
    for seat in Seat.objects.filter(game__in=games):
        seats[seat.game_id].append(seat)
    views = {}
    for game in games:
        current = [hand for hand in hands[game.pk] if hand.is_current]
        now = progress_after(game, [outcome_of(hand) for hand in current])
        replaced_hands = [hand for hand in hands[game.pk] if _successor_key(hand) is not None]
        taken_back_hands = [
            hand for hand in hands[game.pk] if not hand.is_current and _successor_key(hand) is None
        ]
        times = Counter(hand.number for hand in replaced_hands)
        row_of = partial(hand_row, hands_before=game.hands_before)
        views[game.pk] = GameView(
            pk=game.pk,
            rules=game.rules,
            size=game.size,
            is_closed=game.is_closed,
            hands_planned=game.hands_planned,
            hands=tuple(row_of(hand, corrections=times[hand.number]) for hand in current),
            totals={seat.number: seat.points for seat in seats[game.pk]},
            next_deal=None if game.is_closed or now.is_finished else now.deals[-1],
            first_dealer=game.first_dealer,
            winners=now.winners,
            opening=opening_of(game),
            hands_before=game.hands_before,
            corrected_hands=tuple(map(row_of, replaced_hands)),
            taken_back=tuple(map(row_of, sorted(taken_back_hands, key=attrgetter("pk")))),
        )
    return views


def _successor_key(hand: Hand) -> int | None:
    key: int | None = hand.successor  # type: ignore[attr-defined]
    return key


def points_before(game: GameView, number: int, *, start: int) -> dict[int, int]:
    """What each seat had before the hand of this number, in points, if all began with ``start``.

    Penalties and bonuses are in it, whenever they were given, and what a seat has from a game that
    this one carries on.
    """
    carried_points = game.opening.points if game.opening else {}
    later_gains = [row.gains for row in game.hands if row.number >= number]
    return {
        seat: start
        + carried_points.get(seat, 0)
        + points
        - sum(gains.get(seat, 0) for gains in later_gains)
        for seat, points in game.totals.items()
    }


def game_mark(game: Game) -> str:
    """A short text that changes with every hand, correction, agreement or first dealer; one query.

    It starts with the number of hands; the last part alone changes with what is said of them:
    ``7-1c2d3e4f-5a6b7c8d``.
    """
    hands = game.hands.filter(is_current=True).order_by("number")
    return _mark_text(hands.values_list("pk", "state", Count("agreements")), game)


def view_mark(game: GameView, agreement_counts: Mapping[int, int]) -> str:
    """The same of rows; ``agreement_counts`` counts the answers to each hand; no query."""
    hand_marks = ((row.pk, row.state.value, agreement_counts.get(row.pk, 0)) for row in game.hands)
    return _mark_text(hand_marks, game)


def _mark_text(hand_marks: Iterable[tuple[int, str, int]], game: Game | GameView) -> str:
    rows = list(hand_marks)
    keys = [key for key, *_ in rows]
    return f"{len(keys)}-{_checksum([*keys, game.is_closed, game.first_dealer])}-{_checksum(rows)}"


def _checksum(content: object) -> str:
    return f"{crc32(repr(content).encode()):x}"


def hand_row(hand: Hand, *, corrections: int = 0, hands_before: int = 0) -> HandRow:
    """The hand as a row; ``hands_before`` is ``Game.hands_before`` where its number is shown."""
    wind = hand.deal["prevailing_wind"]
    return HandRow(
        pk=hand.pk,
        number=hand.number,
        winds={int(seat): Wind(letter) for seat, letter in hand.deal["winds"].items()},
        dealer=hand.deal["dealer"],
        prevailing_wind=None if wind is None else Wind(wind),
        goulash=hand.deal["goulash"],
        zero_sum=hand.zero_sum,
        winner=hand.winner,
        scores=hand.scores,
        gains=hand.gains,
        payments=tuple((payer, payee, points) for payer, payee, points in hand.payments),
        lines=hand.lines,
        report=hand.report,
        state=HandState(hand.state),
        sent_by=hand.sent_by,
        sent_at=hand.sent_at,
        reason=hand.reason,
        corrections=corrections,
        hands_before=hands_before,
    )


@dataclass(frozen=True, slots=True)
class UndoneHand:
    """A hand that was taken out of the book, nothing put in its place: by whom and when."""

    hand: HandRow
    taken_by: str
    taken_at: datetime


def agreements_of(game: Game) -> dict[int, list[Agreement]]:
    """What the seats said of the current hands, by the hand's key, oldest first; one query."""
    by_hand: dict[int, list[Agreement]] = defaultdict(list)
    for agreement in Agreement.objects.filter(hand__game=game, hand__is_current=True):
        by_hand[agreement.hand_id].append(agreement)
    return by_hand


def decisions_of(game: Game) -> dict[int, Decision]:
    """The scorer's last decision on each current hand, by the hand's key; one query."""
    decisions = Decision.objects.filter(hand__game=game, hand__is_current=True)
    return {decision.hand_id: decision for decision in decisions}


def undone_hands(hands: Collection[HandRow]) -> tuple[UndoneHand, ...]:
    """When and by whom these of ``GameView.taken_back`` were; one query where there are any."""
    if not hands:
        return ()
    keys = [hand.pk for hand in hands]
    reversals = LedgerEntry.objects.filter(hand__in=keys, kind=EntryKind.REVERSAL)
    reversal_by_hand = {entry.hand_id: entry for entry in reversals}
    hand_entries = ((hand, reversal_by_hand[hand.pk]) for hand in hands)
    return tuple(
        UndoneHand(hand, entry.written_by, entry.written_at) for hand, entry in hand_entries
    )


@dataclass(frozen=True, slots=True)
class RepairRow:
    """One repair: what was done, why, by whom and when, and until when it can be taken back."""

    pk: int
    words: str
    reason: str
    made_by: str
    made_at: datetime
    undone_at: datetime | None
    undone_by: str
    game_ids: tuple[int, ...]

    @property
    def until(self) -> datetime:
        return self.made_at + UNDO_PERIOD

    def can_be_undone(self, now: datetime) -> bool:
        """Whether it still holds and is not a day old."""
        return self.undone_at is None and now <= self.until


def repairs_of(game_ids: Collection[int]) -> tuple[RepairRow, ...]:
    """What was put right at these games, the last first, each with those of them; one query."""
    pieces = RepairedGame.objects.filter(game__in=game_ids).defer("before", "after")
    rows = pieces.select_related("repair").order_by("-repair", "pk")
    return tuple(
        RepairRow(
            pk=repair.pk,
            words=repair.words,
            reason=repair.reason,
            made_by=repair.made_by,
            made_at=repair.made_at,
            undone_at=repair.undone_at,
            undone_by=repair.undone_by,
            game_ids=tuple(piece.game_id for piece in repair_pieces),
        )
        for repair, repair_pieces in groupby(rows, key=attrgetter("repair"))
    )


@dataclass(frozen=True, slots=True)
class SealedHand:
    """A hand's link: its number, its printed code, its receipt's address, when it was sealed."""

    number: int
    code: str
    address: str
    sealed_at: datetime


def head_code(book: Book | None) -> str:
    """What proves everything in a book so far: ``3F9A 22C1 7B04 E5D8``; empty before a hand."""
    return short_code(book.head) if book and book.head else ""


def verification_text(book: Book | None) -> str:
    """For the foot of a printout: `` · verification code 3F9A 22C1 7B04 E5D8``, or nothing."""
    code = head_code(book)
    return f" · verification code {code}" if code else ""


def sealed_hands(keys: Collection[int]) -> dict[int, SealedHand]:
    """The links that recorded these hands, by the hands' keys; one query."""
    links = Link.objects.filter(hand__in=keys, kind=LinkKind.HAND)
    return {
        hand: SealedHand(number, short_code(digest), digest[:ADDRESS_DIGITS], written_at)
        for hand, number, digest, written_at in links.values_list(
            "hand_id", "number", "digest", "written_at"
        )
        if hand is not None
    }


def receipt_address(hand: Hand) -> str:
    """What the hand's receipt is found by: nobody guesses it, and a printed code is too short."""
    return sealed_hands([hand.pk])[hand.pk].address


def receipt_addresses(game: Game) -> dict[int, str]:
    """The same for every hand of a game, by the hands' keys; one query."""
    links = Link.objects.filter(hand__game=game, kind=LinkKind.HAND)
    return {
        hand: digest[:ADDRESS_DIGITS]
        for hand, digest in links.values_list("hand_id", "digest")
        if hand is not None
    }


def hand_with_address(address: str) -> Hand | None:
    """The hand whose receipt has the address, standing or not."""
    if len(address) != ADDRESS_DIGITS:
        return None
    link = _find_link(address, kind=LinkKind.HAND)
    return link.hand if link else None


def link_with_code(code: str) -> Link | None:
    """The link of a printed code, however it was typed; at least its sixteen digits."""
    digits = re.sub(r"[\s-]", "", code).lower()
    return _find_link(digits) if len(digits) >= CODE_DIGITS else None


def _find_link(digits: str, **lookup: str) -> Link | None:
    if not _HEX_PATTERN.fullmatch(digits):
        return None
    links = Link.objects.select_related("book", "hand__game").filter(**lookup)
    return links.filter(digest__gte=digits, digest__lt=digits + _AFTER_ANY_DIGIT).first()
