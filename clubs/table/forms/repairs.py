"""What the scorer says of hands that went wrong: which players, which hands, which table."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

from django import forms

from clubs.core.forms import ShownTextField
from clubs.table.forms.hands import PlayedForm, PlayingSeat, keep_tiles
from clubs.table.rows import HandView
from scoring.scorebook.models import RepairKind
from scoring.scorebook.selectors import HandRow
from scoring.scorebook.services import MAX_REASON_LENGTH, Mistake

TO_THE_END: Final = "end"
Choices = Sequence[tuple[int | str, str]]

WRONG_CHOICES = (
    "My score is wrong",
    "Another score is wrong",
    "Someone else went Mah-Jong",
    "The winds are wrong",
)
MAX_NOTE_LENGTH: Final = MAX_REASON_LENGTH - max(map(len, WRONG_CHOICES)) - 2


def _choice_field(
    label: str, choices: Choices, refusal: str, widget: type[forms.Widget] = forms.Select
) -> forms.TypedChoiceField:
    return forms.TypedChoiceField(
        label=label,
        choices=choices,
        coerce=int,
        widget=widget,
        error_messages=dict.fromkeys(("required", "invalid_choice"), refusal),
    )


class TwoPlayersForm(forms.Form):
    """Two players and the hands for which something of theirs was changed about."""

    kind: ClassVar[RepairKind] = RepairKind.FIGURES
    goes_on: ClassVar[str] = "To the last hand"

    def __init__(
        self, names: Mapping[int, str], hands: Sequence[HandView], data: Any = None
    ) -> None:
        super().__init__(data)
        players, radio = [*names.items()], forms.RadioSelect
        self.fields["seat"] = _choice_field("First player", players, "Choose a player.", radio)
        self.fields["other_seat"] = _choice_field(
            "Second player", players, "Choose the other player.", radio
        )
        self.at_table = {hand.row.number: f"hand {hand.row.number_at_table}" for hand in hands}
        hand_choices = [
            (hand.row.number, f"Hand {hand.row.number_at_table}: {hand.outcome}") for hand in hands
        ]
        self.fields["first"] = _choice_field("From which hand?", hand_choices, "Choose a hand.")
        self.fields["last"] = forms.TypedChoiceField(
            label="Up to which hand?",
            choices=[
                (TO_THE_END, self.goes_on),
                *((number, label.capitalize()) for number, label in self.at_table.items()),
            ],
            coerce=lambda value: None if value == TO_THE_END else int(value),
            error_messages=dict.fromkeys(("required", "invalid_choice"), "Choose a hand."),
        )

    def clean(self) -> dict[str, Any]:
        """Two players, and an end that is not before the beginning."""
        cleaned_data = self.cleaned_data
        if "seat" in cleaned_data and cleaned_data["seat"] == cleaned_data.get("other_seat"):
            self.add_error("other_seat", "Choose two different players.")
        if cleaned_data.get("last") and cleaned_data["last"] < cleaned_data.get("first", 0):
            first = self.at_table[cleaned_data["first"]]
            self.add_error("last", f"Choose {first} or a later one as the last hand.")
        return cleaned_data

    def mistake(self, game_id: int) -> Mistake:
        cleaned_data = self.cleaned_data
        return Mistake(
            kind=self.kind,
            game_id=game_id,
            first=cleaned_data["first"],
            last=cleaned_data["last"],
            seats=(cleaned_data["seat"], cleaned_data["other_seat"]),
            names_are_right=cleaned_data.get("right", "names") == "names",
        )


class FiguresForm(TwoPlayersForm):
    """Two players' figures were entered the wrong way round."""


