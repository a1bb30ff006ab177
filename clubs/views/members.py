"""The people of a club: the list, and what is held on each."""

from typing import Any, cast

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from clubs.core.access import ClubRequest, door
from clubs.core.forms import add_overtaken, add_problems
from clubs.core.page_context import Crumbs, framed, member_trail, trail
from clubs.core.people_names import standing
from clubs.core.permissions import MANAGE_MEMBERS, SEE_CLUB
from clubs.forms.members import MemberChangeForm, MemberForm
from clubs.models import Club
from clubs.selectors import people as rows
from clubs.selectors.people_twins import likely_twins
from clubs.services import people
from clubs.services.people import Details
from scoring.scorebook.refusals import Refused

UNPROCESSABLE = 422
LIST = ("Members", "members")


@door(SEE_CLUB)
def members(request: ClubRequest, club: Club) -> HttpResponse:
    """Everyone on the club's list."""
    may_manage = request.may(MANAGE_MEMBERS)
    told: dict[str, Any] = {
        "members": rows.members(club, reader=request.reader),
        "may_manage": may_manage,
    }
    if may_manage:
        told["twins"] = likely_twins(club)
    context = framed(club, "members", **told)
    return render(request, "clubs/members.html", context)


@door(MANAGE_MEMBERS)
def add(request: ClubRequest, club: Club) -> HttpResponse:
    """A new member."""
    form = MemberForm(request.POST or None)
    if form.is_valid():
        try:
            added = people.add_player(club=club, **form.cleaned_data)
        except Refused as refused:
            add_problems(form, refused)
        else:
            messages.success(request, f"{added.name} added.")
            return redirect("member-add" if "another" in request.POST else "members", club.slug)
    return _form_page(request, club, "member_add", form, trail(club, LIST, here="New member"))


@door(MANAGE_MEMBERS)
def change(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Change what the club holds on a person."""
    player = get_object_or_404(standing(club), pk=pk)
    form = MemberChangeForm(request.POST or None, initial=rows.held(player))
    if form.is_valid():
        try:
            changes, shown = cast(Details, form.changes), cast(Details, form.shown)
            changed = people.change_player(player=player, changes=changes, shown=shown)
        except Refused as refused:
            add_problems(form, refused)
            form.show_beside(rows.held(player), add_overtaken(refused))
        else:
            messages.success(request, f"{changed.name} saved.")
            return redirect("player", club.slug, pk)
    crumbs = member_trail(club, player, here="Edit member")
    return _form_page(request, club, "member_change", form, crumbs)


def _form_page(
    request: ClubRequest, club: Club, page: str, form: MemberForm, crumbs: Crumbs
) -> HttpResponse:
    context = framed(club, "members", form=form, breadcrumbs=crumbs)
    status = UNPROCESSABLE if form.errors else 200
    return render(request, f"clubs/{page}.html", context, status=status)
