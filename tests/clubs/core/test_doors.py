"""Who may pass which door of a club: every address tried by the whole cast."""

from copy import deepcopy
from dataclasses import dataclass
from datetime import date
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from clubs.core.queue import make_job
from clubs.house.services import keep_house_rules
from clubs.models import HouseRules, Job, Season, Session, link_key
from scoring.house import read_house_rules
from tests.admission import Entry, differences
from tests.clubs.nights import make_season
from tests.clubs.outbox import LISTS, MESSAGES, message_places, write
from tests.clubs.places import (
    EVERYTHING,
    calendar_places,
    of_season,
    people_places,
    program_places,
    table_places,
    wish_places,
)
from tests.clubs.tables import seated_evening
from tests.clubs.year import make_series
from tests.people import PASSWORD, Cast, make_cast

PEOPLE = ("secretary", "director", "scorer", "player", "member of another club", "nobody")
MEMBERS = {"secretary": 200, "director": 200, "scorer": 200, "player": 200}
ORGANISERS = {"secretary": 200, "director": 200, "scorer": 200}
SECRETARY = {"secretary": 200}
PRINTED = (
    "papers",
    "seating-cards-pdf",
    "blank-sheets-pdf",
    "seats-pdf",
    "door-pdf",
    "tally-pdf",
    "emergency-pdf",
)
RUN = ("evening", "result", "tick", "guest", "seat", "clear", "close", "reopen")
AT_A_TABLE = ("table", "new-link", "sheet", "repair", "change-undo")
BELOW_A_TABLE = ("tiles", "hand", "repair-back")
EVERYBODY = dict.fromkeys(PEOPLE, 200)

SIGNED_IN = {**EVERYBODY, "nobody": 302}

