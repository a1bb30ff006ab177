"""What a form was shown for: every form that changes a state carries it."""

from collections.abc import Mapping
from dataclasses import dataclass

MOST_DIGITS = 4


@dataclass(frozen=True, slots=True)
class Shown:
    """What a form was shown for.

    ``act`` is the name of the form's address, ``state`` the event's state as the page had it and
    ``round`` the number of the round that the step is for. What was not sent is not compared.
    """

    act: str
    state: str = ""
    round: int | None = None


def as_shown(act: str, sent: Mapping[str, str]) -> Shown:
    """What a form says that it was shown for, by its hidden fields ``shown`` and ``round``."""
    number = sent.get("round", "")
    is_number = number.isascii() and number.isdigit() and len(number) <= MOST_DIGITS
    return Shown(act, sent.get("shown", ""), int(number) if is_number else None)
