"""The file itself: a zip with a manifest and one member of lines for each table."""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import datetime
from functools import partial
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from math import inf
from os import SEEK_END
from time import monotonic
from typing import IO, Any, Final
from uuid import UUID
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile, ZipInfo

from django.db.migrations.loader import MigrationLoader
from django.utils.dateparse import parse_datetime

from clubs.clubfile.contents import FORMAT_VERSION
from scoring.scorebook.refusals import refuse

FILE_KIND: Final = "tongbox club"
MANIFEST: Final = "manifest.json"
SUFFIX: Final = ".tongbox"
OWN_APPS: Final = ("clubs", "scorebook", "tournaments")
MOST_UNPACKED: Final = 300_000_000  # bytes
MAX_EXPANSION: Final = 40  # as large as packed; our own files unpack to 9 times
UNPACKED_ALLOWANCE: Final = 1_000_000  # unpacked, whatever the size of the file
MIN_BYTES_PER_ROW: Final = 20  # packed; our own rows have 70
ROW_ALLOWANCE: Final = 5_000
MAX_MANIFEST_BYTES: Final = 100_000
MAX_LINE_BYTES: Final = 2_000_000

NO_CLUB_FILE_MESSAGE: Final = (
    "This is not a club file from Tongbox. Choose the file that ends in .tongbox."
)
CHANGED_MESSAGE: Final = "This file is damaged or was changed after it was made."
DAMAGED_MESSAGE: Final = f"{CHANGED_MESSAGE} Download the club again."
TOO_LARGE_MESSAGE: Final = "This file is too large for Tongbox to import."
TOO_SLOW_MESSAGE: Final = (
    "Importing this file takes too long here. Ask your Tongbox administrator to import it."
)
NEWER_MESSAGE: Final = (
    "This file was made by a newer Tongbox. Update this Tongbox, then import it again."
)
OLDER_MESSAGE: Final = (
    "This file was made by an older Tongbox. Update that Tongbox, then download the club again."
)
READ_ERRORS: Final = (
    BadZipFile,
    OSError,
    EOFError,
    ValueError,
    RecursionError,
    KeyError,
    TypeError,
)

TableLines = Iterable[tuple[str, Iterable[str]]]  # each table's label, and its rows as JSON


@dataclass(frozen=True, slots=True)
class Manifest:
    """What stands at the front of a club file; ``counts`` are rows by table."""

    uid: str
    name: str
    slug: str
    made_at: str
    counts: dict[str, int]
    digest: str
    version: str
    migrations: dict[str, str]
    format: int = FORMAT_VERSION
    tongbox: str = field(default=FILE_KIND)

    @property
    def creation_time(self) -> datetime:
        """When the file was made. Raises ``ValueError``."""
        made_at = parse_datetime(self.made_at)
        if made_at is None or made_at.tzinfo is None:
            raise ValueError(self.made_at)
        return made_at


def tongbox_version() -> str:
    """The version that is installed; empty in a checkout."""
    try:
        return version("tongbox")
    except PackageNotFoundError:
        return ""


def newest_migrations() -> dict[str, str]:
    """The last migration of each app of ours, as this version of Tongbox has them."""
    return {app: name for app, name in MigrationLoader(None).graph.leaf_nodes() if app in OWN_APPS}


@dataclass(slots=True)
class Digest:
    """SHA-256 over every line, table by table, and how many lines each table has."""

    counts: dict[str, int] = field(default_factory=dict)
    _hash: Any = field(default_factory=sha256)

    def add_lines(self, label: str, lines: Iterable[str]) -> Iterator[bytes]:
        """The lines with their ends, counted and digested on the way."""
        self._hash.update(f"{label}\n".encode("ascii"))
        self.counts[label] = 0
        for line in lines:
            data = f"{line}\n".encode("ascii")
            self._hash.update(data)
            self.counts[label] += 1
            yield data

    @property
    def digits(self) -> str:
        """64 hexadecimal digits."""
        return str(self._hash.hexdigest())


def digest_of_tables(tables: TableLines) -> Digest:
    """The digest of these rows, without writing them."""
    digest = Digest()
    for label, lines in tables:
        for _ in digest.add_lines(label, lines):
            pass
    return digest


def write_club_file(
    file: IO[bytes], tables: TableLines, *, uid: UUID, name: str, slug: str, made_at: datetime
) -> Manifest:
    """Write a club file; returns its manifest."""
    digest = Digest()
    with ZipFile(file, "w", ZIP_DEFLATED) as zip_file:
        for label, lines in tables:
            with zip_file.open(member_name(label), mode="w", force_zip64=True) as member:
                for data in digest.add_lines(label, lines):
                    member.write(data)
        manifest = Manifest(
            uid=str(uid),
            name=name,
            slug=slug,
            made_at=made_at.isoformat(timespec="seconds"),
            counts=digest.counts,
            digest=digest.digits,
            version=tongbox_version(),
            migrations=newest_migrations(),
        )
        zip_file.writestr(MANIFEST, json.dumps(asdict(manifest), indent=1))
    return manifest


def member_name(label: str) -> str:
    return f"rows/{label.lower()}.jsonl"


