"""The people of a club: the list, one person, a file of many."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from clubs.doors import ClubRequest, door
from clubs.forms.members import ImportForm, MemberChangeForm, MemberForm
from clubs.forms.problems import add_problems
from clubs.frame import framed, trail
from clubs.models import Club, Player
from clubs.permissions import MANAGE_MEMBERS, SEE_CLUB, SEE_RESULTS
from clubs.selectors import people as rows
from clubs.services import people
from scoring.scorebook.refusals import Refused

UNPROCESSABLE = 422
LIST = ("Members", "members")


@door(SEE_CLUB)
def members(request: ClubRequest, club: Club) -> HttpResponse:
    """Everybody on the club's list."""
    may_manage = request.may(MANAGE_MEMBERS)
    context = framed(club, "members", members=rows.members(club), may_manage=may_manage)
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
            messages.success(request, f"{added.name} is on the list.")
            return redirect("member-add" if "another" in request.POST else "members", club.slug)
    return _form_page(request, club, "member_add", form, here="New member")


@door(MANAGE_MEMBERS)
def change(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Change what the club holds on a person."""
    player = get_object_or_404(club.players, pk=pk)
    names = ("name", "email", "wants_results", "kind", "is_active")
    held = {name: getattr(player, name) for name in names}
    form = MemberChangeForm(request.POST or None, initial=held)
    if form.is_valid():
        try:
            changed = people.change_player(player=player, **form.cleaned_data)
        except Refused as refused:
            add_problems(form, refused)
        else:
            messages.success(request, f"{changed.name} is saved.")
            return redirect("player", club.slug, pk)
    return _form_page(request, club, "member_change", form, here=held["name"])


@door(MANAGE_MEMBERS)
def read_in(request: ClubRequest, club: Club) -> HttpResponse:
    """Many members at once; what is wrong is said line by line beside the text."""
    form = ImportForm(request.POST or None, request.FILES or None)
    if form.is_valid():
        try:
            imported = people.import_members(club=club, text=form.cleaned_data["text"])
        except Refused as refused:
            form = form.showing_the_text()
            add_problems(form, refused)
        else:
            messages.success(request, _counted(imported))
            return redirect("members", club.slug)
    return _form_page(request, club, "members_import", form, here="Read in a list")


def _counted(imported: people.Imported) -> str:
    added, known = len(imported.added), len(imported.known)
    told = f"{added} {'person is' if added == 1 else 'people are'} new on the list."
    were = "was" if known == 1 else "were"
    return f"{told} {known} {were} there already and stay as they are." if known else told


@door(SEE_RESULTS)
def player(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """One person's evenings and what they add up to."""
    shown: Player = get_object_or_404(club.players, pk=pk)
    context = framed(
        club,
        "members",
        player=shown,
        history=rows.player_view(shown),
        may_manage=request.may(MANAGE_MEMBERS),
        breadcrumbs=trail(club, LIST, here=shown.name) if request.role else [],
    )
    return render(request, "clubs/player.html", context)


def _form_page(
    request: ClubRequest, club: Club, page: str, form: MemberForm | ImportForm, *, here: str
) -> HttpResponse:
    context = framed(club, "members", form=form, breadcrumbs=trail(club, LIST, here=here))
    status = UNPROCESSABLE if form.errors else 200
    return render(request, f"clubs/{page}.html", context, status=status)
