"""Tiles at the table: each seat's hand of the next deal is tapped together and kept."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render

from clubs.forms.drafts import Tapping, read_tapping
from clubs.forms.hands import Place, places_of, told_number
from clubs.selectors.building import Builder
from clubs.selectors.tapped import builder_at, said_first
from clubs.tablepages.page import CONFLICT, UNPROCESSABLE, TablePage
from scoring import Deal
from scoring.building import Draft, Played, Steps, seated
from scoring.scorebook.refusals import Refused
from scoring.scorebook.services.tapping import Tapped, tap_tiles
from scoring.scorebook.tapped import drafts_of, winner_of

NOTHING = Draft(won=False)
OF_A_TAP = ("was", "add", "v")
MOST_CARRIED = 2000


class SeatOfTiles(NamedTuple):
    """The way to one player's tiles, and how many are there."""

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
        """Where its taps are sent."""
        return self.with_carried(tiles_at(self.page, self.seat))

    @property
    def back(self) -> str:
        """The table, with what was typed there."""
        return self.with_carried(self.page.address)

    @property
    def place(self) -> Place:
        """Whose hand it is."""
        return next(place for place in self.places if place.number == self.seat)

    @property
    def places(self) -> tuple[Place, ...]:
        """Everyone who plays the hand, from East on."""
        return places_of(self.deal.winds, self.page.view.names)

    def seats(self, drafts: Mapping[int, Draft]) -> list[SeatOfTiles]:
        """The way to everyone's tiles."""
        found = []
        for place in self.places:
            draft = drafts.get(place.number, NOTHING)
            address = self.with_carried(tiles_at(self.page, place.number))
            found.append(SeatOfTiles(place, address, draft.held.total(), draft.won))
        return found

    def seated(self, draft: Draft) -> Draft:
        """The draft as this seat's of this deal."""
        return seated(draft, self.seat, self.deal, self.page.rules)

    def builder(self, before: Draft, played: Played, others: Mapping[int, Draft]) -> Builder:
        """The hand as the page shows it."""
        return builder_at(before, played, others, self.page.rules, self.page.view.names)

    def with_carried(self, address: str, **more: str) -> str:
        """The address with what was typed at the table, and more."""
        query = "&".join(filter(None, [self.carried, urlencode(more)]))
        return f"{address}?{query}" if query else address


def tiles(request: HttpRequest, page: TablePage, seat: int) -> HttpResponse:
    """One seat's tiles of the hand that is being played: shown, or tapped at."""
    upcoming = page.view.game.next_deal
    why = page.closed_because or page.done_because
    if upcoming is None or why or seat not in upcoming.winds:
        return _sent_back(request, page, why or "This player has no tiles entered.")
    rack = Rack(page, upcoming, seat, _carried(request.GET))
    return _tap(request, rack) if request.method == "POST" else _show(request, rack)


def tapped(request: HttpRequest, page: TablePage) -> HttpResponse:
    """What has been tapped, seat by seat, for a page that is open; 204 while it is the same."""
    if request.GET.get("v") == mark_of_tiles(page):
        return HttpResponse(status=204)
    upcoming = page.view.game.next_deal
    places = places_of(upcoming.winds, page.view.names) if upcoming else ()
    context = {"page": page, "places": places, "way": request.GET.get("way", "")}
    return render(request, "tables/_tapped.html", context | tapped_part(page))


def tiles_at(page: TablePage, seat: int) -> str:
    """Where a seat's tiles are tapped."""
    return f"{page.address}tiles/{seat}/"


def tapped_part(page: TablePage) -> dict[str, Any]:
    """What a page needs to show the tapped hands, with a mark that changes with every tile."""
    return {"tapped": page.tapped, "tiles_mark": mark_of_tiles(page)}


def mark_of_tiles(page: TablePage) -> str:
    """A text that changes with every tile."""
    return f"{page.next_number}" + "".join(
        f"*{seat}{hand.text}" for seat, hand in sorted(page.tapped.items())
    )


def _carried(query: QueryDict) -> str:
    kept = query.copy()
    for name in OF_A_TAP:
        kept.pop(name, None)
    text = kept.urlencode()
    return text if len(text) <= MOST_CARRIED else ""


def _show(request: HttpRequest, rack: Rack) -> HttpResponse:
    """The hand as it is kept; an empty one says Mah-Jong if the table has said so."""
    others = drafts_of(rack.page.game, rack.deal)
    draft = others.pop(rack.seat, None)
    if draft is None:
        won = request.GET.get("winner") == str(rack.seat) and not winner_of(others)
        draft = rack.seated(replace(NOTHING, won=won))
    tapping = read_tapping(request.GET)
    played = Played(Steps(draft, tapping.steps.before))
    return _render(request, rack, rack.builder(draft, played, others), tapping, others)


def _tap(request: HttpRequest, rack: Rack) -> HttpResponse:
    tapping = read_tapping(request.POST)
    try:
        answer = tap_tiles(
            game_id=rack.page.game.pk,
            number=told_number(request.POST),
            seat=rack.seat,
            sent=tapping.steps,
            taps=tapping.taps,
        )
    except Refused as refused:
        return _sent_back(request, rack.page, str(refused))
    before = rack.seated(tapping.steps.draft)
    builder = rack.builder(before, _worded(answer, rack), answer.others)
    if _by_script(request) or builder.refused:
        return _render(request, rack, builder, tapping, answer.others)
    here = rack.with_carried(tiles_at(rack.page, rack.seat), was=builder.was, add=tapping.adding)
    return redirect(f"{here}#hand")


def _worded(answer: Tapped, rack: Rack) -> Played:
    if answer.said_first is None:
        return answer.played
    sentence = said_first(rack.page.view.names[answer.said_first])
    return replace(answer.played, refused=(*answer.played.refused, sentence))


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
    template = "tables/_tiles.html" if _by_script(request) else "tables/tiles.html"
    status = UNPROCESSABLE if builder.refused else 200
    return render(request, template, context, status=status)


def _sent_back(request: HttpRequest, page: TablePage, why: str) -> HttpResponse:
    """To the table, which says why; the script of the page goes there by itself."""
    messages.warning(request, why)
    if _by_script(request):
        return HttpResponse(page.address, status=CONFLICT, content_type="text/plain")
    return redirect(page.address)


def _by_script(request: HttpRequest) -> bool:
    return bool(request.htmx)  # type: ignore[attr-defined]
