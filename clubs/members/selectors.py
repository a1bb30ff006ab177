"""Members and guests: the list, subscriptions, imports, and records that may be one person's."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.db.models import Count, Max

from clubs.core.people_names import known_names, names_of, standing, twins
from clubs.models import (
    Attendance,
    Club,
    MemberImport,
    Player,
    PlayerKind,
    PlayerMerge,
    SessionSeat,
)
from clubs.models.names import EVERYBODY, Reader, name_key
from clubs.seats.selectors import SAT, Place, sittings

HELD_ON = ("session__season", "session__held_on")
HELD = (
    "name",
    "email",
    "wants_results",
    "phone",
    "kind",
    "joined_on",
    "paid_until",
    "is_active",
    "shown_as",
)


@dataclass(frozen=True, slots=True)
class MemberRow:
    """One line of the list of members."""

    player_id: int
    name: str
    kind: str
    email: str
    wants_results: bool
    is_active: bool
    evenings: int
    last_seen: date | None
    phone: str
    paid_until: date | None
    lapsed_on: date | None


@dataclass(frozen=True, slots=True)
class EveningRow:
    """One evening of one player; ``pays`` where its players pay one another."""

    session_id: int
    season_id: int | None
    held_on: date
    table: int
    points: int
    hands: int
    mahjongs: int
    best_hand: int
    pays: bool


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
    def points(self) -> int:
        """All gains together."""
        return sum(row.points for row in self.evenings)

    @property
    def mahjongs(self) -> int:
        """How often the player went Mah-Jong."""
        return sum(row.mahjongs for row in self.evenings)

    @property
    def hands(self) -> int:
        """Hands played."""
        return sum(row.hands for row in self.evenings)

    @property
    def best_hand(self) -> int:
        """The highest score of one hand."""
        return max((row.best_hand for row in self.evenings), default=0)

    @property
    def average(self) -> int:
        """Gain an evening, rounded to the nearest whole point."""
        return round(self.points / len(self.evenings)) if self.evenings else 0


def members(club: Club, *, reader: Reader = EVERYBODY) -> tuple[MemberRow, ...]:
    """Everyone on the club's list by name; one query."""
    players = standing(club).annotate(
        evenings=Count("attendances"), last_seen=Max("attendances__session__held_on")
    )
    names = names_of(players, reader)
    return tuple(
        MemberRow(
            player.pk,
            names[player.pk],
            player.kind,
            player.email,
            player.wants_results,
            player.is_active,
            player.evenings,
            player.last_seen,
            player.phone,
            player.paid_until,
            player.lapsed_on,
        )
        for player in sorted(
            players, key=lambda row: (not row.is_active, name_key(names[row.pk]), row.pk)
        )
    )


def details_of(player: Player) -> dict[str, Any]:
    """Everything that the club holds on a person, by the names of the form's fields; one query."""
    columns = {field: getattr(player, field) for field in HELD}
    return {**columns, "nicknames": tuple(player.aliases.values_list("name", flat=True))}


def player_view(player: Player, *, reader: Reader = EVERYBODY) -> PlayerView:
    """One player's evenings; one query."""
    sat = SessionSeat.objects.filter(player=player, session__club_id=player.club_id)
    rows = list(sat.order_by("-session__held_on").values_list(*SAT, *HELD_ON))
    evenings = {row[0]: row[-len(HELD_ON) :] for row in rows}
    places = [Place._make(row[: len(SAT)]) for row in rows]
    return PlayerView(
        player.pk,
        names_of([player], reader)[player.pk],
        tuple(
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
            for sitting in sittings(places)
            for season, day in [evenings[sitting.session_id]]
        ),
    )


SOON = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class DueRow:
    """A member whose subscription has run out, or soon will; no day: nothing is written down."""

    player_id: int
    name: str
    email: str
    phone: str
    paid_until: date | None
    is_over: bool


@dataclass(frozen=True, slots=True)
class GuestRow:
    """A guest, how often they came, and whether that is often enough to be asked to join."""

    player_id: int
    name: str
    visits: int
    last_seen: date | None
    is_to_ask: bool


@dataclass(frozen=True, slots=True)
class LapsedRow:
    """Someone who is no longer a member, since when, and the last day that they paid for."""

    player_id: int
    name: str
    since: date
    paid_until: date | None


@dataclass(frozen=True, slots=True)
class Subscriptions:
    """Who is due, the longest first; who never paid; who has left; the guests."""

    due: tuple[DueRow, ...]
    unknown: tuple[DueRow, ...]
    lapsed: tuple[LapsedRow, ...]
    guests: tuple[GuestRow, ...]


