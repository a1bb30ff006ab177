"""The page before a step stands below the page that led to it, and Cancel goes back there."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.people import Cast
from tests.tournaments.cups import make_cup

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("step", "place"),
    [
        ("tournament-seat", "tournament"),
        ("tournament-delete", "tournament-settings"),
        ("results-publish", "standings"),
        ("entrant-withdraw", "entrants"),
    ],
)
def test_a_preview_lights_the_tab_that_led_to_it(
    director: Client, cast: Cast, step: str, place: str
) -> None:
    cup = make_cup(entrants=4, club=cast.club)
    url_args = [cast.club.slug, cup.pk]
    entrant_args = [cup.entrants.earliest("number").pk] if step == "entrant-withdraw" else []
    page = director.get(reverse(step, args=[*url_args, *entrant_args])).content.decode()
    tabs = page[page.index('<nav class="tabs"') :]
    (lit,) = re.findall(r'<a href="([^"]+)" aria-current="page">', tabs[: tabs.index("</nav>")])
    (way_out,) = re.findall(r'<a class="button[^"]*" href="([^"]+)">(?:Cancel|Back)', page)
    assert lit == way_out == reverse(place, args=url_args)
