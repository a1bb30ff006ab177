"""A club's house rules as data: read, played, printed, marked, written again, and frozen."""

import random
import re
from typing import Any

import pytest
from hypothesis import given, reject, strategies as st

from scoring import (
    BadHand,
    Reckoning,
    RuleSet,
    explain,
    hand_from_json,
    rule_set,
    rule_set_keys,
    score,
    sheet,
)
from scoring.house import (
    VOCABULARY,
    BadHouseRules,
    HouseRules,
    house_rules,
    marked_sections,
    read_house_rules,
)
from scoring.rules.declarations import Share
from scoring.rules.fingerprint import fingerprint
from scoring.rules.prices import Line
from tests.scoring.oracle import a_hand
from tests.scoring.strategies import KEYS, law
from tests.scoring.worked import bounded_houses, table

BMJA = rule_set("bmja")
HOUSES, PAGES = table("house_rules")["house"], table("house_pages")
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
    reckoning = score(hand, rules)
    assert (reckoning.total, reckoning.special) == (case["total"], case.get("special"))
    sentences = [
        considered_hand.sentence for considered_hand in explain(hand, rules).considered_hands
    ]
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
    absent_texts = [
        "Buried Treasure |",
        "Gates of Heaven |",
        "| No chows |",
        "drawn from the wall |",
    ]
    assert [text for text in absent_texts if text in page] == []
    assert "| Pung of 2s to 8s | pung of 2s to 8s | 2 | 6 | house rule |" in page


@pytest.mark.parametrize("key", rule_set_keys())
def test_house_rules_that_say_nothing_are_the_book(key: str) -> None:
    rules = house_rules({"base": key})
    assert fingerprint(rules) == fingerprint(rule_set(key))
    assert rules.name == f"{rule_set(key).name} (house rules)"


def test_the_key_of_house_rules_is_their_own() -> None:
    keys = [house_rules(house["data"]).key for house in HOUSES]
    assert all(key.startswith("bmja/2008~") for key in keys)
    assert len({*keys, house_rules({"base": "bmja"}).key}) == len(HOUSES) + 1


@pytest.mark.parametrize("house", HOUSES, ids=lambda house: house["title"])
def test_house_rules_are_written_as_they_were_read(house: dict[str, Any]) -> None:
    parsed_rules = read_house_rules(house["data"])
    assert parsed_rules.as_data() == house["data"] | {"base": "bmja/2008"}
    assert read_house_rules(parsed_rules.as_data()) == parsed_rules


@given(
    limit=st.none() | st.integers(1, 5000),
    flower=st.integers(0, 100),
    chow=st.tuples(st.integers(0, 9), st.integers(0, 9)),
    can_repeat=st.booleans(),
    doubles=st.integers(0, 3),
)
def test_any_numbers_come_back(
    limit: int | None, flower: int, chow: tuple[int, int], can_repeat: bool, doubles: int
) -> None:
    data: dict[str, Any] = {
        "base": "bmja",
        "points": {"Flower or season": flower, "Chow": list(chow)},
        "doubles": {"Own flower": doubles},
        "choices": {"honour_pairs_may_repeat": can_repeat},
    }
    data |= {"limit": limit} if limit else {}
    parsed_rules = read_house_rules(data)
    assert read_house_rules(parsed_rules.as_data()) == parsed_rules
    lines = {line.name: line for line in parsed_rules.rules.set_points}
    assert (lines["Chow"].exposed, lines["Chow"].concealed) == chow
    assert parsed_rules.rules.choice["honour_pairs_may_repeat"] is can_repeat


def refusal_messages(data: object) -> dict[str, str]:
    with pytest.raises(BadHouseRules) as refusal:
        house_rules(data)
    return {problem.path: problem.message for problem in refusal.value.problems}


def test_everything_wrong_is_said_at_once() -> None:
    says, unknown = PAGES["says"], PAGES["unknown"]
    messages = refusal_messages(PAGES["data"])
    assert messages.keys() == {*says, *unknown, "points.Flower or season"}
    assert {path: messages[path] for path in says} == says
    assert all("it must be one of" in messages[path] for path in unknown)


@pytest.mark.parametrize(
    ("data", "path", "expected_text"),
    [
        (3, "", "This is not the JSON object of a club's house rules."),
        ({}, "base", "“base” is missing."),
        ({"base": "bmja", "limit": None}, "limit", "No limit cannot be used here"),
        ({"base": "bmja", "points": []}, "points", "[] cannot be used here"),
        ({"base": "bmja", "specials": 1}, "specials", "1 cannot be used here"),
        ({"base": "whist"}, "base", "whist cannot be used here; it must be the key of a rule set."),
    ],
)
def test_one_thing_wrong(data: object, path: str, expected_text: str) -> None:
    assert refusal_messages(data)[path].startswith(expected_text)


