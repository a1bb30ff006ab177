"""A repair is taken back: what that changes first, then it is done."""

from functools import partial

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from clubs.services.repairs import tried_out
from clubs.tablepages.repairs import Workshop, changes, in_names, repair_at
from scoring.scorebook.refusals import Refused


def restore(request: HttpRequest, workshop: Workshop, repair: int) -> HttpResponse:
    """The page before a repair is taken back; sent, it is."""
    page = workshop.page
    found = repair_at(page.game, repair)
    if found is None:
        raise Http404
    act = partial(workshop.undo, repair=found, undone_by=page.sent_by)
    try:
        if request.method == "POST":
            act()
            messages.success(request, f"Correction undone: {found.words}")
            return redirect(page.address)
        trial = tried_out(act, workshop.rankings)
    except Refused as refused:
        messages.error(request, str(in_names(refused, workshop.tables)))
        return redirect(page.address)
    context = {
        "page": page,
        "repair": found,
        "changes": changes(workshop, trial.done),
        "moved": trial.moved,
        **page.extra,
    }
    return render(request, "tables/repair_back.html", context)
