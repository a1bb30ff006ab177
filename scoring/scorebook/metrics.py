"""Figures that Prometheus collects; where its client is not installed, nothing is counted.

A laptop needs none of it: the client comes with ``tongbox[server]``.
"""

from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Final


class NullMetric:
    """Stands in for a counter, a gauge or a histogram, and forgets what it is given."""

    def __init__(self, *_: object, **__: object) -> None:
        """Name, words, labels and the like: as the client's own classes take them."""

    def labels(self, *_: object) -> "NullMetric":
        return self

    def inc(self, amount: float = 1) -> None:
        """One more."""

    def observe(self, amount: float) -> None:
        """It took so long."""

    def track_inprogress(self) -> AbstractContextManager[None]:
        return nullcontext()


if TYPE_CHECKING:
    from prometheus_client import Counter, Gauge, Histogram
else:
    try:
        from prometheus_client import Counter, Gauge, Histogram
    except ImportError:
        Counter = Gauge = Histogram = NullMetric

HAS_CLIENT: Final = not issubclass(Counter, NullMetric)

__all__ = ["HAS_CLIENT", "Counter", "Gauge", "Histogram"]
