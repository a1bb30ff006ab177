"""Forms of a hosted address: a club is started, found on a list, closed and deleted."""

from datetime import date
from typing import Any, Final

from django import forms
from django.urls import reverse
from django.utils.html import format_html

from clubs.accounts.forms import NewPasswordForm
from clubs.core.forms import ShownTextField, day_field
from clubs.hosting.selectors import STATE_CHOICES, UNUSED_CHOICES
from clubs.house.forms.club import ClubFileForm, NewClubForm, email_field, person_field
from clubs.privacy.forms import EraseForm

NAME_HINT: Final = "If other clubs may have the same name, add your town."
MUST_AGREE_MESSAGE: Final = "Tick this to agree. Without it we cannot start your club."
MAX_MAILS: Final = 10_000


def agree_field() -> forms.BooleanField:
    return forms.BooleanField(error_messages={"required": MUST_AGREE_MESSAGE})


class _AgreementForm(forms.Form):
    """Adds what someone agrees to, with links to both texts."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "name" in self.fields:
            self.fields["name"].help_text = NAME_HINT
        self.fields["agree"].label = format_html(
            'I agree to the <a href="{}">terms</a> and have read the <a href="{}">privacy '
            "notice</a>",
            reverse("terms"),
            reverse("privacy"),
        )


class StartForm(_AgreementForm):
    """A club that someone without an account wants to start."""

    name = ShownTextField(
        label="Club name",
        max_length=80,
        error_messages={"required": "Enter the name of your club."},
        widget=forms.TextInput(attrs={"autocomplete": "organization"}),
    )
    person = person_field()
    email = email_field()
    agree = agree_field()

    def clean(self) -> dict[str, Any]:
        """What ``request_club`` takes."""
        cleaned_data = self.cleaned_data
        return {
            name: cleaned_data[name] for name in ("name", "person", "email") if name in cleaned_data
        }


class FoundClubForm(NewPasswordForm, NewClubForm):
    """The club of an emailed link, and the password of its secretary."""

    field_order = (
        *("name", "password1", "password2", "rules"),
        *("weekday", "starts_at", "ends_at", "place"),
    )

    def __init__(self, data: Any = None, *, name: str, person: str, email: str) -> None:
        super().__init__(data, initial={"name": name})
        self.person, self.email = person, email
        self.fields["name"].help_text = NAME_HINT

    def clean(self) -> dict[str, Any]:
        """What ``found_by_link`` takes."""
        cleaned_data = super().clean()
        self.check_password(email=self.email, person=self.person)
        if self.errors:
            return cleaned_data
        fields = {name: cleaned_data[name] for name in ("name", "rules", "evening")}
        return fields | {"password": cleaned_data["password1"]}


class AnotherClubForm(_AgreementForm, NewClubForm):
    """Another club of someone who is signed in."""

    agree = agree_field()

    def clean(self) -> dict[str, Any]:
        """What ``found_another`` takes."""
        cleaned_data = super().clean()
        if self.errors:
            return cleaned_data
        return {name: cleaned_data[name] for name in ("name", "rules", "evening")}


class ImportByLinkForm(NewPasswordForm, ClubFileForm):
    """The club file of someone with an emailed link, and their password."""

    def __init__(self, data: Any = None, files: Any = None, *, person: str, email: str) -> None:
        super().__init__(data, files)
        self.secretary = {"person": person, "email": email}

    def clean(self) -> dict[str, Any]:
        """What ``import_by_link`` takes."""
        super().clean()
        self.check_password(**self.secretary)
        if self.errors:
            return self.cleaned_data
        return {"file": self.cleaned_data["file"], "password": self.cleaned_data["password1"]}


class ImportAnotherForm(_AgreementForm, ClubFileForm):
    """The club file of someone who is signed in."""

    agree = agree_field()


class FindForm(forms.Form):
    """Which clubs an operator wants to see."""

    search = forms.CharField(
        label="Club or email address",
        max_length=80,
        required=False,
        widget=forms.TextInput(attrs={"type": "search", "autocomplete": "off"}),
    )
    state = forms.ChoiceField(label="State", choices=list(STATE_CHOICES.items()), required=False)
    unused = forms.ChoiceField(
        label="Last used", choices=list(UNUSED_CHOICES.items()), required=False
    )

    @property
    def filters(self) -> dict[str, str]:
        """The filters that can be used; a wrong one is left out."""
        if not self.is_bound:
            return {}
        self.full_clean()
        return dict(self.cleaned_data)


class CloseForm(forms.Form):
    """Why a club is closed, and until when."""

    because = ShownTextField(
        label="Why?",
        max_length=200,
        required=False,
        help_text="Everyone who opens the club will see this. Write a full sentence.",
    )
    until = day_field("Until", required=False)


class MailsForm(forms.Form):
    """How many emails a hosted club can send in a day."""

    a_day = forms.IntegerField(
        label="Emails a day",
        min_value=0,
        max_value=MAX_MAILS,
        help_text="Enough for its members, a few times over: 200 for a club of 60.",
        widget=forms.NumberInput(attrs={"inputmode": "numeric", "class": "input--short"}),
        error_messages=dict.fromkeys(
            ("required", "invalid", "min_value", "max_value"),
            f"Enter how many emails the club can send a day: 0 to {MAX_MAILS:,}.",
        ),
    )


class AnnounceForm(forms.Form):
    """On which day a club is deleted."""

    on = day_field("Delete on")

    def __init__(self, data: Any = None, *, first: date) -> None:
        super().__init__(data, initial={"on": first})


class DeleteClubForm(EraseForm):
    """The club's name, typed to be sure."""

    def __init__(self, name: str, data: Any = None) -> None:
        super().__init__(name, data)
        self.fields["name"].error_messages["required"] = "Enter the club’s name."
