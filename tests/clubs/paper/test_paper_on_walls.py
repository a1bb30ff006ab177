"""How a printout looks: one size of name, full sheets, no row or heading alone, words whole."""

import re
from collections.abc import Sequence

import pytest

from clubs.league.papers import result_pdf, special_hands_pdf
from clubs.league.selectors.records import MadeHand, SpecialBook
from clubs.paper.document import Column, ListPart, draw_list
from clubs.paper.fonts import BOLD_FACE
from clubs.paper.formats import Format, Letters
from clubs.paper.page import Paper, fit_lines
from clubs.table.papers.cards import (
    Badge,
    PrintedEvent,
    badges_pdf,
    seating_cards,
    seats_pdf,
    table_cards,
)
from tests.clubs.paper.test_paper_names import CLUB, DAY, FORMATS
from tests.clubs.paper.test_pdf import LONG, result_of_names, table_of
from tests.paper import Words, lines_on, overlapping, pages_of, smaller_than, words_of

SHORT, LONGER = "Ann Li", "Bronagh Pemberton-Postlethwaite"
MUCH_TOO_LONG = "Wilhelmina Alexandra van der Westhuizen-Fitzgerald"
USUAL, LARGE = Format(), Format(letters=Letters.LARGE)
CUP = "The Wymondham and Attleborough Invitation Cup for Experienced Players, Summer 26"
HOST = "The Loughborough, Featherstone and Upper Wimborne Mah-Jong Society of Hillingdon"
PARTS = ("East", "South", "West", "North", "starts by sitting out")
every_format = pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.query or "usual")
in_both = pytest.mark.parametrize("form", [USUAL, LARGE], ids=["usual", "large"])
NAMES = [f"Player {letter}." for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"]


def lines_of_all(paper: bytes) -> list[Words]:
    return [line for page in pages_of(paper) for line in lines_on(page)]


def sizes_of(paper: bytes, texts: Sequence[str]) -> set[float]:
    """The sizes in which these words are set."""
    lines = [line for line in lines_of_all(paper) if line.text in texts]
    assert {line.text for line in lines} == set(texts)
    return {round(line.size, 1) for line in lines}


def white_below(line: Words, lines: Sequence[Words]) -> float:
    """How far below the line the capitals of the next one begin, or else the sheet ends."""
    tops = [
        other_line.base + other_line.size * 0.68
        for other_line in lines
        if other_line.base < line.base
    ]
    return line.base - max(tops, default=0.0)


@every_format
def test_the_names_of_a_set_of_badges_have_one_size(form: Format) -> None:
    people = [Badge(name, "", 1) for name in (SHORT, "Bronagh Pemberton-Hale", MUCH_TOO_LONG)]
    paper = badges_pdf("Autumn Cup", "Riverside", people, form)
    (first,) = sizes_of(paper, ["Ann", "Bronagh"])
    (surname,) = sizes_of(paper, ["Li", "Pemberton-Hale"])
    assert (first >= 26, first > surname >= 17) == (True, True)


@every_format
@pytest.mark.parametrize("name", [LONG[0], MUCH_TOO_LONG, "Bronagh Pemberton-Hale"])
def test_a_badge_has_its_event_host_and_place_whole_and_clear_of_the_name(
    form: Format, name: str
) -> None:
    paper = badges_pdf("Tuesday 17 November", CLUB, [Badge(name, CLUB, 999)], form)
    (page,) = words_of(paper)
    assert "".join(page.split()).count("".join(CLUB.split())) == 2
    *lines, number = sorted(lines_of_all(paper), key=lambda line: line.text == "999")
    smallest = min(line.size for line in lines)
    of_name = [line.base for line in lines if line.size > 1.2 * smallest]
    head = min(line.base for line in lines if line.base > max(of_name))
    ends = [line for line in lines if line.base in {head, min(of_name)}]
    assert number.base > head
    assert [line.text for line in ends if white_below(line, lines) < 4] == []


@every_format
@pytest.mark.parametrize("name", [SHORT, LONG[2], MUCH_TOO_LONG])
def test_the_longest_words_on_a_badge_never_run_into_its_name(form: Format, name: str) -> None:
    paper = badges_pdf(CUP, HOST, [Badge(name, HOST, 1000)], form)
    text = "".join("".join(words_of(paper)).split())
    assert [part for part in (CUP, HOST, name) if "".join(part.split()) not in text] == []
    assert (overlapping(paper), smaller_than(paper, 15.9 if form.is_large else 7.9)) == ([], [])


@every_format
def test_the_players_of_a_table_card_stand_apart_and_above_its_foot(form: Format) -> None:
    table = table_of(*LONG[:5], number=64, hands_planned=4)
    for page in pages_of(table_cards([table], form)):
        left_edge = min(line.left for line in lines_on(page) if line.text in PARTS)
        players = [line for line in lines_on(page) if abs(line.left - left_edge) < 1]
        parts = [line for line in players if line.text in PARTS]
        assert len(parts) == 5
        assert [part.text for part in parts if white_below(part, players) < 5] == []


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
    lines, size = fit_lines("Bartholomew Featherstonehaugh", BOLD_FACE, 30, 190, most=2, least=8)
    assert lines == ["Bartholomew", "Featherstonehaugh"]
    assert 8 < size < 30


def test_a_line_ends_at_a_space_rather_than_at_a_hyphen() -> None:
    lines, _ = fit_lines("Riverside Mah-Jong Club", BOLD_FACE, 10, 90, most=2, least=8)
    assert lines == ["Riverside", "Mah-Jong Club"]


@pytest.mark.parametrize("players", [12, 20, 26])
@pytest.mark.parametrize("long_names", [(), (LONGER,), (MUCH_TOO_LONG,)])
def test_a_result_fills_its_sheet_on_the_wall(players: int, long_names: Sequence[str]) -> None:
    names = [*NAMES[: players - len(long_names)], *long_names]
    (page,) = pages_of(result_pdf("Riverside", DAY, result_of_names(*names)))
    lines = lines_on(page)
    rows = [line for line in lines if line.text in NAMES]
    assert min(line.base for line in rows) < 842 * (0.35 if players == 12 else 0.2)
    assert min(line.size for line in rows) >= 11


def test_the_seating_list_fills_its_sheet_in_the_emergency_pack_too() -> None:
    tables = [table_of(*NAMES[start : start + 4], number=start) for start in range(0, 20, 4)]
    (page,) = pages_of(seats_pdf(PrintedEvent("Riverside", "Tuesday", USUAL), tables))
    assert min(line.base for line in lines_on(page) if line.text.startswith("T.")) < 200


@pytest.mark.parametrize("count", range(28, 40))
def test_no_row_is_alone_on_a_page(count: int) -> None:
    paper = Paper("List")
    columns = (Column("Name", 10, "left"), Column("Points", 10))
    rows = tuple((f"Row {number}", "1") for number in range(count))
    parts = (ListPart("First", rows[:-4]), ListPart("Second", rows[-4:]))
    draw_list(paper, columns=columns, parts=parts, top=lambda _: 780.0, footer="List")
    pages = [re.findall(r"Row [0-9]+|First|Second", text) for text in words_of(paper.finish())]
    assert sum(text.startswith("Row") for page in pages for text in page) == count
    for page in pages:
        assert len(page) >= 3
        assert page[-1] not in {"First", "Second"}
        assert page[-2] not in {"First", "Second"}


def test_words_beside_figures_stand_apart_from_them() -> None:
    paper = Paper("Calendar")
    columns = (Column("Hands", 10), Column("First", 90, "left"))
    rows = (("17", "Zoë Łukasiewicz"),)
    draw_list(
        paper, columns=columns, parts=(ListPart("", rows),), top=lambda _: 780.0, footer="List"
    )
    lines_by_text = {line.text: line for line in lines_of_all(paper.finish())}
    assert lines_by_text["Zoë Łukasiewicz"].left - lines_by_text["17"].right > 14
    assert lines_by_text["First"].left - lines_by_text["Hands"].right > 14


def test_where_words_must_be_broken_only_the_longest_are() -> None:
    paper = Paper("Prizes")
    columns = tuple(Column("", share, "left") for share in (96, 150, 130, 150))
    rows = (("Highest hand", f"{MUCH_TOO_LONG}, {LONGER}", "Points: 1,000", "round 3, table 2"),)
    draw_list(
        paper, columns=columns, parts=(ListPart("", rows),), top=lambda _: 780.0, footer="List"
    )
    texts = {line.text for line in lines_of_all(paper.finish())}
    assert {"Highest hand", "Points: 1,000", "round 3, table 2"} <= texts


def test_the_heading_of_the_hands_not_made_yet_stands_above_them() -> None:
    waiting = tuple(f"Waiting {number}" for number in range(17))
    hand = MadeHand(1, "Ann", 1, DAY, 1, 1, 272, "Purity", (), is_disputed=False, is_at_limit=False)
    for count in range(1, 16):
        book = SpecialBook("BMJA rules", (hand,) * count, (), waiting)
        for text in words_of(special_hands_pdf("Riverside", book)):
            assert ("not made yet" in text) <= ("Waiting 1" in text)
