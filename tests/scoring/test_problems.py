"""Every problem has its code, its field and one English sentence, and all are told at once."""

from copy import copy
from dataclasses import replace
from string import Formatter
from typing import Any

import pytest

from scoring import BadInput, Code, Problem, check, hand_from_json, rule_set, rule_set_keys
from scoring.commands import COMMANDS, answer
from scoring.hands.problems import SENTENCES, shown
from tests.scoring.stories import ENDINGS, STORIES
from tests.scoring.worked import cases, refused

BMJA = rule_set("bmja")
WAYS = "wall, last_wall_tile, loose_tile, discard, last_discard, robbed_kong, dealt"
WAYS += ", first_discard, first_draw"
NO_SET = "is not a set that can be on the table here: sets are pungs, kongs and chows."
PUNG = {"tiles": ["B1", "B1", "B1"], "exposed": True}
HAND: dict[str, Any] = {"concealed": ["C5"], "mahjong": False}

TOLD: list[tuple[str, dict[str, Any], list[tuple[str, str, str]]]] = [
    (
        "score",
        {},
        [
            ("missing_field", "concealed", "“concealed” is missing."),
            ("missing_field", "mahjong", "“mahjong” is missing."),
        ],
    ),
    (
        "score",
        {**HAND, "seat_wind": "X", "won_by": "luck"},
        [
            ("bad_wind", "seat_wind", "X is not a wind; the winds are E, S, W and N."),
            ("bad_value", "won_by", f"luck cannot be used here; it must be one of {WAYS}."),
        ],
    ),
    (
        "score",
        {**HAND, "sets": ["B1", {"tiles": ["B1", "Q7"], "exposed": True}, {"tiles": []}]},
        [
            ("not_an_object", "sets.0", "This is not a set with “tiles” and “exposed”."),
            ("unknown_tile", "sets.1.tiles.1", "Q7 is not the code of a tile."),
            ("missing_field", "sets.2.exposed", "“exposed” is missing."),
        ],
    ),
    (
        "score",
        {**HAND, "sets": [{**PUNG, "tiles": ["B1", "B2", "B4"]}], "bonus": ["F1", "F1"]},
        [
            ("bad_set", "sets.0", f"B1 B2 B4 {NO_SET}"),
            ("too_many_copies", "bonus", "There are 2 of F1; the set of tiles has 1."),
        ],
    ),
    (
        "score",
        {**HAND, "concealed": ["C5", "F2"], "winning_tile": "C6"},
        [
            (
                "bonus_in_hand",
                "concealed.1",
                "F2 is a flower or a season; it belongs with the bonus tiles.",
            ),
            (
                "winning_tile_missing",
                "winning_tile",
                "Choose the winning tile from the concealed tiles.",
            ),
        ],
    ),
    (
        "score",
        {**HAND, "mahjong": True},
        [
            (
                "wrong_count",
                "concealed",
                "A Mah-Jong has 14 tiles, a kong counting as three; this hand has 1.",
            )
        ],
    ),
    (
        "score",
        {
            **HAND,
            "sets": [PUNG],
            "concealed": ["C1", "C4", "C7", "O2", "O5", "O8", "WE", "WS", "WW", "WN", "DR"],
            "mahjong": True,
        },
        [("not_mahjong", "concealed", "These tiles do not make a Mah-Jong under BMJA rules.")],
    ),
    (
        "score",
        {**HAND, "concealed": ["C1", "C2", "C3"] * 4 + ["C4", "C5"]},
        [
            (
                "long_hand",
                "concealed",
                "A hand has at most 13 tiles, a kong counting as three; this one has 14.",
            )
        ],
    ),
    (
        "score",
        {**HAND, "players": 3, "sets": [{**PUNG, "tiles": ["B1", "B2", "B3"]}]},
        [("too_many_chows", "sets.0", "Chows in this hand: 1; the rules allow 0 here.")],
    ),
    (
        "settle",
        {"scores": {"E": 4, "S": "many"}, "winner": "N"},
        [
            ("bad_score", "scores.S", "many is not a whole number of points."),
            ("bad_seat", "winner", "North is not in play."),
        ],
    ),
    (
        "play",
        {"outcomes": ["2", "6"]},
        [
            (
                "bad_outcome",
                "outcomes.1",
                "6 is neither the number of a seat in play nor a drawn hand.",
            )
        ],
    ),
    (
        "play",
        {"outcomes": ["5", "won"], "rounds": 0},
        [
            (
                "bad_outcome",
                "outcomes.1",
                "won is neither the number of a seat in play nor a drawn hand.",
            ),
            (
                "bad_value",
                "rounds",
                "0 cannot be used here; it must be a number of wind rounds from 1 on, or null.",
            ),
            (
                "bad_outcome",
                "outcomes.0",
                "5 is neither the number of a seat in play nor a drawn hand.",
            ),
        ],
    ),
    (
        "play",
        {"outcomes": ["5"], "seats": "five"},
        [("bad_value", "seats", "five cannot be used here; it must be a number of seats.")],
    ),
    (
        "play",
        {"outcomes": ["2", "3", "4", "1", "2"], "rounds": 1},
        [("after_the_end", "outcomes.4", "The game was over after 4 hands.")],
    ),
]


