"""The club's papers: what is printed on them, that all of it is on the page, some pages alone."""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import date
from fractions import Fraction
from urllib.parse import quote

import pytest
import segno
from hypothesis import given, strategies as st
from pytest_django.asserts import assertContains

from clubs.evenings.selectors.evenings import ResultRow, linked_tables
from clubs.evenings.services import evenings
from clubs.league.papers import league_pdf
from clubs.league.poster import season_poster
from clubs.league.season_pack import season_pack
from clubs.league.selectors.seasons import LeagueRow, LeagueTable
from clubs.league_rules.rules import LeagueRules
from clubs.models import Club, Session, SessionTable
from clubs.paper.document import Column, ListPart, draw_list, fitted_name, name_forms
from clubs.paper.fonts import BOLD_FACE, TEXT_FACE, width_of
from clubs.paper.formats import Format, Letters
from clubs.paper.page import ROUNDING, Paper, fit_line
from clubs.paper.response import NoSuchPages, extract_pages, read_pages
from clubs.table.papers.cards import SeatedTable, blank_table, table_cards
from clubs.table.papers.score_sheets import how_to_paragraphs, score_sheets
from clubs.table.rows import TableView
from scoring import deals, rule_set, rule_set_keys
from scoring.scorebook.reports import Report
from scoring.scorebook.selectors import GameView
from tests.clubs.nights import DRAWN, SECOND_WINS, make_players, make_season, night, post
from tests.clubs.tables import seated_evening
from tests.clubs.visits import Visitor
from tests.paper import codes_of, lines_on, outside, overlapping, pages_of, picture_on, words_of
from tests.people import Cast, make_player
from tests.tournaments.cups import play_round, seated_cup

ADDRESS = "http://192.168.1.20:8000/t/abcDEF123_-45678/"
WINDS = ("East", "South", "West", "North")
LONG = (
    "Wolfgang-Maximilian Featherstonehaugh II",
    "Bronagh Nic Giolla Phádraig-Łukasiewiczo",
    "MARGARET MONTGOMERY-WILLIAMS OF WYMONDHA",
    "Mária Änne-Élisabeth von Hohenzollern-Üx",
    "Oluwaseun Ademola-Ogunbanjo Fairweatherx",
)


def table_of(
    *names: str, hands_planned: int | None = None, number: int = 3, rules: str = "bmja"
) -> SeatedTable:
    """A table that nobody has played at yet."""
    start = deals((), rules=rule_set(rules), seats=len(names), hands=hands_planned)
    game = GameView(
        pk=1,
        rules=rule_set(rules).key,
        size=len(names),
        is_closed=False,
        hands_planned=hands_planned,
        hands=(),
        totals=dict.fromkeys(range(1, len(names) + 1), 0),
        next_deal=start.deals[-1],
    )
    view = TableView(number, "Tuesday 17 November", dict(enumerate(names, start=1)), game)
    return SeatedTable("Riverside Mah-Jong Club", view, ADDRESS)


def result_of_names(*names: str) -> tuple[ResultRow, ...]:
    """An evening's result in which the last has played no hand."""
    return tuple(
        ResultRow(
            place=None if name == names[-1] else place,
            is_tied=False,
            player_id=place,
            name=name,
            table=place,
            points=12_345 - 5_000 * place,
            hands=16,
            mahjongs=4,
            best_hand=1_000,
            pays=True,
        )
        for place, name in enumerate(names, start=1)
    )


def league_of(*names: str) -> LeagueTable:
    """A league table in which everyone has a place but the last."""
    rows = [
        LeagueRow(
            place=None if name == names[-1] else place,
            is_tied=False,
            player_id=place,
            name=name,
            evenings_attended=3,
            total=1000 - place,
            average=Fraction(1000 - place, 3),
            best_total=1000 - place,
            counting_evenings=3,
            mahjongs=4,
            best_hand=208,
            decided_by=None,
            score=Fraction(1000 - place),
            pays=True,
            is_signed=True,
            has_tenths=False,
        )
        for place, name in enumerate(names, start=1)
    ]
    days = (date(2026, 11, 17),)
    return LeagueTable(1, "Club league, 2026", LeagueRules(ties=()), days, (), tuple(rows))


