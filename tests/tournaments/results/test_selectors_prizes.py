"""Who has which prize: places, the most of something, a club's best, the last, and those shared."""

from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from scoring.scorebook.reports import Report
from tests.tournaments.cups import DRAWN, SECOND_WINS, play_round, post, seated_cup, tables
from tests.tournaments.results.test_selectors_results import SPECIAL
from tournaments.models import Prize, PrizeKind, Tournament
from tournaments.results.selectors.prizes import PrizeRow
from tournaments.results.selectors.results import prize_giving, results_of
from tournaments.steps import services

pytestmark = pytest.mark.django_db

# With the first seat as East: +480 for the first, then by what is in the hands.
FIRST_WINS = Report(winner=1, totals={1: 80, 2: 20, 3: 8, 4: 4})


def cup_of(*reports: Report, entrants: int = 4, one_each: bool = False) -> Tournament:
    """One round in which every table reports these hands; finished."""
    cup = seated_cup(entrants=entrants, rounds=1, hands=len(reports))
    play_round(cup, *reports)
    services.close_round(tournament=cup)
    services.finish_tournament(tournament=cup)
    cup = Tournament.objects.get(pk=cup.pk)
    cup.one_prize_each = one_each
    cup.save()
    return cup


def declare(cup: Tournament, *prizes: dict[str, Any]) -> None:
    for number, told in enumerate(prizes, 1):
        Prize.objects.create(tournament=cup, number=number, **told)


def sits(cup: Tournament, seat: int, *, table: int = 0) -> str:
    return tables(cup)[table].placements.get(seat__number=seat).entrant.name


def place(number: int, **told: Any) -> dict[str, Any]:
    return {"name": f"Place {number}", "kind": PrizeKind.PLACE, "place": number, **told}


def best(of: str) -> dict[str, Any]:
    return {"name": of, "kind": PrizeKind.BEST, "of": of}


def won(cup: Tournament) -> list[tuple[str, tuple[str, ...], str]]:
    return [(row.title, row.names, row.figure) for row in results_of(cup).prizes]


def test_declared_prizes_take_the_place_of_the_usual_ones() -> None:
    cup = cup_of(SECOND_WINS)
    declare(cup, place(2, gift="A tin of biscuits"), best("mahjongs"))
    first, second = results_of(cup).prizes
    assert (first.names, first.figure, first.gift) == (
        (sits(cup, 1),),
        "Table points: 2",
        "A tin of biscuits",
    )
    assert (second.names, second.figure) == ((sits(cup, 2),), "Mah-Jongs: 1")


def test_players_who_share_places_share_their_prizes() -> None:
    cup = cup_of(SECOND_WINS, entrants=8)
    declare(cup, place(1, gift="Port"), place(2, gift="Chocolates"), place(3))
    winners = tuple(sorted((sits(cup, 2), sits(cup, 2, table=1))))
    first, second, third = results_of(cup).prizes
    assert first.names == second.names == winners
    assert first.said == f"{winners[0]} and {winners[1]} share places 1 and 2."
    assert len(third.names) == 2
    assert set(third.names).isdisjoint(winners)
    steps = results_of(cup).podium
    assert [(step.place, step.names, step.gifts) for step in steps] == [
        (1, winners, ("Port", "Chocolates")),
        (3, third.names, ()),
    ]


def test_the_most_of_something_is_shared_in_words() -> None:
    cup = cup_of(SECOND_WINS, FIRST_WINS)
    declare(cup, best("mahjongs"), best("best_hand"), best("special_hands"))
    mahjongs, best_hand = results_of(cup).prizes
    both = tuple(sorted((sits(cup, 1), sits(cup, 2))))
    assert tuple(sorted(mahjongs.names)) == both
    assert mahjongs.said.startswith("Shared: ")
    assert (best_hand.names, best_hand.figure, best_hand.said) == (
        (sits(cup, 1),),
        "Points: 80",
        "",
    )


def test_special_hands_are_counted_all_of_them() -> None:
    cup = cup_of(*(SPECIAL for _ in range(14)))
    declare(cup, best("special_hands"))
    assert won(cup) == [("special_hands", (sits(cup, 3),), "Special hands: 14")]


