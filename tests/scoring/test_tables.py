"""The tables that the pages are compiled into say what the pages say, one question at a time."""

import json
import random
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from hypothesis import given, strategies as st

from benchmarks.dealt_hands import SPECIAL, deal_hands, loser, winner_of_any_kind
from scoring import Hand, RuleSet, Tile, Wind, rule_set, score
from scoring.__main__ import COMMANDS, answer_line, answer_lines
from scoring.explaining import HandAnalysis
from scoring.hands.cuts import PART_STARTS, kinds_of_part, parts_with_waits, ways_of_part
from scoring.hands.hand import Kind, set_codes, set_of
from scoring.hands.tiles import (
    COUNT_BITS,
    PLAYING_TILES,
    TILE_UNITS,
    WIND_TILES,
    count_tiles,
    has_more_than_four,
)
from scoring.rules.declarations import SetDouble, SetPoints
from scoring.rules.shapes import (
    ANY_PAIRS,
    DIFFERENT_MAJOR_PAIRS,
    GATES,
    KNITTED,
    KNITTED_IN_ANY_SUITS,
    KNITTED_THREES,
    KNITTED_THREES_AND_ANY_PAIR,
    KNITTED_THREES_AND_ANY_TWO,
    KNITTED_THREES_OR_HONOURS,
    SNAKE,
    WONDERS,
    Shape,
    Shapes,
    Unrelated,
)
from scoring.rulesets import edition_keys
from tests.scoring.strategies import CHANCES, hands, law, law_under_every_rule_set, unfinished_hands

SEVERAL: list[Shape] = [
    *(ANY_PAIRS, KNITTED, WONDERS, KNITTED_THREES, GATES, SNAKE, Unrelated()),
    *(KNITTED_IN_ANY_SUITS, DIFFERENT_MAJOR_PAIRS, KNITTED_THREES_AND_ANY_TWO),
    *(KNITTED_THREES_OR_HONOURS, KNITTED_THREES_AND_ANY_PAIR),
]
SHAPES = Shapes(SEVERAL)


def of_a_special_hand(chance: random.Random) -> list[Tile]:
    """The fourteen tiles of a special hand, now and then with another in place of one."""
    fields: dict[str, Any] = chance.choice(SPECIAL)(chance)
    tiles = [tile for group in fields["sets"] for tile in group["tiles"][:3]]
    tiles += fields["concealed"]
    if chance.random() < 0.3:
        tiles[0] = chance.choice([tile for tile in PLAYING_TILES if tiles.count(tile) < 4])
    return [Tile(tile) for tile in tiles]


@law
@given(CHANCES)
def test_one_tile_short_of_a_shape_is_what_some_tile_makes_it(chance: random.Random) -> None:
    counts = count_tiles(of_a_special_hand(chance)[1:])
    with_one_more = [counts + unit for unit in TILE_UNITS if not has_more_than_four(counts + unit)]
    for shape in SEVERAL:
        assert shape.lacks_one_tile(counts) == any(map(shape.is_complete, with_one_more)), (
            shape.text
        )


@law
@given(CHANCES)
def test_shapes_asked_together_are_those_asked_one_by_one(chance: random.Random) -> None:
    tiles = of_a_special_hand(chance)
    full_counts, short_counts = count_tiles(tiles), count_tiles(tiles[1:])
    assert SHAPES.complete_shapes(full_counts) == [
        n for n, shape in enumerate(SEVERAL) if shape.is_complete(full_counts)
    ]
    assert SHAPES.shapes_lacking_one(short_counts) == [
        n for n, shape in enumerate(SEVERAL) if shape.lacks_one_tile(short_counts)
    ]


