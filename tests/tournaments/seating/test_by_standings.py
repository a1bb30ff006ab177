"""Rounds seated by standings: laid one by one, looked at first, undone until they start."""

import re
from collections import Counter
from itertools import combinations
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from clubs.models import Club
from scoring.scorebook.refusals import Refused
from tests.people import Cast
from tests.tournaments.cups import (
    DRAWN,
    SECOND_WINS,
    Fours,
    close_round,
    correct,
    fours,
    fresh,
    make_cup,
    page_of,
    play_round,
    seated_cup,
    tables,
)
from tournaments.desk.selectors import desk_state
from tournaments.models import Capacity, OddNumber, Placement, Tournament
from tournaments.results import services as results_services
from tournaments.results.selectors.standings import standings_of
from tournaments.seating.services import changes, seating
from tournaments.setup import services as setup_services
from tournaments.steps import services

pytestmark = pytest.mark.django_db


def by_standing_cup(
    *, start: int | None = 2, bands: int = 1, final: bool = False, **cup_fields: Any
) -> Tournament:
    """A tournament whose rounds are by standing from ``start`` on; the first round is open."""
    settings = {"by_standing_from": start, "bands": bands, "has_final": final}
    return seated_cup(**{"entrants": 16, "rounds": 3, "hands": 1, **settings, **cup_fields})


def play(cup: Tournament) -> None:
    """The open round: at every table the second seat wins 240."""
    close_round(cup, SECOND_WINS)


def seat(cup: Tournament, mark: str | None = None) -> str:
    return seating.seat_by_standing(tournament=cup, made_by="user 1", mark=mark).what


@pytest.mark.parametrize(
    ("cup_fields", "drawn_rounds"),
    [({"rounds": 5, "start": 3}, 2), ({"rounds": 4, "start": None, "final": True}, 3)],
    ids=["by standings", "a final"],
)
def test_only_the_rounds_before_are_drawn_at_the_beginning(
    cup_fields: dict[str, Any], drawn_rounds: int
) -> None:
    assert by_standing_cup(**cup_fields).rounds.count() == drawn_rounds


def by_standing_alone(cup: Tournament, *, last_round: int) -> Fours:
    names = [row.name for row in standings_of(cup, last_round=last_round)]
    return [names[start : start + 4] for start in range(0, len(names), 4)]


@pytest.mark.django_db(transaction=True, reset_sequences=True)  # one draw: its seed is the key
def test_the_best_meet_at_table_one_and_nobody_meets_again() -> None:
    cup = by_standing_cup()
    play(cup)
    assert seat(cup) == "Round 2 seated by standings"
    meetings = Counter(
        frozenset(pair)
        for number in (1, 2)
        for table in fours(cup, number)
        for pair in combinations(table, 2)
    )
    assert max(meetings.values()) == 1
    places = {row.name: place for place, row in enumerate(standings_of(cup, last_round=1))}
    height = [sum(places[name] for name in table) for table in fours(cup, 2)]
    assert height[0] == min(height)
    assert sum(height[:2]) < sum(height[2:])


def test_nobody_leaves_their_band() -> None:
    cup = by_standing_cup(bands=2)
    play(cup)
    seat(cup)
    names = [row.name for row in standings_of(cup, last_round=1)]
    first, second, third, fourth = fours(cup, 2)
    assert {*first, *second} == set(names[:8])
    assert {*third, *fourth} == set(names[8:])


def test_who_shares_the_last_place_of_a_final_is_pointed_out() -> None:
    cup = by_standing_cup(rounds=2, start=None, final=True)
    close_round(cup, DRAWN)
    (doubt,) = seating.preview_round(tournament=cup).doubts
    assert doubt.startswith("Player 1, Player 10,")
    assert "share place 1, and the final has no room for all of them" in doubt


