"""An entry corrected at any time: on every page, over the API, and in a finished tournament."""

from typing import Any

import pytest
from django.test import Client
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from clubs.models import AuditEntry
from tests.api import api_client, patch
from tests.clubs.visits import Visitor
from tests.people import Cast, make_player
from tests.tournaments.cups import SECOND_WINS, finish, make_cup, page_of, seated_cup
from tournaments.models import Entrant, Placement, Tournament
from tournaments.results.selectors.standings import standings_of
from tournaments.seating.services import seating
from tournaments.setup import services as setup_services

pytestmark = pytest.mark.django_db
NAMES = ("Margret Brown", "Ben Brown", "Cy Clark", "Di Dyer")


@pytest.fixture
def cup(cast: Cast) -> Tournament:
    """A tournament of four that is being played."""
    return seated_cup(names=NAMES, rounds=1, hands=1, club=cast.club)


def first(cup: Tournament) -> Entrant:
    return cup.entrants.get(number=1)


def page(cup: Tournament) -> str:
    return page_of(cup, f"entrants/{first(cup).pk}/correct/")


def entry_form(**changes: str) -> dict[str, str]:
    return {"name": "Margaret Brown", "from_club": "", "team": "", "couple": "", **changes}


def test_a_name_is_corrected_everywhere_while_the_round_is_played(
    director: Client, cup: Tournament
) -> None:
    assertContains(director.get(page_of(cup, "entrants/")), page(cup))
    form_data = entry_form(team="Bamboo", couple="Ben Brown")
    assertRedirects(
        director.post(page(cup), form_data), f"{page_of(cup, 'entrants/')}#entrant-{first(cup).pk}"
    )
    row = first(cup)
    assert (row.name, row.team, row.couple) == (
        "Margaret Brown", "Bamboo", "Ben Brown",
    )  # fmt: skip
    for place in ("", "seating/", "standings/", "entrants/", "rounds/1/tables/1/"):
        assertNotContains(director.get(page_of(cup, place)), "Margret")
    assertContains(director.get(page_of(cup, "seating/")), "Margaret Brown")
    assert AuditEntry.objects.filter(what="entrant-correct").exists()


def test_a_member_is_found_by_the_corrected_name(
    director: Client, cast: Cast, cup: Tournament
) -> None:
    member = make_player(cast.club, "Margaret Brown")
    director.post(page(cup), entry_form())
    assert first(cup).player == member
    director.post(page(cup), entry_form(from_club="Hill Top Tiles"))
    assert first(cup).player is None


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"name": " ben  BROWN"}, "ben BROWN is already entered."),
        ({"name": ""}, "Enter a name."),
        ({"name": "<b>"}, "A name cannot contain &lt; or &gt;."),
        ({"couple": "<b>"}, "A name cannot contain &lt; or &gt;."),
    ],
)
def test_what_is_wrong_is_said_and_nothing_changes(
    director: Client, cup: Tournament, changes: dict[str, str], message: str
) -> None:
    answer = director.post(page(cup), entry_form(**changes))
    assertContains(answer, message, status_code=422)
    assert first(cup).name == "Margret Brown"


def test_a_finished_tournament_is_corrected_with_a_reason(
    director: Client, cup: Tournament
) -> None:
    cup = finish(cup, SECOND_WINS)
    answer = director.post(page(cup), entry_form())
    assertContains(answer, "Enter a reason for the change.", status_code=422)
    assertNotContains(answer, "Reason (optional)", status_code=422)
    director.post(page(cup), entry_form(note="misspelt on the entry form"))
    assert "Margaret Brown" in {row.name for row in standings_of(cup)}
    assertContains(director.get(page_of(cup)), "misspelt on the entry form")


def test_two_who_correct_the_same_name_are_told(cast: Cast, cup: Tournament) -> None:
    initial_data: dict[str, Any] = {
        f"initial-{name}": value for name, value in entry_form().items()
    }
    initial_data["initial-name"] = "Margret Brown"
    Visitor(cast.secretary).post(page(cup), {**initial_data, **entry_form(name="Margo Brown")})
    answer = Visitor(cast.director).post(page(cup), {**initial_data, **entry_form()})
    assertContains(answer, "Margo Brown", status_code=422)
    assert first(cup).name == "Margo Brown"


def test_a_program_corrects_what_it_names(cast: Cast, cup: Tournament) -> None:
    program = api_client(cast.director)
    address = f"/api/v1/clubs/{cup.club.slug}/tournaments/{cup.pk}/entrants/{first(cup).pk}/"
    answer = patch(program, address, name="Margaret Brown", has_paid=True)
    assert (answer.json()["name"], answer.json()["has_paid"]) == ("Margaret Brown", True)
    assert patch(program, address, couple="Ben Brown").json()["couple"] == "Ben Brown"
    finish(cup, SECOND_WINS)
    assert patch(program, address, team="Reds").status_code == 400
    assert patch(program, address, team="Reds", reason="forgotten").json()["team"] == "Reds"


def test_a_correction_joins_the_team_as_it_is_written(director: Client, cup: Tournament) -> None:
    cup.entrants.filter(number=2).update(team="Greens")
    director.post(page(cup), entry_form(team="GREENS"))
    assert first(cup).team == "Greens"


@pytest.mark.parametrize(
    "couples", [{"Ann": "Ben"}, {"Ann": "Ben", "Ben": "Ann"}, {"Ann": "Smith", "Ben": "SMITH"}]
)
def test_couples_never_meet_though_they_play_in_two_teams(couples: dict[str, str]) -> None:
    names = ["Ann", "Ben", *(f"Player {number}" for number in range(3, 17))]
    cup = make_cup(entrants=0, rounds=4)
    for name in names:
        setup_services.enter_entrant(
            tournament=cup, name=name, team={"Ann": "Reds"}.get(name, ""),
            couple=couples.get(name, ""),
        )  # fmt: skip
    seating.seat_rounds(tournament=cup)
    tables = [
        set(Placement.objects.filter(entrant__name=name).values_list("table", flat=True))
        for name in ("Ann", "Ben")
    ]
    assert [len(seats) for seats in tables] == [4, 4]
    assert not tables[0] & tables[1]


def test_couples_come_from_a_list_and_go_into_one(director: Client, cast: Cast) -> None:
    cup = make_cup(entrants=0, club=cast.club)
    text = "name,couple\nAnn,Trelawney\nJohn,Trelawney\n"
    director.post(page_of(cup, "entrants/list/"), {"text": text, "enter": "yes"})
    assert set(cup.entrants.values_list("couple", flat=True)) == {"Trelawney"}
    response = director.get(page_of(cup, "entrants/list.csv"))
    assert b"Couple" in response.getvalue().splitlines()[0]
