"""The director changes the seating, lets a newcomer take over, and takes it back."""

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertContains

from clubs.models import Club
from scoring.scorebook.refusals import Refused
from tests.api import api_client
from tests.people import Cast
from tests.tournaments.cups import DRAWN, close_round, fresh, next_round, post, seated_cup, tables
from tournaments.models import (
    Capacity,
    Entrant,
    OddNumber,
    Placement,
    SeatingChange,
    Table,
    Tournament,
)
from tournaments.seating.services import changes
from tournaments.setup import services as setup_services

pytestmark = pytest.mark.django_db
Seats = list[tuple[int, int, int, str]]


def seats(cup: Tournament, number: int) -> Seats:
    """Table, seat, entrant and sitter of a round."""
    places = Placement.objects.filter(round__tournament=cup, round__number=number)
    return [
        (place.table.number, place.seat.number, place.entrant.number, place.sitter)
        for place in places.select_related("table", "seat", "entrant")
    ]


def links(cup: Tournament) -> set[tuple[int, int, str]]:
    """The printed links of every table."""
    round_tables = Table.objects.filter(round__tournament=cup)
    return set(round_tables.values_list("round__number", "number", "link_key"))


def player(cup: Tournament, number: int) -> Entrant:
    return cup.entrants.get(number=number)


def swap(cup: Tournament, entrant_number: int, other_number: int, *, number: int = 1) -> None:
    changes.swap(
        tournament=cup,
        number=number,
        one=player(cup, entrant_number),
        other=player(cup, other_number),
        made_by="user 1",
    )


def test_two_players_change_places_and_back_again() -> None:
    cup = seated_cup(entrants=8)
    seats_before, cards = seats(cup, 1), links(cup)
    swap(cup, 1, 2)
    exchanges = {1: 2, 2: 1}
    assert [(table, seat, entrant_number) for table, seat, entrant_number, _ in seats(cup, 1)] == [
        (table, seat, exchanges.get(entrant_number, entrant_number))
        for table, seat, entrant_number, _ in seats_before
    ]
    assert changes.undo_change(tournament=cup).what == (
        "Player 1 and Player 2 swapped places in round 1"
    )
    assert (seats(cup, 1), links(cup)) == (seats_before, cards)
    with pytest.raises(Refused, match="no seating change to undo"):
        changes.undo_change(tournament=cup)


def test_who_sits_out_takes_the_place_of_somebody_who_plays() -> None:
    cup = seated_cup(entrants=5, rounds=1, odd=OddNumber.SIT_OUT, starts=False)
    (resting_entrant,) = cup.rounds.get().sitting_out.all()
    seated_number = next(entrant_number for _, _, entrant_number, _ in seats(cup, 1))
    swap(cup, resting_entrant.number, seated_number)
    assert [entrant.number for entrant in cup.rounds.get().sitting_out.all()] == [seated_number]
    assert resting_entrant.number in [entrant_number for _, _, entrant_number, _ in seats(cup, 1)]
    changes.undo_change(tournament=cup)
    assert list(cup.rounds.get().sitting_out.all()) == [resting_entrant]


def test_seats_stay_once_a_hand_is_recorded_at_the_table() -> None:
    cup = seated_cup(entrants=8)
    swap(cup, 1, 2)
    for table in tables(cup):
        post(table, DRAWN)
    with pytest.raises(Refused, match="A hand has been recorded at that table"):
        swap(cup, 1, 2)
    with pytest.raises(Refused, match="A hand has been recorded at that table"):
        changes.undo_change(tournament=cup)


@pytest.mark.parametrize(
    ("entrant_number", "other_number", "number", "message"),
    [(1, 1, 1, "Choose two different players."), (1, 2, 9, "Round 9 is closed or does not exist.")],
)
def test_a_swap_that_cannot_be_is_refused(
    entrant_number: int, other_number: int, number: int, message: str
) -> None:
    with pytest.raises(Refused, match=message):
        swap(seated_cup(), entrant_number, other_number, number=number)


def test_who_has_withdrawn_is_not_swapped_in() -> None:
    cup = seated_cup(entrants=8)
    setup_services.withdraw(tournament=cup, entrant=player(cup, 3))
    with pytest.raises(Refused, match="Player 3 is withdrawn"):
        swap(cup, 1, 3)


