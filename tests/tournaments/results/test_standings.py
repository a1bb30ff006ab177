"""The standings: what ranks, how final they are, teams and records, and how phones follow them."""

import re
from fractions import Fraction
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from clubs.models import link_key
from clubs.table.event import seat_key
from scoring.scorebook import services as scorebook
from scoring.scorebook.models import Seat
from scoring.scorebook.reports import Report
from tests.scoring.scorebook.book import dispute
from tests.tournaments.cups import (
    DRAWN,
    SECOND_WINS,
    close_round,
    finish,
    fresh,
    make_cup,
    next_round,
    play_round,
    post,
    seated_cup,
    sits,
    tables,
)
from tournaments.models import Entrant, Placement, RoundState, Table, Tournament
from tournaments.results import services as results_services
from tournaments.results.selectors.records import records_of
from tournaments.results.selectors.results import results_of
from tournaments.results.selectors.standings import (
    MISSED_ROUNDS_NOTE,
    board_of,
    mixed_number,
    ranking_rule,
    standings_of,
)
from tournaments.rounds.selectors import is_hidden, last_shown_round, rounds_of
from tournaments.seating.services import seating
from tournaments.setup import services as setup_services
from tournaments.steps import services

pytestmark = pytest.mark.django_db


def lines(cup: Tournament) -> list[tuple[int, str, Fraction, int, str | None]]:
    return [
        (row.place, row.name, row.table_points, row.total, row.decided_by)
        for row in standings_of(cup)
    ]


def test_before_the_first_hand_everybody_shares_the_first_place() -> None:
    rows = standings_of(make_cup(entrants=4))
    assert [(row.place, row.is_tied, row.rounds) for row in rows] == [(1, True, 0)] * 4


def test_table_points_are_4_2_1_0_once_a_table_has_played_all_its_hands() -> None:
    cup = seated_cup(rounds=1, hands=2)
    east, south, west, north = (sits(cup, seat) for seat in (1, 2, 3, 4))
    post(tables(cup)[0], SECOND_WINS)
    assert lines(cup) == [
        (1, south, Fraction(0), 240, None),
        (2, east, Fraction(0), -64, "total"),
        (3, west, Fraction(0), -80, "total"),
        (4, north, Fraction(0), -96, "total"),
    ]
    post(tables(cup)[0], SECOND_WINS, DRAWN)
    assert lines(cup) == [
        (1, south, Fraction(4), 240, None),
        (2, east, Fraction(2), -64, "table_points"),
        (3, west, Fraction(1), -80, "table_points"),
        (4, north, Fraction(0), -96, "table_points"),
    ]


def test_the_same_result_at_four_tables_is_four_shared_places() -> None:
    cup = seated_cup(entrants=16, rounds=1, hands=1)
    play_round(cup, SECOND_WINS)
    rows = standings_of(cup)
    assert [row.place for row in rows] == [1] * 4 + [5] * 4 + [9] * 4 + [13] * 4
    assert {row.is_tied for row in rows} == {True}
    assert sum(row.table_points for row in rows) == 28


def test_a_penalty_counts_in_the_standings() -> None:
    cup = seated_cup(rounds=1, hands=1)
    south = sits(cup, 2)
    post(tables(cup)[0], SECOND_WINS)
    seat = Placement.objects.get(entrant__name=south).seat
    scorebook.adjust_points(seat=seat, points=-310, written_by="user 1", reason="late twice")
    assert lines(cup)[1] == (2, south, Fraction(2), -70, "table_points")


def test_the_desk_shows_every_table_at_a_glance() -> None:
    cup = seated_cup(entrants=16, rounds=1, hands=2)
    first, second, third, _ = tables(cup)
    post(first, DRAWN, DRAWN)
    post(second, DRAWN)
    dispute(post(third, DRAWN, DRAWN)[0])
    (view,) = rounds_of(cup)
    assert (view.number, view.state) == (1, RoundState.PLAYING)
    assert [table.state for table in view.tables] == [
        "done",
        "hand 1 of 2",
        "hand 1 not agreed",
        "not started",
    ]
    assert [place.wind for place in view.tables[0].places] == ["E", "S", "W", "N"]


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (Fraction(0), "0"),
        (Fraction(7), "7"),
        (Fraction(1, 2), "½"),
        (Fraction(7, 3), "2⅓"),
        (Fraction(7, 4), "1¾"),
        (Fraction(17, 12), "1 5/12"),
        (Fraction(1, 12), "1/12"),
    ],
)
def test_table_points_are_written_as_people_write_them(number: Fraction, text: str) -> None:
    assert mixed_number(number) == text


