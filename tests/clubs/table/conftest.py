"""A table of an evening, and one of either kind."""

import pytest

from clubs.models import SessionTable
from tests.clubs.table.phones import At, AtEvening, AtRound, Phone
from tests.clubs.table.sheet_page import Sheet, sheet_of
from tests.people import Cast


@pytest.fixture(params=[AtEvening, AtRound], ids=["evening", "round"])
def game_table(request: pytest.FixtureRequest, cast: Cast) -> At:
    """Either kind of table: what holds at one holds at the other."""
    game_table: At = request.param.create(cast)
    return game_table


@pytest.fixture
def evening(cast: Cast) -> AtEvening:
    return AtEvening.create(cast)


@pytest.fixture
def round_(cast: Cast) -> AtRound:
    return AtRound.create(cast)


@pytest.fixture
def table(evening: AtEvening) -> SessionTable:
    row: SessionTable = evening.row
    return row


@pytest.fixture
def phone(evening: AtEvening) -> Phone:
    return evening.phone


@pytest.fixture
def sheet(cast: Cast, evening: AtEvening) -> Sheet:
    return sheet_of(evening, cast)
