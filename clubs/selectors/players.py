"""One player's page: figures of a season and of them all, season by season, and the chart."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from itertools import accumulate
from statistics import median

from clubs import league_rules
from clubs.chart import Chart, Stop, chart
from clubs.language.moments import day_and_month
from clubs.language.numbers import ordinal
from clubs.league_rules import Evening, Record, Standing
from clubs.members.selectors import EveningRow, PlayerView, player_view
from clubs.models import Player, Season
from clubs.models.names import EVERYBODY, Reader
from clubs.selectors.leagues import to_a_tenth
from clubs.selectors.leagues_record import SeasonRecord, records_of
from clubs.selectors.leagues_rules import rules_at_hand, with_rules
from clubs.table.rows import tallied


@dataclass(frozen=True, slots=True)
class Figures:
    """What evenings come to, at least one of them; ``best`` is the one with the most points."""

    evenings: int
    hands: int
    mahjongs: int
    total: int
    best: EveningRow
    best_hand: int
    pays: bool

    @property
    def share(self) -> int:
        """Of a hundred hands, in how many the player went Mah-Jong."""
        return round(100 * self.mahjongs / self.hands)

    @property
    def an_evening(self) -> Decimal:
        """The average of an evening, to a tenth of a point."""
        return to_a_tenth(Fraction(self.total, self.evenings))

    @property
    def a_hand(self) -> Decimal:
        """The average of a hand, to a tenth of a point."""
        return to_a_tenth(Fraction(self.total, self.hands))


@dataclass(frozen=True, slots=True)
class SeasonRow:
    """One season of a player; ``place`` in words, empty for a guest, who has none."""

    season_id: int
    title: str
    figures: Figures
    place: str
    of: int
    has_place: bool


@dataclass(frozen=True, slots=True)
class RunningRow:
    """An evening of the season: all so far, and the middle of the members'.

    ``played`` is None where the player was not there.
    """

    session_id: int
    day: date
    played: EveningRow | None
    total: str
    middle: str


@dataclass(frozen=True, slots=True)
class Running:
    """The season evening by evening, newest first, and its chart where there are two evenings."""

    rows: tuple[RunningRow, ...]
    chart: Chart | None


@dataclass(frozen=True, slots=True)
class PlayerSeasons:
    """Every evening and season of a player, the newest first.

    ``running`` is the season played in last, ``earlier`` are the evenings before and beside it.
    """

    history: PlayerView
    career: Figures | None
    seasons: tuple[SeasonRow, ...]
    running: Running | None
    earlier: tuple[EveningRow, ...]

    @property
    def now(self) -> SeasonRow | None:
        """The season that the player sat down in last."""
        return self.seasons[0] if self.seasons else None


def player_seasons(player: Player, *, reader: Reader = EVERYBODY) -> PlayerSeasons:
    """What a player's evenings come to, season by season.

    Five queries, and one each where the seasons' rules know handicaps and credits.
    """
    history = player_view(player, reader=reader)
    played = [row for row in history.evenings if row.hands]
    by_season: dict[int, list[EveningRow]] = defaultdict(list)
    for row in played:
        if row.season_id is not None:
            by_season[row.season_id].append(row)
    begun = Season.objects.filter(pk__in=by_season).select_related("league")
    seasons = list(with_rules(begun.order_by("-starts_on")))
    records = records_of(seasons, *map(rules_at_hand, seasons)) if seasons else {}
    rows = tuple(
        _season(season, records[season.pk], figures(by_season[season.pk]), player.pk)
        for season in seasons
    )
    return PlayerSeasons(
        history=history,
        career=figures(played) if played else None,
        seasons=rows,
        running=running(records[seasons[0].pk], by_season[seasons[0].pk]) if seasons else None,
        earlier=tuple(row for row in played if not seasons or row.season_id != seasons[0].pk),
    )


def figures(evenings: Sequence[EveningRow]) -> Figures:
    """What these evenings come to: at least one, newest first, all with a hand played."""
    return Figures(
        evenings=len(evenings),
        hands=sum(row.hands for row in evenings),
        mahjongs=sum(row.mahjongs for row in evenings),
        total=sum(row.points for row in evenings),
        best=max(reversed(evenings), key=lambda row: row.points),
        best_hand=max(row.best_hand for row in evenings),
        pays=all(row.pays for row in evenings),
    )


def _season(season: Season, told: SeasonRecord, found: Figures, player: int) -> SeasonRow:
    rows = league_rules.reckon(rules_at_hand(season), told.record)
    own = next((row for row in rows if row.player == player), None)
    return SeasonRow(
        season_id=season.pk,
        title=str(season),
        figures=found,
        place=_place(own),
        of=sum(row.place is not None for row in rows),
        has_place=own is not None and own.place is not None,
    )


def _place(own: Standing | None) -> str:
    if own is None:
        return ""
    return ordinal(own.place) if own.place else "not ranked yet"


def running(told: SeasonRecord, played: Sequence[EveningRow]) -> Running:
    """The player's total after each evening of the season, beside the middle of the members'."""
    held = sorted(told.record.evenings, key=lambda one: (one.day, one.key))
    there = {row.session_id: row for row in played}
    own = [there.get(evening.key) for evening in held]
    totals = list(accumulate(row.points if row else 0 for row in own))
    middles = list(_middles(told.record, held))
    rows = [
        RunningRow(
            session_id=evening.key,
            day=evening.day,
            played=row,
            total=tallied(total, pays=told.pays),
            middle=tallied(round(middle), pays=told.pays),
        )
        for evening, row, total, middle in zip(held, own, totals, middles, strict=True)
    ]
    stops = [
        Stop(row.day, middle, total if row.played else None, _said(row))
        for row, total, middle in zip(rows, totals, middles, strict=True)
    ]
    return Running(tuple(reversed(rows)), chart(stops, signed=told.pays))


def _points_of(evening: Evening) -> dict[int, int]:
    return {sat.player: sat.points for table in evening.tables for sat in table}


def _middles(record: Record, held: Sequence[Evening]) -> Iterator[float]:
    """After each evening, the median of the totals of all members who have played by then."""
    members = _members(record)
    totals: dict[int, int] = {}
    for evening in held:
        for player, points in _points_of(evening).items():
            if player in members:
                totals[player] = totals.get(player, 0) + points
        yield median(totals.values()) if totals else 0


def _members(record: Record) -> frozenset[int]:
    sat = (sat for evening in record.evenings for table in evening.tables for sat in table)
    return frozenset(one.player for one in sat if one.is_member)


def _said(row: RunningRow) -> str:
    return f"{day_and_month(row.day)}: {row.total}"
