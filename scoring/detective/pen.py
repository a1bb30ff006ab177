"""Slips of the pen: how one number can turn into another while it is read or written."""

from collections.abc import Callable
from typing import Final, NamedTuple

from scoring.detective.findings import Slip

LOOKALIKES: Final = tuple(map(frozenset, ("17", "27", "38", "49", "56", "06")))


class PenSlip(NamedTuple):
    """A kind of slip, and in words what happened."""

    kind: Slip
    words: str


def pen_slip(right: int, written: int) -> PenSlip | None:
    """What turned the right number into the written one; None where no one slip of the pen does."""
    if right == written or (right < 0) != (written < 0):
        return _sign(right, written)
    before, after = str(abs(right)), str(abs(written))
    slips = (PenSlip(kind, told(before, after)) for kind, told in _TELLTALES)
    return next((slip for slip in slips if slip.words), None)


def _sign(right: int, written: int) -> PenSlip | None:
    if right != -written or not right:
        return None
    words = "the minus sign was forgotten" if right < 0 else "there is a minus sign too many"
    return PenSlip(Slip.SIGN, words)


def _swapped(before: str, after: str) -> str:
    digits = max(len(before), len(after))
    before, after = before.zfill(digits), after.zfill(digits)
    places = _differing(before, after)
    adjacent = len(places) == 2 and places[1] - places[0] == 1
    if adjacent and sorted(before) == sorted(after):
        return "two digits were swapped"
    return ""


def _nought(before: str, after: str) -> str:
    if _without_a_nought(before, after):
        return "a zero is missing"
    return "there is a zero too many" if _without_a_nought(after, before) else ""


def _misread(before: str, after: str) -> str:
    places = _one_digit(before, after)
    alike = any({before[place], after[place]} == pair for place in places for pair in LOOKALIKES)
    return _became(before, after, places) if alike else ""


def _carry(before: str, after: str) -> str:
    amount = str(abs(int(before) - int(after)))
    tens = len(amount) > 1 and amount.strip("0") == "1"
    return f"{int(amount):,} was carried wrongly" if tens else ""


def _wrong_digit(before: str, after: str) -> str:
    return _became(before, after, _one_digit(before, after)) if len(before) > 1 else ""


def _became(before: str, after: str, places: list[int]) -> str:
    return next((f"“{before[place]}” became “{after[place]}”" for place in places), "")


_TELLTALES: Final[tuple[tuple[Slip, Callable[[str, str], str]], ...]] = (
    (Slip.NOUGHT, _nought),
    (Slip.SWAPPED_DIGITS, _swapped),
    (Slip.MISREAD_DIGIT, _misread),
    (Slip.CARRY, _carry),
    (Slip.WRONG_DIGIT, _wrong_digit),
)


def _differing(before: str, after: str) -> list[int]:
    pairs = enumerate(zip(before, after, strict=True))
    return [place for place, (one, other) in pairs if one != other]


def _one_digit(before: str, after: str) -> list[int]:
    places = _differing(before, after) if len(before) == len(after) else []
    return places if len(places) == 1 else []


def _without_a_nought(longer: str, shorter: str) -> bool:
    places = range(1, len(longer)) if len(longer) == len(shorter) + 1 else ()
    return any(
        longer[place] == "0" and longer[:place] + longer[place + 1 :] == shorter for place in places
    )
