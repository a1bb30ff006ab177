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
    ShownState,
    add_problems,
    overtaken_refusal,
    refuse_overtaken,
    save_unless_overtaken,
    shown_state,
)
from clubs.core.locks import lock_club
from clubs.core.pages import (
    SETTINGS_STEP,
    attachment,
    breadcrumbs,
    club_context,
    member_breadcrumbs,
    render_form,
    run_action,
)
from clubs.core.people_names import active_records
from clubs.core.permissions import MANAGE_MEMBERS, SEE_CLUB
from clubs.models import Club, Player
from clubs.privacy import services
from clubs.privacy.forms import EraseForm, TimetableForm, initial_months
from clubs.privacy.selectors import erasure
from clubs.privacy.selectors.data_export import (
    personal_data,
    personal_data_json,
    personal_data_page,
)

PRIVACY_URL = "c/<slug:club>/settings/privacy/"
PERSON_URL = "c/<slug:club>/members/<int:pk>/personal-data/"


@requires(MANAGE_MEMBERS, "turned on the retention schedule")
def retention_schedule(request: ClubRequest, club: Club) -> HttpResponse:
    """The club's retention schedule, what it deletes next, and what it has deleted."""
    schedule, today = erasure.retention_state(club), timezone.localdate()
    form = TimetableForm(schedule.terms, request.POST or None)
    if save_unless_overtaken(
        form,
        _schedule_event(club),
        lock=lambda: _lock_schedule(club, form, shown_state("keeping", request.POST)),
        current=lambda: initial_months(erasure.retention_state(club).terms),
        save=lambda: services.agree_to_schedule(club=club, terms=form.cleaned_data, today=today),
    ):
        messages.success(request, "Saved. The schedule starts tomorrow.")
        return redirect("keeping", club.slug)
    context = club_context(
        club,
        "settings",
        form=form,
        now=ShownState("keeping", erasure.schedule_state(schedule)),
        timetable=schedule,
        due=erasure.due_deletion(club, schedule.terms, schedule.next_run(today)),
        gone=erasure.past_deletions(club),
        backup=backup_news(),
        breadcrumbs=breadcrumbs(club, SETTINGS_STEP, title="Privacy and data"),
    )
    return render_form(request, "clubs/privacy/retention.html", context, form)


def _lock_schedule(club: Club, form: TimetableForm, page_state: ShownState) -> None:
    """Lock the club; refused where someone has turned the schedule on or off since.

    What was typed stays. Months that someone else has turned on are shown at their fields.
    """
    lock_club(club.pk)
    now = erasure.retention_state(club)
    if not page_state.state or page_state.state == erasure.schedule_state(now):
        return
    refusal = overtaken_refusal(_schedule_event(club), page_state)
    current = initial_months(now.terms)
    add_problems(form, refusal)
    if now.next_on:
        refuse_overtaken(form, _schedule_event(club), current)
    form.show_beside(current, form.fields)
    raise refusal


def _schedule_event(club: Club) -> Event:
    return Event(club, "club", club.pk, {"keeping": "", "keeping-stop": ""})


@requires(MANAGE_MEMBERS, "turned off the retention schedule")
@require_POST
def stop_schedule(request: ClubRequest, club: Club) -> HttpResponse:
    services.stop_schedule(club=club)
    messages.success(request, "Automatic deletion is off.")
    return redirect("keeping", club.slug)


@requires(MANAGE_MEMBERS, "deleted {player}’s personal data")
def erase_person(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """What would be deleted and kept; deletes once the name is typed."""
    player = get_object_or_404(active_records(club).select_related("club"), pk=pk)
    form = EraseForm(player.name, request.POST or None)
    if form.is_valid() and run_action(
        request,
        lambda: services.erase_player(
            player=player, today=timezone.localdate(), made_by=request.user
        ),
        lambda erased_player: f"Personal data deleted. Results now show “{erased_player.name}”.",
    ):
        return redirect("members", club.slug)
    context = club_context(
        player.club,
        "members",
        player=player,
        form=form,
        preview=erasure.erasure_preview(player),
        why_not=erasure.erasure_refusal(player),
        breadcrumbs=member_breadcrumbs(player.club, player, title="Delete personal data"),
    )
    return render_form(request, "clubs/privacy/erase.html", context, form)


@requires(SEE_CLUB)
def show_personal_data(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """What is in the file, with links to save it."""
    player = _get_person(request, club, pk)
    is_own = request.reader.player == player.pk
    context = club_context(
        club,
        "account" if is_own else "members",
        player=player,
        dossier=personal_data(player),
        is_own=is_own,
        may_manage=request.has_permission(MANAGE_MEMBERS),
        breadcrumbs=[] if is_own else member_breadcrumbs(club, player, title="Personal data"),
    )
    return render(request, "clubs/privacy/everything.html", context)


@requires(SEE_CLUB)
def download_personal_data(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The data as an HTML file."""
    player = _get_person(request, club, pk)
    content, name = personal_data_page(personal_data(player)), f"{club.slug}-everything.html"
    return attachment(content, name, "text/html; charset=utf-8")


@requires(SEE_CLUB)
def download_personal_data_json(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The data as JSON, for other programs."""
    player = _get_person(request, club, pk)
    content, name = personal_data_json(personal_data(player)), f"{club.slug}-everything.json"
    return attachment(content, name, "application/json")


def _get_person(request: ClubRequest, club: Club, pk: int) -> Player:
    """The person, for themselves and for the secretary."""
    if request.reader.player != pk:
        refusal = "Only the person and the secretary can see personal data."
        request.require(MANAGE_MEMBERS, refusal=refusal)
    return get_object_or_404(active_records(club).select_related("club"), pk=pk)


urlpatterns = [
    path(PRIVACY_URL, retention_schedule, name="keeping"),
    path(f"{PRIVACY_URL}stop/", stop_schedule, name="keeping-stop"),
    path(f"{PERSON_URL}delete/", erase_person, name="member-erase"),
    path(PERSON_URL, show_personal_data, name="everything"),
    path(f"{PERSON_URL}file/", download_personal_data, name="everything-file"),
    path(f"{PERSON_URL}data/", download_personal_data_json, name="everything-data"),
]
