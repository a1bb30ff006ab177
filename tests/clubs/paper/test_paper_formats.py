"""Every sheet, list and card in every format: nothing overlaps or runs off, and large is large."""

import re
from collections.abc import Callable
from datetime import date
from itertools import product

import pytest
from django.test import Client
from pytest_django.asserts import assertContains, assertNotContains

from clubs.evenings.selectors.evenings import linked_tables
from clubs.evenings.services import evenings
from clubs.language.moments import full_date
from clubs.league.papers import league_pdf
from clubs.league.poster import Poster, first_ten_pdf
from clubs.models import Club, Player, SessionTable
from clubs.paper.formats import Contrast, Format, Letters, Size, format_from_query
from clubs.paper.page import Paper
from clubs.table.papers.cards import (
    PrintedEvent,
    SeatedTable,
    attendance_pdf,
    seating_cards,
    seats_pdf,
    settling_pdf,
    table_cards,
)
from clubs.table.papers.crib import OMITTED_SECTIONS, PLAIN_ROWS, crib_blocks, crib_pdf
from clubs.table.papers.grid import BOX_WIDTH, grid_of, sign_places
from clubs.table.papers.score_sheets import (
    EMERGENCY_STEPS,
    blank_sheets,
    emergency_pack,
    score_sheets,
)
from clubs.table.rows import Arrival
from scoring import rule_set, rule_set_keys
from scoring.scorebook.reports import Report
from scoring.sheet import sections
from tests.clubs.nights import SECOND_WINS, make_players, make_season, night, post
from tests.clubs.paper.test_pdf import ADDRESS, LONG, league_of, table_of
from tests.clubs.tables import NAMES
from tests.clubs.visits import Visitor
from tests.paper import (
    codes_of,
    frames_on,
    lines_on,
    outside,
    overlapping,
    pages_of,
    smaller_than,
    words_of,
)
from tests.people import Cast
from tests.tournaments.cups import make_cup, seated_cup, tables as tables_of

FORMATS = [Format(*options) for options in product(Size, Letters, Contrast)]
ALMOST_SIXTEEN = 15.6
LIMIT = Report(winner=1, totals={1: 1000, 2: 60, 3: 8, 4: 4})
every_format = pytest.mark.parametrize(
    "form", FORMATS, ids=[form.query or "usual" for form in FORMATS]
)


def ill_laid(paper: bytes, form: Format) -> list[str]:
    """What overlaps, runs off the sheet, or is small in large print."""
    small = smaller_than(paper, ALMOST_SIXTEEN) if form.is_large else []
    return [*overlapping(paper), *outside(paper), *small]


@pytest.mark.sampled
@every_format
@pytest.mark.parametrize("players", [3, 4, 5])
def test_sheets_and_cards_hold_long_names_in_every_format(form: Format, players: int) -> None:
    table = table_of(*LONG[:players], number=64, hands_planned=4)
    for paper in (score_sheets([table], form), table_cards([table], form)):
        text = "".join(words_of(paper)[0].split())
        assert [name for name in LONG[:players] if "".join(name.split()) not in text] == []
        assert ill_laid(paper, form) == []


@every_format
@pytest.mark.parametrize("players", [3, 4, 5])
def test_every_box_to_write_in_is_nine_millimetres_wide(form: Format, players: int) -> None:
    grid = grid_of(Paper("", form, wide=True), table_of(*LONG[:players]))
    cells = [*grid.scores.values(), *grid.payments.values(), *grid.gains.values()]
    narrowest = min(cell.right - cell.left for cell in [*cells, *grid.totals.values()])
    assert narrowest * form.scale >= BOX_WIDTH - 0.01
    assert len(grid.payments) == (3 if players == 3 else 6)


@pytest.mark.sampled
@every_format
@pytest.mark.parametrize(
    "title",
    [
        "Autumn 2026",
        "Tuesday league, Season 2026",
        "The Saturday afternoon league of beginners and helpers, Season 2026 to 2027",
    ],
)
def test_the_title_of_a_poster_leaves_room_for_the_line_below_it(form: Format, title: str) -> None:
    lines = [(str(place), name, "+1,204") for place, name in enumerate(LONG, start=1)]
    poster = Poster("Riverside", "2026", title, "9 evenings, 24 players", lines, "", "Riverside")
    paper = first_ten_pdf(poster, form)
    assert (overlapping(paper), outside(paper)) == ([], [])
    assert "".join(title.split()) in "".join(words_of(paper)[0].split())


