"""Paper sheets of a round: the stack of them, and each as it is typed in."""

from functools import partial

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse

from clubs.core.access import ClubRequest, door
from clubs.evenings.selectors.floor import stack_of
from clubs.models import Club
from clubs.table.pages.sheets import SheetPage, Stack, show_sheet
from clubs.table.sheet_drafts import games_begun
from tournaments.permissions import ENTER_TABLE_HANDS
from tournaments.sections import tournament_trail
from tournaments.selectors.desk import table_numbers
from tournaments.selectors.paper import linked_tables
from tournaments.services.sheets import tell_hands
from tournaments.views.pages import about, find
from tournaments.views.tables import desk_page


@door(ENTER_TABLE_HANDS)
def stack(request: ClubRequest, club: Club, pk: int, **where: int) -> HttpResponse:
    """Which sheets of the round are in the book, and the next one to type."""
    tournament, number = find(club, pk), where["round"]
    tables = [table.view for table in linked_tables(tournament, round_number=number)]
    here = [club.slug, pk]
    shown = about(request, tournament, "tournament") | {
        "stack": stack_of(tables, begun=games_begun(request)),
        "event": f"{tournament.name}, round {number}",
        "tables_at": f"{reverse('tournament', args=here)}rounds/{number}/tables/",
        "breadcrumbs": tournament_trail(tournament, {"label": "Paper score sheets"}),
    }
    return render(request, "clubs/sheets.html", shown)


@door(ENTER_TABLE_HANDS)
def sheet(request: ClubRequest, club: Club, **where: int) -> HttpResponse:
    """The table's whole paper sheet, typed in at once and laid beside the book."""
    page = desk_page(request, club, **where)
    at_round = [club.slug, where["pk"], where["round"]]
    stacked = Stack(
        reverse("tournament-sheets", args=at_round),
        {
            other: reverse("tournament-sheet", args=[*at_round, other])
            for other in table_numbers(where["pk"], where["round"])
        },
    )
    tell = partial(tell_hands, game_id=page.game.pk)
    return show_sheet(request, SheetPage(page, stacked, tell))
