"""The present state of a club's settings, as the Settings page says it."""

from dataclasses import dataclass
from datetime import date
from typing import Final

from django.db.models import Count

from clubs.accounts.services import invitations_of, tokens_of
from clubs.core.audit_log import AuditRow, acts_in_category, audit_entries, audit_rows
from clubs.evenings.selectors.calendar import ClubDay, club_year, in_pounds
from clubs.language.words import count_words
from clubs.messages.selectors import open_batches
from clubs.models import Club, Membership, Retention, Role, User
from clubs.seating.why import join_with_and
from scoring.scorebook.editions import rule_set

PUBLIC_PARTS: Final = {
    "shows_results": "the results",
    "shows_league": "the league",
    "shows_calendar": "the calendar",
}


@dataclass(frozen=True, slots=True)
class SettingsState:
    """What is set, in words where a number alone would not say it.

    ``open_invitations`` counts the invitations that nobody has accepted yet, ``unsent`` the
    messages in the Outbox however many people each goes to, ``keys`` the reader's own API keys.
    ``latest`` is no signing in.
    """

    public: str
    roles: str
    open_invitations: int
    rules: str
    next_evening: ClubDay | None
    price: str
    unsent: int
    is_schedule_on: bool
    webhooks: int
    stopped_webhooks: int
    keys: int
    latest: AuditRow | None
    is_practising: bool


def settings_state(club: Club, *, reader: User, today: date) -> SettingsState:
    """The state of every section; as many queries however much there is."""
    is_active = list(club.webhooks.values_list("is_active", flat=True))
    entries = list(audit_entries(club).exclude(what__in=acts_in_category("sign-ins"))[:1])
    return SettingsState(
        public=public_sentence(club),
        roles=_role_counts(club),
        open_invitations=sum(not invitation.has_ended for invitation in invitations_of(club)),
        rules=rule_set(club.rules).name,
        next_evening=club_year(club, today).next,
        price=in_pounds(club.table_money) if club.table_money else "",
        unsent=len(open_batches(club)),
        is_schedule_on=Retention.objects.filter(club=club).exists(),
        webhooks=sum(is_active),
        stopped_webhooks=len(is_active) - sum(is_active),
        keys=len(tokens_of(reader)),
        latest=audit_rows(club, entries)[0] if entries else None,
        is_practising=Club.objects.filter(rehearsal_of=club).exists(),
    )


def public_sentence(club: Club) -> str:
    """What people who have not signed in see of the club."""
    parts = [part for switch, part in PUBLIC_PARTS.items() if getattr(club, switch)]
    if not parts or club.rehearsal_of_id is not None:
        return "The public sees nothing: only members who sign in can open the club."
    return f"The public sees {join_with_and(parts)}."


def _role_counts(club: Club) -> str:
    """``1 secretary and 12 players``, in the order of the roles; one query."""
    rows = Membership.objects.filter(club=club).values_list("role").annotate(Count("pk"))
    people = dict(rows.order_by())
    plural = {Role.SECRETARY: "secretaries"}
    return join_with_and(
        [
            count_words(people[role], role.label, plural.get(role, ""))
            for role in Role
            if role in people
        ]
    )
