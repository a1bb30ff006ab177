"""The audit log: an entry is written with the first row that a request changes.

Both are in one transaction: a request that is rolled back, refused or only reads has no entry.

The name of who did it precedes an entry's sentence. A view says its own
(``clubs.core.access.requires``); an operation of the API has those of the page that names it, or a
``log`` of its own. ``{evening}`` is filled in from the number in the address,
``{player<table-player}`` from what was sent, ``{player<made}`` from the new row. ``{game}`` is a
table on an evening or in a round of a tournament. Where a view does
several things, each has a sentence: under ``delete`` that of a DELETE, under the others the value
of the field ``way`` or the name of a field that was sent. With ``{doer}`` it is not known who did
it.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import cache
from typing import Annotated, Any, Final, NamedTuple

from django.db import connection, transaction
from django.db.models import Q, QuerySet
from django.urls import URLResolver, get_resolver, reverse
from structlog.contextvars import get_contextvars

from clubs.core.permissions import ORGANISERS, Permission
from clubs.language.moments import long_date
from clubs.language.words import whole_number
from clubs.models import AuditEntry, Batch, Club, Membership, Scope, Season, User
from clubs.models.names import by_surname
from clubs.tenancy import across_clubs, club_scope

PLACEHOLDER_PATTERN: Final = re.compile(r"\{(\w+)(?:<([\w-]+))?\}")
KEYS_IN_ADDRESSES: Final = {"table": "number"}
GAME_PLACEHOLDER: Final = "{game}"
# Where a game is played, by what its entry names.
GAME_WORDINGS: Final = {
    "evening": "{table} on {evening}",
    "tournament": "{table} in {round} of {tournament}",
}

CATEGORIES: Final = {
    "people": "Members",
    "evenings": "Evenings",
    "hands": "Hands",
    "league": "League and rules",
    "messages": "Messages",
    "tournaments": "Tournaments",
    "programs": "Webhooks and API",
    "sign-ins": "Signing in",
}
CATEGORY_OF: Final = {
    Scope.PEOPLE: "people",
    Scope.EVENINGS: "evenings",
    Scope.HANDS: "hands",
    Scope.LEAGUE: "league",
    Scope.PRINTOUTS: "league",
    Scope.MESSAGES: "messages",
    Scope.TOURNAMENTS: "tournaments",
    Scope.WEBHOOKS: "programs",
}

Sentences = str | Mapping[str, str]

WRITE_STATEMENT: Final = re.compile(
    r'\s*(?:INSERT(?: OR IGNORE)? INTO|UPDATE|DELETE FROM) "((?:clubs|tournaments|scorebook)_\w+)"'
)
BOOKKEEPING_TABLES: Final = frozenset({"clubs_deed", "clubs_keptanswer"})
UNLOGGED_KEYS: Final = frozenset({"club", "key", "code", "old"})
ADMINISTRATOR: Final = "Tongbox administrator"
RETENTION_SCHEDULE: Final = "Retention schedule"
MAX_ACTOR_LENGTH: Final = 80
CREATED_KEY: Final = "made"
ISO_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_current_watch: ContextVar["_StatementWatch | None"] = ContextVar("watching", default=None)
NamesAndPages = Mapping[int, tuple[str, str]]
FORMER_USER: Final = "A former user"
UNKNOWN_ACT: Final = "changed something"
NUMBERED_KINDS: Final = frozenset({"table", "round", "hand"})


class Placeholder(NamedTuple):
    """A placeholder in a sentence: the kind of thing it names, and the key of its number."""

    kind: str
    key: str
    is_sent: bool

    @classmethod
    def from_match(cls, gap: re.Match[str]) -> "Placeholder":
        kind, sent_key = gap.groups()
        return cls(kind, sent_key or KEYS_IN_ADDRESSES.get(kind, kind), bool(sent_key))


@dataclass(frozen=True, slots=True)
class Act:
    drawer: str
    wording: str

    @property
    def places(self) -> list[Placeholder]:
        return [Placeholder.from_match(gap) for gap in PLACEHOLDER_PATTERN.finditer(self.wording)]

    def with_table_wording(self, details: Mapping[str, Any]) -> "Act":
        """The act with ``{game}`` as the table of the evening or of the round that it names."""
        table_label = next(
            (label for key, label in GAME_WORDINGS.items() if key in details), "a table"
        )
        return replace(self, wording=self.wording.replace(GAME_PLACEHOLDER, table_label))

    def is_like(self, act: "Act") -> bool:
        """Whether this is the same act, or the same at any game."""
        return act == self or any(act == self.with_table_wording({key: 0}) for key in GAME_WORDINGS)


ACTS_WITHOUT_ADDRESS: Final = {
    "give_role": Act("people", "gave someone a role"),
    "role-accept": Act("people", "accepted an invitation and took a role"),
    "found_club": Act("people", "founded the club"),
    "bring_club": Act("people", "imported the club from another Tongbox"),
    "timetable": Act("people", "deleted expired data"),
    "webhook-stopped": Act("programs", "stopped a webhook that was failing"),
    "emails stopped": Act("messages", "stopped emails to {player}"),
    "emails wanted": Act("messages", "allowed emails to {player} again"),
    "signed in": Act("sign-ins", "signed in"),
    "new browser": Act("sign-ins", "signed in as {doer} from a new browser"),
    "sign-ins failed": Act("sign-ins", "failed many times to sign in as {doer}"),
    "password changed": Act("sign-ins", "changed the password"),
    "password reset": Act("sign-ins", "set a new password by email"),
    "second step on": Act("sign-ins", "turned on two-step verification"),
    "second step off": Act("sign-ins", "turned off two-step verification"),
    "second step anew": Act("sign-ins", "created new recovery codes"),
}


def sentences_by_way(log: Sentences) -> Mapping[str, str]:
    """Sentences by the way of using an address; a single one is the usual, under ``""``."""
    return log if isinstance(log, Mapping) else {"": log} if log else {}


@dataclass(frozen=True, slots=True)
class Capability:
    """What can be done at a view: its sentences and their drawer.

    ``log`` has the usual sentence under ``""``. ``operations`` are those of the API that have the
    same sentence: ``POST api-player-list``.
    """

    drawer: str
    log: Mapping[str, str]
    operations: tuple[str, ...] = ()

    @classmethod
    def create(
        cls,
        permission: Permission | None,
        log: Sentences,
        log_for: str | tuple[str, ...] = (),
        drawer: str = "",
    ) -> "Capability":
        """In the drawer of the permission's scope, unless another is named."""
        usual = CATEGORY_OF.get(permission.scope, "") if permission else ""
        operations = (log_for,) if isinstance(log_for, str) else log_for
        return cls(drawer or usual, sentences_by_way(log), operations)

    def acts(self, name: str) -> Iterator[tuple[str, Act]]:
        """Each act of the address with this URL name, and of the operations, by its name."""
        for variant, text in self.log.items():
            yield f"{name}:{variant}" if variant else name, Act(self.drawer, text)
        for operation in self.operations:
            method, operation_name = operation.split()
            act = Act(self.drawer, self.log[""])
            yield f"{operation_name}:delete" if method == "DELETE" else operation_name, act


