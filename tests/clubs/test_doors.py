"""Who may pass which door of a club: every address tried by the whole cast."""

from dataclasses import dataclass
from datetime import date
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from clubs import tasks
from clubs.models import HouseRules, Job, Season, Session
from clubs.services.house import keep_house_rules
from scoring.house import read_house_rules
from tests.clubs.nights import make_season
from tests.clubs.tables import seated_evening
from tests.people import PASSWORD, Cast

PEOPLE = ("secretary", "director", "scorer", "player", "member of another club", "nobody")
MEMBERS = {"secretary": 200, "director": 200, "scorer": 200, "player": 200}
ORGANISERS = {"secretary": 200, "director": 200, "scorer": 200}
SECRETARY = {"secretary": 200}
EVERYBODY = dict.fromkeys(PEOPLE, 200)

GETS: dict[str, dict[str, int]] = {
    "rules": EVERYBODY,
    "score": EVERYBODY,
    "score-rules": EVERYBODY,
    "score-link": EVERYBODY,
    "wall": EVERYBODY,
    "wall-worker": EVERYBODY,
    "table": EVERYBODY,
    "table-standings": EVERYBODY,
    "club": MEMBERS,
    "members": MEMBERS,
    "player": MEMBERS,
    "evenings": MEMBERS,
    "evening": MEMBERS,
    "result": MEMBERS,
    "seasons": MEMBERS,
    "season": MEMBERS,
    "member-add": SECRETARY,
    "members-import": SECRETARY,
    "member-change": SECRETARY,
    "club-rules": SECRETARY,
    "house-rules": SECRETARY,
    "house-lines": SECRETARY,
    "season-add": SECRETARY,
    "season-change": SECRETARY,
    "job": SECRETARY,
    "evening-table": ORGANISERS,
    "evening-sheet": ORGANISERS,
    "sheets-pdf": ORGANISERS,
    "cards-pdf": ORGANISERS,
    "season-pdf": MEMBERS,
    "evening-why": MEMBERS,
    "evening-move": SECRETARY,
    "evening-why-pdf": MEMBERS,
}
POSTS: dict[str, dict[str, int]] = {
    "evenings": {"secretary": 422},
    "tick": {"secretary": 302},
    "guest": {"secretary": 422},
    "seat": {"secretary": 302},
    "clear": {"secretary": 302},
    "close": {"secretary": 302},
    "evening-move": {"secretary": 200},
    "reopen": {"secretary": 302},
    "season-pack": {"secretary": 302},
    "member-add": {"secretary": 422},
    "member-change": {"secretary": 422},
    "members-import": {"secretary": 422},
    "club-rules": {"secretary": 422},
    "house-rules": {"secretary": 200},
    "house-lines": {"secretary": 422},
    "house-keep": {"secretary": 422},
    "house-retire": {"secretary": 302},
    "house-offer": {"secretary": 302},
    "season-add": {"secretary": 422},
    "season-change": {"secretary": 422},
}
PUBLIC = ("club", "player", "evenings", "evening", "result", "seasons", "season", "season-pdf")


@dataclass(frozen=True)
class House:
    """A club with one of everything that an address can point to."""

    cast: Cast
    session: Session
    season: Season
    job: Job
    own: HouseRules

    def address(self, name: str) -> str:
        """Where the page of that name is, in the cast's club."""
        club, table = self.cast.club.slug, self.session.tables.get()
        evening = [club, self.session.pk]
        player = [club, self.cast.club.players.filter(name="Pat").get().pk]
        season = [club, self.season.pk]
        special: dict[str, list[Any]] = {
            "score": [],
            **{page: ["bmja"] for page in ("rules", "score-rules", "score-link")},
            "wall": [self.session.wall_key],
            "wall-worker": [],
            "table": [table.link_key],
            "table-standings": [table.link_key],
            "evening-table": [*evening, table.number],
            "evening-sheet": [*evening, table.number],
            "job": [club, self.job.pk],
            "house-retire": [club, self.own.pk],
            "house-offer": [club, self.own.pk],
            **dict.fromkeys(("season", "season-change", "season-pack", "season-pdf"), season),
            **dict.fromkeys(
                ("sheets-pdf", "cards-pdf", "evening-why", "evening-why-pdf", "evening-move"),
                evening,
            ),
            **dict.fromkeys(("player", "member-change"), player),
            **dict.fromkeys(
                ("evening", "result", "tick", "guest", "seat", "clear", "close", "reopen"), evening
            ),
        }
        return reverse(name, args=special.get(name, [club]))


@pytest.fixture
def house(cast: Cast) -> House:
    """The cast's club with an evening, a season and a job."""
    season = make_season(cast.club)
    job = tasks.make_job(club=cast.club, kind="season pack", about=season.pk)
    own = keep_house_rules(club=cast.club, declared=read_house_rules({"base": "bmja"}))
    return House(cast, seated_evening(cast.club, held_on=date(2026, 11, 17)), season, job, own)


def answers(house: House, name: str, method: str) -> dict[str, int]:
    """The status that each person gets."""
    found, address = {}, house.address(name)
    for person, user in house.cast.everybody().items():
        client = Client()
        if user is not None:
            assert client.login(email=user.email, password=PASSWORD)
        found[person] = getattr(client, method)(address, {"sent": "yes"}).status_code
    return found


def expected(allowed: dict[str, int]) -> dict[str, int]:
    """Whoever is not named is refused; nobody signed in is sent to sign in."""
    refused = dict.fromkeys(PEOPLE, 403) | {"nobody": 302}
    return refused | allowed


@pytest.mark.parametrize("name", GETS)
def test_who_may_see_a_page(house: House, name: str) -> None:
    assert answers(house, name, "get") == expected(GETS[name])


@pytest.mark.parametrize("name", POSTS)
def test_who_may_change_something(house: House, name: str) -> None:
    assert answers(house, name, "post") == expected(POSTS[name])


@pytest.mark.parametrize("name", PUBLIC)
def test_a_club_may_show_its_results_to_everybody(house: House, name: str) -> None:
    house.cast.club.shows_results = True
    house.cast.club.save()
    assert answers(house, name, "get") == EVERYBODY


def test_a_public_club_still_keeps_its_members_to_itself(house: House) -> None:
    house.cast.club.shows_results = True
    house.cast.club.save()
    assert answers(house, "members", "get") == expected(MEMBERS)
    assert answers(house, "evenings", "post")["member of another club"] == 403


@pytest.mark.parametrize(
    "name", ["tick", "guest", "seat", "clear", "close", "reopen", "house-keep", "house-retire"]
)
def test_actions_are_not_done_by_looking(house: House, name: str) -> None:
    assert answers(house, name, "get")["secretary"] == 405


@pytest.mark.parametrize("name", ["evening", "result", "season", "player", "job", "member-change"])
def test_nothing_of_another_club_is_found_under_ones_own(house: House, name: str) -> None:
    client = Client()
    client.login(email=house.cast.stranger.email, password=PASSWORD)
    address = house.address(name).replace("/riverside/", "/hill-top/")
    assert client.get(address).status_code == 404


@pytest.mark.parametrize("address", ["/w/nothing/", "/rules/nothing/", "/c/nothing/"])
def test_what_is_not_there_is_not_found(cast: Cast, client: Client, address: str) -> None:
    assert client.get(address).status_code == 404
