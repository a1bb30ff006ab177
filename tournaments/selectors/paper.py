"""Reading a tournament for its printed papers: many tables in few queries."""

from collections import defaultdict

from clubs.models.names import AT_THE_TABLE, Reader
from clubs.table.rows import LinkedTable, TableView
from scoring.scorebook.selectors import game_views
from tournaments.models import Placement, Table, Tournament
from tournaments.selectors.naming import WITH_PLAYER, sitters_of


def linked_tables(
    tournament: Tournament, *, round_number: int | None, reader: Reader = AT_THE_TABLE
) -> tuple[LinkedTable, ...]:
    """The tables of one round, or of all, with game and link; four queries, however many."""
    chosen = Table.objects.filter(round__tournament=tournament)
    if round_number is not None:
        chosen = chosen.filter(round__number=round_number)
    tables = list(chosen.select_related("game", "round").order_by("round__number", "number"))
    games = game_views([table.game for table in tables])
    places = list(Placement.objects.filter(table__in=tables).select_related(WITH_PLAYER, "seat"))
    sitters = sitters_of(places, reader)
    names: dict[int, dict[int, str]] = defaultdict(dict)
    for place in places:
        names[place.table_id][place.seat.number] = sitters[place.pk]
    return tuple(
        LinkedTable(
            table.link_key,
            TableView(
                table.number,
                f"{tournament.name}, round {table.round.number}",
                names[table.pk],
                games[table.game_id],
            ),
        )
        for table in tables
    )
