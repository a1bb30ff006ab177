"""``python -m deploy.stack``: a whole installation on loopback until Ctrl-C; or a laptop's.

The installation is PostgreSQL, Redis, web services behind nginx, workers and beat. The laptop is
the one in the hall: one process on SQLite that does everything; or, by mistake, two.
"""

import argparse
import http.client
import json
import os
import random
import re
import shutil
import signal
import socket
import ssl
import sys
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from http.cookies import SimpleCookie
from itertools import islice
from pathlib import Path
from types import FrameType
from typing import Any, Final, Self
from urllib.parse import urlencode, urljoin, urlsplit

import django

from deploy import servers
from deploy.post_office import PostOffice

DATABASE = "tongbox"
GUNICORN = (str(servers.BIN / "gunicorn"), "--config", "config/gunicorn.py")
SERVER_VARIABLES = ("DATABASE_URL", "REDIS_URL")
CLIENT_TIMEOUT = 60
FORM_TYPE = "application/x-www-form-urlencoded"
Headers = Mapping[str, str]
CONNECTION_ERRORS = (OSError, http.client.HTTPException)


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back; ``status`` 0: nothing did."""

    status: int
    body: bytes = b""
    headers: Mapping[str, str] | None = None
    path: str = ""

    def header(self, name: str) -> str:
        """A header by its name in small letters; empty where there is none."""
        return (self.headers or {}).get(name, "")

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Client:
    """One connection that is kept open, with its cookies; a lost one is status 0, not an error."""

    def __init__(self, place: "Target") -> None:
        self.url = place.url
        self.cookies: dict[str, str] = {}
        host = urlsplit(place.url).netloc
        self.connection = http.client.HTTPConnection(host, timeout=CLIENT_TIMEOUT)
        if place.certificate:
            ssl_context = ssl.create_default_context(cafile=str(place.certificate))
            self.connection = http.client.HTTPSConnection(
                host, timeout=CLIENT_TIMEOUT, context=ssl_context
            )

    def ask(
        self, method: str, path: str, body: bytes | None = None, headers: Headers | None = None
    ) -> Answer:
        """One request, sent once and no more."""
        fields = {"Accept-Encoding": "gzip", "Referer": f"{self.url}/", **(headers or {})}
        if self.cookies:
            fields["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        try:
            self.connection.request(method, path, body, fields)
            answer = self.connection.getresponse()
            result = answer.read()
        except CONNECTION_ERRORS:
            self.connection.close()
            return Answer(0)
        response_headers = {name.lower(): value for name, value in answer.getheaders()}
        for line in answer.headers.get_all("Set-Cookie", []):
            self.cookies |= {name: morsel.value for name, morsel in SimpleCookie(line).items()}
        return Answer(answer.status, result, response_headers, path)

    def get(self, path: str, **headers: str) -> Answer:
        """A page, not compressed, its redirects followed."""
        answer = self._page(path, headers)
        while answer.status in (301, 302):
            path = urljoin(path, answer.header("location").removeprefix(self.url))
            answer = self._page(path, {})
        return answer

    def _page(self, path: str, headers: Mapping[str, str]) -> Answer:
        """As a browser does: over a new connection where the kept one was closed meanwhile."""
        plain = {"Accept-Encoding": "identity", **headers}
        answer = self.ask("GET", path, headers=plain)
        return answer if answer.status else self.ask("GET", path, headers=plain)

    def post_json(self, path: str, value: object, **headers: str) -> Answer:
        body = json.dumps(value).encode()
        return self.ask("POST", path, body, {"Content-Type": "application/json", **headers})

    def submit(self, form_on: str, path: str, **fields: str) -> Answer:
        """Send the form on a page; returns the page it leads to."""
        page = self.get(form_on).body.decode()
        (token, *_) = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', page) or [""]
        body = urlencode({"csrfmiddlewaretoken": token, **fields}).encode()
        answer = self.ask("POST", path, body, {"Content-Type": FORM_TYPE})
        if answer.status in (302, 303):
            return self.get(urljoin(path, answer.header("location").removeprefix(self.url)))
        return answer


class Installation(ABC):
    """Brought up on entering; ended on leaving, and where it does not come up."""

    url: str  # without a slash at the end
    certificate: Path | None = None
    environment: Mapping[str, str]  # of every program
    webs: list[servers.Program]
    doors: Sequence["Target"]  # where pages are to be had

    def __init__(self, kind: str) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix=f"tongbox-{kind}-"))
        self.var = self.folder / "var"  # TONGBOX_VAR

    def __enter__(self) -> Self:
        try:
            self.begin()
        except BaseException:
            self.end()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    @abstractmethod
    def begin(self) -> None:
        """Begin everything, and wait until pages come."""

    @abstractmethod
    def stop(self) -> None:
        """End every program that was started."""

    def end(self) -> None:
        """End everything that was started, and remove the folder."""
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def is_open(self) -> bool:
        """Whether a page comes through every door."""
        return all(Client(door).get("/healthz/").status == 200 for door in self.doors)

    def await_pages(self) -> None:
        """Wait until pages come; raises ``NotReady``."""
        if not servers.wait_until(self.is_open):
            raise servers.NotReady(f"{self.url} does not answer. {self.webs[0].last_words()}")

    def manage(self, *arguments: str, check: bool = True) -> str:
        """What a management command printed; raises ``NotReady`` where it fails, if ``check``."""
        return servers.run_management(arguments, self.environment, check=check)

    def use(self) -> None:
        """Set up Django in this process, on the installation's own database."""
        for server in SERVER_VARIABLES:
            os.environ.pop(server, None)
        os.environ.update(self.environment, DJANGO_SETTINGS_MODULE="config.settings")
        django.setup()


