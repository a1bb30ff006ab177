"""What the log looks like: a line or a JSON object an event, with the number of its request.

No key of a link, no program's key, no address of a person and no value out of a row is written.
"""

import re
from collections.abc import MutableMapping
from typing import Any, Final

import structlog
from structlog.typing import Processor

Event = MutableMapping[str, Any]

HIDDEN: Final = "…"
_ROOMS: Final = "t|r|w|e|come|cal|receipt/t|receipt/r|formerly|confirm-email|reset/key"
MASKS: Final = (
    (re.compile(rf"(/(?:{_ROOMS})/)[^/\s\"'?]+"), rf"\1{HIDDEN}"),
    (re.compile(r"tbx_\w+"), f"tbx_{HIDDEN}"),
    (re.compile(r"(?i)\b(bearer|token)\s+\S{8,}"), rf"\1 {HIDDEN}"),
    (re.compile(r"(?i)\b(password\w*|secret|login|csrfmiddlewaretoken)=[^\s&]+"), rf"\1={HIDDEN}"),
    (re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"), HIDDEN),
    (re.compile(r"\)=\([^\n]*\)"), f")=({HIDDEN})"),  # PostgreSQL: Key (name_key)=(pat hill)
    (re.compile(r"(Failing row contains )\([^\n]*\)"), rf"\1({HIDDEN})"),
)


def masked(text: str) -> str:
    """The text without keys, passwords, addresses of people and values of rows."""
    for pattern, instead in MASKS:
        text = pattern.sub(instead, text)
    return text


def settings(level: str, *, as_json: bool) -> dict[str, Any]:
    """What ``LOGGING`` is: everything to the console, masked, from this level on."""
    console = {"handlers": ["console"], "level": level, "propagate": False}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"told": {"()": formatter, "as_json": as_json}},
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "told"}},
        "root": {"handlers": ["console"], "level": level},
        "loggers": {
            "django": console,
            "django.server": {**console, "level": "INFO"},
            "gunicorn.error": console,
        },
    }


def formatter(*, as_json: bool) -> structlog.stdlib.ProcessorFormatter:
    before: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
        mask,
    ]
    drop = structlog.stdlib.ProcessorFormatter.remove_processors_meta
    written = structlog.processors.JSONRenderer(ensure_ascii=False) if as_json else line
    return structlog.stdlib.ProcessorFormatter(foreign_pre_chain=before, processors=[drop, written])


def mask(_: Any, __: str, event: Event) -> Event:
    """The event without keys, passwords and the like."""
    return {key: masked(value) if isinstance(value, str) else value for key, value in event.items()}


def line(_: Any, __: str, event: Event) -> str:
    """The event as a line, its traceback below."""
    at, level, name, what = (
        event.pop(key, "") for key in ("timestamp", "level", "logger", "event")
    )
    trace = event.pop("exception", "")
    rest = "".join(f" {key}={value}" for key, value in event.items())
    return f"{at} {level.upper()} {name} {what}{rest}" + (f"\n{trace}" if trace else "")
