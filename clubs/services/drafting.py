"""Writing to the club's people: each kind of message as drafts, one a person; nothing is sent."""

from collections.abc import Iterable
from datetime import date

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse

from clubs.core.locks import lock_club
from clubs.core.merge_fields import faults, without_braces
from clubs.evenings.services.calendar import ask_to_come
from clubs.language.moments import full_date
from clubs.matters import (
    CORRECTED,
    FREE,
    INVITATION,
    NO_EVENING,
    OF_RESULTS,
    RENEWAL,
    RESULT,
    Matter,
)
from clubs.members.selectors import subscriptions
from clubs.models import Batch, Club, Message, MessageState, Player, Session, User
from clubs.selectors.letter_fields import DIGEST, day_key, told_result
from scoring.scorebook.refusals import Refusal, Refused, refuse

LONGEST_TITLE = 120
ASKING = """Dear {{name}},

can you come to {club} on {when}? Please answer yes or no here. You do not need a password:
{{answer link}}

Thank you, {sender}"""
NOT_MEETING = """Dear {{name}},

{club} does not meet on {when}{why}.

{sender}"""
DUE = """Dear {{name}},

your subscription to {club} runs until {{paid until}}. To renew it, please bring your payment \
to an evening.

Thank you, {sender}"""
RESULTS = """Dear {{name}},

{opening}

{{your place}}

{{result}}

Every table and hand: {address}

{club}

You receive this because you asked for results by email. To stop, tell the club secretary."""


@transaction.atomic
def draft_message(
    *, club: Club, subject: str, text: str, readers: Iterable[Player], made_by: User
) -> Batch:
    """Anything that the secretary likes to say."""
    return _draft(club, FREE, subject, (subject, text), readers, made_by)


@transaction.atomic
def draft_invitations(
    *, club: Club, held_on: date, when: str, readers: Iterable[Player], made_by: User
) -> Batch:
    """“Can you come?”, with a link for each to say yes or no; ``when`` is the day in words."""
    readers = list(readers)
    subject = f"Can you come on {without_braces(when)}?"
    text = _filled(ASKING, club=club.name, when=when, sender=str(made_by))
    key = day_key(held_on)
    batch = _draft(club, INVITATION, subject, (subject, text), readers, made_by, key)
    for player in readers:
        ask_to_come(club=club, held_on=held_on, player=player, asked_by=made_by)
    return batch


@transaction.atomic
def draft_no_evening(
    *, club: Club, held_on: date, when: str, why: str, readers: Iterable[Player], made_by: User
) -> Batch:
    """“The club does not meet on …”; ``why`` in a few words or empty."""
    subject, said = f"No evening on {when}", f" ({why})" if why else ""
    text = _filled(NOT_MEETING, club=club.name, when=when, why=said, sender=str(made_by))
    key = day_key(held_on)
    return _draft(club, NO_EVENING, subject, (subject, text), readers, made_by, key)


@transaction.atomic
def draft_renewals(*, club: Club, today: date, made_by: User) -> Batch:
    """A word to everyone whose subscription has run out or soon will."""
    due = [row.player_id for row in subscriptions(club, today).due]
    if not due:
        raise refuse("nobody_due", "No subscriptions are due, so there is no one to write to.")
    subject = without_braces(f"{club.name}: your subscription")
    text = _filled(DUE, club=club.name, sender=str(made_by))
    readers = club.players.filter(pk__in=due)
    return _draft(club, RENEWAL, "Subscriptions due", (subject, text), readers, made_by)


