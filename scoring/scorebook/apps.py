"""The score book as a Django app, and what is checked before a database is migrated."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from django.apps import AppConfig
from django.core.checks import Error, Tags, register
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

LAST_FULL_COMMIT: Final = "52890a1"  # the last commit that has every replaced migration


class ScorebookConfig(AppConfig):
    """Games, seats, hands and the ledger."""

    name = "scoring.scorebook"
    label = "scorebook"


@register(Tags.database)
def check_replaced_migrations(databases: Sequence[str] | None = None, **_: Any) -> list[Error]:
    """An error for each app of which a database has only some of the replaced migrations."""
    loader = MigrationLoader(None)
    return [
        Error(message, id="scorebook.E001")
        for alias in databases or ()
        for message in partly_migrated_apps(loader, applied_migrations(connections[alias]))
    ]


def applied_migrations(database: BaseDatabaseWrapper) -> set[tuple[str, str]]:
    """App and name of each migration that the database has."""
    return set(MigrationRecorder(database).applied_migrations())


def partly_migrated_apps(
    loader: MigrationLoader, applied_keys: set[tuple[str, str]]
) -> Iterator[str]:
    """What to do about each app whose replaced migrations were applied in part, in sentences.

    Only of apps in which the files of the replaced migrations are gone.
    """
    for key, migration in loader.replacements.items():
        replaced_keys = set(migration.replaces)
        present_migrations = applied_keys & {key, *replaced_keys}
        if (
            present_migrations
            and not replaced_keys <= applied_keys
            and not replaced_keys & set(loader.disk_migrations)
        ):
            yield (
                f"This database has {len(present_migrations)} of the {len(replaced_keys) + 1} "
                f"earlier migrations of {key[0]}. Update to version {LAST_FULL_COMMIT} first and "
                "run its migrations there, then update to this version."
            )
