"""Exact numbers as a club writes them: ``½``, ``1½``, ``3,000``, ``75%``, ``4-2-1-½``."""

import re
from fractions import Fraction
from typing import Final

MINUS: Final = "\N{MINUS SIGN}"
_VULGAR: Final = {
    "½": Fraction(1, 2),
    "⅓": Fraction(1, 3),
    "⅔": Fraction(2, 3),
    "¼": Fraction(1, 4),
    "¾": Fraction(3, 4),
}
_SIGNS: Final = {part: sign for sign, part in _VULGAR.items()}
_PLAIN: Final = re.compile(r"\d{1,7}(\.\d{1,3})?|\d{1,4}/[1-9]\d{0,3}")
_ORDINALS: Final = (
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"),
    *("tenth", "eleventh", "twelfth"),
)


def read_number(text: str) -> Fraction | None:
    """The number that is written, which is never below 0; None where it is none."""
    plain = text.strip().replace(",", "")
    part = _VULGAR.get(plain[-1:], Fraction(0))
    whole = plain[:-1] if part else plain
    if part and not whole:
        return part
    if not _PLAIN.fullmatch(whole) or not whole.isascii() or (part and not whole.isdigit()):
        return None
    return Fraction(whole) + part


def read_scale(text: str) -> tuple[Fraction, ...] | None:
    """The numbers of ``4-2-1-½``; None where one of them is none."""
    numbers = [read_number(part) for part in text.replace("–", "-").split("-")]
    scale = tuple(number for number in numbers if number is not None)
    return scale if len(scale) == len(numbers) else None


def written(number: Fraction | int) -> str:
    """The number without a sign for what is not below 0: ``½``, ``1,240``, ``2/5``, ``−36``."""
    if number < 0:
        return f"{MINUS}{written(-number)}"
    whole, part = divmod(Fraction(number), 1)
    if not part:
        return f"{whole:,}"
    sign = _SIGNS.get(part)
    if sign is None:
        return f"{number}"
    return f"{whole:,}{sign}" if whole else sign


def scale_words(scale: tuple[Fraction, ...]) -> str:
    """``4-2-1-½``."""
    return "-".join(written(number) for number in scale)


def ordinal(place: int) -> str:
    """``fifth``, ``21st``."""
    if place <= len(_ORDINALS):
        return _ORDINALS[place - 1]
    ending = {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th") if place % 100 // 10 != 1 else "th"
    return f"{place}{ending}"
