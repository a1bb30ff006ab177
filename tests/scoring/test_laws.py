"""What must be true of every hand under every rule set, whoever holds it."""

from dataclasses import replace

import pytest
from hypothesis import assume, given, strategies as st

from scoring import (
    BadHand,
    Hand,
    Kind,
    RuleSet,
    TileSet,
    check,
    hand_as_json,
    hand_from_json,
    rule_set,
    score,
)
from scoring.hands.tiles import BONUS_TILES, IN_ORDER, JOKER, PLAYING_TILES, Wind, read_tile
from scoring.rules.rule_set import reckoned
from tests.scoring.strategies import hands, law, under_every_rule_set

BMJA = rule_set("bmja")


@under_every_rule_set
@law
@given(st.data())
def test_the_lines_reckon_to_the_total(rules: RuleSet, data: st.DataObject) -> None:
    found = score(data.draw(hands(rules)), rules)
    assert rules.capped(reckoned(found.lines)) == found.total
    assert found.limited == (reckoned(found.lines) > found.total)
    if found.basic is not None and found.doubles is not None:
        beside = sum(line.value or 0 for line in found.lines if not line.workings)
        assert rules.capped((found.basic << found.doubles) + beside) == found.total


@under_every_rule_set
@law
@given(st.data())
def test_no_score_is_below_nothing_or_above_the_limit(rules: RuleSet, data: st.DataObject) -> None:
    total = score(data.draw(hands(rules)), rules).total
    assert 0 <= total == rules.capped(total)


@under_every_rule_set
@law
@given(st.data())
def test_a_bonus_tile_never_lowers_a_score(rules: RuleSet, data: st.DataObject) -> None:
    """Where they play without flowers and seasons, such a tile is refused."""
    hand = data.draw(hands(rules))
    tile = data.draw(st.sampled_from(BONUS_TILES))
    assume(tile not in hand.bonus)
    richer = replace(hand, bonus=(*hand.bonus, tile))
    if rules.bonus_points is None:
        assert check(richer, rules)
    else:
        assert score(richer, rules).total >= score(hand, rules).total


@under_every_rule_set
@law
@given(st.data())
def test_a_concealed_kong_scores_no_less_than_an_exposed_one(
    rules: RuleSet, data: st.DataObject
) -> None:
    hand = data.draw(hands(rules))
    concealed = replace(hand, sets=tuple(_concealed_if_a_kong(laid) for laid in hand.sets))
    assert score(concealed, rules).total >= score(hand, rules).total


def _concealed_if_a_kong(laid: TileSet) -> TileSet:
    return replace(laid, exposed=laid.exposed and laid.kind is not Kind.KONG)


@under_every_rule_set
@law
@given(st.data())
def test_a_hand_can_be_written_down_and_read_again(rules: RuleSet, data: st.DataObject) -> None:
    hand = data.draw(hands(rules))
    assert hand_from_json(hand_as_json(hand), rules) == hand


@under_every_rule_set
@law
@given(st.data())
def test_the_order_of_the_tiles_does_not_matter(rules: RuleSet, data: st.DataObject) -> None:
    hand = data.draw(hands(rules))
    shuffled = replace(
        hand,
        sets=tuple(data.draw(st.permutations(hand.sets))),
        concealed=tuple(data.draw(st.permutations(hand.concealed))),
        bonus=tuple(data.draw(st.permutations(hand.bonus))),
    )
    assert score(shuffled, rules).total == score(hand, rules).total


def test_tiles_are_read_as_they_are_written() -> None:
    assert [read_tile(str(tile)) for tile in IN_ORDER] == list(IN_ORDER)
    assert (len(PLAYING_TILES), len(BONUS_TILES), read_tile("b1"), read_tile(1)) == (
        34,
        8,
        None,
        None,
    )


def test_the_order_of_the_winds() -> None:
    assert [wind.label for wind in Wind] == ["East", "South", "West", "North"]


def test_a_joker_comes_after_all_other_tiles() -> None:
    assert max(IN_ORDER, key=IN_ORDER.__getitem__) == JOKER


def test_a_hand_built_by_hand_is_checked_too() -> None:
    hand = Hand(concealed=(PLAYING_TILES[0],) * 5)
    with pytest.raises(BadHand) as refusal:
        score(hand, BMJA)
    assert list(refusal.value.problems) == check(hand, BMJA)
