"""Names that a list has in capitals, written as people write them.

``SMITH, JOHN`` is Smith, John. What capitals do not tell is left: MACE is Mace, and Macdonald may
be MacDonald.
"""

import re
from collections.abc import Iterable
from typing import Final

from clubs.core.written_names import GENERATION_SUFFIXES, JOINING_WORDS
from clubs.models.names import POST_NOMINALS, TITLES

# Lower case within a name; Le Brocq and St John keep their capitals.
_PARTICLES: Final = "van von der den de del della di da dos du vom zu ten ter ap ferch bin ibn"
PARTICLES: Final = frozenset(_PARTICLES.split())
ARTICLE_AFTER_DE: Final = "la"  # de la Mare
_SHORT_NAMES: Final = "al an bo cy di ed hu jo li lo lu ma md mo my st su ty vi wu xi xu yi yo yu"
SHORT_NAMES: Final = frozenset(_SHORT_NAMES.split())
NUMERALS: Final = frozenset({"ii", "iii", "iv"})
CAPITALISED_SUFFIXES: Final = frozenset(
    {"esq", "esquire", "jr", "jnr", "sr", "snr", "junior", "senior"}
)
MOST_INITIALS: Final = 3
# Letters of a word in capitals beside others: AJ Smith is no shout.
MIN_CAPITALS_IN_MIXED: Final = 3
NAME_PART: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
MC_NAME: Final = re.compile(r"(Mc|MC)(\w\w+)|(Mac)([^\W\d_a-z]\w+)")
VOWELS: Final = frozenset("aeiouy")


def are_in_capitals(names: Iterable[str]) -> bool:
    """Whether most of the names of a list are in capitals, or their surnames are."""
    names_with_letters = [name for name in names if any(map(str.isalpha, name))]
    return sum(recase_capitals(name) != name for name in names_with_letters) * 2 > len(
        names_with_letters
    )


def is_all_one_case(name: str) -> bool:
    """Whether a name of several words is all in capitals or all in small letters: ``susan lee``."""
    is_one_case = " " in name and (name.isupper() or name.islower())
    return is_one_case and recase_name(name) != name


def recase_name(name: str) -> str:
    """The name in small letters with its capitals: ``susan o'brien`` is Susan O'Brien."""
    return recase_capitals(name.upper() if name.islower() else name)


def recase_capitals(name: str, *, is_forename: bool = False) -> str:
    """The name with its words in capitals written as people write them.

    ``VAN DER BERG, J.B. MBE`` is van der Berg, J.B. MBE. Words with small letters stay.
    ``is_forename``: the surname stands elsewhere.
    """
    first, *later_parts = name.split(",")
    is_turned = not all(map(_are_suffixes, later_parts))
    recased_first = _recase_words(first, begins_small=is_turned, is_forename=is_forename)
    recased_parts = (
        _recase_suffix(part) if _are_suffixes(part) else _recase_words(part, is_forename=True)
        for part in later_parts
    )
    return ",".join([recased_first, *recased_parts])


def recase_surname(surname: str) -> str:
    """The surname of a column of its own: ``VAN DYK`` is van Dyk."""
    return _recase_words(surname, begins_small=True)


def _are_suffixes(text: str) -> bool:
    return set(text.replace(".", "").casefold().split()) <= POST_NOMINALS | GENERATION_SUFFIXES


def _recase_suffix(text: str) -> str:
    """``MBE`` as it is, and ``JR`` as Jr."""
    parts = re.split(r"(\s+)", text)
    return "".join(
        part.capitalize() if _plain_letters(part) in CAPITALISED_SUFFIXES else part
        for part in parts
    )


def _recase_words(name: str, *, begins_small: bool = False, is_forename: bool = False) -> str:
    parts = re.split(r"(\s+)", name)
    word_indexes = [index for index, word in enumerate(parts) if _plain_letters(word)]
    ends = word_indexes[-1:]
    names_elsewhere = int(is_forename)
    while len(ends) < len(word_indexes) and _is_suffix(
        parts[ends[0]], names_elsewhere + len(word_indexes) - len(ends)
    ):
        ends.insert(0, word_indexes[-len(ends) - 1])
    least = MIN_CAPITALS_IN_MIXED if any(map(str.islower, name)) else 2
    for place, index in enumerate(word_indexes):
        previous_word = _plain_letters(parts[word_indexes[place - 1]]) if place else ""
        is_first = place == 0 and not begins_small
        if index > ends[0]:
            parts[index] = _recase_suffix(parts[index])
        elif index < ends[0] and not is_first and _is_particle(parts[index], previous_word):
            parts[index] = parts[index].lower() if parts[index].isupper() else parts[index]
        else:
            is_surname = index == ends[0] and not is_forename
            are_initials = not is_surname and _are_initials(
                _plain_letters(parts[index]), is_first=place == 0
            )
            parts[index] = parts[index] if are_initials else _recase_word(parts[index], least)
    return "".join(parts)


def _is_particle(word: str, previous_word: str) -> bool:
    plain = _plain_letters(word)
    return (
        plain in PARTICLES
        or plain in JOINING_WORDS
        or (plain == ARTICLE_AFTER_DE and previous_word == "de")
    )


def _is_suffix(word: str, words_before: int) -> bool:
    """Whether this stands after a name: ``MBE``, ``III``, ``Jr``. Ma and Ba are surnames."""
    plain = _plain_letters(word)
    is_long = len(plain) > 2 or not VOWELS & set(plain)
    return plain in CAPITALISED_SUFFIXES | NUMERALS or (
        words_before > 1 and plain in POST_NOMINALS - CAPITALISED_SUFFIXES and is_long
    )


def _are_initials(plain: str, *, is_first: bool) -> bool:
    """``AJ`` before other names and ``JB`` anywhere; no title, and not Jo."""
    if plain in TITLES or plain in SHORT_NAMES:
        return False
    are_no_word = len(plain) <= MOST_INITIALS and not VOWELS & set(plain)
    return are_no_word or (is_first and len(plain) == 2)


def _recase_word(word: str, least: int) -> str:
    """The word, each of its parts as people write it: ``O’BRIEN-MCKAY`` is O’Brien-McKay."""
    return NAME_PART.sub(lambda part: _recase_part(part[0], least), word)


def _recase_part(part: str, least: int) -> str:
    if match := MC_NAME.fullmatch(part):
        mark, stem = (match[1] or match[3]).capitalize(), match[2] or match[4]
        return f"{mark}{stem.capitalize()}" if stem.isupper() else part
    letters = sum(map(str.isalpha, part))
    if not part.isupper() or letters < least:
        return part
    first, *pieces = re.split(r"(['’])", part.capitalize())
    return first + "".join(piece.capitalize() if len(piece) > 1 else piece for piece in pieces)


def _plain_letters(word: str) -> str:
    return "".join(filter(str.isalpha, word)).casefold()
