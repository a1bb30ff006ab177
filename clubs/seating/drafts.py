"""A first seating: a perfect plan where there is one, fitted to who is there."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations

from clubs.seating.board import (
    TURN,
    Allowance,
    Board,
    Call,
    Dice,
    Prices,
    Tables,
    calls_for,
    turns_out,
)
from clubs.seating.constructions import perfect_rounds
from clubs.seating.request import Request

TENURE = 8  # exchanges during which a place keeps its player, at most
LOOKS = 12  # mates whose prices are added up in the time of one look of the search
EFFORT = 300_000  # places looked at without a new best before giving up


@dataclass(slots=True)
class Cast:
    """The players in the places of a plan; `holder` -1 is the mark of an odd table.

    A plan without repeats lets each pair meet at most once, so only what a first meeting
    costs counts here: `price`, and nothing for those who are to sit together.
    """

    price: Prices
    holder: list[int]
    mates: list[list[int]]
    barred: dict[int, int] = field(default_factory=dict)

    def cost_at(self, place: int, player: int) -> int:
        """What the meetings of `player` cost in a place, were everyone else to stay."""
        row, holder = self.price[player], self.holder
        return sum([max(0, row[holder[mate]]) for mate in self.mates[place]])

    def change(self, one: int, other: int) -> int:
        """By how much the cost changes when two places exchange their players.

        Where the two places meet each other nothing changes between them; counting
        that meeting with a player and himself costs nothing, so it is added back.
        """
        first, second = self.holder[one], self.holder[other]
        shared = 2 * self.mates[one].count(other) * max(0, self.price[first][second])
        after = self.cost_at(one, second) + self.cost_at(other, first)
        return after + shared - self.cost_at(one, first) - self.cost_at(other, second)

    def unhappy(self) -> list[int]:
        """The places whose players have a meeting that costs something."""
        return [place for place, who in enumerate(self.holder) if self.cost_at(place, who) > 0]

    def cost(self) -> int:
        """What all meetings cost."""
        return sum(self.cost_at(place, who) for place, who in enumerate(self.holder)) // 2


def cast_for(plan: Sequence[Tables], price: Prices, holder: Sequence[int]) -> Cast:
    """The players as `holder` puts them into the places of `plan`."""
    mates: list[list[int]] = [[] for _ in holder]
    for tables in plan:
        for table in tables:
            for place in table:
                mates[place] += [mate for mate in table if mate != place]
    return Cast(price, list(holder), mates)


def recast(cast: Cast, dice: Dice, allowance: Allowance) -> list[int]:
    """The players exchanged until no meeting costs anything, or as little as is found."""
    if not cast.unhappy():
        return cast.holder
    best, cost = list(cast.holder), cast.cost()
    best_cost, clock = cost, 0
    patience = effort = EFFORT // max(1, len(best))
    while patience > 0 and (unhappy := cast.unhappy()) and not allowance.is_over():
        place = unhappy[dice.below(len(unhappy))]
        change, other = _best_exchange(cast, place, clock, best_cost - cost)
        allowance.spend(len(best) * len(cast.mates[place]) / LOOKS)
        cast.holder[place], cast.holder[other] = cast.holder[other], cast.holder[place]
        clock += 1
        for moved in (place, other):
            cast.barred[moved] = clock + 1 + dice.below(TENURE)
        cost += change
        patience -= len(best)
        if cost < best_cost:
            best, best_cost, patience = list(cast.holder), cost, effort
    return best


def _best_exchange(cast: Cast, place: int, clock: int, room: int) -> tuple[int, int]:
    """The change of cost and the place of the best exchange; staying put is the last resort."""
    best = (0, place)
    found = False
    for other in range(len(cast.holder)):
        if cast.holder[other] < 0 or cast.holder[place] < 0 or other == place:
            continue
        change = cast.change(place, other)
        free = max(cast.barred.get(place, 0), cast.barred.get(other, 0)) <= clock
        if (free or change < room) and (not found or change < best[0]):
            best, found = (change, other), True
    return best


def draft(
    board: Board,
    calls: Sequence[Call],
    played: int,
    dice: Dice,
    allowance: Allowance,
    *,
    again: bool = True,
) -> list[Tables]:
    """A seating for every call, its meetings counted on the board.

    played: rounds before these; a perfect plan that they began is carried on.
    again: where a perfect plan ends another begins, cast so that few meet who have met;
        else each player of the rounds left sits down where it costs least.
    """
    room = max((len(call.sizes) for call in calls), default=0)
    rounds: list[Tables] = []
    while left := calls[len(rounds) :]:
        plan, holder = _perfect_part(board, left, room, played + len(rounds), dice, allowance)
        rounds += [
            _fit(_there(tables, holder, call), call, board)
            for tables, call in zip(plan, left, strict=False)
        ]
        if not (plan and again):
            rounds += [_fit([], call, board) for call in calls[len(rounds) :]]
    return rounds


def _there(tables: Tables, holder: Sequence[int], call: Call) -> Tables:
    """A plan's tables with the players in their places, as far as they play in this round."""
    there = set(call.players)
    return [[player for p in table if (player := holder[p]) in there] for table in tables]


