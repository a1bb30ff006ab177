"""What is right and what is wrong with an installation, for whoever looks after it."""

import platform
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from shutil import disk_usage
from tempfile import TemporaryFile
from typing import Final

from django.conf import settings
from django.db import DatabaseError, connection

from clubs.backup.archive import backup_news_at
from clubs.backup.databases import own_database
from clubs.backup.releases import is_of_newer_release, missing_migrations
from clubs.core.addresses import chosen_address, is_served_address, own_ip_addresses
from clubs.language.moments import long_moment
from clubs.language.words import count_words
from clubs.models import AuditEntry, Club
from clubs.tenancy import across_clubs
from config.reach import is_free, is_tongbox
from config.views import LOW_FREE_SPACE, MIN_FREE_SPACE
from scoring.scorebook.apps import applied_migrations

OLDEST_PYTHON: Final = (3, 11)
CLOCK_MAY_LAG: Final = timedelta(minutes=5)
FINE, NOTE, WRONG = "fine", "note", "wrong"


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What was looked at, how it is (fine, note or wrong), and what to do if it is not fine."""

    subject: str
    message: str
    state: str = FINE


def examine(*, port: int, now: datetime) -> Iterator[Diagnosis]:
    """Everything that an evening needs; what needs the database only if that can be read."""
    yield _check_program()
    yield _check_folder()
    fault = _migrations_fault()
    if fault:
        yield Diagnosis("Database", fault, WRONG)
    else:
        clubs = Club.objects.filter(rehearsal_of=None).count()
        clubs_text = (
            count_words(clubs, "club") if clubs else "no club yet: open Tongbox to set it up"
        )
        yield Diagnosis("Database", f"Readable and up to date, {clubs_text}.")
        yield _check_backup(now)
        yield _check_clock(now)
    yield from _check_phones(port, knows_club=not fault)
    yield _check_mail()


def _check_program() -> Diagnosis:
    text = f"Tongbox {settings.VERSION}, Python {platform.python_version()}, {platform.system()}."
    if sys.version_info < OLDEST_PYTHON:
        return Diagnosis("Program", f"{text} It needs Python 3.11 or later.", WRONG)
    return Diagnosis("Program", text)


def _check_folder() -> Diagnosis:
    free = disk_usage(settings.VAR_DIR).free
    text = f"{settings.VAR_DIR}, {free / 1e9:,.1f} GB free."
    try:
        with TemporaryFile(dir=settings.VAR_DIR):
            pass
    except OSError as why:
        return Diagnosis("Data", f"{settings.VAR_DIR} cannot be written to: {why.strerror}.", WRONG)
    if free < LOW_FREE_SPACE:
        state = WRONG if free < MIN_FREE_SPACE else NOTE
        return Diagnosis("Data", f"{text} Free some space, or hands cannot be saved.", state)
    return Diagnosis("Data", text)


def _migrations_fault() -> str:
    """Whether the tables are those of this release; empty if so."""
    book = own_database()
    if isinstance(book, Path) and not book.exists():  # to open it would make it
        return "There is none yet. Start Tongbox: it makes one."
    try:
        migrations = applied_migrations(connection)
    except DatabaseError as why:
        return f"It cannot be read: {why}. Restore a backup into another folder."
    if is_of_newer_release(migrations):
        return "It was last used by a newer Tongbox. Install the newest."
    if changes := len(missing_migrations(migrations)):
        verb = "is" if changes == 1 else "are"
        return f"{count_words(changes, 'change')} to it {verb} waiting. Run: tongbox upgrade"
    return ""


def _check_backup(now: datetime) -> Diagnosis:
    news = backup_news_at(now)
    if news.trouble:
        return Diagnosis("Backup", f"{news.trouble} {news.fault} Run: tongbox backup", WRONG)
    if news.good_at is None:
        return Diagnosis("Backup", "None yet. Tongbox makes one each night that it runs.", NOTE)
    return Diagnosis("Backup", f"The last good one was made on {long_moment(news.good_at)}.")


def _check_clock(now: datetime) -> Diagnosis:
    text = f"{long_moment(now)}, {settings.TIME_ZONE}."
    with across_clubs():
        entries = AuditEntry.objects.order_by("-pk").values_list("at", flat=True)
        last = entries.first()
    if last is not None and last > now + CLOCK_MAY_LAG:
        return Diagnosis("Clock", f"{text} But something was saved at {long_moment(last)}.", WRONG)
    return Diagnosis("Clock", text)


def _check_phones(port: int, *, knows_club: bool) -> Iterator[Diagnosis]:
    numbers = own_ip_addresses()
    if numbers:
        yield Diagnosis("Phones", f"They open http://{numbers[0]}:{port} on the same Wi-Fi.")
    else:
        yield Diagnosis(
            "Phones", "This computer is not on a Wi-Fi network, so phones cannot reach it.", NOTE
        )
    if is_free(port):
        yield Diagnosis("Port", f"{port} is free. Tongbox is not running there.")
    elif is_tongbox(port):
        yield Diagnosis("Port", f"Tongbox is running at {port}.")
    else:
        text = f"{port} is used by another program. Start with: tongbox --port {port + 1}"
        yield Diagnosis("Port", text, WRONG)
    site_address = settings.SITE_ADDRESS or (chosen_address() if knows_club else "")
    host = site_address.partition("://")[2].partition(":")[0]
    if site_address and host not in numbers and not is_served_address(site_address):
        text = f"They lead to {site_address}, which is not this computer’s address on this network."
        yield Diagnosis("QR codes", text, NOTE)
    elif site_address:
        yield Diagnosis("QR codes", f"They lead to {site_address}.")


def _check_mail() -> Diagnosis:
    if "smtp" in settings.EMAIL_BACKEND:
        return Diagnosis("Email", f"Sent through {settings.EMAIL_HOST}.")
    text = f"Not sent, but written to {settings.VAR_DIR / 'mail'}. EMAIL_URL changes that."
    return Diagnosis("Email", text, NOTE)
