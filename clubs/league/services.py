"""Changes seasons, their rules, handicaps and credits, the club's rules; starts printouts."""

from collections.abc import Callable, Iterator
from datetime import date

from django.db import transaction
from django.db.models import F, Max, Q, QuerySet
from django.utils import timezone

from clubs.core.locks import lock_club, lock_player
from clubs.core.queue import UNFINISHED_STATES, make_job, queue_job, report_progress, store_pdf
from clubs.language.moments import long_date
from clubs.league.papers import book_pdf
from clubs.league.season_pack import season_pack
from clubs.league.selectors.records import yearbook_of
from clubs.league_rules import rules as league_rules
from clubs.league_rules.rules import LeagueRules
from clubs.models import (
    Club,
    Credit,
    Handicap,
    Job,
    League,
    Player,
    Season,
    SeasonRules,
    Session,
    SessionSeat,
    User,
)
from clubs.models.names import name_fault, tidy_name
from clubs.paper.formats import DEFAULT_FORMAT, PACK_JOB, Format, format_from_words
from scoring.scorebook.editions import has_same_rules, rule_set
from scoring.scorebook.models import Recording
from scoring.scorebook.refusals import ProblemLike, Refusal, Refused, refuse

MAX_HANDICAP = 10_000


@transaction.atomic
def save_draft_rules(
    *, season: Season, rules: LeagueRules, made_by: User | None = None
) -> SeasonRules:
    """Save a draft version; returns the existing one with the same rules, if any."""
    lock_club(season.league.club_id)
    return _version_with(season, rules, made_by)


@transaction.atomic
def adopt_rules(*, season: Season, number: int) -> SeasonRules:
    """Put a version in force, for all evenings of the season."""
    lock_club(season.league.club_id)
    version = season.versions.filter(number=number).first()
    if version is None:
        raise refuse("no_version", "That version was not found. Choose one from the list.")
    _adopt(season, version)
    return version


def adopt_at_once(season: Season, rules: LeagueRules, made_by: User | None = None) -> None:
    """Put a version with these rules in force; the caller holds the lock and the transaction."""
    _adopt(season, _version_with(season, rules, made_by))


def _version_with(season: Season, rules: LeagueRules, made_by: User | None) -> SeasonRules:
    declaration = league_rules.rules_to_json(rules)
    same_versions = (
        version for version in season.versions.all() if version.declaration == declaration
    )
    newest = season.versions.aggregate(newest=Max("number"))["newest"] or 0
    return next(same_versions, None) or season.versions.create(
        number=newest + 1, declaration=declaration, made_by=made_by
    )


def _adopt(season: Season, version: SeasonRules) -> None:
    version.adopted_at = timezone.now()
    version.save(update_fields=["adopted_at"])
    _refresh_pages(season.sessions.all())


def _refresh_pages(sessions: QuerySet[Session]) -> None:
    """Make the pages of these evenings reload."""
    sessions.update(version=F("version") + 1)


@transaction.atomic
def give_handicap(*, season: Season, player: Player, points: int) -> None:
    """Set a player's points for each evening, negative to take points; 0 removes the handicap."""
    lock_club(season.league.club_id)
    if abs(points) > MAX_HANDICAP:
        message = f"A handicap is at most {MAX_HANDICAP:,} points an evening."
        raise refuse("bad_value", message, "points")
    if points:
        lock_player(player)
        Handicap.objects.update_or_create(season=season, player=player, defaults={"points": points})
    else:
        Handicap.objects.filter(season=season, player=player).delete()
    _refresh_pages(season.sessions.all())


@transaction.atomic
def give_credit(
    *, session: Session, player: Player, reason: str, made_by: User | None = None
) -> None:
    """Credit an evening missed for the club. Refused for someone who played that evening."""
    lock_player(player)
    if session.places.filter(player=player).exists():
        message = f"{player.name} played on that evening. Choose an evening that was missed."
        raise refuse("was_there", message, "session")
    Credit.objects.update_or_create(
        session=session, player=player, defaults={"reason": reason.strip(), "made_by": made_by}
    )
    _refresh_pages(Session.objects.filter(pk=session.pk))


