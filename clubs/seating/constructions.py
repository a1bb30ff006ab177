"""An initial seating: perfect plans where known, fitted to the players."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import combinations
from math import gcd
from pathlib import Path
from typing import TypedDict

from clubs.seating.search import Allowance, Board, Dice, Prices, RoundCall, Tables

Polynomial = tuple[int, ...]  # digits to the base p, lowest power first
Shifts = list[tuple[int, ...]]  # of each round: how far columns 0 to 3 and the tables rotate
MIN_TABLES_FOR_SHIFTS = 18  # tables; below, a random search for shifts seldom ends well
MAX_TENURE = 8  # maximum exchanges for which a place keeps its player
MATES_PER_LOOK = 12  # mates whose prices take as long to add up as one look of the search
MAX_IDLE_PLACES = 300_000  # places tried without a new best before giving up


@dataclass(frozen=True, slots=True)
class GaloisField:
    """The field of `prime` ** `degree` elements, numbered by their digits to that base."""

    prime: int
    degree: int
    modulus: Polynomial

    def add(self, first: int, second: int) -> int:
        pairs = zip(self._digits(first), self._digits(second), strict=True)
        return self._number(tuple((a + b) % self.prime for a, b in pairs))

    def multiply(self, first: int, second: int) -> int:
        product = [0] * (2 * self.degree)
        for i, a in enumerate(self._digits(first)):
            for j, b in enumerate(self._digits(second)):
                product[i + j] += a * b
        return self._number(_remainder(product, self.modulus, self.prime))

    def _digits(self, element: int) -> Polynomial:
        return _digits(element, self.prime, self.degree)

    def _number(self, digits: Polynomial) -> int:
        return sum(digit * self.prime**power for power, digit in enumerate(digits))


@lru_cache(maxsize=32)
def galois_field(order: int) -> GaloisField | None:
    """The field with `order` elements, or None if `order` is not a prime power."""
    prime = next((p for p in range(2, order + 1) if order % p == 0), None)
    if prime is None:
        return None
    degree = next(d for d in range(1, order.bit_length() + 1) if prime**d >= order)
    if prime**degree != order:
        return None
    # The first irreducible monic polynomial of that degree.
    for number in range(order):
        modulus = (*_digits(number, prime, degree), 1)
        divisors = [
            (*_digits(number, prime, half), 1)
            for half in range(1, degree // 2 + 1)
            for number in range(prime**half)
        ]
        if all(any(_remainder(list(modulus), divisor, prime)) for divisor in divisors):
            return GaloisField(prime, degree, modulus)
    raise ArithmeticError(f"no irreducible polynomial of degree {degree} over {prime}")


def _digits(number: int, prime: int, count: int) -> Polynomial:
    return tuple(number // prime**power % prime for power in range(count))


def _remainder(product: list[int], modulus: Polynomial, prime: int) -> Polynomial:
    """`product` modulo a monic polynomial, with as many digits as its degree."""
    degree = len(modulus) - 1
    remainder = [digit % prime for digit in product]
    for top in range(len(remainder) - 1, degree - 1, -1):
        for power, digit in enumerate(modulus[:degree]):
            place = top - degree + power
            remainder[place] = (remainder[place] - remainder[top] * digit) % prime
        remainder[top] = 0
    return tuple(remainder[:degree])


class CyclicPlan(TypedDict):
    """Blocks of tables that are rotated `m` times (plans.json)."""

    players: int
    rounds: int
    m: int
    blocks: list[Tables]


class CyclicRoomPlan(TypedDict):
    """One block that is rotated with its tables, so that nobody returns to one."""

    players: int
    rounds: int
    m: int
    table_q: int
    block: Tables


class Catalogue(TypedDict):
    """Stored plans, found once by a long search."""

    most_rounds: list[CyclicPlan]
    no_table_revisits: list[CyclicRoomPlan]
    fewest_repeats: list[CyclicPlan]  # where repeats are forced, for exactly so many rounds


@lru_cache(maxsize=64)
def perfect_rounds(players: int, rounds: int) -> tuple[Tables, ...]:
    """Up to `rounds` rounds of `players` numbers (a multiple of 4) without a repeat.

    A round lists its tables in the order of the room. Fewer rounds come back where no longer plan
    is known; those without a table revisited are preferred.
    """
    longest: list[Tables] = []
    for result in _known_plans(players, rounds):
        if len(result) >= rounds:
            return tuple(result[:rounds])
        longest = max(longest, result, key=len)
    return tuple(longest)


def fewest_repeats(players: int, rounds: int) -> list[Tables]:
    """A stored plan for these players and rounds, where a search seldom does as well; or empty."""
    plans = (plan for plan in _catalogue()["fewest_repeats"] if plan["players"] == players)
    return next((_rotated_rounds(plan) for plan in plans if plan["rounds"] == rounds), [])


def _known_plans(players: int, rounds: int) -> Iterator[list[Tables]]:
    """Plans over the integers, over a field, from the catalogue and by a random search."""
    tables = players // 4
    turns = range(min(rounds, tables))

    def add(first: int, second: int) -> int:
        return (first + second) % tables

    if tables >= 5 and gcd(tables, 6) == 1:
        shifts = [tuple(m * turn % tables for m in (0, 1, 2, 3, -1)) for turn in turns]
        yield _transversal(tables, shifts, add)
    field = galois_field(tables)
    if tables >= 5 and field:
        shifts = [tuple(field.multiply(m, turn) for m in range(5)) for turn in turns]
        yield _transversal(tables, shifts, field.add)
    halls, plans = _catalogue()["no_table_revisits"], _catalogue()["most_rounds"]
    yield from (_rotate_with_tables(hall) for hall in halls if hall["players"] == players)
    yield from (_rotated_rounds(plan) for plan in plans if plan["players"] == players)
    if tables >= MIN_TABLES_FOR_SHIFTS:
        best: Shifts = []
        for seed in range(20):
            best = max(best, _search_shifts(tables, rounds, Dice(seed)), key=len)
            if len(best) == rounds:
                break
        yield _transversal(tables, best, add)


def _search_shifts(tables: int, rounds: int, dice: Dice) -> Shifts:
    """Rows of shifts whose pairwise differences never recur in the same columns."""
    used: set[tuple[int, int, int]] = set()
    rows: Shifts = []
    for _ in range(400 * rounds):
        row = (0, *(dice.roll_below(tables) for _ in range(4)))
        differences = {(i, j, (row[i] - row[j]) % tables) for i, j in combinations(range(5), 2)}
        if used.isdisjoint(differences):
            used |= differences
            rows.append(row)
        if len(rows) == rounds:
            break
    return rows


def _transversal(tables: int, shifts: Shifts, add: Callable[[int, int], int]) -> list[Tables]:
    """Player 4x + c is number x of column c; column c of table t is number t + its shift."""
    plan = []
    for *columns, room in shifts:
        seated_tables: Tables = [[] for _ in range(tables)]
        for table in range(tables):
            four = [4 * add(table, shift) + c for c, shift in enumerate(columns)]
            seated_tables[add(table, room)] = four
        plan.append(seated_tables)
    return plan


@lru_cache(maxsize=1)
def _catalogue() -> Catalogue:
    text = (Path(__file__).parent / "plans.json").read_text(encoding="utf-8")
    catalogue: Catalogue = json.loads(text)
    return catalogue


def _rotated_rounds(plan: CyclicPlan) -> list[Tables]:
    m = plan["m"]
    return [_rotate_tables(block, m, turn) for block in plan["blocks"] for turn in range(m)]


def _rotate_tables(block: Tables, m: int, turn: int) -> Tables:
    players = 4 * len(block)
    return [[_rotate_place(p, m, turn, players // m * m) for p in table] for table in block]


def _rotate_place(place: int, m: int, turn: int, end: int) -> int:
    return place if place >= end else place // m * m + (place % m + turn) % m


def _rotate_with_tables(hall: CyclicRoomPlan) -> list[Tables]:
    m, block = hall["m"], hall["block"]
    plan = []
    for turn in range(hall["rounds"]):
        room: Tables = [[] for _ in block]
        for place, table in enumerate(_rotate_tables(block, m, turn)):
            room[_rotate_place(place, m, turn, hall["table_q"] * m)] = table
        plan.append(room)
    return plan


@dataclass(slots=True)
class Casting:
    """The players in the places of a plan; `holder` -1 is the mark of an odd table.

    A plan without repeats lets each pair meet at most once, so only what a first meeting
    costs counts here: `price`, and nothing for those who are to sit together.
    """

    price: Prices
    holder: list[int]
    mates: list[list[int]]
    barred_until: dict[int, int] = field(default_factory=dict)

    def cost_at(self, place: int, player: int) -> int:
        """The cost of the meetings of `player` in a place, if everyone else stays."""
        row, holder = self.price[player], self.holder
        return sum([max(0, row[holder[mate]]) for mate in self.mates[place]])

    def change(self, left_place: int, right: int) -> int:
        """The change in cost if two places exchange their players.

        If the two places meet each other, nothing changes between them; counting that meeting as
        one of a player with himself costs nothing, so it is added back.
        """
        first, second = self.holder[left_place], self.holder[right]
        meeting_cost = 2 * self.mates[left_place].count(right) * max(0, self.price[first][second])
        new_cost = self.cost_at(left_place, second) + self.cost_at(right, first)
        return (
            new_cost + meeting_cost - self.cost_at(left_place, first) - self.cost_at(right, second)
        )

    def best_exchange(self, place: int, clock: int, room: int) -> tuple[int, int]:
        """The cost change and the place of the best exchange; staying put is the last resort."""
        best: tuple[int, int] | None = None
        for other_place in range(len(self.holder)):
            if self.holder[other_place] < 0 or self.holder[place] < 0 or other_place == place:
                continue
            change = self.change(place, other_place)
            free = (
                max(self.barred_until.get(place, 0), self.barred_until.get(other_place, 0)) <= clock
            )
            if (free or change < room) and (best is None or change < best[0]):
                best = change, other_place
        return best or (0, place)

    def unhappy(self) -> list[int]:
        """The places whose players have a costly meeting."""
        return [
            place for place, player in enumerate(self.holder) if self.cost_at(place, player) > 0
        ]

    def costly_meetings(self) -> int:
        """The meetings that cost anything: each has to be mended by a search."""
        costly = sum(
            self.price[player][self.holder[mate]] > 0
            for player, mates in zip(self.holder, self.mates, strict=True)
            for mate in mates
        )
        return costly // 2

    def cost(self) -> int:
        return sum(self.cost_at(place, player) for place, player in enumerate(self.holder)) // 2


def casting_for(plan: Sequence[Tables], price: Prices, holder: Sequence[int]) -> Casting:
    """The players assigned to the places of `plan` by `holder`."""
    mates: list[list[int]] = [[] for _ in holder]
    for tables in plan:
        for table in tables:
            for place in table:
                mates[place] += [mate for mate in table if mate != place]
    return Casting(price, list(holder), mates)


def improve_casting(cast: Casting, dice: Dice, allowance: Allowance) -> list[int]:
    """Exchange the players until no meeting costs anything, or as little as can be found."""
    if not cast.unhappy():
        return cast.holder
    best, cost = list(cast.holder), cast.cost()
    best_cost, clock = cost, 0
    patience = effort = MAX_IDLE_PLACES // max(1, len(best))
    while patience > 0 and (unhappy := cast.unhappy()) and not allowance.is_over():
        place = unhappy[dice.roll_below(len(unhappy))]
        change, other_place = cast.best_exchange(place, clock, best_cost - cost)
        allowance.spend(len(best) * len(cast.mates[place]) / MATES_PER_LOOK)
        cast.holder[place], cast.holder[other_place] = cast.holder[other_place], cast.holder[place]
        clock += 1
        for changed_place in (place, other_place):
            cast.barred_until[changed_place] = clock + 1 + dice.roll_below(MAX_TENURE)
        cost += change
        patience -= len(best)
        if cost < best_cost:
            best, best_cost, patience = list(cast.holder), cost, effort
    return best


def draft_seating(
    board: Board,
    calls: Sequence[RoundCall],
    rounds_played: int,
    dice: Dice,
    allowance: Allowance,
    *,
    can_chain_plans: bool = True,
) -> list[Tables]:
    """A seating for every call, its meetings counted on the board.

    played: rounds before these; a perfect plan begun in them is continued. again: where a perfect
    plan ends another begins, cast so that few meet who have met; else the remaining rounds are
    filled greedily.
    """
    most_tables = max((len(call.sizes) for call in calls), default=0)
    rounds: list[Tables] = []
    while remaining_calls := calls[len(rounds) :]:
        round_count = rounds_played + len(rounds)
        plan, holder = _perfect_plan(
            board, remaining_calls, most_tables, round_count, dice, allowance
        )
        for tables, call in zip(plan, remaining_calls, strict=False):
            roster = set(call.players)
            seated_tables = [
                [player for p in table if (player := holder[p]) in roster] for table in tables
            ]
            rounds.append(_fit_tables(seated_tables, call, board))
        if not (plan and can_chain_plans):
            rounds += [_fit_tables([], call, board) for call in calls[len(rounds) :]]
    return rounds


def _perfect_plan(
    board: Board,
    calls: Sequence[RoundCall],
    most_tables: int,
    rounds_played: int,
    dice: Dice,
    allowance: Allowance,
) -> tuple[Sequence[Tables], list[int]]:
    """A plan without repeats and the players in its places: the cheaper of a plan's next
    rounds and a plan begun anew."""
    # The players in random order; if not all fit, those present most come first.
    places = 4 * most_tables
    player_order = list(range(len(board.names)))
    dice.shuffle(player_order)
    if len(player_order) > places:
        rounds_present = Counter(player for call in calls for player in call.players)
        player_order.sort(key=lambda player: -rounds_present[player])
    full_plan = perfect_rounds(places, rounds_played + len(calls)) if places else ()
    new_plan = perfect_rounds(places, len(calls)) if places else ()
    casts = [
        (plan, casting_for(plan, board.price, _place_holders(full_plan, places, player_order)))
        for plan in ((full_plan[rounds_played:], new_plan) if rounds_played else (new_plan,))
        if len(plan) >= min(len(calls), len(new_plan)) > 0
    ]
    if not casts:
        return (), []
    plan, cast = casts[0] if len(casts) == 1 else min(casts, key=lambda pair: pair[1].cost())
    holder = improve_casting(cast, dice, allowance)
    wrong = replace(cast, holder=holder).costly_meetings()
    if (
        wrong
        and not rounds_played
        and (spare := _spare_round_plan(board, places, len(plan), player_order))
    ):
        short_plan, cast = spare
        cast = replace(cast, holder=improve_casting(cast, dice, allowance))
        if cast.costly_meetings() < wrong:
            return short_plan, cast.holder
    return plan, holder


def _spare_round_plan(
    board: Board, places: int, rounds: int, player_order: Sequence[int]
) -> tuple[Sequence[Tables], Casting] | None:
    """A plan one round longer than is played, those who are to be apart at a table of that round.

    Those who sit together there meet in no other round. None if no plan is so long.
    """
    longer = perfect_rounds(places, rounds + 1)
    if len(longer) <= rounds or len(player_order) != places:
        return None
    tables = longer[rounds]
    holder = [-1] * places
    open_tables = [list(table) for table in tables]
    for group in sorted(_groups_kept_apart(board, player_order), key=len, reverse=True):
        fitting = [table for table in open_tables if len(table) >= len(group)]
        smallest = min(fitting, key=len, default=None)
        for player in group:
            table = smallest if smallest is not None else max(open_tables, key=len)
            holder[table.pop()] = player
    return longer[:rounds], casting_for(longer[:rounds], board.price, holder)


def _groups_kept_apart(board: Board, player_order: Sequence[int]) -> list[list[int]]:
    """The players in groups of up to four whose meetings cost something."""
    group_of = {player: [player] for player in player_order}
    pairs = [
        (first_player, second_player)
        for first_player, second_player in combinations(player_order, 2)
        if board.price[first_player][second_player] > 0
    ]
    pairs.sort(key=lambda pair: board.price[pair[0]][pair[1]])  # whole teams before couples
    for first_player, second_player in pairs:
        first, second = group_of[first_player], group_of[second_player]
        if first is not second and len(first) + len(second) <= 4:
            first += second
            group_of |= dict.fromkeys(second, first)
    return [group for player, group in group_of.items() if group[0] == player]


def _place_holders(plan: Sequence[Tables], places: int, player_order: Sequence[int]) -> list[int]:
    """The player in each place of the plan; -1 for an empty place."""
    if len(player_order) >= places:
        return list(player_order[:places])
    # Empty places that meet as rarely as possible, chosen greedily.
    met_places: list[set[int]] = [set() for _ in range(places)]
    for tables in plan:
        for table in tables:
            for first, second in combinations(table, 2):
                met_places[first].add(second)
                met_places[second].add(first)
    empty: set[int] = set()
    for _ in range(places - len(player_order)):
        free = [place for place in range(places) if place not in empty]
        empty.add(min(free, key=lambda place: len(met_places[place] & empty)))
    player_queue = iter(player_order)
    return [-1 if place in empty else next(player_queue) for place in range(places)]


def _fit_tables(seated_tables: Tables, call: RoundCall, board: Board) -> Tables:
    """The tables with the sizes of the call, whoever has no place put where it costs least.

    An empty `seated_tables` lets everyone be placed so. Meetings are counted on the board.
    """
    # As many tables as sizes, in room order, none longer than its size.
    largest = sorted(call.sizes, reverse=True)
    fullest = sorted(range(len(seated_tables)), key=lambda place: -len(seated_tables[place]))
    size_of = sorted(zip(fullest, largest, strict=False))
    extra = largest[len(size_of) :]
    tables = [*(seated_tables[place][:size] for place, size in size_of), *([] for _ in extra)]
    sizes = [*(size for _, size in size_of), *extra]
    seated_players = {player for table in tables for player in table}
    for player in call.players:
        if player not in seated_players:
            row = board.price[player]
            open_tables = [t for t, size in zip(tables, sizes, strict=True) if len(t) < size]
            min(open_tables, key=lambda table: sum(row[mate] for mate in table)).append(player)
    board.meet_all([tables])
    return tables
