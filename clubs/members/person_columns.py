"""Every column of a person's row, declared once: on forms, in files, exported, merged, erased.

The forms, the API, the members' file, the data export, merging and erasing read
``PERSON_COLUMNS`` and name no column of their own. A test compares it with the model, so that a
new column is declared here first.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from enum import Enum
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import EmailValidator
from django.utils import timezone

from clubs.core.forms import YEARS, ShownTextField, day_field
from clubs.language.moments import FieldValue
from clubs.language.phones import phone_fault
from clubs.models import PlayerKind, ShownAs
from clubs.models.names import name_key

EMAIL_VALIDATOR = EmailValidator()
NAME_STYLE_WORDS = {
    ShownAs.FULL: {"full", "full name", "in full", "whole", "whole name", "name"},
    ShownAs.INITIAL: {"initial", "initials", "first name and initial", "first name", "short"},
    ShownAs.HIDDEN: {"hidden", "hide", "none", "no name", "nameless", "anonymous", "private"},
}
YES_WORDS, NO_WORDS = {"yes", "y", "x", "1", "true"}, {"no", "n", "0", "false"}
DATE_FORMATS = (
    *("%Y %m %d", "%d %m %Y", "%d %m %y", "%d %B %Y", "%d %b %Y", "%d %B %y", "%d %b %y"),
    *("%B %d %Y", "%b %d %Y"),
)
WEEKDAY = re.compile(r"^(mon|tue|wed|thu|fri|sat|sun)[a-z]*\W+", re.IGNORECASE)
ORDINAL = re.compile(r"(?<=\d)(st|nd|rd|th)\b", re.IGNORECASE)
MIDNIGHT = re.compile(r"[ T]00:00(:00)?$")
MONTHS = 12
NUMBERS_OF_DATE = re.compile(r"(\d{1,2})[-./ ](\d{1,2})[-./ ](\d{2,4})", re.ASCII)
_MONTH = (
    "(jan(uary)?|feb(ruary)?|mar(ch)?|apr(il)?|may|june?|july?|aug(ust)?|sept?(ember)?"
    "|oct(ober)?|nov(ember)?|dec(ember)?)"
)
_VAGUE_WORDS = "(ca?|circa|about|approx|around|before|pre|since|early|mid|late)"
_SEASON = "(spring|summer|autumn|winter)"
_YEAR = r"((19|20)\d\d([-/]\d{2,4})?|['’]\d\d)"  # 2019/20 too; 19 alone may be a day
INCOMPLETE_DATE = re.compile(
    rf"({_VAGUE_WORDS}|{_SEASON}|{_MONTH}|\d{{1,2}}[-./ ])?[-./, ]*{_YEAR}|{_MONTH}",
    re.IGNORECASE | re.ASCII,
)
MOST_PHONE = 40
PHONE_WITHOUT_ZERO = re.compile(r"[12378][0-9]{8,9}")
PHONE_HEADINGS = (
    *("telephone", "phone number", "phone numbers", "mobile", "mobile number", "mobile phone"),
    *("home phone", "phone home", "landline", "contact number", "contact phone", "phone mobile"),
    *("home number", "work phone", "phone work", "phone landline", "daytime phone"),
    *("evening phone", "phone day", "phone evening", "phone 1"),
)
MOST_EMAIL = 254
SHOWN_AS_CHOICES = (
    (ShownAs.FULL, "Full name"),
    (ShownAs.INITIAL, "First name and initial, like Margaret H."),
    (ShownAs.HIDDEN, "Hidden (shown as “A member”)"),
)
SHOWN_AS_HINT = (
    "Used in results, the league, tournaments and on the projector screen. Organisers always see "
    "full names. At the table, hidden players are shown by first name so that people can find "
    "their seats."
)

Merge = Callable[[Any, Any], Any]


@dataclass(frozen=True, slots=True)
class FileColumn:
    """A column in a members' file: its heading, other headings, and how it is read.

    ``read`` turns the words of a cell that is not empty into the value, and raises ``ValueError``
    with a sentence; None for the name, which a line may have in two cells. ``guesses`` are
    headings that count only where most of the cells can be read. A second column that is named like
    that of ``first_column`` is this one. A program that sends people one
    by one may send what ``is_sent``.
    """

    heading: str
    read: Callable[[str], FieldValue] | None
    synonyms: tuple[str, ...] = ()
    guesses: tuple[str, ...] = ()
    is_sent: bool = True
    first_column: str = ""


class ExportHeading(Enum):
    """The parts of the data export that show columns of the person's row."""

    DETAILS = "Your details"


