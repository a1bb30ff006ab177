"""Seasons: the league table, its rules, and the explanation of each place."""

from calendar import monthrange
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import MAXYEAR, date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any, Final, TypeVar

from django.db.models import Count, F, Prefetch, QuerySet, Sum
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone

from clubs.language.moments import full_date
from clubs.league_rules import rules as league_rules, standings
from clubs.league_rules.rules import LeagueRules, TieBreak
from clubs.league_rules.standings import LeagueEvening, LeagueSeason, TableResult
from clubs.models import (
    Club,
    Credit,
    Handicap,
    Season,
    SeasonRules,
    Session,
    SessionSeat,
    SessionState,
    counting_evenings,
)
from clubs.models.names import ORGANISER_READER, PUBLIC_READER, Reader, by_surname, surname_key
from clubs.seating.why import join_with_and
from clubs.seats.selectors import GamePlace, names_of_players, places_of, player_evenings
from clubs.table.rankings import NO_PLACE, PlayerMove, RankedRow, ranked_row
from clubs.table.rows import points_text
from scoring.scorebook.editions import rule_set

MONTHS_PER_YEAR: Final = 12
TENTH: Final = Decimal("0.1")
AnySeason = TypeVar("AnySeason", bound=Season)


@dataclass(frozen=True, slots=True)
class HandicapRow:
    """A player's handicap: points given each evening."""

    player_id: int
    name: str
    points: int


@dataclass(frozen=True, slots=True)
class CreditRow:
    """A club-duty credit: an evening missed while working for the club."""

    pk: int
    name: str
    held_on: date
    reason: str


@dataclass(frozen=True, slots=True)
class Adjustments:
    """Handicaps and club-duty credits in a season."""

    handicaps: tuple[HandicapRow, ...]
    credits: tuple[CreditRow, ...]


def adjustments_in(season: Season) -> Adjustments:
    """All handicaps and credits of the season; two queries."""
    handicaps = sorted(
        season.handicaps.select_related("player"), key=lambda row: surname_key(row.player.name)
    )
    credit_rows = Credit.objects.filter(
        counting_evenings("session__"), session__season=season
    ).select_related("player", "session")
    sorted_credits = sorted(
        credit_rows, key=lambda row: (row.session.held_on, surname_key(row.player.name))
    )
    return Adjustments(
        tuple(HandicapRow(row.player_id, row.player.name, row.points) for row in handicaps),
        tuple(
            CreditRow(row.pk, row.player.name, row.session.held_on, row.reason)
            for row in sorted_credits
        ),
    )


@dataclass(frozen=True, slots=True)
class SeasonRecord:
    """A season's record with the dates of all its evenings; ``pays`` if players pay one another.

    ``unfinished_days``: the dates of evenings with hands that are still being played.
    """

    record: LeagueSeason
    days: tuple[date, ...]
    pays: bool
    unfinished_days: tuple[date, ...]


def season_record(
    season: Season, *rules: LeagueRules, reader: Reader = PUBLIC_READER
) -> SeasonRecord:
    """The season's results, with evenings that have at least one hand.

    Two queries, and one each if one of the rules uses handicaps or credits.
    """
    return season_records([season], *rules, reader=reader)[season.pk]


def season_records(
    seasons: Sequence[Season], *rules: LeagueRules, reader: Reader = PUBLIC_READER
) -> dict[int, SeasonRecord]:
    """The same for many seasons, by their keys, in the same queries."""
    sessions: dict[int, dict[int, date]] = defaultdict(dict)
    evenings = Session.objects.filter(counting_evenings(), season__in=seasons).order_by("held_on")
    season_of: dict[int, int] = {}
    closed_sessions = set()
    for season, session, held_on, state in evenings.values_list(
        "season_id", "pk", "held_on", "state"
    ):
        sessions[season][session] = held_on
        season_of[session] = season
        if state == SessionState.CLOSED:
            closed_sessions.add(session)
    played_seats = SessionSeat.objects.filter(
        counting_evenings("session__"), session__season__in=seasons, seat__hands__gt=0
    )
    game_places = places_of(played_seats.order_by("table__number", "seat__number"))
    places: dict[int, list[GamePlace]] = defaultdict(list)
    names = names_of_players(game_places, reader)
    for place in game_places:
        places[season_of[place.session]].append(place)
    handicaps, missed_evenings = _read_adjustments(seasons, rules)
    played_in = {
        season.pk: _league_evenings(sessions[season.pk], places[season.pk], names)
        for season in seasons
    }
    return {
        season.pk: SeasonRecord(
            record=LeagueSeason(
                evenings=played_in[season.pk],
                handicaps=handicaps[season.pk],
                credits={
                    player: frozenset(pks) for player, pks in missed_evenings[season.pk].items()
                },
            ),
            days=tuple(sessions[season.pk].values()),
            pays=all(
                rule_set(rules).zero_sum for rules in {place.rules for place in places[season.pk]}
            ),
            unfinished_days=tuple(
                evening.day
                for evening in played_in[season.pk]
                if evening.key not in closed_sessions
            ),
        )
        for season in seasons
    }


