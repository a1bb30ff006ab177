"""The steps of a tournament and the ways back: each is previewed, then taken."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path
from django.views.decorators.http import require_POST

from clubs.core.access import ClubRequest, requires
from clubs.core.forms import Overtaken, ShownState, ShownTextField, shown_state
from clubs.core.pages import run_action
from clubs.language.words import count_words
from clubs.models import Club
from scoring.scorebook.refusals import ProblemLike, Refused
from tournaments.core import (
    RUN_TOURNAMENT,
    TOURNAMENT_PATH,
    UNPROCESSABLE,
    get_tournament_or_404,
    tournament_context,
)
from tournaments.models import Tournament
from tournaments.results import services as results_services
from tournaments.rounds.selectors import open_tables
from tournaments.rounds.steps import state_for
from tournaments.seating.services import seating
from tournaments.steps import deleting, services
from tournaments.steps.selectors import Preflight, preflight

# The pages that lead to a step, where it is not the desk.
PREVIOUS_PAGES = {"publish": "standings", "delete": "tournament-settings"}


class ReasonForm(forms.Form):
    """Why a step is taken back; whether a reason is good enough the service says."""

    use_required_attribute = False  # the page says what is missing, not the browser
    reason = ShownTextField(
        label="Reason",
        help_text="The reason is shown on the director’s desk.",
        widget=forms.TextInput(attrs={"maxlength": 200}),
    )


class StepRoute(NamedTuple):
    """A step: its path and URL name, its words in the activity log, its function and message.

    ``next_page`` is the page that follows.
    """

    path: str
    url_name: str
    log: str
    act: Callable[..., object]
    message: str
    next_page: str = "tournament"
    asks_why: bool = False


STEP_ROUTES = {
    "seat": StepRoute(
        "seat/", "tournament-seat", "seated {tournament}", seating.seat_rounds, "Seating drawn."
    ),
    "clear": StepRoute(
        "clear/",
        "tournament-clear",
        "cleared the seating of {tournament}",
        seating.clear_rounds,
        "Seating cleared. Entries are open again.",
    ),
    "start": StepRoute(
        "start/",
        "round-start",
        "started {round<round} of {tournament}",
        services.start_round,
        "Round started. Tables can now enter hands.",
    ),
    "unstart": StepRoute(
        "start/undo/",
        "round-unstart",
        "undid the start of {round<round} of {tournament}",
        services.unstart_round,
        "Round start undone.",
    ),
    "close": StepRoute(
        "close/",
        "round-close",
        "closed {round<round} of {tournament}",
        services.close_round,
        "Round closed.",
    ),
    "reopen": StepRoute(
        "close/undo/",
        "round-reopen",
        "reopened {round<round} of {tournament}",
        services.reopen_round,
        "Round reopened. Tables can enter hands again.",
        asks_why=True,
    ),
    "finish": StepRoute(
        "finish/",
        "tournament-finish",
        "finished {tournament}",
        services.finish_tournament,
        "Tournament finished. The standings are final.",
    ),
    "resume": StepRoute(
        "finish/undo/",
        "tournament-reopen",
        "reopened {tournament}",
        services.reopen_tournament,
        "Tournament reopened.",
        asks_why=True,
    ),
    "publish": StepRoute(
        "results/publish/",
        "results-publish",
        "published the results of {tournament}",
        results_services.publish_results,
        "Results published.",
        "standings",
    ),
}


def take_step(request: ClubRequest, club: Club, pk: int, name: str) -> HttpResponse:
    """Preview of a step with warnings; on POST, take it."""
    tournament, route = get_tournament_or_404(club, pk), STEP_ROUTES[name]
    form = ReasonForm(request.POST or None) if route.asks_why else None
    if request.method != "POST":
        return _render_preview(request, tournament, name, form)
    fields: dict[str, object] = {}
    if form is not None:
        reason = form.cleaned_data["reason"] if form.is_valid() else ""
        fields = {"reason": reason, "made_by": f"user {request.user.pk}"}
    if name == "start":
        fields["clock_waits"] = request.POST.get("clock") == "waits"
    try:
        route.act(
            tournament=tournament,
            page_state=shown_state(_act_name(request), request.POST),
            **fields,
        )
    except Refused as refused:
        if not isinstance(refused, Overtaken) or not refused.is_done:
            return _render_preview(
                request, get_tournament_or_404(club, pk), name, form, refused.problems
            )
        messages.info(request, str(refused))
    else:
        messages.success(request, route.message)
    return redirect(route.next_page, club.slug, pk)


def _render_preview(
    request: ClubRequest,
    tournament: Tournament,
    name: str,
    form: forms.Form | None,
    problems: Sequence[ProblemLike] = (),
) -> HttpResponse:
    """The preview; the form's state is read first, so that nothing comes in between."""
    state, value = state_for(tournament, _act_name(request)), preflight(tournament, name)
    now = ShownState(_act_name(request), state, value.round)
    return render_preflight(
        request, tournament, value, form, problems, now, PREVIOUS_PAGES.get(name, "tournament")
    )


