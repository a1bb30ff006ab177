"""Backups: written, compared, and rotated."""

import hashlib
import json
import os
import shutil
import tarfile
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import date, datetime, timedelta
from fractions import Fraction
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Annotated, Final

from django.conf import settings
from django.db.models import Subquery
from django.utils import timezone
from filelock import FileLock

from clubs.backup import BackupError
from clubs.backup.away_news import AwayNews, away_news_at, without_details
from clubs.backup.databases import POSTGRESQL, SQLITE
from clubs.core.versioned_cache import get_or_compute
from clubs.models import Backup, Club, User

MANIFEST: Final = "manifest.json"
FILES_FOLDER: Final = "files"
UNFINISHED_PREFIX: Final = ".making-"
PRIVATE_MODE: Final = 0o600
READABLE_MODE: Final = 0o644
GZIP_LEVEL: Final = 3  # gzip's level: a dump of PostgreSQL is small already
SEVERAL_DATABASES_MESSAGE: Final = (
    "This backup has clubs in several databases, which this Tongbox does not read. Restore it with "
    "the Tongbox that made it, move each club with “move_club CLUB default”, and back up "
    "again."
)

LineValue = str | int | bool | Fraction | date | None
PeriodFunction = Callable[[datetime], Hashable]
PERIODS: Final[tuple[PeriodFunction, PeriodFunction, PeriodFunction]] = (
    lambda moment: moment.date(),
    lambda moment: moment.isocalendar()[:2],
    lambda moment: (moment.year, moment.month),
)

TOO_OLD: Final = timedelta(days=2)
TEST_RESTORE_WITHIN: Final = timedelta(hours=2)
NEWS_CACHE_SECONDS: Final = 60  # seconds


@dataclass(frozen=True, slots=True)
class Manifest:
    """The description in a backup; ``sha256`` is of the database's dump."""

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
    """A private folder beside the backups, deleted afterwards; only one at a time, others wait.

    First deletes what a killed process left behind. Raises ``BackupError``.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with FileLock(folder / ".lock"):
            for old_folder in folder.glob(f"{UNFINISHED_PREFIX}*"):
                shutil.rmtree(old_folder, ignore_errors=True)
            work_folder = folder / f"{UNFINISHED_PREFIX}{os.getpid()}"
            work_folder.mkdir(mode=0o700)
            try:
                yield work_folder
            finally:
                shutil.rmtree(work_folder, ignore_errors=True)
    except OSError as why:
        raise BackupError(f"The backup could not be written: {why.strerror or why}.") from why


def pack(work: Path, manifest: Manifest, files: Path, *, made_at: datetime) -> Path:
    """Pack the dump in ``work`` and the ``files`` into one file named by date; returns its path.

    The file is renamed only once it is completely on disk; only its owner can read it.
    """
    fields = asdict(manifest) | {"sha256": sha256_of(work / manifest.database)}
    archive_path = work / "packed"
    with open(archive_path, "xb", opener=partial(os.open, mode=PRIVATE_MODE)) as output:
        with tarfile.open(fileobj=output, mode="w:gz", compresslevel=GZIP_LEVEL) as tar:
            data = json.dumps(fields, indent=1).encode()
            member = tarfile.TarInfo(MANIFEST)
            member.size, member.mode = len(data), PRIVATE_MODE
            tar.addfile(member, BytesIO(data))
            tar.add(work / manifest.database, manifest.database)
            for path in sorted(files.rglob("*")) if files.is_dir() else []:
                with suppress(FileNotFoundError):  # deleted meanwhile
                    if path.is_file():
                        tar.add(path, f"{FILES_FOLDER}/{path.relative_to(files).as_posix()}")
        output.flush()
        os.fsync(output.fileno())
    name, number = f"tongbox-{made_at:%Y-%m-%d-%H%M%S}", 1
    while (
        destination := work.parent / f"{name}{f'-{number}' if number > 1 else ''}.tar.gz"
    ).exists():
        number += 1
    archive_path.rename(destination)
    # Sync the folder too, so that the name is on disk. Windows opens no folder.
    if hasattr(os, "O_DIRECTORY"):
        folder = os.open(work.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    return destination


def manifest_of(file: Path) -> Manifest:
    """The backup's manifest. Raises ``BackupError`` if the file is not a backup of one database."""
    try:
        with tarfile.open(file, "r:gz") as tar:
            member = tar.extractfile(MANIFEST)
            assert member is not None  # noqa: S101
            fields = json.loads(member.read())
            if "others" in fields:
                raise BackupError(SEVERAL_DATABASES_MESSAGE)
            return Manifest(**fields)
    except (OSError, EOFError, tarfile.TarError, LookupError, ValueError, TypeError) as why:
        raise BackupError(f"{file.name} is not a Tongbox backup, or is incomplete: {why}") from why


