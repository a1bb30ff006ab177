"""What of a club's tournaments travels in the club's file."""

from collections.abc import Iterable
from typing import Any, Final

from clubs.clubfile.checks import ImpossibleValue
from clubs.clubfile.columns import SEAT_NAME_SHAPE, SUM_SHAPE
from clubs.clubfile.contents import (
    LINK_REASON,
    RENEWED_REASON,
    ClubTable,
    KeyMap,
    RowData,
    club_table,
)
from clubs.clubfile.shapes import (
    COUNT_SHAPE,
    FROM_ONE_SHAPE,
    KEY_SHAPE,
    SMALL_SHAPE,
    Shape,
    integer,
    list_of,
    mapping_of,
    object_with,
    one_of,
    optional,
    string,
    tuple_of,
)
from clubs.models.names import MAX_NAME
from tournaments.models import (
    MOST_ROUNDS,
    Call,
    Drawing,
    Entrant,
    Placement,
    Prize,
    PrizeKind,
    Round,
    Ruling,
    StepBack,
    Table as RoundTable,
    Tournament,
    ranking_default,
)
from tournaments.results.selectors.results import BEST_OF_METRICS
from tournaments.results.services import MOST_PLACE, PLACE_KINDS
from tournaments.setup.forms import MAX_PASTED_NAMES, YEARS
from tournaments.setup.selectors import RANGES
from tournaments.steps.services import MAX_MINUTES_ADDED

ADDED_MINUTES: Final = integer(-MAX_MINUTES_ADDED, MAX_MINUTES_ADDED)

NOT_IN_FILE: Final = {
    "tournaments.SeatingChange": "it undoes a change of the seating, with links of before in it",
    "tournaments.Printing": "long printouts can be made again",
}


def _map_standing_order(value: Iterable[int], row: RowData, turn: KeyMap) -> list[Any]:  # noqa: ARG001
    """Entrants by their keys, in the order of a seating by standings."""
    return [turn.key(Entrant._meta.label, key) for key in value]


FILE_TABLES: Final[tuple[ClubTable, ...]] = (
    club_table(Tournament, omitted_columns={"wall_key": LINK_REASON}),
    club_table(Drawing, plural="seating plans being worked out"),
    club_table(Entrant),
    club_table(Round, keys_in={"seated_in_order": _map_standing_order}),
    club_table(
        Round.sitting_out.through,
        "round__tournament__club",
        plural="players sitting out of a round",
    ),
    club_table(RoundTable, plural="tables of a round", omitted_columns={"link_key": LINK_REASON}),
    club_table(Placement, plural="places at a table of a round"),
    club_table(Prize),
    club_table(Call, plural="calls for the director"),
    club_table(Ruling, omitted_columns={"submission_id": RENEWED_REASON}),
    club_table(StepBack, plural="undone steps"),
)


def _setting_range(name: str) -> Shape:
    """Within the range of that setting."""
    return integer(RANGES[name].least, RANGES[name].most)


COLUMN_CHECKS: Final[dict[str, Shape]] = {
    "tournaments.Tournament.held_on": lambda day: day.year in YEARS,
    "tournaments.Tournament.rounds_planned": _setting_range("rounds"),
    "tournaments.Tournament.hands_a_round": optional(_setting_range("hands_a_round")),
    "tournaments.Tournament.minutes_a_round": optional(_setting_range("minutes_a_round")),
    "tournaments.Tournament.start_stake": _setting_range("start_stake"),
    "tournaments.Tournament.by_standing_from": optional(integer(2, MOST_ROUNDS)),
    "tournaments.Tournament.bands": _setting_range("bands"),
    "tournaments.Tournament.ranks_by": list_of(one_of(*ranking_default())),
    "tournaments.Tournament.sitting_out_points": _setting_range("sitting_out_points"),
    "tournaments.Tournament.places": optional(integer(4, MAX_PASTED_NAMES)),
    "tournaments.Tournament.version": COUNT_SHAPE,
    "tournaments.Drawing.first_round": integer(1, MOST_ROUNDS),
    "tournaments.Drawing.last_round": integer(1, MOST_ROUNDS),
    "tournaments.Drawing.asked": object_with({"players": list_of(string(80))}, allows_others=True),
    "tournaments.Entrant.number": FROM_ONE_SHAPE,
    "tournaments.Entrant.times_withdrawn": SMALL_SHAPE,
    "tournaments.Round.number": integer(1, MOST_ROUNDS),
    "tournaments.Round.seated_in_order": list_of(KEY_SHAPE),
    "tournaments.Round.traded": list_of(string(1_000)),
    "tournaments.Round.paused_seconds": COUNT_SHAPE,
    "tournaments.Round.minutes_added": ADDED_MINUTES,
    "tournaments.Table.number": FROM_ONE_SHAPE,
    "tournaments.Table.minutes_added": ADDED_MINUTES,
    "tournaments.Placement.earlier_sitters": list_of(tuple_of(SMALL_SHAPE, string(MAX_NAME))),
    "tournaments.Prize.number": FROM_ONE_SHAPE,
    "tournaments.Prize.place": optional(integer(1, MOST_PLACE)),
    "tournaments.Ruling.hand_number": optional(FROM_ONE_SHAPE),
    "tournaments.Ruling.points": mapping_of(SEAT_NAME_SHAPE, SUM_SHAPE),
}


def _check_tournament(row: Any) -> None:
    share = RANGES["sitting_out_table_points"]
    if not share.least <= row.sitting_out_table_points <= share.most:
        raise ImpossibleValue("sitting_out_table_points")


def _check_prize(row: Any) -> None:
    if row.kind == PrizeKind.BEST and row.of not in BEST_OF_METRICS:
        raise ImpossibleValue("of")
    if row.kind in PLACE_KINDS and row.place is None:
        raise ImpossibleValue("place")


ROW_CHECKS: Final = {Tournament: _check_tournament, Prize: _check_prize}
