"""Erasing a person, and what the retention schedule deletes."""

import json
from calendar import monthrange
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import MINYEAR, date, datetime, timedelta
from functools import cache
from itertools import chain
from typing import Annotated, Any, Final

from django.apps import apps
from django.db.models import CharField, Count, JSONField, Max, Model, Q, QuerySet, TextField, Value

from clubs.core.club_rows import club_lookups
from clubs.core.people_names import active_records, owners_of_names
from clubs.language.moments import long_date
from clubs.language.words import count_words
from clubs.members.person_columns import CONTACT_COLUMNS
from clubs.members.selectors import relations
from clubs.models import (
    Alias,
    AuditEntry,
    Club,
    Erasure,
    Invitation,
    JobState,
    MemberImport,
    Membership,
    Message,
    MessageState,
    Player,
    PlayerKind,
    PlayerMerge,
    Retention,
    Role,
    SessionSeat,
    StandBy,
    TableMoney,
    User,
)
from clubs.models.names import name_key, surname_key
from clubs.privacy.redaction import (
    NameTraces,
    addresses_to_find,
    first_words,
    names_to_find,
    shortened_names,
    surnames,
    texts_in,
)
from scoring.scorebook.models import Book, Link

# It is known whose names these are, so they are not searched.
TABLES_ERASED_APART: Final = (Player, Alias, Membership, Club, User)
COLUMNS_WITHOUT_WORDS: Final = frozenset(
    {"name_key", "key", "link_key", "wall_key", "feed_key", "digest"}
)
OWN_APPS: Final = ("clubs", "tournaments")
FORMER_NAME: Final = "A former player"
REMOVED_TEXT: Final = "(removed)"
MOST_EVENINGS: Final = 6
MAX_EXCERPT_LENGTH: Final = 120

# What happens to each table that points to a person. A test fails for a table that is in neither.
DELETED_TABLES: Final[Mapping[str, tuple[str, str]]] = {
    "clubs.Invitation": ("invitation to an evening", "invitations to evenings"),
    "clubs.RoleInvitation": ("invitation to take a role", "invitations to take roles"),
    "clubs.StandBy": ("entry on the substitutes list", "entries on the substitutes list"),
    "clubs.Message": ("message or letter to them", "messages and letters to them"),
    "clubs.Wish": ("seating preference that names them", "seating preferences that name them"),
    "clubs.SentResult": ("note that a result was sent", "notes that results were sent"),
    "clubs.TwoPeople": (
        "note that they and someone else are two people",
        "notes that they and someone else are two people",
    ),
    "clubs.Membership": ("role in this club", "roles in this club"),
}
KEPT_TABLES: Final[Mapping[str, str]] = {
    "clubs.Attendance": "the evening’s result depends on who played",
    "clubs.SessionSeat": "a table’s result is the others’ result too",
    "clubs.TableMoney": "the club’s accounts; the retention schedule deletes it",
    "clubs.Credit": "the league table counts it",
    "clubs.Handicap": "the league table counts it",
    "clubs.Erasure": "it names no one",
    "tournaments.Entrant": "a tournament’s result is the others’ result too",
}

ONE_DAY: Final = timedelta(days=1)
# The way to the day of a row, by the column that it has.
DAY_LOOKUPS: Final = {
    "held_on": "held_on",
    "session": "session__held_on",
    "tournament": "tournament__held_on",
}
MOST_LOGGED: Final = 100

DELETED_NOUNS: Final = {
    "message": ("message", "messages"),
    "invitation": ("invitation", "invitations"),
    "memberimport": ("member import", "member imports"),
    "tablemoney": ("payment of table money", "payments of table money"),
    "auditentry": ("activity log entry", "activity log entries"),
}


@dataclass(frozen=True, slots=True)
class TextTable:
    """A table whose rows are a club's, the way to the club, and its columns with words."""

    model: type[Model]
    club: str
    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NamingRow:
    """A row that names someone: its table, its key, and its columns with their values."""

    model: type[Model]
    pk: Any
    values: dict[str, Any]


@dataclass(frozen=True, slots=True)
class SealedText:
    """Words in a score book that name the person and cannot be removed."""

    held_on: date
    text: str


@cache
def text_tables() -> tuple[TextTable, ...]:
    """Every table of a club that holds words."""
    result = []
    for model in chain.from_iterable(apps.get_app_config(room).get_models() for room in OWN_APPS):
        # Choices and secrets hold no words.
        columns = tuple(
            field.name
            for field in model._meta.concrete_fields
            if isinstance(field, CharField | TextField | JSONField)
            and not field.choices
            and field.name not in COLUMNS_WITHOUT_WORDS
        )
        path = club_lookups().get(model)
        if path and columns and model not in TABLES_ERASED_APART:
            result.append(TextTable(model, path, columns))
    return tuple(result)


