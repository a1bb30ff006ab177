"""How gunicorn serves Tongbox: on SQLite in one process, with the worker inside."""

import os
import signal
from typing import Any

from config import embedded, env, logs
from config.metrics import shared

wsgi_app = "config.wsgi"
worker_class = "gthread"
workers = 1 if env.is_sqlite() else int(env.text("TONGBOX_PROCESSES", "1"))
threads = env.thread_count()
graceful_timeout = 30
control_socket_disable = True  # one in the home folder is too few for several services
loglevel = "warning"
logconfig_dict = logs.logging_settings("WARNING", as_json=logs.IN_JSON)
accesslog = None

STOP_SIGNALS = {signal.SIGTERM, signal.SIGINT, signal.SIGQUIT}
FIRST_WORKER = 1  # the number of the first worker that a server starts


def restore_stop_signals() -> None:
    """Let a signal end a new worker: until it is set up, gunicorn's own handlers would lose it."""
    for stop in STOP_SIGNALS:
        signal.signal(stop, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)


os.register_at_fork(
    before=lambda: signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS),
    after_in_parent=lambda: signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS),
    after_in_child=restore_stop_signals,
)


def on_starting(server: Any) -> None:
    """Have links lead to the port that is opened, unless TONGBOX_PORT says where people come."""
    for address in server.cfg.address:
        if isinstance(address, tuple):  # not the path of a socket
            os.environ.setdefault("TONGBOX_PORT", str(address[1]))


def when_ready(server: Any) -> None:
    """Say where the pages are, once the port is open."""
    shared.start_counting("web")
    for address in server.LISTENERS:
        logs.print_line(f"Tongbox is open at {address} (Ctrl-C ends it)")


def post_fork(server: Any, worker: Any) -> None:  # noqa: ARG001
    """Room to count in, before anything is loaded that counts."""
    shared.reserve_files()


def post_worker_init(worker: Any) -> None:
    """Start the embedded worker and what else goes on beside, once the application is loaded."""
    from config import serving  # noqa: PLC0415 (it has models, loaded by now)

    serving.start_services(is_first=worker.age == FIRST_WORKER)


def worker_exit(server: Any, worker: Any) -> None:  # noqa: ARG001
    """Let the job in hand end before the process does."""
    embedded.stop_worker()


def child_exit(server: Any, worker: Any) -> None:  # noqa: ARG001
    """What a process had in hand when it ended is in nobody's hands any more."""
    shared.forget_process(worker.pid)