def subscriptions(club: Club, today: date) -> Subscriptions:
    """The club's subscriptions and guests on this day; one query."""
    people = standing(club).annotate(
        visits=Count("attendances"), last_seen=Max("attendances__session__held_on")
    )
    everybody = list(people.order_by("name_key"))
    rows = [
        DueRow(
            person.pk,
            person.name,
            person.email,
            person.phone,
            person.paid_until,
            is_over(person, today),
        )
        for person in everybody
        if person.is_active and person.kind == PlayerKind.MEMBER
    ]
    due = [row for row in rows if row.paid_until and row.paid_until < today + SOON]
    return Subscriptions(
        due=tuple(sorted(due, key=lambda row: row.paid_until or date.max)),
        unknown=tuple(row for row in rows if row.paid_until is None),
        lapsed=tuple(
            LapsedRow(person.pk, person.name, person.lapsed_on, person.paid_until)
            for person in everybody
            if person.lapsed_on
        ),
        guests=tuple(
            GuestRow(
                guest.pk,
                guest.name,
                guest.visits,
                guest.last_seen,
                is_to_be_asked(guest.visits, club),
            )
            for guest in sorted(everybody, key=lambda person: -person.visits)
            if guest.is_active and guest.kind == PlayerKind.GUEST
        ),
    )


def is_to_be_asked(visits: int, club: Club) -> bool:
    """Whether a guest who came so often is asked to join; never where the club asks nobody."""
    return club.guest_visits is not None and visits >= club.guest_visits


def visit_to_join(player: Player, visit: int, club: Club) -> int | None:
    """The visit that this evening is, where a guest is to be asked to join; else None."""
    is_asked = player.kind == PlayerKind.GUEST and is_to_be_asked(visit, club)
    return visit if is_asked else None


def is_over(player: Player, today: date) -> bool:
    """Whether the subscription has run out."""
    return player.paid_until is not None and player.paid_until < today


SHOWN = 5


@dataclass(frozen=True, slots=True)
class ImportRow:
    """One list that was read in: how many people were new in it, and how many it changed."""

    pk: int
    file_name: str
    made_at: datetime
    added: int
    changed: int
    undone_at: datetime | None


def imports_of(club: Club, *, most: int | None = SHOWN) -> tuple[ImportRow, ...]:
    """The newest lists that were read in, None: all of them; one query."""
    return tuple(map(import_row, club.imports.all()[:most]))


def import_row(made: MemberImport) -> ImportRow:
    """A list that was read in, as a row; no query."""
    return ImportRow(
        made.pk,
        made.file_name,
        made.made_at,
        len(made.added),
        len(made.before) - len(made.added),
        made.undone_at,
    )


@dataclass(frozen=True, slots=True)
class TwinRow:
    """Two records with like names; the one with more evenings would be kept."""

    kept_id: int
    kept: str
    kept_evenings: int
    gone_id: int
    gone: str
    gone_evenings: int


@dataclass(frozen=True, slots=True)
class MergeRow:
    """Two records that were made one."""

    pk: int
    kept_id: int
    kept: str
    gone: str
    made_at: datetime
    undone_at: datetime | None


def likely_twins(club: Club) -> tuple[TwinRow, ...]:
    """Pairs with like names that were never here on the same evening, by name; three queries."""
    named = standing(club).annotate(evenings=Count("attendances")).order_by("name_key", "pk")
    people = {person.pk: person for person in named}
    pairs = twins(known_names(club, people.values()))
    evenings: dict[int, set[int]] = defaultdict(set)
    paired = {person for pair in pairs for person in pair}
    rows = Attendance.objects.filter(player__in=paired).values_list("player_id", "session_id")
    for player, session in rows:
        evenings[player].add(session)
    likely = []
    for pair in pairs:
        kept, gone = sorted(
            (people[key] for key in pair), key=lambda who: (-len(evenings[who.pk]), who.pk)
        )
        there, elsewhere = evenings[kept.pk], evenings[gone.pk]
        if not there & elsewhere:
            likely.append(
                TwinRow(kept.pk, kept.name, len(there), gone.pk, gone.name, len(elsewhere))
            )
    return tuple(likely)


def merges_of(club: Club) -> tuple[MergeRow, ...]:
    """The records that were made one, newest first; one query."""
    merges = club.merges.filter(kept__erased_on=None, gone__erased_on=None)
    return tuple(map(merge_row, merges.select_related("kept", "gone")))


def merge_row(merge: PlayerMerge) -> MergeRow:
    """Two records that were made one, as a row."""
    return MergeRow(
        merge.pk,
        merge.kept_id,
        merge.kept.name,
        merge.gone.name,
        merge.made_at,
        merge.undone_at,
    )


def kept_instead(player: Player) -> int | None:
    """The key of the record that this one was made one with, None where it stands; one query."""
    merged = PlayerMerge.objects.filter(gone=player, undone_at=None)
    return merged.values_list("kept_id", flat=True).first()
