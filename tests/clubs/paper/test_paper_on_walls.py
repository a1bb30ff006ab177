"""How a printout looks: one size of name, full sheets, no row or heading alone, words whole."""

import re
from collections.abc import Sequence

import pytest

from clubs.league.papers import result_pdf, special_hands_pdf
from clubs.league.selectors.records import MadeHand, SpecialBook
from clubs.paper.document import Column, Part, draw_list
from clubs.paper.fonts import BOLD
from clubs.paper.formats import Format, Letters
from clubs.paper.page import Paper, broken
from clubs.table.papers.cards import (
    Badge,
    Occasion,
    badges_pdf,
    seating_cards,
    seats_pdf,
    table_cards,
)
from tests.clubs.paper.test_paper_names import DAY
from tests.clubs.paper.test_pdf import result_of_names, table_of
from tests.paper import Words, lines_on, pages_of, words_of

SHORT, LONGER = "Ann Li", "Bronagh Pemberton-Postlethwaite"
MUCH_TOO_LONG = "Wilhelmina Alexandra van der Westhuizen-Fitzgerald"
USUAL, LARGE = Format(), Format(letters=Letters.LARGE)
in_both = pytest.mark.parametrize("form", [USUAL, LARGE], ids=["usual", "large"])
NAMES = [f"Player {letter}." for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"]


def lines_of_all(paper: bytes) -> list[Words]:
    return [line for page in pages_of(paper) for line in lines_on(page)]


def sizes_of(paper: bytes, words: Sequence[str]) -> set[float]:
    """The sizes in which these words are set."""
    found = [line for line in lines_of_all(paper) if line.text in words]
    assert {line.text for line in found} == set(words)
    return {round(line.size, 1) for line in found}


@in_both
def test_the_names_of_a_set_of_badges_have_one_size(form: Format) -> None:
    people = [Badge(name, "", 1) for name in (SHORT, "Bronagh Pemberton-Hale", MUCH_TOO_LONG)]
    paper = badges_pdf("Autumn Cup", "Riverside", people, form)
    (first,) = sizes_of(paper, ["Ann", "Bronagh"])
    (surname,) = sizes_of(paper, ["Li", "Pemberton-Hale"])
    assert (first >= 26, first > surname >= 17) == (True, True)


@in_both
def test_the_names_of_table_cards_and_of_seating_cards_have_one_size(form: Format) -> None:
    tables = [table_of(SHORT, "Bronagh Abbott", "Cy Clark", "Di Dyer")]
    names = [SHORT, "Bronagh Abbott", "Cy Clark", "Di Dyer"]
    for paper in (table_cards(tables, form), seating_cards(tables, form)):
        (size,) = sizes_of(paper, names)
        assert size >= 18


def test_one_name_that_is_much_too_long_makes_no_other_small() -> None:
    tables = [table_of(SHORT, MUCH_TOO_LONG, "Cy Clark", "Di Dyer")]
    assert sizes_of(table_cards(tables), [SHORT, "Cy Clark"]) == {20.0}


def test_words_are_whole_while_letters_may_be_smaller() -> None:
    lines, size = broken("Bartholomew Featherstonehaugh", BOLD, 30, 190, most=2, least=8)
    assert lines == ["Bartholomew", "Featherstonehaugh"]
    assert 8 < size < 30


def test_a_line_ends_at_a_space_rather_than_at_a_hyphen() -> None:
    lines, _ = broken("Riverside Mah-Jong Club", BOLD, 10, 90, most=2, least=8)
    assert lines == ["Riverside", "Mah-Jong Club"]


@pytest.mark.parametrize("players", [12, 20, 26])
@pytest.mark.parametrize("others", [(), (LONGER,), (MUCH_TOO_LONG,)])
def test_a_result_fills_its_sheet_on_the_wall(players: int, others: Sequence[str]) -> None:
    names = [*NAMES[: players - len(others)], *others]
    (page,) = pages_of(result_pdf("Riverside", DAY, result_of_names(*names)))
    lines = lines_on(page)
    rows = [line for line in lines if line.text in NAMES]
    assert min(line.base for line in rows) < 842 * (0.35 if players == 12 else 0.2)
    assert min(line.size for line in rows) >= 11


def test_the_seating_list_fills_its_sheet_in_the_emergency_pack_too() -> None:
    tables = [table_of(*NAMES[at : at + 4], number=at) for at in range(0, 20, 4)]
    (page,) = pages_of(seats_pdf(Occasion("Riverside", "Tuesday", USUAL), tables))
    assert min(line.base for line in lines_on(page) if line.text.startswith("T.")) < 200


@pytest.mark.parametrize("count", range(28, 40))
def test_no_row_is_alone_on_a_page(count: int) -> None:
    paper = Paper("List")
    columns = (Column("Name", 10, "left"), Column("Points", 10))
    rows = tuple((f"Row {number}", "1") for number in range(count))
    parts = (Part("First", rows[:-4]), Part("Second", rows[-4:]))
    draw_list(paper, columns=columns, parts=parts, top=lambda _: 780.0, footer="List")
    pages = [re.findall(r"Row [0-9]+|First|Second", words) for words in words_of(paper.done())]
    assert sum(words.startswith("Row") for page in pages for words in page) == count
    for page in pages:
        assert len(page) >= 3
        assert page[-1] not in {"First", "Second"}
        assert page[-2] not in {"First", "Second"}


def test_words_beside_figures_stand_apart_from_them() -> None:
    paper = Paper("Calendar")
    columns = (Column("Hands", 10), Column("First", 90, "left"))
    rows = (("17", "Zoë Łukasiewicz"),)
    draw_list(paper, columns=columns, parts=(Part("", rows),), top=lambda _: 780.0, footer="List")
    at = {line.text: line for line in lines_of_all(paper.done())}
    assert at["Zoë Łukasiewicz"].left - at["17"].right > 14
    assert at["First"].left - at["Hands"].right > 14


def test_where_words_must_be_broken_only_the_longest_are() -> None:
    paper = Paper("Prizes")
    columns = tuple(Column("", share, "left") for share in (96, 150, 130, 150))
    rows = (("Highest hand", f"{MUCH_TOO_LONG}, {LONGER}", "Points: 1,000", "round 3, table 2"),)
    draw_list(paper, columns=columns, parts=(Part("", rows),), top=lambda _: 780.0, footer="List")
    words = {line.text for line in lines_of_all(paper.done())}
    assert {"Highest hand", "Points: 1,000", "round 3, table 2"} <= words


def test_the_heading_of_the_hands_not_made_yet_stands_above_them() -> None:
    waiting = tuple(f"Waiting {number}" for number in range(17))
    made = MadeHand(1, "Ann", 1, DAY, 1, 1, 272, "Purity", (), is_disputed=False, is_at_limit=False)
    for count in range(1, 16):
        book = SpecialBook("BMJA rules", (made,) * count, (), waiting)
        for words in words_of(special_hands_pdf("Riverside", book)):
            assert ("not made yet" in words) <= ("Waiting 1" in words)
