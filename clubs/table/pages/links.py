"""The links of a table, and their pages."""

import re
from collections.abc import Callable
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
from clubs.models.accounts import is_ours, our_secrets
from clubs.table.event import TableEvent
from clubs.table.pages import agreement, entering, tile_entry
from clubs.table.pages.table import TablePage
from clubs.table.selectors.receipts import receipt_of
from clubs.tenancy import by_key, values_by_key
from scoring.scorebook.models import Hand
from scoring.scorebook.selectors import address_of, hand_at


def show_seats(request: HttpRequest, page: TablePage) -> HttpResponse:
    """A QR code for each seat; a visitor with a seat's link is redirected to their own page."""
    if page.seat is not None:
        return redirect(page.address)
    links = []
    for seat in page.view.seats:
        address = reverse(page.event.phone, args=[seat_key(page.event.row, seat.number)])
        links.append({"seat": seat, "address": request.build_absolute_uri(address)})
    return render(request, "clubs/table/seats.html", {"page": page, "links": links, **page.extra})


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


def phone_page(table: TableEvent, key: str, seat: int | None = None) -> TablePage:
    """The page of a table for its link: all of it, or one seat."""
    address = reverse(table.phone, args=[key])
    return TablePage(
        event=table,
        template="clubs/table/phone.html",
        address=address,
        key=key,
        seat=seat,
        standings=reverse(f"{table.phone}-standings", args=[key]),
        sent_by=table.sender(seat),
        extra={"club": table.club, "club_url": address, **table.phone_context(key)},
    )


def phone_paths(link: str, event: type[TableEvent]) -> list[URLPattern]:
    """Every address below a table's or a seat's link, the same for every kind of event.

    ``link`` is where they begin: ``t/<slug:key>/``.
    """

    def view(act: Act, otherwise: Act = entering.no_table) -> View:
        """Find the table and act on its page; ``otherwise`` responds if the link opens none."""

        @by_secret_link
        @wraps(act)
        def inner(request: HttpRequest, key: str, **kwargs: Any) -> HttpResponse:
            row, seat = find(event.rows, key)
            if row is None:
                return otherwise(request, key=key, is_void=is_a_seat(key))
            return act(request, phone_page(event.for_players(row), key, seat), **kwargs)

        return inner

    @by_secret_link
    def receipt(request: HttpRequest, code: str) -> HttpResponse:
        """A hand's receipt: anyone with its address may read it."""
        hand = hand_at(code)
        row = by_key(event.rows, game=hand.game_id) if hand else None
        page = phone_page(event.for_players(row), row.link_key) if row else None
        return show_receipt(request, hand, page)

    # The key in the link is the only credential, and a restored page has an old CSRF token.
    send = csrf_exempt(require_POST(view(entering.send, entering.nothing_sent)))
    below = [
        ("aid/", "aid", view(tile_entry.aid)),
        ("tiles/", "tapped", view(tile_entry.tapped)),
        ("tiles/<int:seat>/", "tiles", view(tile_entry.tiles)),
        ("hands/<int:hand>/agree/", "agree", require_POST(view(agreement.agree))),
        ("hands/<int:hand>/dispute/", "dispute", view(agreement.dispute)),
        ("hands/<int:hand>/undo/", "undo", view(agreement.take_back)),
        ("send/", "send", send),
        ("formerly/<slug:old>/", "formerly", by_link(event.rows)(entering.formerly)),
        ("ahead/", "ahead", view(entering.look_ahead)),
        ("hands/<int:hand>/receipt/", "hand-receipt", view(to_receipt)),
        ("seats/", "seats", view(show_seats)),
    ]
    return [
        path(link, view(entering.show), name=event.phone),
        *(path(f"{link}{at}", act, name=f"{event.phone}-{name}") for at, name, act in below),
        path(f"receipt/{link[0]}/<slug:code>/", receipt, name=f"{event.phone}-receipt"),
    ]


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