def test_rounds_seated_anew_leave_what_is_played_and_can_be_put_back() -> None:
    cup = seated_cup(entrants=16, rounds=3, hands=1, odd=OddNumber.SIT_OUT)
    next_round(cup, DRAWN)
    seats_before, cards = [seats(cup, number) for number in (1, 2, 3)], links(cup)
    for number in (1, 2, 3, 4):
        setup_services.withdraw(tournament=cup, entrant=player(cup, number))
    change = changes.reseat_rounds(tournament=cup, made_by="user 1")
    assert change.what == "Round 3 reseated for 12 players"
    assert [seats(cup, number) for number in (1, 2)] == seats_before[:2]
    assert len(seats(cup, 3)) == 12
    changes.undo_change(tournament=cup)
    assert [seats(cup, number) for number in (1, 2, 3)] == seats_before
    assert links(cup) >= {card for card in cards if card[0] < 3 or card[1] < 4}


def test_who_sits_in_goes_on_sitting_in_when_the_rounds_are_seated_anew() -> None:
    cup = seated_cup(entrants=16, rounds=3, odd=OddNumber.SIT_OUT)
    for number, stand_in in ((1, "Sue"), (2, "Stu")):
        changes.set_substitute(
            tournament=cup, entrant=player(cup, number), name=stand_in, number=number
        )
    setup_services.enter_entrant(tournament=cup, name="Stu")
    changes.reseat_rounds(tournament=cup, made_by="user 1")
    sits_in = Placement.objects.filter(capacity=Capacity.SUBSTITUTE, round__number__gt=1)
    assert {(place.entrant.number, place.sitter) for place in sits_in} == {(1, "Sue")}


def test_no_round_is_left_to_seat_anew() -> None:
    cup = seated_cup(rounds=1)
    with pytest.raises(Refused, match="Every round has started"):
        changes.reseat_rounds(tournament=cup, made_by="user 1")


def test_a_substitute_sits_in_from_a_round_on_and_counts_for_the_entrant() -> None:
    cup = seated_cup(rounds=3, hands=1)
    close_round(cup, DRAWN)
    entrant = player(cup, 1)
    substitution = {"tournament": cup, "entrant": entrant, "number": 1}
    assert changes.set_substitute(**substitution, name="Sue  Sub") == 2  # type: ignore[arg-type]
    places = entrant.placements.order_by("round__number")
    assert [(place.capacity, place.sitter) for place in places] == [
        (Capacity.ENTRANT, "Player 1"),
        (Capacity.SUBSTITUTE, "Sue Sub"),
        (Capacity.SUBSTITUTE, "Sue Sub"),
    ]
    assert changes.set_substitute(**substitution, name="") == 2  # type: ignore[arg-type]
    assert set(entrant.placements.values_list("capacity", flat=True)) == {Capacity.ENTRANT}


def test_a_substitute_for_one_round_only() -> None:
    cup = seated_cup(rounds=3)
    entrant = player(cup, 1)
    round_count = changes.set_substitute(
        tournament=cup, entrant=entrant, name="Sue", number=2, goes_on=False
    )
    assert round_count == 1
    substitutes = entrant.placements.filter(capacity=Capacity.SUBSTITUTE)
    assert list(substitutes.values_list("round__number", flat=True)) == [2]


@pytest.mark.parametrize(
    ("name", "number", "message"),
    [
        ("player 2", 1, "Player 2 already has a seat in round 1."),
        ("<b>", 1, "A name cannot contain"),
        ("Sue", 7, "Player 1 has no seat from round 7 on."),
    ],
)
def test_a_substitute_who_cannot_sit_is_refused(name: str, number: int, message: str) -> None:
    cup = seated_cup()
    with pytest.raises(Refused, match=message):
        changes.set_substitute(tournament=cup, entrant=player(cup, 1), name=name, number=number)


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
    close_round(cup, DRAWN)
    leaver = player(cup, 3)
    return fresh(cup), leaver, rosa_comes_for(leaver)


def rosa_comes_for(leaver: Entrant) -> Entrant:
    """Someone withdraws, and Rosa enters after that."""
    setup_services.withdraw(tournament=leaver.tournament, entrant=leaver)
    leaver.refresh_from_db()
    return setup_services.enter_entrant(tournament=leaver.tournament, name="Rosa")