def _perfect_part(
    board: Board, calls: Sequence[Call], room: int, played: int, dice: Dice, allowance: Allowance
) -> tuple[Sequence[Tables], list[int]]:
    """A plan without repeats and the players in its places: the cheaper of a plan's next
    rounds and a plan begun anew."""
    drawn = _draw(board, calls, 4 * room, dice)
    whole = perfect_rounds(4 * room, played + len(calls)) if room else ()
    anew = perfect_rounds(4 * room, len(calls)) if room else ()
    casts = [
        (plan, cast_for(plan, board.price, _holders(whole, 4 * room, drawn)))
        for plan in ((whole[played:], anew) if played else (anew,))
        if len(plan) >= min(len(calls), len(anew)) > 0
    ]
    if not casts:
        return (), []
    plan, cast = casts[0] if len(casts) == 1 else min(casts, key=lambda pair: pair[1].cost())
    return plan, recast(cast, dice, allowance)


def _draw(board: Board, calls: Sequence[Call], places: int, dice: Dice) -> list[int]:
    """The players in the order of a draw; those who are there most come first if some must."""
    players = list(range(len(board.names)))
    dice.shuffle(players)
    if len(players) > places:
        there = Counter(player for call in calls for player in call.players)
        players.sort(key=lambda player: -there[player])
    return players


def _holders(plan: Sequence[Tables], places: int, drawn: Sequence[int]) -> list[int]:
    """Which player takes each place of the plan; -1 for a place left empty."""
    empty = _strangers(plan, places, max(0, places - len(drawn)))
    taken = iter(drawn)
    return [-1 if place in empty else next(taken) for place in range(places)]


def _strangers(plan: Sequence[Tables], places: int, count: int) -> set[int]:
    """`count` places of which as few as can be ever meet, taken one after another."""
    if not count:
        return set()
    met: list[set[int]] = [set() for _ in range(places)]
    for tables in plan:
        for table in tables:
            for one, other in combinations(table, 2):
                met[one].add(other)
                met[other].add(one)
    chosen: set[int] = set()
    for _ in range(count):
        free = [place for place in range(places) if place not in chosen]
        chosen.add(min(free, key=lambda place: len(met[place] & chosen)))
    return chosen


def _fit(seated: Tables, call: Call, board: Board) -> Tables:
    """The tables with the sizes of the call, whoever has no place put where it costs least.

    An empty `seated` lets everyone be placed so. Meetings are counted on the board.
    """
    tables, sizes = _cut(seated, sorted(call.sizes, reverse=True))
    settled = {player for table in tables for player in table}
    for player in call.players:
        if player not in settled:
            open_tables = [t for t, size in zip(tables, sizes, strict=True) if len(t) < size]
            min(open_tables, key=lambda table: _cost_of_joining(player, table, board)).append(
                player
            )
    for table in tables:
        board.meet(table)
    return tables


def _cost_of_joining(player: int, table: list[int], board: Board) -> int:
    return sum(board.price[player][other] for other in table)


def _cut(seated: Tables, sizes: list[int]) -> tuple[Tables, list[int]]:
    """As many tables as sizes, in the order of the room, none longer than its own size."""
    fullest = sorted(range(len(seated)), key=lambda place: -len(seated[place]))
    size_of = dict(zip(fullest, sizes, strict=False))
    tables = [seated[place][: size_of[place]] for place in sorted(size_of)]
    fitted = [size_of[place] for place in sorted(size_of)]
    extra = sizes[len(fitted) :]
    return tables + [[] for _ in extra], fitted + extra


A_TABLE = 4
MOST_STEPS = 20_000  # choices tried before a player who fills in for others is given up
NOBODY = -1


@dataclass(frozen=True, slots=True)
class Rest:
    """A round of a plan: its tables of four, and the places that sit out."""

    tables: Tables
    out: list[int]


@lru_cache(maxsize=64)
def resting_rounds(players: int, rounds: int) -> tuple[Rest, ...]:
    """Up to `rounds` rounds for players that four does not divide, without a repeat.

    Where three sit out, a dummy is added and whoever would sit with it sits out. Where one or
    two sit out, those beyond a multiple of four fill in for someone else each round.
    """
    spare = players % A_TABLE
    if spare == A_TABLE - 1:
        return tuple(_without(players, tables) for tables in perfect_rounds(players + 1, rounds))
    plan = perfect_rounds(players - spare, rounds)
    for length in range(len(plan), 0, -1):
        if filled := _filled_in(players, plan[:length]):
            return filled
    return ()


def _without(dummy: int, tables: Tables) -> Rest:
    """The round without the dummy's table, whose other three sit out."""
    [out] = [[place for place in table if place != dummy] for table in tables if dummy in table]
    return Rest([table for table in tables if dummy not in table], out)


