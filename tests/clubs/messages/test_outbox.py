"""The outbox: drafts first, one press sends each once, whatever falls over in between."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
import time_machine
from django.core.mail import EmailMultiAlternatives
from django.utils import timezone
from pytest_django import Settings

from clubs.messages import services
from clubs.messages.selectors import batch_view
from clubs.models import Batch, Job, JobState, Message, Player
from scoring.scorebook.refusals import Refused
from tests.clubs.nights import make_players
from tests.clubs.outbox import FaultyPost, Killed, again, press, states, with_emails, work, write
from tests.people import Cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def players(cast: Cast) -> list[Player]:
    """Ann, Ben, Cy and Di, all with an address."""
    players = make_players(cast.club, 4)
    with_emails(players)
    return players


@pytest.fixture
def batch(cast: Cast, players: list[Player]) -> Batch:
    """A word to the four, not sent yet."""
    return write(cast.club, players, cast.secretary)


@pytest.fixture
def faulty_post(settings: Settings) -> Iterator[type[FaultyPost]]:
    """The mail goes by FaultyPost."""
    settings.EMAIL_BACKEND = "tests.clubs.outbox.FaultyPost"
    yield FaultyPost
    FaultyPost.goes_away = FaultyPost.dies = False


def message_to(batch: Batch, name: str) -> Message:
    return batch.messages.select_related("batch", "player").get(player__name=name)


def test_nothing_leaves_before_send_is_pressed(
    batch: Batch, mailoutbox: list[EmailMultiAlternatives]
) -> None:
    assert set(states(batch).values()) == {"draft"}
    assert (mailoutbox, Job.objects.exists()) == ([], False)


def test_a_press_sends_each_exactly_as_it_was_shown(
    cast: Cast, batch: Batch, mailoutbox: list[EmailMultiAlternatives]
) -> None:
    shown = [(letter.email, letter.subject, f"{letter.body}\n") for letter in _letters(batch)]
    assert press(batch, cast.secretary) == 4
    job = work(batch)
    assert (job.state, job.message) == (JobState.DONE, "4 messages have been sent.")
    assert [(mail.to[0], mail.subject, mail.body) for mail in mailoutbox] == shown
    assert mailoutbox[0].body == "Hello Ann.\n"
    assert set(states(batch).values()) == {"sent"}


def _letters(batch: Batch) -> list:  # type: ignore[type-arg]
    return list(batch_view(batch).letters)


def test_a_mail_is_also_a_page_in_which_names_are_no_markup(
    cast: Cast, players: list[Player], mailoutbox: list[EmailMultiAlternatives]
) -> None:
    Player.objects.filter(pk=players[0].pk).update(name="Ann & Co")
    batch = write(cast.club, players[:1], cast.secretary, "Dear {name},\n\nhttps://x.example/y/")
    press(batch, cast.secretary)
    work(batch)
    ((html, kind),) = mailoutbox[0].alternatives
    assert kind == "text/html"
    assert "<p>Dear Ann &amp; Co,</p>" in str(html)
    assert '<a href="https://x.example/y/">' in str(html)


def test_pressing_twice_is_pressing_once(
    cast: Cast, batch: Batch, mailoutbox: list[EmailMultiAlternatives]
) -> None:
    seen = batch_view(batch).seen
    sent = [services.send(batch=batch, seen=seen, asked_by=cast.secretary) for _ in range(2)]
    work(batch)
    assert (sent, Job.objects.count(), len(mailoutbox)) == ([4, 0], 1, 4)


def test_what_changed_since_it_was_looked_at_is_not_sent(cast: Cast, batch: Batch) -> None:
    seen = batch_view(batch).seen
    services.change_text(batch=batch, subject="Lunch", text="Hello.")
    with pytest.raises(Refused, match="Something changed while you were looking"):
        services.send(batch=batch, seen=seen, asked_by=cast.secretary)
    assert set(states(batch).values()) == {"draft"}


def test_one_text_for_all_leaves_those_with_their_own_words_alone(batch: Batch) -> None:
    services.change_one(message=message_to(batch, "Ben"), subject="Lunch", text="Only you, {name}.")
    assert services.change_text(batch=batch, subject="Lunch", text="Dear {name}.") == 3
    view = batch_view(batch)
    assert [letter.body for letter in view.letters] == [
        "Dear Ann.",
        "Only you, Ben.",
        "Dear Cy.",
        "Dear Di.",
    ]
    assert (view.text, view.own_texts) == ("Dear {name}.", 1)


def test_a_field_that_is_not_there_changes_nothing(batch: Batch) -> None:
    with pytest.raises(Refused) as refused:
        services.change_text(batch=batch, subject="Lunch", text="Dear {nmae}.")
    assert [(one.sentence, one.where) for one in refused.value.problems] == [
        ("There is no {nmae} here. You can use {name}.", "text")
    ]
    assert batch_view(batch).text == "Hello {name}."


def test_who_is_left_out_gets_nothing_until_taken_back_in(
    cast: Cast, batch: Batch, mailoutbox: list[EmailMultiAlternatives]
) -> None:
    for name in ("Ben", "Cy"):
        services.leave_out(batch=batch, message=message_to(batch, name))
    services.take_in(message=message_to(batch, "Cy"), asked_by=cast.secretary)
    press(batch, cast.secretary)
    work(batch)
    assert [mail.to[0][:2] for mail in mailoutbox] == ["an", "cy", "di"]
    assert states(batch)["Ben"] == "dropped"


def test_who_has_left_since_is_not_written_to(
    cast: Cast, batch: Batch, mailoutbox: list[EmailMultiAlternatives]
) -> None:
    Player.objects.filter(name="Ben").update(is_active=False)
    Player.objects.filter(name="Cy").update(is_active=False, email="")
    assert (press(batch, cast.secretary), batch_view(batch).by_hand) == (2, [])
    work(batch)
    assert [mail.to[0][:2] for mail in mailoutbox] == ["an", "di"]


def test_a_refused_address_is_named_and_keeps_nobody_else_waiting(
    cast: Cast,
    batch: Batch,
    faulty_post: type[FaultyPost],
    mailoutbox: list[EmailMultiAlternatives],
) -> None:
    press(batch, cast.secretary)
    job = work(batch)
    assert (job.state, job.message) == (
        JobState.DONE,
        "3 messages have been sent. Not delivered: Cy.",
    )
    (refused,) = batch_view(batch).refused
    assert (refused.name, refused.answer) == ("Cy", "550 no such person")


def test_put_right_and_tried_again_it_goes_to_the_new_address(
    cast: Cast,
    batch: Batch,
    faulty_post: type[FaultyPost],
    mailoutbox: list[EmailMultiAlternatives],
) -> None:
    press(batch, cast.secretary)
    work(batch)
    Player.objects.filter(name="Cy").update(email="cyril@example.org")
    assert services.try_again(batch=batch, asked_by=cast.secretary) == 1
    work(batch)
    assert mailoutbox[-1].to == ["cyril@example.org"]
    assert states(batch)["Cy"] == "sent"


def test_a_silent_mail_server_is_tried_again_for_the_rest(
    cast: Cast,
    batch: Batch,
    faulty_post: type[FaultyPost],
    mailoutbox: list[EmailMultiAlternatives],
) -> None:
    faulty_post.goes_away = True
    press(batch, cast.secretary)
    job = work(batch)
    assert (job.state, job.message) == (
        JobState.WAITING,
        "The mail server is not responding. 1 still to send.",
    )
    faulty_post.goes_away = False
    assert (again(job).state, job.tries) == (JobState.DONE, 2)
    assert [mail.to[0][:2] for mail in mailoutbox] == ["an", "be", "di"]


def test_after_three_tries_a_press_begins_anew(
    cast: Cast, batch: Batch, faulty_post: type[FaultyPost]
) -> None:
    faulty_post.goes_away = True
    press(batch, cast.secretary)
    job = work(batch)
    assert (again(again(job)).state, job.tries) == (JobState.FAILED, 3)
    assert batch_view(batch).has_failed
    faulty_post.goes_away = False
    services.try_again(batch=batch, asked_by=cast.secretary)
    assert work(batch).state == JobState.DONE
    assert states(batch) == {"Ann": "sent", "Ben": "sent", "Cy": "refused", "Di": "sent"}


def test_killed_in_the_middle_it_goes_on_and_sends_nothing_twice(
    cast: Cast,
    batch: Batch,
    faulty_post: type[FaultyPost],
    mailoutbox: list[EmailMultiAlternatives],
) -> None:
    faulty_post.dies = True
    press(batch, cast.secretary)
    with pytest.raises(Killed):
        work(batch)
    faulty_post.dies = False
    with time_machine.travel(timezone.now() + timedelta(minutes=3), tick=False):
        job = again(Job.objects.get())
    assert (job.state, job.tries) == (JobState.DONE, 2)
    assert [mail.to[0][:2] for mail in mailoutbox] == ["an", "be", "di"]
    assert len({mail.extra_headers["Message-ID"] for mail in mailoutbox}) == 3


def test_what_another_worker_has_in_hand_is_left_to_it(
    cast: Cast, batch: Batch, mailoutbox: list[EmailMultiAlternatives]
) -> None:
    press(batch, cast.secretary)
    batch.messages.filter(player__name="Ann").update(sent_at=timezone.now())
    job = work(batch)
    assert [mail.to[0][:2] for mail in mailoutbox] == ["be", "cy", "di"]
    assert (job.state, job.message) == (JobState.WAITING, "1 still to send, being sent elsewhere.")
    with time_machine.travel(timezone.now() + timedelta(minutes=2), tick=False):
        assert again(job).state == JobState.DONE
    assert [mail.to[0][:2] for mail in mailoutbox] == ["be", "cy", "di", "an"]


def test_stopped_the_rest_are_drafts_again_with_their_fields(
    cast: Cast, batch: Batch, mailoutbox: list[EmailMultiAlternatives]
) -> None:
    press(batch, cast.secretary)
    batch.messages.filter(player__name="Ann").update(sent_at=timezone.now())
    assert services.stop(batch=batch) == 3
    view = batch_view(batch)
    assert (view.text, view.own_texts, view.drafts) == ("Hello {name}.", 0, 3)
    work(batch)
    assert mailoutbox == []


def test_a_rehearsal_sends_nothing(cast: Cast, batch: Batch) -> None:
    cast.club.rehearsal_of = cast.stranger.memberships.get().club
    cast.club.save()
    with pytest.raises(Refused, match="This is a practice evening"):
        press(batch, cast.secretary)
    assert not Job.objects.exists()


def test_who_has_no_address_stays_to_be_told_by_hand(
    cast: Cast, batch: Batch, mailoutbox: list[EmailMultiAlternatives]
) -> None:
    Player.objects.filter(name="Ben").update(email="")
    assert press(batch, cast.secretary) == 3
    assert [letter.name for letter in batch_view(batch).by_hand] == ["Ben"]
    services.mark_contacted(message=message_to(batch, "Ben"), by="contacted by phone")
    ben = message_to(batch, "Ben")
    assert (ben.state, ben.answer, ben.body) == ("sent", "contacted by phone", "Hello Ben.")


def test_an_address_that_is_put_right_before_the_press_is_used(
    cast: Cast, batch: Batch, mailoutbox: list[EmailMultiAlternatives]
) -> None:
    Player.objects.filter(name="Ann").update(email="ann@new.example")
    press(batch, cast.secretary)
    work(batch)
    assert mailoutbox[0].to == ["ann@new.example"]
