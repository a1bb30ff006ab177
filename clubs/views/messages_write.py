"""Writing to the club's people: each kind asks for what it needs, and makes drafts."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from clubs.core.access import ClubRequest, door
from clubs.core.forms import add_problems
from clubs.core.page_context import framed, trail
from clubs.core.permissions import SEND_MESSAGES
from clubs.evenings.selectors.calendar import club_year
from clubs.forms.messages import WriteForm
from clubs.matters import INVITATION, WRITTEN, Matter
from clubs.members.selectors import subscriptions
from clubs.models import Club
from clubs.services import writing
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
            told = form.cleaned_data
            batch = writing.write(club=club, matter=matter, told=told, made_by=request.user)
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


def _said(drafts: int) -> str:
    written = "One draft is" if drafts == 1 else f"{drafts} drafts are"
    return f"{written} written. Nothing has been sent yet."


def _matter(kind: str) -> Matter:
    found = next((one for one in WRITTEN if one.key == kind), None)
    if found is None:
        raise Http404
    return found
