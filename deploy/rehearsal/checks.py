"""What is tried on a stack that is up: each check yields a line with what it counted."""

import http.client
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

from prometheus_client.parser import text_string_to_metric_families

from clubs.core.queue import make_job
from clubs.messages.selectors import SENDING
from clubs.models import Club, Job, JobState
from clubs.tenancy import across_clubs
from deploy.faults import Line
from deploy.faults.checks import everything_holds
from deploy.faults.hall import lay, letters, signed_in
from deploy.faults.phones import Heard, tell
from deploy.rehearsal.houses import moved, put_back
from deploy.stack import Stack
from deploy.stack.asking import Client
from deploy.stack.program import until

TABLES, PHONES = 16, 8
SECONDS_FOR_MAIL = 30
SECONDS_FOR_BEAT = 100
A_YEAR = "public, max-age=31536000, immutable"


def all_checks(stack: Stack, *, hands: int, is_quick: bool) -> Iterator[Line]:
    """All of them, over all clubs of the stack."""
    with across_clubs():
        yield from _checks(stack, hands=hands, is_quick=is_quick)


def _checks(stack: Stack, *, hands: int, is_quick: bool) -> Iterator[Line]:
    """In an order in which one leaves to the next what it needs."""
    yield _settings(stack)
    yield _redirect(stack)
    keys = lay(TABLES)
    visitor = signed_in(stack)
    swept = None if is_quick else _job_that_nobody_was_told_of()
    yield _sign_in(visitor)
    yield from _static(stack)
    heard = tell(stack, keys, submissions=hands, phones=PHONES)
    yield _evening(stack, heard)
    yield _figures(stack, heard)
    yield _mail(stack, visitor)
    yield from _rolling_restart(stack, keys, heard, hands)
    yield from _readiness(stack)
    yield from everything_holds(stack, heard)
    yield _backup(stack)
    if swept is not None:
        yield _beat(swept)
        after = 2 * hands // TABLES
        yield from put_back(stack, keys, heard, hands=hands, phones=PHONES, after=after)
        yield from moved(stack)


def _settings(stack: Stack) -> Line:
    said = stack.manage("check", "--deploy", "--fail-level", "WARNING", check=False)
    return Line("no issues" in said, f"check --deploy: {said.strip().splitlines()[-1]}")


def _redirect(stack: Stack) -> Line:
    plain = http.client.HTTPConnection("127.0.0.1", stack.nginx.http, timeout=10)
    plain.request("GET", "/c/riverside/")
    answer = plain.getresponse()
    leads, value = answer.getheader("location"), answer.status
    plain.close()
    return Line((value, leads) == (301, f"{stack.url}/c/riverside/"), f"HTTP: {value} to {leads}")


def _sign_in(visitor: Client) -> Line:
    front = visitor.get("/")
    hsts = front.header("strict-transport-security")
    is_in = "/accounts/logout/" in front.body.decode()
    return Line(is_in and bool(hsts), f"signed in over TLS; HSTS: {hsts or 'none'}")


def _static(stack: Stack) -> Iterator[Line]:
    client = Client(stack)
    names = set(re.findall(r'"(/static/[^"]+)"', client.get("/").body.decode()))
    kept = [client.ask("GET", name) for name in sorted(names)]
    good = sum(answer.status == 200 and answer.header("cache-control") == A_YEAR for answer in kept)
    small = sum(answer.header("content-encoding") == "gzip" for answer in kept)
    words = f"{good} of {len(names)} static files are kept for a year, {small} come compressed"
    yield Line(0 < good == len(names) and small > 0, words)
    lost = client.get("/static/nothing.css").status
    yield Line(lost == 404, f"a static file that is not there: {lost}")


def _evening(stack: Stack, heard: Heard) -> Line:
    """Hands over all web services; nginx's log tells which answered."""
    log = (stack.folder / "tongbox.access.log").read_text()
    by = Counter(re.findall(r"POST /api/v1/t/KEY 20\d .* 127.0.0.1:(\d+)$", log, re.MULTILINE))
    shares = ", ".join(str(count) for count in by.values())
    words = f"an evening of {TABLES} tables: {heard.said}, by {len(by)} web services ({shares})"
    return Line(len(by) == len(stack.webs) and not heard.given_up, words)


