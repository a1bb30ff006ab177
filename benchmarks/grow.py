"""Fills a PostgreSQL database with clubs: `python -m benchmarks.grow --database NAME --clubs 10`.

Ten clubs have 500 hands each, the same in every database, so that the same pages can be asked for
in a small and in a large one; the other clubs share the rest.
"""

import argparse
import os
import time

import django

from clubs.tenancy import across_clubs

SERVER = "postgres://postgres@127.0.0.1:5432"
SMALL_CLUBS, SMALL_HANDS = 10, 500


def main() -> None:
    """Make the database, play the clubs that are copied, copy them, count."""
    request_ = arguments()
    os.environ["DATABASE_URL"] = f"{request_.server}/{request_.database}"
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from benchmarks.growth_made import make_database

    begun = time.perf_counter()
    make_database(
        request_.database, wanted(request_.clubs, request_.hands), processes=request_.processes
    )
    print(f"Made in {time.perf_counter() - begun:,.0f} s.")


def arguments() -> argparse.Namespace:
    """What was asked for on the command line."""
    asking = argparse.ArgumentParser(description=__doc__)
    asking.add_argument("--clubs", type=int, default=10)
    asking.add_argument("--hands", type=int, default=5_000)
    asking.add_argument("--database", required=True, help="its name; it must not exist yet")
    asking.add_argument("--server", default=SERVER)
    asking.add_argument("--processes", type=int, default=2)
    return asking.parse_args()


def wanted(clubs: int, hands: int) -> list[tuple[int, int]]:
    """How many clubs of how many hands: first the small ones, then those that share the rest."""
    small = min(clubs, SMALL_CLUBS)
    rest = clubs - small
    if not rest:
        return [(small, max(1, hands // small))]
    return [(small, SMALL_HANDS), (rest, (hands - small * SMALL_HANDS) // rest)]


if __name__ == "__main__":
    with across_clubs():
        main()
