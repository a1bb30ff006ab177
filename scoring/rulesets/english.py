"""English house rules: any chows, no limit to the face value, limit hands beside it."""
# ruff: noqa: E501, I001, FBT003 - a rules page is laid out in columns by hand

from dataclasses import replace

from scoring.hands.tiles import Tile, Wind
from scoring.rules.conditions import (
    all_chows, all_flowers, all_kongs, all_majors, all_pungs, all_seasons, any_hand, chosen,
    concealed_before_the_last_tile, dragon_sets, drawn_from_the_wall, east, from_the_dead_wall,
    jade_sets, kong, last_discard, last_tile_is, last_wall_tile, major, minor, no_honours,
    no_kongs, no_third_tile_claimed, not_all_flowers, not_all_seasons, not_claimed, not_east,
    of_dragons, of_own_wind, on_the_dealt_hand, on_the_first_discard, one_suit, only_jade,
    only_majors, only_possible_tile, only_terminals, own_flower, own_season, pair, pung,
    pung_or_kong, pungs_concealed, thirteenth_win, two_kongs, twofold_fortune, unless_chosen,
    wind_sets, with_honours, with_winds_and_dragons,
)
from scoring.rules.declarations import (
    BonusPoints, Choice, Chows, Double, Fixed, Form, Losers, Passing, Payments, Points, Role,
    Rounds, SetDouble, SetPoints, SpecialHand, SpecialRules, Standing, Who,
)
from scoring.rules.rule_set import RuleSet
from scoring.rules.shapes import (
    ANY_PAIRS, GATES, GATES_WITH_ANY_TILE, KNITTED, KNITTED_THREES, KNITTED_THREES_AND_ANY_PAIR,
    KNITTED_THREES_AND_ANY_TWO, KNITTED_THREES_OR_HONOURS, SNAKE, WONDERS, ByChoice,
)

EVERYONE, WINNER = Who.EVERYONE, Who.WINNER
PUNGS, ANY = Form.PUNGS, Form.ANY
HIGH, LOW = Fixed(3000), Fixed(1000)
SCORING_TABLES, LIMIT_HANDS, SETTLING_UP = "English account, scoring", "English account, limit hands", "English account, settling up"
OPTIONAL_HANDS, LAST_PARAGRAPH = "English account, optional limit hands", "English account, the last paragraph"
NOTE_30 = "English account, optional limit hands; note 30"
NOTE_28, NOTE_29 = "Note 28", "English account, optional limit hands; note 29"

# What of the paper is here:
#   tiles, seating, setting-up, playing   not here: play, but for the bonus tiles and the seats
#   going mahjong                         chows; the wash-out in passing
#   scoring                               below, in this order, each of the two tables in two parts
#   limit hands                           specials: those almost always played, then the optional ones
#   the note on limit hands               limit, special_rules, `standing` of the starred hands
#   settling up                           payments, passing
#   tactics                               not here
#   three players, thirteen times banker  seats; the last line of doubles

ONE_SUIT_WITH_HONOURS = (
    one_suit & with_honours & unless_chosen("winds_or_dragons_will_do", with_winds_and_dragons)
)

