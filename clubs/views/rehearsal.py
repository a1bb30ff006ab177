"""An evening rehearsed: begun from the club's evenings, played, begun again, wiped."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from clubs.core.access import ClubRequest, door
from clubs.core.forms import add_problems
from clubs.core.page_context import framed
from clubs.core.permissions import REHEARSE, RUN_EVENING
from clubs.forms.rehearsal import HandsForm
from clubs.models import Club, Session
from clubs.selectors.rehearsal import evening_of
from clubs.services import rehearsal as services
from scoring.scorebook.refusals import Refused

UNPROCESSABLE = 422


@door(REHEARSE)
@require_POST
def rehearse(request: ClubRequest, club: Club) -> HttpResponse:
    """Begin a rehearsal of the club's evening, or go to the one that is on."""
    try:
        session = services.rehearse(club=club)
    except Refused as refused:
        messages.info(request, str(refused))
        return redirect("rehearsal", club.slug)
    return redirect("rehearsal", session.club.slug)


@door(REHEARSE)
def about(request: ClubRequest, club: Club) -> HttpResponse:
    """What can be tried, and the ways to play on, begin again and wipe."""
    return _page(request, _evening(club), HandsForm())


@door(REHEARSE)
@require_POST
def play(request: ClubRequest, club: Club) -> HttpResponse:
    """The pretend members play a few hands by themselves."""
    session, form = _evening(club), HandsForm(request.POST)
    if not form.is_valid():
        return _page(request, session, form)
    try:
        played = services.play_on(session=session, hands=form.cleaned_data["hands"])
    except Refused as refused:
        add_problems(form, refused)
        return _page(request, session, form)
    messages.success(request, f"{played} hands were played.")
    return redirect("evening", club.slug, session.pk)


@door(RUN_EVENING)
@require_POST
def again(request: ClubRequest, club: Club) -> HttpResponse:
    """Wipe it and open a new one."""
    _evening(club)
    session = services.begin_again(rehearsal=club)
    messages.success(
        request,
        "Practice evening restarted. Twelve people are checked in and nothing has been played.",
    )
    return redirect("rehearsal", session.club.slug)


@door(RUN_EVENING)
@require_POST
def wipe(request: ClubRequest, club: Club) -> HttpResponse:
    """Nothing of it is left."""
    _evening(club)
    real = services.wipe(rehearsal=club)
    messages.success(request, "Practice evening deleted.")
    return redirect("evenings", real.slug)


def _evening(club: Club) -> Session:
    session = evening_of(club)
    if session is None:
        raise Http404
    return session


def _page(request: ClubRequest, session: Session, form: HandsForm) -> HttpResponse:
    may_wipe = request.may(RUN_EVENING)
    context = framed(session.club, "evenings", session=session, form=form, may_wipe=may_wipe)
    status = UNPROCESSABLE if form.errors else 200
    return render(request, "clubs/rehearsal.html", context, status=status)
