"""New clubs, where clubs are in several databases: where they are made, named and deleted."""

from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core import mail
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.core.directory import database_of, founding
from clubs.databases import MAIN, at
from clubs.hosting.services import deletion
from clubs.house.services import change_club, found_club, rehearse, wipe
from clubs.models import AgreedTerms, Club, ClubPlace, DeletedClub, FoundingRequest, Role, User
from clubs.tasks import look_after_clubs
from clubs.tenancy import within
from scoring.scorebook.refusals import Refused
from tests.clubs.hosting.test_founding import FOUNDED, ask, link
from tests.clubs.house.test_services_setting_up import PASSWORD as CHOSEN, set_up
from tests.people import PASSWORD, browser_of, make_club, make_player, make_user
from tests.placing.placed import placed_club
from tests.threads import at_once


def clubs_at(name: str) -> list[str]:
    with at(name):
        return list(Club.objects.order_by("pk").values_list("slug", flat=True))


def found(name: str, email: str = "ann@example.org") -> Club:
    with founding():
        return found_club(name=name, email=email).membership.club


def test_the_first_club_is_founded_in_a_club_database(client: Client) -> None:
    assert set_up(client).headers["Location"] == "/c/hill-top-tiles/"
    page = client.get("/", follow=True)
    assert page.redirect_chain[-1][0] == "/c/hill-top-tiles/"
    assert "Welcome to Hill Top Tiles. You are its secretary." in page.content.decode()
    assert (clubs_at(MAIN), clubs_at("north")) == ([], ["hill-top-tiles"])
    assert User.objects.get().check_password(CHOSEN)
    assert client.get(reverse("set-up")).status_code == 404


def test_whoever_presses_twice_founds_the_first_club_once(client: Client) -> None:
    for browser in (client, Client()):
        assert set_up(browser).headers["Location"] == "/c/hill-top-tiles/"
        assert browser.get("/c/hill-top-tiles/").wsgi_request.user.is_authenticated
    assert (clubs_at("north"), clubs_at("south")) == (["hill-top-tiles"], [])


@pytest.mark.usefixtures("hosted")
def test_a_club_is_founded_by_an_emailed_link() -> None:
    placed_club("north")
    at_link = link()
    for _ in range(2):
        page = Client().post(at_link, FOUNDED, follow=True)
        assert page.redirect_chain[-1][0] == "/c/hill-top-tiles/"
        assert page.status_code == 200
    assert clubs_at("south") == ["hill-top-tiles"]
    with at("south"):
        club = Club.objects.get()
        assert str(club.founded_by) == "Margaret Hill"
        assert club.agreed_to == AgreedTerms.objects.get()
    assert FoundingRequest.objects.get().club_id == club.pk


@pytest.mark.usefixtures("hosted")
def test_someone_founds_three_clubs_wherever_they_are() -> None:
    user = User.objects.create_user("zoe@example.org", PASSWORD, name="Zoe")
    browser = browser_of(user)
    for name in ("First", "Second", "Third", "Third"):
        sent = {"name": name, "rules": "bmja", "agree": "on"}
        page = browser.post(reverse("start"), sent, follow=True)
        assert f"Welcome to {name}." in page.content.decode()
    assert (clubs_at("north"), clubs_at("south")) == (["first", "third"], ["second"])
    page = browser.post(reverse("start"), {"name": "Fourth", "rules": "bmja", "agree": "on"})
    assert "You have started 3 clubs here." in page.content.decode()


@pytest.mark.usefixtures("hosted")
def test_a_name_is_taken_in_whichever_database_its_club_is() -> None:
    found("Hill Top Tiles")
    page = ask(name="hill top TILES", email="new@example.org")
    assert "There is already a club with that name." in page.content.decode()
    assert found("Hill-Top Tiles").slug == "hill-top-tiles-2"
    with at("south"), pytest.raises(Refused, match="already a club with that name"):
        change_club(club=Club.objects.get(), name="Hill Top Tiles", mark_colour="red")
    assert not mail.outbox


def test_two_who_found_at_the_same_moment_found_one_club() -> None:
    def press(email: str) -> object:
        return found("Riverside", email).slug

    answers = at_once([lambda: press("ann@example.org"), lambda: press("bob@example.org")])
    assert sorted(map(str, answers)) == ["There is already a club with that name.", "riverside"]
    assert clubs_at("north") + clubs_at("south") == ["riverside"]
    assert User.objects.count() == 1


def test_a_founding_that_fails_leaves_neither_club_nor_account() -> None:
    @founding()
    def found_and_fail() -> None:
        found_club(name="Riverside", email="ann@example.org")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        found_and_fail()
    assert clubs_at("north") == []
    assert not User.objects.exists()
    assert not ClubPlace.objects.exists()


