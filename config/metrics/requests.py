"""How long requests take and how they end: by the name of the view, never by address or club."""

from collections.abc import Callable
from time import perf_counter
from typing import Final

from django.http import HttpRequest, HttpResponse
from prometheus_client import Counter, Gauge, Histogram

STEPS: Final = (0.01, 0.025, 0.05, 0.1, 0.25, 1, 5)  # seconds

_seconds = Histogram("tongbox_answer_seconds", "Time to answer", ["view"], buckets=STEPS)
_answers = Counter("tongbox_answers", "Requests answered", ["view", "status"])
_in_hand = Gauge("tongbox_in_hand", "Requests not answered yet", multiprocess_mode="livesum")


def timed(answer: Callable[[HttpRequest], HttpResponse]) -> Callable[..., HttpResponse]:
    """Middleware: each request is timed and counted once it is answered."""

    def inner(request: HttpRequest) -> HttpResponse:
        begun = perf_counter()
        with _in_hand.track_inprogress():
            response = answer(request)
        view = request.resolver_match.view_name if request.resolver_match else "none"
        _seconds.labels(view).observe(perf_counter() - begun)
        _answers.labels(view, f"{response.status_code // 100}xx").inc()
        return response

    return inner
