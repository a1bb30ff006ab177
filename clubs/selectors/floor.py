"""The floor of an evening as somebody walking round it sees it: every table, the winds now."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Prefetch

from clubs.models import Session, SessionSeat, SessionTable
from clubs.rows import signed
from scoring import Deal, Wind
from scoring.scorebook.models import Hand, HandState
from scoring.scorebook.selectors import progress_after


@dataclass(frozen=True, slots=True)
class Chair:
    """Somebody's place at the square table: 1 near, 2 right, 3 far, 4 left, 5 sits out.

    ``note`` is the points so far with their sign, empty before the first hand.
    """

    position: int
    wind: Wind | None
    name: str
    note: str
    dealer: bool


@dataclass(frozen=True, slots=True)
class FloorTable:
    """One table: its seats with the winds of the next hand, East first, and how far it is."""

    number: int
    link_key: str
    seats: tuple[Chair, ...]
    prevailing: Wind | None
    hands: int
    disputed: tuple[int, ...]
    is_over: bool

    @property
    def state(self) -> str:
        """The kind of the tag that tells the state."""
        if self.disputed:
            return "trouble"
        if self.is_over:
            return "done"
        return "playing" if self.hands else "idle"

    @property
    def label(self) -> str:
        """``5 hands``, ``hand 3 is not agreed``."""
        if self.disputed:
            many = len(self.disputed) > 1
            numbers = ", ".join(map(str, self.disputed))
            return f"hand{'s' if many else ''} {numbers} {'are' if many else 'is'} not agreed"
        counted = f"{self.hands} hand{'' if self.hands == 1 else 's'}" if self.hands else "no hand"
        return (
            f"finished, {counted}" if self.is_over else f"{counted}{'' if self.hands else ' yet'}"
        )


def floor_of(session: Session) -> tuple[FloorTable, ...]:
    """Every table of the evening; three queries however many there are."""
    tables = session.tables.select_related("game").prefetch_related(
        Prefetch("places", SessionSeat.objects.select_related("player", "seat")),
        Prefetch(
            "game__hands",
            Hand.objects.filter(is_current=True)
            .only("game_id", "number", "state", "winner")
            .order_by("number"),
            to_attr="current_hands",
        ),
    )
    return tuple(_table(table) for table in tables)


def _table(table: SessionTable) -> FloorTable:
    hands: list[Hand] = table.game.current_hands  # type: ignore[attr-defined]
    winners = [hand.winner for hand in hands]
    told = progress_after(table.game, winners)
    passed = sum(
        winner not in {None, deal.dealer} for winner, deal in zip(winners, told.deals, strict=False)
    )
    return FloorTable(
        number=table.number,
        link_key=table.link_key,
        seats=_chairs(table.places.all(), told.deals[-1], passed),
        prevailing=told.deals[-1].prevailing_wind,
        hands=len(hands),
        disputed=tuple(hand.number for hand in hands if hand.state == HandState.DISPUTED),
        is_over=table.game.is_closed or told.finished,
    )


def _chairs(places: Iterable[SessionSeat], deal: Deal, passed: int) -> tuple[Chair, ...]:
    """Everybody keeps a chair while the winds move on; who sits out comes last."""
    by_seat = {place.seat.number: place for place in places}
    around = (1, 3) if len(deal.winds) == 2 else (1, 2, 3, 4)
    order = list(Wind)
    playing = sorted(deal.winds, key=lambda seat: order.index(deal.winds[seat]))
    positions = {seat: around[(at + passed) % len(playing)] for at, seat in enumerate(playing)}
    resting = sorted(set(by_seat) - set(positions))
    return tuple(
        Chair(
            position=positions.get(seat, 5),
            wind=deal.winds.get(seat),
            name=by_seat[seat].player.name,
            note=signed(by_seat[seat].seat.points) if by_seat[seat].seat.hands else "",
            dealer=seat == deal.dealer,
        )
        for seat in [*playing, *resting]
    )
