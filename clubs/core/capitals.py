"""Names that a list has in capitals, written as people write them.

``SMITH, JOHN`` is Smith, John. What capitals do not tell is left: MACE is Mace, and Macdonald may
be MacDonald.
"""

import re
from collections.abc import Iterable
from typing import Final

from clubs.core.written_names import AFTER_A_COMMA, JOINS
from clubs.models.names import POST_NOMINALS, TITLES

# Lower case within a name; Le Brocq and St John keep their capitals.
_PARTICLES: Final = "van von der den de del della di da dos du vom zu ten ter ap ferch bin ibn"
PARTICLES: Final = frozenset(_PARTICLES.split())
AFTER_DE: Final = "la"  # de la Mare
_SHORT_NAMES: Final = "al an bo cy di ed hu jo li lo lu ma md mo my st su ty vi wu xi xu yi yo yu"
SHORT_NAMES: Final = frozenset(_SHORT_NAMES.split())
NUMERALS: Final = frozenset({"ii", "iii", "iv"})
SPELT_OUT: Final = frozenset({"esq", "esquire", "jr", "jnr", "sr", "snr", "junior", "senior"})
MOST_INITIALS: Final = 3
LEAST_BESIDE_SMALL: Final = 3  # letters of a word in capitals beside others: AJ Smith is no shout
PARTS: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
MC: Final = re.compile(r"(Mc|MC)(\w\w+)|(Mac)([^\W\d_a-z]\w+)")
VOWELS: Final = frozenset("aeiouy")


def are_in_capitals(names: Iterable[str]) -> bool:
    """Whether most of the names of a list are in capitals, or their surnames are."""
    every = [name for name in names if any(map(str.isalpha, name))]
    return sum(in_small_letters(name) != name for name in every) * 2 > len(every)


def is_all_one_case(name: str) -> bool:
    """Whether a name of several words is all in capitals or all in small letters: ``susan lee``."""
    is_one_case = " " in name and (name.isupper() or name.islower())
    return is_one_case and as_people_write(name) != name


def as_people_write(name: str) -> str:
    """The name in small letters with its capitals: ``susan o'brien`` is Susan O'Brien."""
    return in_small_letters(name.upper() if name.islower() else name)


def in_small_letters(name: str, *, is_forename: bool = False) -> str:
    """The name with its words in capitals written as people write them.

    ``VAN DER BERG, J.B. MBE`` is van der Berg, J.B. MBE. Words with small letters stay.
    ``is_forename``: the surname stands elsewhere.
    """
    first, *rest = name.split(",")
    is_turned = not all(map(_are_letters, rest))
    whole = _written(first, begins_small=is_turned, is_forename=is_forename)
    others = (
        _after_name(part) if _are_letters(part) else _written(part, is_forename=True)
        for part in rest
    )
    return ",".join([whole, *others])


def surname_in_small_letters(surname: str) -> str:
    """The surname of a column of its own: ``VAN DYK`` is van Dyk."""
    return _written(surname, begins_small=True)


def _are_letters(words: str) -> bool:
    return set(words.replace(".", "").casefold().split()) <= POST_NOMINALS | AFTER_A_COMMA


def _after_name(words: str) -> str:
    """``MBE`` as it is, and ``JR`` as Jr."""
    parts = re.split(r"(\s+)", words)
    return "".join(part.capitalize() if _plain(part) in SPELT_OUT else part for part in parts)


def _written(name: str, *, begins_small: bool = False, is_forename: bool = False) -> str:
    words = re.split(r"(\s+)", name)
    named = [at for at, word in enumerate(words) if _plain(word)]
    ends = named[-1:]
    names_elsewhere = int(is_forename)
    while len(ends) < len(named) and _is_after_name(
        words[ends[0]], names_elsewhere + len(named) - len(ends)
    ):
        ends.insert(0, named[-len(ends) - 1])
    least = LEAST_BESIDE_SMALL if any(map(str.islower, name)) else 2
    for place, at in enumerate(named):
        before = _plain(words[named[place - 1]]) if place else ""
        is_first = place == 0 and not begins_small
        if at > ends[0]:
            words[at] = _after_name(words[at])
        elif at < ends[0] and not is_first and _is_particle(words[at], before):
            words[at] = words[at].lower() if words[at].isupper() else words[at]
        else:
            is_surname = at == ends[0] and not is_forename
            are_initials = not is_surname and _are_initials(_plain(words[at]), is_first=place == 0)
            words[at] = words[at] if are_initials else _word(words[at], least)
    return "".join(words)


def _is_particle(word: str, before: str) -> bool:
    plain = _plain(word)
    return plain in PARTICLES or plain in JOINS or (plain == AFTER_DE and before == "de")


def _is_after_name(word: str, words_before: int) -> bool:
    """Whether this stands after a name: ``MBE``, ``III``, ``Jr``. Ma and Ba are surnames."""
    plain = _plain(word)
    is_long = len(plain) > 2 or not VOWELS & set(plain)
    return plain in SPELT_OUT | NUMERALS or (
        words_before > 1 and plain in POST_NOMINALS - SPELT_OUT and is_long
    )


def _are_initials(plain: str, *, is_first: bool) -> bool:
    """``AJ`` before other names and ``JB`` anywhere; no title, and not Jo."""
    if plain in TITLES or plain in SHORT_NAMES:
        return False
    are_no_word = len(plain) <= MOST_INITIALS and not VOWELS & set(plain)
    return are_no_word or (is_first and len(plain) == 2)


def _word(word: str, least: int) -> str:
    """The word, each of its parts as people write it: ``O’BRIEN-MCKAY`` is O’Brien-McKay."""
    return PARTS.sub(lambda part: _part(part[0], least), word)


def _part(part: str, least: int) -> str:
    if found := MC.fullmatch(part):
        mark, rest = (found[1] or found[3]).capitalize(), found[2] or found[4]
        return f"{mark}{rest.capitalize()}" if rest.isupper() else part
    letters = sum(map(str.isalpha, part))
    if not part.isupper() or letters < least:
        return part
    first, *others = re.split(r"(['’])", part.capitalize())
    return first + "".join(it.capitalize() if len(it) > 1 else it for it in others)


def _plain(word: str) -> str:
    return "".join(filter(str.isalpha, word)).casefold()
