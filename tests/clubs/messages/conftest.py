"""Four members with email addresses, and a message to them."""

import pytest

from clubs.models import Batch, Player
from tests.clubs.nights import make_players
from tests.clubs.outbox import with_emails, write
from tests.people import Cast


@pytest.fixture
def players(cast: Cast) -> list[Player]:
    """Ann, Ben, Cy and Di, all with an address; nobody has asked for results."""
    players = make_players(cast.club, 4)
    with_emails(players)
    return players


@pytest.fixture
def batch(cast: Cast, players: list[Player]) -> Batch:
    """A word to the players, not sent yet."""
    return write(cast.club, players, cast.secretary)