def sheet_with(session: Session, *reports: Report) -> bytes:
    """The sheet of the evening's table, with these hands printed in."""
    post(session.tables.get(), *reports)
    (table,) = linked_tables(session)
    return score_sheets([SeatedTable(session.club.name, table.view, ADDRESS)])


@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_sheet_names_everybody_and_their_wind(players: int) -> None:
    names = ("Margaret Ashworth", "Dilip Chaudhuri", "Zoë Łukasiewicz", "Ngaio Ó Sé", "Llŷr Ap")
    paper = score_sheets([table_of(*names[:players])])
    text = " ".join(words_of(paper)[0].split())
    starts = (*(f"starts as {wind}" for wind in WINDS), "starts by sitting out")
    for number, (name, start) in enumerate(zip(names[:players], starts, strict=False), start=1):
        assert f"{number} {name} {start}" in text
    assert "Table 3" in text
    assert outside(paper) == []


def rows_of(paper: bytes) -> list[list[str]]:
    """The numbers of the hands on each page, as they stand in the first column."""
    pages = [lines_on(page) for page in pages_of(paper)]
    left_edge = min(line.left for page in pages for line in page if line.text == "Hand")
    return [
        [line.text for line in page if line.left < left_edge + 16 and line.text.isdecimal()]
        for page in pages
    ]


def test_a_sheet_has_a_row_for_each_planned_hand() -> None:
    paper = score_sheets([table_of("Ann", "Ben", "Cy", "Di", hands_planned=8)])
    assert rows_of(paper) == [[str(number) for number in range(1, 9)]]


def test_a_sheet_has_sixteen_rows_on_a_club_night_on_both_its_sides() -> None:
    paper = score_sheets([table_of("Ann", "Ben", "Cy", "Di")])
    front, back = rows_of(paper)
    assert (front, back) == ([str(n) for n in range(1, 9)], [str(n) for n in range(9, 17)])
    assert "Brought forward" in words_of(paper)[1]


ALONE_AND_TOGETHER = (
    table_of("Ann", "Ben", "Cy", "Di", hands_planned=8),
    table_of("Eve", "Fay", "Gus", "Hal", hands_planned=20),
    table_of("Ann", "Ben", "Cy", hands_planned=8),
    table_of("Ida", "Joe", "Kay", "Lou", "Meg"),
    table_of("Ned", "Ola", "Pat", "Quin", hands_planned=8, rules="baggaley"),
    table_of("Ann", "Ben", "Cy", "Di", hands_planned=8),
)


@pytest.mark.parametrize("form", [Format(), Format(letters=Letters.LARGE)], ids=["usual", "large"])
def test_sheets_that_are_printed_together_say_what_each_says_alone(form: Format) -> None:
    """What sheets have in common is drawn once, and none may show what is another's."""
    together = iter(pages_of(score_sheets(ALONE_AND_TOGETHER, form)))
    for table in ALONE_AND_TOGETHER:
        pages = pages_of(score_sheets([table], form))
        for page in pages[:-1] if form.is_large else pages:  # the last says how to fill them in
            assert lines_on(next(together)) == lines_on(page)


@pytest.mark.django_db
def test_recorded_hands_are_printed_in(cast: Cast) -> None:
    third_wins = Report(winner=3, totals={1: 20, 2: 60, 3: 60, 4: 8})
    paper = sheet_with(seated_evening(cast.club), third_wins, DRAWN)
    text = words_of(paper)[0]
    joined_text = " ".join(text.split())
    six = "1 2 80 1 3 120 1 4 24 2 3 60 2 4 52 3 4 60"
    assert (
        f" 1 E 1 D G {six} 20 60 60 8 −176 +72 +240 −136 −176 +72 +240 −136 2 E 2 D " in joined_text
    )
    assert " drawn drawn drawn drawn 0 0 0 0 −176 +72 +240 −136 " in joined_text
    assert outside(paper) == []


