"""A club set up in the browser, and its settings."""

from calendar import day_name
from collections.abc import Callable
from typing import Any, Final
from urllib.parse import urlsplit

from django import forms
from django.core.exceptions import ValidationError

from clubs.accounts.forms import NewPasswordForm
from clubs.core.addresses import is_local_only, is_served_address
from clubs.core.forms import ChangeForm, ShownTextField
from clubs.evenings.forms import time_field
from clubs.house.first_run import is_set_up_code
from clubs.house.services import WeeklyEvening
from clubs.models import Club, MarkColour
from clubs.models.names import club_name_fault, name_fault
from scoring import rule_set_keys
from scoring.scorebook.editions import rule_set

MAX_HANDS = 8
CHOOSE_LATER: Final = ""
ADDRESS_FAULT: Final = "Enter an address like http://192.168.1.20:8000."


class HandsForm(forms.Form):
    """So many hands more at every table."""

    hands = forms.IntegerField(
        label="Hands at each table",
        min_value=1,
        max_value=MAX_HANDS,
        initial=4,
        widget=forms.NumberInput(attrs={"inputmode": "numeric", "class": "input--short"}),
        error_messages=dict.fromkeys(
            ("required", "invalid", "min_value", "max_value"),
            f"Enter how many hands to play: 1 to {MAX_HANDS}.",
        ),
    )


class ClubNameForm(ChangeForm):
    """The club's name, and the colour of its mark."""

    name = ShownTextField(
        label="Name of the club",
        max_length=80,
        widget=forms.TextInput(attrs={"autocomplete": "organization"}),
        error_messages={"required": "Enter the name of the club."},
    )
    mark_colour = forms.ChoiceField(
        label="Colour of the club’s mark",
        help_text="The mark is the tile beside the club’s name. Red is the usual colour.",
        choices=MarkColour.choices,
        widget=forms.RadioSelect,
        error_messages=dict.fromkeys(("required", "invalid_choice"), "Choose a colour."),
    )


def initial_name(club: Club) -> dict[str, str]:
    return {name: getattr(club, name) for name in ClubNameForm.base_fields}


class ClubEmailForm(ChangeForm):
    """Where replies to the club's emails go."""

    contact_email = forms.EmailField(
        label="Address for replies",
        required=False,
        help_text="Replies to the club’s emails go to this address. If you leave it empty, they go "
        "to the person who sent the message.",
        error_messages={"invalid": "Enter an email address like name@example.org."},
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )


def initial_email(club: Club) -> dict[str, str]:
    return {"contact_email": club.contact_email}


class PublicForm(ChangeForm):
    """A switch for each part of a club's pages that can be made public."""

    shows_results = forms.BooleanField(
        label="Results",
        required=False,
        help_text="Evenings, players’ pages, special hands and tournaments.",
    )
    shows_league = forms.BooleanField(
        label="League", required=False, help_text="League tables, ranking rules and ratings."
    )
    shows_calendar = forms.BooleanField(
        label="Calendar", required=False, help_text="The dates, times and place of coming evenings."
    )


PUBLIC_SWITCHES = tuple(PublicForm.base_fields)


def initial_switches(club: Club) -> dict[str, bool]:
    return {name: getattr(club, name) for name in PUBLIC_SWITCHES}


def _require_valid(name: str, fault_in: Callable[[str], str]) -> str:
    """The name, if it has no fault. Raises ``ValidationError`` with the sentence that says it."""
    if fault := fault_in(name):
        raise ValidationError(fault)
    return name


class NewClubForm(forms.Form):
    """A new club: its name and rules, and its weekly evening."""

    name = ShownTextField(
        label="Club name",
        max_length=80,
        error_messages={"required": "Enter the name of your club."},
        widget=forms.TextInput(attrs={"autocomplete": "organization"}),
    )
    rules = forms.ChoiceField(
        label="Scoring rules",
        help_text="You can change this later, and write house rules.",
        initial=rule_set_keys()[0],
        widget=forms.RadioSelect,
        error_messages=dict.fromkeys(("required", "invalid_choice"), "Choose the rules you play."),
    )
    weekday = forms.TypedChoiceField(
        label="Day of the week",
        required=False,
        choices=[
            (CHOOSE_LATER, "Choose later"),
            *((str(n), day) for n, day in enumerate(day_name)),
        ],
        coerce=int,
        empty_value=None,
    )
    starts_at = time_field("Starts at", "19:00")
    ends_at = time_field("Ends at", "21:30")
    place = ShownTextField(
        label="Place", max_length=120, required=False, help_text="For example: Village Hall."
    )

    def __init__(self, data: Any = None, *, initial: Any = None) -> None:
        super().__init__(data, initial=initial)
        rules: Any = self.fields["rules"]
        rules.choices = [(key, rule_set(key).name) for key in rule_set_keys()]
        for name in ("starts_at", "ends_at"):
            self.fields[name].required = False

    def clean_name(self) -> str:
        """A name that a club may have, so that its fault is said beside the others."""
        return _require_valid(self.cleaned_data["name"], club_name_fault)

    def clean(self) -> dict[str, Any]:
        """The evening, in ``evening``, is whole or left for later."""
        cleaned_data = self.cleaned_data
        weekday = cleaned_data.get("weekday")
        for name in ("starts_at", "ends_at"):
            if weekday is not None and not cleaned_data.get(name) and name not in self.errors:
                self.add_error(name, "Enter a time.")
        begins, ends = cleaned_data.get("starts_at"), cleaned_data.get("ends_at")
        if weekday is not None and begins and ends and ends <= begins:
            self.add_error("ends_at", "The end time must be after the start time.")
        if not self.errors:
            evening_fields = {
                name: cleaned_data[name] for name in ("starts_at", "ends_at", "place")
            }
            cleaned_data["evening"] = (
                None if weekday is None else WeeklyEvening(weekday, **evening_fields)
            )
        return cleaned_data


