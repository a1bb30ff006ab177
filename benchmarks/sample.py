"""Clubs, evenings and tournaments that benchmarks are played at; Django is set up before."""

import json
import random
from collections import deque
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from itertools import count, product, repeat as forever
from math import ceil
from typing import Any, Final
from urllib.parse import urlencode
from uuid import uuid4

from django.db import transaction
from django.db.models import F, Model, QuerySet

from clubs.evenings.event import EveningTable
from clubs.evenings.practice_play import Dealer, api_fields, deal_reports, play_hands
from clubs.evenings.services import ending, evenings
from clubs.house.services import found_club
from clubs.league.services import save_season
from clubs.league_rules.rules import LeagueRules, Quota
from clubs.members.services.people import add_player
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
from clubs.table.forms.hands import NO_WINNER
from clubs.tenancy import club_scope
from scoring import rule_set
from scoring.scorebook import services as scorebook
from scoring.scorebook.models import AgreementPolicy, Game, Hand, Recording, Seat
from scoring.scorebook.reports import Report
from tournaments.models import Table as RoundTable, Tournament
from tournaments.sample import REGULARS, SIGN_IN_WORDS, play_round, seated_evening
from tournaments.seating.services import seating
from tournaments.setup import services as setup
from tournaments.steps import services as steps

TUESDAY: Final = date(2026, 1, 6)
BMJA: Final = rule_set("bmja")
FIRST_NAMES: Final = (
    "Ann Ben Cleo Dev Eve Finn Gwen Hugh Ida Jack Kay Lou May Ned Olive Pat Quinn Rose Sam Tess"
)
PLAYERS, EVENINGS, HANDS = 40, 40, 16
ENTRANTS, ROUNDS = 256, 12  # of the great cup
CUP_HANDS, EVENING_CYCLE, DEALT_GAMES = 48, 8, 40
Requests = deque[bytes]  # of one table, in the order of its hands


def seal_anew(rows: Iterable[Model], column: str = "link_key") -> None:
    """Give rows of another installation's database links that our own secret has sealed."""
    for row in rows:
        setattr(row, column, link_key())
        row.save(update_fields=[column])


def hall_in_play(players: int, rounds: int, hands: int) -> Tournament:
    """A tournament whose first round is being played, with a hand at every table."""
    cup = cup_without_entries(club_with_director(), f"Cup of {players}", rounds, hands)
    setup.enter_names(tournament=cup, names=names_of(players))
    seating.seat_rounds(tournament=cup)
    play_round(cup, Dealer(1368), forever(1), recording=Recording.TOTALS)
    return cup


def players_of(club: Club, count: int) -> list[Player]:
    """So many new members."""
    return [add_player(club=club, name=f"Player {number}") for number in range(count)]


def season_of(club: Club, best: int, days: int = 360) -> Season:
    """A season that counts so many best evenings."""
    last, rules = TUESDAY + timedelta(days=days), LeagueRules(best=Quota(best))
    return save_season(
        club=club, season=None, name="2026", starts_on=TUESDAY, ends_on=last, ranking=rules
    )


def evening_of(club: Club, players: Sequence[Player], week: int) -> Session:
    """An evening to which all of them came, seated."""
    return seated_evening(club, TUESDAY + timedelta(weeks=week), players)


def tournament_of(
    club: Club, entrants: int, rounds: int, *, name: str = "", hands: int = 1
) -> Tournament:
    """A tournament of so many, not seated yet, of so many hands a round."""
    cup = cup_without_entries(club, name or f"Cup of {entrants}", rounds, hands)
    setup.enter_names(tournament=cup, names=[f"Entrant {number}" for number in range(entrants)])
    return cup


def cup_without_entries(club: Club, name: str, rounds: int, hands: int) -> Tournament:
    return setup.make_tournament(
        club=club, name=name, held_on=TUESDAY, rounds=rounds, hands_a_round=hands
    )


def names_of(players: int) -> list[str]:
    """So many different names, as long as real ones are."""
    first, last = zip(*(name.split(" ", 1) for name in REGULARS), strict=True)
    return [" ".join(pair) for pair, _ in zip(product(first, last), range(players), strict=False)]


