"""The log tells which request it was, and never whose name, key or password was in it."""

import json
import logging
from collections.abc import Iterator
from datetime import date
from io import StringIO
from typing import Any

import pytest
from celery.signals import before_task_publish, task_prerun
from django.test import Client
from django.urls import reverse
from structlog.contextvars import bound_contextvars

from clubs.models import AuditEntry
from clubs.tasks import wake_waiting_jobs
from config.logs import formatter, masked
from config.requestid import number_now
from tests.clubs.tables import seated_evening
from tests.clubs.visits import Visitor
from tests.people import PASSWORD, Cast


@pytest.fixture
def heard() -> Iterator[StringIO]:
    """Everything that any logger tells, down to the finest, as it is written."""
    file = StringIO()
    handler = logging.StreamHandler(file)
    handler.setFormatter(formatter(as_json=True))
    loggers = [logging.getLogger(), logging.getLogger("django")]
    before = [one.level for one in loggers]
    for one in loggers:
        one.setLevel(logging.INFO)
        one.addHandler(handler)
    yield file
    for one, level in zip(loggers, before, strict=True):
        one.removeHandler(handler)
        one.setLevel(level)


def lines(heard: StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in heard.getvalue().splitlines()]


def test_a_request_has_a_number_in_the_answer_and_in_the_log(
    client: Client, heard: StringIO, db: None
) -> None:
    answer = client.get("/nothing/", headers={"X-Request-ID": "7f3a0000-1111"})
    assert answer["X-Request-ID"] == "7f3a0000-1111"
    assert [line["request_id"] for line in lines(heard)] == ["7f3a0000-1111"] * len(lines(heard))
    assert lines(heard)
    assert number_now() == ""


@pytest.mark.parametrize("told", ["", "short", "x" * 65, "with space in it", 'a"b{c}d<e>'])
def test_what_is_no_number_is_replaced(client: Client, db: None, told: str) -> None:
    answer = client.get("/healthz/", headers={"X-Request-ID": told})
    assert answer["X-Request-ID"] != told
    assert len(answer["X-Request-ID"]) == 32


def test_what_somebody_did_has_the_number_of_the_request(cast: Cast) -> None:
    where, sent = reverse("member-add", args=["riverside"]), {"name": "Zoë Hill", "kind": "member"}
    Visitor(cast.secretary).post(where, sent, headers={"X-Request-ID": "7f3a0000"})
    assert list(AuditEntry.objects.values_list("request_id", flat=True)) == ["7f3a0000"]


def test_a_job_carries_the_number_on(db: None) -> None:
    headers: dict[str, Any] = {}
    with bound_contextvars(request_id="7f3a0000"):
        before_task_publish.send(sender="x", headers=headers)
    seen: list[str] = []

    def look(**_: Any) -> None:
        seen.append(number_now())

    task_prerun.connect(look)
    wake_waiting_jobs.apply(headers=headers)
    task_prerun.disconnect(look)
    assert seen == ["7f3a0000"]


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("Not Found: /t/3kLmPq9xYz/", "Not Found: /t/…/"),
        ("Not Found: /api/v1/r/3kLmPq9xYz/hands/2/", "Not Found: /api/v1/r/…/hands/2/"),
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
def test_secrets_are_masked(said: str, written: str) -> None:
    assert masked(said) == written


def test_an_evening_leaves_no_name_and_no_key_in_the_log(cast: Cast, heard: StringIO) -> None:
    table = seated_evening(cast.club, held_on=date(2026, 11, 17)).tables.get()
    key, pad = table.link_key, Client()
    wrong = {"login": cast.secretary.email, "password": "not that one"}
    Client().post(reverse("account_login"), wrong)
    Client().post(reverse("account_login"), {**wrong, "password": PASSWORD})
    pad.get(f"/t/{key}/nothing/")
    pad.post(f"/t/{key}/hands/99/agree/")
    pad.post(f"/api/v1/t/{key}/", {"x": "Pat"}, content_type="application/json")
    Visitor(cast.player).post(reverse("member-add", args=["riverside"]), {"name": "Zoë Hill"})
    text = heard.getvalue()
    assert lines(heard)
    names = list(cast.club.players.values_list("name", flat=True))
    secrets = [key, "Zoë", "not that one", PASSWORD, cast.secretary.email, *names]
    assert [told for told in secrets if told in text] == []


def test_a_laptop_has_lines_to_read() -> None:
    record = logging.LogRecord("tongbox", logging.WARNING, "x", 1, "at /t/%s/", ("secret1",), None)
    assert formatter(as_json=False).format(record).endswith("WARNING tongbox at /t/…/")
