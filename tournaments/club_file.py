"""What of a club's tournaments travels in the club's file."""

from collections.abc import Iterable
from typing import Any, Final

from clubs.clubfile.checks import Impossible
from clubs.clubfile.columns import SEAT_NAME, SUM
from clubs.clubfile.contents import LINK, SENT_TWICE, Row, Table, Turn, of_club
from clubs.clubfile.shapes import (
    COUNT,
    FROM_ONE,
    KEY,
    SMALL,
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
from tournaments.results.selectors.results import BEST_OF
from tournaments.results.services import FOR_A_PLACE, MOST_PLACE
from tournaments.setup.forms import MOST_NAMES, YEARS
from tournaments.setup.selectors import RANGES
from tournaments.steps.services import MOST_ADDED


def _in_order(value: Iterable[int], row: Row, turn: Turn) -> list[Any]:  # noqa: ARG001
    """Entrants by their keys, in the order of a seating by standings."""
    return [turn.key(Entrant._meta.label, key) for key in value]


TABLES: Final[tuple[Table, ...]] = (
    of_club(Tournament, left={"wall_key": LINK}),
    of_club(Drawing, plural="seating plans being worked out"),
    of_club(Entrant),
    of_club(Round, keys_in={"seated_in_order": _in_order}),
    of_club(
        Round.sitting_out.through,
        "round__tournament__club",
        plural="players sitting out of a round",
    ),
    of_club(RoundTable, plural="tables of a round", left={"link_key": LINK}),
    of_club(Placement, plural="places at a table of a round"),
    of_club(Prize),
    of_club(Call, plural="calls for the director"),
    of_club(Ruling, left={"submission_id": SENT_TWICE}),
    of_club(StepBack, plural="undone steps"),
)
MEASURE: Final = integer(-MOST_ADDED, MOST_ADDED)


def _within(name: str) -> Shape:
    """Within the range of that setting."""
    return integer(RANGES[name].least, RANGES[name].most)


COLUMNS: Final[dict[str, Shape]] = {
    "tournaments.Tournament.held_on": lambda day: day.year in YEARS,
    "tournaments.Tournament.rounds_planned": _within("rounds"),
    "tournaments.Tournament.hands_a_round": optional(_within("hands_a_round")),
    "tournaments.Tournament.minutes_a_round": optional(_within("minutes_a_round")),
    "tournaments.Tournament.start_stake": _within("start_stake"),
    "tournaments.Tournament.by_standing_from": optional(integer(2, MOST_ROUNDS)),
    "tournaments.Tournament.bands": _within("bands"),
    "tournaments.Tournament.ranks_by": list_of(one_of(*ranking_default())),
    "tournaments.Tournament.sitting_out_points": _within("sitting_out_points"),
    "tournaments.Tournament.places": optional(integer(4, MOST_NAMES)),
    "tournaments.Tournament.version": COUNT,
    "tournaments.Drawing.first_round": integer(1, MOST_ROUNDS),
    "tournaments.Drawing.last_round": integer(1, MOST_ROUNDS),
    "tournaments.Drawing.asked": object_with({"players": list_of(string(80))}, allows_others=True),
    "tournaments.Entrant.number": FROM_ONE,
    "tournaments.Entrant.times_withdrawn": SMALL,
    "tournaments.Round.number": integer(1, MOST_ROUNDS),
    "tournaments.Round.seated_in_order": list_of(KEY),
    "tournaments.Round.traded": list_of(string(1_000)),
    "tournaments.Round.paused_seconds": COUNT,
    "tournaments.Round.minutes_added": MEASURE,
    "tournaments.Table.number": FROM_ONE,
    "tournaments.Table.minutes_added": MEASURE,
    "tournaments.Placement.earlier_sitters": list_of(tuple_of(SMALL, string(MAX_NAME))),
    "tournaments.Prize.number": FROM_ONE,
    "tournaments.Prize.place": optional(integer(1, MOST_PLACE)),
    "tournaments.Ruling.hand_number": optional(FROM_ONE),
    "tournaments.Ruling.points": mapping_of(SEAT_NAME, SUM),
}


def _check_tournament(row: Any) -> None:
    share = RANGES["sitting_out_table_points"]
    if not share.least <= row.sitting_out_table_points <= share.most:
        raise Impossible("sitting_out_table_points")


def _check_prize(row: Any) -> None:
    if row.kind == PrizeKind.BEST and row.of not in BEST_OF:
        raise Impossible("of")
    if row.kind in FOR_A_PLACE and row.place is None:
        raise Impossible("place")


ROWS: Final = {Tournament: _check_tournament, Prize: _check_prize}
LEFT_BEHIND: Final = {
    "tournaments.SeatingChange": "it undoes a change of the seating, with links of before in it",
    "tournaments.Printing": "long printouts can be made again",
}
