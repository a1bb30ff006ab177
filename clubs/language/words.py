"""Words and characters: plurals, characters that cannot be seen, and spreadsheet cells."""

import unicodedata
from collections.abc import Iterator
from typing import Final

JOINERS: Final = "\u200c\u200d"  # zero width non-joiner and joiner
VIRAMA: Final = 9  # the combining class of the sign that joins two consonants
TURNING: Final = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
VARIATIONS: Final = (range(0x180B, 0x1810), range(0xFE00, 0xFE10), range(0xE0000, 0xE1000))
# Scripts whose spelling needs joiners, by the first word of their letters' Unicode names.
JOINING: Final = frozenset(
    {
        *("ARABIC", "SYRIAC", "MONGOLIAN", "DEVANAGARI", "BENGALI", "GURMUKHI", "GUJARATI"),
        *("ORIYA", "TAMIL", "TELUGU", "KANNADA", "MALAYALAM", "SINHALA", "KHMER", "MYANMAR"),
    }
)


def has_unseen(name: str) -> bool:
    """Whether a name holds a character that nobody sees, but for those its spelling needs.

    A joiner is needed between letters of Persian and Indic scripts, a variation after an ideograph.
    """
    return any(_is_unseen(before, char, after) for before, char, after in _in_company(name))


def text_fault(text: str) -> str:
    """Why a text cannot be shown to others; empty when it can, or when nothing was typed.

    Joiners and marks of direction within a text may stay; what turns the rest of a line may not.
    """
    if not TURNING.isdisjoint(text):
        return "This text contains a hidden character. Type it instead of pasting it."
    if text.strip() and not any(_is_seen(char) for char in text):
        return "This text contains only hidden characters. Type it, or leave it empty."
    return ""


def _in_company(name: str) -> Iterator[tuple[str, str, str]]:
    """Each character with the one before it and the one after it; empty at the ends."""
    return zip(["", *name], name, [*name[1:], ""], strict=False)


def _is_unseen(before: str, char: str, after: str) -> bool:
    if _is_seen(char) or char.isspace():
        return False
    if char in JOINERS:
        ends = not after and unicodedata.combining(before or " ") == VIRAMA
        return not (_joins(before) and (_joins(after) or ends))
    return not (_varies(char) and unicodedata.name(before or " ", "").startswith("CJK"))


def _is_seen(char: str) -> bool:
    if char in BLANK or _varies(char) or char.isspace():
        return False
    return unicodedata.category(char) not in {"Cc", "Cf", "Co", "Cs"}


def _joins(char: str) -> bool:
    return unicodedata.name(char or " ", "").partition(" ")[0] in JOINING


def _varies(char: str) -> bool:
    return any(ord(char) in group for group in VARIATIONS)


def counted(number: int, noun: str, plural: str = "") -> str:
    """``1 hand``, ``1,204 hands``; the plural is the noun with an s unless it is given."""
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r")
GUARDED = (*FORMULA_SIGNS, "'")


def guarded(words: str) -> str:
    """The words with an apostrophe before what a spreadsheet would take for a formula."""
    return f"'{words}" if words.startswith(GUARDED) else words


def unguarded(cell: str) -> str:
    """What was written before ``guarded``; other words stay as they are."""
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(GUARDED) else cell