def _filled_in(players: int, plan: Sequence[Tables]) -> tuple[Rest, ...]:
    """The plan with the places beyond its own each filling in for one of its places a round."""
    tables = [[list(table) for table in row] for row in plan]
    rested: list[list[int]] = [[] for _ in plan]
    for newcomer in range(A_TABLE * len(plan[0]), players):
        seats = _Filling(tables, newcomer, {place for out in rested for place in out}).seats()
        if not seats:
            return ()
        for row, out, (table, place) in zip(tables, rested, seats, strict=True):
            row[table][row[table].index(place)] = newcomer
            out.append(place)
    return tuple(map(Rest, tables, rested))


@dataclass(slots=True)
class _Filling:
    """A choice of one place in each round for a newcomer, found by trying one after another.

    rested: places that sit out in some round already and do not do so again.
    """

    rounds: list[Tables]
    newcomer: int
    rested: set[int]
    chosen: list[tuple[int, int]] = field(default_factory=list)
    steps: int = 0

    def seats(self) -> list[tuple[int, int]]:
        """A table and the place to take there for every round; empty where none were found."""
        return self.chosen if self._fill(frozenset()) else []

    def _fill(self, met: frozenset[int]) -> bool:
        """Whether the rounds from here on can be filled too; met: whom the newcomer has met."""
        if len(self.chosen) == len(self.rounds):
            return True
        number = len(self.chosen)
        tables = self.rounds[number]
        for turn in range(len(tables)):
            at = (turn + 5 * number) % len(tables)
            for place in tables[at]:
                mates = {mate for mate in tables[at] if mate != place}
                if place in self.rested or place > self.newcomer or mates & met:
                    continue
                self.steps += 1
                if self.steps > MOST_STEPS:
                    return False
                self.chosen.append((at, place))
                self.rested.add(place)
                if self._fill(met | mates):
                    return True
                self.chosen.pop()
                self.rested.remove(place)
        return False


def draft_resting(
    board: Board, request: Request, calls: Sequence[Call], dice: Dice, allowance: Allowance
) -> tuple[list[Call], list[Tables]]:
    """Calls and a seating by such a plan, as far as it goes, its meetings counted on the board.

    It goes on for as long as the same people are there, nobody sits out before their turn, and
    four does not divide them. Later calls are made and drafted as ever. Both empty where it
    does not even begin.
    """
    roster = sorted([*calls[0].players, *calls[0].sitting_out])
    lasting = _lasting(calls, roster)
    if not lasting:
        return [], []
    turns, played = turns_out(request), len(request.played)
    chosen, holder = _cast(board, roster, turns, (played, lasting), dice, allowance)
    begun: list[Call] = []
    rounds: list[Tables] = []
    for rest in chosen:
        out = tuple(sorted(holder[place] for place in rest.out))
        if max(turns[player] for player in out) > sorted(turns[p] for p in roster)[len(out) - 1]:
            break
        for player in out:
            turns[player] += 1
        begun.append(Call(tuple(p for p in roster if p not in out), calls[0].sizes, out))
        rounds.append([[holder[place] for place in table] for table in rest.tables])
    if not begun:
        return [], []
    for tables in rounds:
        for table in tables:
            board.meet(table)
    order = list(range(len(request.players)))
    dice.shuffle(order)
    made = calls_for(request, order, begun=begun)
    rounds += draft(board, made[len(begun) :], played + len(begun), dice, allowance)
    return made, rounds


def _lasting(calls: Sequence[Call], roster: Sequence[int]) -> int:
    """For how many rounds the same people are there, more than tables of four hold."""
    for number, call in enumerate(calls):
        there = sorted([*call.players, *call.sitting_out])
        if there != roster or not call.sitting_out or set(call.sizes) != {A_TABLE}:
            return number
    return len(calls)


def _cast(
    board: Board,
    roster: Sequence[int],
    turns: Sequence[int],
    count: tuple[int, int],
    dice: Dice,
    allowance: Allowance,
) -> tuple[Sequence[Rest], list[int]]:
    """Rounds of a plan and the players in its places: the cheaper of a plan's next rounds
    and a plan begun anew. count: the rounds played, and the rounds to come."""
    played, lasting = count
    drawn = list(roster)
    dice.shuffle(drawn)
    least = min(turns[player] for player in roster)
    price = [
        [*row[:-1], TURN * (taken - least)]
        for row, taken in zip(board.price, [*turns, *[least] * len(board.price)], strict=False)
    ]
    plans: list[Sequence[Rest]] = [resting_rounds(len(roster), lasting)]
    if played:
        plans.insert(0, resting_rounds(len(roster), played + lasting)[played:])
    casts: list[tuple[Sequence[Rest], Cast]] = []
    for plan in plans:
        company = [[*rest.tables, *([place, len(roster)] for place in rest.out)] for rest in plan]
        casts.append((plan, cast_for(company, price, [*drawn, NOBODY])))
    longest = max(len(plan) for plan in plans)
    full = [(plan, cast) for plan, cast in casts if len(plan) == longest]
    plan, cast = min(full, key=lambda pair: pair[1].cost())
    return plan, recast(cast, dice, allowance)
