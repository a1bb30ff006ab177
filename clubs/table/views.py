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

from clubs.core.access import ClubRequest, View, public_view, requires, secret_link_view
from clubs.core.pages import club_context
from clubs.models import Club
from clubs.table.event import TableEvent, find_table, is_seat_key, link_lookup, open_link, seat_key
from clubs.table.forms.rules import read_tapping
from clubs.table.pages import entering, paper_sheet, repairs
from clubs.table.pages.table import UNPROCESSABLE, TablePage
from clubs.table.selectors.reviews import receipt_of
from clubs.table.selectors.rules import asker_of, compare_with_book
from clubs.table.selectors.tile_entry import Builder, build_hand
from clubs.table.services import replace_links
from clubs.tenancy import find_by_key, find_values_by_key
from scoring import RuleSet, UnknownRuleSet, rule_set_keys
from scoring.scorebook.editions import base_key, rule_set
from scoring.scorebook.models import Hand
from scoring.scorebook.selectors import hand_with_address, receipt_address

TableView = Callable[..., HttpResponse]
TAPPED_LOG = "tapped tiles for {table}"
DEFAULT_RULES = "bmja"


def show_table(request: HttpRequest, page: TablePage) -> HttpResponse:
    """The table in play; of hands from before its players changed, the list of them."""
    if page.event.is_past and request.method != "POST":
        return redirect(page.action_url("hands"))
    return entering.enter_hand(request, page)


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
        return render(request, "clubs/table/hands.html", table_context(request, page))
    if request.GET["v"] == page.mark_now:
        return HttpResponse(status=204)
    return render(request, "clubs/table/_hands.html", table_context(request, page))


def show_more(request: HttpRequest, page: TablePage) -> HttpResponse:
    """What is done seldom: call the director, stop, look up a tile, change how it looks."""
    return render(request, "clubs/table/more.html", table_context(request, page))


def table_context(request: HttpRequest, page: TablePage) -> dict[str, Any]:
    """The context of a page in the frame of the table."""
    context = {"page": page, "table": page.view, **page.extra}
    # A page that a phone puts away leaves what was said for whoever looks.
    return context | ({"messages": ()} if "X-Put-Away" in request.headers else {})


def table_totals(request: HttpRequest, page: TablePage) -> HttpResponse:
    """This table's own totals, for an open page of standings; 204 if unchanged."""
    if request.GET["totals"] == page.mark_now:
        return HttpResponse(status=204)
    return render(request, "clubs/table/_totals.html", {"page": page})


def redirect_to_receipt(_request: HttpRequest, page: TablePage, hand: int) -> HttpResponse:
    return redirect(page.receipt(receipt_address(get_object_or_404(page.game.hands, pk=hand))))


def show_receipt(request: HttpRequest, hand: Hand | None, page: TablePage | None) -> HttpResponse:
    if hand is None or page is None:
        return render(request, "clubs/table/no_receipt.html", status=404)
    receipt = receipt_of(hand, page.stored_view)
    replacement_address = receipt.undone.replaced_by if receipt.undone else ""
    context = {
        "club": page.extra["club"],
        "receipt": receipt,
        "hand": receipt.hand,
        "address": request.build_absolute_uri(request.path),
        "instead": page.receipt(replacement_address) if replacement_address else "",
        "before": page.receipt(receipt.corrected_address) if receipt.corrected_address else "",
    }
    return render(request, "clubs/table/receipt.html", context)


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
    return phone_page(table, key, open_link(table.row, key)[1])


