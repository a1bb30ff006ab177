"""Submitting under load: `python -m benchmarks.load --tables 64 --seconds 60 --rate 100`.

Starts a server of its own on a database of its own, lets its tables submit, looks at the book.
"""

import os
import tempfile
from argparse import ArgumentParser, Namespace
from contextlib import ExitStack
from pathlib import Path

from benchmarks.load.database import Postgres
from benchmarks.load.phones import Load, told_by, using
from benchmarks.load.server import Server
from clubs.apart import across_clubs

POSTGRES = "postgres://postgres@127.0.0.1:5432/postgres"
FLAT_OUT = 400  # hands a second that are prepared where no rate is given
WARM = 5.0


def asked() -> Namespace:
    """What the command line asks for."""
    parser = ArgumentParser(prog="python -m benchmarks.load", description=__doc__)
    parser.add_argument("--tables", type=int, default=64, help="that play at the same time")
    parser.add_argument("--clubs", type=int, default=16, help="that the tables belong to")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--rate", type=float, default=100, help="hands a second; 0: flat out")
    parser.add_argument("--database", choices=("postgres", "sqlite"), default="postgres")
    parser.add_argument("--processes", type=int, default=2, help="of gunicorn; SQLite has one")
    parser.add_argument("--connections", type=int, default=16, help="kept open to the server")
    parser.add_argument("--by", choices=("api", "phone"), default="api", help="who sends the hands")
    parser.add_argument("--event", choices=("evening", "tournament"), default="evening")
    return parser.parse_args()


def main() -> None:
    """Serve, submit, tell, and look whether everything is in the book."""
    told = asked()
    with ExitStack() as end:
        folder = Path(end.enter_context(tempfile.TemporaryDirectory(prefix="tongbox-load-")))
        given = {
            "TONGBOX_VAR": str(folder),
            "TONGBOX_STATIC": "django.contrib.staticfiles.storage.StaticFilesStorage",
            "TONGBOX_PROCESSES": str(told.processes),
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }
        database = None
        if told.database == "postgres":
            database = Postgres(os.environ.get("DATABASE_URL", POSTGRES))
            given["DATABASE_URL"] = end.enter_context(database)
        else:
            os.environ.pop("DATABASE_URL", None)
        os.environ.update(given)
        run(told, end, folder, database)


def run(told: Namespace, end: ExitStack, folder: Path, database: Postgres | None) -> None:
    """The hall is laid, the server opens, the tables submit."""
    import django

    django.setup()
    from benchmarks.load import hall

    hands = int((told.rate or FLAT_OUT) * (told.seconds + WARM))
    laid = hall.lay(told.tables, clubs=told.clubs, hands=hands, event=told.event)
    tables = hall.requests_of(laid, by=told.by)
    hall.leave_the_database()
    server = end.enter_context(Server(folder))
    warm = Load(server.port, tables, rate=told.rate, seconds=WARM).play(told.connections)
    before = using(server, database)
    load = Load(server.port, tables, rate=told.rate, seconds=told.seconds).play(told.connections)
    spent = using(server, database) - before
    print(told_by(load, told, spent), flush=True)
    print(hall.seen_in_the_book(sum((warm.kept + load.kept).values())), flush=True)


if __name__ == "__main__":
    with across_clubs():
        main()
