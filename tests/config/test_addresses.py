"""What stands behind the ``?`` of an address in the environment counts, beside what we set."""

import json
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from hypothesis import given, strategies as st

from clubs.backup.hosts import join_hosts, split_hosts, split_off_hosts
from tests.config.served import run_python

HOSTS = st.from_regex(r"[a-z][a-z0-9-]{0,9}(\.[a-z]{1,5})?", fullmatch=True) | st.just(
    "2001:db8::1"
)
TWO = "postgres://tongbox:secret@db-1.example.org:5432,db-2.example.org:5433/tongbox"
ONE_PORT = "postgres://tongbox:secret@db-1.example.org,[2001:db8::2]:5433/tongbox"
BOOK = "sqlite:////srv/tongbox/var/tongbox.sqlite3"
SERVER = "postgres://tongbox:secret@db.example.org:5432/tongbox"
ROUTER = "clubs.core.replica.Router"
POST = "smtp+tls://tongbox:secret@mail.example.org:587"


def print_expression(expression: str, folder: Path, **environment: str) -> CompletedProcess[str]:
    """An expression of the settings, as an installation with this environment prints it."""
    code = f"from config.settings import *; print({expression})"
    return run_python(code, folder, **environment)


OURS: dict[str, dict[str, object]] = {
    SERVER: {"OPTIONS.server_side_binding": True, "OPTIONS.connect_timeout": 3},
    TWO: {"HOST": "db-1.example.org,db-2.example.org", "PORT": "5432,5433"},
    ONE_PORT: {"HOST": "db-1.example.org,2001:db8::2", "PORT": ",5433"},
    BOOK: {"OPTIONS.transaction_mode": "IMMEDIATE", "OPTIONS.timeout": 20},
}


@pytest.mark.parametrize(
    ("address", "query", "result"),
    [
        (SERVER, "", {"ENGINE": "config.postgresql", "CONN_MAX_AGE": 60}),
        (
            SERVER,
            "?sslmode=require&conn_max_age=5",
            {"OPTIONS.sslmode": "require", "CONN_MAX_AGE": 5},
        ),
        (SERVER, "?prepare_threshold=9", {"OPTIONS.prepare_threshold": 9}),
        (SERVER, "?connect_timeout=9", {"OPTIONS.connect_timeout": 9}),
        (
            TWO,
            "?target_session_attrs=read-write",
            {"OPTIONS.target_session_attrs": "read-write", "USER": "tongbox", "NAME": "tongbox"},
        ),
        (ONE_PORT, "", {"PASSWORD": "secret", "NAME": "tongbox"}),
        (BOOK, "", {"ENGINE": "config.sqlite", "CONN_HEALTH_CHECKS": True}),
        (BOOK, "?timeout=40", {"OPTIONS.timeout": 40}),
    ],
)
def test_the_address_of_a_database_says_how_to_connect(
    address: str, query: str, result: dict[str, object], tmp_path: Path
) -> None:
    expression = "__import__('json').dumps(DATABASES['default'])"
    database = json.loads(
        print_expression(expression, tmp_path, DATABASE_URL=address + query).stdout
    )
    flat = database | {f"OPTIONS.{name}": value for name, value in database["OPTIONS"].items()}
    expected = OURS[address] | result
    assert {name: flat[name] for name in expected} == expected


@pytest.mark.parametrize(
    ("address", "result"),
    [("", [["default"], [], False]), (SERVER, [["default", "replica"], [ROUTER], True])],
)
def test_only_where_a_replica_is_named_is_there_a_second_database(
    address: str, result: list[object], tmp_path: Path
) -> None:
    routers = "globals().get('DATABASE_ROUTERS', [])"
    marks = "'clubs.core.replica.replica_middleware' in MIDDLEWARE"
    expression = f"__import__('json').dumps([list(DATABASES), {routers}, {marks}])"
    environment = {"DATABASE_URL": SERVER, "TONGBOX_REPLICA_DATABASE_URL": address}
    assert json.loads(print_expression(expression, tmp_path, **environment).stdout) == result


def test_sqlite_has_no_replica(tmp_path: Path) -> None:
    result = print_expression("DATABASES", tmp_path, TONGBOX_REPLICA_DATABASE_URL=SERVER)
    assert "TONGBOX_REPLICA_DATABASE_URL: only PostgreSQL has replicas." in result.stderr


@given(st.lists(st.tuples(HOSTS, st.integers(0, 65535)), min_size=1, max_size=4))
def test_hosts_and_ports_are_read_as_they_are_written(places: list[tuple[str, int]]) -> None:
    hosts = ",".join(host for host, _ in places)
    ports = ",".join(str(port or "") for _, port in places)
    url = f"postgres://tongbox:secret@{join_hosts(hosts, ports)}/tongbox?sslmode=require"
    bare, hosts_text = split_off_hosts(url)
    assert bare == "postgres://tongbox:secret@/tongbox?sslmode=require"
    assert split_hosts(hosts_text) == (hosts, ports if ports.strip(",") else "")


def test_one_port_is_the_port_of_every_host() -> None:
    assert join_hosts("one,2001:db8::2", "5433") == "one:5433,[2001:db8::2]:5433"


def test_the_address_of_a_mail_server_says_how_long_to_wait(tmp_path: Path) -> None:
    names = "EMAIL_TIMEOUT, EMAIL_HOST, EMAIL_USE_TLS"
    answer = print_expression(names, tmp_path, EMAIL_URL=f"{POST}?timeout=20")
    assert (answer.stderr, answer.stdout) == ("", "20 mail.example.org True\n")


def test_an_option_of_mail_that_nobody_reads_is_refused(tmp_path: Path) -> None:
    answer = print_expression("EMAIL_HOST", tmp_path, EMAIL_URL=f"{POST}?patience=20")
    assert answer.returncode == 1
    assert "EMAIL_URL: Django has no setting EMAIL_PATIENCE." in answer.stderr


def test_an_address_that_was_left_empty_is_as_if_it_stayed_out(tmp_path: Path) -> None:
    names = "EMAIL_BACKEND, DATABASES['default']['NAME']"
    assert print_expression(names, tmp_path, EMAIL_URL="", DATABASE_URL="").stdout == (
        f"django.core.mail.backends.filebased.EmailBackend {tmp_path / 'tongbox.sqlite3'}\n"
    )


@pytest.mark.parametrize(
    ("hosts", "address", "result"),
    [
        ("a.example.org,b.example.org", "", ["a.example.org", "b.example.org"]),
        ("a.example.org", "https://b.example.org", ["a.example.org", "b.example.org"]),
        ("localhost", "http://[fd00::20]:8000", ["localhost", "[fd00::20]"]),
        ("nearby", "http://club.example.org:8000", ["nearby", "club.example.org", "*"]),
    ],
)
def test_the_address_people_enter_is_answered_too(
    hosts: str, address: str, result: list[str], tmp_path: Path
) -> None:
    answer = print_expression(
        "ALLOWED_HOSTS", tmp_path, TONGBOX_HOSTS=hosts, TONGBOX_ADDRESS=address
    )
    assert answer.stdout == f"{result}\n"