def take_over(cup: Tournament, leaver: Entrant, newcomer: Entrant | None) -> SeatingChange:
    return changes.take_over(tournament=cup, leaver=leaver, newcomer=newcomer, made_by="user 1")


def test_a_newcomer_takes_over_every_place_to_come_and_nobody_else_moves() -> None:
    cup, leaver, newcomer = one_left_one_came()
    places_before = places(cup)
    change = take_over(cup, leaver, newcomer)
    assert change.what == "Rosa takes over the places of Player 3"
    assert places(cup) == {
        place: "Rosa" if name == "Player 3" and place[0] > 1 else name
        for place, name in places_before.items()
    }
    changes.undo_change(tournament=cup)
    assert places(cup) == places_before


def test_both_ways_cost_no_meeting_and_no_return_and_say_so_before() -> None:
    cup, leaver, newcomer = one_left_one_came()
    places_before = places(cup)
    takes_over, reseating = changes.weigh_reseating(tournament=cup)
    assert (takes_over.leaver, takes_over.newcomer) == (leaver, newcomer)
    for choice in (takes_over, reseating):
        assert (choice.cost.repeats, choice.cost.returns, choice.cost.move_count) == (0, 0, 4)
    assert places(cup) == places_before


def test_a_newcomer_who_would_meet_their_partner_is_told_before(
    cast: Cast, director: Client
) -> None:
    cup, leaver, rosa = one_left_one_came(club=cast.club)
    round_table = leaver.placements.get(round__number=2).table
    partner = next(
        place.entrant.name for place in round_table.placements.all() if place.entrant != leaver
    )
    cup.entrants.filter(pk=rosa.pk).update(couple=partner)
    takes_over, *_ = changes.weigh_reseating(tournament=cup)
    assert (takes_over.cost.couple_meetings, best(cup).cost.couple_meetings) == (1, 0)
    url_args = [cast.club.slug, cup.pk]
    assertContains(director.get(reverse("seating-ways", args=url_args)), "Couples meet 1 time.", 1)
    options = director.get(reverse("api-seating-ways", args=url_args)).json()["options"]
    assert [option["couple_meetings"] for option in options][:2] == [1, 0]
    take_over(cup, leaver, rosa)
    assertContains(director.get(reverse("seating-why", args=url_args)), "Couples meet once.", 1)


@pytest.mark.parametrize(("entrants", "rounds"), [(20, 5), (28, 7), (32, 7)])
def test_seating_anew_keeps_what_costs_nothing_to_keep(entrants: int, rounds: int) -> None:
    cup, _, _ = one_left_one_came(entrants=entrants, rounds=rounds)
    places_before = places(cup)
    changes.reseat_rounds(tournament=cup, made_by="user 1")
    changed_places = {place for place, name in places(cup).items() if places_before[place] != name}
    assert len(changed_places) == rounds - 1
    assert {places_before[place] for place in changed_places} == {"Player 3"}


def best(cup: Tournament) -> changes.ReseatingChoice:
    """The recommended way to seat the remaining rounds."""
    return next(choice for choice in changes.weigh_reseating(tournament=cup) if choice.is_best)


def test_what_seating_anew_costs_is_what_it_then_costs() -> None:
    cup = seated_cup(entrants=16, rounds=5, hands=1, odd=OddNumber.SIT_OUT)
    close_round(cup, DRAWN)
    setup_services.withdraw(tournament=cup, entrant=player(cup, 3))
    choice_before = best(cup)
    changes.reseat_rounds(tournament=cup, made_by="user 1")
    choice_after = best(cup)
    assert (choice_after.cost.repeats, choice_after.cost.returns) == (
        choice_before.cost.repeats,
        choice_before.cost.returns,
    )
    assert choice_after.cost.move_count == 0


def test_a_place_among_those_who_sit_out_is_taken_over_too() -> None:
    cup = seated_cup(entrants=9, rounds=3, odd=OddNumber.SIT_OUT, starts=False)
    leaver = cup.rounds.get(number=1).sitting_out.get()
    newcomer = rosa_comes_for(leaver)
    take_over(cup, leaver, newcomer)
    assert cup.rounds.get(number=1).sitting_out.get() == newcomer
    assert newcomer.placements.count() == 2
    changes.undo_change(tournament=cup)
    assert cup.rounds.get(number=1).sitting_out.get() == leaver


