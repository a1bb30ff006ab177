"""Penalties, one who pays for everyone, adjustments: made, cancelled, and on the pages."""

from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from scoring.scorebook.models import LedgerEntry
from scoring.scorebook.refusals import Refused
from scoring.scorebook.verifying import recount
from tests.api import api_client
from tests.paper import words_of
from tests.people import Cast
from tests.tournaments.cups import (
    DRAWN,
    SECOND_WINS,
    case,
    close_round,
    page_of,
    post,
    seated_cup,
    tables,
)
from tournaments.models import Ruling, Table, Tournament
from tournaments.results.papers import results_pdf
from tournaments.results.selectors.results import results_of, rulings_at, rulings_of
from tournaments.steps import services as steps_services
from tournaments.table import services

pytestmark = pytest.mark.django_db
FALSE_MAHJONG = (
    "False Mah-Jong, after another hand was exposed: 500 points to each other player; "
    "the hand is void"
)
MISNAMED = "Discard wrongly named and claimed for a set: 50 points to the claimant; play goes on"
CANNON = "Letting off a cannon, where the table calls it one"
PAYS_FOR_ALL = "pays the winner of hand 1 for everyone"
ADJUSTED = "Adjustment by the director"


@pytest.fixture
def table(cast: Cast) -> Table:
    """A table of four whose first hand the second seat has won: -64, +240, -80, -96."""
    (round_table,) = tables(seated_cup(rounds=1, hands=2, club=cast.club))
    post(round_table, SECOND_WINS)
    return round_table


def points(table: Table) -> list[int]:
    return list(table.game.seats.order_by("number").values_list("points", flat=True))


def sentences(refusal: pytest.ExceptionInfo[Refused]) -> list[str]:
    return [problem.message for problem in refusal.value.problems]


def test_a_misnamed_discard_needs_its_claimant(table: Table) -> None:
    with pytest.raises(Refused) as refusal:
        services.penalise(case=case(table, 3), incident="misnamed_discard")
    assert [problem.path for problem in refusal.value.problems] == ["claimant"]
    assert points(table) == [-64, 240, -80, -96]


def test_a_mistake_without_a_fine_is_kept_as_a_warning(table: Table) -> None:
    services.penalise(case=case(table, 2), incident="too_few_tiles")
    assert points(table) == [-64, 240, -80, -96]
    (row,) = rulings_at(table)
    assert row.cost == "no points"


@pytest.mark.parametrize(
    ("seat", "number", "message"),
    [
        (4, 9, "Hand 9 has not been entered at this table."),
        (4, 2, "No one pays for hand 2."),
        (2, 1, "That player won the hand, so they do not pay."),
    ],
)
def test_nobody_pays_for_all_of_a_hand_that_nobody_lost_to_another(
    table: Table, seat: int, number: int, message: str
) -> None:
    post(table, SECOND_WINS, DRAWN)
    with pytest.raises(Refused) as refusal:
        services.charge_for_all(case=case(table, seat), number=number)
    assert sentences(refusal) == [message]


def test_an_adjustment_is_one_entry_with_its_reason(table: Table) -> None:
    services.adjust_points(case=case(table, 3, reason="late twice"), points=-100)
    assert points(table) == [-64, 240, -180, -96]
    entry = LedgerEntry.objects.get(hand=None)
    assert (entry.points, entry.reason, entry.written_by) == (-100, "late twice", "user 1")


@pytest.mark.parametrize(
    ("case_fields", "point_change", "message"),
    [
        ({}, 0, "Enter the number of points to add or take away."),
        ({"reason": "  "}, 5, "Enter a reason for the change."),
        ({}, 10**9, "An adjustment is at most 1,000,000 points."),
    ],
)
def test_an_adjustment_has_points_and_a_reason(
    table: Table, case_fields: dict[str, str], point_change: int, message: str
) -> None:
    with pytest.raises(Refused) as refusal:
        services.adjust_points(case=case(table, 1, **case_fields), points=point_change)
    assert sentences(refusal) == [message]


def test_a_warning_needs_a_reason_too(table: Table) -> None:
    with pytest.raises(Refused):
        services.penalise(case=case(table, 2, reason=""), incident="too_few_tiles")


def test_another_ruling_under_a_used_submission_is_refused(table: Table) -> None:
    ruling_case = case(table, 3, reason="late")
    services.adjust_points(case=ruling_case, points=-100)
    with pytest.raises(Refused, match="sent before with a different ruling"):
        services.adjust_points(case=ruling_case, points=-200)
    with pytest.raises(Refused, match="sent before with a different ruling"):
        services.adjust_points(case=replace(ruling_case, seat=2), points=-100)
    assert [ruling.points for ruling in table.rulings.all()] == [{"3": -100}]


