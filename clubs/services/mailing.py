"""Sending the club's messages: each once, whatever falls over in between."""

from datetime import timedelta
from smtplib import SMTPDataError, SMTPException, SMTPRecipientsRefused

from django.core.mail import EmailMultiAlternatives, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db.models import Q, QuerySet
from django.template.loader import render_to_string
from django.utils import timezone

from clubs.core.merge_fields import blocks
from clubs.core.queue import TryLater, say
from clubs.matters import OF_RESULTS
from clubs.models import Batch, Job, Message, MessageState, SentResult
from clubs.selectors.letter_fields import DIGEST

SECONDS_TO_ANSWER = 30
ON_ITS_WAY = timedelta(seconds=90)
FOR_GOOD = 500


def mail_of(message: Message) -> EmailMultiAlternatives:
    """The email, as text and as a page; sent again it bears the same Message-ID."""
    context = {
        "subject": message.subject,
        "blocks": blocks(message.body),
        "reader": message.player.name,
    }
    mail = EmailMultiAlternatives(
        subject=message.subject,
        body=f"{message.body}\n",
        to=[message.email],
        headers={"Message-ID": f"<{message.key}@tongbox>"},
    )
    mail.attach_alternative(render_to_string("emails/message.html", context), "text/html")
    return mail


def send_batch(job: Job) -> str:
    """Send what waits of a batch; returns how it went in words.

    A message that leaves is marked first (``sent_at``), so two workers never send the same; the
    mark of a worker who fell silent is void after 90 seconds. Raises TryLater when the mail server
    does not answer, and while another worker has one in hand.
    """
    batch = Batch.objects.select_related("club").get(pk=job.about, club=job.club)
    if batch.club.rehearsal_of_id is not None:
        return "This is a practice evening, so nothing was sent."
    messages = list(batch.messages.filter(_is_free()).select_related("player"))
    try:
        with get_connection(timeout=SECONDS_TO_ANSWER) as connection:
            for done, message in enumerate(messages):
                say(job, done=done, total=len(messages))
                _send(batch, message, connection)
    except (SMTPException, OSError) as error:
        raise TryLater(f"The mail server is not responding. {_left(batch)}.") from error
    say(job, done=len(messages), total=len(messages))
    if left := _left(batch):
        raise TryLater(f"{left}, being sent elsewhere.")
    return _said(batch)


def _left(batch: Batch) -> str:
    """``3 still to send``; empty where nothing does."""
    left = batch.messages.filter(state=MessageState.WAITING).count()
    return f"{left} still to send" if left else ""


def _is_free() -> Q:
    """Waits, and no other worker has it in hand."""
    late = Q(sent_at=None) | Q(sent_at__lt=timezone.now() - ON_ITS_WAY)
    return late & Q(state=MessageState.WAITING)


def _send(batch: Batch, message: Message, connection: BaseEmailBackend) -> None:
    """One message, unless it was stopped or someone else sends it."""
    row = Message.objects.filter(pk=message.pk)
    if not row.filter(_is_free()).update(sent_at=timezone.now()):
        return
    try:
        connection.send_messages([mail_of(message)])
    except SMTPRecipientsRefused as error:
        _refused(row, *next(iter(error.recipients.values()), (0, b"")))
    except SMTPDataError as error:
        if error.smtp_code < FOR_GOOD:
            row.update(sent_at=None)
            raise
        _refused(row, error.smtp_code, error.smtp_error)
    except (SMTPException, OSError):
        row.update(sent_at=None)
        raise
    else:
        row.update(state=MessageState.SENT, sent_at=timezone.now(), answer="")
        if batch.kind in OF_RESULTS:
            SentResult.objects.get_or_create(
                session_id=batch.about or 0,
                player_id=message.player_id,
                digest=message.key.hex[:DIGEST],
            )


def _refused(row: QuerySet[Message], code: int, words: bytes | str) -> None:
    said = words.decode(errors="replace") if isinstance(words, bytes) else words
    row.update(state=MessageState.REFUSED, sent_at=None, answer=f"{code} {said}"[:200])


def _said(batch: Batch) -> str:
    sent = batch.messages.filter(state=MessageState.SENT).exclude(email="").count()
    refused = batch.messages.filter(state=MessageState.REFUSED)
    names = ", ".join(refused.values_list("player__name", flat=True))
    told = f"{sent} {'message has' if sent == 1 else 'messages have'} been sent."
    return f"{told} Not delivered: {names}." if names else told
