"""How often the detective names a slip that was planted: `python -m benchmarks.detective`."""

import time
from collections.abc import Callable, Iterable

from tests.scoring.planted import CLAIMS, ROWS, Rates, claim_rates, row_rates

EACH = 2000


def report(title: str, names: Iterable[str], rates: Callable[[str, int], Rates]) -> None:
    """Print a line for each kind of slip: named first, in the first three, mended; the time."""
    print(f"{title:34} first  in three  mended      ms")
    for name in names:
        began = time.perf_counter()
        first, in_three, mended = rates(name, EACH)
        each = 1000 * (time.perf_counter() - began) / EACH
        print(f"{name:34}{first:6.1%}{in_three:10.1%}{mended:8.1%}{each:8.2f}")
    print()


def main() -> None:
    report("a row of a sheet", ROWS, row_rates)
    report("a claimed score", CLAIMS, claim_rates)


if __name__ == "__main__":
    main()
