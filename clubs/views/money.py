"""Table money on an evening and over a year, as a page and as a file for a spreadsheet."""

import csv
from collections.abc import Iterable

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone

from clubs.core.access import ClubRequest, door
from clubs.core.page_context import evening_trail, framed
from clubs.core.permissions import RUN_EVENING
from clubs.forms.money import PaidForm, PriceForm
from clubs.language.words import guarded
from clubs.models import Club, Session
from clubs.selectors import money as rows
from clubs.services import money as services
from scoring.scorebook.refusals import Refused

UNPROCESSABLE = 422
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
        sheet=rows.cash_sheet(session),
        price=club.table_money,
        breadcrumbs=crumbs,
    )
    return render(request, "clubs/money.html", context)


@door(RUN_EVENING)
def evening_money_file(_request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """An evening's cash sheet for a spreadsheet."""
    session = get_object_or_404(Session.objects.select_related("club"), club=club, pk=pk)
    sheet = rows.cash_sheet(session)
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
    form = PriceForm(request.POST or None, initial={"price": rows.plain_pounds(club.table_money)})
    if form.is_valid():
        services.set_price(club=club, pence=form.pence)
        messages.success(request, _costs(form.pence))
        return redirect("money-year", club.slug, year)
    found = rows.year_of_money(club, year)
    context = framed(club, "evenings", form=form, year=year, found=found)
    context |= {"total": sum(one.pence for one in found)}
    status = UNPROCESSABLE if form.errors else 200
    return render(request, "clubs/money_year.html", context, status=status)


@door(RUN_EVENING)
def year_money_file(_request: ClubRequest, club: Club, year: int) -> HttpResponse:
    """A year's cash sheet for a spreadsheet."""
    if not FIRST_YEAR <= year <= LAST_YEAR:
        raise Http404
    found = rows.year_of_money(club, year)
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
    return f"An evening costs {rows.in_pounds(pence)} from now on."


def _plain(pence: int | None) -> str:
    return "" if pence is None else rows.plain_pounds(pence)


def _file(table: Iterable[Iterable[object]], name: str) -> HttpResponse:
    said = {"Content-Disposition": f'attachment; filename="{name}.csv"'}
    response = HttpResponse("\ufeff", content_type="text/csv; charset=utf-8", headers=said)
    csv.writer(response).writerows(table)
    return response
