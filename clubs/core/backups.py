"""How the backups stand, in words that a secretary understands."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Subquery
from django.utils import timezone

from clubs.core.versioned_cache import made_once
from clubs.models import Backup, User

TOO_OLD: Final = timedelta(days=2)
TO_BE_TRIED_WITHIN: Final = timedelta(hours=2)
KEPT_FOR: Final = 60  # seconds


@dataclass(frozen=True, slots=True)
class BackupNews:
    """When the last good backup was made; what is wrong with the newest, in a sentence, or "".

    ``put_back_at`` is when the book was put back from that backup, where none was made since.
    """

    good_at: datetime | None
    trouble: str = ""
    fault: str = ""
    put_back_at: datetime | None = None


def backup_news() -> BackupNews:
    """How it stands now: one query, asked once a minute for everyone."""
    return made_once("backup-news", lambda: backup_news_at(timezone.now()), seconds=KEPT_FOR)


def backup_news_at(now: datetime) -> BackupNews:
    """How it stands at that moment; one query, two where no backup was ever begun."""
    good = Backup.objects.filter(is_good=True).order_by("-pk").values("made_at")[:1]
    newest = Backup.objects.order_by("-pk").annotate(good_at=Subquery(good)).first()
    if newest is None:
        return BackupNews(None, _never_made(now))
    good_at: datetime | None = newest.good_at
    trouble = _trouble(newest, good_at, now)
    return BackupNews(good_at, trouble, newest.fault, newest.put_back_at)


def _trouble(newest: Backup, good_at: datetime | None, now: datetime) -> str:
    if newest.is_good is False:
        return "The last backup failed its test."
    if newest.is_good is None and newest.fault:
        return "The last backup was made but could not be tested."
    if newest.is_good is None and now - newest.made_at > TO_BE_TRIED_WITHIN:
        if not newest.file:
            return "The last backup did not finish."
        return "The last backup was made but has not been tested."
    if now - (newest.put_back_at or good_at or newest.made_at) > TOO_OLD:
        return "There has been no successful backup for more than two days."
    return ""


def _never_made(now: datetime) -> str:
    """People who have used it for days without one should know."""
    first = User.objects.order_by("date_joined").values_list("date_joined", flat=True).first()
    is_old = first is not None and now - first > TOO_OLD
    return "No backup has ever been made." if is_old else ""
