"""What is this tile, what is it worth: asked at the table, with the winds as they are now."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from clubs.selectors.aid import Asker, aid_of
from clubs.tablepages.page import TablePage
from scoring import RuleSet, Wind


def aid(request: HttpRequest, page: TablePage) -> HttpResponse:
    """The beginner's aid for this table's rules; on a seat's link with that seat's wind."""
    deal = page.deal(page.next_number)
    own = deal.winds.get(page.seat or 0, Wind.E)
    back = {"back": page.address, **page.extra}
    return show_rules(request, page.rules, own=own, prevailing=deal.prevailing_wind, **back)


def show_rules(
    request: HttpRequest, rules: RuleSet, *, own: Wind, prevailing: Wind | None, **extra: Any
) -> HttpResponse:
    """The aid; ``?own=`` and ``?prevailing=`` ask for other winds, ``?tile=`` for one tile."""
    asker = Asker(
        own=_wind(request.GET.get("own")) or own,
        prevailing=prevailing and (_wind(request.GET.get("prevailing")) or prevailing),
    )
    shown = aid_of(rules, asker, request.GET.get("tile", ""))
    return render(request, "clubs/aid.html", {"aid": shown, "rules": rules, **extra})


def _wind(told: str | None) -> Wind | None:
    return Wind(told) if told in set(Wind) else None
