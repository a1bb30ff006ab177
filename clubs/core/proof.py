"""What someone must show first, before they make a key that opens things without them."""

from typing import NamedTuple
from urllib.parse import urlencode

from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.reauthentication import did_recently_reauthenticate
from django.http import HttpRequest
from django.urls import reverse

from clubs.core import two_factor
from clubs.models import User


class Proof(NamedTuple):
    """What is missing: a code for programs, a sentence, and the page where it is given."""

    code: str
    sentence: str
    button: str
    url: str


def missing_second_step(user: User) -> Proof | None:
    """The second step, for an organiser where it is required and not set up; else None."""
    if not (two_factor.is_missing(user) and two_factor.is_organiser(user)):
        return None
    at = reverse("mfa_activate_totp")
    return Proof("second_step", two_factor.FIRST, "Set up two-step verification", at)


def missing_proof(request: HttpRequest, user: User) -> Proof | None:
    """What someone signed in must show before they make a key; None where nothing is missing.

    Whoever has no password chooses one first: by a mailed code alone nobody can be asked again.
    """
    if proof := missing_second_step(user):
        return proof
    methods = get_adapter().get_reauthentication_methods(user)
    if not methods:
        sentence = "You sign in without a password. Choose one first, then create the key."
        return Proof("no_password", sentence, "Choose a password", reverse("account_set_password"))
    if did_recently_reauthenticate(request):
        return None
    return Proof(
        "password_again",
        "An API key works without you. To confirm it is you, enter your password again.",
        "Enter password",
        f"{methods[0]['url']}?{urlencode({'next': reverse('keys')})}",
    )
