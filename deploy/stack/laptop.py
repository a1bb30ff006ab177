"""The laptop in the hall: one process on SQLite that does everything; or, by mistake, two."""

import random
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from deploy.stack.asking import Client
from deploy.stack.lasting import Lasting
from deploy.stack.program import BIN, NotReady, Program, managed, until
from deploy.stack.servers import LOCAL
from deploy.stack.stack import free_ports


@dataclass(frozen=True, slots=True)
class Door:
    """One of its processes, as the phones in the hall reach it."""

    url: str
    certificate: None = None


class Laptop(Lasting):
    """Brings it up on entering, and ends all of it on leaving, whatever happened.

    ``services``: how many times somebody started it on the same book.
    """

    certificate = None

    def __init__(self, *, services: int = 1, first_port: int | None = None) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="tongbox-laptop-"))
        self.var = self.folder / "var"
        (self.var / "static").mkdir(parents=True)
        ports = free_ports(services, first_port)
        self.doors = [Door(f"http://127.0.0.1:{port}") for port in ports]
        self.url = self.doors[0].url
        self.environment = LOCAL | {
            "TONGBOX_VAR": str(self.var),
            "TONGBOX_HOSTS": "127.0.0.1",
            "TONGBOX_ADDRESS": self.url,
            "TONGBOX_BACK_UP_AT": "never",
            "TONGBOX_STATIC": "django.contrib.staticfiles.storage.StaticFilesStorage",
        }
        self.webs = [self._web(port) for port in ports]

    def begin(self) -> None:
        """Its tables first."""
        self.manage("migrate", "--verbosity", "0")
        self.start()

    def start(self) -> None:
        """Begin, and wait until pages come."""
        for web in self.webs:
            web.start(web.serves)
        if not until(self.is_open):
            raise NotReady(f"{self.url} does not answer. {self.webs[0].last_words()}")

    def stop(self) -> None:
        """End it as Ctrl-C does."""
        for web in self.webs:
            web.stop()

    def is_open(self) -> bool:
        """Whether a page comes through every door."""
        return all(Client(door).get("/healthz/").status == 200 for door in self.doors)

    def end(self) -> None:
        """End everything that was started, and take the folder away."""
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def manage(self, *words: str, check: bool = True) -> str:
        """What a management command printed; raises ``NotReady`` unless told not to."""
        return managed(words, self.environment, check=check)

    def cut_off(self, chance: random.Random) -> None:
        """End one of its programs with -9, as when the battery is empty, and begin it again."""
        web = chance.choice(self.webs)
        web.kill()
        web.start(web.serves)

    def _web(self, port: int) -> Program:
        command = [str(BIN / "gunicorn"), "--config", "config/gunicorn.py"]
        command += ["--bind", f"127.0.0.1:{port}", "config.wsgi"]
        return Program(f"web-{port}", command, self.folder / f"web-{port}.log", self.environment)
