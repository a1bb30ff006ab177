"""An evening rehearsed: a club of pretend members beside the real one, and wiped again."""

import secrets
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from functools import partial

from django.db import transaction
from django.db.models import Max
from django.db.models.fields.files import FieldFile
from django.utils import timezone

from clubs.core.locks import lock_club
from clubs.core.permissions import ORGANISERS
from clubs.evenings.practice_play import Dealer, play
from clubs.evenings.selectors.evenings import names_at
from clubs.evenings.services import evenings
from clubs.league.selectors.seasons import current_season, rules_of
from clubs.league.services import save_season
from clubs.league_rules import LeagueRules
from clubs.members.services.people import add_player
from clubs.models import Club, HouseRules, Membership, Season, Session, SessionTable
from clubs.models.tenancy import within
from scoring.scorebook.models import Edition, Game, Hand, Recording
from scoring.scorebook.refusals import refuse
from scoring.scorebook.services import remove_books

MEMBERS = (
    "Bertie Bamboo",
    "Connie Circle",
    "Dora Dragon",
    "Edie East",
    "Freddie Flower",
    "Kitty Kong",
    "Ned North",
    "Olive Orchid",
    "Percy Pung",
    "Sally South",
    "Wendy West",
    "Winston Wall",
)
KEPT_UNUSED = timedelta(days=7)
LONGEST_NAME = 80
AS_THE_CLUB = ("rules", "record_by", "agreement", "table_money", "guest_visits", "rates")


@transaction.atomic
def rehearse(*, club: Club) -> Session:
    """The evening of the club's rehearsal: the one there is, or a new one with everyone ticked.

    Whoever runs the club has the same role there; nobody else has any. Two presses make one.
    """
    if club.rehearsal_of_id is not None:
        raise refuse("is_rehearsal", "This is already a practice evening.")
    club = lock_club(club.pk)
    found = Club.objects.filter(rehearsal_of=club).first() or _found(club)
    _let_organisers_in(club, found)
    with within(found.pk):
        return found.sessions.order_by("held_on").last() or _open_evening(found)


def _found(club: Club) -> Club:
    """A club that plays as the real one does, with pretend members and a season of its own."""
    told = {name: getattr(club, name) for name in AS_THE_CLUB}
    name = f"Practice: {club.name}"
    if len(name) > LONGEST_NAME:
        name = f"{name[: LONGEST_NAME - 22]}… ({club.pk})"
    slug = f"rehearsal-{club.pk}-{secrets.token_hex(3)}"
    made = Club.objects.create(name=name, slug=slug, rehearsal_of=club, **told)
    rules, season = list(club.house_rules.order_by("pk")), current_season(club)
    ranking = replace(rules_of(season), least=None) if season else None
    with within(made.pk):
        HouseRules.objects.bulk_create(
            HouseRules(club=made, edition_id=own.edition_id, retired_at=own.retired_at)
            for own in rules
        )
        for member in MEMBERS:
            add_player(club=made, name=member)
        _begin_season(made, season, ranking)
    return made


def _begin_season(made: Club, season: Season | None, ranking: LeagueRules | None) -> None:
    """It is called and ranks as the club's own season, but one evening is enough for a place."""
    today = timezone.localdate()
    save_season(
        club=made,
        season=None,
        name=season.name if season else "First season",
        starts_on=today,
        ends_on=today + timedelta(weeks=26),
        ranking=ranking,
        rules=season.rules if season else "",
        league=season.league.name if season else "Club league",
    )


def _let_organisers_in(club: Club, made: Club) -> None:
    made.memberships.all().delete()
    Membership.objects.bulk_create(
        Membership(club=made, user_id=held.user_id, role=held.role)
        for held in club.memberships.filter(role__in=ORGANISERS)
    )


def _open_evening(made: Club) -> Session:
    session = evenings.open_session(club=made, held_on=timezone.localdate())
    for player in made.players.filter(is_active=True):
        evenings.tick(session=session, player=player, is_here=True)
    return session


