"""A club's first evening with an installed Tongbox: from the first page to a restored hand."""

import importlib.util
import os
import re
import signal
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from django.utils import timezone

from tests.config.served import Stranger, free_port, wait_until

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "play_an_evening.py"
EMAIL, WORDS = "margaret@example.org", "east wind prevails"
CLUB = {
    "name": "Hill Top Tiles",
    "rules": "bmja",
    "person": "Margaret Hill",
    "email": EMAIL,
    "password1": WORDS,
    "password2": WORDS,
    "weekday": "",
}
MEMBERS = ("Ann", "Ben", "Cy", "Di", "Eve", "Flo", "Gus", "Hal")
HANDS = "SELECT count(*) FROM scorebook_hand"


class Installed:
    """A Tongbox that lies somewhere: how it is called, and the home folder of who calls it."""

    def __init__(self, program: Path, home: Path) -> None:
        self.program, self.home = program, home
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.browser_log = home / "opened"
        browser = home / "browser"
        browser.write_text(f'#!/bin/sh\necho "$1" >> {self.browser_log}\n', encoding="utf-8")
        browser.chmod(0o700)
        self.environment = {
            "HOME": str(home),
            "PATH": os.environ["PATH"],
            "BROWSER": f"{browser} %s",
            "TONGBOX_BACK_UP_AT": "never",
        }

    def run(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        """A command to its end, far from any checkout."""
        return subprocess.run(  # noqa: S603
            [self.program, *arguments],
            cwd=self.home,
            env=self.environment,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )

    def output_of(self, *arguments: str) -> str:
        """What a command prints that does what it should."""
        result = self.run(*arguments)
        assert result.returncode == 0, (arguments, result.stdout, result.stderr)
        return result.stdout

    @contextmanager
    def start_server(self, data: Path) -> Iterator["subprocess.Popen[str]"]:
        """Tongbox, started as a secretary starts it; it is open, and is killed at the end."""
        command = [str(self.program), "--data", str(data), "--port", str(self.port)]
        with subprocess.Popen(  # noqa: S603
            command,
            cwd=self.home,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        ) as process:
            try:
                assert wait_until(self.answers, seconds=120), process.poll()
                yield process
            finally:
                process.kill()

    def answers(self) -> bool:
        """Whether it is open."""
        try:
            with urlopen(f"{self.address}/healthz/", timeout=5) as answer:  # noqa: S310
                return bool(answer.read() == b"ok")
        except OSError:
            return False


def set_up(installation: Installed) -> Stranger:
    """The first page: a club and its secretary, who is signed in afterwards."""
    stranger = Stranger(installation.address)
    status, page, path = stranger.get("/")
    assert (status, path) == (200, "/set-up/")
    assert "<h1>Set up your club</h1>" in page.decode()
    assert stranger.post("/set-up/", "/set-up/", **CLUB) == "/c/hill-top-tiles/"
    return stranger


def play(installation: Installed) -> list[str]:
    """Members, and an evening of two tables by the API; returns what the example prints."""
    spec = importlib.util.spec_from_file_location("play_an_evening", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    club = module.Tongbox(installation.address, "hill-top-tiles")
    club.sign_in(EMAIL, WORDS)
    for name in MEMBERS:
        club.post("players/", name=name)
    return list(module.play_an_evening(club, str(timezone.localdate())))


def hands(data: Path) -> int:
    with closing(sqlite3.connect(data / "tongbox.sqlite3")) as book:
        ((count,),) = book.execute(HANDS).fetchall()
    return int(count)


def play_a_first_evening(installation: Installed, data: Path, other_data: Path) -> None:
    """Start, set up, play, back up while it runs, stop, and restore into another folder."""
    with installation.start_server(data) as server:
        assert wait_until(installation.browser_log.exists)
        assert installation.browser_log.read_text().split() == [
            f"http://localhost:{installation.port}"
        ]
        secretary = set_up(installation)
        for path in ("/help/secretary/", "/rules/bmja/", "/c/hill-top-tiles/"):
            status, page, _ = secretary.get(path)
            assert status == 200
        (css, *_) = re.findall(r'href="(/static/[^"]+\.css)"', page.decode())
        assert secretary.get(css)[0] == 200
        assert sum(line.startswith("Table ") for line in play(installation)) == 2
        assert b"tongbox[server]" in secretary.get("/metrics")[1]
        output = installation.output_of("backup", "--data", str(data))
        assert "It was restored as a test and gave the same digest" in output
        second_output = installation.output_of(
            "--data", str(data), "--port", str(installation.port)
        )
        assert second_output == f"Tongbox is already open at http://localhost:{installation.port}\n"
        server.send_signal(signal.SIGINT)
        server_output = server.communicate(timeout=40)[0]
        assert server_output.endswith("Tongbox has stopped. Everything is saved.\n")
        assert "Traceback" not in server_output
    assert hands(data) == 8
    backup = output.split(" (")[0]
    output = installation.output_of("restore", backup, "--data", str(other_data))
    digest = installation.output_of("digest", "--data", str(data)).strip()
    assert f"The digest is the same: {digest}" in output
    assert installation.output_of("digest", "--data", str(other_data)).strip() == digest
    assert hands(other_data) == 8
    assert "nothing was changed" in installation.output_of("verify", "--data", str(other_data))
