"""A hand's receipt: a page of its own, open to whoever holds its address, with no power at all."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from clubs.selectors.receipts import receipt_of
from clubs.tablepages.page import TablePage
from scoring.scorebook.links import address_of, hand_at
from scoring.scorebook.models import Hand

PageOf = Callable[[Hand], TablePage | None]


def to_receipt(_request: HttpRequest, page: TablePage, hand: int) -> HttpResponse:
    """From a table's page to the receipt of one of its hands."""
    found = get_object_or_404(page.game.hands, pk=hand)
    return redirect(page.receipt(address_of(found)))


def show_receipt(request: HttpRequest, code: str, page_of: PageOf) -> HttpResponse:
    """The receipt of that address; a sentence where there is none."""
    hand = hand_at(code)
    page = page_of(hand) if hand else None
    if hand is None or page is None:
        return render(request, "tables/no_receipt.html", status=404)
    receipt = receipt_of(hand, page.whole)
    instead = receipt.undone.instead if receipt.undone else ""
    context = {
        "club": page.extra["club"],
        "receipt": receipt,
        "hand": receipt.hand,
        "address": request.build_absolute_uri(request.path),
        "instead": page.receipt(instead) if instead else "",
        "before": page.receipt(receipt.before) if receipt.before else "",
    }
    return render(request, "tables/receipt.html", context)