@every_format
def test_a_league_table_is_whole_in_every_format(form: Format) -> None:
    paper = league_pdf("Riverside Mah-Jong Club", league_of(*LONG, "Ann"), form)
    assert ill_laid(paper, form) == []


@every_format
def test_an_address_asks_for_a_format_and_a_format_tells_its_address(form: Format) -> None:
    query = dict(pair.split("=") for pair in form.query.split("&") if pair)
    assert format_from_query(query, Club()) == form


def test_what_no_printer_knows_is_printed_as_usual() -> None:
    assert (
        format_from_query({"paper": "a3", "print": "tiny", "contrast": "%00"}, Club()) == Format()
    )


def test_high_contrast_has_one_colour() -> None:
    form = Format(contrast=Contrast.HIGH)
    paper = Paper("", form)
    assert {paper.ink(colour).hexval() for colour in ("#8f1419", "#cfc6b2")} == {"0x000000"}
    assert paper.ink("#ffffff").hexval() == "0xffffff"


def test_the_evenings_sheets_are_printed_in_the_format_asked_for(
    alice: Visitor, table: SessionTable
) -> None:
    address = f"/c/riverside/evenings/{table.session_id}/print/sheets.pdf?paper=letter&print=large"
    box = pages_of(alice.get(address).content)[0].mediabox
    assert (float(box.width), float(box.height)) == (792.0, 612.0)


@pytest.mark.sampled
@pytest.mark.django_db
@every_format
def test_recorded_payments_are_printed_whole_in_every_format(cast: Cast, form: Format) -> None:
    session = night(cast.club, date(2026, 11, 17), make_players(cast.club, 5))
    post(session.tables.get(), LIMIT, SECOND_WINS)
    (table,) = linked_tables(session)
    paper = score_sheets([SeatedTable(cast.club.name, table.view, ADDRESS)], form)
    text = "\n".join(words_of(paper))
    paid = {points for hand in table.view.game.hands for *_, points in hand.payments}
    printed_lines = set(text.split("\n"))  # the comma goes where the column is too narrow for it
    assert [amount for amount in paid if not {f"{amount:,}", f"{amount}"} & printed_lines] == []
    assert (overlapping(paper), outside(paper), "…" in text) == ([], [], False)


@pytest.mark.sampled
@pytest.mark.django_db
@every_format
def test_gains_and_totals_are_written_alike(cast: Cast, form: Format) -> None:
    session = night(cast.club, date(2026, 11, 17), make_players(cast.club, 5))
    post(session.tables.get(), LIMIT, SECOND_WINS)
    (table,) = linked_tables(session)
    first, *_ = pages_of(score_sheets([SeatedTable(cast.club.name, table.view, ADDRESS)], form))
    figures = [line for line in lines_on(first) if re.fullmatch(r"[+−][0-9,]+", line.text)]
    assert {round(line.size, 2) for line in figures} == {round(figures[0].size, 2)}
    assert len({"," in line.text for line in figures if len(line.text) > 4}) == 1


def above_the_scores(*names: str) -> list[str]:
    """The names of those five above the first columns of their sheet."""
    (first, *_) = pages_of(score_sheets([table_of(*names)]))
    small = [line for line in lines_on(first) if 7.9 < line.size < 8.1]
    starts = {name[0] for name in names}
    return list(dict.fromkeys(line.text for line in small if line.text[0] in starts))[:5]


def test_the_names_above_columns_are_all_whole_or_all_initials() -> None:
    short_names = ("Ann", "Ben", "Cy", "Di", "Flo")
    assert above_the_scores(*short_names) == list(short_names)
    assert above_the_scores("René", "Gwilym", "Margaret", "Kathleen", "Hermione") == [
        *("R.", "G.", "M.", "K.", "H.")
    ]


