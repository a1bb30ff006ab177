"""An evening's page, its money, its papers and its screen."""

import csv
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from clubs.backup.archive import backup_news
from clubs.core.access import ClubRequest, by_sealed_link, door, open_to_all, opened
from clubs.core.forms import Overtaken, add_problems, as_shown
from clubs.core.page_context import evening_trail, framed
from clubs.core.permissions import (
    CORRECT_HANDS,
    ENTER_HANDS,
    MANAGE_WISHES,
    PRINT_PAPERS,
    REHEARSE,
    RUN_EVENING,
    SEE_CLUB,
    SEE_LEAGUE,
    SEE_RESULTS,
    SEND_MESSAGES,
)
from clubs.evenings.forms import EveningForm, GuestForm, PaidForm, PriceForm, SplitForm, TickForm
from clubs.evenings.papers import NOBODY_SEATED, OFFERED, Printing, paper_of, seated
from clubs.evenings.selectors import calendar
from clubs.evenings.selectors import evenings as rows
from clubs.evenings.selectors import floor as selectors_floor
from clubs.evenings.selectors.calendar import answers_for, club_year
from clubs.evenings.selectors.evenings import (
    DoorList,
    Tonight,
    door_list,
    tick_list,
    wishes_tonight,
)
from clubs.evenings.selectors.floor import disputes_at, floor_at, laid_tables
from clubs.evenings.services import evenings as services
from clubs.language.words import guarded
from clubs.league.papers import league_pdf
from clubs.league.selectors.seasons import league_table
from clubs.messages.selectors import results_waiting
from clubs.models import Club, Player, Season, Session, SessionState, SessionTable
from clubs.paper.document import pdf
from clubs.paper.formats import TENTS, Format, Paper, format_of, offered, unprinted
from clubs.seats.sittings import places_in
from clubs.table.papers.cards import SeatedTable
from clubs.table.rows import LinkedTable
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


LIST = ("Evenings", "evenings")
FIRST_YEAR, LAST_YEAR = 1920, 2200


