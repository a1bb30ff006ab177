"""Tongbox as it runs: gunicorn in a process of its own, a visitor, and a mail server to talk to."""

import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, OpenerDirector, build_opener

from django.conf import settings

from deploy.post_office import MailServer
from deploy.stack import free_ports
from tournaments.sample import SIGN_IN_WORDS

PYTHON = Path(sys.executable)
SECRETARY = "secretary@example.org"
READERS = ["director@example.org", "player@example.org", "scorer@example.org", SECRETARY]
NEWEST_FINISHED = "SELECT id FROM clubs_session WHERE state = 'closed' ORDER BY held_on DESC"
RESULTS = "SELECT id FROM clubs_batch WHERE kind = 'result' AND about = ?"
SENT = [("done", "4 messages have been sent.")]
LAST_JOB = "SELECT state, message FROM clubs_job ORDER BY made_at DESC LIMIT 1"

Serve = Callable[..., "Served"]


def free_port() -> int:
    """A port of this machine that nobody listens at."""
    (port,) = free_ports(1, None)
    return port


def run_python(code: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Some lines as an installation in that folder runs them, with nothing else around it."""
    return subprocess.run(  # noqa: S603
        [PYTHON, "-c", code],
        cwd=settings.BASE_DIR,
        env={"PATH": os.environ["PATH"], "TONGBOX_VAR": str(folder), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@contextmanager
def running(code: str, *arguments: str) -> Iterator[tuple[subprocess.Popen[bytes], bytes]]:
    """Some lines in a process of their own, and what it said first; it is killed at the end."""
    command = [str(PYTHON), "-c", code, *arguments]
    with subprocess.Popen(  # noqa: S603
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        try:
            yield process, process.stdout.readline()
        finally:
            process.kill()


def wait_until(is_so: Callable[[], bool], *, seconds: float = 20) -> bool:
    """Whether it becomes so in time."""
    latest = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > latest:
            return False
        time.sleep(0.1)
    return True


class Served:
    """One installation: its folder, its gunicorn, and whoever else works for it."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.folder = folder
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        inherited_variables = {
            key: os.environ[key] for key in ("PATH", "HOME", "LANG") if key in os.environ
        }
        self.environment = inherited_variables | {
            "TONGBOX_VAR": str(folder),
            "TONGBOX_STATIC": "django.contrib.staticfiles.storage.StaticFilesStorage",
            "TONGBOX_ADDRESS": self.address,
            "TONGBOX_BACK_UP_AT": "never",
            **environment,
        }
        self.processes: list[subprocess.Popen[str]] = []

    def manage(self, *arguments: str) -> None:
        """Run a management command to its end."""
        self.command_output(*arguments)

    def command_output(self, *arguments: str) -> str:
        """What a management command prints; raises ``CalledProcessError`` where it fails."""
        command = [str(PYTHON), "manage.py", *arguments]
        result = subprocess.run(  # noqa: S603
            command, cwd=settings.BASE_DIR, env=self.environment, check=True, capture_output=True
        )
        return result.stdout.decode()

    def begin(self, *command: str) -> subprocess.Popen[str]:
        """Start a program of our environment beside the test; its output is one stream."""
        process = subprocess.Popen(  # noqa: S603
            [str(PYTHON.parent / command[0]), *command[1:]],
            cwd=settings.BASE_DIR,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        self.processes.append(process)
        return process

    def open(self, config: str = "config/gunicorn.py") -> subprocess.Popen[str]:
        """Start gunicorn as the Makefile does, and wait until its port is open."""
        server = self.begin("gunicorn", "--config", config, "--bind", f"127.0.0.1:{self.port}")
        assert wait_until(self.answers), server.communicate(timeout=1)[0]
        return server

    def answers(self) -> bool:
        """Whether its port is open."""
        with socket.socket() as visitor:
            visitor.settimeout(1)
            return visitor.connect_ex(("127.0.0.1", self.port)) == 0

    def kill(self, process: subprocess.Popen[str]) -> None:
        """End a program and its children as a power cut would."""
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()

    def close(self) -> None:
        """End whatever still runs."""
        for process in self.processes:
            if process.poll() is None:
                self.kill(process)

    def rows(self, query: str, *values: object) -> list[tuple[object, ...]]:
        """What the database holds; a change is made at once."""
        book = self.folder / "tongbox.sqlite3"
        with closing(sqlite3.connect(book, timeout=20)) as database, database:
            return database.execute(query, values).fetchall()


class Stranger:
    """Someone with a browser."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.browser: OpenerDirector = build_opener(HTTPCookieProcessor(CookieJar()))

    def get(self, path: str) -> tuple[int, bytes, str]:
        """The status, the body, and where it came from in the end."""
        try:
            with self.browser.open(self.address + path, timeout=20) as answer:
                return answer.status, answer.read(), answer.url.removeprefix(self.address)
        except HTTPError as refused:
            with refused:
                return refused.code, refused.read(), path

    def post(self, form_on: str, path: str, **fields: str) -> str:
        """Send a form found on a page; returns where that leads."""
        page = self.get(form_on)[1].decode()
        token = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', page)[0]
        body = urlencode({"csrfmiddlewaretoken": token, **fields}).encode()
        with self.browser.open(self.address + path, body, timeout=20) as answer:
            return str(answer.url.removeprefix(self.address))


class Visitor(Stranger):
    """Someone with a browser, signed in."""

    def __init__(self, address: str, email: str) -> None:
        super().__init__(address)
        self.post("/accounts/login/", "/accounts/login/", login=email, password=SIGN_IN_WORDS)


def make_pack(house: Served, visitor: Visitor) -> bytes:
    """Press the button of the season's pack and wait for the file."""
    ((season,), *_) = house.rows("SELECT id FROM clubs_season")
    page = f"/c/riverside/seasons/{season}/"
    job = visitor.post(page, f"{page}pack/")
    assert wait_until(lambda: visitor.get(f"{job}result/")[0] == 200)
    return visitor.get(f"{job}result/")[1]


def finish_evening_again(house: Served, visitor: Visitor) -> None:
    """Open the newest finished evening again, finish it, and press Send on its results."""
    ((evening,), *_) = house.rows(NEWEST_FINISHED)
    page = f"/c/riverside/evenings/{evening}/"
    visitor.post(page, f"{page}reopen/")
    visitor.post(page, f"{page}close/", sure="yes")
    ((batch,),) = house.rows(RESULTS, evening)
    outbox = f"/c/riverside/messages/{batch}/"
    (token,) = re.findall(r'name="seen" value="(\w+)"', visitor.get(outbox)[1].decode())
    visitor.post(outbox, f"{outbox}send/", seen=token)


def try_background_work(house: Served, post_office: "StallingMailServer") -> Visitor:
    """The secretary has the season's pack made and the newest results sent: once to each reader."""
    visitor = Visitor(house.address, SECRETARY)
    assert make_pack(house, visitor)[:5] == b"%PDF-"
    finish_evening_again(house, visitor)
    assert wait_until(lambda: house.rows(LAST_JOB) == SENT)
    assert sorted(post_office.recipients) == READERS
    return visitor


def two_minutes_later(house: Served) -> None:
    """Whoever was cut off has been silent for long."""
    house.rows("UPDATE clubs_job SET heard_at = '2026-01-01' WHERE state = 'running'")
    house.rows("UPDATE clubs_message SET sent_at = '2026-01-01' WHERE state = 'waiting'")


class StallingMailServer(MailServer):
    """Notes who gets a letter, each after so many seconds, and may stall in the middle of one."""

    def __init__(self, *, stalls_at: int = 0, seconds: float = 0) -> None:
        self.stalls_at = stalls_at
        self.seconds = seconds
        self.recipients: list[str] = []
        self.stall_event = threading.Event()
        super().__init__()

    def accept(self, recipient: str, letter: bytes) -> bool:  # noqa: ARG002
        """Take a letter, but for the one at which it stalls once."""
        if len(self.recipients) + 1 == self.stalls_at:
            self.stalls_at = 0
            self.stall_event.set()
            return False
        time.sleep(self.seconds)
        self.recipients.append(recipient)
        return True
