"""Small pieces of the seating's sentences."""

from collections.abc import Sequence


def in_rounds(numbers: Sequence[int]) -> str:
    """The rounds as they are read out: "round 2", "rounds 2, 3 and 5"."""
    *first, last = map(str, numbers)
    return f"rounds {', '.join(first)} and {last}" if first else f"round {last}"


def counted(count: int, noun: str) -> str:
    """How many of what: "1 pair", "2 pairs"."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
