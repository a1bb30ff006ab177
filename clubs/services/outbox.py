"""What becomes of a draft: changed, left out, sent by a press, stopped, tried again, told."""

from uuid import uuid4

from django.db import transaction
from django.utils import timezone

from clubs.core.merge_fields import unmerged
from clubs.core.queue import make_job, wake
from clubs.matters import INVITATION, MATTERS, OF_RESULTS
from clubs.models import (
    Answer,
    Batch,
    Invitation,
    Job,
    JobState,
    Message,
    MessageState,
    SessionState,
    User,
)
from clubs.selectors.letter_fields import day_of, session_of, told_result, values_of
from clubs.selectors.outbox import SENDING, BatchView, batch_view, common_text
from clubs.services.drafting import refuse_faults
from scoring.scorebook.refusals import refuse

REHEARSAL = "This is a practice evening, so no messages are sent."


@transaction.atomic
def change_text(*, batch: Batch, subject: str, text: str) -> int:
    """Another text for all drafts but those that have one of their own; returns how many.

    Raises ``Refused`` with the fields that are not known.
    """
    lock_batch(batch)
    refuse_faults(MATTERS[batch.kind], subject, text)
    was, body = common_text(list(batch.messages.order_by("player__name_key")))
    drafts = batch.messages.filter(state=MessageState.DRAFT, subject=was, body=body)
    return drafts.update(subject=subject, body=text)


@transaction.atomic
def change_one(*, message: Message, subject: str, text: str) -> Message:
    """Another text for one person."""
    batch = lock_batch(message.batch)
    refuse_faults(MATTERS[batch.kind], subject, text)
    drafts = Message.objects.filter(pk=message.pk, state=MessageState.DRAFT)
    if not drafts.update(subject=subject, body=text):
        raise refuse("gone", "This message has already been sent, so it cannot be changed.")
    return message


@transaction.atomic
def leave_out(*, batch: Batch, message: Message | None = None) -> int:
    """Do not send this draft, or none of the batch that is left; returns how many."""
    lock_batch(batch)
    drafts = batch.messages.filter(state__in=[MessageState.DRAFT, MessageState.REFUSED])
    dropped = list(drafts.filter(pk=message.pk) if message else drafts)
    for one in dropped:
        one.state = MessageState.DROPPED
    _keyed(batch, dropped)
    Message.objects.bulk_update(dropped, ["state", "key"])
    if batch.kind == INVITATION.key:
        _asked_no_more(batch, dropped)
    return len(dropped)


def _asked_no_more(batch: Batch, dropped: list[Message]) -> None:
    """Whoever was only to be asked by this draft was never asked."""
    Invitation.objects.filter(
        club=batch.club_id,
        held_on=day_of(batch.about or 0),
        player__in=[one.player_id for one in dropped],
        answer=Answer.NONE,
        asked_at__gte=batch.made_at,
    ).delete()


@transaction.atomic
def take_in(*, message: Message, asked_by: User) -> None:
    """Send it after all: what was left out is a draft again."""
    batch = lock_batch(message.batch)
    dropped = Message.objects.filter(pk=message.pk, state=MessageState.DROPPED)
    is_back = dropped.update(state=MessageState.DRAFT, key=uuid4())
    if is_back and batch.kind == INVITATION.key:
        Invitation.objects.get_or_create(
            club=batch.club,
            held_on=day_of(batch.about or 0),
            player_id=message.player_id,
            defaults={"asked_by": asked_by},
        )


@transaction.atomic
def send(*, batch: Batch, seen: str, asked_by: User) -> int:
    """Hand every draft with an address to the post, as it was looked at; returns how many.

    ``seen``: the digest of what was looked at. Pressed a second time there is nothing to send.
    """
    batch = lock_batch(batch)
    _refuse_now(batch)
    view = batch_view(batch)
    if not view.to_send:
        return 0
    if view.seen != seen:
        raise refuse(
            "changed",
            "Something changed while you were looking. Check again, then press Send.",
        )
    _freeze(batch, view, [letter.pk for letter in view.to_send], MessageState.WAITING)
    _begin(batch, asked_by)
    return len(view.to_send)


