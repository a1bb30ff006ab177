"""A club night on one page: who is here, seat them, the tables, the result, the end."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from clubs.core.access import ClubRequest, door
from clubs.core.backups import backup_news
from clubs.core.forms import add_problems
from clubs.core.page_context import evening_trail, framed
from clubs.core.permissions import (
    CORRECT_HANDS,
    ENTER_HANDS,
    MANAGE_WISHES,
    PRINT_PAPERS,
    REHEARSE,
    RUN_EVENING,
    SEE_RESULTS,
    SEND_MESSAGES,
)
from clubs.core.stale_forms import Overtaken, as_shown
from clubs.forms.advice import SplitForm
from clubs.forms.evenings import EveningForm, GuestForm, TickForm
from clubs.models import Club, Player, Session, SessionState, SessionTable
from clubs.seats.sittings import places_in
from clubs.selectors import evenings as rows
from clubs.selectors.calendar import club_year
from clubs.selectors.disputes import disputes_at
from clubs.selectors.doorlist import DoorList, Tonight, door_list, wishes_tonight
from clubs.selectors.floor import floor_at, laid_tables
from clubs.selectors.outbox import results_waiting
from clubs.selectors.standby import answers_for
from clubs.services import evenings as services
from scoring.scorebook.refusals import Refused

UNPROCESSABLE = 422
EVENINGS_A_PAGE = 20


@door(SEE_RESULTS)
def evenings(request: ClubRequest, club: Club) -> HttpResponse:
    """Every evening, newest first; and a new one."""
    may_run = request.may(RUN_EVENING)
    form = EveningForm(request.POST or None)
    if request.method == "POST":
        request.require(RUN_EVENING)
    if form.is_valid():
        try:
            opened = services.open_session(club=club, held_on=form.cleaned_data["held_on"])
        except Refused as refused:
            add_problems(form, refused)
        else:
            return redirect("evening", club.slug, opened.pk)
    page = Paginator(rows.evenings_of(club), EVENINGS_A_PAGE).get_page(request.GET.get("page"))
    shown = rows.summaries(page.object_list, reader=request.reader)
    context = framed(club, "evenings", form=form, page_obj=page, evenings=shown, may_run=may_run)
    context |= _around(request, club)
    status = UNPROCESSABLE if form.errors else 200
    return render(request, "clubs/evenings.html", context, status=status)


def _around(request: ClubRequest, club: Club) -> dict[str, Any]:
    """What stands round the list of evenings."""
    today = timezone.localdate()
    return {
        "year": club_year(club, today),
        "today": today,
        "may_rehearse": club.rehearsal_of_id is None and request.may(REHEARSE),
        "backup": backup_news() if request.may(RUN_EVENING) else None,
    }


@door(SEE_RESULTS)
def evening(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The evening; asked with ``?v=``, its tables alone, or 204 when nothing is newer."""
    session = _session(club, pk)
    if "v" in request.GET:
        return _newer(request, session, "floor_news", lambda: _floor(request, laid_tables(session)))
    return _evening_page(request, session, GuestForm())


