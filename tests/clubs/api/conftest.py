"""A club with one of everything, for tests that go through the operations of the API."""

from copy import deepcopy

import pytest

from tests.clubs.office import Office, make_office
from tests.people import make_cast


@pytest.fixture(scope="module")
def standing_office(standing: None) -> Office:
    """The club that all tests of a file start from."""
    return make_office(make_cast())


@pytest.fixture
def office(db: None, standing_office: Office) -> Office:
    """The same for one test, which may change it."""
    return deepcopy(standing_office)
