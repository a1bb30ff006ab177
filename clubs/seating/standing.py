"""What a seating by standing gave up for what, in sentences."""

import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, islice

from clubs.language.words import counted
from clubs.seating.board import Allowance, Board, Call, Dice, Tables, board_for, calls_for
from clubs.seating.planner import check, check_bands, seated, winds_held
from clubs.seating.request import WINDS, BadRequest, Plan, Request, Round
from clubs.seating.search import improve
from clubs.seating.why import audited, in_rounds
from clubs.seating.winds import share_winds

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
    for one, other in do:
        rounds = in_rounds(met[frozenset((one, other))])
        yield f"{one} and {other} meet again; they met in {rounds}."


def rounds_met(rounds: Sequence[Round]) -> Met:
    """In which rounds (from 1) each pair that met sat together."""
    met: dict[frozenset[str], list[int]] = {}
    for number, one in enumerate(rounds, 1):
        for table in one.tables:
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
            why = _reason(name, strict[own[name] - 1], met)
            yield f"{name}, in place {place}, sits at table {taken[name]}, not {own[name]}, {why}."


def _reason(name: str, company: Sequence[str], met: Met) -> str:
    """Whom of that table the player has met, or that others come to sit there."""
    mates = [
        f"{mate} in {in_rounds(rounds)}"
        for mate in company
        if (rounds := met.get(frozenset((name, mate)), ()))
    ]
    return f"having met {' and '.join(mates)}" if mates else "to make room"


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
    held = winds_held(request)
    near, cut_short = _near(request, strict, bands, held)
    [seats] = share_winds([near], held)
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
    held: Sequence[Sequence[int]],
) -> tuple[Tables, bool]:
    """The tables after exchanges within each band, best placed first, and whether a search
    was cut short; each band has its share of the seconds."""
    board, dice = board_for(request), Dice(request.seed)
    tables: Tables = []
    cut_short = False
    for band in _cut(strict, bands):
        allowance = Allowance(request.seconds * len(band) / len(strict))
        tables += _settled(board, band, held, dice, allowance) if len(band) > 1 else band
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
    board: Board, band: Tables, held: Sequence[Sequence[int]], dice: Dice, allowance: Allowance
) -> Tables:
    """A band whose players have changed tables so that the fewest meet again."""
    players = sorted(player for table in band for player in table)
    place = {player: index for index, player in enumerate(players)}
    part = _weighed(board, players, held)
    tables = [[place[player] for player in table] for table in band]
    for table in tables:
        part.meet(table)
    [found], _ = improve(part, [tables], dice, allowance, effort=EFFORT)
    return sorted(sorted(players[index] for index in table) for table in found)


def _weighed(board: Board, players: Sequence[int], held: Sequence[Sequence[int]]) -> Board:
    """A board for a band alone, its players numbered in the order of their places.

    One meeting again outweighs everything else; then two who are due the same winds cost
    something, and the square of the places between mates.
    """
    size = len(players)
    meeting = 4 * size**3 + 2 * size * SAME_WIND
    due = [_due(held[player]) for player in players]
    price = [[meeting * board.price[one][other] for other in players] for one in players]
    for one, other in combinations(range(size), 2):
        price[one][other] += (one - other) ** 2 + _rivalry(due[one], due[other])
        price[other][one] = price[one][other]
    turns = [meeting * board.price[player][board.odd] for player in players]
    for row, turn in zip(price, turns, strict=True):
        row.append(turn)
    price.append([*turns, 0])
    return Board(tuple(board.names[player] for player in players), price, size, size, plain=False)


def _due(held: Sequence[int]) -> frozenset[int]:
    """The winds that a player had least often, as numbers of SEATS."""
    least = min(held[: len(WINDS)])
    return frozenset(wind for wind in range(len(WINDS)) if held[wind] == least)


def _rivalry(one: frozenset[int], other: frozenset[int]) -> int:
    """What it costs that two players, each drawing among their due winds, may draw the same."""
    return SAME_WIND * len(one & other) // (len(one) * len(other))
