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
from clubs.messages.selectors import SENDING_JOB
from clubs.models import Backup, Club, Job, JobState
from deploy.hall import (
    Answers,
    CheckResult,
    check_commands,
    check_everything,
    is_signed_in,
    make_halls,
    press_send,
    send_hands,
    sign_in,
)
from deploy.servers import run_management, wait_until
from deploy.stack import DATABASE, Client, Laptop, Stack

TABLE_COUNT, PHONE_COUNT = 16, 8
SECONDS_FOR_MAIL = 30
SECONDS_FOR_BEAT = 100
HANDS_METRIC = "tongbox_hands_recorded_total"
YEAR_CACHE_HEADER = "public, max-age=31536000, immutable"


def all_checks(stack: Stack, *, hands: int, is_quick: bool) -> Iterator[CheckResult]:
    """In an order in which each check leaves to the next what it needs."""
    output = stack.manage("check", "--deploy", "--fail-level", "WARNING", check=False)
    yield CheckResult("no issues" in output, f"check --deploy: {output.strip().splitlines()[-1]}")
    yield check_redirect(stack)
    keys = make_halls(TABLE_COUNT)
    visitor = sign_in(stack)
    job = None if is_quick else make_unannounced_job()
    front = visitor.get("/")
    hsts = front.header("strict-transport-security")
    yield CheckResult(
        is_signed_in(front) and bool(hsts), f"signed in over TLS; HSTS: {hsts or 'none'}"
    )
    yield from check_static_files(stack)
    phone_answers = send_hands(stack, keys, submissions=hands, phones=PHONE_COUNT)
    yield check_sharing(stack, phone_answers)
    yield check_metrics(stack, phone_answers)
    yield check_mail(stack, visitor)
    yield from check_rolling_restart(stack, keys, phone_answers, hands)
    yield from check_readiness(stack)
    yield from check_everything(stack, phone_answers)
    output = stack.manage("back_up", check=False).strip()
    yield CheckResult("gave the same digest" in output, f"back_up: {output.splitlines()[-1]}")
    if job is not None:
        finished_jobs = Job.objects.filter(pk=job.pk, state=JobState.DONE)
        is_done = wait_until(finished_jobs.exists, seconds=SECONDS_FOR_BEAT)
        yield CheckResult(
            is_done, "beat fired, and a worker did a job that nobody had been told of"
        )
        yield from check_restore(
            stack, keys, phone_answers, hands=hands, hands_before=2 * hands // TABLE_COUNT
        )
        yield from check_move(stack)


def check_redirect(stack: Stack) -> CheckResult:
    plain = http.client.HTTPConnection("127.0.0.1", stack.nginx.http, timeout=10)
    plain.request("GET", "/c/riverside/")
    answer = plain.getresponse()
    leads, status = answer.getheader("location"), answer.status
    plain.close()
    return CheckResult(
        (status, leads) == (301, f"{stack.url}/c/riverside/"), f"HTTP: {status} to {leads}"
    )


def check_static_files(stack: Stack) -> Iterator[CheckResult]:
    """They are compressed, and browsers keep them for a year."""
    client = Client(stack)
    names = set(re.findall(r'"(/static/[^"]+)"', client.get("/").body.decode()))
    answers = [client.ask("GET", name) for name in sorted(names)]
    good = sum(
        answer.status == 200 and answer.header("cache-control") == YEAR_CACHE_HEADER
        for answer in answers
    )
    small = sum(answer.header("content-encoding") == "gzip" for answer in answers)
    summary = f"{good} of {len(names)} static files are kept for a year, {small} come compressed"
    yield CheckResult(0 < good == len(names) and small > 0, summary)
    status = client.get("/static/nothing.css").status
    yield CheckResult(status == 404, f"a static file that is not there: {status}")


def check_sharing(stack: Stack, phone_answers: Answers) -> CheckResult:
    """Hands over all web services; nginx's log shows which answered."""
    log = (stack.folder / "tongbox.access.log").read_text(encoding="utf-8")
    hands_by_port = Counter(
        re.findall(r"POST /api/v1/games/\d+/hands/ 20\d .* 127.0.0.1:(\d+)$", log, re.MULTILINE)
    )
    counts = ", ".join(str(count) for count in hands_by_port.values())
    services = f"{len(hands_by_port)} web services ({counts})"
    summary = f"an evening of {TABLE_COUNT} tables: {phone_answers.statuses}, by {services}"
    return CheckResult(
        len(hands_by_port) == len(stack.webs) and not phone_answers.given_up, summary
    )


def check_metrics(stack: Stack, phone_answers: Answers) -> CheckResult:
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
                if sample.name == HANDS_METRIC and sample.value
            }
        )
    service_counts = ", ".join(
        f"{service} {count:.0f}" for service, count in sorted(parts[0].items())
    )
    summary = (
        f"/metrics tells of {len(phone_answers.hand_numbers)} hands recorded, by service: "
        f"{service_counts or 'none'}"
    )
    return CheckResult(
        {sum(item.values()) for item in parts} == {len(phone_answers.hand_numbers)}, summary
    )


