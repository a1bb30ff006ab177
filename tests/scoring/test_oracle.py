"""The engine against a slow scorer written apart from it: twenty thousand hands a rule set."""

import json
import random
from typing import Any, cast

import pytest

from scoring import rule_set, rule_set_keys
from scoring.__main__ import COMMANDS, answer_line
from tests.scoring.oracle import BOOKS, Answer, a_game, a_hand, a_settlement, judge, play, settle
from tests.scoring.worked import Case, case_params, cases, in_every_book

Said = dict[str, Any]
SHARDS, HANDS, SETTLEMENTS, GAMES = range(20), 1000, 250, 50
KEYS = rule_set_keys()
OF_SETS = {"buried_treasure", "fourfold_plenty", "four_blessings", "heads_and_tails"}
OF_SETS |= {"imperial_jade", "three_great_scholars"}
OF_TILES = {"gates_of_heaven", "knitting", "triple_knitting", "wriggling_snake"}
EVENTS = {"earths_blessing", "heavens_blessing", "plum_blossom", "plucking_the_moon"}
CLASSIC = OF_SETS | OF_TILES | EVENTS | {"twofold_fortune"}
BRITISH = CLASSIC | {"all_pair_honours", "all_winds_and_dragons", "purity"}
BRITISH |= {"thirteen_unique_wonders"}
SPECIALS: dict[str, set[str]] = {
    "bmja": BRITISH,
    "tallies": BRITISH,
    "english": CLASSIC | {"seven_pairs", "thirteen_wonders"},
    "safalra": set(),
    "baggaley": {"heavenly_bliss", "mixed_dragon", "orphan", "pure_dragon", "seven_pairs"},
}


def worked_params(kind: str) -> list[Any]:
    """The worked cases of every rule set, and those that the documents themselves give."""
    worked_cases = [(case["rules"], case) for case in cases(kind, book="published")]
    worked_cases += [(key, case) for key, case in in_every_book(kind) if "house" not in case]
    return [pytest.param(key, case, id=f"{key} {case['id']}") for key, case in worked_cases]


def said_by_engine(command: str, key: str, fields: Said) -> Said:
    line = json.dumps(fields).encode()
    return cast(Said, answer_line(line, COMMANDS[command], rule_set(key)))


def codes_in(answer: Said) -> frozenset[str]:
    return frozenset(problem["code"] for problem in answer.get("problems", ()))


def answer_in(answer: Said) -> Answer:
    return Answer(*(answer[name] for name in Answer._fields))


@pytest.mark.sampled
@pytest.mark.parametrize("shard", SHARDS)
@pytest.mark.parametrize("key", KEYS)
def test_a_hand_scores_what_the_book_says(key: str, shard: int) -> None:
    chance = random.Random(f"{key} hands {shard}")
    for _number in range(HANDS):
        fields = a_hand(key, chance)
        verdict, answer = judge(key, fields), said_by_engine("score", key, fields)
        if verdict.valid:
            assert answer["valid"], (fields, verdict, answer)
            assert answer_in(answer) in verdict.answers, (fields, verdict, answer)
            is_short = "short_hand" in {notice["code"] for notice in answer["notices"]}
            assert is_short == verdict.is_short, fields
        else:
            assert codes_in(answer) in verdict.refusals, (fields, verdict, answer)


@pytest.mark.sampled
@pytest.mark.parametrize("shard", SHARDS)
@pytest.mark.parametrize("key", KEYS)
def test_the_players_settle_as_the_book_says(key: str, shard: int) -> None:
    chance = random.Random(f"{key} settlements {shard}")
    for _number in range(SETTLEMENTS):
        fields = a_settlement(key, chance)
        settlement, answer = settle(key, fields), said_by_engine("settle", key, fields)
        assert codes_in(answer) == settlement.problem_codes, fields
        if not settlement.problem_codes:
            paid = [
                (payment["from"], payment["to"], payment["points"])
                for payment in answer["payments"]
            ]
            assert sorted(paid) == list(settlement.payments), fields
            assert answer["gain"] == settlement.gain, fields


@pytest.mark.sampled
@pytest.mark.parametrize("shard", SHARDS)
@pytest.mark.parametrize("key", KEYS)
def test_the_winds_pass_on_as_the_book_says(key: str, shard: int) -> None:
    chance = random.Random(f"{key} games {shard}")
    for _number in range(GAMES):
        fields = a_game(key, chance)
        game, answer = play(key, fields), said_by_engine("play", key, fields)
        assert codes_in(answer) == game.problem_codes, fields
        if not game.problem_codes:
            assert answer["hands"] == game.hands, fields
            assert answer["finished"] == game.finished, fields


@pytest.mark.parametrize(("key", "case"), worked_params("hand"))
def test_the_slow_scorer_agrees_with_a_worked_hand(key: str, case: Case) -> None:
    verdict, expected_answer = judge(key, case["fields"]), case["expected"]
    if "problems" in expected_answer:
        assert frozenset(expected_answer["problems"]) in verdict.refusals
        return
    assert verdict.is_short == ("short_hand" in expected_answer.get("notices", ()))
    unsaid = {"basic": None, "doubles": None, "special": None, "fishing": False, "limited": False}
    assert answer_in(unsaid | expected_answer) in verdict.answers


@pytest.mark.parametrize(("key", "case"), case_params(in_every_book("settlement")))
def test_the_slow_scorer_agrees_with_a_worked_settlement(key: str, case: Case) -> None:
    fields = case["fields"] | {"winner": case["fields"]["winner"] or None}
    assert settle(key, fields).gain == case["gain"]


@pytest.mark.parametrize(("key", "case"), worked_params("game"))
def test_the_slow_scorer_agrees_with_a_worked_game(key: str, case: Case) -> None:
    game = play(key, {"rounds": 4, **case} | ({"rounds": None} if case.get("rounds") == 0 else {}))
    assert [int(hand["dealer"]) for hand in game.hands] == case["dealers"]
    prevailing = "".join(hand["prevailing_wind"] or "-" for hand in game.hands)
    assert prevailing == case.get("prevailing", prevailing)
    assert game.hands[-1]["winds"] == case["last_winds"]
    assert game.finished == case.get("finished", False)


@pytest.mark.sampled(days=4)
@pytest.mark.parametrize("key", BOOKS)
def test_the_random_hands_leave_no_special_hand_out(key: str) -> None:
    chance = random.Random(key)
    verdicts = [judge(key, a_hand(key, chance)) for _number in range(3000)]
    specials = {special for verdict in verdicts for special in verdict.specials}
    assert specials == SPECIALS[key] | {None}
    assert 0.75 < sum(verdict.valid for verdict in verdicts) / len(verdicts) < 0.95
