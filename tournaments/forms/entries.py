"""Who enters a tournament: names, members, a list from a spreadsheet, and the terms."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from clubs.core.forms import TickedField
from clubs.core.stale_forms import ChangeForm
from clubs.members.forms import ImportForm
from clubs.models import Player
from tournaments.models import OddNumber, Tournament

MOST_NAMES = 400


class NamesForm(forms.Form):
    """Many names, one a line; comes out as the lines as typed, empty ones too."""

    names = forms.CharField(
        label="Names, one per line",
        strip=False,
        help_text="Paste them from a list. Club members are recognised.",
        error_messages={"required": "Enter at least one name."},
        widget=forms.Textarea(attrs={"rows": 8, "autocomplete": "off", "spellcheck": "false"}),
    )

    def clean_names(self) -> list[str]:
        """The lines; at most as many as a hall holds."""
        lines = str(self.cleaned_data["names"]).splitlines()
        if not any(line.strip() for line in lines):
            raise ValidationError("Enter at least one name.")
        if len(lines) > MOST_NAMES:
            raise ValidationError(f"Enter {MOST_NAMES} names or fewer. This list has {len(lines)}.")
        return lines


class EntrantForm(forms.Form):
    """One more entrant, of this club or another."""

    name = forms.CharField(
        label="Name",
        error_messages={"required": "Enter a name."},
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    from_club = forms.CharField(
        label="Club or town",
        required=False,
        max_length=80,
        error_messages={"max_length": "Use 80 characters or fewer."},
    )
    team = forms.CharField(
        label="Team",
        required=False,
        max_length=80,
        help_text="Teammates sit at different tables.",
        error_messages={"max_length": "Use 80 characters or fewer."},
    )


class MembersForm(forms.Form):
    """Members of the club who have not entered yet, to be ticked."""

    players = TickedField(
        label="Club members",
        queryset=Player.objects.none(),
        widget=forms.CheckboxSelectMultiple,
        error_messages={
            "required": "Choose at least one name.",
            **dict.fromkeys(
                ("invalid_choice", "invalid_pk_value"),
                "Someone you chose is already entered or is not in the club.",
            ),
        },
    )

    def __init__(self, tournament: Tournament, data: Any = None) -> None:
        super().__init__(data)
        entered = tournament.entrants.values("name_key")
        players = self.fields["players"]
        players.queryset = tournament.club.players.filter(  # type: ignore[attr-defined]
            is_active=True
        ).exclude(name_key__in=entered)


class EntryRulesForm(ChangeForm):
    """How many may enter, and what is done with a number that is no multiple of four."""

    odd_number = forms.ChoiceField(
        label="If numbers do not divide by four",
        choices=OddNumber.choices,
        widget=forms.RadioSelect,
        error_messages={"required": "Choose one.", "invalid_choice": "Choose one."},
    )
    places = forms.IntegerField(
        label="Places",
        required=False,
        min_value=4,
        max_value=MOST_NAMES,
        help_text="Later entries go on the waiting list. Leave empty for no limit.",
        error_messages=dict.fromkeys(
            ("invalid", "min_value", "max_value"), f"Enter a number from 4 to {MOST_NAMES}."
        ),
    )


def terms_held(tournament: Tournament) -> dict[str, Any]:
    """What the form of the terms holds."""
    return {"odd_number": tournament.odd_number, "places": tournament.places}


class NoteForm(forms.Form):
    """One press on the entry list: ``has_paid`` or ``is_here``, yes or no."""

    tick = forms.ChoiceField(choices=[("has_paid", ""), ("is_here", "")])
    to = forms.TypedChoiceField(
        choices=[("yes", ""), ("no", "")], coerce=lambda typed: typed == "yes"
    )


class EntryListForm(ImportForm):
    """An entry list as a file or as text; ``text`` holds what was read of either."""

    def __init__(self, data: Any = None, files: Any = None) -> None:
        super().__init__(data, files)
        columns = "the first line names the columns: name, club, team, paid."
        self.fields["file"].help_text = f"Save it as “CSV UTF-8”; {columns}"
        self.fields["text"].help_text = f"Enter or paste a list; {columns}"