def phone_paths(link: str, event: type[TableEvent]) -> list[URLPattern]:
    """Every address below a link to a table or a seat (``t/<slug:key>/``) of any kind of event."""

    def view(act: TableView, otherwise: TableView = entering.no_table) -> View:
        """Find the table and act on its page; ``otherwise`` responds if the link opens none."""

        @secret_link_view
        @wraps(act)
        def inner(request: HttpRequest, key: str, **kwargs: Any) -> HttpResponse:
            row, seat = find_table(event.rows, key)
            if row is None:
                return otherwise(request, key=key, is_void=is_seat_key(key))
            return act(request, phone_page(event.for_players(row), key, seat), **kwargs)

        return inner

    @secret_link_view
    def receipt(request: HttpRequest, code: str) -> HttpResponse:
        """A hand's receipt: anyone with its address may read it."""
        hand = hand_with_address(code)
        row = find_by_key(event.rows, game=hand.game_id) if hand else None
        page = phone_page(event.for_players(row), row.link_key) if row else None
        return show_receipt(request, hand, page)

    # The key in the link is the only credential, and a restored page has an old CSRF token.
    send = csrf_exempt(require_POST(view(entering.save_stored_hand, entering.hands_not_sent)))
    old_link = with_linked_table(event.rows)(entering.check_old_link)
    subpages = [
        ("send/", "send", send),
        ("aid/", "aid", view(entering.tile_aid)),
        ("tiles/", "tapped", view(entering.tapped_tiles)),
        ("tiles/<int:seat>/", "tiles", view(entering.seat_tiles)),
        ("hands/<int:hand>/agree/", "agree", require_POST(view(repairs.agree))),
        ("hands/<int:hand>/dispute/", "dispute", view(repairs.dispute)),
        ("hands/<int:hand>/undo/", "undo", view(repairs.undo_hand)),
        ("formerly/<slug:old>/", "formerly", old_link),
        ("ahead/", "ahead", view(entering.look_ahead)),
        ("hands/<int:hand>/receipt/", "hand-receipt", view(redirect_to_receipt)),
        ("seats/", "seats", view(show_seats)),
        ("hands/", "hands", view(show_hands)),
        ("more/", "more", view(show_more)),
    ]
    return [
        path(link, view(show_table), name=event.phone),
        *(
            path(f"{link}{route}", act, name=f"{event.phone}-{name}")
            for route, name, act in subpages
        ),
        path(f"receipt/{link[0]}/<slug:code>/", receipt, name=f"{event.phone}-receipt"),
    ]


class LinkRow(NamedTuple):
    """What a table's links are bound to, and a version."""

    pk: int
    link_key: str
    game_id: int
    version: int


