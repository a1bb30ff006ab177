"""Some pages of any paper again, alone."""

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import date
from urllib.parse import quote

import pytest
from django.test import Client
from hypothesis import given, strategies as st
from pytest_django.asserts import assertContains

from clubs.league.papers import league_pdf
from clubs.paper.document import NoSuchPages, only_pages, read_pages
from tests.clubs.paper.test_pdf import league_of
from tests.clubs.tables import seated_evening
from tests.paper import pages_of, words_of
from tests.people import Cast
from tests.tournaments.cups import SECOND_WINS, play_round, seated_cup

LEAGUE = league_pdf("Riverside", league_of(*(f"Player {n}" for n in range(1, 91))))


def test_a_page_is_printed_again_with_the_number_that_it_had() -> None:
    second, third = words_of(only_pages(LEAGUE, "2-3"))
    assert [page.split("Page ")[1].split()[:3] for page in (second, third)] == [
        ["2", "of", "3"],
        ["3", "of", "3"],
    ]
    assert [second, third] == words_of(LEAGUE)[1:]


def test_the_same_pages_are_the_same_bytes() -> None:
    assert only_pages(LEAGUE, "1, 3") == only_pages(LEAGUE, "3,1")


@pytest.mark.parametrize(
    ("asked", "found"),
    [("3", [3]), ("3,7-9", [3, 7, 8, 9]), (" 7 – 9 ; 3,", [3, 7, 8, 9]), ("2,1-3,2", [1, 2, 3])],
)
def test_pages_are_read_as_people_write_them(asked: str, found: list[int]) -> None:
    assert read_pages(asked, 9) == found


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("10", "There is no page 10: this printout has 9 pages."),
        ("0", "There is no page 0: this printout has 9 pages."),
        ("8-12", "There is no page 12: this printout has 9 pages."),
        ("9-7", "“9-7” is the wrong way round: enter 7-9."),
        ("the last", "“the last” is not a page. Enter 3 for one page or 7-9 for several"),
        ("٣", "“٣” is not a page"),
        (", ,", "Enter pages such as 3 or 7-9"),
        ("9" * 40, f"“{'9' * 20}” is not a page"),
    ],
)
def test_pages_that_are_not_there_are_told_in_a_sentence(asked: str, said: str) -> None:
    with pytest.raises(NoSuchPages, match=re.escape(said)):
        read_pages(asked, 9)


@given(st.text(max_size=30), st.integers(1, 40))
def test_whatever_is_typed_gives_pages_or_a_sentence(asked: str, count: int) -> None:
    with suppress(NoSuchPages):
        found = read_pages(asked, count)
        assert found == sorted(set(found))
        assert set(found) <= set(range(1, count + 1))


def addresses(cast: Cast) -> Iterator[str]:
    """One paper of every room that prints."""
    session = seated_evening(cast.club, held_on=date(2026, 11, 17))
    cup = seated_cup(club=cast.club)
    play_round(cup, SECOND_WINS)
    evening = f"/c/riverside/evenings/{session.pk}"
    tournament = f"/c/riverside/tournaments/{cup.pk}"
    yield from (
        f"{evening}/print/{kind}.pdf"
        for kind in ("sheets", "cards", "emergency", "crib", "door", "blank-sheets")
    )
    yield from (f"{tournament}/print/{kind}.pdf" for kind in ("sheets", "emergency", "badges"))
    yield f"{tournament}/standings.pdf"


@pytest.mark.sampled(law="long plays")
@pytest.mark.django_db
def test_every_paper_gives_one_page_alone_or_says_that_it_has_none(
    cast: Cast, client: Client
) -> None:
    client.force_login(cast.secretary)
    for address in addresses(cast):
        one = client.get(f"{address}?pages=1")
        assert len(pages_of(one.content)) == 1, address
        wrong = client.get(f"{address}?pages=99&print=large")
        assertContains(wrong, "There is no page 99", status_code=400)
        assertContains(wrong, '<input type="hidden" name="print" value="large">', status_code=400)
        assertContains(wrong, 'value="99"', status_code=400)


@pytest.mark.django_db
def test_the_page_of_papers_asks_which_pages(cast: Cast, client: Client) -> None:
    session = seated_evening(cast.club)
    client.force_login(cast.secretary)
    page = client.get(f"/c/riverside/evenings/{session.pk}/print/?pages={quote('3,7-9')}")
    assertContains(page, 'name="pages" value="3,7-9"')
