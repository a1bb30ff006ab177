"""Who may do what in a club is decided by its secretary: invited, changed, removed."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.core import mail
from django.test import Client
from django.utils import timezone

from clubs.accounts import services
from clubs.accounts.services import make_token
from clubs.models import ApiToken, AuditEntry, Membership, Role, RoleInvitation, User
from clubs.privacy.services import erase_player
from clubs.tenancy import club_scope
from scoring.scorebook.refusals import Refused
from tests.clubs.visits import Visitor, confirmed_visitor, errors
from tests.people import PASSWORD, Cast, make_cast, make_player

PAGE = "/c/riverside/settings/people/"
INVITE = f"{PAGE}invite/"
NEW = {"name": "Bea Bright", "password1": "red dragon rises", "password2": "red dragon rises"}


@pytest.fixture
def cast(db: None) -> Iterator[Cast]:
    cast = make_cast()
    with club_scope(cast.club.pk):
        yield cast


def invite(cast: Cast, email: str = "bea@example.org", **fields: Any) -> RoleInvitation:
    invitation_fields = {"role": Role.SCORER, "invited_by": cast.secretary, **fields}
    return services.invite(club=cast.club, email=email, **invitation_fields)


def address_of(invitation: RoleInvitation) -> str:
    return f"/invited/{invitation.key}/"


def role_of(user: User, cast: Cast) -> str | None:
    membership = Membership.objects.filter(user=user, club=cast.club).first()
    return membership.role if membership else None


def test_a_scorer_is_invited_by_email_and_signs_in_with_their_own_password(cast: Cast) -> None:
    bea = make_player(cast.club, "Bea", email="bea@example.org")
    alice = confirmed_visitor(cast.secretary)
    messages = alice.messages_after(INVITE, player=bea.pk, role="scorer")
    assert messages == ["We have emailed an invitation to bea@example.org."]
    assert mail.outbox[-1].to == ["bea@example.org"]
    link = re.search(r"http://localhost:8000(/invited/\S+/)", str(mail.outbox[-1].body))
    assert link
    phone = Client()
    assert "You are invited" in phone.get(link[1]).content.decode()
    page = phone.post(link[1], NEW, follow=True)
    assert "Welcome to Riverside Mah-Jong Club. You are now a scorer." in page.content.decode()
    membership = Membership.objects.get(user__email="bea@example.org")
    assert (membership.role, membership.player, membership.user.name) == (
        Role.SCORER,
        bea,
        "Bea Bright",
    )
    assert Client().login(email="bea@example.org", password=NEW["password1"])
    assert not RoleInvitation.objects.exists()


def test_giving_a_role_asks_for_the_password_again(cast: Cast, alice: Visitor) -> None:
    pat = cast.player.memberships.get()
    for address in (INVITE, f"{PAGE}{pat.pk}/change/", f"{PAGE}{pat.pk}/remove/"):
        response = alice.post(address, {"email": "x@example.org", "role": "secretary"})
        assert response["Location"].startswith("/accounts/reauthenticate/")
    assert not RoleInvitation.objects.exists()
    assert role_of(cast.player, cast) == Role.PLAYER


def test_what_was_sent_before_the_password_is_not_lost(alice: Visitor) -> None:
    alice.post(INVITE, {"email": "bea@example.org", "role": "player"})
    alice.post(f"/accounts/reauthenticate/?next={INVITE}", {"password": PASSWORD})
    assert [row.email for row in RoleInvitation.objects.all()] == ["bea@example.org"]


def test_an_invitation_works_once_and_for_two_weeks(cast: Cast) -> None:
    invitation = invite(cast)
    RoleInvitation.objects.update(sent_at=timezone.now() - timedelta(days=14, minutes=1))
    assert Client().post(address_of(invitation), NEW).status_code == 410
    new_invitation = services.renew_invitation(invitation=invitation)
    assert Client().post(address_of(new_invitation), NEW).status_code == 302
    assert Client().post(address_of(new_invitation), NEW).status_code == 410
    assert User.objects.filter(email="bea@example.org").count() == 1


def test_an_old_session_neither_reopens_an_invitation_nor_reads_its_link(
    cast: Cast, settings: Any
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    invitation = invite(cast, role=Role.SECRETARY)
    RoleInvitation.objects.update(sent_at=timezone.now() - timedelta(days=60))
    thief = Visitor(cast.secretary)
    for press in ("again", "withdraw"):
        answer = thief.post(f"{PAGE}invited/{invitation.pk}/{press}/")
        assert answer.headers["Location"].startswith("/accounts/reauthenticate/")
    stored_invitation = RoleInvitation.objects.get()
    assert (stored_invitation.key, stored_invitation.has_ended) == (invitation.key, True)
    RoleInvitation.objects.update(sent_at=timezone.now())
    assert invitation.key not in thief.read(PAGE)
    answer = thief.get(f"{PAGE}links/")
    assert answer.headers["Location"].startswith("/accounts/reauthenticate/")
    assert invitation.key in confirmed_visitor(cast.secretary).read(PAGE)


def test_a_couple_with_one_address_is_not_invited_twice_with_it(cast: Cast) -> None:
    jean, arthur = (
        make_player(cast.club, name, email="ap@example.org") for name in ("Jean", "Art")
    )
    alice = confirmed_visitor(cast.secretary)
    alice.post(INVITE, {"player": jean.pk, "role": "player"})
    first = RoleInvitation.objects.get()
    page = alice.post(INVITE, {"player": arthur.pk, "role": "player"})
    message = "Jean is already invited with ap@example.org. Withdraw that invitation, or use "
    assert errors(page) == {"email": [f"{message}another address."]}
    assert RoleInvitation.objects.get().key == first.key
    Client().post(address_of(first), NEW)
    page = alice.post(INVITE, {"player": arthur.pk, "role": "player"})
    expected_errors = ["Jean signs in with ap@example.org. Art needs another address."]
    assert errors(page) == {"email": expected_errors}
    alice.post(INVITE, {"player": arthur.pk, "email": "art@example.org", "role": "player"})
    assert RoleInvitation.objects.get().player == arthur


def test_a_withdrawn_invitation_and_a_forged_link_open_nothing(cast: Cast) -> None:
    alice = confirmed_visitor(cast.secretary)
    invitation = invite(cast)
    alice.messages_after(f"{PAGE}invited/{invitation.pk}/withdraw/")
    assert Client().get(address_of(invitation)).status_code == 410
    assert Client().get("/invited/abcdefghijklmnopqrstuvwx/").status_code == 404


def test_sending_again_ends_the_first_link(cast: Cast) -> None:
    alice = confirmed_visitor(cast.secretary)
    first = address_of(invite(cast))
    alice.messages_after(f"{PAGE}invited/{RoleInvitation.objects.get().pk}/again/")
    assert Client().get(first).status_code == 410
    assert Client().get(address_of(RoleInvitation.objects.get())).status_code == 200


def test_whoever_has_an_account_signs_in_first(cast: Cast) -> None:
    invitation = invite(cast, email=cast.stranger.email, role=Role.DIRECTOR)
    page = Client().get(address_of(invitation)).content.decode()
    assert "You already have an account" in page
    assert Client().post(address_of(invitation), NEW).status_code == 200
    assert role_of(cast.stranger, cast) is None
    carol = Visitor(cast.stranger)
    assert (
        "You are signed in as carol@example.org"
        in carol.get(address_of(invitation)).content.decode()
    )
    assert carol.post(address_of(invitation)).status_code == 302
    assert role_of(cast.stranger, cast) == Role.DIRECTOR


def test_accepting_never_lowers_a_role(cast: Cast, alice: Visitor) -> None:
    alice.post(address_of(invite(cast, role=Role.PLAYER)))
    assert role_of(cast.secretary, cast) == Role.SECRETARY


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ({"role": "scorer"}, "email"),
        ({"role": "scorer", "email": "nobody"}, "email"),
        ({"role": "emperor", "email": "bea@example.org"}, "role"),
        ({"role": "scorer", "email": "dev@example.org"}, "email"),
        ({"role": "scorer", "email": "bea@example.org", "player": "999999"}, "player"),
    ],
)
def test_a_faulty_invitation_says_what_is_wrong(
    cast: Cast, data: dict[str, str], field: str
) -> None:
    page = confirmed_visitor(cast.secretary).post(INVITE, data)
    assert page.status_code == 422
    assert list(errors(page)) == [field]
    assert not RoleInvitation.objects.exists()


def test_a_weak_password_is_refused_and_the_link_stays_good(cast: Cast) -> None:
    invitation = invite(cast)
    page = Client().post(
        address_of(invitation), {**NEW, "password1": "12345678", "password2": "12345678"}
    )
    assert page.status_code == 422
    assert list(errors(page)) == ["password1"]
    assert Client().post(address_of(invitation), NEW).status_code == 302


def test_a_club_keeps_a_secretary(cast: Cast) -> None:
    alice = confirmed_visitor(cast.secretary)
    own_membership = cast.secretary.memberships.get()
    needs = ["A club needs a secretary. Make someone else a secretary first."]
    assert alice.messages_after(f"{PAGE}{own_membership.pk}/remove/") == needs
    assert alice.messages_after(f"{PAGE}{own_membership.pk}/change/", role="player") == needs
    dev = cast.director.memberships.get()
    assert alice.messages_after(f"{PAGE}{dev.pk}/change/", role="secretary") == [
        "Dev is now a secretary."
    ]
    assert alice.post(f"{PAGE}{own_membership.pk}/remove/").status_code == 302
    assert role_of(cast.secretary, cast) is None
    assert alice.get(PAGE).status_code == 403


def test_removing_a_role_ends_its_keys_and_keeps_the_member(cast: Cast) -> None:
    make_token(user=cast.scorer, name="Board", scopes=["read"], club=cast.club)
    membership = cast.scorer.memberships.get()
    services.remove_role(membership=membership)
    assert ApiToken.objects.filter(revoked_at=None).count() == 0
    assert cast.club.players.filter(name="Sunil", is_active=True).exists()
    with pytest.raises(Refused, match="Someone else has removed"):
        services.change_role(membership=membership, role=Role.DIRECTOR)


def test_a_role_that_someone_else_has_changed_is_not_changed_unseen(cast: Cast) -> None:
    services.change_role(membership=cast.player.memberships.get(), role=Role.SECRETARY)
    alice, pat = confirmed_visitor(cast.secretary), confirmed_visitor(cast.player)
    dev = cast.director.memberships.get()
    at_dev = f"{PAGE}{dev.pk}/"
    assert f'name="shown" value="{Role.DIRECTOR}"' in alice.read(PAGE)
    pat.messages_after(f"{at_dev}change/", role="scorer", shown="director")
    for act, fields in (("change", {"role": "player"}), ("remove", {})):
        [message] = alice.messages_after(f"{at_dev}{act}/", shown="director", **fields)
        assert message.startswith("Pat changed the role of Dev at ")
        assert message.endswith(", after you opened this. Check it again before you continue.")
    assert role_of(cast.director, cast) == Role.SCORER
    assert alice.messages_after(f"{at_dev}change/", role="scorer", shown="director") == [
        "Dev is now a scorer."
    ]
    assert alice.messages_after(f"{at_dev}remove/", shown="scorer") == [
        "Dev no longer has a role here."
    ]


def test_a_second_press_says_that_it_was_done(cast: Cast) -> None:
    alice, dev = confirmed_visitor(cast.secretary), cast.director.memberships.get()
    invitation = invite(cast)
    for address, beginning in (
        (f"{PAGE}{dev.pk}/remove/", "This role was already removed by Alice at "),
        (f"{PAGE}invited/{invitation.pk}/withdraw/", "This invitation was already withdrawn by "),
    ):
        assert not alice.messages_after(address)[0].startswith(beginning)
        [message] = alice.messages_after(address)
        assert message.startswith(beginning)
    [message] = alice.messages_after(f"{PAGE}invited/{invitation.pk}/again/")
    assert message.startswith("This invitation was already withdrawn by Alice at ")
    [message] = alice.messages_after(f"{PAGE}{dev.pk}/change/", role="scorer")
    assert message.startswith("This role was already removed by Alice at ")
    elsewhere = Membership.objects.exclude(club=cast.club).get()
    assert alice.post(f"{PAGE}{elsewhere.pk}/remove/").status_code == 404


def test_a_secretary_who_gives_up_the_role_comes_to_the_clubs_home(cast: Cast) -> None:
    services.change_role(membership=cast.player.memberships.get(), role=Role.SECRETARY)
    own_membership = cast.secretary.memberships.get()
    answer = confirmed_visitor(cast.secretary).post(
        f"{PAGE}{own_membership.pk}/change/", {"role": "player"}
    )
    assert answer["Location"] == "/c/riverside/"


def test_the_page_says_when_each_last_signed_in_and_how(cast: Cast, alice: Visitor) -> None:
    User.objects.update(last_login=None)
    last = datetime(2026, 11, 17, 20, tzinfo=UTC)
    User.objects.filter(pk=cast.scorer.pk).update(last_login=last)
    Authenticator.objects.create(user=cast.scorer, type=Authenticator.Type.TOTP, data={})
    page = alice.read(PAGE)
    sunil = "Last signed in on 17 November 2026. Two-step verification is on."
    assert page.count(sunil) == 1
    assert page.count("Has not signed in yet. Two-step verification is off.") == 3


@pytest.mark.django_db(transaction=True)
def test_every_secretary_hears_of_a_new_organiser() -> None:
    cast = make_cast()
    with club_scope(cast.club.pk):
        services.change_role(membership=cast.player.memberships.get(), role=Role.SECRETARY)
        services.accept_invitation(invitation=invite(cast), user=cast.stranger)
    assert mail.outbox[0].body.startswith("Pat is now a secretary at Riverside Mah-Jong Club.\n")
    emails = [(email.subject, email.to[0]) for email in mail.outbox]
    to_both = ["alice@example.org", "pat@example.org"]
    subjects = [
        "Riverside Mah-Jong Club: Pat is now a secretary",
        "Riverside Mah-Jong Club: Carol is now a scorer",
    ]
    assert sorted(emails) == sorted((subject, email) for subject in subjects for email in to_both)


def test_roles_stand_in_the_activity_log(cast: Cast) -> None:
    alice = confirmed_visitor(cast.secretary)
    alice.messages_after(INVITE, email="bea@example.org", role="scorer")
    Client().post(address_of(RoleInvitation.objects.get()), NEW)
    pat = cast.player.memberships.get()
    alice.messages_after(f"{PAGE}{pat.pk}/change/", role="scorer")
    alice.messages_after(f"{PAGE}{pat.pk}/remove/")
    deeds = AuditEntry.objects.filter(what__startswith="role-").order_by("pk")
    acts = [deed.what.removeprefix("role-") for deed in deeds]
    assert acts == ["invite", "accept", "change", "remove"]


def test_erasing_somebody_withdraws_their_invitation(cast: Cast) -> None:
    bea = make_player(cast.club, "Bea", email="bea@example.org")
    invite(cast)
    erase_player(player=bea, today=timezone.localdate())
    assert not RoleInvitation.objects.exists()


def test_where_no_email_is_sent_the_page_shows_the_link(cast: Cast, settings: Any) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    invitation = invite(cast)
    page = confirmed_visitor(cast.secretary).read(PAGE)
    assert f"http://localhost:8000{address_of(invitation)}" in page
    assert "This Tongbox does not send email" in page


@pytest.mark.parametrize("people", [1, 3])
def test_the_page_asks_the_same_however_many_people_there_are(
    cast: Cast, alice: Visitor, people: int, django_assert_num_queries: Any
) -> None:
    for number in range(people):
        invite(cast, email=f"p{number}@example.org")
        user = User.objects.create_user(f"q{number}@example.org", PASSWORD, name=f"Q{number}")
        Membership.objects.create(club=cast.club, user=user, role=Role.SCORER)
    alice.get(PAGE)
    with django_assert_num_queries(5):
        assert alice.get(PAGE).status_code == 200