def test_whoever_comes_late_takes_over_from_a_house_player() -> None:
    cup = seated_cup(entrants=7, rounds=2, odd=OddNumber.HOUSE, starts=False)
    newcomer = setup_services.enter_entrant(tournament=cup, name="Rosa")
    house = cup.entrants.get(is_house=True)
    take_over(cup, house, newcomer)
    assert [place.capacity for place in newcomer.placements.all()] == ["entrant", "entrant"]
    assert not house.placements.exists()


def test_one_house_player_comes_for_each_who_leaves() -> None:
    cup = seated_cup(entrants=8, rounds=2, odd=OddNumber.HOUSE)
    leavers = [player(cup, 3), player(cup, 5)]
    for leaver in leavers:
        setup_services.withdraw(tournament=cup, entrant=leaver)
    for count, leaver in enumerate(leavers, start=1):
        take_over(cup, leaver, None)
        assert cup.entrants.filter(is_house=True).count() == count


def test_a_table_with_a_hand_keeps_who_sits_there() -> None:
    cup = seated_cup(entrants=8, rounds=2)
    leaver = player(cup, 3)
    leaver_table = leaver.placements.get(round__number=1).table
    for table in tables(cup):
        if table.number == leaver_table.number:
            post(table, DRAWN)
    newcomer = rosa_comes_for(leaver)
    take_over(cup, leaver, newcomer)
    assert [place.round.number for place in newcomer.placements.all()] == [2]
    assert [place.round.number for place in leaver.placements.all()] == [1]


def test_nobody_sits_twice_in_a_round_of_which_one_table_has_a_hand() -> None:
    cup = seated_cup(entrants=7, rounds=1, odd=OddNumber.HOUSE)
    house = cup.entrants.get(is_house=True)
    house_table = house.placements.get().table
    post(house_table, DRAWN)
    seated_entrant = house_table.placements.exclude(entrant=house)[0].entrant
    leaver = Placement.objects.exclude(table=house_table)[0].entrant
    setup_services.withdraw(tournament=cup, entrant=leaver)
    with pytest.raises(Refused, match="already has a place in round 1"):
        take_over(fresh(cup), leaver, seated_entrant)
    changes.take_over(tournament=fresh(cup), leaver=leaver, newcomer=None, made_by="user 1")
    assert house.placements.count() == seated_entrant.placements.count() == 1
    assert Placement.objects.filter(entrant__is_house=True).count() == 2


def test_a_table_without_a_hand_is_taken_over_and_given_back() -> None:
    cup = seated_cup(entrants=8, rounds=2)
    places_before = places(cup)
    leaver = player(cup, 3)
    newcomer = rosa_comes_for(leaver)
    take_over(cup, leaver, newcomer)
    assert newcomer.placements.count() == 2
    changes.undo_change(tournament=cup)
    assert places(cup) == places_before


def test_nobody_takes_over_from_somebody_who_plays_or_has_a_seat_already() -> None:
    cup, leaver, newcomer = one_left_one_came(entrants=8, rounds=3)
    plays = player(cup, 4)
    with pytest.raises(Refused, match="Player 4 is still playing"):
        take_over(cup, plays, newcomer)
    with pytest.raises(Refused, match="Player 4 already has a place in round 2"):
        take_over(cup, leaver, plays)
    with pytest.raises(Refused, match="Player 3 is withdrawn"):
        take_over(cup, leaver, leaver)
    take_over(cup, leaver, newcomer)
    with pytest.raises(Refused, match="Player 3 has no seat in the remaining rounds"):
        take_over(cup, leaver, newcomer)


def test_the_director_reads_what_each_way_costs_and_lets_the_newcomer_take_over(
    cast: Cast, director: Client
) -> None:
    cup, leaver, newcomer = one_left_one_came(club=cast.club)
    page = director.get(reverse("seating-ways", args=[cast.club.slug, cup.pk]))
    assertContains(page, "Rosa takes over from Player 3")
    assertContains(page, "No one meets anyone twice.", count=2)
    assertContains(page, "4 seats in the remaining rounds would change.", count=2)
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
    url_args = [cast.club.slug, cup.pk]
    takes_over, reseating = program.get(reverse("api-seating-ways", args=url_args)).json()[
        "options"
    ]
    assert (takes_over["leaver"], takes_over["newcomer"]) == (leaver.pk, newcomer.pk)
    assert (reseating["leaver"], reseating["newcomer"]) == (None, None)
    for option in (takes_over, reseating):
        assert (option["repeated_meetings"], option["table_revisits"], option["moved"]) == (0, 0, 4)
    body = {"leaver": leaver.pk, "newcomer": newcomer.pk}
    answer = program.post(
        reverse("api-seating-takeover", args=url_args), body, content_type="application/json"
    )
    assert (answer.status_code, answer.json()["what"]) == (
        201,
        "Rosa takes over the places of Player 3",
    )


