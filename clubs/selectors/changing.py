"""Reading who can come in and who can leave while an evening is being played."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import QuerySet

from clubs.models import EARLIER_GAME, Player, Session, SessionSeat, SessionTable
from clubs.seating.advice import LIKED
from scoring import Wind
from scoring.scorebook.editions import rule_set
from scoring.scorebook.selectors import progress


@dataclass(frozen=True, slots=True)
class TableNow:
    """A table that plays: everybody with their wind at the next hand, East first.

    ``takes`` and ``spares``: whether the rules allow one more, or one fewer. ``can_undo``: the last
    change there can be taken back. ``ended``: it plays no more, and nobody sits there.
    """

    number: int
    seats: tuple[tuple[str, str], ...]
    prevails: bool
    takes: bool
    spares: bool
    hands: int
    can_undo: bool
    ended: bool = False


@dataclass(frozen=True, slots=True)
class ChangesNow:
    """What a page of comings and goings shows: the tables, and who waits for a seat."""

    tables: tuple[TableNow, ...]
    waiting: tuple[str, ...]
    gone: tuple[str, ...]

    @property
    def undoable(self) -> tuple[int, ...]:
        """The tables whose last change can be taken back."""
        return tuple(table.number for table in self.tables if table.can_undo)


def changes_now(session: Session) -> ChangesNow:
    """The evening's tables and who has none; a few queries a table."""
    gone = Player.objects.filter(attendances__session=session, attendances__left_at__isnull=False)
    return ChangesNow(
        tables=tables_playing(session),
        waiting=tuple(player.name for player in waiting(session)),
        gone=tuple(gone.order_by("name_key").values_list("name", flat=True)),
    )


def waiting(session: Session) -> QuerySet[Player]:
    """Who is here and has no seat now, by name; one query."""
    seated = SessionSeat.objects.filter(session=session, is_current=True).values("player")
    here = Player.objects.filter(attendances__session=session, attendances__left_at=None)
    return here.exclude(pk__in=seated).order_by("name_key")


def playing(session: Session) -> QuerySet[Player]:
    """Who sits at a table that plays, by name; one query."""
    return Player.objects.filter(
        places__session=session, places__is_current=True, places__table__game__closed_at=None
    ).order_by("name_key")


def tables_playing(session: Session) -> tuple[TableNow, ...]:
    """Every table with who sits there at the next hand."""
    found = session.tables.select_related("game")
    changed = {table.at for table in found if table.number > EARLIER_GAME}
    return tuple(
        _table_now(table, was_changed=table.number in changed)
        for table in found
        if table.number < EARLIER_GAME
    )


def _table_now(table: SessionTable, *, was_changed: bool) -> TableNow:
    deal = progress(table.game).deals[-1]
    places = table_after(table)
    allowed, hands = sizes_under(table.game.rules), deal.number - 1
    ended = not any(place.is_current for place in places)
    return TableNow(
        number=table.number,
        seats=tuple((place.player.name, _wind(deal.winds, place)) for place in places),
        prevails=deal.prevailing_wind is not None,
        takes=not ended and len(places) + 1 in allowed,
        spares=not ended and len(places) - 1 in allowed,
        hands=hands,
        can_undo=ended or (was_changed and not hands),
        ended=ended,
    )


def sizes_under(rules: str) -> frozenset[int]:
    """How many may sit at a club's table under these rules: three to five."""
    return frozenset(LIKED) & frozenset(rule_set(rules).seats)


def _wind(winds: Mapping[int, Wind], place: SessionSeat) -> str:
    wind = winds.get(place.seat.number)
    return wind.label if wind else ""


def table_after(table: SessionTable) -> list[SessionSeat]:
    """The places of the table in the order of their winds at the next hand, its East first."""
    dealer = progress(table.game).deals[-1].dealer
    places = list(table.places.select_related("player", "seat").order_by("seat__number"))
    first = next((at for at, place in enumerate(places) if place.seat.number == dealer), 0)
    return [*places[first:], *places[:first]]
