"""One program of the stack: started, ended, killed, and waited for, by its own process id."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
SECONDS_TO_END = 45.0
SECONDS_TO_BEGIN = 180.0

# As systemd does for a service whose socket it holds (LISTEN_PID is the program's own id).
WITH_SOCKET = ("sh", "-c", 'LISTEN_FDS=1 LISTEN_PID=$$ exec "$@" 3<&0 0</dev/null', "sh")


class NotReady(Exception):
    """A program did not answer in time; the message ends with the last lines of its log."""


def until(is_so: Callable[[], bool], *, seconds: float = SECONDS_TO_BEGIN) -> bool:
    """Whether it becomes so in time."""
    latest = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > latest:
            return False
        time.sleep(0.05)
    return True


def answers(port: int) -> bool:
    """Whether somebody listens at this port of loopback."""
    with socket.socket() as visitor:
        visitor.settimeout(1)
        return visitor.connect_ex(("127.0.0.1", port)) == 0


def children_of(pid: int) -> list[int]:
    """Process ids of a program's own processes, oldest first; none when it has ended."""
    try:
        return [
            int(value) for value in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        ]
    except OSError:
        return []


def managed(words: Sequence[str], environment: Mapping[str, str], *, check: bool) -> str:
    """What a management command printed; raises ``NotReady`` where it failed and that counts."""
    done = subprocess.run(
        [sys.executable, "manage.py", *words],
        cwd=ROOT,
        env=dict(environment),
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if check and done.returncode:
        raise NotReady(f"manage.py {' '.join(words)}: {done.stdout[-2000:]}")
    return done.stdout


@dataclass
class Program:
    """A command with its log; ``held`` is a listening socket that it is given, as by systemd."""

    name: str
    command: Sequence[str]
    log: Path
    environment: Mapping[str, str]
    user: str | None = None
    held: socket.socket | None = None
    ends_on: signal.Signals = signal.SIGTERM
    process: subprocess.Popen[bytes] | None = field(default=None, init=False)
    _said_before: int = field(default=0, init=False)

    def start(self, is_ready: Callable[[], bool] | None = None) -> None:
        """Begin, and wait until it is ready; raises ``NotReady``."""
        with self.log.open("ab") as log:
            self._said_before = log.tell()
            self.process = subprocess.Popen(
                [*(WITH_SOCKET if self.held else ()), *self.command],
                cwd=ROOT,
                env=dict(self.environment),
                stdin=self.held.fileno() if self.held else subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                user=self.user,
                group=self.user,
                extra_groups=[] if self.user else None,
                start_new_session=True,
            )
        if is_ready and not until(lambda: is_ready() or not self.is_running):
            raise NotReady(f"{self.name} does not answer. {self.last_words()}")
        if is_ready and not self.is_running:
            raise NotReady(f"{self.name} ended at once. {self.last_words()}")

    @property
    def is_running(self) -> bool:
        """Whether it was started and has not ended."""
        return self.process is not None and self.process.poll() is None

    @property
    def pid(self) -> int:
        """Its process id; raises ``NotReady`` where it does not run."""
        if self.process is None:
            raise NotReady(f"{self.name} does not run.")
        return self.process.pid

    def serves(self) -> bool:
        """Whether gunicorn's processes have said that they are open."""
        return "Tongbox is open" in self.said()

    def children(self) -> list[int]:
        """Its own processes: gunicorn's workers, a pool of tasks."""
        return children_of(self.pid)

    def said(self) -> str:
        """Its log since it was started."""
        return self.log.read_bytes()[self._said_before :].decode(errors="replace")

    def last_words(self) -> str:
        """The end of its log."""
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-15:])

    def stop(self, how: signal.Signals | None = None) -> int:
        """Ask it to end and wait; returns its exit status (negative: a signal's number)."""
        if self.process is None:
            return 0
        if self.is_running:
            self.process.send_signal(how or self.ends_on)
        try:
            return self.process.wait(SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            self.kill()
            return self.process.wait()

    def kill(self) -> None:
        """End it and its children at once, as a power cut would."""
        if self.process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
