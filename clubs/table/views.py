"""The pages of a table below its links and for organisers; the score page, the rules, the tiles."""

from collections.abc import Callable
from functools import wraps
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import URLPattern, path, reverse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from clubs.core.access import ClubRequest, View, by_secret_link, open_to_all, requires
from clubs.core.pages import framed
from clubs.models import Club
from clubs.table.event import TableEvent, find, is_a_seat, lookup_of, opened, seat_key
from clubs.table.forms.rules import read_tapping
from clubs.table.pages import entering, paper_sheet, repairs
from clubs.table.pages.table import UNPROCESSABLE, TablePage
from clubs.table.selectors.reviews import receipt_of
from clubs.table.selectors.rules import asker_of, printed_beside
from clubs.table.selectors.tile_entry import Builder, built
from clubs.table.services import replace_links
from clubs.tenancy import by_key, values_by_key
from scoring import RuleSet, UnknownRuleSet, rule_set_keys
from scoring.scorebook.editions import book_of, rule_set
from scoring.scorebook.models import Hand
from scoring.scorebook.selectors import address_of, hand_at


def show_table(request: HttpRequest, page: TablePage) -> HttpResponse:
    """The table in play; of hands from before its players changed, the list of them."""
    if page.event.is_past and request.method != "POST":
        return redirect(page.at("hands"))
    return entering.show(request, page)


def show_seats(request: HttpRequest, page: TablePage) -> HttpResponse:
    """A QR code for each seat; a visitor with a seat's link is redirected to their own page."""
    if page.seat is not None:
        return redirect(page.address)
    links = []
    for seat in page.view.seats:
        address = reverse(page.event.phone, args=[seat_key(page.event.row, seat.number)])
        links.append({"seat": seat, "address": request.build_absolute_uri(address)})
    return render(request, "clubs/table/seats.html", {"page": page, "links": links, **page.extra})


def show_hands(request: HttpRequest, page: TablePage) -> HttpResponse:
    """Every hand so far, those not agreed first; with ``?v=``, the list alone, or 204."""
    if "v" not in request.GET:
        return render(request, "clubs/table/hands.html", shown_of(request, page))
    if request.GET["v"] == page.mark_now:
        return HttpResponse(status=204)
    return render(request, "clubs/table/_hands.html", shown_of(request, page))


def show_more(request: HttpRequest, page: TablePage) -> HttpResponse:
    """What is done seldom: call the director, stop, look up a tile, change how it looks."""
    return render(request, "clubs/table/more.html", shown_of(request, page))


def shown_of(request: HttpRequest, page: TablePage) -> dict[str, Any]:
    """The context of a page in the frame of the table."""
    shown = {"page": page, "table": page.view, **page.extra}
    # A page that a phone puts away leaves what was said for whoever looks.
    return shown | ({"messages": ()} if "X-Put-Away" in request.headers else {})


def table_totals(request: HttpRequest, page: TablePage) -> HttpResponse:
    """This table's own totals, for an open page of standings; 204 if unchanged."""
    if request.GET["totals"] == page.mark_now:
        return HttpResponse(status=204)
    return render(request, "clubs/table/_totals.html", {"page": page})


def to_receipt(_request: HttpRequest, page: TablePage, hand: int) -> HttpResponse:
    return redirect(page.receipt(address_of(get_object_or_404(page.game.hands, pk=hand))))


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


def opened_page(request: HttpRequest, table: TableEvent) -> TablePage:
    """The page of a table for the link of this request, its own or a seat's."""
    match = request.resolver_match
    key = match.kwargs["key"] if match else table.row.link_key
    return phone_page(table, key, opened(table.row, key)[1])


