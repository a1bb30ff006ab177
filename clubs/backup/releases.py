"""Which release a database is of, by its migrations: this one, an earlier or a newer."""

from collections.abc import Iterable
from typing import Final

from django.db.migrations.loader import MigrationLoader

OWN_APPS: Final = {"clubs", "scorebook", "tournaments"}  # the apps whose migrations are ours

Migration = tuple[str, str]  # app and name


def missing_migrations(applied_migrations: Iterable[Migration]) -> set[Migration]:
    """The migrations of this release that the database has not."""
    return set(MigrationLoader(None).graph.nodes) - set(applied_migrations)


def is_of_newer_release(applied_migrations: Iterable[Migration]) -> bool:
    """Whether it has migrations of ours that this release does not know."""
    migrations = MigrationLoader(None).disk_migrations
    known_migrations = set(migrations)
    for migration in migrations.values():
        known_migrations |= set(migration.replaces)
    return any(
        app in OWN_APPS and (app, name) not in known_migrations for app, name in applied_migrations
    )


def is_of_this_release(applied_migrations: Iterable[str]) -> bool:
    """The same of ``clubs.0001_initial``, as a backup lists them."""
    pairs = {
        (app, name)
        for app, _, name in (dotted_name.partition(".") for dotted_name in applied_migrations)
    }
    return not (missing_migrations(pairs) or is_of_newer_release(pairs))
