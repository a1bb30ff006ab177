"""The entry list on the smallest phone: two lines for each entry, and no more."""

import pytest
from django.urls import reverse

from tests.browser.conftest import NARROW, SignIn
from tests.people import Cast
from tests.tournaments.cups import make_cup

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MOST_LINES = 2.5  # of the height that a finger finds: two lines, and what is around them
LINES_OF_A_ROW = """rows => rows.map((row) => {
  const height = (one) => one.getBoundingClientRect().height;
  return height(row) / height(row.querySelector(".entry__tick"));
})"""


def test_an_entry_takes_two_lines_of_a_phone(cast: Cast, sign_in: SignIn) -> None:
    cup = make_cup(entrants=4, club=cast.club)
    page = sign_in(cast.director, viewport=NARROW)
    page.goto(reverse("entrants", args=[cast.club.slug, cup.pk]))
    lines: list[float] = page.locator(".entries tbody tr").evaluate_all(LINES_OF_A_ROW)
    assert len(lines) == 4
    assert max(lines) <= MOST_LINES