@pytest.mark.sampled(days=4)
@pytest.mark.parametrize("rules", rule_set_keys())
def test_a_sheet_says_how_its_rules_are_played(rules: str) -> None:
    paper = score_sheets([table_of(*LONG[:4], rules=rules)])
    text = " ".join(words_of(paper)[0].split())
    payments = rule_set(rules).payments
    at_four = payments._replace(multiplied_with_two=True) if payments else None
    for subject, wording in at_four.describe() if at_four else ():
        assert f"{subject[:1].upper()}{subject[1:]}: {wording}." in text
    assert ("= 0" in text) == (payments is not None)
    assert ("Wind" in text.split()) == rule_set(rules).passing.prevailing
    assert ("Dealer is" in text, "Write D for the player" in text) == (rules == "tallies",) * 2
    assert "None" not in text
    assert outside(paper) == []


@pytest.mark.django_db
@pytest.mark.parametrize(("players", "is_said"), [(2, True), (3, False), (4, False), (5, False)])
def test_only_a_sheet_for_two_says_what_two_players_pay(players: int, is_said: bool) -> None:
    text = " ".join(how_to_paragraphs(blank_table("Riverside", "Evening", "bmja", players)))
    assert "East: Pays and is paid twice" in text
    assert ("but not with two players" in text) == is_said


def test_a_sheet_with_tallies_prints_who_discarded(cast: Cast) -> None:
    cast.club.rules = "tallies"
    cast.club.save()
    report = Report(winner=2, totals={2: 100}, won_by="discard", discarder=3)
    text, _ = words_of(sheet_with(seated_evening(cast.club), report))
    assert " – 100 D – 0 +200 −200 0 " in " ".join(text.split())


@pytest.mark.django_db
def test_a_winner_whose_score_is_not_known_is_marked_all_the_same(cast: Cast) -> None:
    report = Report(winner=2, only_winner=True)
    text, _ = words_of(sheet_with(seated_evening(cast.club), report))
    assert text.count("MJ\n") == 1


def test_what_hangs_over_the_edge_is_noticed() -> None:
    paper = Paper("edge")
    paper.text(500, 100, "much too long for this page")
    paper.mark("sign", 300, -8, 20)
    assert outside(paper.finish()) == [
        "page 1: much too long for this page at 622, 100",
        "page 1: picture /FormXob.sign-red at 300, -8",
    ]


@pytest.mark.django_db
def test_a_printout_has_the_mark_of_the_club(cast: Cast) -> None:
    Club.objects.update(mark_colour="blue")
    cast.club.refresh_from_db()
    make_season(cast.club)
    session = seated_evening(cast.club)
    printouts = f"/c/riverside/evenings/{session.pk}/print/"
    for address in (
        f"{printouts}cards.pdf",
        f"{printouts}seats.pdf",
        "/c/riverside/special-hands.pdf",
    ):
        (page, *_) = pages_of(Visitor(cast.secretary).get(address).content)
        assert "/FormXob.sign-blue" in page["/Resources"]["/XObject"], address  # type: ignore[index]


def test_two_cards_share_a_page() -> None:
    tables = [table_of("Ann", "Ben", "Cy", "Di", number=number) for number in (1, 2, 3)]
    first, second = words_of(table_cards(tables))
    assert ("Table 1" in first, "Table 2" in first, "Table 3" in second) == (True, True, True)


def test_the_code_on_a_card_is_the_tables_address() -> None:
    (page,) = pages_of(table_cards([table_of("Ann", "Ben", "Cy", "Di")]))
    matrix = segno.make(ADDRESS, micro=False, error="m").matrix
    dark = {(r, c) for r, row in enumerate(matrix) for c, module in enumerate(row) if module}
    assert codes_of(page) == dark
    assert ADDRESS in "".join(page.extract_text().split())


def number_of(page: str) -> str:
    """What a page says of its number."""
    return " ".join(page.split("Page ")[1].split()[:3])


def test_a_long_league_goes_on_with_headers_and_page_numbers() -> None:
    paper = league_pdf("Riverside", league_of(*(f"Player {n}" for n in range(1, 91))))
    pages = words_of(paper)
    assert [page.count("Mah-Jongs") for page in pages] == [1, 1, 1]
    assert [number_of(page) for page in pages] == ["1 of 3", "2 of 3", "3 of 3"]
    assert [f"Player {n}\n" in "".join(pages) for n in range(1, 91)] == [True] * 90
    assert "Not ranked yet" in pages[2]
    assert outside(paper) == []