def rows_naming(club: Club, traces: NameTraces) -> Iterator[NamingRow]:
    """Every row of the club that contains one of the names; a query a table."""
    for table in text_tables():
        rows = table.model._default_manager.filter(**{table.club: club.pk}).order_by("pk")
        for pk, *values in rows.values_list("pk", *table.columns).iterator():
            fields = dict(zip(table.columns, values, strict=True))
            naming = {column: value for column, value in fields.items() if traces.are_in(value)}
            if naming:
                yield NamingRow(table.model, pk, naming)


def sealed_texts(club: Club, traces: NameTraces) -> tuple[SealedText, ...]:
    """What the books of the club's events seal in words that name someone, the oldest first."""
    result: dict[SealedText, None] = {}
    for relation in Book._meta.related_objects:
        model = relation.related_model
        if not isinstance(model, type) or not relation.one_to_one:
            continue
        # The day of each book of this kind of event.
        events = model._default_manager.filter(club=club.pk, book__isnull=False)
        days: dict[int, date] = dict(events.values_list("book_id", "held_on"))
        # Links in whose text a name may stand, as the chain writes it: in ASCII alone.
        condition = Q(pk__in=[])
        for name in traces.replacements:
            condition |= Q(sealed__icontains=json.dumps(name)[1:-1])
        links = Link.objects.filter(condition, book__in=days).order_by("pk")
        for book, text in links.values_list("book_id", "sealed").iterator():
            for passage in _texts_naming(json.loads(text)["rows"], traces):
                result[SealedText(days[book], passage)] = None
    return tuple(sorted(result, key=lambda sealed_text: sealed_text.held_on))


def _texts_naming(value: Any, traces: NameTraces) -> Iterator[str]:
    if isinstance(value, str):
        if traces.are_in(value):
            yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _texts_naming(item, traces)


@dataclass(frozen=True, slots=True)
class ErasurePreview:
    """What deleting a person's data would remove and keep. It cannot be undone.

    ``sealed_texts`` are words in events' books that name them and must stay.
    """

    name: str
    former: Annotated[str, "what results would show instead of the name"]
    goes: tuple[str, ...]
    stays: tuple[str, ...]
    sealed_texts: tuple[SealedText, ...]
    look: Annotated[tuple[str, ...], "words that may refer to the person; they stay"]


def records_of(player: Player) -> list[Player]:
    """The player, and every record that was made one with theirs."""
    players, fresh = [player], [player]
    while fresh:
        merges = PlayerMerge.objects.filter(kept__in=fresh, undone_at=None)
        fresh = [merge.gone for merge in merges.select_related("gone")]
        players += fresh
    return players


def erasure_refusal(player: Player) -> str:
    """Why the person cannot be erased now, in a sentence; empty if they can be."""
    if player.erased_on:
        return "This person’s data has already been deleted."
    if PlayerMerge.objects.filter(gone=player, undone_at=None).exists():
        return f"{player.name} was merged into another record. Delete that one to delete both."
    secretaries = Membership.objects.filter(club=player.club_id, role=Role.SECRETARY)
    own_roles = secretaries.filter(player=player)
    if own_roles.exists() and not secretaries.exclude(player=player).exists():
        return f"{player.name} is the club’s only secretary. Make someone else secretary first."
    if player.club.jobs.filter(state=JobState.RUNNING).exists():
        return "Printouts or letters are being created. Try again in a minute."
    return ""


def former_names(club: Club, count: int) -> list[str]:
    """So many names that nobody has: ``A former player``, ``A former player 2``."""
    taken_names = owners_of_names(club)
    free: list[str] = []
    number = 1
    while len(free) < count:
        name = FORMER_NAME if number == 1 else f"{FORMER_NAME} {number}"
        if name_key(name) not in taken_names:
            free.append(name)
        number += 1
    return free


def traces_of(club: Club, records: Mapping[str, Sequence[Player]]) -> NameTraces:
    """How these people's names and addresses are found; ``records`` has them by future name."""
    record_keys = {record.pk for people in records.values() for record in people}
    players = Player.objects.filter(club=club).exclude(pk__in=record_keys)
    nicknames = Alias.objects.filter(club=club).exclude(player__in=record_keys)
    other_names = {
        *players.values_list("name", flat=True),
        *nicknames.values_list("name", flat=True),
    }
    replacements: dict[str, str] = {}
    for former, people in records.items():
        aliases = Alias.objects.filter(player__in=people).values_list("name", flat=True)
        names = names_to_find({*(player.name for player in people), *aliases})
        short_names = shortened_names(
            [*(player.name for player in people), *aliases]
        ) - shortened_names(other_names)
        replacements |= dict.fromkeys(names | short_names, former)
        for player in people:
            replacements |= dict.fromkeys(addresses_to_find(*_contacts(player)), REMOVED_TEXT)
        replacements |= dict.fromkeys(addresses_of(people), REMOVED_TEXT)
    return NameTraces(replacements, names_to_find(other_names) - replacements.keys())