def test_a_substitute_is_named_when_the_final_is_drawn() -> None:
    cup = by_standing_cup(entrants=8, rounds=2, start=None, final=True)
    entrant = cup.entrants.get(number=1)
    changes.set_substitute(tournament=cup, entrant=entrant, name="Sue Sub", number=1)
    close_round(cup, SECOND_WINS)
    assert (
        "Sue Sub played for Player 1 in round 1. The final is drawn without substitutes, so "
        "Player 1 has the seat. If Sue Sub plays on, add them again after seating."
    ) in seating.preview_round(tournament=cup).doubts


def test_looking_keeps_nothing() -> None:
    cup = by_standing_cup(entrants=15, odd=OddNumber.HOUSE)
    play(cup)
    entrant_count = cup.entrants.count()
    preview = seating.preview_round(tournament=cup)
    assert [len(table.seats) for table in preview.tables] == [4, 4, 4, 4]
    assert (cup.rounds.count(), cup.entrants.count()) == (1, entrant_count)


def test_the_round_is_kept_as_it_was_looked_at() -> None:
    cup = by_standing_cup()
    play(cup)
    preview = seating.preview_round(tournament=cup)
    seat(cup, preview.mark)
    assert [[sitter.name for sitter in table.seats] for table in preview.tables] == fours(cup, 2)
    assert seating.preview_round(tournament=cup).moves == ()


def test_a_double_tap_seats_the_round_once() -> None:
    cup = by_standing_cup()
    play(cup)
    mark = seating.preview_round(tournament=cup).mark
    seat(cup, mark)
    changes.set_substitute(tournament=cup, entrant=cup.entrants.get(number=1), name="Sub", number=2)
    assert seat(cup, mark) == "Round 2 seated by standings"
    assert cup.changes.count() == 1
    assert Placement.objects.filter(round__number=2, substitute="Sub").exists()


def test_a_late_correction_lets_the_round_be_seated_anew_and_back() -> None:
    cup = by_standing_cup()
    play(cup)
    seat(cup)
    tables_before = fours(cup, 2)
    correct(tables(cup)[0], DRAWN)
    assert seating.preview_round(tournament=cup).moves
    assert seat(cup) == "Round 2 reseated by standings"
    assert fours(cup, 2) != tables_before
    changes.undo_change(tournament=cup)
    assert fours(cup, 2) == tables_before
    changes.undo_change(tournament=cup)
    assert cup.rounds.count() == 1


def test_a_round_that_has_started_is_not_undone() -> None:
    cup = by_standing_cup()
    play(cup)
    seat(cup)
    services.start_round(tournament=cup)
    with pytest.raises(Refused, match="Round 2 has started, so its seating cannot change"):
        changes.undo_change(tournament=cup)
    with pytest.raises(Refused, match=r"Round 2 is being played\. Close it first"):
        seat(cup)


def test_who_comes_late_or_leaves_is_seen_by_the_next_round() -> None:
    cup = by_standing_cup(odd=OddNumber.HOUSE)
    play(cup)
    seat(cup)
    setup_services.withdraw(tournament=cup, entrant=cup.entrants.get(number=1))
    setup_services.enter_entrant(tournament=cup, name="Late Larry")
    setup_services.enter_entrant(tournament=cup, name="Later Lucy")
    changes.reseat_rounds(tournament=cup, made_by="user 1")
    names = [name for table in fours(cup, 2) for name in table]
    assert len(names) == 20
    assert {"Late Larry", "Later Lucy", "House player"} <= set(names)
    assert "Player 1" not in names
    house = Placement.objects.filter(round__number=2, capacity=Capacity.HOUSE)
    assert len(set(house.values_list("table", flat=True))) == 3


def test_whoever_is_over_sits_out_in_turn() -> None:
    cup = by_standing_cup(entrants=17, odd=OddNumber.SIT_OUT)
    play(cup)
    seat(cup)
    resting_names = [
        set(round_.sitting_out.values_list("name", flat=True)) for round_ in cup.rounds.all()
    ]
    assert [len(names) for names in resting_names] == [1, 1]
    assert not resting_names[0] & resting_names[1]


