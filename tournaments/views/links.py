"""Another link for a table of a round."""

from django.http import HttpResponse
from django.urls import reverse

from clubs.core.access import ClubRequest, door
from clubs.core.page_context import framed
from clubs.models import Club
from clubs.table.pages.links import renew
from tournaments.permissions import ENTER_TABLE_HANDS
from tournaments.views.tables import table_at, table_trail


@door(ENTER_TABLE_HANDS)
def new_link(request: ClubRequest, club: Club, **where: int) -> HttpResponse:
    """What a new link does, and the new card."""
    table = table_at(club, **where)
    here = [club.slug, where["pk"], where["round"], where["number"]]
    context = framed(
        club,
        "tournaments",
        title=f"Round {where['round']}, table {where['number']}",
        back=reverse("tournament-table", args=here),
        breadcrumbs=table_trail(table, here="Replace table card"),
    )
    papers = reverse("tournament-cards-pdf", args=here[:2])
    card = f"{papers}?round={where['round']}&table={where['number']}"
    return renew(request, club, table, phone="round-table", card=card, context=context)
