"""Messages to members: drafted, changed and sent."""

from collections.abc import Collection, Iterable, Mapping
from datetime import date, timedelta
from smtplib import SMTPDataError, SMTPException, SMTPRecipientsRefused
from typing import Any
from uuid import uuid4

from django.core.mail import get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from clubs.core.audit_log import log_event
from clubs.core.locks import lock_club
from clubs.core.mail import sends_email
from clubs.core.mail_limits import count_mails, refuse_own_words
from clubs.core.queue import TryLater, make_job, queue_job, report_progress
from clubs.evenings.selectors.calendar import ANSWER_PROMPT, club_day
from clubs.evenings.services.calendar import invite_substitute
from clubs.language.moments import full_date, time_of_day, weekday_and_date
from clubs.language.words import replace_controls
from clubs.members.selectors import subscriptions
from clubs.members.services.people import choose_emails, note_failed_email, try_email_again
from clubs.messages import message_kinds as kinds, selectors as rows
from clubs.messages.bounces import Outcome, Report
from clubs.messages.mail import Letterhead, build_email, letterhead_of
from clubs.models import (
    Answer,
    Batch,
    Club,
    Invitation,
    Job,
    JobState,
    Message,
    MessageState,
    Player,
    SentResult,
    Session,
    SessionState,
    User,
)
from clubs.models.names import by_surname
from clubs.tenancy import across_clubs, club_scope
from scoring.scorebook.refusals import Refusal, Refused, refuse

MAX_TITLE_LENGTH = 120
ERASED_MESSAGE = (
    "Someone you chose has just had their personal data deleted, so nothing was written. "
    "Choose the people again, and check that your message does not name them."
)
LINK_ACTOR = "A link in an email"
INVITATION_TEXT = """Dear {{name}},

Can you come to {club} on {when}?
{answer_here}
{{answer link}}

Thank you, {sender}"""
NO_EVENING_TEXT = """Dear {{name}},

{club} will not meet on {when}{why}.

{sender}"""
RENEWAL_TEXT = """Dear {{name}},

Your subscription to {club} runs until {{paid until}}. To renew it, please bring your payment \
to an evening.

Thank you, {sender}"""
RESULT_TEXT = """Dear {{name}},

{opening}

{{your place}}

{{result}}

Every table and hand: {{evening link}}

{club}"""

REHEARSAL_MESSAGE = "This is a practice evening, so no messages are sent."
NO_MAIL_SERVER_MESSAGE = (
    "This Tongbox does not send email, so nothing was sent. Print letters or use the phone list."
)

SMTP_TIMEOUT = 30
CLAIM_LASTS = timedelta(seconds=90)
PERMANENT_CODES_FROM = 500


@transaction.atomic
def draft_message(
    *, club: Club, subject: str, text: str, readers: Iterable[Player], made_by: User
) -> Batch:
    return _make_drafts(club, kinds.FREE_TEXT, subject, (subject, text), readers, made_by)


@transaction.atomic
def draft_invitations(
    *, club: Club, held_on: date, day_text: str, readers: Iterable[Player], made_by: User
) -> Batch:
    """“Can you come?”, with a link for each to say yes or no; ``day_text`` is the day in words."""
    readers = list(readers)
    subject = f"Can you come on {kinds.strip_braces(day_text)}?"
    sender = str(made_by)
    text = _fill_text(
        INVITATION_TEXT, club=club.name, when=day_text, sender=sender, answer_here=ANSWER_PROMPT
    )
    key = rows.day_key(held_on)
    batch = _make_drafts(club, kinds.INVITATION, subject, (subject, text), readers, made_by, key)
    for player in readers:
        invite_substitute(club=club, held_on=held_on, player=player, asked_by=made_by)
    return batch


@transaction.atomic
def draft_no_evening(
    *,
    club: Club,
    held_on: date,
    day_text: str,
    reason: str,
    readers: Iterable[Player],
    made_by: User,
) -> Batch:
    """“The club does not meet on …”; ``reason`` in a few words or empty."""
    subject, reason_text = f"No evening on {day_text}", f" ({reason})" if reason else ""
    text = _fill_text(
        NO_EVENING_TEXT, club=club.name, when=day_text, why=reason_text, sender=str(made_by)
    )
    key = rows.day_key(held_on)
    return _make_drafts(club, kinds.NO_EVENING, subject, (subject, text), readers, made_by, key)