class SeatsForm(TwoPlayersForm):
    """Two players sat in each other's place."""

    kind = RepairKind.SEATS
    goes_on = "Up to now, and for later hands too"
    right = forms.ChoiceField(
        label="What was right on the sheet?",
        choices=[
            ("names", "The names: each score belongs to that player, only the winds were wrong"),
            ("winds", "The winds: each score belongs to that wind, the names were wrong"),
        ],
        widget=forms.RadioSelect,
        error_messages=dict.fromkeys(
            ("required", "invalid_choice"), "Choose whether the names or the winds are right."
        ),
    )
    field_order = ("seat", "other_seat", "first", "last", "right")

    def __init__(
        self, names: Mapping[int, str], hands: Sequence[HandView], data: Any = None
    ) -> None:
        super().__init__(names, hands, data)
        self.order_fields(self.field_order)


class SheetsForm(forms.Form):
    """Hands of two tables were entered at each other's table."""

    def __init__(
        self,
        other_tables: Mapping[int, str],
        numbers: Sequence[int],
        hands_before: int,
        data: Any = None,
    ) -> None:
        super().__init__(data)
        self.fields["other"] = _choice_field(
            "Which other table?",
            [*other_tables.items()],
            "Choose the other table.",
            widget=forms.RadioSelect,
        )
        first = [
            (n, "All hands" if n == 1 else f"From hand {hands_before + n} on") for n in numbers
        ]
        self.fields["first"] = _choice_field("From which hand?", first, "Choose a hand.")

    def mistake(self, game_id: int) -> Mistake:
        cleaned_data = self.cleaned_data
        return Mistake(
            kind=RepairKind.SHEETS,
            game_id=game_id,
            other_id=cleaned_data["other"],
            first=cleaned_data["first"],
        )


class WinnerForm(PlayedForm):
    """A hand as it was, for which another player went Mah-Jong."""

    def __init__(
        self, places: Sequence[PlayingSeat], row: HandRow, data: Any = None, **options: Any
    ) -> None:
        super().__init__(places, data, **options)
        self.row = row

    def mistake(self, game_id: int) -> Mistake:
        """What went wrong, once the form is valid; tiles that nobody changed stay."""
        report = keep_tiles(self.report, self.row)
        return Mistake(
            kind=RepairKind.WINNER, game_id=game_id, first=self.row.number, report=report
        )


RepairForm = TwoPlayersForm | SheetsForm | WinnerForm


class ReasonForm(forms.Form):
    """Why it is put right."""

    reason = ShownTextField(
        max_length=200,
        label="Reason for the correction",
        help_text="The table will see this.",
        error_messages={"required": "Enter a reason for the correction."},
    )


class NotRightForm(forms.Form):
    """Who says so (at the table's own link), what is wrong in a choice, in words, or neither."""

    shown = forms.CharField(max_length=64, widget=forms.HiddenInput)
    seat = forms.TypedChoiceField(
        label="Who is reporting this?",
        coerce=int,
        widget=forms.RadioSelect,
        error_messages={"required": "Choose who is reporting this."},
    )
    what = forms.ChoiceField(
        label="What is wrong?",
        choices=[(label, label) for label in WRONG_CHOICES],
        widget=forms.RadioSelect,
        required=False,
    )
    words = ShownTextField(
        label="In your own words",
        max_length=MAX_NOTE_LENGTH,
        required=False,
        help_text="For example: mine was 46, not 64.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(
        self, voices: Sequence[tuple[int, str]], seat: int | None, *args: Any, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.own_seat = seat
        if seat is None:
            self.fields["seat"].choices = voices  # type: ignore[attr-defined]
        else:
            del self.fields["seat"]

    @property
    def speaker(self) -> int:
        return self.own_seat or self.cleaned_data["seat"]

    @property
    def note(self) -> str:
        """``My score is wrong: mine was 46``, as much of it as was told."""
        return ": ".join(filter(None, (self.cleaned_data["what"], self.cleaned_data["words"])))

    def show_again(self, digest: str) -> None:
        """The same answers below what stands now."""
        self.data = {**self.data.dict(), "shown": digest}  # type: ignore[attr-defined]
