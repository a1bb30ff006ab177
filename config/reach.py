"""How browsers on this computer, and phones near it, come to the Tongbox that runs here."""

import os
import socket
import sys
import threading
import webbrowser
from http.client import HTTPConnection, HTTPException
from io import StringIO
from typing import Final
from urllib.parse import urlsplit

import segno
from django.conf import settings
from django.core.management.color import supports_color

from clubs.core.addresses import chosen_address, is_ip_address, is_served_address, own_ip_addresses
from clubs.house.first_run import is_new_installation
from config import env, logs

PORT_TIMEOUT: Final = 2.0
SECONDS_BETWEEN_LOOKS: Final = 15.0
WHITE_ON_BLACK, RESET_COLOURS = "\033[97;40m", "\033[0m"  # scanners want light ground
NO_NETWORK_MESSAGE: Final = (
    "Phones cannot reach this computer yet: it is not on a Wi-Fi network.\n"
    "Join the hall’s Wi-Fi, and the address for phones will be shown here.\n"
)


def is_tongbox(port: int) -> bool:
    """Whether a Tongbox answers at this port of this computer."""
    visitor = HTTPConnection("127.0.0.1", port, timeout=PORT_TIMEOUT)
    try:
        visitor.request("GET", "/healthz/")
        answer = visitor.getresponse()
        return answer.read(3) == b"ok" and answer.getheader("X-Request-ID") is not None
    except (OSError, HTTPException):
        return False
    finally:
        visitor.close()


def is_free(port: int) -> bool:
    """Whether Tongbox could open this port for phones.

    Some systems would let it, and still send this computer's own browser to who was there before.
    """
    with socket.socket() as visitor:
        visitor.settimeout(PORT_TIMEOUT)
        if visitor.connect_ex(("127.0.0.1", port)) == 0:
            return False
    try:
        socket.create_server(("0.0.0.0", port)).close()  # noqa: S104
    except OSError:
        return False
    return True


def qr_code(address: str) -> str:
    """The QR code of an address, in characters of half a square."""
    buffer = StringIO()
    segno.make(address, micro=False, error="m").terminal(buffer, border=2, compact=True)
    lines = buffer.getvalue().splitlines()
    if supports_color():
        lines = [f"{WHITE_ON_BLACK}{line}{RESET_COLOURS}" for line in lines]
    return "\n".join(f"  {line}" for line in lines)


def open_browser(address: str) -> None:
    """Open the page where there is a screen to show it, without waiting for the browser."""
    has_screen = sys.platform in {"win32", "darwin"} or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    )
    if has_screen:
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()


def set_port(port: int) -> None:
    """Have links lead to this port of this computer, also those that our child processes write."""
    settings.PORT = port
    os.environ["TONGBOX_PORT"] = str(port)


class Reach:
    """The addresses of this computer, also after it has joined another network."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.local_url = f"http://localhost:{port}"
        self.phones: list[str] = []

    def look(self) -> bool:
        """Answer to the numbers that this computer has now; whether they are others than before.

        TONGBOX_HOSTS says otherwise: then only to what it names.
        """
        numbers = own_ip_addresses()
        name = socket.gethostname().lower().partition(".")[0]
        if not env.text("TONGBOX_HOSTS"):
            new = {*numbers, name, f"{name}.local"} - {*settings.ALLOWED_HOSTS, ""}
            settings.ALLOWED_HOSTS.extend(sorted(new))
        old_phones = self.phones
        self.phones = [f"http://{number}:{self.port}" for number in numbers]
        self._lead_links_here()
        return self.phones != old_phones

    def _lead_links_here(self) -> None:
        """Where the chosen address is of another network, QR codes get the one of this network."""
        if settings.SITE_ADDRESS or is_new_installation():
            return
        site_address = chosen_address()
        host = urlsplit(site_address).hostname or ""
        is_elsewhere = not site_address or (
            is_ip_address(host) and not is_served_address(site_address)
        )
        settings.NETWORK_ADDRESS = next(iter(self.phones), "") if is_elsewhere else ""

    def keep_looking(self) -> None:
        """Look again and again, beside what else goes on, and say it when something has changed."""

        def watch() -> None:
            while not threading.Event().wait(SECONDS_BETWEEN_LOOKS):
                if self.look():
                    self.describe("This computer has changed networks.")

        threading.Thread(target=watch, name="tongbox-reach", daemon=True).start()

    def describe(self, heading: str = "Tongbox is open.") -> None:
        """Print where to open Tongbox, on this computer and on phones."""
        logs.print_line(f"\n{heading}\n\n  On this computer   {self.local_url}")
        for number, address in enumerate(self.phones):
            logs.print_line(f"  {'Or try' if number else 'On phones':<19}{address}")
        if not self.phones:
            logs.print_line(f"\n{NO_NETWORK_MESSAGE}")
        elif sys.stdout.isatty():
            logs.print_line(f"\n{qr_code(self.phones[0])}\n")
        site_address = chosen_address()
        if settings.NETWORK_ADDRESS and site_address:
            logs.print_line(
                f"On this network, QR codes lead to {settings.NETWORK_ADDRESS}. Cards printed for\n"
                f"{site_address} will not work here: print them again.\n"
            )
