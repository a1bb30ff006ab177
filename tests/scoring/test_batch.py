"""Totals of many hands at once are those of `score`, hand by hand."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from scoring import BadHand, Hand, RuleSet, hand_from_json, rule_set, rule_set_keys, score
from scoring.batch import hands_from, score_totals
from scoring.batch.hands import BAD_SET, is_one_short, matches_shape, split_counts
from scoring.hands.hand import Kind, set_codes, set_of
from scoring.hands.tiles import BONUS_TILES, JOKER, PLAYING_TILES, Tile, count_tiles, sort_tiles
from scoring.rules.shapes import Shape
from tests.scoring.oracle.hands import a_hand
from tests.scoring.worked import bounded_houses, cases

BMJA = rule_set("bmja")


def total(hand: Hand, rules: RuleSet) -> int:
    """What the hand scores, -1 where it is refused."""
    try:
        return score(hand, rules).total
    except BadHand:
        return -1


def assert_totals(hands: Sequence[Hand], rules: RuleSet) -> None:
    """The totals are those of `score`; says which hand has another."""
    batch_totals = score_totals(hands_from(hands), rules)
    wrong = [
        (hand, total(hand, rules), batch_total)
        for hand, batch_total in zip(hands, batch_totals.tolist(), strict=True)
        if batch_total != total(hand, rules)
    ]
    assert wrong == []


@cache
def random_hands(key: str, number: int) -> list[Hand]:
    """So many hands that can be read, won and lost, special or nearly so."""
    chance = random.Random(f"batch {key}")
    hands: list[Hand] = []
    while len(hands) < number:
        try:
            hands.append(hand_from_json(a_hand(key, chance), rule_set(key)))
        except BadHand:
            continue
    return hands


def another(chance: random.Random) -> Tile:
    return chance.choice([*PLAYING_TILES, JOKER, BONUS_TILES[0]])


def many_of_a_tile(hand: Hand, chance: random.Random) -> Hand:
    number = chance.randint(4, 14)
    tile = chance.choice(PLAYING_TILES)
    return replace(hand, concealed=(tile,) * number + hand.concealed[number:])


def another_set(hand: Hand, chance: random.Random) -> Hand:
    """A set more on the table, a pair perhaps, in place of tiles in the hand."""
    codes = [code for kind in Kind for code in set_codes(kind, exposed=chance.random() < 0.5)]
    return replace(
        hand,
        sets=(*hand.sets, set_of(chance.choice(codes))),
        concealed=hand.concealed[: len(hand.concealed) - 3],
    )


SPOILERS: list[Callable[[Hand, random.Random], Hand]] = [
    lambda hand, chance: replace(hand, concealed=(*hand.concealed, another(chance))),
    lambda hand, _chance: replace(hand, concealed=hand.concealed[1:]),
    lambda hand, chance: replace(hand, concealed=(*hand.concealed[1:], another(chance))),
    lambda hand, _chance: replace(hand, winning_tile=None),
    lambda hand, chance: replace(hand, winning_tile=another(chance)),
    lambda hand, _chance: replace(hand, mahjong=not hand.mahjong),
    lambda hand, chance: replace(hand, bonus=(*hand.bonus, *chance.sample(BONUS_TILES, 3))),
    many_of_a_tile,
    another_set,
]


@pytest.mark.parametrize("key", rule_set_keys())
def test_worked_hands_total_what_they_score(key: str) -> None:
    rules = rule_set(key)
    hand_fields = [
        case["fields"] for case in cases("hand", book=key) if not case["expected"].get("problems")
    ]
    assert hand_fields
    assert_totals([hand_from_json(fields, rules) for fields in hand_fields], rules)


@pytest.mark.sampled(days=4)
@pytest.mark.parametrize("key", rule_set_keys())
def test_random_hands_total_what_they_score(key: str) -> None:
    assert_totals(random_hands(key, 20_000), rule_set(key))


@pytest.mark.sampled(days=4)
@pytest.mark.parametrize("key", rule_set_keys())
def test_spoilt_hands_total_what_they_score_or_are_refused(key: str) -> None:
    chance = random.Random(f"spoilt {key}")
    hands = [chance.choice(SPOILERS)(hand, chance) for hand in random_hands(key, 20_000)[:6000]]
    assert -1 in score_totals(hands_from(hands), rule_set(key))
    assert_totals(hands, rule_set(key))


@pytest.mark.sampled(days=4)
@pytest.mark.parametrize(
    ("key", "house"),
    [
        ("bmja", {"plus2_on_loose_tile": True, "original_call_winner_doubles": 1}),
        ("bmja", {"honour_pairs_may_repeat": False, "knitting_in_any_two_suits": True}),
        ("bmja", {"buried_treasure_without_honours": False, "gates_of_heaven_on_a_claim": False}),
        ("baggaley", {"flowers_beside_a_bouquet": True, "orphan_in_three_rows": True}),
        ("baggaley", {"mahjongg_beside_pairs_and_orphans": False, "winner_only": True}),
    ],
)
def test_house_rules_hold_in_a_batch_too(key: str, house: dict[str, bool | int]) -> None:
    rules = replace(rule_set(key).choosing(**house), limit=600)
    assert_totals(random_hands(key, 20_000)[:6000], rules)


@pytest.mark.parametrize(("key", "rules"), bounded_houses())
def test_house_rules_of_every_kind_hold_in_a_batch(key: str, rules: RuleSet) -> None:
    assert_totals(random_hands(key, 20_000)[:1000], rules)


def test_hands_come_out_of_their_columns_as_they_went_in() -> None:
    hands = random_hands("bmja", 20_000)[:2000]
    columns = hands_from(hands)
    assert [columns.hand(number) for number in range(len(columns))] == [
        replace(hand, bonus=tuple(sort_tiles(hand.bonus))) for hand in hands
    ]


def test_a_hand_that_no_columns_hold_is_refused() -> None:
    too_many = Hand(concealed=PLAYING_TILES[:15])
    columns = hands_from([too_many, Hand()])
    assert columns.sets[0].tolist() == [BAD_SET, -1]
    assert score_totals(columns, BMJA).tolist() == [-1, 0]


@pytest.mark.sampled(law="long plays")
def test_more_hands_than_fit_at_once() -> None:
    hands = hands_from(random_hands("bmja", 20_000)[:500])
    many_hands = hands.those(np.tile(np.arange(500), 140))
    assert len(many_hands) == 70_000
    assert score_totals(many_hands, BMJA).tolist() == score_totals(hands, BMJA).tolist() * 140


def test_no_hands_have_no_totals() -> None:
    assert score_totals(hands_from([]), BMJA).tolist() == []


def shapes() -> list[Shape]:
    """Every shape that some rule set plays."""
    books = [rule_set(key).book for key in rule_set_keys()]
    played_shapes = {form.shape for book in books for form in book.loose_forms}
    return sorted(played_shapes, key=lambda shape: shape.text)


@pytest.mark.sampled
@pytest.mark.parametrize("shape", shapes(), ids=lambda shape: shape.text)
def test_shapes_are_found_among_many_as_one_by_one(shape: Shape) -> None:
    hands = [hand for key in rule_set_keys() for hand in random_hands(key, 20_000)[:3000]]
    tiles = [hand.concealed for hand in hands if JOKER not in hand.concealed]
    for check_batch, one_by_one, size in (
        (matches_shape, shape.is_complete, 14),
        (is_one_short, shape.lacks_one_tile, 13),
    ):
        counts = [count_tiles(hand_tiles[:size]) for hand_tiles in tiles if len(hand_tiles) >= size]
        matches = check_batch(
            shape, np.stack([split_counts(several) for several in counts], axis=1)
        )
        assert matches.tolist() == [one_by_one(several) for several in counts]
        assert True in matches
