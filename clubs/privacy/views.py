"""What the club keeps about its people: the schedule, personal data, and one person erased."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path
from django.utils import timezone
from django.views.decorators.http import require_POST

from clubs.backup.archive import backup_news
from clubs.core.access import ClubRequest, requires
from clubs.core.forms import (
    Event,
    Shown,
    add_problems,
    as_shown,
    overtaken,
    refuse_overtaken,
    save_over,
)
from clubs.core.locks import lock_club
from clubs.core.pages import (
    SETTINGS_TRAIL,
    attachment,
    form_page,
    framed,
    member_trail,
    pressed,
    trail,
)
from clubs.core.people_names import active_records
from clubs.core.permissions import MANAGE_MEMBERS, SEE_CLUB
from clubs.models import Club, Player
from clubs.privacy import services
from clubs.privacy.forms import EraseForm, TimetableForm, initial_months
from clubs.privacy.selectors import erasure
from clubs.privacy.selectors.data_export import dossier, everything_json, everything_page

PRIVACY = "c/<slug:club>/settings/privacy/"
PERSON = "c/<slug:club>/members/<int:pk>/personal-data/"


@requires(MANAGE_MEMBERS, "turned on the retention schedule")
def kept(request: ClubRequest, club: Club) -> HttpResponse:
    """The club's retention schedule, what it deletes next, and what it has deleted."""
    schedule, today = erasure.timetable(club), timezone.localdate()
    form = TimetableForm(schedule.terms, request.POST or None)
    if save_over(
        form,
        _schedule(club),
        lock=lambda: _lock_schedule(club, form, as_shown("keeping", request.POST)),
        current=lambda: initial_months(erasure.timetable(club).terms),
        save=lambda: services.agree(club=club, terms=form.cleaned_data, today=today),
    ):
        messages.success(request, "Saved. The schedule starts tomorrow.")
        return redirect("keeping", club.slug)
    context = framed(
        club,
        "settings",
        form=form,
        now=Shown("keeping", erasure.schedule_state(schedule)),
        timetable=schedule,
        due=erasure.due(club, schedule.terms, schedule.next_run(today)),
        gone=erasure.log_of(club),
        backup=backup_news(),
        breadcrumbs=trail(club, SETTINGS_TRAIL, here="Privacy and data"),
    )
    return form_page(request, "clubs/privacy/retention.html", context, form)


def _lock_schedule(club: Club, form: TimetableForm, shown: Shown) -> None:
    """Lock the club; refused where someone has turned the schedule on or off since.

    What was typed stays. Months that someone else has turned on are shown at their fields.
    """
    lock_club(club.pk)
    now = erasure.timetable(club)
    if not shown.state or shown.state == erasure.schedule_state(now):
        return
    refused, current = overtaken(_schedule(club), shown), initial_months(now.terms)
    add_problems(form, refused)
    if now.next_on:
        refuse_overtaken(form, _schedule(club), current)
    form.show_beside(current, form.fields)
    raise refused


def _schedule(club: Club) -> Event:
    return Event(club, "club", club.pk, {"keeping": "", "keeping-stop": ""})


@requires(MANAGE_MEMBERS, "turned off the retention schedule")
@require_POST
def stop(request: ClubRequest, club: Club) -> HttpResponse:
    services.stop(club=club)
    messages.success(request, "Automatic deletion is off.")
    return redirect("keeping", club.slug)


@requires(MANAGE_MEMBERS, "deleted {player}’s personal data")
def erase(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """What would be deleted and kept; deletes once the name is typed."""
    player = get_object_or_404(active_records(club).select_related("club"), pk=pk)
    form = EraseForm(player.name, request.POST or None)
    if form.is_valid() and pressed(
        request,
        lambda: services.erase_player(
            player=player, today=timezone.localdate(), made_by=request.user
        ),
        lambda erased: f"Personal data deleted. Results now show “{erased.name}”.",
    ):
        return redirect("members", club.slug)
    context = framed(
        player.club,
        "members",
        player=player,
        form=form,
        preview=erasure.erasure_preview(player),
        why_not=erasure.what_forbids(player),
        breadcrumbs=member_trail(player.club, player, here="Delete personal data"),
    )
    return form_page(request, "clubs/privacy/erase.html", context, form)


@requires(SEE_CLUB)
def page(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """What is in the file, with links to save it."""
    player = _theirs(request, club, pk)
    is_own = request.reader.player == player.pk
    context = framed(
        club,
        "account" if is_own else "members",
        player=player,
        dossier=dossier(player),
        is_own=is_own,
        may_manage=request.may(MANAGE_MEMBERS),
        breadcrumbs=[] if is_own else member_trail(club, player, here="Personal data"),
    )
    return render(request, "clubs/privacy/everything.html", context)


@requires(SEE_CLUB)
def file(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The data as an HTML file."""
    player = _theirs(request, club, pk)
    content, name = everything_page(dossier(player)), f"{club.slug}-everything.html"
    return attachment(content, name, "text/html; charset=utf-8")


@requires(SEE_CLUB)
def data(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The data as JSON, for other programs."""
    player = _theirs(request, club, pk)
    content, name = everything_json(dossier(player)), f"{club.slug}-everything.json"
    return attachment(content, name, "application/json")


def _theirs(request: ClubRequest, club: Club, pk: int) -> Player:
    """The person, for themselves and for the secretary."""
    if request.reader.player != pk:
        refusal = "Only the person and the secretary can see personal data."
        request.require(MANAGE_MEMBERS, refusal=refusal)
    return get_object_or_404(active_records(club).select_related("club"), pk=pk)


urlpatterns = [
    path(PRIVACY, kept, name="keeping"),
    path(f"{PRIVACY}stop/", stop, name="keeping-stop"),
    path(f"{PERSON}delete/", erase, name="member-erase"),
    path(PERSON, page, name="everything"),
    path(f"{PERSON}file/", file, name="everything-file"),
    path(f"{PERSON}data/", data, name="everything-data"),
]