@pytest.mark.parametrize("first", PART_STARTS)
def test_every_way_to_cut_a_part_holds_its_tiles(first: int) -> None:
    for tiles, splits in ways_of_part(first).items():
        assert len({*splits}) == len(splits)
        for split in splits:
            groups = [set_of(code + first) for code in split]
            counts = count_tiles(tile for group in groups for tile in group.tiles)
            assert counts >> COUNT_BITS * first == tiles
            assert Counter(group.kind for group in groups)[Kind.PAIR] <= 1


@pytest.mark.parametrize("key", edition_keys())
def test_only_sets_of_winds_are_worth_more_to_some_winds(key: str) -> None:
    rules = rule_set(key)
    players = [
        Hand(seat_wind=seat, prevailing_wind=prevailing)
        for seat, prevailing in product(Wind, (None, *Wind))
    ]
    lines: list[SetPoints | SetDouble] = [*rules.set_points, *rules.set_doubles]
    for kind, exposed in product(Kind, (False, True)):
        for group in map(set_of, set_codes(kind, exposed=exposed)):
            for line in lines if group.tile not in WIND_TILES else ():
                assert len({line.when.test(group, player) for player in players}) == 1, line.name


@pytest.mark.parametrize("first", PART_STARTS)
def test_a_part_waits_for_the_tiles_that_complete_it(first: int) -> None:
    _shift, splits, waits = parts_with_waits()[PART_STARTS.index(first)]
    units = [1 << COUNT_BITS * place for place in range(kinds_of_part(first))]
    for tiles in random.Random(first).sample(sorted(splits), 200):
        for unit in units:
            if tiles & 15 * unit:
                short_tiles = tiles - unit
                assert waits[short_tiles] == sum(
                    other_unit for other_unit in units if short_tiles + other_unit in splits
                )


@law_under_every_rule_set
def test_what_holds_is_what_the_page_asks_of_the_marks(data: st.DataObject, rules: RuleSet) -> None:
    hand = data.draw(hands(rules))
    look, book = HandAnalysis(hand, rules), rules.book
    for layout, marks_held in (
        zip(look.layouts, look.marks_laid_out, strict=True) if hand.mahjong else ()
    ):
        verdict = look.player.tally(layout).verdict
        for lines, worths in (
            (verdict.point_lines, book.points),
            (verdict.double_lines, book.doubles_won),
        ):
            assert [*lines] == [
                worth.line for worth in worths if marks_held & worth.mask == worth.want
            ]
        assert [*verdict.specials] == [
            form.special for form in book.set_forms if marks_held & form.mask == form.want
        ]


@law_under_every_rule_set
def test_a_score_is_the_same_from_full_tables_and_from_empty_ones(
    data: st.DataObject, rules: RuleSet
) -> None:
    hand = data.draw(st.one_of(hands(rules), unfinished_hands(rules)))
    assert score(hand, rules) == score(replace(hand), replace(rules))


@pytest.mark.parametrize("key", ["bmja", "baggaley", "english"])
def test_the_quick_answer_to_a_line_is_the_answer_to_the_letter(key: str) -> None:
    rules = rule_set(key)
    fields = [*deal_hands(winner_of_any_kind, rules, 200, 1), *deal_hands(loser, rules, 200, 1)]
    lines = [
        json.dumps({"id": str(n)} | hand_fields).encode() for n, hand_fields in enumerate(fields)
    ]
    slowly = [json.dumps(answer_line(line, COMMANDS["score"], rules)) for line in lines]
    assert [*answer_lines(lines, COMMANDS["score"], rules)] == slowly


def test_a_line_is_answered_before_the_next_one_comes() -> None:
    command = [sys.executable, "-m", "scoring", "score", "--rules", "bmja"]
    line = b'{"id": "a", "concealed": ["B1"], "mahjong": false}\n'
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as running:  # noqa: S603
        assert running.stdin
        assert running.stdout
        for _time in range(3):
            running.stdin.write(line)
            running.stdin.flush()
            assert json.loads(running.stdout.readline())["id"] == "a"
        running.stdin.close()
    assert running.returncode == 0
