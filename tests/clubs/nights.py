"""Evenings where everyone sits as the test says, and hands with known gains."""

from collections.abc import Sequence
from datetime import date
from typing import Any
from uuid import uuid4

from django.urls import reverse

from clubs.evenings.event import EveningTable
from clubs.evenings.services import evenings
from clubs.league import services
from clubs.league_rules.rules import LeagueRules, Quota, SeasonScoring
from clubs.models import Club, Player, Season, Session, SessionSeat, SessionState, SessionTable
from clubs.table import services as at_table
from scoring.scorebook.models import Hand
from scoring.scorebook.reports import Report
from scoring.scorebook.selectors import progress
from tests.people import make_player
from tests.scoring.scorebook.book import open_game

DRAWN = Report(winner=None)
# With the first seat as East: -64, +240, -80, -96.
SECOND_WINS = Report(winner=2, totals={1: 20, 2: 60, 3: 8, 4: 4})
NAMES = ("Ann", "Ben", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ida", "Jo", "Kit", "Lou", "Mo")


def make_players(club: Club, count: int) -> list[Player]:
    """So many members: Ann, Ben, Cy …"""
    return [make_player(club, name) for name in NAMES[:count]]


def evening_of(
    club: Club, players: Sequence[Player], held_on: date = date(2026, 11, 17)
) -> Session:
    """An evening at whose door these have been ticked."""
    session = evenings.open_session(club=club, held_on=held_on)
    for player in players:
        evenings.tick(session=session, player=player, is_here=True)
    return session


def night(club: Club, held_on: date, *tables: Sequence[Player]) -> Session:
    """An evening with these tables, everyone in seat order from the first East."""
    session = evening_of(club, [player for players in tables for player in players], held_on)
    for number, players in enumerate(tables, start=1):
        game = open_game(len(players))
        table = SessionTable.objects.create(session=session, number=number, game=game)
        for seat, player in zip(game.seats.all(), players, strict=True):
            SessionSeat.objects.create(session=session, table=table, player=player, seat=seat)
    session.state = SessionState.PLAYING
    session.save()
    return session


def fours(club: Club, tables: int, held_on: date = date(2026, 11, 17)) -> Session:
    """An evening of so many tables of four: Ann, Ben, Cy and Di at the first."""
    players = make_players(club, 4 * tables)
    return night(club, held_on, *(players[n * 4 : n * 4 + 4] for n in range(tables)))


def post(table: SessionTable, *reports: Report) -> list[Hand]:
    """These hands one after another, from the table's phone."""
    return [
        at_table.post_hand(
            table=EveningTable(table),
            submission_id=uuid4(),
            number=number,
            report=report,
            sent_by=f"table {table.pk}",
        ).hand
        for number, report in enumerate(reports, start=1)
    ]


def post_next(table: SessionTable, report: Report) -> Hand:
    """The next hand of the table, from its phone."""
    return at_table.post_hand(
        table=EveningTable(table),
        submission_id=uuid4(),
        number=progress(table.game).deals[-1].number,
        report=report,
        sent_by=f"table {table.pk}",
    ).hand


def make_season(club: Club, **changed_fields: Any) -> Season:
    """Autumn 2026, ranked by the total, unless the test says otherwise."""
    best, least = changed_fields.pop("best_of", 0), changed_fields.pop("least_attendance", 0)
    is_average = changed_fields.pop("ranks_by", "total") == "average"
    ranking = LeagueRules(
        adds_up=SeasonScoring.AVERAGE if is_average else SeasonScoring.TOTAL,
        best=Quota(best) if best else None,
        least=Quota(least) if least else None,
    )
    fields: dict[str, Any] = {
        "season": None,
        "name": "Autumn 2026",
        "starts_on": date(2026, 9, 1),
        "ends_on": date(2026, 12, 31),
        "ranking": ranking,
    }
    return services.save_season(club=club, **{**fields, **changed_fields})


def correct(hand: Hand, report: Report, reason: str = "a slip") -> Hand:
    """The scorer corrects the hand."""
    table = SessionTable.objects.get(game=hand.game_id)
    return at_table.correct_hand(
        table=EveningTable(table),
        hand_id=hand.pk,
        report=report,
        corrected_by="user 1",
        reason=reason,
    )


def page_of(name: str, session: Session, *url_args: object) -> str:
    """The address of an evening's page or action."""
    return reverse(name, args=[session.club.slug, session.pk, *url_args])


def table_at(session: Session, number: int) -> SessionTable:
    """The evening's table of that number."""
    return session.tables.select_related("game", "session").get(number=number)
