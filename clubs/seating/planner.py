"""From a request to seats and winds, and one more round by standing."""

import time
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice, permutations

from clubs.language.words import count_words
from clubs.seating.constructions import draft_seating, fewest_repeats
from clubs.seating.request import (
    FIFTH,
    SEATS,
    WINDS,
    BadRequest,
    Plan,
    PlannedTable,
    Request,
    Round,
    check_bands,
    check_request,
)
from clubs.seating.search import (
    Allowance,
    Board,
    Dice,
    RoundCall,
    Tables,
    board_for,
    choose_tables,
    improve,
    round_calls,
    times_sat_out,
)
from clubs.seating.sitting_out import PLAYERS_PER_TABLE, draft_resting, stored_plan_calls
from clubs.seating.threes import stored_threes
from clubs.seating.why import plan_with_report, rounds_in_words, rounds_met, winds_of

MAX_DRAWS = 10  # maximum restarts of the search from another draw
MAX_SHUFFLES = 40  # more restarts while the best seating breaks a wish
SEARCH_SHARE, ROOM_SHARE = 0.8, 0.2  # their shares of the seconds
TableNames = Sequence[Sequence[str]]  # the names at each table, table 1 first
# The rounds in which each pair sat together.
RoundsTogether = Mapping[frozenset[str], Sequence[int]]

MAX_IDLE_TRIES = 400_000  # tries without a new best before the search ends, for four rounds
# Two players due the same wind weigh as much as about thirty places between mates.
SAME_WIND_PRICE = 1000

SeatedPlayers = dict[int, int]  # seat to player
Edge = tuple[int, int]  # a player's block of four games, and a table; both numbered
FIFTH_SEAT = SEATS.index(FIFTH)
NORTH = 3
FIFTH_WEIGHT = 8  # starting without a seat weighs more than a second North start


def plan(request: Request) -> Plan:
    """Seat the new rounds after those played; the same request gives the same plan.

    Raises BadRequest with every problem of an impossible request. Wishes that cannot be
    kept are not refused but named in the report.
    """
    if problems := check_request(request):
        raise BadRequest(problems)
    began, dice = time.monotonic(), Dice(request.seed)
    search, room = (Allowance(share * request.seconds) for share in (SEARCH_SHARE, ROOM_SHARE))
    order = list(range(len(request.players)))
    dice.shuffle(order)
    calls, tables = _best_draft(request, round_calls(request, order), dice, search)
    # Tables and winds for the groups of each round.
    number = {name: index for index, name in enumerate(request.players)}
    fixed = {number[name]: table - 1 for name, table in request.fixed_table.items()}
    played_tables = [table for round_ in request.played for table in round_.tables]
    most = max([len(request.players), *(table.number for table in played_tables)])
    visits = [[0] * most for _ in request.players]
    for table in played_tables:
        for name in table.names:
            visits[number[name]][table.number - 1] += 1
    seats = share_winds(choose_tables(tables, visits, fixed, dice, room), wind_counts(request))
    new = [
        round_with_names(request.players, call, round_seats)
        for call, round_seats in zip(calls, seats, strict=True)
    ]
    return plan_with_report(
        request,
        [*request.played, *new],
        seconds=time.monotonic() - began,
        cut_short=search.is_cut or room.is_cut,
    )


def _best_draft(
    request: Request, calls: list[RoundCall], dice: Dice, allowance: Allowance
) -> tuple[list[RoundCall], list[Tables]]:
    """Who sits with whom in every new round, and who sits out: the best of several draws."""
    initial_board = board_for(request)
    stored_calls, tables = _stored_plan(request, initial_board, calls, dice)
    if tables:
        return stored_calls, tables
    resting: list[_DraftSeating] = []
    usual: list[_DraftSeating] = []
    for board, draft_calls, first in _drafts(request, initial_board, calls, dice, allowance):
        search_dice, drafts = (
            (dice, usual) if draft_calls is calls else (Dice(request.seed), resting)
        )
        rounds, is_best = improve(board, first, search_dice, allowance)
        if is_best:
            return draft_calls, rounds
        drafts.append(
            _DraftSeating(draft_calls, rounds, board.cost_since(initial_board), board.repeats())
        )
        has_usual_draws = len(usual) > len(calls)
        if allowance.is_cut or (has_usual_draws and _keeps_wishes(request, usual)):
            break
    best = min(usual or resting, key=lambda seating: seating.cost)
    # A plan with turns at sitting out is only better if it also has no more repeats.
    for seating in resting:
        if seating.cost < best.cost and seating.repeats <= best.repeats:
            best = seating
            break
    return best.calls, best.rounds


