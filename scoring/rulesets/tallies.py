"""British rules with tallies (Ultra Board Games): the winner alone scores, the winds stay, the deal moves."""
# ruff: noqa: E501, I001, FBT003 - a rules page is laid out in columns by hand

from dataclasses import replace

from scoring.hands.tiles import Tile, Wind
from scoring.rules.conditions import (
    Chosen, all_concealed, all_flowers, all_kongs, all_seasons, any_hand, chow,
    concealed_before_the_last_tile, dealer, dragon_sets, drawn_from_the_wall, kong,
    last_discard, last_tile_is, last_wall_tile, loose_tile, major, minor, no_chows, no_honours,
    no_kongs, not_claimed, not_the_dealer, not_the_last_wall_tile, of_dragons, of_other_winds,
    of_own_wind, of_prevailing_wind, of_terminals, on_the_dealt_hand, on_the_first_turn,
    one_suit, only_honours, only_jade, only_majors, only_terminals, original_call, own_flower,
    own_season, pair, pung, pung_or_kong, robbed_kong, two_kongs, twofold_fortune,
    unless_chosen, wind_sets, with_green_dragons, with_honours, with_terminals,
)
from scoring.rules.declarations import (
    BonusPoints, Choice, Chows, Double, DoubledHand, FirstDealer, Form, Losers, Minimum,
    Passing, Payments, Points, Reach, Role, SetDouble, SetPoints, Share, SpecialHand,
    SpecialRules, Succession, Who,
)
from scoring.rules.rule_set import RuleSet
from scoring.rules.shapes import (
    DIFFERENT_MAJOR_PAIRS, GATES, KNITTED, KNITTED_IN_ANY_SUITS, KNITTED_THREES, MAJOR_PAIRS,
    SNAKE, WONDERS, ByChoice,
)

WINNER = Who.WINNER
PUNGS, ANY = Form.PUNGS, Form.ANY
FULL_LIMIT, HALF_LIMIT = Share(1, 1), Share(1, 2)
TILES_SECTION, END_OF_GAME, MAHJONG_BONUS = "Ultra Board Games, the tiles", "Ultra Board Games, end of the game", "Ultra Board Games, Mahjong bonus"
NOTE_17, NOTE_20 = "Note 17", "Note 20"
NOTE_18, NOTE_19 = "Note 18", "Note 19"

# What of the page is here:
#   the tiles              which sets and bonus tiles score and double
#   sets of tiles          below; Mahjong: losers
#   setup, game play       not here: play
#   the next game          passing
#   calculating scores     limit
#   basic scoring          sets, in this order: the page's own table is lost
#   Mahjong bonus          points and doubles of the ways to win, Heavenly and Earthly Hand
#   special hands          the BMJA's: the page's own list is lost
#   paying out             payments
#   variants               chows, minimum, payments, passing

