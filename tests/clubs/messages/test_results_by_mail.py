"""An evening's result in the outbox: what it says, for whom it is, and never the same one twice."""

from datetime import date

import pytest
from django.core.mail import EmailMultiAlternatives

from clubs.core.queue import TakenOver, say
from clubs.evenings.services import evenings
from clubs.messages import services
from clubs.messages.selectors import WaitingResults, batch_view, mailed_result, results_waiting
from clubs.models import Batch, Job, JobState, Message, Player, SentResult, Session, SessionTable
from scoring.scorebook.refusals import Refused
from tests.clubs.nights import SECOND_WINS, make_players, night, post
from tests.clubs.outbox import press, results_of, states, with_emails, work, write
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

You receive this because you asked for results by email. To stop, tell the club secretary.
"""


@pytest.fixture
def readers(cast: Cast) -> list[Player]:
    """Ann, Ben, Cy and Di, who all want results."""
    players = make_players(cast.club, 4)
    with_emails(players, wants_results=True)
    return players


@pytest.fixture
def session(cast: Cast, readers: list[Player]) -> Session:
    """An evening at which Ben went Mah-Jong once, not finished yet."""
    held = night(cast.club, date(2026, 11, 17), readers)
    post(SessionTable.objects.get(session=held), SECOND_WINS)
    return held


def finish(session: Session, cast: Cast, *, sends: bool = True) -> list[Batch]:
    """Finish the evening and press Send on every result; returns the batches of it."""
    evenings.close_session(session=session)
    for batch in results_of(session) if sends else []:
        if press(batch, cast.secretary):
            work(batch)
    return results_of(session)


def play_on(session: Session) -> None:
    """Open the evening again and win once more."""
    evenings.reopen_session(session=session)
    post(SessionTable.objects.get(session=session), SECOND_WINS, SECOND_WINS)


def test_finishing_the_evening_sends_nothing_and_writes_to_those_who_asked(
    session: Session, cast: Cast, readers: list[Player], mailoutbox: list[EmailMultiAlternatives]
) -> None:
    Player.objects.filter(pk=readers[0].pk).update(wants_results=False)
    Player.objects.filter(pk=readers[1].pk).update(is_active=False)
    (batch,) = finish(session, cast, sends=False)
    assert states(batch) == {"Cy": "draft", "Di": "draft"}
    assert results_waiting(session) == WaitingResults(2, batch.pk)
    assert (mailoutbox, Job.objects.exists()) == ([], False)


def test_each_reads_their_own_place(
    session: Session, cast: Cast, mailoutbox: list[EmailMultiAlternatives]
) -> None:
    finish(session, cast)
    assert [mail.to[0][:2] for mail in mailoutbox] == ["an", "be", "cy", "di"]
    letter = mailoutbox[1]
    assert letter.subject == "Riverside Mah-Jong Club: result of Tuesday 17 November 2026"
    assert letter.body == RESULT.format(pk=session.pk)
    ((html, kind),) = letter.alternatives
    assert (kind, "<td><strong>Ben</strong></td>" in str(html)) == ("text/html", True)
    assert '<td align="right">+240</td>' in str(html)


def test_names_stand_in_a_result_as_each_chose(
    session: Session, cast: Cast, readers: list[Player]
) -> None:
    Player.objects.filter(pk=readers[1].pk).update(shown_as="hidden")
    (batch,) = finish(session, cast, sends=False)
    to_ann, to_ben, *_ = batch_view(batch).letters
    assert ("Ben" in to_ann.body, "   1  Ben" in to_ben.body) == (False, True)


def test_the_same_result_is_never_sent_twice(
    session: Session, cast: Cast, mailoutbox: list[EmailMultiAlternatives]
) -> None:
    finish(session, cast)
    evenings.reopen_session(session=session)
    assert len(finish(session, cast)) == 1
    assert len(mailoutbox) == 4


def test_a_result_that_was_sent_before_there_was_an_outbox_counts(
    session: Session, cast: Cast, readers: list[Player]
) -> None:
    digest = mailed_result(session).digest
    SentResult.objects.create(session=session, player=readers[0], digest=digest)
    SentResult.objects.create(session=session, player=readers[1], digest="of before" * 4)
    first, corrected = finish(session, cast, sends=False)
    assert (list(states(first)), list(states(corrected))) == (["Cy", "Di"], ["Ben"])


def test_a_changed_result_goes_out_as_a_corrected_one(
    session: Session, cast: Cast, mailoutbox: list[EmailMultiAlternatives]
) -> None:
    finish(session, cast)
    play_on(session)
    _, corrected = finish(session, cast)
    assert corrected.title == "Corrected result of Tuesday 17 November 2026"
    assert len(mailoutbox) == 8
    assert mailoutbox[5].subject == (
        "Riverside Mah-Jong Club: corrected result of Tuesday 17 November 2026"
    )
    assert "has been corrected. This is the new result." in mailoutbox[5].body
    assert len({mail.extra_headers["Message-ID"] for mail in mailoutbox}) == 8
    assert SentResult.objects.count() == 8


def test_a_draft_follows_the_result_and_keeps_the_secretarys_words(
    session: Session, cast: Cast
) -> None:
    (batch,) = finish(session, cast, sends=False)
    text = f"Well played!\n\n{batch_view(batch).text}"
    services.change_text(batch=batch, subject="Result", text=text)
    play_on(session)
    assert [one.pk for one in finish(session, cast, sends=False)] == [batch.pk]
    assert "Your place: 1 of 4, with +600." in batch_view(batch).letters[1].body
    assert batch_view(batch).letters[1].body.startswith("Well played!")


def test_who_was_left_out_of_a_result_is_not_written_to_again(
    session: Session, cast: Cast, readers: list[Player]
) -> None:
    (batch,) = finish(session, cast, sends=False)
    services.leave_out(batch=batch, message=Message.objects.get(player=readers[0]))
    evenings.reopen_session(session=session)
    assert len(finish(session, cast, sends=False)) == 1
    assert states(batch)["Ann"] == "dropped"


def test_while_the_evening_is_open_again_its_result_is_not_sent(
    session: Session, cast: Cast
) -> None:
    (batch,) = finish(session, cast, sends=False)
    evenings.reopen_session(session=session)
    with pytest.raises(Refused, match="The evening has been reopened"):
        press(batch, cast.secretary)


def test_who_has_no_address_gets_the_result_by_hand(
    session: Session, cast: Cast, readers: list[Player]
) -> None:
    Player.objects.filter(pk=readers[2].pk).update(email="")
    (batch,) = finish(session, cast)
    assert [letter.name for letter in batch_view(batch).by_hand] == ["Cy"]


def test_a_worker_whose_job_was_given_away_stops(cast: Cast, readers: list[Player]) -> None:
    batch = write(cast.club, readers, cast.secretary)
    press(batch, cast.secretary)
    job = Job.objects.get()
    Job.objects.update(state=JobState.RUNNING, tries=2)
    job.tries = 1
    with pytest.raises(TakenOver):
        say(job, done=1, total=4)