@pytest.mark.parametrize("players", [4, 5])
def test_how_to_fill_a_sheet_in_can_be_read_at_arms_length(players: int) -> None:
    (first, *_) = pages_of(score_sheets([table_of(*LONG[:players])], Format(Size.LETTER)))
    text = next(line for line in lines_on(first) if line.text.startswith("Circle the"))
    assert text.size >= 9.4


@every_format
def test_a_ring_around_who_receives_stays_off_the_lines(form: Format) -> None:
    paper = Paper("", form, wide=True)
    side = 1.2 * form.smallest
    for cell in grid_of(paper, table_of(*LONG[:5])).payments.values():
        left_centre, right = sign_places(paper, cell)
        assert left_centre - side / 2 >= cell.left + 2
        assert right + side / 2 <= cell.right - 2


@every_format
def test_a_long_footer_is_whole_and_large_in_large_print(form: Format) -> None:
    paper = Paper("", form)
    footer_text = (
        "Riverside Autumn Cup, provisional: round 2 is being played, sealed at 7D5B 747A 9FFD"
    )
    paper.footer(footer_text)
    pdf = paper.finish()
    assert "".join(footer_text.split()) in "".join("".join(words_of(pdf)).split())
    assert ill_laid(pdf, form) == []


@pytest.mark.sampled
@every_format
def test_who_meets_whom_is_whole_in_every_format(cast: Cast, alice: Visitor, form: Format) -> None:
    players = make_players(cast.club, 12)
    for player, name in zip(players, LONG, strict=False):
        Player.objects.filter(pk=player.pk).update(name=name)
    for day in (3, 10):
        night(cast.club, date(2026, 11, day), players[:4], players[4:8], players[8:])
    session = night(cast.club, date(2026, 11, 17), players[:4], players[4:8], players[8:])
    paper = alice.get(f"/c/riverside/evenings/{session.pk}/why.pdf?{form.query}").content
    assert ill_laid(paper, form) == []


TABLES = [
    table_of(*LONG[:4], number=1, hands_planned=4),
    table_of("Ann", "Ben", "Cy", number=2, hands_planned=4),
]
PEOPLE = [Arrival(name, name == "Ann") for name in (*LONG, "Ann")]
LISTS: dict[str, Callable[[PrintedEvent], bytes]] = {
    "seats": lambda printed_event: seats_pdf(printed_event, TABLES),
    "door": lambda printed_event: attendance_pdf(printed_event, PEOPLE),
    "tally": lambda printed_event: settling_pdf(printed_event, TABLES),
    "blanks": lambda printed_event: blank_sheets(printed_event, "bmja"),
    "crib": lambda printed_event: crib_pdf(
        printed_event.club, rule_set("bmja"), printed_event.form
    ),
}


def printed_event(form: Format) -> PrintedEvent:
    return PrintedEvent("Riverside Mah-Jong Club", "Tuesday 17 November", form)


@pytest.mark.sampled
@every_format
@pytest.mark.parametrize("kind", LISTS)
def test_every_list_is_whole_in_every_format(kind: str, form: Format) -> None:
    paper = LISTS[kind](printed_event(form))
    assert ill_laid(paper, form) == []


@pytest.mark.sampled
@every_format
def test_a_table_and_its_sum_share_a_page_of_the_settling_up_sheet(form: Format) -> None:
    tables = [table_of("Ann", "Ben", "Cy", "Di", number=number) for number in range(1, 9)]
    pages = words_of(settling_pdf(printed_event(form), tables))
    assert len(pages) > 1
    assert "continued" not in "".join(pages)
    for page in pages:
        assert page.count("\nTable ") == page.count("must add up to 0") > 0


@pytest.mark.parametrize("rules", rule_set_keys())
def test_a_crib_sheet_has_every_line_that_scores(rules: str) -> None:
    """Each by its name, or by what it takes where that says more."""
    printed_text = "".join(
        "".join(words_of(crib_pdf("Riverside", rule_set(rules)))).split()
    ).lower()
    lines = [
        [line_name, takes]
        for section in sections(rule_set(rules))
        for line_name, takes, *_ in section.rows
        if section.title not in OMITTED_SECTIONS and line_name not in PLAIN_ROWS
    ]
    assert len(lines) > 10
    missing_lines = [
        line for line in lines if not any("".join(x.split()).lower() in printed_text for x in line)
    ]
    assert missing_lines == []


