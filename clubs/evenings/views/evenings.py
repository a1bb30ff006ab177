"""An evening's page, its tables, moves and repairs, its papers and its screen."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeVar
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from clubs.backup.archive import backup_news
from clubs.core import permissions
from clubs.core.access import ClubRequest, requires
from clubs.core.forms import Overtaken, Shown, add_problems, as_shown
from clubs.core.pages import accepted, evening_trail, form_page, framed
from clubs.core.replica import may_be_a_second_old
from clubs.evenings.event import EveningTable
from clubs.evenings.forms import (
    CancelForm,
    Comes,
    EveningForm,
    GuestForm,
    Leaves,
    NewTable,
    PlacesForm,
    SplitForm,
    TableForm,
    TickForm,
)
from clubs.evenings.papers import NOBODY_SEATED, PAPERS, Printing, offered_for, seated
from clubs.evenings.selectors import calendar, evenings as rows, floor as floor_rows
from clubs.evenings.selectors.floor import changes_now, stack_of
from clubs.evenings.services import ending, evenings as services
from clubs.evenings.services.costs import cost_of_move
from clubs.evenings.views import door, papers, wall, why
from clubs.language.moments import weekday_and_date
from clubs.language.words import counted
from clubs.messages.selectors import drafted_results, results_waiting, without_result
from clubs.models import Club, Player, Session, SessionState, SessionTable
from clubs.paper.document import pdf
from clubs.paper.formats import format_of, offered, unprinted
from clubs.seats.selectors import places_in
from clubs.table.pages import entering
from clubs.table.papers.cards import SeatedTable
from clubs.table.rows import LinkedTable, TableAt, repair_list
from clubs.table.services import games_begun
from clubs.table.views import (
    by_link,
    desk_page,
    desk_paths,
    opened_page,
    phone_paths,
    shown_of,
    table_totals,
)
from scoring.scorebook.refusals import Refused

EVENINGS_A_PAGE = 20
# What a question hands on: the state that a form was shown for, and the tables that were chosen.
HIDDEN_FIELDS = ("shown", "split")


@requires(
    permissions.SEE_RESULTS,
    "opened the evening of {day<held_on}",
    log_for="POST api-evening-list",
    drawer="evenings",
)
def evenings(request: ClubRequest, club: Club) -> HttpResponse:
    may_run = request.may(permissions.RUN_EVENING)
    form = EveningForm(request.POST or None)
    if request.method == "POST":
        request.require(permissions.RUN_EVENING)
    if session := accepted(form, lambda: services.open_session(club=club, **form.cleaned_data)):
        return redirect("evening", club.slug, session.pk)
    page = Paginator(rows.evenings_of(club), EVENINGS_A_PAGE).get_page(request.GET.get("page"))
    summaries = rows.summaries(page.object_list, reader=request.reader)
    today = timezone.localdate()
    context = framed(club, "evenings", form=form, page_obj=page, evenings=summaries, today=today)
    context |= {"year": calendar.club_year(club, today), "may_run": may_run}
    context["may_rehearse"] = club.rehearsal_of_id is None and request.may(permissions.REHEARSE)
    context["backup"] = backup_news() if may_run else None
    context["may_print"] = request.may(permissions.PRINT_PAPERS)
    return form_page(request, "clubs/evenings/evenings.html", context, form)


@may_be_a_second_old
@requires(permissions.SEE_RESULTS)
def tonight(_request: ClubRequest, club: Club) -> HttpResponse:
    """Redirect to the evening that is not finished; to the list if there is none."""
    session = rows.unfinished_evening(club, timezone.localdate())
    return (
        redirect("evening", club.slug, session.pk) if session else redirect("evenings", club.slug)
    )


@may_be_a_second_old
@requires(permissions.SEE_RESULTS)
def evening(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The evening; with ``?v=``, only its tables, or 204 if nothing has changed.

    With ``?v=`` and ``door``, only the check-in list as long as no one is seated.
    """
    session = rows.evening_of(club, pk)
    if "door" in request.GET:
        request.require(permissions.RUN_EVENING)
        return _newer(request, session, "door_news", lambda: _door_news(request, session))
    if "v" in request.GET:
        return _newer(
            request,
            session,
            "floor_news",
            lambda: _floor(request, session, rows.tables_with_hands(session)),
        )
    return _evening_page(request, session, GuestForm())


