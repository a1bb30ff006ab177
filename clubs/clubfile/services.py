"""Brings a club from its file: all of it, compared with what was written, or nothing."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from itertools import count, islice
from math import inf
from tempfile import TemporaryFile
from typing import IO, Any, Final
from uuid import UUID, uuid4

from django.core.exceptions import ValidationError
from django.core.files import File
from django.core.validators import validate_email
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connection, connections, transaction
from django.db.models import ForeignKey, Max, Model
from django.utils import timezone
from django.utils.text import slugify

from clubs.accounts.services import send_invitation
from clubs.backup.databases import insert_rows
from clubs.clubfile.archive import DAMAGED_MESSAGE, SUFFIX, ClubFile, Manifest, open_club_file
from clubs.clubfile.checks import field_values, refuse_impossible_rows, row_refusal
from clubs.clubfile.contents import CLUB_TABLES, ClubTable, RowData, book_keys_of
from clubs.clubfile.selectors import (
    NO_PRACTICE_MESSAGE,
    ROLES_LABEL,
    contents_words,
    digest_of_club,
    export_club,
    findings_in,
    label_of,
    refuse_findings,
    table_labels,
)
from clubs.clubfile.shapes import READER_ERRORS
from clubs.core.audit_log import log_event
from clubs.core.locks import lock_club
from clubs.core.permissions import ORGANISERS
from clubs.core.queue import (
    CLUB_FILE,
    UNFINISHED_STATES,
    delete_jobs,
    make_job,
    queue_job,
    report_progress,
    store_result,
)
from clubs.language.moments import long_date
from clubs.models import AuditEntry, Club, Job, Membership, Player, Role, RoleInvitation, User
from clubs.models.names import is_reserved, name_fault, tidy_name
from clubs.models.people import INVITATION_LASTS
from clubs.tenancy import club_scope
from scoring import UnknownRuleSet
from scoring.house import read_house_rules
from scoring.scorebook.editions import rule_set, store_edition
from scoring.scorebook.models import Edition, Game
from scoring.scorebook.moves import Moves
from scoring.scorebook.refusals import refuse
from scoring.scorebook.verifying import differing_hands

BATCH_SIZE: Final = 500
MOST_ORGANISERS: Final = 50
PLAYER_LABEL: Final = Player._meta.label
TOO_MANY_ROLES_MESSAGE: Final = (
    "More people have a role in this file than a club can have. Remove some, then download it "
    "again."
)
LONGEST_NAME, LONGEST_SLUG = 80, 60
NOT_SECRETARY_MESSAGE: Final = (
    "No secretary in this file has that email address. Enter the one that a secretary uses to "
    "sign in to the other Tongbox."
)
RESERVED_NAME_MESSAGE: Final = (
    "The club’s name cannot be used here. Rename the club, then download it again."
)
MISMATCH_MESSAGE: Final = (
    "The imported data did not match the file, so nothing was imported. Download the club again."
)

Roles = Mapping[str, tuple[str, int | None]]


@dataclass(frozen=True, slots=True)
class ImportedClub:
    """A club that was imported and compared.

    ``invitations`` are the people with a role elsewhere.
    """

    club: Club
    manifest: Manifest
    invitations: tuple[RoleInvitation, ...]

    @property
    def summary(self) -> str:
        """``12 people, 34 evenings and 1,204 hands: imported and checked.``"""
        return f"{contents_words(self.manifest.counts)}: imported and checked."


@transaction.atomic
def request_club_file(*, club: Club, asked_by: User) -> Job:
    """Start writing the club's file, or return the job that is doing so; older files are deleted.

    Raises ``Refused`` in a practice evening.
    """
    club = lock_club(club.pk)
    if club.rehearsal_of_id is not None:
        raise refuse("is_rehearsal", NO_PRACTICE_MESSAGE)
    jobs = Job.objects.filter(club=club, kind=CLUB_FILE)
    under_way = jobs.filter(state__in=UNFINISHED_STATES).first()
    if under_way is not None:
        return under_way
    delete_jobs(jobs)
    job = make_job(club=club, kind=CLUB_FILE, subject_key=club.pk, asked_by=asked_by)
    queue_job(job)
    return job


def make_club_file(job: Job) -> str:
    """Write the file that the job is about; the message says what is in it."""

    def progress(done: int, total: int) -> None:
        report_progress(job, done=done, total=total)

    with TemporaryFile() as file:
        manifest = export_club(job.club, file, progress=progress)
        file.seek(0)
        store_result(job, f"{job.pk}{SUFFIX}", File(file))
    return f"{contents_words(manifest.counts)}."


def secretaries_in(file: IO[bytes]) -> list[str]:
    """The email addresses of the secretaries in a club file. Raises ``Refused``."""
    with open_club_file(file, table_labels()) as club_file:
        rows = list(club_file.rows(ROLES_LABEL))
    return [str(row.get("email")) for row in rows if row.get("role") == Role.SECRETARY]


def import_club(file: IO[bytes], *, user: User, slug: str = "", actor: str = "") -> ImportedClub:
    """Import a club; ``user`` must be one of its secretaries, or an operator of this installation.

    They get their role in it. The others are invited, which a secretary sends one by one; only an
    operator, who has no role in it, emails the organisers at once. ``actor`` stands in the
    activity log; empty: the user. Raises ``Refused`` with what is wrong with the file, and then
    nothing is kept.
    """
    with read_club_file(file) as club_file:
        return import_read_file(club_file, user=user, slug=slug, actor=actor)


@contextmanager
def read_club_file(file: IO[bytes], *, seconds: float = inf) -> Iterator[ClubFile]:
    """The file open and checked; within the block, which may take so long, it can be brought.

    It stands around every transaction: nobody else waits while a file is unpacked and its rows are
    checked. Raises ``Refused`` with what is wrong with it.
    """
    with open_club_file(file, table_labels(), seconds=seconds) as club_file:
        refuse_impossible_rows(club_file)
        yield club_file


def import_read_file(
    club_file: ClubFile, *, user: User, slug: str = "", actor: str = ""
) -> ImportedClub:
    """The same for a file that has been read."""
    try:
        with transaction.atomic():
            imported_club = _import_rows(club_file, user, slug)
            log_event(club=imported_club.club.pk, act_name="bring_club", actor=actor or str(user))
            for invitation in imported_club.invitations:
                if user.is_superuser and invitation.role in ORGANISERS:
                    send = partial(send_invitation, invitation=invitation)
                    transaction.on_commit(send, robust=True)
    except (DatabaseError, ValidationError, *READER_ERRORS) as why:
        raise refuse("damaged", DAMAGED_MESSAGE, "file") from why
    return imported_club


def _import_rows(club_file: ClubFile, user: User, slug: str) -> ImportedClub:
    manifest = club_file.manifest
    uid = _uid_of(manifest, user)
    roles = _read_roles(club_file)
    if not user.is_superuser and roles.get(user.email, ("", None))[0] != Role.SECRETARY:
        raise refuse("not_theirs", NOT_SECRETARY_MESSAGE, "email")
    club = _make_club(club_file, uid, slug)
    with club_scope(club.pk):
        inward = ImportKeys.reserve(club, manifest.counts)
        for table in CLUB_TABLES:
            if table.model is Edition:
                inward.keys[table.label] = _keep_editions(club_file.rows(table.label))
            elif table.model is not Club:
                inward.write(table, club_file.rows(table.label))
        invitations = _give_roles(club, user, roles, inward)
        _refuse_mismatch(club, club_file)
    return ImportedClub(club, manifest, invitations)


def _uid_of(manifest: Manifest, user: User) -> UUID:
    """What the club is known by here; another one where somebody else's copy of it is here.

    Raises ``Refused`` if it is here already, as the user may know.
    """
    club = Club.objects.filter(uid=UUID(manifest.uid)).first()
    if club is None:
        return UUID(manifest.uid)
    with club_scope(club.pk):
        is_theirs = club.memberships.filter(user__email=user.email).exists()
        last = AuditEntry.objects.filter(club=club).aggregate(at=Max("at"))["at"]
    if not is_theirs and not user.is_superuser:
        return uuid4()
    change_note = f" It was last changed on {long_date(timezone.localdate(last))}." if last else ""
    message = f"This club is already here, as {club.name}.{change_note} Nothing was imported."
    raise refuse("here_already", message, "file")


def _make_club(club_file: ClubFile, uid: UUID, slug: str) -> Club:
    """The club's own row, under a name and an address that are free here."""
    manifest = club_file.manifest
    if fault := name_fault(manifest.name):
        raise refuse("bad_name", fault, "file")
    if is_reserved(manifest.name):
        raise refuse("name_reserved", RESERVED_NAME_MESSAGE, "file")
    if slug and _is_address_taken(slug):
        raise refuse("name_taken", f"There is already a club at /c/{slug}/.", "slug")
    (table,) = (table for table in CLUB_TABLES if table.model is Club)
    rows = list(club_file.rows(table.label))
    if len(rows) != 1:
        raise refuse("damaged", DAMAGED_MESSAGE, "file")
    club = Club(uid=uid)
    for column, value in field_values(table, rows[0]).items():
        setattr(club, column, value)
    club.name = _free_name(_is_name_taken, tidy_name(manifest.name), " {}", LONGEST_NAME)
    wanted_slug = "" if is_reserved(manifest.slug) else slugify(manifest.slug)
    wanted_slug = wanted_slug or slugify(club.name) or "club"
    club.slug = slug or _free_name(_is_address_taken, wanted_slug, "-{}", LONGEST_SLUG)
    club.save(force_insert=True)
    return club


