"""What a round counts for whoever sits it out, everywhere that standings are shown."""

import csv
import json
from decimal import Decimal
from fractions import Fraction
from io import BytesIO, StringIO
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from openpyxl import load_workbook

from scoring.scorebook.refusals import Refused
from tests.tournaments.cups import SECOND_WINS, close_round, fresh, make_cup, play_round
from tournaments.models import OddNumber, SittingOut, Tournament
from tournaments.results.exports import results_csv, results_json, results_xlsx
from tournaments.results.selectors.results import prize_giving, results_of
from tournaments.results.selectors.standings import (
    SUM_FIELDS,
    StandingRow,
    Sums,
    board_of,
    credit_rounds_out,
    standings_of,
)
from tournaments.seating.services import seating
from tournaments.setup import services as setup_services
from tournaments.setup.selectors import settings_fields
from tournaments.steps import services

pytestmark = pytest.mark.django_db


def cup_with_rests(
    *, rounds: int = 3, closed_rounds: int = 3, hands: int = 1, **settings: Any
) -> Tournament:
    """Five players, of whom one sits out each round; East's neighbour wins every hand."""
    cup = make_cup(entrants=5, rounds=rounds, hands=hands, odd=OddNumber.SIT_OUT)
    Tournament.objects.filter(pk=cup.pk).update(**settings)
    seating.seat_rounds(tournament=cup)
    for _ in range(closed_rounds):
        services.start_round(tournament=cup)
        close_round(cup, *[SECOND_WINS] * hands)
    return fresh(cup)


def change(cup: Tournament, **changed_fields: Any) -> None:
    setup_services.change_tournament(tournament=cup, **(settings_fields(cup) | changed_fields))


def with_rests(cup: Tournament) -> list[StandingRow]:
    return [row for row in standings_of(cup) if row.sat_out]


def won_at_tables(cup: Tournament, row: StandingRow) -> list[int]:
    seats = cup.entrants.get(pk=row.entrant_id).placements.filter(round__state="closed")
    return list(seats.values_list("seat__points", flat=True))


def test_a_round_sat_out_counts_as_the_average_of_ones_own_rounds() -> None:
    cup = cup_with_rests()
    rows = with_rests(cup)
    assert [row.sat_out for row in rows] == [1, 1, 1]
    for row in rows:
        gains = won_at_tables(cup, row)
        assert row.rounds == len(gains) == 2
        assert row.total == sum(gains) + (sum(gains) + 1) // 2


def test_table_points_of_a_round_sat_out_are_exact() -> None:
    cup = cup_with_rests()
    with_average = {row.name: row.table_points for row in with_rests(cup)}
    Tournament.objects.update(sitting_out_counts=SittingOut.NOTHING)
    cup.refresh_from_db()
    for row in with_rests(cup):
        assert with_average[row.name] == row.table_points * Fraction(3, 2)


def test_a_fixed_score_is_added_for_every_round_sat_out() -> None:
    cup = cup_with_rests(sitting_out_counts="nothing")
    rows_by_name = {row.name: row for row in standings_of(cup)}
    change(cup, sitting_out_counts=SittingOut.FIXED, sitting_out_points=-12)
    cup.refresh_from_db()
    for row in standings_of(cup):
        row_before = rows_by_name[row.name]
        assert row.table_points == row_before.table_points + row.sat_out * Fraction(7, 4)
        assert row.total == row_before.total - 12 * row.sat_out


def test_nothing_is_counted_before_the_round_is_closed() -> None:
    cup = cup_with_rests(closed_rounds=0)
    services.start_round(tournament=cup)
    play_round(cup, SECOND_WINS)
    assert with_rests(cup) == []
    services.close_round(tournament=cup)
    [row] = with_rests(cup)
    assert row.sat_out == 1
    assert row.table_points == row.total == 0


def test_standings_after_a_round_count_what_was_sat_out_by_then() -> None:
    cup = cup_with_rests()
    assert sum(row.sat_out for row in standings_of(cup, last_round=2)) == 2