@every_format
@pytest.mark.parametrize("rules", rule_set_keys())
def test_a_crib_sheet_is_one_sheet(rules: str, form: Format) -> None:
    paper = crib_pdf("Riverside", rule_set(rules), form)
    assert len(pages_of(paper)) <= (4 if form.is_large else 2)
    assert ill_laid(paper, form) == []


@pytest.mark.parametrize("rules", rule_set_keys())
def test_no_column_of_a_crib_sheet_begins_with_the_last_line_of_a_section(rules: str) -> None:
    """Two lines at least stay together at either end of a section; the rest is by height."""
    blocks = crib_blocks(rule_set(rules))
    alone = {"".join(block.rows[-1].name.split()) for block in blocks if len(block.rows) > 1}
    titles = {"".join(block.title.split()) for block in blocks}
    assert len(titles) > 5
    for page in pages_of(crib_pdf("Riverside", rule_set(rules))):
        lines = [line for line in lines_on(page) if line.base < page.mediabox.height - 70]
        for left_edge in {round(line.left) for line in lines if line.text.strip()}:
            column = [line for line in lines if round(line.left) == left_edge]
            if len(column) > 5:
                first = max(column, key=lambda line: line.base)
                last = min((line for line in column if line.base > 60), key=lambda line: line.base)
                assert "".join(first.text.split()).rstrip(":") not in alone
                assert "".join(last.text.split()) not in titles


def test_a_crib_sheet_says_in_a_sentence_what_is_no_figure() -> None:
    (page,) = pages_of(crib_pdf("Riverside", rule_set("baggaley")))
    text = " ".join(page.extract_text().split())
    assert "Completed by the drawn last tile: twice what it completes" in text


def test_a_crib_sheet_says_nothing_twice_and_numbers_as_the_rules_do() -> None:
    text = " ".join(" ".join(words_of(crib_pdf("Riverside", rule_set("bmja")))).split())
    assert "Robbing a kong 1" in text
    assert "by robbing a kong" not in text
    assert "Kong of 2s to 8s (minor tiles) 16 8" in text
    assert "Heads and Tails: only 1s and 9s" in text
    assert "1,000 points, one tile short 400: pungs or kongs and a pair" in text


@pytest.mark.parametrize("rules", rule_set_keys())
def test_blank_sheets_are_for_as_many_as_may_play(rules: str) -> None:
    pages = words_of(blank_sheets(printed_event(Format()), rules))
    fives = [page for page in pages if "starts by sitting out" in page]
    assert bool(fives) == (5 in rule_set(rules).seats)
    assert all("Scan to enter" not in page for page in pages)


def test_the_seats_are_listed_by_surname_with_table_and_wind() -> None:
    text = words_of(seats_pdf(printed_event(Format()), TABLES))[0]
    assert "II\n1\nEast\nBronagh Nic Giolla \nPhádraig-Łukasiewiczo\n1\nSouth\nMária" in text


def test_the_emergency_pack_holds_all_that_an_evening_needs() -> None:
    pages = words_of(emergency_pack(printed_event(Format()), TABLES, PEOPLE, "bmja"))
    page_starts = [" ".join(page.split()[:14]) for page in pages]
    assert "If Tongbox stops" in pages[0]
    assert all(step.split()[0] in pages[0] for step in EMERGENCY_STEPS)
    titles = [
        "Seating list",
        "Table 1",
        "Table 2",
        "Settling-up sheet",
        "BMJA rules",
        "Attendance list",
    ]
    assert [title for title in titles if not any(title in page for page in page_starts)] == []
    assert sum("Table ____" in page for page in page_starts) == 4
    assert f"of {len(pages)}" in pages[0].replace("\n", "")


