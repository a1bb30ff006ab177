"""Rule sets by key, and house rules made from them."""

from dataclasses import replace

import pytest

from scoring import UnknownRuleSet, rule_set, rule_set_keys
from scoring.rules.declarations import Share

BMJA = rule_set("bmja")


def test_a_bare_name_is_the_newest_edition() -> None:
    assert rule_set("bmja") is rule_set("bmja/2008")
    assert (BMJA.key, BMJA.name, BMJA.seats) == ("bmja/2008", "BMJA rules", (2, 3, 4, 5))


def test_every_bare_name_has_rules() -> None:
    assert [rule_set(key).key.partition("/")[0] for key in rule_set_keys()] == [*rule_set_keys()]


def test_an_unknown_key_is_refused_in_a_sentence() -> None:
    with pytest.raises(UnknownRuleSet) as refusal:
        rule_set("whist")
    said = str(refusal.value)
    assert said.startswith("There is no rule set 'whist'; there are ")
    assert {*rule_set_keys()} <= {*said.rstrip(".").replace(",", "").split()}


def test_house_rules_leave_the_edition_as_it_is() -> None:
    house = BMJA.choosing(plus2_on_loose_tile=True)
    assert (house.choice["plus2_on_loose_tile"], BMJA.choice["plus2_on_loose_tile"]) == (
        True,
        False,
    )


def test_a_choice_that_these_rules_do_not_have() -> None:
    with pytest.raises(KeyError, match="nine_gates"):
        BMJA.choosing(nine_gates=True)


def test_a_share_of_the_limit_is_rounded_down() -> None:
    assert (Share(2, 5).points(1000), Share(1, 2).points(1025)) == (400, 512)


def test_a_share_of_no_limit_is_refused() -> None:
    with pytest.raises(ValueError, match="needs a limit"):
        Share(1, 2).points(None)


def test_no_limit_caps_nothing() -> None:
    assert (BMJA.capped(8448), replace(BMJA, limit=None).capped(8448)) == (1000, 8448)


def test_players_pay_one_another() -> None:
    assert BMJA.zero_sum