def test_whoever_sat_out_is_ranked_beside_those_who_did_not() -> None:
    cup = cup_with_rests(rounds=5, closed_rounds=5)
    rows = standings_of(cup)
    assert [row.sat_out for row in rows] == [1] * 5
    assert sum(row.table_points for row in rows) == 5 * 7 * Fraction(5, 4)


def test_the_prize_for_most_mah_jongs_goes_by_hands_that_were_won() -> None:
    cup = cup_with_rests(rounds=5, closed_rounds=5, hands=2)
    mahjong_counts = {(row.mahjongs, row.mahjongs_credited) for row in standings_of(cup)}
    assert mahjong_counts == {(2, Fraction(1, 2))}
    assert {line.figures[2] for line in board_of(cup).lines} == {"2½"}
    [row] = [row for row in prize_giving(cup).rows if row.title == "Most Mah-Jongs"]
    assert row.figure == "Mah-Jongs: 2"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({}, "A round sat out counts as the average of the player’s own rounds."),
        ({"sitting_out_counts": "nothing"}, "A round sat out scores nothing."),
        (
            {"sitting_out_counts": "fixed", "sitting_out_points": 20},
            "A round sat out counts 1¾ table points and +20 points of gain.",
        ),
    ],
)
def test_the_standings_say_what_a_round_sat_out_counts(
    settings: dict[str, Any], message: str
) -> None:
    cup = cup_with_rests(**settings)
    board = board_of(cup)
    assert board.sitting_out == message
    assert board.rule.endswith(message)


def test_nothing_is_said_where_nobody_sits_out() -> None:
    assert board_of(make_cup(entrants=4)).sitting_out == ""


def test_wall_and_exports_say_it(client: Client) -> None:
    cup = cup_with_rests()
    message = "A round sat out counts as the average of the player’s own rounds."
    wall = client.get(
        f"{reverse('tournament-wall', args=[cup.wall_key])}?show=standings"
    ).content.decode()
    assert message in wall
    data = json.loads(results_json(cup, results_of(cup)))
    assert data["sitting_out"] == message
    assert sum(line["sat_out"] for line in data["standings"]) == 3
    standings = results_csv(cup, results_of(cup)).decode("utf-8-sig").split("\r\n\r\n")[0]
    lines = list(csv.DictReader(StringIO(standings)))
    assert sorted(line["Sat out"] for line in lines) == ["0", "0", "1", "1", "1"]


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ({"sitting_out_counts": "double"}, "sitting_out_counts"),
        ({"sitting_out_table_points": Decimal(5)}, "sitting_out_table_points"),
        ({"sitting_out_points": 100_001}, "sitting_out_points"),
    ],
)
def test_a_score_that_cannot_be_is_refused(settings: dict[str, Any], field: str) -> None:
    cup = make_cup(entrants=4)
    with pytest.raises(Refused) as refusal:
        change(cup, **settings)
    assert [problem.path for problem in refusal.value.problems] == [field]


@pytest.mark.parametrize(("played_points", "credited_points"), [(3, 2), (-3, -1), (4, 2)])
def test_half_a_point_for_a_round_sat_out_is_rounded_up(
    played_points: int, credited_points: int
) -> None:
    cup = Tournament(sitting_out_counts=SittingOut.AVERAGE)
    sums: Sums = {
        **dict.fromkeys(SUM_FIELDS, 0),
        "total": played_points,
        "done_total": played_points,
        "done": 2,
    }
    credit_rounds_out(sums, 1, cup)
    assert sums["total"] == played_points + credited_points


def test_a_round_sat_out_is_marked_in_the_workbook() -> None:
    cup = cup_with_rests(rounds=1, closed_rounds=1)
    book = load_workbook(BytesIO(results_xlsx(cup, results_of(cup))))
    marked_rows = [row for row in book["By round"].iter_rows(values_only=True) if "sat out" in row]
    assert len(marked_rows) == 1
