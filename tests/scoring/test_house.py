"""A club's house rules as data: read, played, printed, written again, and frozen."""

import tomllib
from typing import Any

import pytest
from hypothesis import given, strategies as st

from scoring import explain, hand_from_json, rule_set, rule_set_keys, score, sheet
from scoring.house import VOCABULARY, BadHouseRules, HouseRules, house_rules, read_house_rules
from scoring.rules.fingerprint import fingerprint
from tests.scoring.worked import EXAMPLES

HOUSES = tomllib.loads((EXAMPLES / "house_rules.toml").read_text())["house"]
RIVERSIDE = HOUSES[0]["data"]
HANDS = [
    pytest.param(house["data"], hand, id=hand["title"])
    for house in HOUSES
    for hand in house["hand"]
]
TOLD = {"title", "working", "total", "special", "says"}


@pytest.mark.parametrize(("data", "case"), HANDS)
def test_a_hand_under_house_rules(data: dict[str, Any], case: dict[str, Any]) -> None:
    rules = house_rules(data)
    hand = hand_from_json({k: v for k, v in case.items() if k not in TOLD}, rules)
    found = score(hand, rules)
    assert (found.total, found.special) == (case["total"], case.get("special"))
    sentences = [one.sentence for one in explain(hand, rules).considered]
    assert "says" not in case or case["says"] in sentences


def test_a_house_hand_stands_on_the_clubs_page() -> None:
    page = sheet.page(house_rules(RIVERSIDE))
    rows = [
        (
            "| Gertie's Garter | 1 to 7 of one suit, 1 to 7 of another suit"
            " | 500 (1/2 of the limit) | 200 (1/5 of the limit) | house rule |"
        ),
        (
            "| Run, Pung and Pair | 1 to 9 of one suit, a pung of the first suit,"
            " a pair of the first suit | 500 | 200 | house rule |"
        ),
        (
            "| Hidden Suit | pungs or kongs and a pair: all suit tiles of one suit, with winds or"
            " dragons, no set exposed before the last tile | 800 | 320 | house rule |"
        ),
    ]
    assert [row for row in rows if row not in page] == []


def test_what_a_club_leaves_out_is_not_on_its_page() -> None:
    page = sheet.page(house_rules(HOUSES[1]["data"]))
    gone = ["Buried Treasure |", "Gates of Heaven |", "| No chows |", "drawn from the wall |"]
    assert [words for words in gone if words in page] == []
    assert "| Pung of 2s to 8s | pung of 2s to 8s | 2 | 6 | house rule |" in page


@pytest.mark.parametrize("key", rule_set_keys())
def test_house_rules_that_say_nothing_are_the_book(key: str) -> None:
    rules = house_rules({"base": key})
    assert fingerprint(rules) == fingerprint(rule_set(key))
    assert rules.name == f"{rule_set(key).name} (house rules)"


def test_the_key_of_house_rules_is_their_own() -> None:
    keys = [house_rules(house["data"]).key for house in HOUSES]
    assert all(key.startswith("bmja/2008~") for key in keys)
    assert len({*keys, house_rules({"base": "bmja"}).key}) == 3


@pytest.mark.parametrize("house", HOUSES, ids=lambda house: house["title"])
def test_house_rules_are_written_as_they_were_read(house: dict[str, Any]) -> None:
    read = read_house_rules(house["data"])
    assert read.as_data() == house["data"] | {"base": "bmja/2008"}
    assert read_house_rules(read.as_data()) == read


@given(
    limit=st.none() | st.integers(1, 5000),
    flower=st.integers(0, 100),
    chow=st.tuples(st.integers(0, 9), st.integers(0, 9)),
    twice=st.booleans(),
    doubles=st.integers(0, 3),
)
def test_any_numbers_come_back(
    limit: int | None, flower: int, chow: tuple[int, int], twice: bool, doubles: int
) -> None:
    data: dict[str, Any] = {
        "base": "bmja",
        "points": {"Flower or season": flower, "Chow": list(chow)},
        "doubles": {"Own flower": doubles},
        "choices": {"honour_pairs_may_repeat": twice},
    }
    data |= {"limit": limit} if limit else {}
    read = read_house_rules(data)
    assert read_house_rules(read.as_data()) == read
    lines = {line.name: line for line in read.rules.set_points}
    assert (lines["Chow"].exposed, lines["Chow"].concealed) == chow
    assert read.rules.choice["honour_pairs_may_repeat"] is twice