@transaction.atomic
def draft_renewals(*, club: Club, today: date, made_by: User) -> Batch:
    due = [row.player_id for row in subscriptions(club, today).due]
    if not due:
        raise refuse("nobody_due", "No subscriptions are due, so there is no one to write to.")
    subject = kinds.strip_braces(f"{club.name}: your subscription")
    text = _fill_text(RENEWAL_TEXT, club=club.name, sender=str(made_by))
    readers = club.players.filter(pk__in=due)
    return _make_drafts(club, kinds.RENEWAL, "Subscriptions due", (subject, text), readers, made_by)


@transaction.atomic
def draft_results(*, session: Session) -> None:
    """The evening's result to each who asked and does not have it yet; again to the others.

    A draft of before stays with what was changed in it, unless its reader has this result already.
    """
    of_evening = _lock_results(session)
    readers = rows.result_readers(session)
    drafts = rows.result_messages(session).filter(state=MessageState.DRAFT)
    reader_condition = (
        Q(wants_results=True) | Q(pk__in=readers.earlier_readers) | Q(messages__in=drafts)
    )
    people = session.club.players.filter(reader_condition, is_active=True).distinct()
    to_write = [
        player
        for player in people
        if player.pk not in readers.settled_players
        and not kinds.Topic.RESULTS.is_refused_by(player)
    ]
    drafts.exclude(player__in=to_write).delete()
    of_evening.filter(messages=None).delete()
    _write_results(session, to_write, readers.earlier_readers)


@transaction.atomic
def draft_result(*, session: Session, made_by: User) -> Batch:
    """The result of a finished evening to everyone who can have it and does not, as one mailing.

    Drafts that are there already are part of it, with what was changed in them. Raises ``Refused``
    while the evening is not finished, and if nobody is left to write to.
    """
    session = Session.objects.select_related("club").get(pk=session.pk)
    _refuse_unfinished(session)
    _lock_results(session)
    people = rows.players_without_result(session)
    _write_results(session, people, rows.result_readers(session).earlier_readers, made_by)
    drafts = rows.result_messages(session).filter(state=MessageState.DRAFT)
    batch = batches_of(session).filter(pk__in=drafts.values("batch")).first()
    if batch is None:
        raise refuse("nobody_left", "Everyone who can have this result has it already.")
    return batch


def _lock_results(session: Session) -> QuerySet[Batch]:
    lock_club(session.club_id)
    of_evening = batches_of(session)
    list(of_evening.select_for_update(no_key=True).order_by("pk"))
    return of_evening


def batches_of(session: Session) -> QuerySet[Batch]:
    return Batch.objects.filter(club=session.club_id, kind__in=kinds.RESULT_KINDS, about=session.pk)


def _write_results(
    session: Session,
    people: list[Player],
    earlier_readers: Collection[int],
    made_by: User | None = None,
) -> None:
    """A draft for each who has none: of a corrected result for those who had another before."""
    drafted_keys = rows.players_with_drafts(session)
    new = [player for player in people if player.pk not in drafted_keys]
    _add_to_draft(
        session,
        kinds.RESULT,
        [player for player in new if player.pk not in earlier_readers],
        made_by,
    )
    _add_to_draft(
        session,
        kinds.CORRECTED_RESULT,
        [player for player in new if player.pk in earlier_readers],
        made_by,
    )


def _add_to_draft(
    session: Session, kind: kinds.MessageKind, readers: list[Player], made_by: User | None
) -> None:
    """Add the readers to the batch that is being drafted, with its words, or to a new one."""
    if not readers:
        return
    draft_batches = batches_of(session).filter(kind=kind.key, messages__state=MessageState.DRAFT)
    batch = draft_batches.exclude(messages__player__in=readers).first()
    if batch is not None:
        _make_messages(batch, readers, *rows.common_text(rows.messages_of(batch)))
        return
    day, label = full_date(session.held_on), kind.title.lower()
    opening = f"This is the result of {day}."
    if kind is kinds.CORRECTED_RESULT:
        opening = f"The result of {day} has been corrected. This is the new result."
    text = _fill_text(RESULT_TEXT, opening=opening, club=session.club.name)
    subject = kinds.strip_braces(f"{session.club.name}: {label} of {day}")
    title = f"{kind.title} of {day}"
    _make_drafts(session.club, kind, title, (subject, text), readers, made_by, session.pk)


