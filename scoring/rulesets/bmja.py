"""The rules of the British Mah-Jong Association as Peter Gregory sets them out."""
# ruff: noqa: E501, I001, FBT003 - a rules page is laid out in columns by hand

from scoring.hands.tiles import Tile, Wind
from scoring.rules.conditions import (
    all_concealed, all_flowers, all_kongs, all_seasons, any_hand, chosen, chow,
    concealed_before_the_last_tile, dragon_sets, drawn_from_the_wall, east, kong, last_discard,
    last_tile_is, last_wall_tile, loose_tile, major, minor, no_chows, no_honours, no_kongs,
    not_a_goulash, not_claimed, not_east, of_dragons, of_own_wind, of_prevailing_wind,
    on_the_dealt_hand, on_the_first_discard, one_suit, only_honours, only_jade, only_majors,
    only_terminals, original_call, own_flower, own_season, pair, pung, pung_or_kong,
    robbed_kong, two_kongs, twofold_fortune, unless_chosen, wind_sets, with_green_dragons,
    with_honours, with_suit_tiles, with_terminals,
)
from scoring.rules.declarations import (
    BonusPoints, Choice, Chows, Double, DoubledHand, Form, Jokers, Losers, Minimum, Passing,
    Payments, Points, Reach, Role, SetDouble, SetPoints, Share, SpecialHand, SpecialRules, Who,
)
from scoring.rules.rule_set import Consequence
from scoring.rules.rule_set import Fine
from scoring.rules.rule_set import Incident
from scoring.rules.rule_set import Payee
from scoring.rules.rule_set import Status
from scoring.rules.rule_set import RuleSet
from scoring.rules.shapes import (
    DIFFERENT_MAJOR_PAIRS, GATES, KNITTED, KNITTED_IN_ANY_SUITS, KNITTED_THREES, MAJOR_PAIRS,
    SNAKE, WONDERS, ByChoice,
)

EVERYONE, WINNER = Who.EVERYONE, Who.WINNER
PUNGS, ANY = Form.PUNGS, Form.ANY
FULL_LIMIT, HALF_LIMIT = Share(1, 1), Share(1, 2)
TWO_FIFTHS, ONE_FIFTH = Share(2, 5), Share(1, 5)
PLAY_ON, PAY_FOR_ALL = Consequence.NONE, Consequence.PAYS_FOR_ALL
INFERRED = Status.INFERRED
STAGE_2, STAGE_3 = "Gregory, stage 2", "Gregory, stage 3"
NOTE_2, NOTE_3 = "Gregory’s website, Doubling; note 2", "Gregory’s website, Special hands; note 3"
NOTE_4, NOTE_5, NOTE_6 = "Note 4", "Note 5", "Note 6"
NOTE_9 = "Note 9"

# What of the book is here:
#   stage 2   sets, pairs, going out, doubles for sets, the limit    below, in this order
#   stage 3   kongs, flowers and seasons, original call              below
#   stage 4   doubles of the winner                                  below (the book's page 26)
#   stage 5   special hands                                          below (the book's pages 28 to 30)
#   stage 6   tallies                                                not here: a matter of counters
#   stage 7   goulash                                                chows, jokers, passing; the exchanges are play
#   page 21   two, three and five players                            chows, minimum, payments, passing
#   penalties                                                        the last lines below; choices