ONE_OF_PATTERNS = "tiles are like B1, a1, a2-8, WE or DG"
WRONG: dict[str, Any] = {
    "base": "bmja",
    "choises": {},
    "limit": 0,
    "name": "",
    "choices": {"nine_gates": True, "original_call_winner_doubles": True},
    "points": {"Chow": [1, 2, 3], "Mah-Jong": -1, "Flower or season": [4, 4]},
    "doubles": {"No chows": "one", "Dirty hand": 1},
    "without": ["purity", "seven_brothers"],
    "specials": [
        {"key": "purity", "name": "Ours", "tiles": "a1-9", "pungs": [], "won": {"share": [1, 0]}},
        {"key": "K", "name": "K", "pungs": ["only_lucky"], "won": 5, "exposed": True},
        {"key": "a", "name": "A", "tiles": "a1-7 b1-7", "won": 5, "concealed": "yes"},
        {"key": "b", "name": "B", "tiles": 7, "won": 5, "fishing": 0},
        {"key": "c", "name": "C", "tiles": "zz", "won": 5},
        "a hand",
    ],
}
SAID = {
    "choises": "choises cannot be used here; it must be one of base, name, limit, choices, points,"
    " doubles, without, specials.",
    "limit": "0 cannot be used here; it must be a whole number from 1 to 1,000,000.",
    "name": " cannot be used here; it must be a name of 60 characters or fewer.",
    "choices.original_call_winner_doubles": "True cannot be used here; it must be a whole number"
    " from 0 to 20.",
    "points.Chow": "[1, 2, 3] cannot be used here; it must be the points of an exposed and of a"
    " concealed set.",
    "points.Mah-Jong": "-1 cannot be used here; it must be a whole number from 0 to 1,000,000.",
    "doubles.No chows": "one cannot be used here; it must be a whole number from 0 to 20.",
    "specials.0.tiles": "This cannot be used here; it must be fourteen tiles of a hand."
    " “a1-9” has 9 tiles; a hand has 14.",
    "specials.0": "purity cannot be used here; it must be made of either “tiles” or “pungs”.",
    "specials.0.key": "purity cannot be used here; it must be a key that no other hand has.",
    "specials.0.won": "{'share': [1, 0]} cannot be used here; it must be points, or a share of the"
    ' limit like {"share": [1, 2]}.',
    "specials.1.key": "K cannot be used here; it must be small letters, digits and _, such as"
    " gerties_garter.",
    "specials.2.concealed": "yes cannot be used here; it must be true or false.",
    "specials.3.tiles": "7 cannot be used here; it must be the tiles of a hand, such as a1-7 b1-7.",
    "specials.3.fishing": "0 cannot be used here; it must be a whole number from 1 to 1,000,000.",
    "specials.4.tiles": "This cannot be used here; it must be fourteen tiles of a hand. “zz” "
    f"names no tile; {ONE_OF_PATTERNS}.",
    "specials.5": "This is not a special hand.",
}
NOT_AMONG_THOSE_KNOWN = {
    "choices.nine_gates",
    "doubles.Dirty hand",
    "without.1",
    "specials.1.pungs.0",
    "specials.1.exposed",
}


def refused(data: object) -> dict[str, str]:
    with pytest.raises(BadHouseRules) as refusal:
        house_rules(data)
    return {problem.where: problem.sentence for problem in refusal.value.problems}


def test_everything_wrong_is_said_at_once() -> None:
    said = refused(WRONG)
    assert said.keys() == SAID.keys() | NOT_AMONG_THOSE_KNOWN | {"points.Flower or season"}
    assert {where: said[where] for where in SAID} == SAID
    assert all("it must be one of" in said[where] for where in NOT_AMONG_THOSE_KNOWN)


@pytest.mark.parametrize(
    ("data", "where", "said"),
    [
        (3, "", "This is not the JSON object of a club's house rules."),
        ({}, "base", "“base” is missing."),
        ({"base": "bmja", "limit": None}, "limit", "None cannot be used here"),
        ({"base": "bmja", "points": []}, "points", "[] cannot be used here"),
        ({"base": "bmja", "specials": 1}, "specials", "1 cannot be used here"),
        ({"base": "whist"}, "base", "whist cannot be used here; it must be the key of a rule set."),
    ],
)
def test_one_thing_wrong(data: object, where: str, said: str) -> None:
    assert refused(data)[where].startswith(said)


def test_a_share_of_no_limit() -> None:
    special = {"key": "x", "name": "X", "tiles": "a1-7 b1-7", "won": {"share": [1, 2]}}
    said = refused({"base": "baggaley", "specials": [special]})
    assert said["specials.0.won"].endswith(
        "it must be points: Stuart Baggaley's rules have no limit."
    )
    assert house_rules({"base": "baggaley", "limit": None}).limit is None


def test_nothing_is_scored_one_tile_short_where_points_are_only_added() -> None:
    special = {"key": "x", "name": "X", "tiles": "a1-7 b1-7", "won": 50, "fishing": 5}
    said = refused({"base": "baggaley", "specials": [special]})
    assert said["specials.0.fishing"] == (
        "5 cannot be used here; it must be left out: these rules only add up what is whole."
    )
    del special["fishing"]
    rules = house_rules({"base": "baggaley", "specials": [special]})
    tiles = ["B1", "B2", "B3", "B4", "B5", "B6", "B7", "O1", "O2", "O3", "O4", "O5", "O6", "O7"]
    fields = {"concealed": tiles, "mahjong": True, "won_by": "discard", "winning_tile": "O7"}
    assert score(hand_from_json(fields, rules), rules).total == 50 + 20


def test_two_hands_of_one_key() -> None:
    special = {"key": "x", "name": "X", "tiles": "a1-7 b1-7", "won": 5}
    assert set(refused({"base": "bmja", "specials": [special, special]})) == {"specials.1.key"}


def test_conditions_are_known_by_their_names() -> None:
    assert {"one_suit", "no_kongs", "not_claimed", "only_honours"} <= VOCABULARY.keys()
    assert "any_hand" not in VOCABULARY


def test_house_rules_are_values() -> None:
    read = read_house_rules(RIVERSIDE)
    assert isinstance(read, HouseRules)
    assert read.rules is read.rules
    assert read_house_rules(RIVERSIDE).rules == read.rules


def test_points_of_a_line_that_an_open_point_puts_out_of_play() -> None:
    data = {"base": "tallies", "points": {"Pair of 1s or 9s": [4, 4]}}
    assert refused(data) == {
        "points.Pair of 1s or 9s": "“Pair of 1s or 9s” cannot be used here; it must be left out "
        "unless “Pairs of the other winds and of 1s or 9s score 2 points too” is yes."
    }
    page = sheet.page(house_rules(data | {"choices": {"other_pairs_score": True}}))
    assert "| Pair of 1s or 9s | pair of 1s or 9s | 4 | 4 | house rule |" in page