def _mail(stack: Stack, visitor: Client) -> Line:
    club = Club.objects.earliest("pk")
    outbox = f"/c/{club.slug}/messages/{letters(club, readers=3).pk}/"
    (seen, *_) = re.findall(r'name="seen" value="(\w+)"', visitor.get(outbox).body.decode()) or [""]
    visitor.submit(outbox, f"{outbox}send/", seen=seen)
    folder = stack.var / "mail"
    until(lambda: _letters_in(folder) >= 3, seconds=SECONDS_FOR_MAIL)
    count = _letters_in(folder)
    return Line(count == 3, f"Send was pressed; a worker sent {count} letters of 3")


def _letters_in(folder: Path) -> int:
    return sum(mail.read_text().count("\nTo: ") for mail in folder.glob("*"))


def _rolling_restart(stack: Stack, keys: list[str], heard: Heard, hands: int) -> Iterator[Line]:
    """Each web service is drained and begun again while hands are told."""
    beside = Thread(target=stack.restart_webs)
    beside.start()
    value = tell(stack, keys, submissions=hands, phones=PHONES, after=hands // len(keys))
    is_over = not beside.is_alive()
    beside.join()
    again = value.answers.total() - value.answers[201]
    words = f"web services begun again one by one meanwhile: {value.said}; {again} told twice"
    yield Line(again == 0, words if is_over else f"{words} (the last began after the last hand)")
    heard.add(value)


def _readiness(stack: Stack) -> Iterator[Line]:
    """Red while a server is gone, green when it is back; pages go on without Redis."""
    client = Client(stack)
    yield _status_line(client, 200, "all are there")
    stack.redis.stop()
    yield _status_line(client, 200, "Redis is gone")
    front = client.get("/").status
    yield Line(front == 200, f"a page without Redis: {front}")
    stack.redis.start()
    yield _status_line(client, 200, "Redis is back")
    stack.postgres.stop()
    yield _status_line(client, 503, "PostgreSQL is gone")
    page = client.get("/c/hall-0/")
    said = "Tongbox cannot reach its database" in page.body.decode()
    yield Line(page.status == 503 and said, f"a page without PostgreSQL: {page.status}, in words")
    stack.postgres.start()
    yield _status_line(client, 200, "PostgreSQL is back")


def _status_line(client: Client, status: int, when: str) -> Line:
    """It may take a moment to come round."""
    until(lambda: client.get("/readyz/").status == status, seconds=15)
    answer = client.get("/readyz/")
    return Line(answer.status == status, f"readyz, {when}: {answer.status} {answer.body.decode()}")


def _backup(stack: Stack) -> Line:
    """A backup, put back into an empty database, and compared."""
    said = stack.manage("back_up", check=False).strip()
    return Line("gave the same digest" in said, f"back_up: {said.splitlines()[-1]}")


def _job_that_nobody_was_told_of() -> Job:
    """As one that was asked for while Redis was away."""
    club = Club.objects.earliest("pk")
    batch = club.batches.create(kind="free", title="Nothing to send")
    return make_job(club=club, kind=SENDING, about=batch.pk)


def _beat(job: Job) -> Line:
    done = Job.objects.filter(pk=job.pk, state=JobState.DONE)
    result = until(done.exists, seconds=SECONDS_FOR_BEAT)
    return Line(result, "beat fired, and a worker did a job that nobody had been told of")


RECORDED = "tongbox_hands_recorded_total"


def _figures(stack: Stack, heard: Heard) -> Line:
    """Whichever web service is asked, all hands that the phones told are counted, each once."""
    answers = [Client(stack).get("/metrics") for _ in stack.webs]
    parts = [_hands(answer.body.decode()) if answer.status == 200 else {} for answer in answers]
    shares = ", ".join(f"{service} {count:.0f}" for service, count in sorted(parts[0].items()))
    words = f"/metrics tells of {len(heard.kept)} hands recorded, by service: {shares or 'none'}"
    return Line({sum(item.values()) for item in parts} == {len(heard.kept)}, words)


def _hands(text: str) -> dict[str, float]:
    """Hands recorded by each service that recorded any."""
    return {
        sample.labels["service"]: sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
        if sample.name == RECORDED and sample.value
    }
