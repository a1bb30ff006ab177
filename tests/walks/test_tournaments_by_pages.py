"""Random tournaments over HTTP: the director's pages and the tables' phones."""

import pytest

from tests.walks.director_pages import DirectorByPages
from tests.walks.laws import walk
from tests.walks.tournaments import Tournaments


class TournamentsByPages(Tournaments):
    """The same tournaments, and the same laws, on their pages."""

    desk_class = DirectorByPages


@pytest.mark.django_db
def test_whatever_is_pressed_at_a_tournament_its_laws_hold() -> None:
    walk(TournamentsByPages, steps=20)