TALLIES_1 = RuleSet(
    key="tallies/1",
    name="British rules with tallies",
    limit=2000,
    limit_source=END_OF_GAME,
    seats=(2, 3, 4, 5),

    set_points=(  # name                              what it is                 exposed  concealed
        SetPoints("Chow",                             chow,                            0,         0, "Ultra Board Games, sets of tiles"),
        SetPoints("Pung of 2s to 8s",                 pung & minor,                    2,         4, NOTE_17),
        SetPoints("Pung of 1s, 9s, winds or dragons", pung & major,                    4,         8, NOTE_17),
        SetPoints("Kong of 2s to 8s",                 kong & minor,                    8,        16, NOTE_17),
        SetPoints("Kong of 1s, 9s, winds or dragons", kong & major,                   16,        32, NOTE_17),
        SetPoints("Pair of dragons",                  pair & of_dragons,               2,         2, NOTE_17),
        SetPoints("Pair of own wind",                 pair & of_own_wind,              2,         2, NOTE_17),
        SetPoints("Pair of the prevailing wind",      pair & of_prevailing_wind,       2,         2, NOTE_17),
        SetPoints("Pair of 1s or 9s",                 pair & of_terminals,             0,         0, "Note 24"),
    ),
    bonus_points=BonusPoints("Flower or season", 4, NOTE_17),
    points=(
        Points("Mah-Jong",                            any_hand,                       20, MAHJONG_BONUS),
        Points("Winning tile drawn from the wall",
               drawn_from_the_wall & not_the_last_wall_tile,                           2, MAHJONG_BONUS),
        Points("All concealed",                       all_concealed,                  10, MAHJONG_BONUS),
    ),
    set_doubles=(
        SetDouble("Set of dragons",                   pung_or_kong & of_dragons,          1, TILES_SECTION),
        SetDouble("Set of own wind",                  pung_or_kong & of_own_wind,         1, TILES_SECTION),
        SetDouble("Set of the prevailing wind",       pung_or_kong & of_prevailing_wind,  1, "Ultra Board Games, setup"),
    ),
    doubles=(
        Double("Own flower",                 own_flower,     1, WINNER, TILES_SECTION,  Reach.BONUS_TILES),
        Double("Own season",                 own_season,     1, WINNER, TILES_SECTION,  Reach.BONUS_TILES),
        Double("Bouquet of flowers",         all_flowers,    1, WINNER, TILES_SECTION,  Reach.BONUS_TILES),
        Double("Bouquet of seasons",         all_seasons,    1, WINNER, TILES_SECTION,  Reach.BONUS_TILES),
        Double("No chows",                   no_chows,       1, WINNER, NOTE_18),
        Double("One suit, with winds or dragons",
               one_suit & with_honours,                      1, WINNER, NOTE_18),
        Double("Only 1s or 9s, with winds or dragons",
               only_majors & with_terminals & with_honours,  1, WINNER, NOTE_18),
        Double("Won on the last tile of the wall", last_wall_tile, 1, WINNER, MAHJONG_BONUS),
        Double("Won on the final discard",   last_discard,   1, WINNER, MAHJONG_BONUS,  Reach.EVERYTHING),
        Double("Robbing a kong",             robbed_kong,    1, WINNER, MAHJONG_BONUS),
        Double("Original call",              original_call,  1, WINNER, NOTE_20),
    ),
    doubled_hands=(
        DoubledHand("purity", "Purity", one_suit & no_honours, 3, WINNER, also=(), source=NOTE_20),
    ),
    specials=(  # key                name                      made of  tiles                                          won    fishing
        SpecialHand("all_pair_honours", "All Pair Honours",
                    ByChoice("honour_pairs_may_repeat", MAJOR_PAIRS, DIFFERENT_MAJOR_PAIRS),   any_hand, HALF_LIMIT, None, NOTE_19),
        SpecialHand("knitting", "Knitting",
                    ByChoice("knitting_in_any_two_suits", KNITTED_IN_ANY_SUITS, KNITTED),      any_hand, HALF_LIMIT, None, NOTE_19),
        SpecialHand("triple_knitting", "Triple Knitting",         KNITTED_THREES,              any_hand, HALF_LIMIT, None, NOTE_19),
        SpecialHand("imperial_jade", "Imperial Jade",             PUNGS,
                    only_jade & unless_chosen("imperial_jade_without_green_dragons", with_green_dragons),
                                                                                                         FULL_LIMIT, None, NOTE_19),
        SpecialHand("thirteen_unique_wonders", "Thirteen Unique Wonders", WONDERS,             any_hand, FULL_LIMIT, None, NOTE_19),
        SpecialHand("gates_of_heaven", "Gates of Heaven",         GATES,
                    unless_chosen("gates_of_heaven_on_a_claim", not_claimed),                            FULL_LIMIT, None, NOTE_19),
        SpecialHand("wriggling_snake", "Wriggling Snake",         SNAKE,                       any_hand, FULL_LIMIT, None, NOTE_19),
        SpecialHand("buried_treasure", "Buried Treasure",         PUNGS,
                    no_kongs & concealed_before_the_last_tile & one_suit
                    & unless_chosen("buried_treasure_without_honours", with_honours),                    FULL_LIMIT, None, NOTE_19),
        SpecialHand("all_winds_and_dragons", "All Winds and Dragons", PUNGS, only_honours,               FULL_LIMIT, None, NOTE_19),
        SpecialHand("heads_and_tails", "Heads and Tails",         PUNGS, only_terminals,                 FULL_LIMIT, None, NOTE_19),
        SpecialHand("fourfold_plenty", "Fourfold Plenty",         PUNGS, all_kongs,                      FULL_LIMIT, None, NOTE_19),
        SpecialHand("three_great_scholars", "Three Great Scholars", PUNGS, dragon_sets,                  FULL_LIMIT, None, NOTE_19),
        SpecialHand("four_blessings", "Four Blessings Hovering over the Door", PUNGS, wind_sets,         FULL_LIMIT, None, NOTE_19),
        SpecialHand("heavens_blessing", "Heavenly Hand",          ANY, dealer & on_the_dealt_hand,         FULL_LIMIT, None, MAHJONG_BONUS),
        SpecialHand("earths_blessing", "Earthly Hand",            ANY, not_the_dealer & on_the_first_turn, FULL_LIMIT, None, MAHJONG_BONUS),
        SpecialHand("plum_blossom", "Gathering the Plum Blossom from the Roof", ANY,
                    last_tile_is(Tile("O5")) & loose_tile,                                               FULL_LIMIT, None, NOTE_19),
        SpecialHand("plucking_the_moon", "Plucking the Moon from the Bottom of the Sea", ANY,
                    last_tile_is(Tile("O1")) & last_wall_tile,                                           FULL_LIMIT, None, NOTE_19),
        SpecialHand("twofold_fortune", "Twofold Fortune",         ANY,
                    twofold_fortune & two_kongs & loose_tile,                                            FULL_LIMIT, None, NOTE_19),
    ),
    special_rules=SpecialRules(bonus_tiles_beside=True, face_of_any_shape=False, source=NOTE_20),
    losers=Losers(score=False, source=END_OF_GAME),
    chows=Chows(most=None, players=4, in_a_goulash=True, source="Ultra Board Games, sets of tiles; note 21"),
    jokers=None,
    minimum=Minimum(players=2, doubles=4, points=500, source="Note 21"),
    choices=(
        Choice("honour_pairs_may_repeat",            True,  "All Pair Honours may hold four of a kind as two pairs", NOTE_19),
        Choice("knitting_in_any_two_suits",          False, "In Knitting each pair may choose its own two suits",    NOTE_19),
        Choice("imperial_jade_without_green_dragons", True, "Imperial Jade needs no green dragons",                  NOTE_19),
        Choice("gates_of_heaven_on_a_claim",         True,  "Gates of Heaven may be completed by a claimed tile",    NOTE_19),
        Choice("buried_treasure_without_honours",    True,  "Buried Treasure needs no winds or dragons",             NOTE_19),
    ),
    payments=Payments(
        multiplied=Role.DEALER, by=2, multiplied_with_two=False, losers_settle=False, discarder_alone=2,
        source="Ultra Board Games, paying out; note 23",
    ),
    passing=Passing(
        order=tuple(Wind), prevailing=True, goulash_after_a_draw=False,
        succession=Succession.WINNER_DEALS, hands_of_a_wind=5,
        source="Ultra Board Games, setting up the next game; note 22",
    ),
)

# The second edition: the table may name the first dealer, whom the page's dice choose, and every
# pair of winds, 1s and 9s may score, as the page says in words without saying how much.
OTHER_PAIRS = Chosen("other_pairs_score", True)

TALLIES_2 = replace(
    TALLIES_1,
    key="tallies/2",
    set_points=(
        *(line for line in TALLIES_1.set_points if line.name != "Pair of 1s or 9s"),
        SetPoints("Pair of another wind",             pair & of_other_winds,           2,         2, END_OF_GAME, OTHER_PAIRS),
        SetPoints("Pair of 1s or 9s",                 pair & of_terminals,             2,         2, END_OF_GAME, OTHER_PAIRS),
    ),
    choices=(
        *TALLIES_1.choices,
        Choice("other_pairs_score",                  False, "Pairs of the other winds and of 1s or 9s score 2 points too", "Ultra Board Games, end of the game; note 24"),
    ),
    passing=TALLIES_1.passing._replace(first_dealer=FirstDealer.NAMED),
)

TALLIES_EDITIONS = (TALLIES_1, TALLIES_2)  # the oldest first
