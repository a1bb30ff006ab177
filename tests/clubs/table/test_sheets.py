"""A paper sheet is typed in on one page: its rows, its gains, its foot, and the book beside it."""

from functools import partial
from typing import Any

import pytest
from django.core.cache import cache
from django.urls import reverse
from hypothesis import given, strategies as st
from pytest_django.asserts import assertContains, assertNotContains, assertNumQueries

from clubs.table.forms.sheet_rows import (
    ONLY_THE_WINNER,
    TWO_DISCARDERS,
    TWO_WINNERS,
    ParsedRow,
    read_row,
)
from clubs.table.forms.sheets import (
    EMPTY_ROW_MESSAGE,
    WAITING_MESSAGE,
    HandAccount,
    align_hands,
    unlikeness,
)
from scoring.scorebook.models import Hand
from scoring.scorebook.reports import Report
from scoring.scorebook.verifying import recount
from tests.clubs.table.phones import DRAWN, SOUTH_WINS, TYPED, AtEvening, Phone, playing
from tests.people import Cast, make_cast
from tests.threads import at_once

NOBODY: dict[str, Any] = {"winner": "nobody"}
EAST_WON: dict[str, Any] = {"winner": 1, "score_1": "100"}
NO_WINNER = "Choose who went Mah-Jong, or choose “Nobody (drawn hand)”."
# South goes Mah-Jong with 60 where East scores 20, West 8 and North 4.
SCORES, GAINS = ("20", "60.", "8", "4"), ("-64", "+240.", "-80", "-96")

THIRD = Report(winner=3, totals={1: 16, 2: 16, 3: 208, 4: 0})
FIRST = Report(winner=1, totals={1: 100, 2: 0, 3: 12, 4: 6})
MISREAD = Report(winner=3, totals={1: 16, 2: 16, 3: 104, 4: 0})


class Sheet(Phone):
    """The page of a table's paper sheet, for someone who is signed in."""

    def saved(self, form_data: dict[str, str]) -> None:
        """Send it; all of it is saved."""
        answer = self.press(**form_data)
        assert (answer.status_code, answer["Location"]) == (302, self.address)

    def news(self, form_data: dict[str, str]) -> Any:
        """Send it as the page's script does."""
        return self.client.post(self.address, form_data, headers={"HX-Request": "true"})

    def fill_rows(self, *rows: dict[str, Any], step: str = "save") -> dict[str, str]:
        """What a browser sends from the page with these rows filled in, from the first on."""
        sheet = self.look().context["sheet"]
        form_data = {"first": str(sheet.first), "count": str(sheet.count), "step": step}
        for row, cells in zip(sheet.rows, rows, strict=False):
            form_data[f"{row.number}-submission_id"] = str(row.submission_id)
            form_data |= {f"{row.number}-{name}": str(value) for name, value in cells.items()}
        return form_data


def sheet_of(at: AtEvening, cast: Cast) -> Sheet:
    return Sheet(at.desk_url("sheet"), cast.scorer)


@pytest.fixture
def sheet(cast: Cast, evening: AtEvening) -> Sheet:
    return sheet_of(evening, cast)


def cells(*rows: tuple[str, ...], kind: str = "gains", step: str = "check") -> dict[str, str]:
    """What a browser sends of rows whose cells are typed from the left."""
    form_data = {"first": "1", "count": "16", "kind": kind, "step": step}
    for number, row in enumerate(rows, start=1):
        form_data |= {f"{number}-score_{seat}": cell for seat, cell in enumerate(row, start=1)}
    return form_data


def totals(*written: str) -> dict[str, str]:
    return {f"total_{seat}": total for seat, total in enumerate(written, start=1)}


def paper(*hands: Report, step: str = "save", **more: str) -> dict[str, str]:
    """What a browser sends of these hands, typed from the first row on."""
    form_data = {"first": "1", "count": "16", "step": step, **more}
    for number, hand in enumerate(hands, start=1):
        form_data[f"{number}-winner"] = "nobody" if hand.winner is None else str(hand.winner)
        form_data |= {f"{number}-score_{seat}": str(score) for seat, score in hand.totals.items()}
    return form_data


