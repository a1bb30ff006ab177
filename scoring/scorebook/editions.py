"""The editions that games are played under: the books' own, and house rules kept for ever."""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from hashlib import sha256
from typing import Final

import scoring
from scoring import RuleSet, UnknownRuleSet
from scoring.house import BadHouseRules, HouseRules, read_house_rules
from scoring.rules.fingerprint import key_fingerprint
from scoring.scorebook.models import Edition

_HOUSE_MARK: Final = "~"
_KEY_DIGITS: Final = 16
_CACHE_SIZE: Final = 256


def rule_set(key: str) -> RuleSet:
    """The edition of that key: of a book (`bmja/2008`, or the newest of `bmja`), or house rules.

    House rules take one query when a process first asks for them. Raises UnknownRuleSet.
    """
    return _house_rule_set(key) if is_house_key(key) else scoring.rule_set(key)


def is_house_key(key: str) -> bool:
    """Whether the key is one of house rules: that of their book, and digits of their own."""
    return _HOUSE_MARK in key


def base_key(key: str) -> str:
    """The key of the book's edition that house rules are made from; any other key as it is."""
    return key.partition(_HOUSE_MARK)[0]


def short_key(key: str) -> str:
    """The bare name of a book whose newest edition has the key; any other key as it is."""
    name = key.partition("/")[0]
    return name if not is_house_key(key) and rule_set(name).key == key else key


def has_same_rules(key: str, other_key: str) -> bool:
    """Whether points under the two keys can be added up.

    House rules go only with themselves, a book's edition with its other editions.
    """
    if is_house_key(key) or is_house_key(other_key):
        return key == other_key
    return key.partition("/")[0] == other_key.partition("/")[0]


def store_edition(house_rules: HouseRules) -> Edition:
    """The house rules as an edition; the same rules under the same name are kept once."""
    edition, _ = Edition.objects.get_or_create(
        key=house_rules_key(house_rules),
        defaults={"name": house_rules.name, "declaration": house_rules.as_data()},
    )
    return edition


def house_rules_key(house_rules: HouseRules) -> str:
    """The key under which these house rules are kept: `bmja/2008~` and sixteen digits.

    The digits stand for the name and for everything that the rules say; the penalties that BMJA
    rules had before keys counted them are the book's own, and change no key.
    """
    text = f"{house_rules.name}\n{key_fingerprint(house_rules.rules)}"
    return f"{house_rules.base}{_HOUSE_MARK}{sha256(text.encode()).hexdigest()[:_KEY_DIGITS]}"


def declaration_of(key: str) -> HouseRules:
    """What was declared under the key of house rules; raises UnknownRuleSet."""
    return read_house_rules(_get_edition(key).declaration, is_stored=True)


def rules_of(edition: Edition) -> RuleSet:
    """The rules of an edition that has been read from the database."""
    return replace(read_house_rules(edition.declaration, is_stored=True).rules, key=edition.key)


def changed_editions() -> Iterator[str]:
    """A sentence for each edition that is no longer read as it was when it was kept."""
    for edition in Edition.objects.order_by("pk"):
        try:
            present_key = house_rules_key(read_house_rules(edition.declaration, is_stored=True))
        except BadHouseRules as bad:
            yield f"{edition} cannot be read any more: {bad}"
        else:
            if present_key != edition.key:
                yield f"{edition} is now read as {present_key}"


@lru_cache(_CACHE_SIZE)
def _house_rule_set(key: str) -> RuleSet:
    return rules_of(_get_edition(key))


def _get_edition(key: str) -> Edition:
    edition = Edition.objects.filter(key=key).first()
    if edition is None:
        raise UnknownRuleSet(f"No house rules are kept under {key!r}.")
    return edition
