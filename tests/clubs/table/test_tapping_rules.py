"""Hands told in tiles under each of the five rule sets, at tables of three and of five."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from clubs.models import Club, SessionTable
from scoring import rule_set, rule_set_keys
from scoring.building import Draft, Steps
from scoring.scorebook.models import Hand
from scoring.scorebook.services.games import Tapped, tap_tiles
from scoring.scorebook.verifying import recount
from tests.clubs.tables import seated_evening, sheet
from tests.people import Cast

pytestmark = pytest.mark.django_db

PUNGS = "won:yes pung:B1 pung:C2 pung:O3 pung:WS pair:DR way:discard last:DR"
ONE_SUIT = PUNGS.replace("C2", "B4").replace("O3", "B8")
# Pungs of 8, 4, 4 and 8, a pair of 2, 20 for Mah-Jong, doubled for the own wind and no chows.
IN_POINTS = {
    "bmja": (PUNGS, (8 + 4 + 4 + 8 + 2 + 20) * 4),
    "english": (PUNGS, (8 + 4 + 4 + 8 + 2 + 20 + 2 + 10) * 2),
    "tallies": (PUNGS, (8 + 4 + 4 + 8 + 2 + 20) * 4),
    "safalra": (ONE_SUIT, (2 + 2 + 2 + 4 + 10 + 5 + 1) * 2),
    "baggaley": (PUNGS, 4 + 4 + 4 + 4 + 2 + 20),
}


@pytest.fixture
def club(cast: Cast, rules: str) -> Club:
    cast.club.rules = rules
    cast.club.save()
    return cast.club


@pytest.fixture
def table(club: Club) -> SessionTable:
    return seated_evening(club).tables.get()


def tap(table: SessionTable, seat: int, taps: str) -> Tapped:
    sent = Steps(Draft(won=False))
    return tap_tiles(game_id=table.game_id, number=1, seat=seat, sent=sent, taps=taps.split())


def check(client: Client, table: SessionTable, **typed: Any) -> Any:
    address = reverse("table", args=[table.link_key])
    return client.post(address, sheet(client.get(address), **typed))


def save(client: Client, table: SessionTable, page: Any) -> Hand:
    address = reverse("table", args=[table.link_key])
    client.post(address, {**page.context["form"].typed, "step": "save"})
    return Hand.objects.latest("pk")


@pytest.mark.parametrize("rules", rule_set_keys())
def test_a_mah_jong_in_tiles_is_saved_and_counts_the_same_again(
    client: Client, table: SessionTable, rules: str
) -> None:
    taps, points = IN_POINTS[rules]
    assert tap(table, 2, taps).played.refused == ()
    asked = {"last_tile": 3} if rules == "tallies" else {}
    hand = save(client, table, check(client, table, **asked))
    assert hand.scores[2] == points
    assert hand.lines["2"]["total"] == hand.scores[2]
    assert recount().differences == ()


@pytest.mark.parametrize("rules", ["tallies"])
def test_who_discarded_is_asked_where_he_pays_alone(
    client: Client, table: SessionTable, rules: str
) -> None:
    tap(table, 2, PUNGS)
    page = check(client, table)
    assert page.context["form"].errors["last_tile"] == [
        "Choose who discarded the last tile, or say it was drawn from the wall."
    ]
    page = check(client, table, last_tile="wall")
    assert page.context["form"].errors["last_tile"] == [
        "By the tiles, the last tile was claimed. Choose who discarded it."
    ]
    report = save(client, table, check(client, table, last_tile=4)).report
    assert (report["won_by"], report["discarder"]) == ("discard", 4)


@pytest.mark.parametrize("rules", ["tallies"])
def test_a_last_tile_from_the_wall_needs_no_asking(
    client: Client, table: SessionTable, rules: str
) -> None:
    tap(table, 2, PUNGS.replace("discard", "wall"))
    tap(table, 3, "pung:DG")
    report = save(client, table, check(client, table)).report
    assert report["won_by"] == "wall"
    assert set(report["tiles"]) == {"2"}


@pytest.mark.parametrize("rules", ["bmja"])
def test_three_play_with_the_tiles_of_three(client: Client, club: Club, rules: str) -> None:
    table = seated_evening(club, players=3).tables.get()
    assert tap(table, 2, PUNGS).played.steps.draft.players == 3
    hand = save(client, table, check(client, table))
    assert set(hand.gains) == {1, 2, 3}


@pytest.mark.parametrize("rules", ["bmja"])
def test_who_sits_out_at_a_table_of_five_has_no_row(client: Client, club: Club, rules: str) -> None:
    table = seated_evening(club, players=5).tables.get()
    tap(table, 2, PUNGS)
    page = client.get(reverse("table-tiles", args=[table.link_key, 1]))
    assert [one.place.number for one in page.context["seats"]] == [1, 2, 3, 4]
    assert rule_set(rules).seats[-1] == 5


ROBBED = "won:yes pung:B1 pung:C2 pung:O3 pung:WS pair:DR way:robbed_kong last:DR"
ROBBED_TILE_HELD = (
    "The other three tiles of a robbed kong are in the kong, and this hand has the red dragon"
    " twice: check how it was won."
)


@pytest.mark.parametrize("rules", ["bmja"])
def test_an_impossible_story_is_said_with_the_tiles_and_before_saving(
    client: Client, table: SessionTable, rules: str
) -> None:
    tap(table, 2, ROBBED)
    tiles = client.get(reverse("table-tiles", args=[table.link_key, 2]))
    assert tiles.context["builder"].notices == (ROBBED_TILE_HELD,)
    assert ROBBED_TILE_HELD in tiles.content.decode()
    page = check(client, table)
    assert f"’s tiles: {ROBBED_TILE_HELD}" in page.content.decode()
    assert Hand.objects.count() == 0
    assert save(client, table, page).lines["2"]["notices"][0]["code"] == "robbed_tile_held"


@pytest.mark.parametrize("rules", ["bmja"])
def test_a_possible_story_is_checked_without_a_word(
    client: Client, table: SessionTable, rules: str
) -> None:
    tap(table, 2, PUNGS)
    assert "notice--warning" not in check(client, table).content.decode()


@pytest.mark.parametrize("rules", ["tallies"])
def test_a_first_discard_of_another_than_the_dealer_is_said_before_saving(
    client: Client, table: SessionTable, rules: str
) -> None:
    tap(table, 2, PUNGS.replace("way:discard", "way:first_discard"))
    dealers = check(client, table, last_tile=1)
    assert dealers.context["doubts"] == []
    page = check(client, table, last_tile=4)
    sentence = "The dealer makes the first discard, not North: check who discarded."
    assert page.context["doubts"] == [sentence]
    assert sentence in page.content.decode()
