"""The list of prizes left open by one director while another moves, deletes or changes one."""

import re

import pytest
from django.test import Client

from tests.clubs.visits import Visitor
from tests.pageforms import hidden_in
from tests.people import Cast
from tests.tournaments.cups import make_cup
from tournaments.models import Tournament
from tournaments.results import services

AT = r" by Alice at \d[\w: ]*\."
AFTER = r" at \d[\w: ]*, after you opened this\."


@pytest.fixture
def cup(cast: Cast) -> Tournament:
    """A cup with the standard prizes."""
    cup = make_cup(entrants=4, club=cast.club)
    services.declare_usual_prizes(tournament=cup)
    return cup


def prizes(cup: Tournament) -> str:
    return f"/c/{cup.club.slug}/tournaments/{cup.pk}/prizes/"


def press(client: Client, cup: Tournament, form: str, sent: dict[str, str]) -> str:
    """The text of the page that follows the press."""
    answer = client.post(f"{prizes(cup)}{form}", sent, follow=True)
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", answer.content.decode())


def fields(client: Client, cup: Tournament, form: str) -> dict[str, str]:
    html = client.get(prizes(cup)).content.decode()
    return hidden_in(html, prizes(cup), f"{prizes(cup)}{form}")


def order(cup: Tournament) -> list[str]:
    return [prize.name for prize in cup.prizes.all()]


@pytest.mark.parametrize("way", ["up", "down"])
def test_a_prize_moved_since_is_not_moved_again(cast: Cast, cup: Tournament, way: str) -> None:
    alice, dev = Visitor(cast.secretary), Visitor(cast.director)
    form = f"{cup.prizes.all()[2].pk}/move/"
    shown = fields(dev, cup, form)
    press(alice, cup, form, {**shown, way: ""})
    before = order(cup)
    page = press(dev, cup, form, {**shown, way: ""})
    assert re.search("Alice moved a prize of Autumn Cup up or down" + AFTER, page)
    assert order(cup) == before != []
    press(dev, cup, form, {**fields(dev, cup, form), way: ""})
    assert order(cup) != before


def test_a_prize_changed_since_is_not_deleted(cast: Cast, cup: Tournament) -> None:
    alice, dev = Visitor(cast.secretary), Visitor(cast.director)
    first = cup.prizes.all()[0].pk
    shown = fields(dev, cup, f"{first}/remove/")
    terms = {"kind": "place", "place": "1", "of": "=", "name": "First", "gift": "A cup"}
    press(alice, cup, f"{first}/", terms)
    page = press(dev, cup, f"{first}/remove/", shown)
    assert re.search("Alice changed a prize of Autumn Cup" + AFTER, page)
    assert cup.prizes.get(pk=first).gift == "A cup"


@pytest.mark.parametrize("form", ["remove/", "move/", ""])
def test_a_prize_that_is_gone_is_no_missing_page(cast: Cast, cup: Tournament, form: str) -> None:
    alice, dev = Visitor(cast.secretary), Visitor(cast.director)
    first = cup.prizes.all()[0].pk
    shown = fields(dev, cup, f"{first}/remove/")
    assert "First deleted." in press(alice, cup, f"{first}/remove/", shown)
    left = order(cup)
    page = press(dev, cup, f"{first}/{form}", {**shown, "down": ""})
    assert re.search("This prize was already deleted" + AT, page)
    assert order(cup) == left
    assert dev.post(f"{prizes(cup)}{first + 1000}/{form}").status_code == 404


@pytest.mark.parametrize("is_ticked", [True, False])
def test_one_prize_per_person_is_ticked_once(
    cast: Cast, cup: Tournament, *, is_ticked: bool
) -> None:
    services.set_prize_rule(tournament=cup, one_each=not is_ticked)
    alice, dev = Visitor(cast.secretary), Visitor(cast.director)
    shown = fields(dev, cup, "rule/")
    now, was = ({"one_each": "on"} if ticked else {} for ticked in (is_ticked, not is_ticked))
    press(alice, cup, "rule/", {**shown, **now})
    word = "ticked" if is_ticked else "unticked"
    page = press(dev, cup, "rule/", {**shown, **now})
    assert re.search(f"“One prize per person” was already {word}" + AT, page)
    page = press(dev, cup, "rule/", {**shown, **was})
    assert re.search("Alice changed the prize rules of Autumn Cup" + AFTER, page)
    cup.refresh_from_db()
    assert cup.one_prize_each is is_ticked
    press(dev, cup, "rule/", {**fields(dev, cup, "rule/"), **was})
    cup.refresh_from_db()
    assert cup.one_prize_each is not is_ticked
