"""How it looks on this phone: chosen with one press, kept for a year, known to the first byte."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from clubs.accounts.appearance import APPEARANCE_COOKIE, YEAR_SECONDS
from tests.clubs.tables import seated_evening
from tests.people import make_club

pytestmark = pytest.mark.django_db

HERE = "/display/"


def html(client: Client, address: str = HERE) -> str:
    """The opening tag of a page."""
    tag = re.search(r"<html[^>]*>", client.get(address).content.decode())
    assert tag
    return tag[0]


def pressed_values(client: Client) -> list[str]:
    return re.findall(r'value="(\w+)" aria-pressed="true"', client.get(HERE).content.decode())


def test_a_phone_that_has_chosen_nothing_looks_as_usual(client: Client) -> None:
    assert html(client) == '<html lang="en-GB">'
    assert pressed_values(client) == ["ordinary", "phone", "right"]


@pytest.mark.parametrize(
    ("setting", "value"),
    [("letters", "large"), ("letters", "largest"), ("contrast", "strong"), ("hand", "left")],
)
def test_one_press_changes_every_page(client: Client, setting: str, value: str) -> None:
    client.post(HERE, {setting: value})
    assert html(client, "/help/") == f'<html lang="en-GB" data-{setting}="{value}">'


def test_what_was_chosen_before_stays(client: Client) -> None:
    client.post(HERE, {"letters": "largest"})
    client.post(HERE, {"hand": "left"})
    assert pressed_values(client) == ["largest", "phone", "left"]


def test_the_usual_is_a_press_away(client: Client) -> None:
    client.post(HERE, {"letters": "largest"})
    client.post(HERE, {"letters": "ordinary"})
    assert html(client) == '<html lang="en-GB">'


def test_the_phone_remembers_for_a_year(client: Client) -> None:
    client.post(HERE, {"contrast": "strong"})
    cookie = client.cookies[APPEARANCE_COOKIE]
    assert (cookie["max-age"], cookie["samesite"], cookie["httponly"]) == (
        YEAR_SECONDS,
        "Lax",
        True,
    )


@pytest.mark.parametrize(
    "value", ["", "letters-huge", "letters", "x-y.z", '"><script>', "a" * 3000]
)
def test_a_cookie_of_somebody_elses_counts_for_nothing(client: Client, value: str) -> None:
    client.cookies[APPEARANCE_COOKIE] = value
    assert html(client) == '<html lang="en-GB">'


def test_strong_contrast_does_not_wait_for_the_phone_to_ask(client: Client) -> None:
    stylesheet_link = 'contrast.css" media="screen and (prefers-contrast: more)"'
    assert stylesheet_link in client.get(HERE).content.decode()
    client.post(HERE, {"contrast": "strong"})
    assert 'contrast.css" media="screen"' in client.get(HERE).content.decode()


def test_the_table_leads_there_and_back(client: Client) -> None:
    table = reverse("table-more", args=[seated_evening(make_club()).tables.get().link_key])
    assert f'href="{HERE}?from={table.replace("/", "%2F")}"' in client.get(table).content.decode()
    answer = client.post(HERE, {"letters": "large", "from": table}, follow=True)
    assert f'href="{table}">Done' in answer.content.decode()


@pytest.mark.parametrize("elsewhere", ["https://example.org/", "//example.org/", "javascript:x"])
def test_it_never_leads_anywhere_else(client: Client, elsewhere: str) -> None:
    page = client.get(HERE, {"from": elsewhere}).content.decode()
    assert "Done" not in page
    assert "example.org" not in client.post(HERE, {"from": elsewhere})["Location"]


def test_a_wall_looks_the_same_to_everybody(client: Client) -> None:
    wall = reverse("wall", args=[seated_evening(make_club()).wall_key])
    client.post(HERE, {"letters": "largest", "contrast": "strong"})
    assert html(client, wall) == '<html lang="en-GB" data-mark-colour="red">'
    assert 'contrast.css" media="screen and' in client.get(wall).content.decode()
