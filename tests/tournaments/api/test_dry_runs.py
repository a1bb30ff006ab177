"""A dry run of a tournament's step answers what it would do, and changes nothing."""

from typing import Any, Final

import pytest

from tests.api import api_client
from tests.dry_runs import status_without_change
from tests.tournaments.api.test_api_doors import BODIES
from tests.tournaments.core.test_doors import Hall, hall, laid_hall

__all__ = ["hall", "laid_hall"]
LOOKS: Final = (
    "api-entrant-withdraw",
    *("api-tournament-seat", "api-tournament-clear", "api-round-start", "api-round-unstart"),
    *("api-round-close", "api-round-reopen", "api-tournament-finish", "api-tournament-reopen"),
    *("api-results-publish", "api-round-by-standing"),
)
BODIES_OF_STEPS: Final[dict[str, Any]] = {
    **{name: {} for name in LOOKS},
    "api-entrants-import": BODIES["api-entrants-import"],
    "api-seating-by-hand": BODIES["api-seating-by-hand"],
    "api-seating-list": BODIES["api-seating-list"],
}
# The round is being played, so its seating and that of the next cannot be changed.
REFUSED: Final = {"api-round-by-standing": 409, "api-seating-by-hand": 409, "api-seating-list": 409}


@pytest.mark.parametrize("name", BODIES_OF_STEPS)
def test_a_dry_run_changes_nothing(hall: Hall, name: str) -> None:
    director = api_client(hall.cast.director)
    status = status_without_change(director, hall.address(name), BODIES_OF_STEPS[name])
    assert status == REFUSED.get(name, 200)
