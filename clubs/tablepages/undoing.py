"""The last hand is taken back by the table, after one look at what that means."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from clubs.forms.hands import blank_hand, told_of
from clubs.language.moments import time_of_day
from clubs.tablepages.page import TablePage
from scoring.scorebook.models import Hand
from scoring.scorebook.refusals import Refused


def take_back(request: HttpRequest, page: TablePage, hand: int) -> HttpResponse:
    """What taking the hand back means; and, pressed once more, it is done."""
    talk = page.talks.get(hand)
    if request.method != "POST" and talk is not None:
        context = {"page": page, "talk": talk, "hand": talk.hand, **page.extra}
        return render(request, "tables/take_back.html", context)
    try:
        if request.method == "POST":
            page.take_back(hand_id=hand, taken_by=page.sent_by)
    except Hand.DoesNotExist as missing:
        raise Http404 from missing
    except Refused as refused:
        messages.error(request, str(refused))
        return redirect(page.address)
    return redirect(f"{page.address}?again={hand}")


def typed_before(request: HttpRequest, page: TablePage) -> dict[str, Any]:
    """What the form starts with after ``?again=``: the hand that was taken back, to be mended."""
    gone = page.gone_now
    if gone is None or request.GET.get("again") != str(gone.hand.pk):
        return {}
    return {**told_of(gone.hand), **blank_hand(page.next_number)}


def was_taken_back(page: TablePage, hand: Hand) -> str:
    """What a phone reads that sends a hand once more which the table has taken back."""
    gone = next(one for one in page.gone if one.hand.pk == hand.pk)
    return (
        f"Hand {hand.number} was undone at {time_of_day(gone.taken_at)}, "
        "so this entry does not count. If the hand was played, enter it again."
    )
