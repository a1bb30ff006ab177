"""Clubs, evenings and tournaments that benchmarks are played at; Django is set up before."""

import json
import random
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, timedelta
from itertools import count, cycle, islice
from math import ceil
from typing import Any, Final
from urllib.parse import urlencode
from uuid import uuid4

from django.db import transaction
from django.db.models import F, Model, QuerySet, Sum

from clubs.evenings.event import EveningTable
from clubs.evenings.practice_play import Dealer, tell
from clubs.evenings.selectors.evenings import names_at
from clubs.evenings.services import evenings
from clubs.house.services import found_club
from clubs.league.services import save_season
from clubs.league_rules.rules import LeagueRules, Quota
from clubs.members.services import add_player
from clubs.models import (
    Club,
    Membership,
    Player,
    Role,
    Season,
    Session,
    SessionSeat,
    SessionState,
    SessionTable,
    User,
    link_key,
)
from clubs.table.event import TableEvent
from clubs.table.forms.hands import NOBODY
from clubs.table.services import post_hand
from clubs.tenancy import within
from scoring import Deal, deals, rule_set
from scoring.scorebook import selectors, services as scorebook
from scoring.scorebook.models import AgreementPolicy, Book, Hand, LedgerEntry, Recording, Seat
from scoring.scorebook.reports import Report
from scoring.scorebook.verifying import verify_book
from tournaments.models import Tournament
from tournaments.seating.services import seating
from tournaments.setup import services as setup
from tournaments.steps import services as steps
from tournaments.table.event import RoundTable

TUESDAY: Final = date(2026, 1, 6)
BMJA: Final = rule_set("bmja")
PASSWORD: Final = "east wind prevails"  # noqa: S105 - of clubs that are made to be measured
FIRST_NAMES: Final = (
    "Ann Ben Cleo Dev Eve Finn Gwen Hugh Ida Jack Kay Lou May Ned Olive Pat Quinn Rose Sam Tess"
)
PLAYERS, EVENINGS, HANDS = 40, 40, 16
CUP_HANDS, EVERY_EIGHTH, DEALT = 48, 8, 40
VERIFIED = 20  # books
Requests = deque[bytes]  # of one table, in the order of its hands


def seal_anew(rows: Iterable[Model], column: str = "link_key") -> None:
    """Give rows of another installation's database links that our own secret has sealed."""
    for row in rows:
        setattr(row, column, link_key())
        row.save(update_fields=[column])


def season_of(club: Club, best: int, days: int = 360) -> Season:
    """A season that counts so many best evenings."""
    last, rules = TUESDAY + timedelta(days=days), LeagueRules(best=Quota(best))
    return save_season(
        club=club, season=None, name="2026", starts_on=TUESDAY, ends_on=last, ranking=rules
    )


def hand_in(dealer: Dealer, deal: Deal, *, tiles: bool) -> Report:
    """A hand of that deal, in tiles or in totals."""
    report = dealer.report(deal, BMJA)
    while not (report.tiles if tiles else report.totals):
        report = dealer.report(deal, BMJA)
    return report


def post_hands(
    table: TableEvent, dealer: Dealer, *, tiles: bool = False, sent_by: str = "table 1"
) -> Iterator[scorebook.Recorded]:
    """One hand after another goes in at a table."""
    while True:
        deal = selectors.progress(table.row.game).deals[-1]
        key, report = dealer.submission_id(), hand_in(dealer, deal, tiles=tiles)
        yield post_hand(
            table=table, submission_id=key, number=deal.number, report=report, sent_by=sent_by
        )


def evening_of(club: Club, players: Sequence[Player], week: int) -> Session:
    """An evening to which all of them came, seated."""
    session = evenings.open_session(club=club, held_on=TUESDAY + timedelta(weeks=week))
    for player in players:
        evenings.tick(session=session, player=player, is_here=True)
    evenings.seat_session(session=session)
    return session


def tournament_of(
    club: Club, entrants: int, rounds: int, *, name: str = "", hands: int = 1
) -> Tournament:
    """A tournament of so many, not seated yet, of so many hands a round."""
    name = name or f"Cup of {entrants}"
    cup = setup.make_tournament(
        club=club, name=name, held_on=TUESDAY, rounds=rounds, hands_a_round=hands
    )
    setup.enter_many(tournament=cup, names=[f"Entrant {number}" for number in range(entrants)])
    return cup


@transaction.atomic
def play_rounds(cup: Tournament, *, tiles: bool = False) -> None:
    """One hand at every table of every round."""
    dealer = Dealer(10_000 + cup.pk)
    for _ in range(cup.rounds_planned):
        playing = steps.start_round(tournament=cup)
        for table in playing.tables.select_related("game"):
            next(post_hands(RoundTable(table), dealer, tiles=tiles))
        steps.close_round(tournament=cup)


