"""Every number on the page of house rules is the one that scores."""

import random
import re
from typing import Any

import pytest
from hypothesis import given, reject, strategies as st

from scoring import BadHand, Reckoning, RuleSet, hand_from_json, rule_set, score, sheet
from scoring.house import BadHouseRules, house_rules, read_house_rules
from scoring.rules.declarations import Share
from scoring.rules.rule_set import Line
from tests.scoring.oracle import a_hand
from tests.scoring.strategies import KEYS, law

Printed = dict[str, set[int]]
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
    st.tuples(st.integers(1, 5), st.integers(1, 5)).map(lambda both: {"share": [*both]}),
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


def printed(rules: RuleSet) -> Printed:
    """The numbers on the page by the name of their line; of what is worded the first number."""
    found: Printed = {}
    for section in sheet.sections(rules):
        for name, _words, *cells in section.rows:
            numbers = [NUMBER.search(cell) for cell in cells[:2]]
            found.setdefault(name.rpartition(": ")[2], set()).update(
                int(number[0].replace(",", "")) for number in numbers if number
            )
    return found


def scored(reckoning: Reckoning, limit: int | None) -> list[tuple[str, int]]:
    """Every number of a score by the name of its line, special hands as far as the limit."""
    most = limit or 10**9
    return [
        (line.name, min(_number(line), most))
        for whole in reckoning.lines
        for line in whole.workings or (whole,)
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
    chance, page = random.Random(data.draw(st.integers(0, 2**32))), printed(rules)
    for _number_of_hand in range(20):
        try:
            found = score(hand_from_json(a_hand(key, chance), rules), rules)
        except BadHand:
            continue
        assert rules.limit is None or found.total <= rules.limit
        wrong = [one for one in scored(found, rules.limit) if one[1] not in page[one[0]]]
        assert wrong == [], found


def said_of(**hand: Any) -> list[str]:
    """What is said of a club's own hand under the rules of the BMJA, or of another base."""
    base = hand.pop("base", "bmja")
    with pytest.raises(BadHouseRules) as refusal:
        house_rules({"base": base, "specials": [GARTER | hand]})
    return [problem.sentence for problem in refusal.value.problems]


@pytest.mark.parametrize("won", [{"share": [2, 1]}, 2000])
def test_no_hand_is_worth_more_than_the_limit(won: object) -> None:
    shown = "2,000 (2/1 of the limit)" if isinstance(won, dict) else "2,000"
    assert said_of(won=won, fishing=100) == [
        f"{shown} cannot be used here; it must be 1,000 at most, the limit of a hand, for “Garter”."
    ]


def test_a_loser_scores_nothing_where_only_the_winner_does() -> None:
    assert said_of(base="tallies", won=500, fishing=200) == [
        "200 cannot be used here; it must be left out for “Garter”: only the winner scores."
    ]


def test_nobody_is_one_tile_short_of_a_way_of_winning() -> None:
    assert said_of(won=500, fishing=200, when=["robbed_kong"]) == [
        "200 cannot be used here; it must be left out for “Garter”, which depends on how it is won."
    ]


@pytest.mark.parametrize("when", [["east", "not_east"], ["dragon_sets"], ["sets_and_a_pair"]])
def test_a_hand_that_nobody_can_make(when: list[str]) -> None:
    assert said_of(won=500, when=when) == [
        "Garter cannot be used here; it must be made of conditions that can all be met at once."
    ]


def test_an_original_call_doubles_once_or_twice() -> None:
    for doubles in (0, 3):
        with pytest.raises(BadHouseRules, match="a whole number from 1 to 2"):
            house_rules({"base": "bmja", "choices": {"original_call_winner_doubles": doubles}})


def test_rules_kept_from_before_are_read_and_print_what_they_score() -> None:
    data = {"base": "bmja", "specials": [GARTER | {"won": {"share": [2, 1]}}]}
    rules = read_house_rules(data, kept=True).rules
    assert "| Garter | 1 to 7 of one suit, 1 to 7 of another suit | 1,000 (the limit;" in (
        sheet.page(rules)
    )


def test_a_limit_cuts_the_hands_of_a_book_that_has_none() -> None:
    page = sheet.page(house_rules({"base": "english", "limit": 2000}))
    assert "| 13 Wonders |" in page
    assert "| 2,000 (the limit; 3,000 without it) | 2,000 (the limit; 3,000 without it) on" in page
