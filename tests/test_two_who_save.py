"""Two people open the same page and both save: the second reads what the first changed."""

import re
from collections.abc import Callable
from typing import NamedTuple

import pytest
from django.db.models import Model
from django.test import Client
from django.urls import reverse

from clubs.messages import services as messages_services
from clubs.models import Retention
from clubs.privacy.forms import initial_months
from tests.clubs.nights import make_season
from tests.clubs.year import make_series
from tests.pageforms import filled_in
from tests.people import PASSWORD, Cast, make_player
from tests.tournaments.cups import make_cup
from tournaments.results import services

Values = dict[str, str]


class Page(NamedTuple):
    """A page, what each of the two types on it, and what the second reads about the first."""

    made: Callable[[Cast], tuple[str, Model]]
    first: Values
    second: Values
    read: str
    column: str
    also: Values = {}


def address(cast: Cast, name: str, *numbers: int) -> str:
    return reverse(name, args=[cast.club.slug, *numbers])


def season(cast: Cast) -> tuple[str, Model]:
    made = make_season(cast.club)
    return address(cast, "season-change", made.pk), made


def series(cast: Cast) -> tuple[str, Model]:
    made = make_series(cast.club)
    return address(cast, "series-change", made.pk), made


def rules(cast: Cast) -> tuple[str, Model]:
    return address(cast, "club-rules"), cast.club


def public(cast: Cast) -> tuple[str, Model]:
    return address(cast, "club-public"), cast.club


def keeping(cast: Cast) -> tuple[str, Model]:
    return address(cast, "keeping"), Retention.objects.create(club=cast.club, guests=12)


def batch(cast: Cast) -> tuple[str, Model]:
    reader = make_player(cast.club, "Maud", email="maud@example.org")
    drafted = messages_services.draft_message(
        club=cast.club, made_by=cast.secretary, subject="Tuesday", text="Come.", readers=[reader]
    )
    return address(cast, "batch-text", drafted.pk), drafted.messages.get()


def message(cast: Cast) -> tuple[str, Model]:
    _, one = batch(cast)
    return address(cast, "message", one.batch_id, one.pk), one  # type: ignore[attr-defined]


def settings(cast: Cast) -> tuple[str, Model]:
    cup = make_cup(entrants=4, club=cast.club)
    return address(cast, "tournament-settings", cup.pk), cup


def terms(cast: Cast) -> tuple[str, Model]:
    cup = make_cup(entrants=4, club=cast.club)
    return address(cast, "entrants", cup.pk), cup


def prize(cast: Cast) -> tuple[str, Model]:
    cup = make_cup(entrants=4, club=cast.club)
    services.declare_usual_prizes(tournament=cup)
    made = cup.prizes.all()[0]
    return address(cast, "prize", cup.pk, made.pk), made


