"""What real clubs' notice boards say can be entered as house rules, and is played as they say."""

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scoring import (
    BadInput,
    RuleSet,
    Wind,
    check_totals,
    explain,
    hand_from_json,
    house_rules,
    rule_set,
    sheet,
)
from scoring.batch import hands_from, score_totals
from scoring.house import BadHouseRules, RowChange, read_house_rules
from tests.scoring.notice_boards import (
    BOARDS,
    KINDS,
    data_of,
    differences,
    hand_fields,
    is_as_worked,
    page,
    scored_as,
)
from tests.scoring.worked import Case, play_case, settled_gains, table

DOCS = Path(__file__).parents[2] / "docs" / "rules"
RULES = {board["key"]: house_rules(data_of(board)) for board in BOARDS}
LEAST, MOST = 3, 18
each_board = pytest.mark.parametrize("board", BOARDS, ids=lambda board: board["key"])


def worked_params(kind: str) -> list[Any]:
    """Every case of a kind, with the key of its board."""
    return [
        pytest.param(board["key"], case, id=f"{board['key']}: {case['title']}")
        for board in BOARDS
        for case in board.get(kind, ())
    ]


def scored_hands(board: Case) -> list[Case]:
    return [case for case in board.get("hand", ()) if "total" in case["expected"]]


@pytest.mark.parametrize(("key", "case"), worked_params("hand"))
def test_a_hand_scores_what_the_board_says(key: str, case: Case) -> None:
    assert scored_as(case, RULES[key]) == case["expected"]


@pytest.mark.parametrize(("key", "case"), worked_params("settlement"))
def test_a_hand_is_paid_as_the_board_says(key: str, case: Case) -> None:
    assert settled_gains(case, RULES[key]) == case["gain"]


@pytest.mark.parametrize(("key", "case"), worked_params("game"))
def test_the_winds_move_as_the_board_says(key: str, case: Case) -> None:
    as_played = play_case(case, RULES[key])
    assert as_played == {name: case[name] for name in as_played}


@each_board
def test_what_differs_from_the_book_is_marked(board: Case) -> None:
    assert differences(board) == board["differs"]


@each_board
def test_the_clubs_page_has_every_line_that_is_added_or_changed(board: Case) -> None:
    text = sheet.page(RULES[board["key"]])
    removed_names = {
        name for name, change, _change_text in board["differs"] if change == RowChange.GONE.name
    }
    expected_names = [
        name for name, _change, _change_text in board["differs"] if name not in removed_names
    ]
    assert [name for name in expected_names if f"| {name} |" not in text] == []


@each_board
def test_what_a_club_enters_is_written_as_it_was_read(board: Case) -> None:
    data = data_of(board)
    parsed_rules = read_house_rules(data)
    assert read_house_rules(parsed_rules.as_data()) == parsed_rules
    assert parsed_rules.rules.key == RULES[board["key"]].key
    assert parsed_rules.as_data().keys() <= data.keys()


def total_messages(case: Case, total: int, rules: RuleSet) -> list[str]:
    """What is said of a total that is typed for the player of the case."""
    fields = hand_fields(case["fields"])
    seat, wind = Wind(fields["seat_wind"]), fields["prevailing_wind"]
    other_seat = Wind.W if seat is Wind.E else Wind.E
    problems = check_totals(
        dict.fromkeys(Wind, 0) | {seat: total},
        winner=seat if fields["mahjong"] else other_seat,
        rules=rules,
        prevailing_wind=Wind(wind) if wind and rules.passing.prevailing else None,
        goulash=False,
    )
    return [problem.message for problem in problems if problem.path == f"scores.{seat}"]


@pytest.mark.sampled(days=4)
@each_board
def test_totals_that_can_be_typed(board: Case) -> None:
    """Every worked total, and not one that no hand scores: here a single point."""
    rules = RULES[board["key"]]
    hands = [case for case in scored_hands(board) if "players" not in case["fields"]]
    messages = [total_messages(case, case["expected"]["total"], rules) for case in hands]
    assert messages == [[]] * len(hands)
    won = next(case for case in hands if "by" in case["fields"])
    assert "cannot be scored" in total_messages(won, 1, rules)[0]


