"""Who starts as East, South, West and North: every table complete, every player in turn."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import permutations

from clubs.seating.request import FIFTH, SEATS

Seated = dict[int, int]  # seat to player
Edge = tuple[int, int]  # a player's block of four games, and a table; both numbered
FIFTH_SEAT = SEATS.index(FIFTH)
NORTH = 3
FIFTH_WEIGHT = 8  # starting without a seat weighs more than starting as North twice


def share_winds(
    rounds: Sequence[Sequence[Sequence[int]]], counts: list[list[int]]
) -> list[list[Seated]]:
    """Seats of every table of `rounds`: seat (0 East to 3 North, 4 fifth) to player.

    `counts[player][seat]` is how often each seat was held before, and is brought up to date.
    Every player has each wind once in each block of four games (a bipartite graph of
    degree four has an edge colouring in four, König); what tables of three and five and
    rounds already played spoil is then mended by chains of exchanges.
    """
    tables = [list(table) for tables in rounds for table in tables]
    seats = _coloured(tables, _fifths(tables, counts), counts)
    for table, seated in zip(tables, seats, strict=True):
        # A table of three plays with East, South and West.
        if len(table) == 3 and NORTH in seated:
            empty = next(seat for seat in range(NORTH) if seat not in seated)
            seated[empty] = seated.pop(NORTH)
        for seat, player in seated.items():
            counts[player][seat] += 1
    _mend(seats, counts)
    result = iter(seats)
    return [[next(result) for _ in tables] for tables in rounds]


def _fifths(tables: list[list[int]], counts: list[list[int]]) -> list[int | None]:
    """At each table of five, the player who has started without a seat least often."""
    tally = [count[FIFTH_SEAT] for count in counts]
    fifths: list[int | None] = []
    for table in tables:
        fifth = min(table, key=tally.__getitem__) if len(table) == 5 else None
        if fifth is not None:
            tally[fifth] += 1
        fifths.append(fifth)
    return fifths


def _coloured(
    tables: list[list[int]], fifths: list[int | None], counts: list[list[int]]
) -> list[Seated]:
    """Every table's seats, the games of each player cut into blocks of four."""
    games = [sum(count[:FIFTH_SEAT]) for count in counts]
    nodes: dict[tuple[int, int], int] = {}
    edges: list[Edge] = []
    players: list[int] = []
    for number, (table, fifth) in enumerate(zip(tables, fifths, strict=True)):
        for player in table:
            if player != fifth:
                node = nodes.setdefault((player, games[player] // 4), len(nodes))
                games[player] += 1
                edges.append((node, number))
                players.append(player)
    seats: list[Seated] = [{} if fifth is None else {FIFTH_SEAT: fifth} for fifth in fifths]
    for (_, number), seat, player in zip(edges, _four_colours(edges), players, strict=True):
        seats[number][seat] = player
    return seats


def _four_colours(edges: list[Edge]) -> list[int]:
    """A colour from 0 to 3 for each edge, no node having one twice (degrees up to four)."""
    colours = [0] * len(edges)
    whole = list(range(len(edges)))
    for first, half in enumerate(_halves(edges, whole)):
        for second, quarter in enumerate(_halves(edges, half)):
            for edge in quarter:
                colours[edge] = 2 * first + second
    return colours


def _halves(edges: list[Edge], chosen: list[int]) -> tuple[list[int], list[int]]:
    """The chosen edges in two parts, every node's edges divided as evenly as can be."""
    partners = [_partners(edges, chosen, side) for side in (0, 1)]
    part: dict[int, int] = {}
    for edge in chosen:
        _walk(edge, 0, partners, part)
        _walk(edge, 1, partners, part)
    return [e for e in chosen if not part[e]], [e for e in chosen if part[e]]


def _partners(edges: list[Edge], chosen: list[int], side: int) -> dict[int, int]:
    """Edges that meet at a node of one side, two and two; an odd one stays alone."""
    waiting: dict[int, int] = {}
    partner: dict[int, int] = {}
    for edge in chosen:
        node = edges[edge][side]
        other = waiting.pop(node, None)
        if other is None:
            waiting[node] = edge
        else:
            partner[edge], partner[other] = other, edge
    return partner


def _walk(edge: int, side: int, partners: list[dict[int, int]], part: dict[int, int]) -> None:
    """Give the edges of one trail their parts in turn, starting over `side`."""
    part.setdefault(edge, 0)
    while (partner := partners[side].get(edge)) is not None and partner not in part:
        part[partner] = 1 - part[edge]
        edge, side = partner, 1 - side


def _mend(seats: list[Seated], counts: list[list[int]]) -> None:
    """Exchange pairs of seats along chains of tables, and seats within a table, until
    neither evens anything out."""
    better = True
    while better:
        moved = [_even_out(seats, counts, pair) for pair in permutations(range(5), 2)]
        moved += [_turn(seated, counts) for seated in seats]
        better = any(moved)


def _turn(seated: Seated, counts: list[list[int]]) -> bool:
    """Give a table's players the winds that even out most; whether any wind changed hands."""
    winds = [seat for seat in seated if seat != FIFTH_SEAT]
    players = tuple(seated[wind] for wind in winds)
    if all(_is_even(counts[player]) for player in players):
        return False
    _count(winds, players, counts, -1)
    best = min(
        permutations(players),
        key=lambda order: sum(
            counts[player][wind] for wind, player in zip(winds, order, strict=True)
        ),
    )
    _count(winds, best, counts, 1)
    seated.update(zip(winds, best, strict=True))
    return best != players


def _is_even(counts: list[int]) -> bool:
    return max(counts[:FIFTH_SEAT]) - min(counts[:FIFTH_SEAT]) <= 1


def _count(
    winds: Sequence[int], players: Sequence[int], counts: list[list[int]], times: int
) -> None:
    for wind, player in zip(winds, players, strict=True):
        counts[player][wind] += times


def _even_out(seats: list[Seated], counts: list[list[int]], pair: tuple[int, int]) -> bool:
    """Move players from one seat to the other while that lowers the cost; whether any moved."""
    first, second = pair
    moved = False
    holding = _tables_by_holder(seats, pair)
    for start, tally in enumerate(counts):
        while start in holding and _cost_of_change(tally, first, second) < 0:
            chain = _best_chain(start, seats, counts, pair, holding)
            if not chain:
                break
            end = seats[chain[-1]][second]
            for table in chain:
                seated = seats[table]
                seated[first], seated[second] = seated[second], seated[first]
            _change(tally, first, second)
            _change(counts[end], second, first)
            holding, moved = _tables_by_holder(seats, pair), True
    return moved


def _best_chain(
    start: int,
    seats: list[Seated],
    counts: list[list[int]],
    pair: tuple[int, int],
    holding: dict[int, list[int]],
) -> list[int]:
    """Tables at which to exchange `pair` so that the cost falls most; empty where none does.

    Along the chain everyone but the first and the last gives and takes each seat once.
    """
    first, second = pair
    came: dict[int, int] = {start: -1}
    best, best_end = -_cost_of_change(counts[start], first, second), -1
    waiting = [start]
    for player in waiting:
        for table in holding.get(player, ()):
            end = seats[table][second]
            if end not in came:
                came[end] = table
                waiting.append(end)
                cost = _cost_of_change(counts[end], second, first)
                if cost < best:
                    best, best_end = cost, end
    return [] if best_end < 0 else _trace(best_end, came, seats, first)


def _trace(end: int, came: dict[int, int], seats: list[Seated], number: int) -> list[int]:
    chain = []
    while (table := came[end]) >= 0:
        chain.append(table)
        end = seats[table][number]
    return chain[::-1]


def _tables_by_holder(seats: list[Seated], pair: tuple[int, int]) -> dict[int, list[int]]:
    """The tables that have both seats, by the player who holds the first of them."""
    first, second = pair
    holding: dict[int, list[int]] = defaultdict(list)
    for table, seated in enumerate(seats):
        if first in seated and second in seated:
            holding[seated[first]].append(table)
    return holding


def _cost_of_change(counts: list[int], first: int, second: int) -> int:
    """What the sum of weighted squares gains when a player has `other` instead of `one`."""
    return _weight(second) * (2 * counts[second] + 1) - _weight(first) * (2 * counts[first] - 1)


def _weight(seat: int) -> int:
    return FIFTH_WEIGHT if seat == FIFTH_SEAT else 1


def _change(counts: list[int], first: int, second: int) -> None:
    counts[first] -= 1
    counts[second] += 1
