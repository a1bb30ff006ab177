"""Players: figures season by season, company, charts of both, and ratings."""

import re
from datetime import date, timedelta
from decimal import Decimal
from itertools import pairwise, permutations
from typing import Any

import pytest
from django.urls import reverse
from hypothesis import given, settings, strategies as st
from pytest_django.asserts import assertNumQueries

from clubs.evenings.services import ending, evenings
from clubs.league.selectors.players import (
    EVENINGS_TO_SETTLE,
    START_RATING,
    ChartPoint,
    PlayerRating,
    Rating,
    chart_of,
    compute_ratings,
    opponents_of,
    player_seasons,
    rating_of,
    ratings_of,
    scale_of,
)
from clubs.league.selectors.records import MadeHand, best_hand_of
from clubs.league.selectors.seasons import league_table
from clubs.league_rules.rules import LeagueRules, Quota
from clubs.models import Club, Player, Session, ShownAs
from clubs.models.names import ORGANISER_READER
from scoring.scorebook.models import Hand
from scoring.scorebook.reports import Report
from tests.clubs.nights import DRAWN, SECOND_WINS, correct, make_players, make_season, night, post
from tests.clubs.visits import Visitor
from tests.people import Cast, make_club, make_player

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
def club(db: None) -> Club:
    """A club that rates its members."""
    return Club.objects.create(name="Riverside", slug="riverside", rates=True)


@pytest.fixture
def players(club: Club) -> list[Player]:
    """Ann, Ben, Cy, Di, Ed."""
    return make_players(club, 5)


def play_evening(club: Club, day: date, table_players: list[Player], *reports: Report) -> Session:
    """An evening of one table."""
    session = night(club, day, table_players)
    post(session.tables.get(), *reports)
    return session


def best_of(player: Player, score: int) -> MadeHand:
    hand = best_hand_of(player, score)
    assert hand is not None
    return hand


def test_a_season_and_all_evenings_are_added_up(club: Club, players: list[Player]) -> None:
    make_season(club, name="Autumn 2025", starts_on=LAST_YEAR, ends_on=date(2025, 12, 31))
    make_season(club)
    play_evening(club, LAST_YEAR, players[:4], DRAWN)
    play_evening(club, TUESDAYS[0], players[:4], SECOND_WINS)
    play_evening(club, TUESDAYS[1], players[:4], SECOND_WINS, DRAWN)
    seasons = player_seasons(players[1])
    now, last_year = seasons.seasons
    assert (now.title, last_year.title) == ("Club league, Autumn 2026", "Club league, Autumn 2025")
    assert (now.place, now.players_ranked, now.has_place) == ("1st", 4, True)
    season, career = now.figures, seasons.career
    assert (season.evenings, season.hands, season.mahjongs, season.total) == (2, 3, 2, 480)
    assert (season.share, season.an_evening, season.a_hand) == (67, Decimal(240), Decimal(160))
    assert (season.best.held_on, season.best.points, season.best_hand) == (TUESDAYS[0], 240, 60)
    assert career is not None
    assert (career.evenings, career.hands, career.total) == (3, 4, 480)
    assert [row.held_on for row in seasons.earlier_evenings] == [LAST_YEAR]


def test_an_evening_without_a_hand_counts_for_nothing(club: Club, players: list[Player]) -> None:
    play_evening(club, TUESDAYS[0], players[:4])
    seasons = player_seasons(players[0])
    assert (seasons.career, seasons.seasons, seasons.running) == (None, (), None)


def test_an_open_evening_counts_in_the_league_as_provisional(
    club: Club, players: list[Player]
) -> None:
    season = make_season(club)
    ending.close_session(session=play_evening(club, TUESDAYS[0], players[:4], SECOND_WINS))
    assert (league_table(season).unfinished_evenings, league_table(season).provisional) == ((), "")
    tonight = play_evening(club, TUESDAYS[1], players[:4], SECOND_WINS)
    play_evening(club, TUESDAYS[2], players[:4])
    table = league_table(season)
    assert (table.unfinished_evenings, table.ranked_rows[0].total) == ((TUESDAYS[1],), 480)
    assert table.provisional == "Provisional: Tuesday 10 November 2026 is not finished yet."
    ending.close_session(session=tonight)
    assert league_table(season).unfinished_evenings == ()