def erasure_preview(player: Player) -> ErasurePreview:
    """Everything the secretary reads before deleting, which cannot be undone."""
    club, records = player.club, records_of(player)
    former = former_names(club, 1)[0]
    traces = traces_of(club, {former: records})
    # A repair's sentence has first names, where they part the players of a table.
    first = first_words(player.name for player in records)
    return ErasurePreview(
        name=player.name,
        former=former,
        goes=tuple(_deleted_lines(player, records, traces)),
        stays=tuple(_kept_lines(records, former)),
        sealed_texts=sealed_texts(
            club,
            NameTraces({**dict.fromkeys(first, ""), **traces.replacements}, traces.other_names),
        ),
        look=_texts_to_check(player, records, traces),
    )


def rows_pointing_to(records: Iterable[Player], tables: Container[str]) -> Iterator[QuerySet[Any]]:
    """The rows of each of these tables that point to a person.

    ``tables`` is ``DELETED_TABLES`` or ``KEPT_TABLES``.
    """
    people = [player.pk for player in records]
    for model, columns in tables_to_people().items():
        if model._meta.label in tables:
            condition = Q(pk__in=[])
            for column in columns:
                condition |= Q(**{f"{column}__in": people})
            yield model._default_manager.filter(condition)


def tables_to_people() -> dict[type[Model], list[str]]:
    """Each table that points to people, but for their other names and their merges."""
    result: dict[type[Model], list[str]] = {}
    for model, column in relations():
        result.setdefault(model, []).append(column)
    return result


def has_field(model: type[Model], name: str) -> bool:
    return any(field.name == name for field in model._meta.concrete_fields)


def _contacts(player: Player) -> list[str]:
    """Their addresses and numbers, without those that are empty."""
    return list(dict.fromkeys(filter(None, (getattr(player, name) for name in CONTACT_COLUMNS))))


def addresses_of(records: Iterable[Player]) -> set[str]:
    """Their email addresses, and those that they sign in with; in small letters."""
    accounts = Membership.objects.filter(player__in=records)
    emails = [
        *accounts.values_list("user__email", flat=True),
        *(record.email for record in records),
    ]
    return {email.lower() for email in emails if email}


def _deleted_lines(player: Player, records: Sequence[Player], traces: NameTraces) -> Iterator[str]:
    names = Alias.objects.filter(player__in=records).values_list("name", flat=True)
    other_names = {*names, *(player.name for player in records)} - {player.name}
    yield f"The name {player.name}" + (
        f", also {', '.join(sorted(other_names))}" if other_names else ""
    )
    if contacts := _contacts(player):
        yield f"How to reach them: {', '.join(contacts)}"
    yield from _account_lines(player.club, records)
    for rows in rows_pointing_to(records, DELETED_TABLES):
        if rows.model is not Membership and (count := rows.count()):
            value, many = DELETED_TABLES[rows.model._meta.label]
            yield f"{count} {value if count == 1 else many}"
    mentions = Counter(naming.model for naming in rows_naming(player.club, traces))
    if count := sum(mentions.values()):
        tables_text = ", ".join(
            sorted(
                f"{model._meta.verbose_name_plural} ({many})" for model, many in mentions.items()
            )
        )
        yield f"The name in {count} other {'place' if count == 1 else 'places'}: {tables_text}"
    if count := player.club.jobs.exclude(result="").count():
        packs = "One saved printout" if count == 1 else f"{count} saved printouts"
        yield f"{packs} here as a file; create it again to get a copy without the name"


def _account_lines(club: Club, records: Sequence[Player]) -> Iterator[str]:
    if (reply_address := club.contact_email) and reply_address.lower() in addresses_of(records):
        yield (
            f"The address for replies, {reply_address}: replies then go to the person who sends "
            "the message"
        )
    for membership in Membership.objects.filter(player__in=records).select_related("user"):
        roles = membership.user.memberships.exclude(pk=membership.pk).select_related("club")
        clubs = ", ".join(other_role.club.name for other_role in roles)
        if clubs:
            yield f"Access to this club. The account is kept for {clubs}"
        else:
            yield f"The account {membership.user.email}"


