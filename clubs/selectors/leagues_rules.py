"""How seasons rank: the versions of their rules, and the one that holds."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from django.db.models import F, Prefetch, QuerySet

from clubs import league_rules
from clubs.league_rules import LeagueRules
from clubs.models import Season, SeasonRules

S = TypeVar("S", bound=Season)


@dataclass(frozen=True, slots=True)
class VersionRow:
    """One version of a season's rules, and whether it holds."""

    number: int
    rules: LeagueRules
    made_at: datetime
    made_by: str
    adopted_at: datetime | None
    holds: bool

    @property
    def rule(self) -> str:
        """The version in one sentence."""
        return league_rules.summary(self.rules)

    @property
    def sentences(self) -> tuple[str, ...]:
        """The version rule by rule."""
        return league_rules.sentences(self.rules)


def rules_of(season: Season) -> LeagueRules:
    """How the season ranks; one query."""
    return _first(_adopted(season.versions.all())[:1])


def with_rules(seasons: QuerySet[S]) -> QuerySet[S]:
    """The seasons with their rules at hand for ``rules_at_hand``; one query more for all."""
    versions = _adopted(SeasonRules.objects.all())
    return seasons.prefetch_related(Prefetch("versions", versions, to_attr="adopted"))


def rules_at_hand(season: Season) -> LeagueRules:
    """How a season from ``with_rules`` ranks; no query."""
    return _first(season.adopted)  # type: ignore[attr-defined]


def versions_of(season: Season) -> tuple[VersionRow, ...]:
    """Every version of the season's rules, the newest first; one query."""
    versions = list(season.versions.select_related("made_by").order_by("-number"))
    adopted = [one for one in versions if one.adopted_at is not None]
    holds = max(adopted, key=lambda one: (one.adopted_at, one.number), default=None)
    return tuple(
        VersionRow(
            number=one.number,
            rules=league_rules.read_rules(one.declaration),
            made_at=one.made_at,
            made_by=str(one.made_by or ""),
            adopted_at=one.adopted_at,
            holds=one == holds,
        )
        for one in versions
    )


def _adopted(versions: QuerySet[SeasonRules]) -> QuerySet[SeasonRules]:
    newest = F("adopted_at").desc()
    return versions.filter(adopted_at__isnull=False).order_by(newest, "-number")


def _first(versions: Iterable[SeasonRules]) -> LeagueRules:
    for version in versions:
        return league_rules.read_rules(version.declaration)
    return LeagueRules()
