"""Players as numbers, and the search by exchanging two of them."""

import random
from collections.abc import Mapping, MutableSequence, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, islice
from operator import itemgetter
from typing import TypeVar

from clubs.seating.request import Request, table_sizes_for

Tables = list[list[int]]
Prices = list[list[int]]

FORBIDDEN_PRICE = 10_000  # a broken wish outweighs all meetings
TURN_PRICE = 1000  # a turn at an odd table out of turn outweighs the meetings of an exchange
EVENNESS_PRICE = 2  # by how much dearer a turn at a table of three is than the one before
TEAM_MATES_PRICE = 100
Item = TypeVar("Item")
LOOKS_PER_SECOND = 200_000  # half of what a slow laptop needs
MAX_IDLE_PARTNERS = 80_000  # partners tried without a new best before the search ends
MAX_TABLE_TENURE = 5  # maximum exchanges for which a player does not return to a table
PLACES_SAMPLED = 60  # random places tried before all are examined
TRIES_PER_TABLE = 2000  # exchanges tried per table
MAX_TRIES = 100_000
START_ACCEPTANCE = 0.15  # how readily an exchange that adds a return is accepted at first


@dataclass(slots=True)
class Board:
    """Prices of meetings, which rise by one with each; `odd` stands for a table not of four.

    Where turns are weighed `fives` stands for a table of five, else it is `odd` too.

    A meeting of p and q costs `price[p][q]`; the one before it cost one less. So the
    whole cost is the sum over pairs of meetings x (meetings - 1) / 2, and the wishes.
    The price of an odd table rises by `evenness` with each turn there.
    """

    names: tuple[str, ...]
    price: Prices
    odd: int
    fives: int
    plain: bool  # no wishes or history: prices are counts of meetings
    evenness: int = 1

    def meet(self, table: Sequence[int], times: int = 1) -> None:
        """Count a table's meetings; `times` is -1 to subtract them."""
        for first, second in combinations(self.company(table), 2):
            self.add(first, second, times * self.step(second))

    def meet_all(self, rounds: Sequence[Tables], times: int = 1) -> None:
        for tables in rounds:
            for table in tables:
                self.meet(table, times)

    def add(self, first: int, second: int, amount: int) -> None:
        """Raise or lower the price of a pair."""
        self.price[first][second] += amount
        self.price[second][first] += amount

    def step(self, mate: int) -> int:
        """How much dearer the next meeting with this mate is, who may be the mark of a table."""
        return 1 if mate < len(self.names) else self.evenness

    def copy(self) -> "Board":
        """A copy that can be changed independently."""
        return replace(self, price=[list(row) for row in self.price])

    def cost_since(self, earlier_board: "Board") -> tuple[int, int]:
        """The cost of meetings and turns since then, and of the turns alone."""
        players = len(self.names)
        meetings = sum(
            2 * cost * (now - cost) + (now - cost) * (now - cost - 1)
            for pairs in map(zip, earlier_board.price[:players], self.price[:players])
            for cost, now in islice(pairs, players)
        )
        turns = sum(
            (2 * cost * (now - cost) + (now - cost) * (now - cost - self.evenness)) // self.evenness
            for mark in {self.odd, self.fives}
            for cost, now in zip(earlier_board.price[mark], self.price[mark], strict=True)
        )
        return meetings // 4 + turns // 2, turns // 2

    def repeats(self) -> int:
        """Meetings beyond the first, over all pairs, if prices are counts; else 0."""
        if not self.plain:
            return 0
        return sum(max(0, self.price[p][q] - 1) for p, q in combinations(range(len(self.names)), 2))

    def least_change(self) -> int | None:
        """A lower bound of the cost change: meetings spread evenly over all pairs.

        Known only if prices are counts; with wishes or history the search runs to the end.
        """
        if not self.plain:
            return None
        players = len(self.names)
        rows = [row[:players] for row in self.price[:players]]
        turns = [price // self.evenness for price in self.price[self.odd]]
        now = sum(n * (n - 1) for row in rows for n in row) // 4
        now += self.evenness * sum(n * (n - 1) for n in turns) // 2
        least = -(-sum(even_pairs(sum(row), players - 1) for row in rows) // 2)
        return least + self.evenness * even_pairs(sum(turns), players) - now

    def company(self, table: Sequence[int]) -> Sequence[int]:
        """Who meets at a table: its players and, where they are not four, `odd` or `fives`."""
        return table if len(table) == 4 else [*table, self.fives if len(table) == 5 else self.odd]


def board_for(request: Request) -> Board:
    """The board before the first new round: wishes, memory and the rounds played."""
    size = len(request.players) + (2 if request.turns else 1)
    fixed = request.fixed_table
    wishes = [
        *((frozenset(pair), FORBIDDEN_PRICE) for pair in request.apart),
        *((frozenset(pair), -FORBIDDEN_PRICE) for pair in request.together),
        *((frozenset(pair), TEAM_MATES_PRICE) for pair in team_mates(request.teams)),
        *(
            (
                frozenset((first, second)),
                -FORBIDDEN_PRICE if fixed[first] == fixed[second] else FORBIDDEN_PRICE,
            )
            for first, second in combinations(fixed, 2)
        ),
        *request.past_meetings.items(),
    ]
    price = [[0] * size for _ in range(size)]
    is_plain = not wishes and not request.turns
    evenness = EVENNESS_PRICE if 3 in request.table_sizes else 1
    board = Board(
        request.players, price, size - 1, len(request.players), plain=is_plain, evenness=evenness
    )
    number = {name: index for index, name in enumerate(request.players)}
    for pair, weight in wishes:
        if pair <= number.keys() and len(pair) == 2:
            first, second = (number[name] for name in pair)
            board.add(first, second, weight)
    for size, mark in ((3, board.odd), (5, board.fives)):
        for name, times in request.turns.get(size, {}).items():
            if name in number:
                board.add(number[name], mark, TURN_PRICE * times)
    for round_ in request.played:
        for table in round_.tables:
            board.meet([number[name] for name in table.names])
    return board


def team_mates(teams: Mapping[str, str]) -> list[tuple[str, str]]:
    """The pairs of players who belong to one team."""
    return [
        (first, second) for first, second in combinations(teams, 2) if teams[first] == teams[second]
    ]


@dataclass(frozen=True, slots=True)
class RoundCall:
    """The players of a round, its table sizes, and who sits out."""

    players: tuple[int, ...]
    sizes: tuple[int, ...]
    sitting_out: tuple[int, ...]


def round_calls(
    request: Request, order: Sequence[int], *, first_calls: Sequence[RoundCall] = ()
) -> list[RoundCall]:
    """The new rounds' players; those who have sat out least sit out, `order` deciding ties.

    begun: the calls of the first new rounds, if already fixed.
    """
    turns = times_sat_out(request)
    calls = list(first_calls)
    for call in first_calls:
        for player in call.sitting_out:
            turns[player] += 1
    first = len(request.played) + 1
    for number in range(first + len(first_calls), first + request.rounds):
        present_names = set(request.roster(number))
        roster = [p for p in order if request.players[p] in present_names]
        if request.split and sum(request.split) == len(roster):
            sizes = request.split
        else:
            sizes = tuple(table_sizes_for(len(roster), request.table_sizes))
        sitting_out = tuple(sorted(roster, key=turns.__getitem__)[: len(roster) - sum(sizes)])
        for player in sitting_out:
            turns[player] += 1
        calls.append(
            RoundCall(tuple(p for p in roster if p not in sitting_out), sizes, sitting_out)
        )
    return calls


def times_sat_out(request: Request) -> list[int]:
    """How often each player sat out before the first new round.

    A round played without them counts too: whoever comes late has had a round off.
    """
    past_turns = request.turns.get(0, {})
    turns = {name: past_turns.get(name, 0) for name in request.players}
    for round_ in request.played:
        seated_names = {name for table in round_.tables for name in table.names}
        for name in turns.keys() - seated_names:
            turns[name] += 1
    return list(turns.values())


def even_pairs(times: int, slots: int) -> int:
    """The sum of n (n - 1) / 2 if `times` are spread evenly over `slots`."""
    share, remainder = divmod(times, slots)
    return slots * share * (share - 1) // 2 + remainder * share


class Dice:
    """Numbers from a seed; only `random()` is used, which no version of Python changes."""

    def __init__(self, seed: int) -> None:
        self.roll = random.Random(seed).random  # noqa: S311 - seating, not secrets

    def roll_below(self, sides: int) -> int:
        """A whole number from 0 to `sides` - 1."""
        return int(self.roll() * sides)

    def shuffle(self, items: MutableSequence[Item]) -> None:
        """Put `items` into a random order, in place."""
        for last in range(len(items) - 1, 0, -1):
            random_index = self.roll_below(last + 1)
            items[last], items[random_index] = items[random_index], items[last]


class Allowance:
    """The budget of a search: looks are counted, so that the result does not depend on a clock.

    A look weighs one exchange of two players. `is_cut` remembers that a search was stopped.
    """

    def __init__(self, seconds: float) -> None:
        self._looks = seconds * LOOKS_PER_SECOND
        self.is_cut = False

    def spend(self, looks: float) -> None:
        self._looks -= looks

    def is_over(self) -> bool:
        """Whether the budget is used up; if so, the search is marked as cut."""
        self.is_cut = self.is_cut or self._looks <= 0
        return self.is_cut


@dataclass(slots=True)
class ExchangeSearch:
    """The current rounds, each table with its company, and the effect of the exchanges."""

    board: Board
    rounds: list[Tables]
    dice: Dice
    table_of: list[dict[int, int]] = field(init=False)
    mates: dict[int, list[int]] = field(init=False)
    forbidden: dict[tuple[int, int, int], int] = field(default_factory=dict)
    clock: int = 0
    players: list[list[int]] = field(init=False)
    steps: list[int] = field(init=False)  # by mate, how much dearer the next meeting is

    def __post_init__(self) -> None:
        self.table_of = [
            {player: t for t, table in enumerate(tables) for player in table}
            for tables in self.rounds
        ]
        self.rounds = [
            [list(self.board.company(table)) for table in tables] for tables in self.rounds
        ]
        self.players = [list(table_of) for table_of in self.table_of]
        price, size = self.board.price, len(self.board.names)
        self.steps = [self.board.step(mate) for mate in range(len(price))]
        self.mates = {
            number: [mate for mate in range(size) if price[number][mate] < -FORBIDDEN_PRICE // 2]
            for number in range(size)
        }

    def plain_rounds(self) -> list[Tables]:
        """The players at each table, without the marks of odd tables."""
        marks = {self.board.odd, self.board.fives}
        return [
            [[p for p in table if p not in marks] for table in tables] for tables in self.rounds
        ]

    def is_unhappy(self, number: int, player: int) -> bool:
        """Whether a player of a round has a needless meeting, or lacks a companion."""
        row, table_of = self.board.price[player], self.table_of[number]
        own_table = table_of[player]
        if any(row[mate] > self.steps[mate] for mate in self.rounds[number][own_table]):
            return True
        return any(table_of.get(mate, own_table) != own_table for mate in self.mates[player])

    def find_unhappy(self, allowance: Allowance) -> tuple[int, int] | None:
        """A round and a player worth moving: first at random, then by examining all."""
        players = self.players
        for _ in range(PLACES_SAMPLED):
            number = self.dice.roll_below(len(players))
            player = players[number][self.dice.roll_below(len(players[number]))]
            if self.is_unhappy(number, player):
                return number, player
        allowance.spend(sum(map(len, players)))
        places = [(n, p) for n, row in enumerate(players) for p in row if self.is_unhappy(n, p)]
        return places[self.dice.roll_below(len(places))] if places else None

    def best_exchange(self, number: int, player: int, room: int) -> tuple[int, int] | None:
        """The change of cost and the partner of the best exchange; with less than `room` any goes.

        A player does not return to a table just left, unless that would be a new best.
        """
        price, tables = self.board.price, self.rounds[number]
        marks, evenness = {self.board.odd, self.board.fives}, self.board.evenness
        own_table = self.table_of[number][player]
        own_row = price[player]
        tablemates = [mate for mate in tables[own_table] if mate != player]
        stay = sum(own_row[mate] - self.steps[mate] for mate in tablemates)
        best: tuple[int, int] | None = None
        of_left = itemgetter(*tablemates)
        start = self.dice.roll_below(len(tables))
        for other_table in (*range(start, len(tables)), *range(start)):
            table = tables[other_table]
            if other_table == own_table:
                continue
            move_cost, last = sum(own_row[mate] for mate in table) - stay, len(table) - 1
            for mark in marks.intersection(table):
                # If both tables have it, both players keep their turn there.
                last += evenness - 1 - 2 * evenness * (mark in tablemates)
            of_table = itemgetter(*table)
            is_barred = self.forbidden.get((number, player, other_table), 0) > self.clock
            for partner in table:
                if partner in marks:
                    continue
                row = price[partner]
                change = (
                    move_cost - own_row[partner] + last - sum(of_table(row)) + sum(of_left(row))
                )
                if best is None or change < best[0]:
                    is_return_barred = (
                        self.forbidden.get((number, partner, own_table), 0) > self.clock
                    )
                    if change < room or not (is_barred or is_return_barred):
                        best = change, partner
        return best

    def exchange(self, number: int, player: int, partner: int) -> None:
        """Exchange the seats of two players of a round, and bar both from going straight back."""
        tables, table_of, add = self.rounds[number], self.table_of[number], self.board.add
        own_table, other_table = table_of[player], table_of[partner]
        for item, two, place in ((player, partner, own_table), (partner, player, other_table)):
            tablemates = [mate for mate in tables[place] if mate != item]
            for mate in tablemates:
                add(item, mate, -self.steps[mate])
                add(two, mate, self.steps[mate])
            tables[place] = [*tablemates, two]
            table_of[two] = place
            self.clock += 1
            self.forbidden[number, item, place] = (
                self.clock + 2 + self.dice.roll_below(MAX_TABLE_TENURE)
            )


def improve(
    board: Board,
    rounds: list[Tables],
    dice: Dice,
    allowance: Allowance,
    *,
    effort: int = MAX_IDLE_PARTNERS,
) -> tuple[list[Tables], bool]:
    """Rounds of which none is found that costs less, and whether none can be.

    The board's meetings follow the rounds. effort: looks without a new best before the
    search ends, at four rounds and more; fewer rounds have their share.
    """
    target = board.least_change()
    if not rounds or target == 0:
        return rounds, True
    search = ExchangeSearch(board, rounds, dice)
    best, cost, best_cost = search.plain_rounds(), 0, 0
    players = len(board.names)
    patience = most = max(players, effort * min(4, len(rounds)) // (4 * players))
    while best_cost != target and (place := search.find_unhappy(allowance)) is not None:
        if patience == 0 or allowance.is_over():
            break
        patience -= 1
        allowance.spend(players)
        move = search.best_exchange(*place, best_cost - cost)
        if move is None:
            continue
        search.exchange(*place, move[1])
        cost += move[0]
        if cost < best_cost:
            best, best_cost, patience = search.plain_rounds(), cost, most
            allowance.spend(players * len(rounds) / 4)
    else:
        return search.plain_rounds(), True
    board.meet_all(search.plain_rounds(), -1)
    board.meet_all(best)
    return best, False


@dataclass(slots=True)
class RoomPlan:
    """Rounds in table order, and how often each player has been at each table."""

    rounds: list[Tables]
    visits: list[list[int]]
    fixed: Mapping[int, int]  # player to table, from 0

    def count(self, number: int, place: int, times: int) -> None:
        """Add or subtract the visits of a round's table."""
        for player in self.rounds[number][place]:
            self.visits[player][place] += times

    def change(self, number: int, first: int, second: int) -> int:
        """The change in the sum of returns if two tables of a round are exchanged."""
        tables, visits = self.rounds[number], self.visits
        first_change = sum(visits[p][second] - visits[p][first] + 1 for p in tables[first])
        return first_change + sum(visits[p][first] - visits[p][second] + 1 for p in tables[second])

    def exchange(self, number: int, first: int, second: int) -> None:
        tables = self.rounds[number]
        for place in (first, second):
            self.count(number, place, -1)
        tables[first], tables[second] = tables[second], tables[first]
        for place in (first, second):
            self.count(number, place, 1)

    def holds(self, number: int, place: int) -> bool:
        """Whether someone who must sit at this table does."""
        return any(self.fixed.get(player) == place for player in self.rounds[number][place])

    def lessen_returns(self, dice: Dice, allowance: Allowance) -> None:
        """Let tables exchange places, at first now and then for the worse, until none returns
        more often than must be."""
        table_places = [
            (n, place) for n, tables in enumerate(self.rounds) for place in range(len(tables))
        ]
        tries = min(MAX_TRIES, TRIES_PER_TABLE * len(table_places))
        # Over all players and tables, the pairs of visits (three visits make three returns), less
        # what there must be where each player's visits are spread evenly over the tables.
        excess = sum(times * (times - 1) // 2 for row in self.visits for times in row)
        most = max((len(tables) for tables in self.rounds), default=1)
        excess -= sum(even_pairs(sum(row), most) for row in self.visits)
        for tries_left in range(tries, 0, -1):
            if excess == 0 or allowance.is_over():
                break
            allowance.spend(1)
            number, place = table_places[dice.roll_below(len(table_places))]
            other_place = dice.roll_below(len(self.rounds[number]))
            if other_place == place or self.holds(number, place) or self.holds(number, other_place):
                continue
            change = self.change(number, place, other_place)
            if change <= 0 or dice.roll() * change * change < START_ACCEPTANCE * tries_left / tries:
                self.exchange(number, place, other_place)
                excess += change


def choose_tables(
    rounds: Sequence[Tables],
    visits: list[list[int]],
    fixed: Mapping[int, int],
    dice: Dice,
    allowance: Allowance,
) -> list[Tables]:
    """The rounds, tables in room order, fixed ones first; visits: by player and table, updated."""
    room = RoomPlan([list(tables) for tables in rounds], visits, fixed)
    for number, tables in enumerate(room.rounds):
        for player, place in fixed.items():
            now = next((t for t, table in enumerate(tables) if player in table), None)
            if now is not None and place < len(tables):
                tables[now], tables[place] = tables[place], tables[now]
        for place in range(len(tables)):
            room.count(number, place, 1)
    room.lessen_returns(dice, allowance)
    return room.rounds
