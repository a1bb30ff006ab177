"""The repair wizard: what happened, which hands, what it changes, why; then it is done."""

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from clubs.core.forms import add_problems
from clubs.forms.hands import places_of, told_of
from clubs.forms.repairs import (
    FiguresForm,
    ReasonForm,
    RepairForm,
    SeatsForm,
    SheetsForm,
    WinnerForm,
)
from clubs.services.repairs import tried_out
from clubs.tablepages.page import UNPROCESSABLE
from clubs.tablepages.repairs import Workshop, changes, in_names, in_words
from clubs.tablepages.telling import retold, with_figure
from scoring.scorebook import services as scorebook
from scoring.scorebook.models import RepairKind
from scoring.scorebook.refusals import Refused
from scoring.scorebook.reports import Report

LOOKING: Final = "only looked at"
ASKED_OF: Final = {
    RepairKind.SEATS: "who sat in each other’s seats, and when?",
    RepairKind.FIGURES: "whose scores were swapped, and when?",
    RepairKind.SHEETS: "which table’s score sheet was swapped with this one?",
}
NOT_CARRIED: Final = {"csrfmiddlewaretoken", "step", "reason", "mark"}


def repair(request: HttpRequest, workshop: Workshop) -> HttpResponse:
    """One step of the wizard: what is asked for next, or what was done."""
    page = workshop.page
    if not page.may_change:
        messages.error(request, page.closed_because)
        return redirect(page.address)
    told = request.POST if request.method == "POST" else request.GET
    kind, step = told.get("kind", ""), request.POST.get("step", "")
    form = _form(workshop, kind, told, is_sent=request.method == "POST")
    if form is None:
        return _show(request, workshop, "which_hand" if kind == RepairKind.WINNER else "what")
    if request.method != "POST" or step.startswith(("change", "tell:")) or not form.is_valid():
        return _ask(request, workshop, kind, form)
    return _done(request, workshop, form) if step == "save" else _look(request, workshop, form)


def _form(workshop: Workshop, kind: str, told: Any, *, is_sent: bool) -> RepairForm | None:
    """The question of that kind of repair; none where it is not known which."""
    view, data = workshop.page.view, told if is_sent else None
    if kind == RepairKind.WINNER:
        return _winner_form(workshop, told, data)
    if kind == RepairKind.SHEETS:
        others = workshop.beside()
        most = max((len(one.game.hands) for one in others.values()), default=0)
        names = {
            key: f"{one.title}: {', '.join(one.names.values())}" for key, one in others.items()
        }
        return SheetsForm(names, range(1, max(most, len(view.hands)) + 1), data)
    if kind == RepairKind.SEATS:
        return SeatsForm(view.names, view.hands, data)
    return FiguresForm(view.names, view.hands, data) if kind == RepairKind.FIGURES else None


def _winner_form(workshop: Workshop, told: Any, data: Any) -> WinnerForm | None:
    page = workshop.page
    found = next((one for one in page.view.hands if str(one.row.number) == told.get("hand")), None)
    if found is None:
        return None
    if data is not None:
        is_told_otherwise = data.get("step", "").startswith("tell:")
        data = None if is_told_otherwise else with_figure(data)
    initial = told_of(found.row) if data is None else None
    if told.get("step", "").startswith("tell:"):
        initial = retold(told)
    before = Report.from_json(found.row.report).had
    return WinnerForm(
        places_of(found.row.winds, page.view.names),
        found.row,
        data,
        initial=initial,
        rules=page.rules,
        had=page.had(found.row.number) | dict(before),
    )


def _act(workshop: Workshop, form: RepairForm) -> Callable[..., scorebook.Repaired]:
    """The repair that the form asks for, as yet without a reason."""
    mistake = form.mistake(workshop.page.game.pk)
    words = in_words(mistake, workshop.tables)
    return partial(workshop.repair, mistake=mistake, words=words, made_by=workshop.page.sent_by)


def _look(
    request: HttpRequest,
    workshop: Workshop,
    form: RepairForm,
    reason: ReasonForm | None = None,
) -> HttpResponse:
    """Step 3: everything that would change, done and taken back again in one go."""
    try:
        act = partial(_act(workshop, form), reason=LOOKING)
        trial = tried_out(act, workshop.rankings)
    except Refused as refused:
        add_problems(form, in_names(refused, workshop.tables))
        return _ask(request, workshop, str(request.POST["kind"]), form)
    carried = [(name, value) for name, value in request.POST.items() if name not in NOT_CARRIED]
    return _show(
        request,
        workshop,
        "consequences",
        words=trial.done.repair.words,
        changes=changes(workshop, trial.done),
        moved=trial.moved,
        mark=trial.done.mark,
        carried=carried,
        form=reason or ReasonForm(),
        status=UNPROCESSABLE if reason else 200,
    )


def _done(request: HttpRequest, workshop: Workshop, form: RepairForm) -> HttpResponse:
    """Step 4: done as it was looked at; looked at again where the game has moved on."""
    reason = ReasonForm(request.POST)
    if not reason.is_valid():
        return _look(request, workshop, form, reason)
    try:
        done = _act(workshop, form)(
            reason=reason.cleaned_data["reason"], mark=request.POST.get("mark", "")
        )
    except Refused as refused:
        add_problems(reason, in_names(refused, workshop.tables))
        return _look(request, workshop, form, reason)
    messages.success(request, f"Corrected. {done.repair.words}")
    return redirect(workshop.page.address)


def _ask(request: HttpRequest, workshop: Workshop, kind: str, form: RepairForm) -> HttpResponse:
    """Step 2: which players, which hands, which table."""
    return _show(
        request,
        workshop,
        "winner" if kind == RepairKind.WINNER else "question",
        kind=kind,
        asked=ASKED_OF.get(RepairKind(kind)),
        form=form,
        status=UNPROCESSABLE if form.errors else 200,
    )


def _show(
    request: HttpRequest, workshop: Workshop, step: str, *, status: int = 200, **context: Any
) -> HttpResponse:
    page = workshop.page
    context = {"page": page, "workshop": workshop, **page.extra, **context}
    return render(request, f"tables/repair_{step}.html", context, status=status)
