"""The whole way from a request to seats, and one more round by standing."""

import math
import time
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice

from clubs.language.words import counted
from clubs.seating.constructions import draft, draft_resting, fewest_repeats
from clubs.seating.request import (
    SEATS,
    WINDS,
    BadRequest,
    Plan,
    Request,
    Round,
    SeatingProblem,
    Table,
    table_sizes_for,
    too_few,
)
from clubs.seating.search import (
    Allowance,
    Board,
    Call,
    Dice,
    Tables,
    board_for,
    calls_for,
    choose_tables,
    improve,
)
from clubs.seating.why import audited, in_rounds
from clubs.seating.winds import share_winds

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
        for index, (first, second) in enumerate(pairs):
            where = f"{field}.{index}"
            for name in dict.fromkeys((first, second)):
                yield from _unknown(known, name, where)
            if first == second:
                sentence = f"{first} is paired with themselves; a pair is two players."
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


DRAWS = 10  # how often the search starts again from another draw, at most


SEARCH, ROOM = 0.8, 0.2  # their shares of the seconds


def plan(request: Request) -> Plan:
    """Seat the new rounds after those played; the same request gives the same plan.

    Raises BadRequest with every problem of an impossible request. Wishes that cannot be
    kept are not refused but named in the report.
    """
    if problems := check(request):
        raise BadRequest(problems)
    began, dice = time.monotonic(), Dice(request.seed)
    search, room = (Allowance(share * request.seconds) for share in (SEARCH, ROOM))
    order = list(range(len(request.players)))
    dice.shuffle(order)
    calls, tables = _meetings(request, calls_for(request, order), dice, search)
    # Tables and winds for the groups of every round.
    number = {name: index for index, name in enumerate(request.players)}
    fixed = {number[name]: table - 1 for name, table in request.fixed_table.items()}
    ordered = choose_tables(tables, _visits(request, number), fixed, dice, room)
    seats = share_winds(ordered, winds_held(request))
    new = [seated(request.players, call, shared) for call, shared in zip(calls, seats, strict=True)]
    return audited(request, [*request.played, *new], began=began, cut_short=search.cut or room.cut)


def _meetings(
    request: Request, calls: list[Call], dice: Dice, allowance: Allowance
) -> tuple[list[Call], list[Tables]]:
    """Who sits with whom in every new round, and who sits out: the best of a few draws."""
    before = board_for(request)
    if known := _kept_plan(request, before, calls, dice):
        return calls, known
    resting: list[_Seating] = []
    usual: list[_Seating] = []
    for board, made, first in _drafts(request, before, calls, dice, allowance):
        own, drawn = (dice, usual) if made is calls else (Dice(request.seed), resting)
        rounds, is_best = improve(board, first, own, allowance)
        if is_best:
            return made, rounds
        drawn.append(_Seating(made, rounds, board.cost_since(before), board.repeats()))
        if allowance.cut:
            break
    best = _better(resting, usual)
    return best.calls, best.rounds


@dataclass(frozen=True, slots=True)
class _Seating:
    """Who sits with whom in every new round, and what that costs."""

    calls: list[Call]
    rounds: list[Tables]
    cost: tuple[int, int]
    repeats: int


def _better(resting: Sequence[_Seating], usual: Sequence[_Seating]) -> _Seating:
    """The cheapest; a plan with turns at sitting out only where it has no more repeats either."""
    best = min(usual or resting, key=lambda seating: seating.cost)
    better = (
        seating
        for seating in resting
        if seating.cost < best.cost and seating.repeats <= best.repeats
    )
    return next(better, best)


def _drafts(
    request: Request, before: Board, calls: list[Call], dice: Dice, allowance: Allowance
) -> Iterator[tuple[Board, list[Call], list[Tables]]]:
    """Seatings to begin a search with: a plan with turns at sitting out, then several draws."""
    if any(call.sitting_out for call in calls):
        board = before.copy()
        resting, rounds = draft_resting(board, request, calls, Dice(request.seed), allowance)
        if rounds:
            yield board, resting, rounds
    for number in range(min(DRAWS, 1 + len(calls))):
        board = before.copy()
        again = number % 2 == 0
        yield board, calls, draft(board, calls, len(request.played), dice, allowance, again=again)


