"""Every sheet in every format: nothing overlaps, nothing runs off, large print is large."""

from datetime import date
from itertools import product

import pytest
from django.test import Client

from clubs.evenings.selectors.evenings import linked_tables
from clubs.league.papers import Poster, league_pdf, poster_of
from clubs.models import Player
from clubs.paper.formats import Contrast, Format, Letters, Size, format_of
from clubs.paper.page import Paper
from clubs.table.papers.cards import SeatedTable, table_cards
from clubs.table.papers.grid import BOX, grid_of
from clubs.table.papers.score_sheets import score_sheets
from scoring.scorebook.reports import Report
from tests.clubs.nights import SECOND_WINS, make_players, night, post
from tests.clubs.paper.test_pdf import ADDRESS, LONG, league_of, table_of
from tests.clubs.tables import seated_evening
from tests.paper import outside, overlapping, pages_of, smaller_than, words_of
from tests.people import Cast

FORMATS = [Format(*chosen) for chosen in product(Size, Letters, Contrast)]
NAMES = [form.query or "usual" for form in FORMATS]
ALMOST_SIXTEEN = 15.6
LIMIT = Report(winner=1, totals={1: 1000, 2: 60, 3: 8, 4: 4})
every_format = pytest.mark.parametrize("form", FORMATS, ids=NAMES)


@pytest.mark.sampled
@every_format
@pytest.mark.parametrize("players", [3, 4, 5])
def test_sheets_and_cards_hold_long_names_in_every_format(form: Format, players: int) -> None:
    table = table_of(*LONG[:players], number=64, planned=4)
    for paper in (score_sheets([table], form), table_cards([table], form)):
        words = "".join(words_of(paper)[0].split())
        assert [name for name in LONG[:players] if "".join(name.split()) not in words] == []
        assert (overlapping(paper), outside(paper)) == ([], [])
        if form.is_large:
            assert smaller_than(paper, ALMOST_SIXTEEN) == []


@every_format
@pytest.mark.parametrize("players", [3, 4, 5])
def test_every_box_to_write_in_is_nine_millimetres_wide(form: Format, players: int) -> None:
    grid = grid_of(Paper("", form, wide=True), table_of(*LONG[:players]))
    cells = [*grid.scores.values(), *grid.payments.values(), *grid.gains.values()]
    narrowest = min(cell.right - cell.left for cell in [*cells, *grid.totals.values()])
    assert narrowest * form.scale >= BOX - 0.01
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
    said = Poster("Riverside", "2026", title, "9 evenings, 24 players", lines, "", "Riverside")
    paper = poster_of(said, form)
    assert (overlapping(paper), outside(paper)) == ([], [])
    assert "".join(title.split()) in "".join(words_of(paper)[0].split())


@every_format
def test_a_league_table_is_whole_in_every_format(form: Format) -> None:
    paper = league_pdf("Riverside Mah-Jong Club", league_of(*LONG, "Ann"), form)
    assert (overlapping(paper), outside(paper)) == ([], [])
    if form.is_large:
        assert smaller_than(paper, ALMOST_SIXTEEN) == []


@every_format
def test_an_address_asks_for_a_format_and_a_format_tells_its_address(form: Format) -> None:
    asked = dict(pair.split("=") for pair in form.query.split("&") if pair)
    assert format_of(asked) == form


def test_what_no_printer_knows_is_printed_as_usual() -> None:
    assert format_of({"paper": "a3", "print": "tiny", "contrast": "%00"}) == Format()


def test_high_contrast_has_one_colour() -> None:
    form = Format(contrast=Contrast.HIGH)
    paper = Paper("", form)
    assert {paper.ink(colour).hexval() for colour in ("#8f1419", "#cfc6b2")} == {"0x000000"}
    assert paper.ink("#ffffff").hexval() == "0xffffff"


@pytest.mark.django_db
def test_the_evenings_sheets_are_printed_in_the_format_asked_for(
    cast: Cast, client: Client
) -> None:
    session = seated_evening(cast.club)
    client.force_login(cast.secretary)
    address = f"/c/riverside/evenings/{session.pk}/print/sheets.pdf?paper=letter&print=large"
    box = pages_of(client.get(address).content)[0].mediabox
    assert (float(box.width), float(box.height)) == (792.0, 612.0)


@pytest.mark.sampled
@pytest.mark.django_db
@every_format
def test_recorded_payments_are_printed_whole_in_every_format(cast: Cast, form: Format) -> None:
    session = night(cast.club, date(2026, 11, 17), make_players(cast.club, 5))
    post(session.tables.get(), LIMIT, SECOND_WINS)
    (table,) = linked_tables(session)
    paper = score_sheets([SeatedTable(cast.club.name, table.view, ADDRESS)], form)
    words = "\n".join(words_of(paper))
    paid = {points for hand in table.view.game.hands for *_, points in hand.payments}
    printed = set(words.split("\n"))  # the comma goes where the column is too narrow for it
    assert [amount for amount in paid if not {f"{amount:,}", f"{amount}"} & printed] == []
    assert (overlapping(paper), outside(paper), "…" in words) == ([], [], False)


@every_format
def test_a_long_footer_is_whole_and_large_in_large_print(form: Format) -> None:
    paper = Paper("", form)
    said = "Riverside Autumn Cup, provisional: round 2 is being played, sealed at 7D5B 747A 9FFD"
    paper.footer(said)
    printed = paper.done()
    assert "".join(said.split()) in "".join("".join(words_of(printed)).split())
    assert (overlapping(printed), outside(printed)) == ([], [])
    if form.is_large:
        assert smaller_than(printed, ALMOST_SIXTEEN) == []


@pytest.mark.sampled
@pytest.mark.django_db
@every_format
def test_who_meets_whom_is_whole_in_every_format(cast: Cast, client: Client, form: Format) -> None:
    players = make_players(cast.club, 12)
    for player, name in zip(players, LONG, strict=False):
        Player.objects.filter(pk=player.pk).update(name=name)
    for day in (3, 10):
        night(cast.club, date(2026, 11, day), players[:4], players[4:8], players[8:])
    session = night(cast.club, date(2026, 11, 17), players[:4], players[4:8], players[8:])
    client.force_login(cast.secretary)
    paper = client.get(f"/c/riverside/evenings/{session.pk}/why.pdf?{form.query}").content
    assert (overlapping(paper), outside(paper)) == ([], [])
    if form.is_large:
        assert smaller_than(paper, ALMOST_SIXTEEN) == []
