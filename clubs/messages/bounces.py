"""What becomes of emails after they left: reports of mail servers and mail services, read.

Anyone can write to the mailbox, so nothing in a report is believed but what is about the one
message whose sealed Message-ID it knows.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from email import message_from_bytes, message_from_string
from email.message import Message as Mail
from enum import StrEnum
from typing import Annotated, Any, Final
from uuid import UUID

from clubs.language.words import replace_controls
from clubs.messages.mail import find_message_keys

MAX_DETAILS_LENGTH: Final = 200
MESSAGE_ID_HEADERS: Final = ("Message-ID", "X-Original-Message-ID")
RECIPIENT_HEADERS: Final = ("To", "Delivered-To", "X-Original-To")
STATUS: Final = re.compile(r"(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?![\d.])")
UNSPECIFIC_STATUS: Final = re.compile(r"[245]\.0\.0")
NO_SUCH_ADDRESS: Final = ("5.1.0", "5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10", "5.2.1", "5.4.4")
MEANINGS: Final = (  # RFC 3463, by the beginning of the status
    ("5.2.1", "the mailbox is switched off"),
    ("5.4.4", "the address does not exist"),
    ("5.7", "the mail server treated it as junk"),
    ("5.2.2", "the mailbox is full"),
    ("4.2.2", "the mailbox is full"),
    ("4", "the mail server could not accept it"),
    ("", "the mail server did not take it"),
)

COMPLAINT_EVENTS: Final = {"complained", "spamreport"}
DELAY_EVENTS: Final = {"deferred", "delayed"}
FAILURE_EVENTS: Final = {"bounce", "bounced", "dropped", "failed"} | DELAY_EVENTS


class Outcome(StrEnum):
    """What became of an email."""

    GONE = "gone"  # the address takes no email at all
    REFUSED = "refused"
    DELAYED = "delayed"
    UNWANTED = "unwanted"  # its reader pressed “This is spam”


@dataclass(frozen=True, slots=True)
class Report:
    key: Annotated[UUID, "of the message"]
    outcome: Outcome
    text: Annotated[str, "what happened, with the server’s own words"]


def parse_report(content: bytes) -> Report | None:
    """The report of a mail server about a message of ours in an email; None for any other email.

    Reads a delivery status (RFC 3464) and a complaint (RFC 5965).
    """
    try:
        mail = message_from_bytes(content)
        parts = {part.get_content_type(): part for part in mail.walk()}
        key = next(find_message_keys(_identifying_text(mail, parts)), None)
        if key is None or mail.get_content_type() != "multipart/report":
            return None
        if "message/feedback-report" in parts:
            return _complaint_report(key, parts["message/feedback-report"])
        return _delivery_report(key, parts["message/delivery-status"])
    except (LookupError, ValueError, TypeError, AttributeError, RecursionError):
        return None  # no report, or a broken one


def _identifying_text(mail: Mail, parts: Mapping[str, Mail]) -> str:
    """Where a report names its message: the envelope's reader, the head of what came back."""
    texts = [str(value) for name in RECIPIENT_HEADERS for value in mail.get_all(name, [])]
    if returned_mail := parts.get("message/rfc822"):
        heads: Any = returned_mail.get_payload(0)
    elif head := parts.get("text/rfc822-headers"):
        heads = message_from_string(_part_text(head))
    else:
        heads = {}
    return " ".join(
        texts + [str(heads[name] or "") for name in MESSAGE_ID_HEADERS if name in heads]
    )


def _part_text(part: Mail) -> str:
    content: Any = part.get_payload(decode=True)
    return bytes(content).decode(errors="replace")


def _complaint_report(key: UUID, part: Mail) -> Report | None:
    fields: Any = part.get_payload(0)
    if str(fields["Feedback-Type"]).strip().lower() != "abuse":
        return None
    return Report(key, Outcome.UNWANTED, "marked as junk by its reader")


def _delivery_report(key: UUID, part: Mail) -> Report | None:
    """Of several readers the first that something went wrong for; we write to one at a time."""
    for fields in part.get_payload()[1:]:  # type: ignore[index]
        reader: Any = fields
        action = str(reader["Action"]).strip().lower()
        server_text = str(reader["Diagnostic-Code"] or "").partition(";")[2]
        if action in {"failed", "delayed"}:
            return _make_report(
                key, str(reader["Status"]), server_text, is_final=action == "failed"
            )
    return None


def _make_report(key: UUID, status: str, server_text: str, *, is_final: bool) -> Report:
    """``status`` as in RFC 3463; where it says nothing the server's words may."""
    codes = [*STATUS.findall(status), *STATUS.findall(server_text)]
    code = next(
        (code for code in codes if not UNSPECIFIC_STATUS.fullmatch(code)), *codes[:1] or [""]
    )
    meaning = next(text for beginning, text in MEANINGS if code.startswith(beginning))
    outcome = Outcome.REFUSED if is_final else Outcome.DELAYED
    if is_final and code in NO_SUCH_ADDRESS:
        outcome = Outcome.GONE
        meaning = "the address does not exist" if code.startswith("5.1") else meaning
    details = " ".join(replace_controls(server_text).split()) or code
    return Report(
        key, outcome, f"{meaning} ({details})"[:MAX_DETAILS_LENGTH] if details else meaning
    )


def parse_json_reports(data: Any) -> Iterator[Report]:
    """The reports that a mail service sends: Mailgun's, SendGrid's, or our own plain form.

    Anything else, and what is about other messages, is left out.
    """
    for event in data if isinstance(data, list) else [data]:
        if isinstance(event, dict):
            inner = event.get("event-data")
            fields = _mailgun_fields(inner) if isinstance(inner, dict) else _plain_fields(event)
            key = next(find_message_keys(fields["message_id"]), None)
            if key is None:
                continue
            if fields["event"] in COMPLAINT_EVENTS:
                yield Report(key, Outcome.UNWANTED, "marked as junk by its reader")
            elif fields["event"] in FAILURE_EVENTS:
                is_final = fields["event"] not in DELAY_EVENTS
                yield _make_report(key, fields["status"], fields["words"], is_final=is_final)


def _plain_fields(event: Mapping[str, Any]) -> dict[str, str]:
    """Our own fields, or those of SendGrid in their place."""
    names = {
        "message_id": ("message_id", "smtp-id"),
        "event": ("event",),
        "status": ("status",),
        "words": ("words", "reason", "response"),
    }
    return {
        field: str(next((event[name] for name in source_names if event.get(name)), ""))
        for field, source_names in names.items()
    }


def _mailgun_fields(event: Mapping[str, Any]) -> dict[str, str]:
    status, message = event.get("delivery-status"), event.get("message")
    status = status if isinstance(status, dict) else {}
    headers = message.get("headers") if isinstance(message, dict) else None
    is_temporary = event.get("severity") == "temporary"
    return {
        "message_id": str(headers.get("message-id")) if isinstance(headers, dict) else "",
        "event": "delayed" if is_temporary else str(event.get("event")),
        "status": str(status.get("enhanced-code", "")),
        "words": str(status.get("message") or status.get("description") or ""),
    }
