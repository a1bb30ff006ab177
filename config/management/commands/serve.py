"""Serve Tongbox, on any system."""

import os
import sys
from argparse import ArgumentParser, ArgumentTypeError
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from clubs.language.words import whole_number
from config.reach import set_port
from config.waitress import host_and_port, serve
from config.wsgi import application
from tongbox import places

try:
    import gunicorn.app.wsgiapp  # noqa: F401 (on Windows it can be installed, but not loaded)
except ImportError:
    HAS_GUNICORN = False
else:
    HAS_GUNICORN = not getattr(sys, "frozen", False)  # that is a program of its own


def parse_bind(text: str) -> tuple[str, int]:
    """Host and port of ``127.0.0.1:8000`` or ``[::]:8000``."""
    host, _, port = text.rpartition(":")
    number = whole_number(port, most=2**16 - 1)
    if not host or not number:
        raise ArgumentTypeError(f"{text} is not an address and a port, such as 0.0.0.0:8000")
    return host.strip("[]"), number


class Command(BaseCommand):
    """``manage.py serve``: gunicorn, or Waitress where gunicorn does not run; until Ctrl-C."""

    help = "Serve Tongbox until Ctrl-C: with gunicorn, or where that does not run with Waitress."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--bind", type=parse_bind, default="127.0.0.1:8000", help="0.0.0.0:8000 lets phones in"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        host, port = options["bind"]
        set_port(port)
        if HAS_GUNICORN:
            self._become_gunicorn(host_and_port(host, port))
        try:
            serve(application, host, port)
        except OSError as why:
            raise CommandError(f"Tongbox cannot open {host}:{port}: {why.strerror}.") from why

    def _become_gunicorn(self, bind: str) -> None:
        """The same process goes on as gunicorn: it must count before Django is loaded."""
        config = places.ROOT / "config" / "gunicorn.py"
        if places.IS_CHECKOUT:
            path = [str(places.ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
            os.environ["PYTHONPATH"] = os.pathsep.join(path)
        arguments = ["-P", "-m", "gunicorn", "--config", str(config), "--bind", bind, "config.wsgi"]
        os.execv(sys.executable, [sys.executable, *arguments])  # noqa: S606
