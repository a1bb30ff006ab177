"""The log tells which request it was, and never whose name, key or password was in it."""

import json
import logging
import re
import signal
from collections.abc import Iterator
from datetime import date
from io import StringIO
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen
from uuid import uuid4

import pytest
from celery.signals import before_task_publish, task_prerun
from django.db import DataError, InternalError, OperationalError
from django.test import Client
from django.urls import reverse
from psycopg.errors import ReadOnlySqlTransaction
from structlog.contextvars import bound_contextvars

from clubs.models import AuditEntry
from clubs.tasks import wake_waiting_jobs
from config.logs import OutageFilter, current_request_id, make_formatter, mask_text
from tests.api import game_at, link_client
from tests.clubs.tables import seated_evening
from tests.clubs.visits import Visitor
from tests.config import served
from tests.config.served import (
    LAST_JOB,
    READERS,
    SECRETARY,
    SENT,
    Serve,
    Served,
    StallingMailServer,
    finish_evening_again,
    wait_until,
)
from tests.people import PASSWORD, Cast
from tournaments.sample import SIGN_IN_WORDS


@pytest.fixture
def log_output() -> Iterator[StringIO]:
    """Everything that any logger tells, down to the finest, as it is written."""
    file = StringIO()
    handler = logging.StreamHandler(file)
    handler.setFormatter(make_formatter(as_json=True))
    loggers = [logging.getLogger(), logging.getLogger("django")]
    levels_before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.INFO)
        logger.addHandler(handler)
    yield file
    for logger, level in zip(loggers, levels_before, strict=True):
        logger.removeHandler(handler)
        logger.setLevel(level)


def lines(output: StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in output.getvalue().splitlines()]


def test_a_request_has_a_number_in_the_answer_and_in_the_log(
    client: Client, log_output: StringIO, db: None
) -> None:
    answer = client.get("/nothing/", headers={"X-Request-ID": "7f3a0000-1111"})
    assert answer["X-Request-ID"] == "7f3a0000-1111"
    assert [line["request_id"] for line in lines(log_output)] == ["7f3a0000-1111"] * len(
        lines(log_output)
    )
    assert lines(log_output)
    assert current_request_id() == ""


@pytest.mark.parametrize("request_id", ["", "short", "x" * 65, "with space in it", 'a"b{c}d<e>'])
def test_what_is_no_number_is_replaced(client: Client, db: None, request_id: str) -> None:
    answer = client.get("/healthz/", headers={"X-Request-ID": request_id})
    assert answer["X-Request-ID"] != request_id
    assert len(answer["X-Request-ID"]) == 32


def test_what_somebody_did_has_the_number_of_the_request(cast: Cast) -> None:
    url = reverse("member-add", args=["riverside"])
    form_data = {"name": "Zoë Hill", "kind": "member"}
    Visitor(cast.secretary).post(url, form_data, headers={"X-Request-ID": "7f3a0000"})
    assert list(AuditEntry.objects.values_list("request_id", flat=True)) == ["7f3a0000"]


def test_a_job_carries_the_number_on(db: None) -> None:
    headers: dict[str, Any] = {}
    with bound_contextvars(request_id="7f3a0000"):
        before_task_publish.send(sender="x", headers=headers)
    request_ids: list[str] = []

    def look(**_: Any) -> None:
        request_ids.append(current_request_id())

    task_prerun.connect(look)
    wake_waiting_jobs.apply(headers=headers)
    task_prerun.disconnect(look)
    assert request_ids == ["7f3a0000"]


@pytest.mark.parametrize(
    ("text", "masked_text"),
    [
        ("Not Found: /t/3kLmPq9xYz/", "Not Found: /t/…/"),
        ("Authorization: Link 3kLmPq9xYz3kLmPq9xYz", "Authorization: Link …"),
        ("/t/abc/formerly/def/ gone", "/t/…/formerly/…/ gone"),
        ("/cal/abcdef/evenings.ics", "/cal/…/evenings.ics"),
        ("Authorization: Bearer tbx_abcdefghijkl", "Authorization: Bearer tbx_…"),
        ("login=pat@example.org&password=four+winds", "login=…&password=…"),
        ("mail to pat@example.org", "mail to …"),
        ("DETAIL:  Key (name_key)=(pat hill) already exists.",
         "DETAIL:  Key (name_key)=(…) already exists."),
        ("Not Found: /c/riverside/evenings/3/", "Not Found: /c/riverside/evenings/3/"),
    ],
)  # fmt: skip
def test_secrets_are_masked(text: str, masked_text: str) -> None:
    assert mask_text(text) == masked_text


def outages_log() -> tuple[logging.Logger, StringIO]:
    output = StringIO()
    handler = logging.StreamHandler(output)
    handler.addFilter(OutageFilter())
    logger = logging.Logger("django.request")
    logger.addHandler(handler)
    return logger, output


def answer_503(logger: logging.Logger, error: Exception) -> None:
    try:
        raise error
    except type(error):
        logger.exception("Service Unavailable: %s", "/t/x/")


def test_an_outage_of_the_database_is_one_line_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    (logger, output), now = outages_log(), [1_000.0]
    monkeypatch.setattr("config.logs.monotonic", lambda: now[0])
    outage = OperationalError("connection refused\nIs the server running?")
    for _ in range(100):
        answer_503(logger, outage)
        now[0] += 1
    assert output.getvalue().splitlines() == [
        "The database does not answer: connection refused (0 more times since the last such line)",
        "The database does not answer: connection refused (59 more times since the last such line)",
    ]


