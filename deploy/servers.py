"""The programs of an installation on loopback, from Debian's packages, each in a folder of its own.

A program is started, ended, killed and waited for by its own process id.
"""

import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from configparser import ConfigParser
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from string import Template
from subprocess import PIPE, STDOUT

from clubs.core.processes import management_command

ROOT = Path(__file__).parents[1]
BIN = Path(sys.executable).parent
SECONDS_TO_END = 45.0
SECONDS_TO_BEGIN = 180.0
SHARED_SESSIONS = 4  # of PostgreSQL's, by all clients of the rehearsal's pooler

# As systemd does for a service whose socket it holds (LISTEN_PID is the program's own id).
WITH_SOCKET = ("sh", "-c", 'LISTEN_FDS=1 LISTEN_PID=$$ exec "$@" 3<&0 0</dev/null', "sh")


class NotReady(Exception):
    """A program did not answer in time; the message ends with the last lines of its log."""


def wait_until(is_so: Callable[[], bool], *, seconds: float = SECONDS_TO_BEGIN) -> bool:
    """Whether it becomes so in time."""
    latest = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > latest:
            return False
        time.sleep(0.05)
    return True


def is_listening(port: int) -> bool:
    """Whether somebody listens at this port of loopback."""
    with socket.socket() as visitor:
        visitor.settimeout(1)
        return visitor.connect_ex(("127.0.0.1", port)) == 0


def children_of(pid: int) -> list[int]:
    """Process ids of a program's own processes, oldest first; none when it has ended."""
    try:
        return list(
            map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8").split())
        )
    except OSError:
        return []


def run_management(arguments: Sequence[str], environment: Mapping[str, str], *, check: bool) -> str:
    """What a management command printed; raises ``NotReady`` where it failed and that counts."""
    result = subprocess.run(
        management_command(*arguments),
        cwd=ROOT,
        env=environment,
        check=False,
        stdout=PIPE,
        stderr=STDOUT,
        encoding="utf-8",
    )
    if check and result.returncode:
        raise NotReady(f"manage.py {' '.join(arguments)}: {result.stdout[-2000:]}")
    return result.stdout


@dataclass
class Program:
    """A command with its log; ``listener`` is a socket that it is given, as by systemd."""

    name: str
    command: Sequence[str]
    log: Path
    environment: Mapping[str, str]
    user: str | None = None
    listener: socket.socket | None = None
    ends_on: signal.Signals = signal.SIGTERM
    process: subprocess.Popen[bytes] | None = field(default=None, init=False)
    _said_before: int = field(default=0, init=False)

    def start(self, is_ready: Callable[[], bool] | None = None) -> None:
        """Begin, and wait until it is ready; raises ``NotReady``."""
        with self.log.open("ab") as log:
            self._said_before = log.tell()
            self.process = subprocess.Popen(
                [*(WITH_SOCKET if self.listener else ()), *self.command],
                cwd=ROOT,
                env=dict(self.environment),
                stdin=self.listener.fileno() if self.listener else subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                user=self.user,
                group=self.user,
                extra_groups=[] if self.user else None,
                start_new_session=True,
            )
        if is_ready and not wait_until(lambda: is_ready() or not self.is_running):
            raise NotReady(f"{self.name} does not answer. {self.last_words()}")
        if is_ready and not self.is_running:
            raise NotReady(f"{self.name} ended at once. {self.last_words()}")

    @property
    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    @property
    def pid(self) -> int:
        """Its process id; raises ``NotReady`` where it does not run."""
        if self.process is None:
            raise NotReady(f"{self.name} does not run.")
        return self.process.pid

    def serves(self) -> bool:
        """Whether gunicorn has logged that it is open."""
        return "Tongbox is open" in self.read_log()

    def children(self) -> list[int]:
        """Its own processes: gunicorn's workers, a pool of tasks."""
        return children_of(self.pid)

    def read_log(self) -> str:
        """Its log since it was started."""
        return self.log.read_bytes()[self._said_before :].decode(errors="replace")

    def last_words(self) -> str:
        return "\n".join(self.log.read_text(encoding="utf-8", errors="replace").splitlines()[-15:])

    def stop(self, stop_signal: signal.Signals | None = None) -> int:
        """Ask it to end and wait; returns its exit status (negative: a signal's number)."""
        if self.process is None:
            return 0
        if self.is_running:
            self.process.send_signal(stop_signal or self.ends_on)
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


DEPLOY = ROOT / "deploy"
PACKAGES = {
    "postgres": "postgresql",
    "redis-server": "redis-server",
    "nginx": "nginx",
    "openssl": "openssl",
    "gcc": "gcc",
}
LARGER_PACKAGES = {
    "pgbouncer": "pgbouncer",
    "etcd": "etcd-server",
    "patroni": "patroni",
    "haproxy": "haproxy",
}
LOCAL_ENVIRONMENT = {
    key: os.environ[key] for key in ("PATH", "HOME", "LANG", "TZ") if key in os.environ
}


class Missing(Exception):
    """A program is not installed; the message names Debian's package."""


