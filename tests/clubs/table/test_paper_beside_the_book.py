"""A paper sheet beside what the phones sent: the same, other figures, a hand missing somewhere."""

from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from clubs.evenings.event import EveningTable
from clubs.models import SessionTable
from clubs.table import services as at_table
from scoring.scorebook.models import Hand
from scoring.scorebook.reports import Report
from scoring.scorebook.verifying import recount
from tests.clubs.nights import post
from tests.clubs.tables import seated_evening
from tests.people import PASSWORD, Cast

SECOND = Report(winner=2, totals={1: 20, 2: 60, 3: 8, 4: 4})
THIRD = Report(winner=3, totals={1: 16, 2: 16, 3: 208, 4: 0})
FIRST = Report(winner=1, totals={1: 100, 2: 0, 3: 12, 4: 6})
DRAWN = Report(winner=None)
MISREAD = Report(winner=3, totals={1: 16, 2: 16, 3: 104, 4: 0})


@pytest.fixture
def table(cast: Cast) -> SessionTable:
    return seated_evening(cast.club).tables.get()


@pytest.fixture
def scorer(client: Client, cast: Cast) -> Client:
    client.login(username=cast.scorer.email, password=PASSWORD)
    return client


def address(table: SessionTable) -> str:
    return reverse("evening-sheet", args=["riverside", table.session_id, table.number])


def paper(*hands: Report, step: str = "save", **more: str) -> dict[str, str]:
    """What a browser sends of these hands, typed from the first row on."""
    sent = {"first": "1", "count": "16", "step": step, **more}
    for number, hand in enumerate(hands, start=1):
        sent[f"{number}-winner"] = "nobody" if hand.winner is None else str(hand.winner)
        sent |= {f"{number}-score_{seat}": str(score) for seat, score in hand.totals.items()}
    return sent


def choices(page: Any) -> dict[str, str]:
    """The questions between paper and book by key, and their answers."""
    rows = page.context["sheet"].rows
    asked = [lone.choice for row in rows for lone in row.before]
    return {one.key: one.made for one in [*asked, *(row.choice for row in rows if row.choice)]}


def winners() -> list[int | None]:
    hands = Hand.objects.filter(is_current=True).order_by("number")
    return [hand.winner for hand in hands]


@pytest.mark.sampled(law="long plays")
def test_what_the_phones_sent_alike_is_ticked_and_only_the_rest_is_saved(
    scorer: Client, table: SessionTable
) -> None:
    sent_before = [hand.pk for hand in post(table, SECOND, THIRD)]
    page = scorer.post(address(table), paper(SECOND, THIRD, DRAWN, step="check"))
    assert [row.kind for row in page.context["sheet"].rows[:3]] == ["same", "same", "new"]
    assertContains(page, "Already recorded", count=2)
    assertContains(page, "Save 1 hand")
    assertRedirects(scorer.post(address(table), paper(SECOND, THIRD, DRAWN)), address(table))
    assert winners() == [2, 3, None]
    assert set(sent_before) < set(Hand.objects.values_list("pk", flat=True))


def test_the_paper_corrects_the_book_and_later_hands_are_played_again(
    scorer: Client, cast: Cast, table: SessionTable
) -> None:
    post(table, SECOND, MISREAD, FIRST)
    here = address(table)
    page = scorer.post(here, paper(SECOND, THIRD, FIRST))
    ((key, made),) = choices(page).items()
    assert (page.status_code, made) == (409, "")
    assertContains(page, "Nothing has been saved", status_code=409)
    done = scorer.post(here, paper(SECOND, THIRD, FIRST, **{key: "paper"}), follow=True)
    assertContains(done, "1 recorded hand changed to match the paper")
    stands = Hand.objects.get(number=2, is_current=True)
    assert (stands.scores[3], stands.reason) == (208, "As on the paper score sheet")
    assert stands.sent_by == f"user {cast.scorer.pk}"
    assert stands.replaces is not None
    assert recount().differences == ()


def test_the_book_is_right_leaves_the_row_as_it_is(scorer: Client, table: SessionTable) -> None:
    post(table, SECOND, MISREAD)
    here = address(table)
    ((key, _),) = choices(scorer.post(here, paper(SECOND, THIRD, DRAWN))).items()
    assertRedirects(scorer.post(here, paper(SECOND, THIRD, DRAWN, **{key: "book"})), here)
    assert winners() == [2, 3, None]
    assert Hand.objects.get(number=2).scores[3] == 104


def test_a_hand_that_the_phones_forgot_is_put_in_where_it_was_played(
    scorer: Client, table: SessionTable
) -> None:
    post(table, SECOND, FIRST, DRAWN)
    here, told = address(table), (SECOND, THIRD, FIRST, DRAWN)
    page = scorer.post(here, paper(*told))
    rows = page.context["sheet"].rows
    assert [row.kind for row in rows[:4]] == ["same", "extra", "same", "same"]
    assertContains(page, "Already recorded as hand 2", status_code=409)
    ((key, _),) = choices(page).items()
    assertRedirects(scorer.post(here, paper(*told, **{key: "paper"})), here)
    assert winners() == [2, 3, 1, None]
    assert recount().differences == ()