@transaction.atomic
def great_cup(club: Club, hands: int) -> Tournament:
    """256 players over 12 rounds; each table plays one hand in tiles, and repeats it."""
    cup = tournament_of(club, 256, 12, name="Great cup")
    seating.seat_rounds(tournament=cup)
    play_rounds(cup, tiles=True)
    Tournament.objects.filter(pk=cup.pk).update(hands_a_round=hands)
    cup.refresh_from_db()
    played = Hand.objects.filter(game__tournament_table__round__tournament=cup)
    repeat(played, Seat.objects.filter(game__tournament_table__round__tournament=cup), hands)
    return cup


def repeat(played: QuerySet[Hand], seats: QuerySet[Seat], times: int) -> None:
    """The one hand of every game once more, until there are so many."""
    for hand in list(played):
        Hand.objects.bulk_create(same_again(hand, number) for number in range(2, times + 1))
    seats.update(points=F("points") * times, hands=times, mahjongs=F("mahjongs") * times)


def same_again(hand: Hand, number: int) -> Hand:
    fields = {field.attname: getattr(hand, field.attname) for field in Hand._meta.concrete_fields}
    return Hand(**fields | {"id": None, "number": number, "submission_id": uuid4()})


@transaction.atomic
def season_of_forty(club: Club) -> None:
    """40 players came to 40 evenings; each table plays one hand in tiles, and repeats it."""
    chance, dealer = random.Random(1368), Dealer(1368)
    season_of(club, best=20)
    players = [add_player(club=club, name=f"Player {number}") for number in range(PLAYERS)]
    for week in range(EVENINGS):
        session = evenings.open_session(club=club, held_on=TUESDAY + timedelta(weeks=week))
        chance.shuffle(players)
        for table in seated(session, players):
            next(post_hands(EveningTable(table), dealer, tiles=True))
    repeat(Hand.objects.all(), Seat.objects.all(), HANDS)


