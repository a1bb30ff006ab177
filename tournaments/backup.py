"""Backups of the whole installation, compared by a digest, and moved to PostgreSQL."""

import json
import logging
import os
import sqlite3
import subprocess
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from django.apps import apps
from django.conf import settings
from django.db import DatabaseError, IntegrityError, connection, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Count, Q, Sum
from django.utils import timezone

from clubs.backup import BackupError
from clubs.backup.archive import (
    Manifest,
    RetentionCounts,
    RotatedBackup,
    backup_news_at,
    encode_line,
    expired_backups,
    lines_digest,
    manifest_of,
    pack,
    unpack,
    workplace,
)
from clubs.backup.databases import (
    SECOND_ALIAS,
    ReportTable,
    Server,
    copy_all,
    database_url,
    dump_database,
    dump_name,
    is_empty,
    is_served,
    open_database,
    own_database,
    refuse_other_kind,
    restore_dump,
    temporary_database,
)
from clubs.backup.releases import is_of_this_release
from clubs.core.mail import send_notice, sends_email
from clubs.core.processes import UTF8_ENVIRONMENT, command_line, management_command, start_command
from clubs.language.moments import logged_moment
from clubs.league.selectors.seasons import league_table
from clubs.models import Backup, Club, Season, Session
from clubs.models.names import ORGANISER_READER
from clubs.seats.selectors import places_of, player_evenings
from clubs.tenancy import across_clubs, club_scope
from scoring.scorebook.models import Book, Game, Hand, LedgerEntry
from tournaments.models import Tournament
from tournaments.results.selectors.standings import standings_of

OTHER_RELEASE_MESSAGE: Final = (
    "It was made by another release. Its rows are all there, but only that release can compare "
    "their digest."
)
FORMAT_VERSION = 1  # increased whenever the format of a line changes
DIGESTED_MODELS: Final = (Book, Game, Hand, LedgerEntry)
NO_BACKUPS: Final = "never"
ABANDONED_AFTER: Final = timedelta(hours=6)
MIN_RETENTION: Final = timedelta(days=1)
MAX_FAULT_LENGTH: Final = 300
log = logging.getLogger(__name__)
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Digest:
    """How much is in the score books, and the digest of each club by its slug.

    A digest is 64 hexadecimal digits. ``rows`` are books, games, hands and ledger entries, also
    those without an event.
    """

    rows: tuple[int, ...]
    clubs: dict[str, str]

    @property
    def overall_digest(self) -> str:
        """The digest of all this; it is the same wherever the clubs are."""
        lines = [encode_line("tongbox", FORMAT_VERSION), encode_line("books", *self.rows)]
        return lines_digest([*lines, *(encode_line(*club) for club in sorted(self.clubs.items()))])


def digest_of_all() -> Digest:
    """Digest every event of every club; the number of queries grows with the events."""
    clubs: dict[str, str] = {}
    for club in sorted(Club.objects.all(), key=lambda club: club.slug):
        with club_scope(club.pk):
            clubs[club.slug] = lines_digest(digest_lines(club))
    return Digest(tuple(model._base_manager.count() for model in DIGESTED_MODELS), clubs)


def digest_lines(club: Club) -> Iterator[str]:
    """The digested lines of a club, in order: for finding the difference between two databases."""
    yield encode_line("club", club.pk, club.slug, club.name, club.rules)
    for kind, count in sorted(Counter(club.players.values_list("kind", flat=True)).items()):
        yield encode_line("people", kind, count)
    yield encode_line("sign-ins", club.memberships.count())
    for session in Session.objects.filter(club=club).select_related("book").order_by("pk"):
        yield encode_line(
            "evening", session.pk, session.held_on, session.state, *_book_figures(session.book)
        )
        yield from _result_lines(session)
    seasons = Season.objects.filter(league__club=club).select_related("league__club")
    for season in seasons.order_by("pk"):
        yield encode_line("season", season.pk, season.starts_on, season.ends_on)
        for entry in league_table(season, reader=ORGANISER_READER).rows:
            yield encode_line(
                *("league", entry.place, entry.is_tied, entry.player_id),
                *(entry.evenings_attended, entry.counting_evenings, entry.total, entry.best_total),
                *(entry.average, entry.score, entry.mahjongs),
            )
    for cup in Tournament.objects.filter(club=club).select_related("book").order_by("pk"):
        yield encode_line("tournament", cup.pk, cup.state, *_book_figures(cup.book))
        for place in standings_of(cup, reader=ORGANISER_READER):
            yield encode_line(
                *("standing", place.place, place.is_tied, place.entrant_id, place.rounds),
                *(place.table_points, place.total, place.mahjongs, place.best_hand),
            )