ENGLISH_1 = RuleSet(
    key="english/1",
    name="English house rules",
    limit=None,
    limit_source=f"{LIMIT_HANDS}; note 31",
    seats=(3, 4),

    set_points=(  # name                              what it is               declared  concealed
        SetPoints("Pung of 2s to 8s",                 pung & minor,                   2,         4, SCORING_TABLES),
        SetPoints("Pung of 1s, 9s, winds or dragons", pung & major,                   4,         8, SCORING_TABLES),
        SetPoints("Kong of 2s to 8s",                 kong & minor,                   8,        16, SCORING_TABLES),
        SetPoints("Kong of 1s, 9s, winds or dragons", kong & major,                  16,        32, SCORING_TABLES),
        SetPoints("Pair of dragons",                  pair & of_dragons,              2,         2, SCORING_TABLES),
        SetPoints("Pair of own wind",                 pair & of_own_wind,             2,         2, SCORING_TABLES),
    ),
    bonus_points=BonusPoints("Season or flower", 4, SCORING_TABLES),
    points=(
        Points("Mah-Jong",                            any_hand,                      20, SCORING_TABLES),
        Points("Mah-Jong with the only possible tile", only_possible_tile,            2, SCORING_TABLES),
        Points("Mah-Jong with a tile from the wall",  drawn_from_the_wall,            2, SCORING_TABLES),
        Points("All pungs",                           all_pungs,                     10, SCORING_TABLES),
        Points("All chows",                           all_chows,                     10, SCORING_TABLES),
    ),
    set_doubles=(
        SetDouble("Set of dragons",                   pung_or_kong & of_dragons,      1, SCORING_TABLES),
        SetDouble("Set of own wind",                  pung_or_kong & of_own_wind,     1, SCORING_TABLES),
    ),
    doubles=(
        Double("One suit, with winds and dragons",    ONE_SUIT_WITH_HONOURS,          1, EVERYONE, SCORING_TABLES),
        Double("Own flower",
               own_flower & unless_chosen("own_tile_beside_a_complete_set", not_all_flowers),
                                                                                      1, EVERYONE, SCORING_TABLES),
        Double("Own season",
               own_season & unless_chosen("own_tile_beside_a_complete_set", not_all_seasons),
                                                                                      1, EVERYONE, SCORING_TABLES),
        Double("Complete set of flowers",             all_flowers,                    3, EVERYONE, SCORING_TABLES),
        Double("Complete set of seasons",             all_seasons,                    3, EVERYONE, SCORING_TABLES),
        Double("Mah-Jong from the dead wall",         from_the_dead_wall,             1, WINNER,   SCORING_TABLES),
        Double("Mah-Jong with the last tile of the wall", last_wall_tile,             1, WINNER,   SCORING_TABLES),
        Double("Mah-Jong with the final discard",     last_discard,                   1, WINNER,   SCORING_TABLES),
        Double("Whole hand concealed",
               concealed_before_the_last_tile & unless_chosen("concealed_hand_on_a_claim", not_claimed),
                                                                                      1, WINNER,   SCORING_TABLES),
        Double("All 1s, 9s, winds and dragons",       only_majors,                    1, WINNER,   SCORING_TABLES),
        Double("One suit, no winds or dragons",       one_suit & no_honours,          3, WINNER,   SCORING_TABLES),
        Double("Banker's thirteenth Mah-Jong in a row", thirteenth_win & east,        7, WINNER,   LAST_PARAGRAPH),
    ),
    doubled_hands=(),
    specials=(  # key and name; made of, tiles and circumstances; Mah-Jong, one tile short, source, without Mah-Jong
        SpecialHand("heavens_blessing", "Heaven's Blessing",
                    ANY,       east & on_the_dealt_hand,                                                               HIGH, None, LIMIT_HANDS),
        SpecialHand("earths_blessing", "Earth's Blessing",
                    ANY,       not_east & on_the_first_discard,                                                        HIGH, None, LIMIT_HANDS),
        SpecialHand("thirteen_wonders", "13 Wonders",
                    WONDERS,   any_hand,                                                                               HIGH, None, LIMIT_HANDS, Standing(all_majors, HIGH)),
        SpecialHand("three_great_scholars", "Three Great Scholars",
                    PUNGS,     dragon_sets,                                                                            LOW,  None, LIMIT_HANDS, Standing(dragon_sets, LOW)),
        SpecialHand("four_blessings", "Four Blessings",
                    PUNGS,     wind_sets,                                                                              LOW,  None, LIMIT_HANDS, Standing(wind_sets, LOW)),
        SpecialHand("gates_of_heaven", "Gates of Heaven",
                    ByChoice("gates_of_heaven_with_any_tile", GATES_WITH_ANY_TILE, GATES),
                               no_third_tile_claimed,                                                                  LOW,  None, LIMIT_HANDS),
        SpecialHand("seven_pairs", "Seven Pairs",
                    ANY_PAIRS, any_hand,                                                                               LOW,  None, LIMIT_HANDS),
        SpecialHand("twofold_fortune", "Twofold Fortune",
                    ANY,       twofold_fortune & two_kongs & from_the_dead_wall & chosen("twofold_fortune", True),     HIGH, None, OPTIONAL_HANDS),
        SpecialHand("plum_blossom", "Gathering the Plum Blossom from the Roof",
                    ANY,       last_tile_is(Tile("O5")) & from_the_dead_wall & chosen("plum_blossom", True),           HIGH, None, OPTIONAL_HANDS),
        SpecialHand("plucking_the_moon", "Plucking the Moon from the Bottom of the Sea",
                    ANY,       last_tile_is(Tile("O1")) & last_wall_tile & chosen("plucking_the_moon", True),          HIGH, None, OPTIONAL_HANDS),
        SpecialHand("knitting", "Knitting",
                    KNITTED,   chosen("knitting", True),                                                               LOW,  None, OPTIONAL_HANDS),
        SpecialHand("triple_knitting", "Triple Knitting",
                    ByChoice("triple_knitting_on_two_alike", KNITTED_THREES_AND_ANY_TWO, KNITTED_THREES),
                               chosen("triple_knitting", True),                                                        LOW,  None, OPTIONAL_HANDS),
        SpecialHand("buried_treasure", "Buried Treasure",
                    PUNGS,     no_kongs & pungs_concealed & ONE_SUIT_WITH_HONOURS & chosen("buried_treasure", True),   LOW,  None, OPTIONAL_HANDS),
        SpecialHand("fourfold_plenty", "Fourfold Plenty",
                    PUNGS,     all_kongs & chosen("fourfold_plenty", True),                                            LOW,  None, OPTIONAL_HANDS),
        SpecialHand("heads_and_tails", "Heads and Tails",
                    PUNGS,     only_terminals & chosen("heads_and_tails", True),                                       LOW,  None, OPTIONAL_HANDS),
        SpecialHand("wriggling_snake", "Wriggling Snake",
                    SNAKE,     chosen("wriggling_snake", True),                                                        LOW,  None, OPTIONAL_HANDS),
        SpecialHand("imperial_jade", "Imperial Jade",
                    PUNGS,     only_jade & chosen("imperial_jade", True),                                              LOW,  None, OPTIONAL_HANDS),
    ),
    special_rules=SpecialRules(bonus_tiles_beside=False, face_of_any_shape=True, source=f"{LIMIT_HANDS}; note 31"),
    losers=Losers(score=True, source=SCORING_TABLES),
    chows=Chows(most=None, players=None, in_a_goulash=True, source="English account, playing"),
    jokers=None,
    minimum=None,
    choices=(
        Choice("own_tile_beside_a_complete_set",     True,  "Your own flower or season still doubles when you hold the complete set", NOTE_28),
        Choice("winds_or_dragons_will_do",           True,  "One suit “with winds and dragons” may have only one of the two",     NOTE_28),
        Choice("concealed_hand_on_a_claim",          False, "The whole hand counts as concealed though the last tile was claimed", NOTE_28),
        Choice("gates_of_heaven_with_any_tile",      True,  "The fourteenth tile of Gates of Heaven may be a 1 or a 9",           NOTE_28),
        Choice("triple_knitting_on_two_alike",       True,  "The pair of Triple Knitting may be two identical tiles of a suit",       NOTE_28),
        Choice("twofold_fortune",                    True,  "Twofold Fortune is played",                                          NOTE_29),
        Choice("plum_blossom",                       True,  "Gathering the Plum Blossom from the Roof is played",                 NOTE_29),
        Choice("plucking_the_moon",                  True,  "Plucking the Moon from the Bottom of the Sea is played",             NOTE_29),
        Choice("knitting",                           True,  "Knitting is played",                                                 NOTE_29),
        Choice("triple_knitting",                    True,  "Triple Knitting is played",                                          NOTE_29),
        Choice("buried_treasure",                    True,  "Buried Treasure is played",                                          NOTE_29),
        Choice("fourfold_plenty",                    True,  "Fourfold Plenty is played",                                          NOTE_29),
        Choice("heads_and_tails",                    True,  "Heads and Tails is played",                                          NOTE_29),
        Choice("wriggling_snake",                    True,  "Wriggling Snake is played",                                          NOTE_29),
        Choice("imperial_jade",                      True,  "Imperial Jade is played",                                            NOTE_29),
    ),
    payments=Payments(multiplied=Role.EAST, by=2, multiplied_with_two=True, losers_settle=True, source=f"{SETTLING_UP}; note 32"),
    passing=Passing(order=tuple(Wind), prevailing=False, goulash_after_a_draw=False, source=f"{SETTLING_UP}; note 32"),
)

