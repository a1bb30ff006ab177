"""What no form of Tongbox would have saved, in the rows of a club file.

Each column of numbers or of JSON says what it may hold; every other column's field says it. A row
is checked before any transaction begins, so a wrong one costs nobody else anything.
"""

from collections.abc import Callable, Mapping
from datetime import date, datetime
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
    flag,
    listed,
    mapped,
    maybe,
    number_as_text,
    one_of,
    read_by,
    record,
    text,
    tupled,
    whole,
)
from clubs.evenings.forms import MOST_TABLES, MOST_WEEKS_APART
from clubs.evenings.schemas import MOST_PENCE
from clubs.evenings.selectors.calendar import MONEY_YEARS, ORDINALS, pattern_of
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
TERMS: Final = ("guests", "lapsed", "letters", "money", "deeds")

SEAT: Final = whole(SEAT_NUMBERS[0], SEAT_NUMBERS[-1])
SEAT_NAME: Final = number_as_text(SEAT_NUMBERS[0], SEAT_NUMBERS[-1])
SUM: Final = whole(-MOST_OF_A_SUM, MOST_OF_A_SUM)
SCORE: Final = whole(0, MOST_POINTS)
TOLD: Final = whole(-MOST_POINTS, MOST_POINTS)
WIND: Final = one_of(*(str(wind) for wind in Wind))
TILES: Final = listed(text(20))
EXCHANGES: Final = listed(tupled(FROM_ONE, SEAT, SEAT))


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
    moved = record(
        {
            "rows": mapped(columns, listed(KEY)),
            "aliases": listed(KEY),
            "alias": maybe(KEY),
            "filled": _fields_of_a_person,
            "was_active": flag,
        }
    )
    return value == {} or moved(value)


def _is_clean(column: AnyField, value: Any) -> bool:
    """Whether the column, or one that holds nothing, takes the value."""
    try:
        return value in (None, "") or bool(column.clean(value, None) is not None)
    except ValidationError:
        return False


_PAIRS: Final = mapped(text(60), tupled(PLAIN, PLAIN))
REPORT: Final = record(
    {"winner": maybe(SEAT)},
    {
        "totals": mapped(SEAT_NAME, maybe(TOLD)),
        "tiles": mapped(
            SEAT_NAME,
            record(
                {},
                {
                    "sets": listed(record({"tiles": TILES, "exposed": flag})),
                    "concealed": TILES,
                    "bonus": TILES,
                    "winning_tile": maybe(text(20)),
                    "facts": listed(text(60)),
                },
            ),
        ),
        "won_by": text(60),
        "discarder": SEAT,
        "pays_for_all": SEAT,
        "tallies": mapped(SEAT_NAME, TOLD),
        "had": mapped(SEAT_NAME, TOLD),
        "as_counted": flag,
        "only_winner": flag,
    },
)
RECKONING: Final = record(
    {"total": SCORE},
    {
        "special": maybe(text(60)),
        "arrangement": listed(record({"tiles": TILES}, more=True)),
        "items": listed(record({}, more=True)),
    },
    more=True,
)
DEAL: Final = record(
    {
        "winds": mapped(SEAT_NAME, WIND),
        "dealer": SEAT,
        "prevailing_wind": maybe(WIND),
        "goulash": flag,
        "sits_out": maybe(SEAT),
    }
)
OPENING: Final = record(
    {"seats": listed(maybe(SEAT)), "state": read_by(Opening.from_json)}, {"hands": SMALL}
)
COLUMNS: Final[dict[str, Shape]] = {
    "clubs.Club.table_money": whole(0, MOST_PENCE),
    "clubs.Club.guest_visits": maybe(whole(1, MOST_VISITS)),
    "scorebook.Edition.declaration": record({}, more=True),
    "scorebook.Book.length": COUNT,
    "scorebook.Book.moves": read_by(Moves.read),
    "scorebook.Game.size": whole(2, 5),
    "scorebook.Game.wind_rounds": maybe(SMALL),
    "scorebook.Game.hands_planned": maybe(SMALL),
    "scorebook.Game.first_dealer": SEAT,
    "scorebook.Game.exchanges": EXCHANGES,
    "scorebook.Game.opening": maybe(OPENING),
    "scorebook.Seat.number": SEAT,
    "scorebook.Seat.points": SUM,
    "scorebook.Seat.hands": SMALL,
    "scorebook.Seat.mahjongs": SMALL,
    "scorebook.Seat.best_hand": SCORE,
    "scorebook.Hand.number": FROM_ONE,
    "scorebook.Hand.report": REPORT,
    "scorebook.Hand.deal": DEAL,
    "scorebook.Hand.lines": mapped(SEAT_NAME, RECKONING),
    "scorebook.Hand.winner": maybe(SEAT),
    **{f"scorebook.Hand.score_{seat}": maybe(SCORE) for seat in SEAT_NUMBERS},
    **{f"scorebook.Hand.gain_{seat}": SUM for seat in SEAT_NUMBERS},
    "scorebook.Hand.payments": listed(tupled(SEAT, SEAT, SUM)),
    "scorebook.Hand.limit": maybe(SCORE),
    "scorebook.Agreement.seat": SEAT,
    "scorebook.LedgerEntry.points": SUM,
    "scorebook.RepairedGame.before": record(
        {
            "exchanges": EXCHANGES,
            "length": SMALL,
            "reports": mapped(number_as_text(1, 32_767), REPORT),
            "disputed": listed(FROM_ONE),
        }
    ),
    "scorebook.RepairedGame.after": record(
        {"exchanges": EXCHANGES, "length": SMALL, "hands": listed(KEY)}
    ),
    "scorebook.Link.number": whole(1, 10_000_000),
    "clubs.MemberImport.added": listed(KEY),
    "clubs.MemberImport.before": mapped(
        text(20), record({"fields": _fields_of_a_person, "aliases": listed(text(80))})
    ),
    "clubs.PlayerMerge.moved": _moved_by_a_merge,
    **{f"clubs.Retention.{name}": maybe(whole(1, MOST_MONTHS)) for name in TERMS},
    "clubs.SeasonRules.number": FROM_ONE,
    "clubs.SeasonRules.declaration": read_by(read_rules),
    "clubs.Handicap.points": whole(-MOST_HANDICAP, MOST_HANDICAP),
    "clubs.Session.version": COUNT,
    "clubs.Session.times_closed": COUNT,
    "clubs.SessionTable.number": FROM_ONE,
    "clubs.Wish.table": maybe(whole(1, MOST_TABLES)),
    "clubs.Series.every": whole(1, MOST_WEEKS_APART),
    "clubs.Series.weeks": listed(one_of(*ORDINALS)),
    "clubs.Series.version": COUNT,
    "clubs.TableMoney.pence": whole(0, MOST_PENCE),
    "clubs.Batch.kind": one_of(*KINDS),
    "clubs.Batch.about": maybe(whole(0, 99_999_999)),
    "clubs.AuditEntry.about": mapped(text(60), PLAIN),
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
    sentence = f"{CHANGED} Row {number} of {table.label} has {what}. Download the club again."
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
    """Whether the column's own field takes the value, and it is of our age."""
    if isinstance(value, (date, datetime)) and value.year not in MONEY_YEARS:
        return False
    if value in column.empty_values:
        return column.blank or column.null or not column.choices
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
