"""The functions of a round's table, for pages and the API."""

from functools import partial
from typing import Any

from django.utils import timezone

from clubs.models.names import AT_THE_TABLE, Reader
from clubs.table.event import PlayedTable
from clubs.table.pages.links import seat_key
from tournaments.models import RoundState, Table, TournamentState
from tournaments.rounds import selectors as rows
from tournaments.rounds.clock import Timing, timing_of
from tournaments.table import services


def calls_at(
    table: Table,
    *,
    timing: Timing | None,
    reader: Reader = AT_THE_TABLE,
    seat: int | None = None,
    by_players: bool = False,
) -> dict[str, Any]:
    """The fields of a ``PlayedTable`` for a table of a round.

    ``reader``: who reads the names; ``seat``: whose link it is, None for the table or a desk;
    ``by_players``: whether the bell applies.
    """
    is_open = table.round.state == RoundState.PLAYING
    tournament = table.round.tournament
    return {
        "game": table.game,
        "read": partial(rows.view_of, table, reader=reader),
        "names": partial(rows.names_shown_at, table, reader=reader),
        "closed_because": "" if is_open else rows.why_not_open(table.round),
        "done_because": timing.done_because if timing and by_players else "",
        "stake": tournament.start_stake,
        "record_by": tournament.record_by,
        "may_change": tournament.state != TournamentState.FINISHED,
        "preview": partial(services.preview_hand, table=table, by_players=by_players),
        "post": partial(services.post_hand, table=table, by_players=by_players, seat=seat),
        "say": partial(services.say, table=table),
        "decide": partial(services.decide, table=table),
        "take_back": partial(services.take_back, table=table),
        "name_first_dealer": partial(services.name_first_dealer, table=table),
        "correct": partial(services.correct_hand, table=table),
    }


def played_table(
    table: Table,
    *,
    sent_by: str,
    reader: Reader = AT_THE_TABLE,
    seat: int | None = None,
    by_players: bool = False,
) -> PlayedTable:
    """A table of a round, and the functions that change it."""
    timing = timing_of(table, now=timezone.now())
    calls = calls_at(table, timing=timing, reader=reader, seat=seat, by_players=by_players)
    links = partial(seat_key, table) if seat is None else None
    return PlayedTable(sent_by=sent_by, seat=seat, seat_key=links, **calls)
