"""Games to write in: one table, and two of one evening."""

import pytest

from scoring.scorebook.models import Game
from tests.scoring.scorebook.book import open_game, two_tables


@pytest.fixture
def game() -> Game:
    return open_game()


@pytest.fixture
def two() -> tuple[Game, Game]:
    return two_tables()
