"""Another link for a table of an evening."""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse

from clubs.core.access import ClubRequest, door
from clubs.core.page_context import evening_trail, framed
from clubs.core.permissions import ENTER_HANDS
from clubs.models import Club, SessionTable
from clubs.table.pages.links import renew
from clubs.table.rows import table_title


@door(ENTER_HANDS)
def new_link(request: ClubRequest, club: Club, pk: int, number: int) -> HttpResponse:
    """What a new link does, and the new card."""
    found = SessionTable.objects.select_related("session")
    table = get_object_or_404(found, session__pk=pk, session__club=club, number=number)
    at_table = reverse("evening-table", args=[club.slug, pk, number])
    title = table_title(number)
    below = {"label": title, "url": at_table}, {"label": "Replace table card"}
    crumbs = evening_trail(club, table.session, *below)
    context = framed(club, "evenings", title=title, back=at_table, breadcrumbs=crumbs)
    card = f"{reverse('cards-pdf', args=[club.slug, pk])}?table={number}"
    return renew(request, club, table, phone="table", card=card, context=context)
