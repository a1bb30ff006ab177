"""A paper sheet is typed in on one page: its rows, its gains, its foot and its cells."""

from functools import partial
from typing import Any

import pytest
from django.core.cache import cache
from django.urls import reverse
from hypothesis import given, strategies as st
from pytest_django.asserts import assertContains, assertNotContains, assertNumQueries

from clubs.table.forms.sheet_comparison import WAITING_MESSAGE
from clubs.table.forms.sheet_rows import (
    ONLY_THE_WINNER,
    TWO_DISCARDERS,
    TWO_WINNERS,
    ParsedRow,
    read_row,
)
from clubs.table.forms.sheets import EMPTY_ROW_MESSAGE
from scoring.scorebook.models import Hand
from scoring.scorebook.reports import Report
from scoring.scorebook.verifying import recount
from tests.clubs.table.phones import DRAWN, SOUTH_WINS, TYPED, AtEvening, playing
from tests.clubs.table.sheet_page import FIRST, THIRD, Sheet, paper, sheet_of, winners
from tests.people import Cast, make_cast
from tests.threads import at_once

NOBODY: dict[str, Any] = {"winner": "nobody"}
EAST_WON: dict[str, Any] = {"winner": 1, "score_1": "100"}
NO_WINNER = "Choose who went Mah-Jong, or choose “Nobody (drawn hand)”."
# South goes Mah-Jong with 60 where East scores 20, West 8 and North 4.
SCORES, GAINS = ("20", "60.", "8", "4"), ("-64", "+240.", "-80", "-96")


def cells(*rows: tuple[str, ...], kind: str = "gains", step: str = "check") -> dict[str, str]:
    """What a browser sends of rows whose cells are typed from the left."""
    form_data = {"first": "1", "count": "16", "kind": kind, "step": step}
    for number, row in enumerate(rows, start=1):
        form_data |= {f"{number}-score_{seat}": cell for seat, cell in enumerate(row, start=1)}
    return form_data


def totals(*total_texts: str) -> dict[str, str]:
    return {f"total_{seat}": total for seat, total in enumerate(total_texts, start=1)}


def problems(page: Any) -> list[tuple[int, tuple[str, ...]]]:
    """The rows that something is wrong with, and what."""
    return [(row.number, row.problems) for row in page.context["sheet"].rows if row.problems]


# Rows


def test_a_sheet_is_saved_once_in_one_go_and_the_winds_follow_the_winners(
    cast: Cast, sheet: Sheet
) -> None:
    form_data = sheet.fill_rows(TYPED, EAST_WON, NOBODY)
    sheet.save_sheet(form_data)
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
    sheet.save_sheet(form_data)
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
    check_page = sheet.press(**book | {"step": "check"})
    assert (problems(check_page), len(check_page.context["sheet"].ready)) == ([], 1)
    sheet.save_sheet(book)
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
    sheet.save_sheet(sheet.fill_rows(TYPED, NOBODY))
    assert [hand.deal["sits_out"] for hand in Hand.objects.order_by("number")] != [5, 5]


def test_with_tallies_the_one_figure_says_who_won_and_a_dash_who_discarded(cast: Cast) -> None:
    sheet = sheet_of(AtEvening.create(playing("tallies", cast)), cast)
    wrong = sheet.press(**sheet.fill_rows({"score_2": "100.", "score_3": 8}))
    assert problems(wrong) == [(1, (ONLY_THE_WINNER,))]
    sheet.save_sheet(sheet.fill_rows({"score_2": 100, "score_3": "-"}, {"score_1": "-"}))
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
    sheet_page, other_sheet = sheet_of(evening_table, cast), sheet_of(evening_table, cast)
    sheets = [
        (sheet_page, sheet_page.fill_rows(TYPED, NOBODY)),
        (other_sheet, other_sheet.fill_rows(EAST_WON, TYPED)),
    ]
    answers = at_once([partial(page.press, **form_data) for page, form_data in sheets])
    assert sorted(answer.status_code for answer in answers) == [302, 409]  # type: ignore[attr-defined]
    assert Hand.objects.count() == 2
    assert recount().differences == ()


# Gains


def test_gains_are_turned_into_what_the_book_can_hold(sheet: Sheet) -> None:
    sheet.save_sheet(cells(GAINS, ("-",), step="save"))
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
    form_data = cells(("-64", "242.", "-82", "-96"), step="save")
    page = sheet.press(**form_data)
    assertContains(page, "These gains do not match any scores", status_code=422)
    assertContains(page, "As written", status_code=422)
    sheet.press(**form_data | {"1-as_written": "yes"})
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
    sheet.save_sheet(cells(row, ("-",), kind="scores", step="save"))
    assert winners() == [2, None]
    assert recount().differences == ()


# The foot


@pytest.mark.parametrize(
    ("rows", "kind", "total_texts", "messages"),
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
    total_texts: tuple[str, ...],
    messages: list[str],
) -> None:
    page = sheet.press(**cells(*rows, kind=kind) | totals(*total_texts))
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
    sheet.save_sheet({**form_data, "step": "save-anyway"})
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


# A sheet that is begun, and its rows moved


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
    other_sheet = Sheet(sheet.address, cast.secretary)
    assertContains(other_sheet.look(), "Sunil is also entering this sheet")
    assertContains(sheet.look(), "Alice is also entering this sheet")


def test_a_row_is_put_in_or_taken_out_and_the_others_move(sheet: Sheet) -> None:
    page = sheet.press(**paper(SOUTH_WINS, THIRD, at="2", step="put-in"))
    row_winners = [row.parsed_row.winner for row in page.context["sheet"].rows[:3]]
    assert (row_winners, page.context["sheet"].count) == (["2", "", "3"], 17)
    page = sheet.press(**paper(SOUTH_WINS, THIRD, FIRST, at="2", step="take-out"))
    assert [row.parsed_row.winner for row in page.context["sheet"].rows[:3]] == ["2", "1", ""]


# Cells

SEATS = (1, 2, 3, 4)


def read(*cells: str, asks: bool = False, alone: bool = False, **ringed_fields: str) -> ParsedRow:
    cells_data = {f"score_{seat}": cell for seat, cell in enumerate(cells, start=1)} | ringed_fields
    return read_row(cells_data, SEATS, asks_discarder=asks, winner_only=alone)


@pytest.mark.parametrize("marked_figure", ["60.", ".60", "60,", " 60. "])
def test_a_point_beside_a_figure_says_who_went_mah_jong(marked_figure: str) -> None:
    row = read("20", marked_figure, "8", "4")
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
