"""A hall of phones that ask for news: `python -m benchmarks.polling --database NAME --phones 300`.

The database is the one of `benchmarks.reading`: 256 players x 12 rounds x 16 hands. Two of three
phones show the standings at a table (asking every 3 s), the others their owner's own page (15 s),
as these pages do. Then the last round is released, and all hear of it.
"""

import argparse
import os

import django

from benchmarks.grow import SERVER
from clubs.tenancy import across_clubs
from deploy.stack.stack import Stack


def main() -> None:
    """Bring the installation up on that database, let the phones ask, release the round, print."""
    asking = argparse.ArgumentParser(description=__doc__)
    asking.add_argument("--database", required=True)
    asking.add_argument("--server", default=SERVER)
    asking.add_argument("--phones", type=int, default=300)
    asking.add_argument("--seconds", type=int, default=20, help="before and after the release")
    arguments = asking.parse_args()
    with Stack(said={"DATABASE_URL": f"{arguments.server}/{arguments.database}"}) as stack:
        os.environ |= stack.environment | {"DJANGO_SETTINGS_MODULE": "config.settings"}
        django.setup()
        from benchmarks.polling_hall import measure

        measure(stack, phones=arguments.phones, seconds=arguments.seconds)


if __name__ == "__main__":
    with across_clubs():
        main()
