"""What can be done at a table of a club evening, for its pages and the API."""

from functools import partial
from typing import Any

from clubs.evenings.selectors import evenings as rows
from clubs.evenings.services import evenings, tables
from clubs.models import SessionState, SessionTable
from clubs.models.names import Reader
from scoring.scorebook import services as scorebook


def calls_at(table: SessionTable, *, reader: Reader, seat: int | None) -> dict[str, Any]:
    """What a ``PlayedTable`` of an evening is read by, and the calls that change it.

    ``reader``: as whom names are read; ``seat``: whose link it is, None for the table or a desk.
    """
    is_closed = table.session.state == SessionState.CLOSED
    return {
        "game": table.game,
        "read": partial(rows.view_of, table, reader=reader),
        "names": partial(rows.names_shown_at, table, reader=reader),
        "closed_because": "This evening is finished." if is_closed else "",
        "may_change": not is_closed,
        "record_by": table.session.club.record_by,
        "preview": partial(scorebook.preview_hand, game_id=table.game_id),
        "post": partial(evenings.post_hand, table=table, seat=seat),
        "say": partial(tables.say, table=table),
        "decide": partial(tables.decide, table=table),
        "take_back": partial(tables.take_back, table=table),
        "name_first_dealer": partial(evenings.name_first_dealer, table=table),
        "correct": partial(evenings.correct_hand, table=table),
    }
