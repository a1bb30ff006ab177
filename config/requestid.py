"""Each request has a number, which is in the answer, in every log line and in the jobs it begins.

Importing this has jobs carry the number of their request, and each forgotten after the job.
"""

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


@setup_logging.connect
def keep_our_logging(**_: Any) -> None:
    """Workers log as web services do (LOGGING), not in Celery's own way."""


@before_task_publish.connect
def give_number(headers: dict[str, Any] | None = None, **_: Any) -> None:
    """A job is sent: it takes the number along."""
    if headers is not None and (number := number_now()):
        headers[IN_JOB] = number


@task_prerun.connect
def take_number(task: Any, task_id: str, **_: Any) -> None:
    """A job begins: its log lines bear the number that it was sent with."""
    number = (task.request.headers or {}).get(IN_JOB) or getattr(task.request, IN_JOB, "")
    bind_contextvars(task=task.name, task_id=task_id)
    if number:
        bind_contextvars(request_id=number)


@task_postrun.connect
def drop_number(task: Any, **_: Any) -> None:
    """A worker forgets everything; a job done within a request leaves that its number."""
    number = number_now()
    clear_contextvars()
    if task.request.is_eager and number:
        bind_contextvars(request_id=number)


def forget(**_: Any) -> None:
    """The answer is closed: the next request has a number of its own."""
    clear_contextvars()


request_finished.connect(forget)