@dataclass(frozen=True, slots=True)
class NotInFile:
    """A file or the data export does not have the column, and why."""

    reason: str


@dataclass(frozen=True, slots=True)
class ErasedPerson:
    """What is known of a person after erasure: a name that says nothing, and the day."""

    name: str
    erased_on: date


@dataclass(frozen=True, slots=True)
class KeptColumn:
    """Erasing leaves the column as it is, and why."""

    reason: str


Erase = Callable[[ErasedPerson], Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonColumn:
    """A column of ``Player``, and what becomes of its value wherever people's data are handled.

    ``merge`` takes the value of the record that is kept and of the other, and returns that of the
    merged record. ``erase`` returns the value that an erased person's row has instead. The value
    of a contact is named before erasing, and taken out of everything that the club has written.
    Unless it says otherwise, a column is personal and stands in the data export.
    """

    name: str
    label: str
    is_personal: bool = True
    cell: FileColumn | NotInFile
    data_export: ExportHeading | NotInFile = ExportHeading.DETAILS
    merge: Merge
    erase: Erase | KeptColumn
    is_contact: bool = False
    field: Callable[[], forms.Field] | None = None
    is_for_new_people: bool = False


def keep_own(kept_value: Any, _merged_value: Any) -> Any:
    return kept_value


def fill_empty(kept_value: Any, merged_value: Any) -> Any:
    return merged_value if merged_value and not kept_value else kept_value


def earlier_day(kept_value: date | None, merged_value: date | None) -> date | None:
    """Merge: the first of the days that are known."""
    return min(filter(None, (kept_value, merged_value)), default=None)


def true_in_both(kept_value: bool, merged_value: bool) -> bool:  # noqa: FBT001 -- the values of a column
    """Merge: what is refused in either record stays refused."""
    return kept_value and merged_value


def true_in_either(kept_value: bool, merged_value: bool) -> bool:  # noqa: FBT001 -- the values of a column
    """Merge: what was refused in either record stays refused."""
    return kept_value or merged_value


def more_hidden_style(kept_value: str, merged_value: str) -> str:
    """Merge: whoever hid either name keeps it hidden."""
    return max(kept_value, merged_value, key=ShownAs.values.index)


def erase_to(value: Any) -> Erase:
    """Erase: this value instead, the same for everybody."""
    return lambda _former: value


def read_email(cell: str) -> str:
    """An address as people paste it: ``Ann <ann@example.org>``, ``mailto:``, with a full stop."""
    match = re.fullmatch(r"[^<>]*<([^<>]+)>", cell)
    plain = re.sub(r"^mailto:", "", match[1] if match else cell, flags=re.IGNORECASE)
    plain = plain.strip(" .,;:'\"()[]")
    try:
        EMAIL_VALIDATOR(plain)
    except ValidationError:
        raise ValueError(f"{cell[:80]} is not a valid email address.") from None
    return plain


def read_phone(cell: str) -> str:
    """A phone number: up to 40 characters with a digit among them.

    A spreadsheet takes a number for a number, and drops the 0 before it: 7700900123.
    """
    if len(cell) > MOST_PHONE or phone_fault(cell):
        raise ValueError(f"{cell[:80]} is not a valid phone number.")
    return f"0{cell}" if PHONE_WITHOUT_ZERO.fullmatch(cell) else cell


class PhoneField(ShownTextField):
    """A telephone number, with words beside it if need be: ``01328 123456 (not before 10)``."""

    def validate(self, value: Any) -> None:
        super().validate(value)
        if value and (fault := phone_fault(value)):
            raise ValidationError(fault, code="bad_phone")


def phone_field(label: str) -> forms.Field:
    return PhoneField(
        label=label,
        required=False,
        max_length=MOST_PHONE,
        widget=forms.TextInput(attrs={"type": "tel", "autocomplete": "off"}),
    )


def read_day(cell: str) -> date:
    """A day of ``YEARS``, in one of the ways that people and spreadsheets write it: 1st Sept 26."""
    plain = MIDNIGHT.sub("", WEEKDAY.sub("", ORDINAL.sub("", cell)))
    text = " ".join(re.split(r"[-./, ]+", re.sub(r"(?i)\bsept\b", "Sep", plain)))
    for date_format in DATE_FORMATS:
        try:
            day = datetime.strptime(text, date_format).date()  # noqa: DTZ007 -- a day has no time zone
        except ValueError:
            continue
        if day.year in YEARS:
            return day
    if is_incomplete_date(cell):
        raise ValueError(f"{cell[:40]} has no day. Use a date like 24/11/2026, or leave it out.")
    raise ValueError(f"{cell[:40]} is not a valid date. Use a date like 24/11/2026.")


def is_incomplete_date(cell: str) -> bool:
    """Whether a date is only a year or a month, of which no day can be known: 2019, May 2019."""
    return INCOMPLETE_DATE.fullmatch(cell.strip()) is not None


def is_month_first(cell: str) -> bool:
    """Whether this is a date only where the month comes first: 12/31/2025."""
    parts = NUMBERS_OF_DATE.fullmatch(cell.strip())
    return parts is not None and int(parts[1]) <= MONTHS < int(parts[2])


def put_day_first(cell: str) -> str:
    """A date that was written month first, day first: 12/31/2025 is 31/12/2025."""
    return NUMBERS_OF_DATE.sub(r"\2/\1/\3", cell.strip())


def read_yes_or_no(cell: str) -> bool:
    if cell.casefold() not in YES_WORDS | NO_WORDS:
        raise ValueError(f"{cell[:40]} must be yes or no.")
    return cell.casefold() in YES_WORDS


def read_kind(cell: str) -> str:
    if cell.casefold() not in PlayerKind.values:
        raise ValueError(f"{cell[:40]} must be member or guest.")
    return cell.casefold()


def read_shown_as(cell: str) -> str:
    """How others read the name, in any of the ways that lists say it."""
    text = " ".join(cell.replace("+", " and ").replace(".", " ").casefold().split())
    for style, synonyms in NAME_STYLE_WORDS.items():
        if text in synonyms:
            return style.value
    raise ValueError(f"{cell[:40]} is not a valid choice. Use full, initial or hidden.")


# In the order of the members' file and of the data export.
PERSON_COLUMNS: Final = (
    PersonColumn(
        name="id",
        label="key",
        is_personal=False,
        cell=NotInFile("a line is matched to a person by their names"),
        data_export=NotInFile("a number that tells rows apart"),
        merge=keep_own,
        erase=KeptColumn("results point to it"),
    ),
    PersonColumn(
        name="club_id",
        label="club",
        is_personal=False,
        cell=NotInFile("a file is of one club"),
        data_export=NotInFile("it stands at the head of the export"),
        merge=keep_own,
        erase=KeptColumn("results are the club’s"),
    ),
    PersonColumn(
        name="name",
        label="name",
        cell=FileColumn(
            "name",
            None,
            (
                *("full name", "member", "player", "member name", "members name", "name of member"),
                *("players name", "player name", "names", "name in full"),
            ),
        ),
        merge=keep_own,
        erase=lambda former: former.name,
        field=lambda: forms.CharField(
            label="Name",
            error_messages={"required": "Enter a name."},
            help_text="As it should appear in the league table.",
            widget=forms.TextInput(attrs={"autocomplete": "off"}),
        ),
        is_for_new_people=True,
    ),
    PersonColumn(
        name="name_key",
        label="key of the name",
        cell=NotInFile("it follows from the name"),
        data_export=NotInFile("it follows from the name"),
        merge=keep_own,
        erase=lambda former: name_key(former.name),
    ),
    PersonColumn(
        name="kind",
        label="member or guest",
        cell=FileColumn("kind", read_kind, ("member or guest",), ("type", "membership", "status")),
        merge=keep_own,
        erase=KeptColumn("the league table counts members alone"),
        field=lambda: forms.ChoiceField(
            label="Member or guest",
            choices=[("member", "A member"), ("guest", "Guest (not in the league table)")],
            widget=forms.RadioSelect,
        ),
    ),
    PersonColumn(
        name="email",
        label="email",
        is_contact=True,
        cell=FileColumn(
            "email",
            read_email,
            (
                "email address",
                "mail",
                "emails",
                "email addresses",
                "email add",
                "mail address",
                "email id",
            ),
        ),
        merge=fill_empty,
        erase=erase_to(""),
        field=lambda: forms.EmailField(
            label="Email address",
            required=False,
            max_length=MOST_EMAIL,
            error_messages={
                "invalid": "Enter an email address in the correct format, like name@example.org."
            },
        ),
        is_for_new_people=True,
    ),
    PersonColumn(
        name="failed_email",
        label="address that emails come back from",
        is_contact=True,
        cell=NotInFile("Tongbox finds it out by writing there"),
        merge=keep_own,
        erase=erase_to(""),
    ),
    PersonColumn(
        name="email_failed_on",
        label="emails come back since",
        cell=NotInFile("Tongbox finds it out by writing there"),
        merge=keep_own,
        erase=erase_to(None),
    ),
    PersonColumn(
        name="phone",
        label="phone",
        is_contact=True,
        cell=FileColumn("phone", read_phone, PHONE_HEADINGS),
        merge=fill_empty,
        erase=erase_to(""),
        field=lambda: phone_field("Phone"),
        is_for_new_people=True,
    ),
    PersonColumn(
        name="second_phone",
        label="second phone",
        is_contact=True,
        cell=FileColumn(
            "second phone",
            read_phone,
            ("phone 2", "2nd phone", "other phone", "alternative phone"),
            first_column="phone",
        ),
        merge=fill_empty,
        erase=erase_to(""),
        field=lambda: phone_field("Second phone"),
        is_for_new_people=True,
    ),
    PersonColumn(
        name="joined_on",
        label="joined",
        cell=FileColumn(
            "joined",
            read_day,
            (
                *("date joined", "joined on", "member since", "joining date", "date of joining"),
                *(
                    "doj",
                    "joined club",
                    "join date",
                    "joining",
                    "member from",
                    "date of joining club",
                ),
            ),
            ("since", "start", "start date"),
        ),
        merge=earlier_day,
        erase=erase_to(None),
        field=lambda: day_field(
            "Joined on",
            required=False,
            initial=timezone.localdate,
            help_text="Leave empty if nobody knows.",
        ),
        is_for_new_people=True,
    ),
    PersonColumn(
        name="added_on",
        label="on the list since",
        cell=NotInFile("it is the day of the import itself"),
        merge=earlier_day,
        erase=lambda former: former.erased_on,
    ),
    PersonColumn(
        name="paid_until",
        label="paid until",
        cell=FileColumn(
            "paid until",
            read_day,
            (
                *("paid to", "paid till", "paid up to", "paid up until", "subscription paid until"),
                *("subs paid until", "subscription until", "subs until", "expires", "expiry"),
                *("expiry date", "renewal date", "renewal due", "valid until", "valid to"),
                *("subs paid to", "subs paid till", "subs paid up to", "subs expires", "subs to"),
                *("subs valid until", "subs valid to", "subs renewal", "subs due", "next subs due"),
                *("expires on", "renew by", "renewal due date", "paid to date", "subs end"),
            ),
            ("paid", "subs", "subscription", "subs paid", "subscription paid", "renewal", "due"),
        ),
        merge=fill_empty,
        erase=erase_to(None),
        field=lambda: day_field(
            "Paid until", required=False, help_text="The last day the subscription covers."
        ),
    ),
    PersonColumn(
        name="wants_messages",
        label="messages by email",
        cell=FileColumn(
            "messages by email", read_yes_or_no, ("club messages by email",), is_sent=False
        ),
        merge=true_in_both,
        erase=erase_to(True),  # noqa: FBT003 -- the value of a column
        field=lambda: forms.BooleanField(
            label="Email the club’s messages",
            required=False,
            help_text="Without this they are on the phone list when you write to members.",
        ),
    ),
    PersonColumn(
        name="wants_results",
        label="results by email",
        cell=FileColumn("results by email", read_yes_or_no, is_sent=False),
        merge=keep_own,
        erase=erase_to(False),  # noqa: FBT003 -- the value of a column
        field=lambda: forms.BooleanField(label="Email each evening’s result", required=False),
        is_for_new_people=True,
    ),
    PersonColumn(
        name="refuses_results",
        label="refused results by email",
        cell=NotInFile("it follows from “results by email” once it was chosen"),
        merge=true_in_either,
        erase=erase_to(False),  # noqa: FBT003 -- the value of a column
    ),
    PersonColumn(
        name="is_active",
        label="active",
        cell=FileColumn("active", read_yes_or_no, ("still comes",), is_sent=False),
        merge=keep_own,
        erase=erase_to(False),  # noqa: FBT003 -- the value of a column
        field=lambda: forms.BooleanField(
            label="Active",
            required=False,
            help_text="People who have left keep their results but no longer appear at check-in.",
        ),
    ),
    PersonColumn(
        name="lapsed_on",
        label="left on",
        cell=FileColumn(
            "left on", read_day, ("lapsed", "left", "date left", "leaving date"), is_sent=False
        ),
        merge=keep_own,
        erase=erase_to(None),
    ),
    PersonColumn(
        name="shown_as",
        label="name shown as",
        cell=FileColumn("shown as", read_shown_as, ("name shown as", "name shown", "show name as")),
        merge=more_hidden_style,
        erase=erase_to(ShownAs.FULL),
        field=lambda: forms.ChoiceField(
            label="Name shown as",
            choices=SHOWN_AS_CHOICES,
            required=False,
            initial=ShownAs.FULL,
            help_text=SHOWN_AS_HINT,
            widget=forms.RadioSelect,
        ),
        is_for_new_people=True,
    ),
    PersonColumn(
        name="erased_on",
        label="data deleted on",
        is_personal=False,
        cell=NotInFile("a file is of people whose data are kept"),
        data_export=NotInFile("it is empty until there is nothing left to export"),
        merge=keep_own,
        erase=lambda former: former.erased_on,
    ),
)

SENT_COLUMNS: Final = tuple(
    column.name
    for column in PERSON_COLUMNS
    if isinstance(column.cell, FileColumn) and column.cell.is_sent
)
COLUMN_LABELS: Final[Mapping[str, str]] = {column.name: column.label for column in PERSON_COLUMNS}
FILE_COLUMNS: Final[Mapping[str, FileColumn]] = {
    column.name: column.cell for column in PERSON_COLUMNS if isinstance(column.cell, FileColumn)
}
EDITED_COLUMNS: Final = tuple(column.name for column in PERSON_COLUMNS if column.field)
CONTACT_COLUMNS: Final = tuple(column.name for column in PERSON_COLUMNS if column.is_contact)


def erased_values(former: ErasedPerson) -> dict[str, Any]:
    """By column what an erased person's row holds; a column that is kept is not among them."""
    return {
        column.name: column.erase(former)
        for column in PERSON_COLUMNS
        if not isinstance(column.erase, KeptColumn)
    }


def person_fields(*, new: bool) -> dict[str, forms.Field]:
    """The form fields of a new person, or of everything that can be changed, by column."""
    return {
        column.name: column.field()
        for column in PERSON_COLUMNS
        if column.field and (column.is_for_new_people or not new)
    }
