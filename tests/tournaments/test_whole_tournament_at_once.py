"""Sixteen tables send at the same moment while the wall and the phones read the standings."""

import json
from collections.abc import Mapping
from functools import partial
from http.client import HTTPConnection
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

import pytest
from pytest_django.live_server_helper import LiveServer

from scoring.scorebook.models import Hand
from tests.people import Cast
from tests.threads import at_once
from tests.tournaments.whole import checks
from tests.tournaments.whole.dealing import Croupier
from tests.tournaments.whole.hall import KEPT, STOOD, Hall
from tests.tournaments.whole.reckoning import Sheet

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]

HANDS, READERS, READS = 2, 4, 12
RANKS_BY = ("table_points", "total")
NAMES = [f"Player {number}" for number in range(1, 65)]


@pytest.mark.sampled(law="long plays")
def test_every_hand_counts_once_and_no_reader_sees_half_of_one(
    cast: Cast, live_server: LiveServer
) -> None:
    cast.club.shows_results = True
    cast.club.save()
    hall = Hall(cast, "bmja")
    hall.open(RANKS_BY, name="Grand Cup", rounds=1, hands_a_round=HANDS)
    hall.read_in("name\n" + "\n".join(NAMES))
    hall.do("seat/")
    hall.take_cards()
    hall.do("start/")
    sheets = hall.sit_down(1)
    for sheet in sheets:
        _deal(sheet)
    phones = [partial(_send, live_server, hall, sheet) for sheet in sheets]
    readers = [partial(_read, live_server, hall)] * READERS
    answers = at_once([*phones, *readers])
    assert answers[: len(sheets)] == [[KEPT, STOOD] * HANDS] * len(sheets)
    assert Hand.objects.count() == len(sheets) * HANDS
    checks.every_table_shows_what_it_played(hall)
    checks.the_standings_are(hall.standings(), sheets, NAMES, RANKS_BY)
    hall.do("close/")
    checks.the_books_balance()


def _deal(sheet: Sheet) -> None:
    croupier = Croupier(sheet.rules, seed=sheet.table)
    for number in range(1, HANDS + 1):
        sheet.hands.append(croupier.hand(number, sheet.deals[-1]))


def _send(server: LiveServer, hall: Hall, sheet: Sheet) -> list[int]:
    """Every hand is sent, and sent again as a phone does that has heard no answer."""
    card = {"Authorization": f"Link {hall.keys[sheet.round, sheet.table]}"}
    _, link = _ask(server, "GET", "/api/v1/link/", headers=card)
    address = f"/api/v1/games/{link['game']['id']}/hands/"
    repeated_hands = [hand for hand in sheet.hands for _ in range(2)]
    return [_ask(server, "POST", address, hand, headers=card)[0] for hand in repeated_hands]


def _read(server: LiveServer, hall: Hall) -> None:
    """Whatever has come in by then: what some have won others have lost, and time goes on."""
    hands_before = 0
    for _ in range(READS):
        status, page = _ask(server, "GET", hall.standings_address)
        rows = page["results"]
        assert (status, len(rows), sum(row["total"] for row in rows)) == (200, len(NAMES), 0)
        hands = sum(row["rounds"] for row in rows)
        assert hands >= hands_before
        hands_before = hands


def _ask(
    server: LiveServer,
    method: str,
    address: str,
    body: Any = None,
    headers: Mapping[str, str] = MappingProxyType({}),
) -> tuple[int, Any]:
    line = HTTPConnection(urlsplit(server.url).netloc, timeout=60)
    try:
        line.request(
            method, address, json.dumps(body), {"Content-Type": "application/json", **headers}
        )
        answer = line.getresponse()
        return answer.status, json.loads(answer.read())
    finally:
        line.close()