def test_the_rule_is_said_in_a_sentence() -> None:
    assert ranking_rule(["table_points", "total"]) == (
        "Ranked by table points, then total gain. Players tied on all of these share the place."
    )
    assert ranking_rule(["total"]) == "Ranked by total gain. Players tied on this share the place."


def test_who_came_late_scores_nothing_for_the_round_they_missed() -> None:
    cup = seated_cup(entrants=8, rounds=2, hands=1)
    close_round(cup, SECOND_WINS)
    assert board_of(fresh(cup)).rule == ranking_rule(cup.ranks_by)
    setup_services.enter_names(tournament=cup, names=[f"Late {number}" for number in range(4)])
    board = board_of(fresh(cup))
    assert board.rule == f"{ranking_rule(cup.ranks_by)}{MISSED_ROUNDS_NOTE}"
    late_rows = [line.row for line in board.lines if line.row.name.startswith("Late")]
    assert [(row.rounds, int(row.table_points), row.total) for row in late_rows] == [(0, 0, 0)] * 4


def test_the_columns_begin_with_what_ranks() -> None:
    cup = seated_cup(rounds=1, hands=1)
    post(tables(cup)[0], SECOND_WINS)
    Tournament.objects.update(ranks_by=["mahjongs", "total"])
    board = board_of(Tournament.objects.get())
    assert board.columns == ("Mah-Jongs", "Total gain", "Table points", "Best hand")
    assert [line.figures for line in board.lines] == [
        ("1", "+240", "4", "60"),
        ("0", "−64", "2", "0"),
        ("0", "−80", "1", "0"),
        ("0", "−96", "0", "0"),
    ]
    assert [line.parted_by for line in board.lines] == [
        "",
        "",
        "total gain: −80 against −64",
        "total gain: −96 against −80",
    ]


def test_a_shared_place_says_so() -> None:
    cup = seated_cup(rounds=1, hands=1)
    post(tables(cup)[0], DRAWN)
    assert {(line.place, line.figures[0]) for line in board_of(cup).lines} == {("1=", "1¾")}
    assert [line.parted_by for line in board_of(cup).lines] == ["none: place shared"] * 4


def test_the_standings_are_provisional_until_the_tournament_is_finished() -> None:
    cup = make_cup(entrants=4, rounds=1, hands=1)
    assert (board_of(cup).standing, board_of(cup).is_begun) == (
        "provisional: nothing played yet",
        False,
    )
    seating.seat_rounds(tournament=cup)
    services.start_round(tournament=cup)
    assert board_of(cup).standing == "provisional: round 1 is being played"
    close_round(cup, SECOND_WINS)
    assert (board_of(cup).standing, board_of(cup).is_begun) == ("provisional: after round 1", True)
    assert results_of(cup).podium == ()
    services.finish_tournament(tournament=cup)
    results = results_of(Tournament.objects.get())
    assert (results.board.standing, results.board.is_final) == ("final", True)
    assert [step.place for step in results.podium] == [1, 2, 3]


def test_somebody_is_found_by_part_of_the_name_without_its_accents() -> None:
    cup = make_cup(entrants=3)
    setup_services.enter_entrant(tournament=cup, name="Zoë Łukasiewicz")
    assert [line.row.name for line in board_of(cup).lines_named("zoe l")] == ["Zoë Łukasiewicz"]
    assert len(board_of(cup).lines_named("PLAYER")) == 3
    assert board_of(cup).lines_named("  ") == ()


def after_two_of_three_rounds() -> Tournament:
    """One table; the second seat of the first round wins there, nobody after that."""
    cup = seated_cup(rounds=3, hands=1)
    next_round(cup, SECOND_WINS)
    close_round(cup, DRAWN)
    return cup


