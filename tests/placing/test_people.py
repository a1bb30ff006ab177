"""A person and their clubs in several databases: one account, one list of clubs, each its log."""

from datetime import timedelta
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.accounts.services import accept_as_new, invite, link_of, secretaries_of
from clubs.core.authentication import is_organiser
from clubs.databases import at
from clubs.models import AuditEntry, Club, Membership, Role, RoleInvitation, User
from clubs.privacy.selectors.data_export import dossier
from clubs.privacy.services import erase_player
from clubs.tenancy import across_clubs, within
from scoring.scorebook.refusals import Refused
from tests.clubs.hosting.conftest import make_operator
from tests.people import PASSWORD, browser_of, make_club, make_player, make_user
from tests.placing.placed import placed_club

NEW = "seven lucky sparrows"


def give(name: str, club: Club, user: User, role: Role = Role.SECRETARY) -> Membership:
    with at(name):
        user.copy_here()
        player = make_player(club, user.name)
        return Membership.objects.create(club=club, user=user, role=role, player=player)


@pytest.fixture
def zoe() -> User:
    """Someone with a role in each of three databases."""
    user = User.objects.create_user("zoe@example.org", PASSWORD, name="Zoe")
    give("default", make_club("Main Street", "main-street"), user)
    give("north", placed_club("north"), user)
    give("south", placed_club("south", "hilltop"), user, Role.PLAYER)
    return user


def whats(name: str) -> list[str]:
    """What the activity log of the only club in this database says, the oldest first."""
    with at(name), across_clubs():
        return list(AuditEntry.objects.order_by("pk").values_list("what", flat=True))


def test_your_clubs_are_those_of_every_database(zoe: User) -> None:
    page = browser_of(zoe).get("/")
    assert [club.name for club in page.context["clubs"]] == ["hilltop", "Main Street", "riverside"]
    assert [club["slug"] for club in browser_of(zoe).get("/api/v1/clubs/").json()] == [
        "hilltop",
        "main-street",
        "riverside",
    ]


def test_an_operator_sees_the_clubs_of_every_database() -> None:
    placed_club("north")
    placed_club("south", "hilltop")
    olga = make_operator()
    assert len(browser_of(olga).get("/").context["clubs"]) == 2


def test_signing_in_is_in_the_log_of_each_club_that_someone_runs(zoe: User) -> None:
    for _ in range(2):
        sent = {"login": zoe.email, "password": PASSWORD}
        assert Client().post(reverse("account_login"), sent).status_code == 302
    assert whats("default") == whats("north") == ["new browser", "signed in"]
    assert whats("south") == []


def test_an_organiser_anywhere_is_an_organiser(zoe: User) -> None:
    assert is_organiser(zoe)
    only_player = User.objects.create_user("pat@example.org", PASSWORD, name="Pat")
    with at("south"):
        give("south", Club.objects.get(), only_player, Role.PLAYER)
    assert not is_organiser(only_player)


def test_roles_say_who_signed_in_with_two_steps(zoe: User) -> None:
    Authenticator.objects.create(user=zoe, type=Authenticator.Type.TOTP, data={"secret": "x"})
    browser = browser_of(zoe)
    page = browser.get(reverse("roles", args=["riverside"]))
    people = {str(one.user): one for one in page.context["people"]}
    assert [people[name].has_second_step for name in ("Zoe", "Ann")] == [True, False]
    text = page.content.decode()
    assert "Last signed in on" in text
    assert "Has not signed in yet." in text


def invitation(email: str, name: str = "north") -> RoleInvitation:
    with at(name):
        club = Club.objects.get()
        by = secretaries_of(club).get()
        return invite(club=club, email=email, role=Role.SCORER, invited_by=by)


def test_an_invitation_is_accepted_with_a_new_account() -> None:
    placed_club("north")
    address = link_of(invitation("bob@example.org")).removeprefix("http://localhost:8000")
    browser = Client()
    sent = {"name": "Bob", "password1": NEW, "password2": NEW}
    page = browser.post(address, sent, follow=True)
    assert "Welcome to riverside. You are now scorer." in page.content.decode()
    assert User.objects.get(email="bob@example.org").check_password(NEW)
    assert str(browser.get("/c/riverside/").wsgi_request.user) == "Bob"
    with at("north"):
        assert Membership.objects.get(role=Role.SCORER).user.name == "Bob"


def test_an_invitation_is_accepted_with_an_account_from_another_club(zoe: User) -> None:
    with at("south"):
        Membership.objects.filter(user=zoe.pk).delete()
    address = link_of(invitation(zoe.email, "south")).removeprefix("http://localhost:8000")
    page = Client().get(address)
    assert page.context["must_sign_in"]
    page = browser_of(zoe).post(address, follow=True)
    assert "Welcome to hilltop. You are now scorer." in page.content.decode()


def test_an_invitation_that_is_refused_makes_no_account() -> None:
    placed_club("north")
    row = invitation("bob@example.org")
    with at("north"):
        RoleInvitation.objects.filter(pk=row.pk).update(sent_at=timezone.now() - timedelta(days=15))
        with pytest.raises(Refused, match="has expired"), within(row.club_id):
            accept_as_new(invitation=row, name="Bob", password=NEW)
        assert not User.objects.filter(email="bob@example.org").exists()
    assert not User.objects.filter(email="bob@example.org").exists()


def test_a_new_address_is_known_in_every_database(zoe: User) -> None:
    browser = browser_of(zoe)
    browser.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    browser.post(reverse("account_email"), {"email": "new@example.org"})
    (link,) = [word for word in str(mail.outbox[-1].body).split() if "confirm" in word]
    browser.post(link.removeprefix("http://localhost:8000"))
    for name in ("default", "north", "south"):
        with at(name):
            assert User.objects.get(pk=zoe.pk).email == "new@example.org"


def test_an_account_goes_with_its_last_role_in_any_database(zoe: User) -> None:
    keys = {"default": "main-street", "north": "riverside", "south": "hilltop"}
    for name, slug in keys.items():
        assert User.objects.filter(pk=zoe.pk).exists()
        with at(name):
            club = Club.objects.get(slug=slug)
            with within(club.pk):
                make_user(club, "Successor", Role.SECRETARY) if name == "default" else None
                player = club.players.get(name="Zoe")
                erase_player(player=player, today=timezone.localdate())
    for name in keys:
        with at(name):
            assert not User.objects.filter(pk=zoe.pk).exists()


def test_the_preview_of_erasing_names_the_other_clubs(zoe: User) -> None:
    with at("south"):
        club = Club.objects.get()
        pk = club.players.get(name="Zoe").pk
        secretary = browser_of(User.objects.accounts().get(email="secretary@hilltop.example"))
    page: Any = secretary.get(reverse("member-erase", args=["hilltop", pk]))
    assert "The account is kept for Main Street, riverside" in page.content.decode()


def test_the_data_export_knows_when_someone_signed_in(zoe: User) -> None:
    browser_of(zoe)
    with at("north"):
        club = Club.objects.get()
        with within(club.pk):
            parts = dossier(club.players.get(name="Zoe")).parts
    (sign_in,) = [part for part in parts if part.title == "How you sign in"]
    assert dict(zip(sign_in.columns, sign_in.rows[0], strict=True))["Last signed in"]
