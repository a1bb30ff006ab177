"""Pages of seating: by hand, by standing, changed and explained."""

import json
from collections.abc import Callable, Sequence
from typing import Any

from django.contrib import messages
from django.db.models import prefetch_related_objects
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path
from django.views.decorators.http import require_POST, require_safe

from clubs.core.access import ClubRequest, requires, secret_link_view
from clubs.core.forms import Overtaken, ShownState, add_problems, shown_state
from clubs.core.pages import attachment, render_form, save_if_valid
from clubs.language.words import count_words
from clubs.models import Club
from clubs.models.names import TABLE_READER, Reader
from clubs.seats.selectors import personal_seating
from scoring.scorebook.refusals import ProblemLike, Refused, refuse
from tournaments.core import (
    RUN_TOURNAMENT,
    SEE_TOURNAMENT,
    UNPROCESSABLE,
    file_name_of,
    find_by_wall_key,
    get_tournament_or_404,
    tournament_context,
)
from tournaments.models import Drawing, Tournament
from tournaments.rounds.selectors import entry_list, last_change
from tournaments.rounds.steps import seating_state, state_for
from tournaments.seating import selectors as rows
from tournaments.seating.forms import (
    PlanChoiceForm,
    PlanForm,
    SeatsForm,
    SubstituteForm,
    SwapForm,
    TakeOverForm,
)
from tournaments.seating.selectors import round_by_hand, seated_rounds, seating_csv
from tournaments.seating.services import (
    by_hand as services_by_hand,
    changes as services_changes,
    seating,
)

SEATING_PATH = "c/<slug:club>/tournaments/<int:pk>/seating/"


@requires(
    RUN_TOURNAMENT, "seated {round} of {tournament} by hand", log_for="POST api-seating-by-hand"
)
def seat_by_hand(request: ClubRequest, club: Club, pk: int, round: int) -> HttpResponse:  # noqa: A002
    """Seat a round that has not begun by hand; shows its cost before it is saved."""
    tournament = get_tournament_or_404(club, pk)
    manual_round = round_by_hand(tournament, round)
    if manual_round is None:
        raise Http404
    mark = services_by_hand.round_digest(tournament, round)
    form = SeatsForm(manual_round, mark, request.POST if request.method == "POST" else None)
    if "save" in request.POST:
        change = save_if_valid(
            form,
            lambda: services_by_hand.seat_by_hand(
                tournament=tournament,
                written_round=form.written_round(),
                mark=form.cleaned_data["mark"],
                made_by=_made_by(request),
            ),
        )
        if change:
            messages.success(request, f"{change.what}. This is the new seating.")
            return redirect("seating-why", club.slug, pk)
    weighed_plan = None
    if not form.errors:
        weighed_plan = save_if_valid(
            form,
            lambda: services_by_hand.weigh_plan(
                tournament=tournament, written_rounds=[form.written_round()]
            ),
        )
    context = tournament_context(
        request, tournament, "seating-by-hand", form=form, there=manual_round, weighed=weighed_plan
    )
    if request.htmx:
        return render(request, "tournaments/seating/_by_hand_cost.html", context)
    return render_form(request, "tournaments/seating/by_hand.html", context, form)


def _made_by(request: ClubRequest) -> str:
    return f"user {request.user.pk}"


