"""Finite fields, whose arithmetic spreads players so that no two meet twice."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import gcd
from pathlib import Path
from typing import TypedDict

from clubs.seating.board import Dice

Polynomial = tuple[int, ...]  # digits to the base p, lowest power first


@dataclass(frozen=True, slots=True)
class Field:
    """The field of `prime` ** `degree` elements, numbered by their digits to that base."""

    prime: int
    degree: int
    modulus: Polynomial

    @property
    def order(self) -> int:
        """How many elements there are."""
        return int(self.prime**self.degree)

    def add(self, one: int, other: int) -> int:
        """The sum of two elements."""
        pairs = zip(self._digits(one), self._digits(other), strict=True)
        return self._number(tuple((a + b) % self.prime for a, b in pairs))

    def multiply(self, one: int, other: int) -> int:
        """The product of two elements."""
        product = [0] * (2 * self.degree)
        for i, a in enumerate(self._digits(one)):
            for j, b in enumerate(self._digits(other)):
                product[i + j] += a * b
        return self._number(_remainder(product, self.modulus, self.prime))

    def _digits(self, element: int) -> Polynomial:
        return _digits(element, self.prime, self.degree)

    def _number(self, digits: Polynomial) -> int:
        return sum(digit * self.prime**power for power, digit in enumerate(digits))


@lru_cache(maxsize=32)
def field_of(order: int) -> Field | None:
    """The field with `order` elements, or None where `order` is no power of a prime."""
    prime = next((p for p in range(2, order + 1) if order % p == 0), None)
    if prime is None:
        return None
    degree = next(d for d in range(1, order.bit_length() + 1) if prime**d >= order)
    if prime**degree != order:
        return None
    return Field(prime, degree, _irreducible(prime, degree))


def _digits(number: int, prime: int, count: int) -> Polynomial:
    return tuple(number // prime**power % prime for power in range(count))


def _remainder(product: list[int], modulus: Polynomial, prime: int) -> Polynomial:
    """`product` modulo a monic polynomial, with as many digits as its degree."""
    degree = len(modulus) - 1
    left = [digit % prime for digit in product]
    for top in range(len(left) - 1, degree - 1, -1):
        for power, digit in enumerate(modulus):
            place = top - degree + power
            left[place] = (
                (left[place] - left[top] * digit) % prime if power < degree else left[place]
            )
        left[top] = 0
    return tuple(left[:degree])


def _irreducible(prime: int, degree: int) -> Polynomial:
    """The first monic polynomial of that degree without a divisor of half of it or less."""
    for number in range(prime**degree):
        candidate = (*_digits(number, prime, degree), 1)
        if not any(_divides(divisor, candidate, prime) for divisor in _divisors(prime, degree)):
            return candidate
    raise ArithmeticError(f"no irreducible polynomial of degree {degree} over {prime}")


def _divisors(prime: int, degree: int) -> list[Polynomial]:
    return [
        (*_digits(number, prime, half), 1)
        for half in range(1, degree // 2 + 1)
        for number in range(prime**half)
    ]


def _divides(divisor: Polynomial, candidate: Polynomial, prime: int) -> bool:
    return not any(_remainder(list(candidate), divisor, prime))


Tables = list[list[int]]
Shifts = list[tuple[int, ...]]  # of each round: how far columns 0 to 3 and the tables turn

SHIFTED_FROM = 18  # tables; below, a random search for shifts seldom ends well


class Cyclic(TypedDict):
    """Blocks of tables that are turned `m` times (plans.json)."""

    players: int
    rounds: int
    m: int
    blocks: list[Tables]


class CyclicHall(TypedDict):
    """One block that is turned together with its tables, so that nobody returns to one."""

    players: int
    rounds: int
    m: int
    table_q: int
    block: Tables


class Catalogue(TypedDict):
    """The plans found once by a long search and kept."""

    most_rounds: list[Cyclic]
    no_table_revisits: list[CyclicHall]
    fewest_repeats: list[Cyclic]  # where repeats are forced, for just so many rounds


@lru_cache(maxsize=64)
def perfect_rounds(players: int, rounds: int) -> tuple[Tables, ...]:
    """Up to `rounds` rounds of `players` numbers (a multiple of 4) without a repeat.

    A round lists its tables in the order of the room. Fewer rounds come back where
    nothing longer is known; those without a table revisited are preferred.
    """
    longest: list[Tables] = []
    for found in _known(players, rounds):
        if len(found) >= rounds:
            return tuple(found[:rounds])
        longest = max(longest, found, key=len)
    return tuple(longest)


def fewest_repeats(players: int, rounds: int) -> list[Tables]:
    """A plan for just so many players and rounds where repeats are forced and a search seldom
    ends as well; empty where none is kept."""
    kept = (plan for plan in _catalogue()["fewest_repeats"] if plan["players"] == players)
    return next((_all_turns(plan) for plan in kept if plan["rounds"] == rounds), [])


def _known(players: int, rounds: int) -> Iterator[list[Tables]]:
    tables = players // 4
    yield _over_integers(tables, rounds)
    yield _over_field(tables, rounds)
    catalogue = _catalogue()
    for hall in catalogue["no_table_revisits"]:
        if hall["players"] == players:
            yield _turned_with_tables(hall)
    for plan in catalogue["most_rounds"]:
        if plan["players"] == players:
            yield _all_turns(plan)
    if tables >= SHIFTED_FROM:
        yield _over_found_shifts(tables, rounds)


def _over_field(tables: int, rounds: int) -> list[Tables]:
    field = field_of(tables)
    if tables < 5 or field is None:
        return []
    turns = range(min(rounds, tables))
    shifts = [tuple(field.multiply(m, turn) for m in range(5)) for turn in turns]
    return _transversal(tables, shifts, field.add)


def _over_integers(tables: int, rounds: int) -> list[Tables]:
    if tables < 5 or gcd(tables, 6) > 1:
        return []
    turns = range(min(rounds, tables))
    shifts = [tuple(m * turn % tables for m in (0, 1, 2, 3, -1)) for turn in turns]
    return _transversal(tables, shifts, lambda one, other: (one + other) % tables)


def _over_found_shifts(tables: int, rounds: int) -> list[Tables]:
    best: Shifts = []
    for seed in range(20):
        best = max(best, _search_shifts(tables, rounds, Dice(seed)), key=len)
        if len(best) == rounds:
            break
    return _transversal(tables, best, lambda one, other: (one + other) % tables)


def _search_shifts(tables: int, rounds: int, dice: Dice) -> Shifts:
    """Rows of shifts whose pairwise differences never come again in the same columns."""
    used: set[tuple[int, int, int]] = set()
    rows: Shifts = []
    for _ in range(400 * rounds):
        row = (0, *(dice.below(tables) for _ in range(4)))
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
        seated: Tables = [[] for _ in range(tables)]
        for table in range(tables):
            four = [4 * add(table, shift) + c for c, shift in enumerate(columns)]
            seated[add(table, room)] = four
        plan.append(seated)
    return plan


@lru_cache(maxsize=1)
def _catalogue() -> Catalogue:
    text = (Path(__file__).parent / "plans.json").read_text(encoding="utf-8")
    catalogue: Catalogue = json.loads(text)
    return catalogue


def _all_turns(plan: Cyclic) -> list[Tables]:
    m = plan["m"]
    return [_turned(block, m, turn) for block in plan["blocks"] for turn in range(m)]


def _turned(block: Tables, m: int, turn: int) -> Tables:
    players = 4 * len(block)
    return [[_turn(p, m, turn, players // m * m) for p in table] for table in block]


def _turn(place: int, m: int, turn: int, end: int) -> int:
    return place if place >= end else place // m * m + (place % m + turn) % m


def _turned_with_tables(hall: CyclicHall) -> list[Tables]:
    m, block = hall["m"], hall["block"]
    plan = []
    for turn in range(hall["rounds"]):
        room: Tables = [[] for _ in block]
        for place, table in enumerate(_turned(block, m, turn)):
            room[_turn(place, m, turn, hall["table_q"] * m)] = table
        plan.append(room)
    return plan
