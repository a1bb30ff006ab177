"""A club of 40 whose every member came to 40 evenings, in a database of its own, and its pages."""

import random
import time
from collections.abc import Iterable, Iterator
from datetime import timedelta
from functools import partial
from statistics import median

from django.db import connection, transaction
from django.db.models import F
from django.test.utils import CaptureQueriesContext

from benchmarks.book import BMJA, TUESDAY, Call, again
from clubs.evenings.practice_play import Dealer
from clubs.evenings.services import evenings
from clubs.league import rating
from clubs.league.selectors.players import company_of, player_seasons, rating_of, ratings_of
from clubs.league.selectors.records import best_hand_of, special_book
from clubs.league.services import save_season
from clubs.league_rules.rules import LeagueRules, Quota
from clubs.members.selectors import player_view
from clubs.members.services import add_player
from clubs.models import Club, Player, Session, SessionSeat, SessionTable
from scoring.scorebook import selectors, services
from scoring.scorebook.models import Hand, Seat

PLAYERS, EVENINGS, HANDS = 40, 40, 16
TIMES = 10


def measure() -> None:
    """Print a line for everything that is measured."""
    connection.creation.create_test_db(verbosity=0, autoclobber=True)
    try:
        club = Club.objects.create(name="Riverside", slug="riverside", rates=True)
        play_all(club)
        stored = Hand.objects.count()
        print(f"On {connection.vendor}; {PLAYERS} players x {EVENINGS} evenings, {stored:,} hands:")
        measure_pages(club)
    finally:
        connection.creation.destroy_test_db(str(connection.settings_dict["NAME"]), verbosity=0)


def measure_pages(club: Club) -> None:
    """The parts of a player's page, the book, and the list; ratings also reckoned anew."""
    player = Player.objects.select_related("club").filter(club=club)[0]
    best = player_view(player).best_hand
    cost("seasons, figures, chart", [partial(player_seasons, player)] * TIMES)
    cost("best hand with its tiles", [partial(best_hand_of, player, best)] * TIMES)
    cost("record against each companion", [partial(company_of, player)] * TIMES)
    cost("rating with its chart, reckoned anew", anew(partial(rating_of, player)))
    cost("the same, kept", [partial(rating_of, player)] * TIMES)
    cost("list of ratings, reckoned anew", anew(partial(ratings_of, club)))
    cost("book of special hands", [partial(special_book, club)] * TIMES)


def cost(what: str, calls: Iterable[Call]) -> None:
    """Print the median processor time and time of the calls, and the queries of the last."""
    processor, clock = [], []
    for call in calls:
        worked, begun = time.process_time(), time.perf_counter()
        with CaptureQueriesContext(connection) as queries:
            call()
        processor.append(1000 * (time.process_time() - worked))
        clock.append(1000 * (time.perf_counter() - begun))
    print(f"| {what} | {median(processor):,.0f} ms | {median(clock):,.0f} ms | {len(queries)} |")


def anew(call: Call) -> Iterator[Call]:
    """The call, each time with no rating kept."""
    for _ in range(TIMES):
        rating.ratings.cache_clear()
        yield call


@transaction.atomic
def play_all(club: Club) -> None:
    """One season; each table's first hand is dealt and reckoned, the others are the same again."""
    begun, chance, dealer = time.perf_counter(), random.Random(1368), Dealer(1368)
    save_season(
        club=club,
        season=None,
        name="2026",
        starts_on=TUESDAY,
        ends_on=TUESDAY + timedelta(days=360),
        ranking=LeagueRules(best=Quota(20)),
    )
    players = [add_player(club=club, name=f"Player {number}") for number in range(PLAYERS)]
    for week in range(EVENINGS):
        session = evenings.open_session(club=club, held_on=TUESDAY + timedelta(weeks=week))
        chance.shuffle(players)
        for number in range(PLAYERS // 4):
            lay(session, number + 1, players[4 * number : 4 * number + 4], dealer)
    for hand in list(Hand.objects.all()):
        Hand.objects.bulk_create(again(hand, number) for number in range(2, HANDS + 1))
    Seat.objects.update(points=F("points") * HANDS, hands=HANDS, mahjongs=F("mahjongs") * HANDS)
    print(f"Played in {time.perf_counter() - begun:.0f} s.")


def lay(session: Session, number: int, seated: list[Player], dealer: Dealer) -> None:
    """A table with its first hand, told in tiles."""
    game = services.open_game(rules="bmja", size=4)
    table = SessionTable.objects.create(session=session, number=number, game=game)
    for seat, player in zip(game.seats.all(), seated, strict=True):
        SessionSeat.objects.create(session=session, table=table, player=player, seat=seat)
    deal = selectors.progress(game).deals[-1]
    report = dealer.report(deal, BMJA)
    while not report.tiles:
        report = dealer.report(deal, BMJA)
    evenings.post_hand(
        table=table,
        submission_id=dealer.submission_id(),
        number=1,
        report=report,
        sent_by="table 1",
    )
