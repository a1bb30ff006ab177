"""Migrations reach every database, and whatever is upgraded is backed up and tried before."""

from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connections
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from clubs.backup import Trouble
from clubs.backup.archive import manifest_of
from clubs.backup.databases import ELSEWHERE, Server, borrowed, ours
from clubs.databases import MAIN
from clubs.models import Backup, ClubDatabase, ClubPlace
from config.upgrading import bring_up_to_date
from deploy.migrating import waiting
from scoring.scorebook.apps import applied_in
from tests.placing.placed import placed_club
from tests.tournaments.backup.test_backups import opened
from tournaments import backup

ALL = (MAIN, "north", "south")
GRAPH = MigrationLoader(None).graph
(LAST,) = GRAPH.leaf_nodes("clubs")
PREVIOUS = next(key[1] for key in GRAPH.node_map[LAST].parents if key[0] == "clubs")


@pytest.fixture(autouse=True)
def folders(
    settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, _placed: None
) -> Iterator[None]:
    """Folders of their own; afterwards every database has its tables again."""
    settings.MEDIA_ROOT, settings.BACKUPS = tmp_path / "files", tmp_path / "backups"
    settings.STATIC_ROOT = tmp_path / "static"
    settings.STATIC_ROOT.mkdir()
    monkeypatch.setattr(backup, "opened", opened)
    yield
    for name in ALL:
        call_command("migrate", database=name, verbosity=0)


def latest() -> dict[str, bool]:
    """Whether each database has this release's last migration of clubs."""
    return {name: tuple(LAST) in applied_in(connections[name]) for name in ALL}


def test_migrate_goes_there_and_back_in_every_database() -> None:
    call_command("migrate", "clubs", PREVIOUS, verbosity=0)
    assert not any(latest().values())
    assert [each.name for each in waiting(ALL)] == [LAST[1]]
    call_command("migrate", verbosity=0, stdout=StringIO())
    assert all(latest().values())
    assert list(waiting(ALL)) == []


def test_an_empty_database_hinders_no_process() -> None:
    where = ours()
    assert isinstance(where, Server)
    with borrowed(where, "test_new") as empty, opened(empty):
        assert list(waiting([*ALL, ELSEWHERE])) == []


def test_one_database_can_be_migrated_alone() -> None:
    call_command("migrate", "clubs", PREVIOUS, database="south", verbosity=0)
    assert latest() == {MAIN: True, "north": True, "south": False}


@pytest.fixture
def south_is_new() -> None:
    """As after its name was added to TONGBOX_CLUB_DATABASES."""
    ClubDatabase.objects.filter(name="south").delete()
    with connections[MAIN].cursor() as cursor:  # the next is the second
        cursor.execute("SELECT setval(pg_get_serial_sequence('clubs_clubdatabase', 'id'), 1)")


@pytest.mark.usefixtures("south_is_new")
def test_a_new_database_is_given_keys_of_its_own() -> None:
    out = StringIO()
    call_command("migrate", verbosity=0, stdout=out)
    assert out.getvalue() == "The database south is ready for clubs.\n"
    assert ClubDatabase.objects.get(name="south").pk == 2


@pytest.mark.usefixtures("south_is_new")
def test_the_clubs_of_each_database_are_counted_once_a_new_one_is_ready() -> None:
    placed_club("north")
    out = StringIO()
    call_command("club_databases", stdout=out)
    assert out.getvalue().splitlines() == [
        "The database south is ready for clubs.",
        "default: 0 clubs",
        "north: 1 club",
        "south: 0 clubs",
    ]


def test_a_database_with_clubs_of_another_installation_is_refused() -> None:
    placed_club("south")
    ClubPlace.objects.all().delete()
    ClubDatabase.objects.filter(name="south").delete()
    with pytest.raises(CommandError, match="The database south has clubs already"):
        call_command("migrate", verbosity=0, stdout=StringIO())


def test_what_waits_in_one_database_is_tried_on_copies_of_all() -> None:
    placed_club("north")
    placed_club("south", "quayside")
    call_command("migrate", "clubs", PREVIOUS, database="south", verbosity=0)
    lines: list[str] = []
    bring_up_to_date(now=timezone.now(), is_strict=True, say=lines.append)
    assert all(latest().values())
    assert "Upgraded: 1 changes to the databases, each tried on the copies before." in lines
    manifest = manifest_of(Path(Backup.objects.get().file))
    assert [len(part.migrations) for part in manifest.databases.values()] == [
        len(applied_in(connections["north"])),
        len(applied_in(connections["north"])),
        len(applied_in(connections["north"])) - 1,
    ]
    lines.clear()
    bring_up_to_date(now=timezone.now(), is_strict=True, say=lines.append)
    assert lines == []


def test_nothing_is_upgraded_if_a_newer_release_used_one_of_them() -> None:
    call_command("migrate", "clubs", PREVIOUS, database="south", verbosity=0)
    recorder = MigrationRecorder(connections["north"])
    recorder.record_applied("clubs", "0999_next_year")
    try:
        with pytest.raises(Trouble, match="were last used by a newer Tongbox"):
            bring_up_to_date(now=timezone.now(), is_strict=True, say=print)
        assert not latest()["south"]
    finally:
        recorder.record_unapplied("clubs", "0999_next_year")
