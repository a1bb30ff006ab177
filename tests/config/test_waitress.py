"""The server where gunicorn does not run: it answers, and it stops as people expect."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection
from threading import Event, Thread
from typing import Any
from urllib.request import urlopen

import pytest
from django.core.management import CommandError, call_command

from config.management.commands import serve as command
from config.waitress import Server
from tests.config.served import Serve, free_port, wait_until


@pytest.fixture
def start_server() -> Iterator[Callable[[Callable[..., Any]], Server]]:
    """Opens servers, each of which answers in a thread and is stopped after the test."""
    server_threads: list[tuple[Server, Thread]] = []

    def start(application: Callable[..., Any]) -> Server:
        server = Server(application, "127.0.0.1", free_port())
        server_threads.append((server, Thread(target=server.answer)))
        server_threads[-1][1].start()
        return server

    yield start
    for server, thread in server_threads:
        if thread.is_alive():
            server.stop()
        thread.join()


def quick(environ: dict[str, Any], start: Callable[..., Any]) -> list[bytes]:
    start("200 OK", [("Content-Length", "2")])
    return [b"ok"]


def connect_to(server: Server) -> HTTPConnection:
    host, port = server.door.getsockname()
    return HTTPConnection(host, port, timeout=20)


def read_answer(connection: HTTPConnection) -> tuple[int, bytes]:
    """What it got, on a connection that it keeps."""
    connection.request("GET", "/")
    answer = connection.getresponse()
    return answer.status, answer.read()


def test_who_has_asked_is_answered_before_it_ends(
    start_server: Callable[[Callable[..., Any]], Server],
) -> None:
    began, goes_on = Event(), Event()

    def slow(environ: dict[str, Any], start: Callable[..., Any]) -> list[bytes]:
        began.set()
        assert goes_on.wait(20)
        start("200 OK", [("Content-Type", "text/plain")])
        return [b"East prevails"]

    server = start_server(slow)
    with (
        ThreadPoolExecutor() as visitor,
        closing(connect_to(server)) as early_connection,
        closing(connect_to(server)) as late_connection,
    ):
        future = visitor.submit(read_answer, early_connection)
        assert began.wait(20)
        server.stop()
        assert wait_until(lambda: server.door.fileno() == -1)
        with pytest.raises(OSError, match="refused"):
            late_connection.connect()
        goes_on.set()
        assert future.result() == (200, b"East prevails")


def test_who_only_stays_connected_does_not_keep_it_open(
    start_server: Callable[[Callable[..., Any]], Server],
) -> None:
    server = start_server(quick)
    with closing(connect_to(server)) as phone:
        assert read_answer(phone) == read_answer(phone) == (200, b"ok")
        server.stop()
        assert wait_until(lambda: not server.sockets, seconds=10)


def test_a_port_that_is_taken_is_named(
    start_server: Callable[[Callable[..., Any]], Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "HAS_GUNICORN", False)
    host, port = start_server(quick).door.getsockname()
    with pytest.raises(CommandError, match=f"Tongbox cannot open {host}:{port}: Address already"):
        call_command("serve", f"--bind={host}:{port}")


@pytest.mark.parametrize("bind", ["8000", ":8000", "127.0.0.1", "127.0.0.1:0", "127.0.0.1:http"])
def test_what_is_no_address_is_refused(bind: str) -> None:
    with pytest.raises(CommandError, match="is not an address and a port"):
        call_command("serve", f"--bind={bind}")


def test_an_address_has_a_host_and_a_port() -> None:
    assert command.parse_bind("0.0.0.0:8000") == ("0.0.0.0", 8000)  # noqa: S104
    assert command.parse_bind("[::1]:80") == ("::1", 80)


@pytest.mark.sampled(law="long plays")
def test_here_gunicorn_serves(serve: Serve) -> None:
    house = serve()
    house.begin("python", "manage.py", "serve", "--bind", f"127.0.0.1:{house.port}")
    assert wait_until(house.answers)
    with urlopen(f"http://127.0.0.1:{house.port}/healthz/", timeout=20) as answer:
        assert answer.headers["Server"] == "gunicorn"
