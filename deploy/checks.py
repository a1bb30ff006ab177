"""What a rehearsal tries on an installation: each check yields a line with what it counted."""

import http.client
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

from django.db import connection
from prometheus_client.parser import text_string_to_metric_families

from clubs.core.queue import make_job
from clubs.messages.selectors import SENDING
from clubs.models import Backup, Club, Job, JobState
from deploy.hall import (
    Heard,
    Line,
    counted_again,
    everything_holds,
    is_signed_in,
    lay,
    press_send,
    signed_in,
    tell,
)
from deploy.servers import managed, until
from deploy.stack import DATABASE, Client, Laptop, Stack

TABLES, PHONES = 16, 8
SECONDS_FOR_MAIL = 30
SECONDS_FOR_BEAT = 100
RECORDED = "tongbox_hands_recorded_total"
A_YEAR = "public, max-age=31536000, immutable"


def all_checks(stack: Stack, *, hands: int, is_quick: bool) -> Iterator[Line]:
    """In an order in which each check leaves to the next what it needs."""
    output = stack.manage("check", "--deploy", "--fail-level", "WARNING", check=False)
    yield Line("no issues" in output, f"check --deploy: {output.strip().splitlines()[-1]}")
    yield redirect(stack)
    keys = lay(TABLES)
    visitor = signed_in(stack)
    job = None if is_quick else job_that_nobody_announced()
    front = visitor.get("/")
    hsts = front.header("strict-transport-security")
    yield Line(is_signed_in(front) and bool(hsts), f"signed in over TLS; HSTS: {hsts or 'none'}")
    yield from static_files(stack)
    heard = tell(stack, keys, submissions=hands, phones=PHONES)
    yield shares(stack, heard)
    yield figures(stack, heard)
    yield mail(stack, visitor)
    yield from rolling_restart(stack, keys, heard, hands)
    yield from ready_or_not(stack)
    yield from everything_holds(stack, heard)
    output = stack.manage("back_up", check=False).strip()
    yield Line("gave the same digest" in output, f"back_up: {output.splitlines()[-1]}")
    if job is not None:
        done = Job.objects.filter(pk=job.pk, state=JobState.DONE)
        is_done = until(done.exists, seconds=SECONDS_FOR_BEAT)
        yield Line(is_done, "beat fired, and a worker did a job that nobody had been told of")
        yield from put_back(stack, keys, heard, hands=hands, after=2 * hands // TABLES)
        yield from moved(stack)


def redirect(stack: Stack) -> Line:
    plain = http.client.HTTPConnection("127.0.0.1", stack.nginx.http, timeout=10)
    plain.request("GET", "/c/riverside/")
    answer = plain.getresponse()
    leads, status = answer.getheader("location"), answer.status
    plain.close()
    return Line((status, leads) == (301, f"{stack.url}/c/riverside/"), f"HTTP: {status} to {leads}")


def static_files(stack: Stack) -> Iterator[Line]:
    """They are compressed, and browsers keep them for a year."""
    client = Client(stack)
    names = set(re.findall(r'"(/static/[^"]+)"', client.get("/").body.decode()))
    kept = [client.ask("GET", name) for name in sorted(names)]
    good = sum(answer.status == 200 and answer.header("cache-control") == A_YEAR for answer in kept)
    small = sum(answer.header("content-encoding") == "gzip" for answer in kept)
    words = f"{good} of {len(names)} static files are kept for a year, {small} come compressed"
    yield Line(0 < good == len(names) and small > 0, words)
    lost = client.get("/static/nothing.css").status
    yield Line(lost == 404, f"a static file that is not there: {lost}")


def shares(stack: Stack, heard: Heard) -> Line:
    """Hands over all web services; nginx's log shows which answered."""
    log = (stack.folder / "tongbox.access.log").read_text(encoding="utf-8")
    by = Counter(
        re.findall(r"POST /api/v1/games/\d+/hands/ 20\d .* 127.0.0.1:(\d+)$", log, re.MULTILINE)
    )
    counts = ", ".join(str(count) for count in by.values())
    words = f"an evening of {TABLES} tables: {heard.statuses}, by {len(by)} web services ({counts})"
    return Line(len(by) == len(stack.webs) and not heard.given_up, words)


def figures(stack: Stack, heard: Heard) -> Line:
    """Every web service reports all hands that the phones entered, each once."""
    parts = []
    for _ in stack.webs:
        answer = Client(stack).get("/metrics")
        text = answer.body.decode() if answer.status == 200 else ""
        parts.append(
            {
                sample.labels["service"]: sample.value
                for family in text_string_to_metric_families(text)
                for sample in family.samples
                if sample.name == RECORDED and sample.value
            }
        )
    by = ", ".join(f"{service} {count:.0f}" for service, count in sorted(parts[0].items()))
    words = f"/metrics tells of {len(heard.kept)} hands recorded, by service: {by or 'none'}"
    return Line({sum(item.values()) for item in parts} == {len(heard.kept)}, words)


def mail(stack: Stack, visitor: Client) -> Line:
    """A worker sends what the secretary sends."""
    press_send(visitor)

    def sent() -> int:
        return sum(
            file.read_text(encoding="utf-8").count("\nTo: ")
            for file in (stack.var / "mail").glob("*")
        )

    until(lambda: sent() >= 3, seconds=SECONDS_FOR_MAIL)
    count = sent()
    return Line(count == 3, f"Send was pressed; a worker sent {count} letters of 3")


def rolling_restart(stack: Stack, keys: list[str], heard: Heard, hands: int) -> Iterator[Line]:
    """Each web service is drained and restarted while hands are entered."""
    beside = Thread(target=stack.restart_webs)
    beside.start()
    later = tell(stack, keys, submissions=hands, phones=PHONES, after=hands // len(keys))
    is_over = not beside.is_alive()
    beside.join()
    again = later.answers.total() - later.answers[201]
    words = f"web services begun again one by one meanwhile: {later.statuses}; {again} told twice"
    yield Line(again == 0, words if is_over else f"{words} (the last began after the last hand)")
    heard.add(later)


def ready_or_not(stack: Stack) -> Iterator[Line]:
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
    is_said = "Tongbox cannot reach its database" in page.body.decode()
    words = f"a page without PostgreSQL: {page.status}, in words"
    yield Line(page.status == 503 and is_said, words)
    stack.postgres.start()
    yield _status_line(client, 200, "PostgreSQL is back")


def _status_line(client: Client, status: int, when: str) -> Line:
    """It may take a moment to come round."""
    until(lambda: client.get("/readyz/").status == status, seconds=15)
    answer = client.get("/readyz/")
    return Line(answer.status == status, f"readyz, {when}: {answer.status} {answer.body.decode()}")


def job_that_nobody_announced() -> Job:
    """A job like one that was requested while Redis was away."""
    club = Club.objects.earliest("pk")
    batch = club.batches.create(kind="free", title="Nothing to send")
    return make_job(club=club, kind=SENDING, about=batch.pk)


def put_back(
    stack: Stack, keys: list[str], heard: Heard, *, hands: int, after: int
) -> Iterator[Line]:
    """While everything runs the database is dropped; the services go on with the restored one."""
    before = stack.manage("digest").strip()
    file = Backup.objects.filter(is_good=True).latest("pk").file
    connection.close()
    stack.postgres.lose(DATABASE)
    lost = Client(stack).get("/c/hall-0/").status
    stack.postgres.make(DATABASE)
    output = stack.manage("restore", file, check=False)
    again = stack.manage("digest").strip()
    is_same = "The digest is the same" in output and before == again
    words = f"the database was dropped (a page: {lost}) and put back from {Path(file).name}"
    yield Line(is_same and lost == 503, f"{words}: digest {before[:12]} before, {again[:12]} after")
    later = tell(stack, keys, submissions=hands, phones=PHONES, after=after)
    heard.add(later)
    yield Line(not later.given_up, f"hands told afterwards, nothing begun again: {later.statuses}")
    yield from everything_holds(stack, heard)


def moved(stack: Stack) -> Iterator[Line]:
    """The sample club, from SQLite into an empty database of the stack's PostgreSQL."""
    to = stack.postgres.make("moved")
    with Laptop() as laptop:
        laptop.manage("sample_data")
        before = laptop.manage("digest").strip()
        environment = {**laptop.environment, "TONGBOX_MOVE_TO": to}
        laptop.stop()
        output = managed(["move_to_postgresql"], environment, check=False)
        laptop.environment = {**laptop.environment, "DATABASE_URL": to}
        after = laptop.manage("digest").strip()
        words = f"digest {before[:12]} on SQLite, {after[:12]} on PostgreSQL"
        yield Line("Moved." in output and before == after, f"move_to_postgresql: {words}")
        yield from counted_again(laptop)
