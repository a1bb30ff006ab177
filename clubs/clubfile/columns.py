"""What each column of a club file's tables may hold, by its table and name."""

from typing import Any, Final

from django.core.exceptions import ValidationError

from clubs.clubfile.contents import AnyField
from clubs.clubfile.shapes import (
    COUNT,
    FROM_ONE,
    KEY,
    PLAIN,
    SMALL,
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
from clubs.evenings.forms import MOST_TABLES, MOST_WEEKS_APART
from clubs.evenings.selectors.calendar import ORDINALS
from clubs.evenings.serializers import MOST_PENCE
from clubs.league.services import MOST_HANDICAP
from clubs.league_rules.rules import read_rules
from clubs.members.forms import MOST_VISITS
from clubs.members.person_columns import PERSON_COLUMNS
from clubs.members.selectors import relations
from clubs.messages.message_kinds import KINDS
from clubs.models import Player
from clubs.privacy.forms import MOST_MONTHS
from scoring import Wind
from scoring.scorebook.models import SEAT_NUMBERS
from scoring.scorebook.moves import Moves
from scoring.scorebook.reports import MOST_POINTS
from scoring.table.progression import Opening

MOST_OF_A_SUM: Final = 100 * MOST_POINTS
EVENING_YEARS: Final = range(1900, 2201)
TERMS: Final = ("guests", "lapsed", "letters", "money", "deeds")

SEAT: Final = integer(SEAT_NUMBERS[0], SEAT_NUMBERS[-1])
SEAT_NAME: Final = number_as_text(SEAT_NUMBERS[0], SEAT_NUMBERS[-1])
SUM: Final = integer(-MOST_OF_A_SUM, MOST_OF_A_SUM)
SCORE: Final = integer(0, MOST_POINTS)
REPORTED_SCORE: Final = integer(-MOST_POINTS, MOST_POINTS)
WIND: Final = one_of(*(str(wind) for wind in Wind))
TILES: Final = list_of(string(20))
EXCHANGES: Final = list_of(tuple_of(FROM_ONE, SEAT, SEAT))
_PAIRS: Final = mapping_of(string(60), tuple_of(PLAIN, PLAIN))
REPORT: Final = object_with(
    {"winner": optional(SEAT)},
    {
        "totals": mapping_of(SEAT_NAME, optional(REPORTED_SCORE)),
        "tiles": mapping_of(
            SEAT_NAME,
            object_with(
                {},
                {
                    "sets": list_of(object_with({"tiles": TILES, "exposed": boolean})),
                    "concealed": TILES,
                    "bonus": TILES,
                    "winning_tile": optional(string(20)),
                    "facts": list_of(string(60)),
                },
            ),
        ),
        "won_by": string(60),
        "discarder": SEAT,
        "pays_for_all": SEAT,
        "tallies": mapping_of(SEAT_NAME, REPORTED_SCORE),
        "had": mapping_of(SEAT_NAME, REPORTED_SCORE),
        "as_counted": boolean,
        "only_winner": boolean,
    },
)
RECKONING: Final = object_with(
    {"total": SCORE},
    {
        "special": optional(string(60)),
        "arrangement": list_of(object_with({"tiles": TILES}, allows_others=True)),
        "items": list_of(object_with({}, allows_others=True)),
    },
    allows_others=True,
)
DEAL: Final = object_with(
    {
        "winds": mapping_of(SEAT_NAME, WIND),
        "dealer": SEAT,
        "prevailing_wind": optional(WIND),
        "goulash": boolean,
        "sits_out": optional(SEAT),
    }
)
OPENING: Final = object_with(
    {"seats": list_of(optional(SEAT)), "state": readable_by(Opening.from_json)}, {"hands": SMALL}
)


def _fields_of_a_person(value: Any) -> bool:
    """What columns of a person were and became, as an import and a merge keep it to undo."""
    declared = {column.name for column in PERSON_COLUMNS}
    columns = {
        column.attname: column
        for column in Player._meta.concrete_fields
        if column.attname in declared and not (column.primary_key or column.is_relation)
    }
    return _PAIRS(value) and all(
        name in columns and _is_clean(columns[name], was) for name, (was, _) in value.items()
    )


def _moved_by_a_merge(value: Any) -> bool:
    """What was moved from one record to another, as undoing needs it; nothing, if long ago."""
    columns = one_of(*(f"{model._meta.label}.{name}" for model, name in relations()))
    moved = object_with(
        {
            "rows": mapping_of(columns, list_of(KEY)),
            "aliases": list_of(KEY),
            "alias": optional(KEY),
            "filled": _fields_of_a_person,
            "was_active": boolean,
        }
    )
    return value == {} or moved(value)


def _is_day_of_evening(value: Any) -> bool:
    return value.year in EVENING_YEARS


def _is_clean(column: AnyField, value: Any) -> bool:
    """Whether the column, or one that holds nothing, takes the value."""
    try:
        return value in (None, "") or bool(column.clean(value, None) is not None)
    except ValidationError:
        return False


COLUMNS: Final[dict[str, Shape]] = {
    "clubs.Club.table_money": integer(0, MOST_PENCE),
    "clubs.Club.year_begins": integer(1, 12),
    "clubs.Club.guest_visits": optional(integer(1, MOST_VISITS)),
    "scorebook.Edition.declaration": object_with({}, allows_others=True),
    "scorebook.Book.length": COUNT,
    "scorebook.Book.moves": readable_by(Moves.read),
    "scorebook.Game.size": integer(2, 5),
    "scorebook.Game.wind_rounds": optional(SMALL),
    "scorebook.Game.hands_planned": optional(SMALL),
    "scorebook.Game.first_dealer": SEAT,
    "scorebook.Game.exchanges": EXCHANGES,
    "scorebook.Game.opening": optional(OPENING),
    "scorebook.Seat.number": SEAT,
    "scorebook.Seat.points": SUM,
    "scorebook.Seat.hands": SMALL,
    "scorebook.Seat.mahjongs": SMALL,
    "scorebook.Seat.best_hand": SCORE,
    "scorebook.Hand.number": FROM_ONE,
    "scorebook.Hand.report": REPORT,
    "scorebook.Hand.deal": DEAL,
    "scorebook.Hand.lines": mapping_of(SEAT_NAME, RECKONING),
    "scorebook.Hand.winner": optional(SEAT),
    **{f"scorebook.Hand.score_{seat}": optional(SCORE) for seat in SEAT_NUMBERS},
    **{f"scorebook.Hand.gain_{seat}": SUM for seat in SEAT_NUMBERS},
    "scorebook.Hand.payments": list_of(tuple_of(SEAT, SEAT, SUM)),
    "scorebook.Hand.limit": optional(SCORE),
    "scorebook.Agreement.seat": SEAT,
    "scorebook.LedgerEntry.points": SUM,
    "scorebook.RepairedGame.before": object_with(
        {
            "exchanges": EXCHANGES,
            "length": SMALL,
            "reports": mapping_of(number_as_text(1, 32_767), REPORT),
            "disputed": list_of(FROM_ONE),
        }
    ),
    "scorebook.RepairedGame.after": object_with(
        {"exchanges": EXCHANGES, "length": SMALL, "hands": list_of(KEY)}
    ),
    "scorebook.Link.number": integer(1, 10_000_000),
    "clubs.MemberImport.added": list_of(KEY),
    "clubs.MemberImport.before": mapping_of(
        string(20), object_with({"fields": _fields_of_a_person, "aliases": list_of(string(80))})
    ),
    "clubs.PlayerMerge.moved": _moved_by_a_merge,
    **{f"clubs.Retention.{name}": optional(integer(1, MOST_MONTHS)) for name in TERMS},
    "clubs.SeasonRules.number": FROM_ONE,
    "clubs.SeasonRules.declaration": readable_by(read_rules),
    "clubs.Handicap.points": integer(-MOST_HANDICAP, MOST_HANDICAP),
    "clubs.Session.held_on": _is_day_of_evening,
    "clubs.Session.version": COUNT,
    "clubs.Session.times_closed": COUNT,
    "clubs.SessionTable.number": FROM_ONE,
    "clubs.Wish.table": optional(integer(1, MOST_TABLES)),
    "clubs.Series.every": integer(1, MOST_WEEKS_APART),
    "clubs.Series.weeks": list_of(one_of(*ORDINALS)),
    "clubs.Series.version": COUNT,
    "clubs.Invitation.held_on": _is_day_of_evening,
    "clubs.TableMoney.pence": integer(0, MOST_PENCE),
    "clubs.Batch.kind": one_of(*KINDS),
    "clubs.Batch.about": optional(integer(0, 99_999_999)),
    "clubs.AuditEntry.about": mapping_of(string(60), PLAIN),
}
