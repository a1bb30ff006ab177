"""Who may print what of a tournament over the API: one operation, a door for each paper."""

from typing import Final

import pytest
from django.urls import reverse

from tests.admission import MEMBERS, ORGANISERS, PEOPLE
from tests.api import api_client
from tests.tournaments.core.test_doors import Hall, hall, laid_hall
from tournaments.papers import PRINTOUTS

__all__ = ["hall", "laid_hall"]
FORBIDDEN: Final = {401, 403}
RUNNERS: Final = ("secretary", "director")
DOORS: Final = {
    MEMBERS: "why standings",
    ORGANISERS: "emergency sheets cards seating-cards badges poster certificates",
    RUNNERS: "prizes",
}
PAPERS: Final = [(paper, people) for people, papers in DOORS.items() for paper in papers.split()]


def test_every_paper_has_a_door() -> None:
    assert {paper for paper, _ in PAPERS} == {*PRINTOUTS}


@pytest.mark.parametrize(("paper", "people"), PAPERS)
def test_who_may_print_it(hall: Hall, paper: str, people: tuple[str, ...]) -> None:
    url_kwargs = {"club": hall.cup.club.slug, "tournament": hall.cup.pk, "printout": paper}
    address = reverse("api-tournament-paper", kwargs=url_kwargs)
    statuses = {
        person: api_client(hall.cast.people()[person]).get(address).status_code for person in PEOPLE
    }
    assert {person for person, status in statuses.items() if status not in FORBIDDEN} == {*people}
    assert max(statuses.values()) < 500
