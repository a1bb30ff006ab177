"""Whatever is sent for a hand, the answer is one of those that are written down."""

import json
from typing import Any
from uuid import uuid4

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings, strategies as st

from clubs.models import SessionTable
from tests.api import game_at, link_client
from tests.clubs.api.test_api import DAY
from tests.clubs.nights import make_players, night
from tests.clubs.table.test_api import TILES
from tests.people import Cast
from tests.sampling import examples

TILE = st.sampled_from(["B1", "B2", "B3", "C9", "O5", "WE", "DR", "F1", "S4", "JK", "X9", "", "b1"])
NUMBER = st.integers(-4, 1004) | st.sampled_from([10**6, -(10**6), 10**30, 0.5, 1e300])
TEXT = st.text(st.characters(), max_size=8)
ANYTHING = st.recursive(
    st.none() | st.booleans() | NUMBER | TEXT | TILE,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=8,
)


def perhaps(right: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Mostly what belongs there, now and then anything."""
    return st.integers(0, 15).flatmap(lambda dice: right if dice else ANYTHING)


SEAT = st.sampled_from(["1", "2", "3", "4"]) | st.sampled_from(["5", "0", "01", "x", ""])
WON_BY = st.sampled_from(["wall", "discard", "robbed_kong", "first_draw", "magic"])
SET = st.fixed_dictionaries(
    {"tiles": perhaps(st.lists(TILE, max_size=5))}, optional={"exposed": perhaps(st.booleans())}
)
HELD = st.fixed_dictionaries(
    {},
    optional={
        "sets": perhaps(st.lists(perhaps(SET), max_size=4)),
        "concealed": perhaps(st.lists(perhaps(TILE), max_size=14)),
        "bonus": perhaps(st.lists(TILE, max_size=5)),
        "winning_tile": perhaps(TILE),
        "facts": perhaps(st.lists(st.sampled_from(["original_call", "thirteenth_win", "no"]))),
    },
)
EVEN = st.integers(13, 200).map(lambda half: 2 * half)
SCORES = st.fixed_dictionaries({seat: perhaps(EVEN) for seat in "1234"})
ONE_ASTRAY = st.builds(lambda seat, tiles: {**TILES, seat: tiles}, SEAT, perhaps(HELD))
HAND = st.fixed_dictionaries(
    {
        "submission_id": st.builds(lambda: str(uuid4())),
        "number": perhaps(st.just(1)),
        "winner": perhaps(st.integers(1, 4)),
    },
    optional={
        "scores": perhaps(SCORES) | st.dictionaries(SEAT, perhaps(EVEN)),
        "tiles": perhaps(ONE_ASTRAY | st.dictionaries(SEAT, perhaps(HELD), max_size=4)),
        "won_by": perhaps(WON_BY),
        "discarder": perhaps(st.integers(1, 4)),
        "pays_for_all": perhaps(st.integers(1, 4)),
    },
)


@pytest.fixture
def phone(cast: Cast) -> SessionTable:
    return night(cast.club, DAY, make_players(cast.club, 4)).tables.get()


def status_of(phone: SessionTable, body: bytes) -> int:
    """What is answered; whatever was kept is taken back. An exception of ours comes through."""
    with transaction.atomic():
        client, address = link_client(phone.link_key), f"{game_at(phone)}hands/"
        answer = client.post(address, body, content_type="application/json")
        transaction.set_rollback(True)
    assert answer.json().keys() >= ({"id"} if answer.status_code == 201 else {"problems"})
    return answer.status_code


BOUNDED = settings(
    max_examples=examples(150),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@BOUNDED
@given(hand=HAND)
def test_a_hand_that_is_nearly_right_is_kept_or_answered_with_problems(
    phone: SessionTable, hand: dict[str, Any]
) -> None:
    assert status_of(phone, json.dumps(hand).encode()) in {201, 400}


@BOUNDED
@given(body=ANYTHING)
def test_anything_in_json_is_answered_with_problems(phone: SessionTable, body: Any) -> None:
    assert status_of(phone, json.dumps(body).encode()) == 400


@BOUNDED
@given(body=st.binary(max_size=200))
def test_any_bytes_are_answered_with_problems(phone: SessionTable, body: bytes) -> None:
    assert status_of(phone, body) == 400
