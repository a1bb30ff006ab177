"""What a table types about a hand, with the tiles that its phones have tapped meanwhile."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect

from clubs.forms.hands import NOBODY, blank_hand, tiles_sent, told_number, with_tiles
from clubs.tablepages.page import TablePage
from clubs.tablepages.tapping import tiles_at
from scoring.scorebook.models import Recording
from scoring.scorebook.refusals import refuse
from scoring.scorebook.services.tapping import put_tiles_away

NOT_CARRIED = ("csrfmiddlewaretoken", "step", "put")
THE_WINNERS = "winner"
CHANGED = "The tiles were changed on another phone. This is the current hand."


def to_the_tiles(request: HttpRequest, page: TablePage) -> HttpResponse | None:
    """The way to a seat's tiles, if that was pressed, with all that was typed so far."""
    step, _, told = request.POST.get("step", "").partition(":")
    if step != "tiles":
        return None
    seat = request.POST.get("winner", "") if told == THE_WINNERS else told
    typed = _carried(request.POST)
    if seat not in {str(number) for number in page.view.names}:
        messages.warning(request, "First choose who went Mah-Jong.")
        return redirect(f"{page.address}?{typed}")
    return redirect(f"{tiles_at(page, int(seat))}?{typed}")


def beside_the_tiles(start: dict[str, Any], page: TablePage) -> dict[str, Any]:
    """What a form starts with, without the scores that tiles tell."""
    told = {f"score_{seat}" for seat in page.tapped}
    told |= {"score"} if winner_in_tiles(page) else set()
    return {name: value for name, value in start.items() if name not in told}


def typed_at_the_table(request: HttpRequest, page: TablePage) -> dict[str, Any]:
    """What the form starts with: what was typed before the tiles were tapped, and their winner."""
    typed = {name: value for name, value in request.GET.items() if name != "v"}
    if typed and told_number(typed) != page.next_number:
        typed = {}
    said = winner_in_tiles(page)
    won = {"winner": said} if said else {}
    return {**blank_hand(page.next_number), **typed, **won} if typed or won else {}


def with_kept_tiles(request: HttpRequest, page: TablePage) -> tuple[QueryDict, str]:
    """What was sent, with the tiles that are kept, and the step it is for.

    What is saved is what was checked: where a tile has changed since, it is checked again.
    """
    sent, step = request.POST, request.POST.get("step", "check")
    if told_number(sent) != page.next_number:
        return sent, step
    kept = texts_of(page)
    if step == "save":
        told_otherwise = sent.get("way") in {Recording.TALLIES, Recording.WINNER}
        if tiles_sent(sent) == kept or sent.get("winner") == NOBODY or told_otherwise:
            return sent, step
        messages.warning(request, CHANGED)
        step = "check"
    act, _, told = step.partition(":")
    if act == "type" and told.isdecimal():
        put_tiles_away(game_id=page.game.pk, number=page.next_number, seat=int(told))
        kept.pop(int(told), None)
        step = "check"
    typed = with_tiles(sent, kept)
    said = winner_in_tiles(page)
    if said and not typed.get("winner") and "drawn" not in typed:
        typed["winner"] = str(said)
    return typed, step


def refuse_changed_tiles(sent: QueryDict, page: TablePage) -> None:
    """For a hand that a script sends: refused where its tiles are not those that are kept now."""
    told = tiles_sent(sent)
    if told and told_number(sent) == page.next_number and told != texts_of(page):
        raise refuse("tiles_changed", CHANGED)


def texts_of(page: TablePage) -> dict[int, str]:
    """The draft of each seat that has tapped, as a form carries it."""
    return {seat: hand.text for seat, hand in page.tapped.items()}


def winner_in_tiles(page: TablePage) -> int | None:
    """The seat whose tiles say Mah-Jong."""
    return next((seat for seat, hand in page.tapped.items() if hand.draft.won), None)


def _carried(typed: QueryDict) -> str:
    return urlencode(
        {
            name: value
            for name, value in typed.items()
            if value and name not in NOT_CARRIED and not name.startswith("tiles_")
        }
    )
