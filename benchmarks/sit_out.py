"""Plans for players of whom some sit out in turn: `python -m benchmarks.sit_out`.

Without more, every stored plan is counted afresh: its repeats, the least there can be, and whether
the turns are fair. `find 18 5` looks for a plan of 18 players over 5 rounds and prints it as
`clubs/seating/sit_out_plans.json` holds it; `find 18 5 40` takes 40 million exchanges, not 4.
"""

import json
import math
import random
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

from clubs.seating.sitting_out import CATALOGUE, PLAYER_LETTERS

TABLE_SIZE = 4
# What a repeat costs, and a pair's third and fourth meeting more.
REPEAT_COST, THIRD_COST, FOURTH_COST = (20, 2, 60)
# Costs that are accepted once in e at the start and at the end.
HOT_TEMPERATURE, COLD_TEMPERATURE = (9.0, 3.0)
# How many in one exchange a seat for a turn at sitting out, where turns come round.
REST_RATE = 0.15
MILLION = 1_000_000

RoundRow = list[int]  # a round: its players table after table, then those who sit out


def cost_of(meetings: int) -> int:
    """What a pair's meetings cost: repeats first, then evenness."""
    repeats = max(0, meetings - 1)
    return (
        REPEAT_COST * repeats
        + THIRD_COST * repeats * (repeats - 1) // 2
        + FOURTH_COST * max(0, meetings - 3)
    )


def are_fair(rows: Sequence[RoundRow], players: int) -> bool:
    """Whether nobody sits out twice before all have, from the first round on."""
    turns = dict.fromkeys(range(players), 0)
    for row in rows:
        for player in row[players - players % TABLE_SIZE :]:
            turns[player] += 1
        if max(turns.values()) - min(turns.values()) > 1:
            return False
    return True


def repeats_of(rows: Sequence[RoundRow], players: int) -> tuple[int, int]:
    """Meetings beyond a pair's first, over all pairs, and the most that a pair has."""
    meetings = Counter(
        pair
        for row in rows
        for start in range(0, players - players % TABLE_SIZE, TABLE_SIZE)
        for pair in combinations(sorted(row[start : start + TABLE_SIZE]), 2)
    )
    return sum(times - 1 for times in meetings.values()), max(meetings.values())