@transaction.atomic
def remove_credit(*, credit: Credit) -> None:
    """Remove a credit: the evening counts as missed again."""
    lock_club(credit.session.club_id)
    credit.delete()
    _refresh_pages(Session.objects.filter(pk=credit.session_id))


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
    """Create or change a season; evenings on its dates join it, others leave it.

    ``ranking`` applies at once; None keeps the current one, or for a new season the total.
    """
    lock_club(club.pk)
    is_new = season is None
    if season is not None:
        season.refresh_from_db()
    season = season or Season(league=League.objects.get_or_create(club=club, name=league)[0])
    season.name, season.starts_on, season.ends_on = tidy_name(name), starts_on, ends_on
    season.rules = rules
    if problems := list(_season_faults(season)):
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
    """Change the club's rules; a season that has begun keeps its own.

    Also sets how hands are recorded, who must agree and whether members are rated; None keeps.
    """
    club = lock_club(club.pk)
    club.record_by, club.agreement = record_by or club.record_by, agreement or club.agreement
    club.rates = club.rates if rates is None else rates
    if club.record_by == Recording.TALLIES and not rule_set(rules).zero_sum:
        message = "No one pays under these rules, so you cannot count sticks."
        raise refuse("no_sticks", message, "record_by")
    seasons = Season.objects.filter(league__club=club, rules="")
    begun_seasons = seasons.filter(sessions__places__seat__hands__gt=0).values_list("pk", flat=True)
    seasons.filter(pk__in=list(begun_seasons)).update(rules=club.rules)
    club.rules = rules
    club.save(update_fields=["rules", "record_by", "agreement", "rates"])
    return club


def _season_faults(season: Season) -> Iterator[ProblemLike]:
    club = season.league.club
    if fault := name_fault(season.name):
        yield Refusal("bad_name", fault, "name")
    if Season.objects.filter(league=season.league, name=season.name).exclude(pk=season.pk).exists():
        yield Refusal("name_taken", "There is already a season with that name.", "name")
    other_seasons = Season.objects.filter(league__club=club).exclude(pk=season.pk)
    if season.ends_on < season.starts_on:
        yield Refusal("bad_dates", "The last date must be after the first date.", "ends_on")
    elif other_season := other_seasons.filter(
        starts_on__lte=season.ends_on, ends_on__gte=season.starts_on
    ).first():
        days = f"{long_date(other_season.starts_on)} to {long_date(other_season.ends_on)}"
        message = f"These days overlap with {other_season.name}, which runs from {days}."
        yield Refusal("overlap", message, "starts_on")
    places = SessionSeat.objects.filter(
        session__club=club,
        session__held_on__range=(season.starts_on, season.ends_on),
        seat__hands__gt=0,
    )
    played_rules = set(places.values_list("seat__game__rules", flat=True).distinct())
    # Points of two rule sets are not comparable, so hands already played fix the rule set.
    if others_played := sorted(
        rule_set(key).name for key in played_rules if not has_same_rules(key, season.plays)
    ):
        names = " and ".join(others_played)
        message = (
            f"{names} were played on these days, so this season cannot use other scoring rules."
        )
        yield Refusal("rules_played", message, "rules")


@transaction.atomic
def queue_pack(
    *, season: Season, asked_by: User, kind: str = PACK_JOB, form: Format = DEFAULT_FORMAT
) -> Job:
    """Start creating a season's pack or book, or return the job already running.

    The job's kind says in words how it is printed: ``season book, Letter, large print``.
    """
    club = season.league.club
    kind = ", ".join(filter(None, (kind, form.summary)))
    under_way = Job.objects.filter(
        club=club, kind=kind, about=season.pk, state__in=UNFINISHED_STATES
    ).first()
    if under_way is not None:
        return under_way
    job = make_job(club=club, kind=kind, subject_key=season.pk, asked_by=asked_by)
    queue_job(job)
    return job


def make_pack(job: Job) -> str:
    """The league table and every evening's result as one PDF; the message is empty."""
    return store_pdf(
        job, season_pack(_job_season(job), progress=_job_progress(job), form=_job_format(job))
    )


def make_book(job: Job) -> str:
    """The season's book, evening by evening, as one PDF; the message is empty."""
    progress = _job_progress(job)
    paper = book_pdf(yearbook_of(_job_season(job), progress=progress), _job_format(job))
    progress(job.total, job.total)
    return store_pdf(job, paper)


def _job_season(job: Job) -> Season:
    return Season.objects.select_related("league__club").get(pk=job.about, league__club=job.club)


def _job_format(job: Job) -> Format:
    return format_from_words(job.kind.partition(", ")[2], job.club)


def _job_progress(job: Job) -> Callable[[int, int], None]:
    return lambda parts_done, total: report_progress(job, done=parts_done, total=total)
