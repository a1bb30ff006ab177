"""A club that moves away and comes back, and files that somebody has changed."""

import json
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Any
from zipfile import ZIP_STORED, ZipFile

from django.db import transaction

from clubs.clubfile.archive import MANIFEST, Manifest, digest_of_tables, member_name
from clubs.clubfile.selectors import export_club, table_labels
from clubs.clubfile.services import ImportedClub, import_club
from clubs.core.locks import lock_club
from clubs.house.services import delete_club_rows
from clubs.models import Club, User
from clubs.tenancy import club_scope
from scoring.scorebook.ledger import canonical_json

Rows = list[dict[str, Any]]


def file_of(club: Club) -> tuple[BytesIO, Manifest]:
    """The club's file and its manifest."""
    file = BytesIO()
    with club_scope(club.pk):
        manifest = export_club(club, file)
    return file, manifest


def remove(club: Club) -> None:
    """Delete the club, as an operator's deletion does."""
    with transaction.atomic():
        delete_club_rows(club=lock_club(club.pk))


def move_club(club: Club, user: User) -> ImportedClub:
    """The club after it has been removed here and brought back from its file: with other keys."""
    file, _ = file_of(club)
    remove(club)
    return import_club(file, user=user)


def rows_in(file: BytesIO, label: str) -> Rows:
    with ZipFile(file) as zip_file:
        return [json.loads(line) for line in zip_file.read(member_name(label)).splitlines()]


def change_file(
    file: BytesIO,
    label: str = "",
    change: Callable[[Rows], object] = list,
    *,
    kind: int = ZIP_STORED,
    **manifest: Any,
) -> BytesIO:
    """The file with its rows or its manifest changed by someone who knows how to digest it."""
    tables = {name: rows_in(file, name) for name in table_labels()}
    if label:
        change(tables[label])
    lines = {name: [canonical_json(row) for row in rows] for name, rows in tables.items()}
    digest = digest_of_tables(lines.items())
    with ZipFile(file) as zip_file:
        stored_manifest = json.loads(zip_file.read(MANIFEST))
    stored_manifest |= {"digest": digest.digits, "counts": digest.counts} | manifest
    return packed_file(stored_manifest, lines, kind)


def packed_file(
    manifest: dict[str, Any], lines: dict[str, list[str]], kind: int = ZIP_STORED
) -> BytesIO:
    result = BytesIO()
    with ZipFile(result, "w", kind) as zip_file:
        for name, rows in lines.items():
            zip_file.writestr(member_name(name), "".join(f"{row}\n" for row in rows))
        zip_file.writestr(MANIFEST, json.dumps(manifest))
    return result


def texts_in(file: BytesIO) -> Iterator[str]:
    with ZipFile(file) as zip_file:
        for name in zip_file.namelist():
            yield zip_file.read(name).decode("ascii")
