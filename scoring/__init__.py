"""The rules engine: score a hand, settle it, pass the winds on. Standard library only."""

from importlib import import_module
from typing import TYPE_CHECKING

from scoring.hands.hand import Fact, Hand, Kind, TileSet, WonBy, read_set
from scoring.hands.problems import (
    BadHand,
    BadInput,
    BadOutcome,
    BadPenalty,
    BadScores,
    Code,
    Problem,
)
from scoring.hands.tiles import Tile, Wind, tiles_of
from scoring.pricing.reckoning import Reckoning, check, reckoning_as_json, score
from scoring.reading.notation import hand_as_json, hand_from_json
from scoring.rules.prices import Line
from scoring.rules.rule_set import Incident, RuleSet
from scoring.rulesets import UnknownRuleSet, rule_set, rule_set_keys

if TYPE_CHECKING:
    from scoring.detective import Claim, ClaimedLine, Comparison, compare
    from scoring.explaining import Explanation, explain
    from scoring.house import BadHouseRules, house_rules
    from scoring.table.progression import Deal, Progress, deals
    from scoring.table.settlement import (
        Ending,
        Payment,
        Settlement,
        pay_for_all,
        penalty,
        scale,
        settle,
    )
    from scoring.table.sticks import Sticks, pass_sticks, pay_in_sticks, tally
    from scoring.totals import check_totals, nearest, possible_totals, witness
else:
    # What not every program needs is imported when it is first asked for.
    _LATER = {
        "scoring.detective": ("Claim", "ClaimedLine", "Comparison", "compare"),
        "scoring.explaining": ("Explanation", "explain"),
        "scoring.house": ("BadHouseRules", "house_rules"),
        "scoring.table.progression": ("Deal", "Progress", "deals"),
        "scoring.table.settlement": (
            *("Ending", "Payment", "Settlement"),
            *("pay_for_all", "penalty", "scale", "settle"),
        ),
        "scoring.table.sticks": ("Sticks", "pass_sticks", "pay_in_sticks", "tally"),
        "scoring.totals": ("check_totals", "nearest", "possible_totals", "witness"),
    }

    def __getattr__(name):
        for module, names in _LATER.items():
            if name in names:
                return getattr(import_module(module), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "BadHand",
    "BadHouseRules",
    "BadInput",
    "BadOutcome",
    "BadPenalty",
    "BadScores",
    "Claim",
    "ClaimedLine",
    "Code",
    "Comparison",
    "Deal",
    "Ending",
    "Explanation",
    "Fact",
    "Hand",
    "Incident",
    "Kind",
    "Line",
    "Payment",
    "Problem",
    "Progress",
    "Reckoning",
    "RuleSet",
    "Settlement",
    "Sticks",
    "Tile",
    "TileSet",
    "UnknownRuleSet",
    "Wind",
    "WonBy",
    "check",
    "check_totals",
    "compare",
    "deals",
    "explain",
    "hand_as_json",
    "hand_from_json",
    "house_rules",
    "nearest",
    "pass_sticks",
    "pay_for_all",
    "pay_in_sticks",
    "penalty",
    "possible_totals",
    "read_set",
    "reckoning_as_json",
    "rule_set",
    "rule_set_keys",
    "scale",
    "score",
    "settle",
    "tally",
    "tiles_of",
    "witness",
]
