"""A PostgreSQL database that is made for one run and dropped after it."""

import os
from types import TracebackType
from urllib.parse import urlsplit

import psycopg

from benchmarks.load.server import processor_of


class Postgres:
    """A database of its own on a server that others may share."""

    def __init__(self, server: str) -> None:
        """``server`` is the address of any database of it, as DATABASE_URL has it."""
        self._server = server
        self.name = f"tongbox_load_{os.getpid()}"

    def __enter__(self) -> str:
        self._tell(f'CREATE DATABASE "{self.name}"')
        return urlsplit(self._server)._replace(path=f"/{self.name}").geturl()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        raised: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._tell(f'DROP DATABASE "{self.name}" WITH (FORCE)')

    def processor(self) -> float:
        """Seconds of the processor that the sessions of this database have had; on this machine.

        Writing the log and the pages later is done by processes that all databases share.
        """
        with psycopg.connect(self._server, autocommit=True) as session:
            asked = "SELECT pid FROM pg_stat_activity WHERE datname = %s"
            sessions = session.execute(asked, [self.name]).fetchall()
        return sum(processor_of(pid) for (pid,) in sessions)

    def _tell(self, statement: str) -> None:
        with psycopg.connect(self._server, autocommit=True) as session:
            session.execute(statement.encode())
