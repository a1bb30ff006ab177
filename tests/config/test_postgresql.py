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

    def __exit__(self, *exception_info: object) -> None:
        pass

    def execute(self, statement: str) -> None:
        raise psycopg.OperationalError(statement)


@pytest.fixture
def ends() -> Iterator[tuple[socket.socket, socket.socket]]:
    own_end, other_end = socket.socketpair()
    with own_end, other_end:
        yield own_end, other_end


@pytest.fixture(params=["PollSelector", "SelectSelector"], autouse=True)
def look(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """As Linux looks at a socket, and as Windows does."""
    monkeypatch.setattr(DatabaseWrapper, "selector", getattr(selectors, request.param))


def make_wrapper(own_end: socket.socket) -> DatabaseWrapper:
    wrapper = DatabaseWrapper({"OPTIONS": {}}, "default")
    raw_connection: Any = SimpleNamespace(closed=False, fileno=own_end.fileno, cursor=Lost)
    wrapper.connection = raw_connection
    return wrapper


def test_a_quiet_connection_stands(ends: tuple[socket.socket, socket.socket]) -> None:
    assert make_wrapper(ends[0]).is_usable()


@pytest.mark.parametrize("end", [socket.socket.close, lambda other_end: other_end.send(b"E")])
def test_a_server_that_hangs_up_or_says_it_ends_is_heard(
    ends: tuple[socket.socket, socket.socket], end: Callable[[socket.socket], object]
) -> None:
    own_end, other_end = ends
    end(other_end)
    assert not make_wrapper(own_end).is_usable()


def test_after_something_went_wrong_the_server_is_asked(
    ends: tuple[socket.socket, socket.socket],
) -> None:
    wrapper = make_wrapper(ends[0])
    wrapper.errors_occurred = True
    assert not wrapper.is_usable()


def test_without_a_connection_there_is_nothing_to_use() -> None:
    assert not DatabaseWrapper({"OPTIONS": {}}, "default").is_usable()
