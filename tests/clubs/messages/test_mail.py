"""How an email is addressed so that it arrives, and how its reader stops the next ones."""

import re
from datetime import date
from typing import Any
from uuid import uuid4

import pytest
from django.core.mail import EmailMessage, EmailMultiAlternatives
from django.test import Client
from django.urls import reverse
from hypothesis import given, strategies as st
from pytest_django import DjangoAssertNumQueries, Settings

from clubs.accounts.services import invite, send_invitation
from clubs.core.audit_log import audit_entries, audit_rows
from clubs.core.mail import is_public_domain, mail_domain
from clubs.evenings.services import ending
from clubs.house.services import run_job
from clubs.members.services.merging import merge_players
from clubs.members.services.people import change_player, note_failed_email
from clubs.messages.mail import find_message_keys, read_stop_key, sealed_key, stop_key
from clubs.messages.message_kinds import Topic
from clubs.messages.selectors import batch_view, batches_with_counts, contact_list
from clubs.models import Batch, Job, Message, Player, Role
from clubs.privacy.services import erase_player
from tests.api import api_client, patch
from tests.clubs.nights import night
from tests.clubs.outbox import FaultyPost, deliver, press, results_of, states, work, write
from tests.clubs.visits import Visitor
from tests.people import Cast

pytestmark = pytest.mark.django_db
Mails = list[EmailMultiAlternatives]
TODAY = date(2026, 11, 27)
HTTPS = "https://tongbox.example.org"


def head(mail: EmailMessage) -> dict[str, str]:
    """The headers of an email as a mail server gets them."""
    return {name: str(value) for name, value in mail.message().items()}


def link_in(mail: EmailMessage) -> str:
    """The link at the foot, without the site."""
    match = re.search(r"(?<=//localhost:8000)/stop-emails/\S+", str(mail.body))
    assert match
    return match[0]


def test_an_email_is_from_the_installation_and_answers_go_to_who_wrote_it(
    batch: Batch, mailoutbox: Mails, settings: Settings
) -> None:
    settings.DEFAULT_FROM_EMAIL = "Tongbox <post@mail.example.org>"
    deliver(batch)
    headers = head(mailoutbox[0])
    assert headers["From"] == "Riverside Mah-Jong Club via Tongbox <post@mail.example.org>"
    assert headers["Reply-To"] == "alice@example.org"
    assert headers["Message-ID"].endswith("@mail.example.org>")
    assert headers["Date"]
    assert "Auto-Submitted" not in headers
    assert mailoutbox[0].from_email == "post@mail.example.org"


def test_a_result_is_marked_as_automatic_and_answers_go_to_a_secretary(
    cast: Cast, players: list[Player], mailoutbox: Mails
) -> None:
    Player.objects.exclude(email="").update(wants_results=True)
    ending.close_session(session=night(cast.club, date(2026, 11, 17), players))
    (result,) = results_of(cast.club.sessions.get())
    press(result, cast.secretary)
    work(result)
    headers = head(mailoutbox[0])
    assert (headers["Auto-Submitted"], headers["Reply-To"]) == (
        "auto-generated",
        "alice@example.org",
    )


def test_the_domain_of_a_message_id_is_a_public_one_if_there_is_one(settings: Settings) -> None:
    settings.SITE_ADDRESS, settings.DEFAULT_FROM_EMAIL = HTTPS, "Tongbox <tongbox@localhost>"
    assert mail_domain() == "tongbox.example.org"
    settings.DEFAULT_FROM_EMAIL = "post@club.example.net"
    assert mail_domain() == "club.example.net"
    numbers = ["localhost", "box.local", "192.168.1.20", "[::1]", "tongbox", ""]
    assert not any(map(is_public_domain, numbers))


def test_an_email_that_is_sent_again_keeps_its_message_id(
    batch: Batch, mailoutbox: Mails, settings: Settings
) -> None:
    settings.EMAIL_BACKEND = "tests.clubs.outbox.FaultyPost"
    FaultyPost.goes_away = True
    try:
        job = deliver(batch)
    finally:
        FaultyPost.goes_away = False
    message = Message.objects.get(player__name="Di", batch=batch)
    assert (message.state, job.state) == ("waiting", "waiting")
    work(batch)
    (mail,) = (mail for mail in mailoutbox if mail.to == ["di@example.org"])
    assert head(mail)["Message-ID"] == f"<{sealed_key(message.key)}@localhost>"


def test_every_email_of_the_club_can_be_stopped_from_the_mail_program(
    batch: Batch, mailoutbox: Mails, settings: Settings
) -> None:
    settings.SITE_ADDRESS = HTTPS
    deliver(batch)
    headers = head(mailoutbox[0])
    link = headers["List-Unsubscribe"].strip("<>")
    assert link.startswith(f"{HTTPS}/stop-emails/")
    assert headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    html = str(mailoutbox[0].alternatives[0][0])
    assert link in str(mailoutbox[0].body)
    assert f'<a href="{link}">Stop these emails</a>' in html
    assert not any(word in link for word in ("Ann", "ann", "example.org/ann", "riverside"))


