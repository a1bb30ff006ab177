"""Connections to PostgreSQL that are kept between requests: known to be dead without asking."""

import selectors
import socket
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest

from config.postgresql.base import DatabaseWrapper


class Lost:
    """A cursor of a connection that is gone."""

    def __enter__(self) -> "Lost":
        return self

    def __exit__(self, *raised: object) -> None:
        pass

    def execute(self, statement: str) -> None:
        raise psycopg.OperationalError(statement)


@pytest.fixture
def ends() -> Iterator[tuple[socket.socket, socket.socket]]:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield ours, theirs


@pytest.fixture(params=["PollSelector", "SelectSelector"], autouse=True)
def look(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """As Linux looks at a socket, and as Windows does."""
    monkeypatch.setattr(DatabaseWrapper, "selector", getattr(selectors, request.param))


def make_wrapper(ours: socket.socket) -> DatabaseWrapper:
    wrapper = DatabaseWrapper({"OPTIONS": {}}, "default")
    raw_connection: Any = SimpleNamespace(closed=False, fileno=ours.fileno, cursor=Lost)
    wrapper.connection = raw_connection
    return wrapper


def test_a_quiet_connection_stands(ends: tuple[socket.socket, socket.socket]) -> None:
    assert make_wrapper(ends[0]).is_usable()


@pytest.mark.parametrize("end", [socket.socket.close, lambda theirs: theirs.send(b"E")])
def test_a_server_that_hangs_up_or_says_it_ends_is_heard(
    ends: tuple[socket.socket, socket.socket], end: Callable[[socket.socket], object]
) -> None:
    ours, theirs = ends
    end(theirs)
    assert not make_wrapper(ours).is_usable()


def test_after_something_went_wrong_the_server_is_asked(
    ends: tuple[socket.socket, socket.socket],
) -> None:
    wrapper = make_wrapper(ends[0])
    wrapper.errors_occurred = True
    assert not wrapper.is_usable()


def test_without_a_connection_there_is_nothing_to_use() -> None:
    assert not DatabaseWrapper({"OPTIONS": {}}, "default").is_usable()
