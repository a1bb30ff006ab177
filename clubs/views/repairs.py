"""Several hands of a club table put right by the scorer, and that taken back."""

from functools import partial

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse

from clubs.core.access import ClubRequest, door
from clubs.core.page_context import evening_trail, framed
from clubs.core.permissions import CORRECT_HANDS
from clubs.evenings.services import tables as services
from clubs.language.moments import weekday_and_date
from clubs.models import Club, Session, SessionState
from clubs.models.names import ORGANISER
from clubs.selectors.evenings import linked_tables
from clubs.selectors.rankings import rankings_of
from clubs.table.pages import repairs as pages_repairs
from clubs.table.pages.repairs import Workshop
from clubs.table.rows import TableAt, TableView, repair_list, table_title
from clubs.views.tables import page_of, table_at


@door(CORRECT_HANDS)
def repair(request: ClubRequest, club: Club, pk: int, number: int) -> HttpResponse:
    """The wizard, one step after another."""
    return pages_repairs.repair(request, _workshop(request, club, pk, number))


@door(CORRECT_HANDS)
def undo(request: ClubRequest, club: Club, pk: int, number: int, repair: int) -> HttpResponse:
    """What taking a repair back changes, and doing it."""
    return pages_repairs.restore(request, _workshop(request, club, pk, number), repair)


@door(CORRECT_HANDS)
def repairs(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Everything that was put right at the evening's tables."""
    session = _session(club, pk)
    tables = {
        game: TableAt(table_title(number), reverse("evening-table", args=[club.slug, pk, number]))
        for game, number in session.tables.values_list("game", "number")
    }
    context = framed(
        club,
        "evenings",
        event=weekday_and_date(session.held_on),
        event_url=reverse("evening", args=[club.slug, pk]),
        repairs=repair_list(tables),
        may_change=session.state != SessionState.CLOSED,
        breadcrumbs=evening_trail(club, session, {"label": "Corrections"}),
    )
    return render(request, "tables/repairs.html", context)


def _session(club: Club, pk: int) -> Session:
    return get_object_or_404(Session.objects.select_related("season"), club=club, pk=pk)


def _workshop(request: ClubRequest, club: Club, pk: int, number: int) -> Workshop:
    table = table_at(club, pk, number)
    session = table.session
    return Workshop(
        page=page_of(request, table),
        read_tables=partial(_tables, session),
        repair=partial(services.repair_hands, session=session),
        undo=partial(services.undo_repair, session=session),
        rankings=partial(rankings_of, session),
        done_so_far=reverse("evening-repairs", args=[club.slug, pk]),
    )


def _tables(session: Session) -> dict[int, TableView]:
    tables = linked_tables(session, reader=ORGANISER)
    return {table.view.game.pk: table.view for table in tables}
