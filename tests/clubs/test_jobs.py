"""An evening's result by e-mail: what it says, to whom it goes, and never the same one twice."""

from collections.abc import Iterator, Sequence
from datetime import date
from smtplib import SMTPRecipientsRefused, SMTPServerDisconnected

import pytest
from django.core.mail import EmailMessage, EmailMultiAlternatives
from django.core.mail.backends import locmem
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from clubs import tasks
from clubs.models import Job, JobState, Player, Session, SessionTable
from clubs.services import evenings, jobs
from clubs.services.progress import TakenOver, say
from tests.clubs.nights import SECOND_WINS, make_players, night, post
from tests.people import Cast

pytestmark = pytest.mark.django_db

RESULT = """\
Dear Ben,

This is the result of Tuesday 17 November 2026.

Your place: 1 of 4, with +240.

   1  Ben     +240
   2  Ann      −64
   3  Cy       −80
   4  Di       −96

Every table and hand: http://localhost:8000/c/riverside/evenings/{pk}/

Riverside Mah-Jong Club

You asked for results by e-mail. To stop them, tell the club's secretary.
"""


class FaultyPost(locmem.EmailBackend):
    """A mail server that refuses Cy's address, and goes away before Di's letter if told to."""

    goes_away = False

    def send_messages(self, messages: Sequence[EmailMessage]) -> int:
        """Take each letter, or fail as smtplib does."""
        for message in messages:
            if message.to == ["cy@example.org"]:
                raise SMTPRecipientsRefused({"cy@example.org": (550, b"no such person")})
            if message.to == ["di@example.org"] and self.goes_away:
                raise SMTPServerDisconnected
        return super().send_messages(messages)


@pytest.fixture
def readers(cast: Cast) -> list[Player]:
    """Ann, Ben, Cy and Di, who all want results."""
    players = make_players(cast.club, 4)
    for player in players:
        player.email, player.wants_results = f"{player.name.casefold()}@example.org", True
        player.save()
    return players


@pytest.fixture
def session(cast: Cast, readers: list[Player]) -> Session:
    """An evening at which Ben went Mah-Jong once."""
    held = night(cast.club, date(2026, 11, 17), readers)
    post(SessionTable.objects.get(session=held), SECOND_WINS)
    return held


@pytest.fixture
def faulty_post(settings: Settings) -> Iterator[type[FaultyPost]]:
    """The mail goes by FaultyPost."""
    settings.EMAIL_BACKEND = f"{__name__}.FaultyPost"
    yield FaultyPost
    FaultyPost.goes_away = False


def mail(session: Session) -> Job:
    """Mail the evening's result now."""
    job = tasks.make_job(club=session.club, kind="session result by e-mail", about=session.pk)
    jobs.run(job.pk)
    job.refresh_from_db()
    return job


def test_everybody_who_asked_gets_the_result(
    session: Session, mailoutbox: list[EmailMultiAlternatives]
) -> None:
    job = mail(session)
    assert (job.state, job.message, job.done, job.total) == (
        JobState.DONE,
        "Sent to 4 members.",
        4,
        4,
    )
    assert [letter.to for letter in mailoutbox] == [
        ["ann@example.org"],
        ["ben@example.org"],
        ["cy@example.org"],
        ["di@example.org"],
    ]
    letter = mailoutbox[1]
    assert letter.subject == "Riverside Mah-Jong Club: result of Tuesday 17 November 2026"
    assert letter.body == RESULT.format(pk=session.pk)
    ((html, kind),) = letter.alternatives
    assert (kind, "<td><strong>Ben</strong></td>" in str(html)) == ("text/html", True)


def test_who_did_not_ask_or_has_left_gets_nothing(
    session: Session, readers: list[Player], mailoutbox: list[EmailMultiAlternatives]
) -> None:
    ann, ben, cy, _ = readers
    Player.objects.filter(pk=ann.pk).update(wants_results=False)
    Player.objects.filter(pk=ben.pk).update(is_active=False)
    Player.objects.filter(pk=cy.pk).update(email="")
    assert mail(session).message == "Sent to 1 member."
    assert [letter.to for letter in mailoutbox] == [["di@example.org"]]


def test_the_same_result_is_never_sent_twice(
    session: Session, mailoutbox: list[EmailMultiAlternatives]
) -> None:
    mail(session)
    assert mail(session).message == "Sent to 4 members."
    assert len(mailoutbox) == 4


def test_a_changed_result_goes_out_as_a_corrected_one(
    session: Session, mailoutbox: list[EmailMultiAlternatives]
) -> None:
    mail(session)
    post(SessionTable.objects.get(session=session), SECOND_WINS, SECOND_WINS)
    mail(session)
    assert len(mailoutbox) == 8
    corrected = mailoutbox[5]
    assert corrected.subject == (
        "Riverside Mah-Jong Club: corrected result of Tuesday 17 November 2026"
    )
    assert "has been corrected. This is how it stands now." in corrected.body
    assert len({letter.extra_headers["Message-ID"] for letter in mailoutbox}) == 8


def test_a_refused_address_keeps_nobody_else_from_the_result(
    session: Session,
    faulty_post: type[FaultyPost],
    mailoutbox: list[EmailMultiAlternatives],
) -> None:
    job = mail(session)
    assert (job.state, job.message) == (
        JobState.DONE,
        "Sent to 3 members. Their addresses were refused: Cy.",
    )
    assert len(mailoutbox) == 3


def test_a_silent_mail_server_is_tried_again_for_the_rest(
    session: Session,
    faulty_post: type[FaultyPost],
    mailoutbox: list[EmailMultiAlternatives],
) -> None:
    faulty_post.goes_away = True
    job = mail(session)
    assert (job.state, job.message) == (
        JobState.WAITING,
        "The mail server does not answer. 2 of 4 have their result.",
    )
    faulty_post.goes_away = False
    tasks.wake_waiting_jobs()
    job.refresh_from_db()
    assert (job.state, job.tries) == (JobState.DONE, 2)
    assert [letter.to for letter in mailoutbox] == [
        ["ann@example.org"],
        ["ben@example.org"],
        ["di@example.org"],
    ]


def test_after_three_tries_the_words_stay(session: Session, faulty_post: type[FaultyPost]) -> None:
    faulty_post.goes_away = True
    job = mail(session)
    tasks.wake_waiting_jobs()
    tasks.wake_waiting_jobs()
    tasks.wake_waiting_jobs()
    job.refresh_from_db()
    assert (job.state, job.tries, job.message) == (
        JobState.FAILED,
        3,
        "The mail server does not answer. 2 of 4 have their result.",
    )


def test_a_worker_whose_job_was_given_away_stops(session: Session) -> None:
    job = tasks.make_job(club=session.club, kind="session result by e-mail", about=session.pk)
    Job.objects.update(state=JobState.RUNNING, tries=2)
    job.tries = 1
    with pytest.raises(TakenOver):
        say(job, done=1, total=4)


def test_finishing_the_evening_mails_its_result(
    session: Session,
    mailoutbox: list[EmailMultiAlternatives],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        evenings.close_session(session=session)
    assert len(mailoutbox) == 4


def test_names_are_no_markup_in_a_letter(
    session: Session, readers: list[Player], mailoutbox: list[EmailMultiAlternatives]
) -> None:
    Player.objects.filter(pk=readers[0].pk).update(name="Ann & Co")
    mail(session)
    ((html, _),) = mailoutbox[0].alternatives
    assert "Ann &amp; Co" in str(html)
    assert "Dear Ann & Co," in mailoutbox[0].body
