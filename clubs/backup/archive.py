"""A backup as one file: the manifest, the database and the files, written whole or not at all."""

import fcntl
import hashlib
import json
import os
import shutil
import tarfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import date, datetime
from fractions import Fraction
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Final

from clubs.backup.databases import POSTGRESQL, SQLITE, Trouble

MANIFEST: Final = "manifest.json"
FILES: Final = "files"
BEING_MADE: Final = ".making-"
PRIVATE: Final = 0o600
READABLE: Final = 0o644
QUICK: Final = 3  # gzip's level: a dump of PostgreSQL is small already


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a backup says of itself; ``sha256`` is of the database's dump."""

    made_at: str
    database: str
    digest: str
    clubs: dict[str, str]
    tables: dict[str, int]
    migrations: list[str]
    sha256: str = ""
    layout: int = field(default=1)


@contextmanager
def workplace(folder: Path) -> Iterator[Path]:
    """A private folder beside the backups, gone afterwards; one at a time, the others wait.

    What someone left who was killed in the middle is swept first. Raises ``Trouble``.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with (folder / ".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            for left in folder.glob(f"{BEING_MADE}*"):
                shutil.rmtree(left, ignore_errors=True)
            made = folder / f"{BEING_MADE}{os.getpid()}"
            made.mkdir(mode=0o700)
            try:
                yield made
            finally:
                shutil.rmtree(made, ignore_errors=True)
    except OSError as why:
        raise Trouble(f"The backup could not be written: {why.strerror or why}.") from why


def pack(work: Path, manifest: Manifest, files: Path, *, at: datetime) -> Path:
    """One file of what lies in ``work`` beside the ``files``, under its day; returns where it is.

    It appears under its name when all of it is on the disk, for its owner's eyes alone.
    """
    dumped = work / manifest.database
    told = {**asdict(manifest), "sha256": sha256_of(dumped)}
    packed = work / "packed"
    with os.fdopen(os.open(packed, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE), "wb") as out:
        with tarfile.open(fileobj=out, mode="w:gz", compresslevel=QUICK) as tar:
            _add(tar, MANIFEST, json.dumps(told, indent=1).encode())
            tar.add(dumped, manifest.database)
            _add_files(tar, files)
        out.flush()
        os.fsync(out.fileno())
    kept = _free_name(work.parent, at)
    packed.rename(kept)
    _flush(work.parent)
    return kept


def manifest_of(file: Path) -> Manifest:
    """What the backup says of itself; raises ``Trouble`` where the file is none."""
    try:
        with tarfile.open(file, "r:gz") as tar:
            told = tar.extractfile(MANIFEST)
            assert told is not None  # noqa: S101
            return Manifest(**json.loads(told.read()))
    except (OSError, EOFError, tarfile.TarError, KeyError, ValueError, TypeError) as why:
        raise Trouble(f"{file.name} is not a backup of Tongbox, or not whole: {why}") from why


def unpack(file: Path, into: Path) -> Manifest:
    """Lay all of it into the folder; raises ``Trouble`` where it is damaged."""
    manifest = manifest_of(file)
    if manifest.database not in {SQLITE, POSTGRESQL}:
        raise Trouble(f"{file.name} holds no database that is known here.")
    try:
        with tarfile.open(file, "r:gz") as tar:
            for told in tar:
                _lay(tar, told, into)
    except (OSError, EOFError, tarfile.TarError) as why:
        raise Trouble(f"{file.name} cannot be unpacked: {why}") from why
    if sha256_of(into / manifest.database) != manifest.sha256:
        raise Trouble(f"{file.name} is damaged: its database is not the one that was written.")
    return manifest


def _lay(tar: tarfile.TarFile, told: tarfile.TarInfo, into: Path) -> None:
    """One file, within the folder; ``pack`` writes no other. (Filters came with Python 3.11.4.)"""
    where = (into / told.name).resolve()
    written = tar.extractfile(told) if told.isfile() else None
    if written is None or not where.is_relative_to(into.resolve()):
        raise tarfile.TarError(f"no backup holds “{told.name}”")
    where.parent.mkdir(parents=True, exist_ok=True)
    with where.open("wb") as out:
        shutil.copyfileobj(written, out)
    where.chmod(told.mode & READABLE | PRIVATE)
    os.utime(where, (told.mtime, told.mtime))


def sha256_of(file: Path) -> str:
    """The file's SHA-256, 64 hexadecimal digits."""
    with file.open("rb") as read:
        return hashlib.file_digest(read, "sha256").hexdigest()


def _add(tar: tarfile.TarFile, name: str, data: bytes) -> None:
    told = tarfile.TarInfo(name)
    told.size, told.mode = len(data), PRIVATE
    tar.addfile(told, BytesIO(data))


def _add_files(tar: tarfile.TarFile, files: Path) -> None:
    """What is let go while we look is not missed."""
    for path in sorted(files.rglob("*")) if files.is_dir() else []:
        try:
            if path.is_file():
                tar.add(path, f"{FILES}/{path.relative_to(files)}")
        except FileNotFoundError:
            continue


def _free_name(folder: Path, at: datetime) -> Path:
    name, number = f"tongbox-{at:%Y-%m-%d-%H%M%S}", 1
    while (kept := folder / f"{name}{f'-{number}' if number > 1 else ''}.tar.gz").exists():
        number += 1
    return kept


def _flush(folder: Path) -> None:
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def put_files(work: Path, folder: Path) -> None:
    """Lay the files of an unpacked backup into a folder that is empty or not there."""
    if folder.exists() and any(folder.iterdir()):
        raise Trouble(f"There is something in {folder} already; its files were left alone.")
    if (work / FILES).is_dir():
        shutil.copytree(work / FILES, folder, dirs_exist_ok=True)


Told = str | int | bool | Fraction | date | None

PLAIN: Final = (str, int, bool, type(None))


def line(*told: Told) -> str:
    """``["seat",7,"3/2",null]``: what is told on one line of ASCII, in the order of telling.

    A fraction is written in lowest terms, a day as 2026-11-22. Anything that a database might keep
    with a precision of its own (floats, decimals, times of day) raises ``TypeError``.
    """
    return json.dumps([_plain(one) for one in told], separators=(",", ":"))


def digest_of(lines: Iterable[str]) -> str:
    """SHA-256 over the lines, each ended by a newline; 64 hexadecimal digits."""
    told = sha256()
    for one in lines:
        told.update(one.encode("ascii"))
        told.update(b"\n")
    return told.hexdigest()


def _plain(one: Told) -> str | int | bool | None:
    if isinstance(one, Fraction):
        return f"{one.numerator}/{one.denominator}"
    if isinstance(one, date) and not isinstance(one, datetime):
        return one.isoformat()
    if isinstance(one, PLAIN):
        return one
    raise TypeError(f"{type(one).__name__} is not written alike everywhere: {one!r}")
