"""Random evenings by the services."""

import pytest

from tests.walks.evenings import Evenings
from tests.walks.laws import walk


@pytest.mark.django_db
def test_whatever_happens_at_an_evening_its_laws_hold() -> None:
    walk(Evenings, steps=80)