def capabilities(resolver: URLResolver | None = None) -> Iterator[tuple[str, Capability]]:
    """The capability of every view that has one, with the URL name."""
    for pattern in (resolver or get_resolver()).url_patterns:
        if isinstance(pattern, URLResolver):
            yield from capabilities(pattern)
        elif capability := _capability(pattern.callback):
            yield str(pattern.name), capability


def _capability(view: Any) -> Capability | None:
    view_class: Any = getattr(view, "cls", None)
    if not hasattr(view_class, "log"):
        return getattr(view, "capability", None)
    api_view = view_class(**view.initkwargs)
    log = _log_of_viewset(api_view.log, view.actions) if hasattr(view, "actions") else api_view.log
    if not log:
        return None
    permission = getattr(api_view, "access_for", lambda _: None)("POST")
    capability = Capability.create(permission, log, drawer=api_view.drawer)
    return capability if capability.drawer else None  # at a printed link nothing is logged


def _log_of_viewset(log: Sentences, actions: Mapping[str, str]) -> Sentences:
    """The sentences of a viewset, by its actions, as those of one of its addresses, by the way."""
    if isinstance(log, str):
        return log
    variants = {
        "delete" if method == "delete" else "": action for method, action in actions.items()
    }
    return {variant: log[action] for variant, action in variants.items() if action in log}


@cache
def known_acts() -> Mapping[str, Act]:
    """Every act by its name. An operation's own sentence goes before that of its page."""
    acts = dict(ACTS_WITHOUT_ADDRESS)
    for name, capability in sorted(capabilities(), key=lambda row: bool(row[1].operations)):
        for act_name, act in capability.acts(name):
            acts.setdefault(act_name, act)
    return acts


def act_of(name: str) -> Act | None:
    return known_acts().get(name)