@pytest.mark.sampled(law="long plays")
def test_the_emergency_pack_has_the_result_so_far_and_the_league(
    cast: Cast, alice: Visitor
) -> None:
    make_season(cast.club)
    session = night(cast.club, date(2026, 11, 17), make_players(cast.club, 4))
    address = f"/c/riverside/evenings/{session.pk}/print/emergency.pdf"
    pages_before = words_of(alice.get(address).content)
    post(session.tables.get(), SECOND_WINS)
    pages_after = words_of(alice.get(address).content)
    (result,) = (page for page in pages_after if "Result so far" in page)
    (league,) = (page for page in pages_after if "Club league, Autumn 2026" in page)
    assert ("1\nBen\n+240\n" in result, "1\nBen\n+240\n" in league) == (True, True)
    assert len(pages_before) == len(pages_after) - 1


def test_the_attendance_list_is_by_surname_and_says_what_was_paid() -> None:
    people = [
        Arrival("Zoë Bell", is_here=True, paid="£2.50"),
        Arrival("Lin M.", is_here=False),
        Arrival("Nuala", is_here=False),
        Arrival("Ann Ó Briain", is_here=True),
    ]
    (page,) = pages_of(attendance_pdf(printed_event(Format()), people))
    lines = lines_on(page)
    left_edge = next(line.left for line in lines if line.text == "Zoë")
    names = [
        line.text for line in sorted(lines, key=lambda line: -line.base) if line.left == left_edge
    ]
    assert names[-4:] == ["Zoë", "Lin", "Nuala", "Ann"]
    assert "£2.50" in page.extract_text()
    assert "2 of 4 people are here." in page.extract_text()


def test_a_list_to_tick_has_an_empty_box_for_each_and_a_tick_for_who_is_here() -> None:
    def corners(people: list[Arrival]) -> int:
        return frames_on(pages_of(attendance_pdf(printed_event(Format()), people))[0])

    empty_count = corners([])
    assert corners([Arrival("Ann", is_here=False)]) == empty_count + 2
    assert corners([Arrival("Ann", is_here=True, paid="£2")]) == empty_count + 1


@pytest.mark.parametrize(
    "kind", ["sheets", "cards", "seating-cards", "seats", "tally", "door", "result", "emergency"]
)
def test_every_paper_of_an_evening_says_its_year(
    alice: Visitor, table: SessionTable, kind: str
) -> None:
    base_address = f"/c/riverside/evenings/{table.session_id}/print/"
    pages = words_of(alice.get(f"{base_address}{kind}.pdf").content)
    day = full_date(table.session.held_on)
    lone = [page for page in pages if day not in " ".join(page.split())]
    assert [page for page in lone if "BMJA rules" not in page] == []


@pytest.mark.parametrize("kind", ["seats", "tally", "emergency", "door", "result"])
def test_the_evenings_lists_name_everybody(alice: Visitor, table: SessionTable, kind: str) -> None:
    answer = alice.get(f"/c/riverside/evenings/{table.session_id}/print/{kind}.pdf")
    assert answer["Content-Type"] == "application/pdf"
    text = "".join(words_of(answer.content))
    assert [name for name in NAMES[:4] if name not in text] == []


def test_the_page_of_papers_remembers_how_they_are_printed(
    alice: Visitor, table: SessionTable
) -> None:
    page = alice.get(f"/c/riverside/evenings/{table.session_id}/print/?print=large&paper=letter")
    for name, value in (("print", "large"), ("paper", "letter"), ("contrast", "ordinary")):
        assertContains(page, f'name="{name}" value="{value}" checked')
    assertContains(page, f"/c/riverside/evenings/{table.session_id}/print/emergency.pdf")


def test_before_anybody_sits_only_what_needs_no_seats_is_offered(
    cast: Cast, alice: Visitor
) -> None:
    session = evenings.open_session(club=cast.club, held_on=date(2026, 11, 17))
    base_address = f"/c/riverside/evenings/{session.pk}/print/"
    page = alice.get(base_address).content.decode()
    assert ("emergency.pdf" in page, "door.pdf" in page) == (False, True)
    assert alice.get(f"{base_address}emergency.pdf").status_code == 302
    assert alice.get(f"{base_address}door.pdf").status_code == 200


