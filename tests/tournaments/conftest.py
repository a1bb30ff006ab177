"""Who runs a tournament in these tests."""

import pytest
from django.test import Client

from tests.clubs.visits import Visitor
from tests.people import Cast


@pytest.fixture
def director(cast: Cast) -> Client:
    """The director of the cast's club, signed in."""
    return Visitor(cast.director)
