"""What a season adds to the evenings: handicaps, and evenings missed for the club."""

from dataclasses import dataclass
from datetime import date

from clubs.models import Credit, Season


@dataclass(frozen=True, slots=True)
class HandicapRow:
    """Points that someone is given each evening."""

    player_id: int
    name: str
    points: int


@dataclass(frozen=True, slots=True)
class CreditRow:
    """An evening that someone missed for the club, and why."""

    pk: int
    name: str
    held_on: date
    reason: str


@dataclass(frozen=True, slots=True)
class Given:
    """Both lists, by name."""

    handicaps: tuple[HandicapRow, ...]
    credits: tuple[CreditRow, ...]


def given_in(season: Season) -> Given:
    """Everything that was given in the season; two queries."""
    handicaps = season.handicaps.select_related("player").order_by("player__name", "pk")
    missed = (
        Credit.objects.filter(session__season=season)
        .select_related("player", "session")
        .order_by("session__held_on", "player__name", "pk")
    )
    return Given(
        tuple(HandicapRow(one.player_id, one.player.name, one.points) for one in handicaps),
        tuple(
            CreditRow(one.pk, one.player.name, one.session.held_on, one.reason) for one in missed
        ),
    )
