"""What the seats say of a hand: it is right, or it is not."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from clubs.forms.verdicts import NotRightForm
from clubs.rows import HandView
from clubs.tablepages.page import UNPROCESSABLE, TablePage
from scoring.scorebook.models import Hand, HandState
from scoring.scorebook.refusals import Refused


def agree(request: HttpRequest, page: TablePage, hand: int) -> HttpResponse:
    """One seat, or at the table's own link everyone, says that the hand is right."""
    seat = page.seat or _told_seat(request)
    try:
        judged = page.say(
            hand_id=hand,
            seats=None if seat is None else {seat},
            agrees=True,
            shown=request.POST.get("shown", ""),
            said_by=page.sent_by,
        )
    except Hand.DoesNotExist as missing:
        raise Http404 from missing
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, _agreed(page, judged, seat))
    return redirect(page.address)


def _told_seat(request: HttpRequest) -> int | None:
    """The seat whose button was pressed; None: all of them at once."""
    seat = request.POST.get("seat", "")
    return int(seat) if seat in {"1", "2", "3", "4", "5"} else None


def _agreed(page: TablePage, hand: Hand, seat: int | None) -> str:
    if hand.state == HandState.AGREED:
        return f"Hand {hand.number} agreed by the table."
    who = "You have" if page.seat else f"{page.view.names.get(seat or 0, 'Everyone')} has"
    return f"{who} agreed to hand {hand.number}."


def dispute(request: HttpRequest, page: TablePage, hand: int) -> HttpResponse:
    """Who says that the hand is not right, and what is wrong with it."""
    talk = page.talks.get(hand)
    if talk is None or not page.may_change:
        messages.error(request, _cannot_say(page))
        return redirect(page.address)
    voices = [(one.seat, one.name) for one in talk.voices]
    start = {"shown": talk.shown, "words": request.GET.get("words", "")}
    told = request.POST if request.method == "POST" else None
    form = NotRightForm(voices, page.seat, told, initial=start)
    if told is not None and form.is_valid() and _told(request, page, talk.hand, form):
        return redirect(page.address)
    return render(
        request,
        "tables/not_right.html",
        {"page": page, "talk": talk, "hand": talk.hand, "form": form, **page.extra},
        status=UNPROCESSABLE if form.errors else 200,
    )


def _cannot_say(page: TablePage) -> str:
    return page.closed_because or "That hand has just been changed. This is the current version."


def _told(request: HttpRequest, page: TablePage, hand: HandView, form: NotRightForm) -> bool:
    """Whether it was written down; if not, the form says why and keeps the words."""
    try:
        page.say(
            hand_id=hand.row.pk,
            seats={form.speaker},
            agrees=False,
            shown=form.cleaned_data["shown"],
            said_by=page.sent_by,
            note=form.note,
        )
    except Refused as refused:
        form.add_error(None, str(refused))
        form.show_again(page.talks[hand.row.pk].shown)
        return False
    said = f"Hand {hand.row.number} reported. The scorer will check it."
    messages.success(request, said)
    return True