def names_of_same_act(name: str) -> frozenset[str]:
    """The names of the same act on a page and in the API, with its ways."""
    act = act_of(name)
    same_act_names = {
        act_name for act_name, known_act in known_acts().items() if act and known_act.is_like(act)
    }
    variants = {act_name for act_name in known_acts() if act_name.startswith(f"{name}:")}
    return frozenset({name} | same_act_names | variants)


def acts_in_category(drawer: str) -> list[str]:
    return [name for name, act in known_acts().items() if act.drawer == drawer]


def act_name_for(name: str, method: str, data: Mapping[str, Any]) -> str:
    """Which of an address's acts it was: by its method, its way, or the fields sent."""
    variants = [str(data.get("way", "")), method.casefold(), *(key for key in data if data[key])]
    return next(
        (text for variant in variants if (text := f"{name}:{variant}") in known_acts()), name
    )


@dataclass(frozen=True, slots=True)
class AuditContext:
    """A request that may change something: by whom, where, and what it names.

    ``read_data`` is called once something is changed; ``clubs`` gives the clubs whose logs get the
    entry.
    """

    name: str
    method: str
    subjects: Mapping[str, Any]
    read_data: Callable[[], Any]
    clubs: Callable[[], Iterable[int]]
    made_by: int | None = None
    actor: str = ""


@contextmanager
def log_changes(context: AuditContext) -> Iterator[None]:
    """Log one entry for any changes within the block, with the first row that changes."""
    watch = _StatementWatch(context)
    token = _current_watch.set(watch)
    try:
        with connection.execute_wrapper(watch):
            yield
    finally:
        _current_watch.reset(token)


def log_created_key(number: int) -> None:
    """Add a new row's key to this request's entry, if its sentence needs it (``player<made``)."""
    log_detail(CREATED_KEY, number)


def log_detail(key: str, value: int | str) -> None:
    """Add a number or day to this request's entry that its sentence needs but that was not sent."""
    watch = _current_watch.get()
    for line in watch.lines if watch is not None else ():
        act = act_of(line.what)
        if act is not None and any(place.key == key for place in act.places):
            line.about = {**line.about, key: value}
            AuditEntry.objects.filter(pk=line.pk).update(about=line.about)


class _StatementWatch:
    """Watches every statement; inserts the entry with the first that changes a row of ours."""

    def __init__(self, context: AuditContext) -> None:
        self.context = context
        self.is_writing = self.is_kept = False
        self.lines: list[AuditEntry] = []

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:  # noqa: FBT001
        match = None if self.is_kept or self.is_writing else WRITE_STATEMENT.match(sql)
        changes = match is not None and match[1] not in BOOKKEEPING_TABLES
        # No entry waits in this transaction; what is rolled back takes its entry with it.
        if changes and all(waits[1] != self._mark_kept for waits in connection.run_on_commit):
            self.is_writing = True
            try:
                self.lines = _write_entries(self.context)
            finally:
                self.is_writing = False
            transaction.on_commit(self._mark_kept)
        return execute(sql, params, many, context)

    def _mark_kept(self) -> None:
        self.is_kept = True


def _write_entries(context: AuditContext) -> list[AuditEntry]:
    data = context.read_data()
    sent_fields = data if isinstance(data, Mapping) else {}
    act_name = act_name_for(context.name, context.method, sent_fields)
    details = {key: value for key, value in context.subjects.items() if key not in UNLOGGED_KEYS}
    # Of what was sent, keep only numbers and days that the sentence needs: never a name.
    act = act_of(act_name)
    for place in act.places if act else ():
        value = sent_fields.get(place.key) if place.is_sent else None
        if isinstance(value, date) or (isinstance(value, str) and ISO_DAY.fullmatch(value)):
            details[place.key] = str(value)
        elif (number := whole_number(str(value))) is not None:
            details[place.key] = number
    return [
        _add_entry(club, act_name, made_by=context.made_by, actor=context.actor, details=details)
        for club in context.clubs()
    ]


def log_event(
    *, club: int, act_name: str, actor: str, details: Mapping[str, int] | None = None
) -> None:
    """Log what no user did but a command, a link or the retention schedule (``actor``)."""
    _add_entry(club, act_name, made_by=None, actor=actor, details=details or {})


def log_organiser_event(
    *, user: User, act_name: str, details: Mapping[str, str] | None = None
) -> None:
    """Log an event of an organiser's sign-in in each club that they run."""
    for club in clubs_run_by(user.pk):
        _add_entry(club, act_name, made_by=user.pk, actor="", details=details or {})


