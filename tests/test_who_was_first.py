"""Whoever comes second with a seating, a webhook or a new evening reads who was first."""

import re

import pytest
from django.test import Client
from django.test.utils import override_settings
from django.urls import reverse

from clubs.models import AuditEntry, Webhook
from clubs.webhooks import services as webhooks_services
from tests.api import api_client
from tests.pageforms import filled_in, hidden_in
from tests.people import PASSWORD, Cast
from tests.tournaments.cups import DRAWN, make_cup, play_round, seated_cup
from tournaments.models import Tournament
from tournaments.seating.services import seating
from tournaments.steps import services


def signed_in(email: str) -> Client:
    client = Client()
    assert client.login(email=email, password=PASSWORD)
    return client


def text(client: Client, at: str, sent: dict[str, object]) -> str:
    answer = client.post(at, sent, follow=True)
    return re.sub(r"\s+", " ", answer.content.decode())


def test_a_round_seated_by_hand_names_who_changed_it_since(cast: Cast) -> None:
    cup = seated_cup(entrants=8, rounds=2, club=cast.club)
    at = f"/c/riverside/tournaments/{cup.pk}/seating/"
    alice, dev = signed_in(cast.secretary.email), signed_in(cast.director.email)
    page = filled_in(dev.get(f"{at}by-hand/2/").content.decode())
    one, other = cup.entrants.all()[:2]
    swap = {"way": "swap", "swap-number": "2", "swap-one": one.pk, "swap-other": other.pk}
    assert alice.post(f"{at}changes/", swap).status_code == 302
    read = text(dev, f"{at}by-hand/2/", {**page, "save": "yes"})
    sentence = r"Alice swapped Player 1 and Player 2 in Autumn Cup at [\w: ]+\. Your choices are"
    assert re.search(sentence, read)


def test_a_round_seated_by_standings_names_who_changed_them_since(cast: Cast) -> None:
    cup = by_standings(cast)
    at = f"/c/riverside/tournaments/{cup.pk}/"
    alice, dev = signed_in(cast.secretary.email), signed_in(cast.director.email)
    page = proposal(dev, at)
    alice.post(f"{at}entrants/{cup.entrants.get(number=8).pk}/withdraw/")
    read = text(dev, f"{at}seating/standing/", dict(page))
    assert re.search(r"Alice withdrew Player 8 from Autumn Cup at [\w: ]+\.", read)


def test_a_refused_seating_by_standings_adds_no_one_and_is_in_no_log(cast: Cast) -> None:
    cup = by_standings(cast)
    at = f"/c/riverside/tournaments/{cup.pk}/"
    alice, dev = signed_in(cast.secretary.email), signed_in(cast.director.email)
    page = proposal(dev, at)
    alice.post(f"{at}entrants/{cup.entrants.get(number=8).pk}/withdraw/")
    lines = AuditEntry.objects.filter(what="round-by-standing")
    assert dev.post(f"{at}seating/standing/", page).status_code == 422
    assert not lines.exists()
    assert not cup.entrants.filter(is_house=True).exists()
    assert dev.post(f"{at}seating/standing/", proposal(dev, at)).status_code == 302
    assert lines.count() == 1
    assert cup.entrants.get(is_house=True).placements.get().round.number == 2


def by_standings(cast: Cast) -> Tournament:
    """A cup whose second round is seated by standings, the first is closed."""
    cup = make_cup(entrants=8, rounds=2, hands=1, club=cast.club)
    Tournament.objects.filter(pk=cup.pk).update(by_standing_from=2, odd_number="house")
    seating.seat_rounds(tournament=cup)
    services.start_round(tournament=cup)
    play_round(cup, DRAWN)
    services.close_round(tournament=cup)
    return cup


def proposal(client: Client, at: str) -> dict[str, str]:
    """The hidden fields of the seating by standings that the page proposes."""
    page = f"{at}seating/standing/"
    fields = hidden_in(client.get(page).content.decode(), page, page)
    assert fields["mark"]
    return fields


@pytest.mark.parametrize(
    ("is_active", "way", "word"), [(True, "stop", "stopped"), (False, "start", "restarted")]
)
@override_settings(WEBHOOKS_TO_PRIVATE=True)
def test_a_webhook_is_switched_once_and_the_second_reads_who(
    cast: Cast, is_active: bool, way: str, word: str
) -> None:
    made = webhooks_services.add_webhook(
        club=cast.club, address="https://localhost:1/", kinds=["hand.recorded"]
    )
    Webhook.objects.filter(pk=made.pk).update(is_active=is_active)
    at = reverse("webhook-switch", args=["riverside", made.pk])
    alice, sam = signed_in(cast.secretary.email), signed_in(cast.secretary.email)
    assert f"Webhook {word}." in text(alice, at, {"way": way})
    read = text(sam, at, {"way": way})
    assert re.search(rf"The webhook was already {word} by Alice at [\w: ]+\.", read)
    made.refresh_from_db()
    assert made.is_active is not is_active
    page = sam.get(reverse("webhooks", args=["riverside"])).content.decode()
    assert f'name="way" value="{"start" if is_active else "stop"}"' in page


def test_an_evening_opened_twice_names_who_opened_it(cast: Cast) -> None:
    alice, program = signed_in(cast.secretary.email), api_client(cast.secretary)
    day = {"held_on": "2026-11-24"}
    assert alice.post("/c/riverside/evenings/", day).status_code == 302
    read = r"There is already an evening on 24 November 2026\. Alice opened it at [\w: ]+\."
    assert re.search(read, text(alice, "/c/riverside/evenings/", dict(day)))
    where = "/api/v1/clubs/riverside/evenings/"
    again = program.post(where, day, content_type="application/json")
    assert re.search(read, again.json()["problems"][0]["message"])
