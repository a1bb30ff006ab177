"""Places for copies of backups, on real servers: what comes back, and what is said if not."""

import os
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.utils import timezone
from hypothesis import given, strategies as st
from pytest_django.fixtures import Settings

from clubs.backup import BackupError, stores
from clubs.backup.locations import Location, Store
from clubs.models import AwayCopy, Backup
from tests.config.served import free_port
from tests.stores import FOLDER, PASSWORD, USER, Place, program_written, s3_served, webdav_served

NAME = "tongbox-2026-11-27-030000.tar.age"


@pytest.fixture(params=["webdav", "s3", "program"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    """One of each kind."""
    if request.param == "webdav":
        with webdav_served(tmp_path / "dav") as served_place:
            yield served_place
    elif request.param == "s3":
        with s3_served() as served_place:
            yield served_place
    else:
        yield program_written(tmp_path / "program")


@pytest.fixture
def store_at(settings: Settings) -> Callable[[str], Store]:
    """The store of an address."""

    def find(address: str) -> Store:
        settings.BACKUPS_AWAY = [address]
        return stores.stores()[0]

    return find


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Something to be sent: larger than what is sent in one piece."""
    path = tmp_path / "sealed"
    path.write_bytes(os.urandom(9_000_000))
    return path


def test_what_was_sent_comes_back_and_can_be_deleted(
    place: Place, store_at: Callable[[str], Store], file: Path, tmp_path: Path
) -> None:
    store = store_at(place.address)
    assert store.names() == []
    store.upload(file, NAME)
    store.upload(file, "another")
    assert sorted(store.names()) == sorted([NAME, "another"])
    fetched_file = tmp_path / "back"
    store.get(NAME, fetched_file)
    assert fetched_file.read_bytes() == file.read_bytes()
    file.write_bytes(b"shorter")
    store.upload(file, NAME)
    store.get(NAME, fetched_file)
    assert fetched_file.read_bytes() == b"shorter"
    store.delete(NAME)
    store.delete(NAME)
    assert store.names() == ["another"]
    with pytest.raises(BackupError):
        store.get(NAME, fetched_file)


def test_a_name_never_shows_a_password(place: Place, store_at: Callable[[str], Store]) -> None:
    store = store_at(place.address)
    for text in (store.name, store.pattern):
        assert text
        assert PASSWORD not in text
    if "://" in place.address:
        assert "USER:PASSWORD@127.0.0.1" in store.pattern
        assert place.address.endswith(store.name)


def test_no_word_of_a_program_is_kept(store_at: Callable[[str], Store]) -> None:
    name = store_at(f"command:/srv/away.sh --password {PASSWORD}").name
    assert re.fullmatch(r"away\.sh \([0-9a-f]{6}\)", name)
    assert store_at("command:/srv/away.sh b2:club").name != name
    assert store_at("command:/srv/away.sh").name == "away.sh"


@pytest.mark.django_db
def test_an_upgrade_forgets_the_words_of_programs(store_at: Callable[[str], Store]) -> None:
    old = ["away.sh", f"away.sh --password {PASSWORD}", "cloud.example.org/my copies/of tiles"]
    backup = Backup.objects.create(made_at=timezone.now(), file="x")
    for place in old:
        AwayCopy.objects.create(backup=backup, place=place, name=NAME)
    migration = import_module("clubs.migrations.0018_names_of_backup_programs")
    migration.seal_words(apps, SimpleNamespace(connection=connection))
    names = [store_at(f"command:/srv/{place}").name for place in old[:2]]
    assert set(AwayCopy.objects.values_list("place", flat=True)) == {*names, old[2]}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (PASSWORD, "wrong", "did not accept the user name or the password"),
        (f"{USER}:", "nobody:", "did not accept the user name or the password"),
        (f"/{FOLDER}", "/attic", "There is no folder attic at 127.0.0.1"),
    ],
)
def test_webdav_says_what_is_wrong(
    store_at: Callable[[str], Store], file: Path, tmp_path: Path, old: str, new: str, message: str
) -> None:
    with webdav_served(tmp_path / "dav") as served_place:
        store = store_at(served_place.with_change(old, new).address)
        with pytest.raises(BackupError, match=message):
            store.upload(file, NAME)


def test_s3_says_what_is_wrong(store_at: Callable[[str], Store], file: Path) -> None:
    with s3_served() as served_place:
        start, _, location = served_place.address.partition("@")
        wrong = store_at(f"{start}x@{location}")
        with pytest.raises(BackupError, match="did not accept the user name or the password"):
            wrong.upload(file, NAME)
        stranger_store = store_at(f"s3+http://nobody:{start.rpartition(':')[2]}@{location}")
        with pytest.raises(BackupError, match="did not accept the user name or the password"):
            stranger_store.names()
        attic = store_at(served_place.with_change("/club/", "/attic/").address)
        with pytest.raises(BackupError, match="There is no folder attic/tongbox at 127"):
            attic.upload(file, NAME)


def test_storage_that_only_appends_says_that_it_deletes_nothing(
    store_at: Callable[[str], Store], file: Path
) -> None:
    with s3_served(denied_action="s3:DeleteObject") as served_place:
        store = store_at(served_place.address)
        store.upload(file, NAME)
        with pytest.raises(BackupError, match="does not allow this user to do that"):
            store.delete(NAME)
        assert store.names() == [NAME]


def answering(verb: str, status: str, *headers: tuple[str, str]) -> Callable[[Any], Any]:
    """Answer requests of that verb so, without reading what is sent."""

    def wrap(app: Any) -> Any:
        def answer(environ: dict[str, Any], start_response: Any) -> Any:
            if environ["REQUEST_METHOD"] != verb:
                return app(environ, start_response)
            start_response(status, [("Content-Length", "0"), *headers])
            return [b""]

        return answer

    return wrap


@pytest.mark.parametrize(
    ("verb", "status", "message"),
    [
        ("PUT", "507 Insufficient Storage", "The storage at 127.0.0.1:[0-9]+ is full"),
        ("PUT", "413 Content Too Large", "does not accept files as large as this copy"),
        ("PUT", "503 Maintenance", "answered 503 Maintenance"),
        ("DELETE", "403 Forbidden", "does not allow this user to do that"),
        ("PROPFIND", "301 Moved", "has moved to https://new.example.org/"),
        ("PROPFIND", "200 OK", "is not a WebDAV server"),
    ],
)
def test_each_answer_of_a_server_has_a_sentence(
    store_at: Callable[[str], Store],
    file: Path,
    tmp_path: Path,
    verb: str,
    status: str,
    message: str,
) -> None:
    location_header = ("Location", "https://new.example.org/")
    with webdav_served(tmp_path / "dav", answering(verb, status, location_header)) as served_place:
        store = store_at(served_place.address)
        with pytest.raises(BackupError, match=message):
            store.delete(NAME) if verb == "DELETE" else store.upload(file, NAME)


@pytest.mark.parametrize("scheme", ["webdav", "webdavs", "s3", "s3+http"])
def test_a_server_that_is_away_is_named(
    store_at: Callable[[str], Store], file: Path, scheme: str
) -> None:
    port = free_port()
    store = store_at(f"{scheme}://anna:x@127.0.0.1:{port}/club")
    with pytest.raises(BackupError, match=f"127.0.0.1:{port} cannot be reached"):
        store.upload(file, NAME)


@pytest.mark.parametrize("scheme", ["webdav", "s3+http"])
def test_a_server_that_falls_silent_is_not_waited_for_long(
    store_at: Callable[[str], Store], file: Path, monkeypatch: pytest.MonkeyPatch, scheme: str
) -> None:
    for module in ("clubs.backup.webdav", "clubs.backup.s3"):
        monkeypatch.setattr(f"{module}.SILENCE_SECONDS", 0.2)
    with closing(socket.create_server(("127.0.0.1", 0))) as silent:
        port = silent.getsockname()[1]
        store = store_at(f"{scheme}://anna:x@127.0.0.1:{port}/club")
        with pytest.raises(BackupError, match="stopped answering, or the network is too slow"):
            store.upload(file, NAME)


def test_a_certificate_that_nobody_signed_is_not_trusted(
    store_at: Callable[[str], Store], file: Path
) -> None:
    """A server that speaks no TLS at all is no better than one that cannot prove who it is."""
    with closing(socket.create_server(("127.0.0.1", 0))) as server:

        def speak() -> None:
            with closing(server.accept()[0]) as visitor:
                visitor.recv(100)
                visitor.sendall(b"HTTP/1.1 200 OK\r\n\r\n")

        thread = threading.Thread(target=speak)
        thread.start()
        store = store_at(f"webdavs://anna:x@127.0.0.1:{server.getsockname()[1]}/club")
        with pytest.raises(BackupError, match=r"certificate of 127.0.0.1:[0-9]+ is not valid"):
            store.upload(file, NAME)
        thread.join()


SERVER = """
import sys, warnings
from pathlib import Path
from tests.stores import webdav_served

with webdav_served(Path(sys.argv[1])) as served:
    print(served.address, flush=True)
    sys.stdin.read()
"""


def test_a_server_killed_in_the_middle_leaves_nothing_that_looks_whole(
    store_at: Callable[[str], Store], tmp_path: Path
) -> None:
    large = tmp_path / "large"
    large.write_bytes(os.urandom(1_000_000) * 150)
    command = [sys.executable, "-c", SERVER, str(tmp_path / "dav")]
    with subprocess.Popen(  # noqa: S603
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout
        store = store_at(server.stdout.readline().strip())
        folder = tmp_path / "dav" / FOLDER

        def kill() -> None:
            while not any(path.stat().st_size for path in folder.iterdir()):
                time.sleep(0.001)
            server.kill()

        thread = threading.Thread(target=kill)
        thread.start()
        with pytest.raises(BackupError, match=r"127.0.0.1:[0-9]+ (stopped answering|cannot be)"):
            store.upload(large, NAME)
        thread.join()
    assert [path.name for path in folder.iterdir() if path.name == NAME] == []


def test_a_program_that_fails_is_quoted(store_at: Callable[[str], Store], tmp_path: Path) -> None:
    place = program_written(tmp_path)
    (tmp_path / "stick").rmdir()
    store = store_at(place.address)
    with pytest.raises(BackupError, match=r"list failed: The stick is not in the machine\."):
        store.names()
    with pytest.raises(BackupError, match="cannot be run: No such file"):
        store_at("command:/no/such/program").names()
    with pytest.raises(BackupError, match=r"get did not fetch x"):
        store_at("command:true").get("x", tmp_path / "back")


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("ftp://anna:x@example.org/x", "begins with s3://, webdavs:// or command:"),
        ("example.org", "is not like webdavs://USER:PASSWORD@"),
        ("webdavs://anna:secret@", "is not like webdavs://USER:PASSWORD@"),
        ("command:", "Enter the path of a program"),
        ('command:"/srv/away', "quotation mark"),
    ],
)
def test_an_address_that_is_wrong_says_so_and_shows_no_password(
    store_at: Callable[[str], Store], tmp_path: Path, address: str, message: str
) -> None:
    store = store_at(address)
    assert store.name == store.pattern == "address 1 of TONGBOX_BACKUPS_AWAY"
    for use in (
        lambda: store.upload(tmp_path, NAME),
        lambda: store.get(NAME, tmp_path),
        store.names,
        lambda: store.delete(NAME),
    ):
        with pytest.raises(BackupError, match=message) as error:
            use()
        assert "secret" not in str(error.value)


def test_a_bucket_is_part_of_the_address(store_at: Callable[[str], Store]) -> None:
    with pytest.raises(BackupError, match="must end with the bucket"):
        store_at("s3://anna:x@s3.example.org/").names()


def test_without_boto3_it_says_what_to_install(
    store_at: Callable[[str], Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "clubs.backup.s3", raising=False)
    monkeypatch.setitem(sys.modules, "boto3", None)
    with pytest.raises(BackupError, match=r"needs boto3: install tongbox\[s3\]"):
        store_at("s3://anna:x@s3.example.org/club").names()


@pytest.mark.parametrize("scheme", ["webdav", "s3+http"])
def test_a_password_does_not_go_over_the_internet_unencrypted(
    store_at: Callable[[str], Store], monkeypatch: pytest.MonkeyPatch, scheme: str
) -> None:
    public = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("93.184.216.34", 0))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_args, **_kwargs: public)
    with pytest.raises(BackupError, match=r"must begin with (webdavs|s3)://"):
        store_at(f"{scheme}://anna:x@cloud.example.org/club").names()


@given(
    password=st.text(st.characters(exclude_characters="@%", codec="ascii"), min_size=1),
    path=st.from_regex(r"[a-z0-9./]{0,20}", fullmatch=True),
)
def test_a_password_is_read_as_it_was_pasted(password: str, path: str) -> None:
    location = Location.read(f"webdavs://anna:{password}@cloud.example.org:8443/{path}?region=x")
    assert (location.user, location.password, location.port) == ("anna", password, "8443")
    assert location.path == path.strip("/")
    assert location.options == (("region", "x"),)
