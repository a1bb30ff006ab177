"""What a table sends in is read strictly: every mistake is a sentence at its field."""

from dataclasses import replace
from typing import Any

import pytest

from scoring import hand_as_json, rule_set, rule_set_keys
from scoring.building import tell, to_hand
from scoring.scorebook.models import Game, Hand
from scoring.scorebook.refusals import AlreadyStands, ProblemLike, Refused
from scoring.scorebook.reports import Report
from scoring.scorebook.verifying import recount
from tests.scoring.scorebook.book import (
    EAST_WINS,
    EAST_WINS_IN_TILES,
    SOUTH_WINS,
    correct,
    open_game,
    play,
    points,
    record,
)
from tests.scoring.tapping import draft_after

pytestmark = pytest.mark.django_db

TOTALS = SOUTH_WINS.totals
TILES = EAST_WINS_IN_TILES.tiles
STICKS = {1: 2000, 2: 2000, 3: 2000, 4: 2000}
COUNTED = Report(winner=2, tallies={1: 1936, 2: 2240, 3: 1920, 4: 1904}, had=STICKS)
UNEXPLAINED = Report(winner=2, tallies={1: 1936, 2: 2242, 3: 1920, 4: 1902}, had=STICKS)
ONLY_SOUTH = Report(winner=2, only_winner=True)
NO_WINNERS: list[Any] = [[1, 2], "1", True, 1.0, {}, 0, 5, -1, 10**30]


def find_problems(report: Report, game: Game | None = None) -> list[ProblemLike]:
    """What is wrong with the report; nothing is stored."""
    with pytest.raises(Refused) as refusal:
        record(game or open_game(), 1, report)
    assert Hand.objects.count() == 0
    assert all(finding.message.endswith(".") for finding in refusal.value.problems)
    return list(refusal.value.problems)


def make_report(**changed_fields: Any) -> Report:
    """South wins, but for what the test says."""
    fields: dict[str, Any] = {"winner": 2, "totals": TOTALS} | changed_fields
    return Report(**fields)


def total(seat: int, points: Any) -> Report:
    return make_report(totals={**TOTALS, seat: points})


def with_tiles(seat: int, **tiles: Any) -> Report:
    return replace(EAST_WINS_IN_TILES, tiles={**TILES, seat: {**TILES[seat], **tiles}})


def tallies_report(**tallies: Any) -> Report:
    """The counts, but for those of the seats named: ``s4=1894``."""
    changed_tallies = {int(name[1:]): count for name, count in tallies.items()}
    return replace(COUNTED, tallies={**COUNTED.tallies, **changed_tallies})


@pytest.mark.parametrize(
    ("report", "problems"),
    [
        *((make_report(winner=winner), ["winner bad_seat"]) for winner in NO_WINNERS),
        *(
            (total(2, points), ["scores.2 bad_score"])
            for points in ("60", True, 60.0, 10**30, -(10**30), [60])
        ),
        (total(3, 37), ["scores.3 bad_score"]),
        (total(2, 1002), ["scores.2 bad_score"]),
        (total(4, -4), ["scores.4 bad_score"]),
        (make_report(totals={2: 60, 3: 8}), ["scores.1 bad_score", "scores.4 bad_score"]),
        (with_tiles(2, concealed=["B1"] * 5), ["tiles.2.concealed too_many_copies"]),
        (
            with_tiles(1, concealed=[*TILES[1]["concealed"], "DR"]),
            ["tiles.1.concealed wrong_count"],
        ),
        (
            with_tiles(2, concealed=[f"{suit}{n}" for suit in "BC" for n in range(1, 8)]),
            ["tiles.2.concealed long_hand"],
        ),
        (with_tiles(3, concealed=["B1", "X9"]), ["tiles.3.concealed.1 unknown_tile"]),
        (
            replace(EAST_WINS_IN_TILES, tiles={**TILES, 2: "B1 B2", 3: None}),  # type: ignore[dict-item]
            ["tiles.2 not_an_object", "tiles.3 not_an_object"],
        ),
        (replace(EAST_WINS_IN_TILES, won_by="magic"), ["won_by bad_value"]),
        (make_report(won_by="magic"), ["won_by bad_value"]),
        (make_report(pays_for_all=2), ["pays_for_all bad_seat"]),
        (make_report(discarder=2), ["discarder bad_seat"]),
        (
            Report(winner=None, totals={1: 20, 2: 0}, tiles={3: {}}),
            ["scores.1 drawn_hand", "tiles.3 drawn_hand"],
        ),
        (
            replace(
                EAST_WINS_IN_TILES,
                tiles={1: TILES[1], 2: {"concealed": ["B1"] * 5}},
                totals={3: 37, 4: None},
            ),
            ["scores.3 bad_score", "scores.4 bad_score", "tiles.2.concealed too_many_copies"],
        ),
        (replace(COUNTED, totals={2: 60}), ["tallies told_twice"]),
        (replace(ONLY_SOUTH, totals={2: 60}), ["only_winner told_twice"]),
        (replace(COUNTED, only_winner=True), ["tallies told_twice"]),
        *(
            (tallies_report(s1=count), ["tallies.1 bad_score"])
            for count in ("1936", True, 10**9, None)
        ),
    ],
)
def test_what_is_wrong_is_named_at_its_field(report: Report, problems: list[str]) -> None:
    assert sorted(f"{problem.path} {problem.code}" for problem in find_problems(report)) == problems


