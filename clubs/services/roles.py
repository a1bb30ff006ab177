"""Roles in a club: people invited to take one, changed, removed. A club keeps a secretary."""

from smtplib import SMTPException

from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from clubs.core.locks import lock_club
from clubs.core.permissions import ORGANISERS
from clubs.models import (
    ApiToken,
    Club,
    Membership,
    Player,
    Role,
    RoleInvitation,
    User,
    link_key,
)
from clubs.models.names import name_fault, tidy_name
from clubs.selectors.roles import secretaries_of
from clubs.services.erasing_files import KEEPS_LETTERS
from scoring.scorebook.refusals import refuse


@transaction.atomic
def invite(
    *, club: Club, email: str, role: Role, invited_by: User, player: Player | None = None
) -> RoleInvitation:
    """Invite someone to a role; a second invitation to an address replaces the first.

    Raises ``Refused`` for an address that has a role in the club already, in a practice club, and
    for a member who can already sign in. The email is sent by ``send_invitation``.
    """
    lock_club(club.pk)
    email = email.lower()
    if club.rehearsal_of_id is not None:
        raise refuse("is_rehearsal", "You cannot invite people to a practice evening.")
    current = Membership.objects.filter(club=club, user__email=email).first()
    if current:
        role_now = current.get_role_display()
        sentence = f"{email} is already {role_now} here. Change the role in the list above."
        raise refuse("has_a_role", sentence, "email")
    if player is not None and Membership.objects.filter(player=player).exists():
        raise refuse("has_a_role", f"{player.name} can already sign in.", "player")
    invitation, _ = RoleInvitation.objects.update_or_create(
        club=club,
        email=email,
        defaults={
            "role": role,
            "player": player,
            "invited_by": invited_by,
            "key": link_key(),
            "sent_at": timezone.now(),
        },
    )
    return invitation


def sends_email() -> bool:
    """Whether this installation sends email at all, and does not only keep it in files."""
    return settings.EMAIL_BACKEND != KEEPS_LETTERS


def send_invitation(*, invitation: RoleInvitation) -> bool:
    """Email the link of an invitation; False where the mail server did not take it."""
    context = {
        "invitation": invitation,
        "link": link_of(invitation),
        "site_address": settings.SITE_ADDRESS,
    }
    subject = f"{invitation.club.name}: your invitation"
    body = render_to_string("account/email/role_invitation_message.txt", context).strip()
    try:
        send_mail(subject, f"{body}\n", None, [invitation.email])
    except (SMTPException, OSError):
        return False
    return True


def link_of(invitation: RoleInvitation) -> str:
    """The address at which an invitation is accepted."""
    return settings.SITE_ADDRESS + reverse("role-invitation", args=[invitation.key])


@transaction.atomic
def send_again(*, invitation: RoleInvitation) -> RoleInvitation:
    """Give an invitation a new link, good for another two weeks; the old link stops working."""
    invitation.key, invitation.sent_at = link_key(), timezone.now()
    invitation.save(update_fields=["key", "sent_at"])
    return invitation


@transaction.atomic
def accept(*, invitation: RoleInvitation, user: User) -> Membership:
    """Give the role to the person who holds the invitation's link; raises ``Refused`` if it ended.

    Someone who has a role already keeps the higher of the two.
    """
    lock_club(invitation.club_id)
    current = RoleInvitation.objects.filter(pk=invitation.pk, key=invitation.key).first()
    if current is None or current.has_ended:
        raise refuse(
            "used_link", "This invitation has been used, withdrawn, or has expired.", "key"
        )
    role, player = Role(current.role), current.player
    membership = Membership.objects.filter(club=current.club_id, user=user).first()
    if membership is None:
        membership = Membership(club_id=current.club_id, user=user)
    elif list(Role).index(Role(membership.role)) < list(Role).index(role):
        role = Role(membership.role)
    is_free = player is not None and not Membership.objects.filter(player=player).exists()
    if membership.player_id is None and is_free:
        membership.player = player
    membership.role = role
    membership.save()
    current.delete()
    if role in ORGANISERS:
        _tell_secretaries(membership, f"{user} is now {membership.get_role_display()}")
    return membership


@transaction.atomic
def accept_as_new(*, invitation: RoleInvitation, name: str, password: str) -> Membership:
    """Make an account for the invited address and give it the role.

    Raises ``Refused`` for a name that cannot be one, and for an address that has an account: its
    person signs in first.
    """
    if fault := name_fault(name):
        raise refuse("bad_name", fault, "name")
    lock_club(invitation.club_id)
    if User.objects.filter(email=invitation.email).exists():
        raise refuse("email_taken", "This address has an account. Sign in to accept.", "email")
    user = User.objects.create_user(invitation.email, password, name=tidy_name(name))
    return accept(invitation=invitation, user=user)


@transaction.atomic
def change_role(*, membership: Membership, role: Role) -> Membership:
    """Give someone another role instead of theirs; refused for the club's only secretary."""
    lock_club(membership.club_id)
    current = _current(membership)
    if current.role == role:
        return current
    if role is not Role.SECRETARY:
        _keep_a_secretary(current)
    current.role = role
    current.save(update_fields=["role"])
    _tell_secretaries(current, f"{current.user} is now {current.get_role_display()}")
    return current


@transaction.atomic
def remove_role(*, membership: Membership) -> None:
    """Take someone's role and end their keys for the club; refused for the only secretary.

    Their results stay, and so does their place on the list of members.
    """
    lock_club(membership.club_id)
    current = _current(membership)
    _keep_a_secretary(current)
    keys = ApiToken.objects.filter(user=current.user_id, club=current.club_id, revoked_at=None)
    keys.update(revoked_at=timezone.now())
    _tell_secretaries(current, f"{current.user} no longer has a role")
    current.delete()


def _current(membership: Membership) -> Membership:
    rows = Membership.objects.select_related("user", "club")
    current = rows.filter(pk=membership.pk).first()
    if current is None:
        raise refuse("gone", "Someone else has removed this person in the meantime.")
    return current


def _keep_a_secretary(membership: Membership) -> None:
    if membership.role != Role.SECRETARY:
        return
    others = Membership.objects.filter(club=membership.club_id, role=Role.SECRETARY)
    if not others.exclude(pk=membership.pk).exists():
        sentence = "A club needs a secretary. Make someone else a secretary first."
        raise refuse("only_secretary", sentence, "role")


def _tell_secretaries(membership: Membership, what: str) -> None:
    """Email every secretary once the change is stored; the page says the same without a server."""
    club = membership.club
    page = settings.SITE_ADDRESS + reverse("roles", args=[club.slug])
    text = f"{what} at {club.name}.\n\nIf this is not right, change it here:\n{page}\n"
    to = list(secretaries_of(club).values_list("email", flat=True))
    transaction.on_commit(
        lambda: [
            send_mail(f"{club.name}: {what}", text, None, [email], fail_silently=True)
            for email in to
        ]
    )