def problems(page: Any) -> list[tuple[int, tuple[str, ...]]]:
    """The rows that something is wrong with, and what."""
    return [(row.number, row.problems) for row in page.context["sheet"].rows if row.problems]


def choices(page: Any) -> dict[str, str]:
    """The questions between paper and book by key, and their answers."""
    rows = page.context["sheet"].rows
    questions = [lone.choice for row in rows for lone in row.lone_hands]
    questions += [row.choice for row in rows if row.choice]
    return {question.key: question.decision for question in questions}


def winners() -> list[int | None]:
    hands = Hand.objects.filter(is_current=True).order_by("number")
    return [hand.winner for hand in hands]


# Rows


def test_a_sheet_is_saved_once_in_one_go_and_the_winds_follow_the_winners(
    cast: Cast, sheet: Sheet
) -> None:
    form_data = sheet.fill_rows(TYPED, EAST_WON, NOBODY)
    sheet.saved(form_data)
    hands = Hand.objects.order_by("number")
    assert [(hand.number, hand.winner, hand.deal["dealer"]) for hand in hands] == [
        (1, 2, 1),
        (2, 1, 2),
        (3, None, 3),
    ]
    assert {hand.sent_by for hand in hands} == {f"user {cast.scorer.pk}"}
    assert recount().differences == ()
    page = sheet.look()
    assert (page.context["sheet"].first, len(page.context["table"].hands)) == (4, 3)
    assertContains(sheet.press(follow=True, **form_data), "no new hands to save")
    assert Hand.objects.count() == 3


def test_a_look_at_the_sheet_tells_gains_and_saves_nothing(sheet: Sheet) -> None:
    page = sheet.press(**sheet.fill_rows(TYPED, EAST_WON, step="check"))
    first, second, third, *_ = page.context["sheet"].rows
    assert first.hand.row.gains == {1: -64, 2: 240, 3: -80, 4: -96}
    assert (first.sum_of_gains, second.deal.dealer, third.deal.dealer) == (0, 2, 3)
    assertContains(page, "Save 2 hands")
    assertContains(page, "+240")
    assert not Hand.objects.exists()


def test_one_wrong_row_keeps_all_of_them_out_and_nothing_typed_is_lost(sheet: Sheet) -> None:
    page = sheet.press(**sheet.fill_rows(TYPED, {**TYPED, "score_3": 37}, NOBODY))
    assert (page.status_code, Hand.objects.count()) == (422, 0)
    ((number, (message,)),) = problems(page)
    assert number == 2
    assert message.startswith("37 cannot be scored")
    assertContains(page, 'value="37"', status_code=422)
    assert page.context["sheet"].rows[1].wrong == {"score_3"}
    assert page.context["sheet"].rows[2].hand is not None


def test_rows_below_one_without_a_winner_wait_and_one_left_empty_is_pointed_out(
    sheet: Sheet,
) -> None:
    page = sheet.press(**sheet.fill_rows({"score_1": 8}, TYPED))
    assert problems(page) == [(1, (NO_WINNER,)), (2, (WAITING_MESSAGE,))]
    page = sheet.press(**sheet.fill_rows(TYPED, {}, NOBODY))
    assert problems(page)[0] == (2, (EMPTY_ROW_MESSAGE,))
    assert not Hand.objects.exists()


def test_what_a_phone_entered_alike_meanwhile_is_left_as_it_is(
    evening: AtEvening, sheet: Sheet
) -> None:
    form_data = sheet.fill_rows(TYPED, NOBODY)
    evening.post(SOUTH_WINS)
    sheet.saved(form_data)
    assert [hand.sent_by == evening.sent_by for hand in evening.current()] == [True, False]


