"""The club's year: the evenings that come, the series they are of, days without one, the feed."""

from collections.abc import Callable, Iterable
from datetime import date
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from clubs.core.access import ClubRequest, by_sealed_link, door, opened
from clubs.core.forms import Event, add_problems, save_over
from clubs.core.locks import lock_club, read_again
from clubs.core.page_context import framed, trail
from clubs.core.permissions import MANAGE_WISHES, RUN_EVENING, SEE_CALENDAR
from clubs.evenings.exports import calendar_file
from clubs.evenings.forms import AnswerForm, HolidayForm, SeriesForm, StandByForm, WishForm, told_of
from clubs.evenings.selectors import calendar as rows
from clubs.evenings.selectors.calendar import club_year
from clubs.evenings.selectors.seating import wish_list
from clubs.evenings.services import calendar as services
from clubs.evenings.services import seating
from clubs.language.moments import time_of_day, weekday_and_date
from clubs.models import Club, Holiday, Series, WishKind
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
def add_series(request: ClubRequest, club: Club) -> HttpResponse:
    """A new series: its days first, then it is saved."""
    return _save(request, club, None)


@door(RUN_EVENING)
def change_series(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Another day, time or place for a series; the calendars of members follow."""
    return _save(request, club, get_object_or_404(Series, club=club, pk=pk))


@door(RUN_EVENING)
@require_POST
def remove_series(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
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


@door(RUN_EVENING)
def next_day(request: ClubRequest, club: Club) -> HttpResponse:  # noqa: ARG001
    """Lead to the next day on which the club meets; today where none is planned."""
    today = timezone.localdate()
    coming = club_year(club, today).next
    return redirect("standby", club.slug, str(coming.held_on if coming else today))


@door(RUN_EVENING)
def standby(request: ClubRequest, club: Club, day: str) -> HttpResponse:
    """Who is asked to fill in on a day, in turn, and what they answered."""
    held_on = _day(day)
    if request.method == "POST":
        _act(request, club, held_on)
        return redirect("standby", club.slug, day)
    found = rows.filling_in(club, held_on)
    context = framed(
        club,
        "evenings",
        found=found,
        asked=[(one, _message(request, club, found, one)) for one in found.asked],
        others=rows.not_standing_by(club),
        is_over=held_on < timezone.localdate(),
    )
    return render(request, "clubs/standby.html", context)


@by_sealed_link
def answer(request: HttpRequest, key: str) -> HttpResponse:
    """Two buttons: yes and no; looking alone answers nothing."""
    asked = opened(rows.asked_by_link, key=key)
    form = AnswerForm(request.POST or None)
    if form.is_valid():
        try:
            services.answer(invitation=asked, said=form.cleaned_data["answer"])
        except Refused as refused:
            messages.error(request, str(refused))
        return redirect("standby-answer", key)
    context = {
        "asked": asked,
        "day": rows.club_day(asked.club, asked.held_on),
        "is_over": asked.held_on < timezone.localdate(),
    }
    return render(request, "clubs/standby_answer.html", context)


def _day(told: str) -> date:
    try:
        return date.fromisoformat(told)
    except ValueError as unread:
        raise Http404 from unread


def _act(request: ClubRequest, club: Club, held_on: date) -> None:
    form = StandByForm(club, request.POST)
    if not form.is_valid():
        messages.error(request, "Choose someone from the list.")
        return
    player = form.cleaned_data["player"]
    ask = partial(services.ask_to_come, club=club, held_on=held_on, asked_by=request.user)
    acts: dict[str, Callable[..., object]] = {
        "ask": ask,
        "add": partial(services.set_stand_by, is_glad=True),
        "drop": partial(services.set_stand_by, is_glad=False),
    }
    try:
        acts[form.cleaned_data["act"]](player=player)
    except Refused as refused:
        messages.error(request, str(refused))


def _message(
    request: ClubRequest, club: Club, found: rows.FillingIn, asked: rows.Asked
) -> rows.Message:
    when = weekday_and_date(found.held_on)
    if found.day:
        time = time_of_day(found.day.starts_at)
        when = ", ".join(part for part in (when, time, found.day.place) if part)
    return rows.message_to(
        asked,
        club=club.name,
        when=when,
        link=request.build_absolute_uri(reverse("standby-answer", args=[asked.key])),
        sender=str(request.user),
    )


MEMBERS, WISH_LIST = ("Members", "members"), ("Seating preferences", "wishes")
TITLES = {
    WishKind.APART: "Keep apart",
    WishKind.TOGETHER: "Seat together",
    WishKind.HELPER: "Beginner and helper",
    WishKind.TABLE: "Fixed table",
}
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


@door(MANAGE_WISHES)
def wishes(request: ClubRequest, club: Club) -> HttpResponse:
    """Every wish, and the ways to a new one."""
    rows = wish_list(club, timezone.localdate())
    context = framed(
        club,
        "members",
        groups=[(TITLES[kind], [row for row in rows if row.kind == kind]) for kind in WishKind],
        has_wishes=bool(rows),
        ways=[(kind.value, TITLES[kind], NOTES[kind]) for kind in WishKind],
    )
    return render(request, "clubs/wishes.html", context)


@door(MANAGE_WISHES)
def add_wish(request: ClubRequest, club: Club, kind: str) -> HttpResponse:
    """A new wish of one kind."""
    if kind not in WishKind.values:
        raise Http404
    chosen = WishKind(kind)
    form = WishForm(club, chosen, request.POST or None)
    if form.is_valid() and _is_noted(request, club, chosen, form):
        return redirect("wishes", club.slug)
    context: dict[str, Any] = {"form": form, "title": TITLES[chosen], "note": NOTES[chosen]}
    context["breadcrumbs"] = trail(club, MEMBERS, WISH_LIST, here=str(TITLES[chosen]))
    status = UNPROCESSABLE if form.errors else 200
    return render(request, "clubs/wish_add.html", framed(club, "members", **context), status=status)


def _is_noted(request: ClubRequest, club: Club, kind: WishKind, form: WishForm) -> bool:
    try:
        seating.add_wish(club=club, kind=kind, made_by=request.user, **form.cleaned_data)
    except Refused as refused:
        add_problems(form, refused)
        return False
    messages.success(request, "Preference saved. It will be used the next time you seat people.")
    return True


@door(MANAGE_WISHES)
@require_POST
def remove_wish(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """One wish is heeded no more."""
    seating.take_back_wish(wish=get_object_or_404(club.wishes, pk=pk))
    messages.success(request, "Preference deleted.")
    return redirect("wishes", club.slug)