@pytest.mark.sampled
@every_format
@pytest.mark.parametrize("with_code", [False, True])
def test_a_card_holds_a_long_name_twice_in_every_format(form: Format, with_code: bool) -> None:
    paper = seating_cards([table_of(*LONG, number=64)], form, with_code=with_code)
    text = "".join("".join(words_of(paper)).split())
    assert [name for name in LONG if text.count("".join(name.split())) != 2] == []
    assert ill_laid(paper, form) == []


def test_four_cards_share_a_sheet_and_two_in_large_print() -> None:
    table = table_of(*LONG)
    assert len(pages_of(seating_cards([table]))) == 2
    assert len(pages_of(seating_cards([table], Format(letters=Letters.LARGE)))) == 3


def test_the_fold_lies_between_the_two_names_of_a_card() -> None:
    (page,) = pages_of(seating_cards([table_of("Ann", "Ben", "Cy")]))
    fold = float(page.mediabox.height) * 0.75
    front, back = sorted(line.base - fold for line in lines_on(page) if line.text == "Ann")
    assert front < 0 < back


def test_a_card_says_the_table_and_the_wind_that_its_place_starts_with() -> None:
    (page,) = words_of(seating_cards([table_of("Ann", "Ben", "Cy", "Di", number=7)]))
    lines = page.split("\n")
    for wind in ("East", "South", "West", "North"):
        assert lines.count(f"starts as {wind}") == 2
    assert lines.count("Table 7") == 8


def test_a_card_has_the_code_of_its_table_where_it_is_wanted() -> None:
    table = table_of("Ann", "Ben", "Cy")
    with_code, plain = (seating_cards([table], with_code=has_code) for has_code in (True, False))
    assert codes_of(pages_of(with_code)[0])
    assert len(with_code) > len(plain)
    assert ADDRESS not in "".join(words_of(with_code))


def test_an_evening_prints_a_card_for_everybody_seated(alice: Visitor, table: SessionTable) -> None:
    base_address = f"/c/riverside/evenings/{table.session_id}/print/"
    assertContains(alice.get(base_address), f'formaction="{base_address}seating-cards.pdf"')
    text = "".join(words_of(alice.get(f"{base_address}seating-cards.pdf?code=yes").content))
    assert [name for name in NAMES[:4] if text.count(name) != 2] == []


@pytest.mark.django_db
def test_a_tournament_prints_the_cards_of_one_round(cast: Cast, client: Client) -> None:
    cup = seated_cup(club=cast.club, entrants=8, rounds=2)
    client.force_login(cast.director)
    base_address = f"/c/riverside/tournaments/{cup.pk}/print/"
    page = client.get(f"{base_address}?round=2&print=large")
    assertContains(page, 'name="round" value="2" checked')
    assertContains(page, 'name="print" value="large" checked')
    texts = words_of(client.get(f"{base_address}seating-cards.pdf?round=2").content)
    assert (len(texts), len(tables_of(cup, 2))) == (2, 2)
    assert all("round 2" in page and "round 1" not in page for page in texts)


@pytest.mark.django_db
def test_before_a_round_is_seated_only_what_needs_no_seats_is_offered(
    cast: Cast, client: Client
) -> None:
    cup = make_cup(club=cast.club)
    client.force_login(cast.director)
    base_address = f"/c/riverside/tournaments/{cup.pk}/print/"
    page = client.get(base_address)
    assertContains(page, "badges.pdf")
    assertNotContains(page, "seating-cards.pdf")
    assert client.get(f"{base_address}seating-cards.pdf").status_code == 302


@pytest.mark.django_db
def test_the_scorer_is_not_offered_what_only_directors_print(cast: Cast, client: Client) -> None:
    cup = seated_cup(club=cast.club)
    client.force_login(cast.scorer)
    base_address = f"/c/riverside/tournaments/{cup.pk}/print/"
    assertNotContains(client.get(base_address), "Prize-giving")
    client.force_login(cast.director)
    assertContains(client.get(base_address), "Prize-giving")