def test_a_server_that_takes_no_writes_yet_is_an_outage() -> None:
    logger, output = outages_log()
    error = InternalError("cannot execute INSERT in a read-only transaction")
    error.__cause__ = ReadOnlySqlTransaction()
    for _ in range(100):
        answer_503(logger, error)
    assert output.getvalue() == (
        "The database does not answer: cannot execute INSERT in a read-only transaction "
        "(0 more times since the last such line)\n"
    )


@pytest.mark.parametrize("error", [OperationalError("no such column: x"), DataError("NUL")])
def test_a_mistake_of_ours_keeps_its_traceback(error: Exception) -> None:
    logger, output = outages_log()
    for _ in range(2):
        answer_503(logger, error)
    assert output.getvalue().count("Traceback") == 2


def test_an_evening_leaves_no_name_and_no_key_in_the_log(cast: Cast, log_output: StringIO) -> None:
    table = seated_evening(cast.club, held_on=date(2026, 11, 17)).tables.get()
    key, pad = table.link_key, Client()
    wrong = {"login": cast.secretary.email, "password": "not that one"}
    Client().post(reverse("account_login"), wrong)
    Client().post(reverse("account_login"), {**wrong, "password": PASSWORD})
    pad.get(f"/t/{key}/nothing/")
    pad.post(f"/t/{key}/hands/99/agree/")
    link_client(key).post(f"{game_at(table)}hands/", {"x": "Pat"}, content_type="application/json")
    Visitor(cast.player).post(reverse("member-add", args=["riverside"]), {"name": "Zoë Hill"})
    text = log_output.getvalue()
    assert lines(log_output)
    names = list(cast.club.players.values_list("name", flat=True))
    secrets = [key, "Zoë", "not that one", PASSWORD, cast.secretary.email, *names]
    assert [secret for secret in secrets if secret in text] == []


def test_a_laptop_has_lines_to_read() -> None:
    record = logging.LogRecord("tongbox", logging.WARNING, "x", 1, "at /t/%s/", ("secret1",), None)
    assert make_formatter(as_json=False).format(record).endswith("WARNING tongbox at /t/…/")


NUMBER = "7f3a0000-evening"
OPEN_TABLE = """SELECT link_key FROM clubs_sessiontable JOIN clubs_session
    ON clubs_session.id = session_id WHERE state = 'playing'"""
SEASON = "SELECT id FROM clubs_season"


def ask(
    house: Served, path: str, payload: dict[str, Any] | None = None, authorization: str = ""
) -> Any:
    """What a program is answered, whatever it is; its number is in the log."""
    headers = {"Content-Type": "application/json", "X-Request-ID": NUMBER}
    headers |= {"Authorization": authorization} if authorization else {}
    body = None if payload is None else json.dumps(payload).encode()
    request = Request(house.address + path, body, headers)  # noqa: S310 - our own server
    try:
        with urlopen(request, timeout=20) as answer:  # noqa: S310
            return json.loads(answer.read() or b"null")
    except HTTPError as refused:
        with refused:
            return json.loads(refused.read())


def play(house: Served, link: str) -> None:
    """A hand too many ways: sent, sent once more, wrong, and to a table that is not there."""
    authorization = f"Link {link}"
    table = ask(house, "/api/v1/link/", authorization=authorization)["game"]
    hands = f"/api/v1/games/{table['id']}/hands/"
    number, seats = table["next_hand"]["number"], [seat["seat"] for seat in table["seats"]]
    scores = {str(seat): 20 for seat in seats[1:]}
    hand = {"submission_id": str(uuid4()), "number": number, "winner": None, "scores": {}}
    for body in (hand, hand, {**hand, "winner": 9, "scores": scores}, {"x": "Margaret"}):
        ask(house, hands, body, authorization)
    ask(house, "/api/v1/link/", authorization=f"Link {link[::-1]}")
    ask(house, f"{hands}99/agree/", {}, authorization)


def a_pack_is_made(house: Served, key: str) -> None:
    """A job that a program's request begins, to its end."""
    ((season,), *_) = house.rows(SEASON)
    ask(house, f"/api/v1/clubs/riverside/seasons/{season}/pack/", {}, f"Bearer {key}")
    assert wait_until(lambda: house.rows(LAST_JOB)[0][0] == "done")


@pytest.mark.sampled(law="long plays")
def test_an_evening_leaves_json_lines_and_no_name(serve: Serve) -> None:
    with StallingMailServer() as post_office:
        house = serve(TONGBOX_LOG="INFO", TONGBOX_LOG_AS="json", EMAIL_URL=post_office.url)
        (house.folder / "static").mkdir(exist_ok=True)
        server = house.open()
        ((link,), *_) = house.rows(OPEN_TABLE)
        sign_in = {"email": SECRETARY, "password": SIGN_IN_WORDS, "name": "club website"}
        key = ask(house, "/api/v1/token/", sign_in)["token"]
        play(house, str(link))
        a_pack_is_made(house, key)
        finish_evening_again(house, served.Visitor(house.address, SECRETARY))
        assert wait_until(lambda: house.rows(LAST_JOB) == SENT)
        post_office.shutdown()
    server.send_signal(signal.SIGTERM)
    output, _ = server.communicate(timeout=20)
    plain_lines = [line for line in output.splitlines() if not line.startswith("{")]
    assert plain_lines == [], "every line is JSON"
    lines = [json.loads(line) for line in output.splitlines()]
    of_the_program = [line for line in lines if line.get("request_id") == NUMBER]
    assert any("task" in line for line in of_the_program), "a job has the request's number"
    assert any("task" not in line for line in of_the_program), "and so has the request"
    names = [
        str(name) for (name,) in house.rows("SELECT name FROM clubs_player") if " " in str(name)
    ]
    secrets = [link, key, SIGN_IN_WORDS, "Margaret", *READERS, *names]
    assert [secret for secret in secrets if secret in output] == []
    assert not re.search(r"tbx_\w{8}", output)