def play_on(*, session: Session, hands: int) -> int:
    """The pretend members play so many hands more at every table; returns how many in all.

    Each hand goes in as a phone sends it, in the club's own way; all but a table's last are agreed.
    """
    _refuse_real(session.club)
    tables = list(
        session.tables.select_related("game", "session__club").filter(game__closed_at=None)
    )
    if not tables:
        raise refuse("not_seated", "Seat everyone before you play hands.")
    dealer = Dealer(secrets.randbits(64))
    return sum(_play(table, dealer, hands) for table in tables)


def _play(table: SessionTable, dealer: Dealer, hands: int) -> int:
    way = Recording(table.session.club.record_by)
    return play(table, evenings.post_hand, dealer, hands, names=names_at(table), way=way)


@transaction.atomic
def begin_again(*, rehearsal: Club) -> Session:
    """Everything of the rehearsal is wiped, and a new one stands in its place."""
    real = wipe(rehearsal=rehearsal)
    with within(real.pk):
        return rehearse(club=real)


@transaction.atomic
def wipe(*, rehearsal: Club) -> Club:
    """Nothing of the rehearsal is left, and nothing else is touched; returns the real club.

    Refused for a club that is none.
    """
    _refuse_real(rehearsal)
    real = lock_club(rehearsal.rehearsal_of_id or 0)
    rehearsal = lock_club(rehearsal.pk)
    for session in rehearsal.sessions.all():
        evenings.lock_games_of(session)
    files = [job.result for job in rehearsal.jobs.exclude(result="")]
    books = list(rehearsal.sessions.values_list("book_id", flat=True))
    _take_evenings_away(rehearsal)
    remove_books([book for book in books if book is not None])
    _take_people_away(rehearsal)
    rehearsal.delete()
    transaction.on_commit(partial(_remove_files, files), robust=True)
    return real


def _remove_files(files: Sequence[FieldFile]) -> None:
    for file in files:
        file.storage.delete(file.name or "")


def _refuse_real(club: Club) -> None:
    if club.rehearsal_of_id is None:
        raise refuse("not_a_rehearsal", "This is not a practice evening: everything here counts.")


def _take_evenings_away(rehearsal: Club) -> None:
    SessionTable.objects.filter(session__club=rehearsal).delete()
    rehearsal.sessions.all().delete()


def _take_people_away(rehearsal: Club) -> None:
    """The members, the leagues, and house rules that were written here and are used nowhere."""
    rehearsal.merges.all().delete()
    rehearsal.players.all().delete()
    for league in rehearsal.leagues.all():
        league.seasons.all().delete()
    rehearsal.leagues.all().delete()
    editions = list(rehearsal.house_rules.values_list("edition_id", flat=True))
    rehearsal.house_rules.all().delete()
    unused = Edition.objects.filter(pk__in=editions, clubs=None)
    unused.exclude(key__in=Game.objects.values("rules")).delete()


def wipe_unused(*, now: datetime) -> int:
    """Wipe the rehearsals in which nothing has happened for seven days; returns how many."""
    wiped = 0
    for rehearsal in Club.objects.exclude(rehearsal_of=None):
        with within(rehearsal.pk):
            if last_used(rehearsal) < now - KEPT_UNUSED:
                wipe(rehearsal=rehearsal)
                wiped += 1
    return wiped


def last_used(rehearsal: Club) -> datetime:
    """When a hand was last played in it, its tables were last laid, or it was begun."""
    games = Game.objects.filter(book__session__club=rehearsal).aggregate(Max("made_at"))
    hands = Hand.objects.filter(game__book__session__club=rehearsal).aggregate(Max("sent_at"))
    begun = rehearsal.sessions.aggregate(Max("held_on"))["held_on__max"]
    told = [games["made_at__max"], hands["sent_at__max"], _start_of(begun) if begun else None]
    return max((at for at in told if at is not None), default=_start_of(date.min))


def _start_of(day: date) -> datetime:
    return datetime.combine(day, time.min, timezone.get_current_timezone())