def test_a_share_of_no_limit() -> None:
    special = {"key": "x", "name": "X", "tiles": "a1-7 b1-7", "won": {"share": [1, 2]}}
    messages = refusal_messages({"base": "baggaley", "specials": [special]})
    assert messages["specials.0.won"].endswith(
        "it must be points: Stuart Baggaley’s rules have no limit."
    )
    assert house_rules({"base": "baggaley", "limit": None}).limit is None


def test_nothing_is_scored_one_tile_short_where_points_are_only_added() -> None:
    special = {"key": "x", "name": "X", "tiles": "a1-7 b1-7", "won": 50, "fishing": 5}
    messages = refusal_messages({"base": "baggaley", "specials": [special]})
    assert messages["specials.0.fishing"] == (
        "5 cannot be used here; it must be left out: these rules only add up what is whole."
    )
    del special["fishing"]
    rules = house_rules({"base": "baggaley", "specials": [special]})
    tiles = ["B1", "B2", "B3", "B4", "B5", "B6", "B7", "O1", "O2", "O3", "O4", "O5", "O6", "O7"]
    fields = {"concealed": tiles, "mahjong": True, "won_by": "discard", "winning_tile": "O7"}
    assert score(hand_from_json(fields, rules), rules).total == 50 + 20


def test_two_hands_of_one_key() -> None:
    special = {"key": "x", "name": "X", "tiles": "a1-7 b1-7", "won": 5}
    assert set(refusal_messages({"base": "bmja", "specials": [special, special]})) == {
        "specials.1.key"
    }


def test_conditions_are_known_by_their_names() -> None:
    assert {"one_suit", "no_kongs", "not_claimed", "only_honours"} <= VOCABULARY.keys()
    assert "any_hand" not in VOCABULARY


def test_house_rules_are_values() -> None:
    parsed_rules = read_house_rules(RIVERSIDE)
    assert isinstance(parsed_rules, HouseRules)
    assert parsed_rules.rules is parsed_rules.rules
    assert read_house_rules(RIVERSIDE).rules == parsed_rules.rules


def test_points_of_a_line_that_an_open_point_puts_out_of_play() -> None:
    data = {"base": "tallies", "points": {"Pair of 1s or 9s": [4, 4]}}
    assert refusal_messages(data) == {
        "points.Pair of 1s or 9s": "“Pair of 1s or 9s” cannot be used here; it must be left out "
        "unless “Pairs of the other winds and of 1s or 9s score 2 points too” is yes."
    }
    page = sheet.page(house_rules(data | {"choices": {"other_pairs_score": True}}))
    assert "| Pair of 1s or 9s | pair of 1s or 9s | 4 | 4 | house rule |" in page


PrintedNumbers = dict[str, set[int]]
GARTER = {"key": "garter", "name": "Garter", "tiles": "a1-7 b1-7"}
CLUBS_OWN: list[dict[str, Any]] = [
    GARTER,
    {"key": "paired", "name": "Paired", "tiles": "a11 a22 a33 a44 a55 a66 a77"},
    {"key": "green", "name": "Green", "pungs": ["only_jade"]},
    {"key": "suit", "name": "Suit", "pungs": ["one_suit", "no_honours"], "concealed": True},
]
NUMBER = re.compile(r"[0-9][0-9,]*")
COUNTED_AGAIN = {"Completed by the drawn last tile"}
VALUES = st.one_of(
    st.integers(1, 4000),
    st.tuples(st.integers(1, 5), st.integers(1, 5)).map(lambda ratio: {"share": [*ratio]}),
)


@st.composite
def houses(draw: st.DrawFn, base: RuleSet) -> dict[str, Any]:
    """House rules with other numbers in a few places, and a hand of the club's own."""
    names = [line.name for line in base.set_points] + [line.name for line in base.points]
    doubles = [line.name for line in base.set_doubles] + [line.name for line in base.doubles]
    shares = any(isinstance(hand.value, Share) for hand in base.specials)
    data: dict[str, Any] = {
        "base": base.key,
        "choices": draw(st.fixed_dictionaries({}, optional=_choices(base))),
        "points": draw(st.dictionaries(st.sampled_from(names), st.integers(0, 40), max_size=4)),
        "specials": [draw(st.sampled_from(CLUBS_OWN)) | {"won": draw(VALUES)}],
    }
    if doubles:
        numbers = st.dictionaries(st.sampled_from(doubles), st.integers(0, 5), max_size=3)
        data["doubles"] = draw(numbers)
    if shares or draw(st.booleans()):
        data["limit"] = draw(st.integers(50, 3000))
    return data


def _choices(base: RuleSet) -> dict[str, st.SearchStrategy[bool | int]]:
    return {
        point.name: st.booleans() if isinstance(point.value, bool) else st.integers(0, 3)
        for point in base.choices
    }


