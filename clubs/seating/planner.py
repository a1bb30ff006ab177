"""The whole way from a request to seats: draft, search, tables, winds, report."""

from collections.abc import Sequence

from clubs.seating.answer import SEATS, Plan, Round, Table
from clubs.seating.audit import audited
from clubs.seating.board import Call, Tables, board_for, calls_for
from clubs.seating.chance import Dice, Stopwatch
from clubs.seating.checks import check
from clubs.seating.drafts import draft
from clubs.seating.request import BadRequest, Request
from clubs.seating.room import choose_tables
from clubs.seating.search import improve
from clubs.seating.winds import share_winds

DRAWS = 6  # how often the search starts again from another draw, at most


def plan(request: Request) -> Plan:
    """Seat the new rounds after those played; the same request gives the same plan.

    Raises BadRequest with every problem of an impossible request. Wishes that cannot be
    kept are not refused but named in the report.
    """
    if problems := check(request):
        raise BadRequest(problems)
    watch, dice = Stopwatch(request.seconds), Dice(request.seed)
    order = list(range(len(request.players)))
    dice.shuffle(order)
    calls = calls_for(request, order)
    tables = _meetings(request, calls, dice, watch)
    new = _rounds(request, calls, tables, dice, watch)
    return audited(request, [*request.played, *new], watch)


def _meetings(request: Request, calls: list[Call], dice: Dice, watch: Stopwatch) -> list[Tables]:
    """Who sits with whom in every new round: the best of a few draws."""
    before = board_for(request)
    found: list[tuple[tuple[int, int], list[Tables]]] = []
    for _ in range(min(DRAWS, 1 + len(calls))):
        board = before.copy()
        drawn = draft(board, calls, len(request.played), dice, watch)
        rounds, is_best = improve(board, drawn, dice, watch)
        if is_best:
            return rounds
        found.append((board.cost_since(before), rounds))
        if watch.cut:
            break
    return min(found, key=lambda pair: pair[0])[1]


def _rounds(
    request: Request, calls: list[Call], tables: list[Tables], dice: Dice, watch: Stopwatch
) -> list[Round]:
    """Tables and winds for the groups of every round."""
    number = {name: index for index, name in enumerate(request.players)}
    fixed = {number[name]: table - 1 for name, table in request.fixed_table.items()}
    ordered = choose_tables(tables, _visits(request, number), fixed, dice, watch)
    seats = share_winds(ordered, _winds_held(request, number))
    return [
        _round(request.players, call, seated) for call, seated in zip(calls, seats, strict=True)
    ]


def _round(names: Sequence[str], call: Call, seated: list[dict[int, int]]) -> Round:
    tables = tuple(
        Table(place + 1, {SEATS[seat]: names[seats[seat]] for seat in sorted(seats)})
        for place, seats in enumerate(seated)
    )
    return Round(tables, tuple(names[player] for player in sorted(call.sitting_out)))


def _visits(request: Request, number: dict[str, int]) -> list[list[int]]:
    """How often each player was at each table in the rounds played."""
    most = [table.number for one in request.played for table in one.tables]
    tables = max([len(request.players), *most])
    visits = [[0] * tables for _ in request.players]
    for one in request.played:
        for table in one.tables:
            for name in table.names:
                visits[number[name]][table.number - 1] += 1
    return visits


def _winds_held(request: Request, number: dict[str, int]) -> list[list[int]]:
    """How often each player started in each seat of SEATS in the rounds played."""
    held = [[0] * len(SEATS) for _ in request.players]
    for one in request.played:
        for table in one.tables:
            for seat, name in table.seats.items():
                held[number[name]][SEATS.index(seat)] += 1
    return held
