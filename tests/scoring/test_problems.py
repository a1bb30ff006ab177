"""What is wrong or cannot have happened: its code, its field and one sentence, all at once."""

import json
import re
from collections.abc import Iterator
from copy import copy
from dataclasses import replace
from itertools import product
from string import Formatter
from typing import Any, NamedTuple

import pytest

from scoring import BadInput, Code, Problem, check, hand_from_json, rule_set, rule_set_keys, sheet
from scoring.__main__ import COMMANDS, answer_line
from scoring.hands.hand import Fact, WonBy, quantity, times_text
from scoring.hands.problems import SENTENCES, shorten
from scoring.table.progression import deals
from tests.scoring.worked import Case, as_json, cases, refused_cases, table

BMJA = rule_set("bmja")
LINES = table("problems")["line"]


@pytest.mark.parametrize("line", LINES, ids=lambda line: line["says"][0][0])
def test_what_is_wrong_is_said_in_just_the_words_of_its_sentence(line: Case) -> None:
    with pytest.raises(BadInput) as refusal:
        COMMANDS[line["command"]](line["fields"], BMJA)
    problems = refusal.value.problems
    assert [
        [refused_problem.code.value, refused_problem.path, refused_problem.message]
        for refused_problem in problems
    ] == line["says"]
    for problem in problems:
        parameter_names = {
            name for _, name, _, _ in Formatter().parse(SENTENCES[problem.code]) if name
        }
        assert parameter_names == set(problem.params)


def test_every_code_is_told_by_some_case() -> None:
    codes = {code for line in LINES for code, _path, _message in line["says"]}
    for case in (case for key in rule_set_keys() for case in cases("hand", book=key)):
        codes |= {*case["expected"].get("problems", ()), *case["expected"].get("notices", ())}
    for story in (*STORIES["hand"], *STORIES["ending"]):
        codes |= {notice.partition(" ")[0] for notice in story["notices"]}
    for case in refused_cases("tallies_settlements"):
        codes |= {problem.partition(" ")[0] for problem in case["problems"]}
    assert codes == {code.value for code in Code}


def test_every_code_has_one_sentence() -> None:
    assert set(SENTENCES) == set(Code)
    assert all(message.endswith((".", "}.")) for message in SENTENCES.values())


def test_a_problem_is_printed_with_code_where_and_message() -> None:
    problem = Problem(Code.TOO_MANY_CHOWS, "sets.2", {"found": 2, "most": 1})
    assert problem.as_json() == {
        "code": "too_many_chows",
        "where": "sets.2",
        "message": "Chows in this hand: 2; the rules allow 1 here.",
    }


def test_a_hand_found_sound_is_looked_over_again_when_anything_changes() -> None:
    fields = {"concealed": ["DR", "DR"], "bonus": ["F1"], "mahjong": False}
    hand = hand_from_json(fields, BMJA)
    assert hand.sound_under is BMJA
    assert copy(hand).sound_under is None
    assert check(hand, BMJA) == []
    assert [problem.code for problem in check(hand, rule_set("safalra"))] == ["unknown_tile"]
    five = replace(hand, concealed=hand.concealed[:1] * 5)
    assert [problem.code for problem in check(five, BMJA)] == ["too_many_copies"]


def test_what_was_typed_is_cut_to_fit() -> None:
    assert (shorten("x" * 50), shorten([1]), shorten("Q")) == ("x" * 39 + "…", "[1]", "Q")


KEYS = rule_set_keys()
Fields = dict[str, Any]
STORIES = table("contradictions")
SETTLED: Fields = STORIES["settled"]
CLAIMED = {"tiles": ["B2", "B2", "B2"], "exposed": True}
CONCEALED_KONG = {"tiles": ["B3", "B3", "B3", "B3"], "exposed": False}
IN_HAND = ("B1", "B5", "B7", "B8")


def mahjong(*sets: Fields, **extra_fields: Any) -> Fields:
    """A Mah-Jong of one suit, completed by a 9, with these sets on the table."""
    concealed = [tile for tile in IN_HAND[len(sets) :] for _copy in range(3)] + ["B9", "B9"]
    fields = {"sets": [*sets], "concealed": concealed, "mahjong": True, "winning_tile": "B9"}
    return fields | extra_fields


def reply(fields: Fields, key: str = "bmja", command: str = "score") -> Fields:
    return answer_line(json.dumps(fields).encode(), COMMANDS[command], rule_set(key))


def notices(fields: Fields, key: str = "bmja", command: str = "score") -> list[str]:
    """The code and the field of each notice; the hand must be scored."""
    answer: Any = reply(fields, key, command)
    assert answer["valid"], answer
    return [f"{notice['code']} {notice['where']}" for notice in answer.get("notices", ())]


@pytest.mark.parametrize("story", STORIES["hand"], ids=lambda story: story["title"])
def test_an_impossible_story_has_its_notice(story: Case) -> None:
    assert notices(story["fields"], story["rules"]) == story["notices"]


