"""The vocabulary in which a rule set is declared: one frozen line for each rule."""

from enum import Enum, StrEnum
from typing import Final, NamedTuple

from scoring.conditions import Choices, Chosen, HandCondition, SetCondition
from scoring.shapes import ByChoice, Shape
from scoring.tiles import Tile

_SETS_IN_A_HAND: Final = 4


class Who(StrEnum):
    """Whose hand a line is for."""

    EVERYONE = "everyone"
    WINNER = "winner"


class Reach(StrEnum):
    """What a double multiplies: ordinary hands always, and of a special hand so much."""

    ORDINARY = "ordinary hands"
    BONUS_TILES = "also the bonus tiles beside a special hand"
    EVERYTHING = "also a special hand's points and its bonus tiles"


class Form(Enum):
    """What a special hand is made of, where it is not a shape of its own."""

    PUNGS = "pungs or kongs and a pair"
    ANY = "any Mah-Jong"

    @property
    def words(self) -> str:
        """The form in words."""
        return self.value


class SetPoints(NamedTuple):
    """Points for each set of a kind; where there is a `chosen`, only if that is played so."""

    name: str
    when: SetCondition
    exposed: int
    concealed: int
    source: str
    chosen: Chosen | None = None

    def is_played(self, choices: Choices) -> bool:
        """Whether the line is in play with the open points so chosen."""
        return self.chosen is None or choices[self.chosen.name] == self.chosen.value


class SetDouble(NamedTuple):
    """Doubles for each set of a kind."""

    name: str
    when: SetCondition
    doubles: int
    source: str


class BonusPoints(NamedTuple):
    """Points for each flower or season; rules without one play without those tiles."""

    name: str
    points: int
    source: str


class Points(NamedTuple):
    """Points for something true of the winner's hand."""

    name: str
    when: HandCondition
    points: int
    source: str


class Double(NamedTuple):
    """Doubles for something true of the hand; a line may stand instead of others."""

    name: str
    when: HandCondition
    doubles: int
    who: Who
    source: str
    reach: Reach = Reach.ORDINARY
    instead_of: tuple[str, ...] = ()

    @property
    def winner_only(self) -> bool:
        """Whether only the winner has it."""
        return self.who is Who.WINNER


class Share(NamedTuple):
    """A part of the limit; what does not divide is rounded down."""

    part: int
    of: int

    def points(self, limit: int | None) -> int:
        """The share in points; raises ValueError where there is no limit to share."""
        if limit is None:
            raise ValueError("A share of the limit needs a limit.")
        return limit * self.part // self.of


class Fixed(NamedTuple):
    """A value that no limit changes."""

    value: int

    def points(self, _limit: int | None) -> int:
        """The value in points."""
        return self.value


Value = Share | Fixed


class Standing(NamedTuple):
    """What a player who did not go Mah-Jong must hold for a special hand's value."""

    when: HandCondition
    value: Value


class SpecialHand(NamedTuple):
    """A hand with a value of its own when won, and perhaps another when one tile short.

    `standing`: what gives its value to a player who did not go Mah-Jong, without fishing for it.
    """

    key: str
    name: str
    form: Form | Shape | ByChoice
    when: HandCondition
    value: Value
    fishing: Value | None
    source: str
    standing: Standing | None = None

    @property
    def of_pungs(self) -> bool:
        """Whether the hand is pungs or kongs and a pair."""
        return self.form is Form.PUNGS

    def played(self, choices: Choices) -> Form | Shape:
        """What the hand is made of with the open points so chosen."""
        return self.form.played(choices) if isinstance(self.form, ByChoice) else self.form


class DoubledHand(NamedTuple):
    """A special hand of pungs or kongs and a pair whose own points are doubled."""

    key: str
    name: str
    when: HandCondition
    doubles: int
    who: Who
    also: tuple[Points, ...]
    source: str

    @property
    def winner_only(self) -> bool:
        """Whether nobody scores it who is one tile short of it."""
        return self.who is Who.WINNER


class SpecialRules(NamedTuple):
    """What is counted beside a special hand's value, or instead of it.

    `face_of_any_shape`: a Mah-Jong that is not sets and a pair has an ordinary score too.
    """

    bonus_tiles_beside: bool
    face_of_any_shape: bool
    source: str


class Minimum(NamedTuple):
    """What a Mah-Jong must reach at a table of so few players: doubles or points."""

    players: int
    doubles: int
    points: int
    source: str


class Choice(NamedTuple):
    """An open point of the rules and how it is played."""

    name: str
    value: bool | int
    words: str
    source: str


class Chows(NamedTuple):
    """How many chows a Mah-Jong may hold, and from how many players on; None: any number."""

    most: int | None
    players: int | None
    in_a_goulash: bool
    source: str

    def allowed(self, players: int, *, goulash: bool) -> int:
        """How many of a hand's four sets may be chows at a table of so many players."""
        too_few = self.players is not None and players < self.players
        if too_few or (goulash and not self.in_a_goulash):
            return 0
        return _SETS_IN_A_HAND if self.most is None else self.most


class OneSuit(NamedTuple):
    """That all suit tiles of a Mah-Jong must be of one suit."""

    source: str


class Losers(NamedTuple):
    """Whether the hands of the players who did not go Mah-Jong score.

    `unless` is the open point, if there is one, that leaves them nothing when it is yes.
    """

    score: bool
    source: str
    unless: str | None = None


class Jokers(NamedTuple):
    """How many jokers may stand in a set."""

    in_a_pung: int
    in_a_kong: int
    source: str


class ChowDragon(NamedTuple):
    """Points for three chows that run from 1 to 9, all of one suit or not."""

    key: str
    name: str
    one_suit: bool
    points: int
    source: str


class Bouquet(NamedTuple):
    """Points for all of these bonus tiles."""

    name: str
    tiles: tuple[Tile, ...]
    points: int
    source: str


class LastTile(NamedTuple):
    """How many times the set, dragon or other shape counts that the last tile completes."""

    name: str
    when: HandCondition
    times: int
    source: str


class Adding(NamedTuple):
    """What else scores under rules that only add points.

    A dragon stands instead of its chows and a bouquet instead of its flowers, unless the open
    point of that name is yes.
    """

    dragons: tuple[ChowDragon, ...]
    chows_beside_a_dragon: str
    bouquets: tuple[Bouquet, ...]
    flowers_beside_a_bouquet: str
    last_tile: LastTile