def club_with_director() -> Club:
    """A club whose director is the only one who can sign in."""
    club = Club.objects.create(name="Riverside Mah-Jong Club", slug="riverside")
    user = User.objects.create_user("director@example.org", SIGN_IN_WORDS, name="Director")
    Membership.objects.create(club=club, user=user, role=Role.DIRECTOR)
    return club


@transaction.atomic
def play_rounds(cup: Tournament, recording: Recording) -> None:
    """One hand at every table of every round."""
    dealer = Dealer(10_000 + cup.pk)
    for _ in range(cup.rounds_planned):
        play_round(cup, dealer, forever(1), recording=recording)
        steps.close_round(tournament=cup)


@transaction.atomic
def great_cup(club: Club, hands: int) -> Tournament:
    """A tournament of 256 over 12 rounds; each table plays one hand in tiles, and repeats it."""
    cup = tournament_of(club, ENTRANTS, ROUNDS, name="Great cup")
    seating.seat_rounds(tournament=cup)
    play_rounds(cup, Recording.TILES)
    Tournament.objects.filter(pk=cup.pk).update(hands_a_round=hands)
    Game.objects.filter(tournament_table__round__tournament=cup).update(hands_planned=hands)
    cup.refresh_from_db()
    played_hands = Hand.objects.filter(game__tournament_table__round__tournament=cup)
    repeat_hands(
        played_hands, Seat.objects.filter(game__tournament_table__round__tournament=cup), hands
    )
    return cup


def repeat_hands(played_hands: QuerySet[Hand], seats: QuerySet[Seat], times: int) -> None:
    """The one hand of every game once more, until there are so many."""
    for hand in list(played_hands):
        Hand.objects.bulk_create(copy_hand(hand, number) for number in range(2, times + 1))
    seats.update(points=F("points") * times, hands=times, mahjongs=F("mahjongs") * times)


def copy_hand(hand: Hand, number: int) -> Hand:
    fields = {field.attname: getattr(hand, field.attname) for field in Hand._meta.concrete_fields}
    return Hand(**fields | {"id": None, "number": number, "submission_id": uuid4()})


@transaction.atomic
def season_of_forty(club: Club) -> None:
    """40 players came to 40 evenings; each table plays one hand in tiles, and repeats it."""
    chance, dealer = random.Random(1368), Dealer(1368)
    season_of(club, best=20)
    players = players_of(club, PLAYERS)
    for week in range(EVENINGS):
        session = evenings.open_session(club=club, held_on=TUESDAY + timedelta(weeks=week))
        chance.shuffle(players)
        for table in seat_in_order(session, players):
            play_hands(EveningTable(table), dealer, 1, recording=Recording.TILES)
    repeat_hands(Hand.objects.all(), Seat.objects.all(), HANDS)


