"""The results as files: CSV, Excel, JSON."""

import csv
import json
import re
from io import BytesIO, StringIO
from zipfile import ZipFile

import pytest

from tests.paper import words_of
from tests.tournaments.cups import (
    DRAWN,
    SECOND_WINS,
    close_round,
    fresh,
    make_cup,
    next_round,
    play_round,
    seated_cup,
)
from tournaments.models import Placement, Tournament
from tournaments.results.exports import (
    hands_csv,
    played_hands,
    results_csv,
    results_json,
    results_xlsx,
    rounds_csv,
)
from tournaments.results.papers import results_pdf
from tournaments.results.selectors.results import results_of
from tournaments.seating.services import changes
from tournaments.setup import services as setup_services

pytestmark = pytest.mark.django_db


def drawn_cup() -> Tournament:
    """A round in which nobody goes Mah-Jong, so that four share the first place."""
    cup = seated_cup(rounds=1, hands=1)
    play_round(cup, DRAWN)
    return cup


def parts_of(book: bytes) -> dict[str, str]:
    """The files within a workbook."""
    with ZipFile(BytesIO(book)) as zip_file:
        return {name: zip_file.read(name).decode() for name in zip_file.namelist()}


def lines_of(content: bytes) -> list[list[str]]:
    """The lines of a CSV file, which is one table: all have as many cells as the headings."""
    headings, *lines = csv.reader(StringIO(content.decode("utf-8-sig")))
    assert all(len(line) == len(headings) for line in lines)
    return [headings, *lines]


def test_the_standings_go_into_a_spreadsheet_with_plain_numbers() -> None:
    cup = drawn_cup()
    header, first, *other_rows = lines_of(results_csv(cup, results_of(cup)))
    assert ",".join(header) == (
        "Place,Shared,Player,From,Team,Rounds,Without a hand,Sat out,Table points,Total gain,"
        "Mah-Jongs,Best hand,Tie broken by,Prizes,Withdrew,Substitutes"
    )
    assert ",".join(first) == "1,yes,Player 1,,,1,0,0,1.75,0,0,0,none: place shared,,no,"
    assert len(other_rows) == 3


def test_a_name_is_never_a_formula() -> None:
    cup = make_cup(entrants=0)
    setup_services.enter_entrant(tournament=cup, name="=1+1", from_club="@home")
    assert lines_of(results_csv(cup, results_of(cup)))[1][2:4] == ["'=1+1", "'@home"]
    parts = parts_of(results_xlsx(cup, results_of(cup)))
    assert "=1+1" in parts["xl/sharedStrings.xml"]
    assert "<f>" not in "".join(parts.values())


def test_a_workbook_has_a_sheet_for_standings_and_one_for_records() -> None:
    cup = drawn_cup()
    parts = parts_of(results_xlsx(cup, results_of(cup)))
    assert re.findall(r'<sheet name="([\w ]+)"', parts["xl/workbook.xml"]) == [
        "Standings", "By round", "Rounds", "Hands", "Records"
    ]  # fmt: skip
    assert "<v>1.75</v>" in parts["xl/worksheets/sheet1.xml"]


def test_other_programs_get_exact_fractions() -> None:
    cup = drawn_cup()
    data = json.loads(results_json(cup, results_of(cup)))
    assert (data["tournament"], data["held_on"], data["is_final"]) == (
        "Autumn Cup",
        "2026-11-21",
        False,
    )
    assert {line["table_points"] for line in data["standings"]} == {"7/4"}


def cup_with_a_substitute() -> Tournament:
    """Two rounds of one hand; Joan sits in for Player 1 in the second, and wins it."""
    cup = seated_cup(rounds=2, hands=1)
    next_round(cup, DRAWN)
    second = Placement.objects.get(round__number=2, seat__number=2)
    changes.set_substitute(tournament=cup, entrant=second.entrant, name="Joan", number=2)
    close_round(cup, SECOND_WINS)
    return fresh(cup)


