"""Rulings at a round's tables: penalties, one who pays for all, points adjusted."""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from scoring import Wind
from scoring.hands.problems import BadPenalty
from scoring.scorebook import selectors as book, services as scorebook
from scoring.scorebook.editions import rule_set
from scoring.scorebook.models import Hand
from scoring.scorebook.refusals import Refused, refuse
from scoring.table.settlement import Payment, Settlement, pay_for_all, penalty, scale
from tournaments.core import touch
from tournaments.models import Ruling, RulingKind, Table
from tournaments.table.event import RoundTable

Points = dict[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """The subject of a ruling: table, seat, reason, and who rules."""

    table: Table
    seat: int
    reason: str
    ruled_by: str
    submission_id: UUID


ADJUSTMENT, PAYS_FOR_ALL = "adjustment", "pays_for_all"
USED = (
    "This form was sent before with a different ruling, which has been saved. "
    "Open the page again to add another ruling."
)


def rule_at_table(
    *,
    case: Case,
    what: str,
    claimant: int | None = None,
    number: int | None = None,
    points: int = 0,
) -> Ruling:
    """Make the ruling that ``what`` names: an incident of the scale, pay-for-all, an adjustment."""
    if what == ADJUSTMENT:
        return adjust_points(case=case, points=points)
    known = scale(rule_set(case.table.game.rules)).get(what)
    if what != PAYS_FOR_ALL and not (known and known.pays_for_all):
        return penalise(case=case, incident=what, claimant=claimant)
    if number is None:
        raise refuse("no_hand", "Enter the number of the hand.", "number")
    return charge_for_all(case=case, number=number, incident=what)


@transaction.atomic
def penalise(*, case: Case, incident: str, claimant: int | None = None) -> Ruling:
    """A penalty from the rules' scale; one without points is stored as a warning."""
    RoundTable(case.table).lock()
    rules = rule_set(case.table.game.rules)
    winds = book.progress(case.table.game).deals[-1].winds
    try:
        paid = penalty(
            incident,
            offender=_wind(case.seat, winds),
            seats=tuple(winds.values()),
            rules=rules,
            claimant=None if claimant is None else _wind(claimant, winds),
        )
    except BadPenalty as bad:
        raise Refused(bad.problems) from bad
    named = scale(rules)[incident]
    what = f"{named.name}: {named.words(rules.limit)}"
    return _rule(case, RulingKind.PENALTY, what, _moved(paid, winds))


@transaction.atomic
def charge_for_all(*, case: Case, number: int, incident: str = "") -> Ruling:
    """Make one player pay the winner for all in a hand that was settled among all."""
    RoundTable(case.table).lock()
    hand = case.table.game.hands.filter(number=number, is_current=True).first()
    if hand is None:
        raise refuse("no_hand", f"Hand {number} has not been entered at this table.", "number")
    if hand.winner is None or not hand.zero_sum:
        raise refuse("nobody_pays", f"No one pays for hand {number}.", "number")
    if case.seat == hand.winner:
        raise refuse("bad_seat", "That player won the hand, so they do not pay.", "seat")
    if Hand.objects.filter(pk=hand.pk, report__has_key="pays_for_all").exists():
        sentence = f"In hand {number} one player already pays for everyone."
        raise refuse("pays_already", sentence, "number")
    rules = rule_set(case.table.game.rules)
    winds = {int(seat): Wind(letter) for seat, letter in hand.deal["winds"].items()}
    settled = Settlement((), {winds[seat]: gain for seat, gain in hand.gains.items()})
    paid = pay_for_all(
        settled, winner=_wind(hand.winner or 0, winds), liable=_wind(case.seat, winds)
    )
    known = scale(rules)
    mistake = f"{known[incident].name}: " if incident in known else ""
    what = f"{mistake}pays the winner of hand {number} for everyone"
    return _rule(case, RulingKind.PAYS_FOR_ALL, what, _moved(paid, winds))


@transaction.atomic
def adjust_points(*, case: Case, points: int) -> Ruling:
    """Give (negative: take) points by the director's decision; nobody else's points change."""
    RoundTable(case.table).lock()
    if not points:
        raise refuse("no_points", "Enter the number of points to add or take away.", "points")
    return _rule(case, RulingKind.ADJUSTMENT, "Adjustment by the director", {case.seat: points})


@transaction.atomic
def take_back_ruling(*, ruling: Ruling, reason: str, ruled_by: str, submission_id: UUID) -> Ruling:
    """Revoke the ruling: its points are reversed, and both stay on record."""
    RoundTable(ruling.table).lock()
    taken = Ruling.objects.filter(takes_back=ruling).first()
    if taken:
        return taken
    if ruling.takes_back_id:
        raise refuse("taken_back", "You cannot undo a cancellation. Make a new ruling instead.")
    case = Case(
        table=ruling.table,
        seat=ruling.player.number,
        reason=reason,
        ruled_by=ruled_by,
        submission_id=submission_id,
    )
    points = {int(seat): -moved for seat, moved in ruling.points.items()}
    what = f"Cancelled: {ruling.what}"[:200]
    return _rule(case, RulingKind(ruling.kind), what, points, takes_back=ruling)


def _rule(
    case: Case,
    kind: RulingKind,
    what: str,
    points: Mapping[int, int],
    takes_back: Ruling | None = None,
) -> Ruling:
    """Store the ruling and move the points; idempotent for the same submission.

    Raises ``Refused`` for a submission that was used for another ruling.
    """
    seats = {seat.number: seat for seat in case.table.game.seats.all()}
    reason = scorebook.reason_of(case.reason)
    if sent := Ruling.objects.filter(submission_id=case.submission_id).first():
        gains = {str(number): gain for number, gain in points.items()}
        before = (sent.table_id, sent.kind, sent.what, sent.player_id, sent.reason)
        again = (case.table.pk, kind, what, seats[case.seat].pk, reason)
        if before != again or (kind is RulingKind.ADJUSTMENT and sent.points != gains):
            raise refuse("submission_used", USED)
        return sent
    for number, moved in points.items():
        scorebook.adjust(seat=seats[number], points=moved, written_by=case.ruled_by, reason=reason)
    ruling = Ruling.objects.create(
        table=case.table,
        kind=kind,
        what=what,
        player=seats[case.seat],
        points={str(number): moved for number, moved in points.items()},
        reason=reason,
        ruled_by=case.ruled_by,
        ruled_at=timezone.now(),
        submission_id=case.submission_id,
        takes_back=takes_back,
    )
    touch(case.table.round.tournament)
    return ruling


def _wind(seat: int, winds: Mapping[int, Wind]) -> Wind:
    if seat not in winds:
        raise refuse("bad_seat", "That player sat this hand out.", "seat")
    return winds[seat]


def _moved(paid: tuple[Payment, ...], winds: Mapping[int, Wind]) -> Points:
    """Each seat's net payment, the payer first."""
    seat_of = {wind: seat for seat, wind in winds.items()}
    points: Points = {}
    for payment in paid:
        payer, payee = seat_of[payment.payer], seat_of[payment.payee]
        points[payer] = points.get(payer, 0) - payment.points
        points[payee] = points.get(payee, 0) + payment.points
    return {seat: moved for seat, moved in points.items() if moved}
