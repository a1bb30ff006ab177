"""The entry list on the day, and the seating changed by hand."""

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from tests.people import Cast
from tests.tournaments.cups import DRAWN, make_cup, play_round, seated_cup
from tournaments.models import EntrantState, OddNumber, Tournament
from tournaments.rounds.selectors import entry_list
from tournaments.seating.services import changes
from tournaments.setup import services as services_entries
from tournaments.steps import services
from tournaments.steps.selectors import before_withdrawing, preflight


def at(cup: Tournament, place: str) -> str:
    return f"/c/riverside/tournaments/{cup.pk}/{place}"


def test_arrivals_and_fees_are_ticked_on_the_list(director: Client, cast: Cast) -> None:
    cup = make_cup(entrants=4, club=cast.club)
    one = cup.entrants.get(number=1)
    here = at(cup, f"entrants/{one.pk}/note/")
    answer = director.post(here, {"tick": "is_here", "to": "yes"})
    assertRedirects(answer, at(cup, f"entrants/#entrant-{one.pk}"))
    director.post(here, {"tick": "has_paid", "to": "yes"})
    director.post(here, {"tick": "name", "to": "yes"})
    assertContains(director.get(at(cup, "entrants/")), "1 of 4 checked in, 1 of 4 paid.")
    director.post(here, {"tick": "is_here", "to": "no"})
    assertContains(director.get(at(cup, "entrants/")), "0 of 4 checked in, 1 of 4 paid.")


def test_places_and_an_odd_number_are_chosen_with_the_entries(director: Client, cast: Cast) -> None:
    cup = make_cup(entrants=6, club=cast.club)
    typed = {"way": "rules", "odd_number": "house", "places": "3"}
    wrong = director.post(at(cup, "entrants/"), typed)
    assertContains(wrong, "Enter a number from 4 to 400.", status_code=422)
    typed["places"] = "6"
    assertRedirects(director.post(at(cup, "entrants/"), typed), at(cup, "entrants/"))
    director.post(at(cup, "entrants/"), {"way": "one", "name": "Late Larry", "team": "Bamboo"})
    page = director.get(at(cup, "entrants/"))
    assertContains(page, "6 entered of 6 places")
    assertContains(page, "1 waiting")
    larry = cup.entrants.get(name="Late Larry")
    assert (larry.state, larry.team) == (EntrantState.WAITING, "Bamboo")
    director.post(at(cup, f"entrants/{larry.pk}/readmit/"))
    assertContains(director.get(at(cup, "entrants/")), "7 entered of 6 places")


@pytest.mark.sampled(law="long plays")
def test_who_comes_and_goes_during_the_day_is_seated_anew_and_undone(
    director: Client, cast: Cast
) -> None:
    cup = seated_cup(entrants=8, rounds=3, hands=1, club=cast.club)
    services_entries.set_entry_rules(tournament=cup, odd_number=OddNumber.HOUSE, places=None)
    play_round(cup, DRAWN)
    services.close_round(tournament=cup)
    first = cup.entrants.get(number=1)
    director.post(at(cup, f"entrants/{first.pk}/withdraw/"))
    director.post(at(cup, "entrants/"), {"way": "one", "name": "Late Larry"})
    director.post(at(cup, "entrants/"), {"way": "one", "name": "Late Lucy"})
    page = director.get(at(cup, "entrants/"))
    assertContains(page, "still has a seat in rounds 2, 3")
    assertContains(page, "has no seat in the remaining rounds")
    answer = director.post(at(cup, "seating/changes/anew/"), follow=True)
    assertContains(answer, "Rounds 2 to 3 reseated for 9 players.")
    page = director.get(at(cup, "entrants/"))
    assertNotContains(page, "has no seat in the remaining rounds")
    assertContains(page, "House players:")
    answer = director.post(at(cup, "seating/changes/undo/"), follow=True)
    assertContains(answer, "Undone: Rounds 2 to 3 reseated for 9 players.")
    assertContains(
        director.post(at(cup, "seating/changes/undo/"), follow=True),
        "There is no seating change to undo.",
    )


def test_two_change_places_by_choosing_both(director: Client, cast: Cast) -> None:
    cup = seated_cup(entrants=8, club=cast.club)
    one, other = cup.entrants.all()[:2]
    typed = {"way": "swap", "swap-number": 1, "swap-one": one.pk, "swap-other": other.pk}
    answer = director.post(at(cup, "seating/changes/"), typed, follow=True)
    assertContains(answer, "Player 1 and Player 2 swapped places in round 1.")
    assertContains(answer, "Undo")
    typed["swap-other"] = one.pk
    wrong = director.post(at(cup, "seating/changes/"), typed)
    assertContains(wrong, "Choose two different players.", status_code=422)
    wrong = director.post(at(cup, "seating/changes/"), {"way": "swap"})
    assertContains(wrong, "Choose a round.", status_code=422)


def test_a_substitute_is_shown_where_they_sit(director: Client, cast: Cast) -> None:
    cup = seated_cup(entrants=8, club=cast.club)
    one = cup.entrants.get(number=1)
    typed = {
        "way": "substitute",
        "substitute-entrant": one.pk,
        "substitute-name": "Sue Sub",
        "substitute-number": 1,
        "substitute-goes_on": "on",
    }
    answer = director.post(at(cup, "seating/changes/"), typed, follow=True)
    assertContains(answer, "Sue Sub is playing for Player 1 in 2 rounds.")
    assertContains(director.get(at(cup, "")), "for Player 1")
    assertContains(director.get(at(cup, "seating/")), "substitute: Sue Sub")
    typed["substitute-name"] = ""
    answer = director.post(at(cup, "seating/changes/"), typed, follow=True)
    assertContains(answer, "Player 1 plays without a substitute in 2 rounds.")


def test_without_a_seating_there_is_nothing_to_change(director: Client, cast: Cast) -> None:
    cup = make_cup(entrants=4, club=cast.club)
    assertContains(director.get(at(cup, "seating/changes/")), "No seating to change")


@pytest.mark.parametrize("entrants", [4, 12])
def test_the_entry_list_is_four_queries(
    cast: Cast, entrants: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    cup = seated_cup(entrants=entrants, club=cast.club)
    with django_assert_num_queries(4):
        entry_list(cup)


def test_the_warning_ends_when_a_substitute_has_the_seat(cast: Cast, director: Client) -> None:
    cup = seated_cup(entrants=8, rounds=2, club=cast.club)
    leaver = cup.entrants.get(number=1)
    services_entries.withdraw(tournament=cup, entrant=leaver)
    entries = f"/c/riverside/tournaments/{cup.pk}/entrants/"
    assertContains(director.get(entries), "still has a seat in rounds 1, 2")
    changes.substitute(tournament=cup, entrant=leaver, name="Joan", number=1, goes_on=False)
    assertContains(director.get(entries), "still has a seat in round 2")
    changes.substitute(tournament=cup, entrant=leaver, name="Joan", number=2)
    assertNotContains(director.get(entries), "still has a seat")
    worries = preflight(cup, "start").worries + before_withdrawing(leaver).worries
    assert not any("seat" in worry.sentence for worry in worries)
