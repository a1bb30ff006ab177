"""What a season has to reckon with: who sat with whom, handicaps, evenings missed for the club."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from clubs.league import Evening, LeagueRules, Record, Sat
from clubs.models import Credit, PlayerKind, Season, SessionSeat
from scoring.scorebook.editions import rule_set


@dataclass(frozen=True, slots=True)
class SeasonRecord:
    """A season's record with the days of all its evenings; ``pays`` where players pay another."""

    record: Record
    days: tuple[date, ...]
    pays: bool


def record_of(season: Season, *rules: LeagueRules) -> SeasonRecord:
    """What was played in the season, evenings from their first hand on.

    Two queries, and one each where one of the rules knows handicaps, or credits.
    """
    sessions = dict(season.sessions.order_by("held_on").values_list("pk", "held_on"))
    places = list(
        SessionSeat.objects.filter(session__season=season, seat__hands__gt=0)
        .select_related("player", "seat__game")
        .order_by("table__number", "seat__number")
    )
    keys = {place.seat.game.rules for place in places}
    return SeasonRecord(
        record=Record(
            evenings=_evenings(sessions, places),
            handicaps=_handicaps(season) if any(one.handicaps for one in rules) else {},
            credits=_credits(season) if any(one.credit for one in rules) else {},
        ),
        days=tuple(sessions.values()),
        pays=all(rule_set(key).zero_sum for key in keys),
    )


def _evenings(sessions: Mapping[int, date], places: Iterable[SessionSeat]) -> tuple[Evening, ...]:
    tables: dict[int, dict[int, list[Sat]]] = defaultdict(lambda: defaultdict(list))
    for place in places:
        tables[place.session_id][place.table_id].append(_sat(place))
    return tuple(
        Evening(pk, held_on, tuple(tuple(table) for table in tables[pk].values()))
        for pk, held_on in sessions.items()
        if pk in tables
    )


def _sat(place: SessionSeat) -> Sat:
    seat, player = place.seat, place.player
    return Sat(
        player=player.pk,
        name=player.name,
        points=seat.points,
        hands=seat.hands,
        mahjongs=seat.mahjongs,
        best_hand=seat.best_hand,
        is_member=player.kind == PlayerKind.MEMBER,
    )


def _handicaps(season: Season) -> dict[int, int]:
    return dict(season.handicaps.values_list("player_id", "points"))


def _credits(season: Season) -> dict[int, frozenset[int]]:
    missed: dict[int, set[int]] = defaultdict(set)
    rows = Credit.objects.filter(session__season=season).values_list("player_id", "session_id")
    for player, session in rows:
        missed[player].add(session)
    return {player: frozenset(evenings) for player, evenings in missed.items()}