# The second edition: how many rounds make a game is counted, and the pair of Imperial Jade is of
# any tile, as the paper's sentence has it (“Pungs (or kongs) of the green tiles … and a pair”; of
# Heads and Tails it says “all of 1s and 9s”).
_JADE_WITH_ANY_PAIR = jade_sets & unless_chosen("imperial_jade_on_any_pair", only_jade) & chosen("imperial_jade", True)

ENGLISH_2 = replace(
    ENGLISH_1,
    key="english/2",
    specials=tuple(
        hand._replace(when=_JADE_WITH_ANY_PAIR) if hand.key == "imperial_jade" else hand
        for hand in ENGLISH_1.specials
    ),
    choices=(
        *ENGLISH_1.choices,
        Choice("imperial_jade_on_any_pair",          True,  "The pair of Imperial Jade may be of any tile, not of green tiles only", NOTE_30),
    ),
    passing=ENGLISH_1.passing._replace(rounds=Rounds.OF_EASTS),
)

# The third edition: the pair of Triple Knitting may be of winds or dragons. The paper says of it no
# more than “And a pair”, and of a pair that it is “two of same tile”.
_ANY_KNITTED_THREES = ByChoice(
    "triple_knitting_on_winds_or_dragons",
    ByChoice("triple_knitting_on_two_alike", KNITTED_THREES_AND_ANY_PAIR, KNITTED_THREES_OR_HONOURS),
    ByChoice("triple_knitting_on_two_alike", KNITTED_THREES_AND_ANY_TWO, KNITTED_THREES),
)

ENGLISH_3 = replace(
    ENGLISH_2,
    key="english/3",
    specials=tuple(
        hand._replace(form=_ANY_KNITTED_THREES) if hand.key == "triple_knitting" else hand
        for hand in ENGLISH_2.specials
    ),
    choices=(
        *ENGLISH_2.choices,
        Choice("triple_knitting_on_winds_or_dragons", True, "The pair of Triple Knitting may be two identical winds or dragons", NOTE_30),
    ),
)

ENGLISH_EDITIONS = (ENGLISH_1, ENGLISH_2, ENGLISH_3)  # the oldest first
