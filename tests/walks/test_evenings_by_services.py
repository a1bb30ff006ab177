"""Random evenings by the services."""

import pytest

from tests.walks.evenings import Evenings
from tests.walks.laws import go


@pytest.mark.django_db
def test_whatever_happens_at_an_evening_its_laws_hold() -> None:
    go(Evenings, steps=120)
