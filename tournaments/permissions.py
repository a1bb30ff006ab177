"""Who may do what in a tournament: one line a decision."""

from clubs.core.permissions import EVERY_ROLE, ORGANISERS, Permission
from clubs.models import Role, Scope

SEE_TOURNAMENT = Permission(
    "see this tournament", EVERY_ROLE, Scope.READ, public_by=("shows_results",)
)
RUN_TOURNAMENT = Permission(
    "run a tournament", frozenset({Role.DIRECTOR, Role.SECRETARY}), Scope.TOURNAMENTS
)
ENTER_TABLE_HANDS = Permission("enter hands for a table", ORGANISERS, Scope.HANDS)
CORRECT_TABLE_HANDS = Permission("correct a hand", ORGANISERS, Scope.HANDS)
SEE_LAST_ROUND = Permission("see the last round before it is released", ORGANISERS, Scope.READ)
PRINT_TOURNAMENT = Permission("print sheets and cards", ORGANISERS, Scope.PAPERS)
