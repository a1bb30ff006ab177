"""The editions that games are played under: the books' own, and house rules kept for ever."""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from hashlib import sha256
from typing import Final

import scoring
from scoring import RuleSet, UnknownRuleSet
from scoring.house import BadHouseRules, HouseRules, read_house_rules
from scoring.rules.fingerprint import kept_fingerprint
from scoring.scorebook.models import Edition

_MARK: Final = "~"
_DIGITS: Final = 16
_REMEMBERED: Final = 256


def rule_set(key: str) -> RuleSet:
    """The edition of that key: of a book (`bmja/2008`, or the newest of `bmja`), or house rules.

    House rules take one query when a process first asks for them. Raises UnknownRuleSet.
    """
    return _kept(key) if is_house(key) else scoring.rule_set(key)


def is_house(key: str) -> bool:
    """Whether the key is one of house rules: that of their book, and digits of their own."""
    return _MARK in key


def book_of(key: str) -> str:
    """The key of the book's edition that house rules are made from; any other key as it is."""
    return key.partition(_MARK)[0]


def bare(key: str) -> str:
    """The bare name of a book whose newest edition has the key; any other key as it is."""
    name = key.partition("/")[0]
    return name if not is_house(key) and rule_set(name).key == key else key


def same_rules(key: str, other: str) -> bool:
    """Whether points under the two keys can be added up.

    House rules go only with themselves, a book's edition with its other editions.
    """
    if is_house(key) or is_house(other):
        return key == other
    return key.partition("/")[0] == other.partition("/")[0]


def keep_edition(declared: HouseRules) -> Edition:
    """The house rules as an edition; the same rules under the same name are kept once."""
    kept, _ = Edition.objects.get_or_create(
        key=key_of(declared), defaults={"name": declared.name, "declaration": declared.as_data()}
    )
    return kept


def key_of(declared: HouseRules) -> str:
    """The key under which these house rules are kept: `bmja/2008~` and sixteen digits.

    The digits stand for the name and for everything that the rules say; the penalties that BMJA
    rules had before keys counted them are the book's own, and change no key.
    """
    said = f"{declared.name}\n{kept_fingerprint(declared.rules)}"
    return f"{declared.base}{_MARK}{sha256(said.encode()).hexdigest()[:_DIGITS]}"


def declaration_of(key: str) -> HouseRules:
    """What was declared under the key of house rules; raises UnknownRuleSet."""
    return read_house_rules(_edition(key).declaration, kept=True)


def rules_of(edition: Edition) -> RuleSet:
    """The rules of an edition that has been read from the database."""
    return replace(read_house_rules(edition.declaration, kept=True).rules, key=edition.key)


def editions_that_differ() -> Iterator[str]:
    """A sentence for each edition that is no longer read as it was when it was kept."""
    for edition in Edition.objects.order_by("pk"):
        try:
            read = key_of(read_house_rules(edition.declaration, kept=True))
        except BadHouseRules as bad:
            yield f"{edition} cannot be read any more: {bad}"
        else:
            if read != edition.key:
                yield f"{edition} is now read as {read}"


@lru_cache(_REMEMBERED)
def _kept(key: str) -> RuleSet:
    return rules_of(_edition(key))


def _edition(key: str) -> Edition:
    edition = Edition.objects.filter(key=key).first()
    if edition is None:
        raise UnknownRuleSet(f"No house rules are kept under {key!r}.")
    return edition
