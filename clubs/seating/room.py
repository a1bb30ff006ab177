"""Which table of the room each four sits at, so that few return to a table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from clubs.seating.board import Tables, evenly
from clubs.seating.chance import Allowance, Dice

TRIES = 2000  # exchanges looked at for each table laid
MOST_TRIES = 100_000
WARMTH = 0.15  # how readily an exchange that makes one more return is taken at first


@dataclass(slots=True)
class Room:
    """Rounds in table order, and how often each player has been at each table."""

    rounds: list[Tables]
    visits: list[list[int]]
    fixed: Mapping[int, int]  # player to table, from 0

    def count(self, number: int, place: int, times: int) -> None:
        """Count the visits of a round's table, or take them back."""
        for player in self.rounds[number][place]:
            self.visits[player][place] += times

    def change(self, number: int, one: int, other: int) -> int:
        """By how much exchanging two tables of a round changes the sum of returns."""
        tables, visits = self.rounds[number], self.visits
        moved = sum(visits[p][other] - visits[p][one] + 1 for p in tables[one])
        return moved + sum(visits[p][one] - visits[p][other] + 1 for p in tables[other])

    def exchange(self, number: int, one: int, other: int) -> None:
        """Let two tables of a round exchange places."""
        tables = self.rounds[number]
        for place in (one, other):
            self.count(number, place, -1)
        tables[one], tables[other] = tables[other], tables[one]
        for place in (one, other):
            self.count(number, place, 1)

    def holds(self, number: int, place: int) -> bool:
        """Whether someone whose table is fixed sits here and must."""
        return any(self.fixed.get(player) == place for player in self.rounds[number][place])

    def returns(self) -> int:
        """Over all players and tables, the pairs of visits: three visits are three returns."""
        return sum(times * (times - 1) // 2 for row in self.visits for times in row)

    def least_returns(self) -> int:
        """What `returns` would be, were each player's visits shared out evenly over the tables."""
        tables = max((len(tables) for tables in self.rounds), default=1)
        return sum(evenly(sum(row), tables) for row in self.visits)


def choose_tables(
    rounds: Sequence[Tables],
    visits: list[list[int]],
    fixed: Mapping[int, int],
    dice: Dice,
    allowance: Allowance,
) -> list[Tables]:
    """The rounds with their tables in the order of the room, fixed tables first.

    visits: times each player was at each table before; brought up to date.
    """
    room = Room([list(tables) for tables in rounds], visits, fixed)
    for number, tables in enumerate(room.rounds):
        _seat_fixed(tables, fixed)
        for place in range(len(tables)):
            room.count(number, place, 1)
    _lessen_returns(room, dice, allowance)
    return room.rounds


def _seat_fixed(tables: Tables, fixed: Mapping[int, int]) -> None:
    for player, place in fixed.items():
        now = next((t for t, table in enumerate(tables) if player in table), None)
        if now is not None and place < len(tables):
            tables[now], tables[place] = tables[place], tables[now]


def _lessen_returns(room: Room, dice: Dice, allowance: Allowance) -> None:
    """Let tables exchange places, at first now and then for the worse, until none returns
    more often than must be."""
    laid = [(number, place) for number, row in enumerate(room.rounds) for place in range(len(row))]
    tries = min(MOST_TRIES, TRIES * len(laid))
    above = room.returns() - room.least_returns()
    for left in range(tries, 0, -1):
        if above == 0 or allowance.is_over():
            break
        allowance.spend(1)
        number, one = laid[dice.below(len(laid))]
        other = dice.below(len(room.rounds[number]))
        if other == one or room.holds(number, one) or room.holds(number, other):
            continue
        change = room.change(number, one, other)
        if change <= 0 or dice.roll() * change * change < WARMTH * left / tries:
            room.exchange(number, one, other)
            above += change