def _kept_lines(records: Sequence[Player], former: str) -> Iterator[str]:
    seats = SessionSeat.objects.filter(player__in=records).order_by("-session__held_on")
    days = list(dict.fromkeys(seats.values_list("session__held_on", flat=True)))
    for day in days[:MOST_EVENINGS]:
        yield f"The evening of {long_date(day)} keeps its result"
    if earlier_days := days[MOST_EVENINGS:]:
        if len(earlier_days) == 1:
            yield "One earlier evening also keeps its result"
        else:
            yield f"{len(earlier_days)} earlier evenings also keep their results"
    for rows in rows_pointing_to(records, KEPT_TABLES):
        if has_field(rows.model, "tournament"):
            for row in rows.select_related("tournament"):
                day = row.tournament.held_on
                yield f"{row.tournament} of {long_date(day)} keeps its result"
        elif rows.model._meta.label == "clubs.TableMoney" and (count := rows.count()):
            paid = "payment stays" if count == 1 else "payments stay"
            yield f"{count} {paid} in the accounts, as those of {former[0].lower()}{former[1:]}"


def _texts_to_check(
    player: Player, records: Sequence[Player], traces: NameTraces
) -> tuple[str, ...]:
    """Texts with the surname alone, if nobody else in the club has it."""
    own_surnames = surnames(player.name for player in records)
    keys = [record.pk for record in records]
    other_players = Player.objects.filter(club=player.club_id).exclude(pk__in=keys)
    shared_surnames = {
        name_key(name) for name in surnames(other_players.values_list("name", flat=True))
    }
    loose = NameTraces({name: "" for name in own_surnames if name_key(name) not in shared_surnames})
    result = [
        text[:MAX_EXCERPT_LENGTH]
        for naming in rows_naming(player.club, loose)
        for value in naming.values.values()
        for text in texts_in(value)
        if loose.are_in(text) and not traces.are_in(text)
    ]
    return tuple(dict.fromkeys(result))


@dataclass(frozen=True, slots=True)
class RetentionState:
    """A club's timetable; ``next_on`` is None until the secretary has agreed to one."""

    terms: Retention
    next_on: date | None

    def next_run(self, today: date) -> date:
        """The day of the next run, or of the first one if the schedule were turned on today."""
        return max(self.next_on or today + ONE_DAY, today)

    @property
    def sentences(self) -> tuple[str, ...]:
        """What is kept for how long, a sentence each."""
        terms = self.terms
        return (
            _term_sentence("Guests’ names are deleted", terms.guests, "after their last visit"),
            _term_sentence("Names of people who have left are deleted", terms.lapsed, "afterwards"),
            _term_sentence("Messages, invitations and imports are deleted", terms.letters, "later"),
            _term_sentence("Table money records are deleted", terms.money, "after the evening"),
            _term_sentence("Activity log entries are deleted", terms.deeds, "later"),
        )


@dataclass(frozen=True, slots=True)
class DuePerson:
    """Someone whose data is deleted next, and why."""

    player_id: int
    name: str
    reason: str
    last_known: date


@dataclass(frozen=True, slots=True)
class DueDeletion:
    """What a run on a day would delete: people by name, and rows to count."""

    people: tuple[DuePerson, ...]
    messages: QuerySet[Message]
    other_rows: tuple[QuerySet[Any], ...]

    @property
    def rows(self) -> tuple[QuerySet[Any], ...]:
        """Everything that is counted rather than named."""
        return (self.messages, *self.other_rows)

    @property
    def row_counts(self) -> tuple[str, ...]:
        """The rows in words: ``14 messages``, ``3 invitations``; one query."""
        first, *other_counts = (
            rows.order_by().values(of=Value(rows.model._meta.model_name)).annotate(rows=Count("*"))
            for rows in self.rows
        )
        result = {item["of"]: item["rows"] for item in first.union(*other_counts, all=True)}
        return tuple(
            count_words(result[model_name], *nouns)
            for model_name, nouns in DELETED_NOUNS.items()
            if result.get(model_name)
        )

    @property
    def is_nothing(self) -> bool:
        return not self.people and not self.row_counts


@dataclass(frozen=True, slots=True)
class PastDeletion:
    """What was deleted, without names."""

    description: str
    deleted_at: datetime
    deleted_by: Annotated[str, "empty: the retention schedule"]


def retention_state(club: Club) -> RetentionState:
    """The club's timetable, or the default one if it has none; one query."""
    retention = Retention.objects.filter(club=club).first()
    if retention is None:
        return RetentionState(Retention(club=club), None)
    return RetentionState(retention, retention.ran_on + ONE_DAY if retention.ran_on else None)