@pytest.mark.parametrize("story", STORIES["ending"], ids=lambda story: story["title"])
def test_an_impossible_ending_has_its_notice(story: Case) -> None:
    fields = as_json(SETTLED | story["fields"])
    assert notices(fields, story["rules"], "settle") == story["notices"]


def test_a_notice_is_a_sentence_that_says_what_to_look_at() -> None:
    answer: Any = reply(mahjong(won_by="wall", bonuses=["F1"], seatwind="S"))
    assert [notice["message"] for notice in answer["notices"]] == [
        "“bonuses” is not a field of a hand and was ignored; perhaps “bonus” was meant.",
        "“seatwind” is not a field of a hand and was ignored; perhaps “seat_wind” was meant.",
    ]
    second_answer: Any = reply(
        {"sets": [CLAIMED | {"why": "pung"}], "concealed": [], "mahjong": False}
    )
    assert [notice["message"] for notice in second_answer["notices"][:1]] == [
        "“why” is not a field of a set and was ignored; the fields are tiles and exposed."
    ]


@pytest.mark.parametrize("command", ["settle", "play"])
def test_where_there_is_nothing_to_say_the_answer_has_no_notices(command: str) -> None:
    fields = {"settle": SETTLED, "play": {"outcomes": ["1", "draw"]}}[command]
    assert "notices" not in reply(fields, "bmja", command)
    assert notices(fields | {"round": 4}, "bmja", command) == ["unknown_field round"]


@pytest.mark.parametrize("key", KEYS)
def test_who_went_mah_jong_neither_discards_nor_pays(key: str) -> None:
    for field_name in ("discarder", "pays_for_all"):
        answer: Any = reply(SETTLED | {"won_by": "discard", field_name: "S"}, key, "settle")
        assert ("bad_seat", field_name) in {
            (problem["code"], problem["where"]) for problem in answer["problems"]
        }


class End(NamedTuple):
    """How one player's hand may end, as far as the sets on the table, the seat and facts go."""

    won_by: WonBy
    deals: bool
    claimed: bool
    concealed_kong: bool
    bonus: bool
    called: bool


def possible_ends(*, deals: bool, first_draw_is_first_turn: bool) -> Iterator[End]:
    """Every end that one player's hand can come to, turn by turn.

    The dealer's first turn begins with 14 tiles, everyone else's with a claim or a draw. A call
    is made with nothing claimed, by others than the dealer on the dealt tiles at the earliest, and
    nothing is claimed after it.
    """
    for bonus in (False, True):  # replaced before anybody plays
        common_fields = {"deals": deals, "bonus": bonus}
        if deals:
            yield End(
                WonBy.DEALT, claimed=False, concealed_kong=False, called=False, **common_fields
            )
        else:
            for won_by, has_called in product(
                (WonBy.FIRST_DISCARD, WonBy.FIRST_DRAW), (False, True)
            ):
                yield End(
                    won_by, claimed=False, concealed_kong=False, called=has_called, **common_fields
                )
        for is_claimed, kong, has_called in product((False, True), repeat=3):
            if has_called and is_claimed:
                continue
            end_fields = {
                "claimed": is_claimed,
                "concealed_kong": kong,
                "called": has_called,
            } | common_fields
            yield from (End(won_by, **end_fields) for won_by in AT_ANY_TIME)
            if kong or bonus:
                yield End(WonBy.LOOSE_TILE, **end_fields)
            if deals or not first_draw_is_first_turn:
                yield End(WonBy.FIRST_DRAW, **end_fields)


AT_ANY_TIME = (
    *(WonBy.WALL, WonBy.LAST_WALL_TILE, WonBy.DISCARD, WonBy.LAST_DISCARD, WonBy.ROBBED_KONG),
)


def told_as(end: End, *, bonus_tiles: bool) -> Fields:
    """The end as a line of `score`; a robbed tile completes a chow."""
    sets = [CLAIMED] * end.claimed + [CONCEALED_KONG] * end.concealed_kong
    fields = mahjong(*sets, won_by=end.won_by.value, seat_wind="E" if end.deals else "S")
    fields["bonus"] = ["F3"] if end.bonus and bonus_tiles else []
    fields["facts"] = [Fact.ORIGINAL_CALL.value] if end.called else []
    if end.won_by is WonBy.ROBBED_KONG:
        fields["concealed"] = [*fields["concealed"][:-5], "B7", "B8", "B9", "B6", "B6"]
    return fields


