"""Who has a role in a club, in which clubs someone has one, and who is invited to take one."""

from django.contrib.auth.models import AnonymousUser
from django.db.models import Case, IntegerField, QuerySet, Value, When
from django.db.models.functions import Lower

from clubs.core import two_factor
from clubs.models import Club, Membership, Player, Role, RoleInvitation, User


def memberships_of(club: Club) -> QuerySet[Membership]:
    """Everyone with a role in the club, secretaries first, then by role and name; one query."""
    ranks = [When(role=role, then=Value(rank)) for rank, role in enumerate(Role)]
    people = Membership.objects.filter(club=club).select_related("user", "player", "club")
    rank = Case(*ranks, output_field=IntegerField())
    return people.order_by(rank, Lower("user__name"), "user__email")


def invitations_of(club: Club) -> QuerySet[RoleInvitation]:
    """Everyone who has been invited and has not accepted yet; one query."""
    return RoleInvitation.objects.filter(club=club).select_related("player", "invited_by")


def players_without_a_role(club: Club) -> QuerySet[Player]:
    """Members of the club who cannot sign in yet."""
    return club.players.filter(is_active=True, erased_on=None, membership=None)


def secretaries_of(club: Club) -> QuerySet[User]:
    """Everyone who runs the club and can sign in."""
    return User.objects.filter(
        is_active=True, memberships__club=club, memberships__role=Role.SECRETARY
    )


def invitations_by_link() -> QuerySet[RoleInvitation]:
    """Invitations for whoever holds the link of one, with their clubs."""
    return RoleInvitation.objects.select_related("club", "player", "invited_by")


def clubs_of(user: User | AnonymousUser) -> list[Club]:
    """The clubs that someone signed in belongs to, all for a superuser; never a rehearsal.

    A superuser who has yet to set up the second step that is required sees only their own.
    """
    if not isinstance(user, User):
        return []
    clubs = Club.objects.filter(rehearsal_of=None).order_by("name")
    sees_all = user.is_superuser and not two_factor.is_missing(user)
    return list(clubs if sees_all else clubs.filter(memberships__user=user))