def seated(session: Session, players: Sequence[Player]) -> list[SessionTable]:
    """Tables of four in the order of the players, without the search for a good seating."""
    sizes = [4] * (len(players) // 4)
    tables = []
    games = scorebook.open_games(rules="bmja", sizes=sizes, book=session.book)
    for number, seats in enumerate(games):
        table = SessionTable.objects.create(session=session, number=number + 1, game=seats[0].game)
        SessionSeat.objects.bulk_create(
            SessionSeat(session=session, table=table, player=player, seat=seat)
            for player, seat in zip(players[4 * number :], seats, strict=False)
        )
        tables.append(table)
    return tables


def play_club(*, title: str, number: int, hands: int) -> Club:
    """A club with so many hands: a cup of 48, then evenings of 16 a table, the last unfinished.

    Of eight evenings one is agreed at the tables and one is entered in tiles, the others in totals.
    ``hands`` is 64 or more; 16 people come where it is 500 or less, else 40. The secretary and the
    first player can sign in with PASSWORD.
    """
    club = found_club(name=title, email=f"secretary{number}@example.org").membership.club
    firsts = FIRST_NAMES.split()
    names = [*firsts, *(f"{first} B." for first in firsts)][: 16 if hands <= 500 else 40]
    players = [add_player(club=club, name=f"{name} Player-{number}") for name in names]
    secretary = club.memberships.get().user
    secretary.set_password(PASSWORD)
    secretary.save()
    user = User.objects.create_user(f"player{number}@example.org", PASSWORD, name=players[0].name)
    Membership.objects.create(club=club, user=user, role=Role.PLAYER, player=players[0])
    season_of(club, best=20, days=3650)
    dealer, sent_by = Dealer(1368 + number), f"user {secretary.pk}"
    play_cup(club, players, dealer, sent_by)
    left = hands - CUP_HANDS
    for week in count():
        left -= play_evening(club, players, dealer, week, left, sent_by)
        if not left:
            break
    return club


def play_cup(club: Club, players: list[Player], dealer: Dealer, sent_by: str) -> None:
    """Sixteen over four rounds of five hands; the third has come to its last hand."""
    cup = setup.make_tournament(
        club=club, name="Cup", held_on=TUESDAY, rounds=4, hands_a_round=5, agreement="none"
    )
    setup.enter_many(tournament=cup, names=[player.name for player in players[:16]])
    seating.seat_rounds(tournament=cup)
    for hands in (5, 5, 2):
        playing = steps.start_round(tournament=cup)
        for table in playing.tables.select_related("game", "round"):
            posting = post_hands(RoundTable(table), dealer, sent_by=sent_by)
            for _ in islice(posting, hands):
                pass
        if hands == 5:
            steps.close_round(tournament=cup)


def play_evening(
    club: Club, players: list[Player], dealer: Dealer, week: int, most: int, sent_by: str
) -> int:
    """An evening of everybody, closed unless ``most`` hands are too few for it; the hands."""
    is_agreed, tiles = week % EVERY_EIGHTH == 0, week % EVERY_EIGHTH == 1
    club.agreement = AgreementPolicy.ALL if is_agreed else AgreementPolicy.NONE
    club.save(update_fields=["agreement"])
    session, played = evening_of(club, players, week), 0
    for table in session.tables.select_related("game", "session"):
        posting = post_hands(EveningTable(table), dealer, tiles=tiles, sent_by=sent_by)
        hands, names = min(HANDS, most - played), names_at(table)
        for recorded in islice(posting, hands):
            if is_agreed:
                tell(recorded.hand, names, agrees=True)
        played += hands
    if played < most:
        evenings.close_session(session=Session.objects.get(pk=session.pk))
    return played


def lay_halls(tables: int, *, clubs: int, hands: int, event: str) -> list[tuple[str, ...]]:
    """So many tables in so many clubs, with games enough for all these hands.

    The links of the games that each table plays one after another.
    """
    games = ceil(hands / tables / HANDS) + 1
    places: list[tuple[str, ...]] = []
    for number in range(clubs):
        club = Club.objects.create(name=f"Club {number}", slug=f"club-{number}")
        of_club = tables // clubs + (number < tables % clubs)
        lay = evening_links if event == "evening" else tournament_links
        with within(club.pk):
            links = [lay(club, of_club, game) for game in range(games)]
        places += zip(*links, strict=True)
    return places


@transaction.atomic
def evening_links(club: Club, tables: int, week: int) -> list[str]:
    """The links of an evening's tables; nobody plays against the clock."""
    session = evenings.open_session(club=club, held_on=TUESDAY + timedelta(weeks=week))
    Session.objects.filter(pk=session.pk).update(state=SessionState.PLAYING)
    players = list(club.players.all()) or [
        add_player(club=club, name=f"Player {number}") for number in range(4 * tables)
    ]
    return [f"t/{table.link_key}/" for table in seated(session, players)]


def tournament_links(club: Club, tables: int, week: int) -> list[str]:
    """The links of a tournament's first round, which is being played."""
    cup = tournament_of(club, 4 * tables, 1, name=f"Cup {week}", hands=HANDS)
    seating.seat_rounds(tournament=cup)
    playing = steps.start_round(tournament=cup)
    return [f"r/{key}/" for key in playing.tables.values_list("link_key", flat=True)]


def requests_of(places: Sequence[tuple[str, ...]], *, by: str) -> list[Requests]:
    """What each table sends, hand after hand, ready to go over the wire."""
    dealer = Dealer(1368)
    dealt = [reports_of_a_game(dealer, by) for _ in range(DEALT)]
    return [
        deque(
            request_of(link, number, report, dealer, by)
            for game, link in enumerate(links)
            for number, report in enumerate(dealt[(at + game) % DEALT], start=1)
        )
        for at, links in enumerate(places)
    ]


def reports_of_a_game(dealer: Dealer, by: str) -> list[Report]:
    """The hands of one game: in tiles as a program sends them, in scores as a phone does."""
    way = Recording.TILES if by == "api" else Recording.TOTALS
    reports: list[Report] = []
    for _ in range(HANDS):
        outcomes = [report.winner for report in reports]
        deal = deals(outcomes, rules=BMJA, wind_rounds=None).deals[-1]
        reports.append(dealer.report_in(way, deal, BMJA))
    return reports


def request_of(link: str, number: int, report: Report, dealer: Dealer, by: str) -> bytes:
    """A hand as HTTP: to the API as JSON, or as the phone's page sends its form."""
    hand: dict[str, Any] = {"submission_id": str(dealer.submission_id()), "number": number}
    if by == "api":
        path, kind = f"/api/v1/{link}", "application/json"
        body = json.dumps({**hand, **report.as_json()}).encode()
    else:
        path, kind = f"/{link}send/", "application/x-www-form-urlencoded"
        scores = {f"score_{seat}": score for seat, score in report.totals.items()}
        body = urlencode({**hand, "winner": report.winner or NOBODY, **scores}).encode()
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: {kind}\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


def going_round(
    tables: Iterable[SessionTable], dealer: Dealer, *, tiles: bool
) -> Iterator[Callable[[], object]]:
    """Calls that submit one hand after another, going round the tables."""
    posting = [post_hands(EveningTable(table), dealer, tiles=tiles) for table in tables]
    for table in cycle(posting):
        yield lambda table=table: next(table)  # type: ignore[misc]


def seen_in_the_book(sent: int) -> str:
    """Whether every hand is there once, the ledgers add to nothing and the books hold."""
    hands = Hand.objects.count()
    entries = LedgerEntry.objects.values("seat__game").annotate(all=Sum("points"))
    astray = entries.exclude(all=0).count()
    totals = Seat.objects.annotate(entered=Sum("ledger__points")).exclude(points=F("entered"))
    wrong = totals.filter(entered__isnull=False).count()
    books = Book.objects.filter(length__gt=0).order_by("pk").values_list("pk", flat=True)
    findings = sum(len(verify_book(book).findings) for book in books[:VERIFIED])
    return (
        f"in the book: {hands:,} of {sent:,} hands; ledgers that do not add to nothing: {astray}; "
        f"seats whose total is another: {wrong}; findings in {min(len(books), VERIFIED)} of "
        f"{len(books)} books: {findings}"
    )
