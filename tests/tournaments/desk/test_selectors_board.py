"""The board of the standings: fractions, ties in words, how final it is."""

from fractions import Fraction

import pytest
from pytest_django import DjangoAssertNumQueries

from tests.tournaments.cups import (
    DRAWN,
    SECOND_WINS,
    make_cup,
    play_round,
    post,
    seated_cup,
    tables,
)
from tournaments.models import Tournament
from tournaments.results.selectors.results import results_of
from tournaments.results.selectors.standings import board, mixed, rule_of
from tournaments.seating.services import seating
from tournaments.setup import services as setup_services
from tournaments.steps import services


@pytest.mark.parametrize(
    ("number", "words"),
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
def test_table_points_are_written_as_people_write_them(number: Fraction, words: str) -> None:
    assert mixed(number) == words


def test_the_rule_is_said_in_a_sentence() -> None:
    assert rule_of(["table_points", "total"]) == (
        "Ranked by table points, then total gain. Players tied on all of these share the place."
    )
    assert rule_of(["total"]) == "Ranked by total gain. Players tied on this share the place."


@pytest.mark.django_db
def test_the_columns_begin_with_what_ranks() -> None:
    cup = seated_cup(rounds=1, hands=1)
    post(tables(cup)[0], SECOND_WINS)
    Tournament.objects.update(ranks_by=["mahjongs", "total"])
    shown = board(Tournament.objects.get())
    assert shown.columns == ("Mah-Jongs", "Total gain", "Table points", "Best hand")
    assert [line.figures for line in shown.lines] == [
        ("1", "+240", "4", "60"),
        ("0", "−64", "2", "0"),
        ("0", "−80", "1", "0"),
        ("0", "−96", "0", "0"),
    ]
    assert [line.parted_by for line in shown.lines] == [
        "",
        "",
        "total gain: −80 against −64",
        "total gain: −96 against −80",
    ]


@pytest.mark.django_db
def test_a_shared_place_says_so() -> None:
    cup = seated_cup(rounds=1, hands=1)
    post(tables(cup)[0], DRAWN)
    assert {(line.place, line.figures[0]) for line in board(cup).lines} == {("1=", "1¾")}
    assert [line.parted_by for line in board(cup).lines] == ["none: place shared"] * 4


@pytest.mark.django_db
def test_the_standings_are_provisional_until_the_tournament_is_finished() -> None:
    cup = make_cup(entrants=4, rounds=1, hands=1)
    assert (board(cup).standing, board(cup).is_begun) == ("provisional: nothing played yet", False)
    seating.seat_rounds(tournament=cup)
    services.start_round(tournament=cup)
    assert board(cup).standing == "provisional: round 1 is being played"
    play_round(cup, SECOND_WINS)
    services.close_round(tournament=cup)
    assert (board(cup).standing, board(cup).is_begun) == ("provisional: after round 1", True)
    assert results_of(cup).podium == ()
    services.finish_tournament(tournament=cup)
    shown = results_of(Tournament.objects.get())
    assert (shown.board.standing, shown.board.is_final) == ("final", True)
    assert [step.place for step in shown.podium] == [1, 2, 3]


@pytest.mark.django_db
def test_somebody_is_found_by_part_of_the_name_without_its_accents() -> None:
    cup = make_cup(entrants=3)
    setup_services.enter(tournament=cup, name="Zoë Łukasiewicz")
    assert [line.row.name for line in board(cup).lines_named("zoe l")] == ["Zoë Łukasiewicz"]
    assert len(board(cup).lines_named("PLAYER")) == 3
    assert board(cup).lines_named("  ") == ()


@pytest.mark.django_db
@pytest.mark.parametrize("rounds", [1, 3])
def test_the_board_is_two_queries(
    rounds: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    cup = seated_cup(entrants=16, rounds=rounds, hands=1)
    play_round(cup, SECOND_WINS)
    with django_assert_num_queries(2):
        board(cup)


def after_two_of_three_rounds() -> Tournament:
    """One table; the second seat of the first round wins there, nobody after that."""
    cup = seated_cup(rounds=3, hands=1)
    play_round(cup, SECOND_WINS)
    services.close_round(tournament=cup)
    services.start_round(tournament=cup)
    play_round(cup, DRAWN)
    services.close_round(tournament=cup)
    return cup


@pytest.mark.django_db
def test_the_board_shows_how_it_stood_after_a_round() -> None:
    cup = after_two_of_three_rounds()
    now, then = board(cup), board(cup, through=1)
    assert (now.standing, now.through, now.after) == ("provisional: after round 2", None, (1, 2))
    assert (then.standing, then.through) == ("after round 1", 1)
    assert [line.figures[0] for line in then.lines] == ["4", "2", "1", "0"]
    assert [line.figures[0] for line in now.lines] == ["5¾", "3¾", "2¾", "1¾"]
    assert {line.row.rounds for line in then.lines} == {1}


@pytest.mark.django_db
def test_a_round_that_is_not_behind_us_is_the_board_of_now() -> None:
    cup = after_two_of_three_rounds()
    assert board(cup, through=2) == board(cup)


@pytest.mark.django_db
def test_before_the_only_round_there_is_nothing_to_show() -> None:
    cup = seated_cup(rounds=1, hands=1)
    play_round(cup, SECOND_WINS)
    assert not board(cup, through=0).is_begun
