"""How Tongbox is served where gunicorn does not run: one process, with the worker inside.

Waitress needs nothing that only POSIX has. Threads answer, and one loop reads and writes.
"""

import signal
import socket
import threading
import time
from collections.abc import Callable
from typing import Any, Final

import waitress
from django.conf import settings
from waitress import wasyncore

from config import embedded, env, logs, serving

MOST_CONNECTIONS: Final = 400  # Windows can wait for 512 at once
SECONDS_BETWEEN_LOOKS: Final = 1.0  # Windows notices Ctrl-C no sooner
SECONDS_TO_FINISH: Final = 30.0
STOP_SIGNAL_NAMES: Final = ("SIGINT", "SIGTERM", "SIGBREAK")  # the last is Windows's own


class Server:
    """A WSGI application at an address, ``192.168.1.20:8000``. Raises ``OSError`` if that is taken.

    On Windows, Waitress's own way to open a port would share it with a Tongbox that runs.
    """

    def __init__(self, application: Callable[..., Any], host: str, port: int) -> None:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self.door = socket.create_server((host, port), family=family)
        self.stopping = threading.Event()
        self.sockets: dict[int, Any] = {}
        self.server = waitress.create_server(
            application,
            map=self.sockets,
            sockets=[self.door],
            threads=env.thread_count(),
            connection_limit=MOST_CONNECTIONS,
            # One that is somewhat too large still gets our own page.
            max_request_body_size=10 * settings.MOST_SENT,
            # Who asks is judged by the application, as behind gunicorn.
            clear_untrusted_proxy_headers=False,
        )

    def stop(self, *_: object) -> None:
        """Have ``answer`` come to its end; also a signal's handler."""
        if self.stopping.is_set():  # a second Ctrl-C: the trigger may be closed by now
            return
        self.stopping.set()
        self.server.pull_trigger()

    def answer(self) -> None:
        """Answer until ``stop``, and then those who had asked before, for 30 seconds at most."""
        while not self.stopping.is_set():
            wasyncore.loop(timeout=SECONDS_BETWEEN_LOOKS, map=self.sockets, count=1)
        wasyncore.dispatcher.close(self.server)  # the door alone, no connection
        latest = time.monotonic() + SECONDS_TO_FINISH
        while self.server.active_channels and time.monotonic() < latest:
            for channel in list(self.server.active_channels.values()):
                # Requests being answered, one being received, and what is not sent yet.
                if not (channel.requests or channel.request or channel.total_outbufs_len):
                    channel.will_close = True
            wasyncore.loop(timeout=0.1, map=self.sockets, count=1)
        self.server.task_dispatcher.shutdown(timeout=1)
        wasyncore.close_all(self.sockets)


def host_and_port(host: str, port: int) -> str:
    """``127.0.0.1:8000`` or ``[::]:8000``."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def serve(
    application: Callable[..., Any],
    host: str,
    port: int,
    *,
    when_open: Callable[[], None] | None = None,
) -> None:
    """Serve with the embedded worker until Ctrl-C. Raises ``OSError`` if the address is taken.

    ``when_open`` is called once visitors can come; else the address is printed.
    """
    server = Server(application, host, port)
    for name in STOP_SIGNAL_NAMES:
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), server.stop)
    if when_open is None:
        logs.print_line(f"Tongbox is open at http://{host_and_port(host, port)} (Ctrl-C ends it)")
    else:
        when_open()
    serving.start_services(is_first=True)
    try:
        server.answer()
    finally:
        embedded.stop_worker()
