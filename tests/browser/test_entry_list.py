"""The entry list on the smallest phone: two lines for each entry, and no more."""

import pytest
from django.urls import reverse

from tests.browser.conftest import NARROW, SignIn
from tests.people import Cast
from tests.tournaments.cups import make_cup

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TWO_LINES = 2 * 44 + 12  # pixels: two rows that a finger finds, and what is around them


def test_an_entry_takes_two_lines_of_a_phone(cast: Cast, sign_in: SignIn) -> None:
    cup = make_cup(entrants=4, club=cast.club)
    page = sign_in(cast.director, viewport=NARROW)
    page.goto(reverse("entrants", args=[cast.club.slug, cup.pk]))
    rows = page.locator(".entries tbody tr")
    heights = rows.evaluate_all("rows => rows.map((row) => row.getBoundingClientRect().height)")
    assert len(heights) == 4
    assert max(heights) <= TWO_LINES
