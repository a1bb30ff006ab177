"""The players as numbers, and what one more meeting of two of them would cost."""

import random
from collections.abc import Mapping, MutableSequence, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TypeVar

from clubs.seating.request import Request, table_sizes_for

Tables = list[list[int]]
Prices = list[list[int]]

FORBIDDEN = 10_000  # a broken wish weighs more than all meetings together
TURN = 1000  # a turn at an odd table out of turn weighs more than the company of an exchange
TEAM_MATES = 100


@dataclass(slots=True)
class Board:
    """Prices of meetings, which rise by one with each; `odd` stands for a table not of four.

    Where turns are weighed `fives` stands for a table of five, else it is `odd` too.

    A meeting of p and q costs `price[p][q]`; the one before it cost one less. So the
    whole cost is the sum over pairs of meetings x (meetings - 1) / 2, and the wishes.
    """

    names: tuple[str, ...]
    price: Prices
    odd: int
    fives: int
    plain: bool  # no wishes and no memory: prices are counts of meetings

    def meet(self, table: Sequence[int], times: int = 1) -> None:
        """Count a table's meetings; `times` is -1 to take them back."""
        for one, other in combinations(self.company(table), 2):
            self.add(one, other, times)

    def add(self, one: int, other: int, times: int) -> None:
        """Raise the price of a pair, or lower it."""
        self.price[one][other] += times
        self.price[other][one] += times

    def copy(self) -> "Board":
        """A board that can be played on without changing this one."""
        return replace(self, price=[list(row) for row in self.price])

    def cost_since(self, before: "Board") -> tuple[int, int]:
        """What the meetings counted since then cost, and what the turns at odd tables cost.

        Where turns are weighed they are in the first figure too.
        """
        costs = [
            sum(2 * cost * (now - cost) + (now - cost) * (now - cost - 1) for cost, now in pairs)
            for pairs in map(zip, before.price, self.price)
        ]
        turns = sum(costs[mark] for mark in {self.odd, self.fives}) // 2
        weighed = 0 if self.fives == self.odd else turns
        return (sum(costs) - 4 * turns) // 4 + weighed, turns

    def repeats(self) -> int:
        """Meetings beyond the first, over all pairs, where prices are counts; else 0."""
        if not self.plain:
            return 0
        players = range(len(self.names))
        return sum(max(0, self.price[p][q] - 1) for p, q in combinations(players, 2))

    def company(self, table: Sequence[int]) -> Sequence[int]:
        """Who meets at a table: its players and, where they are not four, `odd` or `fives`."""
        return table if len(table) == 4 else [*table, self.fives if len(table) == 5 else self.odd]


def board_for(request: Request) -> Board:
    """The board before the first new round: wishes, memory and the rounds played."""
    size = len(request.players) + (2 if request.turns else 1)
    wishes = _wishes(request)
    price = [[0] * size for _ in range(size)]
    is_plain = not wishes and not request.turns
    board = Board(request.players, price, size - 1, len(request.players), plain=is_plain)
    number = {name: index for index, name in enumerate(request.players)}
    for pair, weight in wishes:
        if pair <= number.keys() and len(pair) == 2:
            one, other = (number[name] for name in pair)
            board.add(one, other, weight)
    for size, mark in ((3, board.odd), (5, board.fives)):
        for name, times in request.turns.get(size, {}).items():
            if name in number:
                board.add(number[name], mark, TURN * times)
    for played in request.played:
        for table in played.tables:
            board.meet([number[name] for name in table.names])
    return board


def _wishes(request: Request) -> list[tuple[frozenset[str], int]]:
    wishes = [(frozenset(pair), FORBIDDEN) for pair in request.apart]
    wishes += [(frozenset(pair), -FORBIDDEN) for pair in request.together]
    wishes += [(frozenset(pair), TEAM_MATES) for pair in team_mates(request.teams)]
    for one, other in combinations(request.fixed_table, 2):
        same = request.fixed_table[one] == request.fixed_table[other]
        wishes.append((frozenset((one, other)), -FORBIDDEN if same else FORBIDDEN))
    return wishes + list(request.met.items())


def team_mates(teams: Mapping[str, str]) -> list[tuple[str, str]]:
    """The pairs of players who belong to one team."""
    return [(one, other) for one, other in combinations(teams, 2) if teams[one] == teams[other]]


@dataclass(frozen=True, slots=True)
class Call:
    """Who plays in a round, at tables of which sizes, and who sits out."""

    players: tuple[int, ...]
    sizes: tuple[int, ...]
    sitting_out: tuple[int, ...]


def calls_for(request: Request, order: Sequence[int], *, begun: Sequence[Call] = ()) -> list[Call]:
    """The new rounds' players; those sit out who have done so least, `order` deciding ties.

    begun: the calls of the first new rounds, where they are settled.
    """
    turns = turns_out(request)
    calls = list(begun)
    for call in begun:
        for player in call.sitting_out:
            turns[player] += 1
    first = len(request.played) + 1
    for number in range(first + len(begun), first + request.rounds):
        there = set(request.roster(number))
        roster = [p for p in order if request.players[p] in there]
        sizes = _sizes(request, len(roster))
        spare = len(roster) - sum(sizes)
        out = tuple(sorted(roster, key=turns.__getitem__)[:spare])
        for player in out:
            turns[player] += 1
        calls.append(Call(tuple(p for p in roster if p not in out), sizes, out))
    return calls


def _sizes(request: Request, there: int) -> tuple[int, ...]:
    if request.split and sum(request.split) == there:
        return request.split
    return tuple(table_sizes_for(there, request.table_sizes))


def turns_out(request: Request) -> list[int]:
    """How often each player sat out before the first new round."""
    before = request.turns.get(0, {})
    turns = {name: before.get(name, 0) for name in request.players}
    for one in request.played:
        for name in one.sitting_out:
            turns[name] += 1
    return list(turns.values())


def evenly(times: int, others: int) -> int:
    """The sum of n (n - 1) / 2 where `times` are shared out evenly over `others`."""
    each, more = divmod(times, others)
    return others * each * (each - 1) // 2 + more * each


Item = TypeVar("Item")

LOOKS_A_SECOND = 200_000  # half of what a slow laptop takes


class Dice:
    """Numbers from a seed; only `random()` is used, which no version of Python changes."""

    def __init__(self, seed: int) -> None:
        self.roll = random.Random(seed).random  # noqa: S311 - seating, not secrets

    def below(self, sides: int) -> int:
        """A whole number from 0 to `sides` - 1."""
        return int(self.roll() * sides)

    def shuffle(self, items: MutableSequence[Item]) -> None:
        """Put `items` into a random order, in place."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]


class Allowance:
    """How long a search may look for better: looks are counted, so that no clock decides.

    A look weighs one exchange of two players. `cut` remembers that someone was told to stop.
    """

    def __init__(self, seconds: float) -> None:
        self._looks = seconds * LOOKS_A_SECOND
        self.cut = False

    def spend(self, looks: float) -> None:
        """Count looks that were taken."""
        self._looks -= looks

    def is_over(self) -> bool:
        """Whether nothing is left; asking when nothing is marks the search as cut."""
        self.cut = self.cut or self._looks <= 0
        return self.cut
