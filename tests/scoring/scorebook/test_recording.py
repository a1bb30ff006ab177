"""Hands go into the score book: each once, in their order, as they were reported."""

from functools import partial
from uuid import uuid4

import pytest
from django.db import transaction
from pytest_django import DjangoAssertNumQueries

from scoring.scorebook import selectors, services
from scoring.scorebook.models import Game, Hand, HandState, Seat
from scoring.scorebook.refusals import AlreadyStands, Refused
from scoring.scorebook.reports import Report
from tests.scoring.scorebook.book import (
    DRAWN,
    EAST_WINS,
    EAST_WINS_IN_TILES,
    NORTH_WINS,
    SOUTH_WINS,
    WEST_WINS,
    ledger,
    open_game,
    play,
    points,
    problems,
    record,
    refusals,
)

pytestmark = pytest.mark.django_db


def test_a_hand_told_in_totals_is_settled(game: Game) -> None:
    hand = record(game, 1, SOUTH_WINS).hand
    assert (hand.scores, hand.gains) == (
        {1: 20, 2: 60, 3: 8, 4: 4},
        {1: -64, 2: 240, 3: -80, 4: -96},
    )
    assert points(game) == [-64, 240, -80, -96]
    assert (hand.sent_by, hand.state) == ("table 1", HandState.REPORTED)


def test_a_hand_told_in_tiles_is_scored_and_keeps_its_lines(game: Game) -> None:
    hand = record(game, 1, EAST_WINS_IN_TILES).hand
    assert hand.scores == {1: 64, 2: 0, 3: 0, 4: 24}
    assert [line["name"] for line in hand.lines["4"]["items"]] == [
        "Pung of 1s, 9s, winds or dragons",
        "Flower or season",
        "Own flower",
    ]
    assert hand.gains == {1: 384, 2: -152, 3: -152, 4: -80}


def test_tiles_and_totals_may_be_mixed(game: Game) -> None:
    report = EAST_WINS_IN_TILES
    mixed_report = Report(
        winner=1, won_by="discard", tiles={1: report.tiles[1]}, totals={2: 0, 3: 0, 4: 16}
    )
    assert record(game, 1, mixed_report).hand.scores == {1: 64, 2: 0, 3: 0, 4: 16}


def test_the_same_submission_twice_is_one_hand(game: Game) -> None:
    submission_id = uuid4()
    first = record(game, 1, SOUTH_WINS, submission_id=submission_id)
    repeat = record(game, 1, SOUTH_WINS, submission_id=submission_id)
    assert (first.is_new, repeat.is_new) == (True, False)
    assert (repeat.hand, Hand.objects.count(), points(game)[1]) == (first.hand, 1, 240)


def test_the_same_report_from_another_phone_is_that_hand(game: Game) -> None:
    first = record(game, 1, SOUTH_WINS)
    repeat = record(game, 1, SOUTH_WINS)
    assert (repeat.hand, repeat.is_new, Hand.objects.count()) == (first.hand, False, 1)


def test_another_report_does_not_replace_the_hand_that_stands(game: Game) -> None:
    first = record(game, 1, SOUTH_WINS).hand
    with pytest.raises(AlreadyStands) as refusal:
        record(game, 1, WEST_WINS)
    assert refusal.value.hand == first
    assert [problem.code for problem in refusal.value.problems] == ["already_stands"]
    assert list(Hand.objects.values_list("winner", flat=True)) == [2]


def test_a_submission_of_another_table_is_refused(game: Game) -> None:
    submission_id = uuid4()
    record(game, 1, SOUTH_WINS, submission_id=submission_id)
    with pytest.raises(Refused, match="This form belongs to another table"):
        record(open_game(), 1, SOUTH_WINS, submission_id=submission_id)


@pytest.mark.parametrize("number", [0, -1, 2, 99, 10**30])
def test_a_hand_out_of_turn_is_refused(game: Game, number: int) -> None:
    (problem,) = problems(partial(record, game, number, SOUTH_WINS))
    assert (problem.code, problem.path) == ("wrong_number", "number")
    assert "the next hand of this game is 1" in problem.message


def test_no_hand_comes_after_the_last_that_was_planned() -> None:
    game = open_game(hands_planned=2)
    play(game, DRAWN, SOUTH_WINS)
    assert selectors.game_view(game).is_over
    with pytest.raises(Refused, match="All the hands of this game have been played"):
        record(game, 3, DRAWN)


def test_a_closed_game_takes_no_hand_but_knows_those_it_has(game: Game) -> None:
    submission_id = uuid4()
    hand = record(game, 1, SOUTH_WINS, submission_id=submission_id).hand
    services.close_games(Game.objects.filter(pk=game.pk))
    with pytest.raises(Refused, match="This game is finished"):
        record(game, 2, SOUTH_WINS)
    assert record(game, 1, SOUTH_WINS, submission_id=submission_id).hand == hand


