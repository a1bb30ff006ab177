"""A line of a list of members: what may stand in its columns, read strictly, and written again."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime

from django.core.exceptions import ValidationError
from django.core.validators import EmailValidator

from clubs.cells import unguarded
from clubs.likenames import turned
from clubs.models import PlayerKind, ShownAs
from clubs.moments import long_date
from clubs.names import name_fault, name_key, tidy_name

EMAIL = EmailValidator()
COLUMNS = "name, and email, phone, joined, paid until, nickname and shown as if you have them"
SYNONYMS = {
    "full name": "name",
    "member": "name",
    "first name": "forename",
    "firstname": "forename",
    "given name": "forename",
    "last name": "surname",
    "lastname": "surname",
    "family name": "surname",
    "email address": "email",
    "mail": "email",
    "telephone": "phone",
    "phone number": "phone",
    "mobile": "phone",
    "date joined": "joined",
    "joined on": "joined",
    "member since": "joined",
    "paid to": "paid until",
    "paid till": "paid until",
    "nicknames": "nickname",
    "known as": "nickname",
    "also known as": "nickname",
    "name shown as": "shown as",
    "name shown": "shown as",
    "show name as": "shown as",
    "still comes": "active",
    "lapsed": "left on",
    "left": "left on",
    "date left": "left on",
}
HEADINGS = (
    "name", "kind", "email", "phone", "joined", "paid until", "nickname",
    "results by email", "active", "left on", "shown as",
)  # fmt: skip
WAYS = {
    ShownAs.FULL: {"full", "full name", "in full", "whole", "whole name", "name"},
    ShownAs.INITIAL: {"initial", "initials", "first name and initial", "first name", "short"},
    ShownAs.HIDDEN: {"hidden", "hide", "none", "no name", "nameless", "anonymous", "private"},
}
YES, NO = {"yes", "y", "x", "1", "true"}, {"no", "n", "0", "false"}
DAYS = ("%Y-%m-%d", "%d/%m/%Y", "%d.%m.%Y", "%d-%m-%Y", "%d %B %Y", "%d %b %Y", "%d/%m/%y")
OUR_OWN = "results by email"
FIRST_YEAR = 1900
MOST_PHONE = 40
Value = str | bool | date


@dataclass(frozen=True, slots=True)
class MemberLine:
    """One person of a list: the line they end on, and of each field what stands there, if any."""

    number: int
    name: str
    nicknames: tuple[str, ...] = ()
    fields: Mapping[str, Value] = field(default_factory=dict)
    faults: tuple[str, ...] = ()

    @property
    def told(self) -> list[str]:
        """What stands in the line beside the name, in words: ``phone: 01225 1234``."""
        return [f"{READINGS[key].label}: {said(value)}" for key, value in self.fields.items()]


def read_line(number: int, row: Mapping[str, str]) -> MemberLine:
    """The line with everything wrong in it, each in a sentence; an empty cell says nothing.

    Names with a comma are turned round, but for lists that Tongbox itself wrote.
    """
    told = {column: unguarded(cell.strip()) for column, cell in row.items()}
    written = told.get("name") or f"{told.get('forename', '')} {told.get('surname', '')}"
    name = tidy_name(written if OUR_OWN in row else turned(tidy_name(written)))
    names = [tidy_name(one) for one in told.get("nickname", "").split(";") if tidy_name(one)]
    others = {name_key(one): one for one in names if name_key(one) != name_key(name)}
    fields: dict[str, Value] = {}
    faults = [fault for fault in map(name_fault, (name, *others.values())) if fault]
    for key, reading in READINGS.items():
        try:
            if cell := told.get(reading.column, ""):
                fields[key] = reading.read(cell)
        except ValueError as wrong:
            faults.append(str(wrong))
    return MemberLine(number, name, tuple(others.values()), fields, tuple(faults))


def cells_of(fields: Mapping[str, Value | None], name: str, nicknames: Iterable[str]) -> list[str]:
    """A person's cells, in the order of ``HEADINGS``, as ``read_line`` reads them."""
    cells = {READINGS[key].column: in_words(value) for key, value in fields.items()}
    cells |= {"name": name, "nickname": "; ".join(nicknames)}
    return [cells[heading] for heading in HEADINGS]


def in_words(value: Value | None) -> str:
    """A field as it stands in a cell: ``yes``, ``2026-11-24``, nothing where there is none."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value.isoformat() if isinstance(value, date) else value or ""


def said(value: Value | None) -> str:
    """A field as someone reads it: ``24 November 2026``."""
    return long_date(value) if isinstance(value, date) else in_words(value)


def _email(cell: str) -> str:
    try:
        EMAIL(cell)
    except ValidationError:
        raise ValueError(f"{cell[:80]} is not a valid email address.") from None
    return cell


def _phone(cell: str) -> str:
    if len(cell) > MOST_PHONE or not re.search("[0-9]", cell):
        raise ValueError(f"{cell[:80]} is not a valid phone number.")
    return cell


def _day(cell: str) -> date:
    for way in DAYS:
        try:
            day = datetime.strptime(cell, way).date()  # noqa: DTZ007 -- a day has no time zone
        except ValueError:
            continue
        if day.year >= FIRST_YEAR:
            return day
    raise ValueError(f"{cell[:40]} is not a valid date. Use a date like 24/11/2026.")


def _yes(cell: str) -> bool:
    if cell.casefold() not in YES | NO:
        raise ValueError(f"{cell[:40]} must be yes or no.")
    return cell.casefold() in YES


def _kind(cell: str) -> str:
    if cell.casefold() not in PlayerKind.values:
        raise ValueError(f"{cell[:40]} must be member or guest.")
    return cell.casefold()


def _shown_as(cell: str) -> str:
    told = " ".join(cell.replace("+", " and ").replace(".", " ").casefold().split())
    for way, words in WAYS.items():
        if told in words:
            return way.value
    raise ValueError(f"{cell[:40]} is not a valid choice. Use full, initial or hidden.")


@dataclass(frozen=True, slots=True)
class Reading:
    """Where a field of a person stands in a list, what it is called, and how a cell is read.

    ``read`` raises ``ValueError`` with a sentence.
    """

    column: str
    label: str
    read: Callable[[str], Value]


READINGS = {
    "kind": Reading("kind", "member or guest", _kind),
    "email": Reading("email", "email", _email),
    "phone": Reading("phone", "phone", _phone),
    "joined_on": Reading("joined", "joined", _day),
    "paid_until": Reading("paid until", "paid until", _day),
    "wants_results": Reading("results by email", "results by email", _yes),
    "is_active": Reading("active", "active", _yes),
    "lapsed_on": Reading("left on", "left on", _day),
    "shown_as": Reading("shown as", "name shown as", _shown_as),
}
