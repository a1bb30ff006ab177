"""The forms about passwords and emailed codes; allauth saves what they say."""

from typing import Any

from allauth.account.forms import (
    ChangePasswordForm,
    LoginForm,
    RequestLoginCodeForm,
    ResetPasswordForm,
    ResetPasswordKeyForm,
    SetPasswordForm,
)
from allauth.core import context
from django import forms

from clubs.accounts.forms import CHOICE_MISSING, PASSWORDS_DIFFER, REPETITION_MISSING
from clubs.core.tries import Entrance, count_try

MISSING_MESSAGES = {
    "oldpassword": "Enter your current password.",
    "password1": CHOICE_MISSING,
    "password2": REPETITION_MISSING,
}


class KeepPasswordsForm(forms.Form):
    """What was typed stays while something is mended, and every fault is named at once."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, missing in MISSING_MESSAGES.items():
            if field := self.fields.get(name):
                field.widget.render_value = True
                field.error_messages["required"] = missing

    def clean(self) -> dict[str, Any]:
        """Both are the same, also where the first is not good enough."""
        first, second = (self.data.get(name, "") for name in ("password1", "password2"))
        if first and second and first != second:
            self.add_error("password2", PASSWORDS_DIFFER)
        return self.cleaned_data


class SignInForm(LoginForm):  # type: ignore[misc]
    """An email address and a password; the page itself asks who has forgotten theirs."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password"].help_text = ""


class ChangeForm(KeepPasswordsForm, ChangePasswordForm):  # type: ignore[misc]
    """Another password for someone who types the current one."""

    def clean_oldpassword(self) -> str:
        """The current password; a wrong one counts as at signing in."""
        guess = count_try(context.request, Entrance.SIGN_IN, self.user.email)
        password = str(super().clean_oldpassword())
        guess.forget()
        return password


class SetForm(KeepPasswordsForm, SetPasswordForm):  # type: ignore[misc]
    """The first password of someone who signed in with a code."""


class ResetForm(KeepPasswordsForm, ResetPasswordKeyForm):  # type: ignore[misc]
    """Another password for someone who opened the link in an email."""


class ForgottenForm(ResetPasswordForm):  # type: ignore[misc]
    """Who wants a link by email with which to choose another password."""

    def clean_email(self) -> str:
        """The address, and whether there is an account; every email counts."""
        count_try(context.request, Entrance.RESET, self.cleaned_data["email"])
        return str(super().clean_email())


class CodeByEmailForm(RequestLoginCodeForm):  # type: ignore[misc]
    """Who wants a code by email to sign in with."""

    def clean_email(self) -> str:
        """The address, and whether there is an account; every email counts."""
        count_try(context.request, Entrance.LOGIN_CODE, self.cleaned_data["email"])
        return str(super().clean_email())
