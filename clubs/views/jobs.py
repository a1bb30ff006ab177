"""Work that takes a while: how far it is, and what came of it."""

from uuid import UUID

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render

from clubs.doors import ClubRequest, door
from clubs.frame import framed, trail
from clubs.models import Club, JobState
from clubs.permissions import MAKE_PACK

UNDER_WAY = {JobState.WAITING, JobState.RUNNING}


@door(MAKE_PACK)
def job(request: ClubRequest, club: Club, pk: UUID) -> HttpResponse:
    """How far the work is; the page asks again until it is done."""
    found = get_object_or_404(club.jobs, pk=pk)
    context = framed(
        club,
        "seasons",
        job=found,
        is_under_way=found.state in UNDER_WAY,
        breadcrumbs=trail(club, ("League", "seasons"), here=found.kind.capitalize()),
    )
    return render(request, f"clubs/{'_job' if request.htmx else 'job'}.html", context)


@door(MAKE_PACK)
def result(request: ClubRequest, club: Club, pk: UUID) -> HttpResponse:  # noqa: ARG001
    """The file that the work made."""
    found = get_object_or_404(club.jobs, pk=pk)
    if not found.result:
        raise Http404
    name = f"{club.slug}-{found.kind.replace(' ', '-')}.pdf"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    with found.result.open() as file:
        return HttpResponse(file.read(), content_type="application/pdf", headers=headers)
