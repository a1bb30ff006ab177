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

from clubs.core.access import ClubRequest, by_sealed_link, opened, requires
from clubs.core.files import file_name
from clubs.core.forms import Event, save_over
from clubs.core.locks import lock_club, read_again
from clubs.core.pages import accepted, evening_trail, form_page, framed, pressed, trail
from clubs.core.permissions import MANAGE_WISHES, RUN_EVENING, SEE_CALENDAR
from clubs.core.replica import may_be_a_second_old
from clubs.evenings import forms
from clubs.evenings.selectors import calendar as rows
from clubs.evenings.selectors.evenings import evening_of
from clubs.evenings.selectors.seating import wish_list
from clubs.evenings.services import calendar as services
from clubs.language.moments import time_of_day, weekday_and_date
from clubs.language.spreadsheets import Cell, csv_file
from clubs.models import Club, Holiday, Player, Series, WishKind

LIST, YEAR = ("Evenings", "evenings"), ("Calendar", "calendar")
MEMBERS, WISH_LIST = ("Members", "members"), ("Seating preferences", "wishes")
TITLES = {
    WishKind.APART: "Keep apart",
    WishKind.TOGETHER: "Seat together",
    WishKind.HELPER: "Beginner and helper",
    WishKind.TABLE: "Fixed table",
}
ETAG = 32  # characters
NOTES = {
    WishKind.APART: "Two people who should not share a table.",
    WishKind.TOGETHER: (
        "Two people who want to sit together, for example because of a lift home or poor hearing."
    ),
    WishKind.HELPER: (
        "Seats a beginner with a helper. If you name several helpers, any of them will do."
    ),
    WishKind.TABLE: "For someone who cannot manage stairs or needs good light.",
}


@may_be_a_second_old
@requires(SEE_CALENDAR)
def calendar(request: ClubRequest, club: Club) -> HttpResponse:
    """The coming evenings, and how to subscribe to them."""
    today, may_run = timezone.localdate(), request.may(RUN_EVENING)
    context = framed(club, "evenings", today=today, site=request.get_host(), may_run=may_run)
    context["year"] = rows.club_year(club, today)
    return render(request, "clubs/evenings/calendar.html", context)


@requires(RUN_EVENING, "added a regular evening", log_for="POST api-series-list")
def add_series(request: ClubRequest, club: Club) -> HttpResponse:
    return _save(request, club, None)