def _act_name(request: ClubRequest) -> str:
    return str(request.resolver_match.url_name) if request.resolver_match else ""


@requires(
    RUN_TOURNAMENT,
    "deleted the tournament {called<name} of {day<held_on}",
    log_for="DELETE api-tournament-detail",
)
def delete_by_mistake(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Say what goes with it, then delete a tournament made by mistake."""
    tournament = get_tournament_or_404(club, pk)
    if request.method != "POST":
        return _render_preview(request, tournament, "delete", None)
    try:
        page_state = shown_state(_act_name(request), request.POST)
        message = deleting.delete_tournament(tournament=tournament, page_state=page_state)
    except Refused as refused:
        return _render_preview(request, tournament, "delete", None, refused.problems)
    messages.success(request, message)
    return redirect("tournaments", club.slug)


@requires(RUN_TOURNAMENT, "closed {table} of {tournament} where play had stopped")
@require_POST
def stop_table(request: ClubRequest, club: Club, pk: int, number: int) -> HttpResponse:
    """Mark a table that keeps the round open as stopped: what it has played counts."""
    table = get_object_or_404(open_tables(get_tournament_or_404(club, pk)), number=number)
    try:
        services.stop_table(table=table, page_state=shown_state(_act_name(request), request.POST))
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, f"Table {number} has stopped. Its points count as they are.")
    return redirect("round-close", club.slug, pk)


@requires(
    RUN_TOURNAMENT,
    "stopped all tables of {tournament} that were still playing",
    log_for="POST api-stop-tables",
)
@require_POST
def stop_all_tables(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Mark every table that keeps the round open as stopped, but for those with a dispute."""
    tournament = get_tournament_or_404(club, pk)
    run_action(
        request,
        lambda: services.stop_tables(
            tournament=tournament, page_state=shown_state(_act_name(request), request.POST)
        ),
        lambda numbers: (
            f"{count_words(len(numbers), 'table')} stopped. Their points count as they are."
            if numbers
            else "No table was still playing."
        ),
    )
    return redirect("round-close", club.slug, pk)


def render_preflight(
    request: ClubRequest,
    tournament: Tournament,
    preflight: Preflight,
    form: forms.Form | None = None,
    problems: Sequence[ProblemLike] = (),
    now: ShownState | None = None,
    place: str = "tournament",
) -> HttpResponse:
    """The preview with its form; after a refusal, with the reasons.

    ``place`` is the url name of the page that leads here: its tab, and where Cancel goes.
    """
    extra_context = {
        "preflight": preflight,
        "form": form,
        "refused": problems,
        "now": now,
        "place": place,
    }
    context = tournament_context(request, tournament, place, **extra_context)
    status = UNPROCESSABLE if problems else 200
    return render(request, "tournaments/steps/before.html", context, status=status)


urlpatterns = [
    path(f"{TOURNAMENT_PATH}delete/", delete_by_mistake, name="tournament-delete"),
    path(f"{TOURNAMENT_PATH}close/stopped/", stop_all_tables, name="close-stopped-all"),
    path(f"{TOURNAMENT_PATH}close/stopped/<int:number>/", stop_table, name="close-stopped"),
    *(
        path(
            f"{TOURNAMENT_PATH}{route.path}",
            requires(RUN_TOURNAMENT, route.log, log_for=f"POST api-{route.url_name}")(take_step),
            {"name": name},
            name=route.url_name,
        )
        for name, route in STEP_ROUTES.items()
    ),
]
