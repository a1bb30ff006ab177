"""The places in ``TONGBOX_BACKUPS_AWAY``."""

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Final, NoReturn

from django.conf import settings

from clubs.backup import BackupError
from clubs.backup.locations import S3_SCHEMES, Location, Store
from clubs.backup.program import Program
from clubs.backup.webdav import WebDAV

COMMAND_SCHEME: Final = "command:"


@dataclass(frozen=True, slots=True)
class BrokenStore:
    """A place whose address cannot be used: everything says why."""

    name: str
    reason: str

    @property
    def pattern(self) -> str:
        return self.name

    def upload(self, file: Path, name: str) -> NoReturn:  # noqa: ARG002
        raise BackupError(self.reason)

    def get(self, name: str, file: Path) -> NoReturn:  # noqa: ARG002
        raise BackupError(self.reason)

    def names(self) -> NoReturn:
        raise BackupError(self.reason)

    def delete(self, name: str) -> NoReturn:  # noqa: ARG002
        raise BackupError(self.reason)


def stores() -> list[Store]:
    """Every place of the setting, in its order; one whose address is wrong is ``BrokenStore``."""
    return [_make_store(address, number) for number, address in enumerate(settings.BACKUPS_AWAY, 1)]


def _make_store(address: str, number: int) -> Store:
    name = f"address {number} of TONGBOX_BACKUPS_AWAY"
    try:
        if address.startswith(COMMAND_SCHEME):
            return Program.read(address.removeprefix(COMMAND_SCHEME))
        location = Location.read(address)
        if location.scheme in {"webdav", "webdavs"}:
            return WebDAV(location)
        if location.scheme in S3_SCHEMES:
            # boto3 is large and not always installed: only those who use it load it.
            store: Store = import_module("clubs.backup.s3").S3(location)
            return store
    except ModuleNotFoundError:
        return BrokenStore(location.name, "S3 storage needs boto3: install tongbox[s3].")
    except BackupError as why:
        return BrokenStore(name, str(why))
    return BrokenStore(name, "An address begins with s3://, webdavs:// or command:.")
