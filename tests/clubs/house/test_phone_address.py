"""The address for phones can be set on a page once there is a club, by those who may."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from clubs.core.addresses import site_address
from clubs.house import services
from clubs.models import Club, Installation, Role, User
from scoring.scorebook.refusals import Refused
from tests.clubs.tables import seated_evening
from tests.clubs.visits import Visitor, errors
from tests.people import make_club, make_user

pytestmark = pytest.mark.django_db
PAGE = "/c/riverside/settings/address/"
NAME = "http://laptop.local:8131"


@pytest.fixture
def club(db: None) -> Club:
    return make_club()


@pytest.fixture
def secretary(club: Club) -> User:
    return make_user(club, "Alice", Role.SECRETARY)


@pytest.fixture
def alice(secretary: User) -> Visitor:
    return Visitor(secretary)


@pytest.fixture
def laptop(club: Club, settings: Any) -> Any:
    """The club has a laptop's Tongbox for itself, which was set up without a network."""
    settings.SITE_ADDRESS, settings.PORT = "", 8131
    settings.ALLOWED_HOSTS = ["localhost", "testserver", "laptop.local"]
    return settings


def test_papers_that_phones_cannot_open_lead_to_the_page(
    club: Club, alice: Visitor, laptop: Any
) -> None:
    papers = reverse("papers", args=["riverside", seated_evening(club).pk])
    page = alice.get(papers, headers={"host": "localhost"}).content.decode()
    assert f'Set the <a href="{PAGE}">address for phones</a>' in page


def test_until_then_links_lead_to_this_computer_at_the_port_it_serves(laptop: Any) -> None:
    assert site_address() == "http://localhost:8131"


def test_the_secretary_sets_it_and_links_lead_there(laptop: Any, alice: Visitor) -> None:
    assert "Address for phones" in alice.read("/c/riverside/settings/")
    page = alice.post(PAGE, {"address": "laptop.local:8131"}, follow=True).content.decode()
    assert f"Saved. Links and QR codes now lead to {NAME}." in page
    assert site_address() == NAME


def test_it_can_be_taken_away_again(laptop: Any, alice: Visitor) -> None:
    Installation.objects.create(pk=1, address=NAME)
    alice.post(PAGE, {"address": ""})
    assert site_address() == "http://localhost:8131"


def test_an_address_of_this_computer_alone_is_refused(laptop: Any, alice: Visitor) -> None:
    page = alice.post(PAGE, {"address": "localhost:8131"})
    assert errors(page)["address"][0].startswith("That address works only on this computer.")


def test_a_page_that_warns_of_it_leads_there(laptop: Any, alice: Visitor) -> None:
    assert f'href="{PAGE}"' in alice.read("/c/riverside/messages/write/invitation/")


@pytest.mark.parametrize("role", [Role.DIRECTOR, Role.SCORER, Role.PLAYER])
def test_nobody_else_may(laptop: Any, club: Club, role: Role) -> None:
    visitor = Visitor(make_user(club, "Dev", role))
    assert visitor.post(PAGE, {"address": NAME}).status_code == 403


def test_one_of_several_clubs_does_not_set_it_for_the_others(
    club: Club, alice: Visitor, settings: Any
) -> None:
    make_club("Hill Top Tiles", "hill-top")
    settings.SITE_ADDRESS = ""
    assert "Several clubs share this Tongbox" in alice.read(PAGE)
    with pytest.raises(Refused, match="Several clubs"):
        services.choose_address(club=club, address="")


def test_what_the_environment_says_goes_before_it(
    laptop: Any, alice: Visitor, settings: Any
) -> None:
    settings.SITE_ADDRESS = "https://club.example.org"
    page = alice.read(PAGE)
    assert "Your Tongbox administrator has set the address for phones" in page
    assert 'name="address"' not in page


@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        ([], "Join the hall’s Wi-Fi, then reload this page."),
        (["192.168.1.20"], "It was started for this computer alone."),
    ],
)
def test_a_first_run_that_phones_cannot_reach_says_what_helps(
    numbers: list[str], message: str, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.SITE_ADDRESS = ""
    monkeypatch.setattr("clubs.core.addresses.own_ip_addresses", lambda: numbers)
    monkeypatch.setattr("clubs.house.views.own_ip_addresses", lambda: numbers)
    monkeypatch.setattr("clubs.core.addresses._is_listening", lambda *_: False)
    page = Client(headers={"host": "localhost"}).get("/set-up/").content.decode()
    assert message in page
    assert "python -m tongbox" not in page
