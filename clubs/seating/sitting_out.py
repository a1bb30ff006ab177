"""Plans for players whom four does not divide, of whom some sit out each round in turn."""

import json
import string
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from clubs.seating.constructions import (
    Casting,
    casting_for,
    draft_seating,
    improve_casting,
    perfect_rounds,
)
from clubs.seating.request import Request
from clubs.seating.search import (
    TURN_PRICE,
    Allowance,
    Board,
    Dice,
    RoundCall,
    Tables,
    round_calls,
    times_sat_out,
)

PLAYERS_PER_TABLE = 4
MAX_STEPS = 20_000  # choices tried before giving up on a player who fills in for others
EMPTY_PLACE = -1
CATALOGUE = Path(__file__).parent / "sit_out_plans.json"  # a round: its tables, then those out
PLAYER_LETTERS = string.digits + string.ascii_letters  # the players of a stored plan, 0 to 61


@dataclass(frozen=True, slots=True)
class RestingRound:
    """A round of a plan: its tables of four, and the places that sit out."""

    tables: Tables
    resting_places: list[int]


def stored_places(catalogue: Path, players: int, rounds: int) -> list[list[int]]:
    """The places of each round, table after table, of the plan for exactly so many; or empty.

    catalogue: a file of plans, each under its players and rounds (``18x5``).
    """
    round_texts = _plans(catalogue).get(f"{players}x{rounds}", [])
    return [[PLAYER_LETTERS.index(letter) for letter in word] for word in round_texts]


@lru_cache(maxsize=2)
def _plans(catalogue: Path) -> dict[str, list[str]]:
    plans: dict[str, list[str]] = json.loads(catalogue.read_text(encoding="utf-8"))
    return plans


def stored_rounds(players: int, rounds: int) -> tuple[RestingRound, ...]:
    """The stored plan for exactly so many, where no search of a few seconds does as well.

    Empty if there is none. Nobody sits out twice before all have. `benchmarks.sit_out` finds and
    checks such plans.
    """
    seats = players - players % PLAYERS_PER_TABLE
    plan = []
    for places in stored_places(CATALOGUE, players, rounds):
        tables = [
            places[start : start + PLAYERS_PER_TABLE]
            for start in range(0, seats, PLAYERS_PER_TABLE)
        ]
        plan.append(RestingRound(tables, places[seats:]))
    return tuple(plan)


@lru_cache(maxsize=64)
def resting_rounds(players: int, rounds: int) -> tuple[RestingRound, ...]:
    """Up to `rounds` rounds for players that four does not divide, without a repeat.

    Where three sit out, a dummy is added and its table mates sit out. Where one or two sit out,
    those beyond a multiple of four fill in for someone else each round.
    """
    spare = players % PLAYERS_PER_TABLE
    if spare == PLAYERS_PER_TABLE - 1:
        resting = []
        for tables in perfect_rounds(players + 1, rounds):
            [dummys] = [table for table in tables if players in table]
            resting_places = [place for place in dummys if place != players]
            resting.append(
                RestingRound([table for table in tables if table is not dummys], resting_places)
            )
        return tuple(resting)
    plan = perfect_rounds(players - spare, rounds)
    for length in range(len(plan), 0, -1):
        if resting_plan := _add_newcomers(players, plan[:length]):
            return resting_plan
    return ()


def _add_newcomers(players: int, plan: Sequence[Tables]) -> tuple[RestingRound, ...]:
    """The plan with the places beyond its own each filling in for one of its places a round."""
    tables = [[list(table) for table in row] for row in plan]
    resting_by_round: list[list[int]] = [[] for _ in plan]
    for newcomer in range(PLAYERS_PER_TABLE * len(plan[0]), players):
        seats = _Filling(
            tables,
            newcomer,
            {place for resting_places in resting_by_round for place in resting_places},
        ).seats()
        if not seats:
            return ()
        for row, resting_places, (table, place) in zip(
            tables, resting_by_round, seats, strict=True
        ):
            row[table][row[table].index(place)] = newcomer
            resting_places.append(place)
    return tuple(map(RestingRound, tables, resting_by_round))


@dataclass(slots=True)
class _Filling:
    """A choice of one place in each round for a newcomer, found by trying one after another.

    rested: places that already sit out in some round and must not again.
    """

    rounds: list[Tables]
    newcomer: int
    rested_places: set[int]
    chosen_places: list[tuple[int, int]] = field(default_factory=list)
    steps: int = 0

    def seats(self) -> list[tuple[int, int]]:
        """A table and place to take in every round; empty if there are none."""
        return self.chosen_places if self._fill(frozenset()) else []

    def _fill(self, met_places: frozenset[int]) -> bool:
        """Whether the rounds from here on can be filled too; met: whom the newcomer has met."""
        if len(self.chosen_places) == len(self.rounds):
            return True
        number = len(self.chosen_places)
        tables = self.rounds[number]
        for turn in range(len(tables)):
            table_index = (turn + 5 * number) % len(tables)
            for place in tables[table_index]:
                mates = {mate for mate in tables[table_index] if mate != place}
                if place in self.rested_places or place > self.newcomer or mates & met_places:
                    continue
                self.steps += 1
                if self.steps > MAX_STEPS:
                    return False
                self.chosen_places.append((table_index, place))
                self.rested_places.add(place)
                if self._fill(met_places | mates):
                    return True
                self.chosen_places.pop()
                self.rested_places.remove(place)
        return False


