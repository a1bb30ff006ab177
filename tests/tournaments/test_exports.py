"""The results as files: CSV, Excel, JSON."""

import csv
import json
import re
from io import BytesIO, StringIO
from zipfile import ZipFile

import pytest

from tests.tournaments.cups import DRAWN, make_cup, play_round, seated_cup
from tournaments import services
from tournaments.exports import results_csv, results_json, results_xlsx
from tournaments.models import Tournament
from tournaments.selectors.results import results_of

pytestmark = pytest.mark.django_db


def drawn_cup() -> Tournament:
    """A round in which nobody goes Mah-Jong, so that four share the first place."""
    cup = seated_cup(rounds=1, hands=1)
    play_round(cup, DRAWN)
    return cup


def parts_of(book: bytes) -> dict[str, str]:
    """The files within a workbook."""
    with ZipFile(BytesIO(book)) as packed:
        return {name: packed.read(name).decode() for name in packed.namelist()}


def test_the_standings_go_into_a_spreadsheet_with_plain_numbers() -> None:
    cup = drawn_cup()
    text = results_csv(cup, results_of(cup)).decode("utf-8-sig")
    header, first, *others = csv.reader(StringIO(text))
    assert header == [
        "Place",
        "Shared",
        "Player",
        "From",
        "Team",
        "Rounds",
        "Sat out",
        "Table points",
        "Total gain",
        "Mah-Jongs",
        "Best hand",
        "Tie broken by",
        "Prizes",
    ]
    assert first == [
        "1",
        "yes",
        "Player 1",
        "",
        "",
        "1",
        "0",
        "1.75",
        "0",
        "0",
        "0",
        "nothing: place shared",
        "",
    ]
    assert len(others) == 3


def test_a_name_is_never_a_formula() -> None:
    cup = make_cup(entrants=0)
    services.enter(tournament=cup, name="=1+1", from_club="@home")
    rows = csv.reader(StringIO(results_csv(cup, results_of(cup)).decode("utf-8-sig")))
    assert list(rows)[1][2:4] == ["'=1+1", "'@home"]
    parts = parts_of(results_xlsx(cup, results_of(cup)))
    assert "=1+1" in parts["xl/sharedStrings.xml"]
    assert "<f>" not in "".join(parts.values())


def test_a_workbook_has_a_sheet_for_standings_and_one_for_records() -> None:
    cup = drawn_cup()
    parts = parts_of(results_xlsx(cup, results_of(cup)))
    assert re.findall(r'<sheet name="(\w+)"', parts["xl/workbook.xml"]) == ["Standings", "Records"]
    assert "<v>1.75</v>" in parts["xl/worksheets/sheet1.xml"]


def test_other_programs_get_exact_fractions() -> None:
    cup = drawn_cup()
    told = json.loads(results_json(cup, results_of(cup)))
    assert (told["tournament"], told["held_on"], told["is_final"]) == (
        "Autumn Cup",
        "2026-11-21",
        False,
    )
    assert {line["table_points"] for line in told["standings"]} == {"7/4"}
