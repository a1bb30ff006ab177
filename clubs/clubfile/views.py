"""Pages that download a whole club; the page that brings one is part of the first run."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import path

from clubs.clubfile import services
from clubs.clubfile.exports import file_response
from clubs.clubfile.selectors import is_playing
from clubs.core.access import ClubRequest, allowed_when_closed, requires
from clubs.core.pages import SETTINGS_STEP, breadcrumbs, club_context
from clubs.core.permissions import TAKE_CLUB
from clubs.models import Club
from scoring.scorebook.refusals import Refused

CLUB_FILE_URL = "c/<slug:club>/settings/club-file/"


@requires(TAKE_CLUB, "created a file of the whole club", log_for="POST api-club-file")
@allowed_when_closed
def club_file(request: ClubRequest, club: Club) -> HttpResponse:
    """What the file holds and what it does not; a press writes it in the background."""
    if request.method == "POST":
        try:
            job = services.request_club_file(club=club, asked_by=request.user)
        except Refused as refused:
            messages.info(request, str(refused))
            return redirect("club-file", club.slug)
        return redirect("job", club.slug, job.pk)
    crumbs = breadcrumbs(club, SETTINGS_STEP, title="Download the club")
    context = club_context(club, "settings", is_playing=is_playing(club), breadcrumbs=crumbs)
    return render(request, "clubs/clubfile/club_file.html", context)


@requires(TAKE_CLUB)
def download_club_file(request: ClubRequest, club: Club, pk: UUID) -> Any:  # noqa: ARG001
    """The file itself, to be saved."""
    return file_response(club, pk)


urlpatterns = [
    path(CLUB_FILE_URL, club_file, name="club-file"),
    path(f"{CLUB_FILE_URL}<uuid:pk>/", download_club_file, name="club-file-download"),
]
