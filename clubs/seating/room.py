"""Which table of the room each four sits at, so that few return to a table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from clubs.seating.board import Tables
from clubs.seating.chance import Dice, Stopwatch

TRIES = 20_000  # exchanges of two tables looked at without a new best


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
        """Whether somebody whose table is fixed sits here and must."""
        return any(self.fixed.get(player) == place for player in self.rounds[number][place])

    def is_revisited(self, number: int, place: int) -> bool:
        """Whether somebody at this table of this round is there more than once."""
        return any(self.visits[player][place] > 1 for player in self.rounds[number][place])


def choose_tables(
    rounds: Sequence[Tables],
    visits: list[list[int]],
    fixed: Mapping[int, int],
    dice: Dice,
    watch: Stopwatch,
) -> list[Tables]:
    """The rounds with their tables in the order of the room, fixed tables first.

    visits: times each player was at each table before; brought up to date.
    """
    room = Room([list(tables) for tables in rounds], visits, fixed)
    for number, tables in enumerate(room.rounds):
        _seat_fixed(tables, fixed)
        for place in range(len(tables)):
            room.count(number, place, 1)
    _lessen_returns(room, dice, watch)
    return room.rounds


def _seat_fixed(tables: Tables, fixed: Mapping[int, int]) -> None:
    for player, place in fixed.items():
        now = next((t for t, table in enumerate(tables) if player in table), None)
        if now is not None and place < len(tables):
            tables[now], tables[place] = tables[place], tables[now]


def _lessen_returns(room: Room, dice: Dice, watch: Stopwatch) -> None:
    """Move tables with returning players while that helps; sideways too, to leave dead ends."""
    patience = TRIES
    hot = _revisited(room)
    while hot and patience > 0 and not watch.is_over():
        number, one = hot[dice.below(len(hot))]
        other = dice.below(len(room.rounds[number]))
        patience -= 1
        if other == one or room.holds(number, one) or room.holds(number, other):
            continue
        change = room.change(number, one, other)
        if change < 0 or (change == 0 and dice.roll() < 0.5):
            room.exchange(number, one, other)
            if change < 0:
                hot, patience = _revisited(room), TRIES


def _revisited(room: Room) -> list[tuple[int, int]]:
    return [
        (number, place)
        for number, tables in enumerate(room.rounds)
        for place in range(len(tables))
        if room.is_revisited(number, place)
    ]
