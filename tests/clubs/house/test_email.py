"""A test email by a real mail server, the sender's domain by a real name server, in words."""

import smtplib
import ssl
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, Envelope
from django.core.mail import EmailMessage
from dns import resolver
from pytest_django import Settings

from clubs.house.mail_checks import MailCheck, Verdict, check_mail, explain_mail_error
from clubs.models import Club
from tests.clubs.nights import make_players
from tests.clubs.outbox import deliver, with_emails, write
from tests.clubs.visits import Visitor
from tests.config.served import free_port
from tests.dns_server import NameServer, Zone
from tests.imap import certificate_in
from tests.people import Cast

PAGE = "/c/riverside/settings/email/test/"
GOOD: Zone = {
    ("example.org", "MX"): ["10 mail.example.org."],
    ("example.org", "TXT"): ['"v=spf1 include:provider.example -all"', '"site=1"'],
    ("post._domainkey.example.org", "TXT"): ['"v=DKIM1; k=rsa; " "p=MIGfMA0GCSqG"'],
    ("_dmarc.example.org", "TXT"): ['"v=DMARC1; p=none"'],
}
HEARD = ["Sending", "The sender’s domain", "Who may send for the domain"]
HEARD += ["The signature on each email", "What to do with forged emails"]


class Post:
    """Takes every email, unless the test says what it answers."""

    def __init__(self) -> None:
        self.envelopes: list[Envelope] = []
        self.answers: dict[str, str] = {}

    async def handle_MAIL(self, *arguments: Any) -> str:  # noqa: N802 -- the server calls it so
        """The sender, after server, session and envelope."""
        arguments[2].mail_from = arguments[3]
        return self.answers.get("MAIL", "250 OK")

    async def handle_RCPT(self, *arguments: Any) -> str:  # noqa: N802
        """The same of a reader."""
        arguments[2].rcpt_tos.append(arguments[3])
        return self.answers.get("RCPT", "250 OK")

    async def handle_DATA(self, *arguments: Any) -> str:  # noqa: N802
        """The email."""
        self.envelopes.append(arguments[2])
        return self.answers.get("DATA", "250 OK")


@pytest.fixture
def settings(settings: Settings) -> Settings:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST = "127.0.0.1"
    settings.DEFAULT_FROM_EMAIL = "Tongbox <post@example.org>"
    return settings


Serves = Callable[..., Post]


@pytest.fixture
def post(settings: Settings) -> Iterator[Serves]:
    """Starts a mail server; ``options`` are those of aiosmtpd."""
    running: list[Controller] = []

    def serve(**options: Any) -> Post:
        handler = Post()
        server = Controller(handler, hostname="127.0.0.1", port=free_port(), **options)
        server.start()
        running.append(server)
        settings.EMAIL_PORT = server.port
        return handler

    yield serve
    for server in running:
        server.stop()


Names = Callable[[Zone], None]


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> Iterator[Names]:
    """Makes the zone the only one that can be asked."""
    running: list[AbstractContextManager[NameServer]] = []

    def serve(zone: Zone) -> None:
        server = NameServer(zone)
        running.append(server)
        monkeypatch.setattr(resolver, "default_resolver", server.__enter__().resolver())

    yield serve
    for server in running:
        server.__exit__(None, None, None)


def find_check(title: str, checks: list[MailCheck]) -> MailCheck:
    return next(check for check in checks if check.title == title)


def run_check(title: str = "Sending") -> MailCheck:
    return find_check(title, all_checks())


def all_checks() -> list[MailCheck]:
    return check_mail(club="Riverside", recipient="alice@example.org", runs_server=True)


def test_answers_go_to_the_address_of_the_club_if_it_has_one(
    cast: Cast, alice: Visitor, mailoutbox: list[EmailMessage]
) -> None:
    page = "/c/riverside/settings/email/"
    messages = alice.messages_after(page, contact_email="club@example.org")
    assert messages == ["Saved. Replies to emails now go to club@example.org."]
    players = make_players(cast.club, 1)
    with_emails(players)
    deliver(write(cast.club, players, cast.secretary))
    assert mailoutbox[0].reply_to == ["club@example.org"]
    alice.messages_after(page, contact_email="")
    cast.club.refresh_from_db()
    assert cast.club.contact_email == ""
    assert alice.post(page, {"contact_email": "club"}).status_code == 422


