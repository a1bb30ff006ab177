"""An email to a member: from whom it is, where answers go, how it is known again and stopped."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Final
from uuid import UUID

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.core.signing import BadSignature, Signer
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac

from clubs.accounts.services import secretaries_of
from clubs.core.addresses import site_address
from clubs.core.mail import NO_REPLY_HEADERS, mail_domain, sender_address, sender_for
from clubs.messages import message_kinds as kinds
from clubs.messages.message_kinds import Topic
from clubs.models import Batch, Message
from clubs.models.people import secret_keys

MESSAGE_SALT: Final = "clubs.messages.mail"
KEY_DIGITS: Final = 32
SEAL_DIGITS: Final = 16
SEALED_KEY: Final = re.compile(rf"(?<![0-9a-f])[0-9a-f]{{{KEY_DIGITS + SEAL_DIGITS}}}(?![0-9a-f])")
STOP_SALT: Final = f"{MESSAGE_SALT}.stop"


def sealed_key(key: UUID, secret: str | None = None) -> str:
    """A message's key with a seal that only we can make: what its Message-ID says, 48 digits."""
    seal = salted_hmac(
        MESSAGE_SALT, key.hex, secret=secret or settings.SECRET_KEY, algorithm="sha256"
    )
    return key.hex + seal.hexdigest()[:SEAL_DIGITS]


def find_message_keys(text: str) -> Iterator[UUID]:
    """The key of each message of ours that a text names by its Message-ID; forged ones are not."""
    for signed_key in dict.fromkeys(SEALED_KEY.findall(text.lower())):
        key = UUID(hex=signed_key[:KEY_DIGITS])
        if any(
            constant_time_compare(signed_key, sealed_key(key, secret)) for secret in secret_keys()
        ):
            yield key


def stop_key(player: int, topic: Topic) -> str:
    """What the link to stop emails ends with: whose, which; signed, and valid without an end."""
    return Signer(salt=STOP_SALT).sign(f"{player}.{topic}")


def read_stop_key(key: str) -> tuple[int, Topic] | None:
    """Whose emails of which topic the link stops; None for a key that is not ours."""
    try:
        player, topic = Signer(salt=STOP_SALT).unsign(key).split(".")
    except BadSignature:
        return None
    return int(player), Topic(topic)


@dataclass(frozen=True, slots=True)
class Letterhead:
    """What the emails of one batch have in common."""

    sender: Annotated[str, "the installation’s address, with the club’s name"]
    returns_to: Annotated[str, "where the mail server sends what it cannot deliver"]
    replies_to: Annotated[str, "empty: to the sender"]
    domain: Annotated[str, "of Message-IDs"]
    site: str
    club: str
    topic: Topic
    is_automatic: bool

    def returns_for(self, signed_key: str) -> str:
        """The envelope's sender; a mailbox for bounces gets the message's key after a plus."""
        name, _, domain = settings.BOUNCES_TO.rpartition("@")
        return f"{name}+{signed_key}@{domain}" if name else self.returns_to


def letterhead_of(batch: Batch) -> Letterhead:
    """At most two queries: the address of the site, and a secretary if nobody else gets answers."""
    club = batch.club
    replies_to = club.contact_email or (batch.made_by.email if batch.made_by else "")
    if not replies_to:
        replies_to = secretaries_of(club).values_list("email", flat=True).first() or ""
    return Letterhead(
        sender=sender_for(club.name),
        returns_to=sender_address(),
        replies_to=replies_to,
        domain=mail_domain(),
        site=site_address(),
        club=club.name,
        topic=kinds.MESSAGE_KINDS[batch.kind].topic,
        is_automatic=batch.kind in kinds.RESULT_KINDS,
    )


def build_email(message: Message, head: Letterhead) -> EmailMultiAlternatives:
    """The email, as text and as a page; sent again it bears the same Message-ID."""
    signed_key = sealed_key(message.key)
    link = head.site + reverse("stop-emails", args=[stop_key(message.player_id, head.topic)])
    foot = f"{head.topic.because(head.club, message.player)} {kinds.STOP_SENTENCE}"
    headers = {
        "From": head.sender,
        "Message-ID": f"<{signed_key}@{head.domain}>",
        "List-Unsubscribe": f"<{link}>",
    }
    if link.startswith("https:"):  # RFC 8058 knows no other
        headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    if head.is_automatic:
        headers |= NO_REPLY_HEADERS
    mail = EmailMultiAlternatives(
        subject=message.subject,
        body=f"{message.body}\n\n{foot}\n{link}\n",
        from_email=head.returns_for(signed_key),
        to=[message.email],
        reply_to=[head.replies_to] if head.replies_to else None,
        headers=headers,
    )
    context = {
        "subject": message.subject,
        "blocks": kinds.split_blocks(message.body),
        "reader": message.player.name,
        "foot": foot,
        "link": link,
    }
    mail.attach_alternative(render_to_string("emails/message.html", context), "text/html")
    return mail