def _result_lines(session: Session) -> Iterator[str]:
    """Placed by points alone, however a result is shown: backups of long ago are compared, too."""
    sittings = player_evenings(places_of(session.places.all()))
    sittings.sort(key=lambda sitting: (-sitting.points, sitting.name_key))
    points = [sitting.points for sitting in sittings]
    for sitting in sittings:
        place, is_tied = points.index(sitting.points) + 1, points.count(sitting.points) > 1
        sums = (sitting.points, sitting.hands, sitting.mahjongs, sitting.best_hand)
        yield encode_line("result", place, is_tied, sitting.player_id, sitting.table, *sums)


def counts_by_table() -> dict[str, int]:
    """How many rows every table of the program has, by its name."""
    models = [model for model in apps.get_models(include_auto_created=True) if model._meta.managed]
    counts = {}
    with connection.cursor() as cursor:
        for model in models:
            table = model._meta.db_table
            cursor.execute(f"SELECT count(*) FROM {connection.ops.quote_name(table)}")  # noqa: S608
            counts[table] = int(cursor.fetchone()[0])
    return counts


def migrations_applied() -> list[str]:
    """``clubs.0014_replaced_links``: every migration that the database has, sorted."""
    migrations = MigrationRecorder(connection).applied_migrations()
    return sorted(f"{app}.{name}" for app, name in migrations)


def _book_figures(book: Book | None) -> tuple[int | str, ...]:
    """Length and head of the chain, all and current hands, entries and their sum."""
    if book is None:
        return ()
    hands = Hand.objects.filter(game__book=book).aggregate(
        all=Count("pk"), stand=Count("pk", filter=Q(is_current=True))
    )
    ledger = LedgerEntry.objects.filter(seat__game__book=book).aggregate(
        entries=Count("pk"), points=Sum("points", default=0)
    )
    sums = (hands["all"], hands["stand"], ledger["entries"], int(ledger["points"]))
    return (book.length, book.head, *sums)


def back_up(*, now: datetime, night: date | None = None) -> Backup:
    """Make a backup, test it, delete those that have rotated out; errors are stored on the row.

    ``night``: the night it is for. Raises ``IntegrityError`` if another process has claimed it.
    """
    with transaction.atomic():
        row = Backup.objects.create(made_at=now, night=night, file="")
    try:
        with workplace(settings.BACKUPS) as work:
            manifest = dump_database(work, _current_manifest)
            made_at = timezone.localtime(row.made_at)
            file = pack(work, manifest, Path(settings.MEDIA_ROOT), made_at=made_at)
            (work / manifest.database).unlink()
            row.file, row.bytes = str(file.absolute()), file.stat().st_size
            row.digest = manifest.digest
            row.save(update_fields=["file", "bytes", "digest"])
            _store_result(row, _try_restoring(Path(row.file), work / "tried"))
    except (BackupError, OSError) as why:
        _mark_untested(row, str(why))
    except Exception as why:
        log.exception("the backup could not be made")
        _mark_untested(row, f"Something unexpected went wrong: {type(why).__name__}.")
    if row.is_good:
        _rotate(row.made_at)
    return row


def night_due(*, now: datetime) -> date | None:
    """The night without a backup done or in progress; None if there is none, or no club.

    It is due from the hour of ``TONGBOX_BACK_UP_AT`` on, also much later: a laptop sleeps at night.
    """
    if settings.BACK_UP_AT == NO_BACKUPS or not Club.objects.exists():
        return None
    night = (timezone.localtime(now) - timedelta(hours=int(settings.BACK_UP_AT))).date()
    backups = Backup.objects.filter(night=night).exclude(_abandoned_backups(now))
    return None if backups.exists() else night


def back_up_if_due(*, now: datetime) -> Backup | None:
    """Make the night's backup, unless it exists or another scheduler is making it."""
    night = night_due(now=now)
    if night is None:
        return None
    Backup.objects.filter(_abandoned_backups(now), night=night).update(
        night=None, is_good=False, fault="It was started but never finished."
    )
    try:
        return back_up(now=now, night=night)
    except IntegrityError:
        return None


