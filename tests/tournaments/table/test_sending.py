"""Hands that a table's phone kept while the bell rang: what was entered before it counts."""

import pytest
from django.test import Client
from django.urls import reverse

from scoring.scorebook.models import Hand
from tests.clubs.table.test_sending import kept
from tests.people import Cast
from tests.tournaments.cups import STARTED, at_minute, seated_tournament, tables, timed_cup
from tournaments.models import AtTheBell
from tournaments.steps import services

pytestmark = pytest.mark.django_db
DRAWN = {"winner": "nobody"}


def send(link: str, number: int, *, minute: float, kept_for: int) -> int:
    """The answer to a hand that is sent at that minute, kept for so many minutes before."""
    hand = {**kept(number, **DRAWN), "kept_for": str(60 * kept_for)}
    with at_minute(minute):
        return Client().post(f"{link}send/", hand).status_code


@pytest.mark.parametrize("at_the_bell", AtTheBell.values)
def test_what_was_entered_before_the_bell_counts_whenever_it_arrives(at_the_bell: str) -> None:
    (table,) = tables(timed_cup(at_the_bell=at_the_bell))
    link = reverse("round-table", args=[table.link_key])
    answers = [send(link, number, minute=90, kept_for=20) for number in (1, 2, 3)]
    assert answers == [201, 201, 201]
    assert {(hand.sent_at - STARTED).total_seconds() / 60 for hand in Hand.objects.all()} == {70}


def test_what_was_entered_long_after_the_bell_does_not() -> None:
    (table,) = tables(timed_cup(at_the_bell=AtTheBell.STOP))
    link = reverse("round-table", args=[table.link_key])
    assert send(link, 1, minute=95, kept_for=5) == 403
    assert not Hand.objects.exists()


def test_the_hand_on_the_table_at_the_bell_counts_after_those_before_it() -> None:
    (table,) = tables(timed_cup(at_the_bell=AtTheBell.FINISH))
    link = reverse("round-table", args=[table.link_key])
    told = [(1, 20), (2, 18), (3, 10), (4, 2)]
    assert [send(link, number, minute=90, kept_for=ago) for number, ago in told] == [
        201,
        201,
        201,
        403,
    ]


def test_a_round_that_is_closed_takes_no_kept_hand(cast: Cast) -> None:
    cup = seated_tournament(cast.club, rounds=1, hands=1)
    (table,) = tables(cup)
    link = f"{reverse('round-table', args=[table.link_key])}send/"
    assert Client().post(link, kept(1, **DRAWN)).status_code == 201
    services.close_round(tournament=cup)
    assert Client().post(link, kept(2, **DRAWN)).status_code == 403
