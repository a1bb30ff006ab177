"""The organisers' pages of a table, the same for every kind of event."""

from functools import wraps
from typing import Any, NamedTuple

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path, reverse

from clubs.core.access import ClubRequest, View, requires
from clubs.core.page_context import framed
from clubs.models import Club
from clubs.table.event import TableEvent
from clubs.table.pages import agreement, entering, repairs, tile_entry
from clubs.table.pages.table import TablePage
from clubs.table.services import replace_link


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

    The sentence ends with the event; in ``api``, ``…`` stands for the name of the table's own.
    """

    path: str
    name: str
    act: View
    log: str
    api: tuple[str, ...]


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
            requires(
                permission,
                f"{page.log} {event.when}",
                api=tuple(twin.replace("…", event.api) for twin in page.api),
            )(view(page.act)),
            name=f"{event.desk}-{page.name}",
        )
        for permission, page in pages
    ]


def new_link(request: ClubRequest, page: TablePage) -> HttpResponse:
    """Explain what a new link does; on confirmation create and show it."""
    table = page.event
    if request.method == "POST":
        replace_link(table=table.row, club=table.club)
        return redirect(f"{request.path}?made=yes")
    is_made = "made" in request.GET
    address = request.build_absolute_uri(reverse(table.phone, args=[table.row.link_key]))
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
    DeskPage(
        "new-link/",
        "new-link",
        new_link,
        "replaced the table card of {table}",
        ("POST …-new-link",),
    ),
    DeskPage("tiles/", "tapped", tile_entry.tapped, TAPPED, ("…-tapped",)),
    DeskPage(
        "tiles/<int:seat>/",
        "tiles",
        tile_entry.tiles,
        TAPPED,
        ("PUT …-tiles", "POST …-tiles", "DELETE …-tiles"),
    ),
    DeskPage(
        "score-sheet/",
        "sheet",
        entering.show_sheet,
        "entered the paper score sheet of {table}",
        ("POST …-sheet",),
    ),
)
CORRECTING = (
    DeskPage(
        "hands/<int:hand>/correct/",
        "hand",
        agreement.correct,
        "corrected or ruled on a hand of {table}",
        ("POST …-correct", "POST …-decide"),
    ),
    DeskPage(
        "corrections/new/",
        "repair",
        repairs.repair,
        "corrected several hands of {table}",
        tuple(f"POST …-repair-{kind}" for kind in ("figures", "seats", "sheets", "winner")),
    ),
    DeskPage(
        "corrections/<int:repair>/undo/",
        "repair-back",
        repairs.restore,
        "undid a correction at {table}",
        ("POST …-repair-back",),
    ),
)