def _is_name_taken(text: str) -> bool:
    return Club.objects.filter(name__iexact=text).exists()


def _is_address_taken(text: str) -> bool:
    return Club.objects.filter(slug=text).exists()


def _free_name(
    is_taken: Callable[[str], bool], wanted_name: str, suffix_format: str, longest: int
) -> str:
    """The name or address, with a number behind it where it is taken."""
    for number in count(1):
        end = suffix_format.format(number) if number > 1 else ""
        text = f"{wanted_name[: longest - len(end)]}{end}"
        if not is_taken(text):
            return text
    raise AssertionError(wanted_name)


@dataclass(slots=True)
class ImportKeys:
    """The keys that the file's rows get here: those of row 1, 2, 3 of each table."""

    club: Club
    keys: dict[str, list[int]]

    @classmethod
    def reserve(cls, club: Club, counts: Mapping[str, int]) -> "ImportKeys":
        """New keys for as many rows as the file has; one query a table."""
        tables = (table for table in CLUB_TABLES if table.model not in (Club, Edition))
        keys = {table.label: _reserve_keys(table.model, counts[table.label]) for table in tables}
        return cls(club, keys)

    def key(self, label: str, key: int | None) -> int | None:
        """Raises ``ValueError`` for a number that no row of the file has."""
        if key is None:
            return None
        keys = self.keys[label]
        if not isinstance(key, int) or isinstance(key, bool) or not 1 <= key <= len(keys):
            raise ValueError(f"{label} {key}")
        return keys[key - 1]

    def person(self, user: int | None) -> str:  # noqa: ARG002
        return ""

    def translate_moves(self, moves: Moves, book: RowData) -> Moves:
        """Raises ``ValueError`` unless every link was sealed elsewhere."""
        if moves.last != book["length"]:
            raise ValueError(moves.last)
        numbers = {
            str(table.model._meta.model_name): dict(enumerate(self.keys[table.label], 1))
            for table in CLUB_TABLES
            if table.model not in (Club, Edition)
        }
        return moves.with_keys(numbers)

    def write(self, table: ClubTable, rows: Iterator[dict[str, Any]]) -> None:
        """Insert the rows of a table, some hundred at a time."""
        model = table.model
        fields = model._meta.concrete_fields
        lines = zip(count(1), rows, self.keys[table.label], strict=False)
        while batch := list(islice(lines, BATCH_SIZE)):
            values = [
                tuple(getattr(row, column.attname) for column in fields)
                for row in (self._row(table, *line) for line in batch)
            ]
            insert_rows(model, fields, values, connections[DEFAULT_DB_ALIAS])

    def _row(self, table: ClubTable, number: int, data: Mapping[str, Any], key: int) -> Model:
        row = table.model(pk=key)
        try:
            for name, value in field_values(table, data).items():
                setattr(row, name, value)
            for column in table.model._meta.concrete_fields:
                if column.related_model is Club:
                    setattr(row, column.attname, self.club.pk)
                elif isinstance(column, ForeignKey) and table.travels(column):
                    label = label_of(column)
                    setattr(row, column.attname, self.key(label, data[column.name]))
            values = {column.attname: getattr(row, column.attname) for column in table.columns}
            for name, translate in table.keys_in.items():
                setattr(row, name, translate(values[name], values, self))
        except (ValidationError, *READER_ERRORS) as why:
            raise row_refusal(table, number, why) from why
        return row


