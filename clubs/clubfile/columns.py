"""What each column of a club file's tables may hold, by its table and name."""

from typing import Any, Final

from django.core.exceptions import ValidationError

from clubs.clubfile.contents import AnyField
from clubs.clubfile.shapes import (
    COUNT_SHAPE,
    FROM_ONE_SHAPE,
    KEY_SHAPE,
    PLAIN_SHAPE,
    SMALL_SHAPE,
    Shape,
    boolean,
    integer,
    list_of,
    mapping_of,
    number_as_text,
    object_with,
    one_of,
    optional,
    readable_by,
    string,
    tuple_of,
)
from clubs.evenings.forms import MAX_TABLES, MAX_WEEKS_APART
from clubs.evenings.selectors.calendar import ORDINALS
from clubs.evenings.serializers import MAX_PENCE
from clubs.league.services import MAX_HANDICAP
from clubs.league_rules.rules import read_rules
from clubs.members.forms import MOST_VISITS
from clubs.members.person_columns import PERSON_COLUMNS
from clubs.members.selectors import relations
from clubs.messages.message_kinds import MESSAGE_KINDS
from clubs.models import Player
from clubs.privacy.forms import MOST_MONTHS
from scoring import Wind
from scoring.scorebook.models import SEAT_NUMBERS
from scoring.scorebook.moves import Moves
from scoring.scorebook.reports import MAX_POINTS
from scoring.table.progression import Opening

MAX_SUM: Final = 100 * MAX_POINTS
EVENING_YEARS: Final = range(1900, 2201)
RETENTION_FIELDS: Final = ("guests", "lapsed", "letters", "money", "deeds")

SEAT_SHAPE: Final = integer(SEAT_NUMBERS[0], SEAT_NUMBERS[-1])
SEAT_NAME_SHAPE: Final = number_as_text(SEAT_NUMBERS[0], SEAT_NUMBERS[-1])
SUM_SHAPE: Final = integer(-MAX_SUM, MAX_SUM)
SCORE_SHAPE: Final = integer(0, MAX_POINTS)
REPORTED_SCORE_SHAPE: Final = integer(-MAX_POINTS, MAX_POINTS)
WIND_SHAPE: Final = one_of(*(str(wind) for wind in Wind))
TILES_SHAPE: Final = list_of(string(20))
EXCHANGES_SHAPE: Final = list_of(tuple_of(FROM_ONE_SHAPE, SEAT_SHAPE, SEAT_SHAPE))
_CHANGES_SHAPE: Final = mapping_of(string(60), tuple_of(PLAIN_SHAPE, PLAIN_SHAPE))
REPORT_SHAPE: Final = object_with(
    {"winner": optional(SEAT_SHAPE)},
    {
        "totals": mapping_of(SEAT_NAME_SHAPE, optional(REPORTED_SCORE_SHAPE)),
        "tiles": mapping_of(
            SEAT_NAME_SHAPE,
            object_with(
                {},
                {
                    "sets": list_of(object_with({"tiles": TILES_SHAPE, "exposed": boolean})),
                    "concealed": TILES_SHAPE,
                    "bonus": TILES_SHAPE,
                    "winning_tile": optional(string(20)),
                    "facts": list_of(string(60)),
                },
            ),
        ),
        "won_by": string(60),
        "discarder": SEAT_SHAPE,
        "pays_for_all": SEAT_SHAPE,
        "tallies": mapping_of(SEAT_NAME_SHAPE, REPORTED_SCORE_SHAPE),
        "had": mapping_of(SEAT_NAME_SHAPE, REPORTED_SCORE_SHAPE),
        "as_counted": boolean,
        "only_winner": boolean,
    },
)
RECKONING_SHAPE: Final = object_with(
    {"total": SCORE_SHAPE},
    {
        "special": optional(string(60)),
        "arrangement": list_of(object_with({"tiles": TILES_SHAPE}, allows_others=True)),
        "items": list_of(object_with({}, allows_others=True)),
    },
    allows_others=True,
)
DEAL_SHAPE: Final = object_with(
    {
        "winds": mapping_of(SEAT_NAME_SHAPE, WIND_SHAPE),
        "dealer": SEAT_SHAPE,
        "prevailing_wind": optional(WIND_SHAPE),
        "goulash": boolean,
        "sits_out": optional(SEAT_SHAPE),
    }
)
OPENING_SHAPE: Final = object_with(
    {"seats": list_of(optional(SEAT_SHAPE)), "state": readable_by(Opening.from_json)},
    {"hands": SMALL_SHAPE},
)


def _is_person_change(value: Any) -> bool:
    """What columns of a person were and became, as an import and a merge keep it to undo."""
    column_names = {column.name for column in PERSON_COLUMNS}
    columns = {
        column.attname: column
        for column in Player._meta.concrete_fields
        if column.attname in column_names and not (column.primary_key or column.is_relation)
    }
    return _CHANGES_SHAPE(value) and all(
        name in columns and _accepts_value(columns[name], old_value)
        for name, (old_value, _) in value.items()
    )