@requires(RUN_TOURNAMENT, "imported the seating of {tournament}", log_for="POST api-seating-list")
def import_seating(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Import a whole plan: previewed with its cost, then seated."""
    tournament = get_tournament_or_404(club, pk)
    form = PlanForm(request.POST or None, request.FILES or None)
    weighed_plan = None
    if form.is_valid():
        form, weighed_plan = _read_plan(request, tournament, form)
        if weighed_plan and "seat" in request.POST:
            messages.success(request, "Seating imported. Check below how fair it is.")
            return redirect("seating-why", club.slug, pk)
    now = ShownState("seating-list", state_for(tournament, "seating-list"))
    context = tournament_context(
        request, tournament, "seating-list", form=form, weighed=weighed_plan, now=now
    )
    return render_form(request, "tournaments/seating/list.html", context, form)


def _read_plan(
    request: ClubRequest, tournament: Tournament, form: PlanForm
) -> tuple[PlanForm, services_by_hand.WeighedPlan | None]:
    """The form with its text, and the plan's cost; seats it if requested."""
    fields = {"text": form.cleaned_data["text"], "rest": form.cleaned_data["rest"]}
    plan_form = PlanForm(fields)
    plan_form.full_clean()
    try:
        written_rounds = services_by_hand.read_plan(fields["text"], rests=fields["rest"])
        weighed_plan = services_by_hand.weigh_plan(
            tournament=tournament, written_rounds=written_rounds
        )
        if "seat" in request.POST:
            services_by_hand.seat_as_written(
                tournament=tournament,
                written_rounds=written_rounds,
                made_by=_made_by(request),
                page_state=shown_state("seating-list", request.POST),
            )
    except Refused as refused:
        add_problems(plan_form, refused)
        return plan_form, None
    return plan_form, weighed_plan


@requires(RUN_TOURNAMENT)
def download_seating(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The seating as CSV that can be edited in a spreadsheet and imported again."""
    tournament = get_tournament_or_404(club, pk)
    seating_plan = seated_rounds(tournament, reader=request.reader)
    return attachment(seating_csv(seating_plan), f"{file_name_of(tournament, 'seating')}.csv")


@requires(
    RUN_TOURNAMENT,
    "seated a round of {tournament} by standings",
    log_for="POST api-round-by-standing",
)
def seat_by_standing(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Preview the next round by standing; on POST, save it as previewed."""
    tournament = get_tournament_or_404(club, pk)
    if request.method != "POST":
        return _render_proposal(request, tournament)
    mark, made_by = request.POST.get("mark", ""), _made_by(request)
    try:
        change = seating.seat_by_standing(tournament=tournament, made_by=made_by, mark=mark)
    except Refused as refused:
        return _render_proposal(request, tournament, refused.problems)
    messages.success(request, f"{change.what}.")
    return redirect("tournament", club.slug, pk)


def _render_proposal(
    request: ClubRequest, tournament: Tournament, problems: Sequence[ProblemLike] = ()
) -> HttpResponse:
    try:
        proposal, why_not = seating.preview_round(tournament=tournament), ""
    except Refused as not_now:
        proposal, why_not = None, str(not_now)
    fields = {"shown": proposal, "why_not": why_not, "refused": problems}
    context = tournament_context(
        request, tournament, "tournament", last=last_change(tournament), **fields
    )
    status = UNPROCESSABLE if problems else 200
    return render(request, "tournaments/seating/by_standing.html", context, status=status)


@requires(
    RUN_TOURNAMENT,
    {
        "": "changed the seating of {tournament}",
        "swap": "swapped {entrant<swap-one} and {entrant<swap-other} in {tournament}",
        "substitute": "changed the substitute for {entrant<substitute-entrant} in {tournament}",
    },
    log_for=("POST api-seating-swap", "POST api-seating-substitute"),
)
def seating_changes(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    tournament, form_name = get_tournament_or_404(club, pk), request.POST.get("way", "")
    prefetch_related_objects([tournament], "rounds")
    forms = {
        "swap": SwapForm(tournament, request.POST if form_name == "swap" else None),
        "substitute": SubstituteForm(
            tournament, request.POST if form_name == "substitute" else None
        ),
    }
    if form_name in forms and _make_change(request, tournament, forms[form_name], form_name):
        return redirect("seating-changes", club.slug, pk)
    last = last_change(tournament)
    now = ShownState("seating-changes", seating_state(tournament, last))
    extra_context = {"now": now, "entries": entry_list(tournament), "last": last}
    context = tournament_context(
        request, tournament, "seating-changes", forms=forms, **extra_context
    )
    return render_form(request, "tournaments/seating/changes.html", context, *forms.values())


@requires(RUN_TOURNAMENT)
@require_safe
def reseating_options(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The ways to seat the remaining rounds for the current players, with their costs."""
    tournament = get_tournament_or_404(club, pk)
    try:
        choices = services_changes.weigh_reseating(tournament=tournament)
    except Refused as refused:
        messages.error(request, str(refused))
        return redirect("seating-changes", club.slug, pk)
    now = ShownState("seating-changes", seating_state(tournament, last_change(tournament)))
    context = tournament_context(request, tournament, "seating-changes", choices=choices, now=now)
    return render(request, "tournaments/seating/reseating.html", context)


@requires(
    RUN_TOURNAMENT,
    "let {entrant<newcomer} take over the places of {entrant<leaver} in {tournament}",
    log_for="POST api-seating-takeover",
)
@require_POST
def take_over(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Give a newcomer the places of someone who has left."""

    def act(tournament: Tournament) -> str:
        form = TakeOverForm(tournament, request.POST)
        if not form.is_valid():
            raise refuse("invalid_choice", "Choose who has left and who takes over.")
        made_by, page_state = _made_by(request), shown_state("seating-changes", request.POST)
        return services_changes.take_over(
            tournament=tournament, made_by=made_by, page_state=page_state, **form.cleaned_data
        ).what

    return _run_change(request, club, pk, act)


@requires(
    RUN_TOURNAMENT, "reseated the remaining rounds of {tournament}", log_for="POST api-seating-anew"
)
@require_POST
def reseat(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    def act(tournament: Tournament) -> str:
        form = PlanChoiceForm(request.POST)
        plan = form.cleaned_data["plan"] if form.is_valid() else ""
        made_by, page_state = _made_by(request), shown_state("seating-anew", request.POST)
        return services_changes.reseat_rounds(
            tournament=tournament, made_by=made_by, plan=plan, page_state=page_state
        ).what

    return _run_change(request, club, pk, act)


@requires(RUN_TOURNAMENT, "undid a seating change in {tournament}", log_for="POST api-seating-undo")
@require_POST
def undo_change(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    def act(tournament: Tournament) -> str:
        page_state = shown_state("seating-undo", request.POST)
        change = services_changes.undo_change(tournament=tournament, page_state=page_state)
        return f"Undone: {change.what}"

    return _run_change(request, club, pk, act)


def _run_change(
    request: ClubRequest, club: Club, pk: int, act: Callable[[Tournament], str]
) -> HttpResponse:
    try:
        messages.success(request, f"{act(get_tournament_or_404(club, pk))}.")
    except Refused as refused:
        messages.error(request, str(refused))
    return redirect("seating-changes", club.slug, pk)


def _make_change(request: ClubRequest, tournament: Tournament, form: Form, form_name: str) -> bool:
    """Whether the change was made; otherwise the form says why not."""
    if not form.is_valid():
        return False
    fields = {**form.cleaned_data, "page_state": shown_state("seating-changes", request.POST)}
    try:
        if form_name == "swap":
            made_by = _made_by(request)
            change = services_changes.swap(tournament=tournament, made_by=made_by, **fields)
            messages.success(request, f"{change.what}.")
        else:
            count = services_changes.set_substitute(tournament=tournament, **fields)
            plays = f"{fields['entrant'].name} plays without a substitute"
            if fields["name"]:
                plays = f"{fields['name']} is playing for {fields['entrant'].name}"
            later_note = (
                _later_rounds_note(tournament) if fields["name"] and fields["goes_on"] else ""
            )
            messages.success(request, f"{plays} in {count_words(count, 'round')}.{later_note}")
    except Refused as refused:
        if isinstance(refused, Overtaken) and refused.is_done:
            messages.info(request, str(refused))
            return True
        add_problems(form, refused)
        return False
    return True


def _later_rounds_note(tournament: Tournament) -> str:
    """What a substitute who goes on is told of rounds that have no seats yet; empty without any."""
    planned_count, seated_count = tournament.rounds_planned, tournament.rounds.count()
    if seated_count >= planned_count:
        return ""
    if seated_count == planned_count - 1 and tournament.has_final:
        return " The final is drawn later: add them again when it is seated."
    is_one = seated_count == planned_count - 1
    rounds = (
        f"Round {planned_count} is"
        if is_one
        else f"Rounds {seated_count + 1} to {planned_count} are"
    )
    return f" {rounds} drawn later: add them again when a round is seated."


@requires(SEE_TOURNAMENT)
def seating_explanation(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """How fair the seating is and why; with ``?name=``, also for one player."""
    tournament = get_tournament_or_404(club, pk)
    extra_context = _explanation_context(request, tournament, request.reader)
    extra_context |= {"drawings": rows.drawings_of(tournament), "last": last_change(tournament)}
    return render(
        request,
        "tournaments/seating/why.html",
        tournament_context(request, tournament, "seating-why", **extra_context),
    )


@secret_link_view
def public_explanation(request: HttpRequest, key: str) -> HttpResponse:
    """The same for anyone with the wall's link; people are named by first names at least."""
    tournament = find_by_wall_key(key)
    if tournament is None:
        return render(request, "tournaments/unknown.html", status=404)
    context = {"tournament": tournament, **_explanation_context(request, tournament, TABLE_READER)}
    return render(request, "tournaments/seating/why_open.html", context)


def _explanation_context(
    request: HttpRequest, tournament: Tournament, reader: Reader
) -> dict[str, Any]:
    seating_plan, name = rows.seated_rounds(tournament, reader=reader), request.GET.get("name", "")
    explanation = seating_plan.explanation()
    return {
        "why": explanation,
        "person": personal_seating(explanation, name),
        "picture": explanation.picture(name),
        "changes": rows.changes_by_hand(tournament, seating_plan),
    }


@requires(RUN_TOURNAMENT)
def download_drawing(request: ClubRequest, club: Club, pk: int, drawing: int) -> HttpResponse:  # noqa: ARG001
    """The drawing's request, for the seating's command line."""
    drawing_request = get_object_or_404(
        Drawing, pk=drawing, tournament=get_tournament_or_404(club, pk)
    ).asked
    text = json.dumps(drawing_request, ensure_ascii=False, indent=1)
    return attachment(text, "draw.json", "application/json")


urlpatterns = [
    path(f"{SEATING_PATH}changes/", seating_changes, name="seating-changes"),
    path(f"{SEATING_PATH}changes/anew/", reseat, name="seating-anew"),
    path(f"{SEATING_PATH}changes/ways/", reseating_options, name="seating-ways"),
    path(f"{SEATING_PATH}changes/takeover/", take_over, name="seating-takeover"),
    path(f"{SEATING_PATH}standing/", seat_by_standing, name="round-by-standing"),
    path(f"{SEATING_PATH}changes/undo/", undo_change, name="seating-undo"),
    path(f"{SEATING_PATH}why/", seating_explanation, name="seating-why"),
    path("e/<slug:key>/why/", public_explanation, name="why-open"),
    path(f"{SEATING_PATH}draws/<int:drawing>.json", download_drawing, name="seating-draw-json"),
    path(f"{SEATING_PATH}by-hand/<int:round>/", seat_by_hand, name="seating-by-hand"),
    path(f"{SEATING_PATH}list/", import_seating, name="seating-list"),
    path(f"{SEATING_PATH}list.csv", download_seating, name="seating-csv"),
]
