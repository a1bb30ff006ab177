"""Ratings as the club sees them: out of the book, by themselves, and only where they are wanted."""

from datetime import date, timedelta
from typing import Any

import pytest
from django.urls import reverse

from clubs.evenings.event import EveningTable
from clubs.evenings.services import evenings, seats
from clubs.league.selectors.players import START, rating_of, ratings_of
from clubs.models import Club, Player
from clubs.table import services as at_table
from scoring.scorebook.reports import Report
from tests.clubs.nights import DRAWN, SECOND_WINS, make_players, night, post
from tests.clubs.visits import Visitor
from tests.people import Cast, make_club, make_player

pytestmark = pytest.mark.django_db
TUESDAY = date(2026, 9, 1)
FIRST_WINS = Report(winner=1, totals={1: 60, 2: 20, 3: 8, 4: 4})


@pytest.fixture
def club() -> Club:
    return Club.objects.create(name="Riverside", slug="riverside", rates=True)


@pytest.fixture
def players(club: Club) -> list[Player]:
    """Ann, Ben, Cy, Di."""
    return make_players(club, 4)


def play(club: Club, players: list[Player], *reports: Report) -> None:
    """An evening for each report, a week apart."""
    for week, report in enumerate(reports):
        held_on = TUESDAY + timedelta(weeks=week)
        post(night(club, held_on, players).tables.get(), report)


def names(rows: Any) -> list[tuple[int | None, str]]:
    return [(row.place, row.name) for row in rows]


def test_whoever_wins_six_evenings_is_rated_first(club: Club, players: list[Player]) -> None:
    play(club, players, *[SECOND_WINS] * 6)
    lists = ratings_of(club)
    assert names(lists.settled) == [(1, "Ben"), (2, "Ann"), (3, "Cy"), (4, "Di")]
    assert lists.newcomers == ()
    assert lists.settled[0].rating.now.points > START


def test_a_newcomer_has_no_place_and_no_number_yet(club: Club, players: list[Player]) -> None:
    play(club, players, *[SECOND_WINS] * 5)
    lists = ratings_of(club)
    assert lists.settled == ()
    assert names(lists.newcomers) == [(None, "Ann"), (None, "Ben"), (None, "Cy"), (None, "Di")]
    own = rating_of(players[1])
    assert own is not None
    assert (own.rating.words, own.chart) == ("still settling: 5 of 6 evenings", None)


def test_an_evening_counts_on_its_day_whenever_it_was_entered(
    club: Club, players: list[Player]
) -> None:
    other = Club.objects.create(name="Valley", slug="valley", rates=True)
    others = make_players(other, 4)
    play(club, players, SECOND_WINS, FIRST_WINS)
    post(night(other, TUESDAY + timedelta(weeks=1), others).tables.get(), FIRST_WINS)
    post(night(other, TUESDAY, others).tables.get(), SECOND_WINS)
    for player, twin in zip(players, others, strict=True):
        own, its = rating_of(player), rating_of(twin)
        assert own is not None
        assert its is not None
        assert own.rating == its.rating


def test_a_correction_changes_the_rating_by_itself(club: Club, players: list[Player]) -> None:
    play(club, players, SECOND_WINS)
    before = rating_of(players[0])
    table = club.sessions.get().tables.get()
    at_table.correct_hand(
        table=EveningTable(table),
        hand_id=table.game.hands.get().pk,
        report=FIRST_WINS,
        corrected_by="user 1",
        reason="Ann had won.",
    )
    after = rating_of(players[0])
    assert before is not None
    assert after is not None
    assert after.rating.now.points > before.rating.now.points


def test_who_came_late_was_at_the_same_table_and_all_games_are_one_evening(
    club: Club, players: list[Player]
) -> None:
    late = make_player(club, "Lou")
    session = night(club, TUESDAY, players)
    evenings.tick(session=session, player=late, is_here=True)
    post(session.tables.get(), SECOND_WINS)
    seats.take_over(session=session, leaver=players[3], player=late, goes_home=True)
    post(session.tables.get(number=1), DRAWN)
    ann, ben, _, di, lou = (rating_of(player) for player in [*players, late])
    assert ann is not None
    assert ben is not None
    assert di is not None
    assert lou is not None
    assert [row.rating.evenings for row in (ann, ben, di, lou)] == [1, 1, 1, 1]
    points = [row.rating.now.points for row in (ben, lou, ann, di)]
    assert points == sorted(points, reverse=True)


def test_an_evening_without_a_hand_rates_nobody(club: Club, players: list[Player]) -> None:
    night(club, TUESDAY, players)
    assert rating_of(players[0]) is None


def test_a_guest_is_played_against_and_not_listed(club: Club, players: list[Player]) -> None:
    guest = make_player(club, "Guy", kind="guest")
    play(club, [*players[:3], guest], *[DRAWN] * 6)
    lists = ratings_of(club)
    assert names(lists.settled) == [(1, "Ann"), (1, "Ben"), (1, "Cy")]
    assert all(row.is_tied for row in lists.settled)


def test_who_has_left_is_listed_no_more(club: Club, players: list[Player]) -> None:
    play(club, players, *[SECOND_WINS] * 6)
    Player.objects.filter(pk=players[1].pk).update(is_active=False)
    assert names(ratings_of(club).settled) == [(1, "Ann"), (2, "Cy"), (3, "Di")]


def test_a_club_that_wants_no_ratings_has_none(players: list[Player], club: Club) -> None:
    play(club, players, SECOND_WINS)
    club.rates = False
    assert rating_of(Player(pk=players[0].pk, club=club)) is None


def test_the_secretary_turns_ratings_on_and_off(cast: Cast) -> None:
    alice = Visitor(cast.secretary)
    typed = {"rules": "bmja/2008", "record_by": "totals", "agreement": "all"}
    typed["rules"] = cast.club.rules
    address = reverse("rating", args=["riverside"])
    assert alice.get(address).status_code == 404
    alice.post(reverse("club-rules", args=["riverside"]), {**typed, "rates": "on"})
    assert alice.get(address).status_code == 200
    assert address in alice.get(reverse("seasons", args=["riverside"])).content.decode()
    alice.post(reverse("club-rules", args=["riverside"]), typed)
    assert alice.get(address).status_code == 404


@pytest.mark.parametrize("nights", [1, 3])
def test_the_list_asks_no_more_for_more_evenings(
    cast: Cast, nights: int, django_assert_num_queries: Any
) -> None:
    Club.objects.filter(pk=cast.club.pk).update(rates=True)
    play(cast.club, make_players(cast.club, 4), *[SECOND_WINS] * nights)
    visitor = Visitor(cast.player)
    with django_assert_num_queries(4):
        page = visitor.get(reverse("rating", args=["riverside"]))
    assert len(page.context["ratings"].newcomers) == 4


def test_another_clubs_evenings_do_not_count(club: Club, players: list[Player]) -> None:
    other = make_club("Valley", "valley")
    play(other, make_players(other, 4), SECOND_WINS)
    assert ratings_of(club).newcomers == ()
