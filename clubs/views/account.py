"""Someone's own sign-in: address, password, second step, signing out everywhere."""

from typing import Any

from allauth.account.decorators import reauthentication_required
from allauth.core import ratelimit
from allauth.mfa.totp.views import ActivateTOTPView
from allauth.mfa.utils import is_mfa_enabled
from django.contrib import messages
from django.contrib.auth import logout, update_session_auth_hash
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from clubs.core.access import by_secret_link, for_the_signed_in
from clubs.core.two_factor import is_required, spend_code
from clubs.forms.account import AddressForm
from clubs.models import User
from clubs.services import account as services
from clubs.signin import keys_ended
from scoring.scorebook.refusals import Refused

UNPROCESSABLE = 422


@for_the_signed_in
def account(request: HttpRequest) -> HttpResponse:
    """What is known of the sign-in, and what can be done with it."""
    told = {"has_second_step": is_mfa_enabled(request.user), "is_required": is_required()}
    return render(request, "account/account.html", told)


@for_the_signed_in
@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """End every session, on every device."""
    if isinstance(request.user, User):
        names = services.sign_out_everywhere(user=request.user)
    logout(request)
    messages.success(request, "You have been signed out everywhere.")
    if names:
        messages.info(request, keys_ended(names))
    return redirect("account_login")


class ActivateSecondStep(ActivateTOTPView):  # type: ignore[misc]
    """Set up the second step; what was opened by the password alone ends with it."""

    def form_valid(self, form: Any) -> HttpResponse:
        """Keep it; every other session and every key for programs ends."""
        user = self.request.user
        with transaction.atomic():
            answer: HttpResponse = super().form_valid(form)
            reason = "you turned on two-step verification"
            names = services.sign_out_everywhere(user=user, reason=reason)
            spend_code(user=user, code=form.cleaned_data["code"])
        update_session_auth_hash(self.request, user)
        if names:
            messages.info(self.request, keys_ended(names))
        return answer


@for_the_signed_in
@reauthentication_required  # type: ignore[untyped-decorator]
def address(request: HttpRequest) -> HttpResponse:
    """Another address to sign in with: it holds once its mailed link is pressed."""
    if wait := ratelimit.consume_or_429(request, action="manage_email", user=request.user):
        answer: HttpResponse = wait
        return answer
    form = AddressForm(request.POST or None)
    if form.is_valid() and isinstance(request.user, User):
        services.ask_for_address(user=request.user, email=form.cleaned_data["email"])
        messages.success(request, f"We have sent an email to {form.cleaned_data['email']}.")
        return redirect("account")
    status = UNPROCESSABLE if form.errors else 200
    return render(request, "account/email_change.html", {"form": form}, status=status)


@by_secret_link
def confirm(request: HttpRequest, key: str) -> HttpResponse:
    """The link in the message: a press of the button takes the address."""
    try:
        told = services.read_address(key)
        if request.method == "POST":
            services.take_address(key=key)
            messages.success(request, f"{told['email']} is now your email address.")
            return redirect("account")
    except Refused as refused:
        return render(request, "account/email_confirm.html", {"refused": refused}, status=410)
    return render(request, "account/email_confirm.html", {"key": key, "email": told["email"]})
