"""The tournament's papers: sheets and cards round by round, and the standings."""

from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries
from reportlab.pdfbase.pdfmetrics import getFont

from clubs.paper.fonts import TEXT, load_letters
from tests.paper import outside, words_of
from tests.people import Cast
from tests.tournaments.cups import (
    DRAWN,
    SECOND_WINS,
    make_cup,
    play_round,
    seated_cup,
    tables as tables_of,
)
from tournaments.models import Tournament
from tournaments.results.papers import FRACTIONS, results_pdf
from tournaments.results.selectors.results import results_of
from tournaments.results.selectors.standings import PARTS
from tournaments.rounds.selectors import linked_tables

pytestmark = pytest.mark.django_db
CUP = "/c/riverside/tournaments/{}/"
PAPERS = f"{CUP}print/{{}}.pdf"


def paper_of(cup: Tournament) -> bytes:
    return results_pdf(cup, results_of(cup))


def winner_of(cup: Tournament) -> str:
    return tables_of(cup)[0].placements.get(seat__number=2).entrant.name


def test_standings_print_as_they_are_on_the_page(cast: Cast) -> None:
    cup = seated_cup(club=cast.club)
    play_round(cup, SECOND_WINS, SECOND_WINS)
    paper = paper_of(cup)
    words, rounds, remembered = words_of(paper)
    assert f"{winner_of(cup)}\n4 (+600)\n" in rounds
    assert "Autumn Cup" in words
    assert "21 November 2026, provisional: round 1 is being played. Ranked by table points" in words
    winner = winner_of(cup)
    assert f"1\n{winner}\n1\n4\n+600\n2\n60\n" in words
    assert f"60 points\n{winner}\n" in remembered
    assert f"Most Mah-Jongs\n{winner}\nMah-Jongs: 2\n" in remembered
    assert outside(paper) == []


def test_shared_table_points_print_as_fractions(cast: Cast) -> None:
    cup = seated_cup(club=cast.club, hands=1)
    play_round(cup, DRAWN)
    words, rounds = words_of(paper_of(cup))
    assert words.count("\n1¾\n") == 4
    assert rounds.count("\n1¾ (0)\n") == 4


@pytest.mark.parametrize("part", PARTS.values())
def test_every_fraction_of_a_point_has_letters_to_print(part: str) -> None:
    load_letters()
    font: Any = getFont(TEXT)
    printed = f"2{part}".translate(FRACTIONS)
    assert [letter for letter in printed if ord(letter) not in font.face.charToGlyph] == []


@pytest.mark.sampled(law="long plays")
def test_standings_of_two_hundred_go_over_pages(cast: Cast) -> None:
    paper = paper_of(make_cup(entrants=200, club=cast.club))
    pages = words_of(paper)
    assert [" ".join(page.split()).count("Table points") for page in pages] == [1] * len(pages)
    assert sum(page.count("Player ") for page in pages) == 200
    assert outside(paper) == []


def test_sheets_have_the_planned_hands_of_every_round(cast: Cast, client: Client) -> None:
    cup = seated_cup(club=cast.club, entrants=8, rounds=2, hands=2)
    client.force_login(cast.director)
    answer = client.get(PAPERS.format(cup.pk, "sheets"))
    pages = words_of(answer.content)
    assert [page.splitlines()[2] for page in pages] == [
        "Autumn Cup, round 1",
        "Autumn Cup, round 1",
        "Autumn Cup, round 2",
        "Autumn Cup, round 2",
    ]
    assert ["\n3\nE\nS\nW\nN\n" in page for page in pages] == [False] * 4
    assert outside(answer.content) == []


def test_cards_of_one_round_lead_to_its_tables(cast: Cast, client: Client) -> None:
    cup = seated_cup(club=cast.club, entrants=8, rounds=2)
    client.force_login(cast.scorer)
    answer = client.get(PAPERS.format(cup.pk, "cards") + "?round=2")
    words = "".join(words_of(answer.content)[0].split())
    links = [f"http://testserver/r/{table.link_key}/" for table in tables_of(cup, 2)]
    assert [link in words for link in links] == [True, True]
    assert "round1" not in words


def test_without_a_seated_round_there_is_a_sentence(cast: Cast, client: Client) -> None:
    cup = make_cup(club=cast.club)
    client.force_login(cast.director)
    answer = client.get(PAPERS.format(cup.pk, "sheets"), follow=True)
    assert answer.redirect_chain == [(f"/c/riverside/tournaments/{cup.pk}/", 302)]
    assert "No round has been seated yet, so there is nothing to print." in answer.content.decode()


@pytest.mark.parametrize("entrants", [4, 16])
def test_all_tables_are_read_in_four_queries(
    cast: Cast, entrants: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    cup = seated_cup(club=cast.club, entrants=entrants)
    with django_assert_num_queries(4):
        tables = linked_tables(cup, round_number=1)
    assert len(tables) == entrants // 4


@pytest.mark.parametrize(
    ("paper", "answers"),
    [
        ("print/sheets", [200, 200, 200, 403, 403, 302]),
        ("print/cards", [200, 200, 200, 403, 403, 302]),
        ("standings", [200, 200, 200, 200, 403, 302]),
    ],
)
def test_who_may_print_what(cast: Cast, paper: str, answers: list[int]) -> None:
    cup = seated_cup(club=cast.club)
    found = []
    for user in cast.everybody().values():
        client = Client()
        if user is not None:
            client.force_login(user)
        found.append(client.get(f"{CUP.format(cup.pk)}{paper}.pdf").status_code)
    assert found == answers
