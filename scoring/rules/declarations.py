"""The vocabulary in which a rule set is declared: one frozen line for each rule."""

from collections.abc import Iterator, Sequence
from enum import Enum, StrEnum
from typing import Final, NamedTuple

from scoring.hands.hand import join_words, quantity, times_text
from scoring.hands.tiles import Tile, Wind
from scoring.rules.conditions import Choices, Chosen, HandCondition, SetCondition
from scoring.rules.shapes import ByChoice, Shape

_SETS_IN_A_HAND: Final = 4
Rule = tuple[str, str]
_FIVE_PLAYERS_TEXT = (
    "One sits out, the fifth at first. When a player other than East goes Mah-Jong, East sits out,"
    " the winds move on by one, and the player who sat out comes in as North"
)


class Who(StrEnum):
    """Whose hand a line is for."""

    EVERYONE = "everyone"
    WINNER = "winner"


class Reach(StrEnum):
    """What a double multiplies: ordinary hands always, of a special hand so much, least first."""

    ORDINARY = "ordinary hands"
    BONUS_TILES = "also the bonus tiles beside a special hand"
    EVERYTHING = "also a special hand's points and its bonus tiles"


class Form(Enum):
    """What a special hand is made of, where it is not a shape of its own."""

    PUNGS = "pungs or kongs and a pair"
    ANY = "any Mah-Jong"

    @property
    def text(self) -> str:
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
    """Points for something true of the hand."""

    name: str
    when: HandCondition
    points: int
    source: str
    who: Who = Who.WINNER

    @property
    def winner_only(self) -> bool:
        return self.who is Who.WINNER


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

    def resolve(self, choices: Choices) -> Form | Shape:
        """What the hand is made of with the open points so chosen."""
        return self.form.resolve(choices) if isinstance(self.form, ByChoice) else self.form


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
    """What a Mah-Jong must reach at a table of so few players: doubles or points.

    Where only doubles are named (`points` None), any special hand is enough.
    """

    players: int
    doubles: int | None
    points: int | None
    source: str

    @property
    def text(self) -> str:
        """What is enough, in English: `4 doubles or 500 points`."""
        doubles = [] if self.doubles is None else [quantity(self.doubles, "double")]
        points = "a special hand" if self.points is None else quantity(self.points, "point")
        return join_words([*doubles, points], last="or")

    def is_reached(self, doubles: int, points: int, *, special: bool) -> bool:
        """Whether a hand of so many doubles and points (before the limit) is enough."""
        if self.doubles is not None and doubles >= self.doubles:
            return True
        return special if self.points is None else points >= self.points


class Limits(NamedTuple):
    """The most that hands score where it is not the same for all; None: as much as they come to.

    `special`: special hands that are won. `losers`: every hand that is not a Mah-Jong.
    """

    ordinary: int | None
    special: int | None
    losers: int | None
    source: str


class Choice(NamedTuple):
    """An open point of the rules and how it is played."""

    name: str
    value: bool | int
    text: str
    source: str


class Chows(NamedTuple):
    """How many chows a Mah-Jong may hold, and from how many players on; None: any number."""

    most: int | None
    players: int | None
    in_a_goulash: bool
    source: str

    def max_chows(self, players: int, *, goulash: bool) -> int:
        """How many of a hand's four sets may be chows at a table of so many players."""
        too_few = self.players is not None and players < self.players
        if too_few or (goulash and not self.in_a_goulash):
            return 0
        return _SETS_IN_A_HAND if self.most is None else self.most


class OneSuit(NamedTuple):
    """That all suit tiles of a Mah-Jong must be of one suit; special hands too, unless excepted."""

    source: str
    but_special: bool = False


class Losers(NamedTuple):
    """Whether hands that did not go Mah-Jong score; not if the open point `unless` is yes."""

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


class Role(StrEnum):
    """Whose payments are multiplied, wherever he pays or is paid."""

    EAST = "East"
    DEALER = "the dealer"


class DiscarderPays(NamedTuple):
    """What a claimed winning tile costs its discarder: what all would pay, or so many times.

    So many `times` is beside the others, who pay as usual.
    """

    for_all: bool
    times: int


