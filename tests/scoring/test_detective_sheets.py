"""What the detective says of totals carried from hand to hand."""

import random

import pytest

from scoring.detective import SheetRow, examine_sheet
from tests.scoring.planted.sheets import NAMES, PLANTERS, Rows, evening, rates, restored
from tests.scoring.worked import Case, cases


def rows_of(case: Case) -> Rows:
    lines = zip(case["gains"], case["carried"], strict=True)
    return [
        SheetRow(dict(zip(NAMES, gains, strict=True)), dict(zip(NAMES, carried, strict=True)))
        for gains, carried in lines
    ]


@pytest.mark.parametrize("case", cases("sheet", of="detective"), ids=lambda case: case["title"])
def test_a_worked_sheet(case: Case) -> None:
    likeliest, *_others = examine_sheet(rows_of(case), start=case.get("start", 0))
    assert likeliest.kind == case["kind"]
    assert likeliest.sentence == case["says"]
    assert likeliest.corrected == case["corrected"]


def test_nothing_is_found_in_a_right_sheet() -> None:
    assert examine_sheet(evening(random.Random(1))) == ()


def test_a_figure_that_is_not_written_is_passed_over() -> None:
    rows = [
        SheetRow({"Ann": 20}, {"Ann": None}),
        SheetRow({"Ann": 30}, {"Ann": 50}),
        SheetRow({"Ann": None}, {"Ann": 90}),
        SheetRow({"Ann": 10}, {"Ann": 100}),
    ]
    assert examine_sheet(rows) == ()


def test_two_columns_that_took_each_others_gain() -> None:
    rows = [SheetRow({"Ann": 64, "Bob": -32}, {"Ann": -32, "Bob": 64})]
    said = [(finding.kind.value, finding.seats) for finding in examine_sheet(rows)]
    assert ("gain_of_another", ("Ann",)) in said
    assert ("gain_of_another", ("Bob",)) in said


def test_no_more_than_a_handful_is_said() -> None:
    rows = [SheetRow(dict.fromkeys(NAMES, 10), dict.fromkeys(NAMES, 77)) for _ in range(9)]
    assert len(examine_sheet(rows)) == 5


@pytest.mark.parametrize("name", PLANTERS)
def test_a_planted_slip_is_named(name: str) -> None:
    first, in_three, mended = rates(name, 100)
    assert first >= 0.75
    assert in_three >= 0.9
    assert mended >= 0.98


def test_mended_totals_leave_nothing_to_find() -> None:
    rows = [SheetRow({"Ann": 20}, {"Ann": 20}), SheetRow({"Ann": 30}, {"Ann": -10})]
    (finding, *_others) = examine_sheet(rows)
    assert examine_sheet(restored(rows, finding)) == ()