def start_if_due(*, now: datetime) -> bool:
    """Start a process for it, so that messages and printouts need not wait; whether started."""
    if night_due(now=now) is None:
        return False
    settings.BACKUPS.mkdir(parents=True, exist_ok=True, mode=0o700)
    with (settings.BACKUPS / "last.log").open("wb") as log:
        start_command("back_up", "--if-due", log=log)
    return True


def check_backup(file: Path) -> str:
    """Restore the file into an empty database and compare; returns the fault in a sentence, or "".

    Updates the file's row, if there is one. Raises ``BackupError`` if it cannot be tested.
    """
    with workplace(settings.BACKUPS) as work:
        fault = _try_restoring(file, work)
    for row in Backup.objects.filter(file=str(file.absolute())):
        _store_result(row, fault)
    return fault


def restore_backup(file: Path, *, into: Server | Path, work: Path) -> tuple[Manifest, str]:
    """Restore into an empty database; returns the manifest, and the difference or "".

    A backup of an earlier release is restored as it is, to be migrated by hand; only an equal
    release compares it. Raises ``BackupError``.
    """
    manifest = unpack(file, work)
    restore_dump(into, work / manifest.database)
    return manifest, _difference(manifest, into)


def _difference(manifest: Manifest, database: Server | Path) -> str:
    """What is not there as the manifest has it, in a sentence, or ""."""
    if not is_of_this_release(manifest.migrations):
        with open_database(database):
            is_whole = _count_rows(connections[SECOND_ALIAS]).items() >= manifest.tables.items()
        return OTHER_RELEASE_MESSAGE if is_whole else "Rows are missing."
    restored_digest = digest_of_database(database_url(database))
    if manifest.digest and restored_digest["digest"] != manifest.digest:
        differ = _differing_clubs(manifest.clubs, restored_digest)
        return f"The restored data does not match the original: {differ or 'counts'} differ."
    tables = manifest.tables.items()
    missing = sorted(name for name, rows in tables if restored_digest["tables"].get(name) != rows)
    return f"Rows are missing in {', '.join(missing)}." if missing else ""


def _differing_clubs(clubs: Mapping[str, str], copy_digest: Mapping[str, Any]) -> str:
    return ", ".join(
        slug for slug, digest in clubs.items() if copy_digest["clubs"].get(slug) != digest
    )


def restore_for_serving(
    file: Path, *, into: Server | Path, work: Path, now: datetime
) -> tuple[Manifest, str]:
    """The same for serving from it; records which backup it is, if nothing differs.

    In the dump its own backup is unfinished, and nobody would finish it there.
    """
    refuse_other_kind(into, manifest_of(file).database)
    refuse_unless_empty(into)
    manifest, fault = restore_backup(file, into=into, work=work)
    if not fault:
        with open_database(into):
            backups = Backup.objects.using(SECOND_ALIAS)
            newest = backups.order_by("-pk").values("pk")[:1]
            backups.filter(pk__in=newest).update(
                file=str(file.absolute()),
                bytes=file.stat().st_size,
                digest=manifest.digest,
                is_good=True,
                tried_at=now,
                put_back_at=now,
            )
    return manifest, fault


def refuse_unless_empty(into: Server | Path) -> None:
    """Raises ``BackupError`` if there is something in the database."""
    if not is_empty(into):
        raise BackupError("There is something in that database already; nothing was changed.")


def digest_of_database(url: str) -> dict[str, Any]:
    """The digest of that database, from a separate process. Raises ``BackupError``."""
    result = _run_command(url, "digest", "--json")
    if result.returncode:
        last = (result.stderr.strip().splitlines() or ["it failed"])[-1]
        raise BackupError(f"What was put back cannot be read: {last}"[:MAX_FAULT_LENGTH])
    fields: dict[str, Any] = json.loads(result.stdout)
    return fields