def test_the_board_shows_how_it_stood_after_a_round() -> None:
    cup = after_two_of_three_rounds()
    now, earlier_board = board_of(cup), board_of(cup, last_round=1)
    assert (now.standing, now.last_round, now.after) == ("provisional: after round 2", None, (1, 2))
    assert (earlier_board.standing, earlier_board.last_round) == ("after round 1", 1)
    assert [line.figures[0] for line in earlier_board.lines] == ["4", "2", "1", "0"]
    assert [line.figures[0] for line in now.lines] == ["5¾", "3¾", "2¾", "1¾"]
    assert {line.row.rounds for line in earlier_board.lines} == {1}


def test_a_round_that_is_not_behind_us_is_the_board_of_now() -> None:
    cup = after_two_of_three_rounds()
    assert board_of(cup, last_round=2) == board_of(cup)


def test_before_the_only_round_there_is_nothing_to_show() -> None:
    cup = seated_cup(rounds=1, hands=1)
    play_round(cup, SECOND_WINS)
    assert not board_of(cup, last_round=0).is_begun


ALL_PAIR_HONOURS = {
    "sets": [],
    "concealed": [tile for tile in ["B9", "C1", "C9", "O9", "WS", "WN", "DW"] for _ in "12"],
    "bonus": ["F3"],
    "winning_tile": "C1",
}
SPECIAL = Report(winner=3, tiles={3: ALL_PAIR_HONOURS}, totals={1: 20, 2: 8, 4: 4})


def test_the_highest_hand_is_remembered_with_its_tiles_and_who_made_what() -> None:
    cup = finish(seated_cup(rounds=1, hands=3), SECOND_WINS, SPECIAL, DRAWN)
    records, third = records_of(cup), sits(cup, 3)
    (highest,) = records.highest
    assert (highest.name, highest.score, highest.special) == (third, 504, "All Pair Honours")
    assert highest.location == "round 1, table 1, hand 2"
    assert highest.tiles == (tuple(ALL_PAIR_HONOURS["concealed"]), ("F3",))
    assert [(hand.name, hand.special) for hand in records.special] == [(third, "All Pair Honours")]
    assert (records.mahjongs, records.most_mahjongs) == (1, tuple(sorted((sits(cup, 2), third))))


def test_a_hand_told_in_totals_has_no_tiles() -> None:
    cup = seated_cup(rounds=1, hands=1)
    play_round(cup, SECOND_WINS)
    (highest,) = records_of(cup).highest
    assert (highest.name, highest.score, highest.special, highest.tiles) == (
        sits(cup, 2),
        60,
        "",
        (),
    )


def test_without_a_mahjong_there_is_no_record() -> None:
    cup = seated_cup(rounds=1, hands=1)
    play_round(cup, DRAWN)
    records = records_of(cup)
    assert (records.highest, records.mahjongs, records.most_mahjongs, records.special) == (
        (),
        0,
        (),
        (),
    )


def test_records_after_a_round_know_nothing_of_later_ones() -> None:
    cup = seated_cup(rounds=2, hands=1)
    next_round(cup, SECOND_WINS)
    play_round(cup, SPECIAL)
    assert records_of(cup).highest[0].special == "All Pair Honours"
    assert records_of(cup, last_round=1).highest[0].score == 60
    assert records_of(cup, last_round=1).special == ()


def test_prizes_are_for_places_and_records_once_the_results_are_final() -> None:
    cup = seated_cup(rounds=1, hands=1)
    play_round(cup, SECOND_WINS)
    assert results_of(cup).prizes == ()
    results, winner = results_of(finish(cup)), sits(cup, 2)
    assert [(prize.title, prize.figure) for prize in results.prizes] == [
        ("First", "Table points: 4"),
        ("Second", "Table points: 2"),
        ("Third", "Table points: 1"),
        ("Highest hand", "Points: 60"),
        ("Most Mah-Jongs", "Mah-Jongs: 1"),
    ]
    names = {prize.title: prize.names for prize in results.prizes}
    assert names["First"] == names["Highest hand"] == (winner,)
    assert [step.title for step in results.podium] == ["First", "Second", "Third"]


