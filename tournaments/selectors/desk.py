"""Reading a tournament's rounds and tables: who sits where, what is missing."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Prefetch, QuerySet

from clubs.rows import TableView, table_view
from scoring.scorebook.models import Hand, HandState
from tournaments.models import Placement, Round, RoundState, Table, Tournament


@dataclass(frozen=True, slots=True)
class PlaceRow:
    """A named seat of a table with its points so far."""

    seat: int
    wind: str
    entrant_id: int
    name: str
    points: int


@dataclass(frozen=True, slots=True)
class TableRow:
    """One table of a round at a glance."""

    number: int
    link_key: str
    places: tuple[PlaceRow, ...]
    hands: int
    hands_planned: int
    disputed: tuple[int, ...]
    last_at: datetime | None

    @property
    def is_done(self) -> bool:
        """Whether every hand is played and none is disputed."""
        return self.hands >= self.hands_planned and not self.disputed

    @property
    def state(self) -> str:
        """How the table stands, in words; trouble first."""
        if self.disputed:
            return f"hand {self.disputed[0]} not agreed"
        if not self.hands:
            return "not started"
        if self.is_done:
            return "done"
        return f"hand {self.hands} of {self.hands_planned}"

    @property
    def sign(self) -> str:
        """The shape that goes with the words: trouble, idle, done or playing."""
        if self.disputed:
            return "trouble"
        if not self.hands:
            return "idle"
        return "done" if self.is_done else "playing"

    @property
    def missing(self) -> str:
        """``Table 3: hand 2 is not agreed, 6 of 8 hands are in.``"""
        missing = [f"hand {number} is not agreed" for number in self.disputed]
        if self.hands < self.hands_planned:
            missing.append(f"{self.hands} of {self.hands_planned} hands are in")
        return f"Table {self.number}: {', '.join(missing)}."


@dataclass(frozen=True, slots=True)
class RoundView:
    """A round with its tables."""

    number: int
    state: RoundState
    tables: tuple[TableRow, ...]


def rounds_of(tournament: Tournament) -> tuple[RoundView, ...]:
    """Every round with its tables and places; four queries however many there are."""
    return _views(tournament.rounds.all(), tournament.hands_a_round)


def _views(rounds: QuerySet[Round], hands_planned: int) -> tuple[RoundView, ...]:
    with_tables = rounds.prefetch_related(
        Prefetch("tables", Table.objects.select_related("game")),
        Prefetch("tables__placements", Placement.objects.select_related("entrant", "seat")),
        Prefetch(
            "tables__game__hands",
            Hand.objects.filter(is_current=True).only("game_id", "number", "state", "sent_at"),
            to_attr="current_hands",
        ),
    )
    return tuple(
        RoundView(
            round_.number,
            RoundState(round_.state),
            tuple(_table_row(table, hands_planned) for table in round_.tables.all()),
        )
        for round_ in with_tables
    )


def _table_row(table: Table, hands_planned: int) -> TableRow:
    hands: list[Hand] = table.game.current_hands  # type: ignore[attr-defined]
    return TableRow(
        number=table.number,
        link_key=table.link_key,
        places=tuple(
            PlaceRow(
                place.seat.number,
                "ESWN"[place.seat.number - 1],
                place.entrant_id,
                place.entrant.name,
                place.seat.points,
            )
            for place in sorted(table.placements.all(), key=lambda place: place.seat.number)
        ),
        hands=len(hands),
        hands_planned=hands_planned,
        disputed=tuple(hand.number for hand in hands if hand.state == HandState.DISPUTED),
        last_at=max((hand.sent_at for hand in hands), default=None),
    )


def missing_in(round_: Round) -> list[str]:
    """What keeps the round from being closed: a sentence for each table that is not done."""
    hands_planned = round_.tournament.hands_a_round
    (view,) = _views(Round.objects.filter(pk=round_.pk), hands_planned)
    return [table.missing for table in view.tables if not table.is_done]


def why_not_open(round_: Round) -> str:
    """What a table reads whose round is not being played."""
    if round_.state == RoundState.CLOSED:
        playing = round_.tournament.rounds.filter(state=RoundState.PLAYING).first()
        now = (
            f" Round {playing.number} is being played: use the card of that round."
            if playing
            else ""
        )
        return f"This card is for round {round_.number}, which is closed.{now}"
    return f"Round {round_.number} has not been started yet. The director will start it."


def tables_with_games() -> QuerySet[Table]:
    """Tables with their round, tournament, club and game, for whoever looks one up."""
    return Table.objects.select_related("round__tournament__club", "game")


def entrants_at(table: Table) -> set[int]:
    """Who sits at the table, by entrant id; one query."""
    return set(table.placements.values_list("entrant_id", flat=True))


def view_of(table: Table) -> TableView:
    """The table with its names and its game."""
    places = table.placements.select_related("entrant", "seat").order_by("seat__number")
    return table_view(
        number=table.number,
        event=f"{table.round.tournament.name}, round {table.round.number}",
        game=table.game,
        names=[(place.seat.number, place.entrant.name) for place in places],
    )
