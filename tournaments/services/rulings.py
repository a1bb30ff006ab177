"""What the director rules at a table: penalties by the book, one who pays for all, adjustments.

Each is kept as ruled; what it gives and takes are entries of their own in the seats' ledger.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from scoring import Incident, Wind
from scoring.problems import BadPenalty
from scoring.scorebook import selectors as book
from scoring.scorebook import services as scorebook
from scoring.scorebook.editions import rule_set
from scoring.scorebook.models import Hand
from scoring.scorebook.refusals import Refused, refuse
from scoring.settlement import Payment, Settlement
from scoring.transfers import pay_for_all, penalty, scale
from tournaments.models import Ruling, RulingKind, Table
from tournaments.services.hands import unfinished
from tournaments.services.locks import touch

Points = dict[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """What is ruled on: at which table, whose seat, why, and who rules."""

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
    """Whichever ruling ``what`` names: an incident of the scale, pay-for-all or an adjustment."""
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
    """A penalty on the scale that the rules publish; one without points is kept as a warning."""
    unfinished(case.table)
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
    what = _in_words(scale(rules)[incident], rules.limit)
    return _rule(case, RulingKind.PENALTY, what, _moved(paid, winds))


@transaction.atomic
def charge_for_all(*, case: Case, number: int, incident: str = "") -> Ruling:
    """One player alone pays the winner of a hand that was settled among all."""
    unfinished(case.table)
    hand = _won_hand(case, number)
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


def _won_hand(case: Case, number: int) -> Hand:
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
    return hand


@transaction.atomic
def adjust_points(*, case: Case, points: int) -> Ruling:
    """Points given (or taken: below nothing) by the director; nobody else pays or gets them."""
    unfinished(case.table)
    if not points:
        raise refuse("no_points", "Enter the number of points to add or take away.", "points")
    return _rule(case, RulingKind.ADJUSTMENT, "Adjustment by the director", {case.seat: points})


@transaction.atomic
def take_back(*, ruling: Ruling, reason: str, ruled_by: str, submission_id: UUID) -> Ruling:
    """The ruling holds no longer: its points go back, and both stay on the record."""
    unfinished(ruling.table)
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
    """Keep the ruling and move the points; the same submission again is the same ruling.

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
    """What the payments give each seat, the payer first."""
    seat_of = {wind: seat for seat, wind in winds.items()}
    points: Points = {}
    for one in paid:
        payer, payee = seat_of[one.payer], seat_of[one.payee]
        points[payer] = points.get(payer, 0) - one.points
        points[payee] = points.get(payee, 0) + one.points
    return {seat: moved for seat, moved in points.items() if moved}


def _in_words(incident: Incident, limit: int | None) -> str:
    return f"{incident.name}: {incident.words(limit)}"