PAGES = {
    "season": Page(season, {"name": "Winter"}, {"name": "Spring"}, "“Winter”", "name"),
    "series": Page(
        series, {"place": "Hall A"}, {"place": "Hall B"}, "“Hall A”", "place", {"save": "yes"}
    ),
    "club rules": Page(
        rules, {"agreement": "two"}, {"agreement": "none"}, "“Any two players”", "agreement"
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
    at, row = page.made(cast)
    alice, sam = signed_in(cast.secretary.email), signed_in(cast.secretary.email)
    way = page.also.get("way", "")
    for_alice, for_sam = (filled_in(one.get(at).content.decode(), way) for one in (alice, sam))
    assert alice.post(at, for_alice | page.first | page.also).status_code == 302
    answer = sam.post(at, for_sam | page.second | page.also)
    assert answer.status_code == 422
    html = re.sub(r"\s+", " ", answer.content.decode())
    said = rf"Alice changed this to {page.read}.* at [\w: ]+\. What you typed is not saved yet"
    assert re.search(said, html), html.partition("There is a problem")[2][:400]
    row.refresh_from_db()
    [(_, first)], [(_, second)] = page.first.items(), page.second.items()
    assert str(getattr(row, page.column)) == first
    again = filled_in(answer.content.decode(), way)
    assert sam.post(at, again | page.also).status_code == 302
    row.refresh_from_db()
    assert str(getattr(row, page.column)) == second


@pytest.mark.parametrize("name", PAGES)
def test_a_page_that_no_one_overtook_is_saved(cast: Cast, name: str) -> None:
    page = PAGES[name]
    at, row = page.made(cast)
    alice = signed_in(cast.secretary.email)
    fields = filled_in(alice.get(at).content.decode(), page.also.get("way", ""))
    assert alice.post(at, fields | page.second | page.also).status_code == 302
    row.refresh_from_db()
    assert str(getattr(row, page.column)) == next(iter(page.second.values()))


def test_what_the_first_changed_elsewhere_is_said_and_kept(cast: Cast) -> None:
    at, row = season(cast)
    alice, sam = signed_in(cast.secretary.email), signed_in(cast.secretary.email)
    for_alice, for_sam = (filled_in(one.get(at).content.decode()) for one in (alice, sam))
    alice.post(at, for_alice | {"name": "Winter"})
    answer = sam.post(at, for_sam | {"ends_on": "2027-01-31"})
    html = answer.content.decode()
    read = r"Alice changed this to “Winter” at [\w: ]+\. Nothing is saved yet: check it, then press"
    assert re.search(read, html)
    assert "What you typed" not in html
    assert sam.post(at, filled_in(html)).status_code == 302
    row.refresh_from_db()
    assert (row.name, str(row.ends_on)) == ("Winter", "2027-01-31")  # type: ignore[attr-defined]


def test_a_switch_that_someone_has_turned_is_not_turned_back_unseen(cast: Cast) -> None:
    at, _ = public(cast)
    alice, sam = signed_in(cast.secretary.email), signed_in(cast.secretary.email)
    for_alice, for_sam = (filled_in(one.get(at).content.decode()) for one in (alice, sam))
    was = cast.club.shows_results
    for_alice.pop("shows_results", None)
    alice.post(at, for_alice if was else for_alice | {"shows_results": "on"})
    answer = sam.post(at, for_sam)
    assert answer.status_code == 422
    assert f"Alice {'unticked' if was else 'ticked'} this at" in answer.content.decode()
    cast.club.refresh_from_db()
    assert cast.club.shows_results is not was


def test_a_schedule_turned_off_since_is_not_turned_on_unseen(cast: Cast) -> None:
    at, _ = keeping(cast)
    months = initial_months(Retention(club=cast.club))
    Retention.objects.update(**months)
    alice, sam = signed_in(cast.secretary.email), signed_in(cast.secretary.email)
    for_sam = filled_in(sam.get(at).content.decode())
    token = filled_in(alice.get(at).content.decode())["csrfmiddlewaretoken"]
    alice.post(address(cast, "keeping-stop"), {"csrfmiddlewaretoken": token})
    answer = sam.post(at, for_sam | {"guests": "9"})
    assert answer.status_code == 422
    html = answer.content.decode()
    assert re.search(r"Alice turned off the retention schedule at [\w: ]+, after you opened", html)
    assert not Retention.objects.exists()
    again = filled_in(html)
    assert again["guests"] == ["9"]
    assert sam.post(at, again).status_code == 302
    assert initial_months(Retention.objects.get()) == months | {"guests": 9}


def test_a_schedule_turned_on_since_is_not_changed_unseen(cast: Cast) -> None:
    at = address(cast, "keeping")
    alice, sam = signed_in(cast.secretary.email), signed_in(cast.secretary.email)
    for_alice, for_sam = (filled_in(one.get(at).content.decode()) for one in (alice, sam))
    alice.post(at, for_alice | {"deeds": "7"})
    answer = sam.post(at, for_sam)
    html = answer.content.decode()
    assert re.search(r"Alice turned on the retention schedule at [\w: ]+, after you opened", html)
    assert "Alice changed this to “7” at" in html
    assert Retention.objects.get().deeds == 7
    assert sam.post(at, filled_in(html)).status_code == 302
    assert Retention.objects.get().deeds == 7
