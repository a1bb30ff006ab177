"""Games to write in: one table, with a hand or without, and two of one evening."""

import pytest

from scoring.scorebook.models import Game, Hand
from tests.scoring.scorebook.book import SOUTH_WINS, open_game, open_tables, play
from tests.scoring.scorebook.tampering import well_read_game


@pytest.fixture
def game() -> Game:
    return open_game()


@pytest.fixture
def hand(game: Game) -> Hand:
    """South's Mah-Jong, the first hand of the game."""
    return play(game, SOUTH_WINS)[0]


@pytest.fixture
def sealed_game() -> Game:
    """A game with one of everything that a book seals."""
    return well_read_game()


@pytest.fixture
def two() -> list[Game]:
    return open_tables(2)
