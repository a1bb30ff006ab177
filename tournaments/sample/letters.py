"""The sample club's outbox: results that went out, those of last Tuesday, a word on Christmas."""

from datetime import date

from clubs.core.queue import make_job
from clubs.evenings.selectors.calendar import club_year
from clubs.language.moments import full_date
from clubs.messages.message_kinds import OF_RESULTS
from clubs.messages.selectors import batch_view
from clubs.messages.services import draft_no_evening
from clubs.models import Batch, Club, Job, JobState, Message, MessageState, PlayerKind, Role, Season

WITH_A_TELEPHONE = 14
FIRST_NUMBER = 960100  # 01632 960000 to 960999 are nobody's


def make_messages(club: Club, today: date) -> None:
    """Only the last evening's results still wait; nobody is written to about one that never was."""
    results = Batch.objects.filter(club=club, kind__in=OF_RESULTS).order_by("-about", "-pk")
    for batch in results[1:]:
        _as_sent(batch)
    _pack(club)
    without = club.players.filter(email="", kind=PlayerKind.MEMBER)
    for number, player in enumerate(without[:WITH_A_TELEPHONE], start=FIRST_NUMBER):
        player.phone = f"01632 {number}"
        player.save(update_fields=["phone"])
    _no_evening(club, today)


def _as_sent(batch: Batch) -> None:
    for letter in batch_view(batch).letters:
        Message.objects.filter(pk=letter.pk).update(
            state=MessageState.SENT,
            subject=letter.subject,
            body=letter.body,
        )


def _pack(club: Club) -> None:
    """A season's pack that was asked for once."""
    season = Season.objects.filter(league__club=club).latest("starts_on")
    job = make_job(club=club, kind="season pack", about=season.pk)
    Job.objects.filter(pk=job.pk).update(
        state=JobState.DONE, message="A sample: nothing was printed."
    )


def _no_evening(club: Club, today: date) -> None:
    day = next((day for day in club_year(club, today).days if day.off), None)
    if day is not None:
        draft_no_evening(
            club=club,
            held_on=day.held_on,
            when=full_date(day.held_on),
            why=day.off,
            readers=club.players.filter(kind=PlayerKind.MEMBER, is_active=True),
            made_by=club.memberships.get(role=Role.SECRETARY).user,
        )
