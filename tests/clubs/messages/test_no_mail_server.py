"""An installation without a mail server says so wherever it would send, and sends nothing."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from clubs.accounts.services import NO_CONFIRMATION_MESSAGE
from clubs.core.mail import BACKENDS_NOT_SENDING, sends_email
from clubs.core.queue import make_job
from clubs.evenings.services import ending
from clubs.messages import services
from clubs.messages.selectors import SENDING_JOB, batch_view, batches_with_counts, contact_list
from clubs.models import AuditEntry, Batch, Club, Message, MessageState, Player
from scoring.scorebook.refusals import Refused
from tests.api import api_client
from tests.clubs.nights import SECOND_WINS, make_players, night, post
from tests.clubs.outbox import press, states, with_emails, work
from tests.clubs.visits import Visitor, confirmed_visitor, errors
from tests.people import Cast

pytestmark = pytest.mark.django_db
NOTICE = "This Tongbox does not send email"
PAGE = "/c/riverside/messages/"
API = "/api/v1/clubs/riverside/messages/"


@pytest.fixture(autouse=True)
def mail_folder(settings: Settings, tmp_path: Path) -> Path:
    """Where emails would be written; the settings are those of a laptop without EMAIL_URL."""
    settings.EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    settings.EMAIL_FILE_PATH = str(tmp_path)
    return tmp_path


@pytest.fixture
def players(cast: Cast) -> list[Player]:
    """Ann, Ben and Cy, all with an address."""
    players = make_players(cast.club, 3)
    with_emails(players)
    return players


@pytest.mark.parametrize("backend", BACKENDS_NOT_SENDING)
def test_a_folder_a_screen_and_nowhere_are_no_mail_server(backend: str, settings: Settings) -> None:
    settings.EMAIL_BACKEND = backend
    assert not sends_email()


def test_a_message_is_for_post_or_phone_and_nothing_is_to_send(
    batch: Batch, players: list[Player]
) -> None:
    Player.objects.filter(pk=players[0].pk).update(phone="01603 123456")
    view = batch_view(batch)
    assert (len(view.to_send), len(view.by_hand)) == (0, 3)
    row: Any = batches_with_counts(batch.club).get()
    assert (row.to_send, row.by_hand) == (0, 3)
    calls = contact_list(view)
    assert (len(calls.to_call), len(calls.to_write)) == (1, 2)
    assert {call.reason for call in calls.people} == {""}


def test_send_is_refused_and_leaves_the_drafts(batch: Batch, mail_folder: Path) -> None:
    with pytest.raises(Refused, match="This Tongbox does not send email, so nothing was sent"):
        press(batch)
    assert set(states(batch).values()) == {"draft"}
    assert list(mail_folder.iterdir()) == []


def test_trying_again_is_refused(batch: Batch, cast: Cast) -> None:
    batch.messages.update(state=MessageState.REFUSED)
    with pytest.raises(Refused, match="does not send email"):
        services.resend_undelivered(batch=batch, asked_by=cast.secretary)
    assert set(states(batch).values()) == {"refused"}


def test_messages_that_wait_when_the_mail_server_is_taken_away_are_drafts_again(
    batch: Batch, mail_folder: Path
) -> None:
    batch.messages.update(state=MessageState.WAITING)
    make_job(club=batch.club, kind=SENDING_JOB, subject_key=batch.pk)
    job = work(batch)
    assert job.message == services.NO_MAIL_SERVER_MESSAGE
    assert set(states(batch).values()) == {"draft"}
    assert list(mail_folder.iterdir()) == []


def test_the_api_refuses_to_send_and_counts_nothing_as_sent(
    batch: Batch, cast: Cast, mail_folder: Path
) -> None:
    client = api_client(cast.secretary)
    with pytest.raises(Refused, match="does not send email"):
        services.send_drafts(
            batch=batch, seen_digest=batch_view(batch).preview_digest, asked_by=cast.secretary
        )
    (row,) = client.get(API).json()["results"]
    count_names = ("draft", "sent", "contacted", "to_send", "by_hand")
    assert [row[name] for name in count_names] == [3, 0, 0, 0, 3]
    assert list(mail_folder.iterdir()) == []


def test_the_activity_log_does_not_say_that_something_was_sent(
    batch: Batch, alice: Visitor
) -> None:
    messages = alice.messages_after(
        f"{PAGE}{batch.pk}/send/", seen=batch_view(batch).preview_digest
    )
    assert messages == [services.NO_MAIL_SERVER_MESSAGE]
    assert not AuditEntry.objects.filter(what="batch-send").exists()


@pytest.mark.parametrize(
    "place", ["", "outbox/", "write/message/", "write/invitation/", "write/no-evening/", "{batch}/"]
)
def test_every_page_of_messages_says_so_and_has_no_send_button(
    place: str, batch: Batch, alice: Visitor
) -> None:
    page = alice.read(PAGE + place.format(batch=batch.pk))
    assert NOTICE in page
    assert "press Send" not in page
    assert f"/messages/{batch.pk}/send/" not in page


def test_who_was_phoned_is_contacted_and_not_sent_an_email(batch: Batch, alice: Visitor) -> None:
    for message in Message.objects.filter(batch=batch).select_related("batch"):
        services.mark_contacted(message=message, method="contacted by phone")
    page = alice.read(f"{PAGE}{batch.pk}/")
    assert "3 people have been contacted by post or phone." in page
    assert "been sent" not in page
    row = alice.read(f"{PAGE}sent/")
    assert ("3 contacted" in row, "3 sent" in row) == (True, False)


@pytest.mark.parametrize("page", ["/accounts/password/reset/", "/accounts/login/code/"])
def test_whoever_forgot_their_password_is_told_what_helps(page: str) -> None:
    text = Client().get(page).content.decode()
    assert NOTICE in text
    assert "tongbox changepassword" in text
    assert "We will email you" not in text


def test_a_new_address_cannot_be_checked(cast: Cast) -> None:
    alice = confirmed_visitor(cast.secretary)
    assert "cannot check a new address" in alice.read("/accounts/email/")
    page = alice.post("/accounts/email/", {"email": "new@example.org"})
    assert errors(page) == {"email": [NO_CONFIRMATION_MESSAGE]}


def test_the_page_about_email_says_how_to_set_it_up(alice: Visitor, cast: Cast) -> None:
    page = alice.read("/c/riverside/settings/email/")
    assert "Set up email" in page
    assert "EMAIL_URL=" in page


@pytest.mark.parametrize("is_public", [False, True], ids=["first evening", "published"])
def test_after_an_evening_letters_are_offered_and_no_email(
    is_public: bool, cast: Cast, alice: Visitor
) -> None:
    Club.objects.update(shows_results=is_public, shows_league=is_public)
    session = night(cast.club, date(2026, 11, 17), make_players(cast.club, 4))
    post(session.tables.get(), SECOND_WINS)
    ending.close_session(session=session)
    address = f"/c/riverside/evenings/{session.pk}/"
    page = alice.read(address)
    assert "Prepare letters for" in page
    assert "Write to" not in page
    alice.post(f"{PAGE}write/result/", {"evening": session.pk})
    page = alice.read(address)
    assert "results are ready to print." in page
    assert "Review and print" in page


def test_the_page_of_a_result_promises_no_email(alice: Visitor) -> None:
    _, heading, kinds = alice.read(PAGE).partition("New message</h2>")
    assert heading
    assert "by email" not in kinds
    page = alice.read(f"{PAGE}write/result/")
    assert "before it is sent" not in page
    assert "so you then print letters or phone people" in page