def test_a_guest_has_no_place_and_who_came_too_seldom_none_yet(
    club: Club, players: list[Player]
) -> None:
    make_season(club, ranking=LeagueRules(least=Quota(2)))
    guest = make_player(club, "Guy", kind="guest")
    play_evening(club, TUESDAYS[0], [*players[:3], guest], SECOND_WINS)
    row, guests = (player_seasons(player).seasons[0] for player in (players[1], guest))
    assert (row.place, row.players_ranked, row.has_place) == ("not ranked yet", 0, False)
    assert (guests.place, guests.figures.total) == ("", -96)


def test_the_total_runs_on_beside_the_middle_of_the_members(
    club: Club, players: list[Player]
) -> None:
    make_season(club)
    play_evening(club, TUESDAYS[0], players[:4], SECOND_WINS)
    play_evening(club, TUESDAYS[1], [players[0], *players[2:]], FIRST_WINS)
    play_evening(club, TUESDAYS[2], players[:4], SECOND_WINS)
    running = player_seasons(players[1]).running
    assert running is not None
    rows = [(row.played and row.played.points, row.total, row.middle) for row in running.rows]
    assert rows == [(240, "+480", "−140"), (None, "+240", "−140"), (240, "+240", "−72")]
    assert running.chart is not None
    assert [dot.text for dot in running.chart.dots] == ["3 November: +240", "17 November: +480"]


def test_the_best_hand_is_shown_with_its_tiles(club: Club, players: list[Player]) -> None:
    session = play_evening(club, TUESDAYS[0], players[:4], SECOND_WINS, IN_TILES)
    best = best_of(players[1], player_seasons(players[1]).history.best_hand)
    assert (best.special, best.session_id, best.location) == (
        "Purity",
        session.pk,
        "table 1, hand 2",
    )
    assert best.tiles[0] == ("B2", "B2", "B2")
    assert sorted(tile for group in best.tiles for tile in group) == sorted(
        ["B2"] * 3 + ["B4"] * 3 + ["B6"] * 3 + ["B8"] * 3 + ["B9"] * 2
    )


def test_of_equal_best_hands_the_one_with_tiles_is_shown(club: Club, players: list[Player]) -> None:
    play_evening(club, TUESDAYS[1], players[:4], IN_TILES)
    score = player_seasons(players[1]).history.best_hand
    report = Report(winner=2, totals={1: 20, 2: score, 3: 8, 4: 4})
    play_evening(club, TUESDAYS[0], players[:4], report)
    best = best_of(players[1], score)
    assert (best.day, bool(best.tiles)) == (TUESDAYS[1], True)


def test_a_best_hand_is_a_winners_and_has_no_tiles_if_told_in_points(
    club: Club, players: list[Player]
) -> None:
    """Ann scores more than Ben in the hand that Ben wins: the best hand of the day is Ben's."""
    ann, ben, *_ = players
    play_evening(
        club, TUESDAYS[0], players[:4], Report(winner=2, totals={1: 400, 2: 60, 3: 8, 4: 4})
    )
    assert [player_seasons(player).history.best_hand for player in (ann, ben)] == [0, 60]
    assert (best_hand_of(ann, 400), best_hand_of(ann, 0)) == (None, None)
    best = best_of(ben, 60)
    assert (best.score, best.day, best.tiles) == (60, TUESDAYS[0], ())


def test_a_corrected_hand_is_no_longer_the_best(club: Club, players: list[Player]) -> None:
    play_evening(club, TUESDAYS[0], players[:4], IN_TILES)
    correct(Hand.objects.get(), SECOND_WINS)
    best = best_of(players[1], player_seasons(players[1]).history.best_hand)
    assert (best.score, best.tiles) == (60, ())


