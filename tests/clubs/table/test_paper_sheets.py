"""A paper sheet is from paper on one page: every row is checked, all are saved in one go."""

from functools import partial
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from clubs.evenings.event import EveningTable
from clubs.evenings.services import evenings
from clubs.models import Club, SessionTable
from clubs.table import services as at_table
from clubs.table.forms.sheet_rows import ONLY_THE_WINNER
from clubs.table.forms.sheets import EMPTY, WAITS
from scoring.scorebook.models import Hand
from scoring.scorebook.reports import Report
from scoring.scorebook.verifying import recount
from tests.clubs.tables import seated_evening
from tests.people import PASSWORD, Cast, make_cast
from tests.threads import at_once

SECOND: dict[str, str | int] = {
    "winner": 2, "score_1": 20, "score_2": 60, "score_3": 8, "score_4": 4
}  # fmt: skip
DRAWN: dict[str, str | int] = {"winner": "nobody"}
FIRST: dict[str, str | int] = {"winner": 1, "score_1": "100"}


def scorer_of(cast: Cast) -> Client:
    client = Client()
    client.login(email=cast.scorer.email, password=PASSWORD)
    return client


def address(table: SessionTable) -> str:
    where = [table.session.club.slug, table.session_id, table.number]
    return reverse("evening-sheet", args=where)


@pytest.fixture
def table(cast: Cast) -> SessionTable:
    return seated_evening(cast.club).tables.get()


@pytest.fixture
def scorer(cast: Cast) -> Client:
    return scorer_of(cast)


def typed(page: Any, *rows: dict[str, str | int], step: str = "save") -> dict[str, str]:
    """What a browser sends from the page's form with these rows filled in, from the first on."""
    sheet = page.context["sheet"]
    sent = {"first": str(sheet.first), "count": str(sheet.count), "step": step}
    for at, told in enumerate(rows):
        row = sheet.rows[at]
        sent[f"{row.number}-submission_id"] = str(row.submission_id)
        sent |= {f"{row.number}-{name}": str(value) for name, value in told.items()}
    return sent


def post(table: SessionTable, number: int, report: Report) -> Hand:
    return at_table.post_hand(
        table=EveningTable(table),
        submission_id=uuid4(),
        number=number,
        report=report,
        sent_by="table 1",
    ).hand


def told(page: Any) -> list[tuple[int, tuple[str, ...]]]:
    """The rows that something is wrong with, and what."""
    return [(row.number, row.problems) for row in page.context["sheet"].rows if row.problems]


def test_a_sheet_is_saved_in_one_go_and_the_winds_follow_the_winners(
    scorer: Client, cast: Cast, table: SessionTable
) -> None:
    here = address(table)
    sent = typed(scorer.get(here), SECOND, FIRST, DRAWN)
    assertRedirects(scorer.post(here, sent), here)
    hands = Hand.objects.order_by("number")
    assert [(hand.number, hand.winner, hand.deal["dealer"]) for hand in hands] == [
        (1, 2, 1),
        (2, 1, 2),
        (3, None, 3),
    ]
    assert {hand.sent_by for hand in hands} == {f"user {cast.scorer.pk}"}
    assert recount().differences == ()
    page = scorer.get(here)
    assert (page.context["sheet"].first, len(page.context["table"].hands)) == (4, 3)


def test_a_look_at_the_sheet_tells_gains_and_saves_nothing(
    scorer: Client, table: SessionTable
) -> None:
    here = address(table)
    page = scorer.post(here, typed(scorer.get(here), SECOND, FIRST, step="check"))
    first, second, third, *_ = page.context["sheet"].rows
    assert first.hand.row.gains == {1: -64, 2: 240, 3: -80, 4: -96}
    assert (first.sum_of_gains, second.deal.dealer, third.deal.dealer) == (0, 2, 3)
    assertContains(page, "Save 2 hands")
    assertContains(page, "+240")
    assert Hand.objects.count() == 0


def test_one_wrong_row_keeps_all_of_them_out_and_nothing_typed_is_lost(
    scorer: Client, table: SessionTable
) -> None:
    here = address(table)
    wrong = {**SECOND, "score_3": 37}
    page = scorer.post(here, typed(scorer.get(here), SECOND, wrong, DRAWN))
    assert (page.status_code, Hand.objects.count()) == (422, 0)
    ((number, (sentence,)),) = told(page)
    assert number == 2
    assert sentence.startswith("37 cannot be scored")
    assertContains(page, 'value="37"', status_code=422)
    assert page.context["sheet"].rows[1].wrong == {"score_3"}
    assert page.context["sheet"].rows[2].hand is not None


def test_rows_below_one_without_a_winner_wait(scorer: Client, table: SessionTable) -> None:
    here = address(table)
    page = scorer.post(here, typed(scorer.get(here), {"score_1": 8}, SECOND))
    assert told(page) == [
        (1, ("Choose who went Mah-Jong, or choose “Nobody (drawn hand)”.",)),
        (2, (WAITS,)),
    ]


def test_a_row_left_empty_in_the_middle_is_pointed_out(scorer: Client, table: SessionTable) -> None:
    here = address(table)
    page = scorer.post(here, typed(scorer.get(here), SECOND, {}, DRAWN))
    assert told(page)[0] == (2, (EMPTY,))
    assert Hand.objects.count() == 0


def test_sent_twice_it_is_saved_once(scorer: Client, table: SessionTable) -> None:
    here = address(table)
    sent = typed(scorer.get(here), SECOND, DRAWN)
    assertRedirects(scorer.post(here, sent), here)
    again = scorer.post(here, sent, follow=True)
    assertContains(again, "no new hands to save")
    assert Hand.objects.count() == 2


