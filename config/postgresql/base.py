"""What a kept connection needs: seen to be dead without asking, and safe behind a pooler."""

import logging
import selectors
from typing import Any

from django.db.backends.postgresql import base
from psycopg import Connection

from clubs.backup.hosts import is_behind_pooler

log = logging.getLogger(__name__)

# Each connection keeps the plan of what it has asked twice: two fifths of the server's work.
PREPARED_AFTER = 2


class DatabaseWrapper(base.DatabaseWrapper):
    """PostgreSQL as Django has it, but for the question before each request's first statement.

    A server that ends or drops a connection writes to it, or closes it: both can be read at the
    socket, where a sound connection has nothing to read between two requests.

    Behind a pooler such as PgBouncer each transaction may run in another session of the server.
    So nothing stays in a session: no prepared statement, no cursor outside a transaction.
    """

    # ``select`` fails on Linux where many files are open; Windows has no ``poll``.
    selector = getattr(selectors, "PollSelector", selectors.SelectSelector)
    is_pooled = False

    def get_new_connection(self, conn_params: dict[str, Any]) -> "Connection[Any]":
        """Connect; a ``prepare_threshold`` in the address counts, whatever is between."""
        connection: Connection[Any] = super().get_new_connection(conn_params)
        connection.autocommit = True  # as Django would set it next
        self.is_pooled = is_behind_pooler(connection)
        if self.is_pooled:
            log.info("A pooler stands before PostgreSQL: statements are not prepared.")
        if "prepare_threshold" not in self.settings_dict["OPTIONS"]:
            connection.prepare_threshold = None if self.is_pooled else PREPARED_AFTER
        return connection

    def chunked_cursor(self) -> Any:
        """A cursor of the server's, which lives as long as its session or its transaction."""
        self.ensure_connection()
        if self.is_pooled and self.get_autocommit():
            return self.cursor()
        return super().chunked_cursor()

    def is_usable(self) -> bool:
        """Ask the server only after something went wrong; else look at the socket."""
        if self.errors_occurred or self.connection is None or self.connection.closed:
            return bool(super().is_usable())
        with self.selector() as sockets:
            sockets.register(self.connection.fileno(), selectors.EVENT_READ)
            return not sockets.select(0)
