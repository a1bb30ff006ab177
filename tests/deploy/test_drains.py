"""Asked to end, a web process first answers what it has in hand."""

import json
import signal
import socket
import time
from http.client import HTTPConnection
from subprocess import Popen
from uuid import uuid4

import pytest

from deploy.servers import Program
from tests.config.served import PYTHON, Serve, Served

OPEN_TABLE = (
    "SELECT link_key, game_id FROM clubs_sessiontable WHERE session_id ="
    " (SELECT id FROM clubs_session WHERE state = 'playing') ORDER BY number DESC"
)
HANDS = "SELECT count(*) FROM scorebook_hand WHERE game_id = ? AND is_current"


def serving(house: Served) -> Popen[str]:
    """Its gunicorn, once it has answered someone."""
    server = house.open()
    visitor = HTTPConnection("127.0.0.1", house.port, timeout=60)
    visitor.request("GET", "/healthz/", headers={"Connection": "close"})
    assert visitor.getresponse().read() == b"ok"
    visitor.close()
    return server


def half_told(house: Served, key: str, game: object, number: int) -> tuple[socket.socket, bytes]:
    """A hand whose second half is still on its way, and that half."""
    hand = {"submission_id": str(uuid4()), "number": number, "winner": None}
    body = json.dumps(hand).encode()
    head = (
        f"POST /api/v1/games/{game}/hands/ HTTP/1.1\r\nHost: 127.0.0.1:{house.port}\r\n"
        f"Authorization: Link {key}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    phone = socket.create_connection(("127.0.0.1", house.port), timeout=20)
    phone.sendall(head.encode() + body[:20])
    return phone, body[20:]


@pytest.mark.sampled(law="long plays")
def test_a_hand_in_flight_is_kept_and_answered(serve: Serve) -> None:
    house = serve()
    server = serving(house)
    ((key, game), *_) = house.rows(OPEN_TABLE)
    ((hands_before,),) = house.rows(HANDS, game)
    phone, second_half = half_told(house, str(key), game, int(str(hands_before)) + 1)
    time.sleep(1)
    server.send_signal(signal.SIGTERM)
    time.sleep(1)
    assert server.poll() is None
    phone.sendall(second_half)
    with phone:
        assert phone.recv(4096).startswith(b"HTTP/1.1 201")
    server.communicate(timeout=20)
    assert server.returncode == 0
    assert house.rows(HANDS, game) == [(int(str(hands_before)) + 1,)]


@pytest.mark.sampled(law="long plays")
def test_who_asks_between_two_processes_waits_and_is_answered(serve: Serve) -> None:
    house = serve()
    with socket.create_server(("127.0.0.1", house.port), backlog=64) as listener:
        web = Program(
            "web",
            [str(PYTHON.parent / "gunicorn"), "--config", "config/gunicorn.py"],
            house.folder / "web.log",
            house.environment,
            listener=listener,
        )
        web.start(lambda: "is open" in web.read_log())
        assert web.stop() == 0
        visitor = HTTPConnection("127.0.0.1", house.port, timeout=60)
        visitor.request("GET", "/healthz/", headers={"Connection": "close"})
        web.start()
        assert visitor.getresponse().read() == b"ok"
        visitor.close()
        assert web.stop() == 0
