"""Forms about sign-ins, API keys and roles."""

from collections.abc import Sequence
from typing import Any, Final

from django import forms
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError

from clubs.accounts.services import YEAR_DAYS, players_without_a_role
from clubs.core.forms import PersonField
from clubs.models import Club, Player, Role, Scope, User

NEVER_EXPIRES: Final = "never"
LIFETIME_CHOICES: Final = [
    ("30", "30 days"),
    ("90", "90 days"),
    (str(YEAR_DAYS), "A year"),
    (NEVER_EXPIRES, "Never"),
]

ROLE_LABELS = {
    Role.SECRETARY: "Secretary: runs the club and sees everything",
    Role.DIRECTOR: "Tournament director: runs tournaments and enters hands",
    Role.SCORER: "Scorer: enters and corrects hands, prints score sheets",
    Role.PLAYER: "Player: sees the members’ pages and their own results",
}
ROLE_CHOICES = [(role.value, label) for role, label in ROLE_LABELS.items()]
CHOOSE_ROLE_ERRORS = dict.fromkeys(("required", "invalid_choice"), "Choose one of these roles.")
LENGTH_HINT: Final = "Use at least 8 characters. Do not use only numbers or a common password."
CHOICE_MISSING: Final = "Choose a password."
REPETITION_MISSING: Final = "Enter the password again."
PASSWORDS_DIFFER: Final = "The two passwords are not the same."


class AddressForm(forms.Form):
    """The address that someone wants to sign in with."""

    email = forms.EmailField(
        label="New email address",
        max_length=254,
        widget=forms.EmailInput({"autocomplete": "email"}),
    )


class KeyForm(forms.Form):
    """A key's name, permissions, club and lifetime."""

    name = forms.CharField(
        label="Name",
        max_length=80,
        help_text="To help you recognise it later, for example “Screen in the hall”.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    scopes = forms.MultipleChoiceField(
        label="Permissions",
        choices=Scope.choices,
        initial=[Scope.READ.value],
        widget=forms.CheckboxSelectMultiple,
        help_text="A key can never do more than you can.",
        error_messages={"required": "Choose at least one."},
    )
    club = forms.ChoiceField(label="Which club?", required=False)
    days = forms.ChoiceField(
        label="Expires", choices=LIFETIME_CHOICES, initial=str(YEAR_DAYS), required=False
    )

    def __init__(self, data: Any = None, *, clubs: Sequence[Club]) -> None:
        super().__init__(data)
        self.clubs = {str(club.pk): club for club in clubs}
        choices = [("", "All my clubs"), *((key, club.name) for key, club in self.clubs.items())]
        self.fields["club"].choices = choices  # type: ignore[attr-defined]

    def clean_club(self) -> Club | None:
        return self.clubs.get(self.cleaned_data["club"])

    def clean_days(self) -> int | None:
        """A year unless something else was chosen; None until it is revoked."""
        days = self.cleaned_data["days"] or YEAR_DAYS
        return None if days == NEVER_EXPIRES else int(days)


class RoleForm(forms.Form):
    """One of the roles."""

    role = forms.ChoiceField(
        label="What can they do?",
        choices=ROLE_CHOICES,
        widget=forms.RadioSelect,
        error_messages=CHOOSE_ROLE_ERRORS,
        initial=Role.PLAYER,
    )

    def clean_role(self) -> Role:
        return Role(self.cleaned_data["role"])


class InviteForm(RoleForm):
    """Who is invited: a member with an email address, or anyone else by their address."""

    player = PersonField(
        queryset=Player.objects.none(),
        label="Which member is it?",
        required=False,
        empty_label="Someone who is not in the member list",
        error_messages={"invalid_choice": "Choose someone from the list."},
    )
    email = forms.EmailField(
        label="Email address",
        max_length=254,
        required=False,
        help_text="Leave it empty to use the address in the member list.",
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
        error_messages={"invalid": "Enter an email address like ann@example.org."},
    )
    field_order = ["player", "email", "role"]

    def __init__(self, data: Any = None, *, club: Club) -> None:
        super().__init__(data)
        self.fields["player"].queryset = players_without_a_role(club)  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """The address of the invitation: what was entered, or the member's own."""
        player = self.cleaned_data.get("player")
        if "email" in self.cleaned_data and not self.cleaned_data["email"]:
            self.cleaned_data["email"] = player.email if player else ""
            if not self.cleaned_data["email"]:
                self.add_error("email", "Enter an email address, so that we can invite them.")
        return self.cleaned_data


def new_password_field(
    label: str, hint: str = "", missing: str = REPETITION_MISSING
) -> forms.CharField:
    """A password that is being chosen; what was typed stays while something else is mended."""
    return forms.CharField(
        label=label,
        help_text=hint,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}, render_value=True),
        error_messages={"required": missing},
    )


class NewPasswordForm(forms.Form):
    """A password of a new account, entered twice. Every fault is named at once, at its field."""

    password1 = new_password_field("Choose a password", LENGTH_HINT, CHOICE_MISSING)
    password2 = new_password_field("Confirm password")

    def check_password(self, *, email: str, person: str) -> None:
        """Nobody guesses it from the name or address, and both are the same."""
        password, confirmation = (
            self.cleaned_data.get(name) for name in ("password1", "password2")
        )
        if password:
            try:
                validate_password(password, User(email=email, name=person))
            except ValidationError as faults:
                self.add_error("password1", faults)
        if password and confirmation and password != confirmation:
            self.add_error("password2", PASSWORDS_DIFFER)


class NewAccountForm(NewPasswordForm):
    """A new account: the person's name and a password of their own."""

    name = forms.CharField(
        label="Your name",
        max_length=80,
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
        error_messages={"required": "Enter your name."},
    )
    field_order = ("name", "password1", "password2")

    def __init__(self, data: Any = None, *, email: str, initial: dict[str, str]) -> None:
        super().__init__(data, initial=initial)
        self.email = email

    def clean(self) -> dict[str, Any]:
        """Both passwords are the same, and one that nobody guesses from the name or address."""
        self.check_password(email=self.email, person=self.cleaned_data.get("name", ""))
        return self.cleaned_data
