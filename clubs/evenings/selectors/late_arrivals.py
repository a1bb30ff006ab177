"""Reading who can come in and who can leave while an evening is being played."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter

from django.db.models import Prefetch, QuerySet

from clubs.evenings.selectors.evenings import state_among
from clubs.models import EARLIER_GAME, Player, Session, SessionSeat, SessionTable
from clubs.seating.advice import LIKED
from scoring import Wind
from scoring.scorebook.editions import rule_set
from scoring.scorebook.models import Hand
from scoring.scorebook.selectors import OUTCOME_FIELDS, outcome_of, progress, progress_after


@dataclass(frozen=True, slots=True)
class TableNow:
    """A table that plays: everyone with their wind at the next hand, East first.

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
    """What a page of comings and goings shows: the tables, who waits for a seat, who plays.

    ``state`` is what its forms carry, so that a later change is noticed.
    """

    tables: tuple[TableNow, ...]
    waiters: tuple[Player, ...]
    players: tuple[Player, ...]
    gone: tuple[str, ...]
    state: str

    @property
    def waiting(self) -> tuple[str, ...]:
        """The names of those who wait."""
        return tuple(player.name for player in self.waiters)

    @property
    def undoable(self) -> tuple[int, ...]:
        """The tables whose last change can be taken back."""
        return tuple(table.number for table in self.tables if table.can_undo)


def changes_now(session: Session) -> ChangesNow:
    """The evening's tables and who has none; four queries however many there are."""
    tables = _laid(session)
    came = session.attendances.select_related("player").order_by("player__name_key")
    here = [one.player for one in came if one.left_at is None]
    now = [(table, one) for table in tables for one in table.places.all() if one.is_current]
    seated = {place.player_id for _, place in now}
    playing = {place.player for table, place in now if not table.game.is_closed}
    return ChangesNow(
        tables=_playing_of(tables),
        waiters=tuple(player for player in here if player.pk not in seated),
        players=tuple(sorted(playing, key=attrgetter("name_key"))),
        gone=tuple(one.player.name for one in came if one.left_at is not None),
        state=state_among(session, [place for table in tables for place in table.places.all()]),
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
    """Every table with who sits there at the next hand; three queries however many."""
    return _playing_of(_laid(session))


def _laid(session: Session) -> list[SessionTable]:
    """The tables with their places and how their games' hands ended."""
    places = SessionSeat.objects.select_related("player", "seat").order_by("seat__number")
    ended = Hand.objects.filter(is_current=True).only("game_id", *OUTCOME_FIELDS)
    return list(
        session.tables.select_related("game").prefetch_related(
            Prefetch("places", places),
            Prefetch("game__hands", ended.order_by("number"), to_attr="ended"),
        )
    )


def _playing_of(tables: Sequence[SessionTable]) -> tuple[TableNow, ...]:
    changed = {table.at for table in tables if table.number > EARLIER_GAME}
    return tuple(
        _table_now(table, was_changed=table.number in changed)
        for table in tables
        if table.number < EARLIER_GAME
    )


def _table_now(table: SessionTable, *, was_changed: bool) -> TableNow:
    hands: list[Hand] = table.game.ended  # type: ignore[attr-defined]
    deal = progress_after(table.game, [outcome_of(hand) for hand in hands]).deals[-1]
    places = _from(deal.dealer, list(table.places.all()))
    allowed = sizes_under(table.game.rules)
    ended = not any(place.is_current for place in places)
    return TableNow(
        number=table.number,
        seats=tuple((place.player.name, _wind(deal.winds, place)) for place in places),
        prevails=deal.prevailing_wind is not None,
        takes=not ended and len(places) + 1 in allowed,
        spares=not ended and len(places) - 1 in allowed,
        hands=len(hands),
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
    places = table.places.select_related("player", "seat").order_by("seat__number")
    return _from(progress(table.game).deals[-1].dealer, list(places))


def _from(dealer: int, places: list[SessionSeat]) -> list[SessionSeat]:
    first = next((at for at, place in enumerate(places) if place.seat.number == dealer), 0)
    return [*places[first:], *places[:first]]
