"""What a table sends in is read strictly: every mistake is a sentence at its field."""

from typing import Any

import pytest

from scoring import hand_as_json, rule_set
from scoring.building import tell, to_hand
from scoring.scorebook.models import Hand
from scoring.scorebook.refusals import Refused
from scoring.scorebook.reports import Report
from tests.scoring.scorebook.book import EAST_WINS_IN_TILES, open_game, record
from tests.scoring.tapping import tapped

pytestmark = pytest.mark.django_db

TOTALS = {1: 20, 2: 60, 3: 8, 4: 4}


def problems(report: Report, *, seats: int = 4) -> list[tuple[str, str]]:
    with pytest.raises(Refused) as refused:
        record(open_game(seats), 1, report)
    assert Hand.objects.count() == 0
    assert all(found.sentence.endswith(".") for found in refused.value.problems)
    return [(found.where, found.code) for found in refused.value.problems]


def with_tiles(seat: int, **tiles: Any) -> Report:
    told = EAST_WINS_IN_TILES
    changed = {**told.tiles, seat: {**told.tiles[seat], **tiles}}
    return Report(winner=told.winner, won_by=told.won_by, tiles=changed)


@pytest.mark.parametrize("winner", [[1, 2], "1", True, 1.0, {}])
def test_two_winners_or_a_winner_of_no_shape_are_refused(winner: Any) -> None:
    assert problems(Report(winner=winner, totals=TOTALS)) == [("winner", "bad_seat")]


@pytest.mark.parametrize("winner", [0, 5, -1, 10**30])
def test_a_winner_who_does_not_play_is_refused(winner: int) -> None:
    assert problems(Report(winner=winner, totals=TOTALS)) == [("winner", "bad_seat")]


@pytest.mark.parametrize("total", ["60", True, 60.0, 10**30, -(10**30), [60]])
def test_a_total_of_no_shape_is_refused(total: Any) -> None:
    report = Report(winner=2, totals={**TOTALS, 2: total})
    assert problems(report) == [("scores.2", "bad_score")]


def test_a_score_of_37_cannot_be() -> None:
    assert problems(Report(winner=2, totals={**TOTALS, 3: 37})) == [("scores.3", "bad_score")]


def test_a_total_over_the_limit_is_refused() -> None:
    assert problems(Report(winner=2, totals={**TOTALS, 2: 1002})) == [("scores.2", "bad_score")]


def test_a_total_below_nothing_is_refused() -> None:
    assert problems(Report(winner=2, totals={**TOTALS, 4: -4})) == [("scores.4", "bad_score")]


def test_every_missing_total_is_named() -> None:
    assert problems(Report(winner=2, totals={2: 60, 3: 8})) == [
        ("scores.1", "bad_score"),
        ("scores.4", "bad_score"),
    ]


def test_five_of_a_tile_are_refused() -> None:
    report = with_tiles(2, concealed=["B1", "B1", "B1", "B1", "B1"])
    assert problems(report) == [("tiles.2.concealed", "too_many_copies")]


def test_a_fifteenth_tile_is_refused() -> None:
    concealed = [*EAST_WINS_IN_TILES.tiles[1]["concealed"], "DR"]
    assert problems(with_tiles(1, concealed=concealed)) == [("tiles.1.concealed", "wrong_count")]


def test_a_fourteenth_tile_of_a_loser_is_refused() -> None:
    tiles = [f"{suit}{number}" for suit in "BC" for number in range(1, 8)]
    assert problems(with_tiles(2, concealed=tiles)) == [("tiles.2.concealed", "long_hand")]


def test_tiles_of_no_shape_are_refused() -> None:
    told = EAST_WINS_IN_TILES
    tiles: dict[int, Any] = {**told.tiles, 2: "B1 B2", 3: None}
    assert problems(Report(winner=1, won_by="discard", tiles=tiles)) == [
        ("tiles.2", "not_an_object"),
        ("tiles.3", "not_an_object"),
    ]


def test_a_tile_that_does_not_exist_is_refused_where_it_stands() -> None:
    assert problems(with_tiles(3, concealed=["B1", "X9"])) == [
        ("tiles.3.concealed.1", "unknown_tile")
    ]


def test_how_the_hand_was_won_is_told_once_for_the_table() -> None:
    told = EAST_WINS_IN_TILES
    assert problems(Report(winner=1, won_by="magic", tiles=told.tiles)) == [("won_by", "bad_value")]


def test_how_totals_were_won_must_be_a_way_of_the_game() -> None:
    assert problems(Report(winner=2, totals=TOTALS, won_by="magic")) == [("won_by", "bad_value")]


def test_the_winner_pays_nobody() -> None:
    assert problems(Report(winner=2, totals=TOTALS, pays_for_all=2)) == [
        ("pays_for_all", "bad_seat")
    ]
    assert problems(Report(winner=2, totals=TOTALS, discarder=2)) == [("discarder", "bad_seat")]


def test_nobody_scores_in_a_drawn_hand() -> None:
    assert problems(Report(winner=None, totals={1: 20, 2: 0}, tiles={3: {}})) == [
        ("scores.1", "drawn_hand"),
        ("tiles.3", "drawn_hand"),
    ]


def test_a_drawn_hand_may_be_told_with_noughts() -> None:
    hand = record(open_game(), 1, Report(winner=None, totals=dict.fromkeys(range(1, 5), 0))).hand
    assert (hand.winner, hand.report, hand.scores) == (None, {"winner": None}, {})


def test_all_problems_are_told_at_once() -> None:
    report = Report(
        winner=1,
        won_by="discard",
        tiles={1: EAST_WINS_IN_TILES.tiles[1], 2: {"concealed": ["B1"] * 5}},
        totals={3: 37, 4: None},
    )
    assert sorted(problems(report)) == [
        ("scores.3", "bad_score"),
        ("scores.4", "bad_score"),
        ("tiles.2.concealed", "too_many_copies"),
    ]


def test_only_what_the_game_knows_of_tiles_is_kept() -> None:
    report = with_tiles(2, note="\x00", seat_wind="N")
    hand = record(open_game(), 1, report).hand
    assert hand.report["tiles"]["2"] == {"concealed": ["B1", "B3"]}


def test_a_stored_report_reads_back_as_it_was_told() -> None:
    hand = record(open_game(), 1, EAST_WINS_IN_TILES).hand
    hand.refresh_from_db()
    assert Report.from_json(hand.report) == EAST_WINS_IN_TILES


def test_a_hand_tapped_together_is_told_in_tiles() -> None:
    rules = rule_set("bmja")
    draft = tapped("pung:B1 kong:DR chow:B4 pung:WE O2 O2 F1 expose:B111 way:discard last:O2")
    report = Report(
        winner=1,
        totals={2: 0, 3: 0, 4: 0},
        tiles={1: hand_as_json(to_hand(draft, rules))},
        won_by=draft.way,
    )
    hand = record(open_game(), 1, report).hand
    assert hand.scores[1] == tell(draft, rules).total
