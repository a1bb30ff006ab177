"""Which database the queries of this thread go to, where clubs are in several of them.

The main database has people's accounts, their sessions, the installation and the directory of clubs
(``ClubPlace``). Each club is in one database, with everything that belongs to it. A request or job
for a club makes the club's database the default one, so that no query needs to name it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections, transaction
from django.db.models import Model

MAIN: Final = DEFAULT_DB_ALIAS
_MEANWHILE: Final = "main"  # what the main connection is called while a club's is the default
ONLY_IN_MAIN: Final = frozenset(
    {
        "account.EmailAddress",
        "account.EmailConfirmation",
        "clubs.AwayCopy",
        "clubs.Backup",
        "clubs.ClubDatabase",
        "clubs.ClubPlace",
        "clubs.DeletedClub",
        "clubs.FoundingRequest",
        "clubs.Installation",
        "clubs.SentMails",
        "mfa.Authenticator",
        "sessions.Session",
    }
)
WRITTEN_IN_MAIN: Final = ONLY_IN_MAIN | {"clubs.AgreedTerms", "clubs.User"}


def names() -> list[str]:
    """The main database, then the club databases in the order of TONGBOX_CLUB_DATABASES."""
    return [MAIN, *settings.CLUB_DATABASES]


def are_several() -> bool:
    return bool(settings.CLUB_DATABASES)


def current() -> str:
    """The name of the database that queries go to now."""
    return connections[DEFAULT_DB_ALIAS].alias


def main() -> str:
    """The alias of the main database, for ``using``; it holds until the database changes."""
    return MAIN if current() == MAIN else _MEANWHILE


def atomic_in_main() -> transaction.Atomic:
    """A transaction in the main database, beside that of the club, so that an error undoes both.

    The main one is committed first. Where a club is in the main database it is one transaction.
    """
    return transaction.atomic(using=main(), savepoint=False)


@contextmanager
def at(name: str) -> Iterator[None]:
    """Make this the database of all queries and transactions of this thread within the block.

    Transactions that are open stay open where they are. Raises ``ConnectionDoesNotExist`` for a
    database that is not configured.
    """
    before = connections[DEFAULT_DB_ALIAS]
    if before.alias == name:
        yield
        return
    if before.alias == MAIN:
        connections[_MEANWHILE] = before
    try:
        connections[DEFAULT_DB_ALIAS] = connections[_MEANWHILE if name == MAIN else name]
        yield
    finally:
        connections[DEFAULT_DB_ALIAS] = before


def copy_here(row: Model, **instead: Any) -> None:
    """Write a row of another database into the current one under its own key, or bring it up to
    date there; ``instead`` are values of columns that are not copied."""
    fields = [field.attname for field in row._meta.concrete_fields]
    values = {name: getattr(row, name) for name in fields} | instead
    here = type(row)._base_manager.using(DEFAULT_DB_ALIAS)
    here.bulk_create([type(row)(**values)], ignore_conflicts=True)
    here.filter(pk=row.pk).update(**values)  # if it was there; and a new one's moments


class ClubRouter:
    """Sends what is only in the main database there, and changes of accounts.

    Accounts are read where a club is, from the copies that its rows refer to.
    """

    def db_for_read(self, model: type[Model], **_: Any) -> str:
        return main() if model._meta.label in ONLY_IN_MAIN else DEFAULT_DB_ALIAS

    def db_for_write(self, model: type[Model], **_: Any) -> str:
        return main() if model._meta.label in WRITTEN_IN_MAIN else DEFAULT_DB_ALIAS

    def allow_relation(self, *_: Model, **__: Any) -> bool:
        """True: keys are the same in all databases, wherever a row was read."""
        return True
