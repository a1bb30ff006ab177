"""What each player played on an evening, over all their games."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.models import QuerySet

from clubs.models import EARLIER_GAME, PlayerKind, SessionSeat, SessionTable
from clubs.models.names import Person, Reader, shown_names
from scoring.scorebook.editions import rule_set

SAT = (
    *("session", "player", "player__name", "player__name_key", "player__shown_as", "player__kind"),
    *("pk", "is_current", "table__number"),
    *("seat__points", "seat__hands", "seat__mahjongs", "seat__best_hand", "seat__game__rules"),
)


class Place(NamedTuple):
    """A player's place in one game, by the columns of SAT; a tuple, as a season has many."""

    session: int
    player: int
    name: str
    name_key: str
    shown_as: str
    kind: str
    pk: int
    is_current: bool
    number: int
    points: int
    hands: int
    mahjongs: int
    best_hand: int
    rules: str


@dataclass(frozen=True, slots=True)
class Sitting:
    """One player's evening, all games together.

    ``table``: where they played most hands; ``pays``: points are payments between players.
    """

    session_id: int
    player_id: int
    name_key: str
    is_member: bool
    table: int
    points: int
    hands: int
    mahjongs: int
    best_hand: int
    pays: bool


def places_of(places: QuerySet[SessionSeat, Any]) -> list[Place]:
    """The places as plain rows, in their order; one query."""
    return list(map(Place._make, places.values_list(*SAT)))


def places_in(tables: Iterable[SessionTable]) -> list[Place]:
    """The same from tables read with their games, and places with player and seat."""
    places = []
    for table in tables:
        for place in table.places.all():
            player, seat = place.player, place.seat
            places.append(
                Place(
                    session=place.session_id,
                    player=player.pk,
                    name=player.name,
                    name_key=player.name_key,
                    shown_as=player.shown_as,
                    kind=player.kind,
                    pk=place.pk,
                    is_current=place.is_current,
                    number=table.number,
                    points=seat.points,
                    hands=seat.hands,
                    mahjongs=seat.mahjongs,
                    best_hand=seat.best_hand,
                    rules=table.game.rules,
                )
            )
    return places


def named(places: Iterable[Place], reader: Reader) -> dict[int, str]:
    """The names of these players by id, as the reader may see them; no query."""
    people = {Person(place.player, place.name, place.shown_as, place.player) for place in places}
    return shown_names(people, reader)


def sittings(places: Iterable[Place]) -> list[Sitting]:
    """One sitting for each player and evening, in the order of the places; no query.

    Someone has several places if people joined or left their table.
    """
    games: dict[tuple[int, int], list[Place]] = defaultdict(list)
    for place in places:
        games[place.session, place.player].append(place)
    played = []
    for own in games.values():
        longest = max(own, key=lambda place: (place.hands, place.is_current, place.pk))
        played.append(
            Sitting(
                session_id=longest.session,
                player_id=longest.player,
                name_key=longest.name_key,
                is_member=longest.kind == PlayerKind.MEMBER,
                table=longest.number % EARLIER_GAME,
                points=sum(place.points for place in own),
                hands=sum(place.hands for place in own),
                mahjongs=sum(place.mahjongs for place in own),
                best_hand=max(place.best_hand for place in own),
                pays=rule_set(longest.rules).zero_sum,
            )
        )
    return played
