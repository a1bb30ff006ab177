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
from clubs.core.forms import Overtaken, ShownState, add_problems, shown_state
from clubs.core.pages import club_context, evening_breadcrumbs, render_form, save_if_valid
from clubs.core.replica import reads_from_replica
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
from clubs.evenings.selectors import (
    calendar,
    door as door_rows,
    evenings as rows,
    floor as floor_rows,
)
from clubs.evenings.selectors.floor import stack_of, table_changes
from clubs.evenings.services import ending, evenings as services
from clubs.evenings.services.costs import cost_of_move
from clubs.evenings.views import door, papers, wall, why
from clubs.language.moments import weekday_and_date
from clubs.language.words import count_words
from clubs.messages.selectors import players_with_drafts, players_without_result, waiting_results
from clubs.models import Club, Player, Session, SessionState, SessionTable
from clubs.seats.selectors import places_in
from clubs.table.pages import entering
from clubs.table.rows import TableAt, repair_list
from clubs.table.services import games_begun
from clubs.table.views import (
    desk_page,
    desk_paths,
    opened_page,
    phone_paths,
    table_context,
    table_totals,
    with_linked_table,
)
from scoring.scorebook.refusals import Refused

EVENINGS_PER_PAGE = 20
# What a question hands on: the state that a form was shown for, and the tables that were chosen.
HIDDEN_FIELDS = ("shown", "split")
with_table = with_linked_table(rows.tables_with_games)
Sentence = TypeVar("Sentence")
MOVE_FORMS: dict[str, type[PlacesForm | TableForm]] = {"places": PlacesForm, "table": TableForm}
MOVE_SERVICES: dict[str, Callable[..., str]] = {
    "places": services.change_places,
    "table": services.move_to_table,
}
AnyChangeForm = Comes | Leaves | NewTable
CHANGE_FORMS: dict[str, type[AnyChangeForm]] = {"comes": Comes, "leaves": Leaves, "table": NewTable}
EVENINGS_PATH = "c/<slug:club>/evenings/"
EVENING_PATH = f"{EVENINGS_PATH}<int:pk>/"
TABLE_PATH = f"{EVENING_PATH}tables/<int:number>/"


@requires(
    permissions.SEE_RESULTS,
    "opened the evening of {day<held_on}",
    log_for="POST api-evening-list",
    drawer="evenings",
)
def evening_list(request: ClubRequest, club: Club) -> HttpResponse:
    may_run = request.has_permission(permissions.RUN_EVENING)
    form = EveningForm(request.POST or None)
    if request.method == "POST":
        request.require(permissions.RUN_EVENING)
    if session := save_if_valid(
        form, lambda: services.open_session(club=club, **form.cleaned_data)
    ):
        return redirect("evening", club.slug, session.pk)
    page = Paginator(rows.evenings_of(club), EVENINGS_PER_PAGE).get_page(request.GET.get("page"))
    summaries = rows.evening_summaries(page.object_list, reader=request.reader)
    today = timezone.localdate()
    context = club_context(
        club, "evenings", form=form, page_obj=page, evenings=summaries, today=today
    )
    context |= {"year": calendar.club_year(club, today), "may_run": may_run}
    context["may_rehearse"] = club.rehearsal_of_id is None and request.has_permission(
        permissions.REHEARSE
    )
    context["backup"] = backup_news() if may_run else None
    context["may_print"] = request.has_permission(permissions.PRINT_PAPERS)
    return render_form(request, "clubs/evenings/evenings.html", context, form)


@reads_from_replica
@requires(permissions.SEE_RESULTS)
def current_evening(_request: ClubRequest, club: Club) -> HttpResponse:
    """Redirect to the evening that is not finished; to the list if there is none."""
    session = rows.unfinished_evening(club, timezone.localdate())
    return (
        redirect("evening", club.slug, session.pk) if session else redirect("evenings", club.slug)
    )