class Payments(NamedTuple):
    """Who pays whom after a Mah-Jong.

    `discarder_alone` is how many times the score a claimed winning tile costs whoever discarded
    it, while nobody else pays; None where the others pay for it too. `discarder` is what else he
    pays for it. `unclaimed` is how many times everyone pays for a tile that was not claimed.
    """

    multiplied: Role
    by: int
    multiplied_with_two: bool
    losers_settle: bool
    source: str
    discarder_alone: int | None = None
    discarder: DiscarderPays | None = None
    unclaimed: int = 1

    @property
    def asks_for_discarder(self) -> bool:
        """Whether what is paid depends on who discarded the winning tile, if anyone did."""
        return bool(self.discarder_alone or self.discarder or self.unclaimed > 1)

    def describe(self) -> Iterator[Rule]:
        """The rules in English, each after what it is about."""
        yield "Winner", "Every other player pays the winner's score"
        if self.unclaimed > 1:
            text = f"Every other player pays {times_text(self.unclaimed)} the winner's score"
            yield "Winner on a tile that was not claimed", text
        claimed_label = "Winner on a claimed tile"
        if self.discarder_alone:
            text = (
                f"The discarder alone pays, {times_text(self.discarder_alone)} the winner's score"
            )
            yield claimed_label, text
        elif self.discarder and self.discarder.for_all:
            yield claimed_label, "The discarder alone pays, as much as all would pay together"
        elif self.discarder:
            yield (
                claimed_label,
                f"The discarder pays {times_text(self.discarder.times)}, the others as usual",
            )
        if self.losers_settle:
            yield "Losers", "In each pair, the player with the lower score pays the difference"
        two = "" if self.multiplied_with_two else ", but not with two players"
        text = f"Pays and is paid {times_text(self.by)}{two}"
        yield self.multiplied.value, text if self.by > 1 else "Pays and is paid like the others"


class Succession(StrEnum):
    """Who follows when someone else than East, or the dealer, went Mah-Jong."""

    NEXT_PLAYER = (
        "Stays East after going Mah-Jong or a drawn hand; otherwise the winds move on by one"
    )
    WINNER = (
        "The winner becomes East and the winds are set from there; after a drawn hand East stays"
    )
    WINNER_DEALS = (
        "Deals on after going Mah-Jong or a drawn hand; otherwise the winner deals."
        " The winds never move"
    )

    def describe(self, *, moves_after_a_draw: bool) -> str:
        """The rule in English."""
        return _SUCCESSION_TEXTS[self] if moves_after_a_draw else self.value


_SUCCESSION_TEXTS: Final = {
    Succession.NEXT_PLAYER: (
        "Stays East after going Mah-Jong; otherwise, also after a drawn hand, the winds move on"
        " by one"
    ),
    Succession.WINNER: (
        "The winner becomes East and the winds are set from there; after a drawn hand the winds"
        " move on by one"
    ),
    Succession.WINNER_DEALS: (
        "Deals on after going Mah-Jong; otherwise the winner deals, and after a drawn hand the next"
        " player. The winds never move"
    ),
}


class FirstDealer(StrEnum):
    """Who deals first where the deal moves and the winds do not."""

    EAST = "East"
    NAMED = "East, or whom the table names before the first hand"

    @property
    def open_point(self) -> tuple[str, str, str]:
        """As a row of the open points: what of, how it is played, source and reason."""
        return (
            "The dice decide who deals first, and only the table sees them",
            "East, unless the table names another before the first hand",
            "Ultra Board Games, choose the dealer; note 22",
        )


class FourthWind(StrEnum):
    """What becomes of the fourth wind at a table of three."""

    UNUSED = "Not used"
    EMPTY_PLACE = "The empty place has its wind in turn like the others, but is never East"


class Rounds(StrEnum):
    """What a round is where no wind prevails."""

    UNCOUNTED = "Rounds are not counted"
    OF_EASTS = "Ends when every player has been East and lost it"