def clubs_run_by(user: int) -> list[int]:
    """The clubs in which someone is an organiser; one query."""
    with across_clubs():
        memberships = Membership.objects.filter(user=user, role__in=ORGANISERS)
        return list(memberships.values_list("club_id", flat=True))


def _add_entry(
    club: int, act_name: str, *, made_by: int | None, actor: str, details: Mapping[str, Any]
) -> AuditEntry:
    with club_scope(club):
        return AuditEntry.objects.create(
            club_id=club,
            made_by_id=made_by,
            by=actor[:MAX_ACTOR_LENGTH],
            what=act_name,
            about=dict(details),
            request_id=str(get_contextvars().get("request_id", ""))[:64],
        )


@dataclass(frozen=True, slots=True)
class RowKind:
    """A kind of row in a sentence: its fields, wording, fallback if it is deleted, and page."""

    rows: Callable[[Club], QuerySet[Any]]
    describe: Callable[[Any], str]
    otherwise: str
    page: str = ""


@dataclass(frozen=True, slots=True)
class AuditRow:
    """An entry of the activity log.

    ``kind`` is the key of a drawer; ``act_name`` of the act; ``actor`` its user or program in
    words.
    """

    pk: int
    at: datetime
    sentence: Annotated[str, "what happened, using the names of today"]
    kind: Annotated[str, "empty: not known"]
    user: Annotated[int | None, "whose account or key it was; null: none, or deleted"]
    program: Annotated[str, "the key, command or retention schedule that did it; empty: a browser"]
    address: Annotated[str, "the page about it"]
    request_id: Annotated[str, "identifies the request in the log"]
    act_name: str
    actor: str

    def is_act(self, name: str) -> bool:
        """Whether the entry is of this act, from a page or the API."""
        return self.act_name in names_of_same_act(name)

    @property
    def drawer(self) -> str:
        return CATEGORIES.get(self.kind, "")


@dataclass(frozen=True, slots=True)
class Doer:
    """A person or program with entries in the log: the key to filter by, and its name."""

    key: str
    name: str


ROW_KINDS: Final[dict[str, RowKind]] = {
    "evening": RowKind(
        lambda club: club.sessions.all(), lambda item: f"the evening of {long_date(item.held_on)}",
        "an evening", "evening",
    ),
    "player": RowKind(lambda club: club.players.all(), lambda item: item.name, "someone", "player"),
    "season": RowKind(
        lambda club: Season.objects.filter(league__club=club), lambda item: item.name, "a season",
        "season",
    ),
    "series": RowKind(
        lambda club: club.series.all(), lambda item: f"“{item.name}”", "a regular evening",
        "series-change",
    ),
    "person": RowKind(
        lambda club: club.memberships.select_related("user"), lambda item: str(item.user),
        "someone",
    ),
    "batch": RowKind(
        lambda club: Batch.objects.filter(club=club), lambda item: f"“{item.title}”", "messages",
        "batch",
    ),
}  # fmt: skip


def register_row_kind(name: str, kind: RowKind) -> None:
    """Register a kind of row that another app's sentences name."""
    ROW_KINDS[name] = kind


def audit_entries(
    club: Club, *, doer: str = "", drawer: str = "", day: date | None = None
) -> QuerySet[AuditEntry]:
    """The club's entries, newest first; may be limited to one doer, drawer or day."""
    entries = AuditEntry.objects.filter(club=club).select_related("made_by").order_by("-pk")
    if doer:
        person = whole_number(doer)
        entries = entries.filter(by=doer) if person is None else entries.filter(made_by=person)
    if drawer:
        entries = entries.filter(what__in=acts_in_category(drawer))
    return entries.filter(at__date=day) if day else entries


def last_entry(
    club: Club, kind: str, pk: int, acts: Iterable[str], **details: int | str | None
) -> AuditRow | None:
    """The newest entry of these acts, by page or API, on one event; at most two queries.

    ``kind`` is the name of the event's key in API addresses, or ``club`` for the club itself;
    ``details`` is what else the entries must name, such as a round.
    """
    names = {name for act in acts for name in names_of_same_act(act)}
    condition = Q() if kind == "club" else Q(about__pk=pk) | Q(**{f"about__{kind}": pk})
    lookups = {f"about__{key}": value for key, value in details.items()}
    entries = AuditEntry.objects.filter(condition, club=club, what__in=names, **lookups)
    line = entries.select_related("made_by").order_by("-pk").first()
    return None if line is None else audit_rows(club, [line])[0]


