"""One leaves, another comes: the newcomer takes over the places, and nobody else moves."""

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertContains

from clubs.models import Club
from scoring.scorebook.refusals import Refused
from tests.api import api_client
from tests.people import Cast
from tests.tournaments.cups import DRAWN, make_cup, play_round, post, seated_cup, tables
from tournaments.models import Entrant, OddNumber, Placement, SeatingChange, Tournament
from tournaments.seating.services import changes, seating
from tournaments.setup import services as setup_services
from tournaments.steps import services

pytestmark = pytest.mark.django_db

Places = dict[tuple[int, int, int], str]


def places(cup: Tournament) -> Places:
    """Who sits where, by round, table and seat."""
    rows = Placement.objects.filter(round__tournament=cup)
    return {
        (place.round.number, place.table.number, place.seat.number): place.entrant.name
        for place in rows.select_related("round", "table", "seat", "entrant")
    }


def one_left_one_came(
    *, entrants: int = 28, rounds: int = 5, club: Club | None = None
) -> tuple[Tournament, Entrant, Entrant]:
    """A round is closed; Player 3 leaves and Rosa comes."""
    cup = seated_cup(entrants=entrants, rounds=rounds, hands=1, club=club)
    play_round(cup, DRAWN)
    services.close_round(tournament=cup)
    leaver = cup.entrants.get(number=3)
    setup_services.withdraw(tournament=cup, entrant=leaver)
    leaver.refresh_from_db()
    newcomer = setup_services.enter(tournament=cup, name="Rosa")
    return Tournament.objects.get(pk=cup.pk), leaver, newcomer


def take_over(cup: Tournament, leaver: Entrant, newcomer: Entrant) -> SeatingChange:
    return changes.take_over(tournament=cup, leaver=leaver, newcomer=newcomer, made_by="user 1")


def test_a_newcomer_takes_over_every_place_to_come_and_nobody_else_moves() -> None:
    cup, leaver, newcomer = one_left_one_came()
    before = places(cup)
    change = take_over(cup, leaver, newcomer)
    assert change.what == "Rosa takes over the places of Player 3"
    assert places(cup) == {
        where: "Rosa" if name == "Player 3" and where[0] > 1 else name
        for where, name in before.items()
    }
    changes.undo_change(tournament=cup)
    assert places(cup) == before


def test_both_ways_cost_no_meeting_and_no_return_and_say_so_before() -> None:
    cup, leaver, newcomer = one_left_one_came()
    before = places(cup)
    takes_over, anew = changes.weigh_reseating(tournament=cup)
    assert (takes_over.leaver, takes_over.newcomer) == (leaver, newcomer)
    for choice in (takes_over, anew):
        assert (choice.cost.repeats, choice.cost.returns, choice.cost.moved) == (0, 0, 4)
    assert places(cup) == before


@pytest.mark.parametrize(("entrants", "rounds"), [(20, 5), (28, 7), (32, 7)])
def test_seating_anew_keeps_what_costs_nothing_to_keep(entrants: int, rounds: int) -> None:
    cup, _, _ = one_left_one_came(entrants=entrants, rounds=rounds)
    before = places(cup)
    changes.reseat_rounds(tournament=cup, made_by="user 1")
    changed = {where for where, name in places(cup).items() if before[where] != name}
    assert len(changed) == rounds - 1
    assert {before[where] for where in changed} == {"Player 3"}


def test_what_seating_anew_costs_is_what_it_then_costs() -> None:
    cup = seated_cup(entrants=16, rounds=5, hands=1)
    setup_services.set_entry_rules(tournament=cup, odd_number=OddNumber.SIT_OUT, places=None)
    play_round(cup, DRAWN)
    services.close_round(tournament=cup)
    setup_services.withdraw(tournament=cup, entrant=cup.entrants.get(number=3))
    [anew] = changes.weigh_reseating(tournament=cup)
    changes.reseat_rounds(tournament=cup, made_by="user 1")
    [after] = changes.weigh_reseating(tournament=cup)
    assert (after.cost.repeats, after.cost.returns) == (anew.cost.repeats, anew.cost.returns)
    assert after.cost.moved == 0


def test_a_place_among_those_who_sit_out_is_taken_over_too() -> None:
    cup = make_cup(entrants=9, rounds=3)
    setup_services.set_entry_rules(tournament=cup, odd_number=OddNumber.SIT_OUT, places=None)
    seating.seat_rounds(tournament=cup)
    leaver = cup.rounds.get(number=1).sitting_out.get()
    setup_services.withdraw(tournament=cup, entrant=leaver)
    newcomer = setup_services.enter(tournament=cup, name="Rosa")
    take_over(cup, leaver, newcomer)
    assert cup.rounds.get(number=1).sitting_out.get() == newcomer
    assert newcomer.placements.count() == 2
    changes.undo_change(tournament=cup)
    assert cup.rounds.get(number=1).sitting_out.get() == leaver