def _make_drafts(
    club: Club,
    kind: kinds.MessageKind,
    title: str,
    text: tuple[str, str],
    readers: Iterable[Player],
    made_by: User | None,
    subject_key: int | None = None,
) -> Batch:
    refuse_faults(kind, *text)
    readers = list(readers)
    if not readers:
        raise refuse("nobody", "Choose at least one person.")
    if any(player.club_id != club.pk for player in readers):
        raise refuse("other_club", "Someone you chose is no longer a member or guest of this club.")
    lock_club(club.pk)
    keys = [player.pk for player in readers]
    people = by_surname(club.players.filter(pk__in=keys, erased_on=None))
    if len(people) < len(set(keys)) and kind not in (kinds.RESULT, kinds.CORRECTED_RESULT):
        raise refuse("erased", ERASED_MESSAGE)
    batch = Batch.objects.create(
        club=club, kind=kind.key, about=subject_key, title=title[:MAX_TITLE_LENGTH], made_by=made_by
    )
    _make_messages(batch, people, *text)
    return batch


def _make_messages(batch: Batch, readers: Iterable[Player], subject: str, body: str) -> None:
    Message.objects.bulk_create(
        Message(batch=batch, player=player, email=player.email, subject=subject, body=body)
        for player in readers
    )


def _fill_text(text: str, **fields: str) -> str:
    """A text of ours with what is the same for every reader."""
    return text.format(**{name: kinds.strip_braces(value) for name, value in fields.items()})


def refuse_faults(kind: kinds.MessageKind, subject: str, text: str) -> None:
    """Raise ``Refused`` for every unknown field and a subject of several lines, at its place."""
    by_field = (
        ("subject", kinds.subject_faults(subject, kind.names)),
        ("text", kinds.text_faults(text, kind.names)),
    )
    if refusals := [
        Refusal("fields", fault, field) for field, faults in by_field for fault in faults
    ]:
        raise Refused(refusals)


@transaction.atomic
def change_text(*, batch: Batch, subject: str, text: str) -> int:
    """Another text for all drafts but those that have one of their own; returns how many.

    Raises ``Refused`` with the fields that are not known.
    """
    lock_batch(batch)
    refuse_faults(kinds.MESSAGE_KINDS[batch.kind], subject, text)
    old_subject, body = rows.common_text(rows.messages_of(batch))
    drafts = batch.messages.filter(state=MessageState.DRAFT, subject=old_subject, body=body)
    return drafts.update(subject=subject, body=text)


@transaction.atomic
def change_message(*, message: Message, subject: str, text: str) -> Message:
    batch = lock_batch(message.batch)
    refuse_faults(kinds.MESSAGE_KINDS[batch.kind], subject, text)
    drafts = Message.objects.filter(pk=message.pk, state=MessageState.DRAFT)
    if not drafts.update(subject=subject, body=text):
        raise refuse("gone", "This message has already been sent, so it cannot be changed.")
    return message


@transaction.atomic
def exclude_drafts(*, batch: Batch, message: Message | None = None) -> int:
    """Exclude this draft, or all remaining ones of the batch; returns how many."""
    lock_batch(batch)
    drafts = batch.messages.filter(state__in=[MessageState.DRAFT, MessageState.REFUSED])
    excluded_drafts = list(drafts.filter(pk=message.pk) if message else drafts)
    for item in excluded_drafts:
        item.state = MessageState.DROPPED
    _set_result_keys(batch, excluded_drafts)
    Message.objects.bulk_update(excluded_drafts, ["state", "key"])
    if batch.kind == kinds.INVITATION.key:
        # A person asked only by this draft was never asked.
        Invitation.objects.filter(
            club=batch.club_id,
            held_on=rows.day_of(batch.about or 0),
            player__in=[message.player_id for message in excluded_drafts],
            answer=Answer.NONE,
            asked_at__gte=batch.made_at,
        ).delete()
    return len(excluded_drafts)