def test_other_figures_in_the_book_are_shown_beside_those_typed(
    evening: AtEvening, sheet: Sheet
) -> None:
    form_data = sheet.fill_rows(TYPED, NOBODY)
    evening.post(Report(winner=2, totals={1: 20, 2: 64, 3: 8, 4: 4}))
    page = sheet.press(**form_data)
    assertContains(page, "The score book has different scores", status_code=409)
    first, *_ = page.context["sheet"].rows
    differing = [figure[1:] for figure in first.figures if figure.differs]
    assert differing == [("MJ 60", "MJ 64", True)]
    assertContains(page, 'value="60"', status_code=409)
    assert Hand.objects.count() == 1
    book = form_data | {first.choice.key: "book"}
    checked = sheet.press(**book | {"step": "check"})
    assert (problems(checked), len(checked.context["sheet"].ready)) == ([], 1)
    sheet.saved(book)
    assert [hand.scores.get(2) for hand in evening.current()] == [64, None]


def test_the_page_asks_for_news_of_its_rows_alone_and_saves_nothing(sheet: Sheet) -> None:
    """Though the button to save has the focus."""
    part = sheet.news(sheet.fill_rows(TYPED, {"winner": 3}, step="save"))
    assertContains(part, 'id="told-1"')
    third = part.context["page"].view.names[3]
    assertContains(part, f"Enter what {third} scored for the Mah-Jong.")
    assertContains(part, "Save the sheet")
    assertNotContains(part, "<html")
    sheet.news(sheet.fill_rows(TYPED, step="save"))
    assert not Hand.objects.exists()


def test_at_a_table_of_five_whoever_sits_out_has_no_score(cast: Cast) -> None:
    sheet = sheet_of(AtEvening.create(cast, players=5), cast)
    page = sheet.press(**sheet.fill_rows({**TYPED, "score_5": 8}))
    fifth = page.context["table"].names[5]
    assert problems(page) == [(1, (f"{fifth} sits out this hand and has no score.",))]
    sheet.saved(sheet.fill_rows(TYPED, NOBODY))
    assert [hand.deal["sits_out"] for hand in Hand.objects.order_by("number")] != [5, 5]


def test_with_tallies_the_one_figure_says_who_won_and_a_dash_who_discarded(cast: Cast) -> None:
    sheet = sheet_of(AtEvening.create(playing("tallies", cast)), cast)
    wrong = sheet.press(**sheet.fill_rows({"score_2": "100.", "score_3": 8}))
    assert problems(wrong) == [(1, (ONLY_THE_WINNER,))]
    sheet.saved(sheet.fill_rows({"score_2": 100, "score_3": "-"}, {"score_1": "-"}))
    assert Hand.objects.earliest("number").gains == {1: 0, 2: 200, 3: -200, 4: 0}
    assert Hand.objects.latest("number").winner is None
    assertContains(sheet.look(), "100")


@pytest.mark.parametrize("number_text", ["", "0", "-3", "9" * 40, "٣", "x"])
def test_numbers_that_make_no_sense_make_a_sheet_all_the_same(
    sheet: Sheet, number_text: str
) -> None:
    page = sheet.press(**{"first": number_text, "count": number_text, "1-winner": number_text})
    assert page.status_code in {200, 422}
    assert page.context["sheet"].first == 1


def test_a_finished_evening_has_no_row_to_fill(evening: AtEvening, sheet: Sheet) -> None:
    evening.post(DRAWN)
    evening.finish()
    assertContains(sheet.look(), "This evening is finished.")
    assertNotContains(sheet.look(), "-winner")


@pytest.mark.parametrize("hands", [1, 3])
def test_a_sheet_is_as_many_queries_for_one_hand_as_for_three(
    evening: AtEvening, sheet: Sheet, hands: int
) -> None:
    evening.post(*[DRAWN] * hands)
    form_data = sheet.fill_rows(*[TYPED] * hands, step="check")
    with assertNumQueries(10):
        sheet.press(**form_data)


