"""A club's house rules as data: a rule set of a book, and what the club plays otherwise.

    {"base": "bmja/2008", "name": "Purbeck", "limit": 500,
     "choices": {"knitting_in_any_two_suits": true},
     "points": {"Flower or season": 2, "Pung of 2s to 8s": [2, 4]},
     "doubles": {"No chows": 0},
     "without": ["triple_knitting"],
     "specials": [{"key": "gerties_garter", "name": "Gertie's Garter", "tiles": "a1-7 b1-7",
                   "won": {"share": [1, 2]}, "fishing": {"share": [1, 5]}}]}

What is left out is as in the base. A special hand is of `tiles` (`scoring.rules.shapes`) or of
`pungs`, the names of conditions of `scoring.rules.conditions`. The outcome is a rule
set like any other, whole.
"""

from scoring.house.declared import HouseHand, HouseRules
from scoring.house.reading import BadHouseRules, read_house_rules
from scoring.rules.rule_set import RuleSet

__all__ = ["BadHouseRules", "HouseHand", "HouseRules", "house_rules", "read_house_rules"]


def house_rules(data: object) -> RuleSet:
    """The rule set that the data declares; BadHouseRules carries everything wrong with it."""
    return read_house_rules(data).rules
