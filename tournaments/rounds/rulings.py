"""What a ruling on a hand moves while the hand stands as it does, worked out anew with the hand."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from django.db.models import QuerySet

from clubs.models.names import Reader
from clubs.table.rows import RulingChange, transfers_text
from clubs.tenancy import club_scope
from scoring import Wind
from scoring.rules.rule_set import Consequence
from scoring.scorebook import ledger, services as scorebook
from scoring.scorebook.editions import rule_set
from scoring.scorebook.models import Hand
from scoring.scorebook.prepared import PreparedQuery
from scoring.scorebook.refusals import Refused, refuse
from scoring.table.settlement import Payment, Settlement, pay_for_all, scale
from tournaments.models import Ruling, RulingKind, Table
from tournaments.rounds.selectors import names_shown_at

Points = dict[int, int]
HandKey = tuple[int, int]
"""A game by its key, and the number of one of its hands."""

NO_MAHJONG = (Consequence.VOID, Consequence.SET_STAYS, Consequence.NO_MAHJONG, Consequence.NO_SCORE)


@dataclass(frozen=True, slots=True)
class Effect:
    """The points that a ruling moves, by seat, and a sentence if it and its hand disagree."""

    points: Points
    note: str = ""


def net_points(paid: tuple[Payment, ...], winds: Mapping[int, Wind]) -> Points:
    """Each seat's net payment, the payer first."""
    seat_of = {wind: seat for seat, wind in winds.items()}
    points: Points = {}
    for payment in paid:
        payer, payee = seat_of[payment.payer], seat_of[payment.payee]
        points[payer] = points.get(payer, 0) - payment.points
        points[payee] = points.get(payee, 0) + payment.points
    return {seat: amount for seat, amount in points.items() if amount}


def wind_of(seat: int, winds: Mapping[int, Wind]) -> Wind:
    if seat not in winds:
        raise refuse("bad_seat", "That player sat this hand out.", "seat")
    return winds[seat]


def pay_for_all_points(hand: Hand | None, *, number: int, liable: int) -> Points:
    """What makes the player liable pay the winner of the hand for everyone.

    Raises ``Refused`` for a hand that is not there, that nobody pays for, or in which one player
    pays for everyone already.
    """
    if hand is None:
        raise refuse("no_hand", f"Hand {number} has not been entered at this table.", "number")
    if hand.winner is None or not hand.zero_sum:
        raise refuse("nobody_pays", f"No one pays for hand {number}.", "number")
    if liable == hand.winner:
        raise refuse("bad_seat", "That player won the hand, so they do not pay.", "seat")
    if hand.report.get("pays_for_all"):
        message = f"In hand {number} one player already pays for everyone."
        raise refuse("pays_already", message, "number")
    winds = {int(seat): Wind(letter) for seat, letter in hand.deal["winds"].items()}
    settlement = Settlement((), {winds[seat]: gain for seat, gain in hand.gains.items()})
    winner = wind_of(hand.winner, winds)
    return net_points(pay_for_all(settlement, winner=winner, liable=wind_of(liable, winds)), winds)


def contradiction(consequence: Consequence, hand: Hand | None, seat: int) -> str:
    """What the score book still counts though the ruling says otherwise; empty if they agree."""
    if hand is None or hand.winner is None:
        return ""
    counts = f"Hand {hand.number} is saved and still counts"
    if consequence is Consequence.VOID:
        return f"{counts}. If it is void, correct it to “Nobody”, or let the table undo it."
    if consequence in NO_MAHJONG and hand.winner == seat:
        return f"{counts} as this player’s Mah-Jong. Correct the hand to match the ruling."
    if consequence is Consequence.NO_SCORE and (score := hand.scores.get(seat)):
        return f"{counts} {score:,} for this player, who scores nothing. Correct the hand."
    return ""