def test_whoever_comes_late_takes_over_from_a_house_player() -> None:
    cup = make_cup(entrants=7, rounds=2)
    setup_services.set_entry_rules(tournament=cup, odd_number=OddNumber.HOUSE, places=None)
    seating.seat_rounds(tournament=cup)
    newcomer = setup_services.enter(tournament=cup, name="Rosa")
    house = cup.entrants.get(is_house=True)
    take_over(cup, house, newcomer)
    assert [place.capacity for place in newcomer.placements.all()] == ["entrant", "entrant"]
    assert not house.placements.exists()


def test_a_table_with_a_hand_keeps_who_sits_there() -> None:
    cup = seated_cup(entrants=8, rounds=2)
    leaver = cup.entrants.get(number=3)
    at = leaver.placements.get(round__number=1).table
    for table in tables(cup):
        if table.number == at.number:
            post(table, DRAWN)
    setup_services.withdraw(tournament=cup, entrant=leaver)
    newcomer = setup_services.enter(tournament=cup, name="Rosa")
    take_over(cup, leaver, newcomer)
    assert [place.round.number for place in newcomer.placements.all()] == [2]
    assert [place.round.number for place in leaver.placements.all()] == [1]


def test_a_table_without_a_hand_is_taken_over_and_given_back() -> None:
    cup = seated_cup(entrants=8, rounds=2)
    before = places(cup)
    leaver = cup.entrants.get(number=3)
    setup_services.withdraw(tournament=cup, entrant=leaver)
    newcomer = setup_services.enter(tournament=cup, name="Rosa")
    take_over(cup, leaver, newcomer)
    assert newcomer.placements.count() == 2
    changes.undo_change(tournament=cup)
    assert places(cup) == before


def test_nobody_takes_over_from_somebody_who_plays_or_has_a_seat_already() -> None:
    cup, leaver, newcomer = one_left_one_came(entrants=8, rounds=3)
    plays = cup.entrants.get(number=4)
    with pytest.raises(Refused, match="Player 4 is still playing"):
        take_over(cup, plays, newcomer)
    with pytest.raises(Refused, match="Player 4 already has a place in round 2"):
        take_over(cup, leaver, plays)
    with pytest.raises(Refused, match="Player 3 is withdrawn"):
        take_over(cup, leaver, leaver)
    take_over(cup, leaver, newcomer)
    with pytest.raises(Refused, match="Player 3 has no seat in the remaining rounds"):
        take_over(cup, leaver, newcomer)


def test_the_director_reads_what_each_way_costs_and_lets_the_newcomer_take_over(cast: Cast) -> None:
    cup, leaver, newcomer = one_left_one_came(club=cast.club)
    director = Client()
    director.force_login(cast.director, backend="django.contrib.auth.backends.ModelBackend")
    page = director.get(reverse("seating-ways", args=[cast.club.slug, cup.pk]))
    assertContains(page, "Rosa takes over from Player 3")
    assertContains(page, "No one meets anyone twice.", count=2)
    assertContains(page, "4 seats in the remaining rounds change hands.", count=2)
    answer = director.post(
        reverse("seating-takeover", args=[cast.club.slug, cup.pk]),
        {"leaver": leaver.pk, "newcomer": newcomer.pk},
        follow=True,
    )
    assertContains(answer, "Rosa takes over the places of Player 3.")
    assert newcomer.placements.count() == 4


def test_a_program_reads_what_each_way_costs_and_lets_the_newcomer_take_over(cast: Cast) -> None:
    cup, leaver, newcomer = one_left_one_came(club=cast.club)
    program = api_client(cast.director)
    where = [cast.club.slug, cup.pk]
    takes_over, anew = program.get(reverse("api-seating-ways", args=where)).json()["ways"]
    assert (takes_over["leaver"], takes_over["newcomer"]) == (leaver.pk, newcomer.pk)
    assert (anew["leaver"], anew["newcomer"]) == (None, None)
    for way in (takes_over, anew):
        assert (way["repeated_meetings"], way["table_revisits"], way["moved"]) == (0, 0, 4)
    sent = {"leaver": leaver.pk, "newcomer": newcomer.pk}
    answer = program.post(
        reverse("api-seating-takeover", args=where), sent, content_type="application/json"
    )
    assert (answer.status_code, answer.json()["what"]) == (
        201,
        "Rosa takes over the places of Player 3",
    )