@each_board
def test_many_hands_at_once_score_the_same(board: Case) -> None:
    rules = RULES[board["key"]]
    hands = [hand_from_json(hand_fields(case["fields"]), rules) for case in scored_hands(board)]
    worked_out = [case["expected"]["total"] for case in scored_hands(board)]
    assert score_totals(hands_from(hands), rules).tolist() == worked_out


@each_board
def test_every_hand_is_explained(board: Case) -> None:
    rules = RULES[board["key"]]
    for case in scored_hands(board):
        hand = hand_from_json(hand_fields(case["fields"]), rules)
        explanation = explain(hand, rules)
        assert len(explanation.considered_hands) == len(rules.specials) + len(rules.doubled_hands)
        assert all(look.sentence for look in explanation.considered_hands)
        assert all(reading.sentence for reading in explanation.readings)
        assert explanation.reckoning.total == case["expected"]["total"]


Place = tuple[str | int, ...]


def nudges(value: Any, path: Place = ()) -> Iterator[tuple[Place, str, Any]]:
    """Every number of the data one more and one less, and every yes or no the other way."""
    if isinstance(value, bool):
        yield path, "flipped", not value
    elif isinstance(value, int):
        yield path, "+ 1", value + 1
        yield path, "- 1", value - 1
    elif isinstance(value, dict | list):
        parts = value.items() if isinstance(value, dict) else enumerate(value)
        for name, part in parts:
            yield from nudges(part, (*path, name))


def nudge_value(data: dict[str, Any], path: Place, value: Any) -> dict[str, Any]:
    changed_data = copy.deepcopy(data)
    inside: Any = changed_data
    for name in path[:-1]:
        inside = inside[name]
    inside[path[-1]] = value
    return changed_data


def changes(board: Case) -> Iterator[tuple[str, RuleSet]]:
    """Every change of the data that can be entered too, by its name."""
    data = data_of(board)
    for path, nudge_name, value in nudges(data):
        try:
            rules = house_rules(nudge_value(data, path, value))
        except BadHouseRules:
            continue
        yield f"{'.'.join(map(str, path))} {nudge_name}", rules


CHANGES = [
    pytest.param(board, name, rules, id=f"{board['key']} {name}")
    for board in BOARDS
    for name, rules in changes(board)
]


def notices(kind: str, case: Case, rules: RuleSet) -> bool:
    try:
        return not is_as_worked(kind, case, rules)
    except BadInput:
        return True


@pytest.mark.parametrize(("board", "name", "rules"), CHANGES)
def test_a_worked_case_notices_another_number(board: Case, name: str, rules: RuleSet) -> None:
    """But for those changes of which the board says why no hand could notice them."""
    cases = [(kind, case) for kind in KINDS for case in board.get(kind, ())]
    is_noticed = any(notices(kind, case, rules) for kind, case in cases)
    assert is_noticed is (name not in board.get("same", {}))


@each_board
def test_a_board_says_where_it_is_from(board: Case) -> None:
    assert all(board[field] for field in ("title", "where", "source", "read", "says", "differs"))
    assert LEAST <= sum(len(board.get(kind, ())) for kind in KINDS) <= MOST
    cases = [case for kind in ("hand", "settlement") for case in board.get(kind, ())]
    assert all(case["working"] for case in cases)


def test_worked_cases_play_every_field_of_house_rules() -> None:
    houses = [data_of(board) for board in BOARDS]
    houses += [house["data"] for house in table("house_rules")["house"]]
    used = {name for data in houses for name in data}
    with pytest.raises(BadHouseRules) as refusal:
        house_rules({"base": "bmja", "every": 1})
    fields = refusal.value.problems[0].message.rpartition("one of ")[2].rstrip(".").split(", ")
    assert used == set(fields)


def test_the_boards_have_different_rule_books() -> None:
    books = {rule_set(data_of(board)["base"]).key.partition("/")[0] for board in BOARDS}
    assert books == {"bmja", "english", "tallies", "baggaley"}


def test_the_page_of_the_boards_is_up_to_date() -> None:
    """After a change: python -m tests.scoring.notice_boards > docs/rules/notice-boards.md."""
    assert (DOCS / "notice-boards.md").read_text(encoding="utf-8") == page()