def test_a_hand_that_is_not_on_the_paper_stays_or_goes_as_is_said(
    scorer: Client, table: SessionTable
) -> None:
    post(table, SECOND, THIRD, FIRST)
    here = address(table)
    page = scorer.post(here, paper(SECOND, FIRST))
    assertContains(page, "which is not on the paper", status_code=409)
    ((key, _),) = choices(page).items()
    kept = scorer.post(here, paper(SECOND, FIRST, **{key: "book"}), follow=True)
    assertContains(kept, "no new hands to save")
    assert winners() == [2, 3, 1]
    assertRedirects(scorer.post(here, paper(SECOND, FIRST, **{key: "paper"})), here)
    assert winners() == [2, 1]
    assert Hand.objects.count() > 3


def test_what_the_paper_has_not_come_to_stays(scorer: Client, table: SessionTable) -> None:
    post(table, SECOND, THIRD, FIRST)
    page = scorer.post(address(table), paper(SECOND, step="check"))
    assertContains(page, "keeps hands 2 to 3")
    assert choices(page) == {}


def test_one_press_answers_every_question(scorer: Client, table: SessionTable) -> None:
    post(table, MISREAD, SECOND, MISREAD)
    here = address(table)
    page = scorer.post(here, paper(THIRD, SECOND, THIRD, step="all-paper"))
    assert set(choices(page).values()) == {"paper"}
    assertContains(page, "Change 2 hands to match the paper")
    assertRedirects(scorer.post(here, paper(THIRD, SECOND, THIRD, **choices(page))), here)
    assert [hand.scores[3] for hand in Hand.objects.filter(is_current=True)] == [208, 8, 208]


def test_an_answer_counts_only_for_what_was_looked_at(scorer: Client, table: SessionTable) -> None:
    """Someone corrects the hand meanwhile: the question is asked once more."""
    post(table, MISREAD)
    here = address(table)
    ((key, _),) = choices(scorer.post(here, paper(THIRD))).items()
    other = Report(winner=3, totals={1: 16, 2: 16, 3: 44, 4: 0})
    hand = Hand.objects.get()
    at_table.correct_hand(
        table=EveningTable(table),
        hand_id=hand.pk,
        report=other,
        corrected_by="user 1",
        reason="misread",
    )
    again = scorer.post(here, paper(THIRD, **{key: "paper"}))
    assert again.status_code == 409
    assert Hand.objects.get(is_current=True).scores[3] == 44


def test_whoever_may_not_correct_a_hand_leaves_the_book_as_it_is(
    client: Client, cast: Cast, table: SessionTable
) -> None:
    post(table, MISREAD)
    client.login(username=cast.director.email, password=PASSWORD)
    here, key = address(table), f"choose-{Hand.objects.get().pk}"
    page = client.post(here, paper(THIRD, DRAWN, step="check", **{key: "paper"}))
    assertContains(page, "Only the secretary or a scorer can change")
    assertRedirects(client.post(here, paper(THIRD, DRAWN, **{key: "paper"})), here)
    assert [hand.scores.get(3) for hand in Hand.objects.order_by("number")] == [104, None]


def test_a_sheet_that_was_begun_is_there_again(scorer: Client, table: SessionTable) -> None:
    here = address(table)
    scorer.post(here, paper(SECOND, step=""), headers={"HX-Request": "true"})
    again = scorer.get(here)
    assertContains(again, "You started this sheet")
    assert again.context["sheet"].rows[0].typed["score_2"] == "60"
    stack = reverse("evening-sheets", args=["riverside", table.session_id])
    assertContains(scorer.get(stack), "started, not saved")
    scorer.post(here, {"step": "afresh"})
    assertNotContains(scorer.get(here), "You started this sheet")


def test_a_saved_sheet_is_not_begun_any_longer(scorer: Client, table: SessionTable) -> None:
    here = address(table)
    scorer.post(here, paper(SECOND, step="check"))
    scorer.post(here, paper(SECOND))
    assertNotContains(scorer.get(here), "You started this sheet")


def test_two_who_type_the_same_sheet_are_told(
    scorer: Client, cast: Cast, table: SessionTable
) -> None:
    here, other = address(table), Client()
    cache.delete(f"typing-sheet-{table.game_id}")
    other.login(username=cast.secretary.email, password=PASSWORD)
    scorer.post(here, paper(SECOND, step="check"))
    assertContains(other.get(here), "Sunil is also entering this sheet")
    assertContains(scorer.get(here), "Alice is also entering this sheet")


def test_a_row_is_put_in_or_taken_out_and_the_others_move(
    scorer: Client, table: SessionTable
) -> None:
    here = address(table)
    page = scorer.post(here, paper(SECOND, THIRD, at="2", step="put-in"))
    typed = [row.written.winner for row in page.context["sheet"].rows[:3]]
    assert (typed, page.context["sheet"].count) == (["2", "", "3"], 17)
    page = scorer.post(here, paper(SECOND, THIRD, FIRST, at="2", step="take-out"))
    assert [row.written.winner for row in page.context["sheet"].rows[:3]] == ["2", "1", ""]
