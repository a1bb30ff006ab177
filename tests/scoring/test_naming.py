"""Counted things in words: none, one, two and many, in every sentence that counts."""

import re
from dataclasses import replace

import pytest

from scoring import Code, Problem, check, hand_from_json, rule_set, rule_set_keys, score, sheet
from scoring.hands.hand import quantity, times
from scoring.hands.problems import SENTENCES, BadInput
from scoring.table.progression import deals

BMJA = rule_set("bmja")
COUNTS = (0, 1, 2, 13)
WRONG = re.compile(
    r"\b1 (?:points|doubles|hands|scores|tiles|sets|jokers|times|players|winds)\b|\b1 .{0,20} are\b"
    r"|\b0 (?:points|doubles|hands|sets|jokers)\b"
)


def test_a_number_of_things() -> None:
    assert [quantity(count, "double") for count in (0, 1, 2, 1000)] == [
        *("no doubles", "1 double", "2 doubles", "1,000 doubles")
    ]
    assert [times(count) for count in (1, 2, 3)] == ["once", "twice", "3 times"]


@pytest.mark.parametrize(
    ("count", "sentence"),
    [
        (0, "None of the 13 tiles were entered, so the score may be incomplete."),
        (1, "Only 1 of the 13 tiles was entered, so the score may be incomplete."),
        (2, "Only 2 of the 13 tiles were entered, so the score may be incomplete."),
        (12, "Only 12 of the 13 tiles were entered, so the score may be incomplete."),
    ],
)
def test_a_short_hand_in_words(count: int, sentence: str) -> None:
    tiles = ["B1", "B3", "B5", "B7", "C1", "C3", "C5", "C7", "O1", "O3", "O5", "O7"][:count]
    hand = hand_from_json({"concealed": tiles, "mahjong": False}, BMJA)
    assert [notice.sentence for notice in score(hand, BMJA).notices] == [sentence]


@pytest.mark.parametrize(("hands", "words"), [(1, "1 hand"), (2, "2 hands")])
def test_a_game_is_over_after_so_many_hands(hands: int, words: str) -> None:
    with pytest.raises(BadInput) as refusal:
        deals([2] * (hands + 1), rules=BMJA, hands=hands)
    assert str(refusal.value) == f"The game was over after {words}."


@pytest.mark.parametrize(("jokers", "words"), [(0, "no jokers"), (1, "1 joker"), (2, "2 jokers")])
def test_how_many_jokers_a_kong_may_hold(jokers: int, words: str) -> None:
    assert BMJA.jokers
    rules = replace(BMJA, jokers=BMJA.jokers._replace(in_a_kong=jokers))
    kong = {"tiles": ["B1"] + ["JK"] * 3, "exposed": True}
    hand = {"sets": [kong], "concealed": [], "mahjong": False, "goulash": True}
    with pytest.raises(BadInput) as refusal:
        hand_from_json(hand, rules)
    assert f"a kong may hold {words} at most" in str(refusal.value)


@pytest.mark.parametrize(("doubles", "words"), [(0, "no doubles"), (1, "1 double")])
def test_too_few_doubles_for_two_players(doubles: int, words: str) -> None:
    """Four chows in three suits have no double, a pung of dragons has one."""
    tallies = replace(rule_set("tallies"), chows=rule_set("tallies").chows._replace(players=None))
    dragons = ["DR"] * 3 if doubles else ["B4", "B5", "B6"]
    concealed = [*["B1", "B2", "B3", "C4", "C5", "C6", "O7", "O8", "O9"], *dragons, "C8", "C8"]
    hand = {"concealed": concealed, "mahjong": True, "players": 2, "won_by": "wall"}
    [problem] = check(hand_from_json(hand, tallies), tallies)
    assert f"this one has {words} and" in problem.sentence


@pytest.mark.parametrize("key", rule_set_keys())
def test_no_printed_line_says_one_points(key: str) -> None:
    rules = rule_set(key)
    least = rules.minimum and rules.minimum._replace(doubles=1, points=1)
    doubled = tuple(line._replace(doubles=1) for line in rules.doubled_hands)
    for house in (rules, replace(rules, minimum=least, doubled_hands=doubled, limit=1)):
        assert WRONG.findall(sheet.page(house)) == []


@pytest.mark.parametrize("count", COUNTS)
def test_sentences_that_print_a_bare_number_read_well_with_any(count: int) -> None:
    """What is counted as a word comes from `quantity`; a bare number stands before no noun."""
    for code in Code:
        params = dict.fromkeys(re.findall(r"\{(\w+)\}", SENTENCES[code]), count)
        params |= {name: max(count, 2) for name in params.keys() & {"players", "seats"}}
        worded = {"sets", "kongs", "doubles", "points", "found_doubles", "found_points", "played"}
        params |= {name: quantity(count, "set") for name in params.keys() & worded}
        assert WRONG.findall(Problem(code, "", params).sentence) == [], code
