"""Whether a kept connection still works is seen at its socket, without asking the server."""

import selectors

from django.db.backends.postgresql import base


class DatabaseWrapper(base.DatabaseWrapper):
    """PostgreSQL as Django has it, but for the question before each request's first statement.

    A server that ends or drops a connection writes to it, or closes it: both can be read at the
    socket, where a sound connection has nothing to read between two requests.
    """

    # ``select`` fails on Linux where many files are open; Windows has no ``poll``.
    selector = getattr(selectors, "PollSelector", selectors.SelectSelector)

    def is_usable(self) -> bool:
        """Ask the server only after something went wrong; else look at the socket."""
        if self.errors_occurred or self.connection is None or self.connection.closed:
            return bool(super().is_usable())
        with self.selector() as sockets:
            sockets.register(self.connection.fileno(), selectors.EVENT_READ)
            return not sockets.select(0)
