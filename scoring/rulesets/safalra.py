"""Safalra's Mah Jong rules: no flowers, one suit, and scores that only add up."""
# ruff: noqa: E501, I001, FBT003 - a rules page is laid out in columns by hand

from scoring.hands.tiles import Wind
from scoring.rules.conditions import (
    any_hand, chosen, chow, drawn_from_the_wall, kong, loose_tile, no_chows, no_suit_tiles,
    of_dragons, of_honours, of_own_wind, of_suit_tiles, only_possible_tile, pung, pung_or_kong,
)
from scoring.rules.declarations import (
    Choice, Chows, Double, FourthWind, Losers, OneSuit, Passing, Points, SetDouble, SetPoints,
    Succession, Who,
)
from scoring.rules.rule_set import RuleSet

OBJECT, SCORING = "Safalra, the object of the game", "Safalra, scoring"
APPENDIX_ONE = "Safalra, appendix one"
NOTE_14 = "Worked back from the greatest score; note 14"
NOTE_16 = "Note 16"

# What of the page is here:
#   the tiles, the object of the game    bonus tiles, chows, one suit
#   scoring, for all hands               sets, in this order
#   scoring, for the winner's hand only  points and doubles below: the page's own list is lost, and
#                                        these are rebuilt so that its greatest hand scores its 2,592
#   after the game                       passing
#   appendix one                         chows, passing; the miniature game is play
#   walls, dice, precedence              not here: play

SAFALRA_1 = RuleSet(
    key="safalra/1",
    name="Safalra’s rules",
    limit=None,
    limit_source=SCORING,
    seats=(2, 3, 4),

    set_points=(  # name                       what it is              exposed  concealed
        SetPoints("Chow",                      chow,                         0,         0, SCORING),
        SetPoints("Pung of suit tiles",        pung & of_suit_tiles,         1,         2, SCORING),
        SetPoints("Pung of winds or dragons",  pung & of_honours,            2,         4, SCORING),
        SetPoints("Kong of suit tiles",        kong & of_suit_tiles,         4,         8, SCORING),
        SetPoints("Kong of winds or dragons",  kong & of_honours,            8,        16, SCORING),
    ),
    bonus_points=None,
    points=(
        Points("Mah-Jong",                     any_hand,                    10, NOTE_14),
        Points("No chows",                     no_chows,                     5, NOTE_14),
        Points("Winning tile drawn from the wall", drawn_from_the_wall,      1, NOTE_14),
        Points("Winning tile a loose tile",
               loose_tile & chosen("loose_tile_counts_as_drawn", True),      1, NOTE_16),
        Points("Only possible winning tile",   only_possible_tile,           1, NOTE_14),
    ),
    set_doubles=(
        SetDouble("Set of dragons",            pung_or_kong & of_dragons,    1, NOTE_14),
        SetDouble("Set of own wind",           pung_or_kong & of_own_wind,   1, NOTE_14),
    ),
    doubles=(
        Double("Only winds and dragons",       no_suit_tiles,                1, Who.WINNER, NOTE_14),
    ),
    doubled_hands=(),
    specials=(),
    special_rules=None,
    losers=Losers(score=True, source=OBJECT),
    chows=Chows(most=None, players=3, in_a_goulash=True, source=f"{OBJECT}; {APPENDIX_ONE}"),
    one_suit=OneSuit(source=OBJECT),
    jokers=None,
    minimum=None,
    choices=(
        Choice("loose_tile_counts_as_drawn", True, "A loose tile counts as drawn (1 point)", NOTE_16),
    ),
    payments=None,
    passing=Passing(
        order=tuple(Wind), prevailing=False, goulash_after_a_draw=False,
        succession=Succession.WINNER, fourth_wind=FourthWind.EMPTY_PLACE,
        source="Safalra, after the game; note 15",
    ),
)

SAFALRA_EDITIONS = (SAFALRA_1,)  # the oldest first
