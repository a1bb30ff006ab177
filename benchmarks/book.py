"""What the score book costs, in time and queries, in a database of its own."""

import statistics
import time
from collections.abc import Callable, Iterable, Iterator
from datetime import date, timedelta
from functools import partial
from itertools import cycle, islice
from uuid import uuid4

from django.db import connection, transaction
from django.db.models import F
from django.test.utils import CaptureQueriesContext

from clubs.evenings.practice_play import Dealer
from clubs.evenings.services import evenings
from clubs.league.selectors.seasons import league_table
from clubs.league.services import save_season
from clubs.league_rules.rules import LeagueRules, Quota
from clubs.members.services import add_player
from clubs.models import Club, Season, SessionTable
from clubs.tenancy import across_clubs
from scoring import rule_set
from scoring.scorebook import selectors
from scoring.scorebook.models import Hand, Seat
from scoring.scorebook.reckoning import reckon
from scoring.scorebook.reports import Report
from tournaments.models import Table, Tournament
from tournaments.results.selectors.results import results_of
from tournaments.results.selectors.standings import board, standings
from tournaments.seating.services import seating
from tournaments.setup import services as setup_services
from tournaments.steps import services
from tournaments.table import services as table_services

TUESDAY = date(2026, 1, 6)
BMJA = rule_set("bmja")
Call = Callable[[], object]


@across_clubs()
def measure() -> None:
    """Print a line for everything that is measured."""
    connection.creation.create_test_db(verbosity=0, autoclobber=True)
    try:
        print(f"On {connection.vendor}; the median of many calls, each its own transaction:")
        club = Club.objects.create(name="Riverside", slug="riverside")
        measure_evenings(club)
        for entrants, rounds in ((16, 5), (256, 12)):
            measure_tournament(club, entrants, rounds)
        measure_standings(tournament(club, 256, 12, name="Great cup"), hands=16)
    finally:
        connection.creation.destroy_test_db(str(connection.settings_dict["NAME"]), verbosity=0)


def measure_evenings(club: Club) -> None:
    """Hands of a club night going in, and the league table that comes out."""
    season = played_season(club)
    tables = list(SessionTable.objects.select_related("game", "session"))
    dealer = Dealer(1368)
    show("submit a hand told in totals", islice(hands(tables, dealer, tiles=False), 60))
    show("submit a hand told in tiles", islice(hands(tables, dealer, tiles=True), 60))
    show("league table, 24 players, 8 evenings", [partial(league_table, season)] * 20)


def measure_tournament(club: Club, entrants: int, rounds: int) -> None:
    """Laying the rounds, and the standings after the last hand."""
    cup = tournament(club, entrants, rounds)
    seat = partial(seating.seat_rounds, tournament=cup)
    show(f"seat {entrants} entrants over {rounds} rounds", [seat])
    play(cup)
    show(f"standings, {entrants} entrants, {rounds} rounds", [partial(standings, cup)] * 10)
    show(f"all results, {entrants} entrants, {rounds} rounds", [partial(results_of, cup)] * 10)


def measure_standings(cup: Tournament, *, hands: int) -> None:
    """The standings of rounds of so many hands, each told in tiles; the first call apart."""
    seating.seat_rounds(tournament=cup)
    play(cup, tiles=True)
    play_again(cup, hands)
    played = f"256 players x 12 rounds x {hands} hands"
    show(f"standings, {played}, the first call", [partial(standings, cup)])
    show(f"standings, {played}", [partial(standings, cup)] * 10)
    show(f"board, ties in words, {played}", [partial(board, cup)] * 10)
    show(f"all results, {played}", [partial(results_of, cup)] * 10)


