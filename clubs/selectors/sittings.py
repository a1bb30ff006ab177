"""What somebody played on an evening: one row each, however many games it took."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from clubs.models import Player, SessionSeat
from scoring.scorebook.editions import rule_set


@dataclass(frozen=True, slots=True)
class Sitting:
    """One player's evening, all games together.

    ``table`` is the one at which most hands were played; ``pays`` where players pay one another.
    """

    session_id: int
    player: Player
    table: int
    points: int
    hands: int
    mahjongs: int
    best_hand: int
    pays: bool


def sittings(places: Iterable[SessionSeat]) -> list[Sitting]:
    """Each player's of each evening, in the order of the places; no query.

    Somebody has more than one place where people came or left while their table played on.
    """
    games: dict[tuple[int, int], list[SessionSeat]] = defaultdict(list)
    for place in places:
        games[place.session_id, place.player_id].append(place)
    return [_sitting(played) for played in games.values()]


def _sitting(games: list[SessionSeat]) -> Sitting:
    longest = max(games, key=lambda place: (place.seat.hands, place.is_current, place.pk))
    seats = [place.seat for place in games]
    return Sitting(
        session_id=longest.session_id,
        player=longest.player,
        table=longest.table.at,
        points=sum(seat.points for seat in seats),
        hands=sum(seat.hands for seat in seats),
        mahjongs=sum(seat.mahjongs for seat in seats),
        best_hand=max(seat.best_hand for seat in seats),
        pays=rule_set(longest.seat.game.rules).zero_sum,
    )
