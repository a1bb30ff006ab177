"""A tournament's settings; who enters it: names, members, a list, and the terms."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone

from clubs.core.forms import ChangeForm, PeopleField, ShownTextField, day_field, is_unusual
from clubs.members.forms import MAX_LIST_BYTES, ImportForm
from clubs.models import Club, Player
from clubs.table.forms.rules import RecordingFields, RulesField, offer_rules
from scoring import UnknownRuleSet
from scoring.scorebook.editions import short_key
from scoring.table.ranking import METRICS
from tournaments.models import (
    MOST_STAKE,
    MOST_TABLE_POINTS,
    AtTheBell,
    Entrant,
    OddNumber,
    SittingOut,
    Tournament,
    TournamentState,
    ranking_default,
)
from tournaments.setup.selectors import PRESETS, RANGES, SETTINGS, Settings, settings_fields
from tournaments.setup.written_entries import TARGETS

MAX_PASTED_NAMES = 400
YEARS = range(1920, 2101)
RANK_LABELS = ("Rank by", "First tie-break", "Second tie-break", "Third tie-break")
RANK_FIELDS = tuple(f"rank_{place}" for place in range(1, len(RANK_LABELS) + 1))
DRAWN, NEAR, BANDS = "drawn", "near", "bands"
SEATING_CHOICES = (
    (DRAWN, "All rounds drawn at once, before the first"),
    (NEAR, "Later rounds by standings (leaders together)"),
    (BANDS, "Later rounds by standings, within fixed groups of tables"),
)
DEFAULT_SETTINGS = {
    name: getattr(Tournament(), name)
    for name in (
        *("at_the_bell", "start_stake"),
        *("sitting_out_counts", "sitting_out_table_points", "sitting_out_points"),
    )
}
ERROR_CODES = ("required", "invalid", "min_value", "max_value", "max_digits", "max_decimal_places")

FOLDED_FIELDS = {  # of the page with a tournament's settings, each folded below a sentence
    "telling": ("record_by", "agreement"),
    "ranking": RANK_FIELDS,
    "drawing": ("seated_by", "by_standing_from", "bands", "has_final"),
    "resting": ("sitting_out_counts", "sitting_out_table_points", "sitting_out_points"),
}


class NamesForm(forms.Form):
    """Many names, one a line; comes out as the lines as typed, empty ones too."""

    names = forms.CharField(
        label="Names, one per line",
        strip=False,
        help_text="Paste a list or cells of a spreadsheet. You check it before anyone is entered.",
        error_messages={"required": "Enter at least one name."},
        widget=forms.Textarea(attrs={"rows": 8, "autocomplete": "off", "spellcheck": "false"}),
    )

    def clean_names(self) -> list[str]:
        """The lines; at most as many as a hall holds."""
        lines = str(self.cleaned_data["names"]).splitlines()
        if not any(line.strip() for line in lines):
            raise ValidationError("Enter at least one name.")
        if len(lines) > MAX_PASTED_NAMES:
            raise ValidationError(
                f"Enter {MAX_PASTED_NAMES} names or fewer. This list has {len(lines)}."
            )
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
    couple = forms.CharField(
        label="Couple",
        required=False,
        max_length=80,
        help_text="The partner’s name. Couples sit at different tables.",
        error_messages={"max_length": "Use 80 characters or fewer."},
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


class CorrectEntrantForm(ChangeForm, EntrantForm):
    """An entrant's details as they should be; in a finished tournament with a note."""

    note = ShownTextField(
        label="Reason",
        max_length=200,
        error_messages={"required": "Enter a reason for the change."},
        help_text="The tournament is finished. The reason is shown on the director’s desk.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, data: Any, *, entrant: Entrant) -> None:
        super().__init__(data, initial=details_of(entrant))
        if entrant.tournament.state != TournamentState.FINISHED:
            del self.fields["note"]


def details_of(entrant: Entrant) -> dict[str, str]:
    """What can be corrected of an entrant."""
    return {name: getattr(entrant, name) for name in ("name", "from_club", "team", "couple")}


class MembersForm(forms.Form):
    """Members of the club who have not entered yet, to be ticked."""

    players = PeopleField(
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
        entered_keys = tournament.entrants.values("name_key")
        players = self.fields["players"]
        players.queryset = tournament.club.players.filter(  # type: ignore[attr-defined]
            is_active=True
        ).exclude(name_key__in=entered_keys)


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
        max_value=MAX_PASTED_NAMES,
        help_text="Later entries go on the waiting list. Leave empty for no limit.",
        error_messages=dict.fromkeys(
            ("invalid", "min_value", "max_value"), f"Enter a number from 4 to {MAX_PASTED_NAMES}."
        ),
    )


def initial_entry_rules(tournament: Tournament) -> dict[str, Any]:
    """Initial data of the form about the terms."""
    return {"odd_number": tournament.odd_number, "places": tournament.places}


class NoteForm(forms.Form):
    """One press on the entry list: ``has_paid`` or ``is_here``, yes or no."""

    tick = forms.ChoiceField(choices=[("has_paid", ""), ("is_here", "")])
    to = forms.TypedChoiceField(
        choices=[("yes", ""), ("no", "")], coerce=lambda value: value == "yes"
    )


def _pasted_field() -> forms.BooleanField:
    """Whether the list came as names, so that it needs no line that names the columns."""
    return forms.BooleanField(required=False, widget=forms.HiddenInput)


class EntryListForm(ImportForm):
    """An entry list as a file or as text; ``text`` holds what was read of either."""

    targets = TARGETS
    is_pasted = _pasted_field()

    def __init__(self, data: Any = None, files: Any = None) -> None:
        super().__init__(data, files)
        columns = "with a line that names the columns: name, club, team, couple, paid."
        self.fields["file"].help_text = f"An Excel workbook or a CSV file, {columns}"
        self.fields["text"].help_text = f"Enter or paste a list, {columns}"


class EntryCheckForm(forms.Form):
    """An entry list that was read, to be corrected where it was faulty."""

    is_pasted = _pasted_field()
    text = forms.CharField(
        label="Correct the list here",
        strip=False,
        max_length=MAX_LIST_BYTES,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false"}),
    )


def _number_field(
    name: str,
    label: str,
    *,
    least: int | None = None,
    required: bool = False,
    wrong: str = "",
    **options: Any,
) -> forms.IntegerField:
    """A number within the range of this setting; ``wrong`` is the sentence for any other."""
    limits = RANGES[name]
    least = limits.least if least is None else least
    return forms.IntegerField(
        label=label,
        required=required,
        min_value=least,
        max_value=limits.most,
        error_messages=dict.fromkeys(
            ERROR_CODES, wrong or f"Enter a number from {least} to {limits.most:,}."
        ),
        **options,
    )


def _choice_field(label: str, choices: Any, initial: str, **options: Any) -> forms.ChoiceField:
    return forms.ChoiceField(
        label=label,
        choices=choices,
        initial=initial,
        required=False,
        widget=forms.RadioSelect,
        error_messages={"invalid_choice": "Choose one."},
        **options,
    )


class TournamentForm(RecordingFields):
    """A tournament new or there already; comes out as its ``Settings``.

    What is ``frozen``, by the setting's name with the reason in a sentence, keeps what it is in
    ``initial``; a page that was shown before, and sends something else, is told the reason.
    """

    sitting_out_counts = _choice_field(
        "What counts for a player who sits out a round?",
        SittingOut.choices,
        SittingOut.AVERAGE,
        help_text="With the average, no one gains or loses by sitting out.",
    )
    sitting_out_table_points = forms.DecimalField(
        label="Table points for a round sat out",
        initial=DEFAULT_SETTINGS["sitting_out_table_points"],
        required=False,
        min_value=Decimal(0),
        max_value=Decimal(MOST_TABLE_POINTS),
        max_digits=4,
        decimal_places=2,
        help_text="A player at a table gets 1.75 on average.",
        error_messages=dict.fromkeys(
            ERROR_CODES, f"Enter a number from 0 to {MOST_TABLE_POINTS}, such as 1.75."
        ),
    )
    sitting_out_points = _number_field(
        "sitting_out_points",
        "Points of gain for a round sat out",
        initial=DEFAULT_SETTINGS["sitting_out_points"],
        wrong=f"Enter a whole number up to {MOST_STAKE:,}.",
        help_text="Use 0 when players pay one another.",
    )
    seated_by = _choice_field("Seating method", SEATING_CHOICES, DRAWN)
    by_standing_from = forms.IntegerField(
        label="Seat by standings from round",
        min_value=2,
        help_text="Each round is seated after the previous one is closed, with as few repeat "
        "meetings as possible.",
        error_messages=dict.fromkeys(ERROR_CODES, "Enter the number of a round, 2 or later."),
    )
    bands = _number_field(
        "bands",
        "Tables in a group",
        required=True,
        least=2,
        help_text="With 2, the top eight players stay together, then the next eight, and so on.",
    )
    has_final = forms.BooleanField(
        label="The last round is a final: the top four play at table 1", required=False
    )
    hands_a_round = _number_field(
        "hands_a_round",
        "Hands per round",
        help_text="Eight hands take about an hour. Leave empty for as many as time allows.",
    )
    minutes_a_round = _number_field(
        "minutes_a_round",
        "Minutes per round",
        help_text="A clock counts down on the projector screen and every phone. Leave empty for "
        "no clock.",
    )
    at_the_bell = _choice_field(
        "What happens to the hand in progress when the bell rings?",
        AtTheBell.choices,
        AtTheBell.FINISH,
    )
    start_stake = _number_field(
        "start_stake",
        "Starting points",
        help_text="Shown in table totals but not counted in the standings. Leave empty for none.",
    )
    name = forms.CharField(
        label="Name",
        error_messages={"required": "Enter a name."},
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    held_on = day_field("Date", initial=timezone.localdate)
    rounds = _number_field(
        "rounds",
        "Rounds",
        required=True,
        initial=5,
        help_text="Players meet new opponents in each round.",
    )
    rules = RulesField(label="Scoring rules", otherwise="The club’s usual rules", initial="")

    def __init__(
        self,
        data: Any = None,
        *,
        club: Club,
        initial: dict[str, Any] | None = None,
        frozen: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(data, initial=initial or settings_form_data(PRESETS[0].settings))
        if self.initial.get("rules"):
            self.fields["rules"] = RulesField(label="Scoring rules")
        offer_rules(self, club)
        if self.is_bound:
            seated_by = self.data.get("seated_by")
            self.fields["by_standing_from"].required = seated_by in (NEAR, BANDS)
            self.fields["bands"].required = seated_by == BANDS
        for name, label, usual in zip(RANK_FIELDS, RANK_LABELS, ranking_default(), strict=True):
            self.fields[name] = self._rank(label, usual, is_first=name == RANK_FIELDS[0])
        several = {"ranks_by": RANK_FIELDS, "by_standing_from": ("seated_by", "by_standing_from")}
        self.frozen = {
            name: reason
            for setting, reason in (frozen or {}).items()
            for name in several.get(setting, (setting,))
        }
        for name, reason in self.frozen.items():
            self.fields[name].disabled = True
            self.fields[name].help_text = reason

    def _rank(self, label: str, usual: str, *, is_first: bool) -> forms.ChoiceField:
        blank_choices = [] if is_first else [("", "none: players share the place")]
        return forms.ChoiceField(
            label=label,
            initial=usual,
            required=is_first,
            choices=[*((key, METRICS[key]) for key in ranking_default()), *blank_choices],
            error_messages=dict.fromkeys(("required", "invalid_choice"), "Choose from the list."),
        )

    def clean_held_on(self) -> date:
        """A day of a year that can be meant."""
        held_on: date = self.cleaned_data["held_on"]
        if held_on.year not in YEARS:
            raise ValidationError(f"Check the year: {held_on.year} cannot be right.")
        return held_on

    def clean(self) -> dict[str, Any]:
        """Empty fields come out as is usual, what the way of seating does not need is left out.

        A round ends by hands, by minutes or by both; the ranking is one list, nothing twice and
        nothing left out in between.
        """
        cleaned_data = super().clean()
        for name, value in DEFAULT_SETTINGS.items():
            if cleaned_data.get(name) in (None, ""):
                cleaned_data[name] = value
        seated_by = cleaned_data.get("seated_by") or DRAWN
        cleaned_data["by_standing_from"] = (
            None if seated_by == DRAWN else cleaned_data.get("by_standing_from")
        )
        cleaned_data["bands"] = cleaned_data.get("bands") or 1 if seated_by == BANDS else 1
        lengths = {"hands_a_round", "minutes_a_round"}
        if not lengths & self.errors.keys() and all(
            cleaned_data.get(name) is None for name in lengths
        ):
            self.add_error("hands_a_round", "Enter a number of hands or minutes for each round.")
        self._check_frozen()
        metrics = [cleaned_data.get(name, "") for name in RANK_FIELDS]
        for index, metric in enumerate(metrics):
            if metric and metric in metrics[:index]:
                self.add_error(RANK_FIELDS[index], f"{METRICS[metric]} is already used above.")
        cleaned_data["ranks_by"] = [metric for metric in metrics if metric]
        return cleaned_data

    def _check_frozen(self) -> None:
        """Fields that were frozen only after the page was shown, and come back changed."""
        for name, reason in self.frozen.items():
            initial = self.get_initial_for_field(self.fields[name], name)
            current = "" if initial is None else str(initial)
            if name in self.data and str(self.data[name]) != current:
                self.add_error(name, reason)

    @property
    def settings(self) -> Settings:
        """The settings of a valid form."""
        return cast(Settings, {name: self.cleaned_data[name] for name in SETTINGS})

    @property
    def has_errors_below(self) -> bool:
        """Whether something is wrong with what a new tournament takes from its format."""
        return not self.errors.keys() <= {"name", "held_on", "rules"}

    @property
    def name_fields(self) -> list[forms.BoundField]:
        return [self["name"], self["held_on"]]

    @property
    def lengths(self) -> list[forms.BoundField]:
        """The fields that say how many rounds there are, and when each ends."""
        return [self[name] for name in ("rounds", "hands_a_round", "minutes_a_round")]

    @property
    def sitting_out(self) -> list[forms.BoundField]:
        """The numbers of a fixed score."""
        return [self["sitting_out_table_points"], self["sitting_out_points"]]

    @property
    def ranking(self) -> list[forms.BoundField]:
        """The fields that say what ranks, in order."""
        return [self[name] for name in RANK_FIELDS]


class TournamentChangeForm(ChangeForm, TournamentForm):
    """The settings of a tournament that is there already."""

    @property
    def unusual(self) -> list[str]:
        """The parts of the page that are not folded."""
        return [
            part
            for part, names in FOLDED_FIELDS.items()
            if is_unusual(self[name] for name in names)
        ]


def settings_form_data(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Settings under the names and with the values of the form's fields."""
    first, bands = settings.get("by_standing_from"), settings.get("bands", 1)
    by_standing = BANDS if bands > 1 else NEAR
    ranks = (*settings["ranks_by"], *[""] * len(RANK_FIELDS))
    return {
        **{name: value for name, value in settings.items() if name != "ranks_by"},
        **dict(zip(RANK_FIELDS, ranks, strict=False)),
        "rules": _offered_rules(settings.get("rules", "")),
        "seated_by": DRAWN if first is None else by_standing,
        "bands": bands if bands > 1 else None,
        "start_stake": settings.get("start_stake") or None,
    }


def _offered_rules(rules: str) -> str:
    """A rules key as the page offers it: a book in its newest edition by its bare name."""
    try:
        return short_key(rules) if rules else ""
    except UnknownRuleSet:
        return rules


def settings_of(tournament: Tournament) -> dict[str, Any]:
    """The form's initial data for a tournament that is there already."""
    return settings_form_data(settings_fields(tournament))