def test_what_each_gained_counts_only_at_the_same_table(club: Club, players: list[Player]) -> None:
    ann, ben, cy, di, ed = players
    play_evening(club, TUESDAYS[0], [ann, ben, cy, di], SECOND_WINS, DRAWN)
    play_evening(club, TUESDAYS[1], [ann, ben, cy, ed], SECOND_WINS)
    company = opponents_of(ann)
    opponent_rows = [
        (row.name, row.evenings, row.hands, row.own_points, row.opponent_points)
        for row in company.met
    ]
    assert opponent_rows == [
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
    seat_out = next(seat for seat in range(1, 6) if str(seat) not in winds)
    sat_out = players[seat_out - 1]
    assert [row.name for row in opponents_of(sat_out).met] == []
    other_players = [player for player in players if player != sat_out]
    assert {row.name for row in opponents_of(other_players[0]).met} == {
        row.name for row in other_players[1:]
    }


def test_who_came_late_met_those_who_played_on(club: Club, players: list[Player]) -> None:
    ann, ben, _, di, ed = players
    session = night(club, TUESDAYS[0], players[:4])
    evenings.tick(session=session, player=ed, is_here=True)
    post(session.tables.get(), SECOND_WINS)
    evenings.take_over(session=session, leaver=di, player=ed, goes_home=True)
    post(session.tables.get(number=1), DRAWN)
    opponent_rows = [(row.name, row.evenings, row.hands) for row in opponents_of(ann).met]
    assert opponent_rows == [("Ben", 1, 2), ("Cy", 1, 2), ("Di", 1, 1), ("Ed", 1, 1)]
    assert opponents_of(di).not_met == ("Ed",)
    assert best_of(ben, 60).location == "table 1, hand 1"


def test_whom_a_player_has_not_met_is_named_unless_hidden(
    club: Club, players: list[Player]
) -> None:
    make_player(club, "Guy", kind="guest")
    make_player(club, "Zed", is_active=False)
    play_evening(club, TUESDAYS[0], players[:4], SECOND_WINS)
    assert opponents_of(players[0]).not_met == ("Ed",)
    assert opponents_of(players[4]).not_met == ("Ann", "Ben", "Cy", "Di")
    Player.objects.filter(pk=players[4].pk).update(shown_as=ShownAs.HIDDEN)
    assert opponents_of(players[0]).not_met == ()
    assert opponents_of(players[0], reader=ORGANISER_READER).not_met == ("Ed",)


@pytest.mark.parametrize("nights", [1, 3])
def test_a_player_and_the_ratings_ask_no_more_for_more_evenings(cast: Cast, nights: int) -> None:
    players = make_players(cast.club, 4)
    make_season(cast.club)
    cast.club.rates = True
    cast.club.save()
    for day in range(nights):
        play_evening(cast.club, TUESDAYS[day], players, *[SECOND_WINS] * (1 + day))
    visitor = Visitor(cast.player)
    with assertNumQueries(14):
        page = visitor.get(reverse("player", args=["riverside", players[1].pk]))
    assert len(page.context["history"].evenings) == nights
    with assertNumQueries(4):
        page = visitor.get(reverse("rating", args=["riverside"]))
    assert len(page.context["ratings"].newcomers) == 4


def page_of(cast: Cast, player: Player) -> str:
    """What Pat reads on the page of a player."""
    page = Visitor(cast.player).get(reverse("player", args=["riverside", player.pk]))
    return " ".join(page.content.decode().split())


def test_the_page_says_so_where_no_tiles_were_entered(cast: Cast) -> None:
    players = make_players(cast.club, 4)
    make_season(cast.club)
    play_evening(cast.club, TUESDAYS[0], players, SECOND_WINS)
    text = page_of(cast, players[1])
    assert "table 1, hand 1; tiles not entered" in text
    assert "Why is Ben 1st of 4?" in text
    assert "Ben has not yet played with Alice, Dev, Pat, Sunil." in text


def test_a_hidden_member_is_spoken_of_as_this_member(cast: Cast) -> None:
    players = make_players(cast.club, 4)
    season = make_season(cast.club)
    play_evening(cast.club, TUESDAYS[0], players, SECOND_WINS)
    cast.club.players.exclude(name="Pat").update(shown_as=ShownAs.HIDDEN)
    for player, place in ((players[1], "1st"), (players[0], "2nd")):
        text = page_of(cast, player)
        assert f"Why is this member {place} of 4?" in text
        assert "A plus means this member gained more" in text
        assert "This member has not yet played with Pat." in text
        url = reverse("season-why", args=["riverside", season.pk, player.pk])
        text += " ".join(Visitor(cast.player).get(url).content.decode().split())
        assert f"This member is {place}" in text
        assert "How this member’s place was worked out" in text
        assert not re.findall(r"[a-z,] A member", text)


def test_seasons_stand_below_one_another_on_the_page(cast: Cast) -> None:
    players = make_players(cast.club, 4)
    make_season(cast.club, name="Autumn 2025", starts_on=LAST_YEAR, ends_on=date(2025, 12, 31))
    make_season(cast.club)
    play_evening(cast.club, LAST_YEAR, players, FIRST_WINS)
    play_evening(cast.club, TUESDAYS[0], players, SECOND_WINS)
    text = page_of(cast, players[1])
    assert text.index("Club league, Autumn 2026") < text.index("Club league, Autumn 2025")
    assert '>2nd of 4<span class="hidden-text">: why?' in text
    assert '<td class="num total">−92</td>' in text
    assert "<summary>The other evening</summary>" in text


def test_ones_own_page_says_you(cast: Cast) -> None:
    pat = cast.club.players.get(name="Pat")
    make_season(cast.club)
    play_evening(cast.club, TUESDAYS[0], [*make_players(cast.club, 3), pat], SECOND_WINS)
    text = page_of(cast, pat)
    assert "Why am I 4th of 4?" in text
    assert "You have not yet played with Alice, Dev, Sunil." in text


values = st.integers(min_value=-100_000, max_value=100_000)


def tuesdays(*points: int | None) -> list[ChartPoint]:
    return [
        ChartPoint(date(2026, 11, 3 + 7 * index), 0, value, f"{value}")
        for index, value in enumerate(points)
    ]


@given(st.lists(values, min_size=1))
def test_the_scale_holds_every_value_in_at_most_seven_equal_steps(numbers: list[int]) -> None:
    lines = scale_of(numbers)
    assert lines[0] <= min(numbers)
    assert max(numbers) <= lines[-1]
    assert len({high - low for low, high in pairwise(lines)}) == 1
    assert 2 <= len(lines) <= 7


def test_a_scale_has_round_numbers() -> None:
    assert scale_of([-1234, 2345]) == [-2000, -1000, 0, 1000, 2000, 3000]
    assert scale_of([0, 0]) == [0, 1]


def test_one_evening_makes_no_line() -> None:
    assert chart_of(tuesdays(240)) is None
    assert chart_of(tuesdays(240, None)) is None


def test_there_is_a_dot_for_every_evening_that_was_played() -> None:
    picture = chart_of(tuesdays(240, None, 120))
    assert picture is not None
    assert [dot.text for dot in picture.dots] == ["240", "120"]
    assert len(picture.middle.split()) == 4
    assert [day.text for day in picture.days] == ["3 Nov", "17 Nov"]


def test_more_points_stand_higher() -> None:
    picture = chart_of(tuesdays(100, 300))
    assert picture is not None
    first, second = (float(dot.y.rstrip("%")) for dot in picture.dots)
    assert second < first < float(picture.zero.rstrip("%"))


def test_gains_carry_their_sign_and_scores_do_not() -> None:
    gains, scores = chart_of(tuesdays(0, 1500), is_signed=True), chart_of(tuesdays(0, 1500))
    losses = chart_of(tuesdays(0, -1500), is_signed=True)
    assert [curve and curve.end.text for curve in (gains, scores, losses)] == [
        "+1,500",
        "1,500",
        "−1,500",
    ]


ANN, BEN, CY, DI, ED = range(1, 6)
points = st.integers(min_value=-2000, max_value=2000)


@st.composite
def tables(draw: st.DrawFn) -> tuple[tuple[int, int], ...]:
    """Two to five of the five players with their points."""
    players = draw(st.permutations([ANN, BEN, CY, DI, ED]))
    size = draw(st.integers(min_value=2, max_value=5))
    return tuple((player, draw(points)) for player in players[:size])


def now(ratings: dict[int, Rating]) -> dict[int, int]:
    return {player: row.now.points for player, row in ratings.items()}


def rate_evenings(*evenings: tuple[tuple[int, int], ...]) -> dict[int, int]:
    """What everyone has after evenings of one table each."""
    return now(dict(compute_ratings(tuple((table,) for table in evenings))))


def test_how_many_points_lie_between_does_not_matter() -> None:
    close = ((ANN, 4), (BEN, 2), (CY, -2), (DI, -4))
    wide_table = ((ANN, 4000), (BEN, 2), (CY, -2), (DI, -4000))
    assert rate_evenings(close) == rate_evenings(wide_table)


def test_who_shares_the_first_place_never_gets_less_than_the_next() -> None:
    ratings = rate_evenings(((ANN, 2), (BEN, 2), (CY, 1), (DI, 0), (ED, 0)))
    assert ratings[ANN] == ratings[BEN] > ratings[CY] > ratings[DI] == ratings[ED]


def test_a_table_where_nobody_gained_changes_nobody() -> None:
    assert set(rate_evenings(((ANN, 0), (BEN, 0), (CY, 0), (DI, 0))).values()) == {START_RATING}


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_at_tables_of_every_size_the_first_go_up_and_the_last_down(size: int) -> None:
    ratings = rate_evenings(tuple((player, -player) for player in range(1, size + 1)))
    assert sorted(ratings, key=lambda player: -ratings[player]) == list(range(1, size + 1))
    assert ratings[1] > START_RATING > ratings[size]


def test_somebody_alone_is_not_rated() -> None:
    assert rate_evenings(((ANN, 0),)) == {}


def test_beating_the_strong_brings_more_than_beating_the_weak() -> None:
    strong = ((BEN, 100), (CY, -100))
    over_the_strong = rate_evenings(*[strong] * 4, ((ANN, 1), (BEN, 0)))
    over_the_weak = rate_evenings(*[strong] * 4, ((ANN, 1), (CY, 0)))
    assert over_the_strong[ANN] > over_the_weak[ANN]


@settings(max_examples=40, deadline=None)
@given(table=tables())
def test_it_does_not_matter_who_is_named_first(table: tuple[tuple[int, int], ...]) -> None:
    assert {tuple(sorted(rate_evenings(order).items())) for order in permutations(table)} == {
        tuple(sorted(rate_evenings(table).items()))
    }


@settings(max_examples=40, deadline=None)
@given(table=tables())
def test_a_better_place_never_brings_less(table: tuple[tuple[int, int], ...]) -> None:
    ratings, points = rate_evenings(table), dict(table)
    for player, player_points in points.items():
        assert all(
            ratings[player] >= ratings[other_player]
            for other_player, other_points in points.items()
            if player_points >= other_points
        )


def test_the_order_of_an_evenings_tables_does_not_matter() -> None:
    first, other_table = ((ANN, 10), (BEN, -10)), ((CY, 4), (DI, -4))
    assert now(dict(compute_ratings(((first, other_table),)))) == now(
        dict(compute_ratings(((other_table, first),)))
    )


def test_a_newcomer_settles_after_six_evenings() -> None:
    table = ((ANN, 10), (BEN, -10))
    ratings = [compute_ratings(((table,),) * evenings)[ANN] for evenings in (1, 5, 6)]
    assert EVENINGS_TO_SETTLE == 6
    assert [row.is_settled for row in ratings] == [False, False, True]
    assert ratings[0].confidence == "still settling: 1 of 6 evenings"
    assert ratings[1].confidence == "still settling: 5 of 6 evenings"
    assert ratings[2].confidence == "rough"


def test_a_rating_grows_surer_with_every_evening() -> None:
    ups_and_downs = [
        ((ANN, 10 - index % 3), (BEN, 9), (CY, index % 5), (DI, 2)) for index in range(60)
    ]
    steps = compute_ratings(tuple((table,) for table in ups_and_downs))[ANN].steps
    give_or_take = [step.give_or_take for step in steps]
    assert give_or_take == sorted(give_or_take, reverse=True)
    labels = [Rating(steps[:evenings]).confidence for evenings in (6, 24, 60)]
    assert labels == ["rough", "fairly sure", "sure"]


def test_the_last_evenings_change_is_told() -> None:
    winning_table, losing_table = ((ANN, 10), (BEN, -10)), ((ANN, -10), (BEN, 10))
    first = compute_ratings(((winning_table,),))[ANN]
    second = compute_ratings(((winning_table,), (losing_table,)))[ANN]
    assert first.change == first.now.points - START_RATING > 0
    assert second.change == second.now.points - first.now.points < 0


def play(club: Club, players: list[Player], *reports: Report) -> None:
    """An evening of the first four for each report, a week apart."""
    for week, report in enumerate(reports):
        play_evening(club, TUESDAYS[0] + timedelta(weeks=week), players[:4], report)


def rating(player: Player) -> PlayerRating:
    player_rating = rating_of(player)
    assert player_rating is not None
    return player_rating


def names(rows: Any) -> list[tuple[int | None, str]]:
    return [(row.place, row.name) for row in rows]


def test_whoever_wins_six_evenings_is_rated_first(club: Club, players: list[Player]) -> None:
    play(club, players, *[SECOND_WINS] * 6)
    lists = ratings_of(club)
    assert names(lists.settled_rows) == [(1, "Ben"), (2, "Ann"), (3, "Cy"), (4, "Di")]
    assert lists.newcomers == ()
    assert lists.settled_rows[0].rating.now.points > START_RATING
    Player.objects.filter(pk=players[1].pk).update(is_active=False)
    assert names(ratings_of(club).settled_rows) == [(1, "Ann"), (2, "Cy"), (3, "Di")]


def test_a_newcomer_has_no_place_and_no_number_yet(club: Club, players: list[Player]) -> None:
    play(club, players, *[SECOND_WINS] * 5)
    lists = ratings_of(club)
    assert lists.settled_rows == ()
    assert names(lists.newcomers) == [(None, "Ann"), (None, "Ben"), (None, "Cy"), (None, "Di")]
    newcomer = rating(players[1])
    assert (newcomer.rating.confidence, newcomer.chart) == ("still settling: 5 of 6 evenings", None)


def test_an_evening_counts_on_its_day_whenever_it_was_entered(
    club: Club, players: list[Player]
) -> None:
    other_club = Club.objects.create(name="Valley", slug="valley", rates=True)
    other_players = make_players(other_club, 4)
    play(club, players, SECOND_WINS, FIRST_WINS)
    play_evening(other_club, TUESDAYS[1], other_players, FIRST_WINS)
    play_evening(other_club, TUESDAYS[0], other_players, SECOND_WINS)
    for player, twin in zip(players, other_players, strict=False):
        assert rating(player).rating == rating(twin).rating


def test_a_correction_changes_the_rating_by_itself(club: Club, players: list[Player]) -> None:
    play(club, players, SECOND_WINS)
    points_before = rating(players[0]).rating.now.points
    correct(Hand.objects.get(), FIRST_WINS)
    assert rating(players[0]).rating.now.points > points_before


def test_who_came_late_was_at_the_same_table_and_all_games_are_one_evening(
    club: Club, players: list[Player]
) -> None:
    ann, ben, _, di, latecomer = players
    session = night(club, TUESDAYS[0], players[:4])
    evenings.tick(session=session, player=latecomer, is_here=True)
    post(session.tables.get(), SECOND_WINS)
    evenings.take_over(session=session, leaver=di, player=latecomer, goes_home=True)
    post(session.tables.get(number=1), DRAWN)
    rows = [rating(player).rating for player in (ben, latecomer, ann, di)]
    assert [row.evenings for row in rows] == [1, 1, 1, 1]
    points = [row.now.points for row in rows]
    assert points == sorted(points, reverse=True)


def test_nobody_is_rated_by_what_does_not_count(club: Club, players: list[Player]) -> None:
    night(club, TUESDAYS[1], players[:4])
    assert rating_of(players[0]) is None
    other_club = make_club("Valley", "valley")
    play(other_club, make_players(other_club, 4), SECOND_WINS)
    assert ratings_of(club).newcomers == ()
    play(club, players, SECOND_WINS)
    club.rates = False
    assert rating_of(Player(pk=players[0].pk, club=club)) is None


def test_a_guest_is_played_against_and_not_listed(club: Club, players: list[Player]) -> None:
    guest = make_player(club, "Guy", kind="guest")
    play(club, [*players[:3], guest], *[DRAWN] * 6)
    lists = ratings_of(club)
    assert names(lists.settled_rows) == [(1, "Ann"), (1, "Ben"), (1, "Cy")]
    assert all(row.is_tied for row in lists.settled_rows)


def test_the_secretary_turns_ratings_on_and_off(cast: Cast) -> None:
    alice = Visitor(cast.secretary)
    form_data = {"rules": "bmja/2008", "record_by": "totals", "agreement": "all"}
    form_data["rules"] = cast.club.rules
    address = reverse("rating", args=["riverside"])
    assert alice.get(address).status_code == 404
    alice.post(reverse("club-rules", args=["riverside"]), {**form_data, "rates": "on"})
    assert alice.get(address).status_code == 200
    assert address in alice.get(reverse("seasons", args=["riverside"])).content.decode()
    alice.post(reverse("club-rules", args=["riverside"]), form_data)
    assert alice.get(address).status_code == 404
