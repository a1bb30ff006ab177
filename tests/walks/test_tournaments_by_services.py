"""Random tournaments by the services."""

import pytest

from tests.walks.laws import walk
from tests.walks.tournaments import Tournaments


@pytest.mark.django_db
def test_whatever_happens_at_a_tournament_its_laws_hold() -> None:
    walk(Tournaments, steps=40)
