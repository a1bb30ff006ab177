"""The lists of members that were read in, which can be taken back."""

from dataclasses import dataclass
from datetime import datetime

from clubs.models import Club, MemberImport

SHOWN = 5


@dataclass(frozen=True, slots=True)
class ImportRow:
    """One list that was read in: how many people were new in it, and how many it changed."""

    pk: int
    file_name: str
    made_at: datetime
    added: int
    changed: int
    undone_at: datetime | None


def imports_of(club: Club, *, most: int | None = SHOWN) -> tuple[ImportRow, ...]:
    """The newest lists that were read in, None: all of them; one query."""
    return tuple(map(import_row, club.imports.all()[:most]))


def import_row(made: MemberImport) -> ImportRow:
    """A list that was read in, as a row; no query."""
    return ImportRow(
        made.pk,
        made.file_name,
        made.made_at,
        len(made.added),
        len(made.before) - len(made.added),
        made.undone_at,
    )
