"""A test email, and what is wrong with how the installation sends: in words for a secretary."""

import logging
import smtplib
import ssl
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from socket import gaierror
from typing import Annotated, Final

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from dns import exception, resolver

from clubs.core.mail import (
    automatic_headers,
    is_public_domain,
    sender_domain,
    sender_for,
    sends_email,
)

SECONDS_TO_SEND: Final = 10
SECONDS_TO_LOOK_UP: Final = 3
MAX_ANSWER_LENGTH: Final = 200
NO_DNS_MESSAGE: Final = "DNS did not answer, so this could not be checked."
TRY_LATER_ADVICE: Final = "Try again when the server is connected to the internet."
ASK_DOMAIN_OWNER: Final = "Ask the person who looks after the domain"
SEE_LOG_MESSAGES: Final = (
    "The test email could not be sent.",
    "Tell your Tongbox administrator, who can read why in the log.",
)
TEST_EMAIL_TEXT: Final = """\
This is the test that you asked for. It arrived, so {club} can send email.

If it went to your junk folder, see what the test page says is wrong.
"""

log = logging.getLogger(__name__)

MAIL_FAULTS: Final[tuple[tuple[type[Exception], str, str], ...]] = (
    (
        smtplib.SMTPAuthenticationError,
        "The mail server did not accept the user name and password.{said}",
        "Check both in EMAIL_URL. Some providers need a separate “app password”.",
    ),
    (
        smtplib.SMTPRecipientsRefused,
        "The mail server did not accept email to {to}.{said}",
        "Check that your own email address is right, then ask the mail provider.",
    ),
    (
        smtplib.SMTPSenderRefused,
        "The mail server does not let Tongbox send from {sender}.{said}",
        "Set TONGBOX_FROM to an address of that mail account.",
    ),
    (
        smtplib.SMTPDataError,
        "The mail server refused the test email.{said}",
        "Ask the mail provider what this means.",
    ),
    (
        smtplib.SMTPNotSupportedError,
        "The mail server at {server} does not support something in EMAIL_URL.{said}",
        "Check the port, and whether it begins with smtp+tls:// (587) or smtp+ssl:// (465).",
    ),
    (
        ssl.SSLError,
        "No secure connection to {server} could be made.{said}",
        "Check the name and the port: smtp+tls:// goes with 587, smtp+ssl:// with 465.",
    ),
    (
        gaierror,
        "There is no mail server called {host}.",
        "Check the name in EMAIL_URL, and that the server is connected to the internet.",
    ),
    (
        ConnectionRefusedError,
        "No mail server answers at {server}.",
        "Check the name and the port in EMAIL_URL.",
    ),
    (
        TimeoutError,
        "The mail server at {server} did not answer within {seconds} seconds.",
        "Check the name and the port. Many hosts block port 25: use 587.",
    ),
    (
        Exception,
        "The mail server at {server} ended the connection early.{said}",
        "Check the port in EMAIL_URL, then try again.",
    ),
)


class Verdict(StrEnum):
    GOOD = "good"
    BAD = "bad"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class MailCheck:
    """One thing that decides whether emails arrive."""

    title: str
    term: Annotated[str, "what it is called on a mail provider’s pages; may be empty"]
    verdict: Verdict
    message: Annotated[str, "how it is"]
    advice: Annotated[str, "what to do; empty: nothing"] = ""


class Unanswered(Exception):
    """DNS gave no answer within three seconds, or nobody could be asked."""


def check_mail(*, club: str, recipient: str, runs_server: bool) -> list[MailCheck]:
    """Send a test from the club to an address, and check what DNS says of the sender's domain.

    Unless the club runs this installation itself, only the log has what the mail server said: a
    stranger's club learns neither its name nor its words. Takes up to ten seconds for the mail
    server and three for DNS, which is asked meanwhile.
    """
    domain = sender_domain()
    with ThreadPoolExecutor() as pool:
        if is_public_domain(domain):
            pending_checks = [pool.submit(_run_check, check, domain) for check in DOMAIN_CHECKS]
        else:
            pending_checks = [pool.submit(_no_domain_check, domain)]
        return [
            _check_sending(club, recipient, runs_server=runs_server),
            *(check.result() for check in pending_checks),
        ]


