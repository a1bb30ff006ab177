"""What comes back: read from a real mailbox over TLS, and from what mail services send."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.mail import EmailMessage
from django.db import connection
from django.test import Client
from django.urls import reverse
from hypothesis import given, strategies as st
from pytest_django import Settings

from clubs import tasks
from clubs.messages.bounces import Outcome, parse_json_reports, parse_report
from clubs.messages.mail import sealed_key
from clubs.messages.mailbox import read_mailbox
from clubs.messages.selectors import batch_view
from clubs.messages.services import mark_contacted, resend_undelivered
from clubs.models import Batch, Message, Player
from tests.clubs.nights import make_players
from tests.clubs.outbox import deliver, states, with_emails, work, write
from tests.clubs.visits import Visitor
from tests.imap import Mailbox
from tests.people import Cast

pytestmark = pytest.mark.django_db
TODAY = date(2026, 3, 3)
KEY = UUID("12345678123456781234567812345678")
NOBODY = "550 5.1.1 <ann@example.org>: Recipient address rejected: User unknown"
REPORT = """From: MAILER-DAEMON@mx.example.net (Mail Delivery System)
To: {to}
Subject: Undelivered Mail Returned to Sender
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
 boundary="cut"

--cut
Content-Type: text/plain; charset=us-ascii

I'm sorry to have to inform you that your message could not be delivered.

--cut
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.net

Final-Recipient: rfc822; ann@example.org
Action: {action}
Status: {status}
Diagnostic-Code: smtp; {said}

--cut
Content-Type: {returned}

Message-ID: <{message_id}>
Subject: The summer lunch

--cut--
"""
COMPLAINT = """From: feedback@mail.example.net
To: post@example.org
Subject: FW: The summer lunch
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report; boundary="cut"

--cut
Content-Type: text/plain

This is an email abuse report.

--cut
Content-Type: message/feedback-report

Feedback-Type: {kind}
User-Agent: SomeGenerator/1.0
Version: 1

--cut
Content-Type: message/rfc822

Message-ID: <{message_id}>
Subject: The summer lunch

Hello Ann.

