"""Telephone numbers as people write them: two in one cell, and what a telephone dials."""

import re
from typing import Final

FEWEST_DIGITS: Final = 7
BETWEEN: Final = re.compile(r"(\s*(?:[/;,&\n]|\b(?:or|and)\b)\s*)", re.IGNORECASE)


def phones_in(written: str) -> tuple[str, ...]:
    """The numbers of a cell: ``07700 900105 or 01904 555105`` are two, ``01904/555105`` is one.

    A part with fewer than seven digits belongs to the number before it.
    """
    first, *rest = BETWEEN.split(written.strip())
    phones = [first]
    for mark, part in zip(rest[::2], rest[1::2], strict=True):
        if min(_digits(phones[-1]), _digits(part)) < FEWEST_DIGITS:
            phones[-1] += mark + part
        else:
            phones.append(part)
    return tuple(phones)


def dialled(written: str) -> str:
    """The first number of a cell as a telephone dials it."""
    return re.sub(r"\s", "", phones_in(written)[0])


def _digits(words: str) -> int:
    return len(re.findall("[0-9]", words))