class Stack(Installation):
    """The whole installation.

    ``webs`` gunicorn services of eight threads each behind nginx, ``workers`` Celery workers of
    two processes, ``beats`` schedulers. ``first_port``: the first of ``4 + webs`` ports in a row;
    without it, any that are free. ``settings`` go into the environment file.
    """

    extras_text = ""  # what a larger installation has beside all this, to be shown

    def __init__(
        self,
        *,
        webs: int = 2,
        workers: int = 1,
        beats: int = 1,
        first_port: int | None = None,
        sample: bool = False,
        settings: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__("stack")
        self.folder.chmod(0o755)
        self.sample = sample
        self._listeners = ExitStack()
        ports = free_ports(4 + webs, first_port)
        self.postgres = self.made_postgres(ports[0])
        self.redis = servers.Redis.create(self.folder, ports[1])
        self.nginx = servers.Nginx.create(self.folder, (ports[2], ports[3]), ports[4:])
        self.certificate = self.nginx.certificate
        self.url, self.doors = f"https://127.0.0.1:{self.nginx.https}", [self]
        self.database_url = self.postgres.url(DATABASE)
        self.post_office = PostOffice(self.var / "mail")
        self.environment = self.filled_in({**self.extra_settings(), **(settings or {})})
        self.webs = [self.web(port) for port in ports[4:]]
        self.workers = [
            self.celery(f"worker-{n}", "worker", "--concurrency=2", f"--hostname=worker-{n}@%h")
            for n in range(workers)
        ]
        schedule = f"--schedule={self.folder}/beat-"
        self.beats = [
            self.celery(f"beat-{n}", "beat", f"{schedule}{n}", "--pidfile=") for n in range(beats)
        ]

    def made_postgres(self, port: int) -> servers.Postgres:
        """The server of our database; a larger installation has another."""
        return servers.Postgres.create(self.folder, port)

    def extra_settings(self) -> Mapping[str, str]:
        """Settings for what stands beside PostgreSQL; a larger installation makes it here."""
        return {}

    def filled_in(self, settings: Mapping[str, str]) -> Mapping[str, str]:
        """The environment of every program: ``deploy/env.example``, filled in."""
        values = {
            "SECRET_KEY": "the rehearsal's own key, which signs nothing that lasts: 0123456789",
            "TONGBOX_HOSTS": "127.0.0.1",
            "TONGBOX_ADDRESS": self.url,
            "TONGBOX_ORIGINS": self.url,
            "DATABASE_URL": self.database_url,
            "REDIS_URL": self.redis.url,
            "EMAIL_URL": self.post_office.url,
            "TONGBOX_VAR": str(self.var),
            "TONGBOX_BACKUPS": str(self.var / "backups"),
            **settings,
        }
        file = self.folder / "tongbox.env"
        file.write_text(servers.fill_environment(values), encoding="utf-8")
        return servers.LOCAL_ENVIRONMENT | servers.read_environment(
            file.read_text(encoding="utf-8")
        )

    def web(self, port: int) -> servers.Program:
        """A web service, which is given its listening socket as systemd gives it."""
        listener = self._listeners.enter_context(socket.socket())
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", port))
        listener.listen(2048)
        log, command = self.folder / f"web-{port}.log", [*GUNICORN, "config.wsgi"]
        return servers.Program(f"web-{port}", command, log, self.environment, listener=listener)

    def celery(self, name: str, *arguments: str) -> servers.Program:
        command = [str(servers.BIN / "celery"), "--app", "config", *arguments]
        return servers.Program(name, command, self.folder / f"{name}.log", self.environment)

    def start_servers(self) -> None:
        """PostgreSQL with an empty database, and Redis."""
        self.postgres.start()
        self.redis.start()
        self.postgres.make(DATABASE)

    def migrate(self) -> None:
        """Make the tables."""
        self.manage("migrate", "--verbosity", "0")

    def begin(self) -> None:
        """The servers first, then whatever asks them."""
        self.start_servers()
        with ThreadPoolExecutor() as executor:
            static = executor.submit(self.manage, "collectstatic", "--no-input", "--verbosity", "0")
            self.migrate()
            static.result()
        if self.sample:
            self.manage("sample_data")
        for program in (*self.webs, *self.workers, *self.beats):
            program.start()
        self.nginx.start()
        self.await_pages()

    def stop(self) -> None:
        """End every program, the last first; our own all at the same time."""
        own_programs = [*self.beats, *self.workers, *self.webs]
        for program in own_programs:
            if program.is_running:
                program.process.terminate()  # type: ignore[union-attr]
        for program in (
            self.nginx.program,
            *own_programs,
            self.redis.program,
            self.postgres.program,
        ):
            program.stop()
        self._listeners.close()

    def web_processes(self) -> list[int]:
        """Process ids of those that answer requests."""
        return [pid for web in self.webs if web.is_running for pid in web.children()]

    def pool_processes(self) -> list[int]:
        """Process ids of those that do the work behind the pages."""
        return [pid for program in self.workers if program.is_running for pid in program.children()]

    def restart_webs(self) -> None:
        """One after the other, each drained, as a careful operator does."""
        for web in self.webs:
            web.stop()
            web.start(web.serves)


@dataclass(frozen=True, slots=True)
class LaptopProcess:
    """One process of a laptop, as the phones in the hall reach it."""

    url: str
    certificate: None = None


Target = Installation | LaptopProcess  # where to ask; the certificate is to be trusted


class Laptop(Installation):
    """One process on SQLite; ``services``: how many times somebody started it on the same book."""

    def __init__(self, *, services: int = 1, first_port: int | None = None) -> None:
        super().__init__("laptop")
        (self.var / "static").mkdir(parents=True)
        ports = free_ports(services, first_port)
        self.doors = [LaptopProcess(f"http://127.0.0.1:{port}") for port in ports]
        self.url = self.doors[0].url
        self.environment = servers.LOCAL_ENVIRONMENT | {
            "TONGBOX_VAR": str(self.var),
            "TONGBOX_HOSTS": "127.0.0.1",
            "TONGBOX_ADDRESS": self.url,
            "EMAIL_URL": PostOffice(self.var / "mail").url,
            "TONGBOX_BACK_UP_AT": "never",
            "TONGBOX_STATIC": "django.contrib.staticfiles.storage.StaticFilesStorage",
        }
        self.webs = []
        for port in ports:
            log, bind = self.folder / f"web-{port}.log", ("--bind", f"127.0.0.1:{port}")
            command = [*GUNICORN, *bind, "config.wsgi"]
            self.webs.append(servers.Program(f"web-{port}", command, log, self.environment))

    def begin(self) -> None:
        """Its tables first."""
        self.manage("migrate", "--verbosity", "0")
        self.start()

    def start(self) -> None:
        for web in self.webs:
            web.start(web.serves)
        self.await_pages()

    def stop(self) -> None:
        """End it as Ctrl-C does."""
        for web in self.webs:
            web.stop()

    def cut_off(self, chance: random.Random) -> None:
        """End one of its programs with -9, as when the battery is empty, and begin it again."""
        web = chance.choice(self.webs)
        web.kill()
        web.start(web.serves)


# A system takes the ports of outgoing connections from above these, at any moment.
PORT_RANGE: Final = range(20_000, 32_000)


def free_ports(count: int, first: int | None) -> list[int]:
    """So many ports in a row, or any that are free."""
    if first is not None:
        ports = list(range(first, first + count))
        if busy_ports := [port for port in ports if servers.is_listening(port)]:
            raise servers.NotReady(
                f"Somebody listens already at {', '.join(map(str, busy_ports))}."
            )
        return ports
    in_any_order = random.sample(PORT_RANGE, len(PORT_RANGE))
    return list(islice(filter(is_free, in_any_order), count))


def is_free(port: int) -> bool:
    """Whether somebody could listen there."""
    try:
        socket.create_server(("127.0.0.1", port)).close()
    except OSError:
        return False
    return True


def end_at_sigterm() -> None:
    """Have SIGTERM end the program as Ctrl-C does: whatever was started is ended."""

    def end(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, end)


def main() -> None:
    """Bring it up, say where it is, and wait."""
    parser = argparse.ArgumentParser(prog="python -m deploy.stack", description=__doc__)
    parser.add_argument("--webs", type=int, default=2, help="web services of eight threads (2)")
    parser.add_argument("--workers", type=int, default=1, help="Celery workers (1)")
    parser.add_argument("--port", type=int, help="the first of 4 + webs ports; else any free ones")
    parser.add_argument("--sample", action="store_true", help="with the sample club")
    options = parser.parse_args()
    end_at_sigterm()
    try:
        with Stack(
            webs=options.webs,
            workers=options.workers,
            first_port=options.port,
            sample=options.sample,
        ) as stack:
            print(f"Open at {stack.url} (certificate {stack.certificate}; Ctrl-C ends it)")
            print(f"DATABASE_URL={stack.database_url}\nREDIS_URL={stack.redis.url}")
            print(f"Logs and settings are in {stack.folder}", flush=True)
            signal.pause()
    except servers.Missing as missing:
        sys.exit(str(missing))
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
