"""Gunicorn as an installation runs it, for one run on a port of its own."""

import os
import socket
import subprocess
import sys
import time
from http import HTTPStatus
from http.client import HTTPConnection
from pathlib import Path
from types import TracebackType

ROOT = Path(__file__).resolve().parents[2]
TICKS = os.sysconf("SC_CLK_TCK")
PATIENCE = 60.0


class Server:
    """Open while the context lasts; the environment says which database it serves."""

    def __init__(self, folder: Path) -> None:
        """``folder`` takes what it writes to its log."""
        with socket.socket() as found:
            found.bind(("127.0.0.1", 0))
            self.port = int(found.getsockname()[1])
        self._log = folder / "server.log"

    def __enter__(self) -> "Server":
        command = ["-m", "gunicorn", "--config", "config/gunicorn.py"]
        command += ["--bind", f"127.0.0.1:{self.port}", "config.wsgi"]
        with self._log.open("w") as log:
            self._process = subprocess.Popen(  # noqa: S603
                [sys.executable, *command], cwd=ROOT, stdout=log, stderr=log
            )
        latest = time.monotonic() + PATIENCE
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > latest:
                raise RuntimeError(self._log.read_text())
            time.sleep(0.2)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        raised: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.terminate()
        self._process.wait(timeout=PATIENCE)

    def processor(self) -> float:
        """Seconds of the processor that gunicorn and its workers have had."""
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children")
        pids = [self._process.pid, *map(int, children.read_text().split())]
        return sum(map(processor_of, pids))

    def _answers(self) -> bool:
        visitor = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            visitor.request("GET", "/healthz/")
            return visitor.getresponse().status == HTTPStatus.OK
        except OSError:
            return False
        finally:
            visitor.close()


def processor_of(pid: int) -> float:
    """Seconds of the processor that a process has had; none if it is gone."""
    try:
        told = Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return 0.0
    user, system = told.rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / TICKS
