"""API keys, and who has a role in a club."""

from hashlib import sha256

from django.contrib.auth.models import AnonymousUser
from django.db.models import Case, IntegerField, Q, QuerySet, Value, When
from django.db.models.functions import Lower
from django.utils import timezone

from clubs.core import authentication
from clubs.models import ApiToken, Club, Membership, Player, Role, RoleInvitation, User


def digest_of(key: str) -> str:
    """The digest stored for a key; the key cannot be derived from it."""
    return sha256(key.encode()).hexdigest()


def alive() -> QuerySet[ApiToken]:
    """Keys that are valid now."""
    not_ended = Q(ends_at=None) | Q(ends_at__gt=timezone.now())
    return ApiToken.objects.filter(not_ended, revoked_at=None, user__is_active=True)


def token_of(key: str) -> ApiToken | None:
    """The valid token with this key; one query."""
    return alive().select_related("user", "club").filter(digest=digest_of(key)).first()


def tokens_of(user: User) -> QuerySet[ApiToken]:
    """Someone's valid keys, newest first."""
    return alive().filter(user=user).select_related("club").order_by("-pk")


def memberships_of(club: Club) -> QuerySet[Membership]:
    """Everyone with a role in the club, secretaries first, then by role and name; one query."""
    ranks = [When(role=role, then=Value(rank)) for rank, role in enumerate(Role)]
    people = Membership.objects.filter(club=club).select_related("user", "player", "club")
    rank = Case(*ranks, output_field=IntegerField())
    return people.order_by(rank, Lower("user__name"), "user__email")


def invitations_of(club: Club) -> QuerySet[RoleInvitation]:
    """Invitations that have not been accepted; one query."""
    return RoleInvitation.objects.filter(club=club).select_related("player", "invited_by")


def players_without_a_role(club: Club) -> QuerySet[Player]:
    """Members of the club who cannot sign in yet."""
    return club.players.filter(is_active=True, erased_on=None, membership=None)


def secretaries_of(club: Club) -> QuerySet[User]:
    """Secretaries of the club."""
    return User.objects.filter(
        is_active=True, memberships__club=club, memberships__role=Role.SECRETARY
    )


def invitations_by_link() -> QuerySet[RoleInvitation]:
    """Invitations with their clubs, for looking up by key."""
    return RoleInvitation.objects.select_related("club", "player", "invited_by")


def clubs_of(user: User | AnonymousUser) -> list[Club]:
    """The clubs that someone signed in belongs to, all for a superuser; never a rehearsal.

    A superuser who has yet to set up the second step that is required sees only their own.
    """
    if not isinstance(user, User):
        return []
    clubs = Club.objects.filter(rehearsal_of=None).order_by("name")
    sees_all = user.is_superuser and not authentication.is_missing(user)
    return list(clubs if sees_all else clubs.filter(memberships__user=user))
