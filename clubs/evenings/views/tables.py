"""An evening's tables: phones, the organisers' pages, moves and repairs."""

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from django.contrib import messages
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from clubs.core import permissions
from clubs.core.access import ClubRequest, requires
from clubs.core.forms import Overtaken, Shown, add_problems, as_shown
from clubs.core.pages import evening_trail, form_page, framed
from clubs.evenings.event import EveningTable
from clubs.evenings.forms import Comes, Leaves, NewTable, PlacesForm, TableForm
from clubs.evenings.papers import NOBODY_SEATED
from clubs.evenings.selectors import evenings as rows
from clubs.evenings.selectors.floor import changes_now, stack_of
from clubs.evenings.selectors.seating import why_this_evening
from clubs.evenings.services import evenings, seats as services
from clubs.language.moments import full_date, weekday_and_date
from clubs.models import Club, SessionState, SessionTable
from clubs.paper.document import pdf
from clubs.paper.formats import format_of
from clubs.seats.papers import Heading, why_pdf
from clubs.table.pages import entering
from clubs.table.pages.addresses import by_link, desk_page
from clubs.table.rows import TableAt, repair_list, table_title
from clubs.table.services import games_begun
from scoring.scorebook.refusals import Refused

with_table = by_link(rows.tables_with_games)
Line = TypeVar("Line")
FORMS: dict[str, type[PlacesForm | TableForm]] = {"places": PlacesForm, "table": TableForm}
WAYS: dict[str, Callable[..., str]] = {"places": services.change_places, "table": services.move_to}
Change = Comes | Leaves | NewTable
CHANGE_FORMS: dict[str, type[Change]] = {"comes": Comes, "leaves": Leaves, "table": NewTable}


@with_table
def standings(request: HttpRequest, table: SessionTable) -> HttpResponse:
    """The evening's result so far; with ``?v=``, its rows alone, or 204 if nothing is newer."""
    session, seen = table.session, request.GET.get("v")
    if seen == str(session.version):
        return HttpResponse(status=204)
    context = {
        "version": str(session.version),
        "rows": rows.result_of(session),
        "session": session,
        "club": session.club,
        "club_url": reverse("table", args=[table.link_key]),
        "mine": table.at,
    }
    part = "evening_standings" if seen is None else "_evening_standings"
    return render(request, f"clubs/table/{part}.html", context)


@requires(
    permissions.ENTER_HANDS,
    {
        "": "entered a hand for {table} on {evening}",
        "dealer": "chose who deals first at {table} on {evening}",
    },
    api=(
        "POST api-evening-table",
        "POST api-evening-table-preview",
        "POST api-evening-table-dealer",
    ),
)
def desk(request: ClubRequest, club: Club, pk: int, number: int) -> HttpResponse:
    return entering.show(request, desk_page(request, EveningTable.find(club, pk=pk, number=number)))


