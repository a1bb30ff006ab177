"""Who may do what in a club: one line a decision."""

from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser

from clubs.models import Club, Membership, Role, User

ORGANISERS = frozenset({Role.SECRETARY, Role.DIRECTOR, Role.SCORER})
EVERY_ROLE = frozenset(Role)


@dataclass(frozen=True, slots=True)
class Permission:
    """A thing that may be done, by which roles, and how a refusal is worded."""

    words: str
    roles: frozenset[Role]
    when_public: bool = False

    def is_given(self, role: Role | None, club: Club) -> bool:
        """Whether somebody with this role (None: none here) may do it in the club."""
        return role in self.roles or (self.when_public and club.shows_results)

    @property
    def refusal(self) -> str:
        """The sentence that somebody reads who may not."""
        who = " or ".join(role.label for role in Role if role in self.roles)
        if self.roles == EVERY_ROLE:
            who = "member"
        return f"Only a {who} of this club may {self.words}."


SEE_CLUB = Permission("see this page", EVERY_ROLE)
SEE_RESULTS = Permission("see the results", EVERY_ROLE, when_public=True)
MANAGE_MEMBERS = Permission("change the list of members", frozenset({Role.SECRETARY}))
MANAGE_LEAGUE = Permission("change the league", frozenset({Role.SECRETARY}))
RUN_EVENING = Permission("run an evening", frozenset({Role.SECRETARY}))
ENTER_HANDS = Permission("enter hands for a table", ORGANISERS)
CORRECT_HANDS = Permission("correct a hand", frozenset({Role.SECRETARY, Role.SCORER}))
PRINT_PAPERS = Permission("print sheets and cards", ORGANISERS)
MAKE_PACK = Permission("make the season's pack", frozenset({Role.SECRETARY}))


def role_in(user: User | AnonymousUser, club: Club) -> Role | None:
    """The user's role in the club, None where they have none; one query."""
    if not isinstance(user, User):
        return None
    if user.is_superuser:
        return Role.SECRETARY
    held = Membership.objects.filter(user=user, club=club).values_list("role", flat=True).first()
    return None if held is None else Role(held)