@requires(RUN_EVENING, "changed {series}", log_for="PATCH api-series-detail")
def change_series(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    return _save(request, club, get_object_or_404(Series, club=club, pk=pk))


@requires(RUN_EVENING, "deleted a regular evening", log_for="DELETE api-series-detail")
@require_POST
def remove_series(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    series = get_object_or_404(Series, club=club, pk=pk)
    services.remove(row=series)
    messages.success(request, f"“{series.name}” removed from the calendar. Past evenings are kept.")
    return redirect("calendar", club.slug)


@requires(RUN_EVENING, "added closed dates", log_for="POST api-holiday-list")
def holidays(request: ClubRequest, club: Club) -> HttpResponse:
    form = forms.HolidayForm(request.POST or None)
    if holiday := accepted(form, lambda: services.add_holiday(club=club, **form.cleaned_data)):
        messages.success(request, f"Closed dates saved: {holiday.name}.")
        return redirect("holidays", club.slug)
    crumbs = trail(club, LIST, YEAR, here="Closed dates")
    coming = club.holidays.filter(last_on__gte=timezone.localdate())
    context = framed(club, "evenings", form=form, holidays=coming, breadcrumbs=crumbs)
    return form_page(request, "clubs/evenings/calendar_holidays.html", context, form)


@requires(RUN_EVENING, "deleted a closed date", log_for="DELETE api-holiday-detail")
@require_POST
def holiday_remove(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    holiday = get_object_or_404(Holiday, club=club, pk=pk)
    services.remove(row=holiday)
    messages.success(request, f"“{holiday.name}” deleted. The club meets on that date again.")
    return redirect("holidays", club.slug)


@by_sealed_link
def feed(request: HttpRequest, key: str) -> HttpResponse:
    """The iCalendar feed of a series, with the club's tournaments."""
    series = opened(rows.series_by_link, feed_key=key)
    occasions = rows.occasions_of(series.club)
    return _file(request, series, rows.days_of_series(series), "evenings", occasions)


@by_sealed_link
def day(request: HttpRequest, key: str, day: str) -> HttpResponse:
    """One evening of a series as an iCalendar file."""
    series, held_on = opened(rows.series_by_link, feed_key=key), rows.day_of_address(day)
    days = [each for each in rows.days_of_series(series) if each.held_on == held_on]
    if not days:
        raise Http404
    return _file(request, series, days, f"evening-{held_on}")


def _file(
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
        "ETag": f'"{sha256(body).hexdigest()[:ETAG]}"',
        "Last-Modified": http_date(series.changed_at.timestamp()),
        "Cache-Control": "private, no-cache",
    }
    answer = HttpResponse(body, content_type="text/calendar; charset=utf-8", headers=headers)
    same = get_conditional_response(request, etag=headers["ETag"], response=answer)
    return same or answer


def _save(request: ClubRequest, club: Club, series: Series | None) -> HttpResponse:
    initial = forms.series_initial(series) if series else None
    form = forms.SeriesForm(request.POST or None, initial=initial)

    def current() -> dict[str, Any]:
        if series is None:
            return {}
        read_again(series, f"“{series.name}” is no longer in the calendar.")
        return forms.series_initial(series)

    if "save" in request.POST:
        if saved := save_over(
            form,
            Event(club, "series", series.pk if series else 0, {"series-change": ""}),
            lock=lambda: lock_club(club.pk),
            current=current,
            save=lambda: services.save_series(club=club, series=series, **form.cleaned_data),
        ):
            messages.success(request, f"“{saved.name}” saved.")
            return redirect("calendar", club.slug)
    else:
        inputs = ("pattern", "starts_at", "ends_at")
        accepted(
            form,
            lambda: services.check_series(**{name: form.cleaned_data[name] for name in inputs}),
        )
    can_preview = form.is_bound and not form.errors
    days = rows.previewed(club, form.cleaned_data["pattern"]) if can_preview else ()
    here = "Edit regular evening" if series else "Regular evening"
    crumbs = trail(club, LIST, YEAR, here=here)
    context = framed(club, "evenings", form=form, held=series, title=here, breadcrumbs=crumbs)
    context |= {"shown": days, "meetings": sum(not off for _, off in days)}
    return form_page(request, "clubs/evenings/series_form.html", context, form)


@requires(RUN_EVENING)
def next_day(request: ClubRequest, club: Club) -> HttpResponse:  # noqa: ARG001
    """Redirect to the next date on which the club meets, or to today."""
    today = timezone.localdate()
    coming = rows.club_year(club, today).next
    return redirect("standby", club.slug, str(coming.held_on if coming else today))


@requires(RUN_EVENING, "changed the substitutes list")
def standby(request: ClubRequest, club: Club, day: str) -> HttpResponse:
    held_on = rows.day_of_address(day)
    if request.method == "POST":
        _press(request, club, held_on)
        return redirect("standby", club.slug, day)
    filling_in = rows.filling_in(club, held_on)
    when = [weekday_and_date(held_on)]
    if filling_in.day:
        when += filter(None, (time_of_day(filling_in.day.starts_at), filling_in.day.place))
    write = partial(rows.message_to, club=club.name, when=", ".join(when), sender=str(request.user))
    substitutes = []
    for invited in filling_in.invited:
        link = request.build_absolute_uri(reverse("standby-answer", args=[invited.key]))
        substitutes.append((invited, write(invited, link=link)))
    context = framed(
        club,
        "evenings",
        found=filling_in,
        asked=substitutes,
        others=rows.not_standing_by(club),
        is_over=held_on < timezone.localdate(),
    )
    return render(request, "clubs/evenings/standby.html", context)


@by_sealed_link
def answer(request: HttpRequest, key: str) -> HttpResponse:
    """A substitute answers yes or no; opening the page answers nothing."""
    invitation = opened(rows.invitations_by_link, key=key)
    form = forms.AnswerForm(request.POST or None)
    if form.is_valid():
        choice = form.cleaned_data["answer"]
        pressed(request, lambda: services.answer(invitation=invitation, choice=choice))
        return redirect("standby-answer", key)
    context = {
        "asked": invitation,
        "day": rows.club_day(invitation.club, invitation.held_on),
        "is_over": invitation.held_on < timezone.localdate(),
    }
    return render(request, "clubs/evenings/standby_answer.html", context)


def _press(request: ClubRequest, club: Club, held_on: date) -> None:
    form = forms.StandByForm(club, request.POST)
    if not form.is_valid():
        messages.error(request, "Choose someone from the list.")
        return
    act, player = form.cleaned_data["act"], form.cleaned_data["player"]
    if act == "ask":
        ask = partial(services.ask_to_come, club=club, held_on=held_on, asked_by=request.user)
        pressed(request, lambda: ask(player=player))
    else:
        pressed(request, lambda: services.set_stand_by(player=player, is_glad=act == "add"))


@requires(MANAGE_WISHES)
def wishes(request: ClubRequest, club: Club) -> HttpResponse:
    rows = wish_list(club, timezone.localdate())
    context = framed(
        club,
        "members",
        groups=[(TITLES[kind], [row for row in rows if row.kind == kind]) for kind in WishKind],
        has_wishes=bool(rows),
        ways=[(kind.value, TITLES[kind], NOTES[kind]) for kind in WishKind],
    )
    return render(request, "clubs/evenings/wishes.html", context)


@requires(MANAGE_WISHES, "added a seating preference")
def add_wish(request: ClubRequest, club: Club, kind: str) -> HttpResponse:
    if kind not in WishKind.values:
        raise Http404
    chosen = WishKind(kind)
    form = forms.WishForm(club, chosen, request.POST or None)
    add = partial(services.add_wish, club=club, kind=chosen, made_by=request.user)
    if accepted(form, lambda: add(**form.cleaned_data)):
        note = "Preference saved. It will be used the next time you seat people."
        messages.success(request, note)
        return redirect("wishes", club.slug)
    title, note = TITLES[chosen], NOTES[chosen]
    crumbs = trail(club, MEMBERS, WISH_LIST, here=title)
    context = framed(club, "members", form=form, title=title, note=note, breadcrumbs=crumbs)
    return form_page(request, "clubs/evenings/wish_add.html", context, form)


@requires(MANAGE_WISHES, "deleted a seating preference")
@require_POST
def remove_wish(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    services.remove(row=get_object_or_404(club.wishes, pk=pk))
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
        act: Callable[..., object] = services.give_back
        if form.cleaned_data["act"] == "paid":
            act = partial(services.take_money, taken_by=request.user)
        pressed(request, lambda: act(session=session, player=player))
        return redirect(f"{reverse('money', args=[club.slug, session.pk])}#player-{player.pk}")
    context = framed(
        club,
        "evenings",
        session=session,
        sheet=rows.cash_sheet(session),
        price=club.table_money,
        year=rows.money_year_of(club, session.held_on),
        breadcrumbs=evening_trail(club, session, {"label": "Table money"}),
    )
    return render(request, "clubs/evenings/money.html", context)


@requires(RUN_EVENING)
def evening_money_file(_request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    session = evening_of(club, pk)
    sheet = rows.cash_sheet(session)
    lines = [(row.name, _plain(row.pence)) for row in sheet.rows]
    table = [("Name", "Pounds"), *lines, ("Total", _plain(sheet.total))]
    return _csv(table, file_name(club.slug, session.held_on, "table money"))


@requires(RUN_EVENING)
def this_year(_request: ClubRequest, club: Club) -> HttpResponse:
    now = rows.money_year_of(club, timezone.localdate())
    return redirect("money-year", club.slug, now.begins_in)


@requires(
    RUN_EVENING, "changed the price of an evening or the club’s year", log_for="PATCH api-price"
)
def year_money(request: ClubRequest, club: Club, year: int) -> HttpResponse:
    evenings = rows.year_of_money(club, year)
    before = {"price": rows.plain_pounds(club.table_money), "year_begins": club.year_begins}
    form = forms.TableMoneyForm(request.POST or None, initial=before)
    if form.is_valid():
        begins = form.cleaned_data["year_begins"]
        services.set_table_money(club=club, pence=form.pence, year_begins=begins)
        if begins == before["year_begins"]:
            messages.success(request, _price_sentence(form.pence))
            return redirect("money-year", club.slug, year)
        messages.success(request, f"The club’s year now begins in {month_name[begins]}.")
        return redirect("money-now", club.slug)
    total = sum(evening.pence for evening in evenings)
    years = rows.money_years(club, year)
    context = framed(club, "evenings", form=form, years=years, evenings=evenings, total=total)
    return form_page(request, "clubs/evenings/money_year.html", context, form)


def _price_sentence(pence: int) -> str:
    if not pence:
        return "Evenings are now free of charge."
    return f"An evening costs {rows.in_pounds(pence)} from now on."


@requires(RUN_EVENING)
def year_money_file(_request: ClubRequest, club: Club, year: int) -> HttpResponse:
    evenings = rows.year_of_money(club, year)
    lines = [(each.held_on, each.here, each.paid, _plain(each.pence)) for each in evenings]
    total = ("Total", "", "", _plain(sum(evening.pence for evening in evenings)))
    table: list[tuple[Cell, ...]] = [("Date", "People here", "People who paid", "Pounds")]
    name = f"table-money-{rows.money_year(club, year).file_part}"
    return _csv([*table, *lines, total], name)


def _plain(pence: int | None) -> str:
    return "" if pence is None else rows.plain_pounds(pence)


def _csv(table: Iterable[Iterable[Cell]], name: str) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}.csv"'}
    return HttpResponse(csv_file(table), content_type="text/csv; charset=utf-8", headers=headers)


YEAR_AT = "c/<slug:club>/calendar/"
PREFERENCES = "c/<slug:club>/seating-preferences/"
OF_AN_EVENING = "c/<slug:club>/evenings/<int:pk>/"
MONEY = "c/<slug:club>/money/"

urlpatterns = [
    path(YEAR_AT, calendar, name="calendar"),
    path(f"{YEAR_AT}regular/new/", add_series, name="series-add"),
    path(f"{YEAR_AT}regular/<int:pk>/", change_series, name="series-change"),
    path(f"{YEAR_AT}regular/<int:pk>/remove/", remove_series, name="series-remove"),
    path(f"{YEAR_AT}closed-dates/", holidays, name="holidays"),
    path(f"{YEAR_AT}closed-dates/<int:pk>/remove/", holiday_remove, name="holiday-remove"),
    path("c/<slug:club>/substitutes/", next_day, name="substitutes"),
    path("c/<slug:club>/substitutes/<str:day>/", standby, name="standby"),
    path("come/<slug:key>/", answer, name="standby-answer"),
    path("cal/<slug:key>/evenings.ics", feed, name="calendar-feed"),
    path("cal/<slug:key>/<str:day>/evening.ics", day, name="calendar-day"),
    path(PREFERENCES, wishes, name="wishes"),
    path(f"{PREFERENCES}add/<slug:kind>/", add_wish, name="wish-add"),
    path(f"{PREFERENCES}<int:pk>/delete/", remove_wish, name="wish-back"),
    path(f"{OF_AN_EVENING}money/", evening_money, name="money"),
    path(f"{OF_AN_EVENING}money.csv", evening_money_file, name="money-file"),
    path(MONEY, this_year, name="money-now"),
    path(f"{MONEY}<int:year>/", year_money, name="money-year"),
    path(f"{MONEY}<int:year>.csv", year_money_file, name="money-year-file"),
]
