"""Members and guests: the list, subscriptions, imports, and records that may be one person's."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Annotated, Any
from uuid import UUID

from django.db.models import Count, Max, Model, QuerySet

from clubs.core.people_names import active_records, duplicate_pairs, known_names, names_of
from clubs.language.words import count_words
from clubs.members.person_columns import EDITED_COLUMNS
from clubs.models import (
    Alias,
    Attendance,
    Club,
    MemberImport,
    Player,
    PlayerKind,
    PlayerMerge,
    SessionSeat,
    TwoPeople,
    counting_evenings,
)
from clubs.models.names import PUBLIC_READER, Reader, by_surname, surname_key
from clubs.seating.why import join_with_and
from clubs.seats.selectors import PLACE_COLUMNS, GamePlace, player_evenings

EVENING_LOOKUPS = ("session__season", "session__held_on")
WAS_PRESENT = counting_evenings("attendances__session__")
EVENINGS_ATTENDED = Count("attendances", filter=WAS_PRESENT)
LAST_SEEN = Max("attendances__session__held_on", filter=WAS_PRESENT)
DUE_WITHIN = timedelta(days=30)
IMPORTS_SHOWN = 5
Relation = tuple[type[Model], str]


@dataclass(frozen=True, slots=True)
class MemberRow:
    """A person on the club's list; ``name`` as the reader may read it."""

    player: Player
    name: str
    evenings: int
    last_seen: date | None


@dataclass(frozen=True, slots=True)
class EveningRow:
    """One evening of one player."""

    session_id: int
    season_id: int | None
    held_on: date
    table: int
    points: int
    hands: int
    mahjongs: int
    best_hand: int
    pays: Annotated[bool, "whether players pay, so that points have a sign"]


@dataclass(frozen=True, slots=True)
class PlayerView:
    """A player's page: every evening, newest first, and what it adds up to."""

    player_id: int
    name: str
    evenings: tuple[EveningRow, ...]

    @property
    def pays(self) -> bool:
        """Whether all points are gains and losses, which have a sign."""
        return all(row.pays for row in self.evenings)

    @property
    def best_hand(self) -> int:
        return max((row.best_hand for row in self.evenings), default=0)


def members(club: Club, *, reader: Reader = PUBLIC_READER) -> tuple[MemberRow, ...]:
    """Everyone on the club's list by surname, those who left last; one query."""
    return member_rows(active_records(club), reader=reader)


def member_rows(players: QuerySet[Player], *, reader: Reader) -> tuple[MemberRow, ...]:
    """The same of some of them; one query."""
    players = players.annotate(evenings=EVENINGS_ATTENDED, last_seen=LAST_SEEN)
    names = names_of(players, reader)
    return tuple(
        MemberRow(player, names[player.pk], player.evenings, player.last_seen)
        for player in sorted(
            players, key=lambda row: (not row.is_active, surname_key(names[row.pk]), row.pk)
        )
    )


def people_count_words(members: Sequence[MemberRow]) -> str:
    """``24 members, 1 guest and 1 who left``; the members as the home page counts them."""
    active = Counter(row.player.kind for row in members if row.player.is_active)
    parts = [count_words(active[PlayerKind.MEMBER], "member")]
    if guests := active[PlayerKind.GUEST]:
        parts.append(count_words(guests, "guest"))
    if leaver_count := len(members) - active.total():
        parts.append(f"{leaver_count:,} who left")
    return join_with_and(parts)


def details_of(player: Player) -> dict[str, Any]:
    """Everything that the club holds on a person, by the names of the form's fields; one query."""
    columns = {field: getattr(player, field) for field in EDITED_COLUMNS}
    return {**columns, "nicknames": tuple(player.aliases.values_list("name", flat=True))}


def player_view(player: Player, *, reader: Reader = PUBLIC_READER) -> PlayerView:
    """One player's evenings; one query."""
    name = names_of([player], reader)[player.pk]
    return PlayerView(player.pk, name, played_evenings(seats_of(player)))


def seats_of(player: Player) -> QuerySet[SessionSeat]:
    """Where the player sat on the evenings that count, newest first."""
    return SessionSeat.objects.filter(
        counting_evenings("session__"), player=player, session__club_id=player.club_id
    ).order_by("-session__held_on")


def played_evenings(seats: QuerySet[SessionSeat]) -> tuple[EveningRow, ...]:
    """The evenings of these seats of one player; one query."""
    rows = list(seats.values_list(*PLACE_COLUMNS, *EVENING_LOOKUPS))
    evenings = {row[0]: row[-len(EVENING_LOOKUPS) :] for row in rows}
    places = [GamePlace._make(row[: len(PLACE_COLUMNS)]) for row in rows]
    return tuple(
        EveningRow(
            sitting.session_id,
            season,
            day,
            sitting.table,
            sitting.points,
            sitting.hands,
            sitting.mahjongs,
            sitting.best_hand,
            sitting.pays,
        )
        for sitting in player_evenings(places)
        for season, day in [evenings[sitting.session_id]]
    )