@door(SEE_RESULTS)
def result(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The result as the hands come in; asked with ``?v=``, its rows alone, or 204."""
    session = _session(club, pk)
    read = partial(rows.result_of, session, reader=request.reader)
    if "v" in request.GET:
        return _newer(request, session, "result", lambda: {"rows": read()})
    crumbs = evening_trail(club, session)
    context = _context(request, session, rows=read(), breadcrumbs=crumbs)
    return render(request, "clubs/result.html", context)


@door(RUN_EVENING)
@require_POST
def tick(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Someone is here, or is not after all."""
    session = _session(club, pk)
    form = TickForm(club, request.POST)
    if not form.is_valid():
        messages.error(request, str(form.non_field_errors()[0]))
        return _back(session, "who")
    player: Player = form.cleaned_data["player"]
    try:
        services.tick(session=session, player=player, is_here=bool(form.cleaned_data["here"]))
    except Refused as refused:
        return _refused(request, session, refused)
    if request.htmx:
        return _ticked(request, session, player)
    return _back(session, f"player-{player.pk}")


@door(RUN_EVENING)
@require_POST
def guest(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Someone new, ticked at once."""
    session = _session(club, pk)
    form = GuestForm(request.POST)
    if form.is_valid():
        try:
            added = services.add_guest(session=session, name=form.cleaned_data["name"])
        except Refused as refused:
            add_problems(form, refused)
        else:
            messages.success(request, f"{added.name} has been checked in as a guest.")
            return _back(session, "guest")
    return _evening_page(request, session, form)


@door(RUN_EVENING)
@require_POST
def seat(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Tables and winds for everyone who is here."""
    split = SplitForm(request.POST).sizes
    lay = partial(services.seat_session, split=split)
    return _act(request, club, pk, lay, "Everyone is seated.")


@door(RUN_EVENING)
@require_POST
def clear(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Take the tables away again, as long as nothing was played."""
    return _act(request, club, pk, services.clear_tables, "Tables cleared.")


@door(RUN_EVENING)
@require_POST
def close(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Finish the evening."""
    return _act(request, club, pk, services.close_session, "The evening is finished.")


@door(RUN_EVENING)
@require_POST
def reopen(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Go on with a finished evening."""
    return _act(request, club, pk, services.reopen_session, "Evening reopened.")


def _session(club: Club, pk: int) -> Session:
    sessions = Session.objects.select_related("club", "season", "book")
    return get_object_or_404(sessions, club=club, pk=pk)


def _back(session: Session, place: str) -> HttpResponse:
    return redirect(f"{reverse('evening', args=[session.club.slug, session.pk])}#{place}")


def _act(
    request: ClubRequest, club: Club, pk: int, act: Callable[..., None], said: str
) -> HttpResponse:
    session, match = _session(club, pk), request.resolver_match
    shown = as_shown(str(match.url_name) if match else "", request.POST)
    try:
        act(session=session, shown=shown)
    except Overtaken as refused:
        messages.info(request, str(refused))
        return _back(session, "content")
    except Refused as refused:
        return _refused(request, session, refused)
    messages.success(request, said)
    return _back(session, "content")


def _refused(request: ClubRequest, session: Session, refused: Refused) -> HttpResponse:
    """Back to the evening with every reason; a part of the page asks for the whole again."""
    for problem in refused.problems:
        messages.error(request, problem.sentence)
    if request.htmx:
        return HttpResponse(headers={"HX-Refresh": "true"})
    return _back(session, "content")


def _newer(
    request: ClubRequest,
    session: Session,
    part: str,
    read: Callable[[], dict[str, Any]],
) -> HttpResponse:
    if request.GET["v"] == str(session.version):
        return HttpResponse(status=204)
    return render(request, f"clubs/_{part}.html", _context(request, session, **read()))


def _floor(request: ClubRequest, laid: Sequence[SessionTable]) -> dict[str, Any]:
    """The tables, and what waits for the scorer, for those who see to it."""
    told: dict[str, Any] = {"tables": floor_at(laid, reader=request.reader)}
    return told | ({"disputes": disputes_at(laid)} if request.may(ENTER_HANDS) else {})


def _unsent(request: ClubRequest, session: Session) -> dict[str, Any]:
    """Results that wait in the outbox, for whoever may send them."""
    if session.state == SessionState.CLOSED and request.may(SEND_MESSAGES):
        return {"unsent": results_waiting(session)}
    return {}


def _ticked(request: ClubRequest, session: Session, player: Player) -> HttpResponse:
    listed = door_list(session)
    row = listed.row(player.pk)
    if row is None:
        return HttpResponse(headers={"HX-Refresh": "true"})
    found = _wishes(request, session, listed)
    context = _context(request, session, row=row, door=listed, wishes=found, oob=True)
    return render(request, "clubs/_ticked.html", context)


def _evening_page(request: ClubRequest, session: Session, guest_form: GuestForm) -> HttpResponse:
    laid = laid_tables(session)
    floor, places = _floor(request, laid), places_in(laid)
    context = _context(
        request,
        session,
        guest_form=guest_form,
        hands=sum(table.played for table in floor["tables"]),
        unagreed=sum(table.unagreed for table in floor["tables"]),
        rows=rows.result_among(places, reader=request.reader),
        seats_state=rows.state_among(session, places),
        breadcrumbs=evening_trail(session.club, session),
        **floor,
        **_at_the_door(request, session),
        **_unsent(request, session),
    )
    status = UNPROCESSABLE if guest_form.errors else 200
    return render(request, "clubs/evening.html", context, status=status)


def _at_the_door(request: ClubRequest, session: Session) -> dict[str, Any]:
    """Who is here, as long as someone may still come; for whoever runs the evening."""
    if session.state == SessionState.CLOSED or not request.may(RUN_EVENING):
        return {}
    listed = door_list(session)
    wishes = _wishes(request, session, listed)
    return {"door": listed, "wishes": wishes, "answers": answers_for(session)}


def _wishes(request: ClubRequest, session: Session, listed: DoorList) -> Tonight | None:
    """What becomes of the wishes tonight, for whoever may know of them."""
    return wishes_tonight(session, listed) if request.may(MANAGE_WISHES) else None


def _context(request: ClubRequest, session: Session, **shown: Any) -> dict[str, Any]:
    is_closed = session.state == SessionState.CLOSED
    return framed(
        session.club,
        "evenings",
        session=session,
        is_closed=is_closed,
        may_run=request.may(RUN_EVENING),
        may_enter=request.may(ENTER_HANDS),
        may_correct=request.may(CORRECT_HANDS),
        may_print=request.may(PRINT_PAPERS),
        **shown,
    )
