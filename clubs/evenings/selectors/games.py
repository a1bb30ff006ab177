"""The games played at one table of an evening: each change of its players begins another."""

from dataclasses import dataclass

from django.db.models import Count, F, Q, QuerySet

from clubs.models import EARLIER_GAME_OFFSET, SessionSeat, SessionTable
from scoring.scorebook.models import AgreementPolicy, HandState


@dataclass(frozen=True, slots=True)
class GameAt:
    """One of the games played at a table: its hands, those not agreed, and someone's seat in it."""

    row: SessionTable
    hands: int
    waiting: int
    seat: int | None


def rows_at(table: SessionTable) -> QuerySet[SessionTable]:
    """The table as it plays now and its earlier games, from any of them; now comes first."""
    of_the_evening = SessionTable.objects.filter(session=table.session_id)
    return of_the_evening.alias(place=F("number") % EARLIER_GAME_OFFSET).filter(
        place=table.table_number
    )


def games_at(table: SessionTable, seat: int | None) -> list[GameAt]:
    """The games played where this one was, that of now first, then from the first one on.

    ``seat``: a seat of this game, whose player is looked for in the others. One query, or two.
    """
    current, by_scorer = Q(game__hands__is_current=True), Q(game__agreement=AgreementPolicy.SCORER)
    waits = Q(game__hands__state=HandState.REPORTED) & ~by_scorer
    is_disputed = Q(game__hands__state=HandState.DISPUTED)
    played_there = (
        rows_at(table)
        .select_related("game")
        .annotate(
            played=Count("game__hands", filter=current),
            waiting=Count("game__hands", filter=current & (waits | is_disputed)),
        )
    )
    seats = dict[int, int]()
    if seat is not None:
        player_places = SessionSeat.objects.filter(
            session=table.session_id, player__places__table=table, player__places__seat__number=seat
        )
        seats = dict(player_places.values_list("table", "seat__number"))
    return [
        GameAt(row, row.played, row.waiting, seats.get(row.pk))
        for row in played_there.order_by("number")
    ]