GETS: dict[str, dict[str, int]] = {
    "account": SIGNED_IN,
    "keys": SIGNED_IN,
    "account_email": dict.fromkeys(PEOPLE, 302),
    "account_confirm_email": dict.fromkeys(PEOPLE, 410),
    "how-it-looks": EVERYBODY,
    "guides": EVERYBODY,
    "guide": EVERYBODY,
    "rules": EVERYBODY,
    "rules-aid": EVERYBODY,
    "score": EVERYBODY,
    "score-rules": EVERYBODY,
    "score-link": EVERYBODY,
    "wall": EVERYBODY,
    "wall-worker": EVERYBODY,
    "table": EVERYBODY,
    "table-aid": EVERYBODY,
    "table-standings": EVERYBODY,
    "table-seats": EVERYBODY,
    "table-ahead": EVERYBODY,
    "table-worker": EVERYBODY,
    "table-formerly": dict.fromkeys(PEOPLE, 404),
    "evening-new-link": ORGANISERS,
    "table-receipt": dict.fromkeys(PEOPLE, 404),
    "table-hand-receipt": dict.fromkeys(PEOPLE, 404),
    "table-dispute": dict.fromkeys(PEOPLE, 302),
    "table-undo": dict.fromkeys(PEOPLE, 302),
    "table-tiles": EVERYBODY,
    "table-tapped": EVERYBODY,
    "evening-tiles": ORGANISERS,
    "evening-tapped": ORGANISERS,
    "calendar": MEMBERS,
    "calendar-feed": EVERYBODY,
    "calendar-day": EVERYBODY,
    "series-add": SECRETARY,
    **dict.fromkeys(("money", "money-file", "money-year", "money-year-file"), SECRETARY),
    "standby": SECRETARY,
    "substitutes": {"secretary": 302},
    "money-now": {"secretary": 302},
    "standby-answer": EVERYBODY,
    "series-change": SECRETARY,
    "holidays": SECRETARY,
    **dict.fromkeys((*LISTS, *MESSAGES), SECRETARY),
    "club": MEMBERS,
    "members": MEMBERS,
    "my-name": MEMBERS,
    "player": MEMBERS,
    **dict.fromkeys(("special-hands", "special-hands-pdf", "special-hands-csv"), MEMBERS),
    "rating": dict.fromkeys(MEMBERS, 404),
    "evenings": MEMBERS,
    "evening": MEMBERS,
    "result": MEMBERS,
    "seasons": MEMBERS,
    "season": MEMBERS,
    "season-now": dict.fromkeys(MEMBERS, 302),
    "member-add": SECRETARY,
    "members-import": SECRETARY,
    "members-due": SECRETARY,
    "members-twins": SECRETARY,
    "webhooks": SECRETARY,
    "who-did-what": SECRETARY,
    "who-did-what-csv": SECRETARY,
    "members-csv": SECRETARY,
    "members-xlsx": SECRETARY,
    "member-merge": SECRETARY,
    "member-change": SECRETARY,
    "club-rules": SECRETARY,
    "settings": SECRETARY,
    "club-public": SECRETARY,
    "roles": SECRETARY,
    "role-invitation": dict.fromkeys(PEOPLE, 410),
    "house-rules": SECRETARY,
    "house-lines": SECRETARY,
    "season-add": SECRETARY,
    "season-change": SECRETARY,
    "season-why": dict.fromkeys(MEMBERS, 404),
    "season-rules": SECRETARY,
    "season-try": SECRETARY,
    "season-given": SECRETARY,
    "job": SECRETARY,
    "evening-table": ORGANISERS,
    "evening-sheet": ORGANISERS,
    "evening-sheets": ORGANISERS,
    "evening-repair": {"secretary": 200, "scorer": 200},
    "evening-repairs": {"secretary": 200, "scorer": 200},
    "sheets-pdf": ORGANISERS,
    "cards-pdf": ORGANISERS,
    **dict.fromkeys(PRINTED, ORGANISERS),
    "crib-pdf": MEMBERS,
    **{name: {"secretary": 200, "player": 200} for name in EVERYTHING},
    "keeping": SECRETARY,
    "member-erase": SECRETARY,
    "season-pdf": MEMBERS,
    "season-poster-pdf": MEMBERS,
    "season-papers": ORGANISERS,
    "evening-why": MEMBERS,
    "evening-move": SECRETARY,
    "evening-change": SECRETARY,
    "wishes": SECRETARY,
    "wish-add": SECRETARY,
    "evening-why-pdf": MEMBERS,
    "rehearsal": dict.fromkeys(ORGANISERS, 404),
}
POSTS: dict[str, dict[str, int]] = {
    "sign-out-everywhere": dict.fromkeys(PEOPLE, 302),
    "keys": dict.fromkeys(PEOPLE, 302),
    "key-revoke": {**dict.fromkeys(PEOPLE, 404), "nobody": 302},
    "how-it-looks": dict.fromkeys(PEOPLE, 302),
    "table": dict.fromkeys(PEOPLE, 422),
    "table-tiles": dict.fromkeys(PEOPLE, 302),
    "evening-table": dict.fromkeys(ORGANISERS, 422),
    "evening-tiles": dict.fromkeys(ORGANISERS, 302),
    "evening-sheet": ORGANISERS,
    "evening-hand": {"secretary": 302, "scorer": 302},
    "evening-repair": {"secretary": 200, "scorer": 200},
    "evening-repair-back": {"secretary": 404, "scorer": 404},
    "evening-new-link": dict.fromkeys(ORGANISERS, 302),
    "table-agree": dict.fromkeys(PEOPLE, 404),
    "table-dispute": dict.fromkeys(PEOPLE, 302),
    "table-undo": dict.fromkeys(PEOPLE, 404),
    "table-send": dict.fromkeys(PEOPLE, 422),
    "evenings": {"secretary": 422},
    "my-name": dict.fromkeys(MEMBERS, 422),
    "messages-write": {"secretary": 422},
    "batch-text": {"secretary": 422},
    "message": {"secretary": 422},
    **{f"batch-{press}": {"secretary": 302} for press in ("send", "stop", "again", "leave-out")},
    **{f"batch-{press}": {"secretary": 404} for press in ("take-in", "told")},
    "series-add": {"secretary": 422},
    "money": {"secretary": 302},
    "money-year": {"secretary": 422},
    "standby": {"secretary": 302},
    "standby-answer": EVERYBODY,
    "series-change": {"secretary": 422},
    "series-remove": {"secretary": 302},
    "holidays": {"secretary": 422},
    "holiday-remove": {"secretary": 302},
    "tick": {"secretary": 302},
    "guest": {"secretary": 422},
    "seat": {"secretary": 302},
    "clear": {"secretary": 302},
    "close": {"secretary": 302},
    "evening-move": {"secretary": 200},
    "evening-change": {"secretary": 200},
    "evening-change-undo": {"secretary": 302},
    "wish-add": {"secretary": 422},
    "wish-back": {"secretary": 302},
    "reopen": {"secretary": 302},
    "season-pack": {"secretary": 302},
    "season-book": {"secretary": 302},
    "season-papers": ORGANISERS,
    "member-add": {"secretary": 422},
    "member-change": {"secretary": 422},
    "members-import": {"secretary": 422},
    "members-store": {"secretary": 302},
    "members-due": {"secretary": 302},
    "member-merge": {"secretary": 422},
    "merge-undo": {"secretary": 302},
    "member-renew": {"secretary": 302},
    "member-lapse": {"secretary": 302},
    "member-join": {"secretary": 302},
    "keeping": {"secretary": 302},
    "keeping-stop": {"secretary": 302},
    "member-erase": {"secretary": 422},
    "members-take-back": {"secretary": 302},
    "webhooks": {"secretary": 422},
    **{f"webhook-{act}": {"secretary": 302} for act in ("test", "switch", "remove")},
    "webhook-secret": {"secretary": 200},
    "club-rules": {"secretary": 422},
    "club-public": {"secretary": 302},
    "role-invite": {"secretary": 302},
    "role-change": {"secretary": 302},
    "role-remove": {"secretary": 302},
    "role-send-again": {"secretary": 404},
    "role-withdraw": {"secretary": 404},
    "role-invitation": dict.fromkeys(PEOPLE, 410),
    "house-rules": {"secretary": 200},
    "house-lines": {"secretary": 422},
    "house-keep": {"secretary": 422},
    "house-retire": {"secretary": 302},
    "house-offer": {"secretary": 302},
    "season-add": {"secretary": 422},
    "season-change": {"secretary": 422},
    "season-rules": {"secretary": 422},
    "season-adopt": {"secretary": 302},
    "season-handicap": {"secretary": 422},
    "season-credit": {"secretary": 422},
    "season-credit-back": {"secretary": 404},
    "rehearse": dict.fromkeys(ORGANISERS, 302),
    "rehearsal-play": dict.fromkeys(ORGANISERS, 404),
    "rehearsal-again": {"secretary": 404},
    "rehearsal-wipe": {"secretary": 404},
}
SWITCHES = ("shows_results", "shows_league", "shows_calendar")
PUBLIC = {
    "club": SWITCHES,
    "calendar": ("shows_calendar",),
    **dict.fromkeys(("season", "seasons", "season-pdf", "season-poster-pdf"), ("shows_league",)),
    **dict.fromkeys(
        (
            "player",
            "evenings",
            "evening",
            "evening-why",
            "result",
            "special-hands",
            "special-hands-pdf",
            "special-hands-csv",
        ),
        ("shows_results",),
    ),
}


