"""The scorer's page of one hand: let it stand, or say what it should be."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from clubs.forms.hands import CorrectionForm, Place, keeping_tiles, places_of, told_of
from clubs.rows import HandView
from clubs.tablepages.page import UNPROCESSABLE, TablePage
from clubs.tablepages.telling import retold, with_figure
from scoring.scorebook import services as scorebook
from scoring.scorebook.models import Hand
from scoring.scorebook.refusals import Refused
from scoring.scorebook.reports import Report
from scoring.scorebook.selectors import hand_row


def correct(request: HttpRequest, page: TablePage, hand: int) -> HttpResponse:
    """The scorer's page of one hand: let it stand, or say what it should be."""
    if request.POST.get("step") == "uphold":
        return _uphold(request, page, hand)
    found = next((view for view in page.view.hands if view.row.pk == hand), None)
    if found is None:
        messages.error(request, "That hand has just been corrected. This is the current version.")
        return redirect(page.address)
    if request.method == "POST":
        return _correct(request, page, found)
    return _correction(request, page, found, _form(page, found, None, told_of(found.row)))


def _form(
    page: TablePage, found: HandView, data: Any, initial: Mapping[str, Any] | None = None
) -> CorrectionForm:
    before = Report.from_json(found.row.report).had
    had = page.had(found.row.number) | dict(before)
    return CorrectionForm(_places(page, found), data, initial, rules=page.rules, had=had)


def _uphold(request: HttpRequest, page: TablePage, hand: int) -> HttpResponse:
    try:
        upheld = page.decide(
            hand_id=hand, reason=request.POST.get("reason", ""), made_by=page.sent_by
        )
    except Hand.DoesNotExist as missing:
        raise Http404 from missing
    except Refused as refused:
        messages.error(request, str(refused))
        return redirect(request.path)
    messages.success(
        request, f"Hand {upheld.number} kept as entered. The table can see your reason."
    )
    return redirect(page.address)


def _places(page: TablePage, hand: HandView) -> tuple[Place, ...]:
    return places_of(hand.row.winds, page.view.names)


def _correct(request: HttpRequest, page: TablePage, found: HandView) -> HttpResponse:
    step = request.POST.get("step", "")
    if step.startswith("tell:"):
        return _correction(request, page, found, _form(page, found, None, retold(request.POST)))
    form = _form(page, found, with_figure(request.POST))
    if step == "change" or not form.is_valid():
        return _correction(request, page, found, form)
    report = keeping_tiles(form.report, found.row)
    try:
        if step != "save":
            moved = scorebook.preview_correction(hand_id=found.row.pk, report=report)
            return _correction(request, page, found, form, moved=moved)
        page.correct(
            hand_id=found.row.pk,
            report=report,
            corrected_by=page.sent_by,
            reason=form.cleaned_data["reason"],
        )
    except Refused as refused:
        form.offer(refused)
        return _correction(request, page, found, form)
    messages.success(request, f"Hand {found.row.number} corrected.")
    return redirect(page.address)


def _correction(
    request: HttpRequest,
    page: TablePage,
    found: HandView,
    form: CorrectionForm,
    *,
    moved: Sequence[scorebook.Replacement] = (),
) -> HttpResponse:
    pairs = [
        (HandView(hand_row(one.old), page.view.names), HandView(hand_row(one.new), page.view.names))
        for one in moved
    ]
    return render(
        request,
        "tables/correct.html",
        {"page": page, "form": form, "hand": found, "moved": pairs}
        | {"talk": page.talks.get(found.row.pk), **page.extra},
        status=UNPROCESSABLE if form.errors else 200,
    )
