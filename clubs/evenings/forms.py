"""What a secretary enters about evenings, the calendar and seating preferences."""

from collections.abc import Callable, Iterable
from datetime import date, timedelta
from functools import partial
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.forms import ChoiceField
from django.utils import timezone

from clubs.core.forms import ChangeForm, ShownTextField, day_field
from clubs.core.people_names import standing
from clubs.evenings.recurrence import ORDINALS, Pattern
from clubs.evenings.selectors.floor import ChangesNow, TableNow, playing, waiting_to_sit
from clubs.evenings.services import seats as services
from clubs.language.moments import typed_date
from clubs.models import Answer, Club, Player, Series, Session, WishKind

FURTHEST_AHEAD = timedelta(days=400)
FIRST_DAY = date(1920, 1, 1)


class EveningForm(forms.Form):
    """The day of a new evening."""

    held_on = day_field("Date of the evening", initial=timezone.localdate)

    def clean_held_on(self) -> date:
        """A day that a club night can have."""
        held_on: date = self.cleaned_data["held_on"]
        if not FIRST_DAY <= held_on <= timezone.localdate() + FURTHEST_AHEAD:
            raise ValidationError(f"{typed_date(held_on)} does not look right. Check the year.")
        return held_on


class GuestForm(forms.Form):
    """Someone who came along."""

    name = forms.CharField(
        label="Guest’s name",
        error_messages={"required": "Enter the guest’s name."},
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


class TickForm(forms.Form):
    """One press at the door: ``here`` or ``away``, and who."""

    here = forms.ModelChoiceField(queryset=Player.objects.none(), required=False)
    away = forms.ModelChoiceField(queryset=Player.objects.none(), required=False)

    def __init__(self, club: Club, data: Any) -> None:
        super().__init__(data)
        self.fields["here"].queryset = standing(club)  # type: ignore[attr-defined]
        self.fields["away"].queryset = club.players.all()  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Exactly one person."""
        told = [self.cleaned_data.get(name) for name in ("here", "away")]
        if self.errors or sum(player is not None for player in told) != 1:
            raise ValidationError("That person is no longer in the member list.")
        self.cleaned_data["player"] = told[0] or told[1]
        return self.cleaned_data


EVERY = "every"
HOW = [
    (EVERY, "Weekly, or every few weeks"),
    ("weeks", "Certain weeks of the month, such as the 1st and 3rd"),
]
TIME = {"invalid": "Enter a time, for example 14:00.", "required": "Enter a time."}
WHOLE = {
    "invalid": "Enter a whole number, for example 2.",
    "min_value": "Enter 1 for every week.",
    "max_value": "Enter 52 or fewer.",
}


def time_field(label: str, initial: str) -> forms.TimeField:
    """A time of day, with the browser's clock where it has one."""
    widget = forms.TimeInput(format="%H:%M", attrs={"type": "time", "class": "input--short"})
    return forms.TimeField(label=label, widget=widget, initial=initial, error_messages=TIME)


class SeriesForm(ChangeForm):
    """When and where the club meets."""

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
        label="How often?", choices=HOW, initial=EVERY, widget=forms.RadioSelect
    )
    every = forms.IntegerField(
        label="Weeks from one evening to the next",
        required=False,
        initial=1,
        min_value=1,
        max_value=52,
        error_messages=WHOLE,
        widget=forms.NumberInput(attrs={"class": "input--short"}),
    )
    weeks = forms.TypedMultipleChoiceField(
        label="Weeks of the month",
        choices=[(week, f"The {words}") for week, words in ORDINALS.items()],
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    starts_at = time_field("Starts at", "14:00")
    ends_at = time_field("Ends at", "16:30")

    def clean(self) -> dict[str, Any]:
        """The days as one pattern; the other way's fields do not count."""
        told = self.cleaned_data
        how, weeks = told.pop("how", EVERY), tuple(told.pop("weeks", ()))
        every = told.pop("every", None) or 1
        if how != EVERY and not weeks:
            self.add_error("weeks", "Choose at least one week.")
        if not self.errors:
            days = (told.pop("first_on"), told.pop("last_on"))
            told["pattern"] = Pattern(*days, every) if how == EVERY else Pattern(*days, weeks=weeks)
        return told


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


def told_of(series: Series) -> dict[str, Any]:
    """A series as its form shows it."""
    names = ("name", "place", "first_on", "last_on", "every", "weeks", "starts_at", "ends_at")
    how = "weeks" if series.weeks else EVERY
    return {name: getattr(series, name) for name in names} | {"how": how}


Act = Callable[..., tuple[str, ...]]
SIZES = {2: "two", 3: "three", 4: "four", 5: "five"}
WITHOUT, ENDS = "without", "ends"


class _Change(forms.Form):
    """One kind of change of this evening."""

    def __init__(self, session: Session, data: Any = None) -> None:
        super().__init__(data, prefix=type(self).__name__.lower())
        self.session = session


def _choice(label: str, choices: list[tuple[str, str]], missing: str) -> ChoiceField:
    return ChoiceField(
        label=label,
        choices=choices,
        widget=forms.RadioSelect,
        error_messages=dict.fromkeys(("required", "invalid_choice"), missing),
    )


def _person(label: str, people: Any, shown: Iterable[Player]) -> "forms.ModelChoiceField[Player]":
    field = forms.ModelChoiceField(
        label=label,
        queryset=people,
        error_messages=dict.fromkeys(("required", "invalid_choice"), "Choose a player."),
    )
    field.choices = [("", "Choose a player"), *_named(shown)]
    return field


def _named(people: Iterable[Player]) -> list[tuple[str, str]]:
    return [(str(player.pk), player.name) for player in people]


class Comes(_Change):
    """Someone who waits sits down at a table that can take one more."""

    def __init__(self, session: Session, now: ChangesNow, data: Any = None) -> None:
        super().__init__(session, data)
        self.fields["player"] = _person("Player", waiting_to_sit(session), now.waiters)
        tables = [(str(one.number), _joined(one)) for one in now.tables if one.takes]
        self.fields["number"] = _choice("Table", tables, "Choose a table.")

    @property
    def act(self) -> Act:
        """They sit in."""
        validated = self.cleaned_data
        return partial(
            services.sit_in,
            session=self.session,
            player=validated["player"],
            number=int(validated["number"]),
        )


def _joined(table: TableNow) -> str:
    return f"Table {table.number}, which becomes a {SIZES[len(table.seats) + 1]}"


class Leaves(_Change):
    """Someone gives up their seat; someone takes it, the others go on, or the table ends."""

    def __init__(self, session: Session, now: ChangesNow, data: Any = None) -> None:
        super().__init__(session, data)
        self.fields["leaver"] = _person("Player leaving", playing(session), now.players)
        takers = [(key, f"{name} takes over the seat") for key, name in _named(now.waiters)]
        rest = [(WITHOUT, "The others carry on without them"), (ENDS, "The table ends here")]
        self.fields["then"] = _choice(
            "What happens to the table?", [*takers, *rest], "Choose what happens to the table."
        )
        self.fields["home"] = forms.BooleanField(
            label="They are going home",
            required=False,
            initial=True,
            help_text="Leave unticked if they are staying and want another seat.",
        )

    @property
    def act(self) -> Act:
        """The seat is given up in the way that was chosen."""
        validated = self.cleaned_data
        leaving = {
            "session": self.session,
            "leaver": validated["leaver"],
            "goes_home": validated["home"],
        }
        if validated["then"] == WITHOUT:
            return partial(services.leave, **leaving)
        if validated["then"] == ENDS:
            return partial(services.end_table, **leaving)
        taker = waiting_to_sit(self.session).get(pk=validated["then"])
        return partial(services.take_over, player=taker, **leaving)


class NewTable(_Change):
    """Those who wait make a table of their own."""

    def __init__(self, session: Session, now: ChangesNow, data: Any = None) -> None:
        super().__init__(session, data)
        players = forms.ModelMultipleChoiceField(
            label="Who sits there",
            queryset=waiting_to_sit(session),
            widget=forms.CheckboxSelectMultiple,
            error_messages=dict.fromkeys(
                ("required", "invalid_choice", "invalid_pk_value"), "Choose who sits there."
            ),
        )
        players.choices = _named(now.waiters)
        self.fields["players"] = players

    @property
    def act(self) -> Act:
        """The table is laid."""
        players = list(self.cleaned_data["players"])
        return partial(services.lay_another, session=self.session, players=players)


PRICE = {
    "required": "Enter the amount, for example 2.50.",
    "invalid": "Enter the amount in pounds, for example 2.50.",
    "max_decimal_places": "Enter whole pence, for example 2.50.",
    "min_value": "The price cannot be negative.",
    "max_value": "That price is too high. Check the amount.",
}


class PriceForm(forms.Form):
    """What an evening costs a head, in pounds; ``pence`` holds it in pence."""

    price = forms.DecimalField(
        label="Price per person (£)",
        help_text="For example 2.50. Payments already recorded do not change.",
        min_value=0,
        max_value=100,
        decimal_places=2,
        error_messages=PRICE,
        widget=forms.TextInput(attrs={"inputmode": "decimal", "class": "input--short"}),
    )

    @property
    def pence(self) -> int:
        """The price in pence."""
        return int(self.cleaned_data["price"] * 100)


class PaidForm(forms.Form):
    """One press: ``paid`` or ``unpaid``, and who."""

    paid = forms.ModelChoiceField(queryset=Player.objects.none(), required=False)
    unpaid = forms.ModelChoiceField(queryset=Player.objects.none(), required=False)

    def __init__(self, club: Club, data: Any) -> None:
        super().__init__(data)
        for name in ("paid", "unpaid"):
            self.fields[name].queryset = club.players.all()  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Exactly one person."""
        told = [self.cleaned_data.get(name) for name in ("paid", "unpaid")]
        if self.errors or sum(player is not None for player in told) != 1:
            raise ValidationError("That person is no longer in the member list.")
        return {"player": told[0] or told[1], "has_paid": told[0] is not None}


def _player_field(session: Session, label: str) -> "forms.ModelChoiceField[Player]":
    """Someone who is here."""
    here = Player.objects.filter(attendances__session=session).order_by("name_key")
    return forms.ModelChoiceField(
        label=label,
        queryset=here,
        empty_label="Choose a player",
        error_messages=dict.fromkeys(("required", "invalid_choice"), "Choose a player."),
    )


class PlacesForm(forms.Form):
    """Two who change places."""

    def __init__(self, session: Session, data: Any = None) -> None:
        super().__init__(data, prefix="places")
        self.fields["one"] = _player_field(session, "Player")
        self.fields["other"] = _player_field(session, "With")


class TableForm(forms.Form):
    """Someone who goes to another table, or has none so far."""

    def __init__(self, session: Session, data: Any = None) -> None:
        super().__init__(data, prefix="table")
        self.fields["player"] = _player_field(session, "Player")
        numbers = session.tables.values_list("number", flat=True)
        self.fields["number"] = forms.TypedChoiceField(
            label="To table",
            coerce=int,
            choices=[(number, f"Table {number}") for number in numbers],
            error_messages=dict.fromkeys(("required", "invalid_choice"), "Choose a table."),
        )


ACTS = ("ask", "add", "drop")


class StandByForm(forms.Form):
    """Which of the three, and who."""

    ask = forms.ModelChoiceField(queryset=Player.objects.none(), required=False)
    add = forms.ModelChoiceField(queryset=Player.objects.none(), required=False)
    drop = forms.ModelChoiceField(queryset=Player.objects.none(), required=False)

    def __init__(self, club: Club, data: Any) -> None:
        super().__init__(data)
        for name in ACTS:
            people = club.players.all() if name == "drop" else standing(club)
            self.fields[name].queryset = people  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Exactly one, as ``act`` and ``player``."""
        told = {name: self.cleaned_data.get(name) for name in ACTS if self.cleaned_data.get(name)}
        if self.errors or len(told) != 1:
            raise ValidationError("Choose someone from the list.")
        ((act, player),) = told.items()
        return {"act": act, "player": player}


class AnswerForm(forms.Form):
    """Yes or no."""

    answer = forms.TypedChoiceField(choices=[(Answer.YES, "Yes"), (Answer.NO, "No")], coerce=Answer)


MOST_TABLES = 99
WHO = {
    WishKind.APART: ("Who", "Keep apart with"),
    WishKind.TOGETHER: ("Who", "Seat together with"),
    WishKind.HELPER: ("The beginner", "Helper"),
    WishKind.TABLE: ("Who", ""),
}


class WishForm(forms.Form):
    """A wish of one kind; it asks only what that kind needs."""

    def __init__(self, club: Club, kind: WishKind, data: Any = None) -> None:
        super().__init__(data)
        who, other = WHO[kind]
        self.fields["player"] = _wishes_player_field(club, who)
        if other:
            self.fields["other"] = _wishes_player_field(club, other)
        else:
            self.fields["table"] = _table_field()
        self.fields["until"] = day_field(
            "Until",
            required=False,
            help_text="Last date it applies. Leave empty for no end date.",
        )
        self.fields["reason"] = ShownTextField(
            label="Reason",
            required=False,
            max_length=120,
            help_text="Only the secretary can see this.",
            widget=forms.TextInput(attrs={"autocomplete": "off"}),
        )

    def clean_until(self) -> date | None:
        """A day that is not over."""
        until: date | None = self.cleaned_data["until"]
        if until and until < timezone.localdate():
            raise ValidationError("That date has passed. Leave it empty or choose a future date.")
        return until

    def clean(self) -> dict[str, Any]:
        """Two different people."""
        told = self.cleaned_data
        if told.get("other") and told["other"] == told.get("player"):
            self.add_error("other", "Choose two different people.")
        return told


def _wishes_player_field(club: Club, label: str) -> "forms.ModelChoiceField[Player]":
    return forms.ModelChoiceField(
        label=label,
        queryset=club.players.filter(is_active=True).order_by("name_key"),
        empty_label="Choose a person",
        error_messages=dict.fromkeys(("required", "invalid_choice"), "Choose a person."),
    )


def _table_field() -> forms.IntegerField:
    return forms.IntegerField(
        label="Always at table number",
        min_value=1,
        max_value=MOST_TABLES,
        error_messages={
            "required": "Enter the table’s number.",
            "invalid": "Enter a number, such as 1.",
            "min_value": "Tables are numbered from 1.",
            "max_value": f"Tables are numbered up to {MOST_TABLES}.",
        },
        widget=forms.NumberInput(attrs={"class": "input--short", "inputmode": "numeric"}),
    )


class SplitForm(forms.Form):
    """The sizes of the tables, as ``4,5,5``; nothing sent: the usual ones."""

    split = forms.RegexField(r"^[345](,[345]){0,99}$", required=False)

    @property
    def sizes(self) -> tuple[int, ...]:
        """What was chosen; whatever cannot be read is nobody's choice."""
        told = self.cleaned_data.get("split", "") if self.is_valid() else ""
        return tuple(map(int, told.split(","))) if told else ()