def sat_for(cup: Tournament) -> str:
    """Whose seat Joan had."""
    return Placement.objects.get(round__tournament=cup, substitute="Joan").entrant.name


def test_csv_has_every_round_and_every_hand_with_the_substitute() -> None:
    cup = cup_with_a_substitute()
    results = results_of(cup)
    rounds, hands = lines_of(rounds_csv(cup, results)), lines_of(hands_csv(cup, results))
    assert ["2", "1", sat_for(cup), "Joan", "1", "4", "240", "no"] in rounds
    assert ["2", "1", "1", sat_for(cup), "Joan", "yes", "60", "240"] in hands
    assert sum(row[:1] == ["1"] for row in rounds) == 4
    assert sum(row[5:6] == ["yes"] for row in hands) == 1


def test_the_standings_mark_substitutes_and_who_withdrew() -> None:
    cup = cup_with_a_substitute()
    leaver = cup.entrants.get(name=sat_for(cup))
    setup_services.withdraw(tournament=cup, entrant=leaver)
    results = results_of(cup)
    header, *rows = lines_of(results_csv(cup, results))
    marks = {row[header.index("Player")]: row[header.index("Withdrew") :] for row in rows}
    assert marks.pop(leaver.name) == ["yes", "Joan in round 2"]
    assert set(map(tuple, marks.values())) == {("no", "")}
    strings = parts_of(results_xlsx(cup, results))["xl/sharedStrings.xml"]
    assert all(word in strings for word in ("Withdrew", "Substitutes", "Joan in round 2"))


def test_a_workbook_has_a_cross_table_rounds_and_hands() -> None:
    cup = cup_with_a_substitute()
    parts = parts_of(results_xlsx(cup, results_of(cup)))
    strings = parts["xl/sharedStrings.xml"]
    assert all(
        word in strings for word in ("Round 2: table points", "Round 2: gain", "Joan", "Substitute")
    )


def test_other_programs_get_rounds_and_hands() -> None:
    cup = cup_with_a_substitute()
    data = json.loads(results_json(cup, results_of(cup)))
    rounds = next(
        entrant_row["rounds"]
        for entrant_row in data["rounds"]
        if entrant_row["name"] == sat_for(cup)
    )
    assert rounds[1] == {
        "round": 2, "table": 1, "sits_out": False, "substitute": "Joan", "hands": 1,
        "table_points": "4", "gain": 240,
    }  # fmt: skip
    assert [(hand["round"], hand["winner"]) for hand in data["hands"]] == [(1, None), (2, "Joan")]
    assert [seat["points"] for seat in data["hands"][1]["seats"]] == [-64, 240, -80, -96]


def test_each_round_adds_up_to_the_standings() -> None:
    cup = cup_with_a_substitute()
    results = results_of(cup)
    for row in results.cross.rows:
        assert sum(cell.points for cell in row.cells) == row.line.row.total
        assert sum(cell.table_points for cell in row.cells) == row.line.row.table_points
    assert results.cross.substitutes == (f"Joan played for {sat_for(cup)} in round 2",)


def test_a_round_that_is_kept_back_is_in_no_file() -> None:
    cup = cup_with_a_substitute()
    results = results_of(cup, last_round=1)
    assert results.cross.rounds == (1,)
    for file in (results_csv, rounds_csv, hands_csv):
        assert "Joan" not in file(cup, results).decode("utf-8-sig")
    assert "Joan" not in results_json(cup, results).decode()


def test_paper_has_the_cross_table_and_every_hand_where_it_is_asked_for() -> None:
    cup = cup_with_a_substitute()
    results = results_of(cup)
    short_text = " ".join(words_of(results_pdf(cup, results)))
    assert "Rounds" in short_text
    assert "Every hand" not in short_text
    long_pdf = results_pdf(cup, results, hands=played_hands(cup, results))
    text = " ".join(words_of(long_pdf))
    assert "Every hand" in text
    assert "Joan" in text
