"""What a secretary enters about members, and how a member wants to be named."""

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from django import forms
from django.core.exceptions import ValidationError
from django.forms.boundfield import BoundWidget

from clubs.core.forms import ChangeForm, PersonField
from clubs.core.people_names import MatchKind, active_records
from clubs.core.written_names import split_pair
from clubs.members.files import (
    NO_DAY,
    TARGETS,
    SheetTooLong,
    Unreadable,
    read_workbook_list,
    written_name,
)
from clubs.members.import_plan import (
    NEW_CHOICE,
    SKIP_CHOICE,
    TWO_CHOICE,
    Answers,
    ImportPlan,
    PlannedLine,
    choice_of,
    names_of_two,
)
from clubs.members.lists import NAME_HALVES, NOT_IMPORTED, ListColumn, Target, decode_file
from clubs.members.person_columns import person_fields
from clubs.members.services.people import Details
from clubs.models import Player, PlayerKind, ShownAs
from clubs.models.names import PUBLIC_READER, Person, name_fault, shown_names, tidy_name

MAX_LIST_BYTES = 200_000
MAX_TEXT_LENGTH = 2 * MAX_LIST_BYTES  # browsers make two characters of the end of a line
MOST_WORKBOOK_BYTES = 2_000_000
WORKBOOK_SIGNATURE = b"PK\x03\x04"
OLD_WORKBOOK_SIGNATURE = b"\xd0\xcf\x11\xe0"
UNREADABLE_MESSAGE = (
    "This file cannot be read. In the spreadsheet choose “Save as”, "
    "then “Excel workbook (.xlsx)” or “CSV UTF-8”."
)


TOO_LONG_MESSAGE = "That list is too long. Import it in smaller parts."
MOST_VISITS = 100
NEW_PERSON = (NEW_CHOICE, "New person")
ANOTHER_PERSON = (NEW_CHOICE, "Another person with this name")
WHEN_CORRECT = ("", "Import when corrected")  # only then is it known who that is
LEAVE_OUT = (SKIP_CHOICE, "Skip this line")
NAME_OF_ONE_LABEL = "Name, if you add only one"
TWO_PEOPLE = (TWO_CHOICE, "Two new people")
TWO_WHEN_CORRECT = (TWO_CHOICE, "Import both when corrected")
ONE_OF_TWO = (NEW_CHOICE, "One new person")
DO_NOT_IMPORT = (NOT_IMPORTED, "Do not import")
LABELS_OF_TARGETS = {target.key: target.label for target in TARGETS}
NAME_KEYS = {"name", *NAME_HALVES}
SHOWN_COLUMN = re.compile(r"([0-9]+):(.*?)(?= [0-9]+:|$)")  # 2:paid until
KEEP_CAPITALS = "keep"
ANSWER_FIELD = re.compile(r"(column|line|mend)_([0-9]{1,6})(?:_(.+))?")

NAME_STYLE_NOTES = {
    ShownAs.FULL: "Everyone sees your full name.",
    ShownAs.INITIAL: "Only the first letter of your surname is shown.",
    ShownAs.HIDDEN: "Your results appear without your name.",
}
CHOOSE_MESSAGE = "Choose one of the three."


class MemberForm(forms.Form):
    """A new person in the club."""

    field_order = (
        "name",
        "nicknames",
        "email",
        "wants_messages",
        "wants_results",
        "phone",
        "second_phone",
        "shown_as",
        "kind",
        "joined_on",
        "paid_until",
        "is_active",
    )

    def clean_shown_as(self) -> ShownAs:
        """The way that was chosen; where nothing was, it stays as it is."""
        return ShownAs(self.cleaned_data["shown_as"] or self["shown_as"].initial)

    def clean(self) -> dict[str, Any]:
        """Results can only be sent to an address."""
        if self.cleaned_data.get("wants_results") and self.cleaned_data.get("email") == "":
            self.add_error(
                "email",
                "Enter an email address for the results, or untick “Email each evening’s result”.",
            )
        return self.cleaned_data


