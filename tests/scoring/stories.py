"""Hands and endings told as they cannot have been, and their like that can; with the notices."""

from typing import Any

Fields = dict[str, Any]

CLAIMED = {"tiles": ["B2", "B2", "B2"], "exposed": True}
CONCEALED_KONG = {"tiles": ["B3", "B3", "B3", "B3"], "exposed": False}
OPEN_KONG = {"tiles": ["B4", "B4", "B4", "B4"], "exposed": True}
IN_HAND = ("B1", "B5", "B7", "B8")


def mahjong(*sets: Fields, **more: Any) -> Fields:
    """A Mah-Jong of one suit, completed by a 9, with these sets on the table."""
    concealed = [tile for tile in IN_HAND[len(sets) :] for _copy in range(3)] + ["B9", "B9"]
    fields = {"sets": [*sets], "concealed": concealed, "mahjong": True, "winning_tile": "B9"}
    return fields | more


def loser(**more: Any) -> Fields:
    return {"concealed": ["B1"] * 3 + ["B5"] * 3 + ["C1"] * 3 + ["C5"] * 4, "mahjong": False} | more


STORIES: list[tuple[str, str, Fields, list[tuple[str, str]]]] = [
    (
        "the Plum Blossom without a kong or a bonus tile",
        "bmja",
        mahjong(concealed=["B1"] * 3 + ["B5"] * 3 + ["B7"] * 3 + ["B8"] * 3 + ["O5", "O5"])
        | {"winning_tile": "O5", "won_by": "loose_tile"},
        [("no_loose_tile", "won_by")],
    ),
    (
        "a loose tile after a season",
        "bmja",
        mahjong(CLAIMED, won_by="loose_tile", bonus=["S2"]),
        [],
    ),
    ("a loose tile after a kong", "safalra", mahjong(CONCEALED_KONG, won_by="loose_tile"), []),
    (
        "Heaven's Blessing with a claimed set",
        "bmja",
        mahjong(CLAIMED, won_by="dealt"),
        [("set_before_first_turn", "won_by")],
    ),
    (
        "Heaven's Blessing of South",
        "bmja",
        mahjong(won_by="dealt", seat_wind="S"),
        [("not_the_dealer", "won_by")],
    ),
    (
        "the Heavenly Hand of a dealer who is South",
        "tallies",
        mahjong(won_by="dealt", seat_wind="S", dealer=True),
        [],
    ),
    (
        "the Heavenly Hand of East who does not deal",
        "tallies",
        mahjong(won_by="dealt", seat_wind="E", dealer=False),
        [("not_the_dealer", "won_by")],
    ),
    (
        "Earth's Blessing with a claimed set",
        "english",
        mahjong(CLAIMED, seat_wind="S", won_by="first_discard"),
        [("set_before_first_turn", "won_by")],
    ),
    (
        "East's own first discard",
        "bmja",
        mahjong(won_by="first_discard"),
        [("own_discard", "won_by")],
    ),
    (
        "the Earthly Hand with a claimed set",
        "tallies",
        mahjong(CLAIMED, seat_wind="S", won_by="first_draw"),
        [("set_before_first_turn", "won_by")],
    ),
    (
        "a first draw after a claim, which is a tile from the wall like any other",
        "bmja",
        mahjong(CLAIMED, seat_wind="S", won_by="first_draw"),
        [],
    ),
    (
        "a robbed kong of which the winner holds three",
        "bmja",
        mahjong(
            concealed=["B1"] * 3 + ["B5"] * 3 + ["B7"] * 3 + ["B8"] * 2 + ["B9"] * 3,
            won_by="robbed_kong",
        ),
        [("robbed_tile_held", "winning_tile")],
    ),
    (
        "a robbed kong whose tile makes a chow",
        "bmja",
        mahjong(
            concealed=["B1"] * 3 + ["B5"] * 3 + ["C1"] * 3 + ["C7", "C8", "C9"] + ["O1", "O1"],
            winning_tile="C9",
            won_by="robbed_kong",
        ),
        [],
    ),
    (
        "an original call with a claimed set",
        "bmja",
        mahjong(CLAIMED, won_by="wall", facts=["original_call"]),
        [("altered_call", "facts")],
    ),
    (
        "an original call of a loser with a claimed set",
        "bmja",
        {"sets": [CLAIMED], "concealed": ["B9"] * 3 + ["C1"] * 3 + ["C5"] * 4, "mahjong": False}
        | {"facts": ["original_call"]},
        [("altered_call", "facts")],
    ),
    (
        "an original call that is won on the final discard",
        "bmja",
        mahjong(won_by="last_discard", facts=["original_call"]),
        [],
    ),
    (
        "an original call on the dealt tiles",
        "bmja",
        mahjong(won_by="dealt", facts=["original_call"]),
        [("early_call", "facts")],
    ),
    (
        "Twofold Fortune with one kong",
        "bmja",
        mahjong(OPEN_KONG, won_by="loose_tile", facts=["twofold_fortune"]),
        [("no_twofold_fortune", "facts")],
    ),
    (
        "Twofold Fortune on a discard",
        "bmja",
        mahjong(OPEN_KONG, CONCEALED_KONG, won_by="discard", facts=["twofold_fortune"]),
        [("no_twofold_fortune", "facts")],
    ),
    (
        "Twofold Fortune",
        "bmja",
        mahjong(OPEN_KONG, CONCEALED_KONG, won_by="loose_tile", facts=["twofold_fortune"]),
        [],
    ),
    (
        "the only possible tile and not the only one",
        "english",
        mahjong(won_by="wall", facts=["only_possible_tile", "not_only_possible_tile"]),
        [("opposite_facts", "facts")],
    ),
    (
        "a thirteenth Mah-Jong in a row of South",
        "english",
        mahjong(won_by="wall", seat_wind="S", facts=["thirteenth_win"]),
        [("thirteenth_not_dealer", "facts")],
    ),
    (
        "a loser who is told how he won",
        "bmja",
        loser(won_by="wall", winning_tile="B1", facts=["thirteenth_win"]),
        [
            ("not_a_mahjong", "won_by"),
            ("not_a_mahjong", "winning_tile"),
            ("not_a_mahjong", "facts"),
        ],
    ),
    ("five at a table", "english", loser(players=5), [("players_not_seated", "players")]),
    ("five at a table that seats five", "bmja", loser(players=5), []),
    (
        "North at a table of three",
        "bmja",
        loser(players=3, seat_wind="N"),
        [("wind_not_in_play", "seat_wind")],
    ),
    ("North where the winds go round", "safalra", loser(players=3, seat_wind="N"), []),
    (
        "South at a table of two",
        "bmja",
        loser(players=2, seat_wind="S"),
        [("wind_not_in_play", "seat_wind")],
    ),
    ("a goulash where none is played", "english", loser(goulash=True), [("no_goulash", "goulash")]),
    (
        "bonus tiles under another name",
        "bmja",
        mahjong(won_by="wall", bonuses=["F1"]),
        [("unknown_field", "bonuses")],
    ),
    (
        "a set under another name",
        "bmja",
        mahjong(CLAIMED | {"kind": "pung"}, won_by="wall"),
        [("unknown_field", "sets.0.kind")],
    ),
]