@transaction.atomic
def include_again(*, message: Message, asked_by: User) -> None:
    batch = lock_batch(message.batch)
    excluded_messages = Message.objects.filter(pk=message.pk, state=MessageState.DROPPED)
    is_back = excluded_messages.update(state=MessageState.DRAFT, key=uuid4())
    if is_back and batch.kind == kinds.INVITATION.key:
        Invitation.objects.get_or_create(
            club=batch.club,
            held_on=rows.day_of(batch.about or 0),
            player_id=message.player_id,
            defaults={"asked_by": asked_by},
        )


@transaction.atomic
def send_drafts(*, batch: Batch, seen_digest: str, asked_by: User) -> int:
    """Queue every draft with an address, as previewed; returns how many.

    ``seen_digest``: the digest of the preview. Pressed again, there is nothing to send.
    """
    batch = lock_batch(batch)
    _refuse_sending(batch)
    view = rows.batch_view(batch)
    if not view.to_send:
        return 0
    if view.preview_digest != seen_digest:
        message = "Something changed while you were looking. Check again, then press Send."
        raise refuse("changed", message)
    count_mails(batch.club, [letter.email for letter in view.to_send])
    _store_filled(batch, view, [letter.pk for letter in view.to_send], MessageState.WAITING)
    _start_job(batch, asked_by)
    return len(view.to_send)


@transaction.atomic
def mark_contacted(*, message: Message, method: str) -> None:
    """Record that someone was contacted by letter or by phone: ``method`` says how, in words."""
    batch = lock_batch(message.batch)
    view = rows.batch_view(batch)
    if any(letter.pk == message.pk and letter.is_by_hand for letter in view.letters):
        _store_filled(batch, view, [message.pk], MessageState.SENT, answer=method)


def _store_filled(
    batch: Batch, view: rows.BatchView, keys: list[int], state: MessageState, answer: str = ""
) -> None:
    """Store the messages as they are shown, with the fields filled in."""
    letters = {letter.pk: letter for letter in view.letters}
    messages = list(batch.messages.filter(pk__in=keys))
    for message in messages:
        letter = letters[message.pk]
        message.subject, message.body = letter.subject, letter.body
        message.email, message.state, message.answer = letter.email, state, answer
        message.sent_at = timezone.now() if state == MessageState.SENT else None
    _set_result_keys(batch, messages)
    columns = ["subject", "body", "email", "state", "answer", "sent_at", "key"]
    Message.objects.bulk_update(messages, columns)


def _set_result_keys(batch: Batch, messages: list[Message]) -> None:
    """A result's message bears the key of this result, so nobody is sent it twice."""
    if batch.kind not in kinds.RESULT_KINDS:
        return
    result = rows.mailed_result(rows.session_of(batch))
    for message in messages:
        message.batch = batch
        message.key = result.key_for(message)


@transaction.atomic
def stop_sending(*, batch: Batch) -> int:
    """Stop unsent messages: drafts again, with their fields; returns how many."""
    batch = lock_batch(batch)
    waiting = batch.messages.filter(state=MessageState.WAITING, sent_at=None)
    messages = list(waiting.select_related("player"))
    values, draft_count = rows.values_of(batch, messages), 0
    for message in messages:
        field_values = values[message.player_id]
        row = Message.objects.filter(pk=message.pk, state=MessageState.WAITING, sent_at=None)
        draft_count += row.update(
            state=MessageState.DRAFT,
            key=uuid4(),
            subject=kinds.restore_fields(message.subject, field_values)[:160],
            body=kinds.restore_fields(message.body, field_values),
        )
    return draft_count


@transaction.atomic
def resend_undelivered(*, batch: Batch, asked_by: User, message: Message | None = None) -> int:
    """Resend undelivered messages to the reader's current address.

    To an address from which emails come back only the one that is named: that tries it afresh.
    """
    batch = lock_batch(batch)
    _refuse_sending(batch)
    refused_messages = batch.messages.filter(state=MessageState.REFUSED).select_related("player")
    topic = kinds.MESSAGE_KINDS[batch.kind].topic
    if message is not None:
        refused_messages = refused_messages.filter(pk=message.pk)
        for item in refused_messages.filter(player__failed_email=F("player__email")):
            try_email_again(player=item.player)
    messages = [item for item in refused_messages if not rows.email_obstacle(item.player, topic)]
    count_mails(batch.club, [item.player.email for item in messages])
    for item in messages:
        item.email, item.state, item.answer = item.player.email, MessageState.WAITING, ""
    Message.objects.bulk_update(messages, ["email", "state", "answer"])
    waiting = batch.messages.filter(state=MessageState.WAITING).count()
    if waiting:
        _start_job(batch, asked_by)
    return waiting