def effect_of(ruling: Ruling, hand: Hand | None) -> Effect:
    """What a ruling that still counts moves now; ``hand`` is the one it is about, if it stands."""
    number, seat = ruling.hand_number, ruling.player.number
    standing_points = {int(key): points for key, points in ruling.points.items()}
    if number is None:
        return Effect(standing_points)
    if ruling.kind == RulingKind.PAYS_FOR_ALL:
        try:
            return Effect(pay_for_all_points(hand, number=number, liable=seat))
        except Refused as refused:
            return Effect({}, f"{refused} So this ruling moves no points now.")
    incident = scale(rule_set(ruling.table.game.rules)).get(ruling.mistake)
    note = contradiction(incident.consequence, hand, seat) if incident else ""
    return Effect(standing_points, note)


def rulings_on_hands(game_ids: Collection[int]) -> QuerySet[Ruling]:
    """The rulings at these games that are about a hand and have not been cancelled."""
    return Ruling.objects.filter(
        table__game__in=game_ids, hand_number__isnull=False, takes_back=None, taken_back_by=None
    ).select_related("table__game", "player")


def current_hands(game_ids: Collection[int]) -> dict[HandKey, Hand]:
    """The hands of these games that stand; one query."""
    hands = Hand.objects.filter(game__in=game_ids, is_current=True)
    return {(hand.game_id, hand.number): hand for hand in hands}


def _charges_query(game: int, club: int) -> QuerySet[Ruling]:
    with club_scope(club):
        return rulings_on_hands([game]).filter(kind=RulingKind.PAYS_FOR_ALL)


_CHARGES: Final = PreparedQuery(_charges_query, int, int)


def update_rulings(game_ids: Collection[int], *, club: int, written_by: str) -> None:
    """Let every ruling on a hand of these games, which are locked, move what it moves now.

    The score book gets an entry for each difference. A query for each game if there is no such
    ruling.
    """
    rulings = [ruling for game in game_ids for ruling in _CHARGES(game, club)]
    if not rulings:
        return
    hands = current_hands({ruling.table.game_id for ruling in rulings})
    for ruling in rulings:
        points = effect_of(
            ruling, hands.get((ruling.table.game_id, ruling.hand_number or 0))
        ).points
        move_points(ruling, points, written_by=written_by)


def move_points(ruling: Ruling, points: Points, *, written_by: str) -> None:
    """The ruling moves these points from now on; the score book gets the differences."""
    old_points = {int(seat): amount for seat, amount in ruling.points.items()}
    if old_points == points:
        return
    reason = f"Hand {ruling.hand_number} changed: {ruling.reason}"[: scorebook.MAX_REASON_LENGTH]
    seats = {seat.number: seat for seat in ruling.table.game.seats.all()}
    for number in sorted({*old_points, *points}):
        if difference := points.get(number, 0) - old_points.get(number, 0):
            ledger.post_adjustment(
                seats[number], points=difference, written_by=written_by, reason=reason
            )
    ruling.points = {str(seat): amount for seat, amount in points.items()}
    ruling.save(update_fields=["points"])


def ruling_changes(
    hands: Mapping[HandKey, Hand | None], *, reader: Reader
) -> Iterator[RulingChange]:
    """What becomes of the rulings on these hands if they change so; None: the hand is undone."""
    by_table: dict[Table, list[Ruling]] = defaultdict(list)
    for ruling in rulings_on_hands({game for game, _ in hands}):
        if (ruling.table.game_id, ruling.hand_number) in hands:
            by_table[ruling.table].append(ruling)
    for table, rulings in by_table.items():
        names = names_shown_at(table, reader=reader)
        for ruling in rulings:
            old_points = {int(seat): amount for seat, amount in ruling.points.items()}
            effect = effect_of(ruling, hands[table.game_id, ruling.hand_number or 0])
            yield RulingChange(
                game_id=table.game_id,
                title=f"{names[ruling.player.number]}: {ruling.what}",
                before=transfers_text(old_points, names),
                after=transfers_text(effect.points, names),
                note=effect.note,
                points={
                    seat: effect.points.get(seat, 0) - old_points.get(seat, 0)
                    for seat in {*old_points, *effect.points}
                },
            )
