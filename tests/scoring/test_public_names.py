"""What `from scoring import …` offers, and that it costs little before it is used."""

import subprocess
import sys
from operator import attrgetter

import pytest

import scoring
from scoring import claims, explaining, house, totals
from scoring.table import sticks

LATER = (claims, explaining, house, sticks, totals)
LOADED = "import sys, scoring; print(*(name for name in sys.modules if name.startswith('scoring')))"


def test_every_public_name_is_there() -> None:
    assert sorted(set(scoring.__all__)) == scoring.__all__
    assert [name for name in scoring.__all__ if not hasattr(scoring, name)] == []


def test_scoring_a_hand_loads_nothing_that_it_does_not_need() -> None:
    ran = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", LOADED], capture_output=True, text=True, check=True
    )
    loaded = set(ran.stdout.split())
    assert "scoring.pricing" in loaded
    assert loaded.isdisjoint(module.__name__ for module in LATER)


def test_a_name_that_there_is_not() -> None:
    with pytest.raises(AttributeError, match="'scoring' has no attribute 'whist'"):
        attrgetter("whist")(scoring)