class Passing(NamedTuple):
    """How the winds and the deal move from hand to hand, and when the game is over.

    `order` is that of the winds round the table. `hands_of_a_wind`: what prevails changes after
    the first hand, from this one under it on, that the dealer lost; None where it changes when
    every player has had and lost East. `first_to`: the points that end the game, if any do.
    `first_dealer`: who deals first where the deal moves and the winds do not.
    `rounds`: what a round is though no wind prevails, where a game may be of so many.
    `moves_after_a_draw`: a drawn hand moves the deal on too. `most_hands` and `most_wins`: after so
    many hands, or Mah-Jongs, in a row whoever deals passes the deal on; `most_draws`: after so
    many drawn hands in a row. None: no such end.
    """

    order: tuple[Wind, ...]
    prevailing: bool
    goulash_after_a_draw: bool
    source: str
    succession: Succession = Succession.NEXT_PLAYER
    fourth_wind: FourthWind = FourthWind.UNUSED
    hands_of_a_wind: int | None = None
    first_to: int | None = None
    rounds: Rounds = Rounds.UNCOUNTED
    first_dealer: FirstDealer = FirstDealer.EAST
    moves_after_a_draw: bool = False
    most_hands: int | None = None
    most_wins: int | None = None
    most_draws: int | None = None

    @property
    def deals(self) -> Role:
        """Who deals: East, or a dealer who may have any wind."""
        return Role.DEALER if self.succession is Succession.WINNER_DEALS else Role.EAST

    def winds(self, seats: int) -> tuple[Wind, ...]:
        """The winds of the places at a table of so many, from East on, an empty place's too."""
        if seats == 2:
            return Wind.E, Wind.W
        return self.order if self.fourth_wind is FourthWind.EMPTY_PLACE else self.order[:seats]

    def table_sizes(self, seats: Sequence[int]) -> Iterator[Rule]:
        """How many play, and which winds there are where not just four do."""
        yield "Players at a table", join_words(map(str, seats), last="or")
        if 2 in seats:
            yield "Two players", join_words(wind.label for wind in self.winds(2))
        if 3 in seats:
            *wind_labels, fourth = (wind.label for wind in self.order)
            unused_text = (
                f"{join_words(wind_labels)}; {fourth}'s wind, flower and season belong to no one"
            )
            is_unused = self.fourth_wind is FourthWind.UNUSED
            yield "Three players", unused_text if is_unused else self.fourth_wind.value
        if 5 in seats:
            yield "Five players", _FIVE_PLAYERS_TEXT

    def describe(self) -> Iterator[Rule]:
        """The rules in English, each after what it is about."""
        dealer = self.succession is Succession.WINNER_DEALS
        if dealer:
            yield "The first dealer", self.first_dealer.value
        text = self.succession.describe(moves_after_a_draw=self.moves_after_a_draw)
        yield "The dealer" if dealer else "East", text
        yield from self._runs()
        yield "Order of the winds", ", ".join(wind.label for wind in self.order)
        if self.prevailing:
            timing = (
                f"after hand {self.hands_of_a_wind} under it, or a later one, that the dealer lost"
            )
            if self.hands_of_a_wind is None:
                timing = "when every player has been East and lost it"
            yield "Prevailing wind", f"East first; then the next wind, {timing}"
        if self.rounds is not Rounds.UNCOUNTED:
            yield "A round", self.rounds.value
        if self.goulash_after_a_draw:
            yield "After a drawn hand", "The next hand is a goulash"
        if self.first_to:
            points = quantity(self.first_to, "point")
            yield "End of the game", f"The first to {points}; if several do, the highest"

    def _runs(self) -> Iterator[Rule]:
        """What ends the run of whoever deals."""
        dealer_text, move_text = "East", "the winds move on by one"
        if self.deals is Role.DEALER:
            dealer_text, move_text = "a dealer", "the next player deals"
        runs = (
            (self.most_hands, "hand", ", no matter who won"),
            (self.most_wins, "Mah-Jong", ", no matter who won"),
            (self.most_draws, "drawn hand", ""),
        )
        for most, event, whoever in runs:
            if most:
                text = f"{quantity(most, event)} in a row; then {move_text}{whoever}"
                yield f"The most {event}s of {dealer_text}", text
