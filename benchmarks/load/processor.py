"""The processor's time that an installation has had, by its parts."""

import os
import time
from dataclasses import dataclass
from pathlib import Path

from deploy.stack.laptop import Laptop
from deploy.stack.program import Program, children_of
from deploy.stack.stack import Stack

House = Stack | Laptop
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Spent:
    """Seconds of the processor: of web services, nginx, PostgreSQL, and of the phones.

    A laptop has neither nginx nor PostgreSQL; Redis and the workers are not in it.
    """

    web: float
    nginx: float
    database: float
    phones: float

    def __sub__(self, other: "Spent") -> "Spent":
        return Spent(
            self.web - other.web,
            self.nginx - other.nginx,
            self.database - other.database,
            self.phones - other.phones,
        )


def using(house: House) -> Spent:
    """What each has had so far."""
    web, nginx, database = sum(map(_had, house.webs)), 0.0, 0.0
    if isinstance(house, Stack):
        nginx, database = _had(house.nginx.program), _had(house.postgres.program)
    return Spent(web, nginx, database, phones=time.process_time())


def _had(program: Program) -> float:
    """What a program and its own processes have had, those that have ended too."""
    return sum(map(_of_one, (program.pid, *children_of(program.pid))))


def _of_one(pid: int) -> float:
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return 0.0
    own_and_ended = text.rpartition(")")[2].split()[11:15]  # user and system of each
    return sum(map(int, own_and_ended)) / TICKS