def test_one_prize_a_person_passes_on_to_the_next_in_line() -> None:
    cup = cup_of(SECOND_WINS, FIRST_WINS, one_each=True)
    declare(cup, best("best_hand"), place(1), best("mahjongs"))
    highest, first, most = prize_giving(cup).rows
    winner, other = sits(cup, 1), sits(cup, 2)
    assert first.names == (winner,)
    assert (highest.names, highest.figure) == ((other,), "Points: 60")
    assert highest.said == f"{winner} has “Place 1”; {other} is next in line."
    assert most.names == ()
    assert most.said == (
        f"{winner} has “Place 1”, {other} has “best_hand”, and no one else is in line."
    )


def test_without_that_wish_somebody_may_have_two() -> None:
    cup = cup_of(SECOND_WINS)
    declare(cup, place(1), best("best_hand"))
    assert [names for _, names, _ in won(cup)] == [(sits(cup, 2),)] * 2


def test_a_house_player_and_who_has_left_are_passed_over() -> None:
    cup = cup_of(SECOND_WINS, FIRST_WINS)
    loser = cup.entrants.get(name=sits(cup, 4))
    declare(cup, {"name": "Spoon", "kind": PrizeKind.LAST}, best("best_hand"))
    assert won(cup)[0] == ("Spoon", (loser.name,), "Place 4")
    cup.entrants.filter(pk=loser.pk).update(state="withdrawn")
    cup.entrants.filter(name=sits(cup, 2)).update(is_house=True)
    assert won(cup)[0][1] == (sits(cup, 3),)
    assert won(cup)[1][1] == (sits(cup, 1),)


def test_the_best_of_a_club_and_of_our_own() -> None:
    cup = cup_of(SECOND_WINS)
    visitor, member = sits(cup, 3), sits(cup, 4)
    cup.entrants.filter(name=visitor).update(from_club="Hill Top Tiles")
    player = cup.club.players.create(name=member, name_key=member.casefold())
    cup.entrants.filter(name=member).update(player=player)
    declare(
        cup,
        {"name": "Guest", "kind": PrizeKind.CLUB, "of": "hill top tiles"},
        {"name": "Ours", "kind": PrizeKind.CLUB},
        {"name": "Nobody", "kind": PrizeKind.CLUB, "of": "Elsewhere"},
    )
    assert won(cup) == [("Guest", (visitor,), "Place 3"), ("Ours", (member,), "Place 4")]


def test_what_the_director_chooses_is_shown_once_it_is_chosen() -> None:
    cup = cup_of(DRAWN)
    declare(cup, {"name": "Best hat", "kind": PrizeKind.CHOSEN})
    assert results_of(cup).prizes == ()
    cup.prizes.update(chosen=cup.entrants.get(number=3))
    assert won(cup) == [("Best hat", ("Player 3",), "")]


def test_teams_have_prizes_of_their_own_that_are_no_persons() -> None:
    cup = cup_of(SECOND_WINS, one_each=True)
    for seat, team in ((1, "Bamboo"), (2, "Bamboo"), (3, "Circle"), (4, "Circle")):
        cup.entrants.filter(name=sits(cup, seat)).update(team=team)
    declare(cup, {"name": "Best team", "kind": PrizeKind.TEAM, "place": 1}, place(1))
    results = results_of(cup)
    assert [row.names for row in results.prizes] == [("Bamboo",), (sits(cup, 2),)]
    assert results.won_by(sits(cup, 2)) == ("Place 1",)
    assert results.won_by("Bamboo") == ()


def test_before_the_end_only_officials_see_who_would_win() -> None:
    cup = seated_cup(rounds=1, hands=2)
    post(tables(cup)[0], SECOND_WINS)
    assert results_of(cup).prizes == ()
    rows: tuple[PrizeRow, ...] = prize_giving(cup).rows
    assert {row.title: row.names for row in rows}["Highest hand"] == (sits(cup, 2),)


@pytest.mark.parametrize("count", [1, 3])
def test_prizes_are_one_query_however_many(
    count: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    cup = cup_of(SECOND_WINS)
    chosen = cup.entrants.get(number=1)
    declare(
        cup, *({"name": "Hat", "kind": PrizeKind.CHOSEN, "chosen": chosen} for _ in range(count))
    )
    with django_assert_num_queries(6):
        assert len(results_of(cup).prizes) == count
