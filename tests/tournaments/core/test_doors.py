"""Who may pass which door of a tournament: every address tried by the whole cast."""

from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import pytest

from clubs.core.queue import make_job
from tests.admission import Entry, differences
from tests.people import Cast, browser_of, make_cast
from tests.tournaments.cups import DRAWN, post, seated_cup, tables
from tests.tournaments.oddities import address_in
from tournaments import api_urls, urls
from tournaments.models import Printing, Tournament
from tournaments.printing import JOB_KIND
from tournaments.results import services
from tournaments.table.views import phone_patterns

PEOPLE = ("secretary", "director", "scorer", "player", "member of another club", "nobody")
EVERYBODY = dict.fromkeys(PEOPLE, 200)
MEMBERS = dict.fromkeys(("secretary", "director", "scorer", "player"), 200)
SCORERS = {"secretary": 200, "director": 200, "scorer": 200}
RUNNERS = {"secretary": 200, "director": 200}


def rows(answers: dict[str, int], *names: str, answer: int | None = None) -> dict[str, Any]:
    """These addresses, each with its answer to each person that it lets in."""
    statuses = answers if answer is None else dict.fromkeys(answers, answer)
    return {name: statuses for some in names for name in some.split()}


GETS: dict[str, dict[str, int]] = {
    **rows(
        EVERYBODY,
        "tournament-wall tournament-clock find-me tournament-wall-worker why-open",
        "round-table round-table-aid round-table-standings round-table-seats round-table-ahead",
        "round-table-worker round-table-dispute round-table-undo round-table-receipt",
        "round-table-tiles round-table-tapped round-table-clock round-table-call",
        "round-table-hands round-table-more",
    ),
    **rows(EVERYBODY, "results results-csv round-table-formerly", answer=404),
    **rows(EVERYBODY, "results-rounds-csv results-hands-csv", answer=404),
    **rows(EVERYBODY, "round-table-hand-receipt", answer=302),
    **rows(
        MEMBERS,
        "tournaments tournament seating seating-why seating-why-pdf clock",
        "standings standings-pdf standings-csv standings-xlsx standings-json",
        "standings-rounds-csv standings-hands-csv",
    ),
    **rows(
        SCORERS,
        "tournament-new-link tournament-tiles tournament-tapped tournament-table table-clock",
        "tournament-hand tournament-repair tournament-repairs tournament-sheet tournament-sheets",
        "tournament-papers tournament-seating-cards-pdf tournament-sheets-pdf",
        "tournament-cards-pdf tournament-emergency-pdf tournament-badges-pdf",
        "tournament-poster-pdf tournament-printing tournament-printed",
    ),
    **rows(SCORERS, "tournament-printed-pdf", answer=404),
    **rows(SCORERS, "tournament-repair-back", answer=404),
    **rows(SCORERS, "table-jump tournament-certificates-pdf", answer=302),
    **rows(
        RUNNERS,
        "tournament-add tournament-settings entrants entrants-import entrants-csv",
        "seating-draw-json seating-by-hand seating-list seating-csv seating-changes",
        "round-by-standing prizes prizes-pdf prize table-rulings entrant-withdraw entrant-correct",
        "tournament-seat tournament-clear round-start round-unstart round-close round-reopen",
        "tournament-finish tournament-reopen results-publish tournament-delete",
    ),
    **rows(RUNNERS, "seating-ways", answer=302),
}
POSTS: dict[str, dict[str, int]] = {
    **rows(EVERYBODY, "round-table round-table-dispute round-table-send", answer=422),
    **rows(
        EVERYBODY,
        "round-table-tiles round-table-agree round-table-undo round-table-call",
        answer=302,
    ),
    **rows(EVERYBODY, "round-table-stop", answer=404),
    **rows(SCORERS, "tournament-repair tournament-sheet"),
    **rows(SCORERS, "tournament-table tournament-hand", answer=422),
    **rows(
        SCORERS,
        "tournament-tiles tournament-new-link table-call-answered tournament-printing",
        answer=302,
    ),
    **rows(SCORERS, "tournament-repair-back table-stop", answer=404),
    **rows(RUNNERS, "entrants entrant-correct entrants-import seating-changes seating-list"),
    **rows(
        RUNNERS,
        "table-rulings tournament-settings tournament-add round-by-standing prizes prize",
        "seating-by-hand tournament-seat tournament-clear round-start round-unstart",
        "round-close round-reopen tournament-reopen tournament-finish results-publish",
        "tournament-delete",
        answer=422,
    ),
    **rows(
        RUNNERS,
        "entrant-withdraw entrant-readmit entrant-note prizes-usual prizes-rule prize-move",
        "prize-remove seating-anew seating-takeover seating-undo clock-minutes table-minutes",
        "close-stopped close-stopped-all results-hide results-release results-withdraw",
        answer=302,
    ),
    **rows(RUNNERS, "clock-set ruling-back", answer=404),
}
PUBLIC = ("tournaments", "tournament", "seating", "standings", "standings-xlsx")


