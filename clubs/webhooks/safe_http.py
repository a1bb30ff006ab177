"""Posts to addresses chosen by others: to public machines only, resolved once, with a time limit.

The name is resolved once, all its addresses must be public, and the connection goes to a checked
address, so that DNS rebinding has no effect.
"""

import socket
from collections.abc import Mapping
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from ssl import SSLError, create_default_context
from threading import Timer
from typing import Any, Final
from urllib.parse import SplitResult, urlsplit

SECONDS: Final = 10
LONGEST: Final = 15  # seconds for everything, however slow the server
PUBLIC_SIX: Final = ip_network("2000::/3")  # also translators, tunnels and old private nets
LEADS_ELSEWHERE: Final = [
    ip_network(net) for net in ("2002::/16", "3fff::/20", "192.0.0.0/24", "192.88.99.0/24")
]
PORTS: Final = {"https": 443, "http": 80}


class Unreachable(Exception):
    """Nothing was sent, or there was no response; the message says why."""


@dataclass(frozen=True, slots=True)
class Answered:
    """The status that came back; nothing else is read."""

    status: int

    @property
    def is_good(self) -> bool:
        return 200 <= self.status < 300


def fault_of(address: str, *, private: bool) -> str:
    """What is wrong with an address; empty if nothing is."""
    try:
        _parted(address, private=private)
    except Unreachable as wrong:
        return str(wrong)
    return ""


def post(address: str, body: bytes, headers: Mapping[str, str], *, private: bool) -> Answered:
    """Post once, without following redirects; ``private``: also within one's own network.

    Raises ``Unreachable``.
    """
    parts = _parted(address, private=private)
    host, port = str(parts.hostname), parts.port or PORTS[parts.scheme]
    connection = _connection(parts.scheme, host, port, _looked_up(host, port, private=private))

    def cut() -> None:
        """End a connection whose other side takes too long."""
        if connection.sock is not None:
            try:
                connection.sock.shutdown(socket.SHUT_RDWR)
            except OSError:
                connection.sock.close()

    clock = Timer(LONGEST, cut)
    clock.start()
    try:
        path = f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"
        connection.request("POST", path, body, dict(headers))
        return Answered(connection.getresponse().status)
    except SSLError as wrong:
        raise Unreachable("Its security certificate is not valid.") from wrong
    except TimeoutError as wrong:
        raise Unreachable("It did not answer in time.") from wrong
    except (OSError, HTTPException) as wrong:
        raise Unreachable("It could not be reached, or the connection was lost.") from wrong
    finally:
        clock.cancel()
        connection.close()


def _parted(address: str, *, private: bool) -> SplitResult:
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname, parts.port
    except ValueError as wrong:
        raise Unreachable("This is not a valid web address.") from wrong
    if parts.scheme != "https" and not (private and parts.scheme == "http"):
        raise Unreachable("The address must begin with https://.")
    if not host or parts.username is not None or parts.fragment or not address.isascii():
        raise Unreachable("This is not a valid web address.")
    if not all("!" <= letter <= "~" for letter in address):
        raise Unreachable("The address contains a space or a character that is not allowed.")
    try:
        literal = ip_address(host)
    except ValueError:
        return parts
    if not private and not _is_public(literal):
        raise Unreachable("This machine is not on the public internet.")
    return parts


def _looked_up(host: str, port: int, *, private: bool) -> str:
    """The first address of the name; all must be public."""
    try:
        result = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as wrong:
        raise Unreachable("No server was found at this address.") from wrong
    addresses = [str(item[4][0]).partition("%")[0] for item in result]
    if not private and not all(_is_public(ip_address(value)) for value in addresses):
        raise Unreachable("This machine is not on the public internet.")
    return addresses[0]


def _is_public(address: IPv4Address | IPv6Address) -> bool:
    within = getattr(address, "ipv4_mapped", None) or address
    if isinstance(within, IPv6Address) and within not in PUBLIC_SIX:
        return False
    through = any(within in net for net in LEADS_ELSEWHERE if net.version == within.version)
    return within.is_global and not within.is_multicast and not through


def _connection(scheme: str, host: str, port: int, at: str) -> HTTPConnection:
    """A connection in the name of the host, to the machine that was looked up."""
    connection: Any
    if scheme == "https":
        connection = HTTPSConnection(host, port, timeout=SECONDS, context=create_default_context())
    else:
        connection = HTTPConnection(host, port, timeout=SECONDS)
    connection._create_connection = lambda where, *rest: socket.create_connection(
        (at, where[1]), *rest
    )
    return connection  # type: ignore[no-any-return]
