"""A round's tables: phones, the organisers' pages, repairs and rulings."""

from uuid import uuid4

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from clubs.core.access import ClubRequest, requires
from clubs.core.audit_log import last_entry
from clubs.core.pages import club_context, render_form, run_action, save_if_valid
from clubs.evenings.selectors.floor import stack_of
from clubs.language.moments import moment
from clubs.models import Club
from clubs.table.pages import entering
from clubs.table.pages.entering import table_worker
from clubs.table.rows import TableAt, repair_list
from clubs.table.services import games_begun
from clubs.table.views import (
    desk_page,
    desk_paths,
    opened_page,
    phone_paths,
    table_context,
    table_totals,
    with_linked_table,
)
from scoring.scorebook.editions import rule_set
from tournaments.core import (
    CORRECT_TABLE_HANDS,
    ENTER_TABLE_HANDS,
    RUN_TOURNAMENT,
    TOURNAMENT_PATH,
    get_tournament_or_404,
    tournament_breadcrumbs,
    tournament_context,
)
from tournaments.models import Ruling, Table, Tournament, TournamentState
from tournaments.results.selectors.results import rulings_at, scale_rows
from tournaments.results.views import cached_standings_rows
from tournaments.rounds import selectors as rows
from tournaments.rounds.selectors import linked_tables
from tournaments.rounds.watch import open_call
from tournaments.steps import services as steps_services
from tournaments.table import services
from tournaments.table.event import RoundTable
from tournaments.table.forms import AnsweredForm, CallForm, RulingForm

with_table = with_linked_table(rows.tables_with_games)
with_table_news = with_linked_table(rows.tables_with_games, version="round__tournament__version")
ROUND_PATH = f"{TOURNAMENT_PATH}rounds/<int:round>/"
TABLE_PATH = f"{ROUND_PATH}tables/<int:number>/"
RULINGS_PATH = f"{TABLE_PATH}rulings/"


@with_table_news
def table_standings(request: HttpRequest, table: Table) -> HttpResponse:
    """The standings so far, for the players of any table; with ``?v=``, only the rows."""
    tournament = table.round.tournament
    if "v" in request.GET:
        return HttpResponse(
            cached_standings_rows(tournament).highlight_rows(rows.entrants_at(table))
        )
    page = opened_page(request, RoundTable.for_players(table))
    if "totals" in request.GET:
        return table_totals(request, page)
    rows_html = cached_standings_rows(tournament).highlight_rows(rows.entrants_at(table))
    context = table_context(request, page) | {"standings": rows_html}
    return render(request, "clubs/table/tournament_standings.html", context)


@requires(
    ENTER_TABLE_HANDS,
    {
        "": "entered a hand for {table} in {round} of {tournament}",
        "dealer": "chose who deals first at {table} in {round} of {tournament}",
    },
)
def table_desk(request: ClubRequest, club: Club, **url_kwargs: int) -> HttpResponse:
    """The same table for organisers: fast entry, every hand, what was corrected."""
    table = RoundTable.find(club, **url_kwargs)
    # Whether the table calls the director, the button to answer, and the rulings.
    context = {
        "call": open_call(table.row, now=timezone.now()),
        "there_url": reverse("table-call-answered", args=table.place),
        "rulings": rulings_at(table.row),
    }
    return entering.enter_hand(request, desk_page(request, table, **context))


