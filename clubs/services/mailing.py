"""An evening's result by e-mail: to every member who asked, and to nobody twice."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from smtplib import SMTPException, SMTPRecipientsRefused

from django.conf import settings
from django.core.mail import EmailMultiAlternatives, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.template.loader import render_to_string
from django.urls import reverse

from clubs.models import Job, Player, SentResult, Session
from clubs.rows import tallied
from clubs.selectors.evenings import ResultRow, result_of
from clubs.services.progress import TryLater, say

SECONDS_TO_ANSWER = 30


@dataclass(frozen=True, slots=True)
class Line:
    """One row of a letter; ``text`` is it in letters of one width."""

    place: str
    name: str
    points: str
    is_reader: bool
    text: str


@dataclass(frozen=True, slots=True)
class Letter:
    """An evening's result, and a digest that is another one when a place or a gain changes."""

    session: Session
    rows: tuple[ResultRow, ...]

    @property
    def day(self) -> str:
        """``Tuesday 17 November 2026``."""
        held_on = self.session.held_on
        return f"{held_on:%A} {held_on.day} {held_on:%B %Y}"

    @property
    def digest(self) -> str:
        """What stands in the letter, in 64 letters."""
        told = [(row.place, row.player_id, row.points) for row in self.rows]
        return sha256(repr(told).encode()).hexdigest()

    def lines_for(self, reader: Player) -> list[Line]:
        """The rows as they stand in the letter to this reader."""
        longest = max((len(row.name) for row in self.rows), default=0)
        lines = []
        for row in self.rows:
            place = f"{row.place}{'=' if row.is_tied else ''}"
            points = tallied(row.points, pays=row.pays)
            text = f"{place:>4}  {row.name:<{longest}}  {points:>7}"
            lines.append(Line(place, row.name, points, row.player_id == reader.pk, text))
        return lines

    def to(self, reader: Player, *, is_corrected: bool) -> EmailMultiAlternatives:
        """The e-mail for one reader; sent again it bears the same Message-ID."""
        what = "corrected result" if is_corrected else "result"
        subject = f"{self.session.club.name}: {what} of {self.day}"
        context = {
            "subject": subject,
            "reader": reader,
            "day": self.day,
            "club": self.session.club,
            "corrected": is_corrected,
            "own": next((row for row in self.rows if row.player_id == reader.pk), None),
            "lines": self.lines_for(reader),
            "address": settings.SITE_ADDRESS
            + reverse("evening", args=[self.session.club.slug, self.session.pk]),
        }
        name = f"{self.session.pk}.{reader.pk}.{self.digest[:16]}"
        mail = EmailMultiAlternatives(
            subject=subject,
            body=render_to_string("emails/result.txt", context),
            to=[reader.email],
            headers={"Message-ID": f"<result.{name}@tongbox>"},
        )
        mail.attach_alternative(render_to_string("emails/result.html", context), "text/html")
        return mail


def mail_result(job: Job) -> str:
    """Send the evening's result; returns how it went in words.

    Whoever has this very result already is left out, so the job may be done again at any time.
    Raises TryLater when the mail server does not answer.
    """
    session = Session.objects.select_related("club").get(pk=job.about, club=job.club)
    letter = Letter(session, result_of(session))
    readers = list(
        session.club.players.filter(wants_results=True, is_active=True).exclude(email="")
    )
    try:
        with get_connection(timeout=SECONDS_TO_ANSWER) as connection:
            refused = _send_each(job, letter, readers, connection)
    except (SMTPException, OSError) as error:
        sent = session.sent_results.filter(digest=letter.digest).count()
        raise TryLater(
            f"The mail server does not answer. {sent} of {len(readers)} have their result."
        ) from error
    return _told(len(readers), refused)


def _send_each(
    job: Job, letter: Letter, readers: Sequence[Player], connection: BaseEmailBackend
) -> list[str]:
    """Send to each who has not had it; returns the names whose addresses were refused."""
    before = letter.session.sent_results.values_list("player_id", "digest")
    had = {player for player, digest in before if digest == letter.digest}
    had_another = {player for player, _ in before} - had
    refused = []
    for done, reader in enumerate(readers):
        say(job, done=done, total=len(readers))
        if reader.pk not in had:
            mail = letter.to(reader, is_corrected=reader.pk in had_another)
            try:
                connection.send_messages([mail])
            except SMTPRecipientsRefused:
                refused.append(reader.name)
            else:
                SentResult.objects.create(
                    session=letter.session, player=reader, digest=letter.digest
                )
    say(job, done=len(readers), total=len(readers))
    return refused


def _told(readers: int, refused: Sequence[str]) -> str:
    sent = readers - len(refused)
    told = f"Sent to {sent} member{'' if sent == 1 else 's'}."
    return f"{told} Their addresses were refused: {', '.join(refused)}." if refused else told
