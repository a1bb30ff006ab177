"""Encrypted copies of backups at other places: sent, fetched back, restored and compared."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from django.conf import settings
from django.core.mail import send_mail
from django.utils import timezone

from clubs.backup import BackupError
from clubs.backup.archive import (
    Manifest,
    RetentionCounts,
    RotatedBackup,
    expired_backups,
    sha256_of,
    workplace,
)
from clubs.backup.databases import Server
from clubs.backup.locations import Store
from clubs.backup.sealing import SEALED_SUFFIX, UnsealedBackup, read_key, seal, unseal
from clubs.backup.stores import stores
from clubs.core.mail import sends_email
from clubs.core.processes import command_line, is_locked, start_command
from clubs.language.moments import logged_moment
from clubs.language.words import replace_controls
from clubs.models import AwayCopy, Backup
from tournaments.backup import check_backup, restore_for_serving

BACKUP_SUFFIX: Final = ".tar.gz"
MAX_FAULT_LENGTH: Final = 300
TRIES_BEFORE_EMAIL: Final = 3  # tries
RETRY_DELAYS: Final = tuple(timedelta(minutes=minutes) for minutes in (10, 30, 60, 180, 360))
NO_KEY_MESSAGE: Final = (
    f"There is no recovery key yet. Run {command_line('recovery_key')}, and keep the key on paper."
)

log = logging.getLogger(__name__)


def recovery_key() -> str:
    """The recovery key of this machine. Raises ``BackupError`` if there is none."""
    try:
        return read_key(settings.RECOVERY_KEY.read_text(encoding="utf-8"))
    except FileNotFoundError as why:
        raise BackupError(NO_KEY_MESSAGE) from why
    except OSError as why:
        raise BackupError(f"The recovery key cannot be read: {why.strerror}.") from why


def is_due(*, now: datetime) -> bool:
    """Whether the newest good backup is here, and some place has no good copy of it."""
    return any(True for _ in _due_copies(now))


def start_if_due(*, now: datetime) -> bool:
    """Start a process that sends what is due, unless one is at it; whether started."""
    if not is_due(now=now) or is_locked(_folder() / ".lock"):
        return False
    settings.BACKUPS.mkdir(parents=True, exist_ok=True, mode=0o700)
    with (settings.BACKUPS / "last-away.log").open("wb") as log_file:
        start_command("send_away", "--if-due", log=log_file)
    return True


def send_copies(*, now: datetime, anyway: bool = False) -> list[AwayCopy]:
    """Send the newest good backup to each place without a good copy of it, and delete old copies.

    ``anyway``: now, although a try that failed is to be repeated later. Errors are stored on the
    copies. Raises ``BackupError`` if nothing can be written here.
    """
    if not stores():
        return []
    copies = []
    with workplace(_folder()) as work:
        for number, (store, backup) in enumerate(_due_copies(None if anyway else now)):
            place = work / str(number)
            place.mkdir()
            copies.append(_send_copy(store, backup, place, now))
        for store in stores():
            _rotate(store, now)
    return copies


def _folder() -> Path:
    """Where copies are encrypted and opened: apart, so that a slow network delays no backup."""
    folder: Path = settings.BACKUPS / ".away"
    return folder


def _due_copies(now: datetime | None) -> Iterator[tuple[Store, Backup]]:
    """Places without a good copy of the newest good backup; all but those that wait until later."""
    places = stores()
    backup = Backup.objects.filter(is_good=True, let_go_at=None).order_by("-pk").first()
    # With several machines, the one that made it has the file.
    if not places or backup is None or not Path(backup.file).is_file():
        return
    rows = {copy.place: copy for copy in backup.copies.all()}
    for store in places:
        copy = rows.get(store.name)
        waits = copy and now and copy.try_at and copy.try_at > now
        if copy is None or not (copy.is_good or waits):
            yield store, backup


def _send_copy(store: Store, backup: Backup, work: Path, now: datetime) -> AwayCopy:
    name = Path(backup.file).name.removesuffix(BACKUP_SUFFIX) + SEALED_SUFFIX
    copy, _ = AwayCopy.objects.get_or_create(
        backup=backup, place=store.name, defaults={"name": name}
    )
    # Noted before anything is tried: if the machine is switched off meanwhile, it is tried again.
    copy.try_at = now + RETRY_DELAYS[min(copy.tries, len(RETRY_DELAYS) - 1)]
    copy.tries = min(copy.tries + 1, 1000)
    copy.save(update_fields=["try_at", "tries"])
    try:
        fault = _send_and_compare(copy, store, work)
    except BackupError as why:
        fault = replace_controls(str(why))
    except Exception as why:
        log.exception("the copy could not be made")
        fault = f"Something unexpected went wrong: {type(why).__name__}."
    copy.is_good, copy.fault = not fault, fault[:MAX_FAULT_LENGTH]
    if fault:
        log.warning("the copy of %s at %s is not good: %s", name, store.name, fault)
    if copy.is_good:
        copy.try_at, copy.tried_at, copy.let_go_at = None, timezone.now(), None
    copy.save(update_fields=["is_good", "fault", "try_at", "tried_at", "let_go_at"])
    return copy


def _send_and_compare(copy: AwayCopy, store: Store, work: Path) -> str:
    """Why it is not good, or "". Raises ``BackupError``."""
    key, sealed_file, fetched_file = recovery_key(), work / copy.name, work / "fetched"
    seal(Path(copy.backup.file), settings.SECRET_KEY, sealed_file, key)
    sent_digest = sha256_of(sealed_file)
    store.upload(sealed_file, copy.name)
    copy.bytes, copy.sent_at = sealed_file.stat().st_size, timezone.now()
    copy.save(update_fields=["bytes", "sent_at"])
    sealed_file.unlink()
    store.get(copy.name, fetched_file)
    if sha256_of(fetched_file) != sent_digest:
        return "The copy downloaded again does not match the one that was sent."
    return check_backup(unseal(fetched_file, work, key).backup)


def _rotate(store: Store, now: datetime) -> None:
    """Delete by the rotation of the backups, only what was sent from here; refusals are noted."""
    copies = AwayCopy.objects.filter(place=store.name, let_go_at=None)
    rows = {copy.pk: copy for copy in copies.select_related("backup")}
    rotated_backups = [
        RotatedBackup(key, timezone.localtime(copy.backup.made_at), copy.is_good)
        for key, copy in rows.items()
    ]
    for key in sorted(
        expired_backups(rotated_backups, RetentionCounts.read(settings.KEEP_BACKUPS))
    ):
        copy = rows[key]
        try:
            store.delete(copy.name)
            copy.let_go_at, copy.fault = now, ""
        except BackupError as why:
            copy.fault = replace_controls(f"It was not deleted there: {why}")[:MAX_FAULT_LENGTH]
        copy.save(update_fields=["let_go_at", "fault"])


def undeletable_copies() -> list[AwayCopy]:
    """Good copies whose time is over, and that the storage does not let us delete."""
    return list(AwayCopy.objects.filter(is_good=True, let_go_at=None).exclude(fault=""))


def tell_operators(*, now: datetime) -> int:
    """Email ``TONGBOX_ADMINS`` once about each copy that failed several times; how many."""
    places = [store.name for store in stores()]
    failing = AwayCopy.objects.filter(is_good=False, told_at=None, tries__gte=TRIES_BEFORE_EMAIL)
    if not (settings.OPERATORS and sends_email()):
        return 0
    count = 0
    for copy in failing.filter(place__in=places).exclude(fault="").select_related("backup"):
        if not AwayCopy.objects.filter(pk=copy.pk, told_at=None).update(told_at=now):
            continue
        good = AwayCopy.objects.filter(place=copy.place, is_good=True).order_by("-pk").first()
        last_good_text = logged_moment(good.backup.made_at) if good else "none"
        send_mail(
            "Tongbox: copy of the backup needs attention",
            f"The copy at {copy.place} has failed {copy.tries} times.\n{copy.fault}\n\n"
            f"The last good copy there: {last_good_text}.\nThe backup on this computer is good: "
            f"{copy.backup.file}\n\nTongbox tries again. To try now: {command_line('send_away')}\n",
            None,
            settings.OPERATORS,
        )
        count += 1
    return count


@dataclass(frozen=True, slots=True)
class ListedCopy:
    """A copy that a place lists."""

    store: Store
    name: str


def list_away_copies(say: Callable[[str], None]) -> list[ListedCopy]:
    """The copies at all places, the newest first; ``say`` is called with what cannot be reached.

    Asks only the places, so it works on a new machine. Raises ``BackupError`` if there is none.
    """
    if not (places := stores()):
        raise BackupError("TONGBOX_BACKUPS_AWAY is empty: set it to what it was before.")
    copies = []
    for store in places:
        try:
            names = [name for name in store.names() if name.endswith(SEALED_SUFFIX)]
        except BackupError as why:
            say(f"{store.name}: {why}")
            continue
        copies += [ListedCopy(store, name) for name in names]
    if not copies:
        raise BackupError("No copy of a backup was found.")
    return sorted(copies, key=lambda copy: copy.name, reverse=True)


@contextmanager
def fetch_copy(copy: ListedCopy, key: str) -> Iterator[UnsealedBackup]:
    """The copy, fetched and decrypted, in a folder deleted later. Raises ``BackupError``."""
    with workplace(_folder()) as work:
        sealed_file = work / "fetched" / Path(copy.name).name
        sealed_file.parent.mkdir()
        copy.store.get(copy.name, sealed_file)
        yield unseal(sealed_file, work, key)


def check_copy(copy: ListedCopy, key: str) -> str:
    """Fetch it, restore it as a test and compare; the fault, or "". Raises ``BackupError``."""
    with fetch_copy(copy, key) as fetched_copy:
        return check_backup(fetched_copy.backup)


def restore_copy(
    copy: ListedCopy, key: str, *, into: Server | Path, work: Path, now: datetime
) -> tuple[Manifest, str, str]:
    """Fetch it into the folder of backups and restore that for serving from it.

    Returns its manifest, the difference or "", and the secret key from before. Raises
    ``BackupError``.
    """
    with fetch_copy(copy, key) as fetched_copy:
        backup_file = settings.BACKUPS / fetched_copy.backup.name
        if backup_file.exists() and sha256_of(backup_file) != sha256_of(fetched_copy.backup):
            raise BackupError(f"{backup_file} is another file: move it elsewhere first.")
        fetched_copy.backup.replace(backup_file)
        secret_key = fetched_copy.secret_key
    return *restore_for_serving(backup_file, into=into, work=work, now=now), secret_key


def restore_secret_key(secret_key: str) -> str:
    """Put the secret key of a copy in place of the new machine's own; a sentence for the operator.

    A key that the environment gives is never overridden.
    """
    key_file: Path = settings.VAR_DIR / "secret_key"
    if secret_key == settings.SECRET_KEY:
        return "The secret key has not changed."
    in_use = ""
    with suppress(FileNotFoundError):
        in_use = key_file.read_text(encoding="utf-8")
    if in_use != settings.SECRET_KEY:
        restored_file = key_file.with_name("secret_key.restored")
        restored_file.unlink(missing_ok=True)
        restored_file.touch(0o600)
        restored_file.write_text(secret_key, encoding="utf-8")
        return (
            f"Set SECRET_KEY to the former key, which is in {restored_file}, and delete that file."
        )
    key_file.rename(key_file.with_name("secret_key.new"))
    key_file.touch(0o600)
    key_file.write_text(secret_key, encoding="utf-8")
    return f"The secret key from before is in {key_file}: printed cards and links open as they did."