def test_what_a_phone_entered_alike_meanwhile_is_left_as_it_is(
    scorer: Client, table: SessionTable
) -> None:
    here = address(table)
    sent = typed(scorer.get(here), SECOND, DRAWN)
    post(table, 1, Report(winner=2, totals={1: 20, 2: 60, 3: 8, 4: 4}))
    assertRedirects(scorer.post(here, sent), here)
    assert Hand.objects.earliest("number").sent_by == "table 1"
    assert Hand.objects.count() == 2


def test_other_figures_in_the_book_are_shown_beside_those_typed(
    scorer: Client, table: SessionTable
) -> None:
    here = address(table)
    sent = typed(scorer.get(here), SECOND, DRAWN)
    post(table, 1, Report(winner=2, totals={1: 20, 2: 64, 3: 8, 4: 4}))
    page = scorer.post(here, sent)
    assertContains(page, "The score book has different scores", status_code=409)
    first, *_ = page.context["sheet"].rows
    assert [one[1:] for one in first.figures if one.differs] == [("MJ 60", "MJ 64", True)]
    assertContains(page, 'value="60"', status_code=409)
    assert Hand.objects.count() == 1
    book = sent | {first.choice.key: "book"}
    checked = scorer.post(here, book | {"step": "check"})
    assert (told(checked), len(checked.context["sheet"].ready)) == ([], 1)
    assertRedirects(scorer.post(here, book), here)
    assert [hand.scores.get(2) for hand in Hand.objects.order_by("number")] == [64, None]


def test_the_page_asks_for_news_of_its_rows_alone(scorer: Client, table: SessionTable) -> None:
    here = address(table)
    sent = typed(scorer.get(here), SECOND, {"winner": 3}, step="save")
    part = scorer.post(here, sent, headers={"HX-Request": "true"})
    assertContains(part, 'id="told-1"')
    third = part.context["page"].view.names[3]
    assertContains(part, f"Enter what {third} scored for the Mah-Jong.")
    assertContains(part, "Save the sheet")
    assertNotContains(part, "<html")


def test_a_look_saves_nothing_though_the_button_to_save_has_the_focus(
    scorer: Client, table: SessionTable
) -> None:
    here = address(table)
    sent = typed(scorer.get(here), SECOND, step="save")
    scorer.post(here, sent, headers={"HX-Request": "true"})
    assert Hand.objects.count() == 0


def test_at_a_table_of_five_whoever_sits_out_has_no_score(cast: Cast) -> None:
    table = seated_evening(cast.club, players=5).tables.get()
    scorer, here = scorer_of(cast), address(table)
    page = scorer.post(here, typed(scorer.get(here), {**SECOND, "score_5": 8}))
    fifth = page.context["table"].names[5]
    assert told(page) == [(1, (f"{fifth} sits out this hand and has no score.",))]
    assertRedirects(scorer.post(here, typed(scorer.get(here), SECOND, DRAWN)), here)
    assert [hand.deal["sits_out"] for hand in Hand.objects.order_by("number")] != [5, 5]


def test_with_tallies_the_one_figure_says_who_won_and_a_dash_who_discarded(cast: Cast) -> None:
    Club.objects.filter(pk=cast.club.pk).update(rules="tallies")
    table = seated_evening(Club.objects.get(pk=cast.club.pk)).tables.get()
    scorer, here = scorer_of(cast), address(table)
    wrong = scorer.post(here, typed(scorer.get(here), {"score_2": "100.", "score_3": 8}))
    assert told(wrong) == [(1, (ONLY_THE_WINNER,))]
    row: dict[str, str | int] = {"score_2": 100, "score_3": "-"}
    assertRedirects(scorer.post(here, typed(scorer.get(here), row, {"score_1": "-"})), here)
    assert Hand.objects.earliest("number").gains == {1: 0, 2: 200, 3: -200, 4: 0}
    assert Hand.objects.latest("number").winner is None
    assertContains(scorer.get(here), "100")


@pytest.mark.parametrize("sent", ["", "0", "-3", "9" * 40, "٣", "x"])
def test_numbers_that_make_no_sense_make_a_sheet_all_the_same(
    scorer: Client, table: SessionTable, sent: str
) -> None:
    page = scorer.post(address(table), {"first": sent, "count": sent, "1-winner": sent})
    assert page.status_code in {200, 422}
    assert page.context["sheet"].first == 1


def test_a_finished_evening_has_no_row_to_fill(scorer: Client, table: SessionTable) -> None:
    post(table, 1, Report(winner=None))
    evenings.close_session(session=table.session)
    page = scorer.get(address(table))
    assertContains(page, "This evening is finished.")
    assertNotContains(page, "-winner")


@pytest.mark.parametrize("hands", [1, 3])
def test_a_sheet_is_as_many_queries_for_one_hand_as_for_three(
    scorer: Client,
    table: SessionTable,
    hands: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    here = address(table)
    for number in range(1, hands + 1):
        post(table, number, Report(winner=None))
    scorer.get(here)
    sent = typed(scorer.get(here), *[SECOND] * hands, step="check")
    with django_assert_num_queries(10):
        scorer.post(here, sent)


@pytest.mark.django_db(transaction=True)
@pytest.mark.services
def test_of_two_sheets_at_once_one_is_saved_and_the_other_sees_it() -> None:
    cast = make_cast()
    table = seated_evening(cast.club).tables.get()
    one, other, here = scorer_of(cast), scorer_of(cast), address(table)
    sheets = (
        (one, typed(one.get(here), SECOND, DRAWN)),
        (other, typed(other.get(here), FIRST, SECOND)),
    )
    answers = at_once([partial(client.post, here, sent) for client, sent in sheets])
    assert sorted(answer.status_code for answer in answers) == [302, 409]  # type: ignore[attr-defined]
    assert Hand.objects.count() == 2
    assert recount().differences == ()
