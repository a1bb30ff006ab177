"""The whole installation: PostgreSQL, Redis, web services behind nginx, workers and beat."""

import os
import random
import shutil
import signal
import socket
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path

from deploy.stack.asking import Client
from deploy.stack.lasting import Lasting
from deploy.stack.program import BIN, NotReady, Program, answers, managed, until
from deploy.stack.servers import LOCAL, Nginx, Postgres, Redis
from deploy.stack.settings import filled, named

DATABASE = "tongbox"


class Stack(Lasting):
    """Brings everything up on entering, and ends all of it on leaving, whatever happened.

    ``webs`` gunicorn services of eight threads each behind nginx, ``workers`` Celery workers of
    two processes, ``beats`` schedulers. ``first_port``: the first of ``4 + webs`` ports in a row;
    without it, any that are free. ``said`` goes into the environment file.
    """

    def __init__(
        self,
        *,
        webs: int = 2,
        workers: int = 1,
        beats: int = 1,
        first_port: int | None = None,
        sample: bool = False,
        said: dict[str, str] | None = None,
    ) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="tongbox-stack-"))
        self.folder.chmod(0o755)
        self.sample = sample
        self._said = said or {}
        self._ending = ExitStack()
        ports = free_ports(4 + webs, first_port)
        self.postgres = Postgres.made(self.folder, ports[0])
        self.redis = Redis.made(self.folder, ports[1])
        self.nginx = Nginx.made(self.folder, (ports[2], ports[3]), ports[4:])
        self.webs = [self._web(port) for port in ports[4:]]
        self.workers = [self._celery(f"worker-{n}", *_worker(n)) for n in range(workers)]
        self.beats = [self._celery(f"beat-{n}", *self._beat(n)) for n in range(beats)]

    @property
    def url(self) -> str:
        """Where it is open, without a slash at the end."""
        return f"https://127.0.0.1:{self.nginx.https}"

    @property
    def certificate(self) -> Path:
        """The certificate to trust."""
        return self.nginx.certificate

    @property
    def var(self) -> Path:
        """The folder of its own files (``TONGBOX_VAR``)."""
        return self.folder / "var"

    @property
    def database_url(self) -> str:
        """Its database, for whoever looks from beside."""
        return self.postgres.url(DATABASE)

    @cached_property
    def environment(self) -> dict[str, str]:
        """What every program of it is told: ``deploy/env.example``, filled in and kept."""
        said = {
            "SECRET_KEY": "the rehearsal's own key, which signs nothing that lasts: 0123456789",
            "TONGBOX_HOSTS": "127.0.0.1",
            "TONGBOX_ADDRESS": self.url,
            "TONGBOX_ORIGINS": self.url,
            "DATABASE_URL": self.database_url,
            "REDIS_URL": self.redis.url,
            "EMAIL_URL": f"filemail:///{self.var / 'mail'}",
            "TONGBOX_VAR": str(self.var),
            "TONGBOX_BACKUPS": str(self.var / "backups"),
            **self._said,
        }
        kept = self.folder / "tongbox.env"
        kept.write_text(filled(said))
        return LOCAL | named(kept.read_text())

    def begin(self) -> None:
        """The servers first, then whatever asks them."""
        self.postgres.start()
        self.redis.start()
        self.postgres.make(DATABASE)
        with ThreadPoolExecutor() as beside:
            static = beside.submit(self.manage, "collectstatic", "--no-input", "--verbosity", "0")
            self.manage("migrate", "--verbosity", "0")
            static.result()
        if self.sample:
            self.manage("sample_data")
        for program in (*self.webs, *self.workers, *self.beats):
            program.start()
        self.nginx.start()
        if not until(self.is_open):
            raise NotReady(f"{self.url} does not answer. {self.webs[0].last_words()}")

    def is_open(self) -> bool:
        """Whether a page comes over TLS."""
        return Client(self).get("/healthz/").status == 200

    def end(self) -> None:
        """End everything that was started, the last first, and take the folder away."""
        ours = [*self.beats, *self.workers, *self.webs]
        for program in ours:
            if program.is_running:
                program.process.terminate()  # type: ignore[union-attr]
        for program in (self.nginx.program, *ours, self.redis.program, self.postgres.program):
            program.stop()
        self._ending.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def manage(self, *words: str, check: bool = True) -> str:
        """What a management command printed; raises ``NotReady`` unless told not to."""
        return managed(words, self.environment, check=check)

    def web_processes(self) -> list[int]:
        """Process ids of those that answer requests."""
        return [pid for web in self.webs if web.is_running for pid in web.children()]

    def pool_processes(self) -> list[int]:
        """Process ids of those that do the work behind the pages."""
        return [pid for program in self.workers if program.is_running for pid in program.children()]

    def kill_a_web_process(self, chance: random.Random) -> int:
        """End one with -9, as the kernel does when memory is short; gunicorn begins another."""
        return _kill(chance.choice(self.web_processes()))

    def kill_a_worker(self, chance: random.Random) -> int:
        """End a process of a worker's pool with -9; the worker begins another."""
        return _kill(chance.choice(self.pool_processes()))

    def restart_webs(self) -> None:
        """One after the other, each drained, as a careful operator does."""
        for web in self.webs:
            web.stop()
            web.start(web.serves)

    def _web(self, port: int) -> Program:
        listening = socket.socket()
        self._ending.enter_context(listening)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(("127.0.0.1", port))
        listening.listen(2048)
        command = [str(BIN / "gunicorn"), "--config", "config/gunicorn.py", "config.wsgi"]
        return self._program(f"web-{port}", command, listening)

    def _celery(self, name: str, *words: str) -> Program:
        return self._program(name, [str(BIN / "celery"), "--app", "config", *words])

    def _beat(self, number: int) -> tuple[str, ...]:
        return "beat", "--schedule", str(self.folder / f"beat-{number}"), "--pidfile="

    def _program(
        self, name: str, command: list[str], listener: socket.socket | None = None
    ) -> Program:
        log = self.folder / f"{name}.log"
        return Program(name, command, log, self.environment, held=listener)


def _worker(number: int) -> tuple[str, ...]:
    return "worker", "--concurrency", "2", "--hostname", f"worker-{number}@%h"


def _kill(pid: int) -> int:
    os.kill(pid, signal.SIGKILL)
    return pid


def free_ports(count: int, first: int | None) -> list[int]:
    """So many ports in a row, or any that are free."""
    if first is not None:
        ports = list(range(first, first + count))
        if taken := [port for port in ports if answers(port)]:
            raise NotReady(f"Somebody listens already at {', '.join(map(str, taken))}.")
        return ports
    listeners = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [int(listener.getsockname()[1]) for listener in listeners]
    for listener in listeners:
        listener.close()
    return ports
