"""The sender of every email: its address and domain, and the emails that no person writes."""

from collections.abc import Iterable
from email.utils import formataddr, make_msgid, parseaddr
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMessage

from clubs.core.addresses import is_ip_address, site_address

LOCAL_DOMAINS: Final = (
    "localhost",
    "localdomain",
    "local",
    "internal",
    "lan",
    "home",
    "test",
    "invalid",
)
FILE_BACKEND: Final = "django.core.mail.backends.filebased.EmailBackend"
BACKENDS_NOT_SENDING: Final = (
    FILE_BACKEND,
    "django.core.mail.backends.console.EmailBackend",
    "django.core.mail.backends.dummy.EmailBackend",
)
NO_REPLY_HEADERS: Final = {"Auto-Submitted": "auto-generated"}  # RFC 3834: no holiday reply, please


def sends_email() -> bool:
    """Whether emails leave this computer: they do not when they are only written to a folder."""
    return settings.EMAIL_BACKEND not in BACKENDS_NOT_SENDING


def sender_address() -> str:
    """The bare address in TONGBOX_FROM."""
    return parseaddr(settings.DEFAULT_FROM_EMAIL)[1]


def sender_domain() -> str:
    return sender_address().rpartition("@")[2].lower()


def sender_for(club: str) -> str:
    """The sender with a club's name: ``Riverside via Tongbox <tongbox@example.org>``.

    The address stays that of the installation, for which alone SPF and DKIM can vouch.
    """
    name, address = parseaddr(settings.DEFAULT_FROM_EMAIL)
    return formataddr((f"{club} via {name}" if name else club, address))


def is_public_domain(domain: str) -> bool:
    """Whether mail servers elsewhere can know the domain: not ``localhost``, no number."""
    ending = domain.rpartition(".")[2]
    return "." in domain and ending not in LOCAL_DOMAINS and not is_ip_address(domain)


def mail_domain() -> str:
    """The domain of Message-IDs: the sender's, else the site's if only that is public."""
    of_site = urlsplit(site_address()).hostname or ""
    of_sender = sender_domain()
    return of_site if is_public_domain(of_site) > is_public_domain(of_sender) else of_sender


def automatic_headers() -> dict[str, str]:
    """For an email that no person writes."""
    return {"Message-ID": make_msgid(domain=mail_domain()), **NO_REPLY_HEADERS}


def send_notice(
    subject: str, text: str, recipients: Iterable[str], *, fail_silently: bool = False
) -> None:
    """Send an email that no person writes, from the installation."""
    message = EmailMessage(subject, text, to=list(recipients), headers=automatic_headers())
    message.send(fail_silently=fail_silently)
