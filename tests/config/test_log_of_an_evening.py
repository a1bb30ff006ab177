"""An evening through real web processes: every line of the log is JSON, and none tells a secret."""

import json
import re
import signal
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen
from uuid import uuid4

import pytest

from tests.config.served import (
    LAST_JOB,
    READERS,
    SECRETARY,
    SENT,
    Serve,
    Served,
    Visitor,
    finish_evening_again,
    until,
)
from tournaments.sample import SIGN_IN_WORDS

NUMBER = "7f3a0000-evening"
OPEN_TABLE = """SELECT link_key FROM clubs_sessiontable JOIN clubs_session
    ON clubs_session.id = session_id WHERE state = 'playing'"""
SEASON = "SELECT id FROM clubs_season"


def asked(house: Served, path: str, told: dict[str, Any] | None = None, key: str = "") -> Any:
    """What a program is answered, whatever it is; its number is in the log."""
    headers = {"Content-Type": "application/json", "X-Request-ID": NUMBER}
    headers |= {"Authorization": f"Bearer {key}"} if key else {}
    body = None if told is None else json.dumps(told).encode()
    sent = Request(house.address + path, body, headers)  # noqa: S310 - our own server
    try:
        with urlopen(sent, timeout=20) as answer:  # noqa: S310
            return json.loads(answer.read() or b"null")
    except HTTPError as refused:
        with refused:
            return json.loads(refused.read())


def played(house: Served, link: str) -> None:
    """A hand too many ways: sent, sent once more, wrong, and to a table that is not there."""
    table = asked(house, f"/api/v1/t/{link}/")
    number, seats = table["next_hand"]["number"], [seat["number"] for seat in table["seats"]]
    scores = {str(seat): 20 for seat in seats[1:]}
    hand = {"submission_id": str(uuid4()), "number": number, "winner": None, "scores": {}}
    for sent in (hand, hand, {**hand, "winner": 9, "scores": scores}, {"x": "Margaret"}):
        asked(house, f"/api/v1/t/{link}/", sent)
    asked(house, f"/api/v1/t/{link[::-1]}/")
    asked(house, f"/api/v1/t/{link}/hands/99/agree/", {})


def a_pack_is_made(house: Served, key: str) -> None:
    """A job that a program's request begins, to its end."""
    ((season,), *_) = house.rows(SEASON)
    asked(house, f"/api/v1/clubs/riverside/seasons/{season}/pack/", {}, key)
    assert until(lambda: house.rows(LAST_JOB)[0][0] == "done")


@pytest.mark.sampled(law="long plays")
def test_an_evening_leaves_json_lines_and_no_name(serve: Serve) -> None:
    house = serve(TONGBOX_LOG="INFO", TONGBOX_LOG_AS="json", TONGBOX_PROCESSES="2")
    house.environment["DATABASE_URL"] = f"sqlite:///{house.folder / 'tongbox.sqlite3'}"
    (house.folder / "static").mkdir(exist_ok=True)
    server = house.open()
    ((link,), *_) = house.rows(OPEN_TABLE)
    sign_in = {"email": SECRETARY, "password": SIGN_IN_WORDS, "name": "club website"}
    key = asked(house, "/api/v1/token/", sign_in)["token"]
    played(house, str(link))
    a_pack_is_made(house, key)
    finish_evening_again(house, Visitor(house.address, SECRETARY))
    assert until(lambda: house.rows(LAST_JOB) == SENT)
    server.send_signal(signal.SIGTERM)
    said, _ = server.communicate(timeout=20)
    odd = [line for line in said.splitlines() if not line.startswith("{")]
    assert odd == [], "every line is JSON"
    lines = [json.loads(line) for line in said.splitlines()]
    of_the_program = [line for line in lines if line.get("request_id") == NUMBER]
    assert any("task" in line for line in of_the_program), "a job has the request's number"
    assert any("task" not in line for line in of_the_program), "and so has the request"
    names = [
        str(name) for (name,) in house.rows("SELECT name FROM clubs_player") if " " in str(name)
    ]
    secrets = [link, key, SIGN_IN_WORDS, "Margaret", *READERS, *names]
    assert [told for told in secrets if told in said] == []
    assert not re.search(r"tbx_\w{8}", said)
