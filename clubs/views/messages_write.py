"""Writing to the club's people: each kind asks for what it needs, and makes drafts."""

from datetime import date
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.dateformat import time_format

from clubs.doors import ClubRequest, door
from clubs.forms.messages import WriteForm
from clubs.forms.problems import add_problems
from clubs.frame import framed, trail
from clubs.matters import FREE, INVITATION, NO_EVENING, WRITTEN, Matter
from clubs.models import Batch, Club
from clubs.permissions import SEND_MESSAGES
from clubs.selectors.calendar import club_year
from clubs.selectors.letter_fields import in_full
from clubs.selectors.people_due import subscriptions
from clubs.selectors.standby import club_day
from clubs.services import drafting
from scoring.scorebook.refusals import Refused

UNPROCESSABLE = 422
LIST = ("Messages", "messages")
ASKED_FOR = ("day", "why", "who")


@door(SEND_MESSAGES)
def write(request: ClubRequest, club: Club, kind: str) -> HttpResponse:
    """A new message to many; what comes of it is drafts."""
    matter = _matter(kind)
    form = WriteForm(club, matter, request.POST or None, initial=_given(request, club, matter))
    if form.is_valid():
        try:
            batch = _draft(request, club, form)
        except Refused as refused:
            add_problems(form, refused)
        else:
            messages.success(request, _said(batch.messages.count()))
            return redirect("batch", club.slug, batch.pk)
    due = subscriptions(club, timezone.localdate()).due if kind == "renewal" else ()
    crumbs = trail(club, LIST, here=matter.title)
    context = framed(club, "messages", form=form, matter=matter, due=due, breadcrumbs=crumbs)
    status = UNPROCESSABLE if form.errors else 200
    return render(request, "clubs/message_write.html", context, status=status)


def _given(request: ClubRequest, club: Club, matter: Matter) -> dict[str, Any]:
    """What the address says already; people are asked to come to the next evening."""
    given: dict[str, Any] = {name: request.GET[name] for name in ASKED_FOR if name in request.GET}
    if matter is INVITATION and "day" not in given:
        coming = club_year(club, timezone.localdate()).next
        given |= {"day": coming.held_on} if coming else {}
    return given


def _draft(request: ClubRequest, club: Club, form: WriteForm) -> Batch:
    told: dict[str, Any] = {"club": club, "made_by": request.user}
    cleaned = form.cleaned_data
    if form.matter is FREE:
        words = {"subject": cleaned["subject"], "text": cleaned["text"]}
        return drafting.draft_message(**told, **words, readers=cleaned["readers"])
    if form.matter is INVITATION:
        told |= {"held_on": cleaned["day"], "when": _when(club, cleaned["day"])}
        return drafting.draft_invitations(**told, readers=cleaned["readers"])
    if form.matter is NO_EVENING:
        told |= {"held_on": cleaned["day"], "when": in_full(cleaned["day"])}
        return drafting.draft_no_evening(**told, why=cleaned["why"], readers=cleaned["readers"])
    return drafting.draft_renewals(**told, today=timezone.localdate())


def _when(club: Club, day: date) -> str:
    """``Tuesday 17 November, 2 p.m., Village Hall``, as far as it is planned."""
    planned, words = club_day(club, day), f"{day:%A} {day.day} {day:%B}"
    if planned is None:
        return words
    told = (words, time_format(planned.starts_at, "P"), planned.place)
    return ", ".join(part for part in told if part)


def _said(drafts: int) -> str:
    written = "One draft is" if drafts == 1 else f"{drafts} drafts are"
    return f"{written} written. Nothing has been sent yet."


def _matter(kind: str) -> Matter:
    found = next((one for one in WRITTEN if one.key == kind), None)
    if found is None:
        raise Http404
    return found