def seat_in_order(session: Session, players: Sequence[Player]) -> list[SessionTable]:
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
    first player can sign in.
    """
    club = found_club(name=title, email=f"secretary{number}@example.org").membership.club
    firsts = FIRST_NAMES.split()
    names = [*firsts, *(f"{first} B." for first in firsts)][: 16 if hands <= 500 else 40]
    players = [add_player(club=club, name=f"{name} Player-{number}") for name in names]
    secretary = club.memberships.get().user
    secretary.set_password(SIGN_IN_WORDS)
    secretary.save()
    user = User.objects.create_user(
        f"player{number}@example.org", SIGN_IN_WORDS, name=players[0].name
    )
    Membership.objects.create(club=club, user=user, role=Role.PLAYER, player=players[0])
    season_of(club, best=20, days=3650)
    dealer = Dealer(1368 + number)
    play_cup(club, players, dealer)
    hands_left = hands - CUP_HANDS
    for week in count():
        hands_left -= play_evening(club, players, dealer, week, hands_left)
        if not hands_left:
            break
    return club


def play_cup(club: Club, players: list[Player], dealer: Dealer) -> None:
    """Sixteen over four rounds of five hands; the third has come to its last hand."""
    cup = setup.make_tournament(
        club=club, name="Cup", held_on=TUESDAY, rounds=4, hands_a_round=5, agreement="none"
    )
    setup.enter_names(tournament=cup, names=[player.name for player in players[:16]])
    seating.seat_rounds(tournament=cup)
    for hands in (5, 5, 2):
        play_round(cup, dealer, forever(hands), recording=Recording.TOTALS)
        if hands == 5:
            steps.close_round(tournament=cup)


def play_evening(club: Club, players: list[Player], dealer: Dealer, week: int, most: int) -> int:
    """An evening of everybody, closed unless ``most`` hands are too few for it; the hands."""
    is_agreed = week % EVENING_CYCLE == 0
    recording = Recording.TILES if week % EVENING_CYCLE == 1 else Recording.TOTALS
    club.agreement = AgreementPolicy.ALL if is_agreed else AgreementPolicy.NONE
    club.save(update_fields=["agreement"])
    session, hands_played = evening_of(club, players, week), 0
    for table in session.tables.select_related("game", "session"):
        hands = min(HANDS, most - hands_played)
        hands_played += play_hands(
            EveningTable(table), dealer, hands, recording=recording, agrees=is_agreed
        )
    if hands_played < most:
        ending.close_session(session=Session.objects.get(pk=session.pk))
    return hands_played


def lay_halls(tables: int, *, clubs: int, hands: int, event: str) -> list[tuple[str, ...]]:
    """The links of the games that each table plays one after another, enough for these hands."""
    games = ceil(hands / tables / HANDS) + 1
    places: list[tuple[str, ...]] = []
    for number in range(clubs):
        club = Club.objects.create(name=f"Club {number}", slug=f"club-{number}")
        of_club = tables // clubs + (number < tables % clubs)
        make_links = evening_links if event == "evening" else tournament_links
        with club_scope(club.pk):
            links = [make_links(club, of_club, game) for game in range(games)]
        places += zip(*links, strict=True)
    return places


@transaction.atomic
def evening_links(club: Club, tables: int, week: int) -> list[str]:
    """The links of an evening's tables; nobody plays against the clock."""
    session = evenings.open_session(club=club, held_on=TUESDAY + timedelta(weeks=week))
    Session.objects.filter(pk=session.pk).update(state=SessionState.PLAYING)
    players = list(club.players.all()) or players_of(club, 4 * tables)
    return [f"t/{table.link_key}/" for table in seat_in_order(session, players)]


def tournament_links(club: Club, tables: int, week: int) -> list[str]:
    """The links of a tournament's first round, which is being played."""
    cup = tournament_of(club, 4 * tables, 1, name=f"Cup {week}", hands=HANDS)
    seating.seat_rounds(tournament=cup)
    playing = steps.start_round(tournament=cup)
    return [f"r/{key}/" for key in playing.tables.values_list("link_key", flat=True)]


def requests_of(places: Sequence[tuple[str, ...]], *, channel: str) -> list[Requests]:
    """What each table sends, hand after hand: in tiles as a program does, in scores as a phone."""
    dealer, recording = Dealer(1368), Recording.TILES if channel == "api" else Recording.TOTALS
    game_reports = [
        deal_reports(dealer, BMJA, HANDS, recording=recording) for _ in range(DEALT_GAMES)
    ]
    return [
        deque(
            request_of(place, number, report, dealer)
            for game, place in enumerate(addresses)
            for number, report in enumerate(game_reports[(index + game) % DEALT_GAMES], start=1)
        )
        for index, addresses in enumerate(
            [address_of(link, channel) for link in links] for links in places
        )
    ]


def address_of(link: str, channel: str) -> tuple[str, str]:
    """Where a table's hands are sent, and the link that a program sends with them, if it is one."""
    if channel == "phone":
        return f"/{link}send/", ""
    kind, key, _ = link.split("/")
    table: Any = (SessionTable if kind == "t" else RoundTable).objects.get(link_key=key)
    return f"/api/v1/games/{table.game_id}/hands/", key


def request_of(place: tuple[str, str], number: int, report: Report, dealer: Dealer) -> bytes:
    """A hand as HTTP: to the API as JSON with a table's link, or as the phone's page sends it."""
    hand: dict[str, Any] = {"submission_id": str(dealer.submission_id()), "number": number}
    path, key = place
    if key:
        kind = f"application/json\r\nAuthorization: Link {key}"
        body = json.dumps({**hand, **api_fields(report)}).encode()
    else:
        kind = "application/x-www-form-urlencoded"
        scores = {f"score_{seat}": score for seat, score in report.totals.items()}
        body = urlencode({**hand, "winner": report.winner or NO_WINNER, **scores}).encode()
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: {kind}\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body
