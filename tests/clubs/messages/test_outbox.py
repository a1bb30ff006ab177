"""The outbox: texts with fields, drafts first, one press sends each once; an evening's result."""

from collections.abc import Iterator
from datetime import date, timedelta

import pytest
import time_machine
from django.core.mail import EmailMultiAlternatives
from django.utils import timezone
from hypothesis import given, strategies as st
from pytest_django import Settings

from clubs.core.queue import TakenOver, report_progress
from clubs.evenings.services import ending
from clubs.messages import services
from clubs.messages.forms import TextForm
from clubs.messages.message_kinds import (
    FREE_TEXT,
    fill_fields,
    restore_fields,
    split_blocks,
    text_faults,
)
from clubs.messages.selectors import WaitingResults, batch_view, mailed_result, waiting_results
from clubs.models import Batch, Job, JobState, Message, Player, SentResult, Session, SessionTable
from scoring.scorebook.refusals import Refused
from tests.clubs.nights import SECOND_WINS, make_players, night, post
from tests.clubs.outbox import (
    FaultyPost,
    Killed,
    above_the_foot,
    deliver,
    press,
    results_of,
    retry_job,
    states,
    with_emails,
    work,
    write,
)
from tests.people import Cast

pytestmark = pytest.mark.django_db
Mails = list[EmailMultiAlternatives]


@pytest.fixture
def players(cast: Cast) -> list[Player]:
    """Ann, Ben, Cy and Di, all with an address, who want results."""
    players = make_players(cast.club, 4)
    with_emails(players, wants_results=True)
    return players


@pytest.fixture
def faulty_post(settings: Settings) -> Iterator[type[FaultyPost]]:
    """The mail goes by FaultyPost."""
    settings.EMAIL_BACKEND = "tests.clubs.outbox.FaultyPost"
    yield FaultyPost
    FaultyPost.goes_away = FaultyPost.dies = False


def message_to(batch: Batch, name: str) -> Message:
    return batch.messages.select_related("batch", "player").get(player__name=name)


def test_nothing_leaves_before_send_is_pressed(batch: Batch, mailoutbox: Mails) -> None:
    assert set(states(batch).values()) == {"draft"}
    assert (mailoutbox, Job.objects.exists()) == ([], False)


def test_a_press_sends_each_exactly_as_it_was_shown(batch: Batch, mailoutbox: Mails) -> None:
    Player.objects.filter(name="Di").update(email="di@new.example")
    letters = [(letter.email, letter.subject, letter.body) for letter in batch_view(batch).letters]
    assert press(batch) == 4
    job = work(batch)
    assert (job.state, job.message) == (JobState.DONE, "4 messages have been sent.")
    assert [(mail.to[0], mail.subject, above_the_foot(mail)) for mail in mailoutbox] == letters
    assert (above_the_foot(mailoutbox[0]), mailoutbox[3].to) == ("Hello Ann.", ["di@new.example"])
    assert set(states(batch).values()) == {"sent"}


def test_a_mail_is_also_a_page_in_which_names_are_no_markup(
    cast: Cast, players: list[Player], mailoutbox: Mails
) -> None:
    Player.objects.filter(pk=players[0].pk).update(name="Ann & Co")
    batch = write(cast.club, players[:1], cast.secretary, "Dear {name},\n\nhttps://x.example/y/")
    deliver(batch)
    ((html, kind),) = mailoutbox[0].alternatives
    assert kind == "text/html"
    assert "<p>Dear Ann &amp; Co,</p>" in str(html)
    assert '<a href="https://x.example/y/">' in str(html)


def test_pressing_twice_is_pressing_once(cast: Cast, batch: Batch, mailoutbox: Mails) -> None:
    seen_digest = batch_view(batch).preview_digest
    counts = [
        services.send_drafts(batch=batch, seen_digest=seen_digest, asked_by=cast.secretary)
        for _ in range(2)
    ]
    work(batch)
    assert (counts, Job.objects.count(), len(mailoutbox)) == ([4, 0], 1, 4)


def test_what_changed_since_it_was_looked_at_is_not_sent(cast: Cast, batch: Batch) -> None:
    seen_digest = batch_view(batch).preview_digest
    services.change_text(batch=batch, subject="Lunch", text="Hello.")
    with pytest.raises(Refused, match="Something changed while you were looking"):
        services.send_drafts(batch=batch, seen_digest=seen_digest, asked_by=cast.secretary)
    assert set(states(batch).values()) == {"draft"}


