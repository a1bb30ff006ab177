"""The forms with which someone with an account chooses another password; allauth saves it."""

from typing import Any

from allauth.account.forms import ChangePasswordForm, ResetPasswordKeyForm, SetPasswordForm
from django import forms

from clubs.accounts.forms import NOT_REPEATED, NOT_THE_SAME, NOTHING_CHOSEN

MISSING = {
    "oldpassword": "Enter your current password.",
    "password1": NOTHING_CHOSEN,
    "password2": NOT_REPEATED,
}


class PasswordsStay(forms.Form):
    """What was typed stays while something is mended, and every fault is named at once."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, missing in MISSING.items():
            if field := self.fields.get(name):
                field.widget.render_value = True
                field.error_messages["required"] = missing

    def clean(self) -> dict[str, Any]:
        """Both are the same, also where the first is not good enough."""
        first, second = (self.data.get(name, "") for name in ("password1", "password2"))
        if first and second and first != second:
            self.add_error("password2", NOT_THE_SAME)
        return self.cleaned_data


class ChangeForm(PasswordsStay, ChangePasswordForm):  # type: ignore[misc]
    """Another password for someone who types the current one."""


class SetForm(PasswordsStay, SetPasswordForm):  # type: ignore[misc]
    """The first password of someone who signed in with a code."""


class ResetForm(PasswordsStay, ResetPasswordKeyForm):  # type: ignore[misc]
    """Another password for someone who opened the link in an email."""
