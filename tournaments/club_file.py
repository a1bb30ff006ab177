"""What of a club's tournaments travels in the club's file."""

from collections.abc import Iterable
from typing import Any, Final

from clubs.clubfile.contents import LINK, SENT_TWICE, Row, Table, Turn, of_club
from tournaments.models import (
    Call,
    Drawing,
    Entrant,
    Placement,
    Prize,
    Round,
    Ruling,
    StepBack,
    Table as RoundTable,
    Tournament,
)


def _in_order(value: Iterable[int], row: Row, turn: Turn) -> list[Any]:  # noqa: ARG001
    """Entrants by their keys, in the order of a seating by standings."""
    return [turn.key(Entrant._meta.label, key) for key in value]


TABLES: Final[tuple[Table, ...]] = (
    of_club(Tournament, left={"wall_key": LINK}),
    of_club(Drawing),
    of_club(Entrant),
    of_club(Round, keys_in={"seated_in_order": _in_order}),
    of_club(Round.sitting_out.through, "round__tournament__club"),
    of_club(RoundTable, left={"link_key": LINK}),
    of_club(Placement),
    of_club(Prize),
    of_club(Call),
    of_club(Ruling, left={"submission_id": SENT_TWICE}),
    of_club(StepBack),
)
LEFT_BEHIND: Final = {
    "tournaments.SeatingChange": "it undoes a change of the seating, with links of before in it",
    "tournaments.Printing": "long printouts can be made again",
}
