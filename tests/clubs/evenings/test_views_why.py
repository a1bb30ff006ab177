"""The page why an evening sits as it sits."""

from datetime import date

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from clubs.evenings.selectors.seating import why_this_evening
from clubs.evenings.services import evenings
from clubs.models import Session
from tests.clubs.nights import make_players, night
from tests.paper import words_of
from tests.people import PASSWORD, Cast, make_club

pytestmark = pytest.mark.django_db


def two_evenings(cast: Cast) -> Session:
    """Ann, Ben, Cy and Di sat together last week; tonight Ann sits with Ben again."""
    ann, ben, cy, di, ed, flo, gus, hal = make_players(cast.club, 8)
    night(cast.club, date(2026, 11, 10), [ann, ben, cy, di])
    return night(cast.club, date(2026, 11, 17), [ann, ben, ed, flo], [cy, gus, hal])


def page(cast: Cast, session: Session, name: str = "") -> str:
    client = Client()
    client.login(email=cast.player.email, password=PASSWORD)
    address = reverse("evening-why", args=[cast.club.slug, session.pk])
    return client.get(address, {"name": name} if name else {}).content.decode()


def test_the_company_of_the_evenings_before_is_weighed(cast: Cast) -> None:
    explained = why_this_evening(two_evenings(cast))
    assert explained.evenings == ("10 November",)
    assert [said.sentence for said in explained.seating.said] == [
        "1 pair is together as on 10 November, the last evening: Ann and Ben.",
        "Of the 9 pairs who share a table, 8 had never sat together before and 1 once.",
        "7 players do not divide by four: table 2 is of three.",
        (
            "At table 2 it was their turn: none of them has sat at a table of three in the last "
            "year yet."
        ),
    ]
    marks = {mark.title: mark.kind for mark in explained.seating.picture().marks}
    assert marks["Ann and Ben: this evening and 10 November"] == "again"
    assert marks["Ann and Cy: 10 November"] == "past"
    assert marks["Ann and Ed: this evening"] == "once"


def test_somebody_asks_why_they_sit_with_the_same_person_again(cast: Cast) -> None:
    session = two_evenings(cast)
    ann, gus = (why_this_evening(session).person(name) for name in ("Ann", "Gus"))
    assert ann is not None
    assert gus is not None
    assert ann.sentences == (
        "Ben was at the same table on 10 November.",
        "Of the 6 others, 2 sat with them on those evenings.",
    )
    assert gus.sentences[0] == "They have not shared a table with anyone here on recent evenings."
    assert "Ben was at the same table on 10 November." in page(cast, session, "Ann")


@pytest.mark.parametrize("tables", [1, 3])
def test_as_many_queries_for_three_tables_as_for_one(
    tables: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    club = make_club()
    players = make_players(club, 12)
    fours = [players[at : at + 4] for at in range(0, 4 * tables, 4)]
    night(club, date(2026, 11, 10), *fours)
    session = night(club, date(2026, 11, 17), *fours)
    with django_assert_num_queries(5):
        assert why_this_evening(session).seating.tables == tables
    with django_assert_num_queries(6):
        assert why_this_evening(session, with_wishes=True).seating.tables == tables


def test_before_the_tables_are_laid_the_page_waits(cast: Cast) -> None:
    session = evenings.open_session(club=cast.club, held_on=date(2026, 11, 17))
    assert "No one is seated yet" in page(cast, session)


def test_the_first_evening_has_nothing_to_remember(cast: Cast) -> None:
    session = night(cast.club, date(2026, 11, 17), make_players(cast.club, 4))
    assert "There are no earlier evenings to take into account" in page(cast, session)


def test_the_paper_tells_the_same(cast: Cast, client: Client) -> None:
    session = two_evenings(cast)
    client.login(email=cast.player.email, password=PASSWORD)
    paper = client.get(reverse("evening-why-pdf", args=[cast.club.slug, session.pk])).content
    first = words_of(paper)[0]
    assert "Tuesday 17 November 2026: 7 players at 2 tables" in first
    assert "On earlier evenings only" in first


def test_before_anybody_is_seated_there_is_nothing_to_print(cast: Cast, client: Client) -> None:
    session = evenings.open_session(club=cast.club, held_on=date(2026, 11, 17))
    client.login(email=cast.player.email, password=PASSWORD)
    here = [cast.club.slug, session.pk]
    answer = client.get(reverse("evening-why-pdf", args=here), follow=True)
    assert answer.redirect_chain == [(reverse("evening-why", args=here), 302)]
    assert "nothing to print" in answer.content.decode()
