"""The entry list to and from a spreadsheet."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django.asserts import assertContains, assertRedirects

from tests.people import Cast
from tests.tournaments.cups import make_cup
from tournaments.models import Tournament
from tournaments.setup import services

LIST = "Name;Club;Team;Paid\nAnn Abbott;Hill Top;Bamboo;yes\n\nZoë Łukasiewicz;;;\n"


@pytest.fixture
def cup(cast: Cast) -> Tournament:
    return make_cup(entrants=0, club=cast.club)


def at(cup: Tournament, place: str) -> str:
    return f"/c/riverside/tournaments/{cup.pk}/entrants/{place}"


def entered(cup: Tournament) -> list[tuple[object, ...]]:
    return list(cup.entrants.values_list("name", "from_club", "team", "has_paid"))


def test_a_file_is_shown_first_and_entered_when_it_is_right(
    director: Client, cup: Tournament
) -> None:
    file = SimpleUploadedFile("entries.csv", LIST.encode())
    page = director.post(at(cup, "list/"), {"file": file})
    assertContains(page, "2 entries found. Check your import")
    assertContains(page, "Hill Top")
    assert entered(cup) == []
    answer = director.post(at(cup, "list/"), {"text": LIST, "enter": "yes"})
    assertRedirects(answer, at(cup, ""))
    assert entered(cup) == [
        ("Ann Abbott", "Hill Top", "Bamboo", True),
        ("Zoë Łukasiewicz", "", "", False),
    ]


def test_every_wrong_line_is_named_and_nobody_is_entered(director: Client, cup: Tournament) -> None:
    services.enter(tournament=cup, name="Ann Abbott")
    typed = {"text": "name,club\nann abbott,\n<b>,\nBen Brown,\n", "enter": "yes"}
    page = director.post(at(cup, "list/"), typed)
    for sentence in ("Line 2: ann abbott is already entered.", "Line 3: A name cannot contain"):
        assertContains(page, sentence, status_code=422)
    assert cup.entrants.count() == 1


def test_a_file_without_names_is_refused(director: Client, cup: Tournament) -> None:
    page = director.post(at(cup, "list/"), {"text": "who,where\nAnn,Hill Top"})
    assertContains(page, "name, and club, team and paid if you have them", status_code=422)


def test_the_list_that_is_saved_can_be_read_in_again(director: Client, cup: Tournament) -> None:
    services.enter(tournament=cup, name="Ann Abbott", from_club="=Hill", team="'Bamboo'")
    text = director.get(at(cup, "list.csv")).content.decode("utf-8-sig")
    assert text.splitlines() == [
        "number,name,club,team,paid,here,state",
        "1,Ann Abbott,'=Hill,''Bamboo',no,no,entered",
    ]
    assert services.read_entries(text) == [
        services.Entry(2, "Ann Abbott", "=Hill", "'Bamboo'", has_paid=False)
    ]
