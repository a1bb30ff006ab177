"""The club's wishes for its seating: the secretary's list, a new one, one taken back."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST

from clubs.core.access import ClubRequest, door
from clubs.core.forms import add_problems
from clubs.core.page_context import framed, trail
from clubs.core.permissions import MANAGE_WISHES
from clubs.forms.wishes import WishForm
from clubs.models import Club, WishKind
from clubs.selectors.wishes import wish_list
from clubs.services import wishes as services
from scoring.scorebook.refusals import Refused

UNPROCESSABLE = 422
MEMBERS, LIST = ("Members", "members"), ("Seating preferences", "wishes")
TITLES = {
    WishKind.APART: "Keep apart",
    WishKind.TOGETHER: "Seat together",
    WishKind.HELPER: "Beginner and helper",
    WishKind.TABLE: "Fixed table",
}
NOTES = {
    WishKind.APART: "Two people who should not share a table.",
    WishKind.TOGETHER: (
        "Two people who want to sit together, for example because of a lift home or poor hearing."
    ),
    WishKind.HELPER: (
        "Seats a beginner with a helper. If you name several helpers, any of them will do."
    ),
    WishKind.TABLE: "For someone who cannot manage stairs or needs good light.",
}


@door(MANAGE_WISHES)
def wishes(request: ClubRequest, club: Club) -> HttpResponse:
    """Every wish, and the ways to a new one."""
    rows = wish_list(club, timezone.localdate())
    context = framed(
        club,
        "members",
        groups=[(TITLES[kind], [row for row in rows if row.kind == kind]) for kind in WishKind],
        has_wishes=bool(rows),
        ways=[(kind.value, TITLES[kind], NOTES[kind]) for kind in WishKind],
    )
    return render(request, "clubs/wishes.html", context)


@door(MANAGE_WISHES)
def add(request: ClubRequest, club: Club, kind: str) -> HttpResponse:
    """A new wish of one kind."""
    if kind not in WishKind.values:
        raise Http404
    chosen = WishKind(kind)
    form = WishForm(club, chosen, request.POST or None)
    if form.is_valid() and _is_noted(request, club, chosen, form):
        return redirect("wishes", club.slug)
    context: dict[str, Any] = {"form": form, "title": TITLES[chosen], "note": NOTES[chosen]}
    context["breadcrumbs"] = trail(club, MEMBERS, LIST, here=str(TITLES[chosen]))
    status = UNPROCESSABLE if form.errors else 200
    return render(request, "clubs/wish_add.html", framed(club, "members", **context), status=status)


def _is_noted(request: ClubRequest, club: Club, kind: WishKind, form: WishForm) -> bool:
    try:
        services.add_wish(club=club, kind=kind, made_by=request.user, **form.cleaned_data)
    except Refused as refused:
        add_problems(form, refused)
        return False
    messages.success(request, "Preference saved. It will be used the next time you seat people.")
    return True


@door(MANAGE_WISHES)
@require_POST
def take_back(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """One wish is heeded no more."""
    services.take_back_wish(wish=get_object_or_404(club.wishes, pk=pk))
    messages.success(request, "Preference deleted.")
    return redirect("wishes", club.slug)
