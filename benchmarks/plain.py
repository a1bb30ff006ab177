"""What each thing written by hand saves: `python -m benchmarks.plain`.

The same requests are answered with it and in plain Django, by turns in one process, on the server
in ``DATABASE_URL`` or in SQLite.
"""

import argparse
import os

import django

from clubs.tenancy import across_clubs


def main() -> None:
    """Set Django up with the settings of the tests, then measure in a database of its own."""
    asking = argparse.ArgumentParser(description=__doc__)
    asking.add_argument("--games", type=int, default=4, help="of 16 hands at 16 tables")
    arguments = asking.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.test_settings")
    django.setup()
    from django.db import connection

    from benchmarks.plain_asked import measure

    connection.creation.create_test_db(verbosity=0, autoclobber=True)
    try:
        measure(arguments.games)
    finally:
        connection.creation.destroy_test_db(str(connection.settings_dict["NAME"]), verbosity=0)


if __name__ == "__main__":
    with across_clubs():
        main()
