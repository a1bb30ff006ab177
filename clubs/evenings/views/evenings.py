"""An evening's page, its money, its papers and its screen."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from clubs.backup.archive import backup_news
from clubs.core import permissions
from clubs.core.access import ClubRequest, by_sealed_link, open_to_all, opened, requires
from clubs.core.forms import Overtaken, as_shown
from clubs.core.pages import accepted, evening_trail, form_page, framed, pressed
from clubs.evenings.forms import EveningForm, GuestForm, PaidForm, PriceForm, SplitForm, TickForm
from clubs.evenings.papers import NOBODY_SEATED, PAPERS, Printing, offered_for, seated
from clubs.evenings.selectors import calendar, evenings as rows, floor as floor_rows
from clubs.evenings.services import evenings as services
from clubs.language.words import csv_file, guarded
from clubs.messages.selectors import results_waiting
from clubs.models import Club, Player, Session, SessionState, SessionTable
from clubs.paper.document import pdf
from clubs.paper.formats import format_of, offered, unprinted
from clubs.seats.selectors import places_in
from clubs.table.papers.cards import SeatedTable
from clubs.table.rows import LinkedTable
from scoring.scorebook.refusals import Refused

EVENINGS_A_PAGE = 20


@requires(
    permissions.SEE_RESULTS,
    "opened the evening of {day<held_on}",
    api="POST api-evenings",
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
    return form_page(request, "clubs/evenings/evenings.html", context, form)


@requires(permissions.SEE_RESULTS, api="api-evening")
def evening(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The evening; with ``?v=``, only its tables, or 204 if nothing has changed."""
    session = rows.evening_of(club, pk)
    if "v" in request.GET:
        return _newer(
            request, session, "floor_news", lambda: _floor(request, rows.tables_with_hands(session))
        )
    return _evening_page(request, session, GuestForm())