def test_without_https_no_one_click_is_promised(batch: Batch, mailoutbox: Mails) -> None:
    deliver(batch)
    assert "List-Unsubscribe-Post" not in head(mailoutbox[0])
    assert "List-Unsubscribe" in head(mailoutbox[0])


def test_emails_about_an_account_are_automatic_and_cannot_be_stopped(
    cast: Cast, mailoutbox: Mails
) -> None:
    Client().post(reverse("account_reset_password"), {"email": cast.secretary.email})
    fields: dict[str, Any] = {"email": "new@example.org", "role": Role.SCORER}
    fields["invited_by"] = cast.secretary
    send_invitation(invitation=invite(club=cast.club, **fields))
    assert len(mailoutbox) == 2
    for mail in mailoutbox:
        headers = head(mail)
        assert headers["Auto-Submitted"] == "auto-generated"
        assert headers["Message-ID"].endswith("@localhost>")
        assert "List-Unsubscribe" not in headers


def test_looking_at_the_link_stops_nothing_and_the_button_does(
    cast: Cast, batch: Batch, mailoutbox: Mails
) -> None:
    deliver(batch)
    browser, link = Client(enforce_csrf_checks=True), link_in(mailoutbox[0])
    ann = Player.objects.get(name="Ann")
    page = browser.get(link).content.decode()
    assert ("Stop these emails?" in page, "Riverside Mah-Jong Club" in page) == (True, True)
    assert "Ann" not in page
    ann.refresh_from_db()
    assert ann.wants_messages
    # As a mail program sends it (RFC 8058): no cookie, no token.
    answer = browser.post(link, {"List-Unsubscribe": "One-Click"})
    ann.refresh_from_db()
    assert (answer.status_code, ann.wants_messages) == (200, False)
    assert "will no longer email you its invitations, news" in answer.content.decode()
    assert "Undo" in browser.get(link).content.decode()
    browser.post(link, {"undo": "yes"})
    ann.refresh_from_db()
    assert ann.wants_messages
    sentences = [row.sentence for row in audit_rows(cast.club, audit_entries(cast.club))]
    assert sentences[:2] == [
        "A link in an email allowed emails to Ann again.",
        "A link in an email stopped emails to Ann.",
    ]


def test_stopping_twice_is_noted_once(cast: Cast, players: list[Player]) -> None:
    link = reverse("stop-emails", args=[stop_key(players[0].pk, Topic.MESSAGES)])
    for _ in range(2):
        assert Client().post(link).status_code == 200
    assert audit_entries(cast.club).filter(what="emails stopped").count() == 1


def test_results_and_messages_are_stopped_apart(players: list[Player]) -> None:
    ann = players[0]
    Player.objects.filter(pk=ann.pk).update(wants_results=True)
    link = reverse("stop-emails", args=[stop_key(ann.pk, Topic.RESULTS)])
    assert "the result of each evening" in Client().post(link).content.decode()
    ann.refresh_from_db()
    assert (ann.wants_results, ann.wants_messages) == (False, True)


@pytest.mark.parametrize("key", ["x", "1.messages", "1.messages:x", f"{'9' * 30}.messages:x"])
def test_a_link_that_is_not_ours_stops_nothing(players: list[Player], key: str) -> None:
    assert Client().post(f"/stop-emails/{key}/").status_code == 404
    assert not Player.objects.filter(wants_messages=False).exists()


def test_a_link_outlives_a_new_secret_key(players: list[Player], settings: Settings) -> None:
    key, signed_key = stop_key(players[0].pk, Topic.MESSAGES), sealed_key(uuid4())
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another"
    assert read_stop_key(key) == (players[0].pk, Topic.MESSAGES)
    assert len(list(find_message_keys(signed_key))) == 1


def test_the_link_of_a_merged_record_stops_the_emails_of_the_person(players: list[Player]) -> None:
    ann, ben = players[:2]
    key = stop_key(ben.pk, Topic.MESSAGES)
    merge_players(kept_player=ann, merged_player=ben)
    Client().post(reverse("stop-emails", args=[key]))
    ann.refresh_from_db()
    assert not ann.wants_messages


def test_the_link_of_someone_whose_data_were_deleted_says_so(players: list[Player]) -> None:
    erase_player(player=players[0], today=TODAY)
    link = reverse("stop-emails", args=[stop_key(players[0].pk, Topic.MESSAGES)])
    assert "These emails have ended" in Client().post(link).content.decode()


