"""What was said and decided about a table's hands, the sticks for each, and its receipt."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Annotated, Final, NamedTuple

from django.utils.timezone import localtime

from clubs.models import ReplacedLink
from clubs.models.people import is_own_link_key
from clubs.seating.why import join_with_and
from clubs.table.rows import HandLine, HandView, TableView
from scoring import Payment, Wind
from scoring.scorebook.consent import ANY_TWO, Consent, NamesBySeat, consent_of, shown_digest
from scoring.scorebook.models import (
    Agreement,
    AgreementPolicy,
    Decision,
    EntryKind,
    Game,
    Hand,
    HandState,
    Recording,
)
from scoring.scorebook.selectors import HandRow, SealedHand, decisions_of, hand_row, sealed_hands
from scoring.table.sticks import START, PaidInSticks, Sticks, pay_in_sticks, starting_sticks

UNBROKEN_TIMES = "\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}"
_StartPoints = tuple[tuple[int, int], ...]
ANSWER_WORDS: Final = {"not right": "disputed", "let it stand": "kept as entered"}
SENT_BY_TABLE: Final = re.compile(r"(?:round )?table \d+(?: seat (?P<seat>\d))?")


class HandPayments(NamedTuple):
    """The payments of a hand: seats with their winds, and each payment by winds."""

    winds: tuple[tuple[int, Wind], ...]
    payments: tuple[Payment, ...]


def stick_sentences(
    hand: HandView, earlier_hands: Sequence[HandRow], start: Mapping[int, int]
) -> list[str]:
    """A sentence for each time that someone passes sticks for a hand.

    ``earlier_hands`` are the earlier hands: each seat began with its points of ``start`` in sticks
    and passed them as instructed. Empty if no sticks are due, or if they were counted.
    """
    if not hand.row.payments or hand.row.recording == Recording.TALLIES:
        return []
    names = {wind: hand.names[seat] for seat, wind in hand.row.winds.items()}
    paid = _pay_in_sticks(
        tuple(start.items()),
        tuple(_payments_of(row) for row in earlier_hands),
        _payments_of(hand.row),
    )
    sentences = [
        handing.passed_sticks.describe(names[handing.payer], names[handing.payee]).replace(
            " × ", UNBROKEN_TIMES
        )
        for handing in paid.handings
    ]
    owing_pairs = {
        (handing.payer, handing.payee) for handing in paid.handings if handing.passed_sticks.owed
    }
    return sentences + [
        f"{names[debt.payer]} owes {names[debt.payee]} {debt.points:,} on paper."
        for debt in paid.debts
        if (debt.payer, debt.payee) not in owing_pairs
    ]


def _payments_of(row: HandRow) -> HandPayments:
    winds = row.winds
    payments = (
        Payment(winds[payer], winds[payee], points) for payer, payee, points in row.payments
    )
    return HandPayments(tuple(winds.items()), tuple(payments))


def _pay_in_sticks(
    start: _StartPoints, earlier_payments: tuple[HandPayments, ...], paid: HandPayments
) -> PaidInSticks:
    current = {seat: starting_sticks(max(0, points)) for seat, points in start}
    current |= _sticks_by_seat(start, earlier_payments)
    return pay_in_sticks(
        paid.payments, {wind: current.get(seat, START) for seat, wind in paid.winds}
    )


@lru_cache(512)
def _sticks_by_seat(
    start: _StartPoints, paid: tuple[HandPayments, ...]
) -> tuple[tuple[int, Sticks], ...]:
    """What each seat that has played holds after these hands."""
    if not paid:
        return ()
    *earlier_payments, last = paid
    now = _pay_in_sticks(start, tuple(earlier_payments), last).held_sticks
    sticks_by_seat = dict(_sticks_by_seat(start, tuple(earlier_payments)))
    sticks_by_seat |= {seat: now[wind] for seat, wind in last.winds}
    return tuple(sticks_by_seat.items())


@dataclass(frozen=True, slots=True)
class SeatAgreement:
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
    text: str
    since: datetime

    @property
    def summary(self) -> str:
        """``Pat reported a problem: “My score was 46”.``"""
        quotation = f": “{self.text}”." if self.text else "."
        return f"{self.name} reported a problem{quotation}"


@dataclass(frozen=True, slots=True)
class HandReview:
    """A hand and what was said about it. ``mark`` is a digest of what the page shows."""

    hand: HandView
    mark: Annotated[str, "a mark of the current hand: send it back with your answer"]
    consent: Consent
    decision: Decision | None
    seat: int | None = None

    @property
    def own_agreement(self) -> SeatAgreement | None:
        """What this page's seat has said; None if it sat out, or on the table's page."""
        return next((voice for voice in self.voices if voice.seat == self.seat), None)

    @property
    def status_text(self) -> str:
        """``agreed by the table``, ``decided by the scorer``."""
        if self.is_ruled:
            return "decided by the scorer"
        if self.decision:
            return "checked by the scorer"
        return "agreed by the table" if self.consent.agreed_seats else "counts as entered"

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
    def voices(self) -> list[SeatAgreement]:
        """Everyone who played the hand, in seating order, with what they have said."""
        statements = dict.fromkeys(self.consent.lapsed_seats, "lapsed")
        statements |= {agreement.seat: "objects" for agreement in self.consent.objections}
        statements |= dict.fromkeys(self.consent.agreed_seats, "agreed")
        return [
            SeatAgreement(line.seat, line.name, line.wind, statements.get(line.seat, "waiting"))
            for line in self.hand.lines
        ]

    @property
    def lines_with_voices(self) -> list[tuple[HandLine, SeatAgreement]]:
        """Each line of the hand with what its player has said about it."""
        return list(zip(self.hand.lines, self.voices, strict=True))

    @property
    def waits_for_this_phone(self) -> bool:
        """Whether this phone may still answer: the table’s own, or that of a seat that played."""
        return (
            self.is_open
            and not self.asks_the_scorer
            and (not self.seat or bool(self.own_agreement))
        )

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
    def lapsed_names(self) -> str:
        """The names of those whose agreement no longer counts."""
        return join_with_and([self.hand.names[seat] for seat in self.consent.lapsed_seats])

    @property
    def sentence(self) -> Annotated[str, "who has agreed and who has not, in words"]:
        """``Margaret and Dilip have agreed. Not yet: Pat, Joan.``"""
        agreed_names = [self.hand.names[seat] for seat in self.consent.agreed_seats]
        wait = [voice.name for voice in self.voices if voice.seat in self.consent.missing]
        if not wait:
            return "Everyone has agreed."
        text = (
            f"{join_with_and(agreed_names)} {'has' if len(agreed_names) == 1 else 'have'} agreed."
            if agreed_names
            else ""
        )
        if self.consent.policy == AgreementPolicy.TWO:
            missing_count = ANY_TWO - len(agreed_names)
            requirement = (
                "1 more player must agree." if missing_count == 1 else "2 players must agree."
            )
            return f"{text} {requirement}".strip() if missing_count > 0 else text
        return f"{text} Not yet: {', '.join(wait)}." if text else "No one has agreed yet."


@dataclass(frozen=True, slots=True)
class Ruling:
    """A decision of the scorer on one hand, or on several for one reason."""

    numbers: tuple[int, ...]
    stands: bool
    reason: str

    @property
    def summary(self) -> str:
        """``The scorer kept hand 7 as entered: as on the paper sheet``."""
        is_plural = len(self.numbers) > 1
        which = (
            f"hand{'s' if is_plural else ''} "
            f"{join_with_and([str(number) for number in self.numbers])}"
        )
        action = f"kept {which} as entered" if self.stands else f"corrected {which}"
        return f"The scorer {action}" + (f": {self.reason}" if self.reason else "")


def rulings_of(reviews: Sequence[HandReview]) -> list[Ruling]:
    """The scorer's rulings since the table's last hand, one for each reason."""
    table_reviews = (review for review in reviews if review.decision or not review.is_ruled)
    by_table = [review.hand.row.sent_at for review in table_reviews]
    result: dict[tuple[bool, str], list[int]] = defaultdict(list)
    for review in reviews:
        if review.is_ruled and all(review.ruled_at > sent_at for sent_at in by_table):
            result[review.decision is not None, review.ruling].append(
                review.hand.row.number_at_table
            )
    return [Ruling(tuple(numbers), *ruling_key) for ruling_key, numbers in result.items()]


def review_hands(
    game: Game,
    hands: Sequence[HandView],
    agreements: Mapping[int, Sequence[Agreement]],
    *,
    substitutes: Callable[[int], NamesBySeat],
    seat: int | None = None,
) -> dict[int, HandReview]:
    """What was said about each current hand, by its key; one query for the scorer's decisions.

    ``substitutes`` has who sat in for somebody, by the number of a hand. ``seat`` is the page's
    seat.
    """
    decisions = decisions_of(game)
    policy = AgreementPolicy(game.agreement)
    result = {}
    for hand in hands:
        digest = shown_digest(hand.row, substitutes=substitutes(hand.row.number), rules=game.rules)
        decision = decisions.get(hand.row.pk)
        consent = consent_of(
            hand.row,
            agreements.get(hand.row.pk, []),
            digest=digest,
            policy=policy,
            is_checked=decision is not None,
        )
        result[hand.row.pk] = HandReview(hand, digest, consent, decision, seat)
    return result


@dataclass(frozen=True, slots=True)
class HandRemark:
    """What someone said about the hand."""

    name: str
    answer: Annotated[str, "agreed, disputed, or kept as entered"]
    note: str
    at: datetime

    @property
    def answer_text(self) -> str:
        return ANSWER_WORDS.get(self.answer, self.answer)


@dataclass(frozen=True, slots=True)
class HandRemoval:
    """Why the hand no longer counts."""

    was_corrected: Annotated[bool, "false: undone"]
    removed_by: str
    at: datetime
    reason: str
    replaced_by: Annotated[str, "the receipt of the hand that counts"]


@dataclass(frozen=True, slots=True)
class Receipt:
    """What was recorded, by whom and when, who agreed, and what happened to it.

    ``corrected_address`` and ``instead`` of ``undone`` are addresses, or empty.
    """

    event: str
    table: str
    rules: str
    hand: HandView
    seal: SealedHand
    sent_by: str
    answers: tuple[HandRemark, ...]
    corrected_address: Annotated[str, "the receipt of what this one corrected"]
    undone: HandRemoval | None


def receipt_of(hand: Hand, table: TableView) -> Receipt:
    """The receipt of a hand of this table, current or not; five queries at most."""
    correction_pk = replacement_pk = None
    if not hand.is_current:
        correction_pk = Hand.objects.filter(replaces=hand).values_list("pk", flat=True).first()
        stands = (row.pk for row in table.game.hands if row.number == hand.number)
        replacement_pk = correction_pk or next(stands, None)
    seals = sealed_hands([key for key in (hand.pk, hand.replaces_id, replacement_pk) if key])
    undone = None
    if not hand.is_current:
        entry = hand.entries.filter(kind=EntryKind.REVERSAL).earliest("pk")
        undone = HandRemoval(
            was_corrected=correction_pk is not None,
            removed_by=_sender_in_words(entry.written_by, table.names_at(hand.number)),
            at=entry.written_at,
            reason=entry.reason,
            replaced_by=seals[replacement_pk].address if replacement_pk else "",
        )
    return Receipt(
        event=table.event,
        table=table.title,
        rules=hand.game.rules,
        hand=table.hand_view(hand_row(hand, hands_before=hand.game.hands_before)),
        seal=seals[hand.pk],
        sent_by=_sender_in_words(hand.sent_by, table.names_at(hand.number)),
        answers=tuple(sorted(_hand_remarks(hand, table), key=lambda word: word.at)),
        corrected_address=seals[hand.replaces_id].address if hand.replaces_id else "",
        undone=undone,
    )


def _hand_remarks(hand: Hand, table: TableView) -> Iterator[HandRemark]:
    """Everyone's last statement on the hand, and the scorer's decisions."""
    last = {agreement.seat: agreement for agreement in hand.agreements.order_by("pk")}
    names = table.names_at(hand.number)
    for seat, agreement in last.items():
        statement = "agreed" if agreement.agrees else "not right"
        yield HandRemark(names[seat], statement, agreement.note, agreement.said_at)
    for decision in hand.decisions.order_by("pk"):
        yield HandRemark("The scorer", "let it stand", decision.reason, decision.made_at)


def _sender_in_words(sent_by: str, names: Mapping[int, str]) -> str:
    """Who sent it, in words: ``Margaret Hill’s phone``."""
    match = SENT_BY_TABLE.fullmatch(sent_by)
    if match is None:
        return "the scorer"
    return f"{names[int(match['seat'])]}’s phone" if match["seat"] else "the table’s phone"


def is_replaced_link(key: str) -> bool:
    """Whether the key once opened a table; a forged one needs no query."""
    return is_own_link_key(key) and ReplacedLink.objects.filter(key=key).exists()


def was_link_of(old: str, key: str) -> bool:
    """Whether the old key opened the table that the key opens now."""
    return is_own_link_key(old) and ReplacedLink.objects.filter(key=old, stands=key).exists()