@pytest.mark.django_db(transaction=True)
@pytest.mark.services
def test_of_two_sheets_at_once_one_is_saved_and_the_other_sees_it() -> None:
    cast = make_cast()
    evening_table = AtEvening.create(cast)
    sheet_page, other = sheet_of(evening_table, cast), sheet_of(evening_table, cast)
    sheets = [
        (sheet_page, sheet_page.fill_rows(TYPED, NOBODY)),
        (other, other.fill_rows(EAST_WON, TYPED)),
    ]
    answers = at_once([partial(page.press, **form_data) for page, form_data in sheets])
    assert sorted(answer.status_code for answer in answers) == [302, 409]  # type: ignore[attr-defined]
    assert Hand.objects.count() == 2
    assert recount().differences == ()


# Gains


def test_gains_are_turned_into_what_the_book_can_hold(sheet: Sheet) -> None:
    sheet.saved(cells(GAINS, ("-",), step="save"))
    first, drawn_hand = Hand.objects.order_by("number")
    assert first.gains == {1: -64, 2: 240, 3: -80, 4: -96}
    assert (first.scores, drawn_hand.winner, drawn_hand.deal["dealer"]) == ({2: 60}, None, 2)
    assert recount().differences == ()


def test_gains_that_do_not_add_to_nothing_say_which_digits_changed_places(sheet: Sheet) -> None:
    page = sheet.press(**cells(("-64", "240.", "-80", "-69")))
    north = page.context["table"].names[4]
    ((_, (message,)),) = problems(page)
    assert message.startswith("The gains add up to +27, not to zero. ")
    assert message.endswith(f"It would be right with −96 for {north} (two digits were swapped).")
    assert "score_4" in page.context["sheet"].rows[0].wrong


def test_gains_that_no_scores_lead_to_are_taken_as_written_at_the_second_look(sheet: Sheet) -> None:
    odd = cells(("-64", "242.", "-82", "-96"), step="save")
    page = sheet.press(**odd)
    assertContains(page, "These gains do not match any scores", status_code=422)
    assertContains(page, "As written", status_code=422)
    sheet.press(**odd | {"1-as_written": "yes"})
    assert Hand.objects.get().gains == {1: -64, 2: 242, 3: -82, 4: -96}


@pytest.mark.parametrize(
    ("form_data", "message"),
    [
        (cells(("-64", "64", "", "")) | {"1-winner": "nobody"}, "No one gains on a drawn hand."),
        (cells(("-64", "240", "-80", "-96")), NO_WINNER),
        (
            cells(("-6x", "240.", "-80", "-96")),
            "“-6x” is not a number. Enter points as a number, for example 64.",
        ),
        (
            cells(("+", "60.", "", ""), kind="scores"),
            (
                "The paper has a goulash here, but no hand above was drawn. "
                "A row may be missing above. If not, remove the G."
            ),
        ),
    ],
    ids=["a drawn hand", "no winner", "no number", "a goulash after a hand that was won"],
)
def test_a_row_that_cannot_be_says_why(
    sheet: Sheet, form_data: dict[str, str], message: str
) -> None:
    assert problems(sheet.press(**form_data))[0] == (1, (message,))


def test_a_goulash_after_a_drawn_hand_needs_a_winner(sheet: Sheet) -> None:
    page = sheet.press(**cells(("-",), ("+", "", "", ""), kind="scores"))
    assert problems(page) == [(2, (NO_WINNER,))]


def test_gains_are_compared_with_scores_that_a_phone_sent(evening: AtEvening, sheet: Sheet) -> None:
    evening.post(SOUTH_WINS)
    assert sheet.press(**cells(GAINS)).context["sheet"].rows[0].kind == "same"
    row = sheet.press(**cells(("-64", "240.", "-96", "-80"))).context["sheet"].rows[0]
    differing = [figure[1:3] for figure in row.figures if figure.differs]
    assert differing == [("−96", "−80"), ("−80", "−96")]


