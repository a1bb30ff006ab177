"""The links of a table, and their pages."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, NamedTuple

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import URLPattern, path, reverse
from django.utils.crypto import constant_time_compare, salted_hmac
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from clubs.core.access import View, by_secret_link
from clubs.models import Club
from clubs.models.accounts import is_ours, our_secrets
from clubs.table.pages import agreement, entering, tile_entry
from clubs.table.pages.table import TablePage
from clubs.table.selectors.receipts import receipt_of
from clubs.table.services import replace_link
from clubs.tenancy import by_key, values_by_key
from scoring.scorebook.models import Hand
from scoring.scorebook.selectors import address_of, hand_at


def show_seats(request: HttpRequest, page: TablePage) -> HttpResponse:
    """A QR code for each seat; a visitor with a seat's link is redirected to their own page."""
    if page.seat is not None or page.seat_key is None:
        return redirect(page.address)
    links = []
    for seat in page.view.seats:
        address = reverse(page.room, args=[page.seat_key(seat.number)])
        links.append({"seat": seat, "address": request.build_absolute_uri(address)})
    return render(request, "clubs/table/seats.html", {"page": page, "links": links, **page.extra})


def renew(
    request: HttpRequest, club: Club, table: Any, *, phone: str, card: str, context: dict[str, Any]
) -> HttpResponse:
    """Explain what a new link does; on confirmation create and show it.

    ``phone`` is the URL name of the table's phone page, ``card`` that of its printed card.
    """
    if request.method == "POST":
        replace_link(table=table, club=club)
        return redirect(f"{request.path}?made=yes")
    context |= {"table": table, "card": card, "is_made": "made" in request.GET}
    address = reverse(phone, args=[table.link_key])
    context["address"] = request.build_absolute_uri(address) if context["is_made"] else ""
    return render(request, "clubs/table/new_link.html", context)


def to_receipt(_request: HttpRequest, page: TablePage, hand: int) -> HttpResponse:
    result = get_object_or_404(page.game.hands, pk=hand)
    return redirect(page.receipt(address_of(result)))


def show_receipt(request: HttpRequest, hand: Hand | None, page: TablePage | None) -> HttpResponse:
    if hand is None or page is None:
        return render(request, "clubs/table/no_receipt.html", status=404)
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
    return render(request, "clubs/table/receipt.html", context)


INNER, OUTER = 16, 12  # hexadecimal digits
SEAT_KEY = re.compile(r"[0-9]{1,12}s(?P<seat>[1-5])_[0-9a-f]{28}")

Act = Callable[..., HttpResponse]


@dataclass(frozen=True, slots=True)
class Room:
    """The tables of one kind of event: how to find them and build their pages.

    ``name`` prefixes their URL names: ``table``, ``table-agree``. ``page`` makes the page of a
    table for the link: all of it, or one seat.
    """

    name: str
    tables: Callable[[], QuerySet[Any]]
    page: Callable[[Any, str, int | None], TablePage]

    def view(self, act: Act, otherwise: Act = entering.no_table) -> View:
        """A view for an address below the link: find the table, build its page, act on it.

        ``otherwise`` responds if the link opens no table.
        """

        @by_secret_link
        @wraps(act)
        def inner(request: HttpRequest, key: str, **kwargs: Any) -> HttpResponse:
            table, seat = find(self.tables, key)
            if table is None:
                return otherwise(request, key=key, is_void=is_a_seat(key))
            return act(request, self.page(table, key, seat), **kwargs)

        return inner

    def receipt(self) -> View:
        """The receipts of these tables' hands: anyone with the address may read them."""

        @by_secret_link
        def inner(request: HttpRequest, code: str) -> HttpResponse:
            hand = hand_at(code)
            table = by_key(self.tables, game=hand.game_id) if hand else None
            page = self.page(table, table.link_key, None) if table else None
            return show_receipt(request, hand, page)

        return inner