def _start_job(batch: Batch, asked_by: User) -> None:
    """A job for the batch, unless a waiting one will include the new messages."""
    jobs = Job.objects.filter(club=batch.club_id, kind=rows.SENDING_JOB, about=batch.pk)
    if not jobs.filter(state=JobState.WAITING).exists():
        queue_job(
            make_job(
                club=batch.club, kind=rows.SENDING_JOB, subject_key=batch.pk, asked_by=asked_by
            )
        )


def _refuse_sending(batch: Batch) -> None:
    if batch.club.rehearsal_of_id is not None:
        raise refuse("rehearsal", REHEARSAL_MESSAGE)
    if not sends_email():
        raise refuse("no_mail_server", NO_MAIL_SERVER_MESSAGE)
    refuse_own_words(batch.club)
    if batch.kind in kinds.RESULT_KINDS:
        _refuse_unfinished(rows.session_of(batch))


def _refuse_unfinished(session: Session) -> None:
    if session.is_cancelled:
        raise refuse("evening_cancelled", "The evening was cancelled, so it has no result to send.")
    if session.state != SessionState.CLOSED:
        message = "This evening is not finished. Finish it first, then send its result."
        raise refuse("evening_open", message)


def lock_batch(batch: Batch) -> Batch:
    """The batch's row, locked until the transaction ends: presses wait for one another.

    The club is locked first, so that nothing is written about somebody who is being erased.
    """
    lock_club(batch.club_id)
    locked_batches = Batch.objects.select_for_update(of=("self",), no_key=True)
    return locked_batches.select_related("club").get(pk=batch.pk)


def send_batch(job: Job) -> str:
    """Send what waits of a batch; returns how it went in words.

    A message that leaves is marked first (``sent_at``), so two workers never send the same; the
    mark of a worker who fell silent is void after 90 seconds. Raises TryLater when the mail server
    does not answer, and while another worker has one in hand.
    """
    batches = Batch.objects.select_related("club", "made_by")
    batch = batches.get(pk=job.about, club=job.club)
    if batch.club.rehearsal_of_id is not None:
        return "This is a practice evening, so nothing was sent."
    if not sends_email():
        stop_sending(batch=batch)
        return NO_MAIL_SERVER_MESSAGE
    messages = list(batch.messages.filter(_unclaimed_messages()).select_related("player"))
    head = letterhead_of(batch)
    try:
        with get_connection(timeout=SMTP_TIMEOUT) as connection:
            for sent_count, message in enumerate(messages):
                report_progress(job, done=sent_count, total=len(messages))
                _send_message(batch, message, connection, head)
    except (SMTPException, OSError) as error:
        raise TryLater(f"The mail server is not responding: {_remaining_words(batch)}.") from error
    report_progress(job, done=len(messages), total=len(messages))
    if remaining_text := _remaining_words(batch):
        raise TryLater(f"{remaining_text}, and already being sent.")
    sent_messages = batch.messages.filter(~rows.CONTACTED_BY_HAND, state=MessageState.SENT)
    refused_messages = batch.messages.filter(state=MessageState.REFUSED)
    names = ", ".join(refused_messages.values_list("player__name", flat=True))
    count = sent_messages.count()
    text = f"{count} {'message has' if count == 1 else 'messages have'} been sent."
    return f"{text} Not delivered: {names}." if names else text


def _remaining_words(batch: Batch) -> str:
    """``3 still to send``; empty if none are."""
    remaining_count = batch.messages.filter(state=MessageState.WAITING).count()
    return f"{remaining_count} still to send" if remaining_count else ""


def _unclaimed_messages() -> Q:
    """Waiting, and not claimed by another worker."""
    unclaimed_condition = Q(sent_at=None) | Q(sent_at__lt=timezone.now() - CLAIM_LASTS)
    return unclaimed_condition & Q(state=MessageState.WAITING)