@dataclass(frozen=True, slots=True)
class _DraftSeating:
    """Who sits with whom in every new round, and what that costs."""

    calls: list[RoundCall]
    rounds: list[Tables]
    cost: tuple[int, int]
    repeats: int


def _keeps_wishes(request: Request, drafts: Sequence[_DraftSeating]) -> bool:
    """Whether the best draft seats each pair of a wish apart or together, as they asked."""
    best = min(drafts, key=lambda seating: seating.cost)
    tables_by_round = [
        {request.players[player]: number for number, table in enumerate(tables) for player in table}
        for tables in best.rounds
    ]
    return all(
        (table_of[first] == table_of[second]) == is_together
        for pairs, is_together in ((request.apart, False), (request.together, True))
        for first, second in pairs
        for table_of in tables_by_round
        if first in table_of and second in table_of
    )


def _drafts(
    request: Request, initial_board: Board, calls: list[RoundCall], dice: Dice, allowance: Allowance
) -> Iterator[tuple[Board, list[RoundCall], list[Tables]]]:
    """Initial seatings for a search: a plan with turns at sitting out, then draw after draw."""
    if any(call.sitting_out for call in calls):
        board = initial_board.copy()
        resting, rounds = draft_resting(board, request, calls, Dice(request.seed), allowance)
        if rounds:
            yield board, resting, rounds
    for number in range(min(MAX_DRAWS, 1 + len(calls))):
        board = initial_board.copy()
        can_chain_plans = number % 2 == 0
        yield (
            board,
            calls,
            draft_seating(
                board, calls, len(request.played), dice, allowance, can_chain_plans=can_chain_plans
            ),
        )
    # Drafts are greedy, so where they keep no wish a seating by chance may.
    for _draw in range(MAX_SHUFFLES):
        board = initial_board.copy()
        shuffled_calls = [replace(call, players=_shuffled(call.players, dice)) for call in calls]
        rounds = [_tables_in_order(call) for call in shuffled_calls]
        board.meet_all(rounds)
        yield board, calls, rounds


def _shuffled(players: Sequence[int], dice: Dice) -> tuple[int, ...]:
    order = list(players)
    dice.shuffle(order)
    return tuple(order)


