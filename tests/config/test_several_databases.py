"""Several databases are named in one variable each: for Tongbox, and past a pooler."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import env

MAIN = "postgres://tongbox@127.0.0.1/tongbox"
TWO = "north=postgres://tongbox@10.0.0.2/clubs_1  south=postgres://tongbox:x%20y@10.0.0.3:5433/b"


@pytest.fixture(autouse=True)
def main(monkeypatch: pytest.MonkeyPatch) -> None:
    """The main database is PostgreSQL."""
    monkeypatch.setenv("DATABASE_URL", MAIN)


def test_each_database_has_its_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TONGBOX_CLUB_DATABASES", TWO)
    databases = env.databases("")
    assert list(databases) == ["default", "north", "south", "gate"]
    south = databases["south"]
    assert (south["HOST"], south["PORT"], south["NAME"]) == ("10.0.0.3", 5433, "b")
    assert south["PASSWORD"] == "x y"
    assert databases["gate"] == databases["default"]


def test_without_names_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TONGBOX_CLUB_DATABASES", "")
    assert list(env.databases("")) == ["default"]
    assert env.named_addresses("TONGBOX_DIRECT_CLUB_DATABASES") == {}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("default=postgres://x/y", "default"),
        ("gate=postgres://x/y", "gate"),
        ("North=postgres://x/y", "North"),
        ("north", "north"),
        ("north=", "north"),
        ("north=postgres://x/y north=postgres://x/z", "north"),
    ],
)
def test_a_name_that_cannot_be_used_is_refused(
    monkeypatch: pytest.MonkeyPatch, text: str, name: str
) -> None:
    monkeypatch.setenv("TONGBOX_DIRECT_CLUB_DATABASES", text)
    with pytest.raises(ImproperlyConfigured, match=f"DIRECT_CLUB_DATABASES is .*“{name}” cannot"):
        env.named_addresses("TONGBOX_DIRECT_CLUB_DATABASES")


def test_all_of_them_are_postgresql(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TONGBOX_CLUB_DATABASES", "north=sqlite:////srv/north.sqlite3")
    with pytest.raises(ImproperlyConfigured, match="all name PostgreSQL databases"):
        env.databases("")
