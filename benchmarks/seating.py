"""What the seating attains and how long it takes: `python -m benchmarks.seating`."""

import random
import sys
import time

from clubs.seating import Report, Request, Round, by_standing, plan

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


def row(players: int, rounds: int, sizes: Sizes) -> str:
    """One line of the table that benchmarks/README.md keeps."""
    names = tuple(str(number) for number in range(1, players + 1))
    start = time.process_time()
    report = plan(Request(players=names, rounds=rounds, table_sizes=sizes, seconds=10)).report
    return cells(f"{players} × {rounds}", "/".join(map(str, sizes)), report, start)


def standing_row(players: int, rounds: int, bands: Sizes) -> str:
    """A tournament of which every round is seated by a standing drawn anew."""
    chance, start = random.Random(0), time.process_time()
    names = [str(number) for number in range(1, players + 1)]
    played: tuple[Round, ...] = ()
    for _ in range(rounds):
        chance.shuffle(names)
        made = by_standing(names, played, bands=bands)
        played = made.rounds
    groups = f"groups of {'/'.join(map(str, bands))}" if bands else "no groups"
    return cells(f"{players} × {rounds}", groups, made.report, start)


def cells(numbers: str, how: str, report: Report, start: float) -> str:
    """The cells of one line; `start` is the processor's time in seconds before it."""
    seconds = time.process_time() - start
    values = (
        numbers,
        how,
        report.repeated_meetings,
        report.least_possible,
        report.most_meetings,
        report.wind_imbalance,
        report.table_revisits,
        f"{seconds:.2f}",
    )
    return f"| {' | '.join(map(str, values))} |"


def main() -> int:
    """Print the table."""
    print("| players × rounds | sizes | repeats | bound | most | winds | revisits | CPU s |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for players, rounds, sizes in CASES:
        print(row(players, rounds, sizes), flush=True)
    for players, rounds, bands in STANDINGS:
        print(standing_row(players, rounds, bands), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
