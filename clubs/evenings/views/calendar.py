"""Calendar, regular evenings, closed dates, substitutes, table money, seating preferences."""

from calendar import month_name
from collections.abc import Callable, Iterable
from datetime import date
from functools import partial
from hashlib import sha256
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.utils.http import http_date
from django.views.decorators.http import require_POST

from clubs.core.access import ClubRequest, get_by_key_or_404, requires, sealed_link_view
from clubs.core.files import file_name
from clubs.core.forms import Event, save_unless_overtaken
from clubs.core.locks import lock_club, reload_or_refuse
from clubs.core.pages import (
    breadcrumbs,
    club_context,
    evening_breadcrumbs,
    render_form,
    run_action,
    save_if_valid,
)
from clubs.core.permissions import MANAGE_WISHES, RUN_EVENING, SEE_CALENDAR
from clubs.core.replica import reads_from_replica
from clubs.evenings import forms
from clubs.evenings.selectors import calendar as rows
from clubs.evenings.selectors.evenings import evening_of
from clubs.evenings.selectors.seating import wish_list
from clubs.evenings.services import calendar as services
from clubs.language.moments import time_of_day, weekday_and_date
from clubs.language.spreadsheets import Cell, csv_file
from clubs.models import Club, Holiday, Player, Series, WishKind

EVENINGS_STEP, CALENDAR_STEP = ("Evenings", "evenings"), ("Calendar", "calendar")
MEMBERS_STEP, WISHES_STEP = ("Members", "members"), ("Seating preferences", "wishes")
WISH_TITLES = {
    WishKind.APART: "Keep apart",
    WishKind.TOGETHER: "Seat together",
    WishKind.HELPER: "Beginner and helper",
    WishKind.TABLE: "Fixed table",
}
ETAG_LENGTH = 32  # characters
WISH_NOTES = {
    WishKind.APART: "Two people who should not share a table.",
    WishKind.TOGETHER: (
        "Two people who want to sit together, for example because of a lift home or poor hearing."
    ),
    WishKind.HELPER: (
        "Seats a beginner with a helper. If you name several helpers, any of them will do."
    ),
    WishKind.TABLE: "For someone who cannot manage stairs or needs good light.",
}

CALENDAR_PATH = "c/<slug:club>/calendar/"
WISHES_PATH = "c/<slug:club>/seating-preferences/"
EVENING_PAGE_PATH = "c/<slug:club>/evenings/<int:pk>/"
MONEY_PATH = "c/<slug:club>/money/"


@reads_from_replica
@requires(SEE_CALENDAR)
def calendar(request: ClubRequest, club: Club) -> HttpResponse:
    """The coming evenings, and how to subscribe to them."""
    today, may_run = timezone.localdate(), request.has_permission(RUN_EVENING)
    context = club_context(club, "evenings", today=today, site=request.get_host(), may_run=may_run)
    context["year"] = rows.club_year(club, today)
    return render(request, "clubs/evenings/calendar.html", context)


@requires(RUN_EVENING, "added a regular evening", log_for="POST api-series-list")
def add_series(request: ClubRequest, club: Club) -> HttpResponse:
    return _save_series(request, club, None)