@dataclass(frozen=True, slots=True)
class DueRow:
    """A member whose subscription is overdue or due soon."""

    player_id: int
    name: str
    email: str
    phone: str
    paid_until: Annotated[date | None, "null: not recorded"]
    is_over: Annotated[bool, "whether it is overdue"]


@dataclass(frozen=True, slots=True)
class GuestRow:
    """A guest, and how often they came."""

    player_id: int
    name: str
    visits: int
    last_seen: date | None
    is_to_ask: Annotated[bool, "whether it is time to ask them to join"]


@dataclass(frozen=True, slots=True)
class LapsedRow:
    """Someone who is no longer a member."""

    player_id: int
    name: str
    since: date
    paid_until: Annotated[date | None, "null: not recorded"]


@dataclass(frozen=True, slots=True)
class Subscriptions:
    """Who is due, who never paid, who has left, and the guests."""

    due: Annotated[tuple[DueRow, ...], "the longest due first"]
    unknown: Annotated[tuple[DueRow, ...], "members with no recorded payment"]
    lapsed: tuple[LapsedRow, ...]
    guests: Annotated[tuple[GuestRow, ...], "the most frequent guests first"]


def subscriptions(club: Club, today: date) -> Subscriptions:
    """The club's subscriptions and guests on this day; one query."""
    people = active_records(club).annotate(visits=EVENINGS_ATTENDED, last_seen=LAST_SEEN)
    sorted_people = sorted(people.order_by("pk"), key=lambda person: surname_key(person.name))
    rows = [
        DueRow(
            person.pk,
            person.name,
            person.email,
            person.phone,
            person.paid_until,
            is_subscription_over(person, today),
        )
        for person in sorted_people
        if person.is_active and person.kind == PlayerKind.MEMBER
    ]
    due = [row for row in rows if row.paid_until and row.paid_until < today + DUE_WITHIN]
    return Subscriptions(
        due=tuple(sorted(due, key=lambda row: row.paid_until or date.max)),
        unknown=tuple(row for row in rows if row.paid_until is None),
        lapsed=tuple(
            LapsedRow(person.pk, person.name, person.lapsed_on, person.paid_until)
            for person in sorted_people
            if person.lapsed_on
        ),
        guests=tuple(
            GuestRow(
                guest.pk,
                guest.name,
                guest.visits,
                guest.last_seen,
                should_be_invited(guest.visits, club),
            )
            for guest in sorted(sorted_people, key=lambda person: -person.visits)
            if guest.is_active and guest.kind == PlayerKind.GUEST
        ),
    )


def should_be_invited(visits: int, club: Club) -> bool:
    """Whether a guest who came so often is asked to join; never where the club asks nobody."""
    return club.guest_visits is not None and visits >= club.guest_visits


def visit_to_join(player: Player, visit: int, club: Club) -> int | None:
    """The visit that this evening is, where a guest is to be asked to join; else None."""
    is_asked = player.kind == PlayerKind.GUEST and should_be_invited(visit, club)
    return visit if is_asked else None


def is_subscription_over(player: Player, today: date) -> bool:
    return player.paid_until is not None and player.paid_until < today


@dataclass(frozen=True, slots=True)
class ImportRow:
    """An import."""

    pk: int
    file_name: str
    made_at: datetime
    added_count: Annotated[int, "how many people were new"]
    changed_count: Annotated[int, "how many other people it changed"]
    undone_at: Annotated[datetime | None, "null: not undone"]


def imports_of(club: Club, *, most: int | None = IMPORTS_SHOWN) -> tuple[ImportRow, ...]:
    """The newest imports, None: all of them; one query."""
    return tuple(map(import_row, club.imports.all()[:most]))


def imported_by(club: Club, press: UUID | None) -> MemberImport | None:
    """The import that this check page made and nobody undid; one query."""
    return club.imports.filter(press=press, undone_at=None).first() if press else None


def import_row(member_import: MemberImport) -> ImportRow:
    """An import as a row; no query."""
    return ImportRow(
        member_import.pk,
        member_import.file_name,
        member_import.made_at,
        len(member_import.added),
        len(member_import.before) - len(member_import.added),
        member_import.undone_at,
    )


@dataclass(frozen=True, slots=True)
class DuplicateRow:
    """Two records with similar names. The one with more evenings would be kept."""

    kept_id: int
    kept_name: str
    kept_evenings: int
    gone_id: int
    gone_name: str
    gone_evenings: int


