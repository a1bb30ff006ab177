"""A first seating: a perfect plan where there is one, fitted to who is there."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from clubs.seating.board import Board, Call, Tables
from clubs.seating.chance import Allowance, Dice
from clubs.seating.constructions import perfect_rounds
from clubs.seating.relabel import cast_for, recast


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
