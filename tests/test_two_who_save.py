"""Two people open the same page and both save: the second reads what the first changed, and who.

So it is with a seating, a webhook and a new evening, which are not saved over.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

import pytest
from django.db.models import Model
from django.test import Client
from django.test.utils import override_settings
from django.urls import reverse

from clubs.messages import services as messages_services
from clubs.models import AuditEntry, Retention, Webhook
from clubs.privacy.forms import initial_months
from clubs.webhooks import services as webhooks_services
from tests.api import api_client
from tests.clubs.nights import make_season
from tests.clubs.year import make_series
from tests.pageforms import filled_in, hidden_in
from tests.people import PASSWORD, Cast, browser_of, make_player
from tests.tournaments.cups import DRAWN, close_round, make_cup, page_of, seated_cup
from tournaments.models import OddNumber
from tournaments.results import services

Values = dict[str, str]


class Page(NamedTuple):
    """A page, what each of the two types on it, and what the second reads about the first."""

    make_row: Callable[[Cast], tuple[str, Model]]
    first: Values
    second: Values
    expected_text: str
    column: str
    also: Values = {}


def address(cast: Cast, name: str, *numbers: int) -> str:
    return reverse(name, args=[cast.club.slug, *numbers])


def season(cast: Cast) -> tuple[str, Model]:
    row = make_season(cast.club)
    return address(cast, "season-change", row.pk), row


def series(cast: Cast) -> tuple[str, Model]:
    row = make_series(cast.club)
    return address(cast, "series-change", row.pk), row


def rules(cast: Cast) -> tuple[str, Model]:
    return address(cast, "club-rules"), cast.club


def club_name(cast: Cast) -> tuple[str, Model]:
    return address(cast, "club-name"), cast.club


def public(cast: Cast) -> tuple[str, Model]:
    return address(cast, "club-public"), cast.club


def keeping(cast: Cast) -> tuple[str, Model]:
    return address(cast, "keeping"), Retention.objects.create(club=cast.club, guests=12)


def batch(cast: Cast) -> tuple[str, Model]:
    reader = make_player(cast.club, "Maud", email="maud@example.org")
    drafted_batch = messages_services.draft_message(
        club=cast.club, made_by=cast.secretary, subject="Tuesday", text="Come.", readers=[reader]
    )
    return address(cast, "batch-text", drafted_batch.pk), drafted_batch.messages.get()


def message(cast: Cast) -> tuple[str, Model]:
    _, row = batch(cast)
    return address(cast, "message", row.batch_id, row.pk), row  # type: ignore[attr-defined]


def settings(cast: Cast) -> tuple[str, Model]:
    cup = make_cup(entrants=4, club=cast.club)
    return address(cast, "tournament-settings", cup.pk), cup


def terms(cast: Cast) -> tuple[str, Model]:
    cup = make_cup(entrants=4, club=cast.club)
    return address(cast, "entrants", cup.pk), cup


def prize(cast: Cast) -> tuple[str, Model]:
    cup = make_cup(entrants=4, club=cast.club)
    services.declare_usual_prizes(tournament=cup)
    row = cup.prizes.all()[0]
    return address(cast, "prize", cup.pk, row.pk), row


PAGES = {
    "season": Page(season, {"name": "Winter"}, {"name": "Spring"}, "“Winter”", "name"),
    "series": Page(
        series, {"place": "Hall A"}, {"place": "Hall B"}, "“Hall A”", "place", {"save": "yes"}
    ),
    "club rules": Page(
        rules, {"agreement": "two"}, {"agreement": "none"}, "“Any two players”", "agreement"
    ),
    "club name": Page(
        club_name, {"name": "Riverside A"}, {"name": "Riverside B"}, "“Riverside A”", "name"
    ),
    "keeping": Page(keeping, {"guests": "6"}, {"guests": "9"}, "“6”", "guests"),
    "text": Page(batch, {"text": "Come at 7."}, {"text": "Come at 8."}, "“Come at 7.”", "body"),
    "message": Page(message, {"text": "Come at 7."}, {"text": "At 8."}, "“Come at 7.”", "body"),
    "settings": Page(settings, {"name": "Cup A"}, {"name": "Cup B"}, "“Cup A”", "name"),
    "terms": Page(terms, {"places": "8"}, {"places": "12"}, "“8”", "places", {"way": "rules"}),
    "prize": Page(prize, {"gift": "a cup"}, {"gift": "a plate"}, "“a cup”", "gift"),
}


def signed_in(email: str) -> Client:
    client = Client(enforce_csrf_checks=True)
    assert client.login(email=email, password=PASSWORD)
    return client


@pytest.mark.parametrize("name", PAGES)
def test_the_second_reads_what_the_first_saved_and_can_save_over_it(cast: Cast, name: str) -> None:
    page = PAGES[name]
    url, row = page.make_row(cast)
    alice, sam = signed_in(cast.secretary.email), signed_in(cast.secretary.email)
    method = page.also.get("way", "")
    for_alice, for_sam = (
        filled_in(browser.get(url).content.decode(), method) for browser in (alice, sam)
    )
    assert alice.post(url, for_alice | page.first | page.also).status_code == 302
    answer = sam.post(url, for_sam | page.second | page.also)
    assert answer.status_code == 422
    html = re.sub(r"\s+", " ", answer.content.decode())
    change = f"Alice changed this to {page.expected_text}"
    expected_text = rf"{change}.* at [\w: ]+\. What you typed is not saved yet"
    assert re.search(expected_text, html), html.partition("There is a problem")[2][:400]
    row.refresh_from_db()
    [(_, first)], [(_, second)] = page.first.items(), page.second.items()
    assert str(getattr(row, page.column)) == first
    second_form = filled_in(answer.content.decode(), method)
    assert sam.post(url, second_form | page.also).status_code == 302
    row.refresh_from_db()
    assert str(getattr(row, page.column)) == second


def test_what_the_first_changed_elsewhere_is_said_and_kept(cast: Cast) -> None:
    url, row = season(cast)
    alice, sam = signed_in(cast.secretary.email), signed_in(cast.secretary.email)
    for_alice, for_sam = (filled_in(browser.get(url).content.decode()) for browser in (alice, sam))
    alice.post(url, for_alice | {"name": "Winter"})
    answer = sam.post(url, for_sam | {"ends_on": "2027-01-31"})
    html = answer.content.decode()
    expected_text = (
        r"Alice changed this to “Winter” at [\w: ]+\. Nothing is saved yet: check it, then press"
    )
    assert re.search(expected_text, html)
    assert "What you typed" not in html
    assert sam.post(url, filled_in(html)).status_code == 302
    row.refresh_from_db()
    assert (row.name, str(row.ends_on)) == ("Winter", "2027-01-31")  # type: ignore[attr-defined]


def test_a_switch_that_someone_has_turned_is_not_turned_back_unseen(cast: Cast) -> None:
    url, _ = public(cast)
    alice, sam = signed_in(cast.secretary.email), signed_in(cast.secretary.email)
    for_alice, for_sam = (filled_in(browser.get(url).content.decode()) for browser in (alice, sam))
    old_value = cast.club.shows_results
    for_alice.pop("shows_results", None)
    alice.post(url, for_alice if old_value else for_alice | {"shows_results": "on"})
    answer = sam.post(url, for_sam)
    assert answer.status_code == 422
    assert f"Alice {'unticked' if old_value else 'ticked'} this at" in answer.content.decode()
    cast.club.refresh_from_db()
    assert cast.club.shows_results is not old_value


def test_a_schedule_turned_off_since_is_not_turned_on_unseen(cast: Cast) -> None:
    url, _ = keeping(cast)
    months = initial_months(Retention(club=cast.club))
    Retention.objects.update(**months)
    alice, sam = signed_in(cast.secretary.email), signed_in(cast.secretary.email)
    for_sam = filled_in(sam.get(url).content.decode())
    token = filled_in(alice.get(url).content.decode())["csrfmiddlewaretoken"]
    alice.post(address(cast, "keeping-stop"), {"csrfmiddlewaretoken": token})
    answer = sam.post(url, for_sam | {"guests": "9"})
    assert answer.status_code == 422
    html = answer.content.decode()
    assert re.search(r"Alice turned off the retention schedule at [\w: ]+, after you opened", html)
    assert not Retention.objects.exists()
    second_form = filled_in(html)
    assert second_form["guests"] == ["9"]
    assert sam.post(url, second_form).status_code == 302
    assert initial_months(Retention.objects.get()) == months | {"guests": 9}


def test_a_schedule_turned_on_since_is_not_changed_unseen(cast: Cast) -> None:
    url = address(cast, "keeping")
    alice, sam = signed_in(cast.secretary.email), signed_in(cast.secretary.email)
    for_alice, for_sam = (filled_in(browser.get(url).content.decode()) for browser in (alice, sam))
    alice.post(url, for_alice | {"deeds": "7"})
    answer = sam.post(url, for_sam)
    html = answer.content.decode()
    assert re.search(r"Alice turned on the retention schedule at [\w: ]+, after you opened", html)
    assert "Alice changed this to “7” at" in html
    assert Retention.objects.get().deeds == 7
    assert sam.post(url, filled_in(html)).status_code == 302
    assert Retention.objects.get().deeds == 7


def text(client: Client, url: str, data: dict[str, object]) -> str:
    answer = client.post(url, data, follow=True)
    return re.sub(r"\s+", " ", answer.content.decode())


def test_a_round_seated_by_hand_names_who_changed_it_since(cast: Cast) -> None:
    cup = seated_cup(entrants=8, rounds=2, club=cast.club)
    url = page_of(cup, "seating/")
    alice, dev = browser_of(cast.secretary), browser_of(cast.director)
    page = filled_in(dev.get(f"{url}by-hand/2/").content.decode())
    entrant, other_entrant = cup.entrants.all()[:2]
    swap = {
        "way": "swap",
        "swap-number": "2",
        "swap-one": entrant.pk,
        "swap-other": other_entrant.pk,
    }
    assert alice.post(f"{url}changes/", swap).status_code == 302
    page_text = text(dev, f"{url}by-hand/2/", {**page, "save": "yes"})
    expected_text = (
        r"Alice swapped Player 1 and Player 2 in Autumn Cup at [\w: ]+\. Your choices are"
    )
    assert re.search(expected_text, page_text)


def test_a_refused_seating_by_standings_names_who_changed_them_and_is_in_no_log(cast: Cast) -> None:
    cup = seated_cup(entrants=8, hands=1, club=cast.club, by_standing_from=2, odd=OddNumber.HOUSE)
    close_round(cup, DRAWN)
    url = page_of(cup)
    alice, dev = browser_of(cast.secretary), browser_of(cast.director)
    page = proposal(dev, url)
    alice.post(f"{url}entrants/{cup.entrants.get(number=8).pk}/withdraw/")
    lines = AuditEntry.objects.filter(what="round-by-standing")
    page_text = text(dev, f"{url}seating/standing/", dict(page))
    assert re.search(r"Alice withdrew Player 8 from Autumn Cup at [\w: ]+\.", page_text)
    assert not lines.exists()
    assert not cup.entrants.filter(is_house=True).exists()
    assert dev.post(f"{url}seating/standing/", page).status_code == 422
    assert dev.post(f"{url}seating/standing/", proposal(dev, url)).status_code == 302
    assert lines.count() == 1
    assert cup.entrants.get(is_house=True).placements.get().round.number == 2


def proposal(client: Client, url: str) -> dict[str, str]:
    """The hidden fields of the seating by standings that the page proposes."""
    page = f"{url}seating/standing/"
    fields = hidden_in(client.get(page).content.decode(), page, page)
    assert fields["mark"]
    return fields


@pytest.mark.parametrize(
    ("is_active", "action", "word"), [(True, "stop", "stopped"), (False, "start", "restarted")]
)
@override_settings(WEBHOOKS_TO_PRIVATE=True)
def test_a_webhook_is_switched_once_and_the_second_reads_who(
    cast: Cast, is_active: bool, action: str, word: str
) -> None:
    webhook = webhooks_services.add_webhook(
        club=cast.club, address="https://localhost:1/", kinds=["hand.recorded"]
    )
    Webhook.objects.filter(pk=webhook.pk).update(is_active=is_active)
    url = reverse("webhook-switch", args=["riverside", webhook.pk])
    alice, sam = browser_of(cast.secretary), browser_of(cast.secretary)
    assert f"Webhook {word}." in text(alice, url, {"way": action})
    page_text = text(sam, url, {"way": action})
    assert re.search(rf"The webhook was already {word} by Alice at [\w: ]+\.", page_text)
    webhook.refresh_from_db()
    assert webhook.is_active is not is_active
    page = sam.get(reverse("webhooks", args=["riverside"])).content.decode()
    assert f'name="way" value="{"start" if is_active else "stop"}"' in page


def test_an_evening_opened_twice_names_who_opened_it(cast: Cast) -> None:
    alice, program = browser_of(cast.secretary), api_client(cast.secretary)
    day = {"held_on": "2026-11-24"}
    assert alice.post("/c/riverside/evenings/", day).status_code == 302
    expected_text = (
        r"There is already an evening on 24 November 2026\. Alice opened it at [\w: ]+\."
    )
    assert re.search(expected_text, text(alice, "/c/riverside/evenings/", dict(day)))
    url = "/api/v1/clubs/riverside/evenings/"
    response = program.post(url, day, content_type="application/json")
    assert re.search(expected_text, response.json()["problems"][0]["message"])
