"""Links of a table: one for each seat, a new card, receipts and the live result."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse

from clubs.models import Club
from clubs.table.pages.table import TablePage
from clubs.table.rows import SeatRow
from clubs.table.selectors.receipts import receipt_of
from clubs.table.services import replace_link
from scoring.scorebook.history import address_of, hand_at
from scoring.scorebook.models import Hand


@dataclass(frozen=True, slots=True)
class SeatLink:
    """A seat and the whole address of its own page."""

    seat: SeatRow
    address: str


def show_seats(request: HttpRequest, page: TablePage) -> HttpResponse:
    """A code for each seat; whoever came by a seat's link is led back to their own page."""
    if page.seat is not None or page.seat_key is None:
        return redirect(page.address)
    links = [
        SeatLink(
            seat,
            request.build_absolute_uri(reverse(page.room, args=[page.seat_key(seat.number)])),
        )
        for seat in page.view.seats
    ]
    return render(request, "tables/seats.html", {"page": page, "links": links, **page.extra})


def renew(
    request: HttpRequest, club: Club, table: Any, *, phone: str, card: str, context: dict[str, Any]
) -> HttpResponse:
    """A page that says what a new link does; a press of its button, and it shows the new one.

    ``phone`` names the address of the table's phone page, ``card`` is where its card is printed.
    """
    if request.method == "POST":
        replace_link(table=table, club=club)
        return redirect(f"{request.path}?made=yes")
    context |= {"table": table, "card": card, "is_made": "made" in request.GET}
    address = reverse(phone, args=[table.link_key])
    context["address"] = request.build_absolute_uri(address) if context["is_made"] else ""
    return render(request, "tables/new_link.html", context)


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


def show_standings(
    request: HttpRequest, *, template: str, version: int, read: Callable[[], dict[str, Any]]
) -> HttpResponse:
    """The live result; asked with ``?v=``, its rows alone, or 204 when there is nothing newer."""
    if "v" not in request.GET:
        return render(request, f"tables/{template}.html", {"version": str(version), **read()})
    if request.GET["v"] == str(version):
        return HttpResponse(status=204)
    return render(request, f"tables/_{template}.html", {"version": str(version), **read()})
