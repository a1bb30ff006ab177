"""Reads the worked cases of tests/examples: hands, settlements and games, as data."""

import tomllib
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from scoring import BadInput, RuleSet, deals, hand_from_json, score
from scoring.commands import settle_line

EXAMPLES = Path(__file__).parent.parent / "examples"
Case = dict[str, Any]


@cache
def cases(kind: str, *, of: str = "bmja") -> tuple[Case, ...]:
    """All worked cases of a kind (`hand`, `settlement`, `game`) of one rule set."""
    found: list[Case] = []
    for path in sorted(EXAMPLES.glob(f"{of}_*.toml")):
        found += tomllib.loads(path.read_text()).get(kind, [])
    return tuple(found)


@cache
def refused(name: str) -> tuple[Case, ...]:
    """The cases of one file that are refused."""
    return tuple(tomllib.loads((EXAMPLES / f"{name}.toml").read_text())["refused"])


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


def expected(case: Case) -> Told:
    """What the case says."""
    told = {k: tuple(v) if isinstance(v, list) else v for k, v in case["expected"].items()}
    return Told(**told | {"problems": tuple(sorted(told.get("problems", ())))})


def reckoned(case: Case, rules: RuleSet) -> Told:
    """What the engine says of the case's hand."""
    played_here = _house(rules, **case.get("house", {}))
    try:
        found = score(hand_from_json(case["fields"], played_here), played_here)
    except BadInput as bad:
        said = tuple(problem.sentence for problem in bad.problems)
        return Told(
            problems=tuple(sorted(problem.code.value for problem in bad.problems)),
            messages=said if "messages" in case["expected"] else None,
        )
    return Told(
        total=found.total,
        basic=found.basic,
        doubles=found.doubles,
        special=found.special,
        fishing=found.fishing,
        limited=found.limited,
        notices=tuple(notice.code.value for notice in found.notices),
    )


def _house(rules: RuleSet, *, limit: int | None = None, **choices: bool | int) -> RuleSet:
    return replace(rules.choosing(**choices), limit=rules.limit if limit is None else limit)


def settled(case: Case, rules: RuleSet) -> object:
    """The gains that the engine works out for a settlement; an empty winner is a drawn hand."""
    fields = case["fields"]
    return settle_line(fields | {"winner": fields["winner"] or None}, rules)["gain"]


def played(case: Case, rules: RuleSet) -> Case:
    """The hands that the engine deals for a game, in the words of the case."""
    outcomes = [None if text == "draw" else int(text) for text in case["outcomes"]]
    rounds = case.get("rounds", 4) or None
    progress = deals(outcomes, rules=rules, seats=case.get("seats", 4), wind_rounds=rounds)
    dealt = progress.deals
    told = {
        "dealers": [deal.dealer for deal in dealt],
        "prevailing": "".join(deal.prevailing_wind or "-" for deal in dealt),
        "goulash": "".join("y" if deal.goulash else "n" for deal in dealt),
        "last_winds": {str(seat): wind.value for seat, wind in dealt[-1].winds.items()},
        "sits_out": [deal.sits_out for deal in dealt],
        "finished": progress.finished,
    }
    return {name: told[name] for name in told if name in case}
