"""The rules engine: score a hand, settle it, pass the winds on. Standard library only."""

from scoring.hands import WonBy
from scoring.problems import BadHand, BadInput, BadOutcome, BadScores, Code, Problem
from scoring.progression import Deal, Progress, deals
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
    "Payment",
    "Problem",
    "Progress",
    "RuleSet",
    "Settlement",
    "Tile",
    "UnknownRuleSet",
    "Wind",
    "WonBy",
    "check_totals",
    "deals",
    "rule_set",
    "rule_set_keys",
    "settle",
]
