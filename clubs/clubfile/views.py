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
from clubs.core.access import ClubRequest, requires, when_closed
from clubs.core.pages import SETTINGS_TRAIL, framed, trail
from clubs.core.permissions import TAKE_CLUB
from clubs.models import Club
from scoring.scorebook.refusals import Refused

CLUB_FILES = "c/<slug:club>/settings/club-file/"


@requires(TAKE_CLUB, "created a file of the whole club", log_for="POST api-club-file")
@when_closed
def club_file(request: ClubRequest, club: Club) -> HttpResponse:
    """What the file holds and what it does not; a press writes it in the background."""
    if request.method == "POST":
        try:
            job = services.ask_for_file(club=club, asked_by=request.user)
        except Refused as refused:
            messages.info(request, str(refused))
            return redirect("club-file", club.slug)
        return redirect("job", club.slug, job.pk)
    crumbs = trail(club, SETTINGS_TRAIL, here="Download the club")
    context = framed(club, "settings", is_playing=is_playing(club), breadcrumbs=crumbs)
    return render(request, "clubs/clubfile/club_file.html", context)


@requires(TAKE_CLUB)
def download(request: ClubRequest, club: Club, pk: UUID) -> Any:  # noqa: ARG001
    """The file itself, to be saved."""
    return file_response(club, pk)


urlpatterns = [
    path(CLUB_FILES, club_file, name="club-file"),
    path(f"{CLUB_FILES}<uuid:pk>/", download, name="club-file-download"),
]
