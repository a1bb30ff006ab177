"""Which tables and columns of a club travel in its file, which stay behind, and why."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, Protocol, TypeAlias

from django.db.models import Field, ForeignKey, Model, QuerySet

from clubs import models
from clubs.core.audit_log import about_for_export
from clubs.core.club_rows import books_of_club
from clubs.messages.message_kinds import RESULT_KINDS
from clubs.models import Club, MessageState, User
from scoring.scorebook import moves
from scoring.scorebook.models import (
    PATHS_TO_BOOK,
    Agreement,
    Book,
    Decision,
    Edition,
    Hand,
    LedgerEntry,
    Link,
    Repair,
    RepairedGame,
    Seat,
)
from scoring.scorebook.moves import Moves, map_hand_keys

FORMAT_VERSION: Final = 4  # raised when a table or column is added, removed or written otherwise
SEALED_TABLES: Final[Mapping[type[Model], str]] = {  # each sealed table, and the way to its book
    model: path for model, path in PATHS_TO_BOOK.items() if model in moves.SEALED_TABLES
}

RowData = Mapping[str, Any]
AnyField: TypeAlias = "Field[Any, Any]"
SelectRows = Callable[[Club, Sequence[int]], QuerySet[Any]]
PLAYER_LABEL: Final = models.Player._meta.label
MAX_ACTOR_LENGTH: Final = 80
OPERATOR_REASON: Final = "a closed club, or what is left of a deleted one, is open elsewhere"
PLURALS_OF_BOOKS: Final[Mapping[type[Model], str]] = {
    Book: "score books",
    Seat: "seats at a table",
    Agreement: "answers to a hand",
    Decision: "decisions about a hand",
    LedgerEntry: "entries of points",
    RepairedGame: "corrected games",
    Repair: "corrections",
}
LINK_REASON: Final = "the secret of a printed or sent link; a new one is drawn"
RENEWED_REASON: Final = (
    "recognises what is sent twice; a new one is drawn, so that copies can be kept"
)

TABLES_LEFT_BEHIND: Final[dict[str, str]] = {
    "clubs.User": "an account is with an installation, not with a club; passwords never travel",
    "clubs.Membership": "written as “roles”: email address, role and member",
    "clubs.RoleInvitation": "written as “roles”; people are invited again",
    "clubs.ApiToken": "an API key belongs to a person here, and only its digest is kept",
    "clubs.KeptAnswer": "answers to repeated requests, for a day",
    "clubs.Job": "background jobs and their files can be made again",
    "clubs.Installation": "it is about the whole installation",
    "clubs.Backup": "it is about the whole installation",
    "clubs.AwayCopy": "it is about the whole installation",
    "clubs.AgreedTerms": "terms are agreed with the people who run an installation",
    "clubs.FoundingRequest": "it founded a club here, or did not",
    "clubs.SentMails": "it is about the whole installation",
    "clubs.DeletedClub": "it is about another club",
    "clubs.ReplacedLink": "links that open nothing here open nothing there",
    "clubs.Webhook": "it has a secret, and would send a club’s events from a new place unasked",
    "clubs.Delivery": "it belongs to a webhook",
    "clubs.User_groups": "it belongs to an account",
    "clubs.User_user_permissions": "it belongs to an account",
    "scorebook.TappedHand": "tiles that a phone has not sent yet",
}


class KeyMap(Protocol):
    """One way between keys and numbers: of rows here to those of the file, or back."""

    @property
    def club(self) -> Club:
        """The club here."""

    def key(self, label: str, key: int | None) -> int | None:
        """The other key of a row of this table; None if it does not travel."""

    def person(self, user: int | None) -> str:
        """The name of someone who signs in here; empty for no one."""

    def translate_moves(self, moves: Moves, book: RowData) -> Moves:
        """A book's moves, with the other keys."""


TranslateValue = Callable[[Any, RowData, KeyMap], Any]


