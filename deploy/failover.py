"""PostgreSQL on three servers under Patroni, with etcd and HAProxy, on loopback.

As ``deploy/several-machines.md`` has it, with the files of ``deploy/cluster``.
"""

import json
import os
import secrets
import signal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from string import Template
from subprocess import CalledProcessError
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

from deploy.servers import (
    DEPLOY,
    LOCAL_ENVIRONMENT,
    Postgres,
    Program,
    children_of,
    is_root,
    program_path,
    read_environment,
    run_command,
    wait_until,
)
from deploy.stack import DATABASE, Stack, free_ports

LOOPBACK = "127.0.0.1"
NODES = ("db-1", "db-2", "db-3")
SECONDS_TO_LEAD = 60.0


def fill_template(template: str, values: Mapping[str, object]) -> str:
    """A file of ``deploy/cluster`` with its words filled in; raises ``KeyError`` for others."""
    text = (DEPLOY / "cluster" / template).read_text(encoding="utf-8")
    return Template(text.replace("${words}", "$${words}")).substitute(values)


@dataclass
class Node:
    """One machine of three: etcd, and PostgreSQL under Patroni."""

    name: str
    data: Path
    port: int
    rest_port: int
    etcd: Program
    patroni: Program

    def postgres_processes(self) -> list[int]:
        """Process ids of its PostgreSQL, the first one first; none where it does not run."""
        with suppress(OSError, ValueError, IndexError):
            lines = (self.data / "postmaster.pid").read_text(encoding="utf-8").splitlines()
            first = int(lines[0])
            return [first, *children_of(first)]
        return []

    def kill(self) -> None:
        """Patroni and all of PostgreSQL end at once, as when the power fails; etcd stays."""
        with suppress(ProcessLookupError):
            os.kill(self.patroni.pid, signal.SIGSTOP)
        for pid in self.postgres_processes():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.patroni.kill()

    def read_cluster(self) -> dict[str, Any]:
        """What its Patroni says of all three; empty where it does not answer."""
        try:
            with urlopen(f"http://{LOOPBACK}:{self.rest_port}/cluster", timeout=2) as answer:
                return dict(json.load(answer))
        except (URLError, OSError, ValueError):
            return {}

    def is_known(self) -> bool:
        """Whether its Patroni answers, and has met the others."""
        return bool(self.read_cluster().get("members"))

    def stop(self) -> None:
        """End Patroni, which ends PostgreSQL."""
        self.patroni.stop()
        for pid in self.postgres_processes():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