def test_a_part_that_goes_on_over_a_page_says_again_whose_it_is() -> None:
    paper = Paper("hands")
    rows = tuple((f"{number}", "Ann") for number in range(1, 61))
    draw_list(
        paper,
        columns=(Column("Hand", 1), Column("Mah-Jong", 4, "left")),
        parts=(ListPart("Table 1: Ann, Ben", rows[:4]), ListPart("Table 2: Cy, Di", rows)),
        top=lambda _page: 780.0,
        footer="Every hand",
    )
    first, second = words_of(paper.finish())
    assert "Table 2: Cy, Di\n" in first
    assert "Table 2: Cy, Di (continued)" in second
    assert "Table 1" not in second


def test_a_list_breaks_no_name_while_others_have_room_to_spare() -> None:
    paper = Paper("standings")
    draw_list(
        paper,
        columns=(Column("Name", 3, "left"), Column("From", 1, "left"), Column("Gain", 2)),
        parts=(ListPart("", (("Ann", "Three Rivers Mah-Jong", "+96"),)),),
        top=lambda _page: 780.0,
        footer="Standings",
    )
    assert "Three Rivers Mah-Jong" in words_of(paper.finish())[0]


def test_the_page_number_ends_at_the_margin_and_a_lone_page_has_none() -> None:
    paper = Paper("two pages")
    paper.footer("Riverside")
    paper.next_page()
    paper.footer("Riverside")
    pdf = paper.finish()
    assert "Page 1 of 2" in words_of(pdf)[0]
    assert picture_on(pages_of(pdf)[0], "page-1") == pytest.approx(595.28 - 40, abs=0.5)
    alone = Paper("one page")
    alone.footer("Riverside")
    assert "Page" not in words_of(alone.finish())[0]


def test_a_list_for_the_wall_fills_its_page_and_needs_no_other() -> None:
    short_pdf, long_pdf = (
        league_pdf("Riverside", league_of(*(f"Player {n}" for n in range(1, count + 1))))
        for count in (12, 60)
    )
    sizes = [lines_on(pages_of(paper)[0])[-3].size for paper in (short_pdf, long_pdf)]
    assert (len(pages_of(short_pdf)), len(pages_of(long_pdf))) == (1, 2)
    assert sizes[0] > 1.3 * sizes[1]
    assert outside(short_pdf) == []


def test_letters_shrink_before_any_is_lost() -> None:
    text, size = fit_line(LONG[0], BOLD_FACE, 11, 180, 8)
    assert text == LONG[0]
    assert round(width_of(text, BOLD_FACE, size)) == 180
    cut_text, smallest = fit_line(LONG[0] * 2, BOLD_FACE, 11, 180, 8)
    assert (cut_text[-1], smallest) == ("…", 8)


def test_the_evenings_papers_are_pdfs_with_the_hosts_address(
    alice: Visitor, table: SessionTable
) -> None:
    for kind in ("sheets", "cards"):
        answer = alice.get(f"/c/riverside/evenings/{table.session_id}/print/{kind}.pdf")
        assert (answer.status_code, answer["Content-Type"]) == (200, "application/pdf")
        text = "".join("".join(words_of(answer.content)).split())
        assert f"http://testserver/t/{table.link_key}/" in text


def test_nothing_to_print_is_said_on_the_evenings_page(cast: Cast, alice: Visitor) -> None:
    session = evenings.open_session(club=cast.club, held_on=date(2026, 11, 17))
    answer = alice.get(f"/c/riverside/evenings/{session.pk}/print/sheets.pdf", follow=True)
    assert answer.redirect_chain == [(f"/c/riverside/evenings/{session.pk}/", 302)]
    assert "No one is seated yet, so there is nothing to print." in answer.content.decode()


def test_one_table_can_be_printed_again(alice: Visitor, table: SessionTable) -> None:
    base = f"/c/riverside/evenings/{table.session_id}/print/cards.pdf"
    assert len(pages_of(alice.get(f"{base}?table=1").content)) == 1
    assert alice.get(f"{base}?table=9").status_code == 302


