"""The places in ``TONGBOX_BACKUPS_AWAY``."""

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Final, NoReturn

from django.conf import settings

from clubs.backup import Trouble
from clubs.backup.locations import S3_SCHEMES, Location, Store
from clubs.backup.program import Program
from clubs.backup.webdav import WebDAV

COMMAND: Final = "command:"


@dataclass(frozen=True, slots=True)
class Broken:
    """A place whose address cannot be used: everything says why."""

    name: str
    why: str

    @property
    def pattern(self) -> str:
        return self.name

    def put(self, file: Path, name: str) -> NoReturn:  # noqa: ARG002
        raise Trouble(self.why)

    def get(self, name: str, file: Path) -> NoReturn:  # noqa: ARG002
        raise Trouble(self.why)

    def names(self) -> NoReturn:
        raise Trouble(self.why)

    def delete(self, name: str) -> NoReturn:  # noqa: ARG002
        raise Trouble(self.why)


def stores() -> list[Store]:
    """Every place of the setting, in its order; one whose address is wrong is ``Broken``."""
    return [_store(address, number) for number, address in enumerate(settings.BACKUPS_AWAY, 1)]


def _store(address: str, number: int) -> Store:
    name = f"address {number} of TONGBOX_BACKUPS_AWAY"
    try:
        if address.startswith(COMMAND):
            return Program.read(address.removeprefix(COMMAND))
        location = Location.read(address)
        if location.scheme in {"webdav", "webdavs"}:
            return WebDAV(location)
        if location.scheme in S3_SCHEMES:
            # boto3 is large and not always installed: only those who use it load it.
            store: Store = import_module("clubs.backup.s3").S3(location)
            return store
    except ModuleNotFoundError:
        return Broken(location.name, "S3 storage needs boto3: install tongbox[s3].")
    except Trouble as why:
        return Broken(name, str(why))
    return Broken(name, "An address begins with s3://, webdavs:// or command:.")