def least_repeats(rows: Sequence[RoundRow], players: int) -> int:
    """A lower bound: nobody has more first meetings than there are others."""
    seats = players - players % TABLE_SIZE
    games = Counter(player for row in rows for player in row[:seats])
    return -(-sum(max(0, 3 * times - (players - 1)) for times in games.values()) // 2)


@dataclass(slots=True)
class Annealing:
    """Rounds in which players exchange places, at first readily also for the worse."""

    players: int
    rows: list[RoundRow]
    dice: random.Random
    meetings: list[list[int]] = field(init=False)

    def __post_init__(self) -> None:
        self.meetings = [[0] * self.players for _ in range(self.players)]
        for row in self.rows:
            for start in range(0, self.seats, TABLE_SIZE):
                for player, other_player in combinations(row[start : start + TABLE_SIZE], 2):
                    self.count(player, other_player, 1)

    @property
    def seats(self) -> int:
        return self.players - self.players % TABLE_SIZE

    def count(self, player: int, other_player: int, times: int) -> int:
        """Count a meeting, or with -1 discount it; the change of cost."""
        meeting_count = self.meetings[player][other_player]
        self.meetings[player][other_player] = self.meetings[other_player][player] = (
            meeting_count + times
        )
        return cost_of(meeting_count + times) - cost_of(meeting_count)

    def exchange(self, row: RoundRow, first: int, second: int) -> int:
        """Exchange the players of two places of a round, not of one table; the change of cost."""
        change = 0
        for place, other_place in ((first, second), (second, first)):
            if place < self.seats:
                start = place - place % TABLE_SIZE
                for mate_place in range(start, start + TABLE_SIZE):
                    if mate_place != place:
                        mate = row[mate_place]
                        change += self.count(row[place], mate, -1)
                        change += self.count(row[other_place], mate, 1)
        row[first], row[second] = row[second], row[first]
        return change

    def move(self) -> tuple[list[tuple[RoundRow, int, int]], int]:
        """A random move, carried out: the places exchanged, and the change of cost."""
        row = self.rows[self.dice.randrange(len(self.rows))]
        first, second = self.dice.randrange(self.seats), self.dice.randrange(self.seats)
        comes_round = len(self.rows) * (self.players - self.seats) > self.players
        if comes_round and (self.seats == TABLE_SIZE or self.dice.random() < REST_RATE):
            second = self.dice.randrange(self.seats, self.players)
            return self.move_turn(row, first, second)
        if first // TABLE_SIZE == second // TABLE_SIZE:
            return [], 0
        return [(row, first, second)], self.exchange(row, first, second)

    def move_turn(
        self, row: RoundRow, first: int, second: int
    ) -> tuple[list[tuple[RoundRow, int, int]], int]:
        """Let one sit out for another, who where need be does so for them in another round."""
        goes, comes = row[first], row[second]
        places = [(row, first, second)]
        change = self.exchange(row, first, second)
        if not are_fair(self.rows, self.players):
            other_rows = [
                other_row
                for other_row in self.rows
                if other_row is not row
                and other_row.index(goes) >= self.seats
                and other_row.index(comes) < self.seats
            ]
            if other_rows:
                other_row = self.dice.choice(other_rows)
                places.append((other_row, other_row.index(comes), other_row.index(goes)))
                change += self.exchange(*places[-1])
        if not are_fair(self.rows, self.players):
            return self.undo(places), 0
        return places, change

    def undo(self, places: Sequence[tuple[RoundRow, int, int]]) -> list[tuple[RoundRow, int, int]]:
        """Take exchanges back; nothing is left of them."""
        for row, first, second in reversed(places):
            self.exchange(row, first, second)
        return []

    def cool(self, moves: int) -> list[RoundRow]:
        """The best rounds of so many moves."""
        cost, heat, ratio = 0, HOT_TEMPERATURE, (COLD_TEMPERATURE / HOT_TEMPERATURE) ** (1 / moves)
        best, best_cost = [list(row) for row in self.rows], 0
        for _ in range(moves):
            heat *= ratio
            places, change = self.move()
            if change > 0 and self.dice.random() >= math.exp(-change / heat):
                self.undo(places)
                continue
            cost += change
            if cost < best_cost:
                best, best_cost = [list(row) for row in self.rows], cost
        return best


def first_rows(players: int, rounds: int, dice: random.Random) -> list[RoundRow]:
    """Rounds drawn by lot, the turns at sitting out in order."""
    turn = 0
    rows = []
    for _ in range(rounds):
        sitting_out = [(turn + number) % players for number in range(players % TABLE_SIZE)]
        turn += len(sitting_out)
        seated_players = [player for player in range(players) if player not in sitting_out]
        dice.shuffle(seated_players)
        rows.append([*seated_players, *sitting_out])
    return rows


def find_plan(players: int, rounds: int, millions: int) -> list[str]:
    """The best plan of a search, as words of letters."""
    dice = random.Random(0)
    search = Annealing(players, first_rows(players, rounds, dice), dice)
    rows = search.cool(millions * MILLION)
    print("repeats, most meetings:", *repeats_of(rows, players), file=sys.stderr)
    return ["".join(PLAYER_LETTERS[player] for player in row) for row in rows]


def main() -> int:
    """Check the stored plans, or find one; exit status 1 where a stored plan is not valid."""
    if sys.argv[1:2] == ["find"]:
        players, rounds, *extra_args = map(int, sys.argv[2:])
        letter_rows = find_plan(players, rounds, *(extra_args or [4]))
        print(json.dumps({f"{players}x{rounds}": letter_rows}))
        return 0
    print("| players × rounds | repeats | bound | most | fair turns |")
    print("| --- | --- | --- | --- | --- |")
    is_valid = True
    for name, letter_rows in json.loads(CATALOGUE.read_text(encoding="utf-8")).items():
        players, rounds = map(int, name.split("x"))
        rows = [[PLAYER_LETTERS.index(letter) for letter in word] for word in letter_rows]
        all_players = list(range(players))
        is_fair = are_fair(rows, players)
        is_valid &= is_fair and len(rows) == rounds
        is_valid &= all(sorted(row) == all_players for row in rows)
        repeats, most = repeats_of(rows, players)
        lower_bound = least_repeats(rows, players)
        fairness = "yes" if is_fair else "NO"
        print(f"| {players} × {rounds} | {repeats} | {lower_bound} | {most} | {fairness} |")
    return 0 if is_valid else 1


if __name__ == "__main__":
    sys.exit(main())
