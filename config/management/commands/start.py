"""Start Tongbox on a computer of the club, and open it in the browser."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.core.wsgi import get_wsgi_application

from clubs.backup.databases import is_served, own_database
from config import logs
from config.reach import Reach, is_free, is_tongbox, open_browser, set_port
from config.waitress import serve

ALL_INTERFACES = "0.0.0.0"  # noqa: S104 (phones come from outside)


class Command(BaseCommand):
    """``manage.py start``: prepare, serve to this computer and to phones near it; until Ctrl-C."""

    help = "Start Tongbox for this computer and the phones near it, and open it in the browser."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=settings.PORT)
        parser.add_argument("--no-browser", action="store_true", help="open no browser")

    def handle(self, *args: Any, **options: Any) -> None:
        port, opens = options["port"], not options["no_browser"]
        reach = Reach(port)
        if not is_free(port):
            self._open_what_runs(reach, opens=opens)
            return
        set_port(port)
        call_command("upgrade")
        reach.look()

        def when_open() -> None:
            reach.describe()
            logs.print_line(f"Your data are in {settings.VAR_DIR}. To stop, press Ctrl-C here.")
            reach.keep_looking()
            if opens:
                open_browser(reach.local_url)

        try:
            # Made only now: it serves those static files that are there when it is made.
            serve(get_wsgi_application(), ALL_INTERFACES, port, when_open=when_open)
        except OSError as why:
            raise CommandError(f"Tongbox cannot open port {port}: {why.strerror}.") from why
        logs.print_line("Tongbox has stopped. Everything is saved.")

    def _open_what_runs(self, reach: Reach, *, opens: bool) -> None:
        """Something has the port: show it if it is this very Tongbox. Raises ``CommandError``."""
        book = own_database()
        is_another = isinstance(book, Path) and not is_served(book)
        if is_another or not is_tongbox(reach.port):
            occupant = (
                "another Tongbox, with other data" if is_tongbox(reach.port) else "another program"
            )
            raise CommandError(
                f"Port {reach.port} is used by {occupant}. Stop that first, or choose another "
                f"port: tongbox --port {reach.port + 1}"
            )
        logs.print_line(f"Tongbox is already open at {reach.local_url}")
        if opens:
            open_browser(reach.local_url)