def test_a_field_that_is_not_there_changes_nothing(batch: Batch) -> None:
    with pytest.raises(Refused) as refusal:
        services.change_text(batch=batch, subject="Lunch", text="Dear {nmae}.")
    assert [(problem.message, problem.path) for problem in refusal.value.problems] == [
        ("There is no {nmae} here. You can use {name}.", "text")
    ]
    assert batch_view(batch).text == "Hello {name}."


@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\r", "\u2028"])
def test_a_subject_of_two_lines_is_refused_at_once(
    cast: Cast, batch: Batch, line_break: str
) -> None:
    """No mail server would take it: the message would wait for ever."""
    subject, message = f"Lunch{line_break}on Friday", "Write the subject on one line."
    with pytest.raises(Refused) as refusal:
        services.change_text(batch=batch, subject=subject, text="Hello.")
    assert [(problem.message, problem.path) for problem in refusal.value.problems] == [
        (message, "subject")
    ]
    people = list(cast.club.players.filter(is_active=True)[:1])
    with pytest.raises(Refused):
        services.draft_message(
            club=cast.club, subject=subject, text="x", readers=people, made_by=cast.secretary
        )
    form = TextForm(FREE_TEXT, {"subject": subject, "text": "Hello."})
    assert form.errors["subject"] == [message]


def test_who_is_left_out_gets_nothing_until_taken_back_in(
    cast: Cast, batch: Batch, mailoutbox: Mails
) -> None:
    for name in ("Ben", "Cy"):
        services.exclude_drafts(batch=batch, message=message_to(batch, name))
    services.include_again(message=message_to(batch, "Cy"), asked_by=cast.secretary)
    deliver(batch)
    assert [mail.to[0][:2] for mail in mailoutbox] == ["an", "cy", "di"]
    assert states(batch)["Ben"] == "dropped"


def test_who_has_left_since_is_not_written_to(batch: Batch, mailoutbox: Mails) -> None:
    Player.objects.filter(name="Ben").update(is_active=False)
    Player.objects.filter(name="Cy").update(is_active=False, email="")
    assert (press(batch), batch_view(batch).by_hand) == (2, [])
    work(batch)
    assert [mail.to[0][:2] for mail in mailoutbox] == ["an", "di"]


def test_a_refused_address_is_named_put_right_and_tried_again(
    cast: Cast, batch: Batch, faulty_post: type[FaultyPost], mailoutbox: Mails
) -> None:
    job = deliver(batch)
    assert job.message == "3 messages have been sent. Not delivered: Cy."
    assert job.state == JobState.DONE
    (refused_message,) = batch_view(batch).refused_letters
    assert (refused_message.name, refused_message.answer) == ("Cy", "550 no such person")
    Player.objects.filter(name="Cy").update(email="cyril@example.org")
    assert services.resend_undelivered(batch=batch, asked_by=cast.secretary) == 1
    work(batch)
    assert mailoutbox[-1].to == ["cyril@example.org"]
    assert states(batch)["Cy"] == "sent"


def test_a_silent_mail_server_is_tried_again_for_the_rest(
    batch: Batch, faulty_post: type[FaultyPost], mailoutbox: Mails
) -> None:
    faulty_post.goes_away = True
    job = deliver(batch)
    assert job.message == "The mail server is not responding: 1 still to send."
    assert job.state == JobState.WAITING
    faulty_post.goes_away = False
    assert (retry_job(job).state, job.tries) == (JobState.DONE, 2)
    assert [mail.to[0][:2] for mail in mailoutbox] == ["an", "be", "di"]


def test_after_three_tries_a_press_begins_anew(
    cast: Cast, batch: Batch, faulty_post: type[FaultyPost]
) -> None:
    faulty_post.goes_away = True
    job = deliver(batch)
    assert (retry_job(retry_job(job)).state, job.tries) == (JobState.FAILED, 3)
    assert batch_view(batch).has_failed
    faulty_post.goes_away = False
    services.resend_undelivered(batch=batch, asked_by=cast.secretary)
    assert work(batch).state == JobState.DONE
    assert states(batch) == {"Ann": "sent", "Ben": "sent", "Cy": "refused", "Di": "sent"}


def test_killed_in_the_middle_it_goes_on_and_sends_nothing_twice(
    batch: Batch, faulty_post: type[FaultyPost], mailoutbox: Mails
) -> None:
    faulty_post.dies = True
    press(batch)
    with pytest.raises(Killed):
        work(batch)
    faulty_post.dies = False
    with time_machine.travel(timezone.now() + timedelta(minutes=3), tick=False):
        job = retry_job(Job.objects.get())
    assert (job.state, job.tries) == (JobState.DONE, 2)
    assert [mail.to[0][:2] for mail in mailoutbox] == ["an", "be", "di"]
    assert len({mail.extra_headers["Message-ID"] for mail in mailoutbox}) == 3


