"""Finds a person's names in text and replaces them; other people's longer names stay whole."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from clubs.models.names import name_key

MIN_NUMBER_LENGTH: Final = 5
_EVERYDAY_WORDS = """
april august autumn bamboo chrysanthemum dragon east flower friday green january june may monday
north orchid plum red rose saturday season south spring summer sunday thursday tuesday wednesday
west white wind winter
"""
# Names of one word that are words of the game and the calendar too: never changed unseen.
EVERYDAY_WORDS: Final = frozenset(_EVERYDAY_WORDS.split())


@dataclass(frozen=True)
class NameTraces:
    """What replaces each name in text.

    ``replacements`` maps a person's names and addresses to their replacements; ``other_names`` are
    names that stay as they are, also where they begin or end like one of those.
    """

    replacements: Mapping[str, str]
    other_names: frozenset[str] = frozenset()

    @cached_property
    def _pattern(self) -> re.Pattern[str] | None:
        if not self.replacements:
            return None
        all_names = sorted(
            {*self.replacements, *self.other_names}, key=lambda name: (-len(name), name)
        )
        text = "|".join(r"\s+".join(map(re.escape, name.split())) for name in all_names if name)
        return re.compile(rf"(?<!\w)(?:{text})(?!\w)", re.IGNORECASE)

    @cached_property
    def _folded_replacements(self) -> dict[str, str]:
        return {_fold_name(name): text for name, text in self.replacements.items()}

    def are_in(self, value: Any) -> bool:
        """Whether any of the names is in a text, or anywhere in data."""
        pattern = self._pattern
        return pattern is not None and any(
            self._instead_of(match[0]) != match[0]
            for text in texts_in(value)
            for match in pattern.finditer(text)
        )

    def out_of(self, value: Any) -> Any:
        """The text or data without the names."""
        if isinstance(value, str):
            if self._pattern is None:
                return value
            return self._pattern.sub(lambda match: self._instead_of(match[0]), value)
        if isinstance(value, Mapping):
            return {self.out_of(key): self.out_of(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self.out_of(item) for item in value]
        return value

    def _instead_of(self, text: str) -> str:
        """A name of one word counts only with its capital."""
        value = self._folded_replacements.get(_fold_name(text), text)
        is_a_word = text.isalpha() and text[0].islower()
        return text if is_a_word else value


def names_to_find(names: Iterable[str]) -> frozenset[str]:
    """Each name as it is, and with the surname first; none that is an everyday word."""
    result: set[str] = set()
    for name in names:
        name_parts = name.split()
        if len(name_parts) > 1:
            *first, last = name_parts
            result |= {name, f"{last}, {' '.join(first)}", f"{last} {' '.join(first)}"}
        elif len(name) > 1 and name_key(name) not in EVERYDAY_WORDS:
            result.add(name)
    return frozenset(result)


def shortened_names(names: Iterable[str]) -> frozenset[str]:
    """Each name as others may read it: ``Ann S.``, ``Ann Smi.``; none for a name of one word."""
    value = (name_parts for name in names if len(name_parts := name.split()) > 1)
    return frozenset(
        f"{first} {last[:letters]}." for first, *_, last in value for letters in range(1, len(last))
    )


def first_words(names: Iterable[str]) -> frozenset[str]:
    """The first word of each name that has more than one, where it is no everyday word."""
    value = (name_parts[0] for name in names if len(name_parts := name.split()) > 1)
    return frozenset(word for word in value if name_key(word) not in EVERYDAY_WORDS)


def surnames(names: Iterable[str]) -> frozenset[str]:
    """The last word of each name that has more than one."""
    return frozenset(name_parts[-1] for name in names if len(name_parts := name.split()) > 1)


def addresses_to_find(*contacts: str) -> frozenset[str]:
    """The email addresses among the contacts, and the numbers long enough to be unmistakable."""
    return frozenset(
        contact
        for contact in contacts
        if "@" in contact or sum(map(str.isdigit, contact)) >= MIN_NUMBER_LENGTH
    )


def texts_in(value: Any) -> Iterator[str]:
    """Every text in data, keys too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from texts_in(key)
            yield from texts_in(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from texts_in(item)


def _fold_name(name: str) -> str:
    return " ".join(name.split()).casefold()
