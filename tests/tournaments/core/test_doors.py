"""Who may pass which door of a tournament: every address tried by the whole cast."""

from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from scoring.scorebook.models import Hand
from scoring.scorebook.selectors import address_of
from tests.admission import Entry, differences
from tests.people import PASSWORD, Cast, make_cast
from tests.tournaments.cups import DRAWN, post, seated_cup, tables
from tournaments.models import Table, Tournament
from tournaments.results import services

PEOPLE = ("secretary", "director", "scorer", "player", "member of another club", "nobody")
EVERYBODY = dict.fromkeys(PEOPLE, 200)
MEMBERS = dict.fromkeys(("secretary", "director", "scorer", "player"), 200)
SCORERS = {"secretary": 200, "director": 200, "scorer": 200}


GETS: dict[str, dict[str, int]] = {
    "tournament-wall": EVERYBODY,
    "tournament-clock": EVERYBODY,
    "find-me": EVERYBODY,
    "tournament-wall-worker": EVERYBODY,
    "results": dict.fromkeys(PEOPLE, 404),
    "results-csv": dict.fromkeys(PEOPLE, 404),
    "round-table": EVERYBODY,
    "round-table-aid": EVERYBODY,
    "round-table-standings": EVERYBODY,
    "round-table-seats": EVERYBODY,
    "round-table-ahead": EVERYBODY,
    "round-table-worker": EVERYBODY,
    "round-table-formerly": dict.fromkeys(PEOPLE, 404),
    "tournament-new-link": SCORERS,
    "round-table-dispute": EVERYBODY,
    "round-table-undo": EVERYBODY,
    "round-table-receipt": EVERYBODY,
    "round-table-hand-receipt": dict.fromkeys(PEOPLE, 302),
    "round-table-tiles": EVERYBODY,
    "round-table-tapped": EVERYBODY,
    "tournament-tiles": SCORERS,
    "tournament-tapped": SCORERS,
    "tournaments": MEMBERS,
    "tournament": MEMBERS,
    "seating": MEMBERS,
    "seating-why": MEMBERS,
    "why-open": EVERYBODY,
    "seating-why-pdf": MEMBERS,
    "seating-draw-json": {"secretary": 200, "director": 200},
    "seating-by-hand": {"secretary": 200, "director": 200},
    "seating-list": {"secretary": 200, "director": 200},
    "seating-csv": {"secretary": 200, "director": 200},
    "standings": MEMBERS,
    "standings-pdf": MEMBERS,
    "tournament-papers": SCORERS,
    "tournament-seating-cards-pdf": SCORERS,
    "standings-csv": MEMBERS,
    "standings-xlsx": MEMBERS,
    "standings-json": MEMBERS,
    "tournament-add": {"secretary": 200, "director": 200},
    "entrants": {"secretary": 200, "director": 200},
    "entrants-import": {"secretary": 200, "director": 200},
    "tournament-settings": {"secretary": 200, "director": 200},
    "entrants-csv": {"secretary": 200, "director": 200},
    "seating-ways": {"secretary": 302, "director": 302},
    "seating-changes": {"secretary": 200, "director": 200},
    "round-by-standing": {"secretary": 200, "director": 200},
    "prizes": {"secretary": 200, "director": 200},
    "prizes-pdf": {"secretary": 200, "director": 200},
    "prize": {"secretary": 200, "director": 200},
    "tournament-table": SCORERS,
    "round-table-clock": EVERYBODY,
    "clock": MEMBERS,
    "table-clock": SCORERS,
    "table-rulings": {"secretary": 200, "director": 200},
    "tournament-hand": SCORERS,
    "tournament-repair": SCORERS,
    "tournament-repair-back": dict.fromkeys(SCORERS, 404),
    "tournament-repairs": SCORERS,
    "tournament-sheet": SCORERS,
    "tournament-sheets": SCORERS,
    "round-table-call": EVERYBODY,
    "table-jump": dict.fromkeys(("secretary", "director", "scorer"), 302),
    "tournament-seat": {"secretary": 200, "director": 200},
    "tournament-clear": {"secretary": 200, "director": 200},
    "round-start": {"secretary": 200, "director": 200},
    "round-unstart": {"secretary": 200, "director": 200},
    "round-close": {"secretary": 200, "director": 200},
    "round-reopen": {"secretary": 200, "director": 200},
    "tournament-finish": {"secretary": 200, "director": 200},
    "tournament-reopen": {"secretary": 200, "director": 200},
    "results-publish": {"secretary": 200, "director": 200},
    "entrant-withdraw": {"secretary": 200, "director": 200},
}
POSTS: dict[str, dict[str, int]] = {
    "round-table": dict.fromkeys(PEOPLE, 422),
    "round-table-tiles": dict.fromkeys(PEOPLE, 302),
    "tournament-table": dict.fromkeys(SCORERS, 422),
    "tournament-tiles": dict.fromkeys(SCORERS, 302),
    "tournament-hand": dict.fromkeys(SCORERS, 422),
    "tournament-repair": SCORERS,
    "tournament-repair-back": dict.fromkeys(SCORERS, 404),
    "table-rulings": {"secretary": 422, "director": 422},
    "round-table-agree": dict.fromkeys(PEOPLE, 302),
    "round-table-dispute": dict.fromkeys(PEOPLE, 422),
    "round-table-undo": dict.fromkeys(PEOPLE, 302),
    "round-table-send": dict.fromkeys(PEOPLE, 422),
    "tournament-settings": {"secretary": 422, "director": 422},
    "tournament-add": {"secretary": 422, "director": 422},
    "entrants": {"secretary": 200, "director": 200},
    "entrant-withdraw": {"secretary": 302, "director": 302},
    "entrants-import": {"secretary": 200, "director": 200},
    "entrant-readmit": {"secretary": 302, "director": 302},
    "entrant-note": {"secretary": 302, "director": 302},
    "seating-changes": {"secretary": 200, "director": 200},
    "round-by-standing": {"secretary": 422, "director": 422},
    "prizes": {"secretary": 422, "director": 422},
    "prizes-usual": {"secretary": 302, "director": 302},
    "prizes-rule": {"secretary": 302, "director": 302},
    "prize": {"secretary": 422, "director": 422},
    "prize-move": {"secretary": 302, "director": 302},
    "prize-remove": {"secretary": 302, "director": 302},
    "seating-anew": {"secretary": 302, "director": 302},
    "seating-by-hand": {"secretary": 422, "director": 422},
    "seating-list": {"secretary": 200, "director": 200},
    "seating-takeover": {"secretary": 302, "director": 302},
    "seating-undo": {"secretary": 302, "director": 302},
    "tournament-seat": {"secretary": 422, "director": 422},
    "tournament-clear": {"secretary": 422, "director": 422},
    "clock-set": {"secretary": 404, "director": 404},
    "clock-minutes": {"secretary": 302, "director": 302},
    "table-minutes": {"secretary": 302, "director": 302},
    "table-stop": dict.fromkeys(SCORERS, 404),
    "round-table-stop": dict.fromkeys(PEOPLE, 404),
    "round-start": {"secretary": 422, "director": 422},
    "round-unstart": {"secretary": 422, "director": 422},
    "round-close": {"secretary": 422, "director": 422},
    "round-reopen": {"secretary": 422, "director": 422},
    "tournament-reopen": {"secretary": 422, "director": 422},
    "round-table-call": dict.fromkeys(PEOPLE, 302),
    "table-call-answered": dict.fromkeys(("secretary", "director", "scorer"), 302),
    "tournament-sheet": SCORERS,
    "tournament-new-link": dict.fromkeys(SCORERS, 302),
    "close-stopped": {"secretary": 302, "director": 302},
    "tournament-finish": {"secretary": 422, "director": 422},
    "ruling-back": {"secretary": 404, "director": 404},
    "results-hide": {"secretary": 302, "director": 302},
    "results-release": {"secretary": 302, "director": 302},
    "results-publish": {"secretary": 422, "director": 422},
    "results-withdraw": {"secretary": 302, "director": 302},
}
PUBLIC = ("tournaments", "tournament", "seating", "standings", "standings-xlsx")


