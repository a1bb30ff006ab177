"""The rule sets by key; an edition is never edited once a game has used it."""

from typing import Final

from scoring.rules.rule_set import RuleSet
from scoring.rulesets import baggaley, bmja, english, safalra, tallies

_EDITIONS: Final = (
    *bmja.BMJA_EDITIONS,
    *safalra.SAFALRA_EDITIONS,
    *tallies.TALLIES_EDITIONS,
    *baggaley.BAGGALEY_EDITIONS,
    *english.ENGLISH_EDITIONS,
)
_NEWEST_EDITIONS: Final = {edition.key.partition("/")[0]: edition for edition in _EDITIONS}
_EDITIONS_BY_KEY: Final = {edition.key: edition for edition in _EDITIONS} | _NEWEST_EDITIONS


class UnknownRuleSet(KeyError):
    """No rule set has this key; the message says which there are."""

    def __str__(self) -> str:
        return str(self.args[0])


def rule_set(key: str) -> RuleSet:
    """The edition of that key (`bmja/2008`), or the newest for a bare name (`bmja`)."""
    if key not in _EDITIONS_BY_KEY:
        known_keys = ", ".join(sorted(_EDITIONS_BY_KEY))
        raise UnknownRuleSet(f"There is no rule set {key!r}; there are {known_keys}.")
    return _EDITIONS_BY_KEY[key]


def is_published(rules: RuleSet) -> bool:
    """Whether these are the rules of an edition themselves, not those of a house."""
    return _EDITIONS_BY_KEY.get(rules.key) is rules


def edition_keys() -> tuple[str, ...]:
    """The keys of all editions, of each rule set the oldest first."""
    return tuple(edition.key for edition in _EDITIONS)


def rule_set_keys() -> tuple[str, ...]:
    """The bare names of all rule sets."""
    return tuple(_NEWEST_EDITIONS)