def problems_of(command: str, fields: dict[str, Any]) -> tuple[Problem, ...]:
    with pytest.raises(BadInput) as refusal:
        COMMANDS[command](fields, BMJA)
    return refusal.value.problems


@pytest.mark.parametrize(("command", "fields", "told"), TOLD)
def test_what_is_wrong_is_said(
    command: str, fields: dict[str, Any], told: list[tuple[str, str, str]]
) -> None:
    said = [
        (problem.code.value, problem.where, problem.sentence)
        for problem in problems_of(command, fields)
    ]
    assert said == told


def test_every_code_is_told_by_some_case() -> None:
    told = {code for _command, _fields, problems in TOLD for code, _where, _sentence in problems}
    for case in (case for key in rule_set_keys() for case in cases("hand", of=key)):
        told |= {*case["expected"].get("problems", ()), *case["expected"].get("notices", ())}
    for _name, _key, _fields, notices in (*STORIES, *ENDINGS):
        told |= {code for code, _where in notices}
    for case in refused("tallies_settlements"):
        told |= {problem.partition(" ")[0] for problem in case["problems"]}
    assert told == {code.value for code in Code}


def test_every_code_has_one_sentence() -> None:
    assert set(SENTENCES) == set(Code)
    assert all(sentence.endswith((".", "}.")) for sentence in SENTENCES.values())


@pytest.mark.parametrize(("command", "fields", "told"), TOLD)
def test_a_problem_carries_just_the_words_of_its_sentence(
    command: str, fields: dict[str, Any], told: list[tuple[str, str, str]]
) -> None:
    for problem in problems_of(command, fields):
        wanted = {name for _, name, _, _ in Formatter().parse(SENTENCES[problem.code]) if name}
        assert wanted == set(problem.params)


def test_a_problem_is_printed_with_code_where_and_message() -> None:
    problem = Problem(Code.TOO_MANY_CHOWS, "sets.2", {"found": 2, "most": 1})
    assert problem.as_json() == {
        "code": "too_many_chows",
        "where": "sets.2",
        "message": "Chows in this hand: 2; the rules allow 1 here.",
    }


def test_a_hand_of_few_tiles_is_scored_and_says_so() -> None:
    said = answer(b'{"concealed": ["DR", "DR"], "mahjong": false}', COMMANDS["score"], BMJA)
    assert (said["total"], said["notices"]) == (
        2,
        [
            {
                "code": "short_hand",
                "where": "concealed",
                "message": "Only 2 of the 13 tiles were entered, so the score may be incomplete.",
            }
        ],
    )


def test_a_hand_found_sound_is_looked_over_again_when_anything_changes() -> None:
    fields = {"concealed": ["DR", "DR"], "bonus": ["F1"], "mahjong": False}
    hand = hand_from_json(fields, BMJA)
    assert hand.sound_under is BMJA
    assert copy(hand).sound_under is None
    assert check(hand, BMJA) == []
    assert [one.code for one in check(hand, rule_set("safalra"))] == ["unknown_tile"]
    five = replace(hand, concealed=hand.concealed[:1] * 5)
    assert [one.code for one in check(five, BMJA)] == ["too_many_copies"]


def test_what_was_typed_is_cut_to_fit() -> None:
    assert (shown("x" * 50), shown([1]), shown("Q")) == ("x" * 39 + "…", "[1]", "Q")
