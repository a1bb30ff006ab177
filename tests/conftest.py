"""Settings and people that all tests share."""

import pytest

from tests.people import Cast, make_cast


@pytest.fixture
def cast(db: None) -> Cast:
    """A club with its people, and a stranger."""
    return make_cast()