def doers_of(club: Club) -> list[Doer]:
    """Everyone with entries in the club's log, by surname; one query."""
    entries = AuditEntry.objects.filter(club=club).order_by()
    result = entries.values_list("made_by", "made_by__name", "made_by__email", "by").distinct()
    people = {Doer(str(pk), name or email) for pk, name, email, _ in result if pk}
    programs = {Doer(program, program) for _, _, _, program in result if program}
    return by_surname(people | programs)


def audit_rows(club: Club, entries: Iterable[AuditEntry]) -> list[AuditRow]:
    """The entries as rows with sentences; one query for each kind of thing that they name."""
    lines = list(entries)
    numbers: dict[str, set[int]] = {}
    for line in lines:
        for kind, number in _row_keys(line).values():
            numbers.setdefault(kind, set()).add(number)
    names: dict[str, NamesAndPages] = {}
    for kind, keys in numbers.items():
        thing = ROW_KINDS[kind]
        names[kind] = {
            row.pk: (
                thing.describe(row),
                reverse(thing.page, args=[club.slug, row.pk]) if thing.page else "",
            )
            for row in thing.rows(club).filter(pk__in=keys)
        }
    return [_audit_row(line, names) for line in lines]


def _act_of_entry(line: AuditEntry) -> Act | None:
    act = act_of(line.what)
    return None if act is None else act.with_table_wording(line.about)


def _row_keys(line: AuditEntry) -> dict[Placeholder, tuple[str, int]]:
    """The row key for each placeholder; ``pk`` is the first one without its own name."""
    act = _act_of_entry(line)
    spare = [line.about["pk"]] if "pk" in line.about else []
    result = {}
    for place in act.places if act else []:
        if place.kind not in ROW_KINDS:
            continue
        number = line.about.get(place.key)
        if number is None and spare and not place.is_sent:
            number = spare.pop()
        if isinstance(number, int):
            result[place] = (place.kind, number)
    return result


def about_for_export(
    club: Club, line: AuditEntry, key: Callable[[str, int], int | None]
) -> dict[str, Any]:
    """What the entry names, for another installation: ``key(label, number)`` is a row's key there.

    Each key stands under its own name; what no sentence needs is left out.
    """
    act, numbers = _act_of_entry(line), _row_keys(line)
    details = {
        place.key: line.about[place.key]
        for place in (act.places if act else ())
        if place.kind not in ROW_KINDS and place.key in line.about
    }
    for place, (kind, number) in numbers.items():
        exported_key = key(ROW_KINDS[kind].rows(club).model._meta.label, number)
        if exported_key is not None:
            details[place.key] = exported_key
    return details


def _audit_row(line: AuditEntry, names: Mapping[str, NamesAndPages]) -> AuditRow:
    act, numbers = _act_of_entry(line), _row_keys(line)
    rows = {
        place: names[kind][number]
        for place, (kind, number) in numbers.items()
        if number in names[kind]
    }
    text = _act_text(act, line, {place: text for place, (text, _) in rows.items()})
    address = next((page for _, page in rows.values() if page), "")
    actor = "Someone" if act and "{doer}" in act.wording else _actor_name(line)
    return AuditRow(
        pk=line.pk,
        at=line.at,
        sentence=f"{actor} {text}.",
        kind=act.drawer if act else "",
        user=line.made_by_id,
        program=line.by,
        address=address,
        request_id=line.request_id,
        act_name=line.what,
        actor=_actor_name(line),
    )


def _act_text(act: Act | None, line: AuditEntry, rows: Mapping[Placeholder, str]) -> str:
    if act is None:
        return UNKNOWN_ACT

    def fill(gap: re.Match[str]) -> str:
        place = Placeholder.from_match(gap)
        if place.kind == "doer":
            return _actor_name(line)
        if text := rows.get(place):
            return text
        value: Any = line.about.get(place.key)
        if place.kind in NUMBERED_KINDS:
            return f"a {place.kind}" if value is None else f"{place.kind} {value}"
        if place.kind == "called":
            return f"“{value}”" if value else "one"
        if place.kind == "day":
            return long_date(date.fromisoformat(value)) if value else "another day"
        return ROW_KINDS[place.kind].otherwise

    return PLACEHOLDER_PATTERN.sub(fill, act.wording)


def _actor_name(line: AuditEntry) -> str:
    person = str(line.made_by) if line.made_by else ""
    if line.by:
        return f"{line.by} ({person}’s)" if person else line.by
    return person or FORMER_USER
