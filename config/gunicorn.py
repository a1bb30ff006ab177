"""How gunicorn serves Tongbox: on SQLite one process of eight threads, with the worker inside."""

from typing import Any

from config import env

worker_class = "gthread"
workers = int(env.text("TONGBOX_PROCESSES", "1"))
threads = 8
graceful_timeout = 30
accesslog = None


def post_worker_init(worker: Any) -> None:
    """Start the embedded worker once the application is loaded, unless Redis wakes real ones."""
    from config import embedded

    embedded.start()
    worker.log.info("Tongbox is ready")


def worker_exit(server: Any, worker: Any) -> None:  # noqa: ARG001
    """Let the job in hand end before the process does."""
    from config import embedded

    embedded.stop()


def when_ready(server: Any) -> None:
    """Say where the pages are, once the port is open."""
    for address in server.LISTENERS:
        server.log.warning("Tongbox is open at %s", address)
