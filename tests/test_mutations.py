"""Every fault of ``tests/mutations`` can still be planted."""

import ast
from collections import Counter

import pytest

from tests.mutations import (
    AREAS,
    BY_TEXT,
    ROOT,
    CannotPlant,
    Fault,
    all_faults,
    code_under,
    place_of,
)

FEWEST = {"scoring": 20, "services": 12, "selectors": 12, "views": 8, AREAS[-1]: 8}
CODE = code_under(ROOT)


@pytest.mark.parametrize("fault", all_faults(), ids=lambda fault: fault.wrong)
def test_a_fault_can_be_planted(fault: Fault) -> None:
    """Where this fails, its line has changed: write the fault's ``old`` and ``new`` anew."""
    place = place_of(fault, CODE)
    faulty_code = CODE[place].replace(fault.old, fault.new)
    assert ast.dump(ast.parse(faulty_code)) != ast.dump(ast.parse(CODE[place]))


def test_faults_are_spread_over_the_product() -> None:
    faults = all_faults()
    counts = Counter(fault.area for fault in faults)
    assert {area: counts[area] >= fewest for area, fewest in FEWEST.items()} == dict.fromkeys(
        AREAS, True
    )
    assert counts.keys() == set(AREAS)
    assert len({fault.wrong for fault in faults}) == len(faults) >= 60


def test_the_tests_that_compare_text_are_known_by_name() -> None:
    tests = [path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py")]
    assert [sum(f"def {name}(" in text for text in tests) for name in BY_TEXT] == [1] * len(BY_TEXT)


@pytest.mark.parametrize("old", ["def ", "no such line"])
def test_a_fault_whose_place_is_not_known_is_not_planted(old: str) -> None:
    with pytest.raises(CannotPlant, match="must stand in one place"):
        place_of(Fault("scoring", "A fault.", old, ""), CODE)
