"""Lists as files: whoever opens them finds headings in words, and numbers and days as such."""

import csv
from datetime import date, datetime, time
from decimal import Decimal
from fractions import Fraction
from io import BytesIO, StringIO
from typing import Any

import pytest
from django.test import Client
from django.utils.text import slugify
from openpyxl import load_workbook

from clubs.evenings.services import ending
from clubs.evenings.services.calendar import record_payment
from clubs.language.spreadsheets import Cell, SheetData, csv_file, workbook
from clubs.models import Season
from tests.api import api_client
from tests.clubs.league.test_books import IMPERIAL_JADE
from tests.clubs.nights import SECOND_WINS, make_players, make_season, night, post
from tests.people import Cast, browser_of
from tests.tournaments.cups import DRAWN, play_round, seated_cup

CLUB = "/api/v1/clubs/riverside/"
HELD_ON = date(2026, 11, 17)


def rows_of(content: bytes) -> list[dict[str, Any]]:
    """The rows of a workbook's first sheet by its headings, each cell as its type."""
    headings, *rows = load_workbook(BytesIO(content)).worksheets[0].iter_rows(values_only=True)
    return [dict(zip(map(str, headings), row, strict=True)) for row in rows]


def lines_of(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(content.decode("utf-8-sig"))))


@pytest.fixture
def program(cast: Cast) -> Client:
    return api_client(cast.secretary)


@pytest.fixture
def season(cast: Cast) -> Season:
    """Four players after one hand: -64, +240, -80, -96."""
    season = make_season(cast.club, ranks_by="average")
    session = night(cast.club, HELD_ON, make_players(cast.club, 4))
    post(session.tables.get(), SECOND_WINS)
    ending.close_session(session=session)
    return season


def test_a_figure_below_zero_is_a_number(program: Client, season: Season) -> None:
    file = program.get(f"{CLUB}seasons/{season.pk}/standings/?as=csv").content
    assert [float(line["Score"]) for line in lines_of(file)] == [240, -64, -80, -96]
    assert [float(line["Average"]) for line in lines_of(file)] == [240, -64, -80, -96]
    rows = rows_of(program.get(f"{CLUB}seasons/{season.pk}/standings/?as=xlsx").content)
    assert [row["Score"] for row in rows] == [240, -64, -80, -96]


def test_days_and_moments_are_dates(cast: Cast, program: Client, season: Season) -> None:
    (row,) = rows_of(program.get(f"{CLUB}evenings/?as=xlsx").content)
    assert row["Date"] == datetime(2026, 11, 17)  # noqa: DTZ001 -- as a cell has it
    log = rows_of(program.get(f"{CLUB}activity/?as=xlsx").content)
    assert all(isinstance(entry["Date and time"], datetime) for entry in log)
    (line,) = lines_of(program.get(f"{CLUB}evenings/?as=csv").content)
    assert line["Date"] == "2026-11-17"


def test_yes_and_no_are_words_that_an_import_reads(cast: Cast, program: Client) -> None:
    rows = rows_of(program.get(f"{CLUB}members/?as=xlsx").content)
    assert {row["Active"] for row in rows} == {"yes"}
    lines = lines_of(program.get(f"{CLUB}members/?as=csv").content)
    assert {line["Wants results"] for line in lines} == {"no"}


def test_table_points_are_decimals(cast: Cast, program: Client) -> None:
    cup = seated_cup(club=cast.club, rounds=1, hands=1)
    play_round(cup, DRAWN)
    standings = f"{CLUB}tournaments/{cup.pk}/standings/"
    for row in rows_of(program.get(f"{standings}?as=xlsx").content):
        assert (row["Table points"], row["Mah-Jongs credited"]) == (1.75, 0)
    for line in lines_of(program.get(f"{standings}?as=csv").content):
        assert line["Table points"] == "1.75"


def test_a_column_with_fractions_has_two_decimals() -> None:
    rows: list[list[Cell]] = [[Fraction(7, 4), 3], [Fraction(2), 4]]
    sheet = load_workbook(
        BytesIO(workbook([SheetData("", ["Table points", "Hands"], rows)]))
    ).active
    assert sheet is not None
    formats = [sheet.column_dimensions[letter].number_format for letter in "AB"]
    assert formats == ["0.00", "General"]
    assert [cell.number_format for cell in sheet["B"]] == ["General"] * 3


def test_what_breaks_a_tie_is_said_in_words(cast: Cast, program: Client) -> None:
    season = make_season(cast.club, ranks_by="total")
    cup = seated_cup(club=cast.club, rounds=1, hands=1)
    play_round(cup, DRAWN)
    for place in (f"seasons/{season.pk}/", f"tournaments/{cup.pk}/"):
        rows = rows_of(program.get(f"{CLUB}{place}standings/?as=xlsx").content)
        assert {row["Tie broken by"] for row in rows} <= {None, "total gain", "Mah-Jongs"}