SETTLED: Fields = {"scores": {"E": 8, "S": 20, "W": 4, "N": 0}, "winner": "S"}
ENDINGS: list[tuple[str, str, Fields, list[tuple[str, str]]]] = [
    ("a plain hand", "bmja", {"won_by": "discard", "discarder": "W"}, []),
    (
        "fields of other names",
        "bmja",
        {"wonby": "wall", "looser": "E"},
        [("unknown_field", "wonby"), ("unknown_field", "looser")],
    ),
    (
        "a drawn hand that someone discarded",
        "bmja",
        {"winner": None, "discarder": "E", "won_by": "discard", "pays_for_all": "E"},
        [("nobody_won", "won_by"), ("nobody_won", "discarder"), ("nobody_won", "pays_for_all")],
    ),
    (
        "a tile from the wall that someone discarded",
        "tallies",
        {"won_by": "wall", "discarder": "E"},
        [("nobody_discarded", "discarder")],
    ),
    ("South on the dealt tiles", "bmja", {"won_by": "dealt"}, [("not_the_dealer", "won_by")]),
    ("South, who deals, on them", "tallies", {"won_by": "dealt", "dealer": "S"}, []),
    (
        "the dealer's own first discard",
        "tallies",
        {"won_by": "first_discard", "dealer": "S", "discarder": "W"},
        [("not_the_first_to_discard", "discarder"), ("own_discard", "won_by")],
    ),
    ("East's first discard", "bmja", {"won_by": "first_discard", "discarder": "E"}, []),
    (
        "West's discard as the first",
        "bmja",
        {"won_by": "first_discard", "discarder": "W"},
        [("not_the_first_to_discard", "discarder")],
    ),
    ("a banker who is not East", "english", {"dealer": "S"}, [("east_deals", "dealer")]),
]
