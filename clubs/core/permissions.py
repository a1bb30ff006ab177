"""Who may do what in a club, one line each."""

from dataclasses import dataclass
from typing import NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db.models import F, FilteredRelation, Q, QuerySet

from clubs.core import authentication
from clubs.models import Club, Membership, Role, Scope, User
from clubs.models.names import ORGANISER_READER, PUBLIC_READER, Reader
from scoring.hands.hand import join_words

ORGANISERS = frozenset({Role.SECRETARY, Role.DIRECTOR, Role.SCORER})
EVERY_ROLE = frozenset(Role)
SECRETARY_ONLY = frozenset({Role.SECRETARY})


@dataclass(frozen=True, slots=True)
class Permission:
    """An action, the roles that may do it, and the wording of a refusal.

    ``scope`` is what a program's key must also have. ``public_by`` names the club's switches
    (fields of ``Club``) any of which opens it to everyone.
    """

    action: str
    roles: frozenset[Role]
    scope: Scope
    public_by: tuple[str, ...] = ()

    def is_given(self, role: Role | None, club: Club) -> bool:
        """Whether someone with this role (None: no role) may do it in the club."""
        return role in self.roles or self.is_public(club)

    def is_public(self, club: Club) -> bool:
        """Whether the club opens it to everyone; never true for a rehearsal."""
        is_switched_on = any(getattr(club, switch) for switch in self.public_by)
        return is_switched_on and club.rehearsal_of_id is None

    @property
    def people(self) -> str:
        """Those who may: `secretary, tournament director or scorer`."""
        if self.roles == EVERY_ROLE:
            return "member"
        return join_words((role.label for role in Role if role in self.roles), last="or")

    @property
    def refusal(self) -> str:
        return f"Only a {self.people} of this club may {self.action}."


SEE_CLUB = Permission("see this page", EVERY_ROLE, Scope.READ)
SEE_HOME = Permission(
    "see this page",
    EVERY_ROLE,
    Scope.READ,
    public_by=("shows_results", "shows_league", "shows_calendar"),
)
SEE_RESULTS = Permission("see the results", EVERY_ROLE, Scope.READ, public_by=("shows_results",))
SEE_LEAGUE = Permission("see the league", EVERY_ROLE, Scope.READ, public_by=("shows_league",))
SEE_CALENDAR = Permission("see the calendar", EVERY_ROLE, Scope.READ, public_by=("shows_calendar",))
MANAGE_CLUB = Permission("change the club’s settings", SECRETARY_ONLY, Scope.LEAGUE)
MANAGE_MEMBERS = Permission("change the member list", SECRETARY_ONLY, Scope.PEOPLE)
MANAGE_ROLES = Permission("give and remove roles", SECRETARY_ONLY, Scope.PEOPLE)
MANAGE_LEAGUE = Permission("change the league", SECRETARY_ONLY, Scope.LEAGUE)
SEND_MESSAGES = Permission("send messages", SECRETARY_ONLY, Scope.MESSAGES)
RUN_EVENING = Permission("run an evening", SECRETARY_ONLY, Scope.EVENINGS)
MANAGE_WISHES = Permission("manage seating preferences", SECRETARY_ONLY, Scope.EVENINGS)
REHEARSE = Permission("start a practice evening", ORGANISERS, Scope.EVENINGS)
ENTER_HANDS = Permission("enter hands for a table", ORGANISERS, Scope.HANDS)
CORRECT_HANDS = Permission("correct a hand", frozenset({Role.SECRETARY, Role.SCORER}), Scope.HANDS)
TAKE_CLUB = Permission("download the whole club", SECRETARY_ONLY, Scope.PEOPLE)
PRINT_PAPERS = Permission("print score sheets and table cards", ORGANISERS, Scope.PRINTOUTS)
MAKE_PACK = Permission("create the season pack", SECRETARY_ONLY, Scope.PRINTOUTS)

MANAGE_WEBHOOKS = Permission("manage webhooks", SECRETARY_ONLY, Scope.WEBHOOKS)
SEE_AUDIT_LOG = Permission("see the activity log", SECRETARY_ONLY, Scope.PEOPLE)


class VisibleParts(NamedTuple):
    """Which of the parts that a club can publish someone sees."""

    results: bool
    league: bool
    calendar: bool


def visible_parts(role: Role | None, club: Club) -> VisibleParts:
    """What someone with this role (None: no role) sees of the club; no query."""
    parts = (SEE_RESULTS, SEE_LEAGUE, SEE_CALENDAR)
    return VisibleParts(*(part.is_given(role, club) for part in parts))


class SecondStepMissing(PermissionDenied):
    """Permission is missing only until they set up the second step of signing in."""


class Presence(NamedTuple):
    """Someone's role in a club, if any, and how they see its people's names.

    ``withheld`` is the organiser's role that they get once they have set up the second step, which
    superusers need everywhere and this installation may require of everyone; where it does,
    ``role`` and ``reader`` are those of a plain member until then.
    """

    role: Role | None
    reader: Reader
    withheld: Role | None = None

    def has_permission(self, permission: Permission, club: Club) -> bool:
        return permission.is_given(self.role, club)

    def require(self, permission: Permission, club: Club, refusal: str = "") -> None:
        """Raises ``SecondStepMissing`` or ``PermissionDenied`` without the permission."""
        if self.has_permission(permission, club):
            return
        if permission.is_given(self.withheld, club):
            raise SecondStepMissing(authentication.setup_message())
        raise PermissionDenied(refusal or permission.refusal)


def presence_in(user: User | AnonymousUser, club: Club) -> Presence:
    """The user's role in the club, and how they see names there.

    One query, and one more for an organiser if the second step is required.
    """
    if not isinstance(user, User):
        return Presence(None, PUBLIC_READER)
    memberships = Membership.objects.filter(user=user, club=club)
    return _presence(user, *(memberships.values_list("role", "player_id").first() or (None, None)))


def clubs_seen_by(user: User | AnonymousUser) -> QuerySet[Club]:
    """All clubs, each with what ``presence_at`` needs, so that one query loads both."""
    if not isinstance(user, User):
        return Club.objects.all()
    own_memberships = FilteredRelation("memberships", condition=Q(memberships__user=user.pk))
    return Club.objects.annotate(
        mine=own_memberships, my_role=F("mine__role"), my_player=F("mine__player_id")
    )


def presence_at(user: User | AnonymousUser, club: Club) -> Presence:
    """Like ``presence_in`` for a club of ``clubs_seen_by``, with one query fewer."""
    if not isinstance(user, User):
        return Presence(None, PUBLIC_READER)
    return _presence(user, club.my_role, club.my_player)  # type: ignore[attr-defined]


def _presence(user: User, current: str | None, player: int | None) -> Presence:
    if authentication.is_operator(user):
        return Presence(Role.SECRETARY, ORGANISER_READER)
    role = Role(current) if current else None
    withheld = Role.SECRETARY if user.is_superuser else None
    if (withheld or role) in ORGANISERS and authentication.is_second_step_missing(user):
        role, withheld = Role.PLAYER if current else None, withheld or role
    return Presence(role, Reader(is_organiser=role in ORGANISERS, player=player), withheld)


def scope_for(permission: Permission, *, writes: bool) -> Scope:
    """The scope a key needs; writing under a read permission needs a higher one."""
    if writes and permission.scope is Scope.READ:
        return Scope.OWN
    return permission.scope