@transaction.atomic
def draft_results(*, session: Session) -> None:
    """The evening's result to each who asked and does not have it yet; again to the others.

    A draft of before stays with what was changed in it, unless its reader has this result already.
    """
    of_evening = batches_of(session)
    list(of_evening.select_for_update(no_key=True).order_by("pk"))
    this, told = told_result(session).digest[:DIGEST], _told(session)
    settled = {player for player, digest in (*told, *_left_out(session)) if digest == this}
    players = session.club.players.filter(wants_results=True, is_active=True)
    readers = [player for player in players if player.pk not in settled]
    drafts = messages_of(session).filter(state=MessageState.DRAFT)
    drafts.exclude(player__in=readers).delete()
    of_evening.filter(messages=None).delete()
    written = set(drafts.values_list("player_id", flat=True))
    new = [player for player in readers if player.pk not in written]
    had = {player for player, _ in told}
    _results(session, RESULT, [player for player in new if player.pk not in had])
    _results(session, CORRECTED, [player for player in new if player.pk in had])


def batches_of(session: Session) -> QuerySet[Batch]:
    """The batches in which the evening's result is told."""
    return Batch.objects.filter(club=session.club_id, kind__in=OF_RESULTS, about=session.pk)


def messages_of(session: Session) -> QuerySet[Message]:
    """Everything that was ever written about the evening's result."""
    return Message.objects.filter(batch__in=batches_of(session))


def _told(session: Session) -> list[tuple[int, str]]:
    """Who has which result, or has it on its way."""
    sent = session.sent_results.values_list("player_id", "digest")
    gone = messages_of(session).exclude(state__in=[MessageState.DRAFT, MessageState.DROPPED])
    keys = gone.values_list("player_id", "key")
    return [
        *((player, digest[:DIGEST]) for player, digest in sent),
        *((player, key.hex[:DIGEST]) for player, key in keys),
    ]


def _left_out(session: Session) -> list[tuple[int, str]]:
    """Whom the secretary does not want to send which result."""
    dropped = messages_of(session).filter(state=MessageState.DROPPED)
    return [(player, key.hex[:DIGEST]) for player, key in dropped.values_list("player_id", "key")]


def _results(session: Session, matter: Matter, readers: list[Player]) -> None:
    if not readers:
        return
    day, what = full_date(session.held_on), matter.title.lower()
    opening = f"This is the result of {day}."
    if matter is CORRECTED:
        opening = f"The result of {day} has been corrected. This is the new result."
    at = reverse("evening", args=[session.club.slug, session.pk])
    text = _filled(
        RESULTS, opening=opening, address=settings.SITE_ADDRESS + at, club=session.club.name
    )
    subject = without_braces(f"{session.club.name}: {what} of {day}")
    title = f"{matter.title} of {day}"
    _draft(session.club, matter, title, (subject, text), readers, None, session.pk)


def _draft(
    club: Club,
    matter: Matter,
    title: str,
    text: tuple[str, str],
    readers: Iterable[Player],
    made_by: User | None,
    about: int | None = None,
) -> Batch:
    refuse_faults(matter, *text)
    readers = list(readers)
    if not readers:
        raise refuse("nobody", "Choose at least one person.")
    if any(player.club_id != club.pk for player in readers):
        raise refuse("other_club", "Someone you chose is no longer a member or guest of this club.")
    lock_club(club.pk)
    keys = [player.pk for player in readers]
    readers = list(club.players.filter(pk__in=keys, erased_on=None).order_by("name_key"))
    batch = Batch.objects.create(
        club=club, kind=matter.key, about=about, title=title[:LONGEST_TITLE], made_by=made_by
    )
    subject, body = text
    Message.objects.bulk_create(
        Message(batch=batch, player=player, email=player.email, subject=subject, body=body)
        for player in readers
    )
    return batch


def _filled(text: str, **told: str) -> str:
    """A text of ours with what is the same for every reader."""
    return text.format(**{name: without_braces(words) for name, words in told.items()})


def refuse_faults(matter: Matter, subject: str, text: str) -> None:
    """Raise ``Refused`` with every field that the matter does not have, where it stands."""
    told = (("subject", subject), ("text", text))
    if found := [
        Refusal("fields", said, field)
        for field, words in told
        for said in faults(words, matter.names)
    ]:
        raise Refused(found)
