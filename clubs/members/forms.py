"""What a secretary enters about members, and how a member wants to be named."""

import csv
import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.forms.boundfield import BoundWidget

from clubs.core.forms import ChangeForm
from clubs.core.people_names import How, active_records
from clubs.members.files import Unreadable, first_sheet
from clubs.members.person_columns import person_fields
from clubs.members.selectors import PlannedLine
from clubs.members.services import LEFT_OUT, NEW, Details
from clubs.models import Player, PlayerKind, ShownAs
from clubs.models.names import EVERYBODY, Person, name_fault, shown_names, tidy_name

MOST_BYTES = 200_000
MOST_WORKBOOK_BYTES = 2_000_000
WORKBOOK = b"PK\x03\x04"


class MemberForm(forms.Form):
    """A new person in the club."""

    field_order = (
        "name",
        "nicknames",
        "email",
        "wants_results",
        "phone",
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

    file = forms.FileField(
        label="Spreadsheet file",
        required=False,
        error_messages={"empty": "This file is empty."},
        help_text="An Excel workbook (its first sheet), or a file saved as “CSV UTF-8”. "
        "The first line names the columns: name, email.",
        widget=forms.FileInput(attrs={"accept": ".xlsx,.csv,.txt,text/csv,text/plain"}),
    )
    text = forms.CharField(
        label="Or paste a list",
        required=False,
        strip=False,
        max_length=MOST_BYTES,
        help_text="Put column names in the first line, for example: name,email",
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false"}),
        error_messages={"max_length": "That list is too long. Import it in smaller parts."},
    )

    def clean_file(self) -> str:
        """The file's text; a workbook's first sheet as CSV."""
        file = self.cleaned_data["file"]
        if not file:
            return ""
        begin = file.read(len(WORKBOOK))
        file.seek(0)
        most = MOST_WORKBOOK_BYTES if begin == WORKBOOK else MOST_BYTES
        if file.size > most:
            raise ValidationError(
                f"This file is {file.size // 1000:,} kB. A member list can be up to "
                f"{most // 1000:,} kB. Check that you chose the right file."
            )
        content: bytes = file.read()
        if begin == WORKBOOK:
            return _sheet_as_text(content)
        try:
            return content.decode("utf-8-sig")
        except UnicodeDecodeError as wrong:
            raise ValidationError(
                "We cannot read the characters in this file because it is not saved as UTF-8. "
                "In the spreadsheet choose “Save as”, then “CSV UTF-8”."
            ) from wrong

    def clean(self) -> dict[str, Any]:
        """One of the two is needed; the file counts where both are there."""
        if not self.errors:
            self.cleaned_data["text"] = self.cleaned_data["file"] or self.cleaned_data["text"]
            if not self.cleaned_data["text"].strip():
                self.add_error("file", "Choose a file, or paste the list below.")
        return self.cleaned_data

    def showing_the_text(self) -> "ImportForm":
        """The same answer with the file's text where it can be put right on the page."""
        shown = ImportForm({"text": self.cleaned_data["text"]})
        shown.full_clean()
        return shown


def _sheet_as_text(content: bytes) -> str:
    try:
        rows = first_sheet(content)
    except Unreadable as wrong:
        raise ValidationError(
            "This workbook cannot be read. In the spreadsheet choose “Save as”, "
            "then “Excel workbook (.xlsx)” or “CSV UTF-8”."
        ) from wrong
    text = StringIO()
    lines = ([" ".join(cell.splitlines()) for cell in row] for row in rows)
    csv.writer(text, lineterminator="\n").writerows(lines)
    return text.getvalue()


MOST_VISITS = 100


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


def as_shown(cleaned: Mapping[str, Any], sent: Container[str]) -> Details | None:
    """What the page showed, as ``renew`` takes it; None where ``sent`` does not say."""
    return {"paid_until": cleaned["paid_until"]} if "paid_until" in sent else None


class OtherRecordForm(forms.Form):
    """Another record of the club."""

    gone = forms.ModelChoiceField(
        queryset=Player.objects.none(),
        label="The same person is also listed as",
        empty_label="Choose a name",
        error_messages={
            "required": "Choose the other name.",
            "invalid_choice": "That name is no longer on the list. Choose another.",
        },
    )

    def __init__(self, kept: Player, data: Any) -> None:
        super().__init__(data)
        others = active_records(kept.club).exclude(pk=kept.pk).order_by("name_key")
        self.fields["gone"].queryset = others  # type: ignore[attr-defined]


NEW_PERSON = (NEW, "New person")
LEAVE_OUT = (LEFT_OUT, "Skip this line")


@dataclass(frozen=True, slots=True)
class PreviewRow:
    planned: PlannedLine
    field: forms.BoundField


class PreviewForm(forms.Form):
    """The list again, and a choice for each of its lines: ``line_3`` is that of line 3."""

    text = forms.CharField(strip=False, max_length=MOST_BYTES, widget=forms.HiddenInput)
    file_name = forms.CharField(required=False, max_length=120, widget=forms.HiddenInput)

    def __init__(self, planned: Sequence[PlannedLine], data: Any = None, **options: Any) -> None:
        super().__init__(data, **options)
        self.planned = planned
        for plan in planned:
            people = [(f"{player.pk}", f"It is {player.name}") for player in plan.people]
            others = [LEAVE_OUT] if plan.how == How.SAME else [NEW_PERSON, LEAVE_OUT]
            radio = plan.is_doubtful
            self.fields[f"line_{plan.line.number}"] = forms.ChoiceField(
                label=f"Line {plan.line.number}: {plan.line.name}",
                choices=[*people, *others],
                initial=None if radio else (people or [NEW_PERSON])[0][0],
                widget=forms.RadioSelect if radio else forms.Select,
                error_messages={
                    "required": f"Line {plan.line.number}: choose who {plan.line.name} is."
                },
            )

    def rows(self) -> Iterator[PreviewRow]:
        for plan in self.planned:
            yield PreviewRow(plan, self[f"line_{plan.line.number}"])

    def doubtful(self) -> list[PreviewRow]:
        return [row for row in self.rows() if row.planned.is_doubtful]

    def known(self) -> list[PreviewRow]:
        return [row for row in self.rows() if row.planned.person]

    def new(self) -> list[PreviewRow]:
        return [row for row in self.rows() if row.planned.is_new]

    def choices(self) -> dict[int, str]:
        """What was chosen, by the line's number."""
        numbers = [plan.line.number for plan in self.planned]
        return {number: self.cleaned_data[f"line_{number}"] for number in numbers}


class TextForm(forms.Form):
    """The list itself, as a preview sends it back."""

    text = forms.CharField(strip=False, max_length=MOST_BYTES)


NOTES = {
    ShownAs.FULL: "Everyone sees your full name.",
    ShownAs.INITIAL: "Only the first letter of your surname is shown.",
    ShownAs.HIDDEN: "Your results appear without your name.",
}
CHOOSE = "Choose one of the three."


@dataclass(frozen=True, slots=True)
class Way:
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
        error_messages={"required": CHOOSE, "invalid_choice": CHOOSE},
    )

    def ways(self, name: str) -> Iterator[Way]:
        for option, way in zip(self["shown_as"], ShownAs, strict=True):
            shown = shown_names([Person(0, name, way)], EVERYBODY)[0]
            yield Way(option, shown, NOTES[way])

    def clean_shown_as(self) -> ShownAs:
        return ShownAs(self.cleaned_data["shown_as"])
