"""A new message of whichever kind, as it was told on a page or by a program: drafts of it."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from django.utils import timezone

from clubs.evenings.selectors.calendar import club_day
from clubs.language.moments import full_date, time_of_day, weekday_and_date
from clubs.matters import FREE, INVITATION, NO_EVENING, Matter
from clubs.models import Batch, Club, User
from clubs.services import drafting


def write(*, club: Club, matter: Matter, told: Mapping[str, Any], made_by: User) -> Batch:
    """Drafts of one matter, one a person; ``told`` is what its form asks for.

    Raises ``Refused`` where nobody would get it, or a field in the text is not known.
    """
    who: dict[str, Any] = {"club": club, "made_by": made_by}
    if matter is FREE:
        words = {"subject": told["subject"], "text": told["text"]}
        return drafting.draft_message(**who, **words, readers=told["readers"])
    if matter is INVITATION:
        who |= {"held_on": told["day"], "when": _when(club, told["day"])}
        return drafting.draft_invitations(**who, readers=told["readers"])
    if matter is NO_EVENING:
        who |= {"held_on": told["day"], "when": full_date(told["day"])}
        return drafting.draft_no_evening(**who, why=told["why"], readers=told["readers"])
    return drafting.draft_renewals(**who, today=timezone.localdate())


def _when(club: Club, day: date) -> str:
    """``Tuesday 17 November, 2pm, Village Hall``, as far as it is planned."""
    planned, words = club_day(club, day), weekday_and_date(day)
    if planned is None:
        return words
    told = (words, time_of_day(planned.starts_at), planned.place)
    return ", ".join(part for part in told if part)
