"""A typed paper sheet beside the score book: hand by hand, and what the paper corrects."""

from typing import Any

import pytest
from hypothesis import given, strategies as st
from pytest_django.asserts import assertContains

from clubs.table.forms.sheet_comparison import HandAccount, align_hands, unlikeness
from scoring.scorebook.models import Hand
from scoring.scorebook.reports import Report
from scoring.scorebook.verifying import recount
from tests.clubs.table.phones import DRAWN, SOUTH_WINS, AtEvening
from tests.clubs.table.sheet_page import FIRST, THIRD, Sheet, paper, winners
from tests.people import Cast

MISREAD = Report(winner=3, totals={1: 16, 2: 16, 3: 104, 4: 0})


def choices(page: Any) -> dict[str, str]:
    """The questions between paper and book by key, and their answers."""
    rows = page.context["sheet"].rows
    questions = [lone.choice for row in rows for lone in row.lone_hands]
    questions += [row.choice for row in rows if row.choice]
    return {question.key: question.decision for question in questions}


def test_what_the_phones_sent_alike_is_ticked_and_only_the_rest_is_saved(
    evening: AtEvening, sheet: Sheet
) -> None:
    keys_before = {hand.pk for hand in evening.post(SOUTH_WINS, THIRD)}
    page = sheet.press(**paper(SOUTH_WINS, THIRD, DRAWN, step="check"))
    assert [row.kind for row in page.context["sheet"].rows[:3]] == ["same", "same", "new"]
    assertContains(page, "Already recorded", count=2)
    assertContains(page, "Save 1 hand")
    sheet.save_sheet(paper(SOUTH_WINS, THIRD, DRAWN))
    assert winners() == [2, 3, None]
    assert keys_before < set(Hand.objects.values_list("pk", flat=True))


def test_the_paper_corrects_the_book_and_later_hands_are_played_again(
    cast: Cast, evening: AtEvening, sheet: Sheet
) -> None:
    evening.post(SOUTH_WINS, MISREAD, FIRST)
    page = sheet.press(**paper(SOUTH_WINS, THIRD, FIRST))
    ((key, choice),) = choices(page).items()
    assert (page.status_code, choice) == (409, "")
    assertContains(page, "Nothing has been saved", status_code=409)
    final_page = sheet.press(follow=True, **paper(SOUTH_WINS, THIRD, FIRST, **{key: "paper"}))
    assertContains(final_page, "1 recorded hand changed to match the paper")
    stands = Hand.objects.get(number=2, is_current=True)
    assert (stands.scores[3], stands.reason) == (208, "As on the paper score sheet")
    assert stands.sent_by == f"user {cast.scorer.pk}"
    assert stands.replaces is not None
    assert recount().differences == ()


def test_the_book_is_right_leaves_the_row_as_it_is(evening: AtEvening, sheet: Sheet) -> None:
    evening.post(SOUTH_WINS, MISREAD)
    hands = (SOUTH_WINS, THIRD, DRAWN)
    ((key, _),) = choices(sheet.press(**paper(*hands))).items()
    sheet.save_sheet(paper(*hands, **{key: "book"}))
    assert winners() == [2, 3, None]
    assert Hand.objects.get(number=2).scores[3] == 104


def test_a_hand_that_the_phones_forgot_is_put_in_where_it_was_played(
    evening: AtEvening, sheet: Sheet
) -> None:
    evening.post(SOUTH_WINS, FIRST, DRAWN)
    hands = (SOUTH_WINS, THIRD, FIRST, DRAWN)
    page = sheet.press(**paper(*hands))
    kinds = [row.kind for row in page.context["sheet"].rows[:4]]
    assert kinds == ["same", "extra", "same", "same"]
    assertContains(page, "Already recorded as hand 2", status_code=409)
    ((key, _),) = choices(page).items()
    sheet.save_sheet(paper(*hands, **{key: "paper"}))
    assert winners() == [2, 3, 1, None]
    assert recount().differences == ()


def test_a_hand_that_is_not_on_the_paper_stays_or_goes_as_is_said(
    evening: AtEvening, sheet: Sheet
) -> None:
    evening.post(SOUTH_WINS, THIRD, FIRST)
    page = sheet.press(**paper(SOUTH_WINS, FIRST))
    assertContains(page, "which is not on the paper", status_code=409)
    ((key, _),) = choices(page).items()
    response = sheet.press(follow=True, **paper(SOUTH_WINS, FIRST, **{key: "book"}))
    assertContains(response, "no new hands to save")
    assert winners() == [2, 3, 1]
    sheet.save_sheet(paper(SOUTH_WINS, FIRST, **{key: "paper"}))
    assert winners() == [2, 1]
    assert Hand.objects.count() > 3


def test_what_the_paper_has_not_come_to_stays(evening: AtEvening, sheet: Sheet) -> None:
    evening.post(SOUTH_WINS, THIRD, FIRST)
    page = sheet.press(**paper(SOUTH_WINS, step="check"))
    assertContains(page, "keeps hands 2 to 3")
    assert choices(page) == {}


