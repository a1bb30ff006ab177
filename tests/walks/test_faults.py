"""Every fault that the walks must see can still be planted."""

import ast

import pytest

from tests.mutations import ROOT
from tests.walks.faults import WALKS, Fault, all_faults
from tests.walks.laws import LAWS


@pytest.mark.parametrize("fault", all_faults(), ids=lambda fault: fault.wrong)
def test_a_fault_for_the_walks_can_be_planted(fault: Fault) -> None:
    """Where this fails, its line has changed: write the fault's ``old`` and ``new`` anew."""
    sound = (ROOT / fault.file).read_text("utf-8")
    assert sound.count(fault.old) == 1
    assert ast.dump(ast.parse(fault.plant(sound))) != ast.dump(ast.parse(sound))


def test_a_fault_for_the_walks_names_its_walk_and_its_law() -> None:
    faults = all_faults()
    assert {fault.walk for fault in faults} == {*WALKS}
    assert {fault.law for fault in faults} <= {*LAWS}
    assert len({fault.wrong for fault in faults}) == len(faults) >= 8