def _check_sending(club: str, recipient: str, *, runs_server: bool) -> MailCheck:
    if not sends_email():
        return _failed_check(
            "No mail server is set, so emails are only written to a folder on the server.",
            "Ask your Tongbox administrator to set a mail server (EMAIL_URL).",
        )
    message = EmailMessage(
        subject=f"{club}: test email",
        body=TEST_EMAIL_TEXT.format(club=club),
        to=[recipient],
        headers={"From": sender_for(club), **automatic_headers()},
    )
    try:
        with get_connection(timeout=SECONDS_TO_SEND) as connection:
            connection.send_messages([message])
    except (smtplib.SMTPException, OSError) as error:
        result_text, advice = explain_mail_error(error, recipient)
        # The log is read by others than the club: nobody's address is in it.
        log.warning("A test email failed: %s", result_text.replace(recipient, "the address given"))
        return _failed_check(*((result_text, advice) if runs_server else SEE_LOG_MESSAGES))
    result_text = f"The mail server accepted the test email to {recipient}."
    return _sending_check(
        Verdict.GOOD, result_text, "If it is not in your inbox soon, look in your junk folder."
    )


_sending_check = partial(MailCheck, "Sending", "SMTP")
_failed_check = partial(_sending_check, Verdict.BAD)


def explain_mail_error(error: Exception, recipient: str) -> tuple[str, str]:
    """What a mail server, or the way to it, said: how it is, and what to do."""
    template, advice = next(row[1:] for row in MAIL_FAULTS if isinstance(error, row[0]))
    message = template.format(
        server=f"{settings.EMAIL_HOST}, port {settings.EMAIL_PORT}",
        host=settings.EMAIL_HOST,
        sender=settings.DEFAULT_FROM_EMAIL,
        seconds=SECONDS_TO_SEND,
        to=recipient,
        said=f" It said: {answer}" if (answer := _server_answer(error)) else "",
    )
    return message, advice


def _server_answer(error: Exception) -> str:
    """The server's own words; of a refused recipient those about the first."""
    reply: bytes | str
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        code, reply = next(iter(error.recipients.values()), (0, b""))
    elif isinstance(error, smtplib.SMTPResponseException):
        code, reply = error.smtp_code, error.smtp_error
    else:
        return str(error)[:MAX_ANSWER_LENGTH]
    text = reply.decode(errors="replace") if isinstance(reply, bytes) else str(reply)
    return f"{code} {text}"[:MAX_ANSWER_LENGTH]


def dns_records(name: str, kind: str) -> list[str]:
    """The domain's records as text; none if it has none. Raises ``Unanswered``.

    Raises ``NXDOMAIN`` for a name that does not exist.
    """
    try:
        records = resolver.resolve(name, kind, lifetime=SECONDS_TO_LOOK_UP)
    except resolver.NoAnswer:
        return []
    except resolver.NXDOMAIN:
        raise
    except (exception.DNSException, OSError) as error:
        raise Unanswered from error
    if kind == "TXT":
        return [b"".join(row.strings).decode(errors="replace") for row in records]
    return [row.to_text() for row in records]


def _txt_records(name: str, beginning: str) -> list[str]:
    """The TXT records that begin so; none for a name that does not exist."""
    try:
        records = dns_records(name, "TXT")
    except resolver.NXDOMAIN:
        return []
    return [text for text in records if text.casefold().startswith(beginning)]


def _run_check(check: Callable[[str], MailCheck], domain: str) -> MailCheck:
    try:
        return check(domain)
    except Unanswered:
        title, term = CHECK_TITLES[check]
        return MailCheck(title, term, Verdict.UNKNOWN, NO_DNS_MESSAGE, TRY_LATER_ADVICE)


def _no_domain_check(domain: str) -> MailCheck:
    return MailCheck(
        "The sender’s domain",
        "From",
        Verdict.BAD,
        f"Emails come from {domain or 'no address'}, which does not exist outside this computer.",
        "Ask your Tongbox administrator for an address of a real domain (TONGBOX_FROM).",
    )


