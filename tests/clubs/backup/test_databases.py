"""Databases by their addresses, whether they are served, and the sentences of what is wanting."""

from dataclasses import replace
from pathlib import Path

import pytest

from clubs.backup import BackupError
from clubs.backup.databases import (
    Server,
    _explain_error,
    _run_program,
    database_url,
    is_served,
    parse_address,
    parse_safe_address,
)
from tests.config.served import running

URL = "postgres://tong%40box:p%2Fss@db.example.org:5433/tong%20box"


def test_an_address_is_read_and_written_alike() -> None:
    server = Server.read(URL)
    assert server == Server("tong box", "db.example.org", "5433", "tong@box", "p/ss")
    assert server.url == URL


def test_how_to_connect_stays_with_the_address() -> None:
    server = Server.read(f"{URL}?sslmode=verify-full&sslrootcert=/etc/my%20root.crt")
    assert server.options == (("sslmode", "verify-full"), ("sslrootcert", "/etc/my root.crt"))
    assert Server.read(server.url) == server
    assert server.dbname == ("dbname='tong box' sslmode=verify-full sslrootcert='/etc/my root.crt'")


@pytest.mark.parametrize("option", ["sslmod=require", "password=p", "sslpassword=p"])
def test_an_option_that_is_none_or_a_secret_is_refused(option: str) -> None:
    with pytest.raises(BackupError, match="cannot be used after the") as error:
        Server.read(f"{URL}?{option}")
    assert "=p" not in str(error.value)


def test_a_password_on_a_command_line_is_refused() -> None:
    open_address = URL.replace(":p%2Fss", "")
    assert (
        parse_address(open_address)
        == parse_safe_address(open_address)
        == replace(Server.read(URL), password="")
    )
    with pytest.raises(BackupError, match="PGPASSWORD in the environment") as error:
        parse_address(URL)
    assert "p/ss" not in str(error.value)


@pytest.mark.parametrize("address", ["", "mysql://a@b/c", "postgres://user@host:5432/"])
def test_what_is_no_address_is_said(address: str) -> None:
    with pytest.raises(BackupError, match="That is not postgres://"):
        Server.read(address)


def test_a_file_is_named_by_its_path_or_its_address(tmp_path: Path) -> None:
    file = tmp_path / "a book.sqlite3"
    assert database_url(file) == f"sqlite:///{str(file).replace(' ', '%20')}"
    assert parse_address(database_url(file)) == parse_address(str(file)) == file


def test_the_password_goes_by_the_environment() -> None:
    environment = Server.read(URL).environment
    variables = {"PGPASSWORD": "p/ss", "PGHOST": "db.example.org", "PGPORT": "5433"}
    assert environment.items() >= variables.items()
    assert "PGPASSWORD" not in Server.read("postgres://somebody@localhost/tongbox").environment


def test_a_program_that_is_missing_is_named_with_its_package() -> None:
    with pytest.raises(
        BackupError, match=r"pg_nothing is not on this machine: .*postgresql-client"
    ):
        _run_program(["pg_nothing"], {})


def test_a_server_that_is_away_is_said() -> None:
    with pytest.raises(BackupError, match="The database tongbox cannot be reached"):
        Server.read("postgres://nobody@127.0.0.1:1/tongbox").ask()


def test_a_full_disk_is_told_alike_whoever_noticed() -> None:
    for message in ("database or disk is full", "pg_dump: error: No space left on device"):
        assert _explain_error(message).startswith("There is no room left")


SERVING = """
import sys
from pathlib import Path
from clubs.backup import databases as serving
serving.own_database = lambda: Path(sys.argv[1])
serving.mark_as_served()
print("begun", flush=True)
sys.stdin.read()
"""


def test_a_book_is_served_until_its_process_is_killed(tmp_path: Path) -> None:
    book = tmp_path / "tongbox.sqlite3"
    assert not is_served(book)
    with running(SERVING, str(book)) as (_, output):
        assert output == b"begun\n"
        assert is_served(book)
    assert not is_served(book)


def test_a_book_that_two_serve_is_served_until_both_have_ended(tmp_path: Path) -> None:
    book = tmp_path / "tongbox[1].sqlite3"
    serving = (SERVING, str(book))
    with running(*serving) as (first, output), running(*serving) as (_, also_said):
        assert output == also_said == b"begun\n"
        assert is_served(book)
        first.kill()
        first.wait()
        assert is_served(book)
    assert not is_served(book)
