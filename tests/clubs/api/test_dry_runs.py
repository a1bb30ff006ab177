"""A dry run in a club answers what would happen, and changes nothing."""

from collections.abc import Callable
from typing import Any, Final

import pytest

from tests.api import api_client, look, refusal
from tests.clubs.api.test_api_doors import SERIES
from tests.clubs.office import Office
from tests.clubs.table.test_dry_runs import BODIES_AT_A_TABLE
from tests.dry_runs import status_without_change, with_dry_run
from tests.tournaments.api.test_dry_runs import BODIES_OF_STEPS

Sent = Callable[[Office], Any]
BODIES: Final[dict[str, Sent]] = {
    "api-series-list": lambda _: SERIES,
    "api-import-list": lambda _: {"text": "name\nBronwen"},
    "api-evening-places": lambda _: {"one": 1, "other": 2},
    "api-evening-move": lambda _: {"player": 1, "number": 1},
    "api-evening-comes": lambda _: {"player": 1, "number": 1},
    "api-evening-leaves": lambda _: {"leaver": 1, "then": "ends"},
    "api-evening-new-table": lambda _: {"players": [1]},
}


def test_every_dry_run_is_tried() -> None:
    assert with_dry_run() == BODIES.keys() | BODIES_AT_A_TABLE.keys() | BODIES_OF_STEPS.keys()


@pytest.mark.parametrize("name", BODIES)
def test_a_dry_run_changes_nothing(office: Office, name: str) -> None:
    secretary = api_client(office.cast.secretary)
    data = BODIES[name](office)
    expected = 400 if name.startswith("api-evening-") else 200  # these people sit elsewhere
    assert status_without_change(secretary, office.address(name), data) == expected


def test_a_dry_run_is_for_whom_the_step_is_for(office: Office) -> None:
    address = office.address("api-series-list")
    assert look(api_client(office.cast.player), address, SERIES).status_code == 403
    assert look(api_client(None), address, SERIES).status_code == 401


def test_a_dry_run_is_asked_for_in_one_way(office: Office) -> None:
    secretary = api_client(office.cast.secretary)
    address = office.address("api-series-list")
    for value in ("0", "yes", ""):
        answer = secretary.post(
            f"{address}?dry_run={value}", SERIES, content_type="application/json"
        )
        assert refusal(answer) == (400, [("bad_parameter", "dry_run")])
    other_answer = look(secretary, office.address("api-player-list"), {"name": "Zoë"})
    assert refusal(other_answer) == (400, [("unknown_parameter", "dry_run")])


def test_a_dry_run_that_is_refused_says_why(office: Office) -> None:
    secretary = api_client(office.cast.secretary)
    wrong = {**SERIES, "ends_at": "12:00", "colour": "red"}
    answer = look(secretary, office.address("api-series-list"), wrong)
    assert refusal(answer) == (400, [("unknown_field", "colour")])
