"""Tiles at the table: each seat's hand of the next deal, tapped and stored together."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render

from clubs.table.forms.hands import (
    NOBODY,
    Place,
    blank_hand,
    hand_number,
    places_of,
    tiles_sent,
    with_tiles,
)
from clubs.table.forms.rules import Tapping, read_tapping
from clubs.table.pages.table import CONFLICT, UNPROCESSABLE, TablePage
from clubs.table.selectors.rules import Asker, aid_of
from clubs.table.selectors.tile_entry import Builder, builder_at, said_first
from scoring import Deal, RuleSet, Wind
from scoring.building import Draft, Played, Steps, seated
from scoring.scorebook.models import Recording
from scoring.scorebook.refusals import Refused, refuse
from scoring.scorebook.services.games import drafts_of, put_tiles_away, tap_tiles, winner_of

NOTHING = Draft(won=False)
OF_A_TAP = ("was", "add", "v")
MOST_CARRIED = 2000


class SeatOfTiles(NamedTuple):
    """The link to one player's tiles, and how many there are."""

    place: Place
    address: str
    tiles: int
    won: bool


@dataclass(frozen=True, slots=True)
class Rack:
    """The page of one seat's tiles; ``carried``: what was typed at the table meanwhile."""

    page: TablePage
    deal: Deal
    seat: int
    carried: str

    @property
    def address(self) -> str:
        return self.with_carried(tiles_at(self.page, self.seat))

    @property
    def back(self) -> str:
        return self.with_carried(self.page.address)

    @property
    def place(self) -> Place:
        return next(place for place in self.places if place.number == self.seat)

    @property
    def places(self) -> tuple[Place, ...]:
        """Everyone who plays the hand, from East on."""
        return places_of(self.deal.winds, self.page.view.names)

    def seats(self, drafts: Mapping[int, Draft]) -> list[SeatOfTiles]:
        result = []
        for place in self.places:
            draft = drafts.get(place.number, NOTHING)
            address = self.with_carried(tiles_at(self.page, place.number))
            result.append(SeatOfTiles(place, address, draft.held.total(), draft.won))
        return result

    def seated(self, draft: Draft) -> Draft:
        return seated(draft, self.seat, self.deal, self.page.rules)

    def builder(self, before: Draft, played: Played, others: Mapping[int, Draft]) -> Builder:
        return builder_at(before, played, others, self.page.rules, self.page.view.names)

    def with_carried(self, address: str, **more: str) -> str:
        """The URL with what was typed at the table, and more."""
        query = "&".join(filter(None, [self.carried, urlencode(more)]))
        return f"{address}?{query}" if query else address


def tiles(request: HttpRequest, page: TablePage, seat: int) -> HttpResponse:
    """One seat's tiles of the current hand: shown, or changed by taps."""
    upcoming = page.view.game.next_deal
    why = page.closed_because or page.done_because
    if upcoming is None or why or seat not in upcoming.winds:
        return _sent_back(request, page, why or "This player has no tiles entered.")
    kept = request.GET.copy()
    for name in OF_A_TAP:
        kept.pop(name, None)
    text = kept.urlencode()
    rack = Rack(page, upcoming, seat, text if len(text) <= MOST_CARRIED else "")
    if request.method == "POST":
        return _tap(request, rack)
    # The stored hand; an empty one is marked Mah-Jong if the table has said so.
    others = drafts_of(page.game, upcoming)
    draft = others.pop(seat, None)
    if draft is None:
        won = request.GET.get("winner") == str(seat) and not winner_of(others)
        draft = rack.seated(replace(NOTHING, won=won))
    tapping = read_tapping(request.GET)
    played = Played(Steps(draft, tapping.steps.before))
    return _render(request, rack, rack.builder(draft, played, others), tapping, others)


def tapped(request: HttpRequest, page: TablePage) -> HttpResponse:
    """The tapped tiles, seat by seat, for an open page; 204 if unchanged."""
    if request.GET.get("v") == mark_of_tiles(page):
        return HttpResponse(status=204)
    upcoming = page.view.game.next_deal
    places = places_of(upcoming.winds, page.view.names) if upcoming else ()
    context = {"page": page, "places": places, "way": request.GET.get("way", "")}
    return render(request, "clubs/table/_tile_entry.html", context | tapped_part(page))


def tiles_at(page: TablePage, seat: int) -> str:
    return f"{page.address}tiles/{seat}/"


def tapped_part(page: TablePage) -> dict[str, Any]:
    """The context for showing the tapped hands, with a mark that changes with every tile."""
    return {"tapped": page.tapped, "tiles_mark": mark_of_tiles(page)}


def mark_of_tiles(page: TablePage) -> str:
    return f"{page.next_number}" + "".join(
        f"*{seat}{hand.text}" for seat, hand in sorted(page.tapped.items())
    )


def _tap(request: HttpRequest, rack: Rack) -> HttpResponse:
    tapping = read_tapping(request.POST)
    try:
        answer = tap_tiles(
            game_id=rack.page.game.pk,
            number=hand_number(request.POST),
            seat=rack.seat,
            sent=tapping.steps,
            taps=tapping.taps,
        )
    except Refused as refused:
        return _sent_back(request, rack.page, str(refused))
    before, played = rack.seated(tapping.steps.draft), answer.played
    if answer.said_first is not None:
        sentence = said_first(rack.page.view.names[answer.said_first])
        played = replace(played, refused=(*played.refused, sentence))
    builder = rack.builder(before, played, answer.others)
    if _by_script(request) or builder.refused:
        return _render(request, rack, builder, tapping, answer.others)
    here = rack.with_carried(tiles_at(rack.page, rack.seat), was=builder.was, add=tapping.adding)
    return redirect(f"{here}#hand")


