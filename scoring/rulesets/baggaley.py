"""The rules that Stuart Baggaley taught in Michigan, where points are only added."""
# ruff: noqa: E501, I001, FBT003 - a rules page is laid out in columns by hand

from scoring.hands.tiles import FLOWER_TILES, SEASON_TILES, Wind
from scoring.rules.conditions import (
    any_hand, chow, drawn_from_the_wall, east, kong, not_claimed, of_dragons, of_own_wind,
    on_the_dealt_hand, pair, pung, sets_and_a_pair, unless_chosen,
)
from scoring.rules.declarations import (
    Adding, BonusPoints, Bouquet, Choice, ChowDragon, Chows, Fixed, Form, LastTile, Losers,
    Passing, Points, SetPoints, SpecialHand,
)
from scoring.rules.rule_set import RuleSet
from scoring.rules.shapes import ANY_PAIRS, DIFFERENT_PAIRS, ByChoice, Unrelated

SCORING, MAH_JONGG = "Baggaley, Scoring", "Baggaley, Mah-Jongg; note 26"
NOTE_25, NOTE_26 = "Note 25", "Note 26"

# What of the document is here (it has no pages; these are its headings and its table "Scoring"):
#   Claiming a tile, Dragons, Mah-Jongg   kongs, dragons, the last tile    below
#   Scoring                               every row of the table           below, in this order
#   The game starts                       East, North, West, South         passing
#   Twittering, Breaking the Wall         how the tiles are dealt          not here: play
#   a money penalty                       told of others                   not here: entered as adjustments
# The four red flowers are F1 to F4, the four blue ones S1 to S4; none belongs to a wind.

BAGGALEY_2007 = RuleSet(
    key="baggaley/2007",
    name="Stuart Baggaley’s rules",
    limit=None,
    limit_source=NOTE_25,
    seats=(4,),

    set_points=(  # name                    what it is          open  closed
        SetPoints("Chow",                   chow,                  2,      2, SCORING),
        SetPoints("Pair of dragons",        pair & of_dragons,     2,      2, SCORING),
        SetPoints("Pair of own wind",       pair & of_own_wind,    2,      2, SCORING),
        SetPoints("Peng",                   pung,                  4,      4, SCORING),
        SetPoints("Open kong",              kong,                 16,      0, SCORING),
        SetPoints("Closed kong",            kong,                  0,     32, SCORING),
    ),
    bonus_points=BonusPoints("Flower", 4, SCORING),
    points=(
        Points("Mah-Jongg", any_hand & unless_chosen("mahjongg_beside_pairs_and_orphans", sets_and_a_pair),
                                                          20, SCORING),
    ),
    adding=Adding(
        dragons=(  # key            name            one suit
            ChowDragon("mixed_dragon", "Mixed dragon", False, 16, SCORING),
            ChowDragon("pure_dragon",  "Pure dragon",  True,  32, SCORING),
        ),
        chows_beside_a_dragon="chows_beside_a_dragon",
        bouquets=(
            Bouquet("Bouquet of red flowers",  FLOWER_TILES, 32, SCORING),
            Bouquet("Bouquet of blue flowers", SEASON_TILES, 32, SCORING),
        ),
        flowers_beside_a_bouquet="flowers_beside_a_bouquet",
        last_tile=LastTile("Completed by the drawn last tile", drawn_from_the_wall, 2, MAH_JONGG),
    ),
    set_doubles=(),
    doubles=(),
    doubled_hands=(),
    specials=(  # key             name              made of                                                                    added     fishing
        SpecialHand("orphan", "Orphan",
                    ByChoice("orphan_in_three_rows", Unrelated(in_rows=True), Unrelated()),              any_hand,    Fixed(40),  None, SCORING),
        SpecialHand("seven_pairs", "Seven pairs",
                    ByChoice("pairs_may_repeat", ANY_PAIRS, DIFFERENT_PAIRS),                            not_claimed, Fixed(40),  None, SCORING),
        SpecialHand("heavenly_bliss", "Heavenly Bliss", Form.ANY,                       east & on_the_dealt_hand, Fixed(100), None, SCORING),
    ),
    special_rules=None,
    losers=Losers(score=True, unless="winner_only", source=NOTE_25),
    chows=Chows(most=None, players=None, in_a_goulash=True, source="Baggaley, Mah-Jongg"),
    jokers=None,
    minimum=None,
    choices=(
        Choice("winner_only",                       False, "Only the winner scores their hand",                                 NOTE_25),
        Choice("chows_beside_a_dragon",             False, "The three chows of a dragon score "
                                                           "their own points too",          NOTE_25),
        Choice("flowers_beside_a_bouquet",          False, "The four flowers of a bouquet score "
                                                           "their own points too",        NOTE_25),
        Choice("mahjongg_beside_pairs_and_orphans", True,  "Seven pairs and orphans also receive "
                                                           "the 20 points for Mah-Jongg", NOTE_25),
        Choice("orphan_in_three_rows",              False, "An orphan's suit tiles are of 1-4-7, "
                                                           "2-5-8 and 3-6-9, each row in a suit "
                                                           "of its own", NOTE_26),
        Choice("pairs_may_repeat",                  True,  "Seven pairs may hold four of a kind "
                                                           "as two pairs",                "Note 1"),
    ),
    payments=None,
    passing=Passing(order=(Wind.E, Wind.N, Wind.W, Wind.S), prevailing=False, goulash_after_a_draw=False, first_to=100, source="Baggaley, The game starts; note 27"),
)

BAGGALEY_EDITIONS = (BAGGALEY_2007,)  # the oldest first
