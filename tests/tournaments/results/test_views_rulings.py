"""The director rules at a table, on the page."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from tests.people import Cast
from tests.tournaments.cups import SECOND_WINS, post, seated_cup, tables
from tournaments.models import Ruling, Table


@pytest.fixture
def table(cast: Cast) -> Table:
    """A table whose first hand the second seat has won: -64, +240, -80, -96."""
    (found,) = tables(seated_cup(rounds=1, hands=2, club=cast.club))
    post(found, SECOND_WINS)
    return found


def page_of(table: Table) -> str:
    tournament = table.round.tournament
    return f"/c/riverside/tournaments/{tournament.pk}/rounds/1/tables/{table.number}/rulings/"


def typed(what: str, seat: int, **told: Any) -> dict[str, Any]:
    return {
        "submission_id": str(uuid4()),
        "what": what,
        "seat": str(seat),
        "reason": "seen by all",
        **told,
    }


def points(table: Table) -> list[int]:
    return list(table.game.seats.order_by("number").values_list("points", flat=True))


def test_the_published_scale_is_beside_the_form(director: Client, table: Table) -> None:
    page = director.get(page_of(table))
    assertContains(page, "False Mah-Jong, after another hand was exposed")
    assertContains(page, "500 points to each other player; the hand is void")


@pytest.mark.parametrize(
    ("form", "gains"),
    [
        (typed("false_mahjong_exposed", 1), [-1564, 740, 420, 404]),
        (typed("misnamed_discard", 3, claimant="4"), [-64, 240, -130, -46]),
        (typed("cannon", 4, number="1"), [0, 240, 0, -240]),
        (typed("pays_for_all", 4, number="1"), [0, 240, 0, -240]),
        (typed("adjustment", 1, points="-100"), [-164, 240, -80, -96]),
    ],
    ids=lambda value: value["what"] if isinstance(value, dict) else "",
)
def test_what_is_ruled_moves_the_points_once(
    director: Client, table: Table, form: dict[str, Any], gains: list[int]
) -> None:
    assertRedirects(director.post(page_of(table), form), page_of(table))
    director.post(page_of(table), form)
    assert points(table) == gains
    seen = director.get(page_of(table).removesuffix("rulings/"))
    assertContains(seen, "seen by all")


@pytest.mark.parametrize(
    ("form", "sentence"),
    [
        (typed("", 4), "Choose what happened."),
        (typed("cannon", 4), "Enter the number of the hand."),
        (typed("adjustment", 4), "Enter the number of points to add or take away."),
        (typed("adjustment", 4, points="5", reason=""), "Enter a reason."),
        (typed("misnamed_discard", 3), "claimant"),
    ],
)
def test_what_is_missing_is_said_at_its_field(
    director: Client, table: Table, form: dict[str, Any], sentence: str
) -> None:
    answer = director.post(page_of(table), form)
    assert answer.status_code == 422
    assertContains(answer, sentence, status_code=422)
    assert not Ruling.objects.exists()


def test_a_ruling_is_taken_back_with_a_reason(director: Client, table: Table) -> None:
    director.post(page_of(table), typed("adjustment", 1, points="-100"))
    back = f"{page_of(table)}{Ruling.objects.get().pk}/back/"
    answer = director.post(back, {"reason": " "}, follow=True)
    assertContains(answer, "Enter a reason for the change.")
    answer = director.post(back, {"reason": "the wrong player"}, follow=True)
    assertContains(answer, "Ruling cancelled and its points reversed.")
    assertContains(answer, "the wrong player")
    assertNotContains(answer, "Cancel ruling")
    assert points(table) == [-64, 240, -80, -96]
