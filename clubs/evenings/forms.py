"""What a secretary enters about evenings, the calendar and seating preferences."""

from calendar import month_name
from collections.abc import Iterable
from datetime import date, timedelta
from functools import partial
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils import timezone

from clubs.core.forms import (
    ChangeForm,
    FoldedForm,
    PeopleField,
    PersonField,
    ShownTextField,
    day_field,
)
from clubs.core.people_names import active_records
from clubs.evenings.selectors.calendar import ORDINALS, Pattern
from clubs.evenings.selectors.floor import TableChanges, players_seated, players_waiting
from clubs.evenings.selectors.seating import SIZE_NAMES
from clubs.evenings.services import evenings as services
from clubs.language.moments import typed_date
from clubs.models import Answer, Club, Player, Series, Session, WishKind

FURTHEST_AHEAD = timedelta(days=400)
FIRST_DAY = date(1920, 1, 1)
WEEKLY = "every"
MAX_WEEKS_APART = 52
FREQUENCY_CHOICES = [
    (WEEKLY, "Weekly, or every few weeks"),
    ("weeks", "Certain weeks of the month, such as the 1st and 3rd"),
]
TIME_ERRORS = {"invalid": "Enter a time, for example 14:00.", "required": "Enter a time."}
WEEK_ERRORS = {
    "invalid": "Enter a whole number, for example 2.",
    "min_value": "Enter 1 for every week.",
    "max_value": "Enter 52 or fewer.",
}
CARRY_ON, TABLE_ENDS = "without", "ends"
PRICE_ERRORS = {
    "required": "Enter the amount, for example 2.50.",
    "invalid": "Enter the amount in pounds, for example 2.50.",
    "max_decimal_places": "Enter whole pence, for example 2.50.",
    "min_value": "The price cannot be negative.",
    "max_value": "That price is too high. Check the amount.",
}
MAX_TABLES = 99
WISH_LABELS = {
    WishKind.APART: ("Who", "Keep apart with"),
    WishKind.TOGETHER: ("Who", "Seat together with"),
    WishKind.HELPER: ("The beginner", "Helper"),
    WishKind.TABLE: ("Who", ""),
}


class EveningForm(forms.Form):
    """The day of a new evening."""

    held_on = day_field("Date of the evening", initial=timezone.localdate)

    def clean_held_on(self) -> date:
        held_on: date = self.cleaned_data["held_on"]
        if not FIRST_DAY <= held_on <= timezone.localdate() + FURTHEST_AHEAD:
            raise ValidationError(f"{typed_date(held_on)} does not look right. Check the year.")
        return held_on


class CancelForm(forms.Form):
    """Why an evening is cancelled."""

    reason = ShownTextField(
        label="Reason",
        max_length=200,
        error_messages={"required": "Enter a reason."},
        help_text="For example: opened on the wrong day. Everyone who opens the evening will see "
        "this.",
    )


