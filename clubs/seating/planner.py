"""The whole way from a request to seats: draft, search, tables, winds, report."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from clubs.seating.answer import SEATS, Plan, Round, Table
from clubs.seating.audit import audited
from clubs.seating.board import Board, Call, Tables, board_for, calls_for
from clubs.seating.chance import Allowance, Dice
from clubs.seating.checks import check
from clubs.seating.constructions import fewest_repeats
from clubs.seating.drafts import draft
from clubs.seating.request import BadRequest, Request
from clubs.seating.resting import draft_resting
from clubs.seating.room import choose_tables
from clubs.seating.search import improve
from clubs.seating.winds import share_winds

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
    new = _rounds(request, calls, tables, dice, room)
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
    best = min(usual or resting, key=lambda one: one.cost)
    better = (one for one in resting if one.cost < best.cost and one.repeats <= best.repeats)
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


def _rounds(
    request: Request, calls: list[Call], tables: list[Tables], dice: Dice, allowance: Allowance
) -> list[Round]:
    """Tables and winds for the groups of every round."""
    number = {name: index for index, name in enumerate(request.players)}
    fixed = {number[name]: table - 1 for name, table in request.fixed_table.items()}
    ordered = choose_tables(tables, _visits(request, number), fixed, dice, allowance)
    seats = share_winds(ordered, winds_held(request))
    return [
        seated(request.players, call, shared) for call, shared in zip(calls, seats, strict=True)
    ]


def seated(names: Sequence[str], call: Call, tables: Sequence[Mapping[int, int]]) -> Round:
    """The round in names; a table maps seats (0 East to 3 North, 4 fifth) to players."""
    laid = tuple(
        Table(place, {SEATS[seat]: names[seats[seat]] for seat in sorted(seats)})
        for place, seats in enumerate(tables, 1)
    )
    return Round(laid, tuple(names[player] for player in sorted(call.sitting_out)))


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


def winds_held(request: Request) -> list[list[int]]:
    """How often each player started in each seat of SEATS in the rounds played."""
    number = {name: index for index, name in enumerate(request.players)}
    held = [[0] * len(SEATS) for _ in request.players]
    for one in request.played:
        for table in one.tables:
            for seat, name in table.seats.items():
                held[number[name]][SEATS.index(seat)] += 1
    return held
