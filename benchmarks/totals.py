"""How long it takes to know every possible total: `python -m benchmarks.totals`."""

import time
from collections.abc import Callable
from functools import partial
from itertools import product

from scoring import RuleSet, Wind, possible_totals, rule_set, rule_set_keys
from scoring.totals.possible import reckoned_totals, standing_in


def main() -> None:
    """Print the time of the first question of each kind: reckoned for a house, and kept."""
    for key, won, seat in product(rule_set_keys(), (True, False), (Wind.E, Wind.S)):
        rules, what = rule_set(key), "Mah-Jong" if won else "other hand"
        reckoned, slow = taken(partial(of_a_house, rules, won=won, seat=seat))
        kept, fast = taken(
            partial(possible_totals, rules, won=won, seat_wind=seat, prevailing_wind=Wind.E)
        )
        times = f"reckoned {slow:6.2f} s, kept {fast * 1000:6.2f} ms"
        print(f"{key:9} {seat.label:5} {what:10} {len(kept):5} totals {times}", end="")
        print("" if reckoned == kept else "   NOT THE SAME TOTALS")


def of_a_house(rules: RuleSet, *, won: bool, seat: Wind) -> tuple[int, ...]:
    """The same totals as for rules that are not kept with the program."""
    hand = standing_in(
        rules,
        won=won,
        seat_wind=seat,
        prevailing_wind=Wind.E,
        players=4,
        goulash=False,
        dealer=None,
    )
    if not won and not rules.losers_score:
        return (0,)
    return reckoned_totals(hand, rules)


def taken(ask: Callable[[], tuple[int, ...]]) -> tuple[tuple[int, ...], float]:
    """The answer, and the seconds of the processor that it took."""
    start = time.process_time()
    return ask(), time.process_time() - start


if __name__ == "__main__":
    main()
