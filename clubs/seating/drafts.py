"""A first seating: a perfect plan where there is one, fitted to who is there."""

from collections.abc import Sequence
from itertools import combinations

from clubs.seating.board import Board, Call, Tables
from clubs.seating.chance import Dice
from clubs.seating.constructions import perfect_rounds


def draft(board: Board, calls: Sequence[Call], dice: Dice) -> list[Tables]:
    """A seating for every call, its meetings counted on the board."""
    room = max((len(call.sizes) for call in calls), default=0)
    plan = perfect_rounds(4 * room, len(calls)) if room else ()
    holder = _holders(plan, board, dice) if plan else []
    rounds = []
    for index, call in enumerate(calls):
        seated: Tables = []
        if index < len(plan):
            there = set(call.players)
            seated = [[h for p in table if (h := holder[p]) in there] for table in plan[index]]
        rounds.append(_fit(seated, call, board))
    return rounds


def _holders(plan: Sequence[Tables], board: Board, dice: Dice) -> list[int]:
    """Which player takes each place of the plan; -1 for a place left empty."""
    places = sum(len(table) for table in plan[0])
    players = list(range(len(board.names)))
    dice.shuffle(players)
    empty = _strangers(plan, places, max(0, places - len(players)))
    taken = iter(players)
    return [-1 if place in empty else next(taken) for place in range(places)]


def _strangers(plan: Sequence[Tables], places: int, count: int) -> set[int]:
    """`count` places of which as few as can be ever meet, taken one after another."""
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

    An empty `seated` lets everybody be placed so. Meetings are counted on the board.
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
