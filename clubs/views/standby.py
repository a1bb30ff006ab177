"""Filling a table at short notice: the secretary asks, whoever has the link answers."""

from collections.abc import Callable
from datetime import date
from functools import partial

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone

from clubs.core.access import ClubRequest, by_sealed_link, door, opened
from clubs.core.page_context import framed
from clubs.core.permissions import RUN_EVENING
from clubs.forms.standby import AnswerForm, StandByForm
from clubs.language.moments import time_of_day, weekday_and_date
from clubs.models import Club
from clubs.selectors import standby as rows
from clubs.selectors.calendar import club_year
from clubs.services import standby as services
from scoring.scorebook.refusals import Refused

LIST = ("Evenings", "evenings")


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
