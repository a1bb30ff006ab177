"""How a season ranks: versions are tried, one is adopted; handicaps and credits."""

from django.db import transaction
from django.db.models import F, Max
from django.utils import timezone

from clubs import league_rules
from clubs.core.locks import lock_club, lock_player
from clubs.league_rules import LeagueRules
from clubs.models import Credit, Handicap, Player, Season, SeasonRules, Session, User
from scoring.scorebook.refusals import refuse

MOST_HANDICAP = 10_000


@transaction.atomic
def try_rules(*, season: Season, rules: LeagueRules, made_by: User | None = None) -> SeasonRules:
    """A version that is only tried so far; one that says the same already is given back."""
    lock_club(season.league.club_id)
    return _version(season, rules, made_by)


@transaction.atomic
def adopt_rules(*, season: Season, number: int) -> SeasonRules:
    """That version holds from now on, for all evenings of the season."""
    lock_club(season.league.club_id)
    version = season.versions.filter(number=number).first()
    if version is None:
        raise refuse("no_version", "That version was not found. Choose one from the list.")
    _adopt(season, version)
    return version


def adopt_at_once(season: Season, rules: LeagueRules, made_by: User | None = None) -> None:
    """The version of these rules holds; the caller has the lock and the transaction."""
    _adopt(season, _version(season, rules, made_by))


def _version(season: Season, rules: LeagueRules, made_by: User | None) -> SeasonRules:
    declaration = league_rules.declared(rules)
    same = (one for one in season.versions.all() if one.declaration == declaration)
    newest = season.versions.aggregate(newest=Max("number"))["newest"] or 0
    return next(same, None) or season.versions.create(
        number=newest + 1, declaration=declaration, made_by=made_by
    )


def _adopt(season: Season, version: SeasonRules) -> None:
    version.adopted_at = timezone.now()
    version.save(update_fields=["adopted_at"])
    _show_anew(season)


def _show_anew(season: Season) -> None:
    season.sessions.update(version=F("version") + 1)


@transaction.atomic
def give_handicap(*, season: Season, player: Player, points: int) -> None:
    """Points that the player is given every evening, below 0 gives away; 0 takes them back."""
    lock_club(season.league.club_id)
    if abs(points) > MOST_HANDICAP:
        sentence = f"A handicap is at most {MOST_HANDICAP:,} points an evening."
        raise refuse("bad_value", sentence, "points")
    if points:
        lock_player(player)
        Handicap.objects.update_or_create(season=season, player=player, defaults={"points": points})
    else:
        Handicap.objects.filter(season=season, player=player).delete()
    _show_anew(season)


@transaction.atomic
def give_credit(
    *, session: Session, player: Player, reason: str, made_by: User | None = None
) -> None:
    """The player missed the evening for the club's sake; whoever sat there did not miss it."""
    lock_player(player)
    if session.places.filter(player=player).exists():
        sentence = f"{player.name} played on that evening. Choose an evening that was missed."
        raise refuse("was_there", sentence, "session")
    Credit.objects.update_or_create(
        session=session, player=player, defaults={"reason": reason.strip(), "made_by": made_by}
    )
    _changed(session)


@transaction.atomic
def take_credit_back(*, credit: Credit) -> None:
    """The evening is missed like any other."""
    lock_club(credit.session.club_id)
    credit.delete()
    _changed(credit.session)


def _changed(session: Session) -> None:
    Session.objects.filter(pk=session.pk).update(version=F("version") + 1)
