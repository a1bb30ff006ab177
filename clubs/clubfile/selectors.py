"""Reads a club as the lines of its file: rows with numbers of their own instead of keys."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal
from functools import cached_property
from typing import IO, Any, Final

from django.db import connection, transaction
from django.db.models import ForeignKey
from django.utils import timezone

from clubs.clubfile.archive import Digest, Manifest, TableLines, digest_of_tables, write_club_file
from clubs.clubfile.contents import (
    CLUB_TABLES,
    SEALED_TABLES,
    AnyField,
    ClubTable,
    RowData,
    book_keys_of,
)
from clubs.language.words import count_words
from clubs.models import Club, Membership, Player, RoleInvitation, Session, SessionState, User
from clubs.seating.why import join_with_and
from scoring.scorebook.ledger import canonical_json, plain_value
from scoring.scorebook.models import Hand
from scoring.scorebook.moves import Moves
from scoring.scorebook.refusals import refuse
from scoring.scorebook.verifying import Discrepancy, verify_book

ROLES_LABEL: Final = "roles"
CHUNK_SIZE: Final = 500
MAX_FINDINGS_NAMED: Final = 3
NO_PRACTICE_MESSAGE: Final = "A practice evening cannot be downloaded. Download the club itself."

ReportProgress = Callable[[int, int], None]


def _ignore_progress(done: int, total: int) -> None:
    """For whoever does not need to know how far it is."""


def table_labels() -> tuple[str, ...]:
    """The names of everything in a club file, in order."""
    return (*(table.label for table in CLUB_TABLES), ROLES_LABEL)


@dataclass(frozen=True)
class ExportKeys:
    """The numbers that a club's rows have in its file: 1, 2, 3 in the order of their keys."""

    club: Club
    books: list[int]
    numbers: Mapping[str, Mapping[int, int]]
    people: Mapping[int, str]

    @classmethod
    def for_club(cls, club: Club) -> "ExportKeys":
        """One query a table."""
        books = book_keys_of(club)
        numbers = {
            table.label: {
                key: number
                for number, key in enumerate(
                    _ordered_rows(table, club, books).values_list("pk", flat=True), 1
                )
            }
            for table in CLUB_TABLES
        }
        users = User.objects.filter(audit_entries__club=club.pk).distinct()
        return cls(club, books, numbers, {user.pk: str(user) for user in users})

    def key(self, label: str, key: int | None) -> int | None:
        return None if key is None else self.numbers.get(label, {}).get(key)

    def person(self, user: int | None) -> str:
        return "" if user is None else self.people.get(user, "")

    def translate_moves(self, moves: Moves, book: RowData) -> Moves:
        """With a stretch for the links that were sealed here, by the keys of the book's rows."""
        own_keys = {
            table: {key: key for key in keys} for table, keys in self.in_book[book["id"]].items()
        }
        numbers = {
            str(model._meta.model_name): self.numbers[model._meta.label] for model in SEALED_TABLES
        }
        return moves.with_stretch(book["length"], own_keys).with_keys(numbers)

    @cached_property
    def in_book(self) -> Mapping[int, Mapping[str, list[int]]]:
        """The keys of the rows of each book, by table; one query a table."""
        result: dict[int, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
        for model, path in SEALED_TABLES.items():
            rows = model._base_manager.filter(**{f"{path or 'pk'}__in": self.books}).order_by("pk")
            for book, key in rows.values_list(path or "pk", "pk").distinct():
                result[book][str(model._meta.model_name)].append(key)
        return result

    def lines(self, table: ClubTable) -> Iterator[str]:
        """Each row of the table as it stands in the file."""
        columns = table.columns
        names = [column.attname for column in table.model._meta.concrete_fields]
        rows = _ordered_rows(table, self.club, self.books).values(*names)
        for row in rows.iterator(CHUNK_SIZE):
            yield canonical_json(
                {column.name: self._value(table, column, row) for column in columns}
            )

    def _value(self, table: ClubTable, column: AnyField, row: RowData) -> Any:
        value = row[column.attname]
        if isinstance(column, ForeignKey):
            number = self.key(label_of(column), value)
            if number is None and value is not None:
                row_label = f"{table.model._meta.verbose_name} row {row['id']}"
                raise refuse("astray", f"The {row_label} belongs to another club’s {column.name}.")
            return number
        if translate := table.keys_in.get(column.name):
            value = translate(value, row, self)
        return encode_value(value)


def label_of(column: AnyField) -> str:
    model: Any = column.related_model
    return str(model._meta.label)


def _ordered_rows(table: ClubTable, club: Club, books: list[int]) -> Any:
    return table.rows(club, books).order_by(table.order)


def encode_value(value: Any) -> Any:
    """A column's value as JSON has it, the same from every database."""
    if isinstance(value, Decimal):
        return str(value)
    if isinstance(value, date | time) and not isinstance(value, datetime):
        return value.isoformat()
    return plain_value(value)


def tables_of(club: Club) -> TableLines:
    """Every line of the club's file, table by table. Within the club."""
    outward = ExportKeys.for_club(club)
    for table in CLUB_TABLES:
        yield table.label, outward.lines(table)
    yield ROLES_LABEL, _role_lines(club, outward)


def _role_lines(club: Club, outward: ExportKeys) -> Iterator[str]:
    """Who has a role, or is invited to one: by email address, so that they can be invited."""
    roles = {
        invitation.email.lower(): (invitation.role, invitation.player_id)
        for invitation in RoleInvitation.objects.filter(club=club)
    }
    for membership in Membership.objects.filter(club=club).select_related("user"):
        roles[membership.user.email.lower()] = (membership.role, membership.player_id)
    for email, (role, player) in sorted(roles.items()):
        number = outward.key(Player._meta.label, player)
        yield canonical_json({"email": email, "role": role, "player": number})


def digest_of_club(club: Club) -> Digest:
    """The digest of the club as it is now, independent of keys and of the database."""
    return digest_of_tables(tables_of(club))


def export_club(
    club: Club, file: IO[bytes], progress: ReportProgress = _ignore_progress
) -> Manifest:
    """Write the club's file, as of one moment. ``progress`` is called with books checked, of all.

    Raises ``Refused`` for a practice evening, and if a score book is not as it was sealed.
    """
    if club.rehearsal_of_id is not None:
        raise refuse("is_rehearsal", NO_PRACTICE_MESSAGE)
    books = book_keys_of(club)
    for done_count, book in enumerate(books):
        progress(done_count, len(books) + 1)
        refuse_findings(findings_in([book]))
    progress(len(books), len(books) + 1)
    with database_snapshot():  # nothing is written meanwhile
        return write_club_file(
            file,
            tables_of(club),
            uid=club.uid,
            name=club.name,
            slug=club.slug,
            made_at=timezone.now(),
        )


@contextmanager
def database_snapshot() -> Iterator[None]:
    """Everything read within is as of one moment; others can go on writing.

    Inside a transaction it is that transaction's.
    """
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "sqlite":
        connection.ensure_connection()
        connection.connection.execute("BEGIN DEFERRED")  # Django's own makes writers wait
        try:
            yield
        finally:
            connection.connection.rollback()
    else:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            yield


def findings_in(books: Iterable[int]) -> list[Discrepancy]:
    """What in these score books is not as it was sealed."""
    return [finding for book in books for finding in verify_book(book).findings]


def refuse_findings(findings: list[Discrepancy]) -> None:
    """Refused if a score book is not as it was sealed: the first few findings are named."""
    if findings:
        findings_text = "; ".join(
            f"{finding.row}: {finding.text}" for finding in findings[:MAX_FINDINGS_NAMED]
        )
        message = (
            "The score book was changed outside Tongbox, so this is not a true copy "
            f"({findings_text})."
        )
        raise refuse("not_as_sealed", message, "file")


def is_playing(club: Club) -> bool:
    """Whether an evening is being played: its table cards would not work elsewhere."""
    return Session.objects.filter(club=club, state=SessionState.PLAYING).exists()


def contents_words(counts: Mapping[str, int]) -> str:
    """``12 people, 34 evenings and 1,204 hands``, of what a manifest counts."""
    people, evenings, hands = (
        counts.get(model._meta.label, 0) for model in (Player, Session, Hand)
    )
    parts = (
        count_words(people, "person", "people"),
        count_words(evenings, "evening"),
        count_words(hands, "hand"),
    )
    return join_with_and(parts)
