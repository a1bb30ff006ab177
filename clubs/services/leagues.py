"""Leagues and their seasons."""

from datetime import date

from django.db import transaction

from clubs.models import Club, League, RanksBy, Season, Session
from clubs.names import name_fault, tidy_name
from scoring.scorebook.refusals import Finding, Refusal, Refused


@transaction.atomic
def save_season(
    *,
    club: Club,
    season: Season | None,
    name: str,
    starts_on: date,
    ends_on: date,
    ranks_by: RanksBy,
    best_of: int | None,
    least_attendance: int,
    league: str = "Club league",
) -> Season:
    """Make or change a season; evenings of its days that are in no season join it."""
    season = season or Season(league=League.objects.get_or_create(club=club, name=league)[0])
    if problems := _season_faults(season, name, starts_on, ends_on, ranks_by, best_of):
        raise Refused(problems)
    season.name, season.starts_on, season.ends_on = tidy_name(name), starts_on, ends_on
    season.ranks_by, season.least_attendance = ranks_by, least_attendance
    season.best_of = best_of if ranks_by == RanksBy.BEST else None
    season.save()
    Session.objects.filter(
        club=club, season=None, held_on__gte=starts_on, held_on__lte=ends_on
    ).update(season=season)
    return season


def _season_faults(
    season: Season,
    name: str,
    starts_on: date,
    ends_on: date,
    ranks_by: RanksBy,
    best_of: int | None,
) -> list[Finding]:
    found: list[Finding] = []
    if fault := name_fault(name):
        found.append(Refusal("bad_name", fault, "name"))
    twin = Season.objects.filter(league=season.league, name=tidy_name(name)).exclude(pk=season.pk)
    if twin.exists():
        found.append(Refusal("name_taken", "There is a season of that name already.", "name"))
    if ends_on < starts_on:
        found.append(Refusal("bad_dates", "The season ends before it starts.", "ends_on"))
    if ranks_by == RanksBy.BEST and not best_of:
        found.append(Refusal("best_of_missing", "Say how many evenings count.", "best_of"))
    return found
