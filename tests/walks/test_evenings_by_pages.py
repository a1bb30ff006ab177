"""Random evenings over HTTP: the secretary's pages and the tables' phones."""

import pytest

from tests.walks.evenings import Evenings
from tests.walks.laws import walk
from tests.walks.pages import ByPages


class EveningsByPages(Evenings):
    """The same evenings, and the same laws, on their pages."""

    desk_class = ByPages


@pytest.mark.django_db
def test_whatever_is_pressed_at_an_evening_its_laws_hold() -> None:
    walk(EveningsByPages, steps=20)
