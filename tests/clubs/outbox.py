"""A club that writes to its people, and a mail server that fails as the test says."""

from collections.abc import Sequence
from smtplib import SMTPRecipientsRefused, SMTPServerDisconnected
from typing import Any

from django.core.mail import EmailMessage
from django.core.mail.backends import locmem

from clubs import tasks
from clubs.house import services as house_services
from clubs.messages import services
from clubs.messages.mail import stop_key
from clubs.messages.message_kinds import Topic
from clubs.messages.selectors import SENDING_JOB, batch_view
from clubs.models import Batch, Club, Job, Message, Player, Session, User

MESSAGES = (
    "messages",
    "messages-write",
    "batch",
    "batch-text",
    "message",
    "batch-by-hand",
    "batch-letters-pdf",
    "batch-phone-pdf",
)


class Killed(BaseException):
    """The machine was switched off."""


class FaultyPost(locmem.EmailBackend):
    """A mail server that refuses Cy, and goes away or is switched off before Di if told to."""

    goes_away = False
    dies = False

    def send_messages(self, messages: Sequence[EmailMessage]) -> int:
        """Take each letter, or fail as smtplib does."""
        for message in messages:
            if message.to == ["cy@example.org"]:
                raise SMTPRecipientsRefused({"cy@example.org": (550, b"no such person")})
            if message.to == ["di@example.org"] and self.goes_away:
                raise SMTPServerDisconnected
            if message.to == ["di@example.org"] and self.dies:
                raise Killed
        return super().send_messages(messages)


def with_emails(players: Sequence[Player], **extra_fields: object) -> None:
    """Everyone has ``<name>@example.org``."""
    for player in players:
        Player.objects.filter(pk=player.pk).update(
            email=f"{player.name.casefold()}@example.org", **extra_fields
        )


def write(
    club: Club, players: Sequence[Player], made_by: User, text: str = "Hello {name}."
) -> Batch:
    """A free message to these, as drafts."""
    players = list(Player.objects.filter(pk__in=[player.pk for player in players]))
    return services.draft_message(
        club=club, subject="The summer lunch", text=text, readers=players, made_by=made_by
    )


def press(batch: Batch, user: User | None = None) -> int:
    """Press Send on what is shown, as who wrote it unless the test says otherwise."""
    asked_by = user or batch.made_by
    assert asked_by is not None
    return services.send_drafts(
        batch=batch, seen_digest=batch_view(batch).preview_digest, asked_by=asked_by
    )


def work(batch: Batch) -> Job:
    """Do what the press asked for; returns the job."""
    job = Job.objects.filter(kind=SENDING_JOB, about=batch.pk).latest("made_at")
    house_services.run_job(job.pk)
    job.refresh_from_db()
    return job


def deliver(batch: Batch) -> Job:
    """Press Send, and do what was asked for."""
    press(batch)
    return work(batch)


def retry_job(job: Job) -> Job:
    """What the sweep does each minute."""
    tasks.wake_waiting_jobs()
    job.refresh_from_db()
    return job


def above_the_foot(mail: EmailMessage) -> str:
    """The words of an email without its last two lines: why it came, and the link to stop."""
    return str(mail.body).rpartition("\n\nYou are receiving this because ")[0]


def states(batch: Batch) -> dict[str, str]:
    """How far each person's message has come."""
    rows = Message.objects.filter(batch=batch).values_list("player__name", "state")
    return dict(rows.order_by("player__name_key"))


def results_of(session: Session) -> list[Batch]:
    """The batches of an evening's result, the oldest first."""
    return list(services.batches_of(session).order_by("pk"))


def message_places(club: Club) -> dict[str, list[Any]]:
    """Where the pages of the outbox are: one message to one person."""
    batch = club.batches.get()
    presses = ("send", "stop", "again", "leave-out", "take-in", "told")
    return {
        "messages-write": [club.slug, "message"],
        **{f"batch-{press}": [club.slug, batch.pk] for press in presses},
        **{name: [club.slug, batch.pk] for name in MESSAGES[2:]},
        "message": [club.slug, batch.pk, batch.messages.get().pk],
        "stop-emails": [stop_key(batch.messages.get().player_id, Topic.MESSAGES)],
        "mail-reports": ["x"],
    }