--cut--
"""
ORDINARY = b"From: ann@example.org\r\nTo: post@example.org\r\nSubject: lunch\r\n\r\nYes please!\r\n"


def bounce(key: UUID, **extra_fields: str) -> bytes:
    """A delivery status as a mail server sends it, about the message with this key."""
    fields = {
        "to": "post@example.org",
        "action": "failed",
        "status": "5.1.1",
        "said": NOBODY,
        "returned": "text/rfc822-headers",
        "message_id": f"{sealed_key(key)}@example.org",
    }
    return REPORT.format(**{**fields, **extra_fields}).replace("\n", "\r\n").encode()


def complaint(key: UUID, kind: str = "abuse") -> bytes:
    text = COMPLAINT.format(kind=kind, message_id=f"{sealed_key(key)}@example.org")
    return text.replace("\n", "\r\n").encode()


@pytest.fixture
def batch(cast: Cast, mailoutbox: list[EmailMessage]) -> Batch:
    """A word to Ann, Ben and Cy, sent."""
    players = make_players(cast.club, 3)
    with_emails(players)
    batch = write(cast.club, players, cast.secretary)
    deliver(batch)
    assert set(states(batch).values()) == {"sent"}
    return batch


@pytest.fixture
def to_ann(batch: Batch) -> Message:
    return batch.messages.select_related("player", "batch").get(player__name="Ann")


Opens = Callable[..., Mailbox]


@pytest.fixture
def mailbox(tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Opens]:
    """Opens the mailbox that bounces return to, with these emails in it."""
    mailboxes: list[Mailbox] = []

    def open_with(*contents: bytes) -> Mailbox:
        box = Mailbox(tmp_path, *contents).__enter__()
        mailboxes.append(box)
        settings.BOUNCES = box.url
        monkeypatch.setenv("SSL_CERT_FILE", str(box.certificate))
        return box

    yield open_with
    for box in mailboxes:
        box.__exit__()


def test_an_email_to_no_such_address_is_shown_at_message_batch_and_member(
    alice: Visitor, mailbox: Opens, batch: Batch, to_ann: Message
) -> None:
    with mailbox(bounce(to_ann.key)) as box:
        assert read_mailbox(today=TODAY) == 1
        assert box.unread() == []
    assert states(batch) == {"Ann": "refused", "Ben": "sent", "Cy": "sent"}
    reason = "the address does not exist (550 5.1.1 &lt;ann@example.org&gt;:"
    assert reason in alice.read(reverse("message", args=["riverside", batch.pk, to_ann.pk]))
    assert reason in alice.read(reverse("batch", args=["riverside", batch.pk]))
    assert reason in alice.read(reverse("outbox", args=["riverside"]))
    member = alice.read(reverse("player", args=["riverside", to_ann.player_id]))
    assert "Emails to ann@example.org have not been delivered since 3 March 2026" in member


def test_no_more_is_sent_there_until_someone_presses_try_again(
    cast: Cast, mailbox: Opens, batch: Batch, to_ann: Message, mailoutbox: list[EmailMessage]
) -> None:
    with mailbox(bounce(to_ann.key)):
        tasks.read_bounces()
    later_batch = write(cast.club, [to_ann.player], cast.secretary)
    assert batch_view(later_batch).to_send == []
    assert resend_undelivered(batch=batch, asked_by=cast.secretary) == 0
    assert resend_undelivered(batch=batch, asked_by=cast.secretary, message=to_ann) == 1
    work(batch)
    assert (states(batch)["Ann"], len(mailoutbox)) == ("sent", 4)
    first, last = (mailoutbox[place].message()["Message-ID"] for place in (0, 3))
    assert first == last
    to_ann.player.refresh_from_db()
    assert not to_ann.player.email_fails


def test_other_emails_stay_in_the_mailbox_unread(
    mailbox: Opens, batch: Batch, to_ann: Message
) -> None:
    foreign = bounce(uuid4(), message_id="20260303.1@elsewhere.example")
    receipt = bounce(to_ann.key, action="delivered")
    with mailbox(ORDINARY, foreign, bounce(to_ann.key), receipt) as box:
        assert read_mailbox(today=TODAY) == 1
        assert box.unread() == [ORDINARY, foreign, receipt]
        assert read_mailbox(today=TODAY) == 0


def test_a_forged_bounce_marks_nothing(mailbox: Opens, batch: Batch, to_ann: Message) -> None:
    forged_bounces = [
        bounce(to_ann.key, message_id=f"{to_ann.key}@tongbox"),
        bounce(to_ann.key, message_id=f"{to_ann.key.hex}{'0' * 16}@example.org"),
        ORDINARY + sealed_key(to_ann.key).encode(),
    ]
    with mailbox(*forged_bounces) as box:
        assert read_mailbox(today=TODAY) == 0
        assert box.unread() == forged_bounces
    assert set(states(batch).values()) == {"sent"}


def test_a_bounce_that_names_several_messages_marks_one(batch: Batch, to_ann: Message) -> None:
    keys = [sealed_key(message.key) for message in batch.messages.all()]
    report = parse_report(bounce(to_ann.key, message_id="> <".join(keys)))
    assert report is not None
    assert report.key == to_ann.key


def test_a_mailbox_that_does_not_answer_is_read_the_next_time(
    mailbox: Opens, batch: Batch, to_ann: Message, settings: Settings
) -> None:
    box = mailbox(bounce(to_ann.key))
    settings.BOUNCES = box.url.replace("p%40ss", "wrong")
    assert read_mailbox(today=TODAY) == 0
    settings.BOUNCES = "imaps://box:pass@127.0.0.1:9/INBOX"
    assert read_mailbox(today=TODAY) == 0
    settings.BOUNCES = box.url
    assert read_mailbox(today=TODAY) == 1


def test_a_mailbox_with_a_certificate_of_its_own_is_not_trusted(
    mailbox: Opens, batch: Batch, to_ann: Message, monkeypatch: pytest.MonkeyPatch
) -> None:
    box = mailbox(bounce(to_ann.key))
    monkeypatch.delenv("SSL_CERT_FILE")
    assert read_mailbox(today=TODAY) == 0
    assert len(box.unread()) == 1


def test_a_bounce_of_a_message_that_is_being_sent_waits(
    mailbox: Opens, batch: Batch, to_ann: Message
) -> None:
    Message.objects.filter(pk=to_ann.pk).update(state="waiting")
    with mailbox(bounce(to_ann.key)) as box:
        assert (read_mailbox(today=TODAY), len(box.unread())) == (0, 1)
        Message.objects.filter(pk=to_ann.pk).update(state="sent")
        assert (read_mailbox(today=TODAY), len(box.unread())) == (1, 0)


def test_a_bounce_of_what_has_been_passed_on_by_phone_changes_nothing(
    mailbox: Opens, batch: Batch, to_ann: Message
) -> None:
    Message.objects.filter(pk=to_ann.pk).update(state="refused")
    mark_contacted(message=to_ann, method="contacted by phone")
    with mailbox(bounce(to_ann.key)):
        assert read_mailbox(today=TODAY) == 1
    assert states(batch)["Ann"] == "sent"


def test_a_bounce_of_an_address_of_before_says_nothing_of_todays(
    mailbox: Opens, batch: Batch, to_ann: Message
) -> None:
    Player.objects.filter(name="Ann").update(email="ann@new.example")
    with mailbox(bounce(to_ann.key)):
        read_mailbox(today=TODAY)
    assert states(batch)["Ann"] == "refused"
    assert not Player.objects.get(name="Ann").email_fails


def test_a_bounce_of_a_message_that_is_gone_is_done_with(mailbox: Opens) -> None:
    with mailbox(bounce(uuid4())) as box:
        assert (read_mailbox(today=TODAY), box.unread()) == (1, [])


def test_what_is_only_late_is_said_and_the_message_stays_sent(
    alice: Visitor, mailbox: Opens, batch: Batch, to_ann: Message
) -> None:
    late_bounce = bounce(to_ann.key, action="delayed", status="4.4.1", said="connection timed out")
    with mailbox(late_bounce):
        read_mailbox(today=TODAY)
    assert states(batch)["Ann"] == "sent"
    page = alice.read(reverse("batch", args=["riverside", batch.pk]))
    assert "the mail server could not accept it (connection timed out)" in page


def test_a_reader_who_calls_it_spam_gets_no_more(
    cast: Cast, mailbox: Opens, batch: Batch, to_ann: Message
) -> None:
    with mailbox(complaint(to_ann.key, "fraud"), complaint(to_ann.key)):
        assert read_mailbox(today=TODAY) == 1
    ann = Player.objects.get(name="Ann")
    assert (ann.wants_messages, ann.email_fails) == (False, False)


@pytest.mark.parametrize(
    ("status", "reply", "outcome", "description"),
    [
        ("5.1.1", NOBODY, Outcome.GONE, "the address does not exist"),
        ("5.0.0", NOBODY, Outcome.GONE, "the address does not exist"),
        ("5.2.1", "550 disabled", Outcome.GONE, "the mailbox is switched off"),
        ("5.4.4", "unrouteable", Outcome.GONE, "the address does not exist"),
        ("5.2.2", "552 over quota", Outcome.REFUSED, "the mailbox is full"),
        ("5.7.1", "554 spam", Outcome.REFUSED, "the mail server treated it as junk"),
        ("4.4.7", "expired", Outcome.REFUSED, "the mail server could not accept it"),
        ("5.0.0", "550 no", Outcome.REFUSED, "the mail server did not take it"),
        ("", "", Outcome.REFUSED, "the mail server did not take it"),
    ],
)
def test_each_status_is_said_in_words(
    status: str, reply: str, outcome: Outcome, description: str
) -> None:
    report = parse_report(bounce(KEY, status=status, said=reply))
    assert report is not None
    assert (report.outcome, report.text.partition(" (")[0]) == (outcome, description)


def test_the_message_is_known_by_the_whole_email_or_by_the_address_it_came_back_to() -> None:
    full_report = parse_report(bounce(KEY, returned="message/rfc822"))
    plus = parse_report(bounce(KEY, to=f"box+{sealed_key(KEY)}@example.org", message_id="x@y"))
    assert [report and report.key for report in (full_report, plus)] == [KEY, KEY]


def test_bounces_return_to_a_mailbox_of_their_own_if_there_is_one(
    cast: Cast, settings: Settings, mailoutbox: list[EmailMessage]
) -> None:
    settings.BOUNCES_TO = "box@example.net"
    players = make_players(cast.club, 1)
    with_emails(players)
    batch = write(cast.club, players, cast.secretary)
    deliver(batch)
    signed_key = sealed_key(batch.messages.get().key)
    assert mailoutbox[0].from_email == f"box+{signed_key}@example.net"
    assert "tongbox@localhost" in str(mailoutbox[0].message()["From"])


@given(st.text())
def test_the_words_of_a_mail_server_can_be_stored(noise: str) -> None:
    for data in events(sealed_key(KEY)).values():
        text = json.dumps(data).replace("no such user", json.dumps(f"no\0{noise}")[1:-1])
        (report,) = parse_json_reports(json.loads(text))
        report.text.encode()
        assert all(char.isprintable() or char == " " for char in report.text if char < "\xa0")


def test_a_bounce_with_a_nul_holds_up_no_other(
    mailbox: Opens, batch: Batch, to_ann: Message
) -> None:
    ben = batch.messages.get(player__name="Ben")
    forged_bounce = bounce(to_ann.key).replace(b"User unknown", b"full\0box")
    with mailbox(forged_bounce, bounce(ben.key)), as_postgresql_stores():
        assert read_mailbox(today=TODAY) == 2
    to_ann.refresh_from_db()
    assert "full box" in to_ann.answer


@contextmanager
def as_postgresql_stores() -> Iterator[None]:
    """SQLite refuses text with a NUL as PostgreSQL does."""

    def execute(run: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        assert "\0" not in str(params).replace("\\x00", "\0"), params
        return run(sql, params, many, context)

    with connection.execute_wrapper(execute):
        yield


@given(st.binary())
def test_no_bytes_break_the_reader(content: bytes) -> None:
    assert parse_report(content) is None


@given(st.integers(0, 1200), st.binary(max_size=40))
def test_no_broken_report_breaks_the_reader(place: int, noise: bytes) -> None:
    content = bounce(KEY)
    report = parse_report(content[:place] + noise + content[place + len(noise) :])
    assert report is None or report.key == KEY


def test_a_thousand_mails_in_mails_break_nothing() -> None:
    nested_headers = b"Content-Type: message/rfc822\r\n\r\n" * 3_000
    assert parse_report(nested_headers + bounce(KEY)) is None


SECRET = "mail-reports-go-here"
MAILGUN: dict[str, Any] = {
    "event": "failed",
    "severity": "permanent",
    "delivery-status": {"code": 550, "enhanced-code": "5.1.1", "message": "no such user"},
}
SENDGRID: dict[str, Any] = {"event": "bounce", "status": "5.1.1", "reason": "no such user"}
PLAIN: dict[str, Any] = {"event": "bounced", "status": "5.1.1", "words": "no such user"}


def events(message_id: str) -> dict[str, Any]:
    """The same bounce as each service sends it."""
    mailgun = {**MAILGUN, "message": {"headers": {"message-id": message_id}}}
    return {
        "Mailgun": {"signature": {}, "event-data": mailgun},
        "SendGrid": [{"event": "delivered"}, {**SENDGRID, "smtp-id": f"<{message_id}>"}],
        "plain": {**PLAIN, "message_id": message_id},
    }


def call(body: Any, key: str = SECRET) -> int:
    browser = Client(enforce_csrf_checks=True)
    content = body if isinstance(body, str) else json.dumps(body)
    return browser.post(
        f"/mail-reports/{key}/", content, content_type="application/json"
    ).status_code


@pytest.fixture
def secret(settings: Settings) -> None:
    settings.BOUNCES_KEY = SECRET


@pytest.mark.usefixtures("secret")
@pytest.mark.parametrize("service", ["Mailgun", "SendGrid", "plain"])
def test_a_mail_service_reports_a_bounce(service: str, batch: Batch, to_ann: Message) -> None:
    assert call(events(f"{sealed_key(to_ann.key)}@example.org")[service]) == 204
    to_ann.refresh_from_db()
    assert (to_ann.state, to_ann.answer) == ("refused", "the address does not exist (no such user)")
    assert Player.objects.get(name="Ann").email_fails


@pytest.mark.usefixtures("secret")
def test_a_mail_service_that_is_too_early_asks_again(batch: Batch, to_ann: Message) -> None:
    Message.objects.filter(pk=to_ann.pk).update(state="waiting")
    assert call(events(f"{sealed_key(to_ann.key)}@example.org")["plain"]) == 503


@pytest.mark.parametrize("event", ["complained", "spamreport"])
def test_a_mail_service_reports_a_complaint(event: str) -> None:
    (report,) = parse_json_reports({"event": event, "smtp-id": sealed_key(KEY)})
    assert report.outcome is Outcome.UNWANTED


def test_a_temporary_failure_is_only_late() -> None:
    data = events(sealed_key(KEY))["Mailgun"]
    data["event-data"]["severity"] = "temporary"
    (report,) = parse_json_reports(data)
    assert report.outcome is Outcome.DELAYED


def test_nobody_reports_without_the_secret(
    batch: Batch, to_ann: Message, settings: Settings
) -> None:
    event = events(f"{sealed_key(to_ann.key)}@example.org")["plain"]
    assert call(event, "") == call(event, "x") == 404
    settings.BOUNCES_KEY = SECRET
    assert call(event, "x") == 404
    assert set(states(batch).values()) == {"sent"}


@pytest.mark.usefixtures("secret")
@pytest.mark.parametrize("body", ["", "{", "[" * 100_000, "\x00"])
def test_what_is_no_json_is_refused(body: str) -> None:
    assert call(body) == 400


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(sorted(
        {"event", "event-data", "message", "headers", "message-id", "severity", "delivery-status"}
    )), inner),
)  # fmt: skip


@given(JSON)
def test_no_json_breaks_the_reader(data: Any) -> None:
    assert list(parse_json_reports(data)) == []
