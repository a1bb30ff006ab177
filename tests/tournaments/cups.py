"""Tournaments of sixteen, and rounds played with known gains."""

from datetime import date
from uuid import uuid4

from clubs.models import Club
from clubs.table import services as at_table
from scoring.scorebook.models import Hand
from scoring.scorebook.reports import Report
from tests.people import make_club
from tournaments.models import Round, RoundState, Table, Tournament
from tournaments.seating.services import seating
from tournaments.setup import services as setup_services
from tournaments.steps import services
from tournaments.table.event import RoundTable

DRAWN = Report(winner=None)
# With the first seat as East: -64, +240, -80, -96.
SECOND_WINS = Report(winner=2, totals={1: 20, 2: 60, 3: 8, 4: 4})


def make_cup(
    *, entrants: int = 16, rounds: int = 5, hands: int = 2, club: Club | None = None
) -> Tournament:
    """A tournament with entrants Player 1, Player 2 …, not seated yet."""
    cup = setup_services.make_tournament(
        club=club or make_club(),
        name="Autumn Cup",
        held_on=date(2026, 11, 21),
        rounds=rounds,
        hands_a_round=hands,
    )
    names = [f"Player {number}" for number in range(1, entrants + 1)]
    setup_services.enter_many(tournament=cup, names=names)
    return cup


def seated_cup(
    *, entrants: int = 4, rounds: int = 2, hands: int = 2, club: Club | None = None
) -> Tournament:
    """The same with every round seated and the first one open."""
    cup = make_cup(entrants=entrants, rounds=rounds, hands=hands, club=club)
    seating.seat_rounds(tournament=cup)
    services.start_round(tournament=cup)
    return Tournament.objects.get(pk=cup.pk)


def post(table: Table, *reports: Report) -> list[Hand]:
    """These hands one after another, from the table's phone."""
    return [
        at_table.post_hand(
            table=RoundTable(table),
            submission_id=uuid4(),
            number=number,
            report=report,
            sent_by=f"table {table.pk}",
        ).hand
        for number, report in enumerate(reports, start=1)
    ]


def tables(cup: Tournament, round_number: int = 1) -> list[Table]:
    """The tables of a round by number."""
    return list(Table.objects.filter(round__tournament=cup, round__number=round_number))


def play_round(cup: Tournament, *reports: Report) -> Round:
    """Every table of the open round reports these hands; the round stays open."""
    playing = cup.rounds.get(state=RoundState.PLAYING)
    for table in playing.tables.all():
        post(table, *reports)
    return playing
