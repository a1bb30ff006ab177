"""Whether this installation has a club yet, and what a new club still has to do."""

from base64 import b32encode
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Annotated, Any, Final

from django.conf import settings
from django.db.models import Exists
from django.utils.crypto import constant_time_compare, salted_hmac

from clubs.core.permissions import ORGANISERS
from clubs.language.moments import moment
from clubs.models import Club, Membership, Season, User, counting_evenings

FOUNDER_WITHIN: Final = timedelta(hours=1)
SET_UP_SALT: Final = "clubs.house.first_run.set_up_code"
CODE_BYTES, CODE_GROUP = 10, 4  # 80 bits: sixteen letters and digits in four groups


def is_new_installation() -> bool:
    """Whether there is no club, nor anyone who could sign in."""
    return not (Club.objects.exists() or User.objects.exists())


def only_club() -> Club | None:
    """The club that has this installation for itself; None where there are none, or several."""
    clubs = Club.objects.filter(rehearsal_of=None)[:2]
    return clubs[0] if len(clubs) == 1 and settings.FOUNDING == "closed" else None


def recent_founder(*, now: datetime) -> Membership | None:
    """The role and account of the first person here, if they founded the only club lately."""
    people = Membership.objects.filter(user__date_joined__gte=now - FOUNDER_WITHIN).order_by("pk")
    if Club.objects.filter(rehearsal_of=None).count() != 1:
        return None
    return people.select_related("club", "user").first()


def founder_sentence(founder: Membership | None) -> str:
    """For someone who pressed the button a moment later."""
    if founder is None:
        return "Tongbox has been set up already. Sign in, or ask the club’s secretary."
    time_text = moment(founder.user.date_joined)
    return (
        f"{founder.user} set up {founder.club.name} at {time_text}, so nothing of yours was "
        "saved. Sign in, or ask them to invite you."
    )


def set_up_code() -> str:
    """What someone must know to set up Tongbox from the internet: printed when it starts."""
    digest = salted_hmac(SET_UP_SALT, "", secret=settings.SECRET_KEY, algorithm="sha256").digest()
    letters = b32encode(digest[:CODE_BYTES]).decode()
    return "-".join(
        letters[start : start + CODE_GROUP] for start in range(0, len(letters), CODE_GROUP)
    )


def is_set_up_code(text: str) -> bool:
    code = "".join(letter for letter in text.upper() if letter.isalnum())
    return constant_time_compare(code, set_up_code().replace("-", ""))


@dataclass(frozen=True, slots=True)
class FirstStep:
    """Something that a new club does; ``page`` and ``part`` say where."""

    key: Annotated[str, "members, season, practice, evening, public or helper"]
    title: Annotated[str, "what to do"]
    note: Annotated[str, "why, or how"]
    page: str
    part: str = ""
    is_optional: Annotated[bool, "whether the list ends without it"] = False
    is_done: Annotated[bool, "whether it has been done"] = False
    is_next: Annotated[bool, "whether it is the first of those that remain"] = False


FIRST_STEPS: Final = (
    FirstStep(
        "members",
        "Add your members",
        "Import a list from a spreadsheet, or add people one by one.",
        "members-import",
    ),
    FirstStep(
        "season",
        "Create a season",
        "It turns the evenings between two dates into a league table.",
        "season-add",
    ),
    FirstStep(
        "practice",
        "Run a practice evening",
        "Made-up members play by your rules. Nothing counts.",
        "settings",
        "practice",
        is_optional=True,
    ),
    FirstStep(
        "evening",
        "Start your first evening",
        "Check people in, then press one button to seat them.",
        "evenings",
        "new",
    ),
    FirstStep(
        "public", "Publish results", "Choose what people can see without signing in.", "club-public"
    ),
    FirstStep(
        "helper",
        "Invite a helper",
        "Someone else can then check people in or enter scores.",
        "roles",
    ),
)


def first_steps(club: Club) -> tuple[FirstStep, ...]:
    """What a new club does first, each ticked by what exists; empty once all is done or hidden.

    One query. A practice evening is deleted after a week: the activity log still knows of it.
    """
    if not club.shows_first_steps:
        return ()
    organisers = club.memberships.filter(role__in=ORGANISERS).order_by("pk")
    rows = {
        "members": club.players.filter(is_active=True),
        "season": Season.objects.filter(league__club=club),
        "practising": club.rehearsals.all(),
        "practised": club.audit_entries.filter(what="rehearse"),
        "evening": club.sessions.filter(counting_evenings()),
        "helpers": organisers[1:],
        "invited": club.role_invitations.filter(role__in=ORGANISERS),
    }
    exists = {name: Exists(queryset) for name, queryset in rows.items()}
    step_states: dict[str, Any] = dict(Club.objects.filter(pk=club.pk).values(**exists).get())
    step_states["practice"] = step_states["practising"] or step_states["practised"]
    step_states["public"] = club.publishes
    step_states["helper"] = step_states["helpers"] or step_states["invited"]
    steps = tuple(replace(step, is_done=step_states[step.key]) for step in FIRST_STEPS)
    remaining = [step.key for step in steps if not (step.is_done or step.is_optional)]
    return tuple(replace(step, is_next=step.key == remaining[0]) for step in steps if remaining)