@pytest.mark.parametrize(
    ("tiles", "message"),
    [
        ({"bonus": ["F4"]}, "have 2 tiles “flower 4”, but there is only 1."),
        ({"concealed": ["B2", "B2"]}, "have 5 tiles “2 of bamboos”, but there are only 4."),
        (
            {"sets": [{"tiles": ["B6"] * 4, "exposed": True}]},
            "have 6 tiles “6 of bamboos”, but there are only 4.",
        ),
    ],
)
def test_a_tile_is_in_one_hand_only(tiles: dict[str, Any], message: str) -> None:
    tiles_by_seat = {**TILES, 3: {"concealed": [], **tiles}}
    (problem,) = find_problems(replace(EAST_WINS_IN_TILES, tiles=tiles_by_seat))
    assert problem.code == "too_many_copies"
    assert problem.message == f"Together the hands {message}"


def test_as_many_as_there_are_may_be_in_the_four_hands() -> None:
    hand = record(open_game(), 1, with_tiles(3, concealed=["B2", "C1", "B6", "B6"])).hand
    assert hand.winner == 1


def test_a_drawn_hand_may_be_told_with_noughts() -> None:
    hand = record(open_game(), 1, Report(winner=None, totals=dict.fromkeys(range(1, 5), 0))).hand
    assert (hand.winner, hand.report, hand.scores) == (None, {"winner": None}, {})


def test_only_what_the_game_knows_of_tiles_is_kept() -> None:
    hand = record(open_game(), 1, with_tiles(2, note="\x00", seat_wind="N")).hand
    assert hand.report["tiles"]["2"] == {"concealed": ["B1", "B3"]}


def test_a_stored_report_reads_back_as_it_was_told() -> None:
    hand = record(open_game(), 1, EAST_WINS_IN_TILES).hand
    hand.refresh_from_db()
    assert Report.from_json(hand.report) == EAST_WINS_IN_TILES


def test_a_hand_tapped_together_is_told_in_tiles() -> None:
    rules = rule_set("bmja")
    draft = draft_after("pung:B1 kong:DR chow:B4 pung:WE O2 O2 F1 expose:B111 way:discard last:O2")
    tiles = {1: hand_as_json(to_hand(draft, rules))}
    report = Report(winner=1, totals={2: 0, 3: 0, 4: 0}, tiles=tiles, won_by=draft.won_by)
    assert record(open_game(), 1, report).hand.scores[1] == tell(draft, rules).total


# Counted sticks


def test_counted_sticks_settle_the_hand_as_its_scores_would() -> None:
    by_scores, hand = (record(open_game(), 1, report).hand for report in (SOUTH_WINS, COUNTED))
    assert (hand.gains, hand.payments) == (by_scores.gains, by_scores.payments)
    assert hand.scores == {2: 60}
    assert points(hand.game) == [-64, 240, -80, -96]
    assert hand.game.seats.get(number=2).best_hand == 60


def test_ten_too_few_are_said_with_whose_count_it_perhaps_is() -> None:
    total, suspect = find_problems(tallies_report(s4=1894))
    assert total.message == (
        "The counts add up to 7,990, but should add up to 8,000: 10 are missing."
    )
    assert (suspect.path, suspect.suggestions) == ("tallies.4", (1904,))  # type: ignore[attr-defined]
    assert suspect.message == "If North has 1,904, everything fits. Count these again."


