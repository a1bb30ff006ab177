"""The deals that may come and a blank form for each, for a phone that goes on without a network."""

from collections.abc import Iterable

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string

from clubs.forms.hands import HandForm, blank_hand, places_of
from clubs.tablepages.page import TablePage
from scoring import Deal
from scoring.ahead import Coming, ahead, ahead_as_json


def look_ahead(request: HttpRequest, page: TablePage) -> HttpResponse:
    """Everything that may be dealt in the next thirty hands; 204 where no hand comes any more."""
    if page.view.game.is_over:
        return HttpResponse(status=204)
    states = ahead(page.winners, **page.course)
    told = {
        "version": page.version,
        "forms": {one: _form(request, page, deal) for one, deal in _seatings(states).items()},
        "prevailing": _prevailing(page, states),
    }
    return JsonResponse(told | ahead_as_json(states))


def _seatings(states: Iterable[Coming]) -> dict[str, Deal]:
    """A deal for each form that is needed: ``1E2S3W4N.1``, the winds by seat and who deals."""
    found = {}
    for state in states:
        winds = "".join(f"{seat}{wind}" for seat, wind in state.deal.winds.items())
        found[f"{winds}.{state.deal.dealer}"] = state.deal
    return found


def _form(request: HttpRequest, page: TablePage, deal: Deal) -> str:
    number = page.next_number
    form = HandForm(
        places_of(deal.winds, page.view.names),
        None,
        blank_hand(number),
        rules=page.rules,
        way=page.record_by,
        had=page.had(number),
    )
    shown = {"form": form, "deal": deal, "square": page.square(deal)}
    context = {"page": page, "table": page.view, **shown, **page.extra}
    return render_to_string("tables/_entry.html", context, request)


def _prevailing(page: TablePage, states: Iterable[Coming]) -> dict[str, str]:
    """The middle of the square table for each wind that may prevail."""
    winds = {state.deal.prevailing_wind for state in states}
    return {
        wind or "": render_to_string(
            "parts/square_table.html", {"prevailing": wind, "centre": page.aim}
        )
        for wind in winds
    }
