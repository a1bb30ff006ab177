"""Who comes, waits, pays, withdraws: any number of players makes a tournament."""

from collections import Counter

import pytest

from scoring.scorebook.refusals import Refused
from tests.tournaments.cups import DRAWN, make_cup, play_round, seated_cup
from tournaments.models import Capacity, EntrantState, OddNumber, Placement, Tournament
from tournaments.results.selectors.standings import standings
from tournaments.rounds.selectors import rounds_of
from tournaments.seating.services import changes, seating
from tournaments.setup import services as setup_services
from tournaments.steps import services

pytestmark = pytest.mark.django_db


def odd_cup(entrants: int, odd_number: OddNumber, *, rounds: int = 3) -> Tournament:
    """A tournament of that many, seated under that choice."""
    cup = make_cup(entrants=entrants, rounds=rounds)
    setup_services.set_entry_rules(tournament=cup, odd_number=odd_number, places=None)
    seating.seat_rounds(tournament=cup)
    return Tournament.objects.get()


@pytest.mark.parametrize(("entrants", "called"), [(4, 0), (5, 3), (14, 2), (15, 1), (16, 0)])
def test_house_players_fill_the_last_table_and_are_not_ranked(entrants: int, called: int) -> None:
    cup = odd_cup(entrants, OddNumber.HOUSE)
    house = Placement.objects.filter(capacity=Capacity.HOUSE)
    assert house.count() == called * 3
    assert set(house.values_list("entrant__is_house", flat=True)) <= {True}
    assert Placement.objects.count() == (entrants + called) * 3
    assert len(standings(cup)) == entrants


@pytest.mark.parametrize("entrants", [5, 6, 7, 13, 18])
def test_players_sit_out_in_turn(entrants: int) -> None:
    cup = odd_cup(entrants, OddNumber.SIT_OUT, rounds=4)
    out = Counter(name for one in rounds_of(cup) for name in one.sitting_out)
    assert sum(out.values()) == entrants % 4 * 4
    turns = [out[f"Player {number}"] for number in range(1, entrants + 1)]
    assert max(turns) - min(turns) <= 1


def test_house_players_leave_with_the_seating() -> None:
    cup = odd_cup(6, OddNumber.HOUSE)
    seating.clear_rounds(tournament=cup)
    assert cup.entrants.filter(is_house=True).count() == 0


def test_who_comes_when_all_places_are_taken_waits_until_somebody_withdraws() -> None:
    cup = make_cup(entrants=0)
    setup_services.set_entry_rules(tournament=cup, odd_number=OddNumber.WAIT, places=4)
    setup_services.enter_many(tournament=cup, names=["Ann", "Ben", "Cy", "Di", "Eve", "Fay"])
    waiting = cup.entrants.filter(state=EntrantState.WAITING)
    assert [entrant.name for entrant in waiting] == ["Eve", "Fay"]
    setup_services.withdraw(tournament=cup, entrant=cup.entrants.get(name="Ben"))
    assert [entrant.name for entrant in waiting.all()] == ["Fay"]
    setup_services.set_entry_rules(tournament=cup, odd_number=OddNumber.WAIT, places=None)
    assert not waiting.all().exists()


def test_fewer_than_four_places_are_refused() -> None:
    cup = make_cup(entrants=0)
    with pytest.raises(Refused, match="Enter 4 places or more"):
        setup_services.set_entry_rules(tournament=cup, odd_number=OddNumber.WAIT, places=3)


def test_the_fee_and_the_arrival_are_ticked_one_by_one() -> None:
    cup = make_cup(entrants=1)
    one = cup.entrants.get()
    setup_services.note(tournament=cup, entrant=one, has_paid=True)
    setup_services.note(tournament=cup, entrant=one, is_here=True)
    setup_services.note(tournament=cup, entrant=one, has_paid=False)
    one.refresh_from_db()
    assert (one.has_paid, one.is_here) == (False, True)


def test_who_arrives_late_gets_a_seat_in_the_rounds_to_come() -> None:
    cup = seated_cup(entrants=7 + 1, rounds=3, hands=1)
    setup_services.set_entry_rules(tournament=cup, odd_number=OddNumber.SIT_OUT, places=None)
    play_round(cup, DRAWN)
    services.close_round(tournament=cup)
    late = setup_services.enter(tournament=cup, name="Late Larry")
    changes.reseat_rounds(tournament=cup, made_by="user 1")
    first, *later = rounds_of(Tournament.objects.get())
    assert [one.sitting_out for one in (first, *later)].count(()) == 1
    seats = late.placements.count() + late.rounds_out.count()
    assert seats == 2
    assert first.tables[0].hands == 1


def test_who_withdraws_after_a_round_keeps_the_result_and_loses_the_seats_to_come() -> None:
    cup = seated_cup(entrants=8, rounds=3, hands=1)
    setup_services.set_entry_rules(tournament=cup, odd_number=OddNumber.HOUSE, places=None)
    play_round(cup, DRAWN)
    services.close_round(tournament=cup)
    leaving = cup.entrants.get(number=2)
    setup_services.withdraw(tournament=cup, entrant=leaving)
    changes.reseat_rounds(tournament=cup, made_by="user 1")
    assert leaving.placements.count() == 1
    assert Placement.objects.filter(entrant__is_house=True).count() == 2
    ranked = {row.name: row.rounds for row in standings(cup)}
    assert (len(ranked), ranked["Player 2"]) == (8, 1)
    setup_services.readmit(tournament=cup, entrant=leaving)
    changes.reseat_rounds(tournament=cup, made_by="user 1")
    assert leaving.placements.count() == 3


def test_house_players_cannot_withdraw() -> None:
    cup = odd_cup(7, OddNumber.HOUSE)
    with pytest.raises(Refused, match="House players are added and removed automatically"):
        setup_services.withdraw(tournament=cup, entrant=cup.entrants.get(is_house=True))


def test_team_mates_are_kept_apart() -> None:
    cup = make_cup(entrants=0, rounds=1)
    for number in range(16):
        team = "Bamboo" if number < 4 else ""
        setup_services.enter(tournament=cup, name=f"Player {number}", team=team)
    seating.seat_rounds(tournament=cup)
    tables = Placement.objects.filter(entrant__team="Bamboo").values_list("table", flat=True)
    assert len(set(tables)) == 4
