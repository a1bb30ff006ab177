"""The receipt of a hand: what was recorded, who agreed, and what became of it."""

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertNumQueries

from clubs.table.event import seat_key
from scoring.scorebook.models import Hand
from scoring.scorebook.selectors import address_of, sealed_hands
from tests.clubs.table.phones import DRAWN, SOUTH_WINS, At, AtEvening
from tests.clubs.tables import seated_evening
from tests.people import Cast, make_club
from tests.scoring.scorebook.book import EAST_WINS_IN_TILES


def address(hand: Hand, kind: str = "table") -> str:
    return reverse(f"{kind}-receipt", args=[address_of(hand)])


def receipt(at: At, hand: Hand) -> str:
    page = Client().get(address(hand, at.event.phone))
    assert page.status_code == 200
    return page.content.decode()


def test_a_receipt_shows_the_hand_as_it_was_recorded(at: At) -> None:
    (hand,) = at.post(SOUTH_WINS)
    text = receipt(at, hand)
    assert "Receipt for hand 1" in text
    assert "Recorded by the table’s phone" in text
    assert "No one has agreed yet" in text
    assert sealed_hands([hand.pk])[hand.pk].code in text
    for words in (at.event.club.name, at.phone.page.view.title, "went", "+240", "−64", "qr"):
        assert words in text
    for key in (at.row.link_key, seat_key(at.row, 1)):
        assert key not in text, "a receipt gives no way to the table"
    other = {"table": "round-table", "round-table": "table"}[at.event.phone]
    assert Client().get(address(hand, other)).status_code == 404


def test_it_says_whose_phone_it_was(evening: AtEvening) -> None:
    name = evening.names[2]
    (hand,) = evening.post(SOUTH_WINS, seat=2)
    text = receipt(evening, hand)
    assert f"Recorded by {name}’s phone" in text
    assert f"{name}: agreed" in text


def test_it_says_who_found_it_not_right_and_what_the_scorer_said(evening: AtEvening) -> None:
    (hand,) = evening.post(SOUTH_WINS)
    evening.say(hand, 3, agrees=False, note="My score was 46")
    evening.decide(hand, "Seen on the table")
    text = receipt(evening, hand)
    for words in (
        f"{evening.names[3]}: disputed",
        "My score was 46",
        "The scorer: kept as entered",
        "Seen on the table",
    ):
        assert words in text


def test_only_the_last_word_of_a_player_counts(evening: AtEvening) -> None:
    (hand,), name = evening.post(SOUTH_WINS), evening.names[3]
    evening.say(hand, 3, agrees=False)
    evening.say(hand, 3)
    text = receipt(evening, hand)
    assert (f"{name}: agreed" in text, f"{name}: disputed" in text) == (True, False)


def test_a_corrected_hand_leads_to_what_stands_and_back(evening: AtEvening) -> None:
    (hand,) = evening.post(SOUTH_WINS)
    new = evening.correct(hand)
    before, after = receipt(evening, hand), receipt(evening, new)
    assert "Corrected" in before
    assert "this no longer counts" in before
    assert address(new) in before
    assert "Corrected by the scorer: a slip" in after
    assert address(hand) in after


def test_a_hand_taken_back_leads_to_what_was_entered_instead(evening: AtEvening) -> None:
    (hand,) = evening.post(SOUTH_WINS)
    evening.take_back(hand)
    text = receipt(evening, hand)
    assert ("Undone" in text, "View current receipt" in text) == (True, False)
    (again,) = evening.post(DRAWN)
    assert address(again) in receipt(evening, hand)


def test_tiles_are_on_the_receipt(evening: AtEvening) -> None:
    assert "tiles: " in receipt(evening, *evening.post(EAST_WINS_IN_TILES))


@pytest.mark.parametrize("code", ["no-such-receipt", "0" * 32, "f" * 20, "A" * 32])
def test_an_address_with_a_slip_in_it_is_told_so(evening: AtEvening, code: str) -> None:
    evening.post(SOUTH_WINS)
    page = Client().get(reverse("table-receipt", args=[code]))
    assert page.status_code == 404
    assert "Receipt not found" in page.content.decode()


def test_phones_and_the_organisers_book_lead_to_the_receipt(cast: Cast, at: At) -> None:
    (hand,) = at.post(SOUTH_WINS)
    there, below = address(hand, at.event.phone), f"hands/{hand.pk}/receipt/"
    for phone in (at.phone, at.own_phone(2)):
        assert f"{phone.address}{below}" in phone.text()
        assert phone.look(below)["Location"] == there
    assert there in at.desk(cast.scorer).text()


def test_the_phone_leads_to_no_other_tables_receipts(evening: AtEvening) -> None:
    other = AtEvening(seated_evening(make_club("Elsewhere", "elsewhere")).tables.get())
    (hand,) = other.post(SOUTH_WINS)
    assert evening.phone.look(f"hands/{hand.pk}/receipt/").status_code == 404


@pytest.mark.parametrize("hands", [1, 3])
def test_a_receipt_costs_the_same_however_long_the_evening(hands: int, evening: AtEvening) -> None:
    there = address(evening.post(*[SOUTH_WINS] * hands)[0])
    with assertNumQueries(8):
        Client().get(there)
