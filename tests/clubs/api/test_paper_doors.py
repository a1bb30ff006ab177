"""Who may print what over the API: one operation, a door for each paper."""

from collections.abc import Mapping
from typing import Any, Final

import pytest
from django.test import Client

from clubs.evenings.api.papers import EVENING_PRINTOUTS
from clubs.league.api import CLUB_PRINTOUTS, SEASON_PRINTOUTS
from tests.admission import MEMBERS, ORGANISERS, PEOPLE, SECRETARY
from tests.api import api_client, refusal
from tests.clubs.office import Office

FORBIDDEN: Final = {401, 403}
OF: Final[Mapping[str, Mapping[str, Any]]] = {
    "api-evening-paper": EVENING_PRINTOUTS,
    "api-club-paper": CLUB_PRINTOUTS,
    "api-season-paper": SEASON_PRINTOUTS,
}
DOORS: Final = {
    ("api-evening-paper", MEMBERS): "crib why",
    ("api-evening-paper", ORGANISERS): "cards sheets seating-cards seats tally door result "
    "emergency blank-sheets",
    ("api-club-paper", MEMBERS): "special-hands",
    ("api-club-paper", ORGANISERS): "blank-sheets crib",
    ("api-club-paper", SECRETARY): "members",
    ("api-season-paper", MEMBERS): "poster table",
}
PAPERS: Final = [
    (name, paper, people) for (name, people), papers in DOORS.items() for paper in papers.split()
]


def test_every_paper_has_a_door() -> None:
    assert {(name, paper) for name, paper, _ in PAPERS} == {
        (name, paper) for name, papers in OF.items() for paper in papers
    }


@pytest.mark.parametrize(("name", "paper", "people"), PAPERS, ids=str)
def test_who_may_print_it(office: Office, name: str, paper: str, people: tuple[str, ...]) -> None:
    address = office.address(name, printout=paper)
    statuses = {
        person: api_client(user).get(address).status_code
        for person, user in office.cast.people().items()
        if person in PEOPLE
    }
    assert {person for person, status in statuses.items() if status not in FORBIDDEN} == {*people}
    assert max(statuses.values()) < 500


@pytest.mark.parametrize("name", OF)
def test_there_is_no_other_paper(office: Office, name: str) -> None:
    address = office.address(name, printout="fish-and-chips")
    assert api_client(office.cast.secretary).get(address).status_code == 404
    assert Client().get(address).status_code == 401


def test_a_paper_takes_only_what_it_can_use(office: Office) -> None:
    secretary = api_client(office.cast.secretary)
    members = office.address("api-club-paper", printout="members")
    assert refusal(secretary.get(members, {"rules": "bmja"})) == (
        400,
        [("unknown_parameter", "rules")],
    )
    assert secretary.get(members, {"paper": "letter"}).status_code == 200


@pytest.mark.parametrize(
    ("lists", "url_name"),
    [
        ("api-papers", "api-club-paper"),
        ("api-evening-papers", "api-evening-paper"),
        ("api-season-papers", "api-season-paper"),
    ],
)
def test_a_list_has_the_papers_that_its_reader_may_print(
    office: Office, lists: str, url_name: str
) -> None:
    for person, user in office.cast.people().items():
        answer = api_client(user).get(office.address(lists))
        if answer.status_code == 200:
            printouts = {paper["printout"] for paper in answer.json()["results"]}
            assert printouts == {
                paper for name, paper, people in PAPERS if name == url_name and person in people
            }
