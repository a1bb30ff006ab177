"""Paper sheets of a round: typed beside the book, corrected, and stacked."""

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertContains, assertRedirects

from scoring.scorebook.models import Hand
from scoring.scorebook.reports import Report
from scoring.scorebook.verifying import recount
from tests.clubs.visits import Visitor
from tests.people import Cast
from tests.tournaments.cups import seated_tournament, send_hand
from tournaments.models import Table, Tournament
from tournaments.steps import services as steps_services

PAPER = {
    "first": "1", "count": "1", "step": "save",
    "1-score_1": "20", "1-score_2": "60.", "1-score_3": "8", "1-score_4": "4",
}  # fmt: skip
MISREAD = Report(winner=2, totals={1: 20, 2: 66, 3: 8, 4: 4})


@pytest.fixture
def tournament(cast: Cast) -> Tournament:
    return seated_tournament(cast.club)


@pytest.fixture
def table(tournament: Tournament) -> Table:
    return Table.objects.get(round__tournament=tournament, round__number=1)


@pytest.fixture
def scorer(cast: Cast) -> Client:
    return Visitor(cast.scorer)


def address(table: Table) -> str:
    return reverse("tournament-sheet", args=["riverside", table.round.tournament_id, 1, 1])


def test_the_paper_corrects_a_table_whose_hands_are_all_played(
    scorer: Client, table: Table
) -> None:
    wrong, url = send_hand(table, 1, MISREAD).hand, address(table)
    assertContains(scorer.get(f"{url}?first=1"), "1-score_2")
    assertContains(scorer.post(url, PAPER), "MJ 66", status_code=409)
    assertRedirects(scorer.post(url, PAPER | {f"choose-{wrong.pk}": "paper"}), url)
    stands = Hand.objects.get(is_current=True)
    assert (stands.scores[2], stands.reason) == (60, "As on the paper score sheet")
    assert recount().differences == ()


def test_a_closed_round_keeps_its_book(
    scorer: Client, tournament: Tournament, table: Table
) -> None:
    wrong = send_hand(table, 1, MISREAD).hand
    steps_services.close_round(tournament=tournament)
    page = scorer.post(address(table), PAPER | {f"choose-{wrong.pk}": "paper"}, follow=True)
    assertContains(page, "closed", status_code=page.status_code)
    assert Hand.objects.get(is_current=True).pk == wrong.pk


def test_the_stack_of_the_round_knows_what_is_whole(scorer: Client, table: Table) -> None:
    url = reverse("tournament-sheets", args=["riverside", table.round.tournament_id, 1])
    assertContains(scorer.get(url), "Next sheet: table 1")
    send_hand(table, 1, MISREAD)
    assertContains(scorer.get(url), "1 hand, all by phone")
    desk = reverse("tournament", args=["riverside", table.round.tournament_id])
    assertContains(scorer.get(desk), url)
