"""Hands of every rule set to try laws on: random ones, and worked ones played otherwise."""

import random
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, reject, settings, strategies as st

from scoring import BadHand, Hand, RuleSet, hand_from_json, rule_set, rule_set_keys, score
from tests.sampling import examples
from tests.scoring.oracle import a_hand
from tests.scoring.oracle.hand import Fields
from tests.scoring.oracle.hands import circumstances, one_short, two_short
from tests.scoring.worked import scored_cases

KEYS = rule_set_keys()
# Sets are priced when the first hand of a seat is scored, and that is while hands are drawn.
law = settings(
    deadline=None, max_examples=examples(60), suppress_health_check=[HealthCheck.too_slow]
)
under_every_rule_set = pytest.mark.parametrize("rules", [rule_set(key) for key in KEYS], ids=KEYS)


def law_under_every_rule_set(test: Callable[..., None]) -> Callable[..., None]:
    """A law that takes the rules, and what hypothesis draws of ``data``."""
    wrapper: Callable[..., None] = under_every_rule_set(law(given(data=st.data())(test)))
    return wrapper


CHANCES = st.integers(0, 2**32).map(random.Random)


def name_of(rules: RuleSet) -> str:
    """The key of the rule set without its edition."""
    return rules.key.partition("/")[0]


@st.composite
def hands(draw: st.DrawFn, rules: RuleSet) -> Hand:
    """A random hand, or a worked one in other circumstances; one that the rules can score."""
    key, chance = name_of(rules), draw(CHANCES)
    case = draw(st.sampled_from(scored_cases(key, houses=True)))
    fields = case["fields"] | circumstances(key, chance)
    return _scorable_hand(draw(st.sampled_from([a_hand(key, chance), fields])), rules)


@st.composite
def unfinished_hands(draw: st.DrawFn, rules: RuleSet) -> Hand:
    """A loser's hand, most often one tile short of a special hand, or two."""
    key, chance = name_of(rules), draw(CHANCES)
    return _scorable_hand(draw(st.sampled_from([one_short, two_short]))(key, chance), rules)


def _scorable_hand(fields: Fields, rules: RuleSet) -> Hand:
    try:
        hand = hand_from_json(fields, rules)
        score(hand, rules)
    except BadHand:
        reject()
    return hand