def _reserve_keys(model: type[Model], rows: int) -> list[int]:
    """So many keys that no row has or will have."""
    table, column = model._meta.db_table, model._meta.pk.column
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(
                "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = %s", [table]
            )
            last = cursor.fetchone()[0]
            return list(range(last + 1, last + rows + 1))
        cursor.execute(
            "SELECT nextval(pg_get_serial_sequence(%s, %s)) FROM generate_series(1, %s)",
            [table, column, rows],
        )
        return sorted(key for (key,) in cursor.fetchall())


def _keep_editions(rows: Iterator[dict[str, Any]]) -> list[int]:
    """The keys of the club's house rules here."""
    return [store_edition(read_house_rules(row["declaration"], is_stored=True)).pk for row in rows]


def _read_roles(club_file: ClubFile) -> Roles:
    """Role and number of the member, by email address."""
    roles: dict[str, tuple[str, int | None]] = {}
    for row in club_file.rows(ROLES_LABEL):
        try:
            email, role, player = row["email"], row["role"], row["player"]
            validate_email(email)
            if role not in Role.values or email != email.lower() or email in roles:
                raise ValueError(role)
        except (KeyError, ValueError, TypeError, AttributeError) as why:
            raise refuse("damaged", DAMAGED_MESSAGE, "file") from why
        roles[email] = (role, player)
    organisers = sum(role in ORGANISERS for role, _ in roles.values())
    if (
        organisers > MOST_ORGANISERS
        or len(roles) > organisers + club_file.manifest.counts[PLAYER_LABEL]
    ):
        raise refuse("too_many_roles", TOO_MANY_ROLES_MESSAGE, "file")
    return roles


