"""A tabu search that exchanges two players of a round until nobody meets needlessly."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter

from clubs.seating.board import FORBIDDEN, Allowance, Board, Dice, Tables, evenly

EFFORT = 80_000  # partners looked at without a new best before the search ends
TENURE = 5  # exchanges during which a player does not return to a table, at most
GLANCES = 60  # places looked at by chance before all are looked through


@dataclass(slots=True)
class Search:
    """The rounds as they stand, each table with its company, and what the exchanges changed."""

    board: Board
    rounds: list[Tables]
    dice: Dice
    table_of: list[dict[int, int]] = field(init=False)
    mates: dict[int, list[int]] = field(init=False)
    forbidden: dict[tuple[int, int, int], int] = field(default_factory=dict)
    clock: int = 0
    players: list[list[int]] = field(init=False)

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
        self.mates = {
            one: [other for other in range(size) if price[one][other] < -FORBIDDEN // 2]
            for one in range(size)
        }

    def plain_rounds(self) -> list[Tables]:
        """The players at each table, the marks of odd tables left out."""
        marks = {self.board.odd, self.board.fives}
        return [
            [[p for p in table if p not in marks] for table in tables] for tables in self.rounds
        ]

    def is_unhappy(self, number: int, player: int) -> bool:
        """Whether a player of a round has a needless meeting, or is away from a companion."""
        row, table_of = self.board.price[player], self.table_of[number]
        here = table_of[player]
        if max(row[mate] for mate in self.rounds[number][here]) > 1:
            return True
        return any(table_of.get(mate, here) != here for mate in self.mates[player])

    def find_unhappy(self, allowance: Allowance) -> tuple[int, int] | None:
        """A round and a player worth moving: by chance first, then by looking everywhere."""
        players = self.players
        for _ in range(GLANCES):
            number = self.dice.below(len(players))
            player = players[number][self.dice.below(len(players[number]))]
            if self.is_unhappy(number, player):
                return number, player
        allowance.spend(sum(map(len, players)))
        places = [(n, p) for n, row in enumerate(players) for p in row if self.is_unhappy(n, p)]
        return places[self.dice.below(len(places))] if places else None

    def best_exchange(self, number: int, player: int, room: int) -> tuple[int, int] | None:
        """The change of cost and the partner of the best exchange; with less than `room` any goes.

        A player does not return to a table just left, unless that would be a new best.
        """
        price, tables = self.board.price, self.rounds[number]
        odd, fives = self.board.odd, self.board.fives
        here = self.table_of[number][player]
        mine = price[player]
        left = [mate for mate in tables[here] if mate != player]
        stay = sum(mine[mate] for mate in left) - len(left)
        best: tuple[int, int] | None = None
        of_left = itemgetter(*left)
        start = self.dice.below(len(tables))
        for there in (*range(start, len(tables)), *range(start)):
            table = tables[there]
            if there == here:
                continue
            come, last = sum(mine[mate] for mate in table) - stay, len(table) - 1
            if (odd in left and odd in table) or (fives in left and fives in table):
                last -= 2  # both keep their turn at an odd table
            of_table = itemgetter(*table)
            barred = self.forbidden.get((number, player, there), 0) > self.clock
            for other in table:
                if other in (odd, fives):
                    continue
                row = price[other]
                change = come - mine[other] + last - sum(of_table(row)) + sum(of_left(row))
                if best is None or change < best[0]:
                    back = self.forbidden.get((number, other, here), 0) > self.clock
                    if change < room or not (barred or back):
                        best = change, other
        return best

    def exchange(self, number: int, player: int, other: int) -> None:
        """Let two players of a round exchange seats, and bar both from going straight back."""
        tables, table_of, add = self.rounds[number], self.table_of[number], self.board.add
        here, there = table_of[player], table_of[other]
        for one, two, place in ((player, other, here), (other, player, there)):
            left = [mate for mate in tables[place] if mate != one]
            for mate in left:
                add(one, mate, -1)
                add(two, mate, 1)
            tables[place] = [*left, two]
            table_of[two] = place
            self.clock += 1
            self.forbidden[number, one, place] = self.clock + 2 + self.dice.below(TENURE)


def improve(
    board: Board,
    rounds: list[Tables],
    dice: Dice,
    allowance: Allowance,
    *,
    effort: int = EFFORT,
) -> tuple[list[Tables], bool]:
    """Rounds of which none is found that costs less, and whether none can be.

    The board's meetings follow the rounds. effort: looks without a new best before the
    search ends, at four rounds and more; fewer rounds have their share.
    """
    target = _least_change(board)
    if not rounds or target == 0:
        return rounds, True
    search = Search(board, rounds, dice)
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
    _recount(board, search.plain_rounds(), best)
    return best, False


def _least_change(board: Board) -> int | None:
    """The change of cost below which none can go: meetings shared out evenly over all pairs.

    That is known only where prices are counts; wishes and memory are searched to the end.
    """
    if not board.plain:
        return None
    players, turns = len(board.names), board.price[board.odd]
    now = sum(n * (n - 1) for row in board.price for n in row) // 4
    meetings = [sum(row) - turns[player] for player, row in enumerate(board.price[:players])]
    least = -(-sum(evenly(held, players - 1) for held in meetings) // 2)
    return least + evenly(sum(turns), players) - now


def _recount(board: Board, before: Sequence[Tables], after: Sequence[Tables]) -> None:
    for tables in before:
        for table in tables:
            board.meet(table, -1)
    for tables in after:
        for table in tables:
            board.meet(table)


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
