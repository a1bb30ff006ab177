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


def tidy_name(typed: str) -> str:
    return " ".join(typed.split())


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
    first, surname, after = _split_name(name)
    return first, " ".join(filter(None, [surname, after]))


def _split_name(name: str) -> tuple[str, str, str]:
    """What stands before the surname, the surname, and what stands after it."""
    words = tidy_name(name).split(" ")
    if "," in name or tidy_name(name).startswith(HOUSE_PLAYER):
        return "", " ".join(words), ""
    end = at = _surname_end(words)
    # The first word is a first name, as in "Di Dyer".
    while at > 1 and _is_particle(words[at - 1]):
        at -= 1
    return " ".join(words[:at]), " ".join(words[at : end + 1]), " ".join(words[end + 1 :])


def _surname_end(words: Sequence[str]) -> int:
    """The place of the word that the surname ends with, before Jr, MBE and ``(2)``."""
    named = [at for at, word in enumerate(words) if word[:1].isalpha()]
    until = len(without_post_nominals([words[at] for at in named]))
    return named[until - 1] if named else 0


def without_post_nominals(words: Sequence[str]) -> list[str]:
    """The words of a name without Jr, MBE and the like at its end; two words stay."""
    kept = list(words)
    while len(kept) > 2 and follows_surname(kept[-1], beside=" ".join(kept[:-1])):
        kept.pop()
    return kept


def follows_surname(word: str, *, beside: str) -> bool:
    """Whether this stands after a surname and is no part of it, as Jr and MBE are."""
    is_generation = word.removesuffix(".").casefold() in GENERATION_WORDS
    return is_generation or are_post_nominals(word, beside=beside)


def are_post_nominals(part: str, *, beside: str) -> bool:
    """Whether these are letters after a name: ``MBE``, ``B.Sc. F.C.A.``.

    Two letters are only where they are capitals beside a name that is not: Chen, Ma is a name.
    """
    words = part.replace(".", "").split()
    are_capitals = part.isupper() and not beside.isupper()
    return bool(words) and all(
        word.casefold() in POST_NOMINALS and (len(word) > 2 or are_capitals) for word in words
    )


def _is_particle(word: str) -> bool:
    return unicodedata.normalize("NFC", word.casefold()).removesuffix(".") in PARTICLES


@lru_cache(maxsize=4096)  # a club's pages put the same names in order, again and again
def surname_key(name: str) -> tuple[str, str]:
    """The order of two names: Ann Hill MBE stands before Bob Hill.

    Apostrophes and hyphens do not count, as in a printed index: Ogilvie stands before O’Rourke.
    """
    first, surname, after = _split_name(name)
    return _index_key(surname), _index_key(f"{first} {after}")


def _index_key(words: str) -> str:
    return name_key(words.translate(_IGNORED_MARKS))


def marked_as_withdrawn(name: str) -> str:
    """The name with a word for someone who has withdrawn: ``Ann Cox (withdrew)``."""
    return f"{name} (withdrew)"


class HasName(Protocol):
    @property
    def name(self) -> Any: ...


AnyNamed = TypeVar("AnyNamed", bound=HasName)


def by_surname(people: Iterable[AnyNamed]) -> list[AnyNamed]:
    """The order of every list of people: Mrs Ann Baker stands under B."""
    return sorted(people, key=lambda who: surname_key(who.name))


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
    words = _without_title(name.split(" "))
    return name if _is_title(words[0]) else words[0]


def _without_title(words: list[str]) -> list[str]:
    """The words of a name from its first name on; a title stays where only one word follows."""
    while len(words) > 2 and _is_title(words[0]):
        words = words[1:]
    return words


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
    words = re.findall(r"[^\W\d_]+", name_key(name).translate(LOOK_ALIKES))
    if OWN_NAME in "".join(words) or (words and words[0].startswith("admin")):
        return True
    ours = [word for word in words if RESERVED_WORD.fullmatch(word)]
    return bool(ours) and all(word in ours or LINKING_WORD.fullmatch(word) for word in words)


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

    def way(self, person: Person) -> str:
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
    ways = {person: reader.way(person) for person in sorted(set(people))}
    letters = dict.fromkeys(ways, 1)
    for more in range(2, MAX_INITIAL_LETTERS + 1):
        short = {
            person: _short_name(person, way, letters[person]).casefold()
            for person, way in ways.items()
        }
        times = Counter(short.values())
        for person, way in ways.items():
            if way == INITIAL_NAME and times[short[person]] > 1:
                letters[person] = more
    taken = {person.name.casefold() for person, way in ways.items() if way == FULL_NAME}
    shown = {}
    for person, way in ways.items():
        name = _short_name(person, way, letters[person])
        shown[person.key] = name if way == FULL_NAME else _with_number(name, taken)
    return shown


def is_nameless(shown: str) -> bool:
    """Whether someone is shown without a name: ``A member (2)``."""
    return shown == NAMELESS or shown.startswith(f"{NAMELESS} (")


def this_person(shown: str) -> str:
    """The one whom a page is about, within a sentence: ``Why is this member 19th?``"""
    return "this member" if is_nameless(shown) else shown


def within_sentence(shown: str) -> str:
    """Someone else within a sentence: ``40 fewer than a member (2)``."""
    return f"{shown[0].lower()}{shown[1:]}" if is_nameless(shown) else shown


def show_names_in(sentence: str, shown: Mapping[str, str]) -> str:
    """A sentence with its full names replaced by the shown names."""
    changed = {name: instead for name, instead in shown.items() if name != instead}
    if not changed:
        return sentence
    longest_first = sorted(changed, key=len, reverse=True)
    names = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)")
    return names.sub(lambda match: changed[match[0]], sentence)


def _short_name(person: Person, way: str, letters: int) -> str:
    # First name and the word that the surname ends with; empty for a single name.
    surname, comma, rest = person.name.partition(",")
    spoken = tidy_name(f"{rest} {surname}" if comma and rest.strip() else person.name)
    words = _without_title(spoken.split(" "))
    end = _surname_end(words)
    first, last = words[0], words[end] if end else ""
    if way == FULL_NAME:
        return person.name
    if way == INITIAL_NAME or (way == FIRST_NAME and _is_title(first)):
        return f"{first} {last[: max(1, min(letters, len(last) - 1))]}." if last else first
    return first if way == FIRST_NAME else NAMELESS


def _with_number(name: str, taken: set[str]) -> str:
    """The name with the first number that makes it unique."""
    free = name
    for number in count(2):
        if free.casefold() not in taken:
            break
        free = f"{name} ({number})"
    taken.add(free.casefold())
    return free
