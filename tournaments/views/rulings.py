"""The director rules at a table: penalties on the published scale, adjustments, taking back."""

from uuid import uuid4

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from clubs.core.access import ClubRequest, door
from clubs.core.forms import add_problems
from clubs.core.page_context import framed
from clubs.models import Club
from scoring.scorebook.editions import rule_set
from scoring.scorebook.refusals import Refused
from scoring.transfers import scale
from tournaments import services
from tournaments.models import Table, TournamentState
from tournaments.permissions import RUN_TOURNAMENT
from tournaments.ruling_form import RulingForm
from tournaments.selectors import desk as rows
from tournaments.selectors.rulings import rulings_at, scale_rows
from tournaments.views.tables import table_at, table_trail

UNPROCESSABLE = 422


@door(RUN_TOURNAMENT)
def rulings(request: ClubRequest, club: Club, **where: int) -> HttpResponse:
    """What the rules' scale says, a new ruling, and every ruling at this table."""
    table = table_at(club, **where)
    form = _form(request, table)
    if form.is_valid() and _rule(request, table, form):
        return redirect(request.path)
    context = framed(
        club,
        "tournaments",
        breadcrumbs=table_trail(table, here="Penalties and rulings"),
        table=table,
        form=form,
        scale=scale_rows(table),
        rulings=rulings_at(table),
        may_rule=table.round.tournament.state != TournamentState.FINISHED,
        rulings_url=request.path,
    )
    status = UNPROCESSABLE if form.errors else 200
    return render(request, "tournaments/rulings.html", context, status=status)


@door(RUN_TOURNAMENT)
@require_POST
def take_back(request: ClubRequest, club: Club, ruling: int, **where: int) -> HttpResponse:
    """A ruling holds no longer; its points go back."""
    held = get_object_or_404(table_at(club, **where).rulings, pk=ruling)
    try:
        services.take_back(
            ruling=held,
            reason=request.POST.get("reason", ""),
            ruled_by=f"user {request.user.pk}",
            submission_id=uuid4(),
        )
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, "Ruling cancelled and its points reversed.")
    return redirect(reverse("table-rulings", kwargs={"club": club.slug, **where}))


def _form(request: ClubRequest, table: Table) -> RulingForm:
    rules = rule_set(table.game.rules)
    return RulingForm(
        request.POST if request.method == "POST" else None,
        scale=scale(rules),
        names=rows.names_at(table),
        pays=rules.zero_sum,
    )


def _rule(request: ClubRequest, table: Table, form: RulingForm) -> bool:
    """Whether it is ruled; otherwise the form says why not."""
    case = services.Case(
        table=table,
        seat=form.cleaned_data["seat"],
        reason=form.cleaned_data["reason"],
        ruled_by=f"user {request.user.pk}",
        submission_id=form.cleaned_data["submission_id"],
    )
    try:
        services.rule_at_table(case=case, **form.ruling)
    except Refused as refused:
        add_problems(form, refused)
        return False
    messages.success(request, "Ruling saved.")
    return True