def test_what_another_worker_has_in_hand_is_left_to_it(batch: Batch, mailoutbox: Mails) -> None:
    press(batch)
    batch.messages.filter(player__name="Ann").update(sent_at=timezone.now())
    job = work(batch)
    assert [mail.to[0][:2] for mail in mailoutbox] == ["be", "cy", "di"]
    assert (job.state, job.message) == (
        JobState.WAITING,
        "1 still to send, and already being sent.",
    )
    with time_machine.travel(timezone.now() + timedelta(minutes=2), tick=False):
        assert retry_job(job).state == JobState.DONE
    assert [mail.to[0][:2] for mail in mailoutbox] == ["be", "cy", "di", "an"]


def test_stopped_the_rest_are_drafts_again_with_their_fields(
    batch: Batch, mailoutbox: Mails
) -> None:
    press(batch)
    batch.messages.filter(player__name="Ann").update(sent_at=timezone.now())
    assert services.stop_sending(batch=batch) == 3
    view = batch_view(batch)
    assert (view.text, view.own_texts, view.drafts) == ("Hello {name}.", 0, 3)
    work(batch)
    assert mailoutbox == []


def test_who_has_no_address_stays_to_be_told_by_hand(batch: Batch) -> None:
    Player.objects.filter(name="Ben").update(email="")
    assert press(batch) == 3
    assert [letter.name for letter in batch_view(batch).by_hand] == ["Ben"]
    services.mark_contacted(message=message_to(batch, "Ben"), method="contacted by phone")
    ben = message_to(batch, "Ben")
    assert (ben.state, ben.answer, ben.body) == ("sent", "contacted by phone", "Hello Ben.")


VALUES = {"name": "Ann", "answer link": "https://club.example/come/x/"}


def test_each_reader_has_their_own_words() -> None:
    text = "Dear { Name }, {answer  link}"
    assert fill_fields(text, VALUES) == "Dear Ann, https://club.example/come/x/"


def test_an_empty_field_leaves_no_gap() -> None:
    text = "Dear {name},\n\n{place}\n\nBye"
    assert fill_fields(text, {"name": "Ann", "place": ""}) == "Dear Ann,\n\nBye"


def test_taken_apart_a_text_has_its_fields_again() -> None:
    text = "Dear Ann, Annual fees: https://club.example/come/x/"
    assert restore_fields(text, VALUES) == "Dear {name}, Annual fees: {answer link}"


@given(text=st.text(st.sampled_from("An {},\n"), max_size=40).filter(lambda text: "{" not in text))
def test_taken_apart_and_merged_again_the_words_are_the_same(text: str) -> None:
    assert fill_fields(restore_fields(text, VALUES), VALUES) == fill_fields(text, VALUES)


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("Dear {name},", []),
        ("Dear {nmae},", ["There is no {nmae} here. You can use {name}."]),
        (
            "Dear {name,",
            ["There is a single { or }. Curly brackets come in pairs, for example {name}."],
        ),
    ],
)
def test_a_wrong_field_is_said_in_a_sentence(text: str, messages: list[str]) -> None:
    assert text_faults(text, ["name"]) == messages


def test_rows_of_three_columns_are_a_table() -> None:
    opening_block, table, closing_block = split_blocks(
        "Dear Ann,\nhello\n\n   1  Ben Lee     +240\n   2  Ann   −64\n\nBye"
    )
    assert (opening_block.lines, opening_block.rows) == (("Dear Ann,", "hello"), ())
    assert table.rows == (("1", "Ben Lee", "+240"), ("2", "Ann", "−64"))
    assert closing_block.lines == ("Bye",)


def test_an_address_can_be_pressed() -> None:
    (block,) = split_blocks("Here: https://club.example/x/ please")
    (parts,) = block.parts
    assert parts == [("Here: ", False), ("https://club.example/x/", True), (" please", False)]


RESULT = """\
Dear Ben,

This is the result of Tuesday 17 November 2026.

You came 1st of 4, with +240.

   1  Ben     +240
   2  Ann      −64
   3  Cy       −80
   4  Di       −96

Every table and hand: http://localhost:8000/c/riverside/evenings/{pk}/

Riverside Mah-Jong Club
"""


@pytest.fixture
def session(cast: Cast, players: list[Player]) -> Session:
    """An evening at which Ben went Mah-Jong once, not finished yet."""
    evening = night(cast.club, date(2026, 11, 17), players)
    post(SessionTable.objects.get(session=evening), SECOND_WINS)
    return evening


