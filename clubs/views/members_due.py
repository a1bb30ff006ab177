"""Subscriptions and guests: who is due, one press to renew, to let go, to make a member."""

from collections.abc import Callable
from functools import partial

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBadRequest
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST

from clubs.core.access import ClubRequest, door
from clubs.core.page_context import framed
from clubs.core.people_names import standing
from clubs.core.permissions import MANAGE_MEMBERS
from clubs.forms.members_due import GuestVisitsForm, RenewForm, as_shown
from clubs.language.words import value_words
from clubs.models import Club, Player
from clubs.selectors.people_due import subscriptions
from clubs.services import people
from scoring.scorebook.refusals import Refused

UNPROCESSABLE = 422
LIST = ("Members", "members")


@door(MANAGE_MEMBERS)
def due(request: ClubRequest, club: Club) -> HttpResponse:
    """Whose subscription is due, which guests are asked to join, and from which visit on."""
    form = GuestVisitsForm(request.POST or None, initial={"visits": club.guest_visits})
    if form.is_valid():
        people.ask_guests_from(club=club, visits=form.cleaned_data["visits"])
        messages.success(request, "Saved.")
        return redirect("members-due", club.slug)
    context = framed(
        club,
        "members",
        form=form,
        told=subscriptions(club, timezone.localdate()),
    )
    status = UNPROCESSABLE if form.errors else 200
    return render(request, "clubs/members_due.html", context, status=status)


@door(MANAGE_MEMBERS)
@require_POST
def renew(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Paid for a year more; a second press of the same button adds no second year."""
    form = RenewForm(request.POST)
    if not form.is_valid():
        return HttpResponseBadRequest("Reload the page, then press the button again.")
    renewed = partial(people.renew, shown=as_shown(form.cleaned_data, request.POST))
    return _act(request, club, pk, renewed, "{0.name} is paid until {1}.")


@door(MANAGE_MEMBERS)
@require_POST
def lapse(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """No longer a member, and off the list at the door."""
    words = "{0.name} no longer appears at check-in. All their results are kept."
    return _act(request, club, pk, people.lapse, words)


@door(MANAGE_MEMBERS)
@require_POST
def join(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """A guest becomes a member."""
    return _act(request, club, pk, people.make_member, "{0.name} is now a member.")


def _act(
    request: ClubRequest, club: Club, pk: int, act: Callable[..., Player], words: str
) -> HttpResponse:
    player = get_object_or_404(standing(club), pk=pk)
    try:
        done = act(player=player, today=timezone.localdate())
    except Refused as refused:
        messages.error(request, refused.problems[0].sentence)
    else:
        messages.success(request, words.format(done, value_words(done.paid_until)))
    if "from_list" in request.POST:
        return redirect("members-due", club.slug)
    return redirect("player", club.slug, pk)
