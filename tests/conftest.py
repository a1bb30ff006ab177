"""Settings and people that all tests share."""

import pytest
from hypothesis import settings

from tests.people import Cast, make_cast

settings.register_profile("a busy machine", deadline=None, max_examples=50)
settings.register_profile("a night", deadline=None, max_examples=2_000)
settings.load_profile("a busy machine")  # pytest --hypothesis-profile="a night" tries more


@pytest.fixture
def cast(db: None) -> Cast:
    """A club with its people, and a stranger."""
    return make_cast()
