"""A member whom the club knows by two names."""

import pytest

from clubs.models import Alias, Player
from tests.people import Cast, make_player


@pytest.fixture
def margaret(cast: Cast) -> Player:
    player = make_player(cast.club, "Margaret Ashworth", phone="01225 1", email="m@example.org")
    Alias.objects.create(club=cast.club, player=player, name="Peg", name_key="peg")
    return player