def test_a_late_arrival_moves_nobody_but_those_who_rest_for_them() -> None:
    cup = seated_cup(entrants=28, rounds=7, hands=1, odd=OddNumber.SIT_OUT)
    close_round(cup, DRAWN)
    setup_services.enter_entrant(tournament=cup, name="Sam")
    preview = best(cup)
    assert (preview.cost.repeats, preview.cost.move_count) == (0, 6)
    places_before = places(cup)
    changes.reseat_rounds(tournament=cup, made_by="user 1")
    changed_places = {place for place, name in places(cup).items() if places_before[place] != name}
    assert {places(cup)[place] for place in changed_places} == {"Sam"}
    assert {number for number, _, _ in changed_places} == set(range(2, 8))
    assert set(preview.new_cards) == {places_before[place] for place in changed_places} | {"Sam"}


def test_nobody_moves_for_somebody_who_leaves_and_three_rest() -> None:
    cup = seated_cup(entrants=28, rounds=7, hands=1, odd=OddNumber.SIT_OUT)
    next_round(cup, DRAWN)
    close_round(cup, DRAWN)
    places_before = places(cup)
    mates = {
        number: {
            places_before[number, table, other_seat]
            for other_seat in range(1, 5)
            if other_seat != seat
        }
        for (number, table, seat), name in places_before.items()
        if name == "Player 3" and number > 2
    }
    setup_services.withdraw(tournament=cup, entrant=player(cup, 3))
    changes.reseat_rounds(tournament=cup, made_by="user 1")
    assert places(cup).items() <= places_before.items()
    for number, names in mates.items():
        assert {
            entrant.name for entrant in cup.rounds.get(number=number).sitting_out.all()
        } == names


def test_reseating_the_same_players_changes_nothing() -> None:
    cup = seated_cup(entrants=16, rounds=4, hands=1, odd=OddNumber.SIT_OUT)
    close_round(cup, DRAWN)
    places_before = places(cup)
    changes.reseat_rounds(tournament=cup, made_by="user 1")
    assert places(cup) == places_before


def test_new_seats_for_everyone_are_offered_where_something_is_better() -> None:
    cup = seated_cup(entrants=18, rounds=5, hands=1, odd=OddNumber.SIT_OUT)
    next_round(cup, DRAWN)
    close_round(cup, DRAWN)
    setup_services.withdraw(tournament=cup, entrant=player(cup, 5))
    choices = {choice.plan: choice.cost for choice in changes.weigh_reseating(tournament=cup)}
    fewest_cost, least = choices.pop(changes.FEWEST_MOVES), best(cup).cost
    assert least == min([fewest_cost, *choices.values()])
    for cost in choices.values():
        assert cost.move_count > fewest_cost.move_count
        assert cost.repeats < fewest_cost.repeats or cost.winds < fewest_cost.winds
    changes.reseat_rounds(tournament=cup, made_by="user 1", plan=best(cup).plan)
    assert best(cup).cost.repeats <= least.repeats


def test_the_director_takes_the_way_that_moves_fewer(cast: Cast, director: Client) -> None:
    cup = seated_cup(entrants=18, rounds=4, hands=1, odd=OddNumber.SIT_OUT, club=cast.club)
    next_round(cup, DRAWN)
    close_round(cup, DRAWN)
    setup_services.withdraw(tournament=cup, entrant=player(cup, 5))
    places_before, drawings = places(cup), cup.drawings.count()
    director.post(
        reverse("seating-anew", args=[cast.club.slug, cup.pk]), {"plan": changes.FEWEST_MOVES}
    )
    kept_places = {place for place, name in places(cup).items() if places_before[place] == name}
    assert len(kept_places) > len(places_before) * 3 // 4
    assert cup.drawings.count() == drawings
