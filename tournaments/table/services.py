"""Rulings at a round's tables: penalties, one who pays for all, points adjusted."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from scoring.hands.problems import BadPenalty
from scoring.scorebook import selectors as book, services as scorebook
from scoring.scorebook.editions import rule_set
from scoring.scorebook.refusals import Refused, refuse
from scoring.table.settlement import penalty, scale
from tournaments.core import touch
from tournaments.models import Round, RoundState, Ruling, RulingKind, Table, TournamentState
from tournaments.rounds.rulings import (
    contradiction,
    current_hands,
    net_points,
    pay_for_all_points,
    rulings_on_hands,
    wind_of,
)
from tournaments.table.event import RoundTable

ADJUSTMENT, PAYS_FOR_ALL = "adjustment", "pays_for_all"
ADJUSTMENT_TITLE = "Adjustment by the director"
USED_FORM_MESSAGE = (
    "This form was sent before with a different ruling, which has been saved. "
    "Open the page again to add another ruling."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RulingCase:
    """Whom a ruling is about: table, seat, reason, and who rules."""

    table: Table
    seat: int
    reason: str
    ruled_by: str
    submission_id: UUID


class RulingSubject(NamedTuple):
    """What a ruling is: its kind and words, the hand that it is about, a mistake of the scale."""

    kind: RulingKind
    what: str
    hand_number: int | None = None
    mistake: str = ""


def make_ruling(
    *,
    case: RulingCase,
    what: str,
    claimant: int | None = None,
    number: int | None = None,
    points: int = 0,
) -> Ruling:
    """Make the ruling that ``what`` names: an incident of the scale, pay-for-all, an adjustment.

    Raises ``Refused`` for what that ruling cannot use, as nobody would see that it was left out.
    """
    if what == ADJUSTMENT:
        if number is not None:
            message = "An adjustment belongs to no hand. Name the hand in the reason instead."
            raise refuse("not_on_a_hand", message, "number")
        return adjust_points(case=case, points=points)
    if points:
        message = "Enter points only to add or take them away by “Something else”."
        raise refuse("not_by_points", message, "points")
    scale_incident = scale(rule_set(case.table.game.rules)).get(what)
    if what != PAYS_FOR_ALL and not (scale_incident and scale_incident.pays_for_all):
        return penalise(case=case, incident=what, claimant=claimant, number=number)
    if number is None:
        raise refuse("no_hand", "Enter the number of the hand.", "number")
    return charge_for_all(case=case, number=number, incident=what)


def ruling_refusal(round_: Round) -> str:
    """Why nothing can be ruled at the tables of a round, in a sentence; empty: it can."""
    if round_.tournament.state == TournamentState.FINISHED:
        return "This tournament is finished, so its results cannot change."
    if round_.state == RoundState.SEATED:
        return (
            f"Round {round_.number} has not begun, and its seats may still change. "
            "Add the ruling at the player’s table of a round that has begun."
        )
    return ""


def _lock_table(table: Table) -> None:
    """Lock the table and its event. Raises ``Refused`` where nothing can be ruled."""
    RoundTable(table).lock()
    if reason := ruling_refusal(Round.objects.select_related("tournament").get(pk=table.round_id)):
        raise refuse("round_not_begun", reason)


@transaction.atomic
def penalise(
    *, case: RulingCase, incident: str, claimant: int | None = None, number: int | None = None
) -> Ruling:
    """A penalty from the rules' scale; one without points is stored as a warning.

    ``number`` is the hand in which it happened. Raises ``Refused`` if that hand is saved as the
    ruling says that it cannot be, and for the same penalty again.
    """
    _lock_table(case.table)
    rules, deals = rule_set(case.table.game.rules), book.progress(case.table.game).deals
    if number is not None and not 1 <= number <= len(deals):
        raise refuse("no_hand", f"Hand {number} has not been dealt at this table.", "number")
    winds = deals[-1 if number is None else number - 1].winds
    try:
        paid = penalty(
            incident,
            offender=wind_of(case.seat, winds),
            seats=tuple(winds.values()),
            rules=rules,
            claimant=None if claimant is None else wind_of(claimant, winds),
        )
    except BadPenalty as bad:
        raise Refused(bad.problems) from bad
    scale_incident = scale(rules)[incident]
    description = f"{scale_incident.name}: {scale_incident.describe(rules.limit)}"
    subject = RulingSubject(RulingKind.PENALTY, description, number, incident)
    if earlier_ruling := _earlier_submission(case, subject):
        return earlier_ruling
    # Two officials rule once on one mistake: a second one is told by the number of its hand.
    same_rulings = Ruling.objects.filter(
        table=case.table,
        player__number=case.seat,
        mistake=incident,
        hand_number=number,
        takes_back=None,
        taken_back_by=None,
    )
    if same_rulings.exists():
        advice = "If it happened again, enter the number of that hand."
        message = f"This player already has this ruling. {advice}"
        raise refuse("ruled_already", message, "number")
    hand = current_hands([case.table.game_id]).get((case.table.game_id, number or 0))
    if conflict_text := contradiction(scale_incident.consequence, hand, case.seat):
        raise refuse("hand_counts", f"{conflict_text} Then save this ruling.", "number")
    return _store_ruling(case, subject, net_points(paid, winds))


@transaction.atomic
def charge_for_all(*, case: RulingCase, number: int, incident: str = "") -> Ruling:
    """Make one player pay the winner for all in a hand that was settled among all.

    The ruling follows the hand: corrected, undone or swapped, it is worked out again.
    """
    _lock_table(case.table)
    incidents = scale(rule_set(case.table.game.rules))
    mistake = f"{incidents[incident].name}: " if incident in incidents else ""
    description = f"{mistake}pays the winner of hand {number} for everyone"
    subject = RulingSubject(RulingKind.PAYS_FOR_ALL, description, number, incident)
    if earlier_ruling := _earlier_submission(case, subject):
        return earlier_ruling
    same_hand = rulings_on_hands([case.table.game_id]).filter(hand_number=number)
    if same_hand.filter(kind=RulingKind.PAYS_FOR_ALL).exists():
        message = (
            f"By a ruling, one player already pays for everyone in hand {number}. "
            "To change who pays, cancel that ruling first."
        )
        raise refuse("pays_already", message, "number")
    hand = current_hands([case.table.game_id]).get((case.table.game_id, number))
    return _store_ruling(case, subject, pay_for_all_points(hand, number=number, liable=case.seat))


@transaction.atomic
def adjust_points(*, case: RulingCase, points: int) -> Ruling:
    """Give (negative: take) points by the director's decision; nobody else's points change."""
    _lock_table(case.table)
    if not points:
        raise refuse("no_points", "Enter the number of points to add or take away.", "points")
    subject = RulingSubject(RulingKind.ADJUSTMENT, ADJUSTMENT_TITLE)
    seat_points = {case.seat: points}
    return _earlier_submission(case, subject, seat_points) or _store_ruling(
        case, subject, seat_points
    )


@transaction.atomic
def cancel_ruling(*, ruling: Ruling, reason: str, ruled_by: str, submission_id: UUID) -> Ruling:
    """Revoke the ruling: its points are reversed, and both stay on record."""
    RoundTable(ruling.table).lock()
    cancellation = Ruling.objects.filter(takes_back=ruling).first()
    if cancellation:
        return cancellation
    if ruling.takes_back_id:
        raise refuse(
            "is_cancellation", "You cannot undo a cancellation. Make a new ruling instead."
        )
    case = RulingCase(
        table=ruling.table,
        seat=ruling.player.number,
        reason=reason,
        ruled_by=ruled_by,
        submission_id=submission_id,
    )
    points = {int(seat): -amount for seat, amount in ruling.points.items()}
    description = f"Cancelled: {ruling.what}"[:200]
    subject = RulingSubject(
        RulingKind(ruling.kind), description, ruling.hand_number, ruling.mistake
    )
    return _earlier_submission(case, subject) or _store_ruling(
        case, subject, points, takes_back=ruling
    )


def _earlier_submission(
    case: RulingCase, subject: RulingSubject, points: Mapping[int, int] | None = None
) -> Ruling | None:
    """What this submission stored, if it did; ``points`` are compared if they are given.

    Raises ``Refused`` for a submission that was used for another ruling.
    """
    earlier_ruling = Ruling.objects.filter(submission_id=case.submission_id).first()
    if earlier_ruling is None:
        return None
    reason = scorebook.clean_reason(case.reason)
    earlier_case = (earlier_ruling.table_id, earlier_ruling.player.number, earlier_ruling.reason)
    stored_subject = RulingSubject(
        RulingKind(earlier_ruling.kind),
        earlier_ruling.what,
        earlier_ruling.hand_number,
        earlier_ruling.mistake,
    )
    is_same = earlier_case == (case.table.pk, case.seat, reason) and stored_subject == subject
    if not is_same or (points is not None and earlier_ruling.points != _stored_points(points)):
        raise refuse("submission_used", USED_FORM_MESSAGE)
    return earlier_ruling


def _stored_points(points: Mapping[int, int]) -> dict[str, int]:
    """Points as the database stores them."""
    return {str(number): amount for number, amount in points.items()}


def _store_ruling(
    case: RulingCase,
    subject: RulingSubject,
    points: Mapping[int, int],
    takes_back: Ruling | None = None,
) -> Ruling:
    """Store the ruling and move the points."""
    seats = {seat.number: seat for seat in case.table.game.seats.all()}
    reason = scorebook.clean_reason(case.reason)
    for number, amount in points.items():
        scorebook.adjust_points(
            seat=seats[number], points=amount, written_by=case.ruled_by, reason=reason
        )
    ruling = Ruling.objects.create(
        table=case.table,
        **subject._asdict(),
        player=seats[case.seat],
        points=_stored_points(points),
        reason=reason,
        ruled_by=case.ruled_by,
        ruled_at=timezone.now(),
        submission_id=case.submission_id,
        takes_back=takes_back,
    )
    touch(case.table.round.tournament)
    return ruling
