"""What the director ruled at the tables, with names."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from clubs.models.names import EVERYBODY, ORGANISER, Reader, in_sentence
from clubs.table.rows import signed
from scoring.scorebook.editions import rule_set
from scoring.transfers import scale
from tournaments.models import Entrant, Placement, Ruling, Table, Tournament
from tournaments.selectors.naming import names_of


@dataclass(frozen=True, slots=True)
class RulingRow:
    """One ruling: where, whose mistake, what it cost whom, why, and whether it still holds."""

    pk: int
    round: int
    table: int
    name: str
    what: str
    gains: tuple[tuple[str, int], ...]
    reason: str
    ruled_at: datetime
    is_taken_back: bool
    takes_back: bool

    @property
    def cost(self) -> str:
        """``Ann −500, Ben +500``; no points where nobody gained or gave any."""
        told = ", ".join(f"{name} {signed(points)}" for name, points in self.gains)
        return told or "no points"

    @property
    def where(self) -> str:
        """``round 2, table 3``."""
        return f"round {self.round}, table {self.table}"


def rulings_of(
    tournament: Tournament, *, through: int | None = None, reader: Reader = EVERYBODY
) -> tuple[RulingRow, ...]:
    """Every ruling in the rounds that count, the first one first; three queries."""
    rulings = Ruling.objects.filter(table__round__tournament=tournament)
    if through is not None:
        rulings = rulings.filter(table__round__number__lte=through)
    return _rows(rulings, reader)


def rulings_at(table: Table) -> tuple[RulingRow, ...]:
    """For the organisers, names in full: every ruling at one table, the first one first.

    Three queries.
    """
    return _rows(Ruling.objects.filter(table=table), ORGANISER)


def _rows(rulings: QuerySet[Ruling], reader: Reader) -> tuple[RulingRow, ...]:
    found = list(rulings.select_related("table__round", "player", "taken_back_by"))
    if not found:
        return ()
    seats = Placement.objects.filter(table__in={ruling.table_id for ruling in found})
    people = list(
        Entrant.objects.filter(tournament__rounds=found[0].table.round_id).select_related("player")
    )
    shown = names_of(people, reader)
    named = seats.values_list("table", "seat__number", "entrant")
    names = {(table, seat): shown[entrant] for table, seat, entrant in named}
    instead = {one.name: shown[one.pk] for one in people}
    return tuple(_row(ruling, names, instead) for ruling in found)


def _row(
    ruling: Ruling, names: Mapping[tuple[int, int], str], instead: Mapping[str, str]
) -> RulingRow:
    return RulingRow(
        pk=ruling.pk,
        round=ruling.table.round.number,
        table=ruling.table.number,
        name=names[ruling.table_id, ruling.player.number],
        what=in_sentence(ruling.what, instead),
        gains=tuple(
            (names[ruling.table_id, int(seat)], points) for seat, points in ruling.points.items()
        ),
        reason=in_sentence(ruling.reason, instead),
        ruled_at=ruling.ruled_at,
        is_taken_back=hasattr(ruling, "taken_back_by"),
        takes_back=ruling.takes_back_id is not None,
    )


@dataclass(frozen=True, slots=True)
class ScaleRow:
    """One line of the scale of penalties that the rules publish."""

    name: str
    costs: str


def scale_rows(table: Table) -> tuple[ScaleRow, ...]:
    """The scale that the table's rules publish; empty where they name no penalties."""
    rules = rule_set(table.game.rules)
    return tuple(
        ScaleRow(incident.name, incident.words(rules.limit)) for incident in scale(rules).values()
    )