BMJA_2008 = RuleSet(
    key="bmja/2008",
    name="BMJA rules",
    limit=1000,
    limit_source=STAGE_2,
    seats=(2, 3, 4, 5),

    set_points=(  # name                              what it is                 exposed  concealed
        SetPoints("Chow",                             chow,                            0,         0, STAGE_2),
        SetPoints("Pung of 2s to 8s",                 pung & minor,                    2,         4, STAGE_2),
        SetPoints("Pung of 1s, 9s, winds or dragons", pung & major,                    4,         8, STAGE_2),
        SetPoints("Kong of 2s to 8s",                 kong & minor,                    8,        16, STAGE_3),
        SetPoints("Kong of 1s, 9s, winds or dragons", kong & major,                   16,        32, STAGE_3),
        SetPoints("Pair of dragons",                  pair & of_dragons,               2,         2, STAGE_2),
        SetPoints("Pair of own wind",                 pair & of_own_wind,              2,         2, STAGE_2),
        SetPoints("Pair of the prevailing wind",      pair & of_prevailing_wind,       2,         2, STAGE_2),
    ),
    bonus_points=BonusPoints("Flower or season", 4, STAGE_3),
    points=(
        Points("Mah-Jong",                            any_hand,                       20, STAGE_2),
        Points("Winning tile drawn from the wall",    drawn_from_the_wall,             2, STAGE_2),
        Points("Winning tile a loose tile",
               loose_tile & chosen("plus2_on_loose_tile", True),                       2, NOTE_4),
    ),
    set_doubles=(
        SetDouble("Set of dragons",                   pung_or_kong & of_dragons,          1, STAGE_2),
        SetDouble("Set of own wind",                  pung_or_kong & of_own_wind,         1, STAGE_2),
        SetDouble("Set of the prevailing wind",       pung_or_kong & of_prevailing_wind,  1, STAGE_2),
    ),
    doubles=(
        Double("Own flower",                 own_flower,     1, EVERYONE, STAGE_3,  Reach.BONUS_TILES),
        Double("Own season",                 own_season,     1, EVERYONE, STAGE_3,  Reach.BONUS_TILES),
        Double("Bouquet of flowers",         all_flowers,    2, EVERYONE, STAGE_3,  Reach.BONUS_TILES, instead_of=("Own flower",)),
        Double("Bouquet of seasons",         all_seasons,    2, EVERYONE, STAGE_3,  Reach.BONUS_TILES, instead_of=("Own season",)),
        Double("Original call",              original_call,  1, EVERYONE, STAGE_3),
        Double("No chows",                   no_chows & not_a_goulash,  1, WINNER, NOTE_2),
        Double("One suit, with winds or dragons",
               one_suit & with_honours,                      1, WINNER,   NOTE_2),
        Double("Only 1s or 9s, with winds or dragons",
               only_majors & with_terminals & with_honours,  1, WINNER,   NOTE_2),
        Double("All concealed, suits with winds or dragons",
               all_concealed & with_suit_tiles & with_honours, 1, WINNER, NOTE_2),
        Double("Won on a loose tile",        loose_tile,     1, WINNER,   NOTE_2),
        Double("Won on the last tile of the wall", last_wall_tile, 1, WINNER, NOTE_2),
        Double("Won on the final discard",   last_discard,   1, WINNER,   NOTE_2, Reach.EVERYTHING),
        Double("Robbing a kong",             robbed_kong,    1, WINNER,   NOTE_2),
        Double("Mah-Jong on the original call",
               original_call & chosen("original_call_winner_doubles", 2), 1, WINNER, NOTE_5),
    ),
    doubled_hands=(
        DoubledHand("purity", "Purity", one_suit & no_honours, 3, EVERYONE,
                    also=(Points("Winning tile a loose tile",
                                 loose_tile & chosen("plus2_on_loose_tile", False), 2, NOTE_4),),
                    source=NOTE_3),
    ),
    specials=(  # key                name                      made of  tiles                                          won    fishing
        SpecialHand("all_pair_honours", "All Pair Honours",
                    ByChoice("honour_pairs_may_repeat", MAJOR_PAIRS, DIFFERENT_MAJOR_PAIRS),   any_hand, HALF_LIMIT, ONE_FIFTH,  NOTE_3),
        SpecialHand("knitting", "Knitting",
                    ByChoice("knitting_in_any_two_suits", KNITTED_IN_ANY_SUITS, KNITTED),      any_hand, HALF_LIMIT, ONE_FIFTH,  NOTE_3),
        SpecialHand("triple_knitting", "Triple Knitting",         KNITTED_THREES,              any_hand, HALF_LIMIT, ONE_FIFTH,  NOTE_3),
        SpecialHand("imperial_jade", "Imperial Jade",             PUNGS,
                    only_jade & unless_chosen("imperial_jade_without_green_dragons", with_green_dragons),
                                                                                                         FULL_LIMIT, TWO_FIFTHS, NOTE_3),
        SpecialHand("thirteen_unique_wonders", "Thirteen Unique Wonders", WONDERS,      any_hand, FULL_LIMIT, TWO_FIFTHS, NOTE_3),
        SpecialHand("gates_of_heaven", "Gates of Heaven",         GATES,
                    unless_chosen("gates_of_heaven_on_a_claim", not_claimed),                            FULL_LIMIT, TWO_FIFTHS, NOTE_3),
        SpecialHand("wriggling_snake", "Wriggling Snake",         SNAKE,                       any_hand, FULL_LIMIT, TWO_FIFTHS, NOTE_3),
        SpecialHand("buried_treasure", "Buried Treasure",         PUNGS,
                    no_kongs & concealed_before_the_last_tile & one_suit
                    & unless_chosen("buried_treasure_without_honours", with_honours),                    FULL_LIMIT, TWO_FIFTHS, NOTE_3),
        SpecialHand("all_winds_and_dragons", "All Winds and Dragons", PUNGS, only_honours,                FULL_LIMIT, TWO_FIFTHS, NOTE_3),
        SpecialHand("heads_and_tails", "Heads and Tails",         PUNGS, only_terminals,                  FULL_LIMIT, TWO_FIFTHS, NOTE_3),
        SpecialHand("fourfold_plenty", "Fourfold Plenty",         PUNGS, all_kongs,                       FULL_LIMIT, TWO_FIFTHS, NOTE_3),
        SpecialHand("three_great_scholars", "Three Great Scholars", PUNGS, dragon_sets,        FULL_LIMIT, TWO_FIFTHS, NOTE_3),
        SpecialHand("four_blessings", "Four Blessings Hovering over the Door", PUNGS, wind_sets,          FULL_LIMIT, TWO_FIFTHS, NOTE_3),
        SpecialHand("heavens_blessing", "Heaven's Blessing",      ANY, east & on_the_dealt_hand,         FULL_LIMIT, None, NOTE_3),
        SpecialHand("earths_blessing", "Earth's Blessing",        ANY, not_east & on_the_first_discard,  FULL_LIMIT, None, NOTE_3),
        SpecialHand("plum_blossom", "Gathering the Plum Blossom from the Roof", ANY,
                    last_tile_is(Tile("O5")) & loose_tile,                                               FULL_LIMIT, None, NOTE_3),
        SpecialHand("plucking_the_moon", "Plucking the Moon from the Bottom of the Sea", ANY,
                    last_tile_is(Tile("O1")) & last_wall_tile,                                           FULL_LIMIT, None, NOTE_3),
        SpecialHand("twofold_fortune", "Twofold Fortune",         ANY,
                    twofold_fortune & two_kongs & loose_tile,                                            FULL_LIMIT, None, NOTE_3),
    ),
    special_rules=SpecialRules(bonus_tiles_beside=True, face_of_any_shape=False, source=NOTE_3),
    losers=Losers(score=True, source=STAGE_2),
    chows=Chows(most=1, players=4, in_a_goulash=False, source="Gregory, stage 1; note 11"),
    jokers=Jokers(in_a_pung=1, in_a_kong=2, source=NOTE_6),
    minimum=Minimum(players=2, doubles=4, points=500, source="Note 12"),
    choices=(
        Choice("plus2_on_loose_tile",                False, "A loose tile counts as drawn (2 points) in every hand, not in Purity alone", NOTE_4),
        Choice("original_call_winner_doubles",       2,     "Doubles of a winner for the original call, 1 or 2",                       NOTE_5),
        Choice("honour_pairs_may_repeat",            True,  "All Pair Honours may hold four of a kind as two pairs",                   NOTE_3),
        Choice("knitting_in_any_two_suits",          False, "In Knitting each pair may choose its own two suits",                      NOTE_3),
        Choice("imperial_jade_without_green_dragons", True, "Imperial Jade needs no green dragons",                                    NOTE_3),
        Choice("gates_of_heaven_on_a_claim",         True,  "Gates of Heaven may be completed by a claimed tile",                      NOTE_3),
        Choice("buried_treasure_without_honours",    True,  "Buried Treasure needs no winds or dragons",                               NOTE_3),
        Choice("false_mahjong_in_all",               False, "A false Mah-Jong costs half the limit in all, not to each other player",  "Note 10"),
    ),
    payments=Payments(multiplied=Role.EAST, by=2, multiplied_with_two=False, losers_settle=True, source="Gregory’s website, Settling up; note 7"),
    passing=Passing(order=tuple(Wind), prevailing=True, goulash_after_a_draw=True, source="Note 8"),
    penalties=(  # key                    what happened                                         fine                      the hand                source and how sure it is
        Incident("misnamed_discard",      "Discard wrongly named and claimed for a set",        Fine(50, Payee.CLAIMANT), PLAY_ON,                NOTE_9, INFERRED),
        Incident("misnamed_for_mahjong",  "Discard wrongly named and claimed for Mah-Jong",     None,                     PAY_FOR_ALL,            NOTE_9, INFERRED),
        Incident("false_mahjong",         "False Mah-Jong, before another hand was exposed",    None,                     PLAY_ON,                NOTE_9, INFERRED),
        Incident("false_mahjong_exposed", "False Mah-Jong, after another hand was exposed",
                 Fine(HALF_LIMIT, Payee.EACH_OTHER, divided_if="false_mahjong_in_all"),                                   Consequence.VOID,       "Note 9; note 10", Status.OPEN),
        Incident("too_few_tiles",         "Too few tiles",                                      None,                     Consequence.NO_MAHJONG, NOTE_9, INFERRED),
        Incident("too_many_tiles",        "Too many tiles",                                     None,                     Consequence.NO_SCORE,   NOTE_9, INFERRED),
        Incident("wrong_claim_corrected", "Wrong claim, corrected before the next draw",        None,                     PLAY_ON,                NOTE_9, INFERRED),
        Incident("wrong_claim",           "Wrong claim, not corrected before the next draw",    None,                     Consequence.SET_STAYS,  NOTE_9, INFERRED),
        Incident("cannon",                "Letting off a cannon, where the table calls it one", None,                     PAY_FOR_ALL,            NOTE_9, INFERRED),
    ),
)

BMJA_EDITIONS = (BMJA_2008,)  # the oldest first