def phone_paths(link: str, event: type[TableEvent]) -> list[URLPattern]:
    """Every address below a link to a table or a seat (``t/<slug:key>/``) of any kind of event."""

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
        ("send/", "send", send),
        ("aid/", "aid", view(entering.aid)),
        ("tiles/", "tapped", view(entering.tapped)),
        ("tiles/<int:seat>/", "tiles", view(entering.tiles)),
        ("hands/<int:hand>/agree/", "agree", require_POST(view(repairs.agree))),
        ("hands/<int:hand>/dispute/", "dispute", view(repairs.dispute)),
        ("hands/<int:hand>/undo/", "undo", view(repairs.take_back)),
        ("formerly/<slug:old>/", "formerly", by_link(event.rows)(entering.formerly)),
        ("ahead/", "ahead", view(entering.look_ahead)),
        ("hands/<int:hand>/receipt/", "hand-receipt", view(to_receipt)),
        ("seats/", "seats", view(show_seats)),
        ("hands/", "hands", view(show_hands)),
        ("more/", "more", view(show_more)),
    ]
    return [
        path(link, view(show_table), name=event.phone),
        *(path(f"{link}{at}", act, name=f"{event.phone}-{name}") for at, name, act in below),
        path(f"receipt/{link[0]}/<slug:code>/", receipt, name=f"{event.phone}-receipt"),
    ]


class LinkRow(NamedTuple):
    """What a table's links are bound to, and a version."""

    pk: int
    link_key: str
    game_id: int
    version: int


def by_link(tables: Callable[[], QuerySet[Any]], *, version: str = "") -> Callable[[View], View]:
    """For other views below a printed key: passes on the table of any link.

    ``version`` leads from a table to the version of what is shown: if ``?v=`` matches, it responds
    204 after one small query.
    """

    def wrap(view: View) -> View:
        @by_secret_link
        @wraps(view)
        def inner(request: HttpRequest, key: str, **kwargs: Any) -> HttpResponse:
            wanted = lookup_of(key)
            if version and request.GET.get("v") and wanted:
                columns = ("pk", "link_key", "game_id", version)
                fields = values_by_key(tables, *columns, **wanted)
                row, _ = opened(LinkRow._make(fields) if fields else None, key)
                if row is not None and str(row.version) == request.GET["v"]:
                    return HttpResponse(status=204)
            table, _ = find(tables, key)
            if table is None:
                return entering.no_table(request, key=key, is_void=is_a_seat(key))
            return view(request, table, **kwargs)

        return inner

    return wrap


def desk_page(request: ClubRequest, table: TableEvent, **context: Any) -> TablePage:
    """The page of a table for an organiser; ``context`` is for its template."""
    return TablePage(
        event=table,
        reader=request.reader,
        template="clubs/table/desk.html",
        address=table.address,
        standings=table.standings,
        sent_by=f"user {request.user.pk}",
        extra=framed(
            table.club,
            table.tab,
            breadcrumbs=table.trail(),
            may_correct=request.may(table.corrects),
            **table.desk_context(request.may),
            **context,
        ),
    )


class DeskPage(NamedTuple):
    """A page below a table's: its path and name, its view, its sentence in the activity log.

    The sentence ends with the event.
    """

    path: str
    name: str
    act: View
    log: str


def desk_paths(at: str, event: type[TableEvent]) -> list[URLPattern]:
    """The addresses below a table's page for organisers, which begins ``at``."""

    def view(act: View) -> View:
        """Find the table of the address and act on its page."""

        @wraps(act)
        def inner(request: ClubRequest, club: Club, **kwargs: int) -> HttpResponse:
            own = {name: kwargs.pop(name) for name in ("hand", "repair", "seat") if name in kwargs}
            return act(request, desk_page(request, event.find(club, **kwargs)), **own)

        return inner

    pages = [(event.enters, page) for page in ENTERING]
    pages += [(event.corrects, page) for page in CORRECTING]
    return [
        path(
            f"{at}{page.path}",
            requires(permission, f"{page.log} {event.when}")(view(page.act)),
            name=f"{event.desk}-{page.name}",
        )
        for permission, page in pages
    ]


def new_link(request: ClubRequest, page: TablePage) -> HttpResponse:
    """Explain what a new link does; on confirmation create and show it."""
    table = page.event
    if request.method == "POST":
        replace_links(table=table)
        return redirect(f"{request.path}?made=yes")
    is_made = "made" in request.GET
    key = page.other_games.key_now or table.row.link_key
    address = request.build_absolute_uri(reverse(table.phone, args=[key]))
    context = page.extra | {
        "title": table.title,
        "back": page.address,
        "breadcrumbs": table.trail("Replace table card"),
        "table": table.row,
        "card": table.card,
        "is_made": is_made,
        "address": address if is_made else "",
    }
    return render(request, "clubs/table/new_link.html", context)


