"""What happens at a round's tables: hands, agreement, repairs, paper sheets and rulings."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from clubs.models import News
from clubs.table.services import AS_ON_PAPER
from scoring import Wind
from scoring.hands.problems import BadPenalty
from scoring.scorebook import ledger, selectors as book, services as scorebook
from scoring.scorebook.editions import rule_set
from scoring.scorebook.models import Hand, Repair
from scoring.scorebook.refusals import Refused, refuse
from scoring.scorebook.repairs import Mistake
from scoring.scorebook.reports import Report
from scoring.table.settlement import Payment, Settlement, pay_for_all, penalty, scale
from tournaments.core import lock, tell_of, tell_of_hand, touch
from tournaments.models import RoundState, Ruling, RulingKind, Table, Tournament, TournamentState
from tournaments.rounds import selectors
from tournaments.rounds.clock import why_done


@scorebook.counted
@transaction.atomic
def post_hand(
    *,
    table: Table,
    submission_id: UUID,
    number: int,
    report: Report,
    sent_by: str,
    by_players: bool = False,
    seat: int | None = None,
    entered_at: datetime | None = None,
) -> scorebook.Recorded:
    """Record a hand of a table, if its round is being played; raises the version.

    The game's own lock orders a hand and the closing of its round, so that tables do not wait for
    one another. For hands sent by players the bell applies at the time of entry: a phone may have
    stored them since. The seat that sends it has thereby agreed.
    """
    game = scorebook.lock_game(table.game_id)
    table = _open_table(table, submission_id)
    if by_players:
        _check_time(table, submission_id, number, now=entered_at)
    recorded = scorebook.record_hand(
        game=game,
        submission_id=submission_id,
        number=number,
        report=report,
        sent_by=sent_by,
        entered_at=entered_at,
    )
    if recorded.is_new:
        if seat is not None:
            scorebook.agree_as_sent(recorded.hand, seat=seat, names=selectors.names_at(table))
        touch(table.round.tournament)
        tell_of_hand(News.HAND_RECORDED, table, recorded.hand)
    return recorded


def preview_hand(
    *, table: Table, submission_id: UUID, number: int, report: Report, by_players: bool = False
) -> scorebook.Recorded:
    """The result of ``post_hand`` now; nothing is stored."""
    table = _open_table(table, submission_id)
    if by_players:
        _check_time(table, submission_id, number)
    return scorebook.preview_hand(
        game_id=table.game_id, submission_id=submission_id, number=number, report=report
    )


def _open_table(table: Table, submission_id: UUID) -> Table:
    table = Table.objects.select_related("round__tournament").get(pk=table.pk)
    if table.round.state != RoundState.PLAYING and not _known(submission_id):
        raise refuse("round_not_open", selectors.why_not_open(table.round))
    return table


def _check_time(
    table: Table, submission_id: UUID, number: int, *, now: datetime | None = None
) -> None:
    """Refuses a new hand of a table that has stopped or whose time is up; stored hands stay."""
    why = why_done(table, now=now or timezone.now())
    stands = Hand.objects.filter(game=table.game_id, number=number, is_current=True)
    if why and not _known(submission_id) and not stands.exists():
        raise refuse("after_the_bell", f"{why} What you typed is still here and is not saved.")


def _known(submission_id: UUID) -> bool:
    return Hand.objects.filter(submission_id=submission_id).exists()


@transaction.atomic
def correct_hand(
    *, table: Table, hand_id: int, report: Report, corrected_by: str, reason: str
) -> Hand:
    """The scorer's ruling on a hand of this table, until the tournament is finished."""
    tournament = unfinished(table)
    hand = scorebook.correct_hand(
        hand_id=hand_id, report=report, corrected_by=corrected_by, reason=reason
    )
    touch(tournament)
    tell_of_hand(News.HAND_CORRECTED, table, hand)
    return hand


@transaction.atomic
def name_first_dealer(*, table: Table, seat: int) -> None:
    """Set the first dealer, while the round is played and before the first hand."""
    tournament = unfinished(table)
    table = Table.objects.select_related("round__tournament").get(pk=table.pk)
    if table.round.state != RoundState.PLAYING:
        raise refuse("round_not_open", selectors.why_not_open(table.round))
    scorebook.name_first_dealer(game_id=table.game_id, seat=seat)
    touch(tournament)


def unfinished(table: Table) -> Tournament:
    """Locks game, book and tournament, in the order of ``post_hand``."""
    ledger.lock_book(scorebook.lock_game(table.game_id))
    return _lock_unfinished(table.round.tournament_id)


def _lock_unfinished(tournament_id: int) -> Tournament:
    tournament = lock(tournament_id)
    if tournament.state == TournamentState.FINISHED:
        raise refuse(
            "tournament_finished", "This tournament is finished, so its results cannot change."
        )
    return tournament