def test_the_secretary_sends_herself_a_test_and_reads_that_all_is_well(
    cast: Cast, settings: Settings, post: Serves, names: Names
) -> None:
    settings.DKIM_SELECTOR = "post"
    names(GOOD)
    handler, alice = post(), Visitor(cast.secretary)
    assert "Send me a test" in alice.read(PAGE)
    assert handler.envelopes == []
    page = alice.post(PAGE)
    checks = page.context["checks"]
    assert [check.title for check in checks] == HEARD
    assert {check.verdict for check in checks} == {Verdict.GOOD}
    assert "Tongbox found nothing wrong." in page.content.decode()
    (envelope,) = handler.envelopes
    assert envelope.rcpt_tos == ["alice@example.org"]
    assert b"Riverside Mah-Jong Club: test email" in (envelope.content or b"")


@pytest.mark.parametrize("founding", ["closed", "open"])
def test_only_who_runs_tongbox_reads_the_mail_servers_words(
    cast: Cast,
    settings: Settings,
    post: Serves,
    names: Names,
    caplog: pytest.LogCaptureFixture,
    founding: str,
) -> None:
    """A stranger's club learns neither its name nor what it said; the log has both."""
    settings.FOUNDING = founding
    names(GOOD)
    post().answers = {"MAIL": "553 5.7.1 relay-7.provider.example"}
    alice = Visitor(cast.secretary)

    def send_test_email() -> str:
        return alice.post(PAGE).content.decode()

    assert "relay-7" not in send_test_email()
    assert "The test email could not be sent." in send_test_email()
    assert "relay-7" in caplog.text
    other_club = Club.objects.get(slug="hill-top")
    other_club.memberships.all().delete()
    Club.objects.filter(pk=other_club.pk).update(rehearsal_of=cast.club)
    assert ("relay-7" in send_test_email()) == (founding == "closed")


@pytest.mark.usefixtures("settings")
class TestTheMailServer:
    """What it says, in plain words."""

    @pytest.fixture(autouse=True)
    def _names(self, names: Names) -> None:
        names(GOOD)

    def test_one_that_is_not_set_sends_nothing(self, settings: Settings) -> None:
        settings.EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
        check = run_check()
        assert (check.verdict, check.message) == (
            Verdict.BAD,
            "No mail server is set, so emails are only written to a folder on the server.",
        )

    def test_one_that_is_not_there(self, settings: Settings) -> None:
        settings.EMAIL_PORT = free_port()
        assert (
            run_check().message
            == f"No mail server answers at 127.0.0.1, port {settings.EMAIL_PORT}."
        )

    def test_a_name_that_is_none(self, settings: Settings) -> None:
        settings.EMAIL_HOST = "mail.invalid"
        assert run_check().message == "There is no mail server called mail.invalid."

    def test_a_wrong_password(self, settings: Settings, post: Serves) -> None:
        post(
            authenticator=lambda *_: AuthResult(success=False, handled=False),
            auth_require_tls=False,
        )
        settings.EMAIL_HOST_USER, settings.EMAIL_HOST_PASSWORD = "tongbox", "wrong"
        message = run_check().message
        assert message.startswith(
            "The mail server did not accept the user name and password. It said: 535"
        )

    def test_a_secure_connection_that_it_does_not_offer(
        self, settings: Settings, post: Serves
    ) -> None:
        post()
        settings.EMAIL_USE_TLS = True
        assert "does not support something in EMAIL_URL" in run_check().message

    def test_a_port_for_another_kind_of_connection(self, settings: Settings, post: Serves) -> None:
        post()
        settings.EMAIL_USE_SSL = True
        assert run_check().message.startswith("No secure connection to 127.0.0.1")

    def test_a_certificate_that_nobody_vouches_for(
        self, settings: Settings, post: Serves, tmp_path: Path
    ) -> None:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(certificate_in(tmp_path))
        post(tls_context=context)
        settings.EMAIL_USE_TLS = True
        message = run_check().message
        assert message.startswith("No secure connection to 127.0.0.1")
        assert "CERTIFICATE_VERIFY_FAILED" in message

    @pytest.mark.parametrize(
        ("step", "answer", "beginning"),
        [
            (
                "RCPT",
                "550 5.1.1 no such user",
                "The mail server did not accept email to alice@example.org.",
            ),
            ("MAIL", "553 5.7.1 not yours", "The mail server does not let Tongbox send from"),
            ("DATA", "554 5.7.1 spam", "The mail server refused the test email."),
        ],
    )
    def test_what_it_refuses(self, post: Serves, step: str, answer: str, beginning: str) -> None:
        post().answers = {step: answer}
        check = run_check()
        assert check.verdict == Verdict.BAD
        assert check.message.startswith(beginning)
        assert check.message.endswith(f" It said: {answer}")

    def test_one_that_says_nothing(self) -> None:
        assert explain_mail_error(TimeoutError(), "x")[0].endswith(
            "did not answer within 10 seconds."
        )
        message, _ = explain_mail_error(
            smtplib.SMTPServerDisconnected("Connection unexpectedly closed"), "x"
        )
        assert message.endswith(
            "ended the connection early. It said: Connection unexpectedly closed"
        )


