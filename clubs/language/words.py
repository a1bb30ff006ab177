"""Words for people: plurals, exact numbers, tiles; and invisible characters."""

import re
import unicodedata
from fractions import Fraction
from typing import Final

from scoring.hands import tiles

JOINERS: Final = "\u200c\u200d"  # zero width non-joiner and joiner
VIRAMA: Final = 9  # the combining class of the sign that joins two consonants
DIRECTION_MARKS: Final = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
BLANK_CHARACTERS: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
VARIATION_SELECTORS: Final = (range(0x180B, 0x1810), range(0xFE00, 0xFE10), range(0xE0000, 0xE1000))
# Scripts whose spelling needs joiners, by the first word of their letters' Unicode names.
JOINING_SCRIPTS: Final = frozenset(
    {
        *("ARABIC", "SYRIAC", "MONGOLIAN", "DEVANAGARI", "BENGALI", "GURMUKHI", "GUJARATI"),
        *("ORIYA", "TAMIL", "TELUGU", "KANNADA", "MALAYALAM", "SINHALA", "KHMER", "MYANMAR"),
    }
)

MOST_KEY: Final = 2**63 - 1  # the largest number that a row of a database can have
MINUS: Final = "\N{MINUS SIGN}"
FRACTION_SIGNS: Final = {
    Fraction(1, 2): "½",
    Fraction(1, 3): "⅓",
    Fraction(2, 3): "⅔",
    Fraction(1, 4): "¼",
    Fraction(3, 4): "¾",
}
_FRACTIONS_BY_SIGN: Final = {sign: part for part, sign in FRACTION_SIGNS.items()}
_PLAIN_NUMBER: Final = re.compile(r"\d{1,7}(\.\d{1,3})?|\d{1,4}/[1-9]\d{0,3}")
WIND_NAMES: Final = {wind.value: wind.label for wind in tiles.Wind}
_PLANTS_AND_TIMES: Final = {
    "F1": "plum blossom",
    "F2": "orchid",
    "F3": "chrysanthemum",
    "F4": "bamboo",
    "S1": "spring",
    "S2": "summer",
    "S3": "autumn",
    "S4": "winter",
}
TILE_NAMES: Final[dict[str, str]] = {
    **{str(tile): name for tile, name in tiles.TILE_NAMES.items()},
    **{
        code: f"{tiles.TILE_NAMES[tiles.Tile(code)]}, {name}"
        for code, name in _PLANTS_AND_TIMES.items()
    },
    "back": "hidden tile",
    "blank": "blank tile",
}


def replace_controls(text: str) -> str:
    """Text from another program, with a space for each character that no database stores as text
    or no page shows: NUL and other controls, halves of surrogate pairs.
    """
    return "".join(" " if unicodedata.category(char) in {"Cc", "Cs"} else char for char in text)


def has_invisible(name: str) -> bool:
    """Whether a name has an invisible character that its script does not need.

    Joiners are valid in Persian and Indic scripts, variation selectors after ideographs.
    """
    # Each character with its neighbours; empty at the ends.
    return any(
        _is_invisible(previous_char, char, next_char)
        for previous_char, char, next_char in zip(["", *name], name, [*name[1:], ""], strict=False)
    )


def text_fault(text: str) -> str:
    """Why a text cannot be shown to others; empty if it can, or if it is blank.

    Joiners and marks of direction within a text are allowed; overrides of the line's direction are
    not.
    """
    if not DIRECTION_MARKS.isdisjoint(text):
        return "This text contains a hidden character. Type it instead of pasting it."
    if text.strip() and not any(_is_visible(char) for char in text):
        return "This text contains only hidden characters. Type it, or leave it empty."
    return ""


def _is_invisible(previous_char: str, char: str, next_char: str) -> bool:
    if _is_visible(char) or char.isspace():
        return False
    if char in JOINERS:
        ends = not next_char and unicodedata.combining(previous_char or " ") == VIRAMA
        return not (_is_joining_script(previous_char) and (_is_joining_script(next_char) or ends))
    return not (
        _is_variation_selector(char)
        and unicodedata.name(previous_char or " ", "").startswith("CJK")
    )


def _is_visible(char: str) -> bool:
    if char in BLANK_CHARACTERS or _is_variation_selector(char) or char.isspace():
        return False
    return unicodedata.category(char) not in {"Cc", "Cf", "Co", "Cs"}


def _is_joining_script(char: str) -> bool:
    return unicodedata.name(char or " ", "").partition(" ")[0] in JOINING_SCRIPTS


def _is_variation_selector(char: str) -> bool:
    return any(ord(char) in group for group in VARIATION_SELECTORS)


def count_words(number: int, noun: str, plural: str = "") -> str:
    """``1 hand``, ``1,204 hands``; the plural is the noun with an s unless it is given."""
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


def player_count_words(playing: int, withdrawn: int) -> str:
    """Those who play, and apart from them those who withdrew: ``30 players, 1 withdrew``."""
    players = count_words(playing, "player")
    return f"{players}, {withdrawn:,} withdrew" if withdrawn else players


def whole_number(text: str | None, *, most: int = MOST_KEY) -> int | None:
    """The whole number from 0 to ``most`` that came from outside; None if it is not one.

    Only the digits 0 to 9 make one. “²” does not, nor do thousands of digits, which Python refuses.
    """
    if not text or not text.isascii() or not text.isdecimal() or len(text) > len(str(most)):
        return None
    number = int(text)
    return number if number <= most else None


def read_number(text: str) -> Fraction | None:
    """Parse a number, which is never below 0; None if it is not one."""
    plain = text.strip().replace(",", "")
    part = _FRACTIONS_BY_SIGN.get(plain[-1:], Fraction(0))
    integer_part = plain[:-1] if part else plain
    if part and not integer_part:
        return part
    if (
        not _PLAIN_NUMBER.fullmatch(integer_part)
        or not integer_part.isascii()
        or (part and not integer_part.isdigit())
    ):
        return None
    return Fraction(integer_part) + part


def read_scale(text: str) -> tuple[Fraction, ...] | None:
    """Parse ``4-2-1-½``; None if a part is not a number."""
    numbers = [read_number(part) for part in text.replace("–", "-").split("-")]
    scale = tuple(number for number in numbers if number is not None)
    return scale if len(scale) == len(numbers) else None


def number_words(number: Fraction | int) -> str:
    """The number, signed only below 0: ``½``, ``1,240``, ``2/5``, ``−36``."""
    if number < 0:
        return f"{MINUS}{number_words(-number)}"
    integer_part, part = divmod(Fraction(number), 1)
    if not part:
        return f"{integer_part:,}"
    sign = FRACTION_SIGNS.get(part)
    if sign is None:
        return f"{number}"
    return f"{integer_part:,}{sign}" if integer_part else sign


def scale_words(scale: tuple[Fraction, ...]) -> str:
    """``4-2-1-½``."""
    return "-".join(number_words(number) for number in scale)


def ordinal(place: int) -> str:
    """``5th``, ``21st``."""
    ending = {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th") if place % 100 // 10 != 1 else "th"
    return f"{place}{ending}"