def test_where_nobody_pays_there_are_no_gains_to_type(cast: Cast) -> None:
    page = sheet_of(AtEvening.create(playing("safalra", cast)), cast).press(**cells(GAINS))
    assert page.context["sheet"].kind == "scores"


@pytest.mark.parametrize(
    ("players", "row"), [(3, ("20", "60.", "8")), (5, ("20", "60.", "8", "4", "-"))]
)
def test_three_and_five_have_as_many_columns(
    cast: Cast, players: int, row: tuple[str, ...]
) -> None:
    sheet = sheet_of(AtEvening.create(cast, players=players), cast)
    page = sheet.press(**cells(row, kind="scores"))
    assert len(page.context["sheet"].columns) == players
    sheet.saved(cells(row, ("-",), kind="scores", step="save"))
    assert winners() == [2, None]
    assert recount().differences == ()


# The foot


@pytest.mark.parametrize(
    ("rows", "kind", "written", "messages"),
    [
        ([SCORES], "scores", ("-64", "240", "-80", "-96"), []),
        (
            [SCORES],
            "scores",
            ("-64", "240", "-80", "-69"),
            ["In {4}’s total on the paper, perhaps two digits were swapped."],
        ),
        (
            [("-",), GAINS],
            "gains",
            ("-64", "240", "-96", "-80"),
            ["Hand 2: the gains of {3} and {4} may have been swapped."],
        ),
    ],
    ids=["those on the paper", "digits", "gains for each other"],
)
def test_the_foot_says_what_may_be_wrong(
    sheet: Sheet,
    rows: list[tuple[str, ...]],
    kind: str,
    written: tuple[str, ...],
    messages: list[str],
) -> None:
    page = sheet.press(**cells(*rows, kind=kind) | totals(*written))
    names = page.context["table"].names
    lines = page.context["sheet"].foot.sentences
    for message in messages:
        assert message.format("", *(names[seat] for seat in (1, 2, 3, 4))) in lines
    assert ("The totals match the paper." in page.content.decode()) is (not lines) is (not messages)


def test_totals_without_a_simple_reason_say_so(sheet: Sheet) -> None:
    form_data = cells(SCORES, kind="scores") | totals("1", "1000", "7", "13")
    assert (
        sheet.press(**form_data)
        .context["sheet"]
        .foot.sentences[-1]
        .endswith("No single mistake explains the difference. Compare the columns hand by hand.")
    )


def test_a_sheet_whose_totals_differ_is_saved_after_a_question(sheet: Sheet) -> None:
    form_data = cells(SCORES, kind="scores", step="save") | totals("1", "240", "-80", "-96")
    page = sheet.press(**form_data)
    assert page.status_code == 422
    (message,) = page.context["refused"]
    assert message.startswith("The paper differs: ")
    assert "by +65." in message
    assert winners() == []
    assert "Save although the paper differs" in page.content.decode()
    assert sheet.look().context["sheet"].foot.typed_totals[1] == "1"
    sheet.saved({**form_data, "step": "save-anyway"})
    assert winners() == [2]


def test_a_sheet_that_cannot_be_saved_names_the_hands_to_correct(sheet: Sheet) -> None:
    page = sheet.press(**cells(SCORES, ("1", "2", "3", "x"), kind="scores", step="save"))
    assert (page.status_code, page.context["refused"]) == (422, ["Correct hand 2 first."])
    assert "Nothing has been saved" in page.content.decode()
    assert winners() == []


def test_an_east_who_was_not_doubled_is_found_at_its_row(sheet: Sheet) -> None:
    """East pays South 60 instead of 120 in hand 1: the paper has East at −4 and South at +180."""
    form_data = cells(SCORES, ("-",), kind="scores") | totals("-4", "180", "-80", "-96")
    differs, at_its_row, *_ = sheet.press(**form_data).context["sheet"].foot.sentences
    assert differs.startswith("The paper differs: ")
    assert at_its_row.startswith("Hand 1: ")
    assert "double" in at_its_row