def _give_roles(
    club: Club, user: User, roles: Roles, inward: ImportKeys
) -> tuple[RoleInvitation, ...]:
    """The user's own role; everyone else is invited to theirs, whether or not they are known here.

    The invitations have ended: a secretary sends them when the club is ready. Only those that an
    operator's import emails to organisers are open.
    """
    label, long_ago = Player._meta.label, timezone.now() - INVITATION_LASTS - timedelta(minutes=1)
    players = {email: inward.key(label, player) for email, (_, player) in roles.items()}
    if user.email in roles:
        Membership.objects.create(
            club=club, user=user, role=roles[user.email][0], player_id=players[user.email]
        )
    invitations = RoleInvitation.objects.bulk_create(
        RoleInvitation(
            club=club,
            email=email,
            role=role,
            player_id=players[email],
            invited_by=user,
            sent_at=timezone.now() if user.is_superuser and role in ORGANISERS else long_ago,
        )
        for email, (role, _) in roles.items()
        if email != user.email
    )
    return tuple(invitations)


def _refuse_mismatch(club: Club, club_file: ClubFile) -> None:
    """Refused unless the club is what was written, its books are as sealed, and it plays again."""
    manifest = club_file.manifest
    _refuse_unknown_rules(club)
    books = book_keys_of(club)
    refuse_findings(findings_in(books))
    for game in Game.objects.filter(book__in=books).order_by("pk").prefetch_related("hands"):
        club_file.refuse_late()
        current = [hand for hand in game.hands.all() if hand.is_current]
        if any(differing_hands(game, current)):
            raise refuse("not_the_same", MISMATCH_MESSAGE, "file")
    digest = digest_of_club(club)
    if (digest.digits, digest.counts) != (manifest.digest, manifest.counts):
        raise refuse("not_the_same", MISMATCH_MESSAGE, "file")


def _refuse_unknown_rules(club: Club) -> None:
    keys = {club.rules}
    for table in CLUB_TABLES:
        if table.model is not Club and any(column.name == "rules" for column in table.columns):
            rows = table.rows(club, book_keys_of(club)).order_by()
            keys |= set(rows.values_list("rules", flat=True).distinct())
    for key in keys - {""}:
        try:
            rule_set(key)
        except UnknownRuleSet as why:
            message = f"This Tongbox does not have the rules “{key}” that the club plays."
            raise refuse("bad_rules", message, "file") from why
