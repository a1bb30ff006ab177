"""Hands a second by processor time, of each kind in turn and, where it is there, of `mahjong`.

`mahjong` is the scorer of Japanese hands on PyPI. It is no dependency: put it on PYTHONPATH.
It scores the tiles of our ordinary winners, with ron or tsumo, riichi, and their sets as melds.
"""

import json
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from typing import Any, Final

from benchmarks import dealt_hands
from benchmarks.dealt_hands import HandFields, MakeHand, build_hands, deal_hands
from scoring import RuleSet, Wind, rule_set, rule_set_keys, score, settle
from scoring.hands.tiles import TILE_PLACE

BMJA = rule_set("bmja")
ROUNDS: Final = 7
HANDS: Final = 3000  # of each kind in a round, different in every round
LINES: Final = (2_000, 20_000)
_HAND_MAKERS: Final[dict[str, MakeHand]] = {
    "ordinary winners": dealt_hands.ordinary_winner,
    "winners of all kinds": dealt_hands.winner_of_any_kind,
    "losers, with fishing": dealt_hands.loser,
}
_ONE_SUIT_MAKERS: Final[dict[str, MakeHand]] = {
    "winners of one suit": dealt_hands.winner_of_one_suit,
    "losers, with fishing": dealt_hands.loser,
}
Measurement = Callable[[int], float]


def processor_seconds(action: Callable[[], object]) -> float:
    """The processor's time, of this process and of those that it has waited for."""
    seconds_before = sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2]) + time.process_time()
    action()
    return (
        sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2]) + time.process_time() - seconds_before
    )


def from_python(make: MakeHand, rules: RuleSet, *, empty: bool = False) -> Measurement:
    """Whole scores with every line, from hands that nothing has looked over.

    `empty`: by a copy of the rules, so that every table has to be filled anew.
    """

    def a_second(seed: int) -> float:
        hands = build_hands(deal_hands(make, rules, HANDS, seed), rules)
        scored_by = replace(rules) if empty else rules

        def run() -> None:
            for hand in hands:
                score(hand, scored_by)

        return HANDS / processor_seconds(run)

    return a_second


def through_the_command(lines: int) -> Measurement:
    """Lines of JSON to lines of JSON, the start of the interpreter included."""

    def a_second(seed: int) -> float:
        halves = [
            deal_hands(_HAND_MAKERS[name], BMJA, lines // 2, seed) for name in [*_HAND_MAKERS][1:]
        ]
        text = "\n".join(json.dumps(fields) for half in halves for fields in half).encode()
        command = [sys.executable, "-m", "scoring", "score", "--rules", "bmja"]

        def run() -> None:
            subprocess.run(command, input=text, capture_output=True, check=True)  # noqa: S603

        return lines / processor_seconds(run)

    return a_second


def settlements(seed: int) -> float:
    scores = {Wind.E: 80 + 2 * seed, Wind.S: 84, Wind.W: 208, Wind.N: 416}

    def run() -> None:
        for _time in range(HANDS):
            settle(scores, winner=Wind.S, rules=BMJA)

    return HANDS / processor_seconds(run)


def _other_scorer() -> Measurement | None:
    """The other scorer on the tiles of our ordinary winners; None where it is not installed."""
    try:
        hand: Any = import_module("mahjong.hand_calculating.hand")
        config: Any = import_module("mahjong.hand_calculating.hand_config")
        meld: Any = import_module("mahjong.meld")
    except ImportError:
        return None

    def arguments(fields: HandFields) -> dict[str, Any]:
        used: dict[int, int] = {}

        def take(tile: str) -> int:
            place = TILE_PLACE[tile]  # type: ignore[index]
            used[place] = used.get(place, -1) + 1
            return 4 * place + used[place]

        melds = []
        for group in fields["sets"]:
            kind = {4: "kan"}.get(len(group["tiles"]), "pon")
            kind = kind if group["tiles"][0] == group["tiles"][1] else "chi"
            tiles = [take(tile) for tile in group["tiles"]]
            melds.append(meld.Meld(meld_type=kind, tiles=tiles, opened=group["exposed"]))
        concealed = [take(tile) for tile in fields["concealed"]]
        has_exposed_set = any(group["exposed"] for group in fields["sets"])
        return {
            "tiles": [tile for meld_set in melds for tile in meld_set.tiles] + concealed,
            "win_tile": concealed[fields["concealed"].index(fields["winning_tile"])],
            "melds": melds,
            "config": config.HandConfig(
                is_tsumo=fields["won_by"] in {"wall", "loose_tile", "last_wall_tile"},
                is_riichi=not has_exposed_set,
                player_wind=27 + "ESWN".index(fields["seat_wind"]),
                round_wind=27 + "ESWN".index(fields["prevailing_wind"]),
            ),
        }

    def a_second(seed: int) -> float:
        calls = [
            arguments(fields)
            for fields in deal_hands(_HAND_MAKERS["ordinary winners"], BMJA, HANDS, seed)
        ]

        def run() -> None:
            for call in calls:
                hand.HandCalculator.estimate_hand_value(**call)

        return HANDS / processor_seconds(run)

    return a_second


def milliseconds_to_import(_seed: int) -> float:
    """The processor's time in which a fresh interpreter imports `scoring`, compiled before."""
    program = "import time; t = time.process_time(); import scoring; print(time.process_time() - t)"
    command = [sys.executable, "-c", program]
    keeps = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
    ran = subprocess.run(command, env=keeps, capture_output=True, check=True)  # noqa: S603
    return 1000 * float(ran.stdout)


def measures() -> dict[str, Measurement]:
    """What is measured in each round, in this order."""
    other_scorer = _other_scorer()
    measurements = {"mahjong (PyPI)": other_scorer} if other_scorer else {}
    measurements |= {
        f"bmja, {name}": from_python(make, BMJA) for name, make in _HAND_MAKERS.items()
    }
    measurements |= {
        f"bmja, {name}, empty tables": from_python(make, BMJA, empty=True)
        for name, make in _HAND_MAKERS.items()
    }
    for lines in LINES:
        measurements[f"bmja, {lines:,} lines of JSON"] = through_the_command(lines)
    for key in rule_set_keys()[1:]:
        rules = rule_set(key)
        makes = _ONE_SUIT_MAKERS if rules.one_suit else _HAND_MAKERS
        measurements |= {f"{key}, {name}": from_python(make, rules) for name, make in makes.items()}
    return measurements | {
        "bmja, settlements": settlements,
        "import scoring, ms": milliseconds_to_import,
    }


def measure_speed() -> None:
    """Print the median of the rounds; the first, cold one is not counted."""
    rates: dict[str, list[float]] = {name: [] for name in measures()}
    for seed in range(ROUNDS + 1):
        for name, measurement in measures().items():
            rates[name].append(measurement(seed))
    medians = {name: statistics.median(round_rates[1:]) for name, round_rates in rates.items()}
    other_rate = medians.get("mahjong (PyPI)")
    for name, median in medians.items():
        ratio = f"{median / other_rate:8.2f} x" if other_rate else ""
        print(f"{name:40}{median:>10,.0f}{ratio}")
