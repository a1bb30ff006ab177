"""Hands that a phone kept while there was no network: sent one by one, answered for a script."""

from datetime import datetime, timedelta
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, JsonResponse
from django.template.loader import render_to_string
from django.utils import timezone

from clubs.forms.hands import HandForm
from clubs.rows import HandView
from clubs.tablepages.page import TablePage
from clubs.tablepages.tiled import refuse_changed_tiles
from clubs.tablepages.undoing import was_taken_back
from scoring.scorebook import services as scorebook
from scoring.scorebook.models import Hand
from scoring.scorebook.refusals import AlreadyStands, Refused
from scoring.scorebook.selectors import hand_row

NOT_NOW = frozenset({"after_the_bell", "after_the_end", "game_closed", "round_not_open"})
KEPT_AT_MOST = timedelta(hours=12)


def send(request: HttpRequest, page: TablePage) -> JsonResponse:
    """Save a kept hand: 201 saved, 200 was there, 409 another stands, 422 faulty, 403 not now.

    Nothing that stands is written over. Whatever is not saved is answered with what to show.
    """
    form = page.form(request.POST)
    try:
        told = _post(request, page, form)
    except AlreadyStands as stands:
        return _stands(request, page, form, stands.hand)
    except Refused as refused:
        form.offer(refused)
        is_late = any(problem.code in NOT_NOW for problem in refused.problems)
        status = HTTPStatus.FORBIDDEN if is_late else HTTPStatus.UNPROCESSABLE_ENTITY
        return _refused(request, page, form, status)
    if told is None:
        return _refused(request, page, form, HTTPStatus.UNPROCESSABLE_ENTITY)
    if scorebook.is_taken_back(told.hand):
        messages.warning(request, was_taken_back(page, told.hand))
    return _saved(form, told)


def _post(request: HttpRequest, page: TablePage, form: HandForm) -> scorebook.Recorded | None:
    """The stored hand, None for a form with mistakes."""
    if not form.is_valid():
        return None
    refuse_changed_tiles(request.POST, page)
    return page.post(
        submission_id=form.cleaned_data["submission_id"],
        number=form.cleaned_data["number"],
        report=form.report,
        sent_by=page.sent_by,
        entered_at=entered_at(request.POST.get("kept_for", ""), now=timezone.now()),
    )


def entered_at(kept_for: str, *, now: datetime) -> datetime:
    """When a hand was entered that a phone has kept for so many seconds.

    The phone's own clock may be wrong; how long it has waited is not. Nonsense counts as now.
    """
    seconds = int(kept_for) if kept_for.isdecimal() and len(kept_for) <= 6 else 0
    return now - min(timedelta(seconds=seconds), KEPT_AT_MOST)


def _saved(form: HandForm, told: scorebook.Recorded) -> JsonResponse:
    saved = {"saved": str(form.cleaned_data["submission_id"]), "number": told.hand.number}
    return JsonResponse(saved, status=HTTPStatus.CREATED if told.is_new else HTTPStatus.OK)


def _stands(request: HttpRequest, page: TablePage, form: HandForm, hand: Hand) -> JsonResponse:
    """What stands, and a button that says it is not right; for a hand that waits on the phone."""
    shown = {"hand": HandView(hand_row(hand), page.view.names), "talk": page.talks.get(hand.pk)}
    return _answer(request, page, form, HTTPStatus.CONFLICT, **shown)


def _refused(
    request: HttpRequest, page: TablePage, form: HandForm, status: HTTPStatus
) -> JsonResponse:
    """Why not; what was typed may be changed, as the hand that is next now."""
    typed = form.typed | {"number": str(page.next_number)}
    return _answer(request, page, form, status, typed=typed, is_late=status == HTTPStatus.FORBIDDEN)


def _answer(
    request: HttpRequest, page: TablePage, form: HandForm, status: HTTPStatus, **shown: Any
) -> JsonResponse:
    context = {"page": page, "form": form, **shown}
    told = {
        "problems": form.errors.get_json_data(),
        "page": render_to_string("tables/_kept_trouble.html", context, request),
    }
    return JsonResponse(told, status=status)