def test_team_mates_are_kept_apart_by_standing_too() -> None:
    cup = by_standing_cup(entrants=16)
    play(cup)
    for row in standings_of(cup, last_round=1)[:2]:
        cup.entrants.filter(pk=row.entrant_id).update(team="Bamboo")
    seat(cup)
    for table in fours(cup, 2):
        assert cup.entrants.filter(name__in=table, team="Bamboo").count() < 2


def test_a_substitute_counts_as_whoever_they_sat_for() -> None:
    cup = by_standing_cup()
    changes.set_substitute(tournament=cup, entrant=cup.entrants.get(number=1), name="Sub", number=1)
    play(cup)
    seat(cup)
    assert "Player 1" in {name for table in fours(cup, 2) for name in table}


@pytest.mark.parametrize(
    ("cup_fields", "is_played", "message"),
    [
        ({"start": 3}, False, "Round 3 is seated by standings once round 2 is closed"),
        ({"start": None, "rounds": 1}, True, "Every round has been played"),
        ({"start": None}, False, "All rounds of this tournament are drawn at once"),
    ],
)
def test_rounds_that_are_drawn_are_not_seated_by_standing(
    cup_fields: dict[str, Any], is_played: bool, message: str
) -> None:
    cup = by_standing_cup(**cup_fields)
    if is_played:
        play(cup)
    with pytest.raises(Refused, match=message):
        seat(cup)


def test_a_tournament_is_not_finished_before_its_last_round_is_seated() -> None:
    cup = by_standing_cup(rounds=2)
    play(cup)
    with pytest.raises(Refused, match="Round 2 has not been seated"):
        services.finish_tournament(tournament=cup)


def test_a_whole_tournament_by_standing_is_played_to_its_final() -> None:
    cup = by_standing_cup(rounds=4, start=2, final=True)
    play(cup)
    for number in (2, 3, 4):
        assert seating.preview_round(tournament=cup).is_final is (number == 4)
        seat(cup)
        services.start_round(tournament=cup)
        play(cup)
    services.finish_tournament(tournament=cup)
    assert set(fours(cup, 4)[0]) == set(by_standing_alone(cup, last_round=3)[0])
    with pytest.raises(Refused, match="This tournament is finished"):
        seat(cup)


def cup_of_a_final(club: Club, *, entrants: int = 16, rounds: int = 3) -> Tournament:
    """A cup by standing from round 2 on, with a final; round 1 is played and closed."""
    cup = by_standing_cup(club=club, entrants=entrants, rounds=rounds, final=True)
    play(cup)
    return fresh(cup)


def proposal(cup: Tournament) -> str:
    return page_of(cup, "seating/standing/")


def mark_of(answer: object) -> dict[str, str]:
    """What the page sends back: the seating as it was shown."""
    match = re.search(r'name="mark" value="(\w+)"', answer.content.decode())  # type: ignore[attr-defined]
    assert match
    return {"mark": match[1]}


def step(cup: Tournament) -> tuple[str, str, str]:
    desk_step = desk_state(fresh(cup)).step
    return (desk_step.title, desk_step.address, desk_step.button)


def test_before_the_draw_the_desk_says_which_rounds_come_later(cast: Cast) -> None:
    cup = make_cup(entrants=16, rounds=5, club=cast.club)
    cup.by_standing_from, cup.has_final = 3, True
    desk_step = desk_state(cup).step
    assert desk_step.button == "Seat the 2 rounds"
    assert desk_step.text == (
        "Rounds 1 to 2 are drawn at once, at 4 tables, so that people meet again as rarely as "
        "possible and start in every wind. Rounds 3 to 5 are seated by standings, the last as "
        "a final, each once the previous round is closed."
    )
    cup.by_standing_from = None
    assert "Round 5 is a final: it is seated once round 4 is closed." in desk_state(cup).step.text


def test_the_desk_leads_from_round_to_round(director: Client, cast: Cast) -> None:
    cup = cup_of_a_final(cast.club)
    assert step(cup) == ("Round 1 is closed", "round-by-standing", "Seat round 2 by standings")
    seating.seat_by_standing(tournament=cup, made_by="user 1")
    assert step(cup) == ("Round 2 of 3 is seated", "round-start", "Start round 2")
    services.start_round(tournament=cup)
    close_round(cup, SECOND_WINS)
    assert step(cup)[2] == "Seat the final"


