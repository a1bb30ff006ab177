"""What a tournament comes to: prizes, the highest hand with its tiles, special hands."""

import pytest
from pytest_django import DjangoAssertNumQueries

from scoring.scorebook.reports import Report
from tests.tournaments.cups import DRAWN, SECOND_WINS, play_round, post, seated_cup, tables
from tournaments.models import Tournament
from tournaments.results.selectors.records import records_of
from tournaments.results.selectors.results import results_of
from tournaments.steps import services

pytestmark = pytest.mark.django_db

ALL_PAIR_HONOURS = {
    "sets": [],
    "concealed": [tile for tile in ["B9", "C1", "C9", "O9", "WS", "WN", "DW"] for _ in "12"],
    "bonus": ["F3"],
    "winning_tile": "C1",
}
SPECIAL = Report(winner=3, tiles={3: ALL_PAIR_HONOURS}, totals={1: 20, 2: 8, 4: 4})


def sits(cup: Tournament, seat: int, *, round_number: int = 1) -> str:
    """Who sits in that seat of the only table."""
    (table,) = tables(cup, round_number)
    return table.placements.get(seat__number=seat).entrant.name


def finished_cup() -> Tournament:
    """One round of three hands: the second seat wins, the third makes a special hand, a draw."""
    cup = seated_cup(rounds=1, hands=3)
    post(tables(cup)[0], SECOND_WINS, SPECIAL, DRAWN)
    services.close_round(tournament=cup)
    services.finish_tournament(tournament=cup)
    return Tournament.objects.get(pk=cup.pk)


def test_the_highest_hand_is_remembered_with_its_tiles() -> None:
    cup = finished_cup()
    (highest,) = records_of(cup).highest
    assert (highest.name, highest.score, highest.special) == (sits(cup, 3), 504, "All Pair Honours")
    assert highest.where == "round 1, table 1, hand 2"
    assert highest.tiles == (tuple(ALL_PAIR_HONOURS["concealed"]), ("F3",))


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


def test_special_hands_are_listed_by_whoever_made_them() -> None:
    cup = finished_cup()
    assert [(hand.name, hand.special) for hand in records_of(cup).special] == [
        (sits(cup, 3), "All Pair Honours")
    ]


def test_most_mahjongs_can_be_shared() -> None:
    cup = finished_cup()
    found = records_of(cup)
    assert (found.mahjongs, found.most_mahjongs) == (1, tuple(sorted((sits(cup, 2), sits(cup, 3)))))


def test_without_a_mahjong_there_is_no_record() -> None:
    cup = seated_cup(rounds=1, hands=1)
    play_round(cup, DRAWN)
    found = records_of(cup)
    assert (found.highest, found.mahjongs, found.most_mahjongs, found.special) == ((), 0, (), ())


def test_records_after_a_round_know_nothing_of_later_ones() -> None:
    cup = seated_cup(rounds=2, hands=1)
    play_round(cup, SECOND_WINS)
    services.close_round(tournament=cup)
    services.start_round(tournament=cup)
    play_round(cup, SPECIAL)
    assert records_of(cup).highest[0].special == "All Pair Honours"
    assert records_of(cup, through=1).highest[0].score == 60
    assert records_of(cup, through=1).special == ()


def test_prizes_are_for_places_and_records_once_the_results_are_final() -> None:
    cup = seated_cup(rounds=1, hands=1)
    play_round(cup, SECOND_WINS)
    assert results_of(cup).prizes == ()
    services.close_round(tournament=cup)
    services.finish_tournament(tournament=cup)
    prizes = results_of(Tournament.objects.get()).prizes
    winner = sits(cup, 2)
    assert [(prize.title, prize.figure) for prize in prizes] == [
        ("First", "Table points: 4"),
        ("Second", "Table points: 2"),
        ("Third", "Table points: 1"),
        ("Highest hand", "Points: 60"),
        ("Most Mah-Jongs", "Mah-Jongs: 1"),
    ]
    assert [prize.names for prize in prizes if prize.title in {"First", "Highest hand"}] == [
        (winner,),
        (winner,),
    ]
    assert [one.title for one in results_of(Tournament.objects.get()).podium] == [
        "First",
        "Second",
        "Third",
    ]


@pytest.mark.parametrize("rounds", [1, 3])
def test_the_results_are_five_queries(
    rounds: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    cup = seated_cup(entrants=16, rounds=rounds, hands=1)
    for number in range(1, rounds + 1):
        play_round(cup, SPECIAL)
        services.close_round(tournament=cup)
        if number < rounds:
            services.start_round(tournament=cup)
    with django_assert_num_queries(5):
        results_of(cup)
