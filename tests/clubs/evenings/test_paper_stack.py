"""The stack of paper sheets of an evening: what is in the book, and which is next."""

from datetime import date

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries
from pytest_django.asserts import assertContains

from clubs.evenings.selectors.evenings import linked_tables
from clubs.evenings.selectors.floor import SheetStack, stack_of
from clubs.evenings.services import evenings
from clubs.models import Session
from tests.clubs.nights import DRAWN, SECOND_WINS, make_players, night, post
from tests.people import PASSWORD, Cast

NIGHT = date(2026, 11, 17)


@pytest.fixture
def session(cast: Cast) -> Session:
    players = make_players(cast.club, 13)
    return night(cast.club, NIGHT, players[:4], players[4:8], players[8:])


def stack(session: Session, *begun: int) -> SheetStack:
    return stack_of([table.view for table in linked_tables(session)], begun=begun)


def test_what_came_by_phone_and_what_was_typed_is_told_apart(session: Session) -> None:
    first, second, _ = session.tables.all()
    (hand, _) = post(first, SECOND_WINS, DRAWN)
    type(hand).objects.filter(pk=hand.pk).update(sent_by="user 1")
    post(second, DRAWN)
    assert [sheet.words for sheet in stack(session).sheets] == [
        "2 hands: 1 by phone, 1 from paper",
        "1 hand, all by phone",
        "No hands recorded",
    ]


def test_the_next_sheet_is_the_one_that_was_begun_and_then_one_without_a_hand(
    session: Session,
) -> None:
    first, second, third = session.tables.all()
    post(first, DRAWN)
    assert stack(session).next.number == 2  # type: ignore[union-attr]
    assert stack(session, third.game_id).next.number == 3  # type: ignore[union-attr]
    for table in (second, third):
        post(table, DRAWN)
    assert (stack(session).next, stack(session).waiting) == (None, 0)


def test_of_a_planned_number_it_is_known_which_sheet_is_half(session: Session) -> None:
    table = session.tables.all()[0]
    table.game.hands_planned = 2
    table.game.save()
    post(table, DRAWN)
    assert (stack(session).sheets[0].state, stack(session).sheets[0].words) == (
        "half",
        "1 of 2 hands, all by phone",
    )


def test_the_page_leads_to_each_sheet(client: Client, cast: Cast, session: Session) -> None:
    client.login(username=cast.scorer.email, password=PASSWORD)
    evening = reverse("evening", args=["riverside", session.pk])
    here = reverse("evening-sheets", args=["riverside", session.pk])
    assertContains(client.get(evening), here)
    page = client.get(here)
    assertContains(page, "Next sheet: table 1")
    for number in (1, 2, 3):
        assertContains(page, reverse("evening-sheet", args=["riverside", session.pk, number]))


def test_another_clubs_evening_has_no_stack_here(client: Client, cast: Cast) -> None:
    elsewhere = evenings.open_session(club=cast.stranger.memberships.get().club, held_on=NIGHT)
    client.login(username=cast.scorer.email, password=PASSWORD)
    here = reverse("evening-sheets", args=["riverside", elsewhere.pk])
    assert client.get(here).status_code == 404


@pytest.mark.parametrize("tables", [1, 3])
def test_a_stack_asks_as_often_for_one_table_as_for_three(
    client: Client, cast: Cast, tables: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    players = make_players(cast.club, 12)
    laid = [players[at * 4 : at * 4 + 4] for at in range(tables)]
    session = night(cast.club, NIGHT, *laid)
    client.login(username=cast.scorer.email, password=PASSWORD)
    here = reverse("evening-sheets", args=["riverside", session.pk])
    client.get(here)
    with django_assert_num_queries(7):
        client.get(here)