def printed_numbers(rules: RuleSet) -> PrintedNumbers:
    """The numbers on the page by the name of their line; of what is worded the first number."""
    numbers_by_name: PrintedNumbers = {}
    for section in sheet.sections(rules):
        for name, _text, *cells in section.rows:
            numbers = [NUMBER.search(cell) for cell in cells[:2]]
            numbers_by_name.setdefault(name.rpartition(": ")[2], set()).update(
                int(number[0].replace(",", "")) for number in numbers if number
            )
    return numbers_by_name


def scored_numbers(reckoning: Reckoning, limit: int | None) -> list[tuple[str, int]]:
    """Every number of a score by the name of its line, special hands as far as the limit."""
    most = limit or 10**9
    return [
        (line.name, min(_number(line), most))
        for score_line in reckoning.lines
        for line in score_line.workings or (score_line,)
        if line.name not in COUNTED_AGAIN
    ]


def _number(line: Line) -> int:
    return line.value if line.value is not None else (line.points or 0) + (line.doubles or 0)


@pytest.mark.sampled(days=4)
@pytest.mark.parametrize("key", KEYS)
@law
@given(data=st.data())
def test_a_hand_scores_what_the_clubs_page_says(key: str, data: st.DataObject) -> None:
    try:
        rules = house_rules(data.draw(houses(rule_set(key))))
    except BadHouseRules:
        reject()
    _scores_what_the_page_says(key, rules, random.Random(data.draw(st.integers(0, 2**32))))


@pytest.mark.parametrize(("base", "rules"), bounded_houses())
def test_a_hand_scores_what_a_page_of_every_kind_says(base: str, rules: RuleSet) -> None:
    for number in range(20):
        _scores_what_the_page_says(base, rules, random.Random(number))


def _scores_what_the_page_says(key: str, rules: RuleSet, chance: random.Random) -> None:
    page = printed_numbers(rules)
    for _number_of_hand in range(20):
        try:
            hand = hand_from_json(a_hand(key, chance), rules)
            reckoning = score(hand, rules)
        except BadHand:
            continue
        assert rules.highest is None or reckoning.total <= rules.highest
        most = rules.limit_of(won=hand.mahjong, special=True)
        wrong = [
            name_and_value
            for name_and_value in scored_numbers(reckoning, most)
            if name_and_value[1] not in page[name_and_value[0]]
        ]
        assert wrong == [], reckoning


def said_of(**hand: Any) -> list[str]:
    """What is said of a club's own hand under the rules of the BMJA, or of another base."""
    base = hand.pop("base", "bmja")
    with pytest.raises(BadHouseRules) as refusal:
        house_rules({"base": base, "specials": [GARTER | hand]})
    return [problem.message for problem in refusal.value.problems]


@pytest.mark.parametrize("won", [{"share": [2, 1]}, 2000])
def test_no_hand_is_worth_more_than_the_limit(won: object) -> None:
    worth_text = "2,000 (2/1 of the limit)" if isinstance(won, dict) else "2,000"
    limit = "it must be 1,000 at most, the limit of a hand, for “Garter”"
    assert said_of(won=won, fishing=100) == [f"{worth_text} cannot be used here; {limit}."]


def test_a_loser_scores_nothing_where_only_the_winner_does() -> None:
    assert said_of(base="tallies", won=500, fishing=200) == [
        "200 cannot be used here; it must be left out for “Garter”: only the winner scores."
    ]


def test_nobody_is_one_tile_short_of_a_way_of_winning() -> None:
    assert said_of(won=500, fishing=200, when=["robbed_kong"]) == [
        "200 cannot be used here; it must be left out for “Garter”, which depends on how it is won."
    ]


@pytest.mark.parametrize("conditions", [["east", "not_east"], ["dragon_sets"], ["sets_and_a_pair"]])
def test_a_hand_that_nobody_can_make(conditions: list[str]) -> None:
    assert said_of(won=500, when=conditions) == [
        "Garter cannot be used here; it must be made of conditions that can all be met at once."
    ]


def test_an_original_call_doubles_once_or_twice() -> None:
    for doubles in (0, 3):
        with pytest.raises(BadHouseRules, match="a whole number from 1 to 2"):
            house_rules({"base": "bmja", "choices": {"original_call_winner_doubles": doubles}})


def test_rules_kept_from_before_are_read_and_print_what_they_score() -> None:
    data = {"base": "bmja", "specials": [GARTER | {"won": {"share": [2, 1]}}]}
    rules = read_house_rules(data, is_stored=True).rules
    assert "| Garter | 1 to 7 of one suit, 1 to 7 of another suit | 1,000 (the limit;" in (
        sheet.page(rules)
    )


