"""Where copies of backups and printouts go: addresses in settings, and what is possible there."""

import re
import socket
from dataclasses import dataclass
from enum import StrEnum
from ipaddress import ip_address
from pathlib import Path
from typing import Final, Protocol
from urllib.parse import parse_qsl, unquote, urlencode

from clubs.backup import BackupError

SILENCE_SECONDS: Final = 60  # seconds without a byte
# Passwords are often pasted as they are, so they may contain “/” and “:”, but “@” as %40.
ADDRESS_PATTERN: Final = re.compile(
    r"(?P<scheme>[a-z0-9+]+)://(?:(?P<user>[^:@]*):(?P<password>[^@]*)@)?"
    r"(?P<host>\[[0-9a-f:.]+\]|[^:/?@\[\]]+)(?::(?P<port>[0-9]{1,5}))?/(?P<path>[^?]*)"
    r"(?:\?(?P<query>.*))?",
    re.IGNORECASE | re.DOTALL,
)
UNENCRYPTED_SCHEMES: Final = ("s3+http", "webdav")
S3_SCHEMES: Final = ("s3", "s3+http")
USUAL_REGION: Final = "us-east-1"


class Fault(StrEnum):
    """What can go wrong there, as a sentence for the operator."""

    UNREACHABLE = "{server} cannot be reached. Check the address and the network."
    SILENT = "{server} stopped answering, or the network is too slow."
    UNTRUSTED = "The security certificate of {server} is not valid."
    UNKNOWN = "{server} did not accept the user name or the password."
    FORBIDDEN = "{server} does not allow this user to do that."  # or it is append-only
    FULL = "The storage at {server} is full."
    TOO_LARGE = "{server} does not accept files as large as this copy."
    NO_FOLDER = "There is no folder {folder} at {server}. Create it there first."
    NO_FILE = "There is no copy of that name at {server}."
    WRONG_CLOCK = "This computer’s clock is wrong, so {server} refuses the connection."


class Store(Protocol):
    """A folder elsewhere. Every method raises ``BackupError`` with a sentence for the operator."""

    @property
    def name(self) -> str:
        """The address without its secrets, for people and for the database."""

    @property
    def pattern(self) -> str:
        """The address as in the setting, with USER and PASSWORD instead of the secrets."""

    def upload(self, file: Path, name: str) -> None:
        """Send the file; it replaces one of that name only when all of it is there."""

    def get(self, name: str, file: Path) -> None:
        """Fetch it into the file."""

    def names(self) -> list[str]:
        """The names of everything in the folder."""

    def delete(self, name: str) -> None:
        """Delete it; no error if it is not there."""


@dataclass(frozen=True, slots=True)
class Location:
    """The parts of an address: ``scheme://user:password@host:port/path?key=value``.

    ``path`` has no slash at either end; an empty ``port`` means the scheme's own.
    """

    scheme: str
    host: str
    port: str
    path: str
    user: str = ""
    password: str = ""
    options: tuple[tuple[str, str], ...] = ()

    @classmethod
    def read(cls, text: str) -> "Location":
        """Parse the address. Raises ``BackupError``, which never repeats the password."""
        match = ADDRESS_PATTERN.fullmatch(text)
        if match is None:
            raise BackupError("The address is not like webdavs://USER:PASSWORD@cloud.example.org/…")
        user, password, path = (unquote(match[part] or "") for part in ("user", "password", "path"))
        options = tuple(parse_qsl(match["query"] or ""))
        scheme, host = match["scheme"].lower(), match["host"].lower()
        return cls(scheme, host, match["port"] or "", path.strip("/"), user, password, options)

    @property
    def name(self) -> str:
        """``cloud.example.org/remote.php/dav/files/anna``: the address without its secrets."""
        return f"{self.server}/{self.path}".rstrip("/")

    @property
    def pattern(self) -> str:
        query = f"?{urlencode(self.options)}" if self.options else ""
        return f"{self.scheme}://USER:PASSWORD@{self.name}{query}"

    @property
    def server(self) -> str:
        """``cloud.example.org:8443``."""
        return f"{self.host}:{self.port}" if self.port else self.host

    @property
    def url(self) -> str:
        """``https://cloud.example.org:8443``: the server as HTTP has it."""
        return f"http{'s' if self.is_secure else ''}://{self.server}"

    @property
    def region(self) -> str:
        """The region of a bucket."""
        return dict(self.options).get("region", USUAL_REGION)

    @property
    def bucket(self) -> str:
        return self.path.partition("/")[0]

    @property
    def folder(self) -> str:
        """The folder in the bucket, without slashes at its ends; often empty."""
        return self.path.partition("/")[2]

    @property
    def is_secure(self) -> bool:
        return self.scheme not in UNENCRYPTED_SCHEMES

    def check(self) -> None:
        """Raises ``BackupError`` if a password would go over the internet unencrypted."""
        if self.is_secure:
            return
        try:
            result = socket.getaddrinfo(self.host.strip("[]"), None, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as why:
            raise self.trouble(Fault.UNREACHABLE) from why
        if not all(ip_address(str(item[4][0]).partition("%")[0]).is_private for item in result):
            secure_scheme = {"s3+http": "s3", "webdav": "webdavs"}[self.scheme]
            raise BackupError(
                f"{self.server} is on the internet, so its address must begin with {secure_scheme}://."
            )

    def trouble(self, fault: Fault) -> BackupError:
        return BackupError(fault.format(server=self.server, folder=self.path))
