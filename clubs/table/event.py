"""A table in play: its state, what its players said, and the functions that change it."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, lru_cache
from typing import Annotated, Any, NamedTuple
from uuid import UUID

from django.utils.timezone import localtime

from clubs.seating.why import listed
from clubs.table.rows import HandView, TableView
from clubs.table.selectors.tile_entry import TappedSeat, tapped_seats
from scoring import Deal, Payment, RuleSet, Wind
from scoring.scorebook import services as scorebook
from scoring.scorebook.consent import ANY_TWO, Consent, Names, consent_of, shown_digest
from scoring.scorebook.editions import rule_set
from scoring.scorebook.models import (
    Agreement,
    AgreementPolicy,
    Decision,
    Game,
    Hand,
    HandState,
    Recording,
)
from scoring.scorebook.reports import Report
from scoring.scorebook.selectors import (
    HandRow,
    TakenBack,
    agreements_of,
    decisions_of,
    held_before,
    mark_of,
    mark_shown,
    progress,
    taken_back,
)
from scoring.table.sticks import EACH, PaidInSticks, Sticks, begun_with, pay_in_sticks

UNBROKEN = "\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}"


class Paid(NamedTuple):
    """The payments of a hand: seats with their winds, and each payment by winds."""

    winds: tuple[tuple[int, Wind], ...]
    payments: tuple[Payment, ...]


def handings(hand: HandView, before: Sequence[HandRow], *, start: int) -> list[str]:
    """A sentence for each time that someone passes sticks for a hand.

    ``before`` are the earlier hands: everyone began with ``start`` points in sticks and passed them
    as instructed. Empty if no sticks are due, or if they were counted.
    """
    if not hand.row.payments or hand.row.way == Recording.TALLIES:
        return []
    names = {wind: hand.names[seat] for seat, wind in hand.row.winds.items()}
    paid = _pass(start, tuple(_paid(row) for row in before), _paid(hand.row))
    sentences = [
        handing.passed.sentence(names[handing.payer], names[handing.payee]).replace(" × ", UNBROKEN)
        for handing in paid.handings
    ]
    short = {(handing.payer, handing.payee) for handing in paid.handings if handing.passed.owed}
    return sentences + [
        f"{names[debt.payer]} owes {names[debt.payee]} {debt.points:,} on paper."
        for debt in paid.debts
        if (debt.payer, debt.payee) not in short
    ]


def _paid(row: HandRow) -> Paid:
    winds = row.winds
    payments = (
        Payment(winds[payer], winds[payee], points) for payer, payee, points in row.payments
    )
    return Paid(tuple(winds.items()), tuple(payments))


def _pass(start: int, before: tuple[Paid, ...], paid: Paid) -> PaidInSticks:
    current = dict(_sticks_by_seat(start, before))
    begun = begun_with(start)
    return pay_in_sticks(
        paid.payments, {wind: current.get(seat, begun) for seat, wind in paid.winds}
    )


@lru_cache(512)
def _sticks_by_seat(start: int, paid: tuple[Paid, ...]) -> tuple[tuple[int, Sticks], ...]:
    """What each seat that has played holds after these hands."""
    if not paid:
        return ()
    *before, last = paid
    now = _pass(start, tuple(before), last).held
    held = dict(_sticks_by_seat(start, tuple(before)))
    held |= {seat: now[wind] for seat, wind in last.winds}
    return tuple(held.items())


@dataclass(frozen=True, slots=True)
class Voice:
    """What one seat has said about a hand."""

    seat: int
    name: str
    wind: Wind
    state: Annotated[
        str, "agreed, objects, waiting, or lapsed (agreed, but the hand has changed since)"
    ]


@dataclass(frozen=True, slots=True)
class Objection:
    """Who reported a problem with a hand, in what words and when."""

    name: str
    words: str
    since: datetime

    @property
    def sentence(self) -> str:
        """``Pat reported a problem: “My score was 46”.``"""
        said = f": “{self.words}”." if self.words else "."
        return f"{self.name} reported a problem{said}"


@dataclass(frozen=True, slots=True)
class HandReview:
    """A hand and what was said about it. ``shown`` is a digest of what the page shows."""

    hand: HandView
    shown: Annotated[str, "a mark of the current hand: send it back with your answer"]
    consent: Consent
    decision: Decision | None
    seat: int | None = None

    @property
    def mine(self) -> Voice | None:
        """What this page's seat has said; None if it sat out, or on the table's page."""
        return next((voice for voice in self.voices if voice.seat == self.seat), None)

    @property
    def settled(self) -> str:
        """``agreed by the table``, ``decided by the scorer``."""
        if self.is_ruled:
            return "decided by the scorer"
        if self.decision:
            return "checked by the scorer"
        return "agreed by the table" if self.consent.agreed else "counts as entered"

    @property
    def is_open(self) -> Annotated[bool, "whether anyone still has to answer"]:
        return self.hand.row.state in {HandState.REPORTED, HandState.DISPUTED}

    @property
    def is_disputed(self) -> bool:
        return self.hand.row.state == HandState.DISPUTED

    @property
    def is_ruled(self) -> bool:
        """Whether the scorer has decided or corrected it."""
        return self.hand.row.state == HandState.DECIDED

    @property
    def ruled_at(self) -> datetime:
        return self.decision.made_at if self.decision else self.hand.row.sent_at

    @property
    def ruling(self) -> Annotated[str, "the scorer’s words, if the scorer has decided"]:
        return self.decision.reason if self.decision else self.hand.row.reason

    @property
    def asks_the_scorer(self) -> bool:
        """Whether only the scorer can settle it."""
        return self.consent.policy == AgreementPolicy.SCORER and not self.is_disputed

    @property
    def voices(self) -> list[Voice]:
        """Everyone who played the hand, in seating order, with what they have said."""
        said = dict.fromkeys(self.consent.lapsed, "lapsed")
        said |= {agreement.seat: "objects" for agreement in self.consent.objections}
        said |= dict.fromkeys(self.consent.agreed, "agreed")
        return [
            Voice(line.seat, line.name, line.wind, said.get(line.seat, "waiting"))
            for line in self.hand.lines
        ]

    @property
    def objections(self) -> list[Objection]:
        names = self.hand.names
        return [
            Objection(
                names.get(agreement.seat, f"Seat {agreement.seat}"),
                agreement.note,
                localtime(agreement.said_at),
            )
            for agreement in self.consent.objections
        ]

    @property
    def lapsed(self) -> str:
        """The names of those whose agreement no longer counts."""
        return listed([self.hand.names[seat] for seat in self.consent.lapsed])

    @property
    def sentence(self) -> Annotated[str, "who has agreed and who has not, in words"]:
        """``Margaret and Dilip have agreed. Not yet: Pat, Joan.``"""
        done = [self.hand.names[seat] for seat in self.consent.agreed]
        wait = [voice.name for voice in self.voices if voice.seat in self.consent.missing]
        if not wait:
            return "Everyone has agreed."
        text = f"{listed(done)} {'has' if len(done) == 1 else 'have'} agreed." if done else ""
        if self.consent.policy == AgreementPolicy.TWO:
            more = ANY_TWO - len(done)
            left = "1 more player must agree." if more == 1 else "2 players must agree."
            return f"{text} {left}".strip() if more > 0 else text
        return f"{text} Not yet: {', '.join(wait)}." if text else "No one has agreed yet."


@dataclass(frozen=True, slots=True)
class Ruling:
    """A decision of the scorer on one hand, or on several for one reason."""

    numbers: tuple[int, ...]
    stands: bool
    reason: str

    @property
    def sentence(self) -> str:
        """``The scorer kept hand 7 as entered: as on the paper sheet``."""
        many = len(self.numbers) > 1
        which = f"hand{'s' if many else ''} {listed([str(number) for number in self.numbers])}"
        done = f"kept {which} as entered" if self.stands else f"corrected {which}"
        return f"The scorer {done}" + (f": {self.reason}" if self.reason else "")


def rulings_of(reviews: Sequence[HandReview]) -> list[Ruling]:
    """The scorer's rulings since the table's last hand, one for each reason."""
    others = (review for review in reviews if review.decision or not review.is_ruled)
    by_table = [review.hand.row.sent_at for review in others]
    result: dict[tuple[bool, str], list[int]] = defaultdict(list)
    for review in reviews:
        if review.is_ruled and all(review.ruled_at > sent for sent in by_table):
            result[review.decision is not None, review.ruling].append(review.hand.row.number)
    return [Ruling(tuple(numbers), *words) for words, numbers in result.items()]


def reviews(
    game: Game,
    hands: Sequence[HandView],
    said: Mapping[int, Sequence[Agreement]],
    *,
    names: Names,
    seat: int | None = None,
) -> dict[int, HandReview]:
    """What was said about each current hand, by its key; one query for the scorer's decisions.

    ``names`` are what the digests cover: everyone's full name. ``seat`` is the page's seat.
    """
    decided = decisions_of(game)
    policy = AgreementPolicy(game.agreement)
    result = {}
    for hand in hands:
        shown = shown_digest(hand.row, names=names, rules=game.rules)
        decision = decided.get(hand.row.pk)
        consent = consent_of(
            hand.row,
            said.get(hand.row.pk, []),
            digest=shown,
            policy=policy,
            is_checked=decision is not None,
        )
        result[hand.row.pk] = HandReview(hand, shown, consent, decision, seat)
    return result


@dataclass(frozen=True, kw_only=True)
class PlayedTable:
    """A table and the functions that change it; ``sent_by`` is stored with every hand.

    ``names`` are the seats' names as shown to the readers. ``seat`` is the seat whose link was
    opened (None: the table's link, or an organiser). ``done_because``: why no more hands are
    played; ``stake``: the points that each player started with. ``record_by``: how the event's
    hands are entered unless the table chooses otherwise. ``seat_key`` gives the key of one seat's
    own link, where the table's link or a desk may have it.
    """

    game: Game
    read: Callable[[], TableView]
    names: Callable[[], Mapping[int, str]]
    closed_because: str
    may_change: bool
    sent_by: str
    preview: Callable[..., scorebook.Recorded]
    post: Callable[..., scorebook.Recorded]
    say: Callable[..., Hand]
    decide: Callable[..., Hand]
    take_back: Callable[..., Hand]
    correct: Callable[..., Hand]
    name_first_dealer: Callable[..., None]
    seat: int | None = None
    seat_key: Callable[[int], str] | None = None
    done_because: str = ""
    stake: int = 0
    record_by: str = Recording.TOTALS

    @cached_property
    def whole(self) -> TableView:
        """The table as stored, with names as shown to its readers."""
        return self.read()

    @cached_property
    def view(self) -> TableView:
        """The table as shown to the current reader."""
        return self.whole

    @property
    def mark_now(self) -> str:
        """The current ``mark``, without loading what a page shows; one query."""
        return self._mark(mark_of(self.game))

    @cached_property
    def mark(self) -> str:
        """A value that pages compare to notice that the table has changed."""
        words = {hand: len(said) for hand, said in self.said.items()}
        return self._mark(mark_shown(self.whole.game, words))

    def _mark(self, of_the_game: str) -> str:
        return f"{of_the_game}-{bool(self.closed_because)}-{bool(self.done_because)}"

    @property
    def rules(self) -> RuleSet:
        return rule_set(self.game.rules)

    @property
    def pays(self) -> bool:
        """Whether players pay one another under these rules."""
        return self.rules.zero_sum

    @property
    def may_name_dealer(self) -> bool:
        is_done = bool(self.closed_because or self.done_because)
        return self.whole.game.first_dealer_is_open and not is_done

    @cached_property
    def tapped(self) -> dict[int, TappedSeat]:
        upcoming = self.view.game.next_deal
        return tapped_seats(self.game, upcoming, self.rules) if upcoming else {}

    @property
    def next_number(self) -> int:
        return len(self.view.game.hands) + 1

    @cached_property
    def said(self) -> dict[int, list[Agreement]]:
        return agreements_of(self.game)

    @cached_property
    def reviews(self) -> dict[int, HandReview]:
        """What was said and decided about each hand, by its key."""
        whole = self.whole.whole
        return reviews(self.game, self.view.hands, self.said, names=whole, seat=self.seat)

    @cached_property
    def gone(self) -> tuple[TakenBack, ...]:
        return taken_back(self.whole.game.taken_back)

    @property
    def winners(self) -> list[int | None]:
        return [row.winner for row in self.view.game.hands]

    @property
    def course(self) -> dict[str, Any]:
        """What determines the game's deals, besides the winners."""
        return {
            "rules": self.rules,
            "seats": self.game.size,
            "wind_rounds": self.game.wind_rounds,
            "exchanges": [(hand, first, second) for hand, first, second in self.game.exchanges],
            "dealer": self.game.first_dealer,
        }

    def deal(self, number: int) -> Deal:
        """The deal of the hand of this number; the last one for a number out of range."""
        upcoming = self.view.game.next_deal
        if upcoming is not None and upcoming.number == number:
            return upcoming
        dealt = progress(self.game).deals
        return dealt[number - 1] if 0 < number <= len(dealt) else dealt[-1]

    def had(self, number: int) -> dict[int, int]:
        """Each seat's points in sticks before the hand of this number."""
        return held_before(self.view.game, number, start=0 if self.stake else EACH)

    def handings(self, hand: HandView) -> list[str]:
        before = self.view.game.hands[: hand.row.number - 1]
        return handings(hand, before, start=self.stake or EACH)

    def keep(
        self, submission_id: UUID, number: int, report: Report, **more: datetime
    ) -> scorebook.Recorded:
        """Record the hand of that number, as sent by the current reader.

        ``entered_at``: when it was entered, if a phone kept it while offline.
        """
        hand = {"submission_id": submission_id, "number": number, "report": report}
        return self.post(**hand, sent_by=self.sent_by, **more)