def test_east_stays_and_a_goulash_follows_a_drawn_hand(game: Game) -> None:
    play(game, DRAWN)
    deal = selectors.progress(game).deals[-1]
    assert (deal.number, deal.dealer, deal.goulash) == (2, 1, True)
    play_on = record(game, 2, SOUTH_WINS).hand
    assert (play_on.deal["goulash"], points(game)) == (True, [-64, 240, -80, -96])


def test_the_fifth_player_waits_and_then_comes_in_as_north() -> None:
    game = open_game(5)
    hands = play(game, SOUTH_WINS, Report(winner=5, totals={2: 20, 3: 8, 4: 4, 5: 60}))
    assert [hand.deal["sits_out"] for hand in hands] == [5, 1]
    assert hands[1].deal["winds"] == {"2": "E", "3": "S", "4": "W", "5": "N"}
    assert list(game.seats.values_list("hands", flat=True)) == [1, 2, 2, 2, 1]


def test_who_sits_out_neither_wins_nor_scores() -> None:
    fifth_wins = Report(winner=5, totals={1: 20, 2: 60, 3: 8, 4: 4, 5: 0})
    assert refusals(partial(record, open_game(5), 1, fifth_wins)) == [
        ("winner", "Seat 5 is not playing this hand."),
        ("scores.5", "Seat 5 sits out this hand and has no score."),
    ]


def test_three_play_without_north() -> None:
    game = open_game(3)
    hand = record(game, 1, Report(winner=2, totals={1: 20, 2: 60, 3: 8})).hand
    assert hand.deal["winds"] == {"1": "E", "2": "S", "3": "W"}
    assert points(game) == [-96, 180, -84]


def test_two_play_as_east_and_west() -> None:
    game = open_game(2)
    hand = record(game, 1, Report(winner=2, totals={1: 20, 2: 1000})).hand
    assert hand.deal["winds"] == {"1": "E", "2": "W"}
    assert points(game) == [-1000, 1000]


def test_an_adjustment_moves_one_seat_and_says_why(game: Game) -> None:
    play(game, SOUTH_WINS)
    seat = Seat.objects.get(game=game, number=1)
    services.adjust_points(
        seat=seat, points=-100, written_by="user 7", reason=" late  for the round "
    )
    entry = seat.ledger.get(kind="adjustment")
    assert (entry.points, entry.written_by, entry.reason) == (-100, "user 7", "late for the round")
    assert points(game) == [-164, 240, -80, -96]


@pytest.mark.parametrize(
    ("points_asked", "reason", "expected_field"),
    [(-100, "  ", "reason"), (-100, "x" * 201, "reason"), (10**12, "much", "points")],
)
def test_an_adjustment_needs_a_reason_and_a_sane_number(
    game: Game, points_asked: int, reason: str, expected_field: str
) -> None:
    seat = game.seats.all()[0]
    act = partial(
        services.adjust_points, seat=seat, points=points_asked, written_by="u", reason=reason
    )
    assert [field for field, _ in refusals(act)] == [expected_field]
    assert ledger(game) == []


def test_a_hand_for_a_table_that_was_taken_away_is_refused_in_a_sentence(game: Game) -> None:
    services.remove_games([game.pk])
    with pytest.raises(Refused, match="reseated"):
        record(game, 1, SOUTH_WINS)
    assert not Hand.objects.exists()


@pytest.mark.parametrize("hand_count", [1, 3])
def test_a_hand_costs_eight_statements_however_long_the_game(
    game: Game, hand_count: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    play(game, *[DRAWN, NORTH_WINS, EAST_WINS][:hand_count])
    with transaction.atomic(), django_assert_num_queries(9):
        services.record_hand(
            game=services.lock_game(game.pk),
            submission_id=uuid4(),
            number=hand_count + 1,
            report=EAST_WINS if hand_count == 3 else DRAWN,
            sent_by="table 1",
        )


def test_the_seats_keep_points_hands_mahjongs_and_the_best_mahjong(game: Game) -> None:
    play(game, SOUTH_WINS, DRAWN, WEST_WINS)
    seats = game.seats.values_list("points", "hands", "mahjongs", "best_hand")
    assert list(seats) == [(-84, 3, 0, 0), (104, 3, 1, 60), (160, 3, 1, 60), (-180, 3, 0, 0)]


def test_a_losers_hand_is_nobodys_best(game: Game) -> None:
    """Going Mah-Jong is what a best hand is for: a loser who scores more has none of it."""
    play(game, Report(winner=2, won_by="discard", totals={1: 400, 2: 60, 3: 0, 4: 0}))
    assert [seat.best_hand for seat in game.seats.order_by("number")] == [0, 60, 0, 0]
