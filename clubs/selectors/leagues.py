"""A club's seasons and their league tables, derived from the totals each time they are read."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction

from django.db.models import Count, QuerySet, Sum
from django.utils import timezone

from clubs import league_rules
from clubs.league_rules import AddsUp, Brings, LeagueRules, Standing, Tie
from clubs.models import Club, Season
from clubs.models.names import EVERYBODY, Reader
from clubs.selectors.leagues_record import SeasonRecord, record_of
from clubs.selectors.leagues_rules import rules_at_hand, rules_of, with_rules


@dataclass(frozen=True, slots=True)
class LeagueRow:
    """One player's season; ``place`` is None where evenings are missing for one.

    ``score`` is what ranks. ``pays`` where players pay one another, so that points have a sign,
    ``is_signed`` where what ranks has one. ``best_total``: the points of evenings that count.
    """

    place: int | None
    is_tied: bool
    player_id: int
    name: str
    attended: int
    total: int
    average: Fraction
    best_total: int
    counted: int
    mahjongs: int
    best_hand: int
    decided_by: str | None
    score: Fraction
    pays: bool
    is_signed: bool

    @property
    def mean(self) -> Decimal:
        """The average of an evening, to a tenth of a point."""
        return to_a_tenth(self.average)

    @property
    def counts(self) -> Decimal:
        """What puts the player above another, to a tenth of a point where it is not whole."""
        whole = self.score.denominator == 1
        return Decimal(self.score.numerator) if whole else to_a_tenth(self.score)


@dataclass(frozen=True, slots=True)
class LeagueTable:
    """A season's table and the rules by which it ranks."""

    season_id: int
    title: str
    rules: LeagueRules
    evenings: tuple[date, ...]
    rows: tuple[LeagueRow, ...]

    @property
    def rule(self) -> str:
        """How the season ranks, in a sentence."""
        return league_rules.summary(self.rules)

    @property
    def sentences(self) -> tuple[str, ...]:
        """How the season ranks, rule by rule."""
        return league_rules.sentences(self.rules)

    @property
    def heading(self) -> str:
        """What the column is called that ranks."""
        return league_rules.heading(self.rules)

    @property
    def shows_total(self) -> bool:
        """Whether the points of all evenings stand beside what ranks."""
        return self.heading != "Total" or not self.rules.has_signs

    @property
    def shows_average(self) -> bool:
        """Whether the average of an evening stands beside what ranks."""
        return self.heading != "Average"

    @property
    def least(self) -> str:
        """The evenings needed for a place, in words; empty where none are asked for."""
        if self.rules.least is None:
            return ""
        return league_rules.quota_said(self.rules.least)

    @property
    def ranked(self) -> tuple[LeagueRow, ...]:
        """Everyone with a place."""
        return tuple(row for row in self.rows if row.place is not None)

    @property
    def short(self) -> tuple[LeagueRow, ...]:
        """Who came, but not often enough for a place."""
        return tuple(row for row in self.rows if row.place is None)


@dataclass(frozen=True, slots=True)
class SeasonSummary:
    """One season of the list."""

    pk: int
    name: str
    league: str
    title: str
    starts_on: date
    ends_on: date
    evenings: int
    rule: str


def to_a_tenth(number: Fraction) -> Decimal:
    """The number to a tenth."""
    return Decimal(round(number * 10)) / 10


def league_table(season: Season, *, reader: Reader = EVERYBODY) -> LeagueTable:
    """Every member who played in the season, ranked; an evening counts from its first hand.

    Guests are left out. Three queries, and one each where the rules know handicaps and credits.
    """
    rules = rules_of(season)
    return table_by(season, rules, record_of(season, rules, reader=reader))


def table_by(season: Season, rules: LeagueRules, told: SeasonRecord) -> LeagueTable:
    """The table that the season has by these rules."""
    return LeagueTable(
        season_id=season.pk,
        title=str(season),
        rules=rules,
        evenings=told.days,
        rows=tuple(
            _row(one, rules, pays=told.pays) for one in league_rules.reckon(rules, told.record)
        ),
    )


def _row(one: Standing, rules: LeagueRules, *, pays: bool) -> LeagueRow:
    total, attended = int(one.values[Tie.POINTS.value]), int(one.values[Tie.ATTENDED.value])
    return LeagueRow(
        place=one.place,
        is_tied=one.is_tied,
        player_id=one.player,
        name=one.name,
        attended=attended,
        total=total,
        average=Fraction(total, attended),
        best_total=sum(line.points or 0 for line in one.lines if line.fate.counts),
        counted=one.counted,
        mahjongs=int(one.values[Tie.MAHJONGS.value]),
        best_hand=int(one.values[Tie.BEST_HAND.value]),
        decided_by=_metric(rules) if one.decided_by == "score" else one.decided_by,
        score=one.score,
        pays=pays,
        is_signed=pays and rules.has_signs,
    )


def _metric(rules: LeagueRules) -> str:
    """What ranks, by the name that ``decided_by`` has always had."""
    if rules.brings is Brings.TABLE_POINTS:
        return "table_points"
    if rules.adds_up is AddsUp.HAND:
        return "average_hand"
    if rules.adds_up is AddsUp.AVERAGE:
        return "average"
    return "best_total" if rules.best else "total"


def current_season(club: Club) -> Season | None:
    """The season that began last; before the first one begins, that one."""
    seasons = Season.objects.filter(league__club=club).select_related("league")
    begun = seasons.filter(starts_on__lte=timezone.localdate()).order_by("-starts_on").first()
    return begun or seasons.order_by("starts_on").first()


def seasons_of(club: Club) -> tuple[SeasonSummary, ...]:
    """The club's seasons, the last to begin first; two queries."""
    return season_summaries(seasons_in(club))


def seasons_in(club: Club) -> QuerySet[Season]:
    """The club's seasons with what their summaries tell, the last to begin first."""
    seasons = Season.objects.filter(league__club=club).select_related("league")
    return with_rules(seasons.annotate(evenings=Count("sessions")).order_by("-starts_on", "-pk"))


def season_summaries(seasons: Iterable[Season]) -> tuple[SeasonSummary, ...]:
    """Seasons from ``seasons_in`` as rows of a list; no query of its own."""
    return tuple(
        SeasonSummary(
            season.pk,
            season.name,
            season.league.name,
            str(season),
            season.starts_on,
            season.ends_on,
            season.evenings,  # type: ignore[attr-defined]
            league_rules.summary(rules_at_hand(season)),
        )
        for season in seasons
    )


def version_of(season: Season) -> str:
    """A text that changes with everything that its evenings show; one query."""
    evenings = season.sessions.aggregate(evenings=Count("pk"), changes=Sum("version"))
    return f"{evenings['evenings']}-{evenings['changes'] or 0}"