@requires(RUN_EVENING, "changed {series}", log_for="PATCH api-series-detail")
def change_series(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    return _save_series(request, club, get_object_or_404(Series, club=club, pk=pk))


@requires(RUN_EVENING, "deleted a regular evening", log_for="DELETE api-series-detail")
@require_POST
def remove_series(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    series = get_object_or_404(Series, club=club, pk=pk)
    services.delete_row(row=series)
    messages.success(request, f"“{series.name}” removed from the calendar. Past evenings are kept.")
    return redirect("calendar", club.slug)


@requires(RUN_EVENING, "added closed dates", log_for="POST api-holiday-list")
def holidays(request: ClubRequest, club: Club) -> HttpResponse:
    form = forms.HolidayForm(request.POST or None)
    if holiday := save_if_valid(form, lambda: services.add_holiday(club=club, **form.cleaned_data)):
        messages.success(request, f"Closed dates saved: {holiday.name}.")
        return redirect("holidays", club.slug)
    crumbs = breadcrumbs(club, EVENINGS_STEP, CALENDAR_STEP, title="Closed dates")
    coming = club.holidays.filter(last_on__gte=timezone.localdate())
    context = club_context(club, "evenings", form=form, holidays=coming, breadcrumbs=crumbs)
    return render_form(request, "clubs/evenings/calendar_holidays.html", context, form)


@requires(RUN_EVENING, "deleted a closed date", log_for="DELETE api-holiday-detail")
@require_POST
def remove_holiday(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    holiday = get_object_or_404(Holiday, club=club, pk=pk)
    services.delete_row(row=holiday)
    messages.success(request, f"“{holiday.name}” deleted. The club meets on that date again.")
    return redirect("holidays", club.slug)


@sealed_link_view
def series_feed(request: HttpRequest, key: str) -> HttpResponse:
    """The iCalendar feed of a series, with the club's tournaments."""
    series = get_by_key_or_404(rows.series_by_link, feed_key=key)
    occasions = rows.occasions_of(series.club)
    return _calendar_response(request, series, rows.days_of_series(series), "evenings", occasions)


@sealed_link_view
def series_day_file(request: HttpRequest, key: str, day: str) -> HttpResponse:
    """One evening of a series as an iCalendar file."""
    series = get_by_key_or_404(rows.series_by_link, feed_key=key)
    held_on = rows.parse_day_or_404(day)
    days = [club_day for club_day in rows.days_of_series(series) if club_day.held_on == held_on]
    if not days:
        raise Http404
    return _calendar_response(request, series, days, f"evening-{held_on}")


def _calendar_response(
    request: HttpRequest,
    series: Series,
    days: Iterable[rows.ClubDay],
    name: str,
    occasions: Iterable[rows.Occasion] = (),
) -> HttpResponse:
    zone = timezone.get_default_timezone()
    body = rows.calendar_file(series, days, zone=zone, occasions=occasions)
    headers = {
        "Content-Disposition": f'inline; filename="{name}.ics"',
        "ETag": f'"{sha256(body).hexdigest()[:ETAG_LENGTH]}"',
        "Last-Modified": http_date(series.changed_at.timestamp()),
        "Cache-Control": "private, no-cache",
    }
    answer = HttpResponse(body, content_type="text/calendar; charset=utf-8", headers=headers)
    conditional_answer = get_conditional_response(request, etag=headers["ETag"], response=answer)
    return conditional_answer or answer


def _save_series(request: ClubRequest, club: Club, series: Series | None) -> HttpResponse:
    initial = forms.series_initial(series) if series else None
    form = forms.SeriesForm(request.POST or None, initial=initial)

    def current() -> dict[str, Any]:
        if series is None:
            return {}
        reload_or_refuse(series, f"“{series.name}” is no longer in the calendar.")
        return forms.series_initial(series)

    if "save" in request.POST:
        if saved_series := save_unless_overtaken(
            form,
            Event(club, "series", series.pk if series else 0, {"series-change": ""}),
            lock=lambda: lock_club(club.pk),
            current=current,
            save=lambda: services.save_series(club=club, series=series, **form.cleaned_data),
        ):
            messages.success(request, f"“{saved_series.name}” saved.")
            return redirect("calendar", club.slug)
    else:
        inputs = ("pattern", "starts_at", "ends_at")
        save_if_valid(
            form,
            lambda: services.check_series(**{name: form.cleaned_data[name] for name in inputs}),
        )
    can_preview = form.is_bound and not form.errors
    days = rows.preview_days(club, form.cleaned_data["pattern"]) if can_preview else ()
    title = "Edit regular evening" if series else "Regular evening"
    crumbs = breadcrumbs(club, EVENINGS_STEP, CALENDAR_STEP, title=title)
    context = club_context(
        club, "evenings", form=form, held=series, title=title, breadcrumbs=crumbs
    )
    context |= {"shown": days, "meetings": sum(not is_off for _, is_off in days)}
    return render_form(request, "clubs/evenings/series_form.html", context, form)


@requires(RUN_EVENING)
def next_club_day(request: ClubRequest, club: Club) -> HttpResponse:  # noqa: ARG001
    """Redirect to the next date on which the club meets, or to today."""
    today = timezone.localdate()
    coming = rows.club_year(club, today).next
    return redirect("standby", club.slug, str(coming.held_on if coming else today))


@requires(RUN_EVENING, "changed the substitutes list")
def substitute_list(request: ClubRequest, club: Club, day: str) -> HttpResponse:
    held_on = rows.parse_day_or_404(day)
    if request.method == "POST":
        _change_substitutes(request, club, held_on)
        return redirect("standby", club.slug, day)
    filling_in = rows.substitutes_for(club, held_on)
    details = [weekday_and_date(held_on)]
    if filling_in.day:
        details += filter(None, (time_of_day(filling_in.day.starts_at), filling_in.day.place))
    write = partial(
        rows.invitation_message,
        club=club.name,
        time_and_place=", ".join(details),
        sender=str(request.user),
    )
    substitutes = []
    for substitute in filling_in.invited_substitutes:
        link = request.build_absolute_uri(reverse("standby-answer", args=[substitute.key]))
        substitutes.append((substitute, write(substitute, link=link)))
    context = club_context(
        club,
        "evenings",
        found=filling_in,
        asked=substitutes,
        others=rows.members_not_listed(club),
        is_over=held_on < timezone.localdate(),
    )
    return render(request, "clubs/evenings/standby.html", context)


@sealed_link_view
def answer_invitation(request: HttpRequest, key: str) -> HttpResponse:
    """A substitute answers yes or no; opening the page answers nothing."""
    invitation = get_by_key_or_404(rows.invitations_by_link, key=key)
    form = forms.AnswerForm(request.POST or None)
    if form.is_valid():
        choice = form.cleaned_data["answer"]
        run_action(request, lambda: services.save_answer(invitation=invitation, choice=choice))
        return redirect("standby-answer", key)
    context = {
        "asked": invitation,
        "day": rows.club_day(invitation.club, invitation.held_on),
        "is_over": invitation.held_on < timezone.localdate(),
    }
    return render(request, "clubs/evenings/standby_answer.html", context)


def _change_substitutes(request: ClubRequest, club: Club, held_on: date) -> None:
    form = forms.StandByForm(club, request.POST)
    if not form.is_valid():
        messages.error(request, "Choose someone from the list.")
        return
    act, player = form.cleaned_data["act"], form.cleaned_data["player"]
    if act == "ask":
        ask = partial(services.invite_substitute, club=club, held_on=held_on, asked_by=request.user)
        run_action(request, lambda: ask(player=player))
    else:
        run_action(request, lambda: services.set_stand_by(player=player, is_glad=act == "add"))


@requires(MANAGE_WISHES)
def wishes(request: ClubRequest, club: Club) -> HttpResponse:
    rows = wish_list(club, timezone.localdate())
    context = club_context(
        club,
        "members",
        groups=[
            (WISH_TITLES[kind], [row for row in rows if row.kind == kind]) for kind in WishKind
        ],
        has_wishes=bool(rows),
        ways=[(kind.value, WISH_TITLES[kind], WISH_NOTES[kind]) for kind in WishKind],
    )
    return render(request, "clubs/evenings/wishes.html", context)


@requires(MANAGE_WISHES, "added a seating preference")
def add_wish(request: ClubRequest, club: Club, kind: str) -> HttpResponse:
    if kind not in WishKind.values:
        raise Http404
    wish_kind = WishKind(kind)
    form = forms.WishForm(club, wish_kind, request.POST or None)
    add = partial(services.add_wish, club=club, kind=wish_kind, made_by=request.user)
    if save_if_valid(form, lambda: add(**form.cleaned_data)):
        note = "Preference saved. It will be used the next time you seat people."
        messages.success(request, note)
        return redirect("wishes", club.slug)
    title, note = WISH_TITLES[wish_kind], WISH_NOTES[wish_kind]
    crumbs = breadcrumbs(club, MEMBERS_STEP, WISHES_STEP, title=title)
    context = club_context(club, "members", form=form, title=title, note=note, breadcrumbs=crumbs)
    return render_form(request, "clubs/evenings/wish_add.html", context, form)


@requires(MANAGE_WISHES, "deleted a seating preference")
@require_POST
def remove_wish(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    services.delete_row(row=get_object_or_404(club.wishes, pk=pk))
    messages.success(request, "Preference deleted.")
    return redirect("wishes", club.slug)


@requires(
    RUN_EVENING,
    "recorded table money for {evening}",
    log_for=("POST api-money", "DELETE api-payment"),
)
def evening_money(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    session = evening_of(club, pk)
    if request.method == "POST":
        form = forms.PaidForm(club, request.POST)
        if not form.is_valid():
            messages.error(request, str(form.non_field_errors()[0]))
            return redirect("money", club.slug, session.pk)
        player: Player = form.cleaned_data["player"]
        act: Callable[..., object] = services.remove_payment
        if form.cleaned_data["act"] == "paid":
            act = partial(services.record_payment, taken_by=request.user)
        run_action(request, lambda: act(session=session, player=player))
        return redirect(f"{reverse('money', args=[club.slug, session.pk])}#player-{player.pk}")
    context = club_context(
        club,
        "evenings",
        session=session,
        sheet=rows.cash_sheet(session),
        price=club.table_money,
        year=rows.money_year_of(club, session.held_on),
        breadcrumbs=evening_breadcrumbs(club, session, {"label": "Table money"}),
    )
    return render(request, "clubs/evenings/money.html", context)


@requires(RUN_EVENING)
def evening_money_file(_request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    session = evening_of(club, pk)
    sheet = rows.cash_sheet(session)
    lines = [(row.name, _plain_amount(row.pence)) for row in sheet.rows]
    table = [("Name", "Pounds"), *lines, ("Total", _plain_amount(sheet.total))]
    return _csv_response(table, file_name(club.slug, session.held_on, "table money"))


@requires(RUN_EVENING)
def current_money_year(_request: ClubRequest, club: Club) -> HttpResponse:
    now = rows.money_year_of(club, timezone.localdate())
    return redirect("money-year", club.slug, now.begins_in)


@requires(
    RUN_EVENING, "changed the price of an evening or the club’s year", log_for="PATCH api-price"
)
def year_money(request: ClubRequest, club: Club, year: int) -> HttpResponse:
    evenings = rows.evenings_of_money_year(club, year)
    initial = {"price": rows.plain_pounds(club.table_money), "year_begins": club.year_begins}
    form = forms.TableMoneyForm(request.POST or None, initial=initial)
    if form.is_valid():
        begins = form.cleaned_data["year_begins"]
        services.set_table_money(club=club, pence=form.pence, year_begins=begins)
        if begins == initial["year_begins"]:
            messages.success(request, _price_sentence(form.pence))
            return redirect("money-year", club.slug, year)
        messages.success(request, f"The club’s year now begins in {month_name[begins]}.")
        return redirect("money-now", club.slug)
    total = sum(evening.pence for evening in evenings)
    years = rows.money_years(club, year)
    context = club_context(club, "evenings", form=form, years=years, evenings=evenings, total=total)
    return render_form(request, "clubs/evenings/money_year.html", context, form)


def _price_sentence(pence: int) -> str:
    if not pence:
        return "Evenings are now free of charge."
    return f"An evening costs {rows.in_pounds(pence)} from now on."


@requires(RUN_EVENING)
def year_money_file(_request: ClubRequest, club: Club, year: int) -> HttpResponse:
    evenings = rows.evenings_of_money_year(club, year)
    lines = [
        (
            evening_row.held_on,
            evening_row.attendance,
            evening_row.paid,
            _plain_amount(evening_row.pence),
        )
        for evening_row in evenings
    ]
    total = ("Total", "", "", _plain_amount(sum(evening.pence for evening in evenings)))
    table: list[tuple[Cell, ...]] = [("Date", "People here", "People who paid", "Pounds")]
    name = f"table-money-{rows.money_year(club, year).file_part}"
    return _csv_response([*table, *lines, total], name)


def _plain_amount(pence: int | None) -> str:
    return "" if pence is None else rows.plain_pounds(pence)


def _csv_response(table: Iterable[Iterable[Cell]], name: str) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}.csv"'}
    return HttpResponse(csv_file(table), content_type="text/csv; charset=utf-8", headers=headers)


urlpatterns = [
    path(CALENDAR_PATH, calendar, name="calendar"),
    path(f"{CALENDAR_PATH}regular/new/", add_series, name="series-add"),
    path(f"{CALENDAR_PATH}regular/<int:pk>/", change_series, name="series-change"),
    path(f"{CALENDAR_PATH}regular/<int:pk>/remove/", remove_series, name="series-remove"),
    path(f"{CALENDAR_PATH}closed-dates/", holidays, name="holidays"),
    path(f"{CALENDAR_PATH}closed-dates/<int:pk>/remove/", remove_holiday, name="holiday-remove"),
    path("c/<slug:club>/substitutes/", next_club_day, name="substitutes"),
    path("c/<slug:club>/substitutes/<str:day>/", substitute_list, name="standby"),
    path("come/<slug:key>/", answer_invitation, name="standby-answer"),
    path("cal/<slug:key>/evenings.ics", series_feed, name="calendar-feed"),
    path("cal/<slug:key>/<str:day>/evening.ics", series_day_file, name="calendar-day"),
    path(WISHES_PATH, wishes, name="wishes"),
    path(f"{WISHES_PATH}add/<slug:kind>/", add_wish, name="wish-add"),
    path(f"{WISHES_PATH}<int:pk>/delete/", remove_wish, name="wish-back"),
    path(f"{EVENING_PAGE_PATH}money/", evening_money, name="money"),
    path(f"{EVENING_PAGE_PATH}money.csv", evening_money_file, name="money-file"),
    path(MONEY_PATH, current_money_year, name="money-now"),
    path(f"{MONEY_PATH}<int:year>/", year_money, name="money-year"),
    path(f"{MONEY_PATH}<int:year>.csv", year_money_file, name="money-year-file"),
]
