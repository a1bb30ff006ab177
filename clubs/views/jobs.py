"""Work that takes a while: how far it is, and what came of it."""

from uuid import UUID

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.text import slugify

from clubs.core.access import ClubRequest, door
from clubs.core.page_context import framed, trail
from clubs.core.permissions import MAKE_PACK
from clubs.models import Club, JobState
from clubs.paper.downloads import pdf

UNDER_WAY = {JobState.WAITING, JobState.RUNNING}


@door(MAKE_PACK)
def job(request: ClubRequest, club: Club, pk: UUID) -> HttpResponse:
    """How far the work is; the page asks again until it is done."""
    found = get_object_or_404(club.jobs, pk=pk)
    title = found.kind[:1].upper() + found.kind[1:]
    context = framed(
        club,
        "seasons",
        job=found,
        is_under_way=found.state in UNDER_WAY,
        breadcrumbs=trail(club, ("League", "seasons"), here=title),
    )
    return render(request, f"clubs/{'_job' if request.htmx else 'job'}.html", context)


@door(MAKE_PACK)
def result(request: ClubRequest, club: Club, pk: UUID) -> HttpResponse:
    """The file that the work made, or ``?pages=3,7-9`` of it."""
    found = get_object_or_404(club.jobs, pk=pk)
    if not found.result:
        raise Http404
    name = f"{club.slug}-{slugify(found.kind)}"
    with found.result.open() as file:
        return pdf(request, file.read(), name, keeps=True)