@transaction.atomic
def say(
    *,
    table: Table,
    hand_id: int,
    seats: Collection[int] | None,
    agrees: bool,
    shown: str,
    said_by: str,
    note: str = "",
) -> Hand:
    """These seats (None: all that played) agree or not, until the tournament is finished."""
    tournament = unfinished(table)
    hand = scorebook.say(
        game_id=table.game_id,
        hand_id=hand_id,
        seats=seats,
        agrees=agrees,
        shown=shown,
        names=selectors.names_at(table),
        said_by=said_by,
        note=note,
    )
    touch(tournament)
    if not agrees:
        tell_of_hand(News.HAND_DISPUTED, table, hand)
    return hand


@transaction.atomic
def decide(*, table: Table, hand_id: int, reason: str, made_by: str) -> Hand:
    """The scorer confirms a hand as entered, until the tournament is finished."""
    tournament = unfinished(table)
    hand = scorebook.decide(game_id=table.game_id, hand_id=hand_id, reason=reason, made_by=made_by)
    touch(tournament)
    tell_of_hand(News.HAND_DECIDED, table, hand)
    return hand


@transaction.atomic
def take_back(*, table: Table, hand_id: int, taken_by: str) -> Hand:
    """The table takes back its last hand, as long as it may then enter it again."""
    tournament = unfinished(table)
    table = selectors.tables_with_games().get(pk=table.pk)
    if table.round.state != RoundState.PLAYING:
        raise refuse("round_not_open", selectors.why_not_open(table.round))
    hand = scorebook.take_back(game_id=table.game_id, hand_id=hand_id, taken_by=taken_by)
    if why := why_done(table, now=timezone.now()):
        sentence = f"{why} If you undid a hand now, you could not enter it again."
        raise refuse("after_the_bell", sentence)
    touch(tournament)
    tell_of_hand(News.HAND_TAKEN_BACK, table, hand)
    return hand


@transaction.atomic
def repair_hands(
    *,
    tournament: Tournament,
    mistake: Mistake,
    words: str,
    reason: str,
    made_by: str,
    mark: str | None = None,
) -> scorebook.Repaired:
    """Repair a mistake at one or two tables of one round, until the tournament is finished.

    Raises ``Refused`` as ``scorebook.repair`` does; the tournament's version goes up.
    """
    _lock(tournament, mistake.game_ids)
    done = scorebook.repair(mistake=mistake, words=words, reason=reason, made_by=made_by, mark=mark)
    touch(tournament)
    tell_of(News.HANDS_REPAIRED, tournament)
    return done


@transaction.atomic
def undo_repair(*, tournament: Tournament, repair: Repair, undone_by: str) -> scorebook.Repaired:
    """Undo a repair within a day, until the tournament is finished."""
    _lock(tournament, [piece.game_id for piece in repair.games.all()])
    done = scorebook.undo_repair(repair_id=repair.pk, undone_by=undone_by)
    touch(tournament)
    tell_of(News.HANDS_REPAIRED, tournament)
    return done


def _lock(tournament: Tournament, game_ids: Sequence[int]) -> None:
    """Locks games, book and tournament, in the order of ``post_hand``."""
    tables = Table.objects.filter(round__tournament=tournament, game__in=game_ids)
    rounds = list(tables.values_list("round", flat=True))
    if len(rounds) != len(game_ids) or len(set(rounds)) != 1:
        raise refuse("no_table", "Choose a table of this round.", "other")
    scorebook.lock_together(game_ids)
    _lock_unfinished(tournament.pk)


@transaction.atomic
def tell_hands(
    *, game_id: int, reports: Sequence[Report], seen: Sequence[int], written_by: str
) -> int:
    """Replace the hands of the table's game, until the tournament is finished; returns how many."""
    table = Table.objects.select_related("round").get(game=game_id)
    tournament = unfinished(table)
    rewriting = scorebook.tell_anew(
        game_id=game_id, reports=reports, seen=seen, written_by=written_by, reason=AS_ON_PAPER
    )
    touch(tournament)
    return len(rewriting.changes)


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
    named = scale(rules)[incident]
    what = f"{named.name}: {named.words(rules.limit)}"
    return _rule(case, RulingKind.PENALTY, what, _moved(paid, winds))


@transaction.atomic
def charge_for_all(*, case: Case, number: int, incident: str = "") -> Ruling:
    """Make one player pay the winner for all in a hand that was settled among all."""
    unfinished(case.table)
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
    unfinished(case.table)
    if not points:
        raise refuse("no_points", "Enter the number of points to add or take away.", "points")
    return _rule(case, RulingKind.ADJUSTMENT, "Adjustment by the director", {case.seat: points})


@transaction.atomic
def take_back_ruling(*, ruling: Ruling, reason: str, ruled_by: str, submission_id: UUID) -> Ruling:
    """Revoke the ruling: its points are reversed, and both stay on record."""
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
