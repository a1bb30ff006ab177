"""The organisers' pages of a table, the same for every kind of event."""

from functools import wraps
from typing import Any

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


def desk_paths(at: str, event: type[TableEvent]) -> list[URLPattern]:
    """The addresses below a table's page for organisers, which begins ``at``."""
    enters, corrects = requires(event.enters), requires(event.corrects)

    def view(act: View) -> View:
        """Find the table of the address and act on its page."""

        @wraps(act)
        def inner(request: ClubRequest, club: Club, **kwargs: int) -> HttpResponse:
            own = {name: kwargs.pop(name) for name in ("hand", "repair", "seat") if name in kwargs}
            return act(request, desk_page(request, event.find(club, **kwargs)), **own)

        return inner

    below = [
        ("new-link/", "new-link", enters(view(new_link))),
        ("tiles/", "tapped", enters(view(tile_entry.tapped))),
        ("tiles/<int:seat>/", "tiles", enters(view(tile_entry.tiles))),
        ("score-sheet/", "sheet", enters(view(entering.show_sheet))),
        ("hands/<int:hand>/correct/", "hand", corrects(view(agreement.correct))),
        ("corrections/new/", "repair", corrects(view(repairs.repair))),
        ("corrections/<int:repair>/undo/", "repair-back", corrects(view(repairs.restore))),
    ]
    return [path(f"{at}{where}", act, name=f"{event.desk}-{name}") for where, name, act in below]


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