@pytest.mark.usefixtures("settings")
class TestTheDomain:
    """What DNS says of it, in plain words."""

    @pytest.fixture(autouse=True)
    def _post(self, post: Serves) -> None:
        post()

    def test_one_that_nobody_else_can_know(self, settings: Settings) -> None:
        settings.DEFAULT_FROM_EMAIL = "Tongbox <tongbox@localhost>"
        checks = all_checks()
        assert [(check.term, check.verdict) for check in checks] == [
            ("SMTP", Verdict.GOOD),
            ("From", Verdict.BAD),
        ]
        assert (
            checks[1].message
            == "Emails come from localhost, which does not exist outside this computer."
        )

    def test_one_that_does_not_exist(self, names: Names) -> None:
        names({})
        assert run_check("The sender’s domain").message == "The domain example.org does not exist."
        assert run_check("Who may send for the domain").verdict == Verdict.BAD
        assert run_check("What to do with forged emails").verdict == Verdict.BAD

    @pytest.mark.parametrize("rows", [[], ["0 ."]])
    def test_one_that_takes_no_emails(self, names: Names, rows: list[str]) -> None:
        names({**GOOD, ("example.org", "MX"): rows})
        check = run_check("The sender’s domain")
        assert (check.verdict, check.message.partition(",")[0]) == (
            Verdict.BAD,
            "example.org does not accept email",
        )

    @pytest.mark.parametrize(
        ("rows", "message"),
        [
            (['"hello"'], "example.org does not say which servers may send for it."),
            (
                ['"v=spf1 -all"', '"v=spf1 ~all"'],
                "example.org has 2 SPF records, so none of them is used.",
            ),
            (['"v=spf1 +all"'], "example.org lets any server send for it."),
        ],
    )
    def test_a_faulty_list_of_senders(self, names: Names, rows: list[str], message: str) -> None:
        names({**GOOD, ("example.org", "TXT"): rows})
        check = run_check("Who may send for the domain")
        assert (check.verdict, check.message) == (Verdict.BAD, message)

    @pytest.mark.parametrize("rows", [['"v=DKIM1; p="'], ['"hello"']])
    def test_a_signature_without_its_key(
        self, settings: Settings, names: Names, rows: list[str]
    ) -> None:
        settings.DKIM_SELECTOR = "post"
        names({**GOOD, ("post._domainkey.example.org", "TXT"): rows})
        assert run_check("The signature on each email").verdict == Verdict.BAD
        settings.DKIM_SELECTOR = "gone"
        assert run_check("The signature on each email").verdict == Verdict.BAD

    def test_what_the_domain_above_says_counts(self, settings: Settings, names: Names) -> None:
        settings.DEFAULT_FROM_EMAIL = "post@mail.example.org"
        names(GOOD)
        check = run_check("What to do with forged emails")
        assert check.message == "example.org says what to do with forged emails: v=DMARC1; p=none"

    def test_two_policies_are_none(self, names: Names) -> None:
        names({**GOOD, ("_dmarc.example.org", "TXT"): ['"v=DMARC1; p=none"', '"v=DMARC1"']})
        assert run_check("What to do with forged emails").verdict == Verdict.BAD

    def test_without_an_answer_nothing_is_known(self, monkeypatch: pytest.MonkeyPatch) -> None:
        silent_resolver = resolver.Resolver(configure=False)
        silent_resolver.nameservers, silent_resolver.port = ["127.0.0.1"], free_port()
        monkeypatch.setattr(resolver, "default_resolver", silent_resolver)
        monkeypatch.setattr("clubs.house.mail_checks.SECONDS_TO_LOOK_UP", 0.3)
        checks = all_checks()
        assert [check.verdict for check in checks] == [Verdict.GOOD, *[Verdict.UNKNOWN] * 4]
        assert checks[1].message == "DNS did not answer, so this could not be checked."