@transaction.atomic
def told(*, message: Message, by: str) -> None:
    """Someone was told by letter or on the telephone: ``by`` says how, in words."""
    batch = lock_batch(message.batch)
    view = batch_view(batch)
    if any(letter.pk == message.pk and letter.is_by_hand for letter in view.letters):
        _freeze(batch, view, [message.pk], MessageState.SENT, answer=by)


def _freeze(
    batch: Batch, view: BatchView, keys: list[int], state: MessageState, answer: str = ""
) -> None:
    """From now on the words stand as they are shown."""
    letters = {letter.pk: letter for letter in view.letters}
    messages = list(batch.messages.filter(pk__in=keys))
    for message in messages:
        letter = letters[message.pk]
        message.subject, message.body = letter.subject, letter.body
        message.email, message.state, message.answer = letter.email, state, answer
        message.sent_at = timezone.now() if state == MessageState.SENT else None
    _keyed(batch, messages)
    Message.objects.bulk_update(
        messages, ["subject", "body", "email", "state", "answer", "sent_at", "key"]
    )


def _keyed(batch: Batch, messages: list[Message]) -> None:
    """A result's message bears the key of this result, so nobody is sent it twice."""
    if batch.kind not in OF_RESULTS:
        return
    result = told_result(session_of(batch))
    for message in messages:
        message.batch = batch
        message.key = result.key_for(message)


@transaction.atomic
def stop(*, batch: Batch) -> int:
    """Keep back what has not left yet: drafts again, with their fields; returns how many."""
    batch = lock_batch(batch)
    waiting = list(
        batch.messages.filter(state=MessageState.WAITING, sent_at=None).select_related("player")
    )
    values, kept = values_of(batch, waiting), 0
    for one in waiting:
        there = values[one.player_id]
        kept += Message.objects.filter(pk=one.pk, state=MessageState.WAITING, sent_at=None).update(
            state=MessageState.DRAFT,
            key=uuid4(),
            subject=unmerged(one.subject, there)[:160],
            body=unmerged(one.body, there),
        )
    return kept


@transaction.atomic
def try_again(*, batch: Batch, asked_by: User, message: Message | None = None) -> int:
    """Send once more what did not arrive, to the address that the reader has now."""
    batch = lock_batch(batch)
    _refuse_now(batch)
    refused = batch.messages.filter(state=MessageState.REFUSED).exclude(player__email="")
    again = list((refused.filter(pk=message.pk) if message else refused).select_related("player"))
    for one in again:
        one.email, one.state, one.answer = one.player.email, MessageState.WAITING, ""
    Message.objects.bulk_update(again, ["email", "state", "answer"])
    waiting = batch.messages.filter(state=MessageState.WAITING).count()
    if waiting:
        _begin(batch, asked_by)
    return waiting


def _begin(batch: Batch, asked_by: User) -> None:
    """A job for the batch, unless one waits already that will see the new messages."""
    there = Job.objects.filter(
        club=batch.club_id, kind=SENDING, about=batch.pk, state=JobState.WAITING
    )
    if not there.exists():
        wake(make_job(club=batch.club, kind=SENDING, about=batch.pk, asked_by=asked_by))


def _refuse_now(batch: Batch) -> None:
    if batch.club.rehearsal_of_id is not None:
        raise refuse("rehearsal", REHEARSAL)
    if batch.kind in OF_RESULTS and session_of(batch).state != SessionState.CLOSED:
        raise refuse(
            "evening_open",
            "The evening has been reopened. Finish it first, then send its result.",
        )


def lock_batch(batch: Batch) -> Batch:
    """The batch's row, locked until the transaction ends: presses wait for one another."""
    locked = Batch.objects.select_for_update(of=("self",), no_key=True)
    return locked.select_related("club").get(pk=batch.pk)