def test_the_director_looks_and_then_seats(director: Client, cast: Cast) -> None:
    cup = cup_of_a_final(cast.club)
    proposal_page = director.get(proposal(cup))
    assertContains(proposal_page, '<h2 id="tables">Seating</h2>', html=True)
    assertContains(proposal_page, "No one meets anyone twice.")
    assertContains(proposal_page, "Use this seating for round 2")
    answer = director.post(proposal(cup), mark_of(proposal_page), follow=True)
    assertContains(answer, "Round 2 seated by standings.")
    seated_page = director.get(proposal(cup))
    assertContains(seated_page, "This round is seated according to the standings.")
    assertContains(seated_page, "Undo")
    director.post(page_of(cup, "seating/changes/undo/"))
    assert cup.rounds.count() == 1


def test_what_changed_in_between_is_shown_and_nothing_is_seated(
    director: Client, cast: Cast
) -> None:
    cup = cup_of_a_final(cast.club)
    mark_fields = mark_of(director.get(proposal(cup)))
    correct(tables(cup)[0], DRAWN)
    answer = director.post(proposal(cup), mark_fields)
    assertContains(answer, "The standings have changed since you looked.", status_code=422)
    assert cup.rounds.count() == 1
    assertRedirects(director.post(proposal(cup), mark_of(answer)), page_of(cup))


def test_a_late_correction_is_said_on_the_desk(director: Client, cast: Cast) -> None:
    cup = cup_of_a_final(cast.club)
    seating.seat_by_standing(tournament=cup, made_by="user 1")
    correct(tables(cup)[0], DRAWN)
    assert step(cup) == (
        "The standings have changed since round 2 was seated",
        "round-by-standing",
        "Check round 2 again",
    )
    proposal_page = director.get(proposal(cup))
    assertContains(proposal_page, "would change tables")
    assertContains(proposal_page, "Start round 2 without reseating")
    start_page = director.get(page_of(cup, "start/"))
    assertContains(start_page, "The standings have changed since the round was seated.")
    director.post(proposal(cup), mark_of(proposal_page))
    assert step(cup)[1] == "round-start"


def test_a_round_that_is_not_due_says_when_it_is(director: Client, cast: Cast) -> None:
    cup = make_cup(entrants=16, rounds=3, club=cast.club)
    answer = director.get(proposal(cup))
    assertContains(answer, "All rounds of this tournament are drawn at once")
    assertNotContains(answer, 'name="mark"')


@pytest.mark.parametrize("extra_count", [1, 3])
def test_who_is_too_many_is_said_instead_of_a_seating(
    director: Client, cast: Cast, extra_count: int
) -> None:
    cup = cup_of_a_final(cast.club)
    for number in range(extra_count):
        setup_services.enter_entrant(tournament=cup, name=f"Late {number}")
    assertContains(director.get(proposal(cup)), f"{16 + extra_count} have entered.")


def test_what_the_last_round_does_is_not_told_by_the_seating_of_it(
    director: Client, cast: Cast
) -> None:
    cup = cup_of_a_final(cast.club, rounds=2)
    results_services.hide_last_round(tournament=cup)
    seating.seat_by_standing(tournament=cup, made_by="user 1")
    order_before = cup.rounds.get(number=2).seated_in_order
    services.start_round(tournament=cup)
    play_round(cup, SECOND_WINS)
    assert cup.rounds.get(number=2).seated_in_order == order_before
    assert not desk_state(cup).step.title.startswith("The standings have changed")


@pytest.mark.parametrize("entrants", [4, 12])
def test_the_page_is_as_many_queries_for_one_table_as_for_three(
    director: Client, cast: Cast, entrants: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    cup = cup_of_a_final(cast.club, entrants=entrants)
    director.get(proposal(cup))
    with django_assert_num_queries(16):
        director.get(proposal(cup))
    seating.seat_by_standing(tournament=cup, made_by="user 1")
    with django_assert_num_queries(8):
        desk_state(cup)
