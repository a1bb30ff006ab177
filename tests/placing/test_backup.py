"""Backups where clubs are in several databases: one file, one moment, restored into as many."""

import json
import tarfile
from collections.abc import Iterator
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from threading import Event
from time import sleep
from typing import Any

import pytest
from django.db import connections

from clubs.backup import Trouble
from clubs.backup.archive import MANIFEST, manifest_of
from clubs.backup.databases import Server, all_ours, borrowed, dump, fill
from clubs.core.directory import GATE, standing_still, without_jobs
from clubs.databases import MAIN, at, current
from clubs.hosting.services.moving import move_club
from clubs.models import Backup, Club
from tests.config.served import free_port
from tests.people import make_club
from tests.placing.placed import placed_club
from tests.threads import at_once
from tests.tournaments.backup.test_backups import opened
from tournaments import backup as services

NIGHT = datetime(2026, 11, 18, 4, tzinfo=UTC)


@pytest.fixture(autouse=True)
def folder(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the backups go."""
    monkeypatch.setattr(services, "opened", opened)
    settings.MEDIA_ROOT = tmp_path / "files"
    settings.BACKUPS = tmp_path / "backups"
    return tmp_path / "backups"


@pytest.fixture
def clubs() -> dict[str, Club]:
    """A club in each database, by the database."""
    return {
        MAIN: make_club("Hilltop", "hilltop"),
        "north": placed_club("north"),
        "south": placed_club("south", "quayside"),
    }


@pytest.fixture
def empty() -> Iterator[dict[str, Server | Path]]:
    """Empty databases under the names of ours."""
    with ExitStack() as stack:
        places: dict[str, Server | Path] = {}
        for name, where in all_ours().items():
            assert isinstance(where, Server)
            places[name] = stack.enter_context(borrowed(where, f"test_restored_{name}"))
        yield places


def test_one_file_has_every_database_and_is_restored_into_as_many(
    clubs: dict[str, Club], empty: dict[str, Server | Path], tmp_path: Path
) -> None:
    made = services.back_up(now=NIGHT)
    assert (made.fault, made.is_good) == ("", True)
    with tarfile.open(made.file) as tar:
        dumps = {name for name in tar.getnames() if name.endswith(".dump")}
    assert dumps == {"database.dump", "database-north.dump", "database-south.dump"}
    file = Path(made.file)
    manifest = manifest_of(file)
    slugs = {name: list(part.clubs) for name, part in manifest.databases.items()}
    assert slugs == {MAIN: ["hilltop"], "north": ["riverside"], "south": ["quayside"]}
    assert manifest.others["north"].tables["clubs_membership"] == 1
    assert made.digest == services.digest_of_all().whole == services.digest_in(manifest)

    without = {name: where for name, where in empty.items() if name != "south"}
    with pytest.raises(Trouble, match="The backup has clubs in south too; nothing was changed"):
        services.put_back_for_good(file, into=without, work=tmp_path / "first", now=NIGHT)
    again, fault = services.put_back_for_good(file, into=empty, work=tmp_path / "work", now=NIGHT)
    assert (again, fault) == (manifest, "")
    restored = {name: rows(where, "SELECT slug FROM clubs_club") for name, where in empty.items()}
    assert restored == slugs
    assert rows(empty[MAIN], "SELECT is_good FROM clubs_backup") == [True]
    with pytest.raises(Trouble, match="There is something in the database default already"):
        services.put_back_for_good(file, into=empty, work=tmp_path / "again", now=NIGHT)


def rows(where: Server | Path, statement: str) -> list[Any]:
    assert isinstance(where, Server)
    with closing(where.ask()) as connection:
        return [value for (value,) in connection.execute(statement.encode())]


def test_all_databases_are_as_of_one_moment(clubs: dict[str, Club], tmp_path: Path) -> None:
    """A club that is founded while the first database is read is seen in none of them."""

    def look() -> set[str]:
        if current() == MAIN:
            at_once([lambda: placed_club("south", "lakeside")])
        return set(Club.objects.values_list("slug", flat=True))

    seen = dump(tmp_path, look, [MAIN, "north", "south"], standing_still)
    assert seen == {MAIN: {"hilltop"}, "north": {"riverside"}, "south": {"quayside"}}
    with at("south"):
        assert Club.objects.filter(slug="lakeside").exists()


def test_a_club_that_is_being_moved_arrives_first() -> None:
    """However long it takes: a wait for a lock usually ends after 20 seconds."""
    is_moving, order = Event(), list[str]()

    def move() -> None:
        with without_jobs("north", "south"):
            is_moving.set()
            sleep(0.3)
            order.append("moved")

    def look() -> None:
        is_moving.wait()
        with connections[GATE].cursor() as cursor:
            cursor.execute("SET lock_timeout = '50ms'")
        with standing_still():
            order.append("seen")

    at_once([move, look])
    assert order == ["moved", "seen"]


def test_without_the_database_of_a_club_there_is_no_good_backup(
    clubs: dict[str, Club], settings: Any
) -> None:
    settings.CLUB_DATABASES = ["north"]
    made = services.back_up(now=NIGHT)
    assert made.is_good is False
    assert made.fault == ("There are clubs in south, which TONGBOX_CLUB_DATABASES does not name.")


def test_while_a_database_is_away_no_backup_is_made(clubs: dict[str, Club], settings: Any) -> None:
    settings.BACK_UP_AT = "3"
    south = connections["south"]
    south.close()
    port = south.settings_dict["PORT"]
    south.settings_dict["PORT"] = str(free_port())
    try:
        assert services.night_due(now=NIGHT)
        made = services.back_up(now=NIGHT)
    finally:
        south.settings_dict["PORT"] = port
    assert made.is_good is False
    assert made.fault == "The database south cannot be reached, so no backup was made."


def test_a_backup_of_before_is_good_once_there_are_several_databases(
    settings: Any, tmp_path: Path
) -> None:
    make_club()
    settings.CLUB_DATABASES = []
    file = Path(services.back_up(now=NIGHT).file)
    with tarfile.open(file) as tar:
        assert "others" not in json.load(tar.extractfile(MANIFEST) or BytesIO())
    settings.CLUB_DATABASES = ["north", "south"]
    assert services.try_out(file) == ""


def test_what_differs_in_a_club_database_is_named(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.CLUB_DATABASES = ["north"]
    placed_club("north")

    def fill_and_change(where: Server, file: Path) -> None:
        fill(where, file)
        with where.ask() as asked:
            asked.execute("UPDATE clubs_club SET name = 'Other' ")

    monkeypatch.setattr(services, "fill", fill_and_change)
    services.back_up(now=NIGHT)
    fault = "north: The restored data does not match the original: riverside differ."
    assert Backup.objects.get().fault == fault


def test_a_digest_is_the_same_wherever_the_clubs_are(clubs: dict[str, Club]) -> None:
    digest = services.digest_of_all()
    move_club("riverside", to="south")
    assert services.digest_of_all() == digest


def test_past_a_pooler_each_database_is_reached_directly(settings: Any) -> None:
    settings.DIRECT_DATABASE_URL = "postgres://tongbox@10.0.0.1/tongbox"
    settings.DIRECT_CLUB_DATABASES = {"north": "postgres://tongbox@10.0.0.2:5433/clubs"}
    places = all_ours()
    assert places[MAIN] == Server("tongbox", "10.0.0.1", user="tongbox")
    assert places["north"] == Server("clubs", "10.0.0.2", "5433", "tongbox")
    south = places["south"]
    assert isinstance(south, Server)
    assert south.name == connections["south"].settings_dict["NAME"]
