"""Leagues and their seasons."""

from collections.abc import Iterator
from datetime import date

from django.db import transaction
from django.db.models import Q

from clubs.core.locks import lock_club
from clubs.language.moments import long_date
from clubs.league_rules import LeagueRules
from clubs.models import Club, League, Season, Session, SessionSeat, User
from clubs.models.names import name_fault, tidy_name
from clubs.services.leagues_rules import adopt_at_once
from scoring.scorebook.editions import rule_set, same_rules
from scoring.scorebook.models import Recording
from scoring.scorebook.refusals import Finding, Refusal, Refused, refuse


@transaction.atomic
def save_season(
    *,
    club: Club,
    season: Season | None,
    name: str,
    starts_on: date,
    ends_on: date,
    ranking: LeagueRules | None = None,
    made_by: User | None = None,
    rules: str = "",
    league: str = "Club league",
) -> Season:
    """Make or change a season; evenings of its days join it, those of other days leave it.

    ``ranking`` holds from now on; None leaves it as it is, at first the total of all evenings.
    """
    lock_club(club.pk)
    is_new = season is None
    if season is not None:
        season.refresh_from_db()
    season = season or Season(league=League.objects.get_or_create(club=club, name=league)[0])
    season.name, season.starts_on, season.ends_on = tidy_name(name), starts_on, ends_on
    season.rules = rules
    if problems := [*_name_faults(season), *_date_faults(season), *_rules_faults(season)]:
        raise Refused(problems)
    season.save(update_fields=None if is_new else ["name", "starts_on", "ends_on", "rules"])
    days = Q(held_on__gte=starts_on, held_on__lte=ends_on)
    season.sessions.exclude(days).update(season=None)
    Session.objects.filter(days, club=club, season=None).update(season=season)
    if is_new or ranking is not None:
        adopt_at_once(season, ranking or LeagueRules(), made_by)
    return season


@transaction.atomic
def change_rules(
    *,
    club: Club,
    rules: str,
    record_by: str | None = None,
    agreement: str | None = None,
    rates: bool | None = None,
) -> Club:
    """What the club plays from now on; a season that has begun keeps what it was begun with.

    And how its hands are told, who must agree and whether members are rated, where that is said.
    """
    club = lock_club(club.pk)
    club.record_by, club.agreement = record_by or club.record_by, agreement or club.agreement
    club.rates = club.rates if rates is None else rates
    if club.record_by == Recording.TALLIES and not rule_set(rules).zero_sum:
        sentence = "No one pays under these rules, so you cannot count sticks."
        raise refuse("no_sticks", sentence, "record_by")
    seasons = Season.objects.filter(league__club=club, rules="")
    begun = seasons.filter(sessions__places__seat__hands__gt=0).values_list("pk", flat=True)
    seasons.filter(pk__in=list(begun)).update(rules=club.rules)
    club.rules = rules
    club.save(update_fields=["rules", "record_by", "agreement", "rates"])
    return club


def _name_faults(season: Season) -> Iterator[Finding]:
    if fault := name_fault(season.name):
        yield Refusal("bad_name", fault, "name")
    twin = Season.objects.filter(league=season.league, name=season.name).exclude(pk=season.pk)
    if twin.exists():
        yield Refusal("name_taken", "There is already a season with that name.", "name")


def _date_faults(season: Season) -> Iterator[Finding]:
    if season.ends_on < season.starts_on:
        yield Refusal("bad_dates", "The last date must be after the first date.", "ends_on")
        return
    others = Season.objects.filter(league__club=season.league.club).exclude(pk=season.pk)
    other = others.filter(starts_on__lte=season.ends_on, ends_on__gte=season.starts_on).first()
    if other is not None:
        days = f"{long_date(other.starts_on)} to {long_date(other.ends_on)}"
        sentence = f"These days overlap with {other.name}, which runs from {days}."
        yield Refusal("overlap", sentence, "starts_on")


def _rules_faults(season: Season) -> Iterator[Finding]:
    """Points of two rule sets cannot be compared, so hands that were played settle which it is."""
    places = SessionSeat.objects.filter(
        session__club=season.league.club,
        session__held_on__range=(season.starts_on, season.ends_on),
        seat__hands__gt=0,
    )
    played = set(places.values_list("seat__game__rules", flat=True).distinct())
    if others := sorted(rule_set(key).name for key in played if not same_rules(key, season.plays)):
        names = " and ".join(others)
        sentence = f"{names} were played on these days; points of other rules cannot join them."
        yield Refusal("rules_played", sentence, "rules")
