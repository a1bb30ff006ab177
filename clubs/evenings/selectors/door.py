"""The door: who is here, whom one press checks in, and how they can be seated."""

from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import date
from typing import Annotated

from django.db.models import Count, OuterRef, Q, Subquery

from clubs.evenings.selectors.calendar import in_pounds
from clubs.evenings.selectors.seating import preferences_for
from clubs.language.words import ordinal
from clubs.members.selectors import visit_to_join
from clubs.models import Attendance, Player, PlayerKind, Session, SessionSeat, counting_evenings
from clubs.models.names import surname_key
from clubs.seating import BadRequest
from clubs.seating.wishes import (
    PREFERRED_SIZES,
    Advice,
    advise,
    impossible_sentence,
    select_wishes,
    split_in_words,
    usual_split,
    wish_outcomes,
    wishes_of_present,
)
from clubs.table.rows import Arrival
from scoring.scorebook.editions import rule_set

MIN_PLAYERS = 3
MAX_FIRST_CHECK_IN = 40  # members whom one press checks in though none of them has come before


@dataclass(frozen=True, slots=True)
class CheckInRow:
    """One row of the check-in list."""

    player_id: int
    name: str
    is_guest: bool
    is_here: bool
    table: int | None
    visit_to_join: int | None = None

    @property
    def asks(self) -> Annotated[str, "a message for a guest, if any"]:
        """A reminder to ask a regular guest to join; empty for anyone else."""
        if self.visit_to_join is None:
            return ""
        return f"{ordinal(self.visit_to_join)} visit: ask them to join"


@dataclass(frozen=True, slots=True)
class UsualPeople:
    """The members whom one press checks in; before the first evening, all of a small club.

    ``came_on`` is the day of the last evening, to which they came.
    """

    players: tuple[int, ...] = ()
    came_on: date | None = None


@dataclass(frozen=True, slots=True)
class DoorList:
    """The check-in list, by surname."""

    rows: tuple[CheckInRow, ...]
    sizes: frozenset[int] = frozenset(PREFERRED_SIZES)

    @property
    def present_count(self) -> int:
        return sum(row.is_here for row in self.rows)

    @property
    def is_laid(self) -> bool:
        return any(row.table is not None for row in self.rows)

    @property
    def unseated_names(self) -> tuple[str, ...]:
        return tuple(row.name for row in self.rows if row.is_here and row.table is None)

    @property
    def can_be_seated(self) -> bool:
        return self.present_count >= MIN_PLAYERS

    @property
    def advice(self) -> Advice:
        return advise(self.present_count, self.sizes)

    @property
    def choices(self) -> tuple[tuple[str, str], ...]:
        """Each way to sit, as a form sends it (``4,5,5``) and in words."""
        return tuple((split_to_text(split), split_in_words(split)) for split in self.advice.splits)

    @property
    def current_split(self) -> str:
        """The sizes of the tables now, if they fit who is here, to seat everyone that way again."""
        sizes = Counter(row.table for row in self.rows if row.table is not None)
        split = tuple(sorted(sizes.values(), key=PREFERRED_SIZES.index))
        return split_to_text(split) if sum(split) == self.present_count else ""

    def row(self, player_id: int) -> CheckInRow | None:
        return next((row for row in self.rows if row.player_id == player_id), None)


@dataclass(frozen=True, slots=True)
class WishesTonight:
    """How many seating preferences are or can be met, and a sentence on each that is not."""

    count: int
    sentences: tuple[str, ...]


def attendances_of(session: Session) -> list[Attendance]:
    """Who is here and has not gone home, by surname."""
    attendances = session.attendances.filter(left_at=None).select_related("player")
    return sorted(attendances, key=lambda attendance: surname_key(attendance.player.name))


