"""What the great pages cost to read, cold and warm: `python -m benchmarks.reading --database NAME`.

The first time the database is made and played: 256 players x 12 rounds x 16 hands, and a season of
40 players x 40 evenings.
"""

import argparse
import os

import django
import psycopg

from benchmarks.grow import SERVER
from clubs.tenancy import across_clubs


def main() -> None:
    """Set Django up on that database, play what is not there yet, measure."""
    asking = argparse.ArgumentParser(description=__doc__)
    asking.add_argument("--database", required=True)
    asking.add_argument("--server", default=SERVER)
    arguments = asking.parse_args()
    os.environ["DATABASE_URL"] = f"{arguments.server}/{arguments.database}"
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.test_settings")
    with psycopg.connect(f"{arguments.server}/postgres", autocommit=True) as server:
        known = server.execute("SELECT FROM pg_database WHERE datname = %s", [arguments.database])
        is_new = known.fetchone() is None
        if is_new:
            server.execute(f'CREATE DATABASE "{arguments.database}"')
    django.setup()
    from benchmarks.reading_pages import measure, play

    if is_new:
        play()
    measure()


if __name__ == "__main__":
    with across_clubs():
        main()
