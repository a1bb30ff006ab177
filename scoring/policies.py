"""How a rule set settles a hand and passes East on, as declarations."""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from scoring.naming import listed, quantity, times
from scoring.tiles import Wind

Rule = tuple[str, str]
_FIVE_PLAYERS = (
    "One sits out, the fifth at first. When another player than East goes Mah-Jong, East sits out,"
    " the winds move on by one, and the player who sat out comes in as North"
)


class Role(StrEnum):
    """Whose payments are multiplied, wherever he pays or is paid."""

    EAST = "East"
    DEALER = "the dealer"


class Payments(NamedTuple):
    """Who pays whom after a Mah-Jong.

    `discarder_alone` is how many times the score a claimed winning tile costs whoever discarded
    it, while nobody else pays; None where the others pay for it too.
    """

    multiplied: Role
    by: int
    multiplied_with_two: bool
    losers_settle: bool
    source: str
    discarder_alone: int | None = None

    def words(self) -> Iterator[Rule]:
        """The rules in English, each after what it is about."""
        yield "Winner", "Every other player pays the winner's score"
        if self.discarder_alone:
            words = f"The discarder alone pays, {times(self.discarder_alone)} the winner's score"
            yield "Winner on a claimed tile", words
        if self.losers_settle:
            yield "Losers", "In each pair, the player with the lower score pays the difference"
        two = "" if self.multiplied_with_two else ", but not with two players"
        yield self.multiplied.value, f"Pays and is paid {times(self.by)}{two}"


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
            "seed 002, choose the dealer; rules.md 9a.8",
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
        yield "Players at a table", listed(map(str, seats), last="or")
        if 2 in seats:
            yield "Two players", listed(wind.label for wind in self.winds(2))
        if 3 in seats:
            *played, fourth = (wind.label for wind in self.order)
            unused = f"{listed(played)}; {fourth}, its flower and its season are not used"
            is_unused = self.fourth_wind is FourthWind.UNUSED
            yield "Three players", unused if is_unused else self.fourth_wind.value
        if 5 in seats:
            yield "Five players", _FIVE_PLAYERS

    def words(self) -> Iterator[Rule]:
        """The rules in English, each after what it is about."""
        dealer = self.succession is Succession.WINNER_DEALS
        if dealer:
            yield "The first dealer", self.first_dealer.value
        yield "The dealer" if dealer else "East", self.succession.value
        yield "Order of the winds", ", ".join(wind.label for wind in self.order)
        if self.prevailing:
            yield "Prevailing wind", f"East first; the next {self._next_wind()}"
        if self.rounds is not Rounds.UNCOUNTED:
            yield "A round", self.rounds.value
        if self.goulash_after_a_draw:
            yield "After a drawn hand", "The next hand is a goulash"
        if self.first_to:
            points = quantity(self.first_to, "point")
            yield "End of the game", f"The first to {points}; if several do, the highest"

    def _next_wind(self) -> str:
        if self.hands_of_a_wind is None:
            return "when every player has been East and lost it"
        return f"after hand {self.hands_of_a_wind} under it, or a later one, that the dealer lost"