def check_in_list(session: Session) -> tuple[CheckInRow, ...]:
    """The list at the door, by surname as every list of people; one query."""
    attendance_filter = Q(attendances__session=session, attendances__left_at=None)
    seat = SessionSeat.objects.filter(session=session, player=OuterRef("pk"), is_current=True)
    players = (
        Player.objects.filter(club_id=session.club_id)
        .annotate(
            evenings=Count("attendances", filter=counting_evenings("attendances__session__")),
            here=Count("attendances", filter=attendance_filter),
            at=Subquery(seat.values("table__number")[:1]),
        )
        .order_by("pk")
    )
    return tuple(
        CheckInRow(
            player.pk,
            player.name,
            player.kind == "guest",
            bool(player.here),
            player.at,
            visit_to_join(player, player.evenings + (not player.here), session.club),
        )
        for player in sorted(players, key=lambda player: surname_key(player.name))
        if player.is_active or player.here
    )


def usual_people(session: Session) -> UsualPeople:
    """Who came last time, or all members of a club too small to untick many; two queries."""
    came = Session.objects.filter(
        counting_evenings(), club_id=session.club_id, held_on__lt=session.held_on
    )
    last = came.filter(attendances__isnull=False).order_by("-held_on").first()
    members = Player.objects.filter(
        club_id=session.club_id, kind=PlayerKind.MEMBER, is_active=True
    ).order_by("pk")
    if last is not None:
        members = members.filter(attendances__session=last)
    players = tuple(members.values_list("pk", flat=True))
    if last is None and len(players) > MAX_FIRST_CHECK_IN:
        return UsualPeople()
    return UsualPeople(players, last.held_on if last else None)


def attendance_list(session: Session) -> list[Arrival]:
    """Everyone on the list at the door, whether they came and what they paid; three queries.

    Whoever left early came too. Whoever came and is no longer a current member is on it as well.
    """
    came = dict(session.attendances.values_list("player", "player__name"))
    paid = dict(session.money.values_list("player", "pence"))
    names = {row.player_id: row.name for row in check_in_list(session)}
    return [
        Arrival(name, player in came, in_pounds(paid[player]) if player in paid else "")
        for player, name in (names | came).items()
    ]


def split_to_text(split: tuple[int, ...]) -> str:
    """A split as a form sends it: ``4,5,5``."""
    return ",".join(map(str, split))


def allowed_sizes(rules: str) -> frozenset[int]:
    """How many may sit at a club's table under these rules: three to five."""
    return frozenset(PREFERRED_SIZES) & frozenset(rule_set(rules).seats)


def door_list(session: Session) -> DoorList:
    """The list at the door of this evening; one query."""
    return DoorList(check_in_list(session), allowed_sizes(session.plays))


def wishes_tonight(session: Session, door: DoorList) -> WishesTonight:
    """The seating preferences that cannot be met or, once people sit, were not; one query.

    Before the seating this is judged by the usual tables.
    """
    preferences = preferences_for(session)
    wishes, names = preferences.wishes, preferences.names
    if door.is_laid:
        tables: dict[int, list[str]] = defaultdict(list)
        for row in door.rows:
            if row.table is not None:
                tables[row.table].append(str(row.player_id))
        outcomes = wish_outcomes(wishes, tables, names)
        unmet_sentences = tuple(outcome.sentence for outcome in outcomes if not outcome.is_kept)
        return WishesTonight(len(outcomes) - len(unmet_sentences), unmet_sentences)
    present_players = [str(row.player_id) for row in door.rows if row.is_here]
    try:
        sizes = usual_split(door.present_count, door.sizes)
    except BadRequest:
        sizes = ()
    unmet_wishes = select_wishes(wishes, present_players, sizes).left_out if sizes else ()
    sentences = tuple(
        impossible_sentence(wish, wishes, present_players, len(sizes), names)
        for wish in unmet_wishes
    )
    return WishesTonight(
        sum(1 for _ in wishes_of_present(wishes, present_players)) - len(unmet_wishes), sentences
    )
