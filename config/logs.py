"""What the log looks like: a line or a JSON object an event, with the number of its request.

No key of a link, no program's key, no address of a person and no value out of a row is written.

A request's number is in its answer, in every log line and in the jobs it begins. Importing this has
jobs carry the number of their request, and each forgotten after the job.
"""

import json
import logging
import re
import sys
from collections.abc import MutableMapping
from time import monotonic
from typing import Any, Final

import structlog
from celery.signals import before_task_publish, setup_logging, task_postrun, task_prerun
from django.db import InterfaceError, OperationalError
from structlog.contextvars import bind_contextvars, clear_contextvars, get_contextvars
from structlog.typing import Processor

from config import env

Event = MutableMapping[str, Any]

# PostgreSQL's SQLSTATE: this server is a replica, or about to lead.
READ_ONLY_STATE: Final = "25006"
IN_JSON: Final = env.text("TONGBOX_LOG_AS", "lines") == "json"
HIDDEN: Final = "…"
# What stands before a secret in an address: `tests/test_secret_addresses.py` knows them all.
_MASKED_PATHS: Final = (
    "t|r|w|e|come|cal|receipt/t|receipt/r|receipts|formerly|invited|start/link|mail-reports|stop-emails"
    "|confirm-email|reset/key"
)
MASKS: Final = (
    (re.compile(rf"(/(?:{_MASKED_PATHS})/)[^/\s\"'?]+"), rf"\1{HIDDEN}"),
    (re.compile(r"tbx_\w+"), f"tbx_{HIDDEN}"),
    (re.compile(r"(?i)\b(bearer|token)\s+\S{8,}"), rf"\1 {HIDDEN}"),
    (re.compile(r"(?i)\b(link)\s+[\w-]{16,}"), rf"\1 {HIDDEN}"),
    (re.compile(r"(?i)\b(password\w*|secret|login|csrfmiddlewaretoken)=[^\s&]+"), rf"\1={HIDDEN}"),
    (re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"), HIDDEN),
    (re.compile(r"\)=\([^\n]*\)"), f")=({HIDDEN})"),  # PostgreSQL: Key (name_key)=(pat hill)
    (re.compile(r"(Failing row contains )\([^\n]*\)"), rf"\1({HIDDEN})"),
)

JOB_HEADER: Final = "tongbox_request"


def mask_text(text: str) -> str:
    """The text without keys, passwords, addresses of people and values of rows."""
    for pattern, replacement in MASKS:
        text = pattern.sub(replacement, text)
    return text


def logging_settings(level: str, *, as_json: bool) -> dict[str, Any]:
    """What ``LOGGING`` is: everything to the console, masked, from this level on."""
    console = {"handlers": ["console"], "level": level, "propagate": False}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"told": {"()": make_formatter, "as_json": as_json}},
        "filters": {"outages": {"()": OutageFilter}},
        "handlers": {
            "console": {
                "class": "logging.StreamHandler",
                "formatter": "told",
                "filters": ["outages"],
            }
        },
        "root": {"handlers": ["console"], "level": level},
        "loggers": {
            "django": console,
            "django.server": {**console, "level": "INFO"},
            "gunicorn.error": console,
            "waitress.queue": {"level": "ERROR"},  # that someone waits for a thread is no warning
        },
    }


class OutageFilter(logging.Filter):
    """Writes that the database is away once a minute, in a line without a traceback.

    Each answer meanwhile would have one of its own, all alike. A mistake in a query keeps it.
    """

    EVERY: Final = 60  # seconds
    OUR_MISTAKE: Final = ("no such", "syntax error")  # which SQLite calls by the same name

    def __init__(self) -> None:
        super().__init__()
        self._last_line_at, self._lines_left_out = -float(self.EVERY), 0

    def filter(self, record: logging.LogRecord) -> bool:
        """False for an outage that was said within the minute."""
        error = record.exc_info[1] if record.exc_info else None
        state = getattr(error.__cause__, "sqlstate", None) if error else None
        if not isinstance(error, OperationalError | InterfaceError) and state != READ_ONLY_STATE:
            return True
        first_line = (str(error).splitlines() or [""])[0]
        if any(mistake in first_line for mistake in self.OUR_MISTAKE):
            return True
        if monotonic() - self._last_line_at < self.EVERY:
            self._lines_left_out += 1
            return False
        record.msg = "The database does not answer: %s (%s more times since the last such line)"
        record.args = (first_line, self._lines_left_out)
        record.exc_info = record.exc_text = None
        self._last_line_at, self._lines_left_out = monotonic(), 0
        return True


def print_line(text: str) -> None:
    """Print a line for the person who started the server, or for its log."""
    sys.stdout.write(f"{json.dumps({'event': text}) if IN_JSON else text}\n")
    sys.stdout.flush()


def make_formatter(*, as_json: bool) -> structlog.stdlib.ProcessorFormatter:
    pre_chain: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
        mask_event,
    ]
    drop = structlog.stdlib.ProcessorFormatter.remove_processors_meta
    renderer = structlog.processors.JSONRenderer(ensure_ascii=False) if as_json else format_line
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=pre_chain, processors=[drop, renderer]
    )


def mask_event(_: Any, __: str, event: Event) -> Event:
    """The event without keys, passwords and the like."""
    return {
        key: mask_text(value) if isinstance(value, str) else value for key, value in event.items()
    }


def format_line(_: Any, __: str, event: Event) -> str:
    """The event as a line, its traceback below."""
    timestamp, level, name, message = (
        event.pop(key, "") for key in ("timestamp", "level", "logger", "event")
    )
    trace = event.pop("exception", "")
    extra_text = "".join(f" {key}={value}" for key, value in event.items())
    return f"{timestamp} {level.upper()} {name} {message}{extra_text}" + (
        f"\n{trace}" if trace else ""
    )


def current_request_id() -> str:
    """The number of the request that is being answered, or that began this job; else empty."""
    return str(get_contextvars().get("request_id", ""))


@setup_logging.connect
def keep_our_logging(**_: Any) -> None:
    """Workers log as web services do (LOGGING), not in Celery's own way."""


@before_task_publish.connect
def send_request_id(headers: dict[str, Any] | None = None, **_: Any) -> None:
    """A job is sent: it takes the number along."""
    if headers is not None and (number := current_request_id()):
        headers[JOB_HEADER] = number


@task_prerun.connect
def receive_request_id(task: Any, task_id: str, **_: Any) -> None:
    """A job begins: its log lines bear the number that it was sent with."""
    number = (task.request.headers or {}).get(JOB_HEADER) or getattr(task.request, JOB_HEADER, "")
    bind_contextvars(task=task.name, task_id=task_id)
    if number:
        bind_contextvars(request_id=number)


@task_postrun.connect
def clear_request_id(task: Any, **_: Any) -> None:
    """A worker forgets everything; a job done within a request leaves that its number."""
    number = current_request_id()
    clear_contextvars()
    if task.request.is_eager and number:
        bind_contextvars(request_id=number)