# Beside the book


def test_what_the_phones_sent_alike_is_ticked_and_only_the_rest_is_saved(
    evening: AtEvening, sheet: Sheet
) -> None:
    keys_before = {hand.pk for hand in evening.post(SOUTH_WINS, THIRD)}
    page = sheet.press(**paper(SOUTH_WINS, THIRD, DRAWN, step="check"))
    assert [row.kind for row in page.context["sheet"].rows[:3]] == ["same", "same", "new"]
    assertContains(page, "Already recorded", count=2)
    assertContains(page, "Save 1 hand")
    sheet.saved(paper(SOUTH_WINS, THIRD, DRAWN))
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
    done = sheet.press(follow=True, **paper(SOUTH_WINS, THIRD, FIRST, **{key: "paper"}))
    assertContains(done, "1 recorded hand changed to match the paper")
    stands = Hand.objects.get(number=2, is_current=True)
    assert (stands.scores[3], stands.reason) == (208, "As on the paper score sheet")
    assert stands.sent_by == f"user {cast.scorer.pk}"
    assert stands.replaces is not None
    assert recount().differences == ()


def test_the_book_is_right_leaves_the_row_as_it_is(evening: AtEvening, sheet: Sheet) -> None:
    evening.post(SOUTH_WINS, MISREAD)
    hands = (SOUTH_WINS, THIRD, DRAWN)
    ((key, _),) = choices(sheet.press(**paper(*hands))).items()
    sheet.saved(paper(*hands, **{key: "book"}))
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
    sheet.saved(paper(*hands, **{key: "paper"}))
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
    sheet.saved(paper(SOUTH_WINS, FIRST, **{key: "paper"}))
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
    sheet.saved(paper(*hands, **choices(page)))
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
    directors.saved(paper(THIRD, DRAWN, **{choice: "paper"}))
    assert [hand.scores.get(3) for hand in evening.current()] == [104, None]


def test_a_sheet_that_was_begun_is_there_again_until_it_is_saved(
    evening: AtEvening, sheet: Sheet
) -> None:
    notice, stack = "You started this sheet", ["riverside", evening.row.session_id]
    sheet.news(paper(SOUTH_WINS, step=""))
    second_page = sheet.look()
    assertContains(second_page, notice)
    assert second_page.context["sheet"].rows[0].typed_fields["score_2"] == "60"
    sheets = sheet.client.get(reverse("evening-sheets", args=stack))
    assertContains(sheets, "started, not saved")
    sheet.press(step="afresh")
    assert notice not in sheet.text()
    sheet.press(**paper(SOUTH_WINS, step="check"))
    assert notice in sheet.text()
    sheet.press(**paper(SOUTH_WINS))
    assert notice not in sheet.text()


def test_two_who_type_the_same_sheet_are_told(cast: Cast, evening: AtEvening, sheet: Sheet) -> None:
    cache.delete(f"typing-sheet-{evening.row.game_id}")
    sheet.press(**paper(SOUTH_WINS, step="check"))
    other = Sheet(sheet.address, cast.secretary)
    assertContains(other.look(), "Sunil is also entering this sheet")
    assertContains(sheet.look(), "Alice is also entering this sheet")


def test_a_row_is_put_in_or_taken_out_and_the_others_move(sheet: Sheet) -> None:
    page = sheet.press(**paper(SOUTH_WINS, THIRD, at="2", step="put-in"))
    row_winners = [row.parsed_row.winner for row in page.context["sheet"].rows[:3]]
    assert (row_winners, page.context["sheet"].count) == (["2", "", "3"], 17)
    page = sheet.press(**paper(SOUTH_WINS, THIRD, FIRST, at="2", step="take-out"))
    assert [row.parsed_row.winner for row in page.context["sheet"].rows[:3]] == ["2", "1", ""]


