"""A database that is lost and put back from its backup, and one that moves from a laptop."""

from collections.abc import Iterator
from pathlib import Path

from django.db import connection

from clubs.models import Backup
from deploy.faults import Line
from deploy.faults.checks import counted_again, everything_holds
from deploy.faults.phones import Heard, tell
from deploy.stack import Laptop, Stack
from deploy.stack.asking import Client
from deploy.stack.program import managed
from deploy.stack.stack import DATABASE


def put_back(
    stack: Stack, keys: list[str], heard: Heard, *, hands: int, phones: int, after: int
) -> Iterator[Line]:
    """While everything runs the database is dropped; the services go on with what is put back."""
    before, file = (
        stack.manage("digest").strip(),
        Backup.objects.filter(is_good=True).latest("pk").file,
    )
    connection.close()
    stack.postgres.lose(DATABASE)
    lost = Client(stack).get("/c/hall-0/").status
    stack.postgres.make(DATABASE)
    said = stack.manage("restore", file, check=False)
    again = stack.manage("digest").strip()
    is_same = "The digest is the same" in said and before == again
    words = f"the database was dropped (a page: {lost}) and put back from {Path(file).name}"
    yield Line(is_same and lost == 503, f"{words}: digest {before[:12]} before, {again[:12]} after")
    value = tell(stack, keys, submissions=hands, phones=phones, after=after)
    heard.add(value)
    yield Line(not value.given_up, f"hands told afterwards, nothing begun again: {value.said}")
    yield from everything_holds(stack, heard)


def moved(stack: Stack) -> Iterator[Line]:
    """The sample club, from SQLite into an empty database of the stack's PostgreSQL."""
    to = stack.postgres.make("moved")
    with Laptop() as laptop:
        laptop.manage("sample_data")
        before = laptop.manage("digest").strip()
        telling = {**laptop.environment, "TONGBOX_MOVE_TO": to}
        laptop.stop()
        said = managed(["move_to_postgresql"], telling, check=False)
        laptop.environment = {**laptop.environment, "DATABASE_URL": to}
        after = laptop.manage("digest").strip()
        words = f"digest {before[:12]} on SQLite, {after[:12]} on PostgreSQL"
        yield Line("Moved." in said and before == after, f"move_to_postgresql: {words}")
        yield from counted_again(laptop)