def stored_plan_calls(
    players: int, rounds: int, dice: Dice
) -> tuple[list[RoundCall], list[Tables]]:
    """The stored plan with its places drawn, as calls and tables; both empty if there is none."""
    calls: list[RoundCall] = []
    round_tables: list[Tables] = []
    plan = stored_rounds(players, rounds)
    if not plan:
        return calls, round_tables
    player_order = list(range(players))
    dice.shuffle(player_order)
    for resting_round in plan:
        sitting_out = tuple(sorted(player_order[place] for place in resting_round.resting_places))
        sizes = (PLAYERS_PER_TABLE,) * len(resting_round.tables)
        calls.append(
            RoundCall(tuple(p for p in range(players) if p not in sitting_out), sizes, sitting_out)
        )
        round_tables.append(
            [[player_order[place] for place in table] for table in resting_round.tables]
        )
    return calls, round_tables


def draft_resting(
    board: Board, request: Request, calls: Sequence[RoundCall], dice: Dice, allowance: Allowance
) -> tuple[list[RoundCall], list[Tables]]:
    """Calls and a seating by such a plan, as far as it goes, its meetings counted on the board.

    It goes on for as long as the same people are there, nobody sits out before their turn, and
    four does not divide them. Later calls are made and drafted in the usual way. Both are empty
    where it does not even begin.
    """
    roster = sorted([*calls[0].players, *calls[0].sitting_out])
    lasting = _rounds_unchanged(calls, roster)
    if not lasting:
        return [], []
    turns, rounds_played = times_sat_out(request), len(request.played)
    resting_plan, holder = _best_casting(
        board, roster, turns, (rounds_played, lasting), dice, allowance
    )
    first_calls: list[RoundCall] = []
    rounds: list[Tables] = []
    for resting_round in resting_plan:
        sitting_out = tuple(sorted(holder[place] for place in resting_round.resting_places))
        if (
            max(turns[player] for player in sitting_out)
            > sorted(turns[p] for p in roster)[len(sitting_out) - 1]
        ):
            break
        for player in sitting_out:
            turns[player] += 1
        first_calls.append(
            RoundCall(tuple(p for p in roster if p not in sitting_out), calls[0].sizes, sitting_out)
        )
        rounds.append([[holder[place] for place in table] for table in resting_round.tables])
    if not first_calls:
        return [], []
    board.meet_all(rounds)
    order = list(range(len(request.players)))
    dice.shuffle(order)
    all_calls = round_calls(request, order, first_calls=first_calls)
    rounds += draft_seating(
        board, all_calls[len(first_calls) :], rounds_played + len(first_calls), dice, allowance
    )
    return all_calls, rounds


def _rounds_unchanged(calls: Sequence[RoundCall], roster: Sequence[int]) -> int:
    """For how many rounds the same people are present, with more than fit tables of four."""
    for number, call in enumerate(calls):
        present_players = sorted([*call.players, *call.sitting_out])
        if (
            present_players != roster
            or not call.sitting_out
            or set(call.sizes) != {PLAYERS_PER_TABLE}
        ):
            return number
    return len(calls)


def _best_casting(
    board: Board,
    roster: Sequence[int],
    turns: Sequence[int],
    count: tuple[int, int],
    dice: Dice,
    allowance: Allowance,
) -> tuple[Sequence[RestingRound], list[int]]:
    """Rounds of a plan and the players in its places: the cheaper of a plan's next rounds
    and a plan begun anew. count: the rounds played, and the rounds to come."""
    rounds_played, lasting = count
    player_order = list(roster)
    dice.shuffle(player_order)
    least = min(turns[player] for player in roster)
    price = [
        [*row[:-1], TURN_PRICE * (turn_count - least)]
        for row, turn_count in zip(board.price, [*turns, *[least] * len(board.price)], strict=False)
    ]
    plans: list[Sequence[RestingRound]] = [resting_rounds(len(roster), lasting)]
    if rounds_played:
        plans.insert(0, resting_rounds(len(roster), rounds_played + lasting)[rounds_played:])
    elif stored_plan := stored_rounds(len(roster), lasting):
        plans = [stored_plan]
    casts: list[tuple[Sequence[RestingRound], Casting]] = []
    for plan in plans:
        company = [
            [
                *resting_round.tables,
                *([place, len(roster)] for place in resting_round.resting_places),
            ]
            for resting_round in plan
        ]
        casts.append((plan, casting_for(company, price, [*player_order, EMPTY_PLACE])))
    longest = max(len(plan) for plan in plans)
    full = [(plan, cast) for plan, cast in casts if len(plan) == longest]
    plan, cast = min(full, key=lambda pair: pair[1].cost())
    return plan, improve_casting(cast, dice, allowance)