# Cells, and the hand of the book beside a row

SEATS = (1, 2, 3, 4)


def read(*cells: str, asks: bool = False, alone: bool = False, **ringed: str) -> ParsedRow:
    cells_data = {f"score_{seat}": cell for seat, cell in enumerate(cells, start=1)} | ringed
    return read_row(cells_data, SEATS, asks_discarder=asks, winner_only=alone)


@pytest.mark.parametrize("marked", ["60.", ".60", "60,", " 60. "])
def test_a_point_beside_a_figure_says_who_went_mah_jong(marked: str) -> None:
    row = read("20", marked, "8", "4")
    assert (row.winner, row.figures) == ("2", {1: "20", 2: "60", 3: "8", 4: "4"})


def test_a_point_alone_marks_a_winner_whose_figure_is_not_known_yet() -> None:
    row = read("", ".", "", "")
    assert (row.winner, row.figures) == ("2", {})


@pytest.mark.parametrize("dash", ["-", "−", "–", "—"])
def test_a_dash_alone_in_a_row_is_a_drawn_hand(dash: str) -> None:
    row = read(dash)
    assert (row.winner, row.figures, row.faults) == ("nobody", {}, ())


def test_a_dash_beside_figures_is_nothing_scored_or_whoever_discarded() -> None:
    assert read("20", "60.", "-", "4").figures == {1: "20", 2: "60", 4: "4"}
    assert read("", "100.", "-", "", asks=True).discarder == "3"
    assert read("-", "100.", "-", "", asks=True).faults == (TWO_DISCARDERS,)


def test_a_plus_alone_is_a_goulash_and_before_a_figure_a_sign() -> None:
    row = read("+", "+240.", "-80", "−96")
    assert (row.is_goulash, row.figures) == (True, {2: "240", 3: "-80", 4: "-96"})


def test_where_the_winner_alone_scores_the_column_says_who_won() -> None:
    assert read("", "", "100", "", alone=True).winner == "3"
    assert read("", "8", "100", "", alone=True).winner == ""


def test_two_winners_are_one_too_many() -> None:
    assert read("20.", "60.").faults == (TWO_WINNERS,)
    assert read("20", "60.", winner="1").faults == (TWO_WINNERS,)
    assert read("20", "60.", winner="2").faults == ()


@given(st.lists(st.text(alphabet="0123456789.,+-− ", max_size=8), min_size=4, max_size=4))
def test_whatever_is_typed_is_read(cells: list[str]) -> None:
    row = read(*cells)
    assert row.winner in {"", "nobody", "1", "2", "3", "4"}
    assert all(figure == figure.strip() for figure in row.figures.values())


# Beside the book

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
    hand_accounts: list[HandAccount], other: list[HandAccount]
) -> None:
    pairs = align_hands(hand_accounts, other)
    assert [index for index, _ in pairs if index is not None] == list(range(len(hand_accounts)))
    assert [index for _, index in pairs if index is not None] == list(range(len(other)))


@pytest.mark.parametrize("forgotten", [0, 1, 2])
def test_a_hand_that_the_phone_forgot_stands_alone_and_the_others_beside_their_own(
    forgotten: int,
) -> None:
    book = [account for index, account in enumerate(FOUR) if index != forgotten]
    pairs = align_hands(FOUR, book)
    assert [index for index, book_index in pairs if book_index is None] == [forgotten]
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
    other = [hand("3", 2, 6, 44, 0), hand("3", 2, 4, 60, 8)]
    assert align_hands(other, FOUR[:2]) == ((0, 0), (1, 1))


def test_what_is_not_said_is_no_difference() -> None:
    assert unlikeness(HandAccount("2"), FOUR[0]) == 0
    assert unlikeness(HandAccount("", {1: 20}), FOUR[0]) == 0
    assert unlikeness(HandAccount(), HandAccount()) == 0