class GuestForm(forms.Form):
    """Someone who came along."""

    name = forms.CharField(
        label="Guest’s name",
        error_messages={"required": "Enter the guest’s name."},
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


class _ButtonForm(forms.Form):
    """One button pressed: the field that is sent says what, its value who; ``act`` and ``player``.

    ``open_to_all``: the acts that take someone whose record is no longer active.
    """

    acts: ClassVar[tuple[str, ...]]
    open_to_all: ClassVar[tuple[str, ...]]
    refusal = "That person is no longer in the member list."

    def __init__(self, club: Club, data: Any) -> None:
        super().__init__(data)
        for act in self.acts:
            people = club.players.all() if act in self.open_to_all else active_records(club)
            self.fields[act] = PersonField(queryset=people, required=False)

    def clean(self) -> dict[str, Any]:
        chosen_players = {name: player for name, player in self.cleaned_data.items() if player}
        if self.errors or len(chosen_players) != 1:
            raise ValidationError(self.refusal)
        ((act, player),) = chosen_players.items()
        return {"act": act, "player": player}


class TickForm(_ButtonForm):
    """Someone is here, or away after all."""

    acts, open_to_all = ("here", "away"), ("away",)


class PaidForm(_ButtonForm):
    """Someone has paid, or has not after all."""

    acts = open_to_all = ("paid", "unpaid")


class StandByForm(_ButtonForm):
    """Someone is asked to come, or goes on or off the list of substitutes."""

    acts, open_to_all = ("ask", "add", "drop"), ("drop",)
    refusal = "Choose someone from the list."


def time_field(label: str, initial: str) -> forms.TimeField:
    widget = forms.TimeInput(format="%H:%M", attrs={"type": "time", "class": "input--short"})
    return forms.TimeField(label=label, widget=widget, initial=initial, error_messages=TIME_ERRORS)


class SeriesForm(FoldedForm, ChangeForm):
    """When and where the club meets."""

    ABOVE = ("name", "place", "first_on", "last_on", "starts_at", "ends_at")
    name = ShownTextField(
        label="Name",
        max_length=80,
        initial="Club evening",
        error_messages={"required": "Enter a name."},
    )
    place = ShownTextField(
        label="Place", max_length=120, required=False, help_text="For example: Village Hall."
    )
    first_on = day_field("First day", help_text="All evenings are on the same day of the week.")
    last_on = day_field("Last day")
    how = forms.ChoiceField(
        label="How often?", choices=FREQUENCY_CHOICES, initial=WEEKLY, widget=forms.RadioSelect
    )
    every = forms.IntegerField(
        label="Weeks from one evening to the next",
        required=False,
        initial=1,
        min_value=1,
        max_value=MAX_WEEKS_APART,
        error_messages=WEEK_ERRORS,
        widget=forms.NumberInput(attrs={"class": "input--short"}),
    )
    weeks = forms.TypedMultipleChoiceField(
        label="Weeks of the month",
        choices=[(week, f"The {ordinal}") for week, ordinal in ORDINALS.items()],
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    starts_at = time_field("Starts at", "19:00")
    ends_at = time_field("Ends at", "21:30")

    def clean(self) -> dict[str, Any]:
        """Put the dates into one ``pattern``; fields of the other way are ignored."""
        cleaned_data = self.cleaned_data
        recurrence, weeks = cleaned_data.pop("how", WEEKLY), tuple(cleaned_data.pop("weeks", ()))
        interval = cleaned_data.pop("every", None) or 1
        if recurrence != WEEKLY and not weeks:
            self.add_error("weeks", "Choose at least one week.")
        if not self.errors:
            days = (cleaned_data.pop("first_on"), cleaned_data.pop("last_on"))
            cleaned_data["pattern"] = (
                Pattern(*days, interval) if recurrence == WEEKLY else Pattern(*days, weeks=weeks)
            )
        return cleaned_data


class HolidayForm(forms.Form):
    """Days without an evening."""

    name = ShownTextField(
        label="Reason",
        max_length=80,
        help_text="For example: Christmas, or: the hall is let.",
        error_messages={"required": "Enter a reason."},
    )
    first_on = day_field("First closed date")
    last_on = day_field("Last closed date", help_text="For a single day, enter the same date.")


def series_initial(series: Series) -> dict[str, Any]:
    names = ("name", "place", "first_on", "last_on", "every", "weeks", "starts_at", "ends_at")
    recurrence = "weeks" if series.weeks else WEEKLY
    return {name: getattr(series, name) for name in names} | {"how": recurrence}


class _TableChangeForm(forms.Form):
    """A change of who sits where this evening; ``act`` makes it."""

    def __init__(self, session: Session, data: Any = None) -> None:
        super().__init__(data, prefix=type(self).__name__.lower())
        self.session = session


def _player_field(
    label: str, people: QuerySet[Player], ask: str = "Choose a player"
) -> PersonField:
    return PersonField(
        label=label, queryset=people, empty_label=ask, error_messages=_missing_errors(f"{ask}.")
    )


def _radio_field(label: str, choices: list[tuple[str, str]], missing: str) -> forms.ChoiceField:
    return forms.ChoiceField(
        label=label,
        choices=choices,
        widget=forms.RadioSelect,
        error_messages=_missing_errors(missing),
    )


def _missing_errors(message: str) -> dict[str, str]:
    return dict.fromkeys(("required", "invalid_choice"), message)


def _player_choices(people: Iterable[Player]) -> list[tuple[str, str]]:
    return [(str(player.pk), player.name) for player in people]


class Comes(_TableChangeForm):
    """A waiting player joins a table that can take one more."""

    def __init__(self, session: Session, now: TableChanges, data: Any = None) -> None:
        super().__init__(session, data)
        player = _player_field("Player", players_waiting(session))
        player.choices = [("", "Choose a player"), *_player_choices(now.waiters)]
        player.initial = now.waiters[0] if len(now.waiters) == 1 else None
        self.fields["player"] = player
        sizes = {table.number: len(table.seats) + 1 for table in now.tables if table.takes}
        tables = [
            (f"{number}", f"Table {number}, which becomes a {SIZE_NAMES[size]}")
            for number, size in sizes.items()
        ]
        self.fields["number"] = _radio_field("Table", tables, "Choose a table.")

    @property
    def act(self) -> services.ChangeService:
        player, number = self.cleaned_data["player"], int(self.cleaned_data["number"])
        return partial(services.join_table, session=self.session, player=player, number=number)


class Leaves(_TableChangeForm):
    """A player leaves: someone takes the seat, the others carry on, or the table ends."""

    def __init__(self, session: Session, now: TableChanges, data: Any = None) -> None:
        super().__init__(session, data)
        leaver = _player_field("Player leaving", players_seated(session))
        leaver.choices = [("", "Choose a player"), *_player_choices(now.players)]
        self.fields["leaver"] = leaver
        takers = [
            (key, f"{name} takes over the seat") for key, name in _player_choices(now.waiters)
        ]
        other_choices = [
            (CARRY_ON, "The others carry on without them"),
            (TABLE_ENDS, "The table ends here"),
        ]
        self.fields["then"] = _radio_field(
            "What happens to the table?",
            [*takers, *other_choices],
            "Choose what happens to the table.",
        )
        self.fields["home"] = forms.BooleanField(
            label="They are going home",
            required=False,
            initial=True,
            help_text="Untick this if they are staying and want another seat.",
        )

    @property
    def act(self) -> services.ChangeService:
        cleaned_data = self.cleaned_data
        leaving = {
            "session": self.session,
            "leaver": cleaned_data["leaver"],
            "goes_home": cleaned_data["home"],
        }
        if cleaned_data["then"] == CARRY_ON:
            return partial(services.leave_table, **leaving)
        if cleaned_data["then"] == TABLE_ENDS:
            return partial(services.end_table, **leaving)
        taker = players_waiting(self.session).get(pk=cleaned_data["then"])
        return partial(services.take_over, player=taker, **leaving)


class NewTable(_TableChangeForm):
    """Waiting players form a new table."""

    def __init__(self, session: Session, now: TableChanges, data: Any = None) -> None:
        super().__init__(session, data)
        players = PeopleField(
            label="Who sits there",
            queryset=players_waiting(session),
            widget=forms.CheckboxSelectMultiple,
            error_messages=dict.fromkeys(
                ("required", "invalid_choice", "invalid_pk_value"), "Choose who sits there."
            ),
        )
        players.choices = _player_choices(now.waiters)
        self.fields["players"] = players

    @property
    def act(self) -> services.ChangeService:
        players = list(self.cleaned_data["players"])
        return partial(services.form_table, session=self.session, players=players)


class TableMoneyForm(forms.Form):
    """The price of an evening per person, in pounds; ``pence`` has it in pence."""

    price = forms.DecimalField(
        label="Price per person (£)",
        help_text="For example 2.50. Payments already recorded do not change.",
        min_value=0,
        max_value=100,
        decimal_places=2,
        error_messages=PRICE_ERRORS,
        widget=forms.TextInput(attrs={"inputmode": "decimal", "class": "input--short"}),
    )
    year_begins = forms.TypedChoiceField(
        label="The club’s year begins in",
        help_text="Table money is added up for twelve months from then.",
        choices=list(enumerate(month_name))[1:],
        coerce=int,
        error_messages={"required": "Choose a month.", "invalid_choice": "Choose a month."},
    )

    @property
    def pence(self) -> int:
        return int(self.cleaned_data["price"] * 100)


def _checked_in_players(session: Session) -> QuerySet[Player]:
    return Player.objects.filter(attendances__session=session)


class PlacesForm(forms.Form):
    """Two players to swap."""

    def __init__(self, session: Session, data: Any = None) -> None:
        super().__init__(data, prefix="places")
        players = _checked_in_players(session)
        self.fields["one"] = _player_field("Player", players)
        self.fields["other"] = _player_field("With", players)


class TableForm(forms.Form):
    """A player to move to another table; they may have no table yet."""

    def __init__(self, session: Session, data: Any = None) -> None:
        super().__init__(data, prefix="table")
        self.fields["player"] = _player_field("Player", _checked_in_players(session))
        numbers = session.tables.values_list("number", flat=True)
        self.fields["number"] = forms.TypedChoiceField(
            label="To table",
            coerce=int,
            choices=[(number, f"Table {number}") for number in numbers],
            error_messages=_missing_errors("Choose a table."),
        )


class AnswerForm(forms.Form):
    """Yes or no."""

    answer = forms.TypedChoiceField(choices=[(Answer.YES, "Yes"), (Answer.NO, "No")], coerce=Answer)


class WishForm(forms.Form):
    """A seating preference of one kind, with only the fields that the kind needs."""

    def __init__(self, club: Club, kind: WishKind, data: Any = None) -> None:
        super().__init__(data)
        player_label, other_label = WISH_LABELS[kind]
        members = club.players.filter(is_active=True)
        self.fields["player"] = _player_field(player_label, members, "Choose a person")
        if other_label:
            self.fields["other"] = _player_field(other_label, members, "Choose a person")
        else:
            self.fields["table"] = forms.IntegerField(
                label="Always at table number",
                min_value=1,
                max_value=MAX_TABLES,
                error_messages={
                    "required": "Enter the table’s number.",
                    "invalid": "Enter a number, such as 1.",
                    "min_value": "Tables are numbered from 1.",
                    "max_value": f"Tables are numbered up to {MAX_TABLES}.",
                },
                widget=forms.NumberInput(attrs={"class": "input--short", "inputmode": "numeric"}),
            )
        self.fields["until"] = day_field(
            "Until", required=False, help_text="Last date it applies. Leave empty for no end date."
        )
        self.fields["reason"] = ShownTextField(
            label="Reason",
            required=False,
            max_length=120,
            help_text="Only the secretary can see this.",
            widget=forms.TextInput(attrs={"autocomplete": "off"}),
        )

    def clean_until(self) -> date | None:
        until: date | None = self.cleaned_data["until"]
        if until and until < timezone.localdate():
            raise ValidationError("That date has passed. Leave it empty or choose a future date.")
        return until

    def clean(self) -> dict[str, Any]:
        cleaned_data = self.cleaned_data
        if cleaned_data.get("other") and cleaned_data["other"] == cleaned_data.get("player"):
            self.add_error("other", "Choose two different people.")
        return cleaned_data


class SplitForm(forms.Form):
    """The sizes of the tables, such as ``4,5,5``; empty for the usual ones."""

    split = forms.RegexField(r"^[345](,[345]){0,99}$", required=False)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The sizes that were chosen; empty if nothing valid was sent."""
        split = self.cleaned_data.get("split", "") if self.is_valid() else ""
        return tuple(map(int, split.split(","))) if split else ()
