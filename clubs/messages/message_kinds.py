"""The kinds of messages, and the fields of their texts."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Final, NamedTuple

from clubs.core.addresses import is_local_only
from clubs.models import Player
from clubs.models.names import TITLES

STOP_SENTENCE = "To stop these emails, open this link:"
FIELD_PATTERN = re.compile(r"\{([^{}\n]*)\}")
COLUMN_GAP = re.compile(r"\s{2,}")
ADDRESS_IN_TEXT = re.compile(r"(https?://\S+)")
_LETTER = r"[^\W\d_]"
_BEFORE_A_WORD = r"""[\s(“‘"']"""
# What stands before a full stop that ends no sentence: St. Mary, e.g. this, Prof. Li, 1. A cake.
_ABBREVIATIONS = (
    *(rf"{prefix}{_LETTER}" for prefix in ("^", "[.]", _BEFORE_A_WORD)),
    *(rf"{prefix}{_LETTER}{_LETTER}" for prefix in ("^", _BEFORE_A_WORD)),
    *(r"^\d", r"^\d\d"),
    *(rf"\b(?i:{title})" for title in sorted(TITLES)),
)
_NO_ABBREVIATION = "".join(rf"(?<!{abbreviation}[.])" for abbreviation in _ABBREVIATIONS)
_SENTENCE_END = rf"""(?<=[?!])|(?<=[.?!][)\]”’"'])|(?<=[.]){_NO_ABBREVIATION}"""
SENTENCE_GAP = re.compile(rf"(?:{_SENTENCE_END})\s+(?=https?:|[^\sa-z\d])")
MIN_COLUMNS = 3
FieldValues = Mapping[str, str]
ONE_LINE_MESSAGE: Final = "Write the subject on one line."


class Topic(StrEnum):
    """What a member can refuse to have by email; each is a column of ``Player``."""

    MESSAGES = "messages"
    RESULTS = "results"

    @property
    def column(self) -> str:
        return f"wants_{self}"

    def is_refused_by(self, player: Player) -> bool:
        """Whether none of these emails goes to someone.

        A result may go to everybody who takes the club's messages, also without being asked for.
        """
        if self is Topic.MESSAGES or not (player.wants_results or player.refuses_results):
            return not player.wants_messages
        return not player.wants_results

    @property
    def description(self) -> str:
        return "results by email" if self is Topic.RESULTS else "messages by email"

    def because(self, club: str, player: Player) -> str:
        """Why someone receives an email, in a sentence at its foot."""
        if self is Topic.RESULTS and player.wants_results:
            return f"You are receiving this because you asked {club} for results by email."
        return f"You are receiving this because you are a member or guest of {club}."


class MergeField(NamedTuple):
    """A personal detail you can insert in a text."""

    name: str
    means: str


NAME_FIELD = MergeField("name", "the recipient’s name")


@dataclass(frozen=True, slots=True)
class MessageKind:
    """A kind of message that can be written."""

    key: str
    title: str
    note: str
    asks: Annotated[tuple[str, ...], "the fields to send"]
    fields: Annotated[tuple[MergeField, ...], "the personal details you can insert"] = (NAME_FIELD,)

    @property
    def topic(self) -> Topic:
        return Topic.RESULTS if self.key in RESULT_KINDS else Topic.MESSAGES

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(field.name for field in self.fields)


RESULT_FIELDS = (
    NAME_FIELD,
    MergeField("your place", "the sentence with the reader’s place"),
    MergeField("result", "everyone’s place and points"),
    MergeField("evening link", "the link to every table and hand"),
)
FREE_TEXT = MessageKind(
    "message",
    "Message",
    "Anything you like, to everyone or just some people",
    ("people", "subject", "text", "who"),
)
INVITATION = MessageKind(
    "invitation",
    "Invitation",
    "Everyone gets a link to answer yes or no",
    ("day", "people", "who"),
    (NAME_FIELD, MergeField("answer link", "the link to answer yes or no")),
)
RENEWAL = MessageKind(
    "renewal",
    "Subscriptions due",
    "To members whose subscription has ended or ends soon",
    (),
    (NAME_FIELD, MergeField("paid until", "the date their subscription runs to")),
)
NO_EVENING = MessageKind(
    "no-evening",
    "Evening cancelled",
    "Tell members that an evening is cancelled",
    ("day", "people", "who", "why"),
)
RESULT = MessageKind(
    "result",
    "Result",
    "The result of a finished evening, to every member and the guests who played",
    ("evening",),
    RESULT_FIELDS,
)
CORRECTED_RESULT = MessageKind("corrected", "Corrected result", "", (), RESULT_FIELDS)
WRITABLE_KINDS = (FREE_TEXT, INVITATION, NO_EVENING, RENEWAL, RESULT)
RESULT_KINDS = (RESULT.key, CORRECTED_RESULT.key)
MESSAGE_KINDS = {kind.key: kind for kind in (*WRITABLE_KINDS, CORRECTED_RESULT)}


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A paragraph of lines, or the rows of a table."""

    lines: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...] = ()

    @property
    def parts(self) -> list[list[tuple[str, bool]]]:
        """Each line in parts, and whether a part is a link."""
        return [
            [
                (part, ADDRESS_IN_TEXT.fullmatch(part) is not None)
                for part in ADDRESS_IN_TEXT.split(line)
                if part
            ]
            for line in self.lines
        ]


def fill_fields(text: str, values: FieldValues) -> str:
    """The text for one reader; an empty field leaves no gap."""
    value = FIELD_PATTERN.sub(lambda match: values.get(_field_name(match), match[0]), text)
    return re.sub(r"\n{3,}", "\n\n", value).strip()


def restore_fields(text: str, values: FieldValues) -> str:
    """The template that ``fill_fields`` turns into this text."""
    for name, value in sorted(values.items(), key=lambda item: -len(item[1])):
        if value:
            text = re.sub(rf"(?<!\w){re.escape(value)}(?!\w)", f"{{{name}}}", text)
    return text


def text_faults(text: str, fields: Collection[str]) -> list[str]:
    """What is wrong with the braces in a text, in sentences."""
    known_fields = ", ".join(f"{{{name}}}" for name in fields)
    faults = [
        f"There is no {match[0]} here. You can use {known_fields}."
        for match in FIELD_PATTERN.finditer(text)
        if _field_name(match) not in fields
    ]
    if set(FIELD_PATTERN.sub("", text)) & {"{", "}"}:
        faults.append("There is a single { or }. Curly brackets come in pairs, for example {name}.")
    return faults


def subject_faults(subject: str, fields: Collection[str]) -> list[str]:
    """The same of a subject, which is one line: no mail server takes another."""
    is_one_line = len(subject.splitlines()) < 2
    return (
        text_faults(subject, fields)
        if is_one_line
        else [ONE_LINE_MESSAGE, *text_faults(subject, fields)]
    )


def strip_braces(text: str) -> str:
    """The words without field syntax, whatever someone put into a name."""
    return text.replace("{", "(").replace("}", ")")


def split_blocks(text: str) -> tuple[TextBlock, ...]:
    """The text split at empty lines; rows of three columns or more are a table."""
    result = []
    for part in filter(str.strip, re.split(r"\n\s*\n", text)):
        lines = tuple(part.splitlines())
        rows = tuple(tuple(COLUMN_GAP.split(line.strip())) for line in lines)
        is_even = len(rows) > 1 and len({len(row) for row in rows}) == 1
        is_table = is_even and len(rows[0]) >= MIN_COLUMNS
        result.append(TextBlock(lines, rows if is_table else ()))
    return tuple(result)


def printed_text(text: str) -> str:
    """The text as paper bears it: without sentences whose address opens on this computer alone.

    Nobody can follow those from paper. What led to such an address with a colon goes with it, and
    so does what may be the same sentence: half a sentence would puzzle its reader.
    """
    kept_lines, leads_on = list[str](), False
    for line in reversed(text.splitlines()):
        sentences = SENTENCE_GAP.split(line)
        lead_in = sentences.pop() if leads_on and line.rstrip().endswith(":") else ""
        kept_sentences = [part for part in sentences if not has_local_link(part)]
        is_whole = not lead_in and kept_sentences == sentences
        if line.strip():
            leads_on = not is_whole and not kept_sentences
        if is_whole or kept_sentences:
            kept_lines.append(line if is_whole else " ".join(kept_sentences))
    return "\n".join(reversed(kept_lines))


def has_local_link(text: str) -> bool:
    """Whether a text has an address that opens only on the computer on which it is read."""
    return any(is_local_only(address.rstrip(".,;:)")) for address in ADDRESS_IN_TEXT.findall(text))


def _field_name(match: re.Match[str]) -> str:
    return " ".join(match[1].split()).casefold()
