"""Who deals the first hand, where the rules leave that to the table."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from clubs.tablepages.page import TablePage
from scoring.scorebook.models import SEAT_NUMBERS
from scoring.scorebook.refusals import Refused, refuse


def name_dealer(request: HttpRequest, page: TablePage) -> HttpResponse:
    """The seat that was pressed deals first, or the page says why it cannot."""
    sent = request.POST["dealer"]
    seat = int(sent) if sent in set(map(str, SEAT_NUMBERS)) else 0
    try:
        if why := page.closed_because or page.done_because:
            raise refuse("game_closed", why)
        page.name_first_dealer(seat=seat)
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, f"{page.view.names[seat]} deals the first hand.")
    return redirect(page.address)
