"""Everything about a request that cannot be seated, said in sentences."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from clubs.seating.answer import SEATS, SeatingProblem, Table
from clubs.seating.request import Request
from clubs.seating.sizes import table_sizes_for, too_few

MOST_PLAYERS = 2000
MOST_ROUNDS = 200
SIZES = (3, 4, 5)


def check(request: Request) -> list[SeatingProblem]:
    """All that is impossible in `request`; an empty list means that `plan` will answer."""
    known = frozenset(request.players)
    problems = [
        *_numbers(request),
        *_players(request),
        *_pairs(request, known),
        *_names(request, known),
        *_played(request, known),
        *_absent(request, known),
    ]
    return problems or [*_rosters(request), *_fixed(request)]


def check_bands(bands: Sequence[int]) -> list[SeatingProblem]:
    """What is impossible in the bands of a seating by standing."""
    return [
        SeatingProblem(
            "bad_band", f"bands.{index}", f"A group needs at least 1 table, not {tables}."
        )
        for index, tables in enumerate(bands)
        if tables < 1
    ]


def _numbers(request: Request) -> Iterator[SeatingProblem]:
    if not 0 <= request.rounds <= MOST_ROUNDS:
        sentence = f"The number of rounds is from 0 to {MOST_ROUNDS}, not {request.rounds}."
        yield SeatingProblem("bad_rounds", "rounds", sentence)
    if not (math.isfinite(request.seconds) and request.seconds >= 0):
        sentence = f"The seconds to search are 0 or more, not {request.seconds}."
        yield SeatingProblem("bad_seconds", "seconds", sentence)
    sizes = request.table_sizes
    if not sizes or len(set(sizes)) < len(sizes) or not set(sizes) <= set(SIZES):
        said = ", ".join(map(str, sizes)) or "none"
        sentence = f"Table sizes are 3, 4 and 5, each named once; these were named: {said}."
        yield SeatingProblem("bad_table_sizes", "table_sizes", sentence)


def _players(request: Request) -> Iterator[SeatingProblem]:
    if len(request.players) > MOST_PLAYERS:
        yield player_limit(len(request.players))
    for name, times in Counter(request.players).items():
        if not name.strip():
            yield SeatingProblem("blank_name", "players", "A player has no name.")
        elif times > 1:
            sentence = f"{times} players are called {name}; give each a different name."
            yield SeatingProblem("same_name", "players", sentence)


def player_limit(count: int) -> SeatingProblem:
    """The problem of more players than anyone can seat."""
    sentence = f"You can seat up to {MOST_PLAYERS} players, not {count}."
    return SeatingProblem("too_many_players", "players", sentence)


def _unknown(known: frozenset[str], name: str, where: str) -> list[SeatingProblem]:
    if name in known:
        return []
    return [SeatingProblem("unknown_player", where, f"{name} is not among the players.")]


def _pairs(request: Request, known: frozenset[str]) -> Iterator[SeatingProblem]:
    for field, pairs in (("apart", request.apart), ("together", request.together)):
        for index, (one, other) in enumerate(pairs):
            where = f"{field}.{index}"
            for name in dict.fromkeys((one, other)):
                yield from _unknown(known, name, where)
            if one == other:
                sentence = f"{one} is paired with themselves; a pair is two players."
                yield SeatingProblem("pair_of_one", where, sentence)


def _names(request: Request, known: frozenset[str]) -> Iterator[SeatingProblem]:
    for name in request.teams:
        yield from _unknown(known, name, f"teams.{name}")
    for name in request.fixed_table:
        yield from _unknown(known, name, f"fixed_table.{name}")


def _played(request: Request, known: frozenset[str]) -> Iterator[SeatingProblem]:
    for index, played in enumerate(request.played):
        where = f"played.{index}"
        seated = [name for table in played.tables for name in table.names]
        names = [*seated, *played.sitting_out]
        for name in dict.fromkeys(names):
            yield from _unknown(known, name, where)
        for name in _twice(names):
            sentence = f"{name} has more than one place in round {index + 1}."
            yield SeatingProblem("seated_twice", where, sentence)
        for table in played.tables:
            yield from _laid(table, index)
        for number in _twice(str(table.number) for table in played.tables):
            sentence = f"Round {index + 1} has more than one table {number}."
            yield SeatingProblem("table_twice", where, sentence)


def _laid(table: Table, index: int) -> Iterator[SeatingProblem]:
    """A table of a played round has a number and at least three seats, each of SEATS."""
    where = f"played.{index}"
    if not 1 <= table.number <= MOST_PLAYERS:
        sentence = f"Round {index + 1} has a table {table.number}; tables are 1 to {MOST_PLAYERS}."
        yield SeatingProblem("bad_table", where, sentence)
    if len(table.seats) < min(SIZES) or not table.seats.keys() <= set(SEATS):
        said = ", ".join(table.seats) or "no seats"
        sentence = f"Table {table.number} of round {index + 1} has {said}; it needs three or more"
        yield SeatingProblem("bad_seats", where, f"{sentence} of {', '.join(SEATS)}.")


def _twice(names: Iterable[str]) -> list[str]:
    return [name for name, times in Counter(names).items() if times > 1]


def _absent(request: Request, known: frozenset[str]) -> Iterator[SeatingProblem]:
    last = len(request.played) + request.rounds
    for number, names in request.absent.items():
        where = f"absent.{number}"
        if not 1 <= number <= last:
            sentence = f"There is no round {number}; the rounds are 1 to {last}."
            yield SeatingProblem("unknown_round", where, sentence)
        for name in names:
            yield from _unknown(known, name, where)


def _rosters(request: Request) -> Iterator[SeatingProblem]:
    if len(request.players) < min(request.table_sizes):
        yield too_few(len(request.players), request.table_sizes, "players")
        return
    first = len(request.played) + 1
    for number in range(first, first + request.rounds):
        there = len(request.roster(number))
        if there < min(request.table_sizes):
            yield too_few(there, request.table_sizes, f"absent.{number}")


def _fixed(request: Request) -> Iterator[SeatingProblem]:
    if len(request.players) < min(request.table_sizes):
        return
    tables = len(request.split or table_sizes_for(len(request.players), request.table_sizes))
    for name, number in request.fixed_table.items():
        if not 1 <= number <= tables:
            sentence = f"{name} cannot always sit at table {number}; the tables are 1 to {tables}."
            yield SeatingProblem("unknown_table", f"fixed_table.{name}", sentence)
