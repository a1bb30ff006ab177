"""The laptop's disk is full in the middle of an evening, and has room again later."""

from collections.abc import Iterator

from django.db import connection

from deploy.faults.asked import Asked, Line
from deploy.faults.disk import small_disk, told_meanwhile
from deploy.faults.hall import lay
from deploy.stack import Laptop


def run(laptop: Laptop, asked: Asked) -> Iterator[Line]:
    """A sentence says that it cannot be kept, and then the same process goes on."""
    keys = lay(asked.tables)
    connection.close()
    with small_disk(laptop.var, laptop.stop, laptop.start):
        before = laptop.webs[0].pid, laptop.webs[0].children()
        yield from told_meanwhile(laptop, asked, keys, laptop.var, begin_again=lambda: None)
        after = laptop.webs[0].pid, laptop.webs[0].children()
        yield Line(before == after, "and it is the same process as before")
        connection.close()