@dataclass(frozen=True)
class House:
    """A club with one of everything that an address can point to."""

    cast: Cast
    session: Session
    season: Season
    job: Job
    own: HouseRules

    def role_places(self) -> dict[str, list[Any]]:
        """A role that can be changed, an invitation that is none, and a link that is no more."""
        club = self.cast.club
        held = club.memberships.get(user=self.cast.player)
        places: dict[str, list[Any]] = {"role-invitation": [link_key()]}
        places |= {f"role-{act}": [club.slug, held.pk] for act in ("change", "remove")}
        places |= {f"role-{act}": [club.slug, 0] for act in ("send-again", "withdraw")}
        return places

    def address(self, name: str) -> str:
        """Where the page of that name is, in the cast's club."""
        club, table = self.cast.club.slug, self.session.tables.get()
        evening = [club, self.session.pk]
        player = [club, self.cast.club.players.filter(name="Pat").get().pk]
        season = [club, self.season.pk]
        special: dict[str, list[Any]] = {
            **calendar_places(self.cast.club),
            **message_places(self.cast.club),
            **{page: [] for page in ("account", "account_email", "sign-out-everywhere", "keys")},
            "key-revoke": [0],
            **self.role_places(),
            "account_confirm_email": ["x"],
            "score": [],
            **{page: [] for page in ("how-it-looks", "guides")},
            "guide": ["player"],
            **{page: ["bmja"] for page in ("rules", "rules-aid", "score-rules", "score-link")},
            "wall": [self.session.wall_key],
            "wall-worker": [],
            **table_places(table.link_key),
            **{f"evening-{page}": [*evening, table.number, 1] for page in BELOW_A_TABLE},
            "evening-tapped": [*evening, table.number],
            **{f"evening-{page}": [*evening, table.number] for page in AT_A_TABLE},
            "evening-sheets": evening,
            "evening-repairs": evening,
            **dict.fromkeys(("money", "money-file"), evening),
            **{name: [club, 2026] for name in ("money-year", "money-year-file")},
            "job": [club, self.job.pk],
            **people_places(self.cast.club, player),
            **wish_places(self.cast.club),
            **program_places(self.cast.club),
            "house-retire": [club, self.own.pk],
            "house-offer": [club, self.own.pk],
            **of_season(season, player[1]),
            **dict.fromkeys(
                (
                    "sheets-pdf",
                    "cards-pdf",
                    "crib-pdf",
                    *PRINTED,
                    "evening-why",
                    "evening-why-pdf",
                    "evening-move",
                    "evening-change",
                    *RUN,
                ),
                evening,
            ),
        }
        return reverse(name, args=special.get(name, [club]))


