"""Copies of backups, encrypted in the age format (age-encryption.org/v1) to one recovery key.

``age --decrypt --identity FILE`` opens them without Tongbox. What it opens is a tar archive of the
backup and of the secret key that signs the links on printed cards.
"""

import os
import re
import shutil
import tarfile
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import pyrage
from pyrage import x25519

from clubs.backup import BackupError
from clubs.backup.archive import PRIVATE_MODE

SEALED_SUFFIX: Final = ".tar.age"
SECRET_KEY_MEMBER: Final = "secret_key"  # noqa: S105
KEY_PATTERN: Final = re.compile(r"AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}")
KEY_HEAD: Final = (
    "# Tongbox’s recovery key. It opens the copies of backups that are kept elsewhere:\n"
    "# age --decrypt --identity THIS_FILE COPY.tar.age | tar --extract\n"
)


def make_key(file: Path) -> str:
    """Make a recovery key and keep it in the file, readable only by its owner.

    Raises ``FileExistsError``.
    """
    key = str(x25519.Identity.generate())
    keep_key(file, key)
    return key


def keep_key(file: Path, key: str) -> None:
    """Write it to a new file, as age reads it. Raises ``FileExistsError``."""
    file.parent.mkdir(parents=True, exist_ok=True)
    opener = partial(os.open, mode=PRIVATE_MODE)
    with open(file, "x", encoding="utf-8", opener=opener) as new:
        new.write(f"{KEY_HEAD}{key}\n")


def read_key(text: str) -> str:
    """The key in a key file, or as typed from paper: spaces and small letters do not matter.

    Raises ``BackupError`` if there is none, or a character is wrong.
    """
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    key = re.sub(r"\s", "", "".join(lines)).upper()
    try:
        if KEY_PATTERN.fullmatch(key):
            return str(x25519.Identity.from_str(key))
    except pyrage.IdentityError:
        pass
    raise BackupError(
        "That is not the recovery key. It begins with AGE-SECRET-KEY-1 and has 74 characters: "
        "compare each one with the paper."
    )


def seal(backup: Path, secret_key: str, into: Path, key: str) -> None:
    """Encrypt the backup and the secret key into one new file. Raises ``BackupError``."""
    plain = into.with_suffix(".plain")
    private: Any = {"mode": "xb", "opener": partial(os.open, mode=PRIVATE_MODE)}
    try:
        with open(plain, **private) as output, tarfile.open(fileobj=output, mode="w") as tar:
            tar.add(backup, backup.name)
            member = tarfile.TarInfo(SECRET_KEY_MEMBER)
            member.size, member.mode = len(secret_key.encode()), PRIVATE_MODE
            tar.addfile(member, BytesIO(secret_key.encode()))
        recipient = x25519.Identity.from_str(key).to_public()
        with plain.open("rb") as source, open(into, **private) as output:
            pyrage.encrypt_io(source, output, [recipient])
    except OSError as why:
        raise BackupError(f"The copy could not be encrypted: {why.strerror or why}.") from why
    finally:
        plain.unlink(missing_ok=True)


@dataclass(frozen=True, slots=True)
class UnsealedBackup:
    """A backup that was encrypted, and the secret key that came with it."""

    backup: Path
    secret_key: str


def unseal(sealed_file: Path, into: Path, key: str) -> UnsealedBackup:
    """Decrypt a copy into the folder; nothing that was changed on the way is taken for good.

    Raises ``BackupError``.
    """
    into.mkdir(exist_ok=True, mode=0o700)
    plain = into / "unsealed.tar"
    try:
        with sealed_file.open("rb") as source, plain.open("wb") as output:
            pyrage.decrypt_io(source, output, [x25519.Identity.from_str(key)])
    except (pyrage.DecryptError, OSError) as why:
        if isinstance(why, OSError) and why.errno:
            raise BackupError(f"{sealed_file.name} could not be opened: {why.strerror}.") from why
        if "No matching keys" in str(why):
            raise BackupError(
                f"{sealed_file.name} was encrypted with another recovery key."
            ) from why
        raise BackupError(f"{sealed_file.name} is incomplete, or has been altered.") from why
    try:
        with tarfile.open(plain) as tar:
            return _read_unsealed(tar, into)
    except (OSError, tarfile.TarError, UnicodeError) as why:
        raise BackupError(f"{sealed_file.name} holds no backup: {why}") from why
    finally:
        plain.unlink(missing_ok=True)


def _read_unsealed(tar: tarfile.TarFile, into: Path) -> UnsealedBackup:
    backup, secret_key = None, ""
    for member in tar:
        source = tar.extractfile(member) if member.isfile() else None
        if source is None or Path(member.name).name != member.name:
            raise tarfile.TarError(f"no copy holds “{member.name}”")
        if member.name == SECRET_KEY_MEMBER:
            secret_key = source.read().decode()
            continue
        backup = into / member.name
        with open(backup, "wb", opener=partial(os.open, mode=PRIVATE_MODE)) as output:
            shutil.copyfileobj(source, output)
    if backup is None:
        raise tarfile.TarError("it is empty")
    return UnsealedBackup(backup, secret_key)
