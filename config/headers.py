"""What every answer says to the browser besides the page: what it may not do, and not keep."""

from collections.abc import Callable
from typing import Final

from django.http import HttpRequest, HttpResponse

NOT_ALLOWED: Final = ", ".join(
    f"{power}=()"
    for power in (
        "accelerometer",
        "browsing-topics",
        "camera",
        "display-capture",
        "geolocation",
        "gyroscope",
        "hid",
        "magnetometer",
        "microphone",
        "midi",
        "payment",
        "serial",
        "usb",
    )
)


def guarded(answer: Callable[[HttpRequest], HttpResponse]) -> Callable[..., HttpResponse]:
    """Middleware: no camera and the like for any page; nothing of anyone's in a shared cache.

    What someone who is signed in reads is not kept at all, unless the view says otherwise: on the
    club's laptop nobody goes back to it after signing out.
    """

    def inner(request: HttpRequest) -> HttpResponse:
        response = answer(request)
        response.headers.setdefault("Permissions-Policy", NOT_ALLOWED)
        # Whether the session was read and is someone's; it is not read for this.
        kept = (
            "private, no-store"
            if (request.session.accessed and "_auth_user_id" in request.session)
            else "private, no-cache"
        )
        response.headers.setdefault("Cache-Control", kept)
        return response

    return inner
