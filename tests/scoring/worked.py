"""Reads the worked cases of tests/examples (hands, settlements, games, penalties), as data."""

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from scoring import (
    BadInput,
    Progress,
    RuleSet,
    Wind,
    deals,
    hand_from_json,
    house_rules,
    rule_set_keys,
    score,
)
from scoring.__main__ import settle_line
from scoring.table.settlement import penalty

EXAMPLES = Path(__file__).parent.parent / "examples"
Case = dict[str, Any]


@cache
def cases(kind: str, *, book: str = "bmja") -> tuple[Case, ...]:
    """All worked cases of a kind (`hand`, `settlement`, `game`, `penalty`) of one rule set."""
    book_cases: list[Case] = []
    for path in sorted(EXAMPLES.glob(f"{book}_*.toml")):
        book_cases += table(path.stem).get(kind, [])
    return tuple(book_cases)


@cache
def scored_cases(book: str, *, houses: bool = False) -> tuple[Case, ...]:
    """The worked hands that have a score as the book is played, or in some house too."""
    hands = (case for case in cases("hand", book=book) if houses or "house" not in case)
    return tuple(case for case in hands if "total" in case["expected"])


@cache
def table(name: str) -> dict[str, Any]:
    """One file of tests/examples, whole."""
    return tomllib.loads((EXAMPLES / f"{name}.toml").read_text())


def refused_cases(name: str) -> list[Case]:
    """The cases of one file that are refused."""
    return list(table(name)["refused"])


def in_every_book(kind: str) -> list[tuple[str, Case]]:
    """All worked cases of a kind, each with the key of its rule set."""
    return [(key, case) for key in rule_set_keys() for case in cases(kind, book=key)]


def refused_in_every_book(part: str) -> list[tuple[str, Case]]:
    """What is refused of games or settlements, each with the key of its rule set."""
    return [(key, case) for key in rule_set_keys() for case in refused_cases(f"{key}_{part}")]


def case_params(worked_cases: Iterable[tuple[str, Case]]) -> list[Any]:
    """These cases for a test, each called by its number and what it says."""
    return [
        pytest.param(key, case, id=f"{case['id']} {case['title']}") for key, case in worked_cases
    ]


@dataclass(frozen=True)
class Told:
    """What a worked case tells of a hand."""

    total: int | None = None
    basic: int | None = None
    doubles: int | None = None
    special: str | None = None
    fishing: bool = False
    limited: bool = False
    notices: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    messages: tuple[str, ...] | None = None


def expected_result(case: Case) -> Told:
    """What the case says."""
    fields = {k: tuple(v) if isinstance(v, list) else v for k, v in case["expected"].items()}
    return Told(**fields | {"problems": tuple(sorted(fields.get("problems", ())))})


def score_case(case: Case, rules: RuleSet) -> Told:
    """What the engine says of the case's hand."""
    played_here = house(case, rules)
    try:
        reckoning = score(hand_from_json(case["fields"], played_here), played_here)
    except BadInput as bad:
        messages = tuple(problem.message for problem in bad.problems)
        return Told(
            problems=tuple(sorted(problem.code.value for problem in bad.problems)),
            messages=messages if "messages" in case["expected"] else None,
        )
    return Told(
        total=reckoning.total,
        basic=reckoning.basic,
        doubles=reckoning.doubles,
        special=reckoning.special,
        fishing=reckoning.fishing,
        limited=reckoning.is_limited,
        notices=tuple(notice.code.value for notice in reckoning.notices),
    )


def house(case: Case, rules: RuleSet) -> RuleSet:
    """The rules with the open points and the limit that the case plays otherwise."""
    if "house" not in case:
        return rules
    choices = dict(case["house"])
    limit = choices.pop("limit", rules.limit)
    return replace(rules.choosing(**choices), limit=limit)


def bounded_houses() -> list[Any]:
    """House rules of every kind that says more than a number: the key of the base, the rules."""
    houses = []
    for case in table("house_bounds")["house"]:
        data = {name: value for name, value in case.items() if name != "title"}
        if "limits" in data:
            # TOML has no null: 0 stands for no limit, “none” for no payments.
            data["limits"] = {
                limit_name: most or None for limit_name, most in data["limits"].items()
            }
        if data.get("payments") == "none":
            data["payments"] = None
        houses.append(pytest.param(data["base"], house_rules(data), id=case["title"]))
    return houses


def penalty_payments(case: Case, rules: RuleSet) -> list[list[object]]:
    """What the engine has the offender pay: from whom, to whom and how many points."""
    payments = penalty(
        case["incident"],
        offender=Wind(case["offender"]),
        seats=[Wind(seat) for seat in case.get("seats", "ESWN")],
        rules=house(case, rules),
        claimant=Wind(case["claimant"]) if "claimant" in case else None,
    )
    return [[payment.payer, payment.payee, payment.points] for payment in payments]


def settled_gains(case: Case, rules: RuleSet) -> object:
    """The gains that the engine works out for a settlement; an empty winner is a drawn hand."""
    return settle_line(as_json(case["fields"]), rules)["gain"]


def as_json(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields as JSON has them: TOML has no null for the winner of a drawn hand."""
    return fields | ({"winner": None} if fields.get("winner") == "" else {})


def play_case(case: Case, rules: RuleSet) -> Case:
    """The hands that the engine deals for a game, in the words of the case."""
    progress = _progress(case, rules)
    game_deals = progress.deals
    answer = {
        "dealers": [deal.dealer for deal in game_deals],
        "prevailing": "".join(deal.prevailing_wind or "-" for deal in game_deals),
        "goulash": "".join("y" if deal.goulash else "n" for deal in game_deals),
        "last_winds": {str(seat): wind.value for seat, wind in game_deals[-1].winds.items()},
        "sits_out": [deal.sits_out for deal in game_deals],
        "finished": progress.is_finished,
        "rounds_over": progress.rounds,
        "winners": list(progress.winners),
    }
    return {name: answer[name] for name in answer if name in case}


def refused_game(case: Case, rules: RuleSet) -> list[str]:
    """The problems that the engine finds in a game's outcomes; none where it can be played."""
    try:
        _progress(case, rules)
    except BadInput as bad:
        return describe_problems(bad)
    return []


def refused_settlement(case: Case, rules: RuleSet) -> list[str]:
    """The problems that the engine finds in a hand's scores; none where they can be settled."""
    try:
        settle_line(as_json(case["fields"]), rules)
    except BadInput as bad:
        return describe_problems(bad)
    return []


def describe_problems(bad: BadInput) -> list[str]:
    """Each problem as its code and its field, sorted."""
    return sorted(f"{problem.code} {problem.path}" for problem in bad.problems)


def _outcome(text: str) -> Any:
    """A seat, None for a drawn hand, or a word that is no outcome."""
    if text == "draw":
        return None
    return int(text) if text.isdigit() else text


def _progress(case: Case, rules: RuleSet) -> Progress:
    gains = [{int(seat): points for seat, points in hand.items()} for hand in case.get("gains", ())]
    return deals(
        [_outcome(text) for text in case["outcomes"]],
        rules=rules,
        seats=case.get("seats", 4),
        wind_rounds=case.get("rounds", 4) or None,
        gains=gains or None,
        dealer=case.get("dealer", 1),
    )
