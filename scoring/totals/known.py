"""The possible totals of the published rule sets, reckoned beforehand: they take seconds each.

`python -m scoring.totals` writes `known.json` anew, and in `known.stamp` of which engine it is; the
tests hold both against the engine.
"""

import json
from functools import cache
from pathlib import Path
from typing import Final

from scoring.hands import Hand
from scoring.rules import RuleSet
from scoring.rulesets import is_published

FILE: Final = Path(__file__).with_name("known.json")
STAMP: Final = FILE.with_suffix(".stamp")

Totals = tuple[int, ...]
Run = tuple[int, int, int]  # the first, the last, and the step between
Known = dict[str, dict[str, list[Run]]]


def known_totals(told: Hand, rules: RuleSet) -> Totals | None:
    """What a player told so can score; None where it was not reckoned beforehand."""
    return _totals(rules.key, situation(told)) if is_published(rules) else None


def situation(told: Hand) -> str:
    """The name of all that decides which totals there are: `Mah-Jong, S of E, 4 play, goulash`."""
    who = "Mah-Jong" if told.mahjong else "other"
    parts = [who, f"{told.seat_wind} of {told.prevailing_wind or 'none'}", f"{told.players} play"]
    return ", ".join(parts + ["goulash"] * told.goulash + ["dealer"] * told.dealer)


def folded(totals: Totals) -> list[Run]:
    """Runs of the same step: 20, 22, 24, 28 is (20, 24, 2), (28, 28, 1)."""
    runs: list[Run] = []
    for total in totals:
        if runs and (longer := _longer(runs[-1], total)):
            runs[-1] = longer
        else:
            runs.append((total, total, 1))
    return runs


def _longer(run: Run, total: int) -> Run | None:
    first, last, step = run
    if first == last:
        return first, total, total - last
    return (first, total, step) if total - last == step else None


@cache
def _totals(key: str, name: str) -> Totals | None:
    runs = _known().get(key, {}).get(name)
    if runs is None:
        return None
    return tuple(total for first, last, step in runs for total in range(first, last + 1, step))


@cache
def _known() -> Known:
    known: Known = json.loads(FILE.read_text())
    return known