@dataclass(frozen=True, slots=True)
class ClubTable:
    """A table that travels: which rows are the club's, given the keys of its books.

    ``omitted_columns`` names columns that stay behind, each with its reason. ``keys_in`` translates
    columns that hold keys of rows inside text or JSON, in both directions. ``plural`` says what
    people call its rows.
    """

    model: type[Model]
    rows: SelectRows
    omitted_columns: Mapping[str, str] = field(default_factory=dict)
    keys_in: Mapping[str, TranslateValue] = field(default_factory=dict)
    order: str = "pk"
    plural: str = ""

    def __post_init__(self) -> None:
        usual = str(self.model._meta.verbose_name_plural)
        object.__setattr__(self, "plural", self.plural or usual)

    @property
    def label(self) -> str:
        return self.model._meta.label

    @property
    def columns(self) -> tuple[AnyField, ...]:
        """The columns that travel, in the order of the model."""
        return tuple(column for column in self.model._meta.concrete_fields if self.travels(column))

    def travels(self, column: AnyField) -> bool:
        """Whether the column is in the file: keys, the club and accounts are not."""
        is_implied = column.primary_key or column.related_model in (Club, User)
        return not is_implied and column.name not in self.omitted_columns

    def references(self) -> tuple[type[Model], ...]:
        """The tables that its columns point to."""
        return tuple(
            column.related_model
            for column in self.columns
            if isinstance(column, ForeignKey) and isinstance(column.related_model, type)
        )


def club_table(model: type[Model], lookup: str = "", **fields: Any) -> ClubTable:
    """A table whose rows lead to their club, by its manager's own way."""
    manager: Any = model._default_manager
    lookup = lookup or manager.club_lookup

    def rows(club: Club, books: Sequence[int]) -> QuerySet[Any]:  # noqa: ARG001
        return model._base_manager.filter(**{lookup: club.pk})

    return ClubTable(model, rows, **fields)


def book_table(model: type[Model], lookup: str, **fields: Any) -> ClubTable:
    """A table of the score book."""

    def rows(club: Club, books: Sequence[int]) -> QuerySet[Any]:  # noqa: ARG001
        return model._base_manager.filter(
            **{f"{lookup}__in" if lookup else "pk__in": books}
        ).distinct()

    return ClubTable(model, rows, **fields)


def book_keys_of(club: Club) -> list[int]:
    """The keys of the books of the club's evenings and tournaments."""
    return list(books_of_club(club).values_list("pk", flat=True))


def _club_rows(club: Club, books: Sequence[int]) -> QuerySet[Any]:  # noqa: ARG001
    return Club._base_manager.filter(pk=club.pk)


def editions_of(club: Club) -> QuerySet[Edition]:
    """The house rules that the club offers, or by which something of it was played."""
    return _edition_rows(club, book_keys_of(club))


def _edition_rows(club: Club, books: Sequence[int]) -> QuerySet[Edition]:
    keys = {club.rules}
    for table in CLUB_TABLES:
        if any(column.name == "rules" for column in table.columns) and table.model is not Club:
            keys |= set(table.rows(club, books).order_by().values_list("rules", flat=True))
    house_rules = models.HouseRules._base_manager.filter(club=club.pk).values("edition__key")
    return Edition.objects.filter(
        key__in=[*keys, *house_rules.values_list("edition__key", flat=True)]
    )


def _translate_moves(value: Any, row: RowData, turn: KeyMap) -> Any:
    return turn.translate_moves(Moves.read(value), row).as_data()


def _translate_repair(value: Any, row: RowData, turn: KeyMap) -> Any:  # noqa: ARG001
    return map_hand_keys(value, partial(turn.key, Hand._meta.label))


def _actor_name(value: str, row: RowData, turn: KeyMap) -> str:
    """Who made an entry of the activity log, by name: accounts do not travel."""
    person = turn.person(row.get("made_by_id"))
    if value and person:
        return f"{value} ({person}’s)"[:MAX_ACTOR_LENGTH]
    return value or person[:MAX_ACTOR_LENGTH]


def _translate_about(value: Any, row: RowData, turn: KeyMap) -> Any:
    entry = models.AuditEntry(what=row["what"], about=value)
    return about_for_export(turn.club, entry, turn.key)


def _translate_batch_about(value: int | None, row: RowData, turn: KeyMap) -> int | None:
    """An evening's result is about the evening; other messages are about a day."""
    is_result = row["kind"] in RESULT_KINDS
    return turn.key(models.Session._meta.label, value) if is_result else value


def _draft_if_waiting(value: str, row: RowData, turn: KeyMap) -> str:  # noqa: ARG001
    """A message that was just being sent is a draft elsewhere: no job sends it there."""
    return MessageState.DRAFT if value == MessageState.WAITING else value


def _translate_imported(value: Iterable[int], row: RowData, turn: KeyMap) -> list[int]:  # noqa: ARG001
    return [key for old in value if (key := turn.key(PLAYER_LABEL, old)) is not None]


def _translate_before_import(
    value: Mapping[str, Any],
    row: RowData,  # noqa: ARG001
    turn: KeyMap,
) -> dict[str, Any]:
    keys = {old: turn.key(PLAYER_LABEL, int(old)) for old in value}
    return {str(keys[old]): snapshot for old, snapshot in value.items() if keys[old] is not None}