def test_a_ruling_sent_twice_counts_once(table: Table) -> None:
    ruling_case = case(table, 1)
    first = services.adjust_points(case=ruling_case, points=-50)
    assert services.adjust_points(case=ruling_case, points=-50) == first
    assert points(table) == [-114, 240, -80, -96]


def test_a_ruling_taken_back_leaves_the_points_and_both_rows(table: Table) -> None:
    ruling = services.penalise(case=case(table, 1), incident="false_mahjong_exposed")
    cancellation = {"reason": "wrong table", "ruled_by": "user 1"}
    cancelling_ruling = services.cancel_ruling(ruling=ruling, submission_id=uuid4(), **cancellation)
    assert (
        services.cancel_ruling(ruling=ruling, submission_id=uuid4(), **cancellation)
        == cancelling_ruling
    )
    assert points(table) == [-64, 240, -80, -96]
    first, second = rulings_at(table)
    assert (first.is_taken_back, second.takes_back) == (True, True)
    with pytest.raises(Refused):
        services.cancel_ruling(ruling=cancelling_ruling, submission_id=uuid4(), **cancellation)


def test_a_finished_tournament_takes_no_ruling() -> None:
    cup = seated_cup(rounds=1, hands=1)
    close_round(cup, SECOND_WINS)
    services.adjust_points(case=case(tables(cup)[0], 1), points=-50)
    steps_services.finish_tournament(tournament=cup)
    with pytest.raises(Refused) as refusal:
        services.adjust_points(case=case(tables(cup)[0], 1), points=-50)
    assert sentences(refusal) == ["This tournament is finished, so its results cannot change."]


@pytest.mark.parametrize("rules", [True, False], ids=["over the page", "by the service"])
def test_nothing_is_ruled_before_the_round_begins(
    cast: Cast, director: Client, rules: bool
) -> None:
    """Its seats may still go to others, who would have the points."""
    cup = seated_cup(entrants=8, rounds=2, club=cast.club, hands=1)
    later_table, *_ = tables(cup, 2)
    message = "Round 2 has not begun, and its seats may still change."
    if rules:
        page = page_of(cup, "rounds/2/tables/1/rulings/")
        assertContains(director.get(page), message)
        form_data = {"what": "adjustment", "seat": 1, "points": "-300", "reason": "Late"}
        director.post(page, {**form_data, "submission_id": uuid4()})
    else:
        with pytest.raises(Refused) as refusal:
            services.adjust_points(case=case(later_table, 1), points=-300)
        assert sentences(refusal)[0].startswith(message)
    assert Ruling.objects.count() == LedgerEntry.objects.count() == 0


def test_rulings_are_news_and_recount_as_they_stand(table: Table) -> None:
    cup = Tournament.objects.get()
    services.penalise(case=case(table, 1), incident="false_mahjong_exposed")
    assert Tournament.objects.get().version == cup.version + 1
    assert recount().differences == ()


def test_rulings_of_later_rounds_are_left_out(table: Table) -> None:
    services.adjust_points(case=case(table, 1), points=-50)
    cup = Tournament.objects.get()
    assert len(rulings_of(cup)) == 1
    assert rulings_of(cup, last_round=0) == ()


def rulings_page(table: Table) -> str:
    return page_of(table.round.tournament, f"rounds/1/tables/{table.number}/rulings/")


def ruling_form(kind: str, seat: int, **form_fields: Any) -> dict[str, Any]:
    return {
        "submission_id": str(uuid4()),
        "what": kind,
        "seat": str(seat),
        "reason": "seen by all",
        **form_fields,
    }


def test_the_score_book_adds_up_with_its_rulings(director: Client, table: Table) -> None:
    cup = table.round.tournament
    book = page_of(cup, "rounds/1/tables/1/")
    assertNotContains(director.get(book), '<th scope="row">Rulings</th>')
    services.adjust_points(case=case(table, 3), points=-300)
    page = director.get(book)
    assert page.context["page"].view.ruled_points == (0, 0, -300, 0)
    assertContains(page, '<th scope="row">Rulings</th>')
    assert [seat.points for seat in page.context["table"].seats] == [-64, 240, -380, -96]


def test_the_published_scale_is_beside_the_form(director: Client, table: Table) -> None:
    page = director.get(rulings_page(table))
    assertContains(page, "False Mah-Jong, after another hand was exposed")
    assertContains(page, "500 points to each other player; the hand is void")