def schedule_state(timetable: RetentionState) -> str:
    """The state that a form about the schedule sends: which schedule is in use, if any."""
    return str(timetable.terms.pk or "off")


def due_deletion(club: Club, terms: Retention, due_day: date) -> DueDeletion:
    """What these terms delete on a day. Officers, substitutes and people who have paid all stay.

    Three queries, without the counts.
    """
    letters, money, deeds = (
        months_before(due_day, months) if months is not None else date.min
        for months in (terms.letters, terms.money, terms.deeds)
    )
    people = tuple(_due_people(club, terms, due_day))
    # Messages from before the day, but those that are just being sent.
    old = Message.objects.filter(batch__club=club, batch__made_at__date__lt=letters)
    other_rows = (
        Invitation.objects.filter(club=club, held_on__lt=letters),
        MemberImport.objects.filter(club=club, made_at__date__lt=letters),
        TableMoney.objects.filter(session__club=club, session__held_on__lt=money),
        AuditEntry.objects.filter(club=club, at__date__lt=deeds),
    )
    return DueDeletion(people, old.exclude(state=MessageState.WAITING), other_rows)


def past_deletions(club: Club) -> tuple[PastDeletion, ...]:
    """What was deleted, newest first; one query."""
    return tuple(
        PastDeletion(erasure.what, erasure.made_at, str(erasure.made_by) if erasure.made_by else "")
        for erasure in Erasure.objects.filter(club=club).select_related("made_by")[:MOST_LOGGED]
    )


def months_before(day: date, months: int) -> date:
    """The same day so many months earlier; the month's last where it has none.

    Before the first year it is the first day of all.
    """
    years, month = divmod(day.year * 12 + day.month - 1 - months, 12)
    if years < MINYEAR:
        return date.min
    return date(years, month + 1, min(day.day, monthrange(years, month + 1)[1]))


def _term_sentence(action: str, months: int | None, occasion: str) -> str:
    if months is None:
        return f"{action} only when you do it yourself."
    return f"{action} {months_in_words(months)} {occasion}."


def months_in_words(months: int) -> str:
    """``12 months`` is ``a year``, ``84`` are ``7 years``."""
    if months % 12:
        return count_words(months, "month", "months")
    return "a year" if months == 12 else f"{months // 12} years"


def _due_people(club: Club, terms: Retention, due_day: date) -> Iterator[DuePerson]:
    """Guests first, then those who have left, each by surname."""
    guests, leavers = Q(kind=PlayerKind.GUEST), Q(kind=PlayerKind.MEMBER, is_active=False)
    people = active_records(club).filter(guests | leavers)
    # Officers, those who fill in at short notice, and whoever has paid beyond the day.
    officers = Membership.objects.filter(club=club).exclude(role=Role.PLAYER)
    fill_in = StandBy.objects.filter(club=club)
    paid = Player.objects.filter(club=club, paid_until__gte=due_day)
    memberships = officers.order_by().values_list("player_id", flat=True)
    other_keys = (
        fill_in.order_by().values_list("player_id", flat=True),
        paid.order_by().values_list("pk", flat=True),
    )
    stays, last_seen = set(memberships.union(*other_keys)), _last_seen(people)
    for player in sorted(people, key=lambda person: (person.kind, surname_key(person.name))):
        is_guest = player.kind == PlayerKind.GUEST
        months = terms.guests if is_guest else terms.lapsed
        joined_on = player.joined_on or player.added_on
        days = [joined_on, player.lapsed_on, player.paid_until, last_seen.get(player.pk)]
        last = max(day for day in days if day)
        if months is not None and player.pk not in stays and last <= months_before(due_day, months):
            status = "A guest" if is_guest else "Left"
            yield DuePerson(
                player.pk, player.name, f"{status}; last here or paid for {long_date(last)}", last
            )


def _last_seen(people: QuerySet[Player]) -> dict[int, date]:
    """The last day on which each person was present, entered or invited; one query."""
    keys = people.order_by().values("pk")
    first, *other_queries = (
        model._default_manager.filter(**{f"{column}__in": keys})
        .order_by()
        .values_list(column)
        .annotate(last=Max(day))
        for model, columns in tables_to_people().items()
        if (
            day := next(
                (lookup for name, lookup in DAY_LOOKUPS.items() if has_field(model, name)), ""
            )
        )
        for column in columns
    )
    result: dict[int, date] = {}
    for key, last in first.union(*other_queries, all=True):
        result[key] = max(last, result.get(key, last))
    return result