def _kept_plan(request: Request, board: Board, calls: Sequence[Call], dice: Dice) -> list[Tables]:
    """The plan kept for these numbers, its places drawn; empty where anything is out of the
    ordinary."""
    players = list(range(len(request.players)))
    everybody = {((4,) * (len(players) // 4), len(players))}
    if request.played or not board.plain or {(c.sizes, len(c.players)) for c in calls} != everybody:
        return []
    dice.shuffle(players)
    plan = fewest_repeats(len(players), len(calls))
    return [[[players[place] for place in table] for table in tables] for tables in plan]


def seated(names: Sequence[str], call: Call, tables: Sequence[Mapping[int, int]]) -> Round:
    """The round in names; a table maps seats (0 East to 3 North, 4 fifth) to players."""
    laid = tuple(
        Table(place, {SEATS[seat]: names[seats[seat]] for seat in sorted(seats)})
        for place, seats in enumerate(tables, 1)
    )
    return Round(laid, tuple(names[player] for player in sorted(call.sitting_out)))


def _visits(request: Request, number: dict[str, int]) -> list[list[int]]:
    """How often each player was at each table in the rounds played."""
    most = [table.number for round_ in request.played for table in round_.tables]
    tables = max([len(request.players), *most])
    visits = [[0] * tables for _ in request.players]
    for round_ in request.played:
        for table in round_.tables:
            for name in table.names:
                visits[number[name]][table.number - 1] += 1
    return visits


def winds_held(request: Request) -> list[list[int]]:
    """How often each player started in each seat of SEATS in the rounds played."""
    number = {name: index for index, name in enumerate(request.players)}
    counts = [[0] * len(SEATS) for _ in request.players]
    for round_ in request.played:
        for table in round_.tables:
            for seat, name in table.seats.items():
                counts[number[name]][SEATS.index(seat)] += 1
    return counts


Company = Sequence[Sequence[str]]  # the names at each table, table 1 first
Met = Mapping[frozenset[str], Sequence[int]]  # in which rounds each pair sat together


def trades(
    order: Sequence[str], strict: Company, near: Company, played: Sequence[Round]
) -> Iterator[str]:
    """Whom the standing would have brought together again, who moved for it, who meets again.

    order: everyone, best placed first; strict: the tables by standing alone; near: as seated.
    """
    met = rounds_met(played)
    would, do = (_meeting_again(tables, met) for tables in (strict, near))
    if len(do) < len(would):
        spared = counted(len(would) - len(do), "pair")
        yield f"With strict seating by standings, {spared} more would meet again."
    moved = list(_moved(order, strict, near, met))
    if not moved:
        yield "Everyone is seated by standings: the leaders at table 1, the next at table 2."
    yield from moved
    for first, second in do:
        rounds = in_rounds(met[frozenset((first, second))])
        yield f"{first} and {second} meet again; they met in {rounds}."


def rounds_met(rounds: Sequence[Round]) -> Met:
    """In which rounds (from 1) each pair that met sat together."""
    met: dict[frozenset[str], list[int]] = {}
    for number, round_ in enumerate(rounds, 1):
        for table in round_.tables:
            for pair in combinations(table.names, 2):
                met.setdefault(frozenset(pair), []).append(number)
    return met


def _meeting_again(tables: Company, met: Met) -> list[tuple[str, str]]:
    pairs = [pair for table in tables for pair in combinations(table, 2)]
    return [pair for pair in pairs if frozenset(pair) in met]


def _moved(order: Sequence[str], strict: Company, near: Company, met: Met) -> Iterator[str]:
    """Who sits at another table than the standing alone would have given them, and why."""
    own, taken = _tables(strict), _tables(near)
    for place, name in enumerate(order, 1):
        if own.get(name) != taken.get(name):
            # Whom of that table the player has met, or that others come to sit there.
            company = strict[own[name] - 1]
            mates = [
                f"{mate} in {in_rounds(rounds)}"
                for mate in company
                if (rounds := met.get(frozenset((name, mate)), ()))
            ]
            why = f"having met {' and '.join(mates)}" if mates else "to make room"
            yield f"{name}, in place {place}, sits at table {taken[name]}, not {own[name]}, {why}."


def _tables(company: Company) -> dict[str, int]:
    return {name: number for number, table in enumerate(company, 1) for name in table}


EFFORT = 400_000  # looks without a new best before the search ends, for four rounds
SAME_WIND = 1000  # two due the same wind weigh as much as some thirty places between mates


def by_standing(
    order: Sequence[str],
    played: Sequence[Round],
    *,
    bands: Sequence[int] = (),
    table_sizes: tuple[int, ...] = (4,),
    absent: Collection[str] = (),
    apart: Sequence[tuple[str, str]] = (),
    together: Sequence[tuple[str, str]] = (),
    teams: Mapping[str, str] | None = None,
    seed: int = 0,
    seconds: float = 5,
) -> Plan:
    """Seat the round after `played`; table 1 holds the best placed, and so on down the room.

    order: every player, the best placed first; also those who have left, who are absent.
    bands: how many tables make each band from the top, the last number for all that are
        left; nobody leaves their band. (1,) is a final: the first four at table 1, the next
        four at table 2; (1, 3) a final table and bands of three tables below. Without bands
        anyone may meet anyone.
    Within a band the fewest meet again, and of such seatings those sit together who stand
    near each other. Who sits out has done so least, then stands lowest; in a final, which
    begins with a band of one table, only the standing counts. What the standing gave up for
    new company stands in `report.traded`. Raises BadRequest as `plan` does.
    """
    number = len(played) + 1
    request = Request(
        players=tuple(order),
        rounds=1,
        seed=seed,
        seconds=seconds,
        table_sizes=table_sizes,
        played=tuple(played),
        absent={number: tuple(absent)},
        apart=tuple(apart),
        together=tuple(together),
        teams=teams or {},
    )
    if problems := [*check(request), *check_bands(bands)]:
        raise BadRequest(problems)
    began = time.monotonic()
    call = _call(request, is_final=tuple(bands[:1]) == (1,))
    strict = list(_in_order(call))
    counts = winds_held(request)
    near, cut_short = _near(request, strict, bands, counts)
    [seats] = share_winds([near], counts)
    rounds = [*played, seated(request.players, call, seats)]
    made = audited(request, rounds, began=began, cut_short=cut_short)
    said = trades(order, _named(strict, order), _named(near, order), played)
    return replace(made, report=replace(made.report, traded=tuple(said)))


def _named(tables: Tables, order: Sequence[str]) -> list[list[str]]:
    return [[order[player] for player in table] for table in tables]


def _call(request: Request, *, is_final: bool) -> Call:
    """Who plays, best placed first, at tables of which sizes, and who sits out."""
    [call] = calls_for(request, range(len(request.players) - 1, -1, -1))
    players = sorted([*call.players, *call.sitting_out])
    out = tuple(players[sum(call.sizes) :]) if is_final else call.sitting_out
    return Call(tuple(p for p in players if p not in out), call.sizes, out)


def _in_order(call: Call) -> Iterator[list[int]]:
    """The tables as the standing alone would have them."""
    players = iter(call.players)
    for size in call.sizes:
        yield list(islice(players, size))


def _near(
    request: Request,
    strict: Sequence[list[int]],
    bands: Sequence[int],
    counts: Sequence[Sequence[int]],
) -> tuple[Tables, bool]:
    """The tables after exchanges within each band, best placed first, and whether a search
    was cut short; each band has its share of the seconds."""
    board, dice = board_for(request), Dice(request.seed)
    tables: Tables = []
    cut_short = False
    for band in _cut(strict, bands):
        allowance = Allowance(request.seconds * len(band) / len(strict))
        tables += _settled(board, band, counts, dice, allowance) if len(band) > 1 else band
        cut_short |= allowance.cut
    return tables, cut_short


def _cut(tables: Sequence[list[int]], bands: Sequence[int]) -> Iterator[Tables]:
    """The tables band by band; the last number of `bands` goes on to the end."""
    left, sizes = list(tables), iter(bands)
    size = len(left)
    while left:
        size = next(sizes, size)
        yield left[:size]
        left = left[size:]


def _settled(
    board: Board, band: Tables, counts: Sequence[Sequence[int]], dice: Dice, allowance: Allowance
) -> Tables:
    """A band whose players have changed tables so that the fewest meet again."""
    players = sorted(player for table in band for player in table)
    place = {player: index for index, player in enumerate(players)}
    part = _weighed(board, players, counts)
    tables = [[place[player] for player in table] for table in band]
    for table in tables:
        part.meet(table)
    [result], _ = improve(part, [tables], dice, allowance, effort=EFFORT)
    return sorted(sorted(players[index] for index in table) for table in result)


def _weighed(board: Board, players: Sequence[int], counts: Sequence[Sequence[int]]) -> Board:
    """A board for a band alone, its players numbered in the order of their places.

    One meeting again outweighs everything else; then two who are due the same winds cost
    something, and the square of the places between mates.
    """
    size = len(players)
    meeting = 4 * size**3 + 2 * size * SAME_WIND
    due = [_due(counts[player]) for player in players]
    price = [[meeting * board.price[player][other] for other in players] for player in players]
    for first, second in combinations(range(size), 2):
        price[first][second] += (first - second) ** 2 + _rivalry(due[first], due[second])
        price[second][first] = price[first][second]
    turns = [meeting * board.price[player][board.odd] for player in players]
    for row, turn in zip(price, turns, strict=True):
        row.append(turn)
    price.append([*turns, 0])
    return Board(tuple(board.names[player] for player in players), price, size, size, plain=False)


def _due(counts: Sequence[int]) -> frozenset[int]:
    """The winds that a player had least often, as numbers of SEATS."""
    least = min(counts[: len(WINDS)])
    return frozenset(wind for wind in range(len(WINDS)) if counts[wind] == least)


def _rivalry(first: frozenset[int], second: frozenset[int]) -> int:
    """What it costs that two players, each drawing among their due winds, may draw the same."""
    return SAME_WIND * len(first & second) // (len(first) * len(second))
