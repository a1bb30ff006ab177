"""The first run in a browser: an installation without a club is set up once, by one person."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from time_machine import travel

from clubs.core import addresses
from clubs.house.first_run import set_up_code
from clubs.models import Club, Installation, Membership, Series, User
from clubs.tenancy import across_clubs
from tests.clubs.visits import errors
from tests.people import make_cast, make_club
from tests.threads import at_once

SET_UP = reverse("set-up")
PASSWORD = "seven lucky sparrows"
FIELDS = {
    "name": "Hill Top Tiles",
    "rules": "tallies",
    "person": "Margaret Hill",
    "email": "Margaret@Example.org",
    "password1": PASSWORD,
    "password2": PASSWORD,
    "weekday": "1",
    "starts_at": "19:30",
    "ends_at": "22:00",
    "place": "Village Hall",
}
FROM_THE_INTERNET: dict[str, Any] = {"REMOTE_ADDR": "8.8.8.8"}


def set_up(client: Client | None = None, *, extra: Any = None, **fields: str) -> Any:
    client, request_options = client or Client(), extra or {}
    return client.post(SET_UP, FIELDS | fields, headers={"host": "localhost"}, **request_options)


@contextmanager
def listening(number: str) -> Iterator[int]:
    """A port of that number of this machine that takes connections."""
    with socket.create_server((number, 0)) as server:
        yield server.getsockname()[1]


@pytest.fixture
def new(db: None, settings: Any) -> None:
    """An installation without a club and without an address."""
    settings.SITE_ADDRESS = ""


@travel("2026-11-26 12:00+00:00", tick=False)
def test_a_club_is_set_up_in_a_browser(new: None) -> None:
    client = Client()
    assert "<h1>Set up your club</h1>" in client.get("/", follow=True).content.decode()
    answer = set_up(client)
    assert answer.headers["Location"] == "/c/hill-top-tiles/"
    page = client.get("/c/hill-top-tiles/").content.decode()
    assert "Welcome to Hill Top Tiles. You are its secretary." in page
    assert "The next evening is Tuesday 1 December at 7:30pm, Village Hall." in page
    member = Membership.objects.get()
    assert (member.club.rules, member.role) == ("tallies", "secretary")
    assert (member.user.email, member.user.name) == ("margaret@example.org", "Margaret Hill")
    assert member.user.check_password(PASSWORD)
    log = client.get(reverse("who-did-what", args=["hill-top-tiles"])).content.decode()
    assert "founded the club" in log


@travel("2026-11-26 12:00+00:00", tick=False)
def test_the_weekly_evening_is_in_the_calendar_for_a_year(new: None) -> None:
    set_up(weekday="3")
    with across_clubs():
        series = Series.objects.get()
    assert (f"{series.first_on}", f"{series.last_on}") == ("2026-11-26", "2027-11-18")
    assert (f"{series.starts_at}", f"{series.ends_at}") == ("19:30:00", "22:00:00")


def test_a_day_can_be_chosen_later(new: None) -> None:
    assert set_up(weekday="", starts_at="", ends_at="").status_code == 302
    with across_clubs():
        assert not Series.objects.exists()


WRONG = [
    ({"name": ""}, "name", "Enter the name of your club."),
    ({"name": "麻將"}, "name", "The club’s name needs at least one letter from A to Z."),
    ({"rules": "whist"}, "rules", "Choose the rules you play."),
    ({"person": "<b>"}, "person", "A name cannot contain < or >."),
    ({"email": "margaret"}, "email", "Enter an email address like name@example.org."),
    ({"password2": "another"}, "password2", "The two passwords are not the same."),
    ({"starts_at": ""}, "starts_at", "Enter a time."),
    ({"ends_at": "19:00"}, "ends_at", "The end time must be after the start time."),
    ({"address": "ftp://club"}, "address", "Enter an address like http://192.168.1.20:8000."),
    ({"address": "http://a:b"}, "address", "Enter an address like http://192.168.1.20:8000."),
    (
        {"address": "http://localhost:8000"},
        "address",
        "That address works only on this computer. Enter another, or leave this empty.",
    ),
    (
        {"address": "club.example.org"},
        "address",
        "Tongbox does not answer at club.example.org. Check it, or leave this empty.",
    ),
]


@pytest.mark.parametrize(("fields", "field", "message"), WRONG)
def test_a_mistake_is_said_and_nothing_is_lost(
    new: None, fields: dict[str, Any], field: str, message: str
) -> None:
    answer = set_up(**fields)
    assert (answer.status_code, errors(answer)) == (422, {field: [message]})
    place = (FIELDS | fields)["place"]
    assert f'value="{place}"' in answer.content.decode()
    assert not Club.objects.exists()
    assert not User.objects.exists()


def test_every_mistake_is_said_at_once(new: None) -> None:
    answer = set_up(
        name="Tongbox support",
        person="<b>",
        email="margaret",
        password2="x",
        ends_at="19:00",
        address="localhost",
    )
    assert errors(answer).keys() == {
        *("name", "person", "email", "password2", "ends_at", "address")
    }
    assert Club.objects.count() == 0


def test_the_address_for_phones_is_kept(new: None, settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["localhost", "club.example.org"]
    set_up(address="club.example.org:8000/")
    assert addresses.site_address() == "http://club.example.org:8000"


def test_the_page_offers_the_address_it_was_opened_at(new: None, settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    page = Client().get(SET_UP, headers={"host": "club.example.org:8000"})
    assert page.context["addresses"] == ["http://club.example.org:8000"]
    assert 'value="http://club.example.org:8000"' in page.content.decode()
    assert page.content.decode().count('class="qr"') == 1


def test_this_machines_number_is_offered_where_tongbox_listens(
    new: None, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    monkeypatch.setattr(addresses, "own_ip_addresses", lambda: ["127.0.0.9"])
    with listening("127.0.0.9") as port:
        page = Client().get(SET_UP, headers={"host": f"localhost:{port}"}, SERVER_PORT=f"{port}")
        assert page.context["addresses"] == [f"http://127.0.0.9:{port}"]
    page = Client().get(SET_UP, headers={"host": f"localhost:{port}"}, SERVER_PORT=f"{port}")
    assert "Phones cannot reach this computer yet." in page.content.decode()


def test_an_address_from_the_environment_is_not_asked_for(new: None, settings: Any) -> None:
    settings.SITE_ADDRESS, settings.ALLOWED_HOSTS = "https://club.example.org", ["*"]
    page = Client().get(SET_UP).content.decode()
    assert "Your Tongbox administrator chose this address." in page
    assert 'name="address"' not in page
    set_up(address="http://192.0.2.1")
    assert not Installation.objects.get().address


def test_once_there_is_a_club_the_page_is_gone(new: None) -> None:
    call_command("found_club", "Hill Top", "ann@example.org")
    User.objects.update(date_joined="2026-01-01T12:00:00Z")
    assert Client().get(SET_UP).status_code == 404
    assert set_up().status_code == 404
    assert Client().get("/").headers["Location"] == "/c/hill-top/"
    assert Club.objects.count() == 1


def test_once_someone_can_sign_in_the_page_is_gone(new: None) -> None:
    User.objects.create_superuser("ann@example.org", PASSWORD)
    assert Client().get(SET_UP).status_code == 404
    assert "Club nights, seating and scores" in Client().get("/").content.decode()
    User.objects.update(date_joined="2026-01-01T12:00:00Z")
    assert set_up().status_code == 404


def test_the_second_of_two_reads_who_was_first(new: None) -> None:
    set_up()
    second = Client()
    answer = second.post(
        SET_UP, FIELDS | {"email": "ann@example.org"}, headers={"host": "localhost"}, follow=True
    )
    messages = [str(message) for message in answer.context["messages"]]
    assert len(messages) == 1
    assert messages[0].startswith("Margaret Hill set up Hill Top Tiles at ")
    assert answer.redirect_chain == [(reverse("account_login"), 302)]
    assert (Club.objects.count(), User.objects.count()) == (1, 1)


def test_a_double_tap_sets_up_one_club_and_signs_in(new: None) -> None:
    client = Client()
    assert [set_up(client).headers["Location"] for _ in range(2)] == ["/c/hill-top-tiles/"] * 2
    assert Club.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_two_who_press_at_once_set_up_one_club(settings: Any) -> None:
    settings.SITE_ADDRESS = ""
    presses = [
        partial(set_up, person=name, name=f"Club of {name}", email=f"{name}@example.org")
        for name in ("Ann", "Ben")
    ]
    answers: list[Any] = at_once(presses)
    places = sorted(answer.headers["Location"] for answer in answers)
    club = Club.objects.get()
    assert places == [reverse("account_login"), f"/c/{club.slug}/"]
    assert User.objects.count() == 1


def test_from_the_internet_it_asks_for_the_code(new: None) -> None:
    page = Client().get(SET_UP, headers={"host": "localhost"}, **FROM_THE_INTERNET)
    assert "Set-up code" in page.content.decode()
    assert page.context["addresses"] == []
    for wrong in ("", "AAAA-BBBB-CCCC-DDDD", "é"):
        answer = set_up(extra=FROM_THE_INTERNET, code=wrong)
        assert set(errors(answer)) == {"code"}
    assert not Club.objects.exists()
    code = set_up_code().lower().replace("-", " ")
    assert set_up(extra=FROM_THE_INTERNET, code=code).status_code == 302
    assert Club.objects.count() == 1


def test_from_the_internet_nobody_reads_who_was_first_without_the_code(new: None) -> None:
    set_up()
    assert set_up(extra=FROM_THE_INTERNET, email="ann@example.org").status_code == 404


def test_the_code_is_that_of_the_secret_key(settings: Any) -> None:
    settings.SECRET_KEY = "one"
    first = set_up_code()
    assert len(first) == 19
    assert set_up_code() == first
    settings.SECRET_KEY = "another"
    assert set_up_code() != first


def test_an_installation_with_clubs_is_not_set_up(db: None) -> None:
    make_cast()
    assert "Club nights, seating and scores" in Client().get("/").content.decode()


def test_a_club_without_anyone_is_a_club(db: None) -> None:
    make_club()
    assert Client().get(SET_UP).status_code == 404