def _check_mx(domain: str) -> MailCheck:
    check = partial(MailCheck, *CHECK_TITLES[_check_mx])
    try:
        servers = [row for row in dns_records(domain, "MX") if not row.endswith(" .")]
    except resolver.NXDOMAIN:
        message = f"The domain {domain} does not exist."
        return check(Verdict.BAD, message, "Check the spelling of TONGBOX_FROM.")
    if servers:
        return check(
            Verdict.GOOD, f"{domain} has a mail server, so replies and delivery failures arrive."
        )
    advice = f"{ASK_DOMAIN_OWNER} to add a mail server to {domain} (an MX record)."
    return check(
        Verdict.BAD, f"{domain} does not accept email, so many providers distrust it.", advice
    )


def _check_spf(domain: str) -> MailCheck:
    check = partial(MailCheck, *CHECK_TITLES[_check_spf])
    records = _txt_records(domain, "v=spf1")
    if not records:
        advice = f"{ASK_DOMAIN_OWNER} to add the SPF record your mail provider gives you."
        return check(Verdict.BAD, f"{domain} does not say which servers may send for it.", advice)
    if len(records) > 1:
        advice = f"{ASK_DOMAIN_OWNER} to make them one record."
        return check(
            Verdict.BAD,
            f"{domain} has {len(records)} SPF records, so none of them is used.",
            advice,
        )
    record = records[0]
    if record.casefold().split()[-1] in {"+all", "all"}:
        advice = f"{ASK_DOMAIN_OWNER} to end the SPF record with “~all” or “-all”."
        return check(Verdict.BAD, f"{domain} lets any server send for it.", advice)
    advice = "Check that your mail provider is named in it."
    return check(Verdict.GOOD, f"{domain} says which servers may send for it: {record}", advice)


def _check_dkim(domain: str) -> MailCheck:
    check = partial(MailCheck, *CHECK_TITLES[_check_dkim])
    if not settings.DKIM_SELECTOR:
        return check(
            Verdict.UNKNOWN,
            "You will only know when the test email arrives.",
            "Open it, choose “Show original” or “View source”, and look for “dkim=pass”.",
        )
    name = f"{settings.DKIM_SELECTOR}._domainkey.{domain}"
    try:
        keys = [text for text in dns_records(name, "TXT") if "p=" in text.replace(" ", "")]
    except resolver.NXDOMAIN:
        keys = []
    if any(not text.replace(" ", "").rstrip(";").endswith("p=") for text in keys):
        return check(Verdict.GOOD, f"The key to check signatures is published at {name}.")
    advice = (
        f"{ASK_DOMAIN_OWNER} to publish the key that your mail provider names, or correct "
        "TONGBOX_DKIM."
    )
    return check(Verdict.BAD, f"No key to check signatures is published at {name}.", advice)


def _check_dmarc(domain: str) -> MailCheck:
    check = partial(MailCheck, *CHECK_TITLES[_check_dmarc])
    for place in _parent_domains(domain):
        records = _txt_records(f"_dmarc.{place}", "v=dmarc1")
        if len(records) == 1:
            message = f"{place} says what to do with forged emails: {records[0]}"
            return check(Verdict.GOOD, message)
        if records:
            advice = f"{ASK_DOMAIN_OWNER} to delete all but one of them."
            return check(Verdict.BAD, f"{place} says it {len(records)} times.", advice)
    advice = (
        f"{ASK_DOMAIN_OWNER} to add “v=DMARC1; p=none” at _dmarc.{domain}. Google and Yahoo "
        "require it."
    )
    return check(Verdict.BAD, f"{domain} does not say what to do with forged emails.", advice)


def _parent_domains(domain: str) -> Iterator[str]:
    """The domain, and those above it that have a dot."""
    while "." in domain:
        yield domain
        domain = domain.partition(".")[2]


DOMAIN_CHECKS: Final = (_check_mx, _check_spf, _check_dkim, _check_dmarc)
CHECK_TITLES: Final[dict[Callable[[str], MailCheck], tuple[str, str]]] = {
    _check_mx: ("The sender’s domain", "MX"),
    _check_spf: ("Who may send for the domain", "SPF"),
    _check_dkim: ("The signature on each email", "DKIM"),
    _check_dmarc: ("What to do with forged emails", "DMARC"),
}