TAPPED = "tapped tiles for {table}"
ENTERING = (
    DeskPage("new-link/", "new-link", new_link, "replaced the table card of {table}"),
    DeskPage("tiles/", "tapped", entering.tapped, TAPPED),
    DeskPage("tiles/<int:seat>/", "tiles", entering.tiles, TAPPED),
    DeskPage(
        "score-sheet/", "sheet", paper_sheet.show_sheet, "entered the paper score sheet of {table}"
    ),
)
CORRECTING = (
    DeskPage(
        "hands/<int:hand>/correct/",
        "hand",
        repairs.correct,
        "corrected or ruled on a hand of {table}",
    ),
    DeskPage("corrections/new/", "repair", repairs.repair, "corrected several hands of {table}"),
    DeskPage(
        "corrections/<int:repair>/undo/",
        "repair-back",
        repairs.restore,
        "undid a correction at {table}",
    ),
)


FIRST = "bmja"


@open_to_all
@require_safe
@vary_on_headers("HX-Request")
def score(request: HttpRequest, key: str = FIRST) -> HttpResponse:
    """The calculator; for the page's script, only the parts that a tap changes."""
    rules, tapping = _rules(key), read_tapping(request.GET)
    builder = built(tapping.steps, tapping.taps, rules)
    context = {
        "builder": builder,
        "tapping": tapping,
        "action": reverse("score-rules", args=[key]),
        "link": _link(request, "score-rules", key, builder),
        "share": _link(request, "score-link", key, builder),
        "books": [
            (rule_set(book), _address("score-rules", book, builder)) for book in rule_set_keys()
        ],
    }
    page = "_score" if request.htmx else "score"  # type: ignore[attr-defined]
    status = UNPROCESSABLE if tapping.is_unread else 200
    return render(request, f"clubs/table/{page}.html", context, status=status)


@open_to_all
@require_safe
def link(request: HttpRequest, key: str) -> HttpResponse:
    """The link with the hand, to copy, and as a QR code for another phone."""
    rules, tapping = _rules(key), read_tapping(request.GET)
    builder = built(tapping.steps, (), rules)
    context = {
        "builder": builder,
        "tapping": tapping,
        "link": _link(request, "score-rules", key, builder),
        "back": _address("score-rules", key, builder),
    }
    status = UNPROCESSABLE if tapping.is_unread else 200
    return render(request, "clubs/table/score_link.html", context, status=status)


def _rules(key: str) -> RuleSet:
    try:
        return rule_set(key)
    except UnknownRuleSet as unknown:
        raise Http404 from unknown


def _address(name: str, key: str, builder: Builder) -> str:
    return f"{reverse(name, args=[key])}?{urlencode({'hand': builder.hand})}"


def _link(request: HttpRequest, name: str, key: str, builder: Builder) -> str:
    return request.build_absolute_uri(_address(name, key, builder))


@open_to_all
@require_safe
def rules_aid(request: HttpRequest, key: str) -> HttpResponse:
    """The tiles and the rules in large, for whoever asks."""
    rules = _rules(key)
    return entering.show_rules(request, rules, asker_of(rules))


@open_to_all
def rules(request: HttpRequest, key: str) -> HttpResponse:
    """A rule set whole, every line with its source; house rules beside their book."""
    shown = _rules(key)
    printed = printed_beside(shown, rule_set(book_of(key)))
    others = [rule_set(other) for other in rule_set_keys() if rule_set(other) != shown]
    context = {"printed": printed, "rules": shown, "others": others}
    return render(request, "clubs/table/rules.html", context)


urlpatterns = [
    path("rules/<path:key>/aid/", rules_aid, name="rules-aid"),
    path("rules/<path:key>/", rules, name="rules"),
    path("score/", score, name="score"),
    path("score/<path:key>/link/", link, name="score-link"),
    path("score/<path:key>/", score, name="score-rules"),
]
