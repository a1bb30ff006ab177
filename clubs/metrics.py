"""What is counted over all clubs; nothing here knows a row."""

from prometheus_client import Counter

_asked = Counter("tongbox_kept", "Asked for what is kept, by where it was found", ["where"])


def found(where: str) -> None:
    """``near`` (in this process), ``shared`` (in the cache), or ``nowhere`` (it was made)."""
    _asked.labels(where).inc()
