"""Values in the rows of a club file that no form of Tongbox would have saved.

Each column of numbers or of JSON says what it may hold; every other column's field says it. A row
is checked before any transaction begins, so a wrong one costs nobody else anything.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.db.models import ForeignKey, Model

from clubs.clubfile.archive import CHANGED, ClubFile
from clubs.clubfile.contents import TABLES, AnyField, Table
from clubs.clubfile.selectors import encoded
from clubs.clubfile.shapes import (
    COUNT,
    FROM_ONE,
    KEY,
    PLAIN,
    SMALL,
    UNREADABLE,
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
from clubs.evenings.schemas import MOST_PENCE
from clubs.evenings.selectors.calendar import ORDINALS, pattern_of
from clubs.evenings.services.calendar import check_pattern
from clubs.league.services import MOST_HANDICAP
from clubs.league_rules.rules import read_rules
from clubs.members.forms import MOST_VISITS
from clubs.members.person_columns import PERSON_COLUMNS
from clubs.members.selectors import relations
from clubs.messages.message_kinds import KINDS
from clubs.models import Holiday, Player, Season, Series
from clubs.privacy.forms import MOST_MONTHS
from scoring import UnknownRuleSet, Wind
from scoring.house import BadHouseRules, read_house_rules
from scoring.scorebook.editions import key_of
from scoring.scorebook.ledger import canonical
from scoring.scorebook.models import SEAT_NUMBERS, Edition
from scoring.scorebook.moves import Moves
from scoring.scorebook.refusals import Refused, refuse
from scoring.scorebook.reports import MOST_POINTS
from scoring.table.progression import Opening

OTHER_RULES: Final = "This file holds house rules that this Tongbox cannot read."
MOST_OF_A_SUM: Final = 100 * MOST_POINTS
EVENING_YEARS: Final = range(1900, 2201)
CLOCK_YEARS: Final = range(1920, 2201)  # of moments, which no one types
TERMS: Final = ("guests", "lapsed", "letters", "money", "deeds")

SEAT: Final = integer(SEAT_NUMBERS[0], SEAT_NUMBERS[-1])
SEAT_NAME: Final = number_as_text(SEAT_NUMBERS[0], SEAT_NUMBERS[-1])
SUM: Final = integer(-MOST_OF_A_SUM, MOST_OF_A_SUM)
SCORE: Final = integer(0, MOST_POINTS)
REPORTED_SCORE: Final = integer(-MOST_POINTS, MOST_POINTS)
WIND: Final = one_of(*(str(wind) for wind in Wind))
TILES: Final = list_of(string(20))
EXCHANGES: Final = list_of(tuple_of(FROM_ONE, SEAT, SEAT))


class Impossible(ValueError):
    """A value that Tongbox never writes; its text is the name of the column."""


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
COLUMNS: Final[dict[str, Shape]] = {
    "clubs.Club.table_money": integer(0, MOST_PENCE),
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


def refuse_impossible_rows(club_file: ClubFile) -> None:
    """Refused with the first row that only another program can have made."""
    for table in TABLES:
        for number, data in enumerate(club_file.rows(table.label), 1):
            try:
                check_row(table, data)
            except (ValidationError, *UNREADABLE) as why:
                raise refuse_row(table, number, why) from why


def check_row(table: Table, data: Mapping[str, Any]) -> None:
    """Raises ``Impossible`` for a column, or whatever the check of the whole row raises."""
    row = table.model()
    columns = {column.name: column for column in table.columns}
    for name, value in values_in(table, data).items():
        setattr(row, name, value)
        shape = COLUMNS.get(f"{table.label}.{name}")
        if not _fits(columns[name], value, row) or (shape and not shape(value)):
            raise Impossible(name)
    if check := ROWS.get(table.model):
        check(row)


def refuse_row(table: Table, number: int, why: Exception) -> Refused:
    """That this row, counted from 1, cannot be right, and in which column if it is one."""
    column = str(why) if isinstance(why, Impossible) else ""
    what = f"an impossible value for “{column}”" if column else "impossible values"
    sentence = f"{CHANGED} Row {number} of the {table.plural} has {what}. Download the club again."
    return refuse("damaged", sentence, "file")


def values_in(table: Table, data: Mapping[str, Any]) -> dict[str, Any]:
    """The row's columns but those that point elsewhere, as its fields have them.

    Raises ``ValueError`` where a row has other columns, and ``Impossible`` or ``ValidationError``
    for a value that was never written from such a field.
    """
    columns = {column.name: column for column in table.columns}
    if data.keys() != columns.keys():
        raise ValueError(sorted(data))
    return {
        name: _value(column, data[name])
        for name, column in columns.items()
        if not isinstance(column, ForeignKey)
    }


def _value(column: AnyField, written: Any) -> Any:
    if written is None:
        if not column.null:
            raise Impossible(column.name)
        return None
    try:
        value = column.to_python(written)
        is_as_written = type(value) is type(written) and value == written
        is_alike = is_as_written or canonical(encoded(value)) == canonical(written)
    except (ValidationError, *UNREADABLE) as why:
        raise Impossible(column.name) from why
    if not is_alike:
        raise Impossible(column.name)
    return value


def _fits(column: AnyField, value: Any, row: Model) -> bool:
    """Whether the column's own field takes the value; a moment must also be in a plausible year.

    Days may be of any year: until forms asked for ``YEARS``, a secretary could save any, and a
    club must never be kept out by its own file.
    """
    if isinstance(value, datetime) and value.year not in CLOCK_YEARS:
        return False
    if value in column.empty_values:
        is_needed = column.choices or column.name == "name"
        return column.blank or column.null or not is_needed
    try:
        column.clean(value, row)
    except ValidationError:
        return False
    return True


def _check_edition(row: Any) -> None:
    """Raises ``Refused`` for house rules that are of another Tongbox."""
    try:
        declared = read_house_rules(row.declaration, kept=True)
    except (BadHouseRules, UnknownRuleSet, *UNREADABLE) as why:
        raise refuse("bad_rules", OTHER_RULES, "file") from why
    if key_of(declared) != row.key:
        raise refuse("bad_rules", OTHER_RULES, "file")


def _check_series(row: Any) -> None:
    try:
        check_pattern(pattern=pattern_of(row), starts_at=row.starts_at, ends_at=row.ends_at)
    except Refused as why:
        raise Impossible("first_on") from why


def _check_holiday(row: Any) -> None:
    if row.last_on < row.first_on:
        raise Impossible("last_on")


def _check_season(row: Any) -> None:
    if row.ends_on < row.starts_on:
        raise Impossible("ends_on")


ROWS: Final[dict[type[Model], Callable[[Any], None]]] = {
    Edition: _check_edition,
    Series: _check_series,
    Holiday: _check_holiday,
    Season: _check_season,
}


def register(
    columns: Mapping[str, Shape], rows: Mapping[type[Model], Callable[[Any], None]]
) -> None:
    """For apps above: what the columns of their tables may hold, and rows as a whole."""
    COLUMNS.update(columns)
    ROWS.update(rows)