@pytest.mark.django_db
def test_a_seasons_pack_has_a_cover_the_table_and_every_evening(cast: Cast) -> None:
    season = make_season(cast.club)
    players = make_players(cast.club, 4)
    for day in (10, 17):
        session = night(cast.club, date(2026, 11, day), players)
        post(session.tables.get(), SECOND_WINS)
    progress_calls: list[tuple[int, int]] = []
    paper = season_pack(season, progress=lambda done, total: progress_calls.append((done, total)))
    cover, table, evenings = words_of(paper)
    assert [line.strip() for line in cover.splitlines() if line.strip()] == [
        "Riverside Mah-Jong Club",
        "Club league",
        "Autumn 2026",
        "1 September 2026 to 31 December 2026",
        "2 evenings, 4 players",
    ]
    assert "1\nBen\n+480\n" in table
    first, second = evenings.split("Tuesday 17 November 2026")
    assert ("Tuesday 10 November 2026" in first, "1\nBen\n+240\n" in first) == (True, True)
    assert all("4 players" in evening for evening in (first, second))
    assert progress_calls == [(1, 3), (2, 3), (3, 3)]
    assert (outside(paper), overlapping(paper)) == ([], [])


@pytest.mark.parametrize("letters", Letters)
def test_an_evening_of_sixteen_is_whole_on_a_page_of_the_pack(cast: Cast, letters: Letters) -> None:
    players = [make_player(cast.club, f"Player {letter}") for letter in "ABCDEFGHIJKLMNOP"]
    season = make_season(cast.club)
    session = night(
        cast.club, date(2026, 11, 17), *(players[start : start + 4] for start in range(0, 16, 4))
    )
    for table in session.tables.all():
        post(table, SECOND_WINS)
    paper = season_pack(season, progress=lambda _done, _total: None, form=Format(letters=letters))
    (evening,) = [page for page in words_of(paper)[1:] if "17 November 2026\n" in page]
    assert all(player.name in evening for player in players)
    assert "16 players, not finished yet" in evening
    assert (outside(paper), overlapping(paper)) == ([], [])


@pytest.mark.sampled(law="long plays")
def test_sheets_printed_at_the_same_moment_are_alike() -> None:
    table = table_of("Ann", "Zoë Łukasiewicz", "Llŷr", "Di")
    with ThreadPoolExecutor(8) as phones:
        papers = set(phones.map(lambda _: score_sheets([table] * 5), range(16)))
    assert papers == {score_sheets([table] * 5)}


def test_the_season_s_poster_names_all_who_made_the_highest_hand() -> None:
    (text,) = words_of(season_poster("Riverside", "2026", league_of("Ann", "Ben", "Cy")))
    assert "The highest hand: Ann, Ben and Cy, 208 points" in " ".join(text.split())


def test_many_who_made_the_highest_hand_stay_on_the_poster() -> None:
    paper = season_poster("Riverside", "2026", league_of(*LONG, *LONG))
    assert outside(paper) == []
    (text,) = words_of(paper)
    assert f"{LONG[-1].split()[-1]}, 208 points" in " ".join(text.split())


def test_first_names_are_shortened_before_the_surname() -> None:
    shorter = ["A.-M. van Dyck", "A.-M. Dyck", "Anne-Marie D.", "A.-M. D.", "A. D."]
    assert list(name_forms("Anne-Marie van Dyck")) == ["Anne-Marie van Dyck", *shorter]


def test_what_follows_a_surname_goes_first() -> None:
    shorter = ["J. Smith", "J. Smith", "John S.", "J. S.", "J. S."]
    assert list(name_forms("John Smith MBE")) == ["John Smith MBE", *shorter]


@pytest.mark.parametrize(
    ("name", "shorter"),
    [("Wolfgang-Maximilian", ["W.-M."]), ("王小明", []), ("محمد علي", ["محمد"])],
    ids=["a single name to its initials", "no capitals, no initials", "two names to the first"],
)
def test_a_name_is_shortened_as_it_is_written(name: str, shorter: list[str]) -> None:
    assert list(name_forms(name)) == [name, *shorter]


def test_a_name_that_fits_is_left_as_it_is() -> None:
    assert fitted_name("Ann Bell", TEXT_FACE, 9, 200) == ("Ann Bell", 9)


@pytest.mark.parametrize("name", LONG)
def test_a_long_name_in_a_narrow_column_is_not_cut_off(name: str) -> None:
    text, size = fitted_name(name, TEXT_FACE, 9, 26)
    assert "…" not in text
    assert size >= 8
    assert width_of(text, TEXT_FACE, size) <= 26 + ROUNDING


