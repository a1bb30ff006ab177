"""What someone types as the second step of signing in: a code opens once."""

from allauth.mfa.adapter import get_adapter
from allauth.mfa.base.forms import AuthenticateForm, BaseAuthenticateForm, ReauthenticateForm
from allauth.mfa.base.internal.flows import check_rate_limit

from clubs.services.codes import spend_code


class _OpensOnce(BaseAuthenticateForm):  # type: ignore[misc]
    def clean_code(self) -> str:
        """The code; one that opened before is as wrong as any other, and counted as such."""
        if not spend_code(user=self.user, code=self.cleaned_data["code"]):
            check_rate_limit(self.user)
            raise get_adapter().validation_error("incorrect_code")
        return str(super().clean_code())


class CodeForm(_OpensOnce, AuthenticateForm):  # type: ignore[misc]
    """A code at signing in."""


class CodeAgainForm(_OpensOnce, ReauthenticateForm):  # type: ignore[misc]
    """A code of someone who is signed in, before something that matters."""
