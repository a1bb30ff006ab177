"""Names of people: tidied as typed, and a key by which the same person is known again."""

import unicodedata
from collections import Counter
from collections.abc import Mapping

MAX_NAME = 80
_LETTERS = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ß": "ss", "æ": "ae", "œ": "oe", "’": "'"})


def tidy_name(typed: str) -> str:
    """The name as typed, without stray spaces."""
    return " ".join(typed.split())


def name_key(name: str) -> str:
    """The name without accents, capitals, full stops and stray spaces: ``Zoë  Ł.`` is ``zoe l``."""
    plain = unicodedata.normalize("NFKD", name.casefold().translate(_LETTERS))
    letters = "".join(char for char in plain if not unicodedata.combining(char))
    return " ".join(letters.replace(".", " ").split())[:MAX_NAME]


def first_names(names: Mapping[int, str]) -> dict[int, str]:
    """First names where they tell the people apart, whole names for those they do not."""
    firsts = Counter(name.split(" ", 1)[0].casefold() for name in names.values())
    return {
        key: first if firsts[first.casefold()] == 1 else name
        for key, name in names.items()
        for first in name.split(" ", 1)[:1]
    }


def name_fault(name: str) -> str:
    """Why this cannot be a name; empty when it can."""
    tidy = tidy_name(name)
    if not tidy:
        return "Type a name."
    if len(tidy) > MAX_NAME:
        return f"That name has {len(tidy)} letters; at most {MAX_NAME} fit."
    if "<" in tidy or ">" in tidy or any(unicodedata.category(char) == "Cc" for char in tidy):
        return "A name cannot hold the signs < and >."
    if not name_key(tidy):
        return "Type a name with at least one letter."
    return ""