@pytest.mark.parametrize(
    ("report", "path", "message"),
    [
        (
            tallies_report(s1=1937, s3=1921, s4=1905),
            "tallies",
            (
                "The counts add up to 8,003, but should add up to 8,000: 3 too much."
                " Count the sticks again."
            ),
        ),
        (
            UNEXPLAINED,
            "as_counted",
            (
                "These counts do not match any scores. South has gained 242; a Mah-Jong of 60 "
                "brings 240 and 62 brings 248. "
                "Count again or, if the sticks are right, save the counts anyway."
            ),
        ),
        (
            replace(COUNTED, tallies={1: 1936, 2: 2240, 4: 1904}),
            "tallies.3",
            "Enter what West has now.",
        ),
    ],
    ids=["three too many that fit nobody", "no scores lead to them", "one is missing"],
)
def test_counts_that_cannot_be_are_to_be_counted_again(
    report: Report, path: str, message: str
) -> None:
    assert [(problem.path, problem.message) for problem in find_problems(report)] == [
        (path, message)
    ]


def test_the_sticks_can_have_the_last_word() -> None:
    hand = record(open_game(), 1, replace(UNEXPLAINED, as_counted=True)).hand
    assert (hand.gains, hand.scores, hand.payments) == ({1: -64, 2: 242, 3: -80, 4: -98}, {}, [])


def test_a_winner_who_has_no_more_than_before_is_asked_about() -> None:
    (finding,) = find_problems(Report(winner=2, tallies=STICKS, had=STICKS))
    assert "South went Mah-Jong but has not gained anything." in finding.message


def test_who_sits_out_keeps_what_they_have() -> None:
    report = replace(tallies_report(s5=2000), had={**STICKS, 5: 2000})
    (finding,) = find_problems(report, open_game(5))
    assert (finding.path, finding.code) == ("tallies.5", "bad_seat")


@pytest.mark.parametrize("rules", ["safalra", "baggaley"])
def test_where_nobody_pays_there_are_no_sticks(rules: str) -> None:
    game = open_game(rules=rules)
    assert [finding.code for finding in find_problems(COUNTED, game)] == ["no_sticks"]


def test_under_rules_where_the_discarder_pays_alone_sticks_tell_the_same() -> None:
    game = open_game(rules="tallies")
    tallies = {1: 2000, 2: 2160, 3: 1840, 4: 2000}
    report = Report(winner=2, won_by="discard", discarder=3, tallies=tallies, had=STICKS)
    hand = record(game, 1, report).hand
    assert (hand.scores, hand.payments) == ({2: 80}, [[3, 2, 160]])


def test_nobody_pays_for_a_drawn_hand() -> None:
    sentences = {finding.message for finding in find_problems(replace(COUNTED, winner=None))}
    assert sentences == {"No one pays for a drawn hand."}


def test_the_same_counts_again_are_the_same_hand_and_others_are_not() -> None:
    game = open_game()
    first = record(game, 1, COUNTED).hand
    repeat = record(game, 1, replace(COUNTED, had=dict.fromkeys(STICKS, 1990)))
    assert (repeat.hand, repeat.is_new) == (first, False)
    with pytest.raises(AlreadyStands):
        record(game, 1, tallies_report(s1=1934, s4=1906))


# Only the winner


def test_only_the_winner_passes_the_winds_and_moves_no_points() -> None:
    hand = record(open_game(), 1, ONLY_SOUTH).hand
    assert (hand.scores, hand.payments, set(hand.gains.values())) == ({}, [], {0})
    seat = hand.game.seats.get(number=2)
    assert (seat.mahjongs, seat.points, seat.best_hand) == (1, 0, 0)
    next_hand = record(hand.game, 2, EAST_WINS).hand
    assert next_hand.deal["winds"] == {"1": "N", "2": "E", "3": "S", "4": "W"}


@pytest.mark.parametrize("rules", rule_set_keys())
def test_only_the_winner_can_be_told_under_every_rule_set(rules: str) -> None:
    game = open_game(rules=rules)
    record(game, 1, ONLY_SOUTH)
    assert points(game) == [0, 0, 0, 0]
    assert recount().differences == ()


def test_a_game_told_in_every_way_is_recounted_and_corrected() -> None:
    game = open_game()
    hands = play(game, COUNTED, SOUTH_WINS, ONLY_SOUTH, replace(UNEXPLAINED, as_counted=True))
    assert recount().differences == ()
    correct(hands[0], ONLY_SOUTH, reason="miscounted")
    assert recount().differences == ()
    current = game.hands.filter(is_current=True)
    assert points(game) == [sum(hand.gains[seat] for hand in current) for seat in range(1, 5)]