def test_a_limit_cuts_the_hands_of_a_book_that_has_none() -> None:
    page = sheet.page(house_rules({"base": "english", "limit": 2000}))
    assert "| 13 Wonders |" in page
    assert "| 2,000 (the limit; 3,000 without it) | 2,000 (the limit; 3,000 without it) on" in page


@pytest.mark.parametrize("case", PAGES["otherwise"], ids=lambda case: case["says"][0][0])
def test_what_is_otherwise_is_said_beside_the_line(case: dict[str, Any]) -> None:
    page = marked_sections(house_rules({"base": "bmja", **case["data"]}), BMJA)
    changes = [row for part in page for row in part.changes]
    assert [[row.cells[0], row.change.name, row.book_text] for row in changes] == case["says"]


@pytest.mark.parametrize("key", rule_set_keys())
def test_a_book_beside_itself_is_its_own_page(key: str) -> None:
    page = marked_sections(rule_set(key), rule_set(key))
    assert [part.changes for part in page] == [()] * len(page)
    assert [(part.title, tuple(row.cells for row in part.rows)) for part in page] == [
        (part.title, part.rows) for part in sheet.sections(rule_set(key))
    ]


def test_every_line_of_the_house_and_of_the_book_is_on_the_page() -> None:
    house = house_rules({"base": "bmja", "limit": 500, "doubles": {"No chows": 0}})
    page = marked_sections(house, BMJA)
    page_rows = {(part.title, row.cells) for part in page for row in part.rows}
    assert {(part.title, row) for part in sheet.sections(house) for row in part.rows} <= page_rows
    names = {(part.title, row.cells[0]) for part in page for row in part.rows}
    assert {(part.title, row[0]) for part in sheet.sections(BMJA) for row in part.rows} == names


SPOILS = {"name": "Spoils", "when": ["goulash"], "doubles": 1}


@pytest.mark.parametrize(
    ("data", "path", "expected_text"),
    [
        ({"more_doubles": [SPOILS]}, "more_doubles.0", "no goulash follows a drawn hand"),
        (
            {"specials": [GARTER | {"won": 500, "when": ["goulash"]}]},
            "specials.0",
            "no goulash follows a drawn hand",
        ),
    ],
)
def test_what_asks_for_a_goulash_where_none_is_played(
    data: Any, path: str, expected_text: str
) -> None:
    assert expected_text in refusal_messages({"base": "english", **data})[path]
    assert (
        expected_text
        in refusal_messages({"base": "bmja", "passing": {"goulash": False}, **data})[path]
    )
    house_rules({"base": "bmja", **data})


@pytest.mark.parametrize(
    "data",
    [
        {"base": "bmja", "points": {"Flower or season": 0}},
        {"base": "safalra"},
        {"base": "baggaley"},
    ],
)
def test_flowers_that_count_beside_no_special_hand(data: Any) -> None:
    assert (
        "left out" in refusal_messages(data | {"bonus_tiles_beside": False})["bonus_tiles_beside"]
    )


def test_the_page_says_whether_flowers_count_beside_a_special_hand() -> None:
    page = marked_sections(house_rules({"base": "bmja", "bonus_tiles_beside": False}), BMJA)
    (row,) = [row for part in page for row in part.changes]
    row_name = "Flowers and seasons beside a special hand"
    assert row.cells == (row_name, "Not counted", "house rule")
    assert row.book_text == "In the rule book: Counted separately and added."


NEVER = "left out: nothing can score it as these rules are played"
NEVER_COUNT = [
    ("bmja", {"passing": {"prevailing": False}, "points": {"Pair of the prevailing wind": 4}}),
    ("bmja", {"passing": {"prevailing": False}, "doubles": {"Set of the prevailing wind": 2}}),
    (
        "safalra",
        {
            "choices": {"loose_tile_counts_as_drawn": False},
            "points": {"Winning tile a loose tile": 12},
        },
    ),
    ("bmja", {"without": ["purity"], "points": {"Winning tile a loose tile": 4}}),
]


@pytest.mark.parametrize(("base", "data"), NEVER_COUNT)
def test_a_number_of_the_book_that_can_never_count_is_refused(base: str, data: Any) -> None:
    (message,) = refusal_messages({"base": base, **data}).values()
    assert NEVER in message


@pytest.mark.parametrize(("base", "data"), NEVER_COUNT)
def test_the_same_number_is_taken_where_it_counts(base: str, data: Any) -> None:
    house_rules({"base": base} | {name: data[name] for name in data.keys() & {"points", "doubles"}})


def test_a_value_of_a_hand_that_an_open_point_leaves_out_is_refused() -> None:
    data = {"base": "english", "choices": {"knitting": False}, "values": {"knitting": {"won": 900}}}
    assert "the hand is not played" in refusal_messages(data)["values.knitting"]
    house_rules(data | {"choices": {}})
