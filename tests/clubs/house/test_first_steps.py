"""A new club's home page lists what to do first, and ticks what has been done."""

from datetime import date

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import DjangoAssertNumQueries

from clubs.evenings.services import evenings
from clubs.evenings.services.ending import close_session
from clubs.house.first_run import first_steps
from clubs.house.services import delete_rehearsal, found_club, set_public_parts, start_rehearsal
from clubs.models import AuditEntry, Club, Role, User
from clubs.tenancy import across_clubs, club_scope
from tests.clubs.nights import DRAWN, make_players, make_season, night, page_of, post
from tests.clubs.visits import Visitor
from tests.pageforms import forms_in
from tests.people import PASSWORD, make_player, make_user

HOME = "/c/hill-top-tiles/"
HIDE = reverse("first-steps-hide", args=["hill-top-tiles"])
TITLE = '<h2 id="first-steps">First steps</h2>'


@pytest.fixture
def club(db: None) -> Club:
    """A club that was founded a moment ago."""
    granted_role = found_club(
        name="Hill Top Tiles", email="margaret@example.org", person="Margaret", password=PASSWORD
    )
    return granted_role.membership.club


@pytest.fixture
def margaret(club: Club) -> Visitor:
    return Visitor(User.objects.get())


def done_steps(club: Club) -> list[str]:
    with club_scope(club.pk):
        return [step.key for step in first_steps(Club.objects.get(pk=club.pk)) if step.is_done]


def play(club: Club) -> None:
    """Do all that is not optional but the last step."""
    with club_scope(club.pk):
        make_player(club, "Ann")
        make_season(club)
        evenings.open_session(club=club, held_on=date(2026, 11, 24))
    set_public_parts(club=club, shows_results=True, shows_league=False, shows_calendar=False)


def test_every_step_is_ticked_by_what_exists(club: Club) -> None:
    assert done_steps(club) == []
    play(club)
    assert done_steps(club) == ["members", "season", "evening", "public"]
    with club_scope(club.pk):
        start_rehearsal(club=club)
    assert done_steps(club) == ["members", "season", "practice", "evening", "public"]


def test_the_list_goes_when_all_but_the_practice_is_done(club: Club, margaret: Visitor) -> None:
    play(club)
    assert TITLE in margaret.read(HOME)
    make_user(club, "Dev", Role.DIRECTOR)
    assert TITLE not in margaret.read(HOME)


def test_an_invited_helper_counts_and_a_player_does_not(club: Club, margaret: Visitor) -> None:
    invite = reverse("role-invite", args=["hill-top-tiles"])
    for role, result in (("player", []), ("scorer", ["helper"])):
        margaret.post("/accounts/reauthenticate/", {"password": PASSWORD})
        margaret.post(invite, {"email": f"{role}@example.org", "role": role})
        assert done_steps(club) == result


def test_a_deleted_practice_evening_has_been_run(club: Club, margaret: Visitor) -> None:
    margaret.post(reverse("rehearse", args=["hill-top-tiles"]))
    practice = Club.objects.get(rehearsal_of=club)
    with across_clubs():
        delete_rehearsal(rehearsal=practice)
    assert done_steps(club) == ["practice"]


def test_every_step_leads_somewhere(club: Club, margaret: Visitor) -> None:
    for step in margaret.get(HOME).context["steps"]:
        page = margaret.get(reverse(step.page, args=["hill-top-tiles"]))
        assert page.status_code == 200
        assert not step.part or f'id="{step.part}"' in page.content.decode()


def test_each_step_leads_to_the_next(club: Club, margaret: Visitor) -> None:
    home = margaret.get(HOME)
    assert [step.key for step in home.context["steps"] if step.is_next] == ["members"]
    preview_page = margaret.post(f"{HOME}members/import/", {"text": "name\nAnn\nBen\nCy\nDi"})
    (form,) = (
        candidate
        for candidate in forms_in(preview_page.content.decode())
        if "/store/" in candidate.address
    )
    answer = margaret.post(form.address, form.as_it_stands)
    assert answer.headers["Location"] == HOME
    home = margaret.get(HOME)
    assert [step.key for step in home.context["steps"] if step.is_next] == ["season"]


def test_only_the_first_evening_asks_to_publish(club: Club, margaret: Visitor) -> None:
    asks = []
    with club_scope(club.pk):
        players = make_players(club, 4)
        for day in (17, 24):
            session = night(club, date(2026, 11, day), players)
            post(session.tables.get(), DRAWN)
            close_session(session=session)
            asks.append("Publish results and league" in margaret.read(page_of("evening", session)))
    assert asks == [True, False]
    data = {"shows_results": "on", "shows_league": "on"}
    margaret.post(f"{HOME}settings/public/", data)
    club.refresh_from_db()
    assert (club.shows_results, club.shows_league, club.shows_calendar) == (True, True, False)


def test_the_secretary_hides_the_list_for_good(club: Club, margaret: Visitor) -> None:
    messages = ["List hidden. Everything on it is also in the menu and in Settings."]
    assert margaret.messages_after(HIDE) == messages
    assert margaret.messages_after(HIDE) == messages  # a double tap
    assert TITLE not in margaret.read(HOME)
    with club_scope(club.pk):
        assert AuditEntry.objects.filter(what="first-steps-hide").count() == 1
    log = margaret.read(reverse("who-did-what", args=["hill-top-tiles"]))
    assert "hid the first steps on the home page" in log


def test_only_the_secretary_sees_the_list(club: Club) -> None:
    for role in (Role.DIRECTOR, Role.SCORER, Role.PLAYER):
        assert TITLE not in Visitor(make_user(club, role.value, role)).read(HOME)
    set_public_parts(club=club, shows_results=True, shows_league=True, shows_calendar=True)
    assert TITLE not in Client().get(HOME).content.decode()


@pytest.mark.parametrize(
    ("is_visible", "at_first", "later_queries"), [(True, 13, 11), (False, 12, 10)]
)
def test_the_list_costs_the_home_page_one_query(
    club: Club,
    margaret: Visitor,
    django_assert_num_queries: DjangoAssertNumQueries,
    *,
    is_visible: bool,
    at_first: int,
    later_queries: int,
) -> None:
    Club.objects.update(shows_first_steps=is_visible)
    with django_assert_num_queries(at_first):
        margaret.get(HOME)
    play(club)
    with django_assert_num_queries(later_queries):
        margaret.get(HOME)
