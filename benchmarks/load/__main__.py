"""Submitting under load: `python -m benchmarks.load --tables 64 --seconds 60 --rate 100`.

Brings the whole installation up on loopback (or a laptop's one process on SQLite), lets its tables
submit through its front door, looks at the book.
"""

import os
from argparse import ArgumentParser, Namespace

import django

from benchmarks.load.phones import Load, told_by
from benchmarks.load.processor import House, using
from clubs.tenancy import across_clubs
from deploy.stack.laptop import Laptop
from deploy.stack.stack import Stack

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
    parser.add_argument("--webs", type=int, default=2, help="web services; SQLite has one")
    parser.add_argument("--connections", type=int, default=16, help="that phones keep open")
    parser.add_argument("--by", choices=("api", "phone"), default="api", help="who sends the hands")
    parser.add_argument("--event", choices=("evening", "tournament"), default="evening")
    return parser.parse_args()


def main() -> None:
    """Serve, submit, tell, and look whether everything is in the book."""
    arguments = asked()
    with Stack(webs=arguments.webs) if arguments.database == "postgres" else Laptop() as house:
        os.environ.pop("DATABASE_URL", None)
        os.environ |= house.environment
        run(arguments, house)


def run(arguments: Namespace, house: House) -> None:
    """The hall is laid, the tables submit."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    django.setup()
    from benchmarks.load import hall

    hands = int((arguments.rate or FLAT_OUT) * (arguments.seconds + WARM))
    laid = hall.lay(arguments.tables, clubs=arguments.clubs, hands=hands, event=arguments.event)
    tables = hall.requests_of(laid, by=arguments.by)
    hall.leave_the_database()
    warm = Load(house, tables, rate=arguments.rate, seconds=WARM).play(arguments.connections)
    before = using(house)
    load = Load(house, tables, rate=arguments.rate, seconds=arguments.seconds).play(
        arguments.connections
    )
    print(told_by(load, arguments, using(house) - before), flush=True)
    print(hall.seen_in_the_book(sum((warm.kept + load.kept).values())), flush=True)


if __name__ == "__main__":
    with across_clubs():
        main()
