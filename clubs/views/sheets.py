"""Paper sheets of an evening: the stack of them, and each as it is typed in."""

from functools import partial

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse

from clubs.core.access import ClubRequest, door
from clubs.core.page_context import evening_trail, framed
from clubs.core.permissions import ENTER_HANDS
from clubs.evenings.services.tables import tell_hands
from clubs.models import Club, Session
from clubs.selectors import evenings as rows
from clubs.selectors.sheets import stack_of
from clubs.table.pages.sheets import SheetPage, Stack, show_sheet
from clubs.table.sheet_drafts import games_begun
from clubs.views.tables import desk_page


@door(ENTER_HANDS)
def stack(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Which sheets of the evening are in the book, and the next one to type."""
    session = get_object_or_404(Session, pk=pk, club=club)
    tables = [table.view for table in rows.linked_tables(session)]
    evening = reverse("evening", args=[club.slug, pk])
    context = {
        "stack": stack_of(tables, begun=games_begun(request)),
        "event": tables[0].event if tables else "",
        "tables_at": f"{evening}tables/",
        "breadcrumbs": evening_trail(club, session, {"label": "Paper score sheets"}),
    }
    return render(request, "clubs/sheets.html", framed(club, "evenings", **context))


@door(ENTER_HANDS)
def sheet(request: ClubRequest, club: Club, pk: int, number: int) -> HttpResponse:
    """The table's whole paper sheet, typed in at once and laid beside the book."""
    page = desk_page(request, club, pk, number)
    stacked = Stack(
        reverse("evening-sheets", args=[club.slug, pk]),
        {
            other: reverse("evening-sheet", args=[club.slug, pk, other])
            for other in rows.table_numbers(pk)
        },
    )
    tell = partial(tell_hands, game_id=page.game.pk)
    return show_sheet(request, SheetPage(page, stacked, tell))