@pytest.mark.parametrize("rounds", [1, 3])
def test_the_results_are_five_queries(
    rounds: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    cup = seated_cup(entrants=16, rounds=rounds, hands=1)
    for _ in range(rounds - 1):
        next_round(cup, SPECIAL)
    close_round(cup, SPECIAL)
    with django_assert_num_queries(5):
        results_of(cup)


@pytest.fixture
def with_teams() -> Tournament:
    """One table: +240 (a Mah-Jong of 60), -64, -80 and -96, nobody in a team yet."""
    new_cup = seated_cup(rounds=1, hands=1)
    post(tables(new_cup)[0], SECOND_WINS)
    return new_cup


def put_together(with_teams: Tournament, *teams: str) -> None:
    """These teams in the order of the standings, the first place first."""
    for line, team in zip(board_of(with_teams).lines, teams, strict=True):
        Entrant.objects.filter(pk=line.row.entrant_id).update(team=team)


def test_a_team_has_what_its_members_have_together(with_teams: Tournament) -> None:
    put_together(with_teams, "Bamboo", "Circle", "Circle", "Bamboo")
    assert [
        (line.place, line.row.name, line.row.table_points, line.row.total, line.row.best_hand)
        for line in board_of(with_teams).teams
    ] == [("1", "Bamboo", Fraction(4), 144, 60), ("2", "Circle", Fraction(3), -144, 0)]


def test_what_parts_two_teams_is_said_as_for_players(with_teams: Tournament) -> None:
    put_together(with_teams, "Bamboo", "Circle", "Circle", "Bamboo")
    Seat.objects.filter(mahjongs=1).update(mahjongs=0)
    with_teams.ranks_by = ["mahjongs", "total"]
    assert [line.parted_by for line in board_of(with_teams).teams] == [
        "",
        "total gain: −144 against +144",
    ]


def test_nobody_is_a_team_alone(with_teams: Tournament) -> None:
    put_together(with_teams, "Bamboo", "", "Circle", "")
    assert board_of(with_teams).teams == ()


def test_the_best_team_has_a_prize(with_teams: Tournament) -> None:
    put_together(with_teams, "Bamboo", "Circle", "Circle", "Bamboo")
    with_teams.state = "finished"
    (prize,) = [row for row in results_of(with_teams).prizes if row.is_team]
    assert (prize.title, prize.names, prize.figure) == ("Best team", ("Bamboo",), "Table points: 4")


OPEN = Tournament(rounds_planned=5)
HIDING = Tournament(rounds_planned=5, hides_last_round=True)


@pytest.mark.parametrize(
    ("cup", "wanted_round", "officials", "last_round"),
    [
        (OPEN, "", False, None),
        (OPEN, "3", False, 3),
        (OPEN, "0", False, None),
        (OPEN, "two", False, None),
        (OPEN, "²", False, None),
        (OPEN, "99999", False, None),
        (HIDING, "", False, 4),
        (HIDING, "5", False, 4),
        (HIDING, "2", False, 2),
        (HIDING, "", True, None),
        (HIDING, "5", True, 5),
    ],
)
def test_the_last_round_is_kept_from_the_public_where_it_is_hidden(
    cup: Tournament, wanted_round: str, officials: bool, last_round: int | None
) -> None:
    assert last_shown_round(cup, requested_round=wanted_round, to_officials=officials) == last_round


def test_only_the_last_round_is_hidden() -> None:
    assert [is_hidden(HIDING, number=number) for number in (1, 4, 5)] == [False, False, True]
    assert not is_hidden(OPEN, number=5)


ROW = re.compile(r'<tr( class="ours")?>(<td.*?)<th[^>]*>([^<]+)(<span[^<]*</span>)?</th>(.*?)</tr>')


@pytest.fixture
def cup() -> Tournament:
    return seated_cup(entrants=12, hands=1)


def standings_at(table: Table, *, seat: int | None = None) -> str:
    key = table.link_key if seat is None else seat_key(table, seat)
    return reverse("round-table-standings", args=[key])


def newest(cup: Tournament) -> dict[str, str]:
    return {"v": str(fresh(cup).version)}


def rows_by_name(page: Any) -> dict[str, tuple[bool, list[str]]]:
    """By name: whether the row is marked as this table's, for eyes and ears; its figures."""
    rows = ROW.findall(page.content.decode())
    assert all(bool(eyes) == bool(ears) for eyes, _, _, ears, _ in rows)
    return {
        name: (bool(is_own), re.findall(r">([^<]+)</td>", place + figures))
        for is_own, place, name, _, figures in rows
    }


@pytest.mark.parametrize("news", [{}, {"v": "0"}])
def test_each_table_finds_its_own_rows(
    client: Client, cup: Tournament, news: dict[str, str]
) -> None:
    for table in tables(cup):
        rows = rows_by_name(client.get(standings_at(table), news))
        assert len(rows) == 12
        sit_here = {place.entrant.name for place in table.placements.all()}
        assert {name for name, (is_own, _) in rows.items() if is_own} == sit_here


def test_the_standings_follow_every_hand(client: Client, cup: Tournament) -> None:
    table = tables(cup)[0]
    post(table, SECOND_WINS)
    second = sits(cup, 2)
    rows = rows_by_name(client.get(standings_at(tables(cup)[1]), {"v": "0"}))
    assert rows[second] == (False, ["1", "4", "+240", "1", "60", "1"])
    post(tables(cup)[1], SECOND_WINS)
    rows = rows_by_name(client.get(standings_at(table), {"v": "0"}))
    assert rows[second] == (True, ["1=", "4", "+240", "1", "60", "1"])


def test_a_round_that_is_released_is_told_to_phones_that_wait(
    client: Client, cup: Tournament
) -> None:
    next_round(cup, SECOND_WINS)
    results_services.hide_last_round(tournament=cup)
    table = tables(cup, 2)[0]
    post(table, SECOND_WINS)
    url, sits_here = standings_at(table), table.placements.all()[0].entrant.name
    assert rows_by_name(client.get(url))[sits_here][1][-1] == "1"
    version_query = newest(cup)
    assert client.get(url, version_query).status_code == 204
    results_services.release_results(tournament=fresh(cup))
    assert rows_by_name(client.get(url, version_query))[sits_here][1][-1] == "2"


@pytest.mark.parametrize("seat", [None, 2])
def test_whoever_has_the_newest_is_answered_after_one_narrow_question(
    client: Client,
    cup: Tournament,
    django_assert_num_queries: DjangoAssertNumQueries,
    seat: int | None,
) -> None:
    url, version_query = standings_at(tables(cup)[0], seat=seat), newest(cup)
    with django_assert_num_queries(1) as queries:
        assert client.get(url, version_query).status_code == 204
    assert queries.captured_queries[0]["sql"].count(",") == 3


def test_news_are_drawn_once_for_all_phones(
    client: Client, cup: Tournament, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    first_table, other_table = tables(cup)[:2]
    client.get(standings_at(first_table), {"v": "0"})
    with django_assert_num_queries(4):
        client.get(standings_at(other_table), {"v": "0"})


@pytest.mark.parametrize(("seat", "status"), [(None, 404), (2, 410)])
def test_a_link_that_is_void_is_told_no_version(
    client: Client, cup: Tournament, seat: int | None, status: int
) -> None:
    url = standings_at(tables(cup)[0], seat=seat)
    Table.objects.filter(pk=tables(cup)[0].pk).update(link_key=link_key())
    for told_version in (newest(cup), {"v": "None"}):
        assert client.get(url, told_version).status_code == status


@pytest.mark.parametrize("name", ["find-me", "tournament-wall"])
def test_walls_and_own_pages_ask_as_little(
    client: Client, cup: Tournament, django_assert_num_queries: DjangoAssertNumQueries, name: str
) -> None:
    url, version_query = reverse(name, args=[cup.wall_key]), newest(cup)
    with django_assert_num_queries(1) as queries:
        assert client.get(url, version_query).status_code == 204
    assert "," not in queries.captured_queries[0]["sql"]
    unknown = reverse(name, args=[link_key()])
    assert client.get(unknown, newest(cup)).status_code == 404