@requires(permissions.CORRECT_HANDS, api="api-evening-repairs")
def repairs(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    session = rows.evening_of(club, pk)
    tables = {
        game: TableAt(table_title(number), reverse("evening-table", args=[club.slug, pk, number]))
        for game, number in session.tables.values_list("game", "number")
    }
    context = framed(
        club,
        "evenings",
        event=weekday_and_date(session.held_on),
        event_url=reverse("evening", args=[club.slug, pk]),
        repairs=repair_list(tables),
        may_change=session.state != SessionState.CLOSED,
        breadcrumbs=evening_trail(club, session, {"label": "Corrections"}),
    )
    return render(request, "clubs/table/repairs.html", context)


@requires(permissions.ENTER_HANDS, api="api-evening-sheets")
def stack(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The evening's paper sheets: which are in the book, and the next one to type."""
    session = rows.evening_of(club, pk)
    tables = [table.view for table in rows.linked_tables(session)]
    evening = reverse("evening", args=[club.slug, pk])
    context = {
        "stack": stack_of(tables, begun=games_begun(request)),
        "event": tables[0].event if tables else "",
        "tables_at": f"{evening}tables/",
        "breadcrumbs": evening_trail(club, session, {"label": "Paper score sheets"}),
    }
    return render(request, "clubs/table/sheets.html", framed(club, "evenings", **context))


@requires(
    permissions.RUN_EVENING,
    {
        "": "changed the seating on {evening}",
        "table": "moved {player<table-player} to {table<table-number} on {evening}",
        "places": "swapped {player<places-one} and {player<places-other} on {evening}",
    },
    api=("POST api-evening-places", "POST api-evening-move"),
)
def move(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    session = rows.evening_of(club, pk)
    way, shown = request.POST.get("way", ""), as_shown("evening-move", request.POST)
    sent = {way: request.POST}
    forms = {name: form(session, sent.get(name)) for name, form in FORMS.items()}
    cost = None
    if way in forms and forms[way].is_valid():
        act = partial(WAYS[way], session=session, shown=shown, **forms[way].cleaned_data)
        look = partial(services.cost_of_move, session=session, act=act)
        cost = _tried(request, forms[way], look, lambda: (act(),))
    if cost is not None and "save" in request.POST:
        return redirect("evening-why", club.slug, pk)
    now = Shown("evening-move", rows.state_of(session))
    context = framed(club, "evenings", session=session, forms=forms, cost=cost, way=way, now=now)
    context["breadcrumbs"] = evening_trail(club, session, {"label": "Move a player"})
    return form_page(request, "clubs/evenings/move.html", context, *forms.values())


@requires(
    permissions.RUN_EVENING,
    {
        "": "changed who plays on {evening}",
        "comes": "made {player<comes-player} a substitute at {table<comes-number} on {evening}",
        "leaves": "recorded {player<leaves-leaver} leaving on {evening}",
        "table": "added a table for players who were waiting on {evening}",
    },
    api=(
        "POST api-evening-comes",
        "POST api-evening-leaves",
        "POST api-evening-new-table",
        "api-evening-changes",
    ),
)
def change(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Late arrivals and departures: a player joins or leaves, or a new table is formed."""
    session, way = rows.evening_of(club, pk), request.POST.get("way", "")
    now, shown = changes_now(session), as_shown("evening-change", request.POST)
    try:
        evenings.check_shown(session, shown)
    except Overtaken as refused:
        messages.warning(request, str(refused))
        return redirect("evening-change", club.slug, pk)
    sent = {way: request.POST}
    forms = {name: form(session, now, sent.get(name)) for name, form in CHANGE_FORMS.items()}
    preview = None
    if way in forms and forms[way].is_valid():
        act = forms[way].act
        look = partial(services.what_would_happen, act)
        preview = _tried(request, forms[way], look, partial(act, shown=shown))
    if preview is not None and "save" in request.POST:
        return redirect("evening", club.slug, pk)
    values = {"session": session, "now": now, "forms": forms, "preview": preview, "way": way}
    context = framed(club, "evenings", **values)
    context["breadcrumbs"] = evening_trail(club, session, {"label": "Late arrivals and departures"})
    return form_page(request, "clubs/evenings/change.html", context, *forms.values())


def _tried(
    request: ClubRequest,
    form: Form,
    look: Callable[[], tuple[Line, ...]],
    act: Callable[[], tuple[str, ...]],
) -> tuple[Line, ...] | None:
    """What ``look`` says of the change; () once it is saved; None where the form says why not."""
    try:
        if "save" not in request.POST:
            return look()
        for sentence in act():
            messages.success(request, sentence)
    except Refused as refused:
        add_problems(form, refused)
        return None
    return ()


@requires(
    permissions.RUN_EVENING,
    "undid a seating change at {table} on {evening}",
    api="POST api-evening-change-undo",
)
@require_POST
def undo_change(request: ClubRequest, club: Club, pk: int, number: int) -> HttpResponse:
    session, shown = rows.evening_of(club, pk), as_shown("evening-change-undo", request.POST)
    try:
        messages.success(request, services.undo(session=session, number=number, shown=shown))
    except Refused as refused:
        messages.error(request, str(refused))
    return redirect("evening-change", club.slug, pk)


@requires(permissions.SEE_RESULTS, api="api-evening-why")
def why(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Who sits with whom and who did lately; with ``?name=``, also for one player."""
    session = rows.evening_of(club, pk)
    may_know, name = request.may(permissions.MANAGE_WISHES), request.GET.get("name", "")
    explained = why_this_evening(session, reader=request.reader, with_wishes=may_know)
    context = framed(
        club,
        "evenings",
        session=session,
        evening=explained,
        why=explained.seating,
        person=explained.person(name),
        picture=explained.seating.picture(name),
        may_run=request.may(permissions.RUN_EVENING),
        breadcrumbs=evening_trail(club, session, {"label": "How the tables were chosen"}),
    )
    return render(request, "clubs/evenings/why.html", context)


@requires(permissions.SEE_RESULTS, api="api-evening-why-paper")
def paper(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    session = rows.evening_of(club, pk)
    explained = why_this_evening(session, reader=request.reader)
    if not explained.seating.players:
        messages.error(request, NOBODY_SEATED)
        return redirect("evening-why", club.slug, pk)
    day = full_date(session.held_on)
    heading = Heading(club.name, "How the tables were chosen", f"{day}: {explained.counts}")
    printed = why_pdf(heading, explained.seating, format_of(request.GET))
    return pdf(request, printed, f"{club.slug}-{session.held_on}-why")
