"""People's names: tidied as typed, compared by a key, shown as each person chose."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from typing import Any, Final, NamedTuple, Protocol, TypeVar

from clubs.language.words import has_invisible

MAX_NAME = 80
FULL_NAME: Final = "full"
INITIAL_NAME: Final = "initial"
HIDDEN_NAME: Final = "hidden"
FIRST_NAME: Final = "first name"
NAMELESS: Final = "A member"
MAX_INITIAL_LETTERS: Final = 3
HOUSE_PLAYER: Final = "House player"
# Words that a surname begins with, as in "van Dyk" and "Ó Briain".
_PARTICLES = """
    al ap bin da de del della den der des di dos du el ferch ibn la le mac nic ní ó st te ten ter
    uí van vom von zu
"""
PARTICLES: Final = frozenset(_PARTICLES.split())
_CIVIL_TITLES: Final = "mr mrs miss ms mx master messrs mesdames mme"
CIVIL_TITLES: Final = frozenset(_CIVIL_TITLES.split())
_TITLES: Final = (
    "dr prof professor rev revd reverend canon fr sir dame lady lord hon cllr capt "
    "captain col colonel maj major lt"
)
TITLES: Final = CIVIL_TITLES | frozenset(_TITLES.split())
_POST_NOMINALS: Final = (
    "mbe obe cbe kbe dbe bem gbe om ch rvo mvo lvo cvo kc qc jp dl vc gc gm qpm qfsm am "
    "ao oam ba ma bsc msc beng meng bed phd dphil md frcs frcp frs fca aca acca cpa ceng "
    "rgn srn esq esquire mp msp llb llm bds mrcvs fba hons"
)
POST_NOMINALS: Final = frozenset(_POST_NOMINALS.split())
# Junior and Senior are surnames as well.
GENERATION_WORDS: Final = frozenset({"jr", "jnr", "sr", "snr", "ii", "iii"})
_PLAIN_LETTERS = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ß": "ss", "æ": "ae", "œ": "oe", "’": "'"}
)

_IGNORED_MARKS: Final = dict.fromkeys(map(ord, "'’‘ʼ`´-‐‑"))

# Names that only the people who run an installation may write under.
RESERVED_WORD: Final = re.compile(
    r"(accounts?|admin\w*|api|billing|help(desk)?|host(ing)?|mail(er)?|moderators?|official|operators?"
    r"|password|postmaster|root|security|staff|support|systems?|team|webmaster)"
)
LINKING_WORD: Final = re.compile(r"(a|and|clubs?|desk|email|for|notice|of|our|service|the|your)")
OWN_NAME: Final = "tongbox"
LOOK_ALIKES: Final = str.maketrans("авекмнорстухіјѕ01", "abekmhopctyxijsol")


def tidy_name(name: str) -> str:
    return " ".join(name.split())


def name_key(name: str) -> str:
    """The name without accents, capitals, full stops and extra spaces: ``Zoë Ł.`` is ``zoe l``."""
    plain = unicodedata.normalize("NFKD", name.casefold().translate(_PLAIN_LETTERS))
    letters = "".join(char for char in plain if not unicodedata.combining(char))
    return " ".join(letters.replace(".", " ").split())[:MAX_NAME]


def split_surname(name: str) -> tuple[str, str]:
    """The words before the surname, and the name from the surname on.

    ``("Ann", "Abbott")``, ``("Ann", "B. (2)")``, ``("Piet", "van Dyk")``, ``("Jo", "Hill MBE")``;
    ``("", "Ann")`` if there is no surname, and ``("", "Abbott, Ann")`` where it comes first. A
    house player has none.
    """
    first, surname, suffix = _split_name(name)
    return first, " ".join(filter(None, [surname, suffix]))


def _split_name(name: str) -> tuple[str, str, str]:
    """What stands before the surname, the surname, and what stands after it."""
    name_parts = tidy_name(name).split(" ")
    if "," in name or tidy_name(name).startswith(HOUSE_PLAYER):
        return "", " ".join(name_parts), ""
    end = start = _surname_end(name_parts)
    # The first word is a first name, as in "Di Dyer".
    while start > 1 and _is_particle(name_parts[start - 1]):
        start -= 1
    return (
        " ".join(name_parts[:start]),
        " ".join(name_parts[start : end + 1]),
        " ".join(name_parts[end + 1 :]),
    )


def _surname_end(name_parts: Sequence[str]) -> int:
    """The place of the word that the surname ends with, before Jr, MBE and ``(2)``."""
    word_indexes = [index for index, word in enumerate(name_parts) if word[:1].isalpha()]
    end = len(without_post_nominals([name_parts[index] for index in word_indexes]))
    return word_indexes[end - 1] if word_indexes else 0


def without_post_nominals(name_parts: Sequence[str]) -> list[str]:
    """The words of a name without Jr, MBE and the like at its end; two words stay."""
    kept_parts = list(name_parts)
    while len(kept_parts) > 2 and follows_surname(
        kept_parts[-1], base_name=" ".join(kept_parts[:-1])
    ):
        kept_parts.pop()
    return kept_parts


def follows_surname(word: str, *, base_name: str) -> bool:
    """Whether this stands after a surname and is no part of it, as Jr and MBE are."""
    is_generation = word.removesuffix(".").casefold() in GENERATION_WORDS
    return is_generation or are_post_nominals(word, base_name=base_name)


def are_post_nominals(part: str, *, base_name: str) -> bool:
    """Whether these are letters after a name: ``MBE``, ``B.Sc. F.C.A.``.

    Two letters are only where they are capitals beside a name that is not: Chen, Ma is a name.
    """
    letter_groups = part.replace(".", "").split()
    are_capitals = part.isupper() and not base_name.isupper()
    return bool(letter_groups) and all(
        word.casefold() in POST_NOMINALS and (len(word) > 2 or are_capitals)
        for word in letter_groups
    )


def _is_particle(word: str) -> bool:
    return unicodedata.normalize("NFC", word.casefold()).removesuffix(".") in PARTICLES


@lru_cache(maxsize=4096)  # a club's pages put the same names in order, again and again
def surname_key(name: str) -> tuple[str, str]:
    """The order of two names: Ann Hill MBE stands before Bob Hill.

    Apostrophes and hyphens do not count, as in a printed index: Ogilvie stands before O’Rourke.
    """
    first, surname, suffix = _split_name(name)
    return _index_key(surname), _index_key(f"{first} {suffix}")


def _index_key(text: str) -> str:
    return name_key(text.translate(_IGNORED_MARKS))


def marked_as_withdrawn(name: str) -> str:
    """The name with a word for someone who has withdrawn: ``Ann Cox (withdrew)``."""
    return f"{name} (withdrew)"


class HasName(Protocol):
    @property
    def name(self) -> Any: ...


AnyNamed = TypeVar("AnyNamed", bound=HasName)


def by_surname(people: Iterable[AnyNamed]) -> list[AnyNamed]:
    """The order of every list of people: Mrs Ann Baker stands under B."""
    return sorted(people, key=lambda person: surname_key(person.name))


def first_names(names: Mapping[int, str]) -> dict[int, str]:
    """First names if they are unique; whole names otherwise, and for an initial.

    A title is no first name: Dr Ann Hill is Ann, and Mrs Bell is Mrs Bell.
    """
    firsts = {key: _first_name(name) for key, name in names.items()}
    times = Counter(first.casefold() for first in firsts.values())
    return {
        key: first if times[first.casefold()] == 1 and len(first.rstrip(".")) > 1 else name
        for (key, name), first in zip(names.items(), firsts.values(), strict=True)
    }


def _first_name(name: str) -> str:
    name_parts = _without_title(name.split(" "))
    return name if _is_title(name_parts[0]) else name_parts[0]


def _without_title(name_parts: list[str]) -> list[str]:
    """The words of a name from its first name on; a title stays where only one word follows."""
    while len(name_parts) > 2 and _is_title(name_parts[0]):
        name_parts = name_parts[1:]
    return name_parts


def _is_title(word: str) -> bool:
    return name_key(word).replace("'", "") in TITLES


def name_fault(name: str) -> str:
    """Why this is not a valid name; empty if it is."""
    tidy = tidy_name(name)
    if not tidy:
        return "Enter a name."
    if len(tidy) > MAX_NAME:
        return f"That name is too long. Use {MAX_NAME} characters or fewer."
    if "<" in tidy or ">" in tidy or any(unicodedata.category(char) == "Cc" for char in tidy):
        return "A name cannot contain < or >."
    if has_invisible(tidy):
        return "This name contains a hidden character. Type it instead of pasting it."
    if not name_key(tidy):
        return "Enter a name with at least one letter."
    return ""


def club_name_fault(name: str) -> str:
    """Why a club cannot have this name; empty if it can.

    A club’s name is in the sender of its emails, so none may read as if Tongbox itself wrote.
    """
    if fault := name_fault(name):
        return fault
    return "Choose another name, such as that of your town." if is_reserved(name) else ""


def is_reserved(name: str) -> bool:
    """Whether a name, also one in an address, reads like that of whoever runs Tongbox."""
    name_parts = re.findall(r"[^\W\d_]+", name_key(name).translate(LOOK_ALIKES))
    if OWN_NAME in "".join(name_parts) or (name_parts and name_parts[0].startswith("admin")):
        return True
    reserved_words = [word for word in name_parts if RESERVED_WORD.fullmatch(word)]
    return bool(reserved_words) and all(
        word in reserved_words or LINKING_WORD.fullmatch(word) for word in name_parts
    )


class Person(NamedTuple):
    """Someone on a list: their key, name, and how they chose to be shown.

    ``player`` is their record in the club; None for a visitor.
    """

    key: int
    name: str
    shown_as: str = FULL_NAME
    player: int | None = None


@dataclass(frozen=True, slots=True)
class Reader:
    """Who reads names: an organiser (all in full), someone at the table, a player, or anyone."""

    is_organiser: bool = False
    at_table: bool = False
    player: int | None = None

    def name_style(self, person: Person) -> str:
        """How this reader sees that name; at a table always at least the first name."""
        is_own = person.player is not None and person.player == self.player
        if self.is_organiser or is_own or person.shown_as == FULL_NAME:
            return FULL_NAME
        return FIRST_NAME if self.at_table and person.shown_as == HIDDEN_NAME else person.shown_as


PUBLIC_READER: Final = Reader()
TABLE_READER: Final = Reader(at_table=True)
ORGANISER_READER: Final = Reader(is_organiser=True)


def shown_names(people: Iterable[Person], reader: Reader) -> dict[int, str]:
    """The names of a list as shown to the reader, by key.

    If two would look alike, one shown by an initial gets more letters of the surname, then a
    number; a full name is never changed.
    """
    styles = {person: reader.name_style(person) for person in sorted(set(people))}
    letters = dict.fromkeys(styles, 1)
    for letter_count in range(2, MAX_INITIAL_LETTERS + 1):
        short_names = {
            person: _short_name(person, style, letters[person]).casefold()
            for person, style in styles.items()
        }
        times = Counter(short_names.values())
        for person, style in styles.items():
            if style == INITIAL_NAME and times[short_names[person]] > 1:
                letters[person] = letter_count
    taken_names = {person.name.casefold() for person, style in styles.items() if style == FULL_NAME}
    names_by_key = {}
    for person, style in styles.items():
        name = _short_name(person, style, letters[person])
        names_by_key[person.key] = name if style == FULL_NAME else _with_number(name, taken_names)
    return names_by_key


def is_nameless(shown_name: str) -> bool:
    """Whether someone is shown without a name: ``A member (2)``."""
    return shown_name == NAMELESS or shown_name.startswith(f"{NAMELESS} (")


def this_person(shown_name: str) -> str:
    """The one whom a page is about, within a sentence: ``Why is this member 19th?``"""
    return "this member" if is_nameless(shown_name) else shown_name


def within_sentence(shown_name: str) -> str:
    """Someone else within a sentence: ``40 fewer than a member (2)``."""
    return f"{shown_name[0].lower()}{shown_name[1:]}" if is_nameless(shown_name) else shown_name


def show_names_in(text: str, replacements: Mapping[str, str]) -> str:
    """A sentence with its full names replaced by the shown names."""
    changed_names = {
        name: shown_name for name, shown_name in replacements.items() if name != shown_name
    }
    if not changed_names:
        return text
    longest_first = sorted(changed_names, key=len, reverse=True)
    names = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)")
    return names.sub(lambda match: changed_names[match[0]], text)


def _short_name(person: Person, style: str, letters: int) -> str:
    # First name and the word that the surname ends with; empty for a single name.
    surname, comma, forenames = person.name.partition(",")
    spoken_name = tidy_name(
        f"{forenames} {surname}" if comma and forenames.strip() else person.name
    )
    name_parts = _without_title(spoken_name.split(" "))
    end = _surname_end(name_parts)
    first, last = name_parts[0], name_parts[end] if end else ""
    if style == FULL_NAME:
        return person.name
    if style == INITIAL_NAME or (style == FIRST_NAME and _is_title(first)):
        return f"{first} {last[: max(1, min(letters, len(last) - 1))]}." if last else first
    return first if style == FIRST_NAME else NAMELESS


def _with_number(name: str, taken_names: set[str]) -> str:
    """The name with the first number that makes it unique."""
    free = name
    for number in count(2):
        if free.casefold() not in taken_names:
            break
        free = f"{name} ({number})"
    taken_names.add(free.casefold())
    return free