ALL = (*phone_patterns, *urls.urlpatterns, *api_urls.urlpatterns)
PATTERNS = {str(pattern.name): pattern for pattern in ALL}


@dataclass(frozen=True)
class Hall:
    """A tournament of the cast's club with its first hand played."""

    cast: Cast
    cup: Tournament

    def address(self, name: str) -> str:
        """Where the page or the operation of that name is."""
        return address_in(self.cup, PATTERNS[name])


def lay_hall() -> Hall:
    """A hand has been played, so every step but the next is out of turn."""
    cast = make_cast()
    cup = seated_cup(rounds=1, club=cast.club)
    services.save_prize(tournament=cup, kind="last")
    post(tables(cup)[0], DRAWN)
    Printing.objects.create(
        job=make_job(club=cast.club, kind=JOB_KIND, subject_key=cup.pk),
        tournament=cup,
        kind="sheets",
    )
    return Hall(cast, cup)


@pytest.fixture(scope="module")
def laid_hall(standing: None) -> Hall:
    return lay_hall()


@pytest.fixture
def hall(db: None, laid_hall: Hall) -> Hall:
    return deepcopy(laid_hall)


def status_for(hall: Hall, person: str, address: str, method: str) -> int:
    client = browser_of(hall.cast.people()[person])
    status: int = getattr(client, method)(address).status_code
    return status


def answers(hall: Hall, name: str, method: str) -> dict[str, int]:
    """The status that each person gets."""
    address = hall.address(name)
    return {person: status_for(hall, person, address, method) for person in PEOPLE}


def expected_statuses(statuses: dict[str, int]) -> dict[str, int]:
    """Whoever is not named is refused; nobody signed in is sent to sign in."""
    return dict.fromkeys(PEOPLE, 403) | {"nobody": 302} | statuses


def test_the_doors_let_in_whom_the_tables_name(hall: Hall) -> None:
    entries = [
        Entry(hall.address(name), method, frozenset(statuses))
        for method, table in (("get", GETS), ("post", POSTS))
        for name, statuses in table.items()
    ]
    status_of = lambda person, entry: status_for(hall, person, entry.address, entry.method)  # noqa: E731
    assert differences(entries, hall.cast, status_of) == []


@pytest.mark.sampled
@pytest.mark.parametrize("name", GETS)
def test_who_may_see_a_page(hall: Hall, name: str) -> None:
    assert answers(hall, name, "get") == expected_statuses(GETS[name])


@pytest.mark.sampled
@pytest.mark.parametrize("name", POSTS)
def test_who_may_change_something(hall: Hall, name: str) -> None:
    assert answers(hall, name, "post") == expected_statuses(POSTS[name])


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
    address = hall.address(name).replace("/riverside/", "/hill-top/")
    assert browser_of(hall.cast.stranger).get(address).status_code == 404