@given(st.text(max_size=40), st.floats(20, 300))
def test_whatever_the_name_it_fits(name: str, room: float) -> None:
    text, size = fitted_name(name, TEXT_FACE, 9, room)
    assert width_of(text, TEXT_FACE, size) <= room + ROUNDING


@pytest.mark.parametrize("players", [4, 5])
def test_a_score_sheet_cuts_no_name_off(players: int) -> None:
    text = "".join(words_of(score_sheets([table_of(*LONG[:players])])))
    assert "…" not in text
    assert "W.-M." in text


LEAGUE = league_pdf("Riverside", league_of(*(f"Player {n}" for n in range(1, 91))))


def test_a_page_is_printed_again_with_the_number_that_it_had() -> None:
    second, third = words_of(extract_pages(LEAGUE, "2-3"))
    assert [number_of(page) for page in (second, third)] == ["2 of 3", "3 of 3"]
    assert [second, third] == words_of(LEAGUE)[1:]


def test_the_same_pages_are_the_same_bytes() -> None:
    assert extract_pages(LEAGUE, "1, 3") == extract_pages(LEAGUE, "3,1")


@pytest.mark.parametrize(
    ("text", "pages"),
    [("3", [3]), ("3,7-9", [3, 7, 8, 9]), (" 7 – 9 ; 3,", [3, 7, 8, 9]), ("2,1-3,2", [1, 2, 3])],
)
def test_pages_are_read_as_people_write_them(text: str, pages: list[int]) -> None:
    assert read_pages(text, 9) == pages


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("10", "There is no page 10: this printout has 9 pages."),
        ("0", "There is no page 0: this printout has 9 pages."),
        ("8-12", "There is no page 12: this printout has 9 pages."),
        ("9-7", "“9-7” is the wrong way round: enter 7-9."),
        ("the last", "“the last” is not a page. Enter 3 for one page or 7-9 for several"),
        ("٣", "“٣” is not a page"),
        (", ,", "Enter pages such as 3 or 7-9"),
        ("9" * 40, f"“{'9' * 20}” is not a page"),
    ],
)
def test_pages_that_are_not_there_are_told_in_a_sentence(text: str, message: str) -> None:
    with pytest.raises(NoSuchPages, match=re.escape(message)):
        read_pages(text, 9)


@given(st.text(max_size=30), st.integers(1, 40))
def test_whatever_is_typed_gives_pages_or_a_sentence(text: str, count: int) -> None:
    with suppress(NoSuchPages):
        pages = read_pages(text, count)
        assert pages == sorted(set(pages))
        assert set(pages) <= set(range(1, count + 1))


def addresses(cast: Cast) -> Iterator[str]:
    """One paper of every room that prints."""
    session = seated_evening(cast.club, held_on=date(2026, 11, 17))
    cup = seated_cup(club=cast.club)
    play_round(cup, SECOND_WINS)
    evening = f"/c/riverside/evenings/{session.pk}"
    tournament = f"/c/riverside/tournaments/{cup.pk}"
    yield from (
        f"{evening}/print/{kind}.pdf"
        for kind in ("sheets", "cards", "emergency", "crib", "door", "blank-sheets")
    )
    yield from (f"{tournament}/print/{kind}.pdf" for kind in ("sheets", "emergency", "badges"))
    yield f"{tournament}/standings.pdf"


@pytest.mark.sampled(law="long plays")
def test_every_paper_gives_one_page_alone_or_says_that_it_has_none(
    cast: Cast, alice: Visitor
) -> None:
    for address in addresses(cast):
        response = alice.get(f"{address}?pages=1")
        assert len(pages_of(response.content)) == 1, address
        wrong = alice.get(f"{address}?pages=99&print=large")
        assertContains(wrong, "There is no page 99", status_code=400)
        assertContains(wrong, '<input type="hidden" name="print" value="large">', status_code=400)
        assertContains(wrong, 'value="99"', status_code=400)


def test_the_page_of_papers_asks_which_pages(alice: Visitor, table: SessionTable) -> None:
    page = alice.get(f"/c/riverside/evenings/{table.session_id}/print/?pages={quote('3,7-9')}")
    assertContains(page, 'name="pages" value="3,7-9"')
