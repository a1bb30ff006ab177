"""An edition that a game has used is never edited: its fingerprint is written down."""

import tomllib
from dataclasses import replace

import pytest

from scoring import RuleSet, rule_set, rule_set_keys
from scoring.fingerprint import fingerprint
from scoring.rulesets import edition_keys
from tests.scoring.test_pinned import nudged_rules
from tests.scoring.worked import EXAMPLES

EDITIONS = tomllib.loads((EXAMPLES / "editions.toml").read_text())["fingerprints"]
BMJA = rule_set("bmja")


@pytest.mark.parametrize("key", edition_keys())
def test_a_published_edition_is_as_it_was(key: str) -> None:
    """Another fingerprint is another edition: declare it beside the old one, under its own key."""
    rules = rule_set(key)
    assert {rules.key: fingerprint(rules)} == {rules.key: EDITIONS.get(rules.key)}


def test_every_fingerprint_is_of_an_edition() -> None:
    assert [rule_set(key).key for key in EDITIONS] == [*EDITIONS]


def test_the_bare_name_is_the_newest_edition() -> None:
    newest = {key.partition("/")[0]: key for key in edition_keys()}
    assert {name: rule_set(name).key for name in rule_set_keys()} == newest


@pytest.mark.sampled(days=4)
@pytest.mark.parametrize("key", rule_set_keys())
def test_any_number_changed_is_another_fingerprint(key: str) -> None:
    rules = rule_set(key)
    changed = [fingerprint(nudged) for _name, nudged in nudged_rules(rules)]
    assert changed
    assert fingerprint(rules) not in changed


def other_words(rules: RuleSet) -> RuleSet:
    """The same rules with other sources and explanations, under another name."""
    choices = tuple(line._replace(words="said otherwise") for line in rules.choices)
    points = tuple(line._replace(source="another page") for line in rules.points)
    return replace(rules, key="x/1", name="X", limit_source="", choices=choices, points=points)


def test_other_words_are_the_same_rules() -> None:
    assert fingerprint(other_words(BMJA)) == fingerprint(BMJA)


def test_a_line_of_another_name_or_condition_is_another_rule() -> None:
    first, *rest = BMJA.doubles
    for other in (first._replace(name="Flower"), first._replace(when=rest[0].when)):
        assert fingerprint(replace(BMJA, doubles=(other, *rest))) != fingerprint(BMJA)
    one, *more = BMJA.set_points
    other_set = one._replace(when=more[0].when)
    changed = replace(BMJA, set_points=(other_set, *more))
    assert fingerprint(changed) != fingerprint(BMJA)


def test_rule_sets_have_fingerprints_of_their_own() -> None:
    assert len({fingerprint(rule_set(key)) for key in rule_set_keys()}) == len(rule_set_keys())
