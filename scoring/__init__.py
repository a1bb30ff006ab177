"""The rules engine: score a hand, settle it, pass the winds on. Standard library only."""

from scoring.hands import Fact, Hand, Kind, TileSet, WonBy, read_set
from scoring.lines import Line
from scoring.notation import hand_as_json, hand_from_json
from scoring.problems import BadHand, BadInput, BadOutcome, BadScores, Code, Problem
from scoring.progression import Deal, Progress, deals
from scoring.reckoning import Reckoning, check, reckoning_as_json, score
from scoring.rules import RuleSet
from scoring.rulesets import UnknownRuleSet, rule_set, rule_set_keys
from scoring.settlement import Payment, Settlement, settle
from scoring.tiles import Tile, Wind
from scoring.totals import check_totals

__all__ = [
    "BadHand",
    "BadInput",
    "BadOutcome",
    "BadScores",
    "Code",
    "Deal",
    "Fact",
    "Hand",
    "Kind",
    "Line",
    "Payment",
    "Problem",
    "Progress",
    "Reckoning",
    "RuleSet",
    "Settlement",
    "Tile",
    "TileSet",
    "UnknownRuleSet",
    "Wind",
    "WonBy",
    "check",
    "check_totals",
    "deals",
    "hand_as_json",
    "hand_from_json",
    "read_set",
    "reckoning_as_json",
    "rule_set",
    "rule_set_keys",
    "score",
    "settle",
]