def finish(session: Session, cast: Cast, *, sends: bool = True) -> list[Batch]:
    """Finish the evening and press Send on every result; returns the batches of it."""
    ending.close_session(session=session)
    for batch in results_of(session) if sends else []:
        if press(batch, cast.secretary):
            work(batch)
    return results_of(session)


def play_on(session: Session) -> None:
    """Open the evening again and win once more."""
    ending.reopen_session(session=session)
    post(SessionTable.objects.get(session=session), SECOND_WINS, SECOND_WINS)


def test_finishing_the_evening_sends_nothing_and_writes_to_those_who_asked(
    session: Session, cast: Cast, players: list[Player], mailoutbox: Mails
) -> None:
    Player.objects.filter(pk=players[0].pk).update(wants_results=False)
    Player.objects.filter(pk=players[1].pk).update(is_active=False)
    (batch,) = finish(session, cast, sends=False)
    assert states(batch) == {"Cy": "draft", "Di": "draft"}
    assert waiting_results(session) == WaitingResults(2, batch.pk)
    assert (mailoutbox, Job.objects.exists()) == ([], False)


def test_each_reads_their_own_place(session: Session, cast: Cast, mailoutbox: Mails) -> None:
    finish(session, cast)
    assert [mail.to[0][:2] for mail in mailoutbox] == ["an", "be", "cy", "di"]
    letter = mailoutbox[1]
    assert letter.subject == "Riverside Mah-Jong Club: result of Tuesday 17 November 2026"
    assert above_the_foot(letter) == RESULT.format(pk=session.pk).strip()
    ((html, kind),) = letter.alternatives
    assert (kind, "<td><strong>Ben</strong></td>" in str(html)) == ("text/html", True)
    assert '<td align="right">+240</td>' in str(html)


def test_names_stand_in_a_result_as_each_chose(
    session: Session, cast: Cast, players: list[Player]
) -> None:
    Player.objects.filter(pk=players[1].pk).update(shown_as="hidden")
    (batch,) = finish(session, cast, sends=False)
    to_ann, to_ben, *_ = batch_view(batch).letters
    assert ("Ben" in to_ann.body, "   1  Ben" in to_ben.body) == (False, True)


def test_the_same_result_is_never_sent_twice(
    session: Session, cast: Cast, mailoutbox: Mails
) -> None:
    finish(session, cast)
    ending.reopen_session(session=session)
    assert len(finish(session, cast)) == 1
    assert len(mailoutbox) == 4


def test_a_result_that_was_sent_before_there_was_an_outbox_counts(
    session: Session, cast: Cast, players: list[Player]
) -> None:
    digest = mailed_result(session).digest
    SentResult.objects.create(session=session, player=players[0], digest=digest)
    SentResult.objects.create(session=session, player=players[1], digest="of before" * 4)
    first, corrected_batch = finish(session, cast, sends=False)
    assert (list(states(first)), list(states(corrected_batch))) == (["Cy", "Di"], ["Ben"])


def test_a_changed_result_goes_out_as_a_corrected_one(
    session: Session, cast: Cast, mailoutbox: Mails
) -> None:
    finish(session, cast)
    play_on(session)
    _, corrected_batch = finish(session, cast)
    assert corrected_batch.title == "Corrected result of Tuesday 17 November 2026"
    subject = "Riverside Mah-Jong Club: corrected result of Tuesday 17 November 2026"
    assert (len(mailoutbox), mailoutbox[5].subject) == (8, subject)
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
    assert [draft.pk for draft in finish(session, cast, sends=False)] == [batch.pk]
    assert "You came 1st of 4, with +600." in batch_view(batch).letters[1].body
    assert batch_view(batch).letters[1].body.startswith("Well played!")


def test_who_was_left_out_of_a_result_is_not_written_to_again(
    session: Session, cast: Cast, players: list[Player]
) -> None:
    (batch,) = finish(session, cast, sends=False)
    services.exclude_drafts(batch=batch, message=Message.objects.get(player=players[0]))
    ending.reopen_session(session=session)
    assert len(finish(session, cast, sends=False)) == 1
    assert states(batch)["Ann"] == "dropped"


def test_while_the_evening_is_open_again_its_result_is_not_sent(
    session: Session, cast: Cast
) -> None:
    (batch,) = finish(session, cast, sends=False)
    ending.reopen_session(session=session)
    with pytest.raises(Refused, match="This evening is not finished"):
        press(batch, cast.secretary)


def test_a_worker_whose_job_was_given_away_stops(batch: Batch) -> None:
    press(batch)
    job = Job.objects.get()
    Job.objects.update(state=JobState.RUNNING, tries=2)
    job.tries = 1
    with pytest.raises(TakenOver):
        report_progress(job, done=1, total=4)
