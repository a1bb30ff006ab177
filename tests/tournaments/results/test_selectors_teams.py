"""Teams: what their members have is added up and ranked as the members are."""

from fractions import Fraction

import pytest

from scoring.scorebook.models import Seat
from tests.tournaments.cups import SECOND_WINS, post, seated_cup, tables
from tournaments.models import Entrant, Tournament
from tournaments.results.selectors.results import results_of
from tournaments.results.selectors.standings import board

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup() -> Tournament:
    """One table: +240 (a Mah-Jong of 60), -64, -80 and -96, nobody in a team yet."""
    made = seated_cup(rounds=1, hands=1)
    post(tables(made)[0], SECOND_WINS)
    return made


def put_together(cup: Tournament, *teams: str) -> None:
    """These teams in the order of the standings, the first place first."""
    for line, team in zip(board(cup).lines, teams, strict=True):
        Entrant.objects.filter(pk=line.row.entrant_id).update(team=team)


def test_a_team_has_what_its_members_have_together(cup: Tournament) -> None:
    put_together(cup, "Bamboo", "Circle", "Circle", "Bamboo")
    assert [
        (line.place, line.row.name, line.row.table_points, line.row.total, line.row.best_hand)
        for line in board(cup).teams
    ] == [("1", "Bamboo", Fraction(4), 144, 60), ("2", "Circle", Fraction(3), -144, 0)]


def test_what_parts_two_teams_is_said_as_for_players(cup: Tournament) -> None:
    put_together(cup, "Bamboo", "Circle", "Circle", "Bamboo")
    Seat.objects.filter(mahjongs=1).update(mahjongs=0)
    cup.ranks_by = ["mahjongs", "total"]
    assert [line.parted_by for line in board(cup).teams] == ["", "total gain: −144 against +144"]


def test_nobody_is_a_team_alone(cup: Tournament) -> None:
    put_together(cup, "Bamboo", "", "Circle", "")
    assert board(cup).teams == ()


def test_the_best_team_has_a_prize(cup: Tournament) -> None:
    put_together(cup, "Bamboo", "Circle", "Circle", "Bamboo")
    cup.state = "finished"
    (prize,) = [row for row in results_of(cup).prizes if row.is_team]
    assert (prize.title, prize.names, prize.figure) == ("Best team", ("Bamboo",), "Table points: 4")
