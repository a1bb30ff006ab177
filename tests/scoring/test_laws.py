"""What must be true of every hand, whoever holds it."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from scoring import BadHand, Hand, check, hand_as_json, hand_from_json, rule_set, score
from scoring.lines import reckoned
from scoring.rules import Form
from scoring.tiles import BONUS_TILES, IN_ORDER, JOKER, PLAYING_TILES, Tile, Wind, read_tile
from tests.scoring.worked import Case, cases

BMJA = rule_set("bmja")
SCORED = [case for case in cases("hand") if "total" in case["expected"]]
FISHING = [case for case in SCORED if case["expected"].get("fishing") and "house" not in case]
FISHED = {special.key for special in BMJA.specials if special.fishing}
LIVE = st.fixed_dictionaries(
    {
        "seat_wind": st.sampled_from("ESWN"),
        "prevailing_wind": st.sampled_from([*"ESWN", None]),
        "bonus": st.lists(st.sampled_from(BONUS_TILES), unique=True),
        "facts": st.sampled_from([[], ["original_call"], ["twofold_fortune"]]),
    }
)


@st.composite
def losing_hands(draw: st.DrawFn) -> Hand:
    """Up to thirteen tiles of few kinds."""
    kinds = draw(st.lists(st.sampled_from(PLAYING_TILES), min_size=1, max_size=6, unique=True))
    tiles = draw(st.lists(st.sampled_from(kinds * 4), max_size=13))
    assume(all(tiles.count(tile) <= 4 for tile in tiles))
    return hand_from_json(draw(LIVE) | {"concealed": tiles, "mahjong": False}, BMJA)


@st.composite
def worked_hands(draw: st.DrawFn) -> Hand:
    """A worked hand in other circumstances."""
    fields = draw(st.sampled_from([case["fields"] for case in SCORED]))
    hand = hand_from_json(fields | draw(LIVE), BMJA)
    assume(not check(hand, BMJA))
    return hand


HANDS = st.one_of(losing_hands(), worked_hands())


@settings(deadline=None)
@given(HANDS)
def test_the_lines_reckon_to_the_total(hand: Hand) -> None:
    found = score(hand, BMJA)
    assert BMJA.capped(reckoned(found.lines)) == found.total
    assert found.limited == (reckoned(found.lines) > 1000)
    if found.basic is not None and found.doubles is not None:
        assert BMJA.capped(found.basic << found.doubles) == found.total


@settings(deadline=None)
@given(HANDS)
def test_no_score_is_below_nothing_or_above_the_limit(hand: Hand) -> None:
    assert 0 <= score(hand, BMJA).total <= 1000


@settings(deadline=None)
@given(HANDS, st.sampled_from(BONUS_TILES))
def test_a_bonus_tile_never_lowers_a_score(hand: Hand, tile: Tile) -> None:
    assume(tile not in hand.bonus)
    richer = replace(hand, bonus=(*hand.bonus, tile))
    assert score(richer, BMJA).total >= score(hand, BMJA).total


@settings(deadline=None)
@given(HANDS)
def test_a_hand_can_be_written_down_and_read_again(hand: Hand) -> None:
    assert hand_from_json(hand_as_json(hand), BMJA) == hand


@settings(deadline=None)
@given(HANDS, st.randoms(use_true_random=False))
def test_the_order_of_the_tiles_does_not_matter(hand: Hand, chance: Any) -> None:
    shuffled = list(hand.concealed)
    chance.shuffle(shuffled)
    other = score(replace(hand, concealed=tuple(shuffled)), BMJA)
    assert other.total == score(hand, BMJA).total


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


def short_by_one(case: Case) -> list[Hand]:
    """The winner's hand with each of its concealed tiles taken away in turn."""
    fields = case["fields"] | {"mahjong": False, "winning_tile": None, "won_by": None}
    tiles = fields["concealed"]
    shorter = [[*tiles[:place], *tiles[place + 1 :]] for place in range(len(tiles))]
    return [hand_from_json(fields | {"concealed": left}, BMJA) for left in shorter]


@pytest.mark.parametrize(
    "case",
    [case for case in SCORED if case["expected"].get("special") in FISHED and "house" not in case],
    ids=lambda case: case["id"],
)
def test_one_tile_short_of_a_special_hand_is_fishing(case: Case) -> None:
    special = next(line for line in BMJA.specials if line.key == case["expected"]["special"])
    assert special.fishing is not None
    value = special.fishing.points(BMJA.limit)
    if not case["fields"]["mahjong"]:
        return
    for hand in short_by_one(case):
        kinds = {line.value for line in score(hand, BMJA).lines}
        assert kinds & {value, 400} or score(hand, BMJA).total > value


@settings(deadline=None, max_examples=60)
@given(st.sampled_from(FISHING), st.data())
def test_a_fisher_has_a_tile_that_makes_the_hand(case: Case, data: st.DataObject) -> None:
    """Change one tile of a fishing hand: it fishes only if some tile makes it that Mah-Jong."""
    tiles = list(case["fields"]["concealed"])
    tiles[data.draw(st.integers(0, len(tiles) - 1))] = data.draw(st.sampled_from(PLAYING_TILES))
    hand = replace(hand_from_json(case["fields"], BMJA), concealed=tuple(tiles), bonus=())
    assume(not check(hand, BMJA))
    won = {special for tile in PLAYING_TILES for special in made_with(hand, tile)}
    shares = [line.fishing for line in BMJA.specials if line.key in won and line.fishing]
    values = [share.points(BMJA.limit) for share in shares]
    ordinary = sum(line.points or 0 for line in score(hand, BMJA).lines)
    assert score(hand, BMJA).total >= max(values, default=0)
    if score(hand, BMJA).fishing and score(hand, BMJA).special != "purity":
        assert score(hand, BMJA).total == max(values)
        assert ordinary == 0


def made_with(hand: Hand, tile: Tile) -> set[str]:
    """The special hand that one tile more makes of the hand, if any."""
    winner = replace(hand, concealed=(*hand.concealed, tile), mahjong=True)
    if check(winner, BMJA):
        return set()
    special = score(winner, BMJA).special
    return {special} if special else set()


def test_special_hands_have_one_key_each() -> None:
    keys = [line.key for line in BMJA.specials] + [line.key for line in BMJA.doubled_hands]
    assert sorted(set(keys)) == sorted(keys)
    assert {line.form for line in BMJA.specials if line.fishing is None} == {Form.ANY}


def test_a_joker_comes_after_all_other_tiles() -> None:
    assert max(IN_ORDER, key=IN_ORDER.__getitem__) == JOKER


def test_a_hand_built_by_hand_is_checked_too() -> None:
    hand = Hand(concealed=(PLAYING_TILES[0],) * 5)
    with pytest.raises(BadHand) as refusal:
        score(hand, BMJA)
    assert list(refusal.value.problems) == check(hand, BMJA)
