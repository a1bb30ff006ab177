"""The receipt of a hand: what was recorded, who agreed, and what became of it."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertNumQueries

from clubs.table import services
from clubs.table.event import seat_key
from scoring.scorebook.consent import shown_digest
from scoring.scorebook.models import Hand
from scoring.scorebook.reports import Report
from scoring.scorebook.selectors import address_of, hand_row, sealed_hands
from tests.clubs.table.phones import DRAWN, SOUTH_WINS, At, AtEvening
from tests.clubs.tables import seated_evening
from tests.people import Cast, make_club
from tests.scoring.scorebook.book import EAST_WINS_IN_TILES


def post(at: At, report: Report, number: int = 1, **sent: Any) -> Hand:
    sent = {"sent_by": at.sent_by} | sent
    recorded = services.post_hand(
        table=at.event, submission_id=uuid4(), number=number, report=report, **sent
    )
    return Hand.objects.get(pk=recorded.hand.pk)


def say(at: At, hand: Hand, seat: int, *, agrees: bool, note: str = "") -> None:
    names = at.event.full_names()
    services.say(
        table=at.event,
        hand_id=hand.pk,
        seats={seat},
        agrees=agrees,
        shown=shown_digest(hand_row(hand), names=names, rules=hand.game.rules),
        said_by=f"{at.sent_by} seat {seat}",
        note=note,
    )


def address(hand: Hand, kind: str = "table") -> str:
    return reverse(f"{kind}-receipt", args=[address_of(hand)])


def receipt(at: At, hand: Hand) -> str:
    page = Client().get(address(hand, at.event.phone))
    assert page.status_code == 200
    return page.content.decode()


def test_a_receipt_shows_the_hand_as_it_was_recorded(at: At) -> None:
    hand = post(at, SOUTH_WINS)
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
    hand = post(evening, SOUTH_WINS, sent_by=f"{evening.sent_by} seat 2", seat=2)
    text = receipt(evening, hand)
    assert f"Recorded by {name}’s phone" in text
    assert f"{name}: agreed" in text


def test_it_says_who_found_it_not_right_and_what_the_scorer_said(evening: AtEvening) -> None:
    hand = post(evening, SOUTH_WINS)
    say(evening, hand, 3, agrees=False, note="My score was 46")
    services.decide(
        table=evening.event, hand_id=hand.pk, reason="Seen on the table", made_by="user 1"
    )
    text = receipt(evening, hand)
    for words in (
        f"{evening.names[3]}: disputed",
        "My score was 46",
        "The scorer: kept as entered",
        "Seen on the table",
    ):
        assert words in text


def test_only_the_last_word_of_a_player_counts(evening: AtEvening) -> None:
    hand, name = post(evening, SOUTH_WINS), evening.names[3]
    say(evening, hand, 3, agrees=False)
    say(evening, hand, 3, agrees=True)
    text = receipt(evening, hand)
    assert (f"{name}: agreed" in text, f"{name}: disputed" in text) == (True, False)


def test_a_corrected_hand_leads_to_what_stands_and_back(evening: AtEvening) -> None:
    hand = post(evening, SOUTH_WINS)
    new = services.correct_hand(
        table=evening.event, hand_id=hand.pk, report=DRAWN, corrected_by="user 1", reason="a slip"
    )
    before, after = receipt(evening, hand), receipt(evening, new)
    assert "Corrected" in before
    assert "this no longer counts" in before
    assert address(new) in before
    assert "Corrected by the scorer: a slip" in after
    assert address(hand) in after


def test_a_hand_taken_back_leads_to_what_was_entered_instead(evening: AtEvening) -> None:
    hand = post(evening, SOUTH_WINS)
    services.take_back(table=evening.event, hand_id=hand.pk, taken_by=evening.sent_by)
    text = receipt(evening, hand)
    assert ("Undone" in text, "View current receipt" in text) == (True, False)
    again = post(evening, DRAWN)
    assert address(again) in receipt(evening, hand)


def test_tiles_are_on_the_receipt(evening: AtEvening) -> None:
    assert "tiles: " in receipt(evening, post(evening, EAST_WINS_IN_TILES))


@pytest.mark.parametrize("code", ["no-such-receipt", "0" * 32, "f" * 20, "A" * 32])
def test_an_address_with_a_slip_in_it_is_told_so(evening: AtEvening, code: str) -> None:
    post(evening, SOUTH_WINS)
    page = Client().get(reverse("table-receipt", args=[code]))
    assert page.status_code == 404
    assert "Receipt not found" in page.content.decode()


def test_phones_and_the_organisers_book_lead_to_the_receipt(cast: Cast, at: At) -> None:
    hand = post(at, SOUTH_WINS)
    there, below = address(hand, at.event.phone), f"hands/{hand.pk}/receipt/"
    for phone in (at.phone, at.own_phone(2)):
        assert f"{phone.address}{below}" in phone.text()
        assert phone.look(below)["Location"] == there
    assert there in at.desk(cast.scorer).text()


def test_the_phone_leads_to_no_other_tables_receipts(evening: AtEvening) -> None:
    other = AtEvening(seated_evening(make_club("Elsewhere", "elsewhere")).tables.get())
    hand = post(other, SOUTH_WINS)
    assert evening.phone.look(f"hands/{hand.pk}/receipt/").status_code == 404


@pytest.mark.parametrize("hands", [1, 3])
def test_a_receipt_costs_the_same_however_long_the_evening(hands: int, evening: AtEvening) -> None:
    played = [post(evening, SOUTH_WINS, number) for number in range(1, hands + 1)]
    there = address(played[0])
    with assertNumQueries(8):
        Client().get(there)