def program_path(program: str) -> str:
    """Where the program is; raises ``Missing``."""
    newest = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{program}"), reverse=True)
    path = shutil.which(program, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
    if newest or path:
        return str(newest[0] if newest else path)
    package = (PACKAGES | LARGER_PACKAGES).get(program, "postgresql")
    raise Missing(f"{program} is not here: apt-get install {package}")


def is_root() -> bool:
    """Whether we may be anybody; PostgreSQL refuses to be root."""
    return os.geteuid() == 0


def run_command(*command: str, user: str | None = None) -> str:
    """What a command that comes to an end printed; raises ``CalledProcessError``."""
    result = subprocess.run(
        command, check=True, capture_output=True, encoding="utf-8", cwd="/", user=user, group=user
    )
    return result.stdout


@dataclass
class Postgres:
    """A cluster of its own, flushed to disk as an installation's is."""

    folder: Path
    port: int
    program: Program
    password: str
    user: str | None

    @classmethod
    def create(cls, folder: Path, port: int) -> "Postgres":
        """A new cluster in this folder, with the lines of ``deploy/postgresql.conf``."""
        user, password = "postgres" if is_root() else None, secrets.token_urlsafe(16)
        home = folder / "postgres"
        home.mkdir()
        (home / "password").write_text(password, encoding="utf-8")
        if user:
            run_command("chown", "-R", user, str(home))
        data = home / "data"
        as_given = ("--auth=scram-sha-256", "--username=tongbox", f"--pwfile={home / 'password'}")
        run_command(
            program_path("initdb"), f"--pgdata={data}", "--encoding=UTF8", *as_given, user=user
        )
        config_text = (DEPLOY / "postgresql.conf").read_text(encoding="utf-8")
        with (data / "postgresql.conf").open("a", encoding="utf-8") as conf_file:
            conf_file.write(f"{config_text}\nport = {port}\nunix_socket_directories = '{home}'\n")
        command = [program_path("postgres"), "-D", str(data)]
        log = folder / "postgres.log"
        program = Program(
            "PostgreSQL", command, log, LOCAL_ENVIRONMENT, user, ends_on=signal.SIGINT
        )
        return cls(folder, port, program, password, user)

    def make_replica(self, folder: Path, port: int) -> "Postgres":
        """A server that follows this one, from a copy of it, in a new folder beside ours."""
        home = folder / f"postgres-{port}"
        home.mkdir()
        if self.user:
            run_command("chown", self.user, str(home))
        data = home / "data"
        copy_options = (
            "--write-recovery-conf",
            f"--pgdata={data}",
            f"--dbname={self.url('postgres')}",
        )
        run_command(
            program_path("pg_basebackup"), "--checkpoint=fast", *copy_options, user=self.user
        )
        with (data / "postgresql.conf").open("a", encoding="utf-8") as conf_file:
            conf_file.write(f"port = {port}\nunix_socket_directories = '{home}'\n")
        command = [program_path("postgres"), "-D", str(data)]
        log = folder / f"postgres-{port}.log"
        program = Program(
            "replica", command, log, LOCAL_ENVIRONMENT, self.user, ends_on=signal.SIGINT
        )
        return replace(self, folder=home, port=port, program=program)

    def start(self) -> None:
        """Begin, and wait until it takes connections."""
        asks = [program_path("pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(self.port)]
        self.program.start(lambda: subprocess.run(asks, check=False).returncode == 0)

    def stop(self, *, at_once: bool = False) -> None:
        """End it: "fast" ends what is under way in order, "immediate" as a power cut would."""
        self.program.stop(signal.SIGQUIT if at_once else signal.SIGINT)

    def make(self, database: str) -> str:
        """An empty database; returns its DATABASE_URL."""
        self.sql("postgres", f'CREATE DATABASE "{database}"')
        return self.url(database)

    def lose(self, database: str) -> None:
        """Drop it, with whatever connections it has."""
        self.sql("postgres", f'DROP DATABASE "{database}" WITH (FORCE)')

    def url(self, database: str) -> str:
        return f"postgres://tongbox:{self.password}@127.0.0.1:{self.port}/{database}"

    def sql(self, database: str, statement: str) -> str:
        """What a statement answers, unaligned, without headings."""
        quiet = ("--no-psqlrc", "--tuples-only", "--no-align", "--set=ON_ERROR_STOP=1")
        command = (program_path("psql"), self.url(database), *quiet, f"--command={statement}")
        return run_command(*command).strip()


@dataclass
class PgBouncer:
    """``deploy/pgbouncer.ini`` before a cluster, with so few sessions that clients share them."""

    port: int
    server: Postgres
    program: Program

    @classmethod
    def create(cls, folder: Path, port: int, server: Postgres) -> "PgBouncer":
        """Before this cluster, whose password is its own; it refuses to be root."""
        home = folder / "pgbouncer"
        home.mkdir()
        users = home / "userlist.txt"
        users.write_text(f'"tongbox" "{server.password}"\n', encoding="utf-8")
        lines = ConfigParser(interpolation=None)
        lines.read(DEPLOY / "pgbouncer.ini", encoding="utf-8")
        lines["databases"] = {"*": f"host=127.0.0.1 port={server.port}"}
        options = {"listen_port": str(port), "auth_file": str(users), "unix_socket_dir": ""}
        options |= {"logfile": "", "pidfile": "", "stats_users": "tongbox"}
        lines["pgbouncer"].update(options | {"default_pool_size": str(SHARED_SESSIONS)})
        with (home / "pgbouncer.ini").open("w", encoding="utf-8") as file:
            lines.write(file)
        if server.user:
            run_command("chown", "-R", server.user, str(home))
        command = [program_path("pgbouncer"), str(home / "pgbouncer.ini")]
        log = folder / "pgbouncer.log"
        program = Program(
            "PgBouncer", command, log, LOCAL_ENVIRONMENT, server.user, ends_on=signal.SIGINT
        )
        return cls(port, server, program)

    def start(self) -> None:
        self.program.start(partial(is_listening, self.port))

    def stop(self) -> None:
        """End it once the transactions under way are over."""
        self.program.stop()

    def url(self, database: str) -> str:
        return f"postgres://tongbox:{self.server.password}@127.0.0.1:{self.port}/{database}"

    def show(self, topic: str) -> str:
        """What its console shows: ``SHOW POOLS`` and the like, unaligned, with headings."""
        plain = ("--no-psqlrc", "--no-align", "--pset=footer=off")
        command = (program_path("psql"), self.url("pgbouncer"), *plain, f"--command=SHOW {topic}")
        return run_command(*command).strip()


@dataclass
class Redis:
    """A Redis that keeps nothing."""

    port: int
    program: Program

    @classmethod
    def create(cls, folder: Path, port: int) -> "Redis":
        """Set up as ``deploy/redis.conf`` says."""
        options = ("--port", str(port), "--dir", str(folder))
        command = [program_path("redis-server"), str(DEPLOY / "redis.conf"), *options]
        return cls(port, Program("Redis", command, folder / "redis.log", LOCAL_ENVIRONMENT))

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        self.program.start(partial(is_listening, self.port))

    def stop(self) -> None:
        """End it; everything in it is lost."""
        self.program.stop()


NGINX_CONFIG = """\
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
    def create(cls, folder: Path, ports: tuple[int, int], webs: Sequence[int]) -> "Nginx":
        """For HTTP and HTTPS at these ports, before the web services at those."""
        http, https = ports
        certificate, key = folder / "certificate.pem", folder / "key.pem"
        make_certificate(certificate, key)
        servers = [f"server 127.0.0.1:{port} max_fails=0;" for port in webs]
        values = {
            "TONGBOX_SERVERS": "\n    ".join(servers),
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
        (folder / "tongbox.conf").write_text(site_config(values), encoding="utf-8")
        main_config = NGINX_CONFIG.format(folder=folder, user="user root;" if is_root() else "")
        (folder / "nginx.conf").write_text(main_config, encoding="utf-8")
        files = ("-c", str(folder / "nginx.conf"), "-e", str(folder / "e.log"))
        command = [program_path("nginx"), *files]
        program = Program(
            "nginx", command, folder / "nginx.log", LOCAL_ENVIRONMENT, ends_on=signal.SIGQUIT
        )
        return cls(http, https, certificate, program)

    def start(self) -> None:
        self.program.start(partial(is_listening, self.https))

    def stop(self) -> None:
        """End it once it has answered the requests in hand."""
        self.program.stop()


def site_config(values: Mapping[str, str]) -> str:
    """The template with its words filled in; nginx's own ``$words`` stay."""
    return Template((DEPLOY / "nginx.conf.template").read_text(encoding="utf-8")).safe_substitute(
        values
    )


def make_certificate(certificate: Path, key: Path) -> None:
    """A certificate for 127.0.0.1 that lasts two days."""
    to_files = ("-keyout", str(key), "-out", str(certificate))
    subject_options = ("-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1")
    curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1")
    run_command(
        program_path("openssl"),
        "req",
        "-x509",
        *curve,
        "-nodes",
        "-days",
        "2",
        *to_files,
        *subject_options,
    )


ENV_EXAMPLE = DEPLOY / "env.example"


def read_environment(text: str) -> dict[str, str]:
    """The variables of an environment file, in its order."""
    lines = (line.partition("=") for line in text.splitlines() if line and line[0] != "#")
    return {name: value.strip('"') for name, _, value in lines}


def fill_environment(values: Mapping[str, str]) -> str:
    """``deploy/env.example`` with these values in their places; raises ``KeyError`` for others."""
    text = ENV_EXAMPLE.read_text(encoding="utf-8")
    if unknown := sorted(set(values) - set(read_environment(text))):
        raise KeyError(f"deploy/env.example does not name {', '.join(unknown)}")
    lines = []
    for line in text.splitlines():
        name = line.partition("=")[0]
        lines.append(f"{name}={values[name]}\n" if name in values else f"{line}\n")
    return "".join(lines)