def _league_evenings(
    sessions: Mapping[int, date], places: Iterable[GamePlace], names: Mapping[int, str]
) -> tuple[LeagueEvening, ...]:
    tables: dict[int, dict[int, list[TableResult]]] = defaultdict(lambda: defaultdict(list))
    for sitting in player_evenings(places):
        table_result = TableResult(
            player=sitting.player_id,
            name=names[sitting.player_id],
            points=sitting.points,
            hands=sitting.hands,
            mahjongs=sitting.mahjongs,
            best_hand=sitting.best_hand,
            is_member=sitting.is_member,
        )
        tables[sitting.session_id][sitting.table].append(table_result)
    return tuple(
        LeagueEvening(pk, held_on, tuple(tuple(table) for table in tables[pk].values()))
        for pk, held_on in sessions.items()
        if pk in tables
    )


def _read_adjustments(
    seasons: Sequence[Season], rules: Sequence[LeagueRules]
) -> tuple[Mapping[int, dict[int, int]], Mapping[int, dict[int, set[int]]]]:
    """By season and player: handicaps, and credited evenings."""
    handicaps: dict[int, dict[int, int]] = defaultdict(dict)
    if any(rule.handicaps for rule in rules):
        handicap_rows = Handicap.objects.filter(season__in=seasons)
        for season, player, points in handicap_rows.values_list("season_id", "player_id", "points"):
            handicaps[season][player] = points
    missed_evenings: dict[int, dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
    if any(rule.credit for rule in rules):
        rows = Credit.objects.filter(counting_evenings("session__"), session__season__in=seasons)
        columns = ("session__season", "player_id", "session_id")
        for season, player, session in rows.values_list(*columns):
            missed_evenings[season][player].add(session)
    return handicaps, missed_evenings


@dataclass(frozen=True, slots=True)
class VersionRow:
    """One version of a season's ranking rules."""

    number: int
    rules: LeagueRules
    made_at: datetime
    made_by: str
    adopted_at: datetime | None
    holds: bool

    @property
    def rule(self) -> Annotated[str, "in one sentence"]:
        return league_rules.rules_summary(self.rules)

    @property
    def sentences(self) -> Annotated[tuple[str, ...], "rule by rule"]:
        return league_rules.rule_sentences(self.rules)


def rules_of(season: Season) -> LeagueRules:
    """The season's ranking rules; one query."""
    return _first_rules(_adopted_versions(season.versions.all())[:1])


def prefetch_rules(seasons: QuerySet[AnySeason]) -> QuerySet[AnySeason]:
    """The seasons with their rules prefetched for ``prefetched_rules``; one more query for all."""
    versions = _adopted_versions(SeasonRules.objects.all())
    return seasons.prefetch_related(Prefetch("versions", versions, to_attr="adopted"))


def prefetched_rules(season: Season) -> LeagueRules:
    """The ranking rules of a season from ``prefetch_rules``; no query."""
    return _first_rules(season.adopted)  # type: ignore[attr-defined]


def season_in(club: Club, pk: int) -> Season:
    """The club's season of that number. Raises ``Http404``."""
    seasons = Season.objects.select_related("league__club")
    return get_object_or_404(seasons, league__club=club, pk=pk)


def version_in(season: Season, number: int) -> VersionRow:
    """The season's version of that number. Raises ``Http404``."""
    for version in versions_of(season):
        if version.number == number:
            return version
    raise Http404


def versions_of(season: Season) -> tuple[VersionRow, ...]:
    """Every version of the season's rules, newest first; one query."""
    versions = list(season.versions.select_related("made_by").order_by("-number"))
    adopted_versions = [version for version in versions if version.adopted_at is not None]
    holds = max(
        adopted_versions, key=lambda version: (version.adopted_at, version.number), default=None
    )
    return tuple(
        VersionRow(
            number=version.number,
            rules=league_rules.read_rules(version.declaration),
            made_at=version.made_at,
            made_by=str(version.made_by or ""),
            adopted_at=version.adopted_at,
            holds=version == holds,
        )
        for version in versions
    )


def _adopted_versions(versions: QuerySet[SeasonRules]) -> QuerySet[SeasonRules]:
    return versions.filter(adopted_at__isnull=False).order_by(F("adopted_at").desc(), "-number")


def _first_rules(versions: Iterable[SeasonRules]) -> LeagueRules:
    for version in versions:
        return league_rules.read_rules(version.declaration)
    return LeagueRules()


@dataclass(frozen=True, slots=True)
class LeagueRow:
    """One player's season; place is null if not ranked yet.

    ``pays`` if players pay one another, so that points have a sign; ``is_signed`` if the score has
    one. ``best_total``: the points of evenings that count.
    """

    place: int | None
    is_tied: bool
    player_id: int
    name: str
    evenings_attended: int
    total: int
    average: Annotated[Fraction, "of an evening; an exact fraction, such as 245/2"]
    best_total: int
    counting_evenings: int
    mahjongs: int
    best_hand: int
    decided_by: str | None
    score: Annotated[Fraction, "the ranking figure; an exact fraction, such as 35/2"]
    pays: bool
    is_signed: bool
    has_tenths: bool

    @property
    def mean(self) -> Decimal:
        """The average per evening, to a tenth of a point."""
        return round_to_tenth(self.average).quantize(TENTH)

    @property
    def counts(self) -> Decimal:
        """The score, to a tenth of a point where anybody's is not whole."""
        score = round_to_tenth(self.score)
        return score.quantize(TENTH) if self.has_tenths else score


@dataclass(frozen=True, slots=True)
class LeagueTable:
    """A season's table and its ranking rules in a sentence."""

    season_id: int
    title: str
    rules: LeagueRules
    evenings: tuple[date, ...]
    unfinished_evenings: Annotated[
        tuple[date, ...], "evenings that are still being played but already count"
    ]
    rows: tuple[LeagueRow, ...]

    @property
    def provisional(self) -> str:
        """That evenings still being played are included; empty if there are none."""
        if not self.unfinished_evenings:
            return ""
        days = join_with_and([full_date(day) for day in self.unfinished_evenings])
        is_plural = len(self.unfinished_evenings) > 1
        return f"Provisional: {days} {'are' if is_plural else 'is'} not finished yet."

    @property
    def rule(self) -> str:
        return league_rules.rules_summary(self.rules)

    @property
    def sentences(self) -> Annotated[tuple[str, ...], "rule by rule"]:
        return league_rules.rule_sentences(self.rules)

    @property
    def heading(self) -> str:
        return league_rules.ranking_heading(self.rules)

    @property
    def shows_total(self) -> bool:
        """Whether to show the points of all evenings beside the score."""
        return self.heading != "Total" or not self.rules.has_signs

    @property
    def shows_average(self) -> bool:
        """Whether to show the average per evening beside the score."""
        return self.heading != "Average"

    @property
    def least(self) -> str:
        """The evenings needed for a place, in words; empty if none are required."""
        return "" if self.rules.least is None else league_rules.quota_phrase(self.rules.least)

    @property
    def ranked_rows(self) -> tuple[LeagueRow, ...]:
        return tuple(row for row in self.rows if row.place is not None)

    @property
    def unranked_rows(self) -> tuple[LeagueRow, ...]:
        """Players with too few evenings for a place."""
        return tuple(by_surname(row for row in self.rows if row.place is None))


@dataclass(frozen=True, slots=True)
class SeasonSummary:
    """A season."""

    pk: int
    name: str
    league: str
    title: str
    starts_on: date
    ends_on: date
    evenings: int
    rule: Annotated[str, "the ranking rules, in a sentence"]


def round_to_tenth(number: Fraction) -> Decimal:
    if number.denominator == 1:  # arithmetic with fractions is slow
        return Decimal(number.numerator)
    return Decimal(round(number * 10)) / 10


def league_table(season: Season, *, reader: Reader = PUBLIC_READER) -> LeagueTable:
    """Every member who played in the season, ranked; an evening counts from its first hand.

    Guests are left out. Three queries, and one each if the rules use handicaps and credits.
    """
    rules = rules_of(season)
    return table_by_rules(season, rules, season_record(season, rules, reader=reader))


def table_by_rules(season: Season, rules: LeagueRules, season_results: SeasonRecord) -> LeagueTable:
    rows = []
    ranking = standings.rank_members(rules, season_results.record)
    has_tenths = any(standing.score.denominator > 1 for standing in ranking)
    for standing in ranking:
        total = int(standing.values[TieBreak.POINTS.value])
        attendance = int(standing.values[TieBreak.ATTENDED.value])
        decided_by = standing.decided_by
        if decided_by == standings.SCORE:
            decided_by = league_rules.ranking_metric(rules)
        row = LeagueRow(
            place=standing.place,
            is_tied=standing.is_tied,
            player_id=standing.player,
            name=standing.name,
            evenings_attended=attendance,
            total=total,
            average=Fraction(total, attendance),
            best_total=sum(line.points or 0 for line in standing.lines if line.fate.counts),
            counting_evenings=standing.counting_evenings,
            mahjongs=int(standing.values[TieBreak.MAHJONGS.value]),
            best_hand=int(standing.values[TieBreak.BEST_HAND.value]),
            decided_by=decided_by,
            score=standing.score,
            pays=season_results.pays,
            is_signed=season_results.pays and rules.has_signs,
            has_tenths=has_tenths,
        )
        rows.append(row)
    return LeagueTable(
        season.pk,
        str(season),
        rules,
        season_results.days,
        season_results.unfinished_days,
        tuple(rows),
    )


def current_season(club: Club) -> Season | None:
    """The season that began last; before the first one begins, that one."""
    seasons = Season.objects.filter(league__club=club).select_related("league")
    begun_season = (
        seasons.filter(starts_on__lte=timezone.localdate()).order_by("-starts_on").first()
    )
    return begun_season or seasons.order_by("starts_on").first()


def seasons_in(club: Club) -> QuerySet[Season]:
    """The club's seasons with the data of their summaries, latest start first."""
    seasons = Season.objects.filter(league__club=club).select_related("league")
    return prefetch_rules(
        seasons.annotate(evenings=Count("sessions")).order_by("-starts_on", "-pk")
    )


def season_summaries(seasons: Iterable[Season]) -> tuple[SeasonSummary, ...]:
    """Summaries of the seasons from ``seasons_in``; no query."""
    return tuple(
        SeasonSummary(
            season.pk,
            season.name,
            season.league.name,
            str(season),
            season.starts_on,
            season.ends_on,
            season.evenings,  # type: ignore[attr-defined]
            league_rules.rules_summary(prefetched_rules(season)),
        )
        for season in seasons
    )


def proposed_season(club: Club, today: date) -> dict[str, Any]:
    """The days that a new season probably has, and a name, by the fields of its form; two queries.

    The first is a year from the first day of this month, or of the month of the first evening.
    Each later one begins when the one before it ends, and is as long.
    """
    last = Season.objects.filter(league__club=club).order_by("-ends_on").first()
    if last is None:
        evenings = Session.objects.filter(counting_evenings(), club=club, held_on__lt=today)
        earliest = evenings.order_by("held_on").values_list("held_on", flat=True).first() or today
        starts_on, months = earliest.replace(day=1), MONTHS_PER_YEAR
    elif 2 * last.ends_on.year - last.starts_on.year >= MAXYEAR:
        return {}  # another as long would end beyond the calendar
    else:
        starts_on = last.ends_on + timedelta(days=1)
        months = _months_between(last.starts_on, starts_on)
        if not months:
            return {"starts_on": starts_on}
    ends_on = _months_after(starts_on, months) - timedelta(days=1)
    days = {"starts_on": starts_on, "ends_on": ends_on}
    is_year = months == MONTHS_PER_YEAR
    return days | {"name": _name_of_year(starts_on, ends_on)} if is_year else days


def _months_between(start: date, end: date) -> int:
    """How many months lie between two days; 0 if they are not on the same day of the month."""
    months = (end.year - start.year) * MONTHS_PER_YEAR + end.month - start.month
    return months if start.day == end.day else 0


def _months_after(day: date, months: int) -> date:
    """The same day of a later month; of a shorter month, its last."""
    years, month = divmod(day.month - 1 + months, MONTHS_PER_YEAR)
    year, month = day.year + years, month + 1
    return date(year, month, min(day.day, monthrange(year, month)[1]))


def _name_of_year(starts_on: date, ends_on: date) -> str:
    """“2026”, or “2026–27” for a year that ends in the next one."""
    year_suffix = "" if starts_on.year == ends_on.year else f"–{ends_on:%y}"
    return f"{starts_on.year}{year_suffix}"


@dataclass(frozen=True, slots=True)
class SeasonStep:
    """What the secretary does next for a season: the situation, and the address of its button.

    ``opens``: the day of the evening that the button opens; None: it only leads to the address.
    """

    title: str
    text: str
    button: str
    address: str
    opens: date | None = None


def next_step(season: Season, league: LeagueTable, club: Club) -> SeasonStep | None:
    """The next step of a season; None if there is nothing to do. One query.

    A club that has chosen what others see, or has hidden its first steps, may stay private.
    """
    counting = season.sessions.filter(counting_evenings()).exclude(state=SessionState.CLOSED)
    open_evening = counting.order_by("held_on").first()
    if open_evening:
        return SeasonStep(
            f"{full_date(open_evening.held_on)} is not finished",
            "The league table is provisional until you finish this evening.",
            "Go to the evening",
            reverse("evening", args=[club.slug, open_evening.pk]),
        )
    if not league.rows:
        today = timezone.localdate()
        is_on = season.starts_on <= today <= season.ends_on
        return SeasonStep(
            "No evenings count yet",
            "Every evening in the season counts automatically, from its first hand.",
            "Start today’s evening" if is_on else "Choose a date",
            reverse("evenings", args=[club.slug]),
            today if is_on else None,
        )
    if club.shows_first_steps and not club.publishes:
        return SeasonStep(
            "Only members see this league",
            "You can publish it for anyone who visits the club’s pages.",
            "Publish the league",
            reverse("club-public", args=[club.slug]),
        )
    return None


def results_version(season: Season) -> str:
    """A text that changes with any change of its evenings' results; one query."""
    evenings = season.sessions.aggregate(evenings=Count("pk"), changes=Sum("version"))
    return f"{evenings['evenings']}-{evenings['changes'] or 0}"


@dataclass(frozen=True, slots=True)
class RankingTrial:
    """A season's ranking now and under the draft.

    ``moves`` are in the draft's order.
    """

    title: str
    now: str
    then: str
    moves: tuple[PlayerMove, ...]

    @property
    def movers(self) -> Annotated[int, "how many players would change place"]:
        return sum(move.changes_place for move in self.moves)


def ranking_trials(season: Season, rules: LeagueRules) -> tuple[RankingTrial, ...]:
    """A trial of the rules on the season, and on the one before it if there is one.

    Three queries for each season, and those for handicaps and credits.
    """
    earlier_seasons = Season.objects.filter(league=season.league, starts_on__lt=season.starts_on)
    previous_season = earlier_seasons.select_related("league").order_by("-starts_on").first()
    trials = []
    for trial_season in (season, previous_season) if previous_season else (season,):
        now = rules_of(trial_season)
        season_results = season_record(trial_season, now, rules, reader=ORGANISER_READER)
        current_rows = {
            row.player_id: row for row in table_by_rules(trial_season, now, season_results).rows
        }
        would_be = {
            row.player_id: row for row in table_by_rules(trial_season, rules, season_results).rows
        }
        moves = tuple(
            PlayerMove(_ranked_row(current_rows.get(key), row), _ranked_row(would_be.get(key), row))
            for key, row in {**would_be, **current_rows}.items()
        )
        headings = league_rules.ranking_heading(now), league_rules.ranking_heading(rules)
        trials.append(RankingTrial(str(trial_season), *headings, moves))
    return tuple(trials)


def _ranked_row(row: LeagueRow | None, player: LeagueRow) -> RankedRow:
    """The player's row of a table; an unranked one if the player is not in it."""
    if row is None:
        return ranked_row(player.player_id, player.name, None, NO_PLACE, is_tied=False)
    figure = points_text(row.counts, pays=row.is_signed)
    return ranked_row(row.player_id, row.name, row.place, figure, is_tied=row.is_tied)
