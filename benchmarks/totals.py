"""How long it takes to know every possible total: `python -m benchmarks.totals`."""

import time

from scoring import Wind, possible_totals, rule_set, rule_set_keys


def main() -> None:
    """Print the time of the first question of each kind, in seconds of the processor."""
    for key in rule_set_keys():
        for won in (True, False):
            for seat in (Wind.E, Wind.S):
                start = time.process_time()
                totals = possible_totals(
                    rule_set(key), won=won, seat_wind=seat, prevailing_wind=Wind.E
                )
                taken = time.process_time() - start
                what = "Mah-Jong" if won else "other hand"
                print(f"{key:9} {seat.label:5} {what:10} {len(totals):5} totals {taken:6.2f} s")


if __name__ == "__main__":
    main()
