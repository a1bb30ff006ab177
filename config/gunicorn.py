"""How gunicorn serves Tongbox: on SQLite one process of eight threads, with the worker inside."""

import gc
import json
import os
import signal
import sys
from typing import Any

from clubs.backup import databases
from config import embedded, env, logs
from config.metrics import shared

wsgi_app = "config.wsgi"
worker_class = "gthread"
workers = int(env.text("TONGBOX_PROCESSES", "1")) if env.text("DATABASE_URL") else 1
threads = 8
graceful_timeout = 30
control_socket_disable = True  # one in the home folder is too few for several services
loglevel = "warning"
in_json = env.text("TONGBOX_LOG_AS", "lines") == "json"
logconfig_dict = logs.settings("WARNING", as_json=in_json)
accesslog = None

# What is loaded at the start is never garbage; what requests leave behind is collected every tenth
# request and not several times in each. That saves 5 in 100 of the processor's time.
LITTER = (10_000, 20, 20)

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


def say(sentence: str) -> None:
    """Print a line for the person who started the server, or for its log."""
    sys.stdout.write(f"{json.dumps({'event': sentence}) if in_json else sentence}\n")
    sys.stdout.flush()


def when_ready(server: Any) -> None:
    """Say where the pages are, once the port is open."""
    shared.begin("web")
    for address in server.LISTENERS:
        say(f"Tongbox is open at {address} (Ctrl-C ends it)")


def post_fork(server: Any, worker: Any) -> None:  # noqa: ARG001
    """Room to count in, before anything is loaded that counts."""
    shared.reserve()


FIRST = 1  # the number of the first worker that a server starts


def post_worker_init(worker: Any) -> None:
    """Start the embedded worker once the application is loaded, unless Redis wakes real ones."""
    from config import first_run, warming  # noqa: PLC0415 (they have models, loaded by now)

    if worker.age == FIRST and (sentence := first_run.sentence()):
        say(sentence)
    databases.begin()
    embedded.start()
    warming.start()
    gc.freeze()
    gc.set_threshold(*LITTER)


def worker_exit(server: Any, worker: Any) -> None:  # noqa: ARG001
    """Let the job in hand end before the process does."""
    embedded.stop()


def child_exit(server: Any, worker: Any) -> None:  # noqa: ARG001
    """What a process had in hand when it ended is in nobody's hands any more."""
    shared.forget(worker.pid)
