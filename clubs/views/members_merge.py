"""Two records of one person: found, looked at, made one, made two again."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST

from clubs.core.access import ClubRequest, door
from clubs.core.page_context import framed, trail
from clubs.core.people_names import standing
from clubs.core.permissions import MANAGE_MEMBERS
from clubs.forms.members_merge import OtherRecordForm
from clubs.models import Club, Player, PlayerMerge
from clubs.selectors.people_twins import likely_twins, merges_of
from clubs.services import merging
from scoring.scorebook.refusals import Refused

UNPROCESSABLE = 422
LIST = ("Members", "members")
TWINS = ("Possible duplicates", "members-twins")


@door(MANAGE_MEMBERS)
def twins(request: ClubRequest, club: Club) -> HttpResponse:
    """Who is perhaps twice on the list, and which records were made one."""
    context = framed(club, "members", twins=likely_twins(club), merges=merges_of(club))
    return render(request, "clubs/members_twins.html", context)


@door(MANAGE_MEMBERS)
def merge(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Choose the other record, see what moves, make the two one."""
    kept = get_object_or_404(standing(club).select_related("club"), pk=pk)
    asked = request.GET if "gone" in request.GET else None
    form = OtherRecordForm(kept, request.POST or asked)
    if not form.is_valid():
        return _page(request, kept, form, status=UNPROCESSABLE if form.errors else 200)
    gone = form.cleaned_data["gone"]
    if request.method == "POST":
        try:
            merging.merge_players(kept=kept, gone=gone, made_by=request.user)
        except Refused as refused:
            messages.error(request, refused.problems[0].sentence)
        else:
            messages.success(request, f"{gone.name} and {kept.name} have been merged.")
            return redirect("player", club.slug, kept.pk)
    return _page(request, kept, form, gone)


@door(MANAGE_MEMBERS)
@require_POST
def undo(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The two records as they were."""
    merged = get_object_or_404(PlayerMerge, club=club, pk=pk)
    try:
        merging.undo_merge(merge=merged)
    except Refused as refused:
        messages.error(request, refused.problems[0].sentence)
    else:
        messages.success(
            request, f"{merged.gone.name} and {merged.kept.name} are separate records again."
        )
    return redirect("members-twins", club.slug)


def _page(
    request: ClubRequest,
    kept: Player,
    form: OtherRecordForm,
    gone: Player | None = None,
    *,
    status: int = 200,
) -> HttpResponse:
    context = framed(
        kept.club,
        "members",
        kept=kept,
        form=form,
        gone=gone,
        moves=merging.what_moves(gone) if gone else (),
        problems=merging.what_parts(kept, gone) if gone else (),
        breadcrumbs=trail(kept.club, LIST, TWINS, here=f"Merge {kept.name}"),
    )
    return render(request, "clubs/member_merge.html", context, status=status)