@reads_from_replica
@requires(permissions.SEE_RESULTS)
def evening_detail(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The evening; with ``?v=``, only its tables, or 204 if nothing has changed.

    With ``?v=`` and ``door``, only the check-in list as long as no one is seated.
    """
    session = rows.evening_of(club, pk)
    if "door" in request.GET:
        request.require(permissions.RUN_EVENING)
        return _part_if_newer(
            request, session, "door_news", lambda: _door_context(request, session)
        )
    if "v" in request.GET:
        return _part_if_newer(
            request,
            session,
            "floor_news",
            lambda: _tables_context(request, session, rows.tables_with_hands(session)),
        )
    return _evening_page(request, session, GuestForm())


@reads_from_replica
@requires(permissions.SEE_RESULTS)
def evening_result(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The result so far; with ``?v=``, only its rows, or 204 if nothing has changed."""
    session = rows.evening_of(club, pk)
    read_result = partial(rows.result_of, session, reader=request.reader)
    if "v" in request.GET:
        return _part_if_newer(request, session, "result", lambda: {"rows": read_result()})
    context = _evening_context(
        request, session, rows=read_result(), breadcrumbs=evening_breadcrumbs(club, session)
    )
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
        return _redirect_back(session, "who")
    player: Player = form.cleaned_data["player"]
    try:
        services.tick(session=session, player=player, is_here=form.cleaned_data["act"] == "here")
    except Refused as refused:
        return _redirect_with_reasons(request, session, refused)
    if not request.htmx:
        return _redirect_back(session, f"player-{player.pk}")
    door_now = door_rows.door_list(session)
    row = door_now.row(player.pk)
    if row is None:
        return HttpResponse(headers={"HX-Refresh": "true"})
    wishes = _wishes_if_allowed(request, session, door_now)
    context = _evening_context(request, session, row=row, door=door_now, wishes=wishes, oob=True)
    return render(request, "clubs/evenings/_ticked.html", context)


@requires(
    permissions.RUN_EVENING,
    "added {player<made} as a guest of {evening}",
    log_for="POST api-evening-guests",
)
@require_POST
def add_guest(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    session = rows.evening_of(club, pk)
    form = GuestForm(request.POST)
    if guest := save_if_valid(
        form, lambda: services.add_guest(session=session, **form.cleaned_data)
    ):
        messages.success(request, f"{guest.name} has been checked in as a guest.")
        return _redirect_back(session, "guest")
    return _evening_page(request, session, form)


@requires(permissions.RUN_EVENING, "seated {evening}", log_for="POST api-evening-seat")
def seat_players(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Seat everyone; ask first if the evening is for a later day."""
    session = rows.evening_of(club, pk)
    warning, question = rows.early_warning(session, timezone.localdate()), None
    if warning and session.state == SessionState.ARRIVING:
        todays = _todays_evening(session)
        alternative = "go to today’s evening" if todays else "create an evening for today"
        sentences = (warning, f"To play today, {alternative} instead.")
        title = "Start this evening today?"
        question = Confirmation(title, sentences, "Seat everyone", alternative=todays)
    if answer := _ask_first(request, session, question):
        return answer
    seat_everyone = partial(services.seat_session, split=SplitForm(request.POST).sizes)
    return _run_service(request, club, pk, seat_everyone)


@requires(
    permissions.RUN_EVENING, "cleared the tables on {evening}", log_for="POST api-evening-clear"
)
@require_POST
def clear_tables(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    return _run_service(request, club, pk, services.clear_tables, "Tables cleared.")


@requires(permissions.RUN_EVENING, "finished {evening}", log_for="POST api-evening-close")
def finish_evening(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Finish the evening; ask first if it is early, tables have no hands or hands are open."""
    session = rows.evening_of(club, pk)
    floor = floor_rows.floor_of(session)
    doubts = floor_rows.doubts_before_finish(
        floor, warning=rows.early_warning(session, timezone.localdate())
    )
    question = None
    if doubts and session.state == SessionState.PLAYING:
        question = Confirmation("Finish this evening?", doubts, "Finish evening")
    if answer := _ask_first(request, session, question):
        return answer
    return _run_service(request, club, pk, ending.close_session, "The evening is finished.")


@requires(permissions.RUN_EVENING, "reopened {evening}", log_for="POST api-evening-reopen")
@require_POST
def reopen_evening(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    return _run_service(request, club, pk, ending.reopen_session, "Evening reopened.")


def _todays_evening(session: Session) -> Session | None:
    return rows.evening_on(session.club, timezone.localdate())


class Confirmation(NamedTuple):
    """What is asked before something that cannot simply be undone, and what follows from it."""

    title: str
    sentences: tuple[str, ...]
    button: str
    is_danger: bool = False
    alternative: Session | None = None


def _ask_first(
    request: ClubRequest, session: Session, question: Confirmation | None
) -> HttpResponse | None:
    """The question at an address of its own, so that Back leads there; None once it is answered.

    It hands on the ``HIDDEN_FIELDS`` of the form before it. Without a question there is nothing
    to read: a visit leads to the evening.
    """
    if request.method == "POST":
        if question is None or "sure" in request.POST:
            return None
        hidden_values = {name: request.POST[name] for name in HIDDEN_FIELDS if name in request.POST}
        return redirect(f"{request.path}?{urlencode(hidden_values)}")
    if question is None:
        return _redirect_back(session, "content")
    trail = evening_breadcrumbs(session.club, session, {"label": question.title})
    context = _evening_context(request, session, question=question, breadcrumbs=trail)
    context["hidden"] = {name: request.GET.get(name, "") for name in HIDDEN_FIELDS}
    return render(request, "clubs/evenings/question.html", context)


@requires(
    permissions.RUN_EVENING,
    "deleted the evening of {day<held_on}",
    log_for="DELETE api-evening-detail",
)
def delete_evening(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Ask, then delete an evening without hands and go back to the list."""
    session = rows.evening_of(club, pk)
    attendance_count, tables = session.attendances.count(), session.tables.count()
    sentences = ["No hand has been recorded, so no result is lost."]
    if attendance_count:
        sentences.append(
            f"The check-in list ({count_words(attendance_count, 'person', 'people')}) is deleted."
        )
    if tables:
        sentences.append("The seating is deleted, and printed table cards stop working.")
    title, button = "Delete this evening?", "Delete evening"
    question = Confirmation(title, tuple(sentences), button, is_danger=True)
    if answer := _ask_first(request, session, question):
        return answer
    return _run_service(
        request, club, pk, ending.delete_session, next_response=redirect("evenings", club.slug)
    )


@requires(permissions.RUN_EVENING, "cancelled {evening}", log_for="POST api-evening-cancel")
def cancel_evening(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Ask for the reason and say what no longer counts, then cancel an evening with hands."""
    session, form = rows.evening_of(club, pk), CancelForm(request.POST or None)
    if form.is_valid():
        act = partial(ending.cancel_session, **form.cleaned_data)
        return _run_service(request, club, pk, act, "The evening has been cancelled.")
    context = _evening_context(
        request,
        session,
        form=form,
        hands=rows.hands_of(session),
        here=session.attendances.count(),
        was_sent=session.sent_results.exists(),
        now=ShownState("evening-cancel", rows.state_of(session)),
        breadcrumbs=evening_breadcrumbs(club, session, {"label": "Cancel this evening"}),
    )
    return render_form(request, "clubs/evenings/cancel.html", context, form)


@requires(permissions.RUN_EVENING, "restored {evening}", log_for="POST api-evening-restore")
@require_POST
def restore_evening(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    message = "The evening has been restored as it was."
    return _run_service(request, club, pk, ending.restore_session, message)


def _redirect_back(session: Session, place: str) -> HttpResponse:
    return redirect(f"{reverse('evening', args=[session.club.slug, session.pk])}#{place}")


def _run_service(
    request: ClubRequest,
    club: Club,
    pk: int,
    act: Callable[..., str | None],
    message: str = "",
    *,
    next_response: HttpResponse | None = None,
) -> HttpResponse:
    """Do it and go to ``next_response``, or back; the message is what the act returns, if any."""
    session, match = rows.evening_of(club, pk), request.resolver_match
    page_state = shown_state(str(match.url_name) if match else "", request.POST)
    try:
        result_message = act(session=session, page_state=page_state)
    except Overtaken as refused:
        messages.info(request, str(refused))
        return _redirect_back(session, "content")
    except Refused as refused:
        return _redirect_with_reasons(request, session, refused)
    messages.success(request, result_message or message)
    return next_response or _redirect_back(session, "content")


def _redirect_with_reasons(
    request: ClubRequest, session: Session, refusal: Refused
) -> HttpResponse:
    """Back to the evening with every reason; an htmx request reloads the whole page."""
    for problem in refusal.problems:
        messages.error(request, problem.message)
    if request.htmx:
        return HttpResponse(headers={"HX-Refresh": "true"})
    return _redirect_back(session, "content")


def _part_if_newer(
    request: ClubRequest, session: Session, part: str, read_context: Callable[[], dict[str, Any]]
) -> HttpResponse:
    if request.GET.get("v") == str(session.version):
        return HttpResponse(status=204)
    return render(
        request,
        f"clubs/evenings/_{part}.html",
        _evening_context(request, session, **read_context()),
    )


def _tables_context(
    request: ClubRequest, session: Session, tables: Sequence[SessionTable]
) -> dict[str, Any]:
    """The tables, and the next step that follows from them."""
    now = floor_rows.floor_at(tables, reader=request.reader)
    floor: dict[str, Any] = {
        "tables": now,
        "hands": sum(table.hands_played for table in now),
        "seats_state": rows.state_from_places(session, places_in(tables)),
    }
    if request.has_permission(permissions.ENTER_HANDS):
        floor["disputes"] = floor_rows.disputes_at(tables)
        latest_first = reversed(floor["disputes"])
        floor["first_disputed"] = {dispute.table: dispute.hand for dispute in latest_first}
    return floor


def _door_context(request: ClubRequest, session: Session) -> dict[str, Any]:
    """Who is here now, as other devices have checked them in."""
    door_now = door_rows.door_list(session)
    return {"door": door_now, "wishes": _wishes_if_allowed(request, session, door_now), "oob": True}


def _evening_page(request: ClubRequest, session: Session, guest_form: GuestForm) -> HttpResponse:
    tables = rows.tables_with_hands(session)
    floor = _tables_context(request, session, tables) | {"guest_form": guest_form}
    floor["rows"] = rows.result_from_places(places_in(tables), reader=request.reader)
    crumbs = evening_breadcrumbs(session.club, session)
    context = _evening_context(request, session, breadcrumbs=crumbs, **floor)
    if session.state == SessionState.CLOSED and request.has_permission(permissions.SEND_MESSAGES):
        context |= _results_to_send(session)
        context["asks_to_publish"] = rows.may_be_published(session)
    if not session.is_over and request.has_permission(permissions.RUN_EVENING):
        door_now = door_rows.door_list(session)
        wishes = _wishes_if_allowed(request, session, door_now)
        context |= {"door": door_now, "wishes": wishes, "answers": calendar.count_answers(session)}
        context["todays"] = _todays_evening(session) if context["warning"] else None
        context["usual"] = None if door_now.present_count else door_rows.usual_people(session)
    return render_form(request, "clubs/evenings/evening.html", context, guest_form)


def _results_to_send(session: Session) -> dict[str, Any]:
    """The drafts of the result, and for how many people there is none and could be one."""
    unsent, draft_recipients = waiting_results(session), players_with_drafts(session)
    other_players = [
        player for player in players_without_result(session) if player.pk not in draft_recipients
    ]
    return {
        "unsent": unsent,
        "others": len(other_players),
        "everybody": len(other_players) + len(draft_recipients),
    }


def _wishes_if_allowed(
    request: ClubRequest, session: Session, door_now: door_rows.DoorList
) -> door_rows.WishesTonight | None:
    return (
        door_rows.wishes_tonight(session, door_now)
        if request.has_permission(permissions.MANAGE_WISHES)
        else None
    )


def _evening_context(request: ClubRequest, session: Session, **extra: Any) -> dict[str, Any]:
    may_run = request.has_permission(permissions.RUN_EVENING)
    return club_context(
        session.club,
        "evenings",
        session=session,
        is_closed=session.is_over,
        may_run=may_run,
        warning=rows.early_warning(session, timezone.localdate()) if may_run else "",
        may_enter=request.has_permission(permissions.ENTER_HANDS),
        may_correct=request.has_permission(permissions.CORRECT_HANDS),
        may_print=request.has_permission(permissions.PRINT_PAPERS),
        **extra,
    )


@with_table
def table_standings(request: HttpRequest, table: SessionTable) -> HttpResponse:
    """The evening's result so far; with ``?v=``, its rows alone, or 204 if nothing is newer."""
    session, seen_version = table.session, request.GET.get("v")
    if seen_version == str(session.version):
        return HttpResponse(status=204)
    page = opened_page(request, EveningTable.for_players(table))
    if "totals" in request.GET:
        return table_totals(request, page)
    context = {
        "version": str(session.version),
        "rows": rows.result_of(session),
        "mine": table.table_number,
    }
    if seen_version is not None:
        return render(request, "clubs/table/_evening_standings.html", context)
    return render(
        request, "clubs/table/evening_standings.html", table_context(request, page) | context
    )


@requires(
    permissions.ENTER_HANDS,
    {
        "": "entered a hand for {table} on {evening}",
        "dealer": "chose who deals first at {table} on {evening}",
    },
)
def table_desk(request: ClubRequest, club: Club, pk: int, number: int) -> HttpResponse:
    return entering.enter_hand(
        request, desk_page(request, EveningTable.find(club, pk=pk, number=number))
    )


@requires(permissions.CORRECT_HANDS)
def correction_list(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    session = rows.evening_of(club, pk)
    tables = {
        game: TableAt(title, reverse("evening-table", args=[club.slug, pk, number]))
        for game, (number, title) in rows.tables_by_game(session).items()
    }
    context = club_context(
        club,
        "evenings",
        event=weekday_and_date(session.held_on),
        event_url=reverse("evening", args=[club.slug, pk]),
        repairs=repair_list(tables),
        may_change=not session.is_over,
        breadcrumbs=evening_breadcrumbs(club, session, {"label": "Corrections"}),
    )
    return render(request, "clubs/table/repairs.html", context)


@requires(permissions.ENTER_HANDS)
def sheet_stack(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The evening's paper sheets: which are in the book, and the next one to type."""
    session = rows.evening_of(club, pk)
    tables = [table.view for table in rows.linked_tables(session)]
    context = {
        "stack": stack_of(tables, draft_games=games_begun(request)),
        "event": tables[0].event if tables else "",
        "tables_at": f"{reverse('evening', args=[club.slug, pk])}tables/",
        "breadcrumbs": evening_breadcrumbs(club, session, {"label": "Paper score sheets"}),
    }
    return render(request, "clubs/table/sheets.html", club_context(club, "evenings", **context))


@requires(
    permissions.RUN_EVENING,
    {
        "": "changed the seating on {evening}",
        "table": "moved {player<table-player} to {table<table-number} on {evening}",
        "places": "swapped {player<places-one} and {player<places-other} on {evening}",
    },
    log_for=("POST api-evening-places", "POST api-evening-move"),
)
def move_players(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    session = rows.evening_of(club, pk)
    form_name, page_state = request.POST.get("way", ""), shown_state("evening-move", request.POST)
    form_data = {form_name: request.POST}
    forms = {name: form(session, form_data.get(name)) for name, form in MOVE_FORMS.items()}
    cost = None
    if form_name in forms and forms[form_name].is_valid():
        act = partial(
            MOVE_SERVICES[form_name],
            session=session,
            page_state=page_state,
            **forms[form_name].cleaned_data,
        )
        look = partial(cost_of_move, session=session, act=act)
        cost = _preview_or_save(request, forms[form_name], look, lambda: (act(),))
    if cost is not None and "save" in request.POST:
        return redirect("evening-why", club.slug, pk)
    now = ShownState("evening-move", rows.state_of(session))
    context = _evening_context(request, session, forms=forms, cost=cost, way=form_name, now=now)
    context["breadcrumbs"] = evening_breadcrumbs(club, session, {"label": "Move a player"})
    return render_form(request, "clubs/evenings/move.html", context, *forms.values())


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
def change_tables(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Late arrivals and departures: a player joins or leaves, or a new table is formed."""
    session, form_name = rows.evening_of(club, pk), request.POST.get("way", "")
    now, page_state = table_changes(session), shown_state("evening-change", request.POST)
    try:
        services.check_not_overtaken(session, page_state)
    except Overtaken as refused:
        messages.warning(request, str(refused))
        return redirect("evening-change", club.slug, pk)
    form_data = {form_name: request.POST}
    forms = {name: form(session, now, form_data.get(name)) for name, form in CHANGE_FORMS.items()}
    preview = None
    if form_name in forms and forms[form_name].is_valid():
        act = forms[form_name].act
        look = partial(services.preview_change, act)
        preview = _preview_or_save(
            request, forms[form_name], look, partial(act, page_state=page_state)
        )
    if preview is not None and "save" in request.POST:
        return redirect("evening", club.slug, pk)
    values = {"now": now, "forms": forms, "preview": preview, "way": form_name}
    context = _evening_context(request, session, disputes=now.disputes, **values)
    context["breadcrumbs"] = evening_breadcrumbs(
        club, session, {"label": "Late arrivals and departures"}
    )
    return render_form(request, "clubs/evenings/change.html", context, *forms.values())


def _preview_or_save(
    request: ClubRequest,
    form: Form,
    look: Callable[[], tuple[Sentence, ...]],
    act: Callable[[], tuple[str, ...]],
) -> tuple[Sentence, ...] | None:
    """What ``look`` says of the change; () once it is saved; None where the form says why not."""
    try:
        if "save" not in request.POST:
            return look()
        for message in act():
            messages.success(request, message)
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
    session = rows.evening_of(club, pk)
    page_state = shown_state("evening-change-undo", request.POST)
    try:
        messages.success(
            request, services.undo_change(session=session, number=number, page_state=page_state)
        )
    except Refused as refused:
        messages.error(request, str(refused))
    return redirect("evening-change", club.slug, pk)


phone_patterns = [
    *phone_paths("t/<slug:key>/", EveningTable),
    path("t/<slug:key>/standings/", table_standings, name="table-standings"),
    path("t/table-worker.js", entering.table_worker, name="table-worker"),
]
urlpatterns = [
    *wall.urlpatterns,
    *door.urlpatterns,
    *papers.urlpatterns,
    *why.urlpatterns,
    path(EVENINGS_PATH, evening_list, name="evenings"),
    path(f"{EVENINGS_PATH}tonight/", current_evening, name="tonight"),
    path(EVENING_PATH, evening_detail, name="evening"),
    path(f"{EVENING_PATH}tick/", tick, name="tick"),
    path(f"{EVENING_PATH}guest/", add_guest, name="guest"),
    path(f"{EVENING_PATH}seat/", seat_players, name="seat"),
    path(f"{EVENING_PATH}clear/", clear_tables, name="clear"),
    path(f"{EVENING_PATH}close/", finish_evening, name="close"),
    path(f"{EVENING_PATH}reopen/", reopen_evening, name="reopen"),
    path(f"{EVENING_PATH}delete/", delete_evening, name="evening-delete"),
    path(f"{EVENING_PATH}cancel/", cancel_evening, name="evening-cancel"),
    path(f"{EVENING_PATH}restore/", restore_evening, name="evening-restore"),
    path(f"{EVENING_PATH}result/", evening_result, name="result"),
    path(TABLE_PATH, table_desk, name="evening-table"),
    *desk_paths(TABLE_PATH, EveningTable),
    path(f"{EVENING_PATH}corrections/", correction_list, name="evening-repairs"),
    path(f"{EVENING_PATH}arrivals/", change_tables, name="evening-change"),
    path(f"{EVENING_PATH}arrivals/<int:number>/undo/", undo_change, name="evening-change-undo"),
    path(f"{EVENING_PATH}move/", move_players, name="evening-move"),
    path(f"{EVENING_PATH}score-sheets/", sheet_stack, name="evening-sheets"),
]