def person_field() -> ShownTextField:
    return ShownTextField(
        label="Your name",
        max_length=80,
        error_messages={"required": "Enter your name."},
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )


def email_field() -> forms.EmailField:
    return forms.EmailField(
        label="Your email address",
        max_length=254,
        help_text="You sign in with it.",
        error_messages={
            "required": "Enter your email address.",
            "invalid": "Enter an email address like name@example.org.",
        },
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )


class FirstPersonForm(NewPasswordForm):
    """Whoever sets up this installation: their code, name, email address and password.

    Only people nearby need no code.
    """

    code = forms.CharField(
        label="Set-up code",
        help_text="Tongbox showed it when it started: look in its window, or in the server’s log.",
        error_messages={"required": "Enter the set-up code."},
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "characters"}),
    )
    person = person_field()
    email = email_field()

    def __init__(self, *args: Any, asks_code: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not asks_code:
            del self.fields["code"]

    def clean_person(self) -> str:
        return _require_valid(self.cleaned_data["person"], name_fault)

    def clean_code(self) -> str:
        code: str = self.cleaned_data["code"]
        if not is_set_up_code(code):
            fault = "That is not the set-up code. Copy it from the window or log of the server."
            raise ValidationError(fault)
        return code

    def clean(self) -> dict[str, Any]:
        """The password is one that nobody guesses."""
        super().clean()
        cleaned_data: dict[str, Any] = self.cleaned_data
        self.check_password(
            email=cleaned_data.get("email", ""), person=cleaned_data.get("person", "")
        )
        return cleaned_data


class ClubFileForm(forms.Form):
    """A club file; valid, it is open in ``cleaned_data["file"]``."""

    file = forms.FileField(
        label="Club file",
        help_text="Its name ends in .tongbox.",
        error_messages={
            "required": "Choose the club file.",
            "empty": "This file is empty. Download the club again.",
        },
        widget=forms.FileInput(attrs={"accept": ".tongbox"}),
    )


class FirstClubFileForm(FirstPersonForm, ClubFileForm):
    """The first club from its file; valid, it holds what ``import_first_club`` takes."""

    def clean(self) -> dict[str, Any]:
        """What ``import_first_club`` takes, once everything is valid."""
        cleaned_data = super().clean()
        if self.errors:
            return cleaned_data
        fields = {name: cleaned_data[name] for name in ("file", "person")}
        return fields | {
            "email": cleaned_data["email"].lower(),
            "password": cleaned_data["password1"],
        }


class AddressForm(forms.Form):
    """Where phones open Tongbox."""

    address = forms.CharField(
        label="Address for phones",
        required=False,
        max_length=200,
        widget=forms.URLInput(attrs={"autocomplete": "off"}),
    )

    def clean_address(self) -> str:
        """An address others can open, without what follows the host."""
        raw_address: str = self.cleaned_data["address"]
        if not raw_address:
            return ""
        try:
            parts = urlsplit(raw_address if "://" in raw_address else f"http://{raw_address}")
            is_whole = parts.scheme in {"http", "https"} and parts.hostname and parts.port != 0
        except ValueError as wrong:
            raise ValidationError(ADDRESS_FAULT) from wrong
        if not is_whole or parts.username is not None or parts.path.strip("/") or parts.query:
            raise ValidationError(ADDRESS_FAULT)
        address = f"{parts.scheme}://{parts.netloc}"
        if is_local_only(address):
            fault = "That address works only on this computer. Enter another, or leave this empty."
            raise ValidationError(fault)
        if not is_served_address(address):
            fault = f"Tongbox does not answer at {parts.netloc}. Check it, or leave this empty."
            raise ValidationError(fault)
        return address


class SetUpForm(FirstPersonForm, NewClubForm, AddressForm):
    """The first club: its name and rules, its secretary, its evening, the address for phones.

    Without ``asks_address`` the environment says the address. Valid, it holds what ``set_up``
    takes in ``cleaned_data``.
    """

    field_order = (
        *("code", "name", "rules", "person", "email", "password1", "password2"),
        *("weekday", "starts_at", "ends_at", "place", "address"),
    )

    def __init__(
        self, data: Any = None, *, asks_code: bool, asks_address: bool, address: str
    ) -> None:
        super().__init__(data, initial={"address": address}, asks_code=asks_code)
        if not asks_address:
            del self.fields["address"]

    def clean(self) -> dict[str, Any]:
        """What ``set_up`` takes, once everything is valid."""
        cleaned_data = super().clean()
        if self.errors:
            return cleaned_data
        return {
            name: cleaned_data[name] for name in ("name", "rules", "person", "email", "evening")
        } | {"password": cleaned_data["password1"], "address": cleaned_data.get("address", "")}
