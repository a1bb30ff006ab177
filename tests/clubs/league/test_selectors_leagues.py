"""The league table: who is ranked where, by what, and what it costs to read."""

from datetime import date
from fractions import Fraction

import pytest
from pytest_django import DjangoAssertNumQueries

from clubs.evenings.event import EveningTable
from clubs.league.selectors.seasons import league_table
from clubs.models import Club, Player, Season
from clubs.table import services as at_table
from scoring.scorebook.reports import Report
from tests.clubs.nights import DRAWN, SECOND_WINS, make_players, make_season, night, post
from tests.people import make_club, make_player

pytestmark = pytest.mark.django_db
TUESDAYS = [date(2026, 11, 3), date(2026, 11, 10), date(2026, 11, 17)]
FIRST_WINS = Report(winner=1, totals={1: 60, 2: 20, 3: 8, 4: 4})


@pytest.fixture
def club() -> Club:
    return make_club()


@pytest.fixture
def players(club: Club) -> list[Player]:
    """Ann, Ben, Cy, Di, Ed."""
    return make_players(club, 5)


def play(club: Club, players: list[Player]) -> None:
    """Ben wins twice from the second seat; on the last evening Ed sits in for Di, nobody wins."""
    ann, ben, cy, di, ed = players
    for day, seated, report in zip(
        TUESDAYS,
        [(ann, ben, cy, di), (ann, ben, cy, di), (ann, ben, cy, ed)],
        [SECOND_WINS, SECOND_WINS, DRAWN],
        strict=True,
    ):
        post(night(club, day, seated).tables.get(), report)


def lines(season: Season) -> list[tuple[int | None, str, int, int]]:
    return [(row.place, row.name, row.attended, row.total) for row in league_table(season).rows]


def test_the_total_of_all_evenings_ranks(club: Club, players: list[Player]) -> None:
    season = make_season(club)
    play(club, players)
    table = league_table(season)
    assert lines(season) == [
        (1, "Ben", 3, 480),
        (2, "Ed", 1, 0),
        (3, "Ann", 3, -128),
        (4, "Cy", 3, -160),
        (5, "Di", 2, -192),
    ]
    assert table.evenings == tuple(TUESDAYS)
    assert table.title == "Club league, Autumn 2026"
    assert table.rule == "Ranked by the total of all evenings; ties by Mah-Jongs, then best hand."
    ben = table.rows[0]
    assert (ben.mahjongs, ben.best_hand, ben.average) == (2, 60, Fraction(160))
    assert ben.decided_by is None
    assert table.rows[1].decided_by == "total"


def test_the_average_ranks_by_evenings_attended(club: Club, players: list[Player]) -> None:
    season = make_season(club, ranks_by="average")
    play(club, players)
    assert [(row.name, row.average) for row in league_table(season).rows] == [
        ("Ben", Fraction(160)),
        ("Ed", Fraction(0)),
        ("Ann", Fraction(-128, 3)),
        ("Cy", Fraction(-160, 3)),
        ("Di", Fraction(-96)),
    ]


def test_an_average_is_shown_to_a_tenth_of_a_point(club: Club, players: list[Player]) -> None:
    season = make_season(club, ranks_by="average")
    play(club, players)
    assert [str(row.mean) for row in league_table(season).rows[2:]] == ["-42.7", "-53.3", "-96"]


def test_only_the_best_evenings_count(club: Club, players: list[Player]) -> None:
    season = make_season(club, best_of=2)
    play(club, players)
    assert [(row.name, row.best_total, row.counted) for row in league_table(season).rows] == [
        ("Ben", 480, 2),
        ("Ed", 0, 1),
        ("Ann", -64, 2),
        ("Cy", -80, 2),
        ("Di", -192, 2),
    ]


def test_below_the_least_attendance_nobody_is_ranked(club: Club, players: list[Player]) -> None:
    season = make_season(club, least_attendance=3)
    play(club, players)
    assert lines(season) == [
        (1, "Ben", 3, 480),
        (2, "Ann", 3, -128),
        (3, "Cy", 3, -160),
        (None, "Di", 2, -192),
        (None, "Ed", 1, 0),
    ]


def test_equals_share_a_place(club: Club, players: list[Player]) -> None:
    season = make_season(club)
    ann, ben, cy, di, _ = players
    post(night(club, TUESDAYS[0], (ann, ben, cy, di)).tables.get(), DRAWN)
    rows = league_table(season).rows
    assert [(row.place, row.is_tied) for row in rows] == [(1, True)] * 4


def test_an_equal_total_is_parted_by_mahjongs(club: Club, players: list[Player]) -> None:
    season = make_season(club)
    ann, ben, cy, di, ed = players
    guests = [make_player(club, f"Guest {n}", kind="guest") for n in range(3)]
    # Ann gains 480 in one hand as East; Ben 240 twice with a Mah-Jong each.
    big = Report(winner=1, totals={1: 80, 2: 0, 3: 0, 4: 0})
    post(night(club, TUESDAYS[0], (ann, *guests)).tables.get(), big)
    post(night(club, TUESDAYS[1], (di, ben, cy, ed)).tables.get(), SECOND_WINS)
    post(night(club, TUESDAYS[2], (di, ben, cy, ed)).tables.get(), SECOND_WINS)
    rows = league_table(season).rows
    assert [(row.place, row.name, row.total, row.decided_by) for row in rows[:2]] == [
        (1, "Ben", 480, None),
        (2, "Ann", 480, "mahjongs"),
    ]


def test_guests_are_left_out(club: Club, players: list[Player]) -> None:
    season = make_season(club)
    guest = make_player(club, "Beryl", kind="guest")
    post(night(club, TUESDAYS[0], (*players[:3], guest)).tables.get(), SECOND_WINS)
    assert [row.name for row in league_table(season).rows] == ["Ben", "Ann", "Cy"]


def test_an_evening_counts_from_its_first_hand(club: Club, players: list[Player]) -> None:
    season = make_season(club)
    session = night(club, TUESDAYS[0], players[:4])
    assert lines(season) == []
    post(session.tables.get(), DRAWN)
    assert [row.attended for row in league_table(season).rows] == [1, 1, 1, 1]


def test_evenings_outside_the_season_do_not_count(club: Club, players: list[Player]) -> None:
    season = make_season(club)
    post(night(club, date(2027, 1, 5), players[:4]).tables.get(), SECOND_WINS)
    assert lines(season) == []


def test_the_table_follows_a_correction(club: Club, players: list[Player]) -> None:
    season = make_season(club)
    table = night(club, TUESDAYS[0], players[:4]).tables.get()
    (hand,) = post(table, SECOND_WINS)
    at_table.correct_hand(
        table=EveningTable(table),
        hand_id=hand.pk,
        report=FIRST_WINS,
        corrected_by="user 1",
        reason="a slip",
    )
    assert lines(season)[0] == (1, "Ann", 1, 360)


@pytest.mark.parametrize("count", [1, 3])
def test_a_league_table_is_three_queries(
    club: Club, players: list[Player], count: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    season = make_season(club)
    for day in TUESDAYS[:count]:
        post(night(club, day, players[:4]).tables.get(), SECOND_WINS)
    with django_assert_num_queries(3):
        league_table(season)