def tell_operators(*, now: datetime) -> bool:
    """Email ``TONGBOX_ADMINS`` once for each bad backup; whether it was done now."""
    news, newest = backup_news_at(now), Backup.objects.order_by("-pk").first()
    if not news.trouble or newest is None or not (settings.OPERATORS and sends_email()):
        return False
    if not Backup.objects.filter(pk=newest.pk, told_at=None).update(told_at=now):
        return False
    last_good_text = f"{logged_moment(news.good_at)}" if news.good_at else "never"
    send_notice(
        "Tongbox: backup needs attention",
        f"{news.trouble}\n{news.fault}\n\nThe last good one: {last_good_text}.\n"
        f"The file: {newest.file or 'none'}\n\nTry again: {command_line('back_up')}\n",
        settings.OPERATORS,
    )
    return True


def _current_manifest() -> Manifest:
    digest = digest_of_all()
    return Manifest(
        made_at=timezone.now().isoformat(timespec="seconds"),
        database=dump_name(),
        digest=digest.overall_digest,
        clubs=digest.clubs,
        tables=counts_by_table(),
        migrations=migrations_applied(),
    )


def _try_restoring(file: Path, work: Path) -> str:
    """The difference in a sentence, or "". Raises ``BackupError`` if nothing can be restored."""
    work.mkdir(exist_ok=True)
    with _empty_database(work) as database:
        return restore_backup(file, into=database, work=work)[1]


@contextmanager
def _empty_database(work: Path) -> Iterator[Server | Path]:
    """An empty database to try a backup of ours in. Raises ``BackupError``."""
    database = own_database()
    if not isinstance(database, Server):
        yield work / "tried.sqlite3"
        return
    server = Server.read(settings.TRY_DATABASE_URL) if settings.TRY_DATABASE_URL else database
    with temporary_database(server, database.name) as empty:
        yield empty


def back_up_before_upgrade(*, now: datetime, checks: Iterable[str]) -> Path:
    """Back up what an earlier release has written, and try the upgrade on the copy.

    This release may not be able to read those rows, so tables are counted and no digest is worked
    out; the copy is then migrated, and checked by these commands. Nothing changes in our own
    database. Returns the file. Raises ``BackupError``.
    """
    with workplace(settings.BACKUPS) as work:
        manifest = dump_database(work, lambda: _counted_manifest(now))
        with _empty_database(work) as copy:
            restore_dump(copy, work / manifest.database)
            with open_database(copy):
                if _count_rows(connections[SECOND_ALIAS]) != manifest.tables:
                    raise BackupError(
                        "The backup does not contain the rows that are here, so nothing was "
                        "changed."
                    )
            run_command_on(copy, "migrate", "--verbosity", "0")
            for check in checks:
                run_command_on(copy, check)
        return pack(work, manifest, Path(settings.MEDIA_ROOT), made_at=timezone.localtime(now))


def _counted_manifest(now: datetime) -> Manifest:
    return Manifest(
        made_at=now.isoformat(timespec="seconds"),
        database=dump_name(),
        digest="",
        clubs={},
        tables=_count_rows(connection),
        migrations=migrations_applied(),
    )


def note_backup_before_upgrade(file: Path, *, now: datetime) -> None:
    """List that backup with the others, once the tables are this release's."""
    Backup.objects.create(
        made_at=now,
        file=str(file.absolute()),
        bytes=file.stat().st_size,
        is_good=True,
        tried_at=timezone.now(),
    )


def _count_rows(database: BaseDatabaseWrapper) -> dict[str, int]:
    """How many rows every table there has, whichever release made it."""
    rows = {}
    with database.cursor() as cursor:
        for table in sorted(database.introspection.table_names(cursor)):
            cursor.execute(f"SELECT count(*) FROM {database.ops.quote_name(table)}")  # noqa: S608
            rows[table] = int(cursor.fetchone()[0])
    return rows


def _store_result(row: Backup, fault: str) -> None:
    row.is_good, row.fault, row.tried_at = not fault, fault[:MAX_FAULT_LENGTH], timezone.now()
    row.save(update_fields=["is_good", "fault", "tried_at"])


def _mark_untested(row: Backup, fault: str) -> None:
    """Mark as bad if there is no file, otherwise as untested."""
    row.is_good, row.fault = None if row.file else False, fault[:MAX_FAULT_LENGTH]
    row.save(update_fields=["is_good", "fault"])


