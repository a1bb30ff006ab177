"""The club's settings: what it is called, and what the page says of the present state."""

from collections.abc import Iterator

import pytest
from django.test import Client

from clubs.house.services import rehearse, rename_club
from clubs.models import AuditEntry, Club
from clubs.tenancy import within
from scoring.scorebook.refusals import Refused
from tests.api import api_client, patch
from tests.clubs.visits import Visitor, errors
from tests.people import Cast, make_cast

CLUB = "/c/riverside/"
NAME = f"{CLUB}settings/name/"


@pytest.fixture
def cast(db: None) -> Iterator[Cast]:
    cast = make_cast()
    with within(cast.club.pk):
        yield cast


def test_the_secretary_renames_the_club_and_its_address_stays(cast: Cast, alice: Visitor) -> None:
    practice = rehearse(club=cast.club).club
    said = alice.told(NAME, name="  Riverside   Winds ")
    assert said == ["The club is now called Riverside Winds."]
    assert "Riverside Winds" in alice.read(CLUB)
    practice.refresh_from_db()
    assert practice.name == "Practice: Riverside Winds"
    assert [entry.made_by for entry in AuditEntry.objects.filter(what="club-name")] == [
        cast.secretary
    ]


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("", "Enter the name of the club."),
        ("HILL TOP club", "There is already a club with that name."),
        ("<b>", "A name cannot contain < or >."),
        ("...", "Enter a name with at least one letter."),
    ],
)
def test_a_name_that_cannot_be_is_refused_and_stays_on_the_form(
    cast: Cast, alice: Visitor, name: str, sentence: str
) -> None:
    Club.objects.create(name="Hill Top Club", slug="hill-top-club")
    page = alice.post(NAME, {"name": name})
    assert (page.status_code, errors(page)) == (422, {"name": [sentence]})
    assert page.context["form"]["name"].value() == name
    cast.club.refresh_from_db()
    assert cast.club.name == "Riverside Mah-Jong Club"


def test_a_practice_evening_is_not_renamed(cast: Cast) -> None:
    with pytest.raises(Refused, match="has the name of its club"):
        rename_club(club=rehearse(club=cast.club).club, name="Tuesday")


def test_a_program_renames_the_club(cast: Cast) -> None:
    address = "/api/v1/clubs/riverside/settings/name/"
    program = api_client(cast.secretary)
    assert patch(program, address, name="Riverside Winds").json() == {"name": "Riverside Winds"}
    assert program.get(address).json() == {"name": "Riverside Winds"}
    assert Client().get(address).status_code == 401


def test_a_name_that_a_practice_evening_has_is_refused(cast: Cast) -> None:
    other = Club.objects.create(name="Hill Top", slug="hill-top-club")
    rehearse(club=cast.club)
    with pytest.raises(Refused, match="already a club with that name"):
        rename_club(club=other, name="Practice: Riverside Mah-Jong Club")
    Club.objects.create(name="Practice: Winds", slug="winds")
    with pytest.raises(Refused, match="already a club with that name"):
        rename_club(club=cast.club, name="Winds")
    cast.club.refresh_from_db()
    assert cast.club.name == "Riverside Mah-Jong Club"
