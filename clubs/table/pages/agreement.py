"""Agreeing to, disputing, deciding, correcting and taking back a hand."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from clubs.core.pages import pressed
from clubs.language.moments import time_of_day
from clubs.table import services
from clubs.table.event import hand_of_table
from clubs.table.forms.hands import (
    CorrectionForm,
    as_data,
    blank_hand,
    keeping_tiles,
    places_of,
    typed_again,
    with_figure,
)
from clubs.table.forms.repairs import NotRightForm
from clubs.table.pages.table import UNPROCESSABLE, TablePage
from clubs.table.rows import HandView
from scoring.scorebook import services as scorebook
from scoring.scorebook.models import Hand, HandState
from scoring.scorebook.refusals import Refused
from scoring.scorebook.reports import Report
from scoring.scorebook.selectors import hand_row


def agree(request: HttpRequest, page: TablePage, hand: int) -> HttpResponse:
    """Agree to the hand, for one seat or, at the table's own link, for everyone."""
    pressed = request.POST.get("seat", "")
    seat = page.seat or (int(pressed) if pressed in {"1", "2", "3", "4", "5"} else None)

    def said(judged: Hand) -> str:
        if judged.state == HandState.AGREED:
            return f"Hand {judged.number} agreed by the table."
        who = "You have" if page.seat else f"{page.view.names.get(seat or 0, 'Everyone')} has"
        return f"{who} agreed to hand {judged.number}."

    say = partial(
        services.say,
        table=page.event,
        hand_id=hand,
        seats=None if seat is None else {seat},
        agrees=True,
        shown=request.POST.get("shown", ""),
        said_by=page.sent_by,
    )
    _pressed(request, say, said)
    return redirect(page.address)


def _pressed(
    request: HttpRequest, act: Callable[[], Hand], message: str | Callable[[Hand], str] = ""
) -> bool:
    """As ``pressed``; raises ``Http404`` for a hand of another table."""
    with hand_of_table():
        return pressed(request, act, message)


def dispute(request: HttpRequest, page: TablePage, hand: int) -> HttpResponse:
    """Dispute a hand: who objects, and what is wrong."""
    review = page.reviews.get(hand)
    if review is None or not page.may_change:
        changed = "That hand has just been changed. This is the current version."
        messages.error(request, page.closed_because or changed)
        return redirect(page.address)
    voices = [(voice.seat, voice.name) for voice in review.voices]
    start = {"shown": review.shown, "words": request.GET.get("words", "")}
    query = request.POST if request.method == "POST" else None
    form = NotRightForm(voices, page.seat, query, initial=start)
    if query is not None and form.is_valid() and _save_dispute(request, page, review.hand, form):
        return redirect(page.address)
    return render(
        request,
        "clubs/table/not_right.html",
        {"page": page, "review": review, "hand": review.hand, "form": form, **page.extra},
        status=UNPROCESSABLE if form.errors else 200,
    )


def _save_dispute(
    request: HttpRequest, page: TablePage, hand: HandView, form: NotRightForm
) -> bool:
    """Whether it was stored; if not, the form says why and keeps the words."""
    try:
        services.say(
            table=page.event,
            hand_id=hand.row.pk,
            seats={form.speaker},
            agrees=False,
            shown=form.cleaned_data["shown"],
            said_by=page.sent_by,
            note=form.note,
        )
    except Refused as refused:
        form.add_error(None, str(refused))
        form.show_again(page.reviews[hand.row.pk].shown)
        return False
    messages.success(request, f"Hand {hand.row.number} reported. The scorer will check it.")
    return True


def take_back(request: HttpRequest, page: TablePage, hand: int) -> HttpResponse:
    """Explain what taking the hand back does; confirmed, take it back."""
    review = page.reviews.get(hand)
    if request.method != "POST" and review is not None:
        context = {"page": page, "review": review, "hand": review.hand, **page.extra}
        return render(request, "clubs/table/take_back.html", context)
    undo = partial(services.take_back, table=page.event, hand_id=hand, taken_by=page.sent_by)
    if request.method == "POST" and not _pressed(request, undo):
        return redirect(page.address)
    return redirect(f"{page.address}?again={hand}")


def typed_before(request: HttpRequest, page: TablePage) -> dict[str, Any]:
    """Initial data after ``?again=``: the hand that was taken back, to correct."""
    gone = page.gone_now
    if gone is None or request.GET.get("again") != str(gone.hand.pk):
        return {}
    return {**as_data(gone.hand), **blank_hand(page.next_number)}


def was_taken_back(page: TablePage, hand: Hand) -> str:
    """The message to a phone that resends a hand which the table has taken back."""
    gone = next(taken_back for taken_back in page.gone if taken_back.hand.pk == hand.pk)
    return (
        f"Hand {hand.number} was undone at {time_of_day(gone.taken_at)}, "
        "so this entry does not count. If the hand was played, enter it again."
    )


def correct(request: HttpRequest, page: TablePage, hand: int) -> HttpResponse:
    """The scorer's page of one hand: confirm it as entered, or correct it."""
    if request.POST.get("step") == "uphold":
        reason = request.POST.get("reason", "")
        uphold = partial(
            services.decide, table=page.event, hand_id=hand, reason=reason, made_by=page.sent_by
        )
        said = "Hand {0.number} kept as entered. The table can see your reason."
        is_upheld = _pressed(request, uphold, said.format)
        return redirect(page.address if is_upheld else request.path)
    view = next((view for view in page.view.hands if view.row.pk == hand), None)
    if view is None:
        messages.error(request, "That hand has just been corrected. This is the current version.")
        return redirect(page.address)
    if request.method == "POST":
        return _correct(request, page, view)
    return _correction(request, page, view, _form(page, view, None, as_data(view.row)))


def _form(
    page: TablePage, view: HandView, data: Any, initial: Mapping[str, Any] | None = None
) -> CorrectionForm:
    before = Report.from_json(view.row.report).had
    had = page.had(view.row.number) | dict(before)
    return CorrectionForm(
        places_of(view.row.winds, page.view.names), data, initial, rules=page.rules, had=had
    )


def _correct(request: HttpRequest, page: TablePage, view: HandView) -> HttpResponse:
    step = request.POST.get("step", "")
    if step.startswith("tell:"):
        return _correction(request, page, view, _form(page, view, None, typed_again(request.POST)))
    form = _form(page, view, with_figure(request.POST))
    if step == "change" or not form.is_valid():
        return _correction(request, page, view, form)
    report = keeping_tiles(form.report, view.row)
    try:
        if step != "save":
            moved = scorebook.preview_correction(hand_id=view.row.pk, report=report)
            return _correction(request, page, view, form, moved=moved)
        services.correct_hand(
            table=page.event,
            hand_id=view.row.pk,
            report=report,
            corrected_by=page.sent_by,
            reason=form.cleaned_data["reason"],
        )
    except Refused as refused:
        form.offer(refused)
        return _correction(request, page, view, form)
    messages.success(request, f"Hand {view.row.number} corrected.")
    return redirect(page.address)


def _correction(
    request: HttpRequest,
    page: TablePage,
    view: HandView,
    form: CorrectionForm,
    *,
    moved: Sequence[scorebook.Replacement] = (),
) -> HttpResponse:
    pairs = [
        tuple(HandView(hand_row(hand), page.view.names) for hand in (moves.old, moves.new))
        for moves in moved
    ]
    return render(
        request,
        "clubs/table/correct.html",
        {"page": page, "form": form, "hand": view, "moved": pairs}
        | {"review": page.reviews.get(view.row.pk), **page.extra},
        status=UNPROCESSABLE if form.errors else 200,
    )