@dataclass(frozen=True)
class Hall:
    """A tournament of the cast's club with its first hand played."""

    cast: Cast
    cup: Tournament
    table: Table
    hand: int

    def address(self, name: str) -> str:
        """Where the page of that name is."""
        club = self.cast.club.slug
        table: list[Any] = [club, self.cup.pk, 1, self.table.number]
        entrant = [club, self.cup.pk, self.cup.entrants.earliest("number").pk]
        prize = [club, self.cup.pk, self.cup.prizes.values_list("pk", flat=True).first() or 1]
        special: dict[str, list[Any]] = {
            "tournaments": [club],
            "tournament-add": [club],
            "tournament-wall-worker": [],
            **{key: [self.cup.wall_key] for key in ("tournament-clock", "find-me")},
            **{
                name: [self.cup.wall_key]
                for name in ("tournament-wall", "why-open", "results", "results-csv")
            },
            "round-table": [self.table.link_key],
            **{
                f"round-table-{page}": [self.table.link_key]
                for page in ("aid", "standings", "seats", "ahead", "send", "clock", "stop")
            },
            "round-table-worker": [],
            "round-table-formerly": [self.table.link_key, "x"],
            "tournament-new-link": table,
            **{
                f"round-table-{act}": [self.table.link_key, self.hand]
                for act in ("agree", "dispute", "undo")
            },
            "round-table-receipt": [address_of(Hand.objects.get(pk=self.hand))],
            "round-table-hand-receipt": [self.table.link_key, self.hand],
            "round-table-tiles": [self.table.link_key, 1],
            "round-table-tapped": [self.table.link_key],
            "tournament-tiles": [*table, 1],
            "tournament-tapped": table,
            "round-table-call": [self.table.link_key],
            "table-call-answered": table,
            "tournament-sheet": table,
            "tournament-sheets": table[:3],
            **dict.fromkeys(("tournament-repair", "tournament-table"), table),
            "tournament-repair-back": [*table, 1],
            "close-stopped": [club, self.cup.pk, self.table.number],
            "table-rulings": table,
            "ruling-back": [*table, 1],
            **dict.fromkeys(("table-clock", "table-minutes", "table-stop"), table),
            "tournament-hand": [*table, self.hand],
            "seating-by-hand": [club, self.cup.pk, 1],
            "seating-draw-json": [club, self.cup.pk, self.cup.drawings.get().pk],
            **dict.fromkeys(("prize", "prize-move", "prize-remove"), prize),
            **dict.fromkeys(("entrant-withdraw", "entrant-readmit", "entrant-note"), entrant),
        }
        return reverse(name, args=special.get(name, [club, self.cup.pk]))


