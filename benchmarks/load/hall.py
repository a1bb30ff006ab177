"""Clubs with tables that wait for hands, the requests that bring them, and the book afterwards."""

import json
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from math import ceil
from urllib.parse import urlencode

from django.db import connections, transaction
from django.db.models import F, Sum

from benchmarks.load.phones import Requests
from clubs.evenings.practice_play import Dealer
from clubs.evenings.services import evenings
from clubs.members.services import add_player
from clubs.models import Club, Session, SessionSeat, SessionState, SessionTable
from clubs.table.forms.hands import NOBODY
from clubs.tenancy import across_clubs, within
from scoring import deals, rule_set
from scoring.scorebook import services as scorebook
from scoring.scorebook.models import Book, Hand, LedgerEntry, Recording, Seat
from scoring.scorebook.reports import Report
from scoring.scorebook.verifying import verify_book
from tournaments.seating.services import seating
from tournaments.setup import services as tournaments
from tournaments.steps import services

TUESDAY = date(2026, 1, 6)
HANDS = 16
DEALT = 40
RULES = "bmja"
VERIFIED = 20
Played = tuple[Report, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """One table of the hall and the links of the games that it plays one after another."""

    links: tuple[str, ...]


def lay(tables: int, *, clubs: int, hands: int, event: str) -> list[Place]:
    """So many tables in so many clubs, with games enough for all these hands."""
    games = ceil(hands / tables / HANDS) + 1
    lay_one = _evening if event == "evening" else _tournament
    result = []
    for number in range(clubs):
        club = Club.objects.create(name=f"Club {number}", slug=f"club-{number}")
        of_club = tables // clubs + (number < tables % clubs)
        with within(club.pk):
            events = [lay_one(club, of_club, game) for game in range(games)]
        result += [Place(links) for links in zip(*events, strict=True)]
    return result


@transaction.atomic
def _evening(club: Club, tables: int, week: int) -> list[str]:
    """The links of an evening's tables; nobody plays against the clock."""
    held_on = TUESDAY + timedelta(weeks=week)
    session = evenings.open_session(club=club, held_on=held_on)
    Session.objects.filter(pk=session.pk).update(state=SessionState.PLAYING)
    players = list(club.players.all()) or [
        add_player(club=club, name=f"Player {number}") for number in range(4 * tables)
    ]
    seats = scorebook.open_games(rules=RULES, sizes=[4] * tables, book=session.book)
    links = []
    for number, places in enumerate(seats):
        table = SessionTable.objects.create(session=session, number=number + 1, game=places[0].game)
        SessionSeat.objects.bulk_create(
            SessionSeat(session=session, table=table, player=player, seat=seat)
            for player, seat in zip(players[4 * number : 4 * number + 4], places, strict=True)
        )
        links.append(f"t/{table.link_key}/")
    return links


def _tournament(club: Club, tables: int, week: int) -> list[str]:
    """The links of a tournament's first round, which is being played."""
    cup = tournaments.make_tournament(
        club=club,
        name=f"Cup {week}",
        held_on=TUESDAY + timedelta(weeks=week),
        rounds=1,
        hands_a_round=HANDS,
    )
    tournaments.enter_many(tournament=cup, names=[f"Entrant {n}" for n in range(4 * tables)])
    seating.seat_rounds(tournament=cup)
    playing = services.start_round(tournament=cup)
    return [f"r/{key}/" for key in playing.tables.values_list("link_key", flat=True)]


def requests_of(places: Sequence[Place], *, by: str) -> list[Requests]:
    """What each table sends, hand after hand, ready to go over the wire."""
    dealer = Dealer(1368)
    dealt = [tuple(_deal(dealer, by)) for _ in range(DEALT)]
    as_sent = _by_api if by == "api" else _by_phone
    return [
        deque(
            as_sent(link, number, report, dealer)
            for game, link in enumerate(place.links)
            for number, report in enumerate(dealt[(at + game) % DEALT], start=1)
        )
        for at, place in enumerate(places)
    ]


def _deal(dealer: Dealer, by: str) -> Iterator[Report]:
    """The hands of one game: in tiles as a program sends them, in scores as a phone does."""
    rules, won = rule_set(RULES), list[int | None]()
    way = Recording.TILES if by == "api" else Recording.TOTALS
    for _ in range(HANDS):
        deal = deals(won, rules=rules, wind_rounds=None).deals[-1]
        report = dealer.report_in(way, deal, rules)
        won.append(report.winner)
        yield report


def _by_api(link: str, number: int, report: Report, dealer: Dealer) -> bytes:
    hand = {"submission_id": str(dealer.submission_id()), "number": number, **report.as_json()}
    return _post(f"/api/v1/{link}", json.dumps(hand).encode(), "application/json")


def _by_phone(link: str, number: int, report: Report, dealer: Dealer) -> bytes:
    hand = {"submission_id": dealer.submission_id(), "number": number}
    hand |= {"winner": report.winner or NOBODY}
    hand |= {f"score_{seat}": score for seat, score in report.totals.items()}
    return _post(f"/{link}send/", urlencode(hand).encode(), "application/x-www-form-urlencoded")


def _post(path: str, body: bytes, kind: str) -> bytes:
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: {kind}\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


def leave_the_database() -> None:
    """Close our own connections: the server has the database for itself."""
    connections.close_all()


@across_clubs()
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
