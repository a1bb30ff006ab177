"""Every row of every table arrives as it was, or none does."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from shutil import copy2
from uuid import uuid4

import pytest
from django.apps import apps
from django.db import connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper

from clubs.backup import databases
from clubs.backup.databases import ELSEWHERE, Server, Trouble, borrowed, copy_all, opened, ours
from clubs.evenings.event import EveningTable
from clubs.models import SessionTable
from clubs.table import services as at_table
from scoring.scorebook.models import Hand, Link
from tests.clubs.tables import seated_evening
from tests.people import Cast
from tests.scoring.scorebook.book import SOUTH_WINS
from tests.tournaments.tables import seated_tournament
from tournaments.backup import manage_there

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table(cast: Cast) -> SessionTable:
    """A table of an evening with a hand, beside a tournament."""
    seated_tournament(cast.club)
    found: SessionTable = seated_evening(cast.club, held_on=date(2026, 11, 17)).tables.get()
    at_table.post_hand(
        table=EveningTable(found),
        report=SOUTH_WINS,
        submission_id=uuid4(),
        number=1,
        sent_by="table 1",
    )
    return found


@pytest.fixture(scope="module")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite database with our tables, to be copied: to make them takes seconds."""
    file = tmp_path_factory.mktemp("migrated") / "empty.sqlite3"
    manage_there(file, "migrate", "--verbosity", "0")
    return file


@pytest.fixture
def elsewhere(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[None]:
    """Another database with our tables: SQLite beside SQLite, PostgreSQL beside PostgreSQL."""
    with _empty(tmp_path, request) as where, opened(where) as connection:
        _let_in(connection)
        yield


@contextmanager
def _empty(folder: Path, request: pytest.FixtureRequest) -> Iterator[Server | Path]:
    where = ours()
    if isinstance(where, Path):
        yield Path(copy2(request.getfixturevalue("migrated"), folder / "elsewhere.sqlite3"))
        return
    with borrowed(where, f"{where.name}_copy") as server:
        manage_there(server, "migrate", "--verbosity", "0")
        yield server


def _let_in(connection: BaseDatabaseWrapper) -> None:
    """Tests may open no alias but those of the settings; one that is not listed yet is let be."""
    listed = connections.settings.pop(ELSEWHERE)
    connection.ensure_connection()
    connections.settings[ELSEWHERE] = listed


@pytest.mark.sampled(law="long plays")
def test_every_table_arrives_with_its_keys(table: SessionTable, elsewhere: None) -> None:
    told: dict[str, int] = {}
    copy_all(told.__setitem__)
    assert told["scorebook_hand"] == 1
    assert told["tournaments_placement"] > 0
    for model in apps.get_models(include_auto_created=True):
        here, there = (
            sorted(map(repr, model._base_manager.using(alias).values_list()))
            for alias in ("default", ELSEWHERE)
        )
        assert here == there, model


@pytest.mark.sampled(law="long plays")
def test_the_next_row_there_has_a_key_of_its_own(table: SessionTable, elsewhere: None) -> None:
    copy_all(lambda *_: None)
    new = Hand.objects.get()
    new.pk, new.number, new.submission_id = None, 2, uuid4()
    new.save(using=ELSEWHERE)
    assert new.pk > Hand.objects.using("default").get().pk


def test_what_may_not_be_changed_may_not_be_changed_there(
    table: SessionTable, elsewhere: None
) -> None:
    copy_all(lambda *_: None)
    with pytest.raises(Exception, match="never edited"):
        Link.objects.using(ELSEWHERE).update(sealed="")


def test_a_row_that_arrives_otherwise_moves_nothing(
    table: SessionTable, elsewhere: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    insert = databases._insert

    def insert_otherwise(model: type, fields: list, batch: list, target: object) -> None:  # type: ignore[type-arg]
        insert(model, fields, batch, target)  # type: ignore[arg-type]
        if model is Hand:
            Hand.objects.using(ELSEWHERE).update(reason="not mine")

    monkeypatch.setattr(databases, "_insert", insert_otherwise)
    with pytest.raises(Trouble, match="of scorebook_hand is not there as it is here"):
        copy_all(lambda *_: None)
    assert not Hand.objects.using(ELSEWHERE).exists()


def test_a_table_that_nobody_knows_stops_it(table: SessionTable, elsewhere: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE somebodys_own (id integer)")
        try:
            with pytest.raises(Trouble, match="somebodys_own"):
                copy_all(lambda *_: None)
        finally:
            cursor.execute("DROP TABLE somebodys_own")


def test_another_release_there_stops_it(table: SessionTable, elsewhere: None) -> None:
    with connections[ELSEWHERE].cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'tournaments'")
    with pytest.raises(Trouble, match="same migrations"):
        copy_all(lambda *_: None)