@requires(permissions.SEE_RESULTS, api="api-evening-result")
def result(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The result so far; with ``?v=``, only its rows, or 204 if nothing has changed."""
    session = rows.evening_of(club, pk)
    read = partial(rows.result_of, session, reader=request.reader)
    if "v" in request.GET:
        return _newer(request, session, "result", lambda: {"rows": read()})
    crumbs = evening_trail(club, session)
    context = _context(request, session, rows=read(), breadcrumbs=crumbs)
    return render(request, "clubs/evenings/result.html", context)


@requires(
    permissions.RUN_EVENING,
    {
        "": "changed the check-in list of {evening}",
        "here": "checked in {player<here} for {evening}",
        "away": "removed {player<away} from {evening}",
    },
    api="POST api-evening-tick",
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
    api="POST api-evening-guests",
)
@require_POST
def guest(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    session = rows.evening_of(club, pk)
    form = GuestForm(request.POST)
    if added := accepted(form, lambda: services.add_guest(session=session, **form.cleaned_data)):
        messages.success(request, f"{added.name} has been checked in as a guest.")
        return _back(session, "guest")
    return _evening_page(request, session, form)


@requires(permissions.RUN_EVENING, "seated {evening}", api="POST api-evening-seat")
@require_POST
def seat(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    lay = partial(services.seat_session, split=SplitForm(request.POST).sizes)
    return _act(request, club, pk, lay, "Everyone is seated.")


@requires(permissions.RUN_EVENING, "cleared the tables on {evening}", api="POST api-evening-clear")
@require_POST
def clear(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    return _act(request, club, pk, services.clear_tables, "Tables cleared.")


@requires(permissions.RUN_EVENING, "finished {evening}", api="POST api-evening-close")
@require_POST
def close(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    return _act(request, club, pk, services.close_session, "The evening is finished.")


@requires(permissions.RUN_EVENING, "reopened {evening}", api="POST api-evening-reopen")
@require_POST
def reopen(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    return _act(request, club, pk, services.reopen_session, "Evening reopened.")


def _back(session: Session, place: str) -> HttpResponse:
    return redirect(f"{reverse('evening', args=[session.club.slug, session.pk])}#{place}")


def _act(
    request: ClubRequest, club: Club, pk: int, act: Callable[..., None], message: str
) -> HttpResponse:
    session, match = rows.evening_of(club, pk), request.resolver_match
    shown = as_shown(str(match.url_name) if match else "", request.POST)
    try:
        act(session=session, shown=shown)
    except Overtaken as refused:
        messages.info(request, str(refused))
        return _back(session, "content")
    except Refused as refused:
        return _refused(request, session, refused)
    messages.success(request, message)
    return _back(session, "content")


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
    if request.GET["v"] == str(session.version):
        return HttpResponse(status=204)
    return render(request, f"clubs/evenings/_{part}.html", _context(request, session, **read()))


def _floor(request: ClubRequest, tables: Sequence[SessionTable]) -> dict[str, Any]:
    floor: dict[str, Any] = {"tables": floor_rows.floor_at(tables, reader=request.reader)}
    if request.may(permissions.ENTER_HANDS):
        floor["disputes"] = floor_rows.disputes_at(tables)
    return floor


def _evening_page(request: ClubRequest, session: Session, guest_form: GuestForm) -> HttpResponse:
    tables = rows.tables_with_hands(session)
    floor, places = _floor(request, tables), places_in(tables)
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
    )
    if session.state == SessionState.CLOSED:
        if request.may(permissions.SEND_MESSAGES):
            context["unsent"] = results_waiting(session)
    elif request.may(permissions.RUN_EVENING):
        door_now = rows.door_list(session)
        wishes = _wishes(request, session, door_now)
        context |= {"door": door_now, "wishes": wishes, "answers": calendar.answers_for(session)}
    return form_page(request, "clubs/evenings/evening.html", context, guest_form)


def _wishes(request: ClubRequest, session: Session, door_now: rows.DoorList) -> rows.Tonight | None:
    return (
        rows.wishes_tonight(session, door_now) if request.may(permissions.MANAGE_WISHES) else None
    )


def _context(request: ClubRequest, session: Session, **extra: Any) -> dict[str, Any]:
    return framed(
        session.club,
        "evenings",
        session=session,
        is_closed=session.state == SessionState.CLOSED,
        may_run=request.may(permissions.RUN_EVENING),
        may_enter=request.may(permissions.ENTER_HANDS),
        may_correct=request.may(permissions.CORRECT_HANDS),
        may_print=request.may(permissions.PRINT_PAPERS),
        **extra,
    )


@requires(
    permissions.RUN_EVENING,
    "recorded table money for {evening}",
    api=("POST api-money", "DELETE api-payment"),
)
def evening_money(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    session = rows.evening_of(club, pk)
    if request.method == "POST":
        form = PaidForm(club, request.POST)
        if not form.is_valid():
            messages.error(request, str(form.non_field_errors()[0]))
            return redirect("money", club.slug, session.pk)
        player: Player = form.cleaned_data["player"]
        act: Callable[..., object] = services.give_back
        if form.cleaned_data["act"] == "paid":
            act = partial(services.take_money, taken_by=request.user)
        pressed(request, lambda: act(session=session, player=player))
        return redirect(f"{reverse('money', args=[club.slug, session.pk])}#player-{player.pk}")
    context = framed(
        club,
        "evenings",
        session=session,
        sheet=calendar.cash_sheet(session),
        price=club.table_money,
        breadcrumbs=evening_trail(club, session, {"label": "Table money"}),
    )
    return render(request, "clubs/evenings/money.html", context)


@requires(permissions.RUN_EVENING, api="api-money")
def evening_money_file(_request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    session = rows.evening_of(club, pk)
    sheet = calendar.cash_sheet(session)
    lines = [(guarded(row.name), _plain(row.pence)) for row in sheet.rows]
    table = [("Name", "Paid in pounds"), *lines, ("Total", _plain(sheet.total))]
    return _file(table, f"table-money-{session.held_on}")


@requires(permissions.RUN_EVENING)
def this_year(_request: ClubRequest, club: Club) -> HttpResponse:
    return redirect("money-year", club.slug, timezone.localdate().year)


@requires(
    permissions.RUN_EVENING,
    "changed the price of an evening",
    api=("PATCH api-price", "api-money-year"),
)
def year_money(request: ClubRequest, club: Club, year: int) -> HttpResponse:
    evenings = calendar.year_of_money(club, year)
    initial = {"price": calendar.plain_pounds(club.table_money)}
    form = PriceForm(request.POST or None, initial=initial)
    if form.is_valid():
        services.set_price(club=club, pence=form.pence)
        note = f"An evening costs {calendar.in_pounds(form.pence)} from now on."
        messages.success(request, note if form.pence else "Evenings are now free of charge.")
        return redirect("money-year", club.slug, year)
    total = sum(evening.pence for evening in evenings)
    context = framed(club, "evenings", form=form, year=year, found=evenings, total=total)
    return form_page(request, "clubs/evenings/money_year.html", context, form)


@requires(permissions.RUN_EVENING, api="api-money-year")
def year_money_file(_request: ClubRequest, club: Club, year: int) -> HttpResponse:
    evenings = calendar.year_of_money(club, year)
    lines = [(each.held_on, each.here, each.paid, _plain(each.pence)) for each in evenings]
    total = ("Total", "", "", _plain(sum(evening.pence for evening in evenings)))
    head = ("Evening", "People", "Paid", "Pounds")
    return _file([head, *lines, total], f"table-money-{year}")


def _plain(pence: int | None) -> str:
    return "" if pence is None else calendar.plain_pounds(pence)


def _file(table: Iterable[Iterable[object]], name: str) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}.csv"'}
    return HttpResponse(csv_file(table), content_type="text/csv; charset=utf-8", headers=headers)


@by_sealed_link
def wall(request: HttpRequest, key: str) -> HttpResponse:
    """The wall; with ``?v=``, only its pages, or 204 if nothing has changed."""
    session = opened(floor_rows.evenings_on_walls, wall_key=key)
    if request.GET.get("v") == str(session.version):
        return HttpResponse(status=204)
    picture = floor_rows.wall_of(session, page=request.GET.get("page", ""))
    template = "clubs/evenings/_wall.html" if "v" in request.GET else "clubs/evenings/wall.html"
    return render(request, template, {"session": session, "club": session.club, "wall": picture})


@open_to_all
def worker(request: HttpRequest) -> HttpResponse:
    """The service worker that shows a wall's last page when it is reloaded offline."""
    return render(request, "clubs/evenings/wall_worker.js", content_type="text/javascript")


def printed(request: ClubRequest, club: Club, pk: int, kind: str) -> HttpResponse:
    """One of ``PAPERS``; ``?table=3`` prints that table's, ``?code=yes`` a code."""
    return _printed(request, club, pk, kind)


@requires(permissions.SEE_CLUB, api="api-evening-paper-crib")
def crib(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    return _printed(request, club, pk, "crib")


def _printed(request: ClubRequest, club: Club, pk: int, kind: str) -> HttpResponse:
    session = rows.evening_of(club, pk)
    printing = Printing(
        at=partial(_phone, request, "table"),
        form=format_of(request.GET),
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


@requires(permissions.PRINT_PAPERS, api="api-evening-papers")
def everything(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """All the evening's papers on one page, with the paper and letter sizes to choose from."""
    session = rows.evening_of(club, pk)
    context = framed(
        club,
        "evenings",
        session=session,
        unprintable=unprinted(row.name for row in rows.tick_list(session)),
        papers=offered([paper.offer for paper in offered_for(session)], club.slug, pk),
        form=format_of(request.GET),
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
