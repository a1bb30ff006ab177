"""What the seating attains and how long it takes: `python -m benchmarks.seating`.

`python -m benchmarks.seating season` seats a season, evening after evening.
"""

import random
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, product

from clubs.seating import Report, Request, Round, plan, plan_by_standing
from clubs.seating.history import TURN_SIZES, PastEvening, meeting_weights, turns_due, turns_taken

Sizes = tuple[int, ...]
FOURS = (
    *((16, 5), (20, 5), (24, 7), (28, 9), (32, 8), (32, 10), (36, 11), (40, 8), (40, 10)),
    *((40, 13), (44, 14), (48, 15), (52, 17), (56, 17), (60, 19), (64, 10), (64, 21)),
    *((100, 10), (200, 8), (400, 10), (2000, 200)),
    *((8, 4), (8, 6), (8, 7), (12, 4), (12, 6), (12, 8), (12, 11), (16, 6), (16, 8), (16, 10)),
    *((20, 6), (20, 7), (20, 8), (20, 10), (24, 8), (24, 9), (24, 11), (28, 10), (32, 11)),
    *((32, 12), (40, 14)),
)
WITH_THREES = ((13, 4), (14, 4), (15, 4), (17, 4), (18, 4), (19, 4), (21, 6), (27, 6))
WITH_FIVES = ((13, 4), (17, 4), (21, 4), (23, 4), (25, 4), (27, 4), (101, 10))
SITTING_OUT = ((14, 6), (23, 6), (26, 6), (101, 10))
CASES = (
    *((n, rounds, (4,)) for n, rounds in FOURS),
    *((n, rounds, (4, 3)) for n, rounds in WITH_THREES),
    *((n, rounds, (4, 5)) for n, rounds in WITH_FIVES),
    *((n, rounds, (4,)) for n, rounds in SITTING_OUT),
)

STANDINGS = ((16, 5, ()), (32, 6, ()), (32, 6, (3,)), (100, 8, (5,)), (400, 8, (10,)))


def seated_row(players: int, rounds: int, sizes: Sizes) -> str:
    """One line of the table that benchmarks/README.md keeps."""
    names = tuple(str(number) for number in range(1, players + 1))
    start = time.process_time()
    report = plan(Request(players=names, rounds=rounds, table_sizes=sizes, seconds=10)).report
    return cells(f"{players} × {rounds}", "/".join(map(str, sizes)), report, start)


def standing_row(players: int, rounds: int, bands: Sizes) -> str:
    """A tournament of which every round is seated by a standing drawn anew."""
    chance, start = random.Random(0), time.process_time()
    names = [str(number) for number in range(1, players + 1)]
    past_rounds: tuple[Round, ...] = ()
    for _ in range(rounds):
        chance.shuffle(names)
        new_plan = plan_by_standing(names, past_rounds, bands=bands)
        past_rounds = new_plan.rounds
    groups = f"groups of {'/'.join(map(str, bands))}" if bands else "no groups"
    return cells(f"{players} × {rounds}", groups, new_plan.report, start)


def cells(numbers: str, method: str, report: Report, start: float) -> str:
    """The cells of one line; `start` is the processor's time in seconds before it."""
    seconds = time.process_time() - start
    meeting_figures = (report.repeated_meetings, report.least_possible, report.most_meetings)
    values = (
        numbers,
        method,
        *meeting_figures,
        report.wind_imbalance,
        report.table_revisits,
        f"{seconds:.2f}",
    )
    return f"| {' | '.join(map(str, values))} |"


EVENINGS = 24
CLUBS = (9, 10, 11, 13, 14, 16, 17, 19, 22, 23, 27, 30)
RECENT_EVENINGS = 4
TABLE_SIZES = (4, 5, 3)


def play_season(members: int, *, comes: float, evenings: int = EVENINGS) -> list[PastEvening]:
    """A season of so many members, each of whom comes with that probability."""
    chance = random.Random(members)
    names = [str(number) for number in range(members)]
    past_evenings: list[PastEvening] = []
    while len(past_evenings) < evenings:
        present_players = tuple(name for name in names if chance.random() < comes)
        if len(present_players) > 5:
            past_evenings.append(seat_evening(past_evenings, present_players))
    return past_evenings