@transaction.atomic
def play_again(cup: Tournament, hands: int) -> None:
    """The first hand of every table once more, until there are so many."""
    Tournament.objects.filter(pk=cup.pk).update(hands_a_round=hands)
    cup.refresh_from_db()
    played = Hand.objects.filter(game__tournament_table__round__tournament=cup)
    for hand in list(played):
        Hand.objects.bulk_create(again(hand, number) for number in range(2, hands + 1))
    Seat.objects.filter(game__tournament_table__round__tournament=cup).update(
        points=F("points") * hands, hands=hands, mahjongs=F("mahjongs") * hands
    )


def again(hand: Hand, number: int) -> Hand:
    """The same hand under another number."""
    fields = {field.attname: getattr(hand, field.attname) for field in Hand._meta.concrete_fields}
    return Hand(**fields | {"id": None, "number": number, "submission_id": uuid4()})


def show(what: str, calls: Iterable[Call]) -> None:
    """Print the median time of the calls, and the queries of the last."""
    taken = []
    for call in calls:
        begun = time.perf_counter()
        with CaptureQueriesContext(connection) as queries:
            call()
        taken.append(1000 * (time.perf_counter() - begun))
    print(f"| {what} | {statistics.median(taken):,.1f} ms | {len(queries)} |", flush=True)


def played_season(club: Club) -> Season:
    """Eight evenings of 24 players at six tables, a hand each."""
    players = [add_player(club=club, name=f"Player {number}") for number in range(24)]
    for week in range(8):
        session = evenings.open_session(club=club, held_on=TUESDAY + timedelta(weeks=week))
        for player in players:
            evenings.tick(session=session, player=player, is_here=True)
        evenings.seat_session(session=session)
        tables = list(session.tables.select_related("game", "session"))
        for post in islice(hands(tables, Dealer(week), tiles=False), len(tables)):
            post()
    return save_season(
        club=club,
        season=None,
        name="2026",
        starts_on=TUESDAY,
        ends_on=TUESDAY + timedelta(days=360),
        ranking=LeagueRules(best=Quota(6)),
    )


def hands(tables: Iterable[SessionTable], dealer: Dealer, *, tiles: bool) -> Iterator[Call]:
    """Calls that submit one hand after another, going round the tables."""
    for table in cycle(tables):
        deal = selectors.progress(table.game).deals[-1]
        report = dealer.report(deal, BMJA)
        while not (report.tiles if tiles else report.totals):
            report = dealer.report(deal, BMJA)
        yield partial(
            evenings.post_hand,
            table=table,
            submission_id=dealer.submission_id(),
            number=deal.number,
            report=report,
            sent_by="table 1",
        )


def tournament(club: Club, entrants: int, rounds: int, *, name: str = "") -> Tournament:
    """A tournament of so many, not seated yet; one hand a round."""
    cup = setup_services.make_tournament(
        club=club,
        name=name or f"Cup of {entrants}",
        held_on=TUESDAY,
        rounds=rounds,
        hands_a_round=1,
    )
    names = [f"Entrant {number}" for number in range(entrants)]
    setup_services.enter_many(tournament=cup, names=names)
    return cup


@transaction.atomic
def play(cup: Tournament, *, tiles: bool = False) -> None:
    """One hand at every table of every round, told in totals, or in tiles."""
    dealer = Dealer(10_000 + cup.pk)
    for _ in range(cup.rounds_planned):
        playing = services.start_round(tournament=cup)
        for table in playing.tables.select_related("game"):
            table_services.post_hand(
                table=table,
                submission_id=dealer.submission_id(),
                number=1,
                report=told(table, dealer, tiles=tiles),
                sent_by="table 1",
            )
        services.close_round(tournament=cup)


def told(table: Table, dealer: Dealer, *, tiles: bool) -> Report:
    """The next hand of the table, as four totals or as its tiles."""
    deal = selectors.progress(table.game).deals[-1]
    report = dealer.report(deal, BMJA)
    while tiles and not report.tiles:
        report = dealer.report(deal, BMJA)
    if tiles:
        return report
    return Report(winner=report.winner, totals=dict(reckon(report, deal, BMJA).scores))