def unpack(file: Path, into: Path) -> Manifest:
    """Unpack everything into the folder. Raises ``BackupError`` if it is damaged."""
    manifest = manifest_of(file)
    if manifest.database not in {SQLITE, POSTGRESQL}:
        raise BackupError(f"{file.name} contains no database that this Tongbox knows.")
    try:
        with tarfile.open(file, "r:gz") as tar:
            for member in tar:
                # Only regular files in the folder, as ``pack`` writes. (Filters came with Python
                # 3.11.4.)
                destination = (into / member.name).resolve()
                source = tar.extractfile(member) if member.isfile() else None
                if source is None or not destination.is_relative_to(into.resolve()):
                    raise tarfile.TarError(f"no backup holds “{member.name}”")
                destination.parent.mkdir(parents=True, exist_ok=True)
                with destination.open("wb") as output:
                    shutil.copyfileobj(source, output)
                destination.chmod(member.mode & READABLE_MODE | PRIVATE_MODE)
                os.utime(destination, (member.mtime, member.mtime))
    except (OSError, EOFError, tarfile.TarError) as why:
        raise BackupError(f"{file.name} cannot be unpacked: {why}") from why
    if sha256_of(into / manifest.database) != manifest.sha256:
        raise BackupError(
            f"{file.name} is damaged: the database in it does not match the one that was saved."
        )
    return manifest


def sha256_of(file: Path) -> str:
    """The file's SHA-256, 64 hexadecimal digits."""
    with file.open("rb") as source:
        return hashlib.file_digest(source, "sha256").hexdigest()


def restore_files(work: Path, folder: Path) -> None:
    """Copy the files of an unpacked backup into an empty or missing folder."""
    if folder.exists() and any(folder.iterdir()):
        raise BackupError(
            f"{folder} is not empty, so its files were left alone. Choose an empty folder."
        )
    if (work / FILES_FOLDER).is_dir():
        shutil.copytree(work / FILES_FOLDER, folder, dirs_exist_ok=True)


def encode_line(*values: LineValue) -> str:
    """``["seat",7,"3/2",null]``: the values on one line of ASCII, in their order.

    A fraction is written in lowest terms, a day as 2026-11-22. Types that databases store with
    different precision (floats, decimals, times of day) raises ``TypeError``.
    """
    plain: list[str | int | bool | None] = []
    for value in values:
        if isinstance(value, Fraction):
            plain.append(f"{value.numerator}/{value.denominator}")
        elif isinstance(value, date) and not isinstance(value, datetime):
            plain.append(value.isoformat())
        elif value is None or isinstance(value, str | int):
            plain.append(value)
        else:
            raise TypeError(f"{type(value).__name__} is not written alike everywhere: {value!r}")
    return json.dumps(plain, separators=(",", ":"))


def lines_digest(lines: Iterable[str]) -> str:
    """SHA-256 of the lines, each with a newline; 64 hexadecimal digits."""
    digest = hashlib.sha256()
    for line in lines:
        digest.update(line.encode("ascii"))
        digest.update(b"\n")
    return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class RetentionCounts:
    """How many daily, weekly and monthly backups to keep; each at least 0."""

    days: int = 7
    weeks: int = 5
    months: int = 12

    @classmethod
    def read(cls, text: str) -> "RetentionCounts":
        """Parse ``7,5,12``. Raises ``ValueError``."""
        numbers = [int(word) for word in text.split(",")]
        if len(numbers) != 3 or min(numbers) < 0:
            raise ValueError(f"{text!r} must be days,weeks,months, such as 7,5,12")
        return cls(*numbers)


