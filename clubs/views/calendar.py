"""The club's year: the evenings that come, the series they are of, days without one, the feed."""

from collections.abc import Iterable
from datetime import date
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST

from clubs.core.access import ClubRequest, by_sealed_link, door, opened
from clubs.core.forms import add_problems
from clubs.core.locks import lock_club, read_again
from clubs.core.page_context import framed, trail
from clubs.core.permissions import RUN_EVENING, SEE_CALENDAR
from clubs.core.stale_forms import Event, save_over
from clubs.forms.calendar import HolidayForm, SeriesForm, told_of
from clubs.ical import calendar_file
from clubs.models import Club, Holiday, Series
from clubs.selectors import calendar as rows
from clubs.services import calendar as services
from scoring.scorebook.refusals import Refused

UNPROCESSABLE = 422
LIST, YEAR = ("Evenings", "evenings"), ("Calendar", "calendar")


@door(SEE_CALENDAR)
def calendar(request: ClubRequest, club: Club) -> HttpResponse:
    """Every evening that comes, and how to have them in one's own calendar."""
    context = framed(
        club,
        "evenings",
        year=rows.club_year(club, timezone.localdate()),
        today=timezone.localdate(),
        site=request.get_host(),
        may_run=request.may(RUN_EVENING),
    )
    return render(request, "clubs/calendar.html", context)


@door(RUN_EVENING)
def add(request: ClubRequest, club: Club) -> HttpResponse:
    """A new series: its days first, then it is saved."""
    return _save(request, club, None)


@door(RUN_EVENING)
def change(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Another day, time or place for a series; the calendars of members follow."""
    return _save(request, club, get_object_or_404(Series, club=club, pk=pk))


@door(RUN_EVENING)
@require_POST
def remove(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Take a series off the calendar."""
    series = get_object_or_404(Series, club=club, pk=pk)
    services.remove_series(series=series)
    messages.success(request, f"“{series.name}” removed from the calendar. Past evenings are kept.")
    return redirect("calendar", club.slug)


@door(RUN_EVENING)
def holidays(request: ClubRequest, club: Club) -> HttpResponse:
    """Days without an evening."""
    form = HolidayForm(request.POST or None)
    if form.is_valid():
        try:
            held = services.add_holiday(club=club, **form.cleaned_data)
        except Refused as refused:
            add_problems(form, refused)
        else:
            messages.success(request, f"Closed dates saved: {held.name}.")
            return redirect("holidays", club.slug)
    crumbs = trail(club, LIST, YEAR, here="Closed dates")
    found = club.holidays.filter(last_on__gte=timezone.localdate())
    context = framed(club, "evenings", form=form, holidays=found, breadcrumbs=crumbs)
    return render(request, "clubs/calendar_holidays.html", context, status=_status(form))


@door(RUN_EVENING)
@require_POST
def holiday_remove(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The club meets on these days after all."""
    held = get_object_or_404(Holiday, club=club, pk=pk)
    services.remove_holiday(holiday=held)
    messages.success(request, f"“{held.name}” deleted. The club meets on that date again.")
    return redirect("holidays", club.slug)


@by_sealed_link
def feed(request: HttpRequest, key: str) -> HttpResponse:
    """A series and the club's tournaments for someone's own calendar, which asks by itself."""
    series = _secret(key)
    occasions = rows.occasions_of(series.club)
    return _file(request, series, rows.days_of_series(series), "evenings", occasions)


@by_sealed_link
def day(request: HttpRequest, key: str, day: str) -> HttpResponse:
    """One evening of a series, to be put into a calendar by hand."""
    series = _secret(key)
    try:
        wanted = date.fromisoformat(day)
    except ValueError as unread:
        raise Http404 from unread
    found = [one for one in rows.days_of_series(series) if one.held_on == wanted]
    if not found:
        raise Http404
    return _file(request, series, found, f"evening-{wanted}")


def _secret(key: str) -> Series:
    return opened(rows.series_by_link, feed_key=key)


def _file(
    request: HttpRequest,
    series: Series,
    days: Iterable[rows.ClubDay],
    name: str,
    occasions: Iterable[rows.Occasion] = (),
) -> HttpResponse:
    body = calendar_file(
        days,
        club=series.club.name,
        zone=timezone.get_default_timezone(),
        made_at=timezone.now(),
        host=request.get_host().partition(":")[0],
        occasions=occasions,
    )
    said = {"Content-Disposition": f'inline; filename="{name}.ics"'}
    return HttpResponse(body, content_type="text/calendar; charset=utf-8", headers=said)


def _save(request: ClubRequest, club: Club, held: Series | None) -> HttpResponse:
    form = SeriesForm(request.POST or None, initial=told_of(held) if held else None)
    if form.is_valid() and "save" in request.POST:
        if _saved(request, club, held, form):
            return redirect("calendar", club.slug)
    elif form.is_valid():
        try:
            services.check_series(
                **{name: form.cleaned_data[name] for name in ("pattern", "starts_at", "ends_at")}
            )
        except Refused as refused:
            add_problems(form, refused)
    return _form_page(request, club, held, form)


def _saved(request: ClubRequest, club: Club, held: Series | None, form: SeriesForm) -> bool:
    """Whether it is saved; otherwise the form says why not."""

    def now() -> dict[str, Any]:
        if held is None:
            return {}
        read_again(held, f"“{held.name}” is no longer in the calendar.")
        return told_of(held)

    saved = save_over(
        form,
        Event(club, "series", held.pk if held else 0, {"series-change": ""}),
        lock=lambda: lock_club(club.pk),
        held=now,
        save=lambda: services.save_series(club=club, series=held, **form.cleaned_data),
    )
    if saved:
        messages.success(request, f"“{saved.name}” saved.")
    return saved is not None


def _form_page(
    request: ClubRequest, club: Club, held: Series | None, form: SeriesForm
) -> HttpResponse:
    is_told = form.is_bound and not form.errors
    shown = rows.previewed(club, form.cleaned_data["pattern"]) if is_told else ()
    here = "Edit regular evening" if held else "Regular evening"
    crumbs = trail(club, LIST, YEAR, here=here)
    context = framed(club, "evenings", form=form, held=held, title=here, breadcrumbs=crumbs)
    context |= {"shown": shown, "meetings": sum(not off for _, off in shown)}
    return render(request, "clubs/series_form.html", context, status=_status(form))


def _status(form: SeriesForm | HolidayForm) -> int:
    return UNPROCESSABLE if form.errors else 200
