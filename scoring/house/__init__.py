"""A club's house rules as data: a rule set of a book, and what the club plays otherwise.

    {"base": "bmja/2008", "name": "Purbeck", "limit": 500,
     "choices": {"knitting_in_any_two_suits": true},
     "points": {"Flower or season": 2, "Pung of 2s to 8s": [2, 4]},
     "more_points": [{"name": "Pair of 1s or 9s", "sets": ["pair", "of_terminals"], "points": 2}],
     "doubles": {"No chows": 0},
     "more_doubles": [{"name": "Three concealed pungs", "when": ["three_concealed_pungs"],
                       "doubles": 1}],
     "without": ["triple_knitting"],
     "values": {"knitting": {"won": 400, "fishing": null}},
     "specials": [{"key": "gerties_garter", "name": "Gertie's Garter", "tiles": "a1-7 b1-7",
                   "won": {"share": [1, 2]}, "fishing": {"share": [1, 5]}}],
     "limits": {"ordinary": null}, "chows": 1, "one_suit": true,
     "minimum": {"doubles": 1, "points": 100}, "fishing": false, "losers_score": false,
     "payments": {"east": 1, "discarder": "for_all"},
     "passing": {"goulash": false, "prevailing": false, "most_hands": 5}}

What is left out is as in the base. A special hand is of `tiles` (`scoring.rules.shapes`), of
`pungs` or of `any` Mah-Jong, the names of conditions of `scoring.rules.conditions`, as are `when`
and `sets`. `payments` null: nobody pays. The outcome is a rule set like any other, whole.
"""

from scoring.house.declared import (
    SETS_VOCABULARY,
    SOURCE,
    VOCABULARY,
    HouseHand,
    HouseLine,
    HouseRules,
)
from scoring.house.marking import MarkedRow, MarkedSection, RowChange, marked_sections
from scoring.house.reading import BadHouseRules, read_house_rules
from scoring.rules.rule_set import RuleSet

__all__ = [
    "SETS_VOCABULARY",
    "SOURCE",
    "VOCABULARY",
    "BadHouseRules",
    "HouseHand",
    "HouseLine",
    "HouseRules",
    "MarkedRow",
    "MarkedSection",
    "RowChange",
    "house_rules",
    "marked_sections",
    "read_house_rules",
]


def house_rules(data: object) -> RuleSet:
    """The rule set that the data declares; BadHouseRules carries everything wrong with it."""
    return read_house_rules(data).rules
