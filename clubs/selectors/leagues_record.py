"""What a season has to reckon with: who sat with whom, handicaps, evenings missed for the club."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from clubs.league_rules import Evening, LeagueRules, Record, Sat
from clubs.models import Credit, Handicap, Season, Session, SessionSeat
from clubs.models.names import EVERYBODY, Reader
from clubs.seats.sittings import Place, Sitting, named, places_of, sittings
from scoring.scorebook.editions import rule_set


@dataclass(frozen=True, slots=True)
class SeasonRecord:
    """A season's record with the days of all its evenings; ``pays`` where players pay another."""

    record: Record
    days: tuple[date, ...]
    pays: bool


def record_of(season: Season, *rules: LeagueRules, reader: Reader = EVERYBODY) -> SeasonRecord:
    """What was played in the season, evenings from their first hand on.

    Two queries, and one each where one of the rules knows handicaps, or credits.
    """
    return records_of([season], *rules, reader=reader)[season.pk]


def records_of(
    seasons: Sequence[Season], *rules: LeagueRules, reader: Reader = EVERYBODY
) -> dict[int, SeasonRecord]:
    """The same for many seasons, by their keys, in the same queries."""
    sessions: dict[int, dict[int, date]] = defaultdict(dict)
    held = Session.objects.filter(season__in=seasons).order_by("held_on")
    season_of: dict[int, int] = {}
    for season, session, held_on in held.values_list("season_id", "pk", "held_on"):
        sessions[season][session] = held_on
        season_of[session] = season
    seated, places = _places(seasons), defaultdict[int, list[Place]](list)
    names = named(seated, reader)
    for place in seated:
        places[season_of[place.session]].append(place)
    handicaps = _handicaps(seasons) if any(one.handicaps for one in rules) else {}
    missed = _credits(seasons) if any(one.credit for one in rules) else {}
    return {
        season.pk: SeasonRecord(
            record=Record(
                evenings=_evenings(sessions[season.pk], places[season.pk], names),
                handicaps=handicaps.get(season.pk, {}),
                credits=missed.get(season.pk, {}),
            ),
            days=tuple(sessions[season.pk].values()),
            pays=all(map(_pays, {place.rules for place in places[season.pk]})),
        )
        for season in seasons
    }


def _places(seasons: Sequence[Season]) -> list[Place]:
    played = SessionSeat.objects.filter(session__season__in=seasons, seat__hands__gt=0)
    return places_of(played.order_by("table__number", "seat__number"))


def _pays(rules: str) -> bool:
    return rule_set(rules).zero_sum


def _evenings(
    sessions: Mapping[int, date], places: Iterable[Place], names: Mapping[int, str]
) -> tuple[Evening, ...]:
    tables: dict[int, dict[int, list[Sat]]] = defaultdict(lambda: defaultdict(list))
    for sitting in sittings(places):
        sat = _sat(sitting, names[sitting.player_id])
        tables[sitting.session_id][sitting.table].append(sat)
    return tuple(
        Evening(pk, held_on, tuple(tuple(table) for table in tables[pk].values()))
        for pk, held_on in sessions.items()
        if pk in tables
    )


def _sat(sitting: Sitting, name: str) -> Sat:
    return Sat(
        player=sitting.player_id,
        name=name,
        points=sitting.points,
        hands=sitting.hands,
        mahjongs=sitting.mahjongs,
        best_hand=sitting.best_hand,
        is_member=sitting.is_member,
    )


def _handicaps(seasons: Sequence[Season]) -> dict[int, dict[int, int]]:
    given: dict[int, dict[int, int]] = defaultdict(dict)
    rows = Handicap.objects.filter(season__in=seasons)
    for season, player, points in rows.values_list("season_id", "player_id", "points"):
        given[season][player] = points
    return given


def _credits(seasons: Sequence[Season]) -> dict[int, dict[int, frozenset[int]]]:
    missed: dict[int, dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
    rows = Credit.objects.filter(session__season__in=seasons)
    for season, player, session in rows.values_list("session__season", "player_id", "session_id"):
        missed[season][player].add(session)
    return {
        season: {player: frozenset(evenings) for player, evenings in missed[season].items()}
        for season in missed
    }