def by_link(tables: Callable[[], QuerySet[Any]], *, version: str = "") -> Callable[[View], View]:
    """For other views below a printed key: passes on the table of any link.

    ``version`` leads from a table to the version of what is shown: if ``?v=`` matches, it responds
    204 after one small query.
    """

    def wrap(view: View) -> View:
        @by_secret_link
        @wraps(view)
        def inner(request: HttpRequest, key: str, **kwargs: Any) -> HttpResponse:
            wanted = _wanted(key)
            if version and request.GET.get("v") and wanted:
                columns = ("pk", "link_key", "game_id", version)
                fields = values_by_key(tables, *columns, **wanted)
                row, _ = _opened(_LinkRow._make(fields) if fields else None, key)
                if row is not None and str(row.version) == request.GET["v"]:
                    return HttpResponse(status=204)
            table, _ = find(tables, key)
            if table is None:
                return entering.no_table(request, key=key, is_void=is_a_seat(key))
            return view(request, table, **kwargs)

        return inner

    return wrap


def phone_paths(link: str, room: Room) -> list[URLPattern]:
    """Every address below a table's or a seat's link, the same for every kind of event.

    ``link`` is where they begin: ``t/<slug:key>/``.
    """
    # The key in the link is the only credential, and a restored page has an old CSRF token.
    send = csrf_exempt(require_POST(room.view(entering.send, entering.nothing_sent)))
    below = [
        ("aid/", "aid", room.view(tile_entry.aid)),
        ("tiles/", "tapped", room.view(tile_entry.tapped)),
        ("tiles/<int:seat>/", "tiles", room.view(tile_entry.tiles)),
        ("hands/<int:hand>/agree/", "agree", require_POST(room.view(agreement.agree))),
        ("hands/<int:hand>/dispute/", "dispute", room.view(agreement.dispute)),
        ("hands/<int:hand>/undo/", "undo", room.view(agreement.take_back)),
        ("send/", "send", send),
        ("formerly/<slug:old>/", "formerly", by_link(room.tables)(entering.formerly)),
        ("ahead/", "ahead", room.view(entering.look_ahead)),
        ("hands/<int:hand>/receipt/", "hand-receipt", room.view(to_receipt)),
        ("seats/", "seats", room.view(show_seats)),
    ]
    return [
        path(link, room.view(entering.show), name=room.name),
        *(
            path(f"{link}{address}", view, name=f"{room.name}-{act}")
            for address, act, view in below
        ),
        path(f"receipt/{link[0]}/<slug:code>/", room.receipt(), name=f"{room.name}-receipt"),
    ]


def find(tables: Callable[[], QuerySet[Any]], key: str) -> tuple[Any, int | None]:
    """The table of a link and the seat, None for the table's own link; no table if invalid."""
    wanted = _wanted(key)
    return _opened(by_key(tables, **wanted) if wanted else None, key)


class _LinkRow(NamedTuple):
    """What a table's links are bound to, and a version."""

    pk: int
    link_key: str
    game_id: int
    version: int


def _wanted(key: str) -> dict[str, int | str]:
    """The lookup of a link's table; None for a forged key, detected by its seal."""
    if is_a_seat(key):
        return {"pk": int(key.partition("s")[0])}
    return {"link_key": key} if is_ours(key) else {}


def _opened(table: Any, key: str) -> tuple[Any, int | None]:
    """The table if the key is still valid, and its seat."""
    match = SEAT_KEY.fullmatch(key)
    if match is None or table is None:
        return table, None
    seat = int(match["seat"])
    is_valid = any(
        constant_time_compare(key, seat_key(table, seat, our_secret))
        for our_secret in our_secrets()
    )
    return (table, seat) if is_valid else (None, None)


def is_a_seat(key: str) -> bool:
    """Whether we made this key for a seat; the table's link may have changed since."""
    made, seal = key[:-OUTER], key[-OUTER:]
    return bool(SEAT_KEY.fullmatch(key)) and any(
        constant_time_compare(seal, _hex(made, OUTER, secret)) for secret in our_secrets()
    )


def seat_key(table: Any, seat: int, secret: str | None = None) -> str:
    """A key that opens the table for one seat; void after a new link or game of the table.

    It ends in two seals: one binds it to the table's link, the other proves without a query that it
    is ours.
    """
    bound = _hex(f"{table.link_key}:{table.game_id}:{seat}", INNER, secret)
    made = f"{table.pk}s{seat}_{bound}"
    return made + _hex(made, OUTER, secret)


def _hex(text: str, digits: int, secret: str | None) -> str:
    made = salted_hmac("clubs.tablepages.seat", text, secret=secret, algorithm="sha256")
    return made.hexdigest()[:digits]