def _is_merge_record(value: Any) -> bool:
    """What was moved from one record to another, as undoing needs it; nothing, if long ago."""
    columns = one_of(*(f"{model._meta.label}.{name}" for model, name in relations()))
    record_shape = object_with(
        {
            "rows": mapping_of(columns, list_of(KEY_SHAPE)),
            "aliases": list_of(KEY_SHAPE),
            "alias": optional(KEY_SHAPE),
            "filled": _is_person_change,
            "was_active": boolean,
        }
    )
    return value == {} or record_shape(value)


def _is_day_of_evening(value: Any) -> bool:
    return value.year in EVENING_YEARS


def _accepts_value(column: AnyField, value: Any) -> bool:
    """Whether the column, or one that holds nothing, takes the value."""
    try:
        return value in (None, "") or bool(column.clean(value, None) is not None)
    except ValidationError:
        return False


COLUMN_SHAPES: Final[dict[str, Shape]] = {
    "clubs.Club.table_money": integer(0, MAX_PENCE),
    "clubs.Club.year_begins": integer(1, 12),
    "clubs.Club.guest_visits": optional(integer(1, MOST_VISITS)),
    "scorebook.Edition.declaration": object_with({}, allows_others=True),
    "scorebook.Book.length": COUNT_SHAPE,
    "scorebook.Book.moves": readable_by(Moves.read),
    "scorebook.Game.size": integer(2, 5),
    "scorebook.Game.wind_rounds": optional(SMALL_SHAPE),
    "scorebook.Game.hands_planned": optional(SMALL_SHAPE),
    "scorebook.Game.first_dealer": SEAT_SHAPE,
    "scorebook.Game.exchanges": EXCHANGES_SHAPE,
    "scorebook.Game.opening": optional(OPENING_SHAPE),
    "scorebook.Seat.number": SEAT_SHAPE,
    "scorebook.Seat.points": SUM_SHAPE,
    "scorebook.Seat.hands": SMALL_SHAPE,
    "scorebook.Seat.mahjongs": SMALL_SHAPE,
    "scorebook.Seat.best_hand": SCORE_SHAPE,
    "scorebook.Hand.number": FROM_ONE_SHAPE,
    "scorebook.Hand.report": REPORT_SHAPE,
    "scorebook.Hand.deal": DEAL_SHAPE,
    "scorebook.Hand.lines": mapping_of(SEAT_NAME_SHAPE, RECKONING_SHAPE),
    "scorebook.Hand.winner": optional(SEAT_SHAPE),
    **{f"scorebook.Hand.score_{seat}": optional(SCORE_SHAPE) for seat in SEAT_NUMBERS},
    **{f"scorebook.Hand.gain_{seat}": SUM_SHAPE for seat in SEAT_NUMBERS},
    "scorebook.Hand.payments": list_of(tuple_of(SEAT_SHAPE, SEAT_SHAPE, SUM_SHAPE)),
    "scorebook.Hand.limit": optional(SCORE_SHAPE),
    "scorebook.Agreement.seat": SEAT_SHAPE,
    "scorebook.LedgerEntry.points": SUM_SHAPE,
    "scorebook.RepairedGame.before": object_with(
        {
            "exchanges": EXCHANGES_SHAPE,
            "length": SMALL_SHAPE,
            "reports": mapping_of(number_as_text(1, 32_767), REPORT_SHAPE),
            "disputed": list_of(FROM_ONE_SHAPE),
        }
    ),
    "scorebook.RepairedGame.after": object_with(
        {"exchanges": EXCHANGES_SHAPE, "length": SMALL_SHAPE, "hands": list_of(KEY_SHAPE)}
    ),
    "scorebook.Link.number": integer(1, 10_000_000),
    "clubs.MemberImport.added": list_of(KEY_SHAPE),
    "clubs.MemberImport.before": mapping_of(
        string(20), object_with({"fields": _is_person_change, "aliases": list_of(string(80))})
    ),
    "clubs.PlayerMerge.moved": _is_merge_record,
    **{f"clubs.Retention.{name}": optional(integer(1, MOST_MONTHS)) for name in RETENTION_FIELDS},
    "clubs.SeasonRules.number": FROM_ONE_SHAPE,
    "clubs.SeasonRules.declaration": readable_by(read_rules),
    "clubs.Handicap.points": integer(-MAX_HANDICAP, MAX_HANDICAP),
    "clubs.Session.held_on": _is_day_of_evening,
    "clubs.Session.version": COUNT_SHAPE,
    "clubs.Session.times_closed": COUNT_SHAPE,
    "clubs.SessionTable.number": FROM_ONE_SHAPE,
    "clubs.Wish.table": optional(integer(1, MAX_TABLES)),
    "clubs.Series.every": integer(1, MAX_WEEKS_APART),
    "clubs.Series.weeks": list_of(one_of(*ORDINALS)),
    "clubs.Series.version": COUNT_SHAPE,
    "clubs.Invitation.held_on": _is_day_of_evening,
    "clubs.TableMoney.pence": integer(0, MAX_PENCE),
    "clubs.Batch.kind": one_of(*MESSAGE_KINDS),
    "clubs.Batch.about": optional(integer(0, 99_999_999)),
    "clubs.AuditEntry.about": mapping_of(string(60), PLAIN_SHAPE),
}