def test_who_refuses_emails_or_has_a_dead_address_is_phoned(
    cast: Cast, alice: Visitor, batch: Batch, players: list[Player], mailoutbox: Mails
) -> None:
    Player.objects.filter(name="Ann").update(wants_messages=False, phone="01632 960001")
    note_failed_email(player=players[1], email="ben@example.org", today=TODAY)
    page = alice.read(reverse("batch", args=["riverside", batch.pk]))
    assert "no emails, phone 01632 960001" in page
    assert "emails not delivered" in page
    view = batch_view(batch)
    row: Any = batches_with_counts(cast.club).get()
    assert (row.to_send, row.by_hand) == (len(view.to_send), len(view.by_hand)) == (2, 2)
    calls = {call.name: call.reason for call in contact_list(view).people}
    assert calls == {
        "Ann": "They do not want emails from the club.",
        "Ben": "Emails to ben@example.org are not delivered.",
    }
    deliver(batch)
    assert states(batch) == {"Ann": "draft", "Ben": "draft", "Cy": "sent", "Di": "sent"}
    form = alice.read(reverse("messages-write", args=["riverside", "message"]))
    assert ("Ann, no emails" in form, "Ben, emails not delivered" in form) == (True, True)


def test_a_result_goes_to_nobody_who_stopped_results_meanwhile(
    cast: Cast, players: list[Player], mailoutbox: Mails
) -> None:
    Player.objects.exclude(email="").update(wants_results=True)
    ending.close_session(session=night(cast.club, date(2026, 11, 17), players))
    (result,) = results_of(cast.club.sessions.get())
    Client().post(reverse("stop-emails", args=[stop_key(players[0].pk, Topic.RESULTS)]))
    view = batch_view(result)
    assert [letter.name for letter in view.to_send] == ["Ben", "Cy", "Di"]
    assert view.by_hand == []
    row: Any = batches_with_counts(cast.club).get()
    assert (row.to_send, row.by_hand) == (3, 0)


def test_the_page_to_stop_emails_asks_as_much_of_everybody(
    players: list[Player], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for player in players[:2]:
        link = reverse("stop-emails", args=[stop_key(player.pk, Topic.MESSAGES)])
        with django_assert_num_queries(2):
            Client().get(link)


@pytest.mark.parametrize("readers", [1, 3])
def test_what_emails_have_in_common_is_looked_up_once(
    cast: Cast, players: list[Player], readers: int, django_assert_num_queries: Any
) -> None:
    batch = write(cast.club, players[:readers], cast.secretary)
    press(batch)
    job = Job.objects.get(about=batch.pk)
    a_message = 3  # how far it is, claimed, sent
    with django_assert_num_queries(9 + a_message * readers):
        run_job(job.pk)


def test_members_choose_their_own_emails(cast: Cast) -> None:
    me, pat = Visitor(cast.player), Player.objects.filter(name="Pat")
    assert "no email address for you" in me.read("/c/riverside/my-emails/")
    pat.update(email="pat@example.org")
    messages = ["Saved. You get the emails that you chose."]
    assert me.messages_after("/c/riverside/my-emails/", wants_results="on") == messages
    assert pat.values_list("wants_messages", "wants_results").get() == (False, True)
    answer = patch(
        api_client(cast.player), "/api/v1/clubs/riverside/me/emails/", wants_messages=True
    )
    assert answer.json() == {
        "email": "pat@example.org",
        "wants_messages": True,
        "wants_results": True,
    }


def test_a_dead_address_is_shown_at_the_member_until_it_is_changed(
    cast: Cast, alice: Visitor, players: list[Player]
) -> None:
    ann, page = players[0], reverse("player", args=["riverside", players[0].pk])
    ann.refresh_from_db()
    assert note_failed_email(player=ann, email="ann@example.org", today=date(2026, 3, 3))
    note_failed_email(player=ann, email="ann@example.org", today=TODAY)
    assert "Emails to ann@example.org have not been delivered since 3 March 2026" in alice.read(
        page
    )
    assert "emails not delivered" in alice.read("/c/riverside/members/")
    change_player(player=ann, changes={"email": "ann@new.example"})
    assert "have come back" not in alice.read(page)
    assert not note_failed_email(player=ann, email="ann@example.org", today=TODAY)


def test_emails_go_to_a_dead_address_again_when_someone_says_so(
    alice: Visitor, players: list[Player]
) -> None:
    ann = players[0]
    ann.refresh_from_db()
    note_failed_email(player=ann, email="ann@example.org", today=TODAY)
    alice.messages_after(reverse("member-email-again", args=["riverside", ann.pk]))
    ann.refresh_from_db()
    assert (ann.email_fails, ann.email_failed_on) == (False, None)


@given(st.text())
def test_no_text_is_taken_for_a_key_of_ours(text: str) -> None:
    assert list(find_message_keys(text)) == []


@given(st.uuids(), st.integers(0, 47), st.sampled_from("0123456789abcdef"))
def test_a_key_with_another_seal_is_none_of_ours(key: Any, place: int, digit: str) -> None:
    signed_key = sealed_key(key)
    assert list(find_message_keys(f"<{signed_key.upper()}@example.org>")) == [key]
    forged_key = signed_key[:place] + digit + signed_key[place + 1 :]
    assert list(find_message_keys(forged_key)) == ([key] if forged_key == signed_key else [])
