"""Each player on their own phone: the link of every seat, to be pointed at with a camera."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from clubs.rows import SeatRow
from clubs.tablepages.page import TablePage


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
