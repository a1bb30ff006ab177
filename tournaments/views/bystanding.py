"""A round seated by standing: who would sit where and why; then it is seated so."""

from collections.abc import Sequence

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render

from clubs.core.access import ClubRequest, door
from clubs.models import Club
from scoring.scorebook.refusals import Finding, Refused
from tournaments import services
from tournaments.models import Tournament
from tournaments.permissions import RUN_TOURNAMENT
from tournaments.selectors.people import last_change
from tournaments.views.pages import UNPROCESSABLE, about, find


@door(RUN_TOURNAMENT)
def by_standing(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The seating of the next round by standing; sent, it is kept as it was shown."""
    tournament = find(club, pk)
    if request.method != "POST":
        return _look(request, tournament)
    mark, made_by = request.POST.get("mark", ""), f"user {request.user.pk}"
    try:
        change = services.seat_by_standing(tournament=tournament, made_by=made_by, mark=mark)
    except Refused as refused:
        return _look(request, tournament, refused.problems)
    messages.success(request, f"{change.what}.")
    return redirect("tournament", club.slug, pk)


def _look(
    request: ClubRequest, tournament: Tournament, refused: Sequence[Finding] = ()
) -> HttpResponse:
    try:
        shown, why_not = services.preview_round(tournament=tournament), ""
    except Refused as not_now:
        shown, why_not = None, str(not_now)
    told = {"shown": shown, "why_not": why_not, "refused": refused}
    context = about(request, tournament, "tournament", last=last_change(tournament), **told)
    status = UNPROCESSABLE if refused else 200
    return render(request, "tournaments/by_standing.html", context, status=status)
