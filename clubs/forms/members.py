"""What a secretary types about a member, and the file of many."""

import csv
import re
from io import StringIO
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from clubs.core.forms import ShownTextField, day_field
from clubs.core.stale_forms import ChangeForm
from clubs.core.workbooks import Unreadable, first_sheet
from clubs.models import PlayerKind, ShownAs
from clubs.models.names import name_fault, tidy_name

MOST_BYTES = 200_000
MOST_WORKBOOK_BYTES = 2_000_000
WORKBOOK = b"PK\x03\x04"
NAME = {"required": "Enter a name."}
SHOWN_AS = (
    (ShownAs.FULL, "Full name"),
    (ShownAs.INITIAL, "First name and initial, like Margaret H."),
    (ShownAs.HIDDEN, "Hidden (shown as “A member”)"),
)
WHO_READS = (
    "Used in results, the league, tournaments and on the projector screen. Organisers always see "
    "full names. At the table, hidden players are shown by first name so that people can find "
    "their seats."
)
EMAIL = {"invalid": "Enter an email address in the correct format, like name@example.org."}


class MemberForm(forms.Form):
    """A new person in the club."""

    name = forms.CharField(
        label="Name",
        error_messages=NAME,
        help_text="As it should appear in the league table.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    email = forms.EmailField(
        label="Email address", required=False, max_length=254, error_messages=EMAIL
    )
    wants_results = forms.BooleanField(label="Email each evening’s result", required=False)
    phone = ShownTextField(
        label="Phone",
        required=False,
        max_length=40,
        widget=forms.TextInput(attrs={"type": "tel", "autocomplete": "off"}),
    )

    shown_as = forms.ChoiceField(
        label="Name shown as",
        choices=SHOWN_AS,
        required=False,
        initial=ShownAs.FULL,
        help_text=WHO_READS,
        widget=forms.RadioSelect,
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


class NicknamesField(forms.CharField):
    """Names with semicolons or commas between them, as a tuple."""

    def to_python(self, value: Any) -> tuple[str, ...]:  # type: ignore[override]
        """Each of the names, without stray spaces."""
        names = value if isinstance(value, tuple) else re.split("[;,]", value or "")
        return tuple(filter(None, map(tidy_name, names)))

    def prepare_value(self, value: Any) -> Any:
        """The names as they are typed."""
        return "; ".join(value) if isinstance(value, tuple) else value


class MemberChangeForm(ChangeForm, MemberForm):
    """Everything that the club holds on a person."""

    kind = forms.ChoiceField(
        label="Member or guest",
        choices=[("member", "A member"), ("guest", "Guest (not in the league table)")],
        widget=forms.RadioSelect,
    )
    is_active = forms.BooleanField(
        label="Active",
        required=False,
        help_text="People who have left keep their results but no longer appear at check-in.",
    )

    joined_on = day_field("Joined on", required=False)
    paid_until = day_field(
        "Paid until", required=False, help_text="The last day the subscription covers."
    )
    nicknames = NicknamesField(
        label="Also known as",
        required=False,
        help_text="Nicknames and previous names, separated by semicolons: Peg; Peggy",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
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

    def clean_kind(self) -> PlayerKind:
        """The kind as the model knows it."""
        return PlayerKind(self.cleaned_data["kind"])

    def clean_nicknames(self) -> tuple[str, ...]:
        """Each of the names that were typed; refused where one cannot be a name."""
        names: tuple[str, ...] = self.cleaned_data["nicknames"]
        if faults := [fault for fault in map(name_fault, names) if fault]:
            raise ValidationError(faults)
        return names


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
        content = file.read()
        return _sheet_as_text(content) if begin == WORKBOOK else _decoded(content)

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


def _decoded(content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        raise ValidationError(
            "We cannot read the characters in this file because it is not saved as UTF-8. "
            "In the spreadsheet choose “Save as”, then “CSV UTF-8”."
        ) from wrong


def _sheet_as_text(content: bytes) -> str:
    try:
        rows = first_sheet(content)
    except Unreadable as wrong:
        raise ValidationError(
            "This workbook cannot be read. In the spreadsheet choose “Save as”, "
            "then “Excel workbook (.xlsx)” or “CSV UTF-8”."
        ) from wrong
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerows(
        [[" ".join(cell.splitlines()) for cell in row] for row in rows]
    )
    return text.getvalue()