@requires(CORRECT_TABLE_HANDS)
def correction_list(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    tournament = get_object_or_404(Tournament, club=club, pk=pk)
    tables = Table.objects.filter(round__tournament=tournament)
    places = {
        game: TableAt(
            f"Round {at_round}, table {number}",
            reverse("tournament-table", args=[club.slug, tournament.pk, at_round, number]),
        )
        for game, at_round, number in tables.values_list("game", "round__number", "number")
    }
    context = club_context(
        club,
        "tournaments",
        event=tournament.name,
        event_url=reverse("tournament", args=[club.slug, pk]),
        repairs=repair_list(places),
        may_change=tournament.state != TournamentState.FINISHED,
        breadcrumbs=tournament_breadcrumbs(tournament, {"label": "Corrections"}),
    )
    return render(request, "clubs/table/repairs.html", context)


@requires(ENTER_TABLE_HANDS)
def score_sheet_stack(request: ClubRequest, club: Club, pk: int, **url_kwargs: int) -> HttpResponse:
    """The round's paper sheets: which are in the book, and the next one to type."""
    tournament, number = get_tournament_or_404(club, pk), url_kwargs["round"]
    tables = [table.view for table in linked_tables(tournament, round_number=number)]
    url_args = [club.slug, pk]
    context = tournament_context(request, tournament, "tournament") | {
        "stack": stack_of(tables, draft_games=games_begun(request)),
        "event": f"{tournament.name}, round {number}",
        "tables_at": f"{reverse('tournament', args=url_args)}rounds/{number}/tables/",
        "breadcrumbs": tournament_breadcrumbs(tournament, {"label": "Paper score sheets"}),
    }
    return render(request, "clubs/table/sheets.html", context)


@requires(
    RUN_TOURNAMENT, "added a ruling at {table} of {tournament}", log_for="POST api-game-rulings"
)
def table_rulings(request: ClubRequest, club: Club, **url_kwargs: int) -> HttpResponse:
    """The rules' scale, a form for a ruling, and every ruling at this table."""
    round_table = RoundTable.find(club, **url_kwargs)
    table, rules = round_table.row, rule_set(round_table.row.game.rules)
    form = RulingForm(
        request.POST if request.method == "POST" else None, rules=rules, names=rows.names_at(table)
    )

    def rule() -> Ruling:
        case = services.RulingCase(
            table=table,
            seat=form.cleaned_data["seat"],
            reason=form.cleaned_data["reason"],
            ruled_by=f"user {request.user.pk}",
            submission_id=form.cleaned_data["submission_id"],
        )
        return services.make_ruling(case=case, **form.ruling)

    if save_if_valid(form, rule):
        messages.success(request, "Ruling saved.")
        return redirect(request.path)
    context = club_context(
        club,
        "tournaments",
        breadcrumbs=round_table.trail("Penalties and rulings"),
        table=table,
        form=form,
        scale=scale_rows(table),
        rulings=rulings_at(table),
        why_no_ruling=services.ruling_refusal(table.round),
        may_rule=table.round.tournament.state != TournamentState.FINISHED,
        rulings_url=request.path,
    )
    return render_form(request, "tournaments/table/rulings.html", context, form)


@requires(
    RUN_TOURNAMENT,
    "cancelled a ruling at {table} of {tournament}",
    log_for="POST api-game-ruling-cancel",
)
@require_POST
def cancel_ruling(request: ClubRequest, club: Club, ruling: int, **url_kwargs: int) -> HttpResponse:
    current = get_object_or_404(RoundTable.find(club, **url_kwargs).row.rulings, pk=ruling)
    run_action(
        request,
        lambda: services.cancel_ruling(
            ruling=current,
            reason=request.POST.get("reason", ""),
            ruled_by=f"user {request.user.pk}",
            submission_id=uuid4(),
        ),
        "Ruling cancelled and its points reversed.",
    )
    return redirect(reverse("table-rulings", kwargs={"club": club.slug, **url_kwargs}))


@with_table
def call_director(request: HttpRequest, table: Table) -> HttpResponse:
    """Call the director, or cancel; for the page's polling, the current state."""
    if request.method != "POST":
        return render(request, "clubs/table/_call.html", RoundTable(table).call_context())
    if request.POST.get("step") == "cancel":
        steps_services.answer_call(table=table, answered_by=f"round table {table.pk}")
    else:
        form = CallForm(request.POST)
        reason = form.cleaned_data["what"] if form.is_valid() else ""
        run_action(request, lambda: steps_services.call_director(table=table, reason=reason))
    return redirect("round-table", table.link_key)


@requires(
    ENTER_TABLE_HANDS,
    "marked the call of {table} of {tournament} as dealt with",
    log_for="POST api-game-call-answer",
    drawer="tournaments",
)
@require_POST
def answer_call(request: ClubRequest, club: Club, **url_kwargs: int) -> HttpResponse:
    """Record that someone has been to the table that called."""
    table = RoundTable.find(club, **url_kwargs).row
    form = AnsweredForm(request.POST)
    call = form.cleaned_data["call"] if form.is_valid() else None
    if steps_services.answer_call(table=table, answered_by=f"user {request.user.pk}", call=call):
        messages.success(request, f"Call from table {table.number} dealt with.")
    else:
        row_keys = {"round": url_kwargs["round"], "number": url_kwargs["number"]}
        last = last_entry(club, "tournament", url_kwargs["pk"], ["table-call-answered"], **row_keys)
        person_name, time_text = (
            (last.actor, f", at {moment(last.at)}") if last else ("Someone", "")
        )
        messages.info(
            request, f"{person_name} has already dealt with table {table.number}{time_text}."
        )
    return redirect("tournament", club.slug, url_kwargs["pk"])


phone_patterns = [
    *phone_paths("r/<slug:key>/", RoundTable),
    path("r/<slug:key>/standings/", table_standings, name="round-table-standings"),
    path("r/table-worker.js", table_worker, name="round-table-worker"),
    path("r/<slug:key>/call/", call_director, name="round-table-call"),
]
urlpatterns = [
    path(f"{TABLE_PATH}call/answered/", answer_call, name="table-call-answered"),
    path(TABLE_PATH, table_desk, name="tournament-table"),
    *desk_paths(TABLE_PATH, RoundTable),
    path(f"{ROUND_PATH}score-sheets/", score_sheet_stack, name="tournament-sheets"),
    path(f"{TOURNAMENT_PATH}corrections/", correction_list, name="tournament-repairs"),
    path(RULINGS_PATH, table_rulings, name="table-rulings"),
    path(f"{RULINGS_PATH}<int:ruling>/back/", cancel_ruling, name="ruling-back"),
]