def test_one_press_answers_every_question(evening: AtEvening, sheet: Sheet) -> None:
    evening.post(MISREAD, SOUTH_WINS, MISREAD)
    hands = (THIRD, SOUTH_WINS, THIRD)
    page = sheet.press(**paper(*hands, step="all-paper"))
    assert set(choices(page).values()) == {"paper"}
    assertContains(page, "Change 2 hands to match the paper")
    sheet.save_sheet(paper(*hands, **choices(page)))
    assert [hand.scores[3] for hand in evening.current()] == [208, 8, 208]


def test_an_answer_counts_only_for_what_was_looked_at(evening: AtEvening, sheet: Sheet) -> None:
    """Someone corrects the hand meanwhile: the question is asked once more."""
    (hand,) = evening.post(MISREAD)
    ((key, _),) = choices(sheet.press(**paper(THIRD))).items()
    evening.correct(hand, Report(winner=3, totals={1: 16, 2: 16, 3: 44, 4: 0}))
    assert sheet.press(**paper(THIRD, **{key: "paper"})).status_code == 409
    assert [hand.scores[3] for hand in evening.current()] == [44]


def test_whoever_may_not_correct_a_hand_leaves_the_book_as_it_is(
    cast: Cast, evening: AtEvening
) -> None:
    (hand,) = evening.post(MISREAD)
    directors, choice = Sheet(evening.desk_url("sheet"), cast.director), f"choose-{hand.pk}"
    page = directors.press(**paper(THIRD, DRAWN, step="check", **{choice: "paper"}))
    assertContains(page, "Only the secretary or a scorer can change")
    directors.save_sheet(paper(THIRD, DRAWN, **{choice: "paper"}))
    assert [hand.scores.get(3) for hand in evening.current()] == [104, None]


seats = st.sampled_from("1234")
figures = st.fixed_dictionaries({seat: st.integers(0, 1000) for seat in range(1, 5)})
accounts = st.builds(HandAccount, winner=seats, figures=figures)
sheets = st.lists(accounts, min_size=1, max_size=16)


def hand(winner: str, *scores: int) -> HandAccount:
    return HandAccount(winner, dict(enumerate(scores, start=1)))


FOUR = [
    hand("2", 20, 60, 8, 4),
    hand("1", 100, 0, 12, 6),
    HandAccount("nobody"),
    hand("4", 2, 4, 28, 32),
]


@given(sheets)
def test_a_sheet_beside_itself_is_alike_hand_by_hand(sheet: list[HandAccount]) -> None:
    assert align_hands(sheet, sheet) == tuple((index, index) for index in range(len(sheet)))


@given(sheets, sheets)
def test_every_hand_of_both_has_its_place_once_and_in_order(
    hand_accounts: list[HandAccount], other_accounts: list[HandAccount]
) -> None:
    pairs = align_hands(hand_accounts, other_accounts)
    assert [index for index, _ in pairs if index is not None] == list(range(len(hand_accounts)))
    assert [index for _, index in pairs if index is not None] == list(range(len(other_accounts)))


@pytest.mark.parametrize("forgotten_index", [0, 1, 2])
def test_a_hand_that_the_phone_forgot_stands_alone_and_the_others_beside_their_own(
    forgotten_index: int,
) -> None:
    book = [account for index, account in enumerate(FOUR) if index != forgotten_index]
    pairs = align_hands(FOUR, book)
    assert [index for index, book_index in pairs if book_index is None] == [forgotten_index]
    assert all(
        FOUR[index] == book[other_index]
        for index, other_index in pairs
        if index is not None and other_index is not None
    )


def test_a_hand_that_is_missing_on_paper_stands_alone() -> None:
    assert align_hands([FOUR[0], *FOUR[2:]], FOUR) == ((0, 0), (None, 1), (1, 2), (2, 3))


def test_of_a_sheet_that_is_half_typed_the_rest_is_not_known() -> None:
    assert align_hands(FOUR[:2], FOUR) == ((0, 0), (1, 1), (None, 2), (None, 3))
    assert align_hands(FOUR, FOUR[:3]) == ((0, 0), (1, 1), (2, 2), (3, None))


def test_one_hand_with_other_figures_is_still_the_same_hand() -> None:
    misread = hand("2", 20, 66, 8, 4)
    assert align_hands([misread], FOUR) == ((0, 0), (None, 1), (None, 2), (None, 3))
    assert align_hands([hand("3", 1, 2, 3, 5)], FOUR)[0] == (0, 0)


def test_two_sheets_that_have_nothing_in_common_lie_hand_by_hand() -> None:
    other_accounts = [hand("3", 2, 6, 44, 0), hand("3", 2, 4, 60, 8)]
    assert align_hands(other_accounts, FOUR[:2]) == ((0, 0), (1, 1))


def test_what_is_not_said_is_no_difference() -> None:
    assert unlikeness(HandAccount("2"), FOUR[0]) == 0
    assert unlikeness(HandAccount("", {1: 20}), FOUR[0]) == 0
    assert unlikeness(HandAccount(), HandAccount()) == 0
