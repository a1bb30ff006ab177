"""Blank score sheets and the crib sheet, printed without an evening."""

from django.urls import reverse

from scoring import rule_set
from tests.api import faults
from tests.clubs.visits import Visitor
from tests.paper import words_of
from tests.people import Cast


def of_club(name: str) -> str:
    return reverse(name, args=["riverside"])


LINK = 'href="/c/riverside/evenings/print/"'


def test_the_evenings_and_the_club_rules_lead_to_them(alice: Visitor) -> None:
    for page in ("evenings", "club-rules"):
        assert LINK in alice.get(of_club(page)).content.decode(), page


def test_a_player_is_not_led_to_them(cast: Cast) -> None:
    assert LINK not in Visitor(cast.player).get(of_club("evenings")).content.decode()


def test_a_blank_sheet_without_an_evening_leaves_room_for_its_date(alice: Visitor) -> None:
    pages = words_of(alice.get(of_club("club-blank-sheets-pdf")).content)
    assert [page for page in pages if "Date ____" not in page] == []


def test_they_are_of_the_rules_that_are_chosen(cast: Cast, alice: Visitor) -> None:
    text = "\n".join(words_of(alice.get(of_club("club-crib-pdf")).content))
    tallies_text = "\n".join(
        words_of(alice.get(of_club("club-crib-pdf") + "?rules=tallies").content)
    )
    assert rule_set(cast.club.rules).name in text
    assert rule_set("tallies").name in tallies_text
    page = alice.get(of_club("club-papers") + "?rules=tallies").content.decode()
    assert 'value="tallies" checked' in page


def test_rules_that_the_club_does_not_have_are_not_printed(alice: Visitor) -> None:
    for rules in ("unknown", "bmja~12345678"):
        address = f"{of_club('club-crib-pdf')}?rules={rules}"
        assert alice.get(address).status_code == 404


def test_a_program_finds_them_if_it_may_print(cast: Cast) -> None:
    url = of_club("api-papers")
    (special,) = Visitor(cast.player).get(url).json()["results"]
    assert special["title"] == "Special hands"
    papers = {paper["title"]: paper for paper in Visitor(cast.secretary).get(url).json()["results"]}
    assert set(papers) == {"Special hands", "Members", "Blank score sheets", "Crib sheet"}
    blank, crib = papers["Blank score sheets"], papers["Crib sheet"]
    assert blank["address"].endswith("/printouts/blank-sheets.pdf")
    response = Visitor(cast.secretary).get(f"{crib['address']}?rules=unknown")
    assert faults(response) == [("bad_parameter", "rules")]