def test_a_choice_is_said_as_on_its_page(cast: Cast, program: Client, season: Season) -> None:
    (evening,) = rows_of(program.get(f"{CLUB}evenings/?as=xlsx").content)
    assert evening["State"] == "finished"
    seated_cup(club=cast.club, rounds=1, hands=1)
    (cup,) = rows_of(program.get(f"{CLUB}tournaments/?as=xlsx").content)
    assert cup["Ranks by"].startswith("table points; ")
    assert cup["State"] in {"taking entries", "being played"}


def test_a_file_is_called_after_its_event_and_its_day(cast: Cast) -> None:
    cup = seated_cup(club=cast.club, rounds=1, hands=1)
    play_round(cup, DRAWN)
    secretary = browser_of(cast.secretary)
    answer = secretary.get(f"/c/riverside/tournaments/{cup.pk}/entrants/list.csv")
    filename = f"{slugify(cup.name)}-{cup.held_on}-entries.csv"
    assert answer["Content-Disposition"] == f'attachment; filename="{filename}"'


def test_money_is_in_pounds(cast: Cast, program: Client) -> None:
    cast.club.table_money = 250
    cast.club.save()
    people = make_players(cast.club, 4)
    session = night(cast.club, HELD_ON, people)
    record_payment(session=session, player=people[0], taken_by=cast.secretary)
    take = program.get(f"{CLUB}evenings/{session.pk}/money/?as=xlsx").content
    assert [row["Pounds"] for row in rows_of(take)].count(2.5) == 1
    (line,) = lines_of(program.get(f"{CLUB}money/2026/?as=csv").content)
    assert (line["Date"], line["People who paid"], line["Pounds"]) == ("2026-11-17", "1", "2.50")
    sheet = load_workbook(BytesIO(take)).worksheets[0]
    assert sheet.title == "Table money"
    assert {cell.number_format for cell in sheet["D"][1:] if cell.value is not None} == {"0.00"}


def test_a_seating_has_a_line_for_each_round_of_a_player(cast: Cast, program: Client) -> None:
    cup = seated_cup(club=cast.club, rounds=2, hands=1)
    rows = rows_of(program.get(f"{CLUB}tournaments/{cup.pk}/seating/?as=xlsx").content)
    assert sorted(row["Round"] for row in rows) == [1] * 4 + [2] * 4
    assert {row["Wind"] for row in rows} == {"East", "South", "West", "North"}


def test_tiles_are_their_codes_set_by_set(cast: Cast, program: Client) -> None:
    session = night(cast.club, HELD_ON, make_players(cast.club, 4))
    post(session.tables.get(), IMPERIAL_JADE)
    (line,) = lines_of(program.get(f"{CLUB}special-hands/?as=csv").content)
    (row,) = rows_of(program.get(f"{CLUB}special-hands/?as=xlsx").content)
    assert line["Tiles"] == row["Tiles"]
    sets = line["Tiles"].split("; ")
    assert sets[-1] == "F1"
    codes = "B2 B2 B2 B3 B3 B3 B4 B4 B4 B6 B6 B6 DG DG F1"
    assert sorted(" ".join(sets).split()) == sorted(codes.split())


@pytest.mark.parametrize(
    "cell",
    [
        *(-162, 0, 2**53 - 1, Fraction(7, 4), Fraction(-368, 3), Decimal("2.50")),
        *(date(2026, 2, 1), datetime(2026, 2, 1, 19, 30), time(19, 30)),  # noqa: DTZ001
    ],
)
def test_a_cell_is_read_back_as_what_it_is(cell: Any) -> None:
    (row,) = rows_of(workbook([SheetData("", ["it"], [[cell]])]))
    cell_value = row["it"]
    if type(cell) is date:
        cell_value = cell_value.date()
    assert cell_value == (pytest.approx(float(cell)) if isinstance(cell, Fraction) else cell)


@pytest.mark.parametrize("text", ["=1+1", "+44 1225 1", "-", "@home", "'quoted'", "1/2", "0123"])
def test_text_is_never_a_formula_and_never_a_number(text: str) -> None:
    book = load_workbook(BytesIO(workbook([SheetData("", ["it"], [[text]])])))
    cell = book.worksheets[0]["A2"]
    assert (cell.value, cell.data_type) == (text, "s")
    (line,) = lines_of(csv_file([["it"], [text]]))
    assert line["it"][0] not in "=+-@"


@pytest.mark.parametrize(
    ("cell", "csv_text"),
    [
        *((-162, "-162"), (Fraction(7, 4), "1.75"), (Fraction(-6, 2), "-3")),
        *((Decimal("2.50"), "2.50"), (True, "yes"), (False, "no"), (None, "")),
        *((date(2026, 2, 1), "2026-02-01"), (time(19, 30), "19:30")),
    ],
)
def test_a_cell_of_csv_is_what_programs_read(cell: Any, csv_text: str) -> None:
    (line,) = lines_of(csv_file([["it"], [cell]])) or [{"it": ""}]
    assert line["it"] == csv_text
