"""Who may do what in a club: one line a decision."""

from dataclasses import dataclass
from typing import NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.db.models import F, FilteredRelation, Q, QuerySet

from clubs.models import Club, Membership, Role, Scope, User
from clubs.names import EVERYBODY, ORGANISER, Reader

ORGANISERS = frozenset({Role.SECRETARY, Role.DIRECTOR, Role.SCORER})
EVERY_ROLE = frozenset(Role)


@dataclass(frozen=True, slots=True)
class Permission:
    """A thing that may be done, by which roles, and how a refusal is worded.

    ``scope`` is what a program's key must be good for besides.
    """

    words: str
    roles: frozenset[Role]
    scope: Scope
    when_public: bool = False

    def is_given(self, role: Role | None, club: Club) -> bool:
        """Whether somebody with this role (None: none here) may do it in the club."""
        is_public = club.shows_results and club.rehearsal_of_id is None
        return role in self.roles or (self.when_public and is_public)

    @property
    def refusal(self) -> str:
        """The sentence that somebody reads who may not."""
        who = " or ".join(role.label for role in Role if role in self.roles)
        if self.roles == EVERY_ROLE:
            who = "member"
        return f"Only a {who} of this club may {self.words}."


SEE_CLUB = Permission("see this page", EVERY_ROLE, Scope.READ)
SEE_RESULTS = Permission("see the results", EVERY_ROLE, Scope.READ, when_public=True)
MANAGE_MEMBERS = Permission("change the list of members", frozenset({Role.SECRETARY}), Scope.PEOPLE)
MANAGE_LEAGUE = Permission("change the league", frozenset({Role.SECRETARY}), Scope.LEAGUE)
SEND_MESSAGES = Permission(
    "write to the club’s people", frozenset({Role.SECRETARY}), Scope.MESSAGES
)
RUN_EVENING = Permission("run an evening", frozenset({Role.SECRETARY}), Scope.EVENINGS)
MANAGE_WISHES = Permission("see and change the wishes", frozenset({Role.SECRETARY}), Scope.EVENINGS)
REHEARSE = Permission("rehearse an evening", ORGANISERS, Scope.EVENINGS)
ENTER_HANDS = Permission("enter hands for a table", ORGANISERS, Scope.HANDS)
CORRECT_HANDS = Permission("correct a hand", frozenset({Role.SECRETARY, Role.SCORER}), Scope.HANDS)
PRINT_PAPERS = Permission("print sheets and cards", ORGANISERS, Scope.PAPERS)
MAKE_PACK = Permission("make the season's pack", frozenset({Role.SECRETARY}), Scope.PAPERS)

MANAGE_WEBHOOKS = Permission(
    "say which programs are told of what happens", frozenset({Role.SECRETARY}), Scope.WEBHOOKS
)
SEE_DEEDS = Permission("see who did what", frozenset({Role.SECRETARY}), Scope.PEOPLE)


class Presence(NamedTuple):
    """What somebody is in a club (no role: nothing), and how they read its people's names."""

    role: Role | None
    reader: Reader


def presence_in(user: User | AnonymousUser, club: Club) -> Presence:
    """What the user is in the club, and as whom they read names there; one query."""
    if not isinstance(user, User):
        return Presence(None, EVERYBODY)
    held = Membership.objects.filter(user=user, club=club).values_list("role", "player_id").first()
    return _presence(user, *(held or (None, None)))


def clubs_seen_by(user: User | AnonymousUser) -> QuerySet[Club]:
    """All clubs, each with what ``presence_at`` must know, so that one query finds both."""
    if not isinstance(user, User):
        return Club.objects.all()
    mine = FilteredRelation("memberships", condition=Q(memberships__user=user.pk))
    return Club.objects.annotate(mine=mine, my_role=F("mine__role"), my_player=F("mine__player_id"))


def presence_at(user: User | AnonymousUser, seen: Club) -> Presence:
    """The same as ``presence_in`` for a club of ``clubs_seen_by``; no query."""
    if not isinstance(user, User):
        return Presence(None, EVERYBODY)
    return _presence(user, seen.my_role, seen.my_player)  # type: ignore[attr-defined]


def _presence(user: User, held: str | None, player: int | None) -> Presence:
    if user.is_superuser:
        return Presence(Role.SECRETARY, ORGANISER)
    if held is None:
        return Presence(None, EVERYBODY)
    role = Role(held)
    return Presence(role, Reader(is_organiser=role in ORGANISERS, player=player))


def role_in(user: User | AnonymousUser, club: Club) -> Role | None:
    """The user's role in the club, None where they have none; one query."""
    return presence_in(user, club).role


def scope_for(permission: Permission, *, writes: bool) -> Scope:
    """What a key must be good for; whoever only reads by a permission needs more to write by it."""
    if writes and permission.scope is Scope.READ:
        return Scope.OWN
    return permission.scope