def _stored_plan(
    request: Request, board: Board, calls: list[RoundCall], dice: Dice
) -> tuple[list[RoundCall], list[Tables]]:
    """The stored plan for these numbers, drawn; no tables if anything is unusual."""
    players = list(range(len(request.players)))
    fours = (PLAYERS_PER_TABLE,) * (len(players) // PLAYERS_PER_TABLE)
    call_shapes = {(call.sizes, len(call.players) + len(call.sitting_out)) for call in calls}
    sizes = calls[0].sizes if calls else fours
    if request.played or not board.plain or call_shapes != {(sizes, len(players))}:
        return calls, []
    if sizes == fours and calls[0].sitting_out:
        return stored_plan_calls(len(players), len(calls), dice)
    if sizes == fours:
        plan = fewest_repeats(len(players), len(calls))
    else:
        plan = stored_threes(len(players), len(calls), sizes)
        if not plan:
            return calls, []
    dice.shuffle(players)
    return calls, [[[players[place] for place in table] for table in tables] for tables in plan]


def round_with_names(
    names: Sequence[str], call: RoundCall, tables: Sequence[Mapping[int, int]]
) -> Round:
    """The round with names; a table maps seats (0 East to 3 North, 4 fifth) to players."""
    planned_tables = tuple(
        PlannedTable(place, {SEATS[seat]: names[seats[seat]] for seat in sorted(seats)})
        for place, seats in enumerate(tables, 1)
    )
    return Round(planned_tables, tuple(names[player] for player in sorted(call.sitting_out)))


def wind_counts(request: Request) -> list[list[int]]:
    """How often each player started in each seat of SEATS in the rounds played."""
    counts = winds_of(request.played)
    return [[counts.get(name, Counter())[seat] for seat in SEATS] for name in request.players]


def standing_changes(
    order: Sequence[str],
    strict: TableNames,
    near_tables: TableNames,
    played_rounds: Sequence[Round],
) -> Iterator[str]:
    """Whom the standing would have brought together again, who moved instead, who meets again.

    order: everyone, best placed first; strict: the tables by standing alone; near: as seated.
    """
    rounds_together = rounds_met(played_rounds)
    strict_repeats, do = (
        [
            pair
            for table in tables
            for pair in combinations(table, 2)
            if frozenset(pair) in rounds_together
        ]
        for tables in (strict, near_tables)
    )
    if len(do) < len(strict_repeats):
        spared_pairs = count_words(len(strict_repeats) - len(do), "pair")
        yield f"With strict seating by standings, {spared_pairs} more would meet again."
    move_sentences = list(_moved_players(order, strict, near_tables, rounds_together))
    if not move_sentences:
        yield "Everyone is seated by standings: the leaders at table 1, the next at table 2."
    yield from move_sentences
    for first, second in do:
        rounds = rounds_in_words(rounds_together[frozenset((first, second))])
        yield f"{first} and {second} meet again; they met in {rounds}."


def _moved_players(
    order: Sequence[str],
    strict: TableNames,
    near_tables: TableNames,
    rounds_together: RoundsTogether,
) -> Iterator[str]:
    """Who sits at another table than the standing alone would have given them, and why."""
    strict_numbers, near_numbers = _table_numbers(strict), _table_numbers(near_tables)
    for place, name in enumerate(order, 1):
        if strict_numbers.get(name) != near_numbers.get(name):
            # Whom at that table the player has met, or that others must sit there.
            mates = [
                f"{mate} in {rounds_in_words(rounds)}"
                for mate in strict[strict_numbers[name] - 1]
                if (rounds := rounds_together.get(frozenset((name, mate)), ()))
            ]
            reason = f"having met {' and '.join(mates)}" if mates else "to make room"
            yield (
                f"{name}, in place {place}, sits at table {near_numbers[name]}, not "
                f"{strict_numbers[name]}, {reason}."
            )


def _table_numbers(company: TableNames) -> dict[str, int]:
    return {name: number for number, table in enumerate(company, 1) for name in table}


def plan_by_standing(
    order: Sequence[str],
    played_rounds: Sequence[Round],
    *,
    bands: Sequence[int] = (),
    table_sizes: tuple[int, ...] = (4,),
    absent: Collection[str] = (),
    apart: Sequence[tuple[str, str]] = (),
    teams: Mapping[str, str] | None = None,
    seed: int = 0,
    seconds: float = 5,
) -> Plan:
    """Seat the round after `played_rounds`; table 1 holds the best placed, and so on down the room.

    order: every player, the best placed first; also those who have left, who are absent.
    bands: how many tables make each band from the top, the last number for all that are
        left; nobody leaves their band. (1,) is a final: the first four at table 1, the next
        four at table 2; (1, 3) a final table and bands of three tables below. Without bands
        anyone may meet anyone.
    Within a band the fewest meet again, and of such seatings those sit together who are near
    each other in the standings. Who sits out has done so least, then is lowest; in a final,
    which begins with a band of one table, never one of the first four. `report.traded` says what
    the standings gave up for new company. Raises BadRequest as `plan` does.
    """
    number = len(played_rounds) + 1
    request = Request(
        players=tuple(order),
        rounds=1,
        seed=seed,
        seconds=seconds,
        table_sizes=table_sizes,
        played=tuple(played_rounds),
        absent={number: tuple(absent)},
        apart=tuple(apart),
        teams=teams or {},
    )
    if problems := [*check_request(request), *check_bands(bands)]:
        raise BadRequest(problems)
    began = time.monotonic()
    call = _round_by_standing(request, is_final=tuple(bands[:1]) == (1,))
    strict, counts = _tables_in_order(call), wind_counts(request)
    near_tables, cut_short = _near_standing(request, strict, bands, counts)
    new_round = round_with_names(request.players, call, share_winds([near_tables], counts)[0])
    rounds, seconds = [*played_rounds, new_round], time.monotonic() - began
    result = plan_with_report(request, rounds, seconds=seconds, cut_short=cut_short)
    strict_names = _tables_with_names(strict, order)
    near_names = _tables_with_names(near_tables, order)
    trades = standing_changes(order, strict_names, near_names, played_rounds)
    return replace(result, report=replace(result.report, trades=tuple(trades)))


def _tables_in_order(call: RoundCall) -> list[list[int]]:
    """The players in the order of the call, cut into tables."""
    players = iter(call.players)
    return [list(islice(players, size)) for size in call.sizes]


def _tables_with_names(tables: Tables, order: Sequence[str]) -> list[list[str]]:
    return [[order[player] for player in table] for table in tables]


def _round_by_standing(request: Request, *, is_final: bool) -> RoundCall:
    """Who plays, best placed first, the table sizes, and who sits out."""
    [call] = round_calls(request, range(len(request.players) - 1, -1, -1))
    players = sorted([*call.players, *call.sitting_out])
    sitting_out = call.sitting_out
    if is_final:
        turns = times_sat_out(request)
        lowest_first = reversed(players[PLAYERS_PER_TABLE:])
        sitting_out = tuple(sorted(lowest_first, key=turns.__getitem__)[: len(sitting_out)])
    return RoundCall(tuple(p for p in players if p not in sitting_out), call.sizes, sitting_out)


def _near_standing(
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
    remaining_tables, sizes, size = list(strict), iter(bands), len(strict)
    while remaining_tables:
        size = next(sizes, size)  # the last number of `bands` repeats to the end
        band, remaining_tables = remaining_tables[:size], remaining_tables[size:]
        if len(band) > 1:
            players = sorted(player for table in band for player in table)
            place = {player: index for index, player in enumerate(players)}
            part = _band_board(board, players, counts)
            places = [[place[player] for player in table] for table in band]
            part.meet_all([places])
            allowance = Allowance(request.seconds * len(band) / len(strict))
            [result], _ = improve(part, [places], dice, allowance, effort=MAX_IDLE_TRIES)
            band = sorted(sorted(players[index] for index in table) for table in result)
            cut_short |= allowance.is_cut
        tables += band
    return tables, cut_short


def _band_board(board: Board, players: Sequence[int], counts: Sequence[Sequence[int]]) -> Board:
    """A board for a band alone, its players numbered in the order of their places.

    One meeting again outweighs everything else; then two who are due the same winds cost
    something, and the square of the places between mates.
    """
    size = len(players)
    meeting = 4 * size**3 + 2 * size * SAME_WIND_PRICE
    due: list[set[int]] = []  # the winds that a player had least often, as indexes of SEATS
    for player in players:
        winds = counts[player][: len(WINDS)]
        due.append({wind for wind, times in enumerate(winds) if times == min(winds)})
    price = [[meeting * board.price[player][mate] for mate in players] for player in players]
    for first, second in combinations(range(size), 2):
        # Each draws from their due winds, perhaps the same.
        rivalry = (
            SAME_WIND_PRICE * len(due[first] & due[second]) // (len(due[first]) * len(due[second]))
        )
        price[first][second] += (first - second) ** 2 + rivalry
        price[second][first] = price[first][second]
    turns = [meeting * board.price[player][board.odd] for player in players]
    for row, turn in zip(price, turns, strict=True):
        row.append(turn)
    price.append([*turns, 0])
    return Board(tuple(board.names[player] for player in players), price, size, size, plain=False)


def share_winds(
    rounds: Sequence[Sequence[Sequence[int]]], counts: list[list[int]]
) -> list[list[SeatedPlayers]]:
    """Seats of every table of `rounds`: seat (0 East to 3 North, 4 fifth) to player.

    `counts[player][seat]` is how often each seat was held before, and is brought up to date.
    Every player has each wind once in each block of four games (a bipartite graph of
    degree four has an edge colouring in four, König); what tables of three and five and
    rounds already played spoil is then mended.
    """
    tables = [list(table) for tables in rounds for table in tables]
    winds = WindBalance(_seat_by_colours(tables, counts), counts)
    for table, seats in zip(tables, winds.seats, strict=True):
        # A table of three plays with East, South and West.
        if len(table) == 3 and NORTH in seats:
            empty = next(seat for seat in range(NORTH) if seat not in seats)
            seats[empty] = seats.pop(NORTH)
        for seat, player in seats.items():
            counts[player][seat] += 1
    winds.mend()
    result = iter(winds.seats)
    return [[next(result) for _ in tables] for tables in rounds]


def _seat_by_colours(tables: list[list[int]], counts: list[list[int]]) -> list[SeatedPlayers]:
    """Every table's seats, the games of each player cut into blocks of four.

    The fifth at a table of five is the player who has been the fifth least often.
    """
    games = [sum(count[:FIFTH_SEAT]) for count in counts]
    fifths = [count[FIFTH_SEAT] for count in counts]
    nodes: dict[tuple[int, int], int] = {}
    edges: list[Edge] = []
    players: list[int] = []
    seats: list[SeatedPlayers] = []
    for number, table in enumerate(tables):
        fifth = min(table, key=fifths.__getitem__) if len(table) == 5 else None
        seats.append({})
        if fifth is not None:
            fifths[fifth] += 1
            seats[number][FIFTH_SEAT] = fifth
        for player in table:
            if player != fifth:
                node = nodes.setdefault((player, games[player] // 4), len(nodes))
                games[player] += 1
                edges.append((node, number))
                players.append(player)
    for (_, number), seat, player in zip(edges, _four_colours(edges), players, strict=True):
        seats[number][seat] = player
    return seats


def _four_colours(edges: list[Edge]) -> list[int]:
    """A colour from 0 to 3 for each edge, none repeated at a node (degrees up to four)."""
    colours = [0] * len(edges)
    all_edges = list(range(len(edges)))
    for first, half in enumerate(_split_edges(edges, all_edges)):
        for second, quarter in enumerate(_split_edges(edges, half)):
            for edge in quarter:
                colours[edge] = 2 * first + second
    return colours


def _split_edges(edges: list[Edge], chosen_edges: list[int]) -> tuple[list[int], list[int]]:
    """The chosen edges in two parts, every node's edges divided as evenly as possible."""
    partners: list[dict[int, int]] = []  # on each side, edges that meet at a node, in pairs
    for side in (0, 1):
        waiting: dict[int, int] = {}
        partners.append({})
        for edge in chosen_edges:
            node = edges[edge][side]
            partner = waiting.pop(node, None)
            if partner is None:
                waiting[node] = edge
            else:
                partners[side][edge], partners[side][partner] = partner, edge
    part: dict[int, int] = {}
    for edge in chosen_edges:
        _divide_trail(edge, 0, partners, part)
        _divide_trail(edge, 1, partners, part)
    return [e for e in chosen_edges if not part[e]], [e for e in chosen_edges if part[e]]


def _divide_trail(
    edge: int, side: int, partners: list[dict[int, int]], part: dict[int, int]
) -> None:
    """Alternate the parts along one trail's edges, starting with `side`."""
    part.setdefault(edge, 0)
    while (partner := partners[side].get(edge)) is not None and partner not in part:
        part[partner] = 1 - part[edge]
        edge, side = partner, 1 - side


@dataclass(frozen=True, slots=True)
class WindBalance:
    """Every table's seats, and how often each player has held each seat, these included."""

    seats: list[SeatedPlayers]
    counts: list[list[int]]

    def mend(self) -> None:
        """Exchange pairs of seats along chains of tables, and seats within a table, until
        neither evens anything out."""
        better = True
        while better:
            improvements = [self.even_out(pair) for pair in permutations(range(5), 2)]
            improvements += [self.rearrange(seats) for seats in self.seats]
            better = any(improvements)

    def rearrange(self, seats: SeatedPlayers) -> bool:
        """Give a table's players the most balanced winds; whether any wind changed."""
        counts = self.counts
        winds = [seat for seat in seats if seat != FIFTH_SEAT]
        players = tuple(seats[wind] for wind in winds)
        old_counts = [counts[player][:FIFTH_SEAT] for player in players]
        if all(max(times) - min(times) <= 1 for times in old_counts):
            return False
        for wind, player in zip(winds, players, strict=True):
            counts[player][wind] -= 1
        best = min(
            permutations(players),
            key=lambda order: sum(
                counts[player][wind] for wind, player in zip(winds, order, strict=True)
            ),
        )
        for wind, player in zip(winds, best, strict=True):
            counts[player][wind] += 1
        seats.update(zip(winds, best, strict=True))
        return best != players

    def even_out(self, pair: tuple[int, int]) -> bool:
        """Move players from one seat to the other while that lowers the cost; whether any moved."""
        first, second = pair
        has_moved = False
        tables_of = self.tables_by_holder(pair)
        for start, tally in enumerate(self.counts):
            while start in tables_of and _wind_change_cost(tally, first, second) < 0:
                chain = self.best_chain(start, pair, tables_of)
                if not chain:
                    break
                end = self.seats[chain[-1]][second]
                for table in chain:
                    seats = self.seats[table]
                    seats[first], seats[second] = seats[second], seats[first]
                for player, step in ((start, 1), (end, -1)):
                    self.counts[player][first] -= step
                    self.counts[player][second] += step
                tables_of, has_moved = self.tables_by_holder(pair), True
        return has_moved

    def best_chain(
        self, start: int, pair: tuple[int, int], tables_of: Mapping[int, list[int]]
    ) -> list[int]:
        """Tables at which to exchange `pair` so that the cost falls most; empty where none does.

        Along the chain everyone but the first and the last gives and takes each seat once.
        """
        (first, second), seats = pair, self.seats
        came: dict[int, int] = {start: -1}
        best, best_end = -_wind_change_cost(self.counts[start], first, second), -1
        waiting = [start]
        for player in waiting:
            for table in tables_of.get(player, ()):
                end = seats[table][second]
                if end not in came:
                    came[end] = table
                    waiting.append(end)
                    cost = _wind_change_cost(self.counts[end], second, first)
                    if cost < best:
                        best, best_end = cost, end
        if best_end < 0:
            return []
        chain = []
        while (table := came[best_end]) >= 0:
            chain.append(table)
            best_end = seats[table][first]
        return chain[::-1]

    def tables_by_holder(self, pair: tuple[int, int]) -> dict[int, list[int]]:
        """The tables that have both seats, by the player who holds the first of them."""
        first, second = pair
        tables_of: dict[int, list[int]] = defaultdict(list)
        for table, seats in enumerate(self.seats):
            if first in seats and second in seats:
                tables_of[seats[first]].append(table)
        return tables_of


def _wind_change_cost(counts: list[int], first: int, second: int) -> int:
    """The increase of the weighted sum of squares when a player has `second`, not `first`."""
    return _seat_weight(second) * (2 * counts[second] + 1) - _seat_weight(first) * (
        2 * counts[first] - 1
    )


def _seat_weight(seat: int) -> int:
    return FIFTH_WEIGHT if seat == FIFTH_SEAT else 1
