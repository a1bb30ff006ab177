"""Gives each database of TONGBOX_CLUB_DATABASES keys that no other has."""

from collections.abc import Callable
from typing import Final

from django.apps import apps
from django.db import connections, models, transaction
from django.db.backends.utils import CursorWrapper

from clubs.backup import Trouble
from clubs.databases import MAIN
from clubs.models import Club, ClubDatabase

# The keys of the main database begin at 1, those of the first club database at this number, and so
# on. A table's link holds a key of up to 12 digits, so there can be 99 club databases.
KEYS_EACH: Final = 10**10
MOST: Final = 99
UNUSED: Final = 1  # what PostgreSQL says of a sequence from which no number was taken


def enrol(name: str, *, say: Callable[[str], None]) -> None:
    """Give a new club database, which has its tables, keys of its own.

    Raises ``Trouble`` for a database that has clubs but is not ours, or that is named otherwise
    than before.
    """
    with transaction.atomic(using=MAIN):
        ours, is_new = ClubDatabase.objects.using(MAIN).get_or_create(name=name)
        if ours.pk > MOST:
            raise Trouble(
                f"You already have {MOST} club databases, which is the most there can be."
            )
        if is_new and Club._base_manager.using(name).exists():
            raise Trouble(f"The database {name} has clubs already. Name an empty one.")
        keep_keys_apart(name, ours.pk * KEYS_EACH)
    if is_new:
        say(f"The database {name} is ready for clubs.")


def keep_keys_apart(name: str, first: int) -> None:
    """Let the keys of new rows begin at ``first``, in tables where they have not begun.

    Raises ``Trouble`` if they have begun elsewhere.
    """
    with transaction.atomic(using=name), connections[name].cursor() as cursor:
        for model in apps.get_models(include_auto_created=True):
            key = model._meta.pk
            if not isinstance(key, models.BigAutoField):
                continue  # a library's table, of which no club has rows
            last = _last_key(cursor, model._meta.db_table, str(key.column))
            if not first <= last < first + KEYS_EACH and last != UNUSED:
                raise Trouble(
                    f"The rows in the database {name} belong to another one: check whether "
                    "TONGBOX_CLUB_DATABASES names the databases as it did before."
                )
            if last < first:
                cursor.execute(
                    "SELECT setval(pg_get_serial_sequence(%s, %s), %s, false)",
                    [f'"{model._meta.db_table}"', key.column, first],
                )


def _last_key(cursor: CursorWrapper, table: str, column: str) -> int:
    cursor.execute("SELECT pg_get_serial_sequence(%s, %s)", [f'"{table}"', column])
    (sequence,) = cursor.fetchone()
    cursor.execute(f"SELECT last_value FROM {sequence}")  # noqa: S608
    return int(cursor.fetchone()[0])
