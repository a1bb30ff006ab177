"""Several hands of a tournament's table put right by the scorer, and that taken back."""

from functools import partial

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse

from clubs.core.access import ClubRequest, door
from clubs.core.page_context import framed
from clubs.models import Club
from clubs.models.names import ORGANISER
from clubs.table.pages import repairs as pages_repairs
from clubs.table.pages.repairs import Workshop
from clubs.table.rows import TableAt, TableView, repair_list
from tournaments.models import Table, Tournament, TournamentState
from tournaments.permissions import CORRECT_TABLE_HANDS
from tournaments.sections import tournament_trail
from tournaments.selectors.paper import linked_tables
from tournaments.selectors.rankings import rankings_of
from tournaments.services import repairs as services
from tournaments.views.tables import page_of, table_at


@door(CORRECT_TABLE_HANDS)
def repair(request: ClubRequest, club: Club, **where: int) -> HttpResponse:
    """The wizard, one step after another."""
    return pages_repairs.repair(request, _workshop(request, club, **where))


@door(CORRECT_TABLE_HANDS)
def undo(request: ClubRequest, club: Club, repair: int, **where: int) -> HttpResponse:
    """What taking a repair back changes, and doing it."""
    return pages_repairs.restore(request, _workshop(request, club, **where), repair)


@door(CORRECT_TABLE_HANDS)
def repairs(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Everything that was put right at the tournament's tables."""
    tournament = get_object_or_404(Tournament, club=club, pk=pk)
    context = framed(
        club,
        "tournaments",
        event=tournament.name,
        event_url=reverse("tournament", args=[club.slug, pk]),
        repairs=repair_list(_places(club, tournament)),
        may_change=tournament.state != TournamentState.FINISHED,
        breadcrumbs=tournament_trail(tournament, {"label": "Corrections"}),
    )
    return render(request, "tables/repairs.html", context)


def _places(club: Club, tournament: Tournament) -> dict[int, TableAt]:
    tables = Table.objects.filter(round__tournament=tournament)
    return {
        game: TableAt(
            f"Round {at_round}, table {number}",
            reverse("tournament-table", args=[club.slug, tournament.pk, at_round, number]),
        )
        for game, at_round, number in tables.values_list("game", "round__number", "number")
    }


def _workshop(request: ClubRequest, club: Club, **where: int) -> Workshop:
    table = table_at(club, **where)
    tournament = table.round.tournament
    return Workshop(
        page=page_of(request, table),
        read_tables=partial(_tables, tournament, where["round"]),
        repair=partial(services.repair_hands, tournament=tournament),
        undo=partial(services.undo_repair, tournament=tournament),
        rankings=partial(rankings_of, tournament),
        done_so_far=reverse("tournament-repairs", args=[club.slug, tournament.pk]),
    )


def _tables(tournament: Tournament, number: int) -> dict[int, TableView]:
    linked = linked_tables(tournament, round_number=number, reader=ORGANISER)
    return {table.view.game.pk: table.view for table in linked}
