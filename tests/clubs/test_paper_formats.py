"""Every sheet in every format: nothing overlaps, nothing runs off, large print is large."""

from itertools import product

import pytest
from django.test import Client

from clubs.pdf.cards import table_cards
from clubs.pdf.formats import Contrast, Format, Letters, Size, format_of
from clubs.pdf.grid import BOX, grid_of
from clubs.pdf.page import Paper
from clubs.pdf.sheets import score_sheets
from clubs.pdf.tables import league_pdf
from tests.clubs.tables import seated_evening
from tests.clubs.test_pdf import LONG, league_of, table_of
from tests.paper import outside, overlapping, pages_of, smaller_than, words_of
from tests.people import Cast

FORMATS = [Format(*chosen) for chosen in product(Size, Letters, Contrast)]
NAMES = [form.query or "usual" for form in FORMATS]
ALMOST_SIXTEEN = 15.6
every_format = pytest.mark.parametrize("form", FORMATS, ids=NAMES)


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
    address = f"/c/riverside/evenings/{session.pk}/papers/sheets.pdf?paper=letter&print=large"
    box = pages_of(client.get(address).content)[0].mediabox
    assert (float(box.width), float(box.height)) == (792.0, 612.0)
