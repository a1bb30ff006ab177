"""Copies of backups in a WebDAV folder, such as Nextcloud’s (RFC 4918)."""

from base64 import b64encode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from pathlib import Path
from shutil import copyfileobj
from ssl import SSLError, create_default_context
from typing import IO, Final
from urllib.parse import quote, unquote, urlsplit
from xml.etree.ElementTree import ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from clubs.backup import BackupError
from clubs.backup.locations import SILENCE_SECONDS, Fault, Location

UNFINISHED_SUFFIX: Final = ".part"
HREF_TAG: Final = "{DAV:}href"
MAX_LISTING_BYTES: Final = 10_000_000  # bytes
FAULTS_BY_STATUS: Final = {
    401: Fault.UNKNOWN,
    403: Fault.FORBIDDEN,
    404: Fault.NO_FILE,
    405: Fault.FORBIDDEN,
    409: Fault.NO_FOLDER,
    413: Fault.TOO_LARGE,
    423: Fault.FORBIDDEN,
    507: Fault.FULL,
}


@dataclass(frozen=True, slots=True)
class WebDAV:
    """A folder on a WebDAV server; redirects are not followed."""

    location: Location

    @property
    def name(self) -> str:
        return self.location.name

    @property
    def pattern(self) -> str:
        return self.location.pattern

    def upload(self, file: Path, name: str) -> None:
        """Under another name first, and renamed when all of it has arrived."""
        self.names()  # a wrong password or folder is answered before the file is sent
        with file.open("rb") as body:
            length = {"Content-Length": str(file.stat().st_size)}
            with self._answer("PUT", name + UNFINISHED_SUFFIX, body, length):
                pass
        target = {"Destination": self.location.url + self._path(name), "Overwrite": "T"}
        with self._answer("MOVE", name + UNFINISHED_SUFFIX, headers=target):
            pass

    def get(self, name: str, file: Path) -> None:
        with self._answer("GET", name) as answer, file.open("wb") as output:
            copyfileobj(answer, output)
            if answer.length:
                raise self.location.trouble(Fault.SILENT)

    def names(self) -> list[str]:
        with self._answer("PROPFIND", "", headers={"Depth": "1"}) as answer:
            listing = answer.read(MAX_LISTING_BYTES)
        try:
            hrefs = [item.text or "" for item in fromstring(listing).iter(HREF_TAG)]
        except (ParseError, DefusedXmlException) as why:
            raise BackupError(f"{self.location.server} is not a WebDAV server.") from why
        paths = [unquote(urlsplit(href).path) for href in hrefs]
        return [path.rpartition("/")[2] for path in paths if not path.endswith("/")]

    def delete(self, name: str) -> None:
        for file_name in (name, name + UNFINISHED_SUFFIX):
            try:
                with self._answer("DELETE", file_name):
                    pass
            except NotFound:
                continue

    def _path(self, name: str) -> str:
        folder = f"/{self.location.path}/" if self.location.path else "/"
        return quote(f"{folder}{name}")

    @contextmanager
    def _answer(
        self, verb: str, name: str, body: IO[bytes] | None = None, headers: Mapping[str, str] = {}
    ) -> Iterator[HTTPResponse]:
        self.location.check()
        host, port = self.location.host.strip("[]"), int(self.location.port or 0) or None
        connection = (
            HTTPSConnection(host, port, timeout=SILENCE_SECONDS, context=create_default_context())
            if self.location.is_secure
            else HTTPConnection(host, port, timeout=SILENCE_SECONDS)
        )
        secret = b64encode(f"{self.location.user}:{self.location.password}".encode()).decode()
        request_headers = {**headers, "Authorization": f"Basic {secret}"}
        try:
            connection.connect()
        except SSLError as why:
            raise self.location.trouble(Fault.UNTRUSTED) from why
        except (OSError, HTTPException, UnicodeError) as why:
            raise self.location.trouble(Fault.UNREACHABLE) from why
        try:
            # A server that is full answers before it has read everything.
            with suppress(BrokenPipeError, ConnectionResetError):
                connection.request(verb, self._path(name), body, request_headers)
            answer = connection.getresponse()
            self._check(answer, name)
            yield answer
        except (OSError, HTTPException) as why:
            raise self.location.trouble(Fault.SILENT) from why
        finally:
            connection.close()

    def _check(self, answer: HTTPResponse, name: str) -> None:
        status = answer.status
        if 200 <= status < 300:
            return
        if fault := FAULTS_BY_STATUS.get(status):
            if fault is Fault.NO_FILE:
                raise NotFound(str(self.location.trouble(fault if name else Fault.NO_FOLDER)))
            raise self.location.trouble(fault)
        if 300 <= status < 400:
            target = answer.headers.get("Location", "elsewhere")
            raise BackupError(f"{self.location.server} has moved to {target}.")
        raise BackupError(f"{self.location.server} answered {status} {answer.reason}.")


class NotFound(BackupError):
    """There is no file of that name, or no such folder."""
