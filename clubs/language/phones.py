"""Telephone numbers as people write them: two in one cell, and what a telephone dials."""

import re
from typing import Final

MIN_DIGITS: Final = 7
MAX_DIGITS: Final = 15  # anywhere in the world
MAX_DIGITS_AT_HOME: Final = 11  # in Britain, with the 0 before it
PHONE_NUMBER: Final = re.compile(r"\+?(?:[0-9]{1,3}\s*)?(?:\([0-9]+\)\s*)?[0-9][0-9\s./–-]*")
PHONE_SEPARATOR: Final = re.compile(r"(\s*(?:[/;,&\n]|\b(?:or|and)\b)\s*)", re.IGNORECASE)


def split_phones(text: str) -> tuple[str, ...]:
    """The numbers of a cell: ``07700 900105 or 01904 555105`` are two, ``01904/555105`` is one.

    A part with fewer than seven digits belongs to the number before it.
    """
    first, *pieces = PHONE_SEPARATOR.split(text.strip())
    phones = [first]
    for mark, part in zip(pieces[::2], pieces[1::2], strict=True):
        if min(_count_digits(phones[-1]), _count_digits(part)) < MIN_DIGITS:
            phones[-1] += mark + part
        else:
            phones.append(part)
    return tuple(phones)


def number_to_dial(text: str) -> str:
    """The first number of a cell as a telephone dials it, without words: ``01328 123456 (work)``.

    In ``+44 (0)1328 123456`` the 0 in brackets is not dialled.
    """
    numbers = [number[0] for number in PHONE_NUMBER.finditer(split_phones(text)[0])]
    full_numbers = (number for number in numbers if _count_digits(number) >= MIN_DIGITS)
    number = next(full_numbers, "".join(numbers[:1]))
    abroad = "+" if number.startswith("+") else ""
    digits = re.sub("[^0-9]", "", number.replace("(0)", "") if abroad else number)
    at_home = digits.startswith("0") and not digits.startswith("00")
    return abroad + digits[: MAX_DIGITS_AT_HOME if at_home else MAX_DIGITS]


def phone_fault(text: str) -> str:
    """Why this is no telephone number; empty if it may be one. Words beside it are welcome."""
    return "" if _count_digits(text) else "Enter a phone number, such as 01328 123456."


def _count_digits(text: str) -> int:
    return len(re.findall("[0-9]", text))