def lay_house() -> House:
    """The cast's club with an evening, a season and a job."""
    cast = make_cast()
    season = make_season(cast.club)
    job = make_job(club=cast.club, kind="season pack", about=season.pk)
    make_series(cast.club)
    pat = cast.club.players.get(name="Pat")
    cast.club.invitations.create(held_on=date(2026, 11, 17), player=pat)
    write(cast.club, [pat], cast.secretary)
    own = keep_house_rules(club=cast.club, declared=read_house_rules({"base": "bmja"}))
    return House(cast, seated_evening(cast.club, held_on=date(2026, 11, 17)), season, job, own)


@pytest.fixture(scope="module")
def made(standing: None) -> House:
    return lay_house()


@pytest.fixture
def house(db: None, made: House) -> House:
    return deepcopy(made)


def status_for(house: House, person: str, address: str, method: str) -> int:
    client, user = Client(), house.cast.everybody()[person]
    if user is not None:
        assert client.login(email=user.email, password=PASSWORD)
    status: int = getattr(client, method)(address, {"sent": "yes"}).status_code
    return status


def answers(house: House, name: str, method: str) -> dict[str, int]:
    """The status that each person gets."""
    address = house.address(name)
    return {person: status_for(house, person, address, method) for person in PEOPLE}


def expected(allowed: dict[str, int]) -> dict[str, int]:
    """Whoever is not named is refused; nobody signed in is sent to sign in."""
    refused = dict.fromkeys(PEOPLE, 403) | {"nobody": 302}
    return refused | allowed


def test_the_doors_let_in_whom_the_tables_name(house: House) -> None:
    entries = [
        Entry(house.address(name), method, frozenset(allowed))
        for method, table in (("get", GETS), ("post", POSTS))
        for name, allowed in table.items()
    ]
    asked = lambda who, entry: status_for(house, who, entry.address, entry.method)  # noqa: E731
    assert differences(entries, house.cast, asked) == []


@pytest.mark.sampled
@pytest.mark.parametrize("name", GETS)
def test_who_may_see_a_page(house: House, name: str) -> None:
    assert answers(house, name, "get") == expected(GETS[name])


@pytest.mark.sampled
@pytest.mark.parametrize("name", POSTS)
def test_who_may_change_something(house: House, name: str) -> None:
    assert answers(house, name, "post") == expected(POSTS[name])


@pytest.mark.sampled
@pytest.mark.parametrize("name", PUBLIC)
@pytest.mark.parametrize("switch", SWITCHES)
def test_a_club_opens_each_part_by_its_own_switch(house: House, name: str, switch: str) -> None:
    setattr(house.cast.club, switch, True)
    house.cast.club.save()
    is_open = switch in PUBLIC[name]
    assert answers(house, name, "get") == (EVERYBODY if is_open else expected(GETS[name]))


def test_a_public_club_still_keeps_its_members_to_itself(house: House) -> None:
    for switch in SWITCHES:
        setattr(house.cast.club, switch, True)
    house.cast.club.save()
    assert answers(house, "members", "get") == expected(MEMBERS)
    assert answers(house, "evenings", "post")["member of another club"] == 403


@pytest.mark.parametrize(
    "name", ["tick", "guest", "seat", "clear", "close", "reopen", "house-keep", "house-retire"]
)
def test_actions_are_not_done_by_looking(house: House, name: str) -> None:
    assert answers(house, name, "get")["secretary"] == 405


@pytest.mark.parametrize(
    "name", ["evening", "result", "season", "player", "job", "member-change", *MESSAGES[2:]]
)
def test_nothing_of_another_club_is_found_under_ones_own(house: House, name: str) -> None:
    client = Client()
    client.login(email=house.cast.stranger.email, password=PASSWORD)
    address = house.address(name).replace("/riverside/", "/hill-top/")
    assert client.get(address).status_code == 404


@pytest.mark.parametrize("address", ["/w/nothing/", "/rules/nothing/", "/c/nothing/"])
def test_what_is_not_there_is_not_found(house: House, client: Client, address: str) -> None:
    assert client.get(address).status_code == 404