def check_mail(stack: Stack, visitor: Client) -> CheckResult:
    """A worker sends what the secretary sends."""
    press_send(visitor)

    def count_letters() -> int:
        return sum(
            file.read_text(encoding="utf-8").count("\nTo: ")
            for file in (stack.var / "mail").glob("*")
        )

    wait_until(lambda: count_letters() >= 3, seconds=SECONDS_FOR_MAIL)
    count = count_letters()
    return CheckResult(count == 3, f"Send was pressed; a worker sent {count} letters of 3")


def check_rolling_restart(
    stack: Stack, keys: list[str], phone_answers: Answers, hands: int
) -> Iterator[CheckResult]:
    """Each web service is drained and restarted while hands are entered."""
    thread = Thread(target=stack.restart_webs)
    thread.start()
    later_answers = send_hands(
        stack, keys, submissions=hands, phones=PHONE_COUNT, hands_before=hands // len(keys)
    )
    is_over = not thread.is_alive()
    thread.join()
    repeats = later_answers.answers.total() - later_answers.answers[201]
    summary = (
        f"web services begun again one by one meanwhile: {later_answers.statuses}; {repeats} told "
        "twice"
    )
    yield CheckResult(
        repeats == 0, summary if is_over else f"{summary} (the last began after the last hand)"
    )
    phone_answers.add(later_answers)


def check_readiness(stack: Stack) -> Iterator[CheckResult]:
    """Red while a server is gone, green when it is back; pages go on without Redis."""
    client = Client(stack)
    yield _status_result(client, 200, "all are there")
    stack.redis.stop()
    yield _status_result(client, 200, "Redis is gone")
    front = client.get("/").status
    yield CheckResult(front == 200, f"a page without Redis: {front}")
    stack.redis.start()
    yield _status_result(client, 200, "Redis is back")
    stack.postgres.stop()
    yield _status_result(client, 503, "PostgreSQL is gone")
    page = client.get("/c/hall-0/")
    is_said = "Tongbox cannot reach its database" in page.body.decode()
    summary = f"a page without PostgreSQL: {page.status}, in words"
    yield CheckResult(page.status == 503 and is_said, summary)
    stack.postgres.start()
    yield _status_result(client, 200, "PostgreSQL is back")


def _status_result(client: Client, status: int, situation: str) -> CheckResult:
    """It may take a moment to come round."""
    wait_until(lambda: client.get("/readyz/").status == status, seconds=15)
    answer = client.get("/readyz/")
    return CheckResult(
        answer.status == status, f"readyz, {situation}: {answer.status} {answer.body.decode()}"
    )


def make_unannounced_job() -> Job:
    """A job like one that was requested while Redis was away."""
    club = Club.objects.earliest("pk")
    batch = club.batches.create(kind="free", title="Nothing to send")
    return make_job(club=club, kind=SENDING_JOB, subject_key=batch.pk)


def check_restore(
    stack: Stack, keys: list[str], phone_answers: Answers, *, hands: int, hands_before: int
) -> Iterator[CheckResult]:
    """While everything runs the database is dropped; the services go on with the restored one."""
    digest_before = stack.manage("digest").strip()
    file = Backup.objects.filter(is_good=True).latest("pk").file
    connection.close()
    stack.postgres.lose(DATABASE)
    status = Client(stack).get("/c/hall-0/").status
    stack.postgres.make(DATABASE)
    output = stack.manage("restore", file, check=False)
    digest_after = stack.manage("digest").strip()
    is_same = "The digest is the same" in output and digest_before == digest_after
    summary = f"the database was dropped (a page: {status}) and put back from {Path(file).name}"
    yield CheckResult(
        is_same and status == 503,
        f"{summary}: digest {digest_before[:12]} before, {digest_after[:12]} after",
    )
    later_answers = send_hands(
        stack, keys, submissions=hands, phones=PHONE_COUNT, hands_before=hands_before
    )
    phone_answers.add(later_answers)
    yield CheckResult(
        not later_answers.given_up,
        f"hands told afterwards, nothing begun again: {later_answers.statuses}",
    )
    yield from check_everything(stack, phone_answers)


def check_move(stack: Stack) -> Iterator[CheckResult]:
    """The sample club, from SQLite into an empty database of the stack's PostgreSQL."""
    target_url = stack.postgres.make("moved")
    with Laptop() as laptop:
        laptop.manage("sample_data")
        digest_before = laptop.manage("digest").strip()
        environment = {**laptop.environment, "TONGBOX_MOVE_TO": target_url}
        laptop.stop()
        output = run_management(["move_to_postgresql"], environment, check=False)
        laptop.environment = {**laptop.environment, "DATABASE_URL": target_url}
        digest_after = laptop.manage("digest").strip()
        summary = f"digest {digest_before[:12]} on SQLite, {digest_after[:12]} on PostgreSQL"
        yield CheckResult(
            "Moved." in output and digest_before == digest_after, f"move_to_postgresql: {summary}"
        )
        yield from check_commands(laptop)
