"""The desk and the page of a round by standing: looked at, seated, seated anew, undone."""

import re

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from clubs.models import Club
from tests.people import Cast
from tests.tournaments.cups import SECOND_WINS, make_cup, play_round
from tests.tournaments.results.test_services_standing import correct_first_hand
from tournaments.desk.selectors import floor_of
from tournaments.models import Tournament
from tournaments.results import services as results_services
from tournaments.seating.services import seating
from tournaments.setup import services as setup_services
from tournaments.steps import services

pytestmark = pytest.mark.django_db


def by_standing_cup(club: Club, *, entrants: int = 16, rounds: int = 3) -> Tournament:
    """A cup by standing from round 2 on, with a final; round 1 is played and closed."""
    cup = make_cup(entrants=entrants, rounds=rounds, hands=1, club=club)
    Tournament.objects.filter(pk=cup.pk).update(by_standing_from=2, has_final=True)
    seating.seat_rounds(tournament=cup)
    services.start_round(tournament=cup)
    play_round(cup, SECOND_WINS)
    services.close_round(tournament=cup)
    return Tournament.objects.get(pk=cup.pk)


def page_of(cup: Tournament) -> str:
    return f"/c/{cup.club.slug}/tournaments/{cup.pk}/seating/standing/"


def mark_of(answer: object) -> dict[str, str]:
    """What the page sends back: the seating as it was shown."""
    found = re.search(r'name="mark" value="(\w+)"', answer.content.decode())  # type: ignore[attr-defined]
    assert found
    return {"mark": found[1]}


def step(cup: Tournament) -> tuple[str, str, str]:
    found = floor_of(Tournament.objects.get(pk=cup.pk)).step
    return (found.title, found.address, found.button)


def test_before_the_draw_the_desk_says_which_rounds_come_later(cast: Cast) -> None:
    cup = make_cup(entrants=16, rounds=5, club=cast.club)
    cup.by_standing_from, cup.has_final = 3, True
    found = floor_of(cup).step
    assert found.button == "Seat the 2 rounds"
    assert found.text == (
        "Rounds 1 to 2 are drawn at once, at 4 tables, so that people meet again as rarely as "
        "possible and start in every wind. Rounds 3 to 5 are seated by standings, the last as "
        "a final, each once the previous round is closed."
    )
    cup.by_standing_from = None
    assert "Round 5 is a final: it is seated once round 4 is closed." in floor_of(cup).step.text


def test_the_desk_leads_from_round_to_round(director: Client, cast: Cast) -> None:
    cup = by_standing_cup(cast.club)
    assert step(cup) == ("Round 1 is closed", "round-by-standing", "Seat round 2 by standings")
    seating.seat_by_standing(tournament=cup, made_by="user 1")
    assert step(cup) == ("Round 2 of 3 is seated", "round-start", "Start round 2")
    services.start_round(tournament=cup)
    play_round(cup, SECOND_WINS)
    services.close_round(tournament=cup)
    assert step(cup)[2] == "Seat the final"


def test_the_director_looks_and_then_seats(director: Client, cast: Cast) -> None:
    cup = by_standing_cup(cast.club)
    shown = director.get(page_of(cup))
    assertContains(shown, '<h2 id="tables">Seating</h2>', html=True)
    assertContains(shown, "No one meets anyone twice.")
    assertContains(shown, "Use this seating for round 2")
    answer = director.post(page_of(cup), mark_of(shown), follow=True)
    assertContains(answer, "Round 2 seated by standings.")
    again = director.get(page_of(cup))
    assertContains(again, "This round is seated according to the standings.")
    assertContains(again, "Undo")
    director.post(f"/c/riverside/tournaments/{cup.pk}/seating/changes/undo/")
    assert cup.rounds.count() == 1


def test_what_changed_in_between_is_shown_and_nothing_is_seated(
    director: Client, cast: Cast
) -> None:
    cup = by_standing_cup(cast.club)
    seen = mark_of(director.get(page_of(cup)))
    correct_first_hand(cup)
    answer = director.post(page_of(cup), seen)
    assertContains(answer, "The standings have changed since you looked.", status_code=422)
    assert cup.rounds.count() == 1
    assertRedirects(director.post(page_of(cup), mark_of(answer)), f"{page_of(cup)[:-17]}")


def test_a_late_correction_is_said_on_the_desk(director: Client, cast: Cast) -> None:
    cup = by_standing_cup(cast.club)
    seating.seat_by_standing(tournament=cup, made_by="user 1")
    correct_first_hand(cup)
    assert step(cup) == (
        "The standings have changed since round 2 was seated",
        "round-by-standing",
        "Check round 2 again",
    )
    shown = director.get(page_of(cup))
    assertContains(shown, "would change tables")
    assertContains(shown, "Start round 2 without reseating")
    before = director.get(f"/c/riverside/tournaments/{cup.pk}/start/")
    assertContains(before, "The standings have changed since the round was seated.")
    director.post(page_of(cup), mark_of(shown))
    assert step(cup)[1] == "round-start"


def test_a_round_that_is_not_due_says_when_it_is(director: Client, cast: Cast) -> None:
    cup = make_cup(entrants=16, rounds=3, club=cast.club)
    answer = director.get(page_of(cup))
    assertContains(answer, "All rounds of this tournament are drawn at once")
    assertNotContains(answer, 'name="mark"')


@pytest.mark.parametrize("odd", [1, 3])
def test_who_is_too_many_is_said_instead_of_a_seating(
    director: Client, cast: Cast, odd: int
) -> None:
    cup = by_standing_cup(cast.club)
    for number in range(odd):
        setup_services.enter(tournament=cup, name=f"Late {number}")
    assertContains(director.get(page_of(cup)), f"{16 + odd} have entered.")


def test_what_the_last_round_does_is_not_told_by_the_seating_of_it(
    director: Client, cast: Cast
) -> None:
    cup = by_standing_cup(cast.club, rounds=2)
    results_services.hide_last_round(tournament=cup)
    seating.seat_by_standing(tournament=cup, made_by="user 1")
    before = cup.rounds.get(number=2).seated_in_order
    services.start_round(tournament=cup)
    play_round(cup, SECOND_WINS)
    assert cup.rounds.get(number=2).seated_in_order == before
    assert not floor_of(cup).step.title.startswith("The standings have changed")


@pytest.mark.parametrize("entrants", [4, 12])
def test_the_page_is_as_many_queries_for_one_table_as_for_three(
    director: Client, cast: Cast, entrants: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    cup = by_standing_cup(cast.club, entrants=entrants)
    director.get(page_of(cup))
    with django_assert_num_queries(18):
        director.get(page_of(cup))
    seating.seat_by_standing(tournament=cup, made_by="user 1")
    with django_assert_num_queries(8):
        floor_of(cup)
