"""Reading members and one player's evenings."""

from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import Count, Max

from clubs.core.people_names import names_of, standing
from clubs.models import Club, Player, SessionSeat
from clubs.models.names import EVERYBODY, Reader, name_key
from clubs.selectors.sittings import SAT, Place, sittings

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
            players, key=lambda one: (not one.is_active, name_key(names[one.pk]), one.pk)
        )
    )


def held(player: Player) -> dict[str, Any]:
    """Everything that the club holds on a person, by the names of the form's fields; one query."""
    columns = {field: getattr(player, field) for field in HELD}
    return {**columns, "nicknames": tuple(player.aliases.values_list("name", flat=True))}


def player_view(player: Player, *, reader: Reader = EVERYBODY) -> PlayerView:
    """One player's evenings; one query."""
    sat = SessionSeat.objects.filter(player=player, session__club_id=player.club_id)
    told = list(sat.order_by("-session__held_on").values_list(*SAT, *HELD_ON))
    evenings = {row[0]: row[-len(HELD_ON) :] for row in told}
    places = [Place._make(row[: len(SAT)]) for row in told]
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
