"""A list of members read in: looked at first, stored with one press, taken back with one."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST

from clubs.core.access import ClubRequest, door
from clubs.core.forms import add_problems
from clubs.core.page_context import framed, trail
from clubs.core.permissions import MANAGE_MEMBERS
from clubs.forms.members import ImportForm
from clubs.forms.members_preview import PreviewForm, TextForm
from clubs.models import Club, MemberImport
from clubs.selectors.people_imports import imports_of
from clubs.services import importing
from clubs.services.importing_plan import plan_import
from scoring.scorebook.refusals import Refused

UNPROCESSABLE = 422
LIST = ("Members", "members")


@door(MANAGE_MEMBERS)
def read_in(request: ClubRequest, club: Club) -> HttpResponse:
    """Choose a list; what is wrong with it is said line by line, else it is shown first."""
    form = ImportForm(request.POST or None, request.FILES or None)
    if form.is_valid():
        text = form.cleaned_data["text"]
        try:
            planned = plan_import(club=club, text=text)
        except Refused as refused:
            form = form.showing_the_text()
            add_problems(form, refused)
        else:
            file = request.FILES.get("file")
            told = {"text": text, "file_name": file.name if file else ""}
            return _preview(request, club, PreviewForm(planned, initial=told))
    context = _context(club, "Import members", form=form, imports=imports_of(club))
    status = UNPROCESSABLE if form.errors else 200
    return render(request, "clubs/members_import.html", context, status=status)


@door(MANAGE_MEMBERS)
@require_POST
def store(request: ClubRequest, club: Club) -> HttpResponse:
    """Store the list as the preview says and as was chosen there."""
    asked = TextForm(request.POST)
    if not asked.is_valid():
        return redirect("members-import", club.slug)
    text = asked.cleaned_data["text"]
    try:
        form = PreviewForm(plan_import(club=club, text=text), request.POST)
        if form.is_valid():
            return _store(request, club, form)
    except Refused as refused:
        messages.error(request, " ".join(problem.sentence for problem in refused.problems))
        return redirect("members-import", club.slug)
    return _preview(request, club, form)


def _store(request: ClubRequest, club: Club, form: PreviewForm) -> HttpResponse:
    told = {name: form.cleaned_data[name] for name in ("text", "file_name")}
    try:
        made = importing.import_members(
            club=club, choices=form.choices(), made_by=request.user, **told
        )
    except Refused as refused:
        add_problems(form, refused)
        return _preview(request, club, form)
    added, changed = len(made.added), len(made.before) - len(made.added)
    people = "person is" if added == 1 else "people are"
    messages.success(request, f"{added} {people} new on the list, {changed} changed.")
    return redirect("members", club.slug)


@door(MANAGE_MEMBERS)
@require_POST
def take_back(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Everyone as they were before the list was read in."""
    made = get_object_or_404(MemberImport, club=club, pk=pk)
    try:
        importing.undo_import(made=made)
    except Refused as refused:
        messages.error(
            request,
            "This import can no longer be undone, so nothing has changed. "
            + " ".join(problem.sentence for problem in refused.problems),
        )
        return redirect("members-import", club.slug)
    messages.success(request, "Import undone. Everyone is as they were before.")
    return redirect("members", club.slug)


def _preview(request: ClubRequest, club: Club, form: PreviewForm) -> HttpResponse:
    context = _context(club, "Check your import", form=form)
    status = UNPROCESSABLE if form.errors else 200
    return render(request, "clubs/members_preview.html", context, status=status)


def _context(club: Club, here: str, **told: object) -> dict[str, object]:
    return framed(club, "members", breadcrumbs=trail(club, LIST, here=here), **told)