def seat_evening(
    past_evenings: Sequence[PastEvening], present_players: tuple[str, ...]
) -> PastEvening:
    """The next evening, as an evening's page seats it."""
    pair_weights = meeting_weights(past_evenings, present_players)
    due = turns_due(past_evenings, present_players)
    request = Request(
        players=present_players,
        rounds=1,
        seed=len(past_evenings),
        seconds=2,
        table_sizes=TABLE_SIZES,
        past_meetings=pair_weights,
        turns=due,
    )
    seated_round = plan(request).rounds[0]
    return PastEvening(
        tuple(table.names for table in seated_round.tables), seated_round.sitting_out
    )


def meetings(evenings: Sequence[PastEvening]) -> Counter[frozenset[str]]:
    """How often each pair sat together."""
    return Counter(pair for evening in evenings for pair in pairs_of(evening))


def pairs_of(evening: PastEvening) -> Iterator[frozenset[str]]:
    for table in evening.tables:
        yield from map(frozenset, combinations(table, 2))


def unevenness(evenings: Sequence[PastEvening]) -> tuple[float, int]:
    """The root of the mean square of what pairs met beyond their share, and the most beyond it.

    A pair's share of an evening to which both came: the pairs at tables over all pairs there.
    """
    share: Counter[frozenset[str]] = Counter()
    for evening in evenings:
        evening_pairs = list(map(frozenset, combinations(sorted(evening.present_players), 2)))
        for pair in evening_pairs:
            share[pair] += sum(1 for _ in pairs_of(evening)) / len(evening_pairs)  # type: ignore[assignment]
    meeting_counts = meetings(evenings)
    excesses = [meeting_counts[pair] - due for pair, due in share.items()]
    return (sum(x * x for x in excesses) / len(excesses)) ** 0.5, round(max(excesses))


def repeat_rate(evenings: Sequence[PastEvening], evening_count: int) -> float:
    """Of the pairs of an evening, how many in a hundred sat together not long before.

    That is in the last `evening_count` evenings.
    """
    of_late = (
        meetings(evenings[max(0, index - evening_count) : index]) for index in range(len(evenings))
    )
    evening_meetings = zip(evenings, of_late, strict=True)
    together = [
        pair in recent_pairs
        for evening, recent_pairs in evening_meetings
        for pair in pairs_of(evening)
    ]
    return 100 * sum(together) / len(together)


def turns_spread(evenings: Sequence[PastEvening]) -> str:
    """For threes and fives: the fewest and the most turns of those who missed no more than half."""
    came = Counter(name for evening in evenings for name in evening.present_players)
    regulars = [name for name, times in came.items() if 2 * times >= len(evenings)]
    turns = turns_taken(evenings)
    ranges = []
    for size in TURN_SIZES:
        times = [turns[size][name] for name in regulars]
        ranges.append(f"{min(times)}–{max(times)}" if any(times) else "–")
    return " | ".join(ranges)


def season_row(members: int, comes: float) -> str:
    """One line of the table that benchmarks/README.md keeps."""
    began = time.process_time()
    past_evenings = play_season(members, comes=comes)
    seconds = (time.process_time() - began) / len(past_evenings)
    excess, most = unevenness(past_evenings)
    last_time, lately = repeat_rate(past_evenings, 1), repeat_rate(past_evenings, RECENT_EVENINGS)
    figures = f"{excess:.2f} | {most} | {last_time:.0f} | {lately:.0f}"
    return (
        f"| {members} | {comes:.0%} | {figures} | {turns_spread(past_evenings)} | {seconds:.2f} |"
    )


def main() -> None:
    if sys.argv[1:] == ["season"]:
        print("| members | come | uneven | most | last | last 4 | threes | fives | out | CPU s |")
        print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
        for comes, members in product((1.0, 0.8), CLUBS):
            print(season_row(members, comes), flush=True)
        return
    print("| players × rounds | sizes | repeats | bound | most | winds | revisits | CPU s |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for players, rounds, sizes in CASES:
        print(seated_row(players, rounds, sizes), flush=True)
    for players, rounds, bands in STANDINGS:
        print(standing_row(players, rounds, bands), flush=True)


if __name__ == "__main__":
    main()
