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

SOCKET_TIMEOUT: Final = 10
TOTAL_TIMEOUT: Final = 15  # seconds for everything, however slow the server
PUBLIC_IPV6: Final = ip_network("2000::/3")  # also translators, tunnels and old private nets
REDIRECTING_NETWORKS: Final = [
    ip_network(net) for net in ("2002::/16", "3fff::/20", "192.0.0.0/24", "192.88.99.0/24")
]
DEFAULT_PORTS: Final = {"https": 443, "http": 80}


class PostFailed(Exception):
    """Nothing was sent, or there was no response; the message says why."""


@dataclass(frozen=True, slots=True)
class PostResponse:
    """The status that came back; nothing else is read."""

    status: int

    @property
    def is_good(self) -> bool:
        return 200 <= self.status < 300


def address_fault(address: str, *, private: bool) -> str:
    """What is wrong with an address; empty if nothing is."""
    try:
        _split_address(address, private=private)
    except PostFailed as wrong:
        return str(wrong)
    return ""


def post(address: str, body: bytes, headers: Mapping[str, str], *, private: bool) -> PostResponse:
    """Post once, without following redirects; ``private``: also within one's own network.

    Raises ``PostFailed``.
    """
    parts = _split_address(address, private=private)
    host, port = str(parts.hostname), parts.port or DEFAULT_PORTS[parts.scheme]
    connection = _make_connection(parts.scheme, host, port, _look_up(host, port, private=private))

    def cut() -> None:
        """End a connection whose other side takes too long."""
        if connection.sock is not None:
            try:
                connection.sock.shutdown(socket.SHUT_RDWR)
            except OSError:
                connection.sock.close()

    clock = Timer(TOTAL_TIMEOUT, cut)
    clock.start()
    try:
        path = f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"
        connection.request("POST", path, body, dict(headers))
        return PostResponse(connection.getresponse().status)
    except SSLError as wrong:
        raise PostFailed("Its security certificate is not valid.") from wrong
    except TimeoutError as wrong:
        raise PostFailed("It did not answer in time.") from wrong
    except (OSError, HTTPException) as wrong:
        raise PostFailed("It could not be reached, or the connection was lost.") from wrong
    finally:
        clock.cancel()
        connection.close()


def _split_address(address: str, *, private: bool) -> SplitResult:
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname, parts.port
    except ValueError as wrong:
        raise PostFailed("This is not a valid web address.") from wrong
    if parts.scheme != "https" and not (private and parts.scheme == "http"):
        raise PostFailed("The address must begin with https://.")
    if not host or parts.username is not None or parts.fragment or not address.isascii():
        raise PostFailed("This is not a valid web address.")
    if not all("!" <= letter <= "~" for letter in address):
        raise PostFailed("The address contains a space or a character that is not allowed.")
    try:
        literal = ip_address(host)
    except ValueError:
        return parts
    if not private and not _is_public(literal):
        raise PostFailed("This machine is not on the public internet.")
    return parts


def _look_up(host: str, port: int, *, private: bool) -> str:
    """The first address of the name; all must be public."""
    try:
        result = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as wrong:
        raise PostFailed("No server was found at this address.") from wrong
    addresses = [str(item[4][0]).partition("%")[0] for item in result]
    if not private and not all(_is_public(ip_address(value)) for value in addresses):
        raise PostFailed("This machine is not on the public internet.")
    return addresses[0]


def _is_public(address: IPv4Address | IPv6Address) -> bool:
    inner_address = getattr(address, "ipv4_mapped", None) or address
    if isinstance(inner_address, IPv6Address) and inner_address not in PUBLIC_IPV6:
        return False
    is_redirecting = any(
        inner_address in net for net in REDIRECTING_NETWORKS if net.version == inner_address.version
    )
    return inner_address.is_global and not inner_address.is_multicast and not is_redirecting


def _make_connection(scheme: str, host: str, port: int, host_address: str) -> HTTPConnection:
    """A connection in the name of the host, to the machine that was looked up."""
    connection: Any
    if scheme == "https":
        connection = HTTPSConnection(
            host, port, timeout=SOCKET_TIMEOUT, context=create_default_context()
        )
    else:
        connection = HTTPConnection(host, port, timeout=SOCKET_TIMEOUT)
    connection._create_connection = lambda address, *args: socket.create_connection(
        (host_address, address[1]), *args
    )
    return connection  # type: ignore[no-any-return]
