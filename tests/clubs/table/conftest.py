"""A table of an evening, and one of either kind."""

import pytest

from clubs.models import SessionTable
from tests.clubs.table.phones import At, AtEvening, AtRound, Phone
from tests.people import Cast


@pytest.fixture(params=[AtEvening, AtRound], ids=["evening", "round"])
def at(request: pytest.FixtureRequest, cast: Cast) -> At:
    """Either kind of table: what holds at one holds at the other."""
    here: At = request.param.of(cast)
    return here


@pytest.fixture
def evening(cast: Cast) -> AtEvening:
    return AtEvening.of(cast)


@pytest.fixture
def round_(cast: Cast) -> AtRound:
    return AtRound.of(cast)


@pytest.fixture
def table(evening: AtEvening) -> SessionTable:
    row: SessionTable = evening.row
    return row


@pytest.fixture
def phone(evening: AtEvening) -> Phone:
    return evening.phone
