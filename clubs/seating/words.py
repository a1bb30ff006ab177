"""Small pieces of the seating's sentences."""

from collections.abc import Sequence


def in_rounds(numbers: Sequence[int]) -> str:
    """The rounds as they are read out: "round 2", "rounds 2, 3 and 5"."""
    return f"round{'s' if len(numbers) > 1 else ''} {listed([str(number) for number in numbers])}"


def listed(parts: Sequence[str]) -> str:
    """The parts as they are read out: "Ann", "Ann and Ben", "Ann, Ben and Cy"."""
    *first, last = parts or [""]
    return f"{', '.join(first)} and {last}" if first else last


def times_in_words(count: int) -> str:
    """`once`, `twice`, `3 times`."""
    return {1: "once", 2: "twice"}.get(count, f"{count} times")
