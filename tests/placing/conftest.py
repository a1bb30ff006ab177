"""An installation whose clubs are in two databases besides the main one: north and south."""

import os
from collections.abc import Iterator
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.db import connections
from pytest_django import DjangoDbBlocker

from clubs.core.directory import GATE
from clubs.databases import MAIN
from clubs.models import ClubDatabase
from config.club_databases import KEYS_EACH, keep_keys_apart
from tests.clubs.hosting.conftest import hosted, olga
from tests.config.conftest import in_order

__all__ = ["hosted", "in_order", "olga"]  # fixtures of there

# Collected with the services: one statement cannot be about two databases of SQLite.
collect_ignore_glob = [] if os.environ.get("DATABASE_URL") else ["test_*.py"]
NUMBERS = {"north": 1, "south": 2}


@pytest.fixture(scope="session")
def _copies(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Two empty databases beside that of the tests."""
    main = connections[MAIN]
    ours = main.settings_dict["NAME"]
    names = {name: main.ops.quote_name(f"{ours}_{name}") for name in NUMBERS}
    with django_db_blocker.unblock():
        main.close()
        with main._nodb_cursor() as cursor:
            for copy in names.values():
                cursor.execute(f"DROP DATABASE IF EXISTS {copy}")
                cursor.execute(f"CREATE DATABASE {copy} TEMPLATE {main.ops.quote_name(ours)}")
    connections.settings[GATE] = dict(connections.settings[MAIN])
    for name in NUMBERS:
        connections.settings[name] = connections.settings[MAIN] | {"NAME": f"{ours}_{name}"}
    with django_db_blocker.unblock():
        for name in NUMBERS:
            _begin_keys_at_1(name)
    yield
    for name in [GATE, *NUMBERS]:
        connections[name].close()
        del connections[name], connections.settings[name]
    with django_db_blocker.unblock(), main._nodb_cursor() as cursor:
        for copy in names.values():
            cursor.execute(f"DROP DATABASE {copy} WITH (FORCE)")


def _begin_keys_at_1(name: str) -> None:
    """As in a new database: other tests have taken keys in the one that was copied."""
    with connections[name].cursor() as cursor:
        cursor.execute("SELECT sequencename FROM pg_sequences WHERE schemaname = 'public'")
        for (sequence,) in cursor.fetchall():
            if not sequence.startswith(("auth_", "django_")):  # tables with rows of migrations
                cursor.execute(f"ALTER SEQUENCE {sequence} RESTART")


@pytest.fixture(autouse=True)
def _placed(_copies: None, django_db_blocker: DjangoDbBlocker, settings: Any) -> Iterator[None]:
    """Clubs can be in north and south while the test runs; it begins with empty databases.

    Its transactions are real ones: a lock is held on a connection of its own.
    """
    settings.CLUB_DATABASES = list(NUMBERS)
    settings.DATABASE_ROUTERS = ["clubs.databases.ClubRouter"]
    with django_db_blocker.unblock():
        for name in [MAIN, *NUMBERS]:
            _empty(name)
        for name, number in NUMBERS.items():
            ClubDatabase.objects.create(pk=number, name=name)
            keep_keys_apart(name, number * KEYS_EACH)
        with connections[MAIN].cursor() as cursor:  # the next is another one
            sequence = "pg_get_serial_sequence('clubs_clubdatabase', 'id')"
            cursor.execute(f"SELECT setval({sequence}, %s)", [len(NUMBERS)])
        yield
        for name in [MAIN, *NUMBERS]:
            _empty(name)


@pytest.fixture(autouse=True)
def db(_placed: None) -> None:
    """In the place of pytest-django's: the databases of the tests here are not rolled back."""


def _empty(name: str) -> None:
    """Delete all rows but those that migrations make; a TRUNCATE of all tables takes seconds."""
    ours = [*apps.get_models(include_auto_created=True)]
    tables = {model._meta.db_table for model in ours if model not in (ContentType, Permission)}
    with connections[name].cursor() as cursor:
        # Neither triggers nor foreign keys are asked.
        cursor.execute("SET session_replication_role = replica")
        for table in sorted(tables):
            cursor.execute(f"DELETE FROM {table}")  # noqa: S608
        cursor.execute("SET session_replication_role = DEFAULT")
