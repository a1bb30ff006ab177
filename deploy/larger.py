"""Larger installations on loopback: PgBouncer before PostgreSQL, or a replica."""

from collections.abc import Mapping

from deploy.servers import PgBouncer, Postgres
from deploy.stack import DATABASE, Stack, free_ports

# Whoever writes waits until the replica has it on its disk, too.
SYNCHRONOUS_SQL = "ALTER SYSTEM SET synchronous_standby_names = '*'"


class PooledStack(Stack):
    """Everything asks PgBouncer, in transaction mode; backups alone ask PostgreSQL itself."""

    extras_text = ", PgBouncer"
    pooler: PgBouncer

    def extra_settings(self) -> Mapping[str, str]:
        (port,) = free_ports(1, None)
        self.pooler = PgBouncer.create(self.folder, port, self.postgres)
        direct = {"TONGBOX_DIRECT_DATABASE_URL": self.database_url}
        return {"DATABASE_URL": self.pooler.url(DATABASE), **direct}

    def start_servers(self) -> None:
        super().start_servers()
        self.pooler.start()

    def stop(self) -> None:
        super().stop()
        self.pooler.stop()


class ReplicatedStack(Stack):
    """DATABASE_URL names both servers; whichever takes writes is asked."""

    extras_text = ", a replica of PostgreSQL"
    replica: Postgres

    def extra_settings(self) -> Mapping[str, str]:
        (self.second_port,) = free_ports(1, None)
        first, _, name = self.database_url.rpartition("/")
        hosts_url = f"{first},127.0.0.1:{self.second_port}/{name}"
        return {"DATABASE_URL": f"{hosts_url}?target_session_attrs=read-write"}

    def start_servers(self) -> None:
        super().start_servers()
        self.replica = self.postgres.make_replica(self.folder, self.second_port)
        self.replica.start()
        self.postgres.sql("postgres", SYNCHRONOUS_SQL)
        self.postgres.sql("postgres", "SELECT pg_reload_conf()")

    def stop(self) -> None:
        super().stop()
        if hasattr(self, "replica"):
            self.replica.stop()