MemberForm.base_fields |= person_fields(new=True)


class NicknamesField(forms.CharField):
    """Names with semicolons or commas between them, as a tuple."""

    def to_python(self, value: Any) -> tuple[str, ...]:  # type: ignore[override]
        names = value if isinstance(value, tuple) else re.split("[;,]", value or "")
        return tuple(filter(None, map(tidy_name, names)))

    def prepare_value(self, value: Any) -> Any:
        return "; ".join(value) if isinstance(value, tuple) else value


class MemberChangeForm(ChangeForm, MemberForm):
    """Everything that the club holds on a person."""

    nicknames = NicknamesField(
        label="Also known as",
        required=False,
        help_text="Nicknames and previous names, separated by semicolons: Peg; Peggy",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def clean_kind(self) -> PlayerKind:
        return PlayerKind(self.cleaned_data["kind"])

    def clean_nicknames(self) -> tuple[str, ...]:
        names: tuple[str, ...] = self.cleaned_data["nicknames"]
        if faults := [fault for fault in map(name_fault, names) if fault]:
            raise ValidationError(faults)
        return names


MemberChangeForm.base_fields |= person_fields(new=False)


class ImportForm(forms.Form):
    """A list of members as a file or as text; ``text`` holds what was read of either."""

    targets = TARGETS
    is_guessed = False  # whether the file did not say how its letters are stored
    other_sheets: tuple[str, ...] = ()  # of a workbook, with a list that is not read
    has_both = False  # a file, and another list that is not read
    file = forms.FileField(
        label="Spreadsheet file",
        required=False,
        error_messages={"empty": "This file is empty."},
        help_text="An Excel workbook or a CSV file, with a line that names the columns, "
        "such as name and email.",
        widget=forms.FileInput(attrs={"accept": ".xlsx,.csv,.tsv,.txt,text/csv,text/plain"}),
    )
    text = forms.CharField(
        label="Or paste a list",
        required=False,
        strip=False,
        max_length=MAX_LIST_BYTES,
        help_text="Names alone, one a line, are enough. For more, put the column names above the "
        "list, for example: name,email",
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false"}),
        error_messages={"max_length": TOO_LONG_MESSAGE},
    )

    def clean_file(self) -> str:
        """The file's text; of a workbook the first sheet with a list, as CSV."""
        file = self.cleaned_data["file"]
        if not file:
            return ""
        begin = file.read(len(OLD_WORKBOOK_SIGNATURE))
        file.seek(0)
        is_workbook = begin.startswith(WORKBOOK_SIGNATURE)
        most = MOST_WORKBOOK_BYTES if is_workbook else MAX_LIST_BYTES
        if file.size > most:
            raise ValidationError(
                f"This file is {file.size // 1000:,} kB. A member list can be up to "
                f"{most // 1000:,} kB. Check that you chose the right file."
            )
        content: bytes = file.read()
        if is_workbook:
            try:
                text, self.other_sheets = read_workbook_list(content, self.targets)
            except SheetTooLong as wrong:
                raise ValidationError(TOO_LONG_MESSAGE) from wrong
            except Unreadable as wrong:
                raise ValidationError(UNREADABLE_MESSAGE) from wrong
            return text
        decoded_file = None if begin == OLD_WORKBOOK_SIGNATURE else decode_file(content)
        if decoded_file is None:
            raise ValidationError(UNREADABLE_MESSAGE)
        self.is_guessed = decoded_file.is_guessed
        return decoded_file.text

    def clean(self) -> dict[str, Any]:
        """One of the two is needed; the file counts where both are there."""
        if not self.errors:
            file, pasted_text = self.cleaned_data["file"], self.cleaned_data["text"]
            self.has_both = (
                bool(file and pasted_text.split()) and file.split() != pasted_text.split()
            )
            self.cleaned_data["text"] = file or pasted_text
            if not self.cleaned_data["text"].strip():
                self.add_error("file", "Choose a file, or paste the list below.")
            elif len(self.cleaned_data["text"]) > MAX_LIST_BYTES:
                self.add_error("file", TOO_LONG_MESSAGE)
        return self.cleaned_data

    def showing_the_text(self) -> "ImportForm":
        """The same answer with the file's text where it can be put right on the page."""
        form = ImportForm({"text": self.cleaned_data["text"]})
        form.full_clean()
        return form


class GuestVisitsForm(forms.Form):
    """A number of visits; none: nobody is asked."""

    visits = forms.IntegerField(
        label="Remind me to ask guests to join from visit",
        required=False,
        min_value=1,
        max_value=MOST_VISITS,
        help_text="The reminder appears at check-in. Leave empty for no reminder.",
        error_messages={"invalid": "Enter a number, such as 3.", "min_value": "Enter 1 or more."},
        widget=forms.NumberInput(attrs={"class": "input--short", "inputmode": "numeric"}),
    )


class RenewForm(forms.Form):
    """One press; ``paid_until`` is the last day paid for as the page showed it, empty for none."""

    paid_until = forms.DateField(
        required=False,
        help_text="the last day paid for when you last looked: renewed only if it has not changed",
    )


def shown_details(cleaned_data: Mapping[str, Any], form_data: Container[str]) -> Details | None:
    """What the page showed, as ``renew`` takes it; None where ``form_data`` does not say."""
    return {"paid_until": cleaned_data["paid_until"]} if "paid_until" in form_data else None


class _AnotherRecordForm(forms.Form):
    """Every field is a choice of another record of the club."""

    def __init__(self, kept_player: Player, data: Any) -> None:
        super().__init__(data)
        other_records = active_records(kept_player.club).exclude(pk=kept_player.pk)
        for field in self.fields.values():
            field.queryset = other_records  # type: ignore[attr-defined]


class OtherRecordForm(_AnotherRecordForm):
    """Another record of the club, of the same person."""

    gone = PersonField(
        queryset=Player.objects.none(),
        label="The same person is also listed as",
        empty_label="Choose a name",
        error_messages={
            "required": "Choose the other name.",
            "invalid_choice": "That name is no longer on the list. Choose another.",
        },
    )


class SomeoneElseForm(_AnotherRecordForm):
    """Another record of the club, of another person."""

    other = PersonField(
        queryset=Player.objects.none(),
        label="Another person",
        error_messages=OtherRecordForm.base_fields["gone"].error_messages,
    )


@dataclass(frozen=True, slots=True)
class PreviewRow:
    planned_line: PlannedLine
    field: forms.BoundField
    mends: list[forms.BoundField]


@dataclass(frozen=True, slots=True)
class ColumnRow:
    column: ListColumn
    field: forms.BoundField


def answers_of(form_data: Mapping[str, Any]) -> Answers:
    """What was answered on the check page."""
    choices: dict[int, str] = {}
    corrections: dict[int, dict[str, str]] = {}
    for name, value in form_data.items():
        if not (match := ANSWER_FIELD.fullmatch(name)):
            continue
        kind, number, key = match[1], int(match[2]), match[3]
        if kind == "mend" and key in LABELS_OF_TARGETS:
            corrections.setdefault(number, {})[key] = value.strip()
        elif kind == "line":
            choices[number] = value
    small_letters = are_capitals_rewritten(form_data)
    return Answers(
        columns_of(form_data, TARGETS), choices, corrections, small_letters=small_letters
    )


def are_capitals_rewritten(form_data: Mapping[str, Any]) -> bool:
    """Whether names in capitals are written in the usual way: so it is until someone says not.

    Hardly anyone means to shout, and the page shows every name before it is saved. ``letters`` is
    the button, and ``capitals`` how the page is.
    """
    return bool(form_data.get("letters", form_data.get("capitals")) != KEEP_CAPITALS)


def current_answers(form_data: Mapping[str, str]) -> dict[str, str]:
    """What the check page sent, without what was said of columns that have become others.

    Where other columns hold the names, that is also who is on each line. A line that was only set
    aside by the page, as nobody chose for it, may be a person by the new columns.
    """
    if "shown" not in form_data:
        return dict(form_data)
    previous_columns = set(SHOWN_COLUMN.findall(form_data["shown"]))
    now = {(f"{number}", becomes) for number, becomes in columns_of(form_data, TARGETS).items()}
    changed_targets = {becomes for _, becomes in previous_columns ^ now if becomes}
    are_others = bool(changed_targets & NAME_KEYS)
    changed_targets |= NAME_KEYS if are_others else set()
    aside = {f"line_{number}" for number in form_data.get("aside", "").split() if changed_targets}

    def is_stale(name: str, value: str) -> bool:
        match = ANSWER_FIELD.fullmatch(name)
        if match is None or match[1] == "column":
            return False
        is_unchosen = are_others or (name in aside and value == SKIP_CHOICE)
        return match[3] in changed_targets if match[1] == "mend" else is_unchosen

    return {name: value for name, value in form_data.items() if not is_stale(name, value)}


def drop_incomplete_dates(form_data: Mapping[str, str], plan: ImportPlan) -> dict[str, str]:
    """What the check page sent, with every date left out that has no day."""
    return {
        **form_data,
        **{
            f"mend_{row.line.number}_{fault.column}": ""
            for row in plan.lines
            for fault in row.faults
            if fault.code == NO_DAY
        },
    }


def columns_of(form_data: Mapping[str, Any], targets: Iterable[Target]) -> dict[int, str]:
    """What was chosen for each column, by its number."""
    keys = {NOT_IMPORTED, *(target.key for target in targets)}
    matches = ((ANSWER_FIELD.fullmatch(name), value) for name, value in form_data.items())
    return {
        int(match[2]): value
        for match, value in matches
        if match and match[1] == "column" and value in keys
    }


class ParsedList(Protocol):
    """A list that was read: its columns, and what is wrong with what they become."""

    @property
    def columns(self) -> tuple[ListColumn, ...]: ...


class ColumnsForm(forms.Form):
    """What is to become of each column: ``column_2`` is that of the second.

    The page sends ``shown`` too: how the columns were when it was made.
    """

    def __init__(
        self, parsed_list: ParsedList, targets: Iterable[Target], data: Any = None, **options: Any
    ) -> None:
        super().__init__(data, **options)
        self.parsed_list = parsed_list
        becomes = [DO_NOT_IMPORT, *((target.key, target.label) for target in targets)]
        for column in parsed_list.columns:
            self.fields[f"column_{column.number}"] = forms.ChoiceField(
                label=column.heading, choices=becomes, required=False, initial=column.becomes
            )

    @property
    def columns_now(self) -> str:
        """How the columns are now, as the page sends it back."""
        return " ".join(f"{column.number}:{column.becomes}" for column in self.parsed_list.columns)

    def has_new_columns(self, form_data: Mapping[str, Any]) -> bool:
        """Whether the page showed other columns, or only asks to see them."""
        return "again" in form_data or form_data.get("shown", self.columns_now) != self.columns_now

    def columns(self) -> list[ColumnRow]:
        columns = self.parsed_list.columns
        return [ColumnRow(column, self[f"column_{column.number}"]) for column in columns]

    def not_imported(self) -> list[str]:
        """The headings of the columns that are not imported."""
        return [column.heading for column in self.parsed_list.columns if not column.becomes]


class PreviewForm(ColumnsForm):
    """The list again, and what is to become of its columns and lines.

    ``line_3`` says who is on line 3, and ``mend_3_email`` corrects its email address.
    """

    text = forms.CharField(strip=False, max_length=MAX_TEXT_LENGTH, widget=forms.HiddenInput)
    file_name = forms.CharField(required=False, max_length=120, widget=forms.HiddenInput)
    press = forms.UUIDField(required=False, widget=forms.HiddenInput)
    guessed = forms.BooleanField(required=False, widget=forms.HiddenInput)

    def __init__(
        self,
        plan: ImportPlan,
        data: Any = None,
        *,
        is_skipping_faulty: bool = False,
        **options: Any,
    ):
        super().__init__(plan, TARGETS, data, **options)
        self.plan, self.can_skip_faulty = plan, is_skipping_faulty
        self.sent_answers = answers_of(self.initial if data is None else data)
        self.correct = {row.line.number for row in plan.faulty}
        self.mends: dict[int, list[str]] = {}
        for row in plan.lines:
            self.fields[f"line_{row.line.number}"] = self._person_field(row)
            faulty = {fault.column: None for fault in row.faults}
            two = split_pair(written_name(row.line.cells)) if row.line.no_person_reason else ()
            faulty |= {"name": None} if two else {}  # the name of the one, if only one is chosen
            columns = faulty | dict.fromkeys(
                self.sent_answers.mended_cells.get(row.line.number, {})
            )
            mends = {f"mend_{row.line.number}_{key}": key for key in columns}
            self.mends[row.line.number] = list(mends)
            for name, key in mends.items():
                self.fields[name] = forms.CharField(
                    label=NAME_OF_ONE_LABEL if two and key == "name" else LABELS_OF_TARGETS[key],
                    required=False,
                    initial=(two or (row.line.name,))[0]
                    if key == "name"
                    else row.line.cells.get(key, ""),
                    widget=forms.TextInput if key in faulty else forms.HiddenInput,
                )
        if data is not None:
            # A cell that the page did not ask for yet is shown as the list has it.
            names = (name for mends in self.mends.values() for name in mends)
            self.data = {**{name: self.fields[name].initial for name in names}, **data}

    def _person_field(self, row: PlannedLine) -> forms.ChoiceField:
        number, name = row.line.number, row.line.name
        people = [(f"{player.pk}", f"It is {player.name}") for player in row.people]
        new = ANOTHER_PERSON if row.match_kind == MatchKind.SAME else NEW_PERSON
        if row.line.no_person_reason:
            two_people_choice = TWO_WHEN_CORRECT if row.faults else TWO_PEOPLE
            two = [two_people_choice] if names_of_two(row.line) else []
            usual = [*two, LEAVE_OUT] if row.are_two_new else [LEAVE_OUT, *two]
            new = ONE_OF_TWO if row.line.is_for_two else new
            return forms.ChoiceField(
                label=f"Line {number}: {name}",
                choices=[*usual, *people, new],
                required=False,
                initial=usual[0][0],
            )
        new = WHEN_CORRECT if row.faults and not people else new
        return forms.ChoiceField(
            label=f"Line {number}: {name}",
            choices=[*people, new, LEAVE_OUT],
            required=not row.is_new and not (self.can_skip_faulty and row.faults),
            initial=None if row.is_doubtful else (people or [new])[0][0],
            widget=forms.RadioSelect if row.is_doubtful else forms.Select,
            error_messages={"required": f"Line {number}: choose who {name} is."},
        )

    def rows(self) -> Iterator[PreviewRow]:
        for row in self.plan.lines:
            mends = [self[name] for name in self.mends[row.line.number]]
            yield PreviewRow(row, self[f"line_{row.line.number}"], mends)

    def set_aside(self) -> list[PreviewRow]:
        """The lines that are probably nobody's: imported only where that is chosen."""
        lines = [row for row in self.rows() if row.planned_line.line.no_person_reason]
        return [row for row in lines if not row.planned_line.line.is_for_two]

    def couples(self) -> list[PreviewRow]:
        """The lines for two people, without those to correct: both are added, if both are new."""
        lines = [row for row in self.rows() if row.planned_line.line.is_for_two]
        return [row for row in lines if row.planned_line.line.number not in self.correct]

    @property
    def aside_now(self) -> str:
        """The numbers of the lines that are skipped as nobody chose, for the page to send back."""
        lines = [row.line for row in self.plan.lines if choice_of(row, {}) == SKIP_CHOICE]
        return " ".join(f"{line.number}" for line in lines)

    @property
    def has_others(self) -> bool:
        """Whether someone would be imported without the lines to correct."""
        choices = self.sent_answers.choices
        return any(
            choice_of(row, choices) != SKIP_CHOICE for row in self.plan.lines if not row.faults
        )

    def odd_names(self) -> list[str]:
        """Where letters had to be guessed: the names that have some beyond A to Z."""
        is_guessed = self.fields["guessed"].to_python(self["guessed"].value())  # "False" is sent
        names = (row.line.name for row in self.plan.lines)
        return [name for name in names if is_guessed and not name.isascii()]

    def faulty(self) -> list[PreviewRow]:
        return [row for row in self.rows() if row.planned_line.line.number in self.correct]

    def dates_without_day(self) -> list[str]:
        """The dates that are a year or a month alone, as the list has them."""
        return [
            row.line.cells.get(fault.column, "")
            for row in self.plan.lines
            for fault in row.faults
            if fault.code == NO_DAY
        ]

    def doubtful(self) -> list[PreviewRow]:
        return [row for row in self.good() if row.planned_line.is_doubtful]

    def known_rows(self) -> list[PreviewRow]:
        return [row for row in self.good() if row.planned_line.person]

    def new(self) -> list[PreviewRow]:
        return [row for row in self.good() if row.planned_line.is_new]

    def good(self) -> list[PreviewRow]:
        return [row for row in self.person_rows() if not row.planned_line.faults]

    def person_rows(self) -> list[PreviewRow]:
        return [row for row in self.rows() if not row.planned_line.line.no_person_reason]

    def answers(self) -> Answers:
        """What was answered; of the faulty lines that they are left out, where that was asked."""
        answers, small = answers_of(self.cleaned_data), self.sent_answers.small_letters
        skip_choices = {
            row.line.number: SKIP_CHOICE for row in self.plan.faulty if self.can_skip_faulty
        }
        return replace(answers, choices={**answers.choices, **skip_choices}, small_letters=small)


class PreviewTextForm(forms.Form):
    """The list itself, as a preview sends it back, and the key of that page."""

    text = forms.CharField(strip=False, max_length=MAX_TEXT_LENGTH)
    press = forms.UUIDField(required=False)


class MyEmailsForm(forms.Form):
    """What someone wants to have by email."""

    wants_messages = forms.BooleanField(
        label="Messages from the club",
        required=False,
        help_text="Invitations, news and reminders. Without them the club may phone you.",
    )
    wants_results = forms.BooleanField(
        label="Each evening’s result", required=False, help_text="When the evening is finished."
    )


@dataclass(frozen=True, slots=True)
class NameStyle:
    """One of the ways: its button, the name as it would appear, and what that means."""

    option: BoundWidget
    name: str
    note: str


class MyNameForm(forms.Form):
    """One of three ways, each shown with the person's own name."""

    shown_as = forms.ChoiceField(
        label="Your name would appear as",
        choices=ShownAs.choices,
        widget=forms.RadioSelect,
        error_messages={"required": CHOOSE_MESSAGE, "invalid_choice": CHOOSE_MESSAGE},
    )

    def name_styles(self, name: str) -> Iterator[NameStyle]:
        for option, style in zip(self["shown_as"], ShownAs, strict=True):
            shown_name = shown_names([Person(0, name, style)], PUBLIC_READER)[0]
            yield NameStyle(option, shown_name, NAME_STYLE_NOTES[style])

    def clean_shown_as(self) -> ShownAs:
        return ShownAs(self.cleaned_data["shown_as"])
