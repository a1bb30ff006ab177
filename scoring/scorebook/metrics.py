"""What is counted while hands are sent and judged, over all tables; nothing here knows a row."""

from functools import partial
from typing import Final

from django.db import transaction
from prometheus_client import Counter, Histogram

STEPS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)  # seconds

_seconds = Histogram("tongbox_submission_seconds", "Time to record a hand", buckets=STEPS)
_recorded = Counter("tongbox_hands_recorded", "Hands recorded")
_again = Counter("tongbox_hands_sent_again", "Hands sent again after they were recorded")
_conflicting = Counter(
    "tongbox_hands_conflicting", "Hands sent where a different hand was recorded"
)
_refused = Counter("tongbox_hands_refused", "Hands refused, by kind", ["kind"])
_judged = Counter("tongbox_hands_judged", "What was done with hands", ["what"])


def recorded(seconds: float) -> None:
    """A hand came into the book, if the transaction ends well."""

    def kept() -> None:
        _recorded.inc()
        _seconds.observe(seconds)

    transaction.on_commit(kept, robust=True)


def sent_again() -> None:
    """The hand was in the book already, as it was sent."""
    _again.inc()


def conflicting() -> None:
    """Another hand stands where this one was sent."""
    _conflicting.inc()


def refused(kind: str) -> None:
    """The hand was not taken; the kind is the code of the first reason."""
    _refused.labels(kind).inc()


def judged(what: str) -> None:
    """A hand was agreed, disputed or decided, corrected or taken back, if all ends well."""
    transaction.on_commit(partial(_judged.labels(what).inc), robust=True)