def _render(
    request: HttpRequest,
    rack: Rack,
    builder: Builder,
    tapping: Tapping,
    others: Mapping[int, Draft],
) -> HttpResponse:
    context = {
        "page": rack.page,
        "rack": rack,
        "builder": builder,
        "tapping": tapping,
        "seats": rack.seats({**others, rack.seat: builder.draft}),
        "number": rack.deal.number,
        **rack.page.extra,
    }
    template = "clubs/table/_tiles.html" if _by_script(request) else "clubs/table/tiles.html"
    status = UNPROCESSABLE if builder.refused else 200
    return render(request, template, context, status=status)


def _sent_back(request: HttpRequest, page: TablePage, why: str) -> HttpResponse:
    """Redirect to the table, which says why; the page's script goes there by itself."""
    messages.warning(request, why)
    if _by_script(request):
        return HttpResponse(page.address, status=CONFLICT, content_type="text/plain")
    return redirect(page.address)


def _by_script(request: HttpRequest) -> bool:
    return bool(request.htmx)  # type: ignore[attr-defined]


NOT_CARRIED = ("csrfmiddlewaretoken", "step", "put")
THE_WINNERS = "winner"
CHANGED = "The tiles were changed on another phone. This is the current hand."


def to_the_tiles(request: HttpRequest, page: TablePage) -> HttpResponse | None:
    """The link to a seat's tiles, if that was pressed, with everything typed so far."""
    step, _, text = request.POST.get("step", "").partition(":")
    if step != "tiles":
        return None
    seat = request.POST.get("winner", "") if text == THE_WINNERS else text
    typed = urlencode(
        {
            name: value
            for name, value in request.POST.items()
            if value and name not in NOT_CARRIED and not name.startswith("tiles_")
        }
    )
    if seat not in {str(number) for number in page.view.names}:
        messages.warning(request, "First choose who went Mah-Jong.")
        return redirect(f"{page.address}?{typed}")
    return redirect(f"{tiles_at(page, int(seat))}?{typed}")


def beside_the_tiles(start: dict[str, Any], page: TablePage) -> dict[str, Any]:
    """A form's initial data, without the scores that the tiles determine."""
    words = {f"score_{seat}" for seat in page.tapped}
    words |= {"score"} if winner_in_tiles(page) else set()
    return {name: value for name, value in start.items() if name not in words}


def typed_at_the_table(request: HttpRequest, page: TablePage) -> dict[str, Any]:
    """Initial data: what was typed before the tiles were tapped, and the tiles' winner."""
    typed = {name: value for name, value in request.GET.items() if name != "v"}
    if typed and hand_number(typed) != page.next_number:
        typed = {}
    said = winner_in_tiles(page)
    won = {"winner": said} if said else {}
    return {**blank_hand(page.next_number), **typed, **won} if typed or won else {}


def with_kept_tiles(request: HttpRequest, page: TablePage) -> tuple[QueryDict, str]:
    """The form data with the stored tiles, and the step it is for.

    Only what was checked is saved: if a tile has changed since, it is checked again.
    """
    sent, step = request.POST, request.POST.get("step", "check")
    if hand_number(sent) != page.next_number:
        return sent, step
    kept = texts_of(page)
    if step == "save":
        told_otherwise = sent.get("way") in {Recording.TALLIES, Recording.WINNER}
        if tiles_sent(sent) == kept or sent.get("winner") == NOBODY or told_otherwise:
            return sent, step
        messages.warning(request, CHANGED)
        step = "check"
    act, _, text = step.partition(":")
    if act == "type" and text.isdecimal():
        put_tiles_away(game_id=page.game.pk, number=page.next_number, seat=int(text))
        kept.pop(int(text), None)
        step = "check"
    typed = with_tiles(sent, kept)
    said = winner_in_tiles(page)
    if said and not typed.get("winner") and "drawn" not in typed:
        typed["winner"] = str(said)
    return typed, step


def refuse_changed_tiles(sent: QueryDict, page: TablePage) -> None:
    """Raises ``Refused`` if a script sends a hand whose tiles differ from the stored ones."""
    fields = tiles_sent(sent)
    if fields and hand_number(sent) == page.next_number and fields != texts_of(page):
        raise refuse("tiles_changed", CHANGED)


def texts_of(page: TablePage) -> dict[int, str]:
    return {seat: hand.text for seat, hand in page.tapped.items()}


def winner_in_tiles(page: TablePage) -> int | None:
    return next((seat for seat, hand in page.tapped.items() if hand.draft.won), None)


def aid(request: HttpRequest, page: TablePage) -> HttpResponse:
    """The beginner's aid for this table's rules; on a seat's link with its wind."""
    deal = page.deal(page.next_number)
    own = deal.winds.get(page.seat or 0, Wind.E)
    back = {"back": page.address, **page.extra}
    return show_rules(request, page.rules, own=own, prevailing=deal.prevailing_wind, **back)


def show_rules(
    request: HttpRequest, rules: RuleSet, *, own: Wind, prevailing: Wind | None, **extra: Any
) -> HttpResponse:
    """The aid; ``?own=`` and ``?prevailing=`` set the winds, ``?tile=`` the tile."""
    asker = Asker(
        own=_wind(request.GET.get("own")) or own,
        prevailing=prevailing and (_wind(request.GET.get("prevailing")) or prevailing),
    )
    shown = aid_of(rules, asker, request.GET.get("tile", ""))
    return render(request, "clubs/table/aid.html", {"aid": shown, "rules": rules, **extra})


def _wind(text: str | None) -> Wind | None:
    return Wind(text) if text in set(Wind) else None
