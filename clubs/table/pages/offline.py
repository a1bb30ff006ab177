"""What a phone keeps, and sends once the network is back."""

from datetime import datetime, timedelta
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone

from clubs.core.access import open_to_all
from clubs.table.forms.hands import HandForm
from clubs.table.pages.agreement import was_taken_back
from clubs.table.pages.table import TablePage
from clubs.table.pages.tile_entry import refuse_changed_tiles
from clubs.table.rows import HandView
from clubs.table.selectors.receipts import is_replaced, was_link_of
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


def no_table(request: HttpRequest, *, key: str, is_void: bool) -> HttpResponse:
    """410 where the link was replaced, else 404: a sentence and what to do."""
    if is_void or is_replaced(key):
        return render(request, "tables/replaced.html", status=HTTPStatus.GONE)
    return render(request, "tables/unknown.html", status=HTTPStatus.NOT_FOUND)


def nothing_sent(request: HttpRequest, *, key: str, is_void: bool) -> HttpResponse:
    """The same for the script that sends kept hands: they stay on the phone for the new card."""
    if is_void or is_replaced(key):
        page = render_to_string("tables/_kept_replaced.html", request=request)
        return JsonResponse({"problems": {}, "page": page}, status=HTTPStatus.GONE)
    return no_table(request, key=key, is_void=False)


def formerly(request: HttpRequest, table: object, old: str) -> HttpResponse:  # noqa: ARG001
    """Whether the old link was this table's: 204, and a phone sends what it kept under it here."""
    is_its_own = was_link_of(old, getattr(table, "link_key", ""))
    return HttpResponse(status=HTTPStatus.NO_CONTENT if is_its_own else HTTPStatus.NOT_FOUND)


@open_to_all
def worker(request: HttpRequest) -> HttpResponse:
    """Served beside the tables' links, because it serves nothing above itself."""
    return render(request, "table_worker.js", content_type="text/javascript")