@pytest.mark.parametrize("key", KEYS)
def test_just_what_cannot_be_played_has_a_notice(key: str) -> None:
    """Every way to win with every mixture of sets, bonus tiles, seats and calls."""
    rules = rule_set(key)
    bonus_tiles = rules.bonus_points is not None
    on_first_turn = key == "tallies"
    can_be = {
        end
        for deals in (False, True)
        for end in possible_ends(deals=deals, first_draw_is_first_turn=on_first_turn)
    }
    flags = product((False, True), repeat=5)
    for end in (End(won_by, *flag_values) for won_by, flag_values in product(WonBy, list(flags))):
        if end.bonus and not bonus_tiles:
            continue
        assert (notices(told_as(end, bonus_tiles=bonus_tiles), key) == []) == (end in can_be), end


WRONG = re.compile(
    r"\b1 (?:points|doubles|hands|scores|tiles|sets|jokers|times|players|winds)\b|\b1 .{0,20} are\b"
    r"|\b0 (?:points|doubles|hands|sets|jokers)\b"
)


def test_a_number_of_things() -> None:
    assert [quantity(count, "double") for count in (0, 1, 2, 1000)] == [
        *("no doubles", "1 double", "2 doubles", "1,000 doubles")
    ]
    assert [times_text(count) for count in (1, 2, 3)] == ["once", "twice", "3 times"]


@pytest.mark.parametrize(
    ("count", "message"),
    [
        (0, "None of the 13 tiles were entered, so the score may be incomplete."),
        (1, "Only 1 of the 13 tiles was entered, so the score may be incomplete."),
        (2, "Only 2 of the 13 tiles were entered, so the score may be incomplete."),
        (12, "Only 12 of the 13 tiles were entered, so the score may be incomplete."),
    ],
)
def test_a_hand_of_few_tiles_is_scored_and_says_so(count: int, message: str) -> None:
    tiles = [suit + number for suit in "BCO" for number in "1357"][:count]
    answer = reply({"concealed": tiles, "mahjong": False})
    notice = {"code": "short_hand", "where": "concealed", "message": message}
    assert (answer["total"], answer["notices"]) == (0, [notice])


@pytest.mark.parametrize(("hands", "text"), [(1, "1 hand"), (2, "2 hands")])
def test_a_game_is_over_after_so_many_hands(hands: int, text: str) -> None:
    with pytest.raises(BadInput) as refusal:
        deals([2] * (hands + 1), rules=BMJA, hands=hands)
    assert str(refusal.value) == f"The game was over after {text}."


@pytest.mark.parametrize(("jokers", "text"), [(0, "no jokers"), (1, "1 joker"), (2, "2 jokers")])
def test_how_many_jokers_a_kong_may_hold(jokers: int, text: str) -> None:
    assert BMJA.jokers
    rules = replace(BMJA, jokers=BMJA.jokers._replace(in_a_kong=jokers))
    kong = {"tiles": ["B1"] + ["JK"] * 3, "exposed": True}
    hand = {"sets": [kong], "concealed": [], "mahjong": False, "goulash": True}
    with pytest.raises(BadInput) as refusal:
        hand_from_json(hand, rules)
    assert f"a kong may hold {text} at most" in str(refusal.value)


@pytest.mark.parametrize(("doubles", "text"), [(0, "no doubles"), (1, "1 double")])
def test_too_few_doubles_for_two_players(doubles: int, text: str) -> None:
    """Four chows in three suits have no double, a pung of dragons has one."""
    tallies = replace(rule_set("tallies"), chows=rule_set("tallies").chows._replace(players=None))
    dragons = ["DR"] * 3 if doubles else ["B4", "B5", "B6"]
    concealed = [*["B1", "B2", "B3", "C4", "C5", "C6", "O7", "O8", "O9"], *dragons, "C8", "C8"]
    hand = {"concealed": concealed, "mahjong": True, "players": 2, "won_by": "wall"}
    [problem] = check(hand_from_json(hand, tallies), tallies)
    assert f"this one has {text} and" in problem.message


@pytest.mark.parametrize("key", rule_set_keys())
def test_no_printed_line_says_one_points(key: str) -> None:
    rules = rule_set(key)
    least = rules.minimum and rules.minimum._replace(doubles=1, points=1)
    doubled_hands = tuple(line._replace(doubles=1) for line in rules.doubled_hands)
    for house in (rules, replace(rules, minimum=least, doubled_hands=doubled_hands, limit=1)):
        assert WRONG.findall(sheet.page(house)) == []


@pytest.mark.parametrize("count", [0, 1, 2, 13])
def test_sentences_that_print_a_bare_number_read_well_with_any(count: int) -> None:
    """What is counted as a word comes from `quantity`; a bare number stands before no noun."""
    for code in Code:
        params = dict.fromkeys(re.findall(r"\{(\w+)\}", SENTENCES[code]), count)
        params |= {name: max(count, 2) for name in params.keys() & {"players", "seats"}}
        worded_names = {
            "sets",
            "kongs",
            "doubles",
            "points",
            "found_doubles",
            "found_points",
            "played",
        }
        params |= {name: quantity(count, "set") for name in params.keys() & worded_names}
        assert WRONG.findall(Problem(code, "", params).message) == [], code
