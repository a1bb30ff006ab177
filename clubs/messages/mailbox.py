"""The mailbox to which bounces return, read every few minutes by IMAP over TLS."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from imaplib import IMAP4, IMAP4_SSL
from ssl import create_default_context
from typing import Final
from urllib.parse import SplitResult, unquote, urlsplit

from django.conf import settings

from clubs.messages.bounces import parse_report
from clubs.messages.services import apply_report

IMAP_TIMEOUT: Final = 20
MOST_MAILS: Final = 200  # a turn; the newest first
MOST_BYTES: Final = 500_000
UNREAD_REPORTS: Final = ("UNSEEN", "HEADER", "Content-Type", "report")
SEEN_FLAG: Final = r"(\Seen)"

log: Final = logging.getLogger(__name__)


def read_mailbox(*, today: date) -> int:
    """Read the unread reports in TONGBOX_BOUNCES; returns how many were about messages of ours.

    Those are marked as read; every other email stays as it is, unread. A mailbox that does not
    answer is logged, and read the next time.
    """
    try:
        with _open_mailbox(urlsplit(settings.BOUNCES)) as box:
            return sum(_read_report(box, number, today) for number in _unread_numbers(box))
    except (IMAP4.error, OSError) as error:
        log.warning("the mailbox for bounces could not be read: %s", error)
        return 0


@contextmanager
def _open_mailbox(address: SplitResult) -> Iterator[IMAP4]:
    """The folder of ``imaps://user:password@host:993/INBOX``."""
    box = IMAP4_SSL(
        address.hostname or "",
        address.port or 993,
        ssl_context=create_default_context(),
        timeout=IMAP_TIMEOUT,
    )
    with box:
        box.login(unquote(address.username or ""), unquote(address.password or ""))
        folder = unquote(address.path.strip("/")) or "INBOX"
        answer, reply = box.select(f'"{folder}"')
        if answer != "OK":
            raise IMAP4.error(f"no folder {folder}: {reply!r}")
        yield box


def _unread_numbers(box: IMAP4) -> list[str]:
    _, (numbers, *_) = box.uid("SEARCH", *UNREAD_REPORTS)
    return (numbers or b"").decode().split()[: -MOST_MAILS - 1 : -1]


def _read_report(box: IMAP4, number: str, today: date) -> bool:
    """Whether the email of this number was a report about a message of ours."""
    _, answer = box.uid("FETCH", number, f"(BODY.PEEK[]<0.{MOST_BYTES}>)")
    content = next((part[1] for part in answer if isinstance(part, tuple)), b"")
    report = parse_report(content)
    if report is None or not apply_report(report=report, today=today):
        return False
    box.uid("STORE", number, "+FLAGS", SEEN_FLAG)
    return True
