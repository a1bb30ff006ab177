"""PostgreSQL's servers: one host or several in an address, and what stands before them."""

import re
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    from psycopg import Connection


ADDRESS_PARTS: Final = re.compile(r"([^:/?#]*://(?:[^/?#]*@)?)([^/?#@]*)(.*)", re.DOTALL)


def split_off_hosts(url: str) -> tuple[str, str]:
    """``postgres://user@one:5432,[2001:db8::2]/name`` as ``("postgres://user@/name", "one:…")``.

    Python reads the first: of the whole it refuses a number in brackets behind a comma.
    """
    parts = ADDRESS_PARTS.fullmatch(url)
    return (parts[1] + parts[3], parts[2]) if parts else (url, "")


def split_hosts(hosts: str) -> tuple[str, str]:
    """``one:5432,two`` as libpq reads it: ``("one,two", "5432,")``.

    A place without a port has PostgreSQL's own. Raises ``ValueError`` for a port that is none.
    """
    places = [urlsplit(f"//{place}") for place in hosts.split(",")]
    names = [unquote(place.hostname or "") for place in places]
    ports = [str(place.port or "") for place in places]
    return ",".join(names), ",".join(ports) if any(ports) else ""


def join_hosts(hosts: str, ports: str) -> str:
    """The other way round: ``("one,two", "5432,5433")`` is ``one:5432,two:5433``.

    One port for several hosts is the port of each.
    """
    all_hosts, all_ports = hosts.split(","), ports.split(",")
    if len(all_ports) == 1:
        all_ports *= len(all_hosts)
    bracketed_hosts = (f"[{host}]" if ":" in host else host for host in all_hosts)
    pairs = zip(bracketed_hosts, all_ports, strict=True)
    return ",".join(f"{host}:{port}" if port else host for host, port in pairs)


def is_behind_pooler(connection: "Connection[Any]") -> bool:
    """Whether another process answers than the one that the connection was promised.

    A pooler makes up the process id that it gives its client (the key to cancel a statement), for
    the client has no process of its own at the server.
    """
    row = connection.execute("SELECT pg_backend_pid()", prepare=False).fetchone()
    return row is not None and row[0] != connection.info.backend_pid