class ClusteredStack(Stack):
    """Three servers, of which one leads; HAProxy hands connections on to it, or to a replica."""

    extras_text = ", two more of PostgreSQL with Patroni, etcd and HAProxy"
    is_synchronous = True
    nodes: Sequence[Node] = ()

    def made_postgres(self, port: int) -> Postgres:
        """PostgreSQL as HAProxy shows it: whoever leads."""
        user, password = "postgres" if is_root() else None, secrets.token_urlsafe(16)
        self.replica_port, *other_ports = free_ports(1 + 4 * len(NODES), None)
        ports = [other_ports[first : first + 4] for first in range(0, len(other_ports), 4)]
        servers = "\n".join(
            f"    server {name} {LOOPBACK}:{node_ports[2]} check port {node_ports[3]}"
            for name, node_ports in zip(NODES, ports, strict=True)
        )
        values = {"LEADER_PORT": port, "REPLICA_PORT": self.replica_port, "SERVERS": servers}
        file = self.folder / "haproxy.cfg"
        file.write_text(fill_template("haproxy.cfg.template", values), encoding="utf-8")
        command = [program_path("haproxy"), "-db", "-f", str(file)]
        program = Program("HAProxy", command, self.folder / "haproxy.log", LOCAL_ENVIRONMENT)
        self.nodes = [
            self.made_node(name, node_ports, ports, password, user)
            for name, node_ports in zip(NODES, ports, strict=True)
        ]
        return Postgres(self.folder, port, program, password, user)

    def made_node(
        self,
        name: str,
        node_ports: list[int],
        ports: list[list[int]],
        password: str,
        user: str | None,
    ) -> Node:
        """A machine with its files, not begun yet."""
        home = self.folder / name
        home.mkdir()
        members = zip(NODES, ports, strict=True)
        values: dict[str, object] = {
            "NODE": name,
            "ADDRESS": LOOPBACK,
            "NETWORK": f"{LOOPBACK}/32",
            "ETCD_DATA": home / "etcd",
            "ETCD_PORT": node_ports[0],
            "ETCD_PEER_PORT": node_ports[1],
            "ETCD_MEMBERS": ",".join(f"{node}=http://{LOOPBACK}:{p[1]}" for node, p in members),
            "ETCD_HOSTS": ",".join(f"{LOOPBACK}:{p[0]}" for p in ports),
            "POSTGRES_PORT": node_ports[2],
            "POSTGRES_RELEASE": Path(program_path("postgres")).parents[1].name,
            "POSTGRES_DATA": home / "data",
            "PGPASS": home / "pgpass",
            "SOCKETS": home,
            "REST_PORT": node_ports[3],
            "SUPERUSER_PASSWORD": password,
            "REPLICATION_PASSWORD": password,
            "WATCHDOG": "off",
        }
        settings = fill_template("patroni.yml.template", values)
        if not self.is_synchronous:
            settings = settings.replace("synchronous_mode: true", "synchronous_mode: false")
        (home / "patroni.yml").write_text(settings, encoding="utf-8")
        if user:
            run_command("chown", "-R", user, str(home))
        environment = LOCAL_ENVIRONMENT | read_environment(fill_template("etcd.template", values))
        etcd = Program(f"etcd {name}", [program_path("etcd")], home / "etcd.log", environment, user)
        command = [program_path("patroni"), str(home / "patroni.yml")]
        patroni = Program(f"Patroni {name}", command, home / "patroni.log", LOCAL_ENVIRONMENT, user)
        return Node(name, home / "data", node_ports[2], node_ports[3], etcd, patroni)

    def extra_settings(self) -> Mapping[str, str]:
        replicas = self.database_url.replace(f":{self.postgres.port}/", f":{self.replica_port}/")
        return {"TONGBOX_REPLICA_DATABASE_URL": replicas}

    def start_servers(self) -> None:
        """etcd first, then one server after another, as an operator does."""
        for node in self.nodes:
            node.etcd.start()
        for node in self.nodes:
            node.patroni.start(node.is_known)
            if node is self.nodes[0]:
                wait_until(lambda: self.leader() is not None, seconds=SECONDS_TO_LEAD)
                self.make_role()
        self.redis.start()
        self.postgres.start()
        # HAProxy takes every server for a leader until it has asked twice.
        wait_until(self.is_led, seconds=SECONDS_TO_LEAD)
        self.postgres.make(DATABASE)

    def is_led(self) -> bool:
        """Whether HAProxy hands on to the leader, and to no other."""
        with suppress(CalledProcessError):
            standby_states = [self.postgres.sql("postgres", "SHOW in_hot_standby") for _ in NODES]
            return standby_states == ["off"] * len(NODES)
        return False

    def make_role(self) -> None:
        """The role of our web services, as the guide has it."""
        url = (
            f"postgres://postgres:{self.postgres.password}@{LOOPBACK}:{self.nodes[0].port}/postgres"
        )
        role = f"CREATE ROLE tongbox LOGIN CREATEDB PASSWORD '{self.postgres.password}'"
        run_command(program_path("psql"), url, "--no-psqlrc", f"--command={role}")

    def members(self) -> dict[str, dict[str, Any]]:
        """What a living Patroni says of each machine."""
        for node in self.nodes:
            if node.patroni.is_running and (cluster := node.read_cluster()):
                return {member["name"]: member for member in cluster.get("members", [])}
        return {}

    def roles(self) -> str:
        """What each machine is, in their order."""
        return ", ".join(f"{name} {member['role']}" for name, member in self.members().items())

    def leader(self) -> Node | None:
        """The machine that leads now and runs."""
        members = self.members()
        leading = [
            node
            for node in self.nodes
            if members.get(node.name, {}).get("role") == "leader"
            and members[node.name].get("state") == "running"
        ]
        return leading[0] if leading and leading[0].patroni.is_running else None

    def is_whole(self) -> bool:
        """Whether one leads and the others follow it closely, one of them synchronous if so set."""
        members = list(self.members().values())
        roles = sorted(member["role"] for member in members)
        lead = [member.get("timeline") for member in members if member["role"] == "leader"]
        follow = all(
            member.get("state") == "running" and member.get("timeline") in lead
            for member in members
        )
        expected_roles = ["leader", "replica", "sync_standby" if self.is_synchronous else "replica"]
        return follow and roles == expected_roles

    @contextmanager
    def stall_replication(self, leader: Node) -> Iterator[None]:
        """Within the block the leader sends the other two nothing; what it had not sent is lost."""
        senders = [
            pid
            for pid in leader.postgres_processes()[1:]
            if b"walsender" in Path(f"/proc/{pid}/cmdline").read_bytes()
        ]
        for pid in senders:
            os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            for pid in senders:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGCONT)

    def stop(self) -> None:
        super().stop()
        for node in self.nodes:
            node.stop()
        for node in self.nodes:
            node.etcd.stop()


class AsynchronousStack(ClusteredStack):
    """The same where a hand is acknowledged once the leader alone has it."""

    is_synchronous = False
