"""A dry run at a game answers what would happen, and changes nothing."""

from typing import Any, Final
from uuid import uuid4

import pytest
from django.urls import reverse

from clubs.models import SessionTable
from tests.api import api_client, faults, hand_payload, look, send
from tests.clubs.api.test_api import DAY
from tests.clubs.nights import DRAWN, SECOND_WINS, make_players, night, post
from tests.dry_runs import status_without_change
from tests.people import Cast

ANOTHER: Final = {"winner": 3, "scores": {"1": 20, "2": 8, "3": 60, "4": 4}}
TWO: Final = {"seat": 3, "other_seat": 4, "first": 1}
ROW: Final = {"winner": 2, "figures": {"1": "20", "2": "60", "3": "8", "4": "4"}}
BODIES_AT_A_TABLE: Final[dict[str, Any]] = {
    "api-game-hands": {**hand_payload(), "number": 3},
    "api-game-correct": {**ANOTHER, "reason": "misread"},
    "api-game-correct-scores": TWO,
    "api-game-correct-seats": {**TWO, "right": "names"},
    "api-game-correct-sheets": {"other": 2, "first": 1},
    "api-game-correct-winner": {"hand": 1, "report": ANOTHER},
    "api-game-correction-undo": {},
    "api-game-sheet": {"rows": [{**ROW, "submission_id": str(uuid4())}]},
}


@pytest.fixture
def table(cast: Cast) -> SessionTable:
    players = make_players(cast.club, 8)
    table = night(cast.club, DAY, players[:4], players[4:]).tables.get(number=1)
    post(table, SECOND_WINS, DRAWN)
    return table


@pytest.mark.parametrize("name", BODIES_AT_A_TABLE)
def test_a_dry_run_changes_nothing(cast: Cast, table: SessionTable, name: str) -> None:
    scorer, keys = api_client(cast.scorer), {"game": table.game_id}
    if name == "api-game-correct":
        keys["hand"] = table.game.hands.get(number=1).pk
    if name == "api-game-correction-undo":
        seats = reverse("api-game-correct-scores", kwargs=keys)
        assert send(scorer, seats, {**TWO, "reason": "wrong way round"}).status_code == 200
        (correction,) = scorer.get(reverse("api-game-corrections", kwargs=keys)).json()["results"]
        keys["repair"] = correction["id"]
    address = reverse(name, kwargs=keys)
    assert status_without_change(scorer, address, BODIES_AT_A_TABLE[name]) == 200


def test_a_dry_run_of_a_correction_needs_no_reason(cast: Cast, table: SessionTable) -> None:
    scorer = api_client(cast.scorer)
    address = reverse("api-game-correct-scores", kwargs={"game": table.game_id})
    assert look(scorer, address, TWO).json()["done"] is False
    assert faults(send(scorer, address, TWO)) == [("invalid", "reason")]