def _translate_merge(value: Mapping[str, Any], row: RowData, turn: KeyMap) -> dict[str, Any]:  # noqa: ARG001
    if not value:
        return {}

    def keys(label: str, old: Iterable[int]) -> list[int]:
        return [key for old_key in old if (key := turn.key(label, old_key)) is not None]

    alias = models.Alias._meta.label
    rows = {name: keys(name.rpartition(".")[0], old) for name, old in value["rows"].items()}
    return {
        **value,
        "rows": rows,
        "aliases": keys(alias, value["aliases"]),
        "alias": turn.key(alias, value["alias"]),
    }


BOOK_TRANSLATIONS: Final[Mapping[type[Model], Mapping[str, TranslateValue]]] = {
    Book: {"moves": _translate_moves},
    RepairedGame: {"after": _translate_repair},
}

CLUB_TABLES: Final[list[ClubTable]] = [
    ClubTable(
        Club,
        _club_rows,
        omitted_columns={
            "name": "in the manifest: it may be taken there",
            "slug": "in the manifest: it may be taken there",
            "uid": "in the manifest",
            "rehearsal_of": "only a club itself is written",
            "agreed_to": "terms are agreed with the people who run an installation",
            "mails_a_day": "the people who run an installation decide it",
            "closed_at": OPERATOR_REASON,
            "closed_until": OPERATOR_REASON,
            "closed_because": OPERATOR_REASON,
            "delete_on": OPERATOR_REASON,
            "is_deletion_by_operator": OPERATOR_REASON,
        },
    ),
    ClubTable(
        Edition,
        _edition_rows,
        omitted_columns={"made_at": "house rules are kept once for all clubs"},
        order="key",
        plural="rule sets",
    ),
    *(
        book_table(
            model,
            path,
            omitted_columns=dict.fromkeys(
                moves.RENEWED_COLUMNS.get(str(model._meta.model_name), ()), RENEWED_REASON
            ),
            keys_in=BOOK_TRANSLATIONS.get(model, {}),
            plural=PLURALS_OF_BOOKS.get(model, ""),
        )
        for model, path in SEALED_TABLES.items()
    ),
    book_table(Link, "book", plural="seals of the score books"),
    club_table(models.Player, plural="people"),
    club_table(models.Alias, plural="other names"),
    club_table(
        models.MemberImport,
        omitted_columns={"press": RENEWED_REASON},
        plural="imports of members",
        keys_in={"added": _translate_imported, "before": _translate_before_import},
    ),
    club_table(models.PlayerMerge, plural="merged records", keys_in={"moved": _translate_merge}),
    club_table(models.TwoPeople, plural="pairs kept as two people"),
    club_table(models.Retention, plural="retention schedules"),
    club_table(models.Erasure, plural="deletions of personal data"),
    club_table(models.HouseRules, plural="house rules"),
    club_table(models.League),
    club_table(models.Season),
    club_table(models.SeasonRules, plural="league rules"),
    club_table(models.Handicap),
    club_table(models.Session, plural="evenings", omitted_columns={"wall_key": LINK_REASON}),
    club_table(models.Attendance, plural="check-ins"),
    club_table(models.Credit, plural="credits for club duty"),
    club_table(
        models.SessionTable,
        plural="tables of an evening",
        omitted_columns={"link_key": LINK_REASON},
    ),
    club_table(models.SessionSeat, plural="seats of an evening"),
    club_table(models.SentResult, plural="results sent"),
    club_table(models.Wish, plural="seating preferences"),
    club_table(models.Series, plural="regular evenings", omitted_columns={"feed_key": LINK_REASON}),
    club_table(models.Holiday, plural="closed dates"),
    club_table(models.Invitation, omitted_columns={"key": LINK_REASON}),
    club_table(models.StandBy, plural="substitutes"),
    club_table(models.TableMoney, plural="payments of table money"),
    club_table(
        models.Batch, plural="messages to members", keys_in={"about": _translate_batch_about}
    ),
    club_table(
        models.Message,
        plural="emails to members",
        omitted_columns={"key": RENEWED_REASON},
        keys_in={"state": _draft_if_waiting},
    ),
    club_table(models.AuditEntry, keys_in={"by": _actor_name, "about": _translate_about}),
]


def register_tables(tables: Iterable[ClubTable], left_behind: Mapping[str, str]) -> None:
    """For apps above: tables of theirs that travel, in an order in which each can be written."""
    CLUB_TABLES.extend(tables)
    TABLES_LEFT_BEHIND.update(left_behind)