@may_be_a_second_old
@requires(permissions.SEE_RESULTS)
def result(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The result so far; with ``?v=``, only its rows, or 204 if nothing has changed."""
    session = rows.evening_of(club, pk)
    read = partial(rows.result_of, session, reader=request.reader)
    if "v" in request.GET:
        return _newer(request, session, "result", lambda: {"rows": read()})
    context = _context(request, session, rows=read(), breadcrumbs=evening_trail(club, session))
    return render(request, "clubs/evenings/result.html", context)


@requires(
    permissions.RUN_EVENING,
    {
        "": "changed the check-in list of {evening}",
        "here": "checked in {player<here} for {evening}",
        "away": "removed {player<away} from {evening}",
    },
    log_for="POST api-evening-check-in",
)
@require_POST
def tick(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    session = rows.evening_of(club, pk)
    form = TickForm(club, request.POST)
    if not form.is_valid():
        messages.error(request, str(form.non_field_errors()[0]))
        return _back(session, "who")
    player: Player = form.cleaned_data["player"]
    try:
        services.tick(session=session, player=player, is_here=form.cleaned_data["act"] == "here")
    except Refused as refused:
        return _refused(request, session, refused)
    if not request.htmx:
        return _back(session, f"player-{player.pk}")
    door_now = rows.door_list(session)
    row = door_now.row(player.pk)
    if row is None:
        return HttpResponse(headers={"HX-Refresh": "true"})
    wishes = _wishes(request, session, door_now)
    context = _context(request, session, row=row, door=door_now, wishes=wishes, oob=True)
    return render(request, "clubs/evenings/_ticked.html", context)


@requires(
    permissions.RUN_EVENING,
    "added {player<made} as a guest of {evening}",
    log_for="POST api-evening-guests",
)
@require_POST
def guest(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    session = rows.evening_of(club, pk)
    form = GuestForm(request.POST)
    if added := accepted(form, lambda: services.add_guest(session=session, **form.cleaned_data)):
        messages.success(request, f"{added.name} has been checked in as a guest.")
        return _back(session, "guest")
    return _evening_page(request, session, form)


@requires(permissions.RUN_EVENING, "seated {evening}", log_for="POST api-evening-seat")
def seat(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Seat everyone; ask first if the evening is for a later day."""
    session = rows.evening_of(club, pk)
    warning, question = _warning(session), None
    if warning and session.state == SessionState.ARRIVING:
        todays = _todays_evening(session)
        instead = "go to today’s evening" if todays else "create an evening for today"
        sentences = (warning, f"To play today, {instead} instead.")
        title = "Start this evening today?"
        question = Question(title, sentences, "Seat everyone", instead=todays)
    if answer := _asked_first(request, session, question):
        return answer
    lay = partial(services.seat_session, split=SplitForm(request.POST).sizes)
    return _act(request, club, pk, lay)


@requires(
    permissions.RUN_EVENING, "cleared the tables on {evening}", log_for="POST api-evening-clear"
)
@require_POST
def clear(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    return _act(request, club, pk, services.clear_tables, "Tables cleared.")


@requires(permissions.RUN_EVENING, "finished {evening}", log_for="POST api-evening-close")
def close(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Finish the evening; ask first if it is early, tables have no hands or hands are open."""
    session = rows.evening_of(club, pk)
    floor = floor_rows.floor_of(session)
    doubts = floor_rows.doubts_before_finish(floor, warning=_warning(session))
    question = None
    if doubts and session.state == SessionState.PLAYING:
        question = Question("Finish this evening?", doubts, "Finish evening")
    if answer := _asked_first(request, session, question):
        return answer
    return _act(request, club, pk, ending.close_session, "The evening is finished.")


@requires(permissions.RUN_EVENING, "reopened {evening}", log_for="POST api-evening-reopen")
@require_POST
def reopen(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    return _act(request, club, pk, ending.reopen_session, "Evening reopened.")


def _warning(session: Session) -> str:
    """That the evening is for a later day than today; empty if it is not, or is cancelled."""
    return "" if session.is_cancelled else rows.before_its_day(session, timezone.localdate())


def _todays_evening(session: Session) -> Session | None:
    return rows.evening_on(session.club, timezone.localdate())


class Question(NamedTuple):
    """What is asked before something that cannot simply be undone, and what follows from it."""

    title: str
    sentences: tuple[str, ...]
    button: str
    is_danger: bool = False
    instead: Session | None = None


def _asked_first(
    request: ClubRequest, session: Session, question: Question | None
) -> HttpResponse | None:
    """The question at an address of its own, so that Back leads there; None once it is answered.

    It hands on the ``HIDDEN_FIELDS`` of the form before it. Without a question there is nothing
    to read: a visit leads to the evening.
    """
    if request.method == "POST":
        if question is None or "sure" in request.POST:
            return None
        sent = {name: request.POST[name] for name in HIDDEN_FIELDS if name in request.POST}
        return redirect(f"{request.path}?{urlencode(sent)}")
    if question is None:
        return _back(session, "content")
    trail = evening_trail(session.club, session, {"label": question.title})
    context = _context(request, session, question=question, breadcrumbs=trail)
    context["hidden"] = {name: request.GET.get(name, "") for name in HIDDEN_FIELDS}
    return render(request, "clubs/evenings/question.html", context)


@requires(
    permissions.RUN_EVENING,
    "deleted the evening of {day<held_on}",
    log_for="DELETE api-evening-detail",
)
def delete(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Ask, then delete an evening without hands and go back to the list."""
    session = rows.evening_of(club, pk)
    here, tables = session.attendances.count(), session.tables.count()
    sentences = ["No hand has been recorded, so no result is lost."]
    if here:
        sentences.append(f"The check-in list ({counted(here, 'person', 'people')}) is deleted.")
    if tables:
        sentences.append("The seating is deleted, and printed table cards stop working.")
    title, button = "Delete this evening?", "Delete evening"
    question = Question(title, tuple(sentences), button, is_danger=True)
    if answer := _asked_first(request, session, question):
        return answer
    return _act(request, club, pk, ending.delete_session, then=redirect("evenings", club.slug))


@requires(permissions.RUN_EVENING, "cancelled {evening}", log_for="POST api-evening-cancel")
def cancel(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Ask for the reason and say what no longer counts, then cancel an evening with hands."""
    session, form = rows.evening_of(club, pk), CancelForm(request.POST or None)
    if form.is_valid():
        act = partial(ending.cancel_session, **form.cleaned_data)
        return _act(request, club, pk, act, "The evening has been cancelled.")
    context = _context(
        request,
        session,
        form=form,
        hands=rows.hands_of(session),
        here=session.attendances.count(),
        was_sent=session.sent_results.exists(),
        now=Shown("evening-cancel", rows.state_of(session)),
        breadcrumbs=evening_trail(club, session, {"label": "Cancel this evening"}),
    )
    return form_page(request, "clubs/evenings/cancel.html", context, form)


@requires(permissions.RUN_EVENING, "restored {evening}", log_for="POST api-evening-restore")
@require_POST
def restore(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    message = "The evening has been restored as it was."
    return _act(request, club, pk, ending.restore_session, message)


def _back(session: Session, place: str) -> HttpResponse:
    return redirect(f"{reverse('evening', args=[session.club.slug, session.pk])}#{place}")


def _act(
    request: ClubRequest,
    club: Club,
    pk: int,
    act: Callable[..., str | None],
    message: str = "",
    *,
    then: HttpResponse | None = None,
) -> HttpResponse:
    """Do it, say so in the words that the act returns, if it does, and go ``then`` or back."""
    session, match = rows.evening_of(club, pk), request.resolver_match
    shown = as_shown(str(match.url_name) if match else "", request.POST)
    try:
        done = act(session=session, shown=shown)
    except Overtaken as refused:
        messages.info(request, str(refused))
        return _back(session, "content")
    except Refused as refused:
        return _refused(request, session, refused)
    messages.success(request, done or message)
    return then or _back(session, "content")


def _refused(request: ClubRequest, session: Session, refused: Refused) -> HttpResponse:
    """Back to the evening with every reason; an htmx request reloads the whole page."""
    for problem in refused.problems:
        messages.error(request, problem.sentence)
    if request.htmx:
        return HttpResponse(headers={"HX-Refresh": "true"})
    return _back(session, "content")


def _newer(
    request: ClubRequest, session: Session, part: str, read: Callable[[], dict[str, Any]]
) -> HttpResponse:
    if request.GET.get("v") == str(session.version):
        return HttpResponse(status=204)
    return render(request, f"clubs/evenings/_{part}.html", _context(request, session, **read()))


def _floor(
    request: ClubRequest, session: Session, tables: Sequence[SessionTable]
) -> dict[str, Any]:
    """The tables, and the next step that follows from them."""
    now = floor_rows.floor_at(tables, reader=request.reader)
    floor: dict[str, Any] = {
        "tables": now,
        "hands": sum(table.played for table in now),
        "seats_state": rows.state_among(session, places_in(tables)),
    }
    if request.may(permissions.ENTER_HANDS):
        floor["disputes"] = floor_rows.disputes_at(tables)
        latest_first = reversed(floor["disputes"])
        floor["first_disputed"] = {dispute.table: dispute.hand for dispute in latest_first}
    return floor


def _door_news(request: ClubRequest, session: Session) -> dict[str, Any]:
    """Who is here now, as other devices have checked them in."""
    door_now = rows.door_list(session)
    return {"door": door_now, "wishes": _wishes(request, session, door_now), "oob": True}


def _evening_page(request: ClubRequest, session: Session, guest_form: GuestForm) -> HttpResponse:
    tables = rows.tables_with_hands(session)
    floor = _floor(request, session, tables) | {"guest_form": guest_form}
    floor["rows"] = rows.result_among(places_in(tables), reader=request.reader)
    crumbs = evening_trail(session.club, session)
    context = _context(request, session, breadcrumbs=crumbs, **floor)
    if session.state == SessionState.CLOSED and request.may(permissions.SEND_MESSAGES):
        context |= _results_to_send(session)
        context["asks_to_publish"] = rows.may_be_published(session)
    if not session.is_over and request.may(permissions.RUN_EVENING):
        door_now = rows.door_list(session)
        wishes = _wishes(request, session, door_now)
        context |= {"door": door_now, "wishes": wishes, "answers": calendar.answers_for(session)}
        context["todays"] = _todays_evening(session) if context["warning"] else None
        context["usual"] = None if door_now.here else rows.usual_people(session)
    return form_page(request, "clubs/evenings/evening.html", context, guest_form)


def _results_to_send(session: Session) -> dict[str, Any]:
    """The drafts of the result, and for how many people there is none and could be one."""
    unsent, drafted = results_waiting(session), drafted_results(session)
    others = [player for player in without_result(session) if player.pk not in drafted]
    return {"unsent": unsent, "others": len(others), "everybody": len(others) + len(drafted)}


def _wishes(request: ClubRequest, session: Session, door_now: rows.DoorList) -> rows.Tonight | None:
    return (
        rows.wishes_tonight(session, door_now) if request.may(permissions.MANAGE_WISHES) else None
    )


def _context(request: ClubRequest, session: Session, **extra: Any) -> dict[str, Any]:
    may_run = request.may(permissions.RUN_EVENING)
    return framed(
        session.club,
        "evenings",
        session=session,
        is_closed=session.is_over,
        may_run=may_run,
        warning=_warning(session) if may_run else "",
        may_enter=request.may(permissions.ENTER_HANDS),
        may_correct=request.may(permissions.CORRECT_HANDS),
        may_print=request.may(permissions.PRINT_PAPERS),
        **extra,
    )


@requires(permissions.SEE_CLUB)
def crib(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    return printed(request, club, pk, "crib")


def printed(request: ClubRequest, club: Club, pk: int, kind: str) -> HttpResponse:
    """One of ``PAPERS``; ``?table=3`` prints that table's, ``?code=yes`` a code."""
    session = rows.evening_of(club, pk)
    printing = Printing(
        at=partial(_phone, request, "table"),
        form=format_of(request.GET, club),
        reader=request.reader,
        table=request.GET.get("table", ""),
        with_code="code" in request.GET,
    )
    paper = PAPERS[kind].drawn(session, printing)
    if paper is None:
        messages.error(request, NOBODY_SEATED)
        return redirect("evening", club.slug, pk)
    return pdf(request, paper, PAPERS[kind].file_for(session))


def _phone(request: HttpRequest, page: str, key: str) -> str:
    return request.build_absolute_uri(reverse(page, args=[key]))


@requires(permissions.PRINT_PAPERS)
def everything(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """All the evening's papers on one page, with the paper and letter sizes to choose from."""
    session = rows.evening_of(club, pk)
    context = framed(
        club,
        "evenings",
        session=session,
        warning=_warning(session),
        unprintable=unprinted(row.name for row in rows.tick_list(session)),
        papers=offered([paper.offer for paper in offered_for(session)], club.slug, pk),
        form=format_of(request.GET, club),
        pages=request.GET.get("pages", ""),
        breadcrumbs=evening_trail(club, session),
    )
    return render(request, "clubs/evenings/papers.html", context)


def chosen(
    request: HttpRequest, club: Club, tables: Sequence[LinkedTable], page: str
) -> list[SeatedTable]:
    """The tables with the full addresses of their phone pages; only the one of ``?table=``."""
    number = request.GET.get("table", "")
    return seated(club, tables, at=partial(_phone, request, page), table=number)


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
    page = opened_page(request, EveningTable.for_players(table))
    if "totals" in request.GET:
        return table_totals(request, page)
    context = {"version": str(session.version), "rows": rows.result_of(session), "mine": table.at}
    if seen is not None:
        return render(request, "clubs/table/_evening_standings.html", context)
    return render(request, "clubs/table/evening_standings.html", shown_of(request, page) | context)


@requires(
    permissions.ENTER_HANDS,
    {
        "": "entered a hand for {table} on {evening}",
        "dealer": "chose who deals first at {table} on {evening}",
    },
)
def desk(request: ClubRequest, club: Club, pk: int, number: int) -> HttpResponse:
    return entering.show(request, desk_page(request, EveningTable.find(club, pk=pk, number=number)))


@requires(permissions.CORRECT_HANDS)
def repairs(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    session = rows.evening_of(club, pk)
    tables = {
        game: TableAt(title, reverse("evening-table", args=[club.slug, pk, number]))
        for game, (number, title) in rows.tables_by_game(session).items()
    }
    context = framed(
        club,
        "evenings",
        event=weekday_and_date(session.held_on),
        event_url=reverse("evening", args=[club.slug, pk]),
        repairs=repair_list(tables),
        may_change=not session.is_over,
        breadcrumbs=evening_trail(club, session, {"label": "Corrections"}),
    )
    return render(request, "clubs/table/repairs.html", context)


@requires(permissions.ENTER_HANDS)
def stack(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The evening's paper sheets: which are in the book, and the next one to type."""
    session = rows.evening_of(club, pk)
    tables = [table.view for table in rows.linked_tables(session)]
    context = {
        "stack": stack_of(tables, begun=games_begun(request)),
        "event": tables[0].event if tables else "",
        "tables_at": f"{reverse('evening', args=[club.slug, pk])}tables/",
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
    log_for=("POST api-evening-places", "POST api-evening-move"),
)
def move(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    session = rows.evening_of(club, pk)
    way, shown = request.POST.get("way", ""), as_shown("evening-move", request.POST)
    sent = {way: request.POST}
    forms = {name: form(session, sent.get(name)) for name, form in FORMS.items()}
    cost = None
    if way in forms and forms[way].is_valid():
        act = partial(WAYS[way], session=session, shown=shown, **forms[way].cleaned_data)
        look = partial(cost_of_move, session=session, act=act)
        cost = _tried(request, forms[way], look, lambda: (act(),))
    if cost is not None and "save" in request.POST:
        return redirect("evening-why", club.slug, pk)
    now = Shown("evening-move", rows.state_of(session))
    context = _context(request, session, forms=forms, cost=cost, way=way, now=now)
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
    log_for=("POST api-evening-comes", "POST api-evening-leaves", "POST api-evening-new-table"),
)
def change(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Late arrivals and departures: a player joins or leaves, or a new table is formed."""
    session, way = rows.evening_of(club, pk), request.POST.get("way", "")
    now, shown = changes_now(session), as_shown("evening-change", request.POST)
    try:
        services.check_shown(session, shown)
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
    values = {"now": now, "forms": forms, "preview": preview, "way": way}
    context = _context(request, session, disputes=now.disputes, **values)
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
    log_for="POST api-evening-change-undo",
)
@require_POST
def undo_change(request: ClubRequest, club: Club, pk: int, number: int) -> HttpResponse:
    session, shown = rows.evening_of(club, pk), as_shown("evening-change-undo", request.POST)
    try:
        messages.success(request, services.undo(session=session, number=number, shown=shown))
    except Refused as refused:
        messages.error(request, str(refused))
    return redirect("evening-change", club.slug, pk)


EVENINGS = "c/<slug:club>/evenings/"
EVENING = f"{EVENINGS}<int:pk>/"
TABLE = f"{EVENING}tables/<int:number>/"
PRINT = f"{EVENING}print/"

phone_patterns = [
    *phone_paths("t/<slug:key>/", EveningTable),
    path("t/<slug:key>/standings/", standings, name="table-standings"),
    path("t/table-worker.js", entering.worker, name="table-worker"),
]
urlpatterns = [
    *wall.urlpatterns,
    *door.urlpatterns,
    *papers.urlpatterns,
    *why.urlpatterns,
    path(EVENINGS, evenings, name="evenings"),
    path(f"{EVENINGS}tonight/", tonight, name="tonight"),
    path(EVENING, evening, name="evening"),
    path(f"{EVENING}tick/", tick, name="tick"),
    path(f"{EVENING}guest/", guest, name="guest"),
    path(f"{EVENING}seat/", seat, name="seat"),
    path(f"{EVENING}clear/", clear, name="clear"),
    path(f"{EVENING}close/", close, name="close"),
    path(f"{EVENING}reopen/", reopen, name="reopen"),
    path(f"{EVENING}delete/", delete, name="evening-delete"),
    path(f"{EVENING}cancel/", cancel, name="evening-cancel"),
    path(f"{EVENING}restore/", restore, name="evening-restore"),
    path(f"{EVENING}result/", result, name="result"),
    path(TABLE, desk, name="evening-table"),
    *desk_paths(TABLE, EveningTable),
    path(PRINT, everything, name="papers"),
    path(f"{PRINT}crib.pdf", crib, name="crib-pdf"),
    *(
        path(
            f"{PRINT}{kind}.pdf",
            requires(permissions.PRINT_PAPERS)(printed),
            {"kind": kind},
            name=f"{kind}-pdf",
        )
        for kind in PAPERS
        if kind != "crib"
    ),
    path(f"{EVENING}corrections/", repairs, name="evening-repairs"),
    path(f"{EVENING}arrivals/", change, name="evening-change"),
    path(f"{EVENING}arrivals/<int:number>/undo/", undo_change, name="evening-change-undo"),
    path(f"{EVENING}move/", move, name="evening-move"),
    path(f"{EVENING}score-sheets/", stack, name="evening-sheets"),
]
