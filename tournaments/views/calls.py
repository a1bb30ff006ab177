"""A table calls the director from its phone; the desk says that someone is there."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from clubs.core.access import ClubRequest, door
from clubs.core.audit_log import last_deed
from clubs.language.moments import moment
from clubs.models import Club
from scoring.scorebook.refusals import Refused
from tournaments import services
from tournaments.forms.steps import AnsweredForm, CallForm
from tournaments.models import Table
from tournaments.permissions import ENTER_TABLE_HANDS
from tournaments.views.tables import call_part, table_at, with_table


@with_table
def call(request: HttpRequest, table: Table) -> HttpResponse:
    """Call the director, or say that nobody is needed; asked by the page itself, how it stands."""
    if request.method != "POST":
        return render(request, "tables/_call.html", call_part(table))
    try:
        _call(request, table)
    except Refused as refused:
        messages.error(request, str(refused))
    return redirect("round-table", table.link_key)


def _call(request: HttpRequest, table: Table) -> None:
    if request.POST.get("step") == "cancel":
        services.answer_call(table=table, answered_by=f"round table {table.pk}")
        return
    form = CallForm(request.POST)
    what = form.cleaned_data["what"] if form.is_valid() else ""
    services.call_director(table=table, what=what)


@door(ENTER_TABLE_HANDS)
@require_POST
def answered(request: ClubRequest, club: Club, **where: int) -> HttpResponse:
    """Someone is at the table that called."""
    table = table_at(club, **where)
    form = AnsweredForm(request.POST)
    call = form.cleaned_data["call"] if form.is_valid() else None
    if services.answer_call(table=table, answered_by=f"user {request.user.pk}", call=call):
        messages.success(request, f"Call from table {table.number} dealt with.")
    else:
        at = {"round": where["round"], "number": where["number"]}
        last = last_deed(club, "tournament", where["pk"], ["table-call-answered"], **at)
        who, when = (last.who, f", at {moment(last.at)}") if last else ("Someone", "")
        messages.info(request, f"{who} has already dealt with table {table.number}{when}.")
    return redirect("tournament", club.slug, where["pk"])
