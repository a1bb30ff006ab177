"""Pages that download a whole club; the page that brings one is part of the first run."""

from typing import Any
from uuid import UUID

from django.http import FileResponse, Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path

from clubs.clubfile import services
from clubs.clubfile.archive import SUFFIX
from clubs.clubfile.selectors import is_playing
from clubs.core.access import ClubRequest, requires
from clubs.core.pages import SETTINGS_TRAIL, framed, pressed, trail
from clubs.core.permissions import TAKE_CLUB
from clubs.core.queue import CLUB_FILE
from clubs.models import Club, Job

CLUB_FILES = "c/<slug:club>/settings/club-file/"
ZIP = "application/zip"


@requires(TAKE_CLUB, "created a file of the whole club", api="POST api-club-file")
def club_file(request: ClubRequest, club: Club) -> HttpResponse:
    """What the file holds and what it does not; a press writes it in the background."""
    if request.method == "POST":
        started: list[Job] = []
        if pressed(
            request, lambda: started.append(services.ask_for_file(club=club, asked_by=request.user))
        ):
            return redirect("job", club.slug, started[0].pk)
        return redirect("club-file", club.slug)
    crumbs = trail(club, SETTINGS_TRAIL, here="Download the club")
    context = framed(club, "settings", is_playing=is_playing(club), breadcrumbs=crumbs)
    return render(request, "clubs/clubfile/club_file.html", context)


@requires(TAKE_CLUB, api="api-club-file-result")
def download(request: ClubRequest, club: Club, pk: UUID) -> Any:  # noqa: ARG001
    """The file itself, to be saved."""
    return file_response(club, pk)


def file_response(club: Club, pk: UUID) -> FileResponse:
    """The club file that the job wrote. Raises ``Http404`` until it is ready."""
    job = get_object_or_404(club.jobs.filter(kind=CLUB_FILE), pk=pk)
    if not job.result:
        raise Http404
    headers = {"Cache-Control": "private, no-store"}
    return FileResponse(
        job.result.open("rb"),
        as_attachment=True,
        filename=f"{club.slug}{SUFFIX}",
        content_type=ZIP,
        headers=headers,
    )


urlpatterns = [
    path(CLUB_FILES, club_file, name="club-file"),
    path(f"{CLUB_FILES}<uuid:pk>/", download, name="club-file-download"),
]
