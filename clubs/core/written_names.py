"""Names as people write them on lists: one reader for every place where names come in.

``Hargreaves, Mrs Margaret (Peg)`` is Margaret Hargreaves, also known as Peg, and so is
``Margaret "Peg" Hargreaves``. What is probably no
person, such as a heading or a page number, is told apart, and so is a line for two people.
"""

import re
from collections import Counter
from dataclasses import dataclass
from typing import Final

from clubs.models.names import (
    CIVIL_TITLES,
    GENERATION_WORDS,
    POST_NOMINALS,
    TITLES,
    are_post_nominals,
    name_fault,
    name_key,
    split_surname,
    tidy_name,
)

NUMBERING: Final = re.compile(r"^(?:\(?\d{1,3}[.):]+|\d{1,3}\s*[-–—]|[•·▪◦‣*–—-])\s*(?=[^\W\d])")
FOOTNOTE_MARKS: Final = re.compile(r"[*†‡§#]+$")
BRACKETS: Final = re.compile(r"\s*[(\[]([^()\[\]]*)[)\]]")
QUOTES: Final = re.compile(r"(?<!\S)[\"“”„'‘’]([^\"“”„'‘’]+)[\"“”'‘’](?=[\s,]|$)")
GENERATION_SUFFIXES: Final = GENERATION_WORDS | {"junior", "senior"}
_OFFICES: Final = (
    "chair chairman chairwoman chairperson vice president secretary treasurer sec hon "
    "honorary committee captain member guest visitor associate life new beginner director "
    "organiser host scorer substitute sub reserve tbc deceased decd retired ret"
)
OFFICES: Final = frozenset(_OFFICES.split())
PLACEHOLDER_NAMES: Final = frozenset(
    {
        *("vacant", "vacancy", "spare", "empty", "blank", "bye", "none", "unknown"),
        *("tbc", "tba", "tbd", "n/a", "na", "to be confirmed", "to be advised"),
        *("to be announced", "not known", "-", "--", "---", "–", "—", "?", "??", "???"),
    }
)
# Gary Player and Jim Guest are people, so one word of a group is a heading only by itself.
GROUP_WORDS: Final = re.compile(
    r"\b(members|membership|associates|committee|officers|guests|visitors|beginners|players"
    r"|entries|entrants|entry list|wait(ing)? list|reserves|substitutes|attendance|friends"
    r"|leavers|lapsed|teams|tables|contacts)\b"
    r"|^(member|associate|officer|guest|visitor|beginner|player|entrant|reserve|substitute)$"
    r"|^(team|table|contact)( \d+)?$",
    re.IGNORECASE,
)
# A place that nobody has: Vacant seat, 12 Vacant, (vacant).
VACANT_SEAT: Final = re.compile(
    r"\W*(no\.?\s*)?\d*\W*((vacant|empty|spare)(\s+(seat|place|chair|position|post|spot|slot))?"
    r"|(seat|place|chair|position|post|spot|slot)\s+(is\s+)?(vacant|empty|free))\W*",
    re.IGNORECASE,
)
PAGE_NUMBER: Final = re.compile(r"(page|p\.?|sheet)\s*\d+(\s*(of|/)\s*\d+)?", re.IGNORECASE)
NOTE_LINE: Final = re.compile(
    r"(printed|(last )?updated|correct|as (at|of)|amended|prepared|compiled|issued|revised|list of"
    r"|end of|continued|notes?|nb|n\.b\.|see|please)\b",
    re.IGNORECASE,
)
MOST_WORDS_OF_NAME: Final = 2  # beginning like a note: Please Ann is a name
# Nobody’s name has an address in it, or as many digits as a telephone number.
CONTACT_DETAILS: Final = re.compile(r"@|\bwww\.|\bhttps?:|(?:[0-9][ ()./–-]*){6}", re.IGNORECASE)
OFFICE_LINE: Final = re.compile(r"\w[\w .’'-]*:\s*\S")  # Chair: Ann Brown
TIME_OR_PRICE: Final = re.compile(r"\b\d{1,2}([.:]\d\d)?\s*([ap]\.?m\b|noon)|£\s*\d", re.IGNORECASE)
FOOTNOTE: Final = re.compile(r"^[*†‡§#]+\s*=?\s|^\S{1,3}\s*=\s")
WRITTEN_DATE: Final = re.compile(r"\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b")
WRITTEN_YEAR: Final = re.compile(r"\b(19|20)\d\d\b")
WORD_GAP: Final = re.compile(r"[\s,]+")
JOINING_WORDS: Final = frozenset({"&", "+", "/", "and"})
PAIR_SEPARATOR: Final = re.compile(r"\s*&\s*|\s+(?:\+|/|and)\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class WrittenName:
    """A name in spoken order, and the nicknames that stood beside it in brackets or quotes.

    Those ``in_brackets`` may be something else that tells two people apart, such as a town.
    ``left_out`` is what was no part of it: Mrs, MBE, an office with its brackets.
    """

    name: str
    nicknames: tuple[str, ...] = ()
    in_brackets: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()

    @property
    def with_brackets(self) -> str:
        """``Jean Smith (Fakenham)``."""
        return " ".join([self.name, *(f"({text})" for text in self.in_brackets)])


def read_name(raw_name: str) -> WrittenName:
    """The name as it is spoken: ``7. Brown, Ann (Hon. Sec.)*`` is Ann Brown.

    Numbers of a list, marks of footnotes, Mr and Mrs, letters after the name and offices in
    brackets are left out. What would be left with one word keeps its title: Mrs Ashworth.
    """
    tidy = FOOTNOTE_MARKS.sub("", NUMBERING.sub("", tidy_name(raw_name)))
    nicknames, in_brackets, left_out = list[str](), list[str](), list[str]()

    def read_brackets(match: re.Match[str]) -> str:
        inside = tidy_name(match[1]).strip("\"“”„'‘’")
        if _is_nickname(inside):
            nicknames.append(inside)
            in_brackets.append(inside)
            return ""
        if not set(_plain_words(inside).split()) <= OFFICES | TITLES | POST_NOMINALS:
            return match[0]
        left_out.extend([f"({inside})"] if inside else [])
        return ""

    def read_quotes(match: re.Match[str]) -> str:
        inside = tidy_name(match[1])
        is_beside = _is_nickname(inside) and match[0] != match.string.strip()
        nicknames.extend([inside] if is_beside else [])
        return "" if is_beside else match[0]

    bare = QUOTES.sub(read_quotes, BRACKETS.sub(read_brackets, tidy))
    spoken_name = _without_civil_titles(strip_post_nominals(to_spoken_order(bare)))
    removed_words = Counter(WORD_GAP.split(bare)) - Counter(WORD_GAP.split(spoken_name))
    left_out = [*filter(None, removed_words.elements()), *left_out]
    return WrittenName(spoken_name, tuple(nicknames), tuple(in_brackets), tuple(left_out))


def title_of(name: str) -> str:
    """The title that a read name still has: ``Dr.``, as people are called by it; else empty."""
    first, _, remainder = name.partition(" ")
    return first if remainder and _plain_words(first) in TITLES else ""


def to_spoken_order(name: str) -> str:
    """The name in spoken order: ``Smith, Margaret`` is Margaret Smith.

    ``Ann Brown, MBE`` is Ann Brown, and ``Smith, John MBE`` John Smith MBE. What has more parts
    than a name stays as it is.
    """
    surname, spoken_parts, last = _split_at_commas(name)
    if len(spoken_parts) != 1:
        return name if spoken_parts else " ".join(filter(None, [surname, *last]))
    (first, *letters), (surname, *surname_suffixes) = (
        _split_suffixes(part, base_name=f"{spoken_parts[0]} {surname}")
        for part in (spoken_parts[0], surname)
    )
    suffixes = sorted(
        [*last, *surname_suffixes, *letters], key=lambda word: not _is_generation(word)
    )
    return " ".join([first, surname, *suffixes])


def _split_at_commas(name: str) -> tuple[str, list[str], list[str]]:
    """What stands before the first comma, what is spoken before it, and Jr or Sr."""
    first, *later_parts = [tidy_name(part) for part in name.split(",")]
    parts = [part for part in later_parts if part and not are_post_nominals(part, base_name=first)]
    last = [part for part in parts if _is_generation(part)]
    return first, [part for part in parts if part not in last], last


def _split_suffixes(part: str, *, base_name: str) -> list[str]:
    """The part of a name, and after it Jr, MBE and the like that stood at its end."""
    name_parts, tail = part.split(), list[str]()
    while len(name_parts) > 1 and (
        _is_generation(name_parts[-1]) or are_post_nominals(name_parts[-1], base_name=base_name)
    ):
        tail.insert(0, name_parts.pop())
    return [" ".join(name_parts), *tail]


def _is_generation(part: str) -> bool:
    return _plain_words(part) in GENERATION_SUFFIXES


def has_details(raw_name: str) -> bool:
    """Whether more than a name stands there: ``Gareth Jones, Cardiff, Dragons``."""
    return ";" in raw_name or len(_split_at_commas(raw_name)[1]) > 1


def has_contact_details(raw_name: str) -> bool:
    """Whether an address or a telephone number stands there: ``Tel. 01328 123456``."""
    return CONTACT_DETAILS.search(WRITTEN_DATE.sub("", raw_name)) is not None


def written_name_fault(name: str) -> str:
    """Why this is not a valid name, as somebody writes it on a list; empty if it is."""
    if has_details(name) or has_contact_details(name):
        return "Enter only the name here. Other details go in columns of their own."
    return name_fault(name)


def without_titles(name_parts: tuple[str, ...]) -> tuple[str, ...]:
    """The plain words of a name without any title, unless nothing else is there."""
    return tuple(word for word in name_parts if word not in TITLES) or name_parts


def split_pair(raw_name: str) -> tuple[str, ...]:
    """Two names that stand in one: ``Carol and Derek Finch`` are Carol Finch and Derek Finch.

    ``Mr & Mrs P Hollis`` are P Hollis and Mrs Hollis. Empty where there is one person, or none.
    """
    name = to_spoken_order(FOOTNOTE_MARKS.sub("", NUMBERING.sub("", tidy_name(raw_name))))
    parts = [strip_post_nominals(tidy_name(part)) for part in PAIR_SEPARATOR.split(name)]
    if len(parts) != 2 or not all(any(map(str.isalpha, part)) for part in parts):
        return ()
    first, second = parts
    first_words = [word for word in first.split() if _plain_words(word) not in TITLES]
    if len(first_words) < 2 and len(second.split()) > 1:
        second_words = [word for word in second.split() if _plain_words(word) not in TITLES]
        shared_words = [split_surname(second)[1]] if first_words else second_words
        first = " ".join([*first.split(), *shared_words])
    names = _without_civil_titles(first), _without_civil_titles(second)
    is_one_name = not first_words or name_key(names[0]) == name_key(names[1])
    return (names[0], _with_title_alone(second)) if is_one_name else names


def _with_title_alone(name: str) -> str:
    """The title and the surname, where the first name is the other's: Mrs P van Dyk is Mrs van Dyk.

    The name as it is where it has no title.
    """
    title, _, remainder = name.partition(" ")
    return (
        f"{title} {split_surname(remainder)[1]}"
        if _plain_words(title) in TITLES and remainder
        else name
    )


def nobody_reason(name: str, *, is_alone: bool) -> str:
    """Why this is probably no person; empty if it may be one.

    ``is_alone``: nothing else stands on the line, but for a number perhaps.
    """
    tidy = tidy_name(name)
    if tidy.casefold().strip(".") in PLACEHOLDER_NAMES or VACANT_SEAT.fullmatch(tidy):
        return "no name"
    if has_contact_details(tidy):
        return "contact details"
    if OFFICE_LINE.match(tidy):
        return "a note"
    return _no_name_reason(tidy) if is_alone else ""


def _no_name_reason(tidy: str) -> str:
    if PAGE_NUMBER.fullmatch(tidy):
        return "a page number"
    if FOOTNOTE.search(tidy):
        return "a footnote"
    is_long = len(tidy.split()) > MOST_WORDS_OF_NAME
    if WRITTEN_DATE.search(tidy) or TIME_OR_PRICE.search(tidy):
        return "a note"
    if is_long and (NOTE_LINE.match(tidy) or WRITTEN_YEAR.search(tidy)):
        return "a note"
    return "a heading" if tidy.endswith(":") or GROUP_WORDS.search(tidy) else ""


def _plain_words(text: str) -> str:
    return tidy_name(text.replace(".", " ")).casefold()


def _is_nickname(text: str) -> bool:
    """Whether words in brackets are another name: ``Peg``, but not ``Hon. Sec.`` or ``2``."""
    plain = _plain_words(text).split()
    is_name = 0 < len(plain) <= 2 and "".join(plain).isalpha() and text[0].isupper()
    return is_name and not set(plain) & (OFFICES | TITLES | POST_NOMINALS | GENERATION_SUFFIXES)


def strip_post_nominals(name: str) -> str:
    """The name without letters after it, such as MBE; two words stay."""
    name_parts = name.split()
    while len(name_parts) > 2 and are_post_nominals(
        name_parts[-1], base_name=" ".join(name_parts[:-1])
    ):
        name_parts.pop()
    return " ".join(name_parts)


def _without_civil_titles(name: str) -> str:
    """The name without Mr and Mrs; one word keeps its title, and so do Mr & Mrs A. Baker."""
    name_parts = name.split()
    untitled_parts = [word for word in name_parts if _plain_words(word) not in CIVIL_TITLES]
    is_name = len(untitled_parts) > 1 and _plain_words(untitled_parts[0]) not in JOINING_WORDS
    return " ".join(untitled_parts if is_name else name_parts)