@dataclass(frozen=True, slots=True)
class MergeRow:
    """Two merged records."""

    pk: int
    kept_id: int
    kept_name: str
    gone_name: Annotated[str, "the name of the other record, now a nickname"]
    made_at: datetime
    undone_at: Annotated[datetime | None, "null: still merged"]


@dataclass(frozen=True, slots=True)
class TwoPeopleRow:
    """The answer that two records with similar names are two people."""

    pk: int
    one_id: int
    one_name: str
    other_id: int
    other_name: str
    made_at: datetime


def likely_duplicates(club: Club) -> tuple[DuplicateRow, ...]:
    """Pairs with like names that were never here on the same evening, by name; four queries.

    Two with addresses or numbers of their own are two people, and so are two of whom the secretary
    has said so.
    """
    records = active_records(club).annotate(evenings=EVENINGS_ATTENDED).order_by("pk")
    people = {person.pk: person for person in by_surname(records)}
    answers = TwoPeople.objects.filter(club=club).values_list("one", "other")
    told_apart = {frozenset(pair) for pair in answers}
    similar_pairs = duplicate_pairs(known_names(club, people.values()))
    pairs = [pair for pair in similar_pairs if frozenset(pair) not in told_apart]
    evenings: dict[int, set[int]] = defaultdict(set)
    paired_people = {person for pair in pairs for person in pair}
    rows = Attendance.objects.filter(player__in=paired_people).values_list(
        "player_id", "session_id"
    )
    for player, session in rows:
        evenings[player].add(session)
    likely = []
    for pair in pairs:
        first, second = sorted(pair, key=lambda key: (-len(evenings[key]), key))
        kept_player, merged_player = people[first], people[second]
        kept_evenings, elsewhere = evenings[kept_player.pk], evenings[merged_player.pk]
        if not kept_evenings & elsewhere and not have_other_contacts(kept_player, merged_player):
            likely.append(
                DuplicateRow(
                    kept_player.pk,
                    kept_player.name,
                    len(kept_evenings),
                    merged_player.pk,
                    merged_player.name,
                    len(elsewhere),
                )
            )
    return tuple(likely)


def have_other_contacts(person: Player, other_person: Player) -> bool:
    """Whether both have addresses or numbers, and none of the two is the same."""
    emails = {person.email.casefold(), other_person.email.casefold()}
    phones = [
        {digits_of(phone) for phone in (player.phone, player.second_phone) if phone}
        for player in (person, other_person)
    ]
    has_emails, has_phones = "" not in emails, all(phones)
    is_same = (has_emails and len(emails) == 1) or bool(phones[0] & phones[1])
    return (has_emails or has_phones) and not is_same


def digits_of(phone: str) -> str:
    return "".join(filter(str.isdigit, phone)).removeprefix("44").lstrip("0")


def merges_of(club: Club) -> tuple[MergeRow, ...]:
    """The merged records, newest first; one query."""
    merges = club.merges.filter(kept__erased_on=None, gone__erased_on=None)
    return tuple(map(merge_row, merges.select_related("kept", "gone")))


def merge_row(merge: PlayerMerge) -> MergeRow:
    kept_player, merged_player = merge.kept, merge.gone
    return MergeRow(
        merge.pk,
        kept_player.pk,
        kept_player.name,
        merged_player.name,
        merge.made_at,
        merge.undone_at,
    )


def two_people_rows(club: Club) -> tuple[TwoPeopleRow, ...]:
    """The pairs that are kept as two people, newest first; one query."""
    records = active_records(club)
    pairs = club.two_people.filter(one__in=records, other__in=records).order_by("-pk")
    return tuple(map(two_people_row, pairs.select_related("one", "other")))


def two_people_row(pair: TwoPeople) -> TwoPeopleRow:
    person, other_person = pair.one, pair.other
    return TwoPeopleRow(
        pair.pk, person.pk, person.name, other_person.pk, other_person.name, pair.made_at
    )


def merged_into(player: Player) -> int | None:
    """The key of the record that this one was merged into, None if it was not; one query."""
    merges = PlayerMerge.objects.filter(gone=player, undone_at=None)
    return merges.values_list("kept_id", flat=True).first()


def relations() -> list[Relation]:
    """Each table that points to people, with its column; names and merges are apart."""
    return [
        (relation.related_model, relation.field.name)
        for relation in Player._meta.related_objects
        if isinstance(relation.related_model, type)
        and relation.related_model not in (Alias, PlayerMerge)
    ]


def are_two_people(person: Player, other_person: Player) -> bool:
    """Whether someone has answered that these records are two people; one query."""
    return TwoPeople.objects.filter(
        one__in=(person, other_person), other__in=(person, other_person)
    ).exists()