def _rotate(now: datetime) -> None:
    """Delete by the rotation, in the configured folder only; other copies are never touched.

    A good one of the last day stays also when the next takes its place: it may be the only way back
    over an upgrade.
    """
    folder = settings.BACKUPS.absolute()
    rows = {backup.pk: backup for backup in Backup.objects.filter(let_go_at=None).exclude(file="")}
    files = {key: Path(backup.file) for key, backup in rows.items()}
    backups_on_disk = [
        rows[key] for key, file in files.items() if file.parent == folder and file.exists()
    ]
    rotated_backups = [
        RotatedBackup(row.pk, timezone.localtime(row.made_at), bool(row.is_good))
        for row in backups_on_disk
    ]
    for key in expired_backups(rotated_backups, RetentionCounts.read(settings.KEEP_BACKUPS)):
        if rows[key].is_good and rows[key].made_at > now - MIN_RETENTION:
            continue
        files[key].unlink(missing_ok=True)
        Backup.objects.filter(pk=key).update(let_go_at=now)


def _abandoned_backups(now: datetime) -> Q:
    """Backups begun, never finished, and silent for so long that no process is working on them."""
    return Q(is_good=None, fault="", made_at__lt=now - ABANDONED_AFTER)


def move_to_postgresql(*, target: Server, now: datetime, say: Say, tell: ReportTable) -> Path:
    """Copy everything to an empty database; returns the new path of the old file.

    ``say`` is called with each step, ``tell`` with each table. Raises ``BackupError`` (not empty,
    Tongbox is running, anything differs), and then nothing has changed here.
    """
    old = own_database()
    if isinstance(old, Server):
        raise BackupError("This installation is already on PostgreSQL: DATABASE_URL names it.")
    if not is_empty(target):
        raise BackupError(f"{target.name} is not empty, so nothing was changed.")
    require_sole_use(old)
    try:
        with transaction.atomic(), across_clubs():
            _copy_and_compare(target, say, tell)
    except DatabaseError as why:
        raise BackupError(f"It was not moved: {str(why).strip()}") from why
    require_sole_use(old)
    # The old file is kept; its place is taken by a note that no program mistakes for a database.
    aside = old.with_name(f"{old.name}.moved-{now:%Y-%m-%d}")
    old.rename(aside)
    old.write_text(
        f"Moved to PostgreSQL on {now:%Y-%m-%d}. Set DATABASE_URL. The old book: {aside.name}\n",
        encoding="utf-8",
    )
    return aside


def require_sole_use(file: Path) -> None:
    """Raises ``BackupError`` while Tongbox serves from the file, or another process has it open.

    Only the last process that has it open may change SQLite's journal mode.
    """
    connection.close()
    if is_served(file):
        raise BackupError("Tongbox is running. Stop Tongbox, then move.")
    try:
        with closing(sqlite3.connect(file, timeout=1)) as alone:
            alone.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.Error as why:
        raise BackupError(
            "Another program has the database open. Stop Tongbox, then move."
        ) from why


def _copy_and_compare(target: Server, say: Say, tell: ReportTable) -> None:
    say("No one can save anything here until this is finished. Reading the old database …")
    old_digest = digest_of_all()
    say("Creating the tables there …")
    run_command_on(target, "migrate", "--verbosity", "0")
    say("Copying. Every row is read back and compared …")
    with open_database(target):
        copy_all(tell)
    say("Digesting, recounting and verifying there …")
    new_digest = digest_of_database(target.url)
    if new_digest["digest"] != old_digest.overall_digest:
        differ = _differing_clubs(old_digest.clubs, new_digest)
        raise BackupError(f"The digest there is different ({differ}), so nothing was moved.")
    say(f"The digest is the same: {old_digest.overall_digest}")
    for command in ("recount", "verify"):
        say(run_command_on(target, command))


def run_command_on(target: Server | Path, *arguments: str) -> str:
    """The output of a command on another database. Raises ``BackupError`` if it fails."""
    result = _run_command(database_url(target), *arguments)
    if result.returncode:
        raise BackupError(f"`{command_line(arguments[0])}` there: {result.stderr.strip()[-300:]}")
    return result.stdout.strip()


def _run_command(url: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    overrides = {"DATABASE_URL": url, "REDIS_URL": "", "TONGBOX_DIRECT_DATABASE_URL": ""}
    environment = os.environ | UTF8_ENVIRONMENT | overrides
    return subprocess.run(  # noqa: S603
        management_command(*arguments),
        env=environment,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
