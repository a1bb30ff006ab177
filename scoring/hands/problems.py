"""What can be wrong with what a table reports, said in one English sentence each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final


class Code(StrEnum):
    """The name of a kind of problem; the same in forms, in the API and on the command line."""

    NOT_AN_OBJECT = "not_an_object"
    MISSING_FIELD = "missing_field"
    BAD_VALUE = "bad_value"
    BAD_WIND = "bad_wind"
    UNKNOWN_TILE = "unknown_tile"
    BONUS_IN_HAND = "bonus_in_hand"
    TOO_MANY_COPIES = "too_many_copies"
    BAD_SET = "bad_set"
    WRONG_COUNT = "wrong_count"
    LONG_HAND = "long_hand"
    SHORT_HAND = "short_hand"
    NOT_MAHJONG = "not_mahjong"
    TOO_MANY_CHOWS = "too_many_chows"
    MIXED_SUITS = "mixed_suits"
    WINNING_TILE_MISSING = "winning_tile_missing"
    LAST_TILE_UNNAMED = "last_tile_unnamed"
    MINIMUM_NOT_REACHED = "minimum_not_reached"
    BAD_SEAT = "bad_seat"
    BAD_SCORE = "bad_score"
    WON_BY_MISSING = "won_by_missing"
    DISCARDER_MISSING = "discarder_missing"
    BAD_OUTCOME = "bad_outcome"
    AFTER_THE_END = "after_the_end"
    UNKNOWN_FIELD = "unknown_field"
    NO_LOOSE_TILE = "no_loose_tile"
    SET_BEFORE_FIRST_TURN = "set_before_first_turn"
    NOT_THE_DEALER = "not_the_dealer"
    OWN_DISCARD = "own_discard"
    ROBBED_TILE_HELD = "robbed_tile_held"
    ALTERED_CALL = "altered_call"
    EARLY_CALL = "early_call"
    NO_TWOFOLD_FORTUNE = "no_twofold_fortune"
    OPPOSITE_FACTS = "opposite_facts"
    THIRTEENTH_NOT_DEALER = "thirteenth_not_dealer"
    NOT_A_MAHJONG = "not_a_mahjong"
    PLAYERS_NOT_SEATED = "players_not_seated"
    WIND_NOT_IN_PLAY = "wind_not_in_play"
    NO_GOULASH = "no_goulash"
    EAST_DEALS = "east_deals"
    NOBODY_WON = "nobody_won"
    NOBODY_DISCARDED = "nobody_discarded"
    NOT_THE_FIRST_TO_DISCARD = "not_the_first_to_discard"


SENTENCES: Final[Mapping[Code, str]] = {
    Code.NOT_AN_OBJECT: "This is not {expected}.",
    Code.MISSING_FIELD: "“{field}” is missing.",
    Code.BAD_VALUE: "{found} cannot be used here; it must be {expected}.",
    Code.BAD_WIND: "{found} is not a wind; the winds are E, S, W and N.",
    Code.UNKNOWN_TILE: "{found} is not {expected}.",
    Code.BONUS_IN_HAND: "{tile} is a flower or a season; it belongs with the bonus tiles.",
    Code.TOO_MANY_COPIES: "There are {found} of {tile}; the set of tiles has {most}.",
    Code.BAD_SET: "{tiles} is not a set that can be on the table here: {reason}.",
    Code.WRONG_COUNT: "A Mah-Jong has 14 tiles, a kong counting as three; this hand has {found}.",
    Code.LONG_HAND: "A hand has at most 13 tiles, a kong counting as three; this one has {found}.",
    Code.SHORT_HAND: "{found} of the 13 tiles {were} entered, so the score may be incomplete.",
    Code.NOT_MAHJONG: "These tiles do not make a Mah-Jong under {rules}.",
    Code.TOO_MANY_CHOWS: "Chows in this hand: {found}; the rules allow {most} here.",
    Code.MIXED_SUITS: (
        "A Mah-Jong under {rules} needs one suit, and {tile} is of another."
        " Correct the tiles, or enter the hand as one that did not go Mah-Jong."
    ),
    Code.WINNING_TILE_MISSING: "Choose the winning tile from the concealed tiles.",
    Code.LAST_TILE_UNNAMED: (
        "The last tile is missing, so the set that it completed was not doubled."
        " Choose the last tile to count it."
    ),
    Code.MINIMUM_NOT_REACHED: (
        "With {players} players a Mah-Jong needs {enough};"
        " this one has {found_doubles} and {found_points}."
    ),
    Code.BAD_SEAT: "{found} is not {expected}.",
    Code.BAD_SCORE: "{found} {reason}.",
    Code.WON_BY_MISSING: "Choose how the hand was won: it decides who pays.",
    Code.DISCARDER_MISSING: "Choose who discarded the winning tile: it decides who pays.",
    Code.BAD_OUTCOME: "{found} is neither the number of a seat in play nor a drawn hand.",
    Code.AFTER_THE_END: "The game was over after {played}.",
    Code.UNKNOWN_FIELD: "“{field}” is not a field of {whole} and was ignored; {meant}.",
    Code.NO_LOOSE_TILE: (
        "A loose tile is drawn after {after}, and this hand has none: check how it was won."
    ),
    Code.SET_BEFORE_FIRST_TURN: (
        "No one can claim or declare a set before the first turn, and this hand has {sets} on the"
        " table: check how it was won."
    ),
    Code.NOT_THE_DEALER: (
        "Only {dealer} can go Mah-Jong on the dealt tiles, and this player is {player}:"
        " check how the hand was won."
    ),
    Code.OWN_DISCARD: (
        "{dealer} makes the first discard and cannot go Mah-Jong on it: check how the hand was won."
    ),
    Code.ROBBED_TILE_HELD: (
        "The other three tiles of a robbed kong are in the kong, and this hand has the {kind}"
        " {times}: check how it was won."
    ),
    Code.ALTERED_CALL: (
        "After an original call the hand stays as it is, and this one has {sets} claimed:"
        " check the call."
    ),
    Code.EARLY_CALL: (
        "An original call comes after a first discard, and this hand was won on the dealt tiles:"
        " check the call."
    ),
    Code.NO_TWOFOLD_FORTUNE: (
        "Twofold Fortune takes two kongs and a Mah-Jong on the loose tile of the second, and this"
        " hand does not have both: check how it was won."
    ),
    Code.OPPOSITE_FACTS: (
        "Choose whether the winning tile was the only one that could complete the hand."
    ),
    Code.THIRTEENTH_NOT_DEALER: (
        "Only {dealer} can have the thirteenth Mah-Jong in a row, and this player is {player}:"
        " check the seat."
    ),
    Code.NOT_A_MAHJONG: (
        "{what} counts only for a Mah-Jong, and this hand is not entered as one: it was ignored."
    ),
    Code.PLAYERS_NOT_SEATED: (
        "Under {rules} a table has {seats} players, not {players}: check how many played."
    ),
    Code.WIND_NOT_IN_PLAY: "With {players} players no one is {wind}: check the seat.",
    Code.NO_GOULASH: "No goulash is played under {rules}: it was ignored.",
    Code.EAST_DEALS: "Under {rules} East is always the dealer, so the other dealer was ignored.",
    Code.NOBODY_WON: "Nobody went Mah-Jong, so “{field}” was ignored.",
    Code.NOBODY_DISCARDED: (
        "The winning tile was not discarded, so {player} does not pay for it: check how the hand"
        " was won."
    ),
    Code.NOT_THE_FIRST_TO_DISCARD: (
        "{dealer} makes the first discard, not {player}: check who discarded."
    ),
}


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong: its code, the path of the field (`sets.2`), and the words it needs."""

    code: Code
    path: str = ""
    params: Mapping[str, int | str] = field(default_factory=dict)

    @property
    def message(self) -> str:
        return SENTENCES[self.code].format_map(self.params)

    def as_json(self) -> dict[str, str]:
        """The form printed on the command line and stored: code, where and message."""
        return {"code": self.code.value, "where": self.path, "message": self.message}


class BadInput(ValueError):
    """What was reported cannot be reckoned with; carries every problem found."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__(" ".join(problem.message for problem in self.problems))


class BadHand(BadInput):
    """A hand that cannot be scored as it is described."""


class BadScores(BadInput):
    """Scores that cannot be settled."""


class BadPenalty(BadInput):
    """A penalty that these rules or this table do not have."""


class BadOutcome(BadInput):
    """Outcomes of hands that no game can have."""


def shorten(value: object) -> str:
    """A value as it was typed, cut to a length that a sentence can hold."""
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= 40 else f"{text[:39]}…"