def lay_hall() -> Hall:
    """A hand has been played, so every step but the next is out of turn."""
    cast = make_cast()
    cup = seated_cup(rounds=1, club=cast.club)
    services.save_prize(tournament=cup, kind="last")
    (table,) = tables(cup)
    (hand,) = post(table, DRAWN)
    return Hall(cast, cup, table, hand.pk)


@pytest.fixture(scope="module")
def made(standing: None) -> Hall:
    return lay_hall()


@pytest.fixture
def hall(db: None, made: Hall) -> Hall:
    return deepcopy(made)


def status_for(hall: Hall, person: str, address: str, method: str) -> int:
    client, user = Client(), hall.cast.everybody()[person]
    if user is not None:
        assert client.login(email=user.email, password=PASSWORD)
    status: int = getattr(client, method)(address).status_code
    return status


def answers(hall: Hall, name: str, method: str) -> dict[str, int]:
    """The status that each person gets."""
    address = hall.address(name)
    return {person: status_for(hall, person, address, method) for person in PEOPLE}


def expected(allowed: dict[str, int]) -> dict[str, int]:
    """Whoever is not named is refused; nobody signed in is sent to sign in."""
    return dict.fromkeys(PEOPLE, 403) | {"nobody": 302} | allowed


def test_the_doors_let_in_whom_the_tables_name(hall: Hall) -> None:
    entries = [
        Entry(hall.address(name), method, frozenset(allowed))
        for method, table in (("get", GETS), ("post", POSTS))
        for name, allowed in table.items()
    ]
    asked = lambda who, entry: status_for(hall, who, entry.address, entry.method)  # noqa: E731
    assert differences(entries, hall.cast, asked) == []


@pytest.mark.sampled
@pytest.mark.parametrize("name", GETS)
def test_who_may_see_a_page(hall: Hall, name: str) -> None:
    assert answers(hall, name, "get") == expected(GETS[name])


@pytest.mark.sampled
@pytest.mark.parametrize("name", POSTS)
def test_who_may_change_something(hall: Hall, name: str) -> None:
    assert answers(hall, name, "post") == expected(POSTS[name])


@pytest.mark.parametrize("name", PUBLIC)
def test_a_club_may_show_its_tournaments_to_everybody(hall: Hall, name: str) -> None:
    hall.cast.club.shows_results = True
    hall.cast.club.save()
    assert answers(hall, name, "get") == EVERYBODY


@pytest.mark.sampled
@pytest.mark.parametrize("name", [name for name in POSTS if name not in GETS])
def test_actions_are_not_done_by_looking(hall: Hall, name: str) -> None:
    assert answers(hall, name, "get")["director"] == 405


@pytest.mark.parametrize("name", ["tournament", "seating", "standings"])
def test_nothing_of_another_club_is_found_under_ones_own(hall: Hall, name: str) -> None:
    client = Client()
    client.login(email=hall.cast.stranger.email, password=PASSWORD)
    address = hall.address(name).replace("/riverside/", "/hill-top/")
    assert client.get(address).status_code == 404