@pytest.mark.parametrize(
    ("form", "gains", "kind"),
    [
        (ruling_form("false_mahjong_exposed", 1), [-1564, 740, 420, 404], FALSE_MAHJONG),
        (ruling_form("misnamed_discard", 3, claimant="4"), [-64, 240, -130, -46], MISNAMED),
        (ruling_form("cannon", 4, number="1"), [0, 240, 0, -240], f"{CANNON}: {PAYS_FOR_ALL}"),
        (ruling_form("pays_for_all", 4, number="1"), [0, 240, 0, -240], PAYS_FOR_ALL),
        (
            ruling_form("adjustment", 1, points="-100"),
            [-164, 240, -80, -96],
            "Adjustment by the director",
        ),
    ],
    ids=lambda value: value["what"] if isinstance(value, dict) else "",
)
def test_what_is_ruled_moves_the_points_once(
    director: Client, table: Table, form: dict[str, Any], gains: list[int], kind: str
) -> None:
    assertRedirects(director.post(rulings_page(table), form), rulings_page(table))
    director.post(rulings_page(table), form)
    assert points(table) == gains
    assert Ruling.objects.get().what == kind
    response = director.get(rulings_page(table).removesuffix("rulings/"))
    assertContains(response, "seen by all")


@pytest.mark.parametrize(
    ("form", "message"),
    [
        (ruling_form("", 4), "Choose what happened."),
        (ruling_form("cannon", 4), "Enter the number of the hand."),
        (ruling_form("adjustment", 4), "Enter the number of points to add or take away."),
        (ruling_form("adjustment", 4, points="5", reason=""), "Enter a reason."),
        (ruling_form("misnamed_discard", 3), "Choose who claimed the discard."),
        (
            ruling_form("adjustment", 4, points="5", number="99"),
            "An adjustment belongs to no hand.",
        ),
        (
            ruling_form("cannon", 4, points="5", number="1"),
            "Enter points only to add or take them away",
        ),
    ],
)
def test_what_is_missing_is_said_at_its_field(
    director: Client, table: Table, form: dict[str, Any], message: str
) -> None:
    answer = director.post(rulings_page(table), form)
    assert answer.status_code == 422
    assertContains(answer, message, status_code=422)
    assert not Ruling.objects.exists()


def test_a_ruling_is_taken_back_with_a_reason(director: Client, table: Table) -> None:
    director.post(rulings_page(table), ruling_form("adjustment", 1, points="-100"))
    cancel_url = f"{rulings_page(table)}{Ruling.objects.get().pk}/back/"
    answer = director.post(cancel_url, {"reason": " "}, follow=True)
    assertContains(answer, "Enter a reason for the change.")
    answer = director.post(cancel_url, {"reason": "the wrong player"}, follow=True)
    assertContains(answer, "Ruling cancelled and its points reversed.")
    assertContains(answer, "the wrong player")
    assertNotContains(answer, "Cancel ruling")
    assert points(table) == [-64, 240, -80, -96]


def test_a_cancelled_ruling_is_listed_once_with_why(director: Client, table: Table) -> None:
    director.post(rulings_page(table), ruling_form("adjustment", 1, points="-100"))
    cancel_url = f"{rulings_page(table)}{Ruling.objects.get().pk}/back/"
    page = director.post(cancel_url, {"reason": "the wrong player"}, follow=True)
    assertContains(page, ADJUSTED, 1)
    assertContains(page, "Cancelled: the wrong player", 1)
    cup = table.round.tournament
    pdf = results_pdf(cup, results_of(cup), hands=())
    text = " ".join(words_of(pdf))
    assert text.count(ADJUSTED) == 1
    assert "Cancelled: the wrong player" in text


def test_a_table_stays_beside_its_number(director: Client, table: Table) -> None:
    director.post(rulings_page(table), ruling_form("adjustment", 1, points="-100"))
    assertContains(director.get(rulings_page(table)), '<span class="whole">table 1</span>', 2)


def test_points_that_may_be_a_slip_are_asked_about_once(director: Client, table: Table) -> None:
    form_data = ruling_form("adjustment", 1, points="-999999")
    page = director.post(rulings_page(table), form_data)
    message = "999,999 points is far more than a hand pays."
    assertContains(page, message, status_code=422)
    assertContains(page, "Save \u2212999,999 points all the same", status_code=422)
    assert not Ruling.objects.exists()
    slip = {**form_data, "points": "-888888", "sure": "-999999"}
    assertContains(director.post(rulings_page(table), slip), "888,888 points", status_code=422)
    assertRedirects(
        director.post(rulings_page(table), {**form_data, "sure": "-999999"}), rulings_page(table)
    )
    assert points(table)[0] == -64 - 999_999


def test_a_program_is_asked_about_points_that_may_be_a_slip(cast: Cast, table: Table) -> None:
    program = api_client(cast.director)
    address = reverse("api-game-rulings", args=[table.game_id])
    body = {**ruling_form("adjustment", 1), "seat": 1, "points": -999_999}
    response = program.post(address, body, content_type="application/json")
    assert response.status_code == 400
    assert "unusual_points" in response.content.decode()
    assert "999,999 points is far more than a hand pays." in response.content.decode()
    assert not Ruling.objects.exists()
    body["as_written"] = True
    assert program.post(address, body, content_type="application/json").status_code == 201
    assert points(table)[0] == -64 - 999_999
