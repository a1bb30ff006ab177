"""A tournament's table: the phone page behind its secret link, and the organisers' page."""

from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from clubs import tablepages
from clubs.doors import ClubRequest, door
from clubs.frame import framed
from clubs.models import Club
from clubs.tablepages import TablePage
from scoring.scorebook.models import HandState
from tournaments import services
from tournaments.forms.steps import CALLS
from tournaments.models import RoundState, Table, TournamentState
from tournaments.permissions import CORRECT_TABLE_HANDS, ENTER_TABLE_HANDS, RUN_TOURNAMENT
from tournaments.selectors import desk as rows
from tournaments.selectors import standings as ranking
from tournaments.selectors.rulings import rulings_at
from tournaments.selectors.showing import shown_through
from tournaments.selectors.watch import open_call

with_table = tablepages.by_link(rows.tables_with_games)


@with_table
def phone(request: HttpRequest, table: Table) -> HttpResponse:
    """The page that the players share: what is played, enter a hand, agree."""
    return tablepages.show(request, _phone_page(table))


@with_table
def standings(request: HttpRequest, table: Table) -> HttpResponse:
    """The standings so far, for the players of any table."""
    tournament = table.round.tournament
    return tablepages.show_standings(
        request,
        template="tournament_standings",
        version=tournament.version,
        read=lambda: {
            "rows": ranking.standings(tournament, through=shown_through(tournament)),
            "tournament": tournament,
            "club": tournament.club,
            "club_url": reverse("round-table", args=[table.link_key]),
            "mine": rows.entrants_at(table),
        },
    )


@with_table
@require_POST
def agree(request: HttpRequest, table: Table, hand: int) -> HttpResponse:
    """The table says that the hand is right."""
    return tablepages.judge(request, _phone_page(table), hand, HandState.AGREED)


@with_table
@require_POST
def dispute(request: HttpRequest, table: Table, hand: int) -> HttpResponse:
    """Somebody at the table says that the hand is not right."""
    return tablepages.judge(request, _phone_page(table), hand, HandState.DISPUTED)


@door(ENTER_TABLE_HANDS)
def desk(request: ClubRequest, club: Club, **where: int) -> HttpResponse:
    """The same table for organisers: fast entry, every hand, what was corrected."""
    return tablepages.show(request, _desk_page(request, club, **where))


@door(CORRECT_TABLE_HANDS)
def correct(request: ClubRequest, club: Club, hand: int, **where: int) -> HttpResponse:
    """One hand of the table as the scorer decides it."""
    return tablepages.correct(request, _desk_page(request, club, **where), hand)


def _phone_page(table: Table) -> TablePage:
    address = reverse("round-table", args=[table.link_key])
    return _page(
        table,
        template="tables/phone.html",
        address=address,
        standings=reverse("round-table-standings", args=[table.link_key]),
        sent_by=f"round table {table.pk}",
        extra={
            "club": table.round.tournament.club,
            "club_url": address,
            "link": table.link_key,
            "agree_url": "round-table-agree",
            "dispute_url": "round-table-dispute",
            **call_part(table),
        },
    )


def call_part(table: Table) -> dict[str, Any]:
    """What the part of a page shows that calls the director: nothing once the round is closed."""
    if table.round.state == RoundState.CLOSED:
        return {}
    call = open_call(table, now=timezone.now())
    return {
        "calls": CALLS,
        "call": call,
        "call_url": reverse("round-table-call", args=[table.link_key]),
    }


def table_at(club: Club, **where: int) -> Table:
    """The club's table at ``pk`` (tournament), ``round`` and ``number``, or 404."""
    return get_object_or_404(
        rows.tables_with_games(),
        round__tournament__pk=where["pk"],
        round__tournament__club=club,
        round__number=where["round"],
        number=where["number"],
    )


def _desk_page(request: ClubRequest, club: Club, **where: int) -> TablePage:
    table = table_at(club, **where)
    address = [club.slug, where["pk"]]
    may_correct = request.may(CORRECT_TABLE_HANDS)
    return _page(
        table,
        template="tables/desk.html",
        address=reverse("tournament-table", args=[*address, where["round"], where["number"]]),
        standings=reverse("standings", args=address),
        sent_by=f"user {request.user.pk}",
        extra=framed(
            club,
            "tournaments",
            breadcrumbs=table_trail(table),
            may_correct=may_correct,
            rulings=rulings_at(table),
            may_run=request.may(RUN_TOURNAMENT),
            call=open_call(table, now=timezone.now()),
            there_url=reverse(
                "table-call-answered", args=[*address, where["round"], where["number"]]
            ),
        ),
    )


def table_trail(table: Table, *, here: str = "") -> list[dict[str, str]]:
    """The breadcrumbs to the table, or to a page below it."""
    tournament = table.round.tournament
    slug = tournament.club.slug
    at_table = f"Round {table.round.number}, table {table.number}"
    where = [slug, tournament.pk, table.round.number, table.number]
    below = [{"label": at_table, "url": reverse("tournament-table", args=where)}, {"label": here}]
    return [
        {"label": "Tournaments", "url": reverse("tournaments", args=[slug])},
        {"label": tournament.name, "url": reverse("tournament", args=[slug, tournament.pk])},
        *(below if here else [{"label": at_table}]),
    ]


def _page(table: Table, **given: Any) -> TablePage:
    is_open = table.round.state == RoundState.PLAYING
    return TablePage(
        game=table.game,
        read=partial(rows.view_of, table),
        closed_because="" if is_open else rows.why_not_open(table.round),
        may_change=table.round.tournament.state != TournamentState.FINISHED,
        preview=partial(services.preview_hand, table=table),
        post=partial(services.post_hand, table=table),
        judge=partial(services.judge_hand, table=table),
        correct=partial(services.correct_hand, table=table),
        **given,
    )
