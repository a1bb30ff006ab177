"""How long a sign-in lasts: fourteen days from the last visit, until told otherwise."""

from collections.abc import Callable
from time import time
from typing import Final

from django.http import HttpRequest, HttpResponse

A_DAY: Final = 24 * 60 * 60  # seconds
SEEN: Final = "seen"


def kept_while_used(answer: Callable[[HttpRequest], HttpResponse]) -> Callable[..., HttpResponse]:
    """Middleware: a session in use begins its fourteen days again, written once a day at most."""

    def inner(request: HttpRequest) -> HttpResponse:
        response = answer(request)
        # Whether the session was read and is someone's; it is not read for this.
        if (
            request.session.accessed and "_auth_user_id" in request.session
        ) and time() - request.session.get(SEEN, 0) > A_DAY:
            request.session[SEEN] = int(time())
        return response

    return inner


def begun(request: HttpRequest, **_: object) -> None:
    """At a sign-in: seen just now."""
    request.session[SEEN] = int(time())
