"""A club that is played through the services: its season's evenings and a tournament."""

from collections.abc import Callable
from datetime import date, timedelta
from itertools import count
from typing import Any, Final

from clubs.evenings.practice_play import Dealer, tell
from clubs.evenings.selectors.evenings import names_at
from clubs.evenings.services import evenings
from clubs.house.services import found_club
from clubs.league.services import save_season
from clubs.league_rules.rules import LeagueRules, Quota
from clubs.members.services import add_player
from clubs.models import Club, Membership, Player, Role, Session, User
from scoring.scorebook import selectors, services
from scoring.scorebook.editions import rule_set
from scoring.scorebook.models import AgreementPolicy, Recording
from tournaments.seating.services import seating
from tournaments.setup import services as tournaments
from tournaments.steps import services as steps_services
from tournaments.table import services as table_services

TUESDAY: Final = date(2026, 1, 6)
PASSWORD: Final = "east wind prevails"  # noqa: S105 - of clubs that are made to be measured
A_TABLE, CUP_HANDS = 16, 48
EVERY_EIGHTH: Final = 8
Post = Callable[..., services.Recorded]


def play_club(*, name: str, number: int, hands: int) -> Club:
    """A club with so many hands: a cup of 48, then evenings of 16 a table, the last unfinished.

    Of eight evenings one is agreed at the tables and one is told in tiles, the others in totals.
    ``hands`` is 64 or more; 16 people come where it is 500 or less, else 40.
    """
    club = found_club(name=name, email=f"secretary{number}@example.org").membership.club
    players = [
        add_player(club=club, name=f"{first} Player-{number}")
        for number, first in zip(range(16 if hands <= 500 else 40), _firsts(), strict=False)
    ]
    _people(club, players, number)
    save_season(
        club=club,
        season=None,
        name="2026",
        starts_on=TUESDAY,
        ends_on=TUESDAY + timedelta(days=3650),
        ranking=LeagueRules(best=Quota(20)),
    )
    dealer = Dealer(1368 + number)
    _cup(club, players, dealer)
    left = hands - CUP_HANDS
    for week in count():
        left -= _evening(club, players, dealer, week, left)
        if not left:
            return club
    raise AssertionError


def _firsts() -> list[str]:
    names = (
        "Ann Ben Cleo Dev Eve Finn Gwen Hugh Ida Jack Kay Lou May Ned Olive Pat Quinn Rose Sam Tess"
    )
    return names.split() * 2


def _people(club: Club, players: list[Player], number: int) -> None:
    """The secretary can sign in with PASSWORD, and so can the first player."""
    secretary = club.memberships.get().user
    secretary.set_password(PASSWORD)
    secretary.save()
    player = User.objects.create_user(f"player{number}@example.org", PASSWORD, name=players[0].name)
    Membership.objects.create(club=club, user=player, role=Role.PLAYER, player=players[0])


def _evening(club: Club, players: list[Player], dealer: Dealer, week: int, most: int) -> int:
    """An evening of everybody; finished unless ``most`` hands are too few for it."""
    is_agreed, is_tiles = week % EVERY_EIGHTH == 0, week % EVERY_EIGHTH == 1
    club.agreement = AgreementPolicy.ALL if is_agreed else AgreementPolicy.NONE
    club.save(update_fields=["agreement"])
    session = evenings.open_session(club=club, held_on=TUESDAY + timedelta(weeks=week))
    for player in players:
        evenings.tick(session=session, player=player, is_here=True)
    evenings.seat_session(session=session)
    played, way = 0, Recording.TILES if is_tiles else Recording.TOTALS
    for table in session.tables.select_related("game", "session"):
        names = names_at(table) if is_agreed else None
        played += _play(table, evenings.post_hand, dealer, min(A_TABLE, most - played), way, names)
    if played < most:
        evenings.close_session(session=Session.objects.get(pk=session.pk))
    return played


def _cup(club: Club, players: list[Player], dealer: Dealer) -> None:
    """Sixteen over four rounds of five hands; the third has come to its last hand."""
    cup = tournaments.make_tournament(
        club=club, name="Cup", held_on=TUESDAY, rounds=4, hands_a_round=5, agreement="none"
    )
    tournaments.enter_many(tournament=cup, names=[player.name for player in players[:16]])
    seating.seat_rounds(tournament=cup)
    for hands in (5, 5, 2):
        playing = steps_services.start_round(tournament=cup)
        for table in playing.tables.select_related("game", "round"):
            _play(table, table_services.post_hand, dealer, hands, Recording.TOTALS, None)
        if hands == 5:
            steps_services.close_round(tournament=cup)


def _play(
    table: Any, post: Post, dealer: Dealer, hands: int, way: Recording, names: dict[int, str] | None
) -> int:
    """So many hands told so, each agreed by all who are named; returns how many."""
    rules = rule_set(table.game.rules)
    for _ in range(hands):
        deal = selectors.progress(table.game).deals[-1]
        recorded = post(
            table=table,
            submission_id=dealer.submission_id(),
            number=deal.number,
            report=dealer.report_in(way, deal, rules),
            sent_by=f"user {_secretary_of(table)}",
        )
        if names is not None:
            tell(recorded.hand, names, agrees=True)
    return hands


def _secretary_of(table: Any) -> int:
    event = getattr(table, "session", None) or table.round.tournament
    return Membership.objects.get(club=event.club_id, role=Role.SECRETARY).user_id
