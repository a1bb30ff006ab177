"""The entry list to and from a spreadsheet."""

from collections.abc import Sequence

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render

from clubs.core.access import ClubRequest, door
from clubs.core.forms import add_problems
from clubs.models import Club
from scoring.scorebook.refusals import Refused
from tournaments import services
from tournaments.exports import entries_csv
from tournaments.forms.entries import EntryListForm
from tournaments.models import Tournament
from tournaments.permissions import RUN_TOURNAMENT
from tournaments.views.pages import UNPROCESSABLE, about, find


@door(RUN_TOURNAMENT)
def read_in(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Many entrants at once: first shown as they were read, then entered."""
    tournament = find(club, pk)
    form = EntryListForm(request.POST or None, request.FILES or None)
    entries: Sequence[services.Entry] = ()
    if form.is_valid():
        form, entries = _read(tournament, form)
        if entries and "enter" in request.POST:
            services.enter_entries(tournament=tournament, entries=entries)
            messages.success(
                request,
                "1 entry imported." if len(entries) == 1 else f"{len(entries)} entries imported.",
            )
            return redirect("entrants", club.slug, pk)
    context = about(request, tournament, "entrants", form=form, entries=entries)
    status = UNPROCESSABLE if form.errors else 200
    return render(request, "tournaments/read_in.html", context, status=status)


def _read(
    tournament: Tournament, form: EntryListForm
) -> tuple[EntryListForm, list[services.Entry]]:
    """The form with the text in it, and the entries; none where anything is wrong with them."""
    shown = EntryListForm({"text": form.cleaned_data["text"]})
    shown.full_clean()
    try:
        entries = services.read_entries(form.cleaned_data["text"])
        if problems := services.preview_entries(tournament=tournament, entries=entries):
            raise Refused(problems)
    except Refused as refused:
        add_problems(shown, refused)
        return shown, []
    return shown, entries


@door(RUN_TOURNAMENT)
def take_along(request: ClubRequest, club: Club, pk: int) -> HttpResponse:  # noqa: ARG001
    """The entry list as a file for a spreadsheet."""
    content = entries_csv(find(club, pk))
    name = f"{club.slug}-tournament-{pk}-entries.csv"
    return HttpResponse(
        content,
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
