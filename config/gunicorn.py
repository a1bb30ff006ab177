"""How gunicorn serves Tongbox: on SQLite in one process, with the worker inside."""

import os
import signal
from typing import Any

from config import embedded, env, logs
from config.metrics import shared

wsgi_app = "config.wsgi"
worker_class = "gthread"
workers = 1 if env.is_sqlite() else int(env.text("TONGBOX_PROCESSES", "1"))
threads = env.threads()
graceful_timeout = 30
control_socket_disable = True  # one in the home folder is too few for several services
loglevel = "warning"
logconfig_dict = logs.settings("WARNING", as_json=logs.IN_JSON)
accesslog = None

STOPS = {signal.SIGTERM, signal.SIGINT, signal.SIGQUIT}


def end_at_a_stop() -> None:
    """Let a signal end a new worker: until it is set up, gunicorn's own handlers would lose it."""
    for stop in STOPS:
        signal.signal(stop, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)


os.register_at_fork(
    before=lambda: signal.pthread_sigmask(signal.SIG_BLOCK, STOPS),
    after_in_parent=lambda: signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS),
    after_in_child=end_at_a_stop,
)


def on_starting(server: Any) -> None:
    """Have links lead to the port that is opened, unless TONGBOX_PORT says where people come."""
    for address in server.cfg.address:
        if isinstance(address, tuple):  # not the path of a socket
            os.environ.setdefault("TONGBOX_PORT", str(address[1]))


def when_ready(server: Any) -> None:
    """Say where the pages are, once the port is open."""
    shared.begin("web")
    for address in server.LISTENERS:
        logs.say(f"Tongbox is open at {address} (Ctrl-C ends it)")


def post_fork(server: Any, worker: Any) -> None:  # noqa: ARG001
    """Room to count in, before anything is loaded that counts."""
    shared.reserve()


FIRST = 1  # the number of the first worker that a server starts


def post_worker_init(worker: Any) -> None:
    """Start the embedded worker and what else goes on beside, once the application is loaded."""
    from config import serving  # noqa: PLC0415 (it has models, loaded by now)

    serving.begin(is_first=worker.age == FIRST)


def worker_exit(server: Any, worker: Any) -> None:  # noqa: ARG001
    """Let the job in hand end before the process does."""
    embedded.stop()


def child_exit(server: Any, worker: Any) -> None:  # noqa: ARG001
    """What a process had in hand when it ended is in nobody's hands any more."""
    shared.forget(worker.pid)
