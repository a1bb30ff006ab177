"""The servers beside Tongbox, from Debian's packages, each in a folder and at a port of its own."""

import os
import secrets
import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from string import Template

from deploy.stack.program import Program, answers

DEPLOY = Path(__file__).parents[1]
PACKAGES = {
    "postgres": "postgresql",
    "redis-server": "redis-server",
    "nginx": "nginx",
    "openssl": "openssl",
}
LOCAL = {key: os.environ[key] for key in ("PATH", "HOME", "LANG", "TZ") if key in os.environ}


class Missing(Exception):
    """A program is not installed; the message names Debian's package."""


def program_path(program: str) -> str:
    """Where the program is; raises ``Missing``."""
    newest = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{program}"), reverse=True)
    path = shutil.which(program, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
    if newest or path:
        return str(newest[0] if newest else path)
    raise Missing(f"{program} is not here: apt-get install {PACKAGES.get(program, 'postgresql')}")


def is_root() -> bool:
    """Whether we may be anybody; PostgreSQL refuses to be root."""
    return os.geteuid() == 0


def run(*command: str, user: str | None = None) -> str:
    """What a command that comes to an end printed; raises ``CalledProcessError``."""
    done = subprocess.run(
        command, check=True, capture_output=True, text=True, cwd="/", user=user, group=user
    )
    return done.stdout


@dataclass
class Postgres:
    """A cluster of its own, flushed to disk as an installation's is."""

    folder: Path
    port: int
    program: Program
    password: str
    user: str | None

    @classmethod
    def made(cls, folder: Path, port: int) -> "Postgres":
        """A new cluster in this folder, with the lines of ``deploy/postgresql.conf``."""
        user, password = "postgres" if is_root() else None, secrets.token_urlsafe(16)
        home = folder / "postgres"
        home.mkdir()
        (home / "password").write_text(password)
        if user:
            run("chown", "-R", user, str(home))
        data = home / "data"
        as_given = ("--auth=scram-sha-256", "--username=tongbox", f"--pwfile={home / 'password'}")
        run(program_path("initdb"), f"--pgdata={data}", "--encoding=UTF8", *as_given, user=user)
        ours = (DEPLOY / "postgresql.conf").read_text()
        with (data / "postgresql.conf").open("a") as kept:
            kept.write(f"{ours}\nport = {port}\nunix_socket_directories = '{home}'\n")
        command = [program_path("postgres"), "-D", str(data)]
        log = folder / "postgres.log"
        program = Program("PostgreSQL", command, log, LOCAL, user, ends_on=signal.SIGINT)
        return cls(folder, port, program, password, user)

    def start(self) -> None:
        """Begin, and wait until it takes connections."""
        self.program.start(self._is_ready)

    def _is_ready(self) -> bool:
        wanted = [program_path("pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(self.port)]
        return subprocess.run(wanted, check=False).returncode == 0

    def stop(self, *, at_once: bool = False) -> None:
        """End it: "fast" ends what is under way in order, "immediate" as a power cut would."""
        self.program.stop(signal.SIGQUIT if at_once else signal.SIGINT)

    def make(self, database: str) -> str:
        """An empty database; returns its DATABASE_URL."""
        self.sql("postgres", f'CREATE DATABASE "{database}"')
        return self.url(database)

    def lose(self, database: str) -> None:
        """Drop it, whoever is in it."""
        self.sql("postgres", f'DROP DATABASE "{database}" WITH (FORCE)')

    def url(self, database: str) -> str:
        """DATABASE_URL of one of its databases."""
        return f"postgres://tongbox:{self.password}@127.0.0.1:{self.port}/{database}"

    def sql(self, database: str, statement: str) -> str:
        """What a statement answers, unaligned, without headings."""
        quiet = ("--no-psqlrc", "--tuples-only", "--no-align", "--set=ON_ERROR_STOP=1")
        return run(
            program_path("psql"), self.url(database), *quiet, f"--command={statement}"
        ).strip()


@dataclass
class Redis:
    """A Redis that keeps nothing."""

    port: int
    program: Program

    @classmethod
    def made(cls, folder: Path, port: int) -> "Redis":
        """Set up as ``deploy/redis.conf`` says."""
        ours = ("--port", str(port), "--dir", str(folder))
        command = [program_path("redis-server"), str(DEPLOY / "redis.conf"), *ours]
        return cls(port, Program("Redis", command, folder / "redis.log", LOCAL))

    @property
    def url(self) -> str:
        """REDIS_URL of it."""
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        """Begin, and wait until it answers."""
        self.program.start(partial(answers, self.port))

    def stop(self) -> None:
        """End it; what it held is gone."""
        self.program.stop()


AROUND = """\
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/nginx.error.log;
{user}
events {{ worker_connections 4096; }}
http {{
    include /etc/nginx/mime.types;
    client_body_temp_path {folder}/nginx-body;
    proxy_temp_path {folder}/nginx-proxy;
    fastcgi_temp_path {folder}/nginx-fastcgi;
    uwsgi_temp_path {folder}/nginx-uwsgi;
    scgi_temp_path {folder}/nginx-scgi;
    include {folder}/tongbox.conf;
}}
"""


@dataclass
class Nginx:
    """``deploy/nginx.conf.template``, filled in, with a certificate that we signed ourselves."""

    http: int
    https: int
    certificate: Path
    program: Program

    @classmethod
    def made(cls, folder: Path, ports: tuple[int, int], webs: Sequence[int]) -> "Nginx":
        """For HTTP and HTTPS at these ports, before the web services at those."""
        http, https = ports
        certificate, key = folder / "certificate.pem", folder / "key.pem"
        sign(certificate, key)
        said = {
            "TONGBOX_SERVERS": "\n    ".join(
                f"server 127.0.0.1:{port} max_fails=0;" for port in webs
            ),
            "TONGBOX_HTTP": f"127.0.0.1:{http}",
            "TONGBOX_HTTPS": f"127.0.0.1:{https}",
            "TONGBOX_NAME": "127.0.0.1",
            "TONGBOX_ADDRESS": f"https://127.0.0.1:{https}",
            "TONGBOX_CERTIFICATE": str(certificate),
            "TONGBOX_CERTIFICATE_KEY": str(key),
            "TONGBOX_LOGS": str(folder),
            "TONGBOX_VAR": str(folder / "var"),
            "TONGBOX_WEBROOT": str(folder / "webroot"),
        }
        (folder / "tongbox.conf").write_text(site(said))
        around = AROUND.format(folder=folder, user="user root;" if is_root() else "")
        (folder / "nginx.conf").write_text(around)
        command = [
            program_path("nginx"),
            "-c",
            str(folder / "nginx.conf"),
            "-e",
            str(folder / "e.log"),
        ]
        program = Program("nginx", command, folder / "nginx.log", LOCAL, ends_on=signal.SIGQUIT)
        return cls(http, https, certificate, program)

    def start(self) -> None:
        """Begin, and wait until it answers."""
        self.program.start(partial(answers, self.https))

    def stop(self) -> None:
        """End it once it has answered what was asked."""
        self.program.stop()


def site(said: Mapping[str, str]) -> str:
    """The template with its words filled in; nginx's own ``$words`` stay."""
    return Template((DEPLOY / "nginx.conf.template").read_text()).safe_substitute(said)


def sign(certificate: Path, key: Path) -> None:
    """A certificate for 127.0.0.1 that lasts two days."""
    to_files = ("-keyout", str(key), "-out", str(certificate))
    whom = ("-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1")
    curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1")
    run(program_path("openssl"), "req", "-x509", *curve, "-nodes", "-days", "2", *to_files, *whom)
