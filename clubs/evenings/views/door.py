"""Check-in of many people with one press."""

from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.views.decorators.http import require_POST

from clubs.core import permissions
from clubs.core.access import ClubRequest, requires
from clubs.core.pages import run_action
from clubs.evenings.selectors import evenings as rows
from clubs.evenings.services.evenings import check_in_usual
from clubs.language.words import count_words
from clubs.models import Club


@requires(
    permissions.RUN_EVENING,
    "checked in everyone who usually comes for {evening}",
    log_for="POST api-evening-check-in",
)
@require_POST
def tick_usual(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    session = rows.evening_of(club, pk)
    run_action(request, lambda: check_in_usual(session=session), _checked_in_message)
    return redirect("evening", club.slug, pk)


def _checked_in_message(count: int) -> str:
    return f"{count_words(count, 'person', 'people')} checked in. Untick anyone who is not here."


urlpatterns = [path("c/<slug:club>/evenings/<int:pk>/tick/usual/", tick_usual, name="tick-usual")]