@dataclass(frozen=True, slots=True)
class RotatedBackup:
    """A backup as the rotation sees it; ``key`` sorts by creation, whatever the clock said."""

    key: int
    made_at: datetime
    is_good: bool


def expired_backups(backups: Iterable[RotatedBackup], retention: RetentionCounts) -> set[int]:
    """The keys of the backups that may be deleted.

    Keeps the last good one, and the newest good one of each of the last so many days, weeks and
    months that have one. Bad or untested ones are kept while they are newer than every good one,
    and never count.
    """
    lot = sorted(backups, key=lambda item: item.key)
    good = [item for item in lot if item.is_good]
    stays = {item.key for item in good[-1:]}
    for part, most in zip(
        PERIODS, (retention.days, retention.weeks, retention.months), strict=True
    ):
        # Sorted by the date's parts: a clock set back does not make an old day the newest.
        newest = {
            part(entry.made_at): entry
            for entry in sorted(good, key=lambda entry: (entry.made_at, entry.key))
        }
        last = list(newest.values())[-most:] if most else []
        stays |= {item.key for item in last}
    last_good = good[-1].key if good else -1
    stays |= {item.key for item in lot if not item.is_good and item.key > last_good}
    return {item.key for item in lot} - stays


@dataclass(frozen=True, slots=True)
class BackupNews:
    """The state of the backups of the whole installation.

    ``put_back_at`` is when that backup was restored, if none was made since.
    """

    good_at: Annotated[datetime | None, "null: no good backup was made"]
    trouble: Annotated[str, "empty: no problem"] = ""
    fault: Annotated[str, "why the newest one failed"] = ""
    put_back_at: Annotated[
        datetime | None, "when Tongbox was restored from a backup; null: never"
    ] = None
    away: Annotated[tuple[AwayNews, ...], "the encrypted copies at other places"] = ()


def backup_news() -> BackupNews:
    """The current state; one to four queries a minute for all requests."""
    return get_or_compute(
        "backup-news", lambda: _installation_news(timezone.now()), seconds=NEWS_CACHE_SECONDS
    )


def _installation_news(now: datetime) -> BackupNews:
    away_news = away_news_at(now)
    if away_news and not _is_run_by_secretaries():
        away_news = tuple(map(without_details, away_news))
    return replace(backup_news_at(now), away=away_news)


def _is_run_by_secretaries() -> bool:
    """Whether the secretaries of a club run this installation themselves."""
    clubs = Club.objects.filter(rehearsal_of=None)
    return settings.FOUNDING == "closed" and len(clubs.values("pk")[:2]) < 2


def backup_news_at(now: datetime) -> BackupNews:
    """The state at that moment; one query, two if no backup was ever made."""
    good = Backup.objects.filter(is_good=True).order_by("-pk").values("made_at")[:1]
    newest = Backup.objects.order_by("-pk").annotate(good_at=Subquery(good)).first()
    if newest is None:
        # Warn people who have used it for days without a backup.
        first = User.objects.order_by("date_joined").values_list("date_joined", flat=True).first()
        is_old = first is not None and now - first > TOO_OLD
        return BackupNews(None, "No backup has ever been made." if is_old else "")
    good_at: datetime | None = newest.good_at
    trouble = ""
    if newest.is_good is False:
        trouble = "The last backup failed its test."
    elif newest.is_good is None and newest.fault:
        trouble = "The last backup was made but could not be tested."
    elif newest.is_good is None and now - newest.made_at > TEST_RESTORE_WITHIN:
        end = "was made but has not been tested" if newest.file else "did not finish"
        trouble = f"The last backup {end}."
    elif now - (newest.put_back_at or good_at or newest.made_at) > TOO_OLD:
        trouble = "There has been no successful backup for more than two days."
    return BackupNews(good_at, trouble, newest.fault, newest.put_back_at)
