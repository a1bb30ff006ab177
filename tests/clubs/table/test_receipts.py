"""The receipt of a hand: what was recorded, who agreed, and what became of it."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from clubs.evenings.event import EveningTable
from clubs.evenings.selectors.evenings import names_at
from clubs.models import SessionTable
from clubs.table import services as at_table
from clubs.table.event import seat_key
from scoring.scorebook.consent import shown_digest
from scoring.scorebook.models import Hand
from scoring.scorebook.reports import Report
from scoring.scorebook.selectors import address_of, hand_row, sealed_hands
from tests.clubs.tables import seated_evening
from tests.people import Cast, make_club
from tests.scoring.scorebook.book import DRAWN, EAST_WINS_IN_TILES, SOUTH_WINS


@pytest.fixture
def table(cast: Cast) -> SessionTable:
    found: SessionTable = seated_evening(cast.club).tables.get()
    return found


def post(table: SessionTable, report: Report, number: int = 1, **sent: Any) -> Hand:
    told = {"sent_by": f"table {table.pk}"} | sent
    recorded = at_table.post_hand(
        table=EveningTable(table), submission_id=uuid4(), number=number, report=report, **told
    )
    return Hand.objects.get(pk=recorded.hand.pk)


def say(table: SessionTable, hand: Hand, seat: int, *, agrees: bool, note: str = "") -> None:
    names = names_at(table)
    at_table.say(
        table=EveningTable(table),
        hand_id=hand.pk,
        seats={seat},
        agrees=agrees,
        shown=shown_digest(hand_row(hand), names=names, rules=hand.game.rules),
        said_by=f"table {table.pk} seat {seat}",
        note=note,
    )


def receipt(hand: Hand) -> str:
    page = Client().get(reverse("table-receipt", args=[address_of(hand)]))
    assert page.status_code == 200
    return page.content.decode()


def test_a_receipt_shows_the_hand_as_it_was_recorded(table: SessionTable) -> None:
    hand = post(table, SOUTH_WINS)
    text = receipt(hand)
    assert "Receipt for hand 1" in text
    assert "Recorded by the table’s phone" in text
    assert "No one has agreed yet" in text
    assert sealed_hands([hand.pk])[hand.pk].code in text
    for words in (table.session.club.name, "Table 1", "went", "+240", "−64", "qr"):
        assert words in text


def test_it_says_whose_phone_it_was(table: SessionTable) -> None:
    name = table.places.get(seat__number=2).player.name
    hand = post(table, SOUTH_WINS, sent_by=f"table {table.pk} seat 2", seat=2)
    text = receipt(hand)
    assert f"Recorded by {name}’s phone" in text
    assert f"{name}: agreed" in text


def test_it_says_who_found_it_not_right_and_what_the_scorer_said(table: SessionTable) -> None:
    hand, name = post(table, SOUTH_WINS), table.places.get(seat__number=3).player.name
    say(table, hand, 3, agrees=False, note="My score was 46")
    at_table.decide(
        table=EveningTable(table), hand_id=hand.pk, reason="Seen on the table", made_by="user 1"
    )
    text = receipt(hand)
    assert f"{name}: disputed" in text
    assert "My score was 46" in text
    assert "The scorer: kept as entered" in text
    assert "Seen on the table" in text


def test_only_the_last_word_of_a_player_counts(table: SessionTable) -> None:
    hand, name = post(table, SOUTH_WINS), table.places.get(seat__number=3).player.name
    say(table, hand, 3, agrees=False)
    say(table, hand, 3, agrees=True)
    text = receipt(hand)
    assert f"{name}: agreed" in text
    assert f"{name}: disputed" not in text


def test_a_corrected_hand_leads_to_what_stands_and_back(table: SessionTable) -> None:
    hand = post(table, SOUTH_WINS)
    new = at_table.correct_hand(
        table=EveningTable(table),
        hand_id=hand.pk,
        report=DRAWN,
        corrected_by="user 1",
        reason="a slip",
    )
    before, after = receipt(hand), receipt(new)
    assert "Corrected" in before
    assert "this no longer counts" in before
    assert reverse("table-receipt", args=[address_of(new)]) in before
    assert "Corrected by the scorer: a slip" in after
    assert reverse("table-receipt", args=[address_of(hand)]) in after


def test_a_hand_taken_back_leads_to_what_was_entered_instead(table: SessionTable) -> None:
    hand = post(table, SOUTH_WINS)
    at_table.take_back(table=EveningTable(table), hand_id=hand.pk, taken_by=f"table {table.pk}")
    assert "Undone" in receipt(hand)
    assert "View current receipt" not in receipt(hand)
    again = post(table, DRAWN)
    assert reverse("table-receipt", args=[address_of(again)]) in receipt(hand)


def test_tiles_are_on_the_receipt(table: SessionTable) -> None:
    assert "tiles: " in receipt(post(table, EAST_WINS_IN_TILES))


@pytest.mark.parametrize("code", ["no-such-receipt", "0" * 32, "f" * 20, "A" * 32])
def test_an_address_with_a_slip_in_it_is_told_so(table: SessionTable, code: str) -> None:
    post(table, SOUTH_WINS)
    page = Client().get(reverse("table-receipt", args=[code]))
    assert page.status_code == 404
    assert "Receipt not found" in page.content.decode()


def test_a_receipt_gives_no_way_to_the_table(table: SessionTable) -> None:
    hand = post(table, SOUTH_WINS)
    assert table.link_key not in receipt(hand)
    assert seat_key(table, 1) not in receipt(hand)


def test_a_hand_of_no_evening_has_no_receipt_here(table: SessionTable) -> None:
    hand = post(table, SOUTH_WINS)
    assert reverse("round-table-receipt", args=[address_of(hand)])
    page = Client().get(reverse("round-table-receipt", args=[address_of(hand)]))
    assert page.status_code == 404


def test_the_phone_leads_to_the_receipt(table: SessionTable, client: Client) -> None:
    hand = post(table, SOUTH_WINS)
    for key in (table.link_key, seat_key(table, 2)):
        here = reverse("table-hand-receipt", args=[key, hand.pk])
        assert here in client.get(reverse("table", args=[key])).content.decode()
        there = client.get(here)
        assert there["Location"] == reverse("table-receipt", args=[address_of(hand)])


def test_the_phone_leads_to_no_other_tables_receipts(table: SessionTable, client: Client) -> None:
    other = seated_evening(make_club("Elsewhere", "elsewhere")).tables.get()
    hand = post(other, SOUTH_WINS)
    page = client.get(reverse("table-hand-receipt", args=[table.link_key, hand.pk]))
    assert page.status_code == 404


def test_the_organisers_book_leads_to_the_receipts(
    table: SessionTable, cast: Cast, client: Client
) -> None:
    hand = post(table, SOUTH_WINS)
    client.force_login(cast.scorer)
    at = [cast.club.slug, table.session_id, table.number]
    page = client.get(reverse("evening-table", args=at)).content.decode()
    assert reverse("table-receipt", args=[address_of(hand)]) in page


@pytest.mark.parametrize("hands", [1, 3])
def test_a_receipt_costs_the_same_however_long_the_evening(
    hands: int, table: SessionTable, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    played = [post(table, SOUTH_WINS, number) for number in range(1, hands + 1)]
    address = reverse("table-receipt", args=[address_of(played[0])])
    with django_assert_num_queries(8):
        Client().get(address)