def with_linked_table(
    tables: Callable[[], QuerySet[Any]], *, version: str = ""
) -> Callable[[View], View]:
    """For other views below a printed key: passes on the table of any link.

    ``version`` leads from a table to the version of what is shown: if ``?v=`` matches, it responds
    204 after one small query.
    """

    def wrap(view: View) -> View:
        @secret_link_view
        @wraps(view)
        def inner(request: HttpRequest, key: str, **kwargs: Any) -> HttpResponse:
            lookup = link_lookup(key)
            if version and request.GET.get("v") and lookup:
                columns = ("pk", "link_key", "game_id", version)
                fields = find_values_by_key(tables, *columns, **lookup)
                row, _ = open_link(LinkRow._make(fields) if fields else None, key)
                if row is not None and str(row.version) == request.GET["v"]:
                    return HttpResponse(status=204)
            table, _ = find_table(tables, key)
            if table is None:
                return entering.no_table(request, key=key, is_void=is_seat_key(key))
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
        extra=club_context(
            table.club,
            table.tab,
            breadcrumbs=table.trail(),
            may_correct=request.has_permission(table.corrects),
            **table.desk_context(request.has_permission),
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


def desk_paths(prefix: str, event: type[TableEvent]) -> list[URLPattern]:
    """The addresses below a table's page for organisers, which begins ``prefix``."""

    def view(act: View) -> View:
        """Find the table of the address and act on its page."""

        @wraps(act)
        def inner(request: ClubRequest, club: Club, **kwargs: int) -> HttpResponse:
            act_kwargs = {
                name: kwargs.pop(name) for name in ("hand", "repair", "seat") if name in kwargs
            }
            return act(request, desk_page(request, event.find(club, **kwargs)), **act_kwargs)

        return inner

    pages = [(event.enters, page) for page in ENTRY_PAGES]
    pages += [(event.corrects, page) for page in CORRECTION_PAGES]
    return [
        path(
            f"{prefix}{page.path}",
            requires(permission, f"{page.log} {event.log_suffix}")(view(page.act)),
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


ENTRY_PAGES = (
    DeskPage("new-link/", "new-link", new_link, "replaced the table card of {table}"),
    DeskPage("tiles/", "tapped", entering.tapped_tiles, TAPPED_LOG),
    DeskPage("tiles/<int:seat>/", "tiles", entering.seat_tiles, TAPPED_LOG),
    DeskPage(
        "score-sheet/", "sheet", paper_sheet.show_sheet, "entered the paper score sheet of {table}"
    ),
)
CORRECTION_PAGES = (
    DeskPage(
        "hands/<int:hand>/correct/",
        "hand",
        repairs.correct,
        "corrected or ruled on a hand of {table}",
    ),
    DeskPage(
        "corrections/new/", "repair", repairs.repair_wizard, "corrected several hands of {table}"
    ),
    DeskPage(
        "corrections/<int:repair>/undo/",
        "repair-back",
        repairs.undo_correction,
        "undid a correction at {table}",
    ),
)


@public_view
@require_safe
@vary_on_headers("HX-Request")
def score_calculator(request: HttpRequest, key: str = DEFAULT_RULES) -> HttpResponse:
    """The calculator; for the page's script, only the parts that a tap changes."""
    rules, tapping = _rules_or_404(key), read_tapping(request.GET)
    builder = build_hand(tapping.steps, tapping.taps, rules)
    context = {
        "builder": builder,
        "tapping": tapping,
        "action": reverse("score-rules", args=[key]),
        "link": _full_score_address(request, "score-rules", key, builder),
        "share": _full_score_address(request, "score-link", key, builder),
        "books": [
            (rule_set(book), _score_address("score-rules", book, builder))
            for book in rule_set_keys()
        ],
    }
    page = "_score" if request.htmx else "score"  # type: ignore[attr-defined]
    status = UNPROCESSABLE if tapping.is_unread else 200
    return render(request, f"clubs/table/{page}.html", context, status=status)


@public_view
@require_safe
def score_link(request: HttpRequest, key: str) -> HttpResponse:
    """The link with the hand, to copy, and as a QR code for another phone."""
    rules, tapping = _rules_or_404(key), read_tapping(request.GET)
    builder = build_hand(tapping.steps, (), rules)
    context = {
        "builder": builder,
        "tapping": tapping,
        "link": _full_score_address(request, "score-rules", key, builder),
        "back": _score_address("score-rules", key, builder),
    }
    status = UNPROCESSABLE if tapping.is_unread else 200
    return render(request, "clubs/table/score_link.html", context, status=status)


def _rules_or_404(key: str) -> RuleSet:
    try:
        return rule_set(key)
    except UnknownRuleSet as unknown:
        raise Http404 from unknown


def _score_address(name: str, key: str, builder: Builder) -> str:
    return f"{reverse(name, args=[key])}?{urlencode({'hand': builder.hand})}"


def _full_score_address(request: HttpRequest, name: str, key: str, builder: Builder) -> str:
    return request.build_absolute_uri(_score_address(name, key, builder))


@public_view
@require_safe
def rules_aid(request: HttpRequest, key: str) -> HttpResponse:
    """The tiles and the rules in large, for whoever asks."""
    rules = _rules_or_404(key)
    return entering.show_aid(request, rules, asker_of(rules))


@public_view
def rules_page(request: HttpRequest, key: str) -> HttpResponse:
    """A rule set whole, every line with its source; house rules beside their book."""
    rules = _rules_or_404(key)
    printed_rules = compare_with_book(rules, rule_set(base_key(key)))
    other_rules = [
        rule_set(other_key) for other_key in rule_set_keys() if rule_set(other_key) != rules
    ]
    context = {"printed": printed_rules, "rules": rules, "others": other_rules}
    return render(request, "clubs/table/rules.html", context)


urlpatterns = [
    path("rules/<path:key>/aid/", rules_aid, name="rules-aid"),
    path("rules/<path:key>/", rules_page, name="rules"),
    path("score/", score_calculator, name="score"),
    path("score/<path:key>/link/", score_link, name="score-link"),
    path("score/<path:key>/", score_calculator, name="score-rules"),
]