@door(RUN_EVENING)
def evening_money(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Who has paid tonight: one press each."""
    session = get_object_or_404(Session.objects.select_related("club"), club=club, pk=pk)
    if request.method == "POST":
        return _take(request, club, session)
    crumbs = evening_trail(club, session, {"label": "Table money"})
    context = framed(
        club,
        "evenings",
        session=session,
        sheet=calendar.cash_sheet(session),
        price=club.table_money,
        breadcrumbs=crumbs,
    )
    return render(request, "clubs/money.html", context)


@door(RUN_EVENING)
def evening_money_file(_request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """An evening's cash sheet for a spreadsheet."""
    session = get_object_or_404(Session.objects.select_related("club"), club=club, pk=pk)
    sheet = calendar.cash_sheet(session)
    lines = [(guarded(row.name), _plain(row.pence)) for row in sheet.rows]
    table = [("Name", "Paid in pounds"), *lines, ("Total", _plain(sheet.total))]
    return _file(table, f"table-money-{session.held_on}")


@door(RUN_EVENING)
def this_year(_request: ClubRequest, club: Club) -> HttpResponse:
    """Lead to the year’s cash sheet."""
    return redirect("money-year", club.slug, timezone.localdate().year)


@door(RUN_EVENING)
def year_money(request: ClubRequest, club: Club, year: int) -> HttpResponse:
    """A year's cash sheet, and what an evening costs."""
    if not FIRST_YEAR <= year <= LAST_YEAR:
        raise Http404
    form = PriceForm(
        request.POST or None, initial={"price": calendar.plain_pounds(club.table_money)}
    )
    if form.is_valid():
        services.set_price(club=club, pence=form.pence)
        messages.success(request, _costs(form.pence))
        return redirect("money-year", club.slug, year)
    found = calendar.year_of_money(club, year)
    context = framed(club, "evenings", form=form, year=year, found=found)
    context |= {"total": sum(one.pence for one in found)}
    status = UNPROCESSABLE if form.errors else 200
    return render(request, "clubs/money_year.html", context, status=status)


@door(RUN_EVENING)
def year_money_file(_request: ClubRequest, club: Club, year: int) -> HttpResponse:
    """A year's cash sheet for a spreadsheet."""
    if not FIRST_YEAR <= year <= LAST_YEAR:
        raise Http404
    found = calendar.year_of_money(club, year)
    lines = [(one.held_on, one.here, one.paid, _plain(one.pence)) for one in found]
    total = ("Total", "", "", _plain(sum(one.pence for one in found)))
    head = ("Evening", "People", "Paid", "Pounds")
    return _file([head, *lines, total], f"table-money-{year}")


def _take(request: ClubRequest, club: Club, session: Session) -> HttpResponse:
    form = PaidForm(club, request.POST)
    if not form.is_valid():
        messages.error(request, str(form.non_field_errors()[0]))
        return redirect("money", club.slug, session.pk)
    player = form.cleaned_data["player"]
    try:
        if form.cleaned_data["has_paid"]:
            services.take_money(session=session, player=player, taken_by=request.user)
        else:
            services.give_back(session=session, player=player)
    except Refused as refused:
        messages.error(request, str(refused))
    return redirect(f"{reverse('money', args=[club.slug, session.pk])}#player-{player.pk}")


def _costs(pence: int) -> str:
    if not pence:
        return "Evenings are now free of charge."
    return f"An evening costs {calendar.in_pounds(pence)} from now on."


def _plain(pence: int | None) -> str:
    return "" if pence is None else calendar.plain_pounds(pence)


def _file(table: Iterable[Iterable[object]], name: str) -> HttpResponse:
    said = {"Content-Disposition": f'attachment; filename="{name}.csv"'}
    response = HttpResponse("\ufeff", content_type="text/csv; charset=utf-8", headers=said)
    csv.writer(response).writerows(table)
    return response


@by_sealed_link
def wall(request: HttpRequest, key: str) -> HttpResponse:
    """The whole picture; asked with ``?v=``, its pages alone, or 204 when nothing is newer."""
    session = opened(selectors_floor.evenings_on_walls, wall_key=key)
    if request.GET.get("v") == str(session.version):
        return HttpResponse(status=204)
    shown = selectors_floor.wall_of(session, page=request.GET.get("page", ""))
    template = "clubs/_wall.html" if "v" in request.GET else "clubs/wall.html"
    return render(request, template, {"session": session, "club": session.club, "wall": shown})


@open_to_all
def worker(request: HttpRequest) -> HttpResponse:
    """The script that shows a wall's last picture after a reload without a line."""
    return render(request, "wall_worker.js", content_type="text/javascript")


Draw = Callable[[Sequence[SeatedTable], Format], bytes]
LISTS = ("seats", "door", "tally", "emergency")
PAPERS = tuple(
    Paper(f"{kind}-pdf", title, note, is_first=kind == "emergency", has_code=note == TENTS)
    for kind, title, note in OFFERED
)


@door(PRINT_PAPERS)
def sheets(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """A score sheet for each table of the evening, or for the one of ``?table=3``."""
    return _printed(request, club, pk, "sheets")


@door(PRINT_PAPERS)
def cards(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """A card with a QR code for each table of the evening, or for the one of ``?table=3``."""
    return _printed(request, club, pk, "cards")


@door(PRINT_PAPERS)
def tents(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """A card to fold for each place of the evening; with ``?code=yes`` it has the table's code."""
    return _printed(request, club, pk, "seating-cards")


@door(PRINT_PAPERS)
def listed(request: ClubRequest, club: Club, pk: int, kind: str) -> HttpResponse:
    """A list of the evening: ``seats``, ``door`` or ``tally``, or the ``emergency`` pack."""
    return _printed(request, club, pk, kind)


@door(PRINT_PAPERS)
def blanks(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Score sheets without names, for the rules that the evening plays by."""
    return _printed(request, club, pk, "blank-sheets", name=f"{club.slug}-blank-sheets")


@door(SEE_CLUB)
def crib(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The rules that the evening plays by, house rules and all, to lie beside the players."""
    return _printed(request, club, pk, "crib", name=f"{club.slug}-rules")


def _printed(
    request: ClubRequest, club: Club, pk: int, kind: str, *, name: str = ""
) -> HttpResponse:
    session = get_object_or_404(club.sessions, pk=pk)
    asked = Printing(
        at=partial(_phone, request, "table"),
        form=format_of(request.GET),
        reader=request.reader,
        table=request.GET.get("table", ""),
        with_code="code" in request.GET,
    )
    paper = paper_of(session, kind, asked)
    if paper is None:
        messages.error(request, NOBODY_SEATED)
        return redirect("evening", club.slug, pk)
    return pdf(request, paper, name or f"{club.slug}-{session.held_on}-{kind}")


def _phone(request: HttpRequest, page: str, key: str) -> str:
    return request.build_absolute_uri(reverse(page, args=[key]))


@door(PRINT_PAPERS)
def everything(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """All the evening's papers on one page, and the sheets and letters that they are printed in."""
    session = get_object_or_404(club.sessions, pk=pk)
    context = framed(
        club,
        "evenings",
        session=session,
        unprintable=unprinted(row.name for row in tick_list(session)),
        papers=offered(PAPERS if session.tables.exists() else PAPERS[-3:], club.slug, pk),
        form=format_of(request.GET),
        pages=request.GET.get("pages", ""),
        breadcrumbs=evening_trail(club, session),
    )
    return render(request, "clubs/papers.html", context)


@door(SEE_LEAGUE)
def league(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The season's table as it is now."""
    season = get_object_or_404(Season.objects.select_related("league"), pk=pk, league__club=club)
    paper = league_pdf(club.name, league_table(season), format_of(request.GET))
    return pdf(request, paper, f"{club.slug}-league-{pk}")


def chosen(
    request: HttpRequest, club: Club, tables: Sequence[LinkedTable], page: str
) -> list[SeatedTable]:
    """The tables with the full addresses of their phone pages; only the one of ``?table=``."""
    number = request.GET.get("table", "")
    return seated(club, tables, at=partial(_phone, request, page), table=number)
