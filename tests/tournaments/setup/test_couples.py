"""Couples on the entry list: both sides say so, and a partner nobody knows is asked for."""

from csv import DictReader
from typing import Any

import pytest
from django.test import Client
from pytest_django.asserts import assertContains, assertNotContains

from tests.api import api_client
from tests.people import Cast
from tests.tournaments.cups import make_cup, page_of
from tournaments.models import Tournament
from tournaments.rounds.selectors import entry_list
from tournaments.setup import services

MISSING = "“Ben Brwn” has not entered, so Ann Abbott is not kept apart from anyone yet."


@pytest.fixture
def cup(cast: Cast) -> Tournament:
    return make_cup(names=["Ben Brown"], club=cast.club)


def said_of(cup: Tournament) -> dict[str, str]:
    return {row.entrant.name: row.affiliation for row in entry_list(cup).entered}


def add(director: Client, cup: Tournament, couple: str) -> Any:
    form_data = {"way": "one", "name": "Ann Abbott", "couple": couple}
    return director.post(page_of(cup, "entrants/"), form_data, follow=True)


def test_both_of_a_couple_show_the_other(director: Client, cup: Tournament) -> None:
    assertNotContains(add(director, cup, "Ben Brown"), "has not entered")
    assert said_of(cup) == {
        "Ben Brown": "visitor, couple: Ann Abbott",
        "Ann Abbott": "visitor, couple: Ben Brown",
    }


def test_a_word_that_both_share_shows_the_partner(cup: Tournament) -> None:
    cup.entrants.update(couple="Smiths")
    cup.entrants.create(
        tournament=cup, number=2, name="Ann Abbott", name_key="ann abbott", couple="smiths"
    )
    assert said_of(cup)["Ben Brown"] == "visitor, couple: Ann Abbott"


def test_a_partner_who_has_not_entered_is_said(director: Client, cup: Tournament) -> None:
    assertContains(add(director, cup, "Ben Brwn"), MISSING)
    assert said_of(cup)["Ann Abbott"] == "visitor, couple: Ben Brwn (not entered)"
    ann = cup.entrants.get(name="Ann Abbott")
    address = page_of(cup, f"entrants/{ann.pk}/correct/")
    response = director.post(address, {"name": "Ann Abbott", "couple": "Bill"}, follow=True)
    assertContains(response, "“Bill” has not entered")


def test_a_list_says_whose_partner_is_not_on_it(director: Client, cup: Tournament) -> None:
    text = "name,couple\nAnn Abbott,Ben Brwn\nCy Clark,Di Dyer\nDi Dyer,"
    page = director.post(page_of(cup, "entrants/"), {"way": "names", "names": text})
    assertContains(page, "has not entered", 1)
    assertContains(page, MISSING)


def test_a_program_reads_whose_partner_has_not_entered(cast: Cast, cup: Tournament) -> None:
    entrants = f"/api/v1/clubs/{cup.club.slug}/tournaments/{cup.pk}/entrants/"
    program = api_client(cast.director)
    body = {"name": "Ann Abbott", "couple": "Ben Brwn"}
    ann = program.post(entrants, body, content_type="application/json").json()
    assert ann["missing_partner"] == "Ben Brwn"
    entrant_url = f"{entrants}{ann['id']}/"
    body = {"couple": "Ben Brown"}
    assert (
        program.patch(entrant_url, body, content_type="application/json").json()["missing_partner"]
        == ""
    )
    assert {row["missing_partner"] for row in program.get(entrants).json()["results"]} == {""}


def test_the_file_of_entries_names_the_partner_as_the_page_does(
    director: Client, cup: Tournament
) -> None:
    add(director, cup, "Ben Brown")
    services.enter_entrant(tournament=cup, name="Cy Clark", couple="Di Dyer")
    text = director.get(page_of(cup, "entrants/list.csv")).getvalue().decode("utf-8-sig")
    couples = {row["Name"]: row["Couple with"] for row in DictReader(text.splitlines())}
    assert couples == {
        "Ben Brown": "Ann Abbott",
        "Ann Abbott": "Ben Brown",
        "Cy Clark": "Di Dyer (not entered)",
    }
    Tournament.objects.update(name="Spring Cup")
    second_cup = make_cup(entrants=0, club=cup.club)
    director.post(page_of(second_cup, "entrants/list/"), {"text": text, "enter": "yes"})
    assert set(second_cup.entrants.values_list("name", "couple")) == {
        ("Ben Brown", ""),
        ("Ann Abbott", "Ben Brown"),
        ("Cy Clark", "Di Dyer"),
    }


def test_a_team_called_team_a_is_not_called_team_twice(cup: Tournament) -> None:
    cup.entrants.update(team="Team A")
    assert said_of(cup) == {"Ben Brown": "visitor, Team A"}
    cup.entrants.update(team="Bamboo")
    assert said_of(cup) == {"Ben Brown": "visitor, team Bamboo"}