def test_a_command_founds_a_club_and_gives_roles_where_it_is() -> None:
    said = StringIO()
    call_command("found_club", "Riverside", "ann@example.org", stdout=said)
    call_command("found_club", "Hill Top", "ann@example.org", stdout=StringIO())
    password = said.getvalue().rpartition(" ")[2].strip()
    assert User.objects.get().check_password(password)
    assert (database_of("riverside"), database_of("hill-top")) == ("north", "south")
    said = StringIO()
    call_command("give_role", "hill-top", "bob@example.org", "scorer", stdout=said)
    password = said.getvalue().rpartition(" ")[2].strip()
    assert User.objects.get(email="bob@example.org").check_password(password)
    with at("south"), within(Club.objects.get().pk):
        club = Club.objects.get()
        assert club.memberships.get(role=Role.SCORER).user.email == "bob@example.org"
        assert list(club.audit_entries.values_list("what", flat=True)) == [
            "give_role",
            "found_club",
        ]


def test_a_club_is_imported_into_a_club_database(tmp_path: Path) -> None:
    club, file = make_club(), tmp_path / "club.tongbox"
    make_user(club, "Alice", Role.SECRETARY)
    call_command("export_club", "riverside", str(file), stdout=StringIO())
    with pytest.raises(Exception, match="already here, as Riverside"):
        call_command("import_club", str(file), stdout=StringIO())
    club.players.all().delete()
    club.memberships.all().delete()
    club.delete()
    said = StringIO()
    call_command("import_club", str(file), stdout=said)
    assert "riverside" in said.getvalue()
    assert (clubs_at("north"), database_of("riverside")) == (["riverside"], "north")
    page = browser_of(User.objects.get()).get("/c/riverside/members/")
    assert "Alice" in page.content.decode()
    call_command("export_club", "riverside", str(tmp_path / "again.tongbox"), stdout=StringIO())


def test_a_practice_evening_is_where_its_club_is() -> None:
    club = placed_club("north")
    secretary = browser_of(User.objects.get())
    page = secretary.post(reverse("rehearse", args=[club.slug]), follow=True)
    assert page.status_code == 200
    with at("north"):
        practice = Club.objects.get(rehearsal_of=club)
        assert database_of(practice.slug) == "north"
        assert practice.slug in page.redirect_chain[-1][0]
        with within(practice.pk):
            wipe(rehearsal=practice)
    assert list(ClubPlace.objects.values_list("slug", flat=True)) == ["riverside"]


def due(club: Club) -> None:
    Club.objects.filter(pk=club.pk).update(delete_on=timezone.localdate())


def test_a_club_is_deleted_with_the_accounts_that_have_no_other_role() -> None:
    north, south = placed_club("north"), placed_club("south", "hilltop")
    both = User.objects.create_user("both@example.org", PASSWORD, name="Both")
    for name, club in (("north", north), ("south", south)):
        with at(name):
            both.copy_here()
            club.memberships.create(user=both, role=Role.PLAYER)
    with at("north"), within(north.pk):
        rehearse(club=north)
        due(north)
    with at("north"):
        assert deletion.delete_due(today=timezone.localdate()) == 1
        assert not Club.objects.exists()
        assert set(User.objects.values_list("email", flat=True)) == {"both@example.org"}
    assert set(User.objects.values_list("email", flat=True)) == {
        "both@example.org",
        "secretary@hilltop.example",
    }
    assert DeletedClub.objects.get().slug == "riverside"
    assert list(ClubPlace.objects.values_list("slug", flat=True)) == ["hilltop"]
    assert found("Riverside").slug == "riverside"


def test_what_is_left_of_a_move_is_deleted_and_the_club_stays() -> None:
    club = placed_club("north")
    with at("north"), within(club.pk):
        make_player(club, "Bertie")
        rehearse(club=club)
    for name in (MAIN, "south"):
        with at(name):  # as a move that was broken off leaves it
            Club.objects.create(pk=club.pk, name="Riverside", slug="riverside", uid=club.uid)
    for name, strays in ((MAIN, 1), ("north", 0), ("south", 1)):
        with at(name):
            assert deletion.delete_strays(now=timezone.now()) == strays
    assert (clubs_at(MAIN), len(clubs_at("north")), clubs_at("south")) == ([], 2, [])
    assert database_of("riverside") == "north"


def test_a_club_without_a_place_is_deleted_after_an_hour() -> None:
    now = timezone.now()
    with at("south"):
        for name, hours in (("young", 0.5), ("old", 2)):
            Club.objects.create(name=name, slug=name, founded_at=now - timedelta(hours=hours))
    look_after_clubs()
    assert clubs_at("south") == ["young"]


def test_a_club_without_a_place_is_kept_if_it_was_used() -> None:
    """The main database may have been restored from a backup that is older than the club."""
    with at("south"):
        make_player(make_club(), "Bertie")
    look_after_clubs()
    assert clubs_at("south") == ["riverside"]


def test_clubs_are_kept_if_the_databases_change_names() -> None:
    placed_club("north")
    ClubPlace.objects.update(database="south")
    look_after_clubs()
    assert clubs_at("north") == ["riverside"]


def test_a_club_of_the_main_database_is_no_stray() -> None:
    make_club()
    placed_club("north", "hilltop")
    for name in (MAIN, "north"):
        with at(name):
            assert deletion.delete_strays(now=timezone.now()) == 0


def test_the_sample_is_made_once_where_new_clubs_go(settings: Any) -> None:
    for _ in range(2):
        call_command("sample_data", stdout=StringIO())
    assert database_of("riverside") == "north"
    page = Client().get("/c/riverside/")
    assert "Riverside Mah-Jong Club" in page.content.decode()