def _send_message(
    batch: Batch, message: Message, connection: BaseEmailBackend, head: Letterhead
) -> None:
    """Send one message, unless it was stopped or another worker sends it."""
    row = Message.objects.filter(pk=message.pk)
    if not row.filter(_unclaimed_messages()).update(sent_at=timezone.now()):
        return
    try:
        connection.send_messages([build_email(message, head)])
    except SMTPRecipientsRefused as error:
        _store_refusal(row, *next(iter(error.recipients.values()), (0, b"")))
    except SMTPDataError as error:
        if error.smtp_code < PERMANENT_CODES_FROM:
            row.update(sent_at=None)
            raise
        _store_refusal(row, error.smtp_code, error.smtp_error)
    except (SMTPException, OSError):
        row.update(sent_at=None)
        raise
    else:
        row.update(state=MessageState.SENT, sent_at=timezone.now(), answer="")
        if batch.kind in kinds.RESULT_KINDS:
            SentResult.objects.get_or_create(
                session_id=batch.about or 0,
                player_id=message.player_id,
                digest=message.key.hex[: rows.DIGEST_LENGTH],
            )


def _store_refusal(row: QuerySet[Message], code: int, reply: bytes | str) -> None:
    text = reply.decode(errors="replace") if isinstance(reply, bytes) else reply
    answer = f"{code} {replace_controls(text)}"[:200]
    row.update(state=MessageState.REFUSED, sent_at=None, answer=answer)


@transaction.atomic
def stop_emails(*, player: Player, topic: kinds.Topic, is_stopped: bool = True) -> Player:
    """Someone used the link in an email to stop emails, or to have them again."""
    if topic.is_refused_by(player) != is_stopped:
        choose_emails(player=player, **{topic.column: not is_stopped})
        act_name = "emails stopped" if is_stopped else "emails wanted"
        log_event(
            club=player.club_id, act_name=act_name, actor=LINK_ACTOR, details={"player": player.pk}
        )
    return player


def apply_report(*, report: Report, today: date) -> bool:
    """Note what became of a message after it was sent; False to try again: it is still being sent.

    Of a message that was deleted, sent again or passed on by phone nothing is noted.
    """
    with across_clubs():
        messages = Message.objects.select_related("player__club", "batch")
        message = messages.filter(key=report.key).first()
    if message is None:
        return True
    if message.state == MessageState.WAITING:
        return False
    with club_scope(message.batch.club_id):
        _note_report(message, report, today)
    return True


@transaction.atomic
def _note_report(message: Message, report: Report, today: date) -> None:
    player = rows.current_record(message.player)
    sent_messages = Message.objects.filter(
        ~rows.CONTACTED_BY_HAND, pk=message.pk, state=MessageState.SENT
    )
    if report.outcome in (Outcome.DELAYED, Outcome.UNWANTED):
        sent_messages.update(answer=report.text)
    elif not sent_messages.update(state=MessageState.REFUSED, sent_at=None, answer=report.text):
        return
    if player.erased_on is not None:
        return
    if report.outcome is Outcome.GONE:
        note_failed_email(player=player, email=message.email, today=today)
    elif report.outcome is Outcome.UNWANTED:
        stop_emails(player=player, topic=kinds.MESSAGE_KINDS[message.batch.kind].topic)


def write_drafts(
    *, club: Club, kind: kinds.MessageKind, fields: Mapping[str, Any], made_by: User
) -> Batch:
    """Drafts of one kind of message, one a person; ``fields`` is what its form asks for.

    Raises ``Refused`` where nobody would get it, or a field in the text is not known.
    """
    draft_kwargs: dict[str, Any] = {"club": club, "made_by": made_by}
    if kind is kinds.FREE_TEXT:
        text = {name: fields[name] for name in ("subject", "text", "readers")}
        return draft_message(**draft_kwargs, **text)
    if kind is kinds.INVITATION:
        parts = [weekday_and_date(fields["day"])]
        if planned_day := club_day(club, fields["day"]):
            parts += filter(None, (time_of_day(planned_day.starts_at), planned_day.place))
        draft_kwargs |= {"held_on": fields["day"], "day_text": ", ".join(parts)}
        return draft_invitations(**draft_kwargs, readers=fields["readers"])
    if kind is kinds.NO_EVENING:
        draft_kwargs |= {"held_on": fields["day"], "day_text": full_date(fields["day"])}
        return draft_no_evening(**draft_kwargs, reason=fields["why"], readers=fields["readers"])
    if kind is kinds.RESULT:
        return draft_result(session=fields["evening"], made_by=made_by)
    return draft_renewals(**draft_kwargs, today=timezone.localdate())
