"""How much may be sent at once: what is larger is refused before anything of it is read."""

from collections.abc import Callable
from http import HTTPStatus

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from config.requestid import number_now


def not_too_much(answer: Callable[[HttpRequest], HttpResponse]) -> Callable[..., HttpResponse]:
    """Middleware: 413 and a sentence for a body of more than ``MOST_SENT`` bytes.

    A body that does not say how long it is counts as empty for everything behind this.
    """

    def inner(request: HttpRequest) -> HttpResponse:
        value = request.META.get("CONTENT_LENGTH") or "0"
        if value.isdecimal() and len(value) < 20 and int(value) <= settings.MOST_SENT:
            return answer(request)
        most = f"{settings.MOST_SENT // 1_000_000} MB"
        sentence = f"That is too large. You can send up to {most} at once. Nothing has changed."
        status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
        if request.path.startswith("/api/"):
            problem = {"code": "too_large", "where": "", "message": sentence}
            return JsonResponse({"problems": [problem], "request_id": number_now()}, status=status)
        return render(request, "413.html", {"sentence": sentence}, status=status)

    return inner