@dataclass(frozen=True, slots=True)
class ClubFile:
    """A club file that is open, has been checked against its digest, and fits this version.

    ``deadline`` is the moment of the monotonic clock after which no more of it is read.
    """

    manifest: Manifest
    zip_file: ZipFile
    deadline: float = inf

    def rows(self, label: str) -> Iterator[dict[str, Any]]:
        """The rows of a table. Raises ``Refused`` where one cannot be read."""
        with refuse_unreadable():
            for line in self._lines(label):
                row = json.loads(line, parse_constant=_refuse_number, parse_float=float)
                if not isinstance(row, dict) or ("\\u" in line and _has_strange_text(row)):
                    raise ValueError(line[:80])
                yield row

    def refuse_late(self) -> None:
        """Raises ``Refused`` if importing the file has taken too long."""
        if monotonic() > self.deadline:
            raise refuse("too_slow", TOO_SLOW_MESSAGE, "file")

    def _lines(self, label: str) -> Iterator[str]:
        with self.zip_file.open(member_name(label)) as member:
            for number, data in enumerate(iter(partial(member.readline, MAX_LINE_BYTES), b""), 1):
                if not data.endswith(b"\n") or number > self.manifest.counts[label]:
                    raise ValueError(label)
                self.refuse_late()
                yield data[:-1].decode("ascii")

    def check(self, labels: Iterable[str]) -> None:
        """Refused unless it has just these tables, as they were when the file was made."""
        with refuse_unreadable():
            digest = digest_of_tables((label, self._lines(label)) for label in labels)
        if (digest.digits, digest.counts) != (self.manifest.digest, self.manifest.counts):
            raise refuse("damaged", DAMAGED_MESSAGE, "file")


@contextmanager
def refuse_unreadable() -> Iterator[None]:
    """What cannot be read is refused as damaged."""
    try:
        yield
    except READ_ERRORS as why:
        raise refuse("damaged", DAMAGED_MESSAGE, "file") from why


@contextmanager
def open_club_file(
    file: IO[bytes], labels: Iterable[str], *, seconds: float = inf
) -> Iterator[ClubFile]:
    """A club file that may come from anywhere; for so long it can be read.

    All of it is read once, so open it before any transaction begins. Raises ``Refused`` with what
    is wrong with it.
    """
    tables, deadline = tuple(labels), monotonic() + seconds
    size = file.seek(0, SEEK_END)
    try:
        zip_file = ZipFile(file)
    except READ_ERRORS as why:
        raise refuse("no_club_file", NO_CLUB_FILE_MESSAGE, "file") from why
    with zip_file:
        members = zip_file.infolist()
        manifest = _read_manifest(zip_file, members)
        _check_version(manifest)
        most = min(MOST_UNPACKED, UNPACKED_ALLOWANCE + MAX_EXPANSION * size)
        if sum(member.file_size for member in members) > most:  # nothing is unpacked yet
            raise refuse("too_large", TOO_LARGE_MESSAGE, "file")
        expected_names = sorted([MANIFEST, *map(member_name, tables)])
        if sorted(member.filename for member in members) != expected_names:
            raise refuse("damaged", DAMAGED_MESSAGE, "file")
        _check_counts(manifest.counts, tables, size)
        club_file = ClubFile(manifest, zip_file, deadline)
        club_file.check(tables)
        yield club_file


def _check_counts(counts: Mapping[str, Any], tables: Iterable[str], size: int) -> None:
    """Refused unless there is a number of rows for each table, and they fit a file of that size."""
    numbers = [rows for rows in counts.values() if type(rows) is int and rows >= 0]
    if sorted(counts) != sorted(tables) or len(numbers) < len(counts):
        raise refuse("damaged", DAMAGED_MESSAGE, "file")
    if sum(numbers) > ROW_ALLOWANCE + size // MIN_BYTES_PER_ROW:
        raise refuse("too_large", TOO_LARGE_MESSAGE, "file")


def _read_manifest(zip_file: ZipFile, members: Iterable[ZipInfo]) -> Manifest:
    sizes = {member.filename: member.file_size for member in members}
    if sizes.get(MANIFEST, MAX_MANIFEST_BYTES + 1) > MAX_MANIFEST_BYTES:
        raise refuse("no_club_file", NO_CLUB_FILE_MESSAGE, "file")
    try:
        data = json.loads(zip_file.read(MANIFEST))
        if data["tongbox"] != FILE_KIND:
            raise ValueError(data["tongbox"])
        fields = {name: data[name] for name in Manifest.__slots__ if name in data}
        if data["format"] == FORMAT_VERSION and fields.keys() != data.keys():
            raise ValueError(sorted(data))
        manifest = Manifest(**fields)
        _check_types(manifest)
    except READ_ERRORS as why:
        raise refuse("no_club_file", NO_CLUB_FILE_MESSAGE, "file") from why
    return manifest


def _check_types(manifest: Manifest) -> None:
    """Raises ``ValueError`` unless every field is what it should be."""
    texts = (manifest.uid, manifest.name, manifest.slug, manifest.digest, manifest.version)
    maps = (manifest.counts, manifest.migrations)
    if not all(isinstance(word, str) for word in texts) or not isinstance(manifest.format, int):
        raise ValueError(texts)
    if not all(isinstance(value, dict) for value in maps):
        raise ValueError(maps)
    UUID(manifest.uid)
    _ = manifest.creation_time


def _check_version(manifest: Manifest) -> None:
    """Refused unless the file is of this version's format and of its tables."""
    own_migrations, file_migrations = newest_migrations(), manifest.migrations
    if manifest.format == FORMAT_VERSION and file_migrations == own_migrations:
        return
    known_migrations = {f"{app}.{name}" for app, name in MigrationLoader(None).disk_migrations}
    is_newer = manifest.format > FORMAT_VERSION or any(
        f"{app}.{name}" not in known_migrations for app, name in file_migrations.items()
    )
    raise refuse(*(("newer", NEWER_MESSAGE) if is_newer else ("older", OLDER_MESSAGE)), "file")


def _has_strange_text(row: dict[str, Any]) -> bool:
    """Whether it has a character that databases do not store: a null, or half of one."""
    text = json.dumps(row, ensure_ascii=False)
    return "\\u0000" in text or any("\ud800" <= letter <= "\udfff" for letter in text)


def _refuse_number(text: str) -> float:
    raise ValueError(text)
