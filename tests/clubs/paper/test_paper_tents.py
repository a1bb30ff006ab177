"""Seating cards: folded in the middle, read from both sides."""

from itertools import product

import pytest
from django.test import Client
from pytest_django.asserts import assertContains, assertNotContains

from clubs.paper.formats import Contrast, Format, Letters, Size
from clubs.table.papers.cards import seating_cards
from tests.clubs.paper.test_pdf import ADDRESS, LONG, table_of
from tests.clubs.tables import NAMES, seated_evening
from tests.paper import codes_of, lines_on, outside, overlapping, pages_of, smaller_than, words_of
from tests.people import Cast
from tests.tournaments.cups import make_cup, seated_cup, tables as tables_of

FORMATS = [Format(*chosen) for chosen in product(Size, Letters, Contrast)]
every_format = pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.query or "usual")
ALMOST_SIXTEEN = 15.6


@pytest.mark.sampled
@every_format
@pytest.mark.parametrize("with_code", [False, True])
def test_a_card_holds_a_long_name_twice_in_every_format(form: Format, with_code: bool) -> None:
    paper = seating_cards([table_of(*LONG, number=64)], form, with_code=with_code)
    words = "".join("".join(words_of(paper)).split())
    assert [name for name in LONG if words.count("".join(name.split())) != 2] == []
    assert (overlapping(paper), outside(paper)) == ([], [])
    if form.is_large:
        assert smaller_than(paper, ALMOST_SIXTEEN) == []


def test_four_cards_share_a_sheet_and_two_in_large_print() -> None:
    table = table_of(*LONG)
    assert len(pages_of(seating_cards([table]))) == 2
    assert len(pages_of(seating_cards([table], Format(letters=Letters.LARGE)))) == 3


def test_the_fold_lies_between_the_two_names_of_a_card() -> None:
    (page,) = pages_of(seating_cards([table_of("Ann", "Ben", "Cy")]))
    fold = float(page.mediabox.height) * 0.75
    front, back = sorted(line.base - fold for line in lines_on(page) if line.text == "Ann")
    assert front < 0 < back


def test_a_card_says_the_table_and_the_wind_that_its_place_starts_with() -> None:
    (page,) = words_of(seating_cards([table_of("Ann", "Ben", "Cy", "Di", number=7)]))
    found = page.split("\n")
    for wind in ("East", "South", "West", "North"):
        assert found.count(f"starts as {wind}") == 2
    assert found.count("Table 7") == 8


def test_a_card_has_the_code_of_its_table_where_it_is_wanted() -> None:
    table = table_of("Ann", "Ben", "Cy")
    with_code, plain = (seating_cards([table], with_code=wanted) for wanted in (True, False))
    assert codes_of(pages_of(with_code)[0])
    assert len(with_code) > len(plain)
    assert ADDRESS not in "".join(words_of(with_code))


@pytest.mark.django_db
def test_an_evening_prints_a_card_for_everybody_seated(cast: Cast, client: Client) -> None:
    session = seated_evening(cast.club)
    client.force_login(cast.secretary)
    here = f"/c/riverside/evenings/{session.pk}/print/"
    assertContains(client.get(here), f'formaction="{here}seating-cards.pdf"')
    words = "".join(words_of(client.get(f"{here}seating-cards.pdf?code=yes").content))
    assert [name for name in NAMES[:4] if words.count(name) != 2] == []


@pytest.mark.django_db
def test_a_tournament_prints_the_cards_of_one_round(cast: Cast, client: Client) -> None:
    cup = seated_cup(club=cast.club, entrants=8, rounds=2)
    client.force_login(cast.director)
    here = f"/c/riverside/tournaments/{cup.pk}/print/"
    page = client.get(f"{here}?round=2&print=large")
    assertContains(page, 'name="round" value="2" checked')
    assertContains(page, 'name="print" value="large" checked')
    words = words_of(client.get(f"{here}seating-cards.pdf?round=2").content)
    assert (len(words), len(tables_of(cup, 2))) == (2, 2)
    assert all("round 2" in page and "round 1" not in page for page in words)


@pytest.mark.django_db
def test_before_a_round_is_seated_only_what_needs_no_seats_is_offered(
    cast: Cast, client: Client
) -> None:
    cup = make_cup(club=cast.club)
    client.force_login(cast.director)
    here = f"/c/riverside/tournaments/{cup.pk}/print/"
    page = client.get(here)
    assertContains(page, "badges.pdf")
    assertNotContains(page, "seating-cards.pdf")
    assert client.get(f"{here}seating-cards.pdf").status_code == 302


@pytest.mark.django_db
def test_the_scorer_is_not_offered_what_only_directors_print(cast: Cast, client: Client) -> None:
    cup = seated_cup(club=cast.club)
    client.force_login(cast.scorer)
    here = f"/c/riverside/tournaments/{cup.pk}/print/"
    assertNotContains(client.get(here), "Prize-giving")
    client.force_login(cast.director)
    assertContains(client.get(here), "Prize-giving")
