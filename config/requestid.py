"""Each request has a number, told in the answer, in every log line, and to the jobs it begins."""

import re
from collections.abc import Callable
from typing import Any, Final
from uuid import uuid4

from celery.signals import before_task_publish, setup_logging, task_postrun, task_prerun
from django.core.signals import request_finished
from django.http import HttpRequest, HttpResponse
from structlog.contextvars import bind_contextvars, clear_contextvars, get_contextvars

HEADER: Final = "X-Request-ID"
IN_JOB: Final = "tongbox_request"
GOOD: Final = re.compile(r"[A-Za-z0-9-]{8,64}", re.ASCII)


def numbered(answer: Callable[[HttpRequest], HttpResponse]) -> Callable[..., HttpResponse]:
    """Middleware: the number that the web server before us gave, if it is one, else a new one.

    It lasts until the answer is closed, for what is wrong with an answer is logged after this.
    """

    def inner(request: HttpRequest) -> HttpResponse:
        text = request.headers.get(HEADER, "")
        number = text if GOOD.fullmatch(text) else uuid4().hex
        clear_contextvars()
        bind_contextvars(request_id=number)
        response = answer(request)
        response[HEADER] = number
        return response

    return inner


def number_now() -> str:
    """The number of the request that is being answered, or that began this job; else empty."""
    return str(get_contextvars().get("request_id", ""))


def pass_on() -> None:
    """Have jobs carry the number of the request that began them, and each forgotten after it."""
    request_finished.connect(_forget)
    setup_logging.connect(_leave)
    before_task_publish.connect(_give)
    task_prerun.connect(_take)
    task_postrun.connect(_drop)


def _leave(**_: Any) -> None:
    """Workers write the log as web services do (LOGGING), not in Celery's own way."""


def _forget(**_: Any) -> None:
    clear_contextvars()


def _give(headers: dict[str, Any] | None = None, **_: Any) -> None:
    if headers is not None and (number := number_now()):
        headers[IN_JOB] = number


def _take(task: Any, task_id: str, **_: Any) -> None:
    number = (task.request.headers or {}).get(IN_JOB) or getattr(task.request, IN_JOB, "")
    bind_contextvars(task=task.name, task_id=task_id)
    if number:
        bind_contextvars(request_id=number)


def _drop(task: Any, **_: Any) -> None:
    """A worker lets go of all; where the job is done within a request, that goes on."""
    number = number_now()
    clear_contextvars()
    if task.request.is_eager and number:
        bind_contextvars(request_id=number)
