"""A player's page: what seasons come to, the best hand, and whom the player sat with."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from django.urls import reverse

from clubs.evenings.event import EveningTable
from clubs.evenings.services import evenings, seats
from clubs.league.selectors.players import company_of, player_seasons
from clubs.league.selectors.records import best_hand_of
from clubs.league_rules.rules import LeagueRules, Quota
from clubs.models import Club, Player, Session, ShownAs
from clubs.models.names import ORGANISER
from clubs.table import services as at_table
from scoring.scorebook.reports import Report
from tests.clubs.nights import DRAWN, SECOND_WINS, make_players, make_season, night, post
from tests.clubs.visits import Visitor
from tests.people import Cast, make_club, make_player

pytestmark = pytest.mark.django_db
TUESDAYS = [date(2026, 11, day) for day in (3, 10, 17, 24)]
LAST_YEAR = date(2025, 11, 4)
FIRST_WINS = Report(winner=1, totals={1: 60, 2: 20, 3: 8, 4: 4})
PURE = {
    "sets": [{"tiles": ["B2"] * 3, "exposed": True}, {"tiles": ["B4"] * 3, "exposed": True}],
    "concealed": ["B6", "B6", "B6", "B8", "B8", "B8", "B9", "B9"],
    "bonus": [],
    "winning_tile": "B9",
}
IN_TILES = Report(winner=2, tiles={2: PURE}, totals={1: 20, 3: 8, 4: 4}, won_by="wall")


@pytest.fixture
def club() -> Club:
    return make_club()


@pytest.fixture
def players(club: Club) -> list[Player]:
    """Ann, Ben, Cy, Di, Ed."""
    return make_players(club, 5)


def played(club: Club, day: date, seated: list[Player], *reports: Report) -> Session:
    """An evening of one table."""
    session = night(club, day, seated)
    post(session.tables.get(), *reports)
    return session


def test_a_season_and_all_evenings_are_added_up(club: Club, players: list[Player]) -> None:
    make_season(club, name="Autumn 2025", starts_on=LAST_YEAR, ends_on=date(2025, 12, 31))
    make_season(club)
    played(club, LAST_YEAR, players[:4], DRAWN)
    played(club, TUESDAYS[0], players[:4], SECOND_WINS)
    played(club, TUESDAYS[1], players[:4], SECOND_WINS, DRAWN)
    seasons = player_seasons(players[1])
    now, before = seasons.seasons
    assert (now.title, before.title) == ("Club league, Autumn 2026", "Club league, Autumn 2025")
    assert (now.place, now.of, now.has_place) == ("first", 4, True)
    season, career = now.figures, seasons.career
    assert (season.evenings, season.hands, season.mahjongs, season.total) == (2, 3, 2, 480)
    assert (season.share, season.an_evening, season.a_hand) == (67, Decimal(240), Decimal(160))
    assert (season.best.held_on, season.best.points, season.best_hand) == (TUESDAYS[0], 240, 60)
    assert career is not None
    assert (career.evenings, career.hands, career.total) == (3, 4, 480)
    assert [row.held_on for row in seasons.earlier] == [LAST_YEAR]


def test_an_evening_without_a_hand_counts_for_nothing(club: Club, players: list[Player]) -> None:
    played(club, TUESDAYS[0], players[:4])
    seasons = player_seasons(players[0])
    assert (seasons.career, seasons.seasons, seasons.running) == (None, (), None)


def test_somebody_without_enough_evenings_has_no_place_yet(
    club: Club, players: list[Player]
) -> None:
    make_season(club, ranking=LeagueRules(least=Quota(2)))
    played(club, TUESDAYS[0], players[:4], SECOND_WINS)
    row = player_seasons(players[1]).seasons[0]
    assert (row.place, row.of, row.has_place) == ("not ranked yet", 0, False)


def test_a_guest_has_figures_and_no_place(club: Club, players: list[Player]) -> None:
    make_season(club)
    guest = make_player(club, "Guy", kind="guest")
    played(club, TUESDAYS[0], [*players[:3], guest], SECOND_WINS)
    row = player_seasons(guest).seasons[0]
    assert (row.place, row.figures.total) == ("", -96)


def test_the_total_runs_on_beside_the_middle_of_the_members(
    club: Club, players: list[Player]
) -> None:
    make_season(club)
    played(club, TUESDAYS[0], players[:4], SECOND_WINS)
    played(club, TUESDAYS[1], [players[0], *players[2:]], FIRST_WINS)
    played(club, TUESDAYS[2], players[:4], SECOND_WINS)
    running = player_seasons(players[1]).running
    assert running is not None
    rows = [(row.played and row.played.points, row.total, row.middle) for row in running.rows]
    assert rows == [(240, "+480", "−140"), (None, "+240", "−140"), (240, "+240", "−72")]
    assert running.chart is not None
    assert [dot.words for dot in running.chart.dots] == ["3 November: +240", "17 November: +480"]


def test_the_best_hand_is_shown_with_its_tiles(club: Club, players: list[Player]) -> None:
    session = played(club, TUESDAYS[0], players[:4], SECOND_WINS, IN_TILES)
    best = best_hand_of(players[1], player_seasons(players[1]).history.best_hand)
    assert best is not None
    assert (best.special, best.session_id, best.where) == ("Purity", session.pk, "table 1, hand 2")
    assert best.tiles[0] == ("B2", "B2", "B2")
    assert sorted(tile for group in best.tiles for tile in group) == sorted(
        ["B2"] * 3 + ["B4"] * 3 + ["B6"] * 3 + ["B8"] * 3 + ["B9"] * 2
    )


def test_of_equal_best_hands_the_one_with_tiles_is_shown(club: Club, players: list[Player]) -> None:
    played(club, TUESDAYS[1], players[:4], IN_TILES)
    score = player_seasons(players[1]).history.best_hand
    report = Report(winner=2, totals={1: 20, 2: score, 3: 8, 4: 4})
    played(club, TUESDAYS[0], players[:4], report)
    best = best_hand_of(players[1], score)
    assert best is not None
    assert (best.day, bool(best.tiles)) == (TUESDAYS[1], True)


def test_a_hand_told_in_points_has_no_tiles(club: Club, players: list[Player]) -> None:
    played(club, TUESDAYS[0], players[:4], SECOND_WINS)
    best = best_hand_of(players[1], 60)
    assert best is not None
    assert (best.score, best.day, best.tiles) == (60, TUESDAYS[0], ())


def test_nobody_has_a_best_hand_of_nothing(players: list[Player]) -> None:
    assert best_hand_of(players[0], 0) is None


def test_a_corrected_hand_is_no_longer_the_best(club: Club, players: list[Player]) -> None:
    session = played(club, TUESDAYS[0], players[:4], IN_TILES)
    table = session.tables.get()
    at_table.correct_hand(
        table=EveningTable(table),
        hand_id=table.game.hands.get().pk,
        report=SECOND_WINS,
        corrected_by="user 1",
        reason="The tiles were another hand's.",
    )
    history = player_seasons(players[1]).history
    best = best_hand_of(players[1], history.best_hand)
    assert best is not None
    assert (best.score, best.tiles) == (60, ())


def test_what_each_gained_counts_only_at_the_same_table(club: Club, players: list[Player]) -> None:
    ann, ben, cy, di, ed = players
    played(club, TUESDAYS[0], [ann, ben, cy, di], SECOND_WINS, DRAWN)
    played(club, TUESDAYS[1], [ann, ben, cy, ed], SECOND_WINS)
    company = company_of(ann)
    met = [(row.name, row.evenings, row.hands, row.own, row.theirs) for row in company.met]
    assert met == [
        ("Ben", 2, 3, -128, 480),
        ("Cy", 2, 3, -128, -160),
        ("Di", 1, 2, -64, -96),
        ("Ed", 1, 1, -64, -96),
    ]
    assert [row.ahead for row in company.met] == [-608, 32, 32, 32]
    assert (company.fewest, company.least_met) == (1, ("Di", "Ed"))
    assert company.not_met == ()


def test_who_sat_out_did_not_play_that_hand(club: Club, players: list[Player]) -> None:
    session = night(club, TUESDAYS[0], players)
    table = session.tables.get()
    post(table, DRAWN)
    winds = table.game.hands.get().deal["winds"]
    out = next(seat for seat in range(1, 6) if str(seat) not in winds)
    sat_out = players[out - 1]
    assert [row.name for row in company_of(sat_out).met] == []
    others = [player for player in players if player != sat_out]
    assert {row.name for row in company_of(others[0]).met} == {row.name for row in others[1:]}


def test_who_came_late_met_those_who_played_on(club: Club, players: list[Player]) -> None:
    ann, ben, _, di, ed = players
    session = night(club, TUESDAYS[0], players[:4])
    evenings.tick(session=session, player=ed, is_here=True)
    post(session.tables.get(), SECOND_WINS)
    seats.take_over(session=session, leaver=di, player=ed, goes_home=True)
    post(session.tables.get(number=1), DRAWN)
    met = [(row.name, row.evenings, row.hands) for row in company_of(ann).met]
    assert met == [("Ben", 1, 2), ("Cy", 1, 2), ("Di", 1, 1), ("Ed", 1, 1)]
    assert company_of(di).not_met == ("Ed",)
    best = best_hand_of(ben, 60)
    assert best is not None
    assert best.where == "table 1, hand 1"


def test_whom_a_player_has_not_met_is_named(club: Club, players: list[Player]) -> None:
    make_player(club, "Guy", kind="guest")
    make_player(club, "Zed", is_active=False)
    played(club, TUESDAYS[0], players[:4], SECOND_WINS)
    assert company_of(players[0]).not_met == ("Ed",)
    assert company_of(players[4]).not_met == ("Ann", "Ben", "Cy", "Di")


def test_who_hides_the_name_is_not_named_as_still_to_be_met(
    club: Club, players: list[Player]
) -> None:
    Player.objects.filter(pk=players[4].pk).update(shown_as=ShownAs.HIDDEN)
    played(club, TUESDAYS[0], players[:4], SECOND_WINS)
    assert company_of(players[0]).not_met == ()
    assert company_of(players[0], reader=ORGANISER).not_met == ("Ed",)


@pytest.mark.parametrize("nights", [1, 3])
def test_a_players_page_asks_no_more_for_more_evenings(
    cast: Cast, nights: int, django_assert_num_queries: Any
) -> None:
    players = make_players(cast.club, 4)
    make_season(cast.club)
    cast.club.rates = True
    cast.club.save()
    for day in range(nights):
        played(cast.club, TUESDAYS[day], players, *[SECOND_WINS] * (1 + day))
    visitor = Visitor(cast.player)
    with django_assert_num_queries(14):
        page = visitor.get(reverse("player", args=["riverside", players[1].pk]))
    assert len(page.context["history"].evenings) == nights


def test_the_page_says_so_where_no_tiles_were_entered(cast: Cast) -> None:
    players = make_players(cast.club, 4)
    make_season(cast.club)
    played(cast.club, TUESDAYS[0], players, SECOND_WINS)
    page = Visitor(cast.player).get(reverse("player", args=["riverside", players[1].pk]))
    text = " ".join(page.content.decode().split())
    assert "table 1, hand 1; tiles not entered" in text
    assert "Why is Ben first of 4?" in text
    assert "Ben has not yet played with Alice, Dev, Pat, Sunil." in text


def test_seasons_stand_below_one_another_on_the_page(cast: Cast) -> None:
    players = make_players(cast.club, 4)
    make_season(cast.club, name="Autumn 2025", starts_on=LAST_YEAR, ends_on=date(2025, 12, 31))
    make_season(cast.club)
    played(cast.club, LAST_YEAR, players, FIRST_WINS)
    played(cast.club, TUESDAYS[0], players, SECOND_WINS)
    page = Visitor(cast.player).get(reverse("player", args=["riverside", players[1].pk]))
    text = " ".join(page.content.decode().split())
    assert text.index("Club league, Autumn 2026") < text.index("Club league, Autumn 2025")
    assert '>second of 4<span class="hidden-text">: why?' in text
    assert '<td class="num total">−92</td>' in text
    assert "<summary>The other evening</summary>" in text


def test_ones_own_page_says_you(cast: Cast) -> None:
    pat = cast.club.players.get(name="Pat")
    make_season(cast.club)
    played(cast.club, TUESDAYS[0], [*make_players(cast.club, 3), pat], SECOND_WINS)
    page = Visitor(cast.player).get(reverse("player", args=["riverside", pat.pk]))
    text = " ".join(page.content.decode().split())
    assert "Why am I fourth of 4?" in text
    assert "You have not yet played with Alice, Dev, Sunil." in text


def test_a_player_of_another_club_is_not_found(cast: Cast) -> None:
    stranger = make_player(make_club("Valley", "valley"), "Vi")
    page = Visitor(cast.player).get(reverse("player", args=["riverside", stranger.pk]))
    assert page.status_code == 404


def test_a_losers_hand_is_no_best_hand(club: Club, players: list[Player]) -> None:
    """Ann scores more than Ben in the hand that Ben wins: the best hand of the day is Ben's."""
    played(club, TUESDAYS[0], players[:4], Report(winner=2, totals={1: 400, 2: 60, 3: 8, 4: 4}))
    assert player_seasons(players[0]).history.best_hand == 0
    assert player_seasons(players[1]).history.best_hand == 60
    assert best_hand_of(players[0], 400) is None
