"""Settings and people that all tests share."""

import pytest
from hypothesis import settings

from tests.people import Cast, make_cast

settings.register_profile("a busy machine", deadline=None)
settings.load_profile("a busy machine")


@pytest.fixture
def cast(db: None) -> Cast:
    """A club with its people, and a stranger."""
    return make_cast()
