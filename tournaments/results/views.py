"""Standings, prizes and results."""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping
from typing import Any, Final, NamedTuple

from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import path
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_POST

from clubs.core.access import ClubRequest, requires, secret_link_view
from clubs.core.forms import Event, Overtaken, ShownState, save_unless_overtaken, shown_state
from clubs.core.locks import reload_or_refuse
from clubs.core.pages import attachment, render_form, run_action, save_if_valid
from clubs.core.replica import reads_from_replica
from clubs.core.versioned_cache import get_or_compute
from clubs.models import Club
from clubs.models.names import PUBLIC_READER
from clubs.models.people import is_own_link_key
from clubs.paper.formats import format_from_query
from clubs.paper.response import pdf_response
from clubs.tenancy import find_by_key
from scoring.scorebook.refusals import Refused
from tournaments.core import (
    RUN_TOURNAMENT,
    SEE_LAST_ROUND,
    SEE_TOURNAMENT,
    TOURNAMENT_PATH,
    file_name_of,
    get_tournament_or_404,
    lock_tournament,
    tournament_context,
)
from tournaments.models import Prize, Tournament
from tournaments.results import services
from tournaments.results.exports import (
    hands_csv,
    played_hands,
    results_csv,
    results_json,
    results_xlsx,
    rounds_csv,
)
from tournaments.results.forms import PrizeChangeForm, PrizeForm, initial_prize_terms
from tournaments.results.papers import results_pdf
from tournaments.results.selectors.results import (
    CACHE_SECONDS,
    Results,
    cached_board,
    cached_results,
    prize_giving,
    prizes_state,
    results_of,
    rule_state,
    standings_version,
)
from tournaments.results.selectors.standings import METRIC_KEYS, columns_of
from tournaments.rounds.selectors import last_shown_round
from tournaments.rounds.steps import results_state

Export = Callable[[Tournament, Results], bytes]
CSV_TYPE: Final = "text/csv; charset=utf-8"
EXPORTS: dict[str, tuple[Export, str]] = {
    "csv": (results_csv, CSV_TYPE),
    "rounds.csv": (rounds_csv, CSV_TYPE),
    "hands.csv": (hands_csv, CSV_TYPE),
    "json": (results_json, "application/json"),
    "xlsx": (results_xlsx, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
}
URL_SUFFIXES = {form: form.replace(".", "-") for form in ("pdf", *EXPORTS)}  # and as in names
STANDINGS_TEMPLATES = {
    False: "tournaments/results/standings.html",
    True: "tournaments/results/_standings.html",
}

# What is done, the message, and the words of the activity log.
RESULTS_ACTIONS: dict[str, tuple[Callable[..., None], str, str]] = {
    "hide": (
        services.hide_last_round,
        "The last round is now hidden. Only officials can see it.",
        "hid the last round of {tournament}",
    ),
    "release": (
        services.release_results,
        "The last round is now visible to everyone.",
        "showed the last round of {tournament}",
    ),
    "withdraw": (
        services.withdraw_results,
        "Results unpublished.",
        "unpublished the results of {tournament}",
    ),
}

SPOT_PATTERN: Final = re.compile(r"<!--(\d+)-->")
OWN_ROW_MARKS: Final = (' class="ours"', '<span class="hidden-text"> (this table)</span>')
PRIZES_PATH = f"{TOURNAMENT_PATH}prizes/"
PRIZE_PATH = f"{PRIZES_PATH}<int:prize>/"
PUBLIC_RESULTS_PATH = "e/<slug:key>/results/"


@reads_from_replica
@requires(SEE_TOURNAMENT)
def tournament_standings(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The standings, now or after a round; with ``?v=``, only the table, or 204."""
    tournament = get_tournament_or_404(club, pk)
    if request.GET.get("v") == str(tournament.version):
        return HttpResponse(status=204)
    view_options: dict[str, Any] = {
        "last_round": _requested_round(request, tournament),
        "reader": request.reader,
    }
    mark, find_ = standings_version(tournament, **view_options), request.GET.get("find", "")
    results = cached_results(tournament, mark, **view_options)
    extra_context = {
        "board": results.board,
        "results": results,
        "found": results.board.lines_named(find_),
        "sees_all": request.has_permission(SEE_LAST_ROUND),
        "results_state": results_state(tournament),
    }
    context = tournament_context(
        request, tournament, "standings", mark=mark, find=find_, **extra_context
    )
    return render(request, STANDINGS_TEMPLATES["v" in request.GET], context)


def export_results(request: ClubRequest, club: Club, pk: int, form: str) -> HttpResponse:
    """The results as a file: ``pdf``, ``csv``, ``xlsx`` or ``json``, as now or ``?after=3``.

    A PDF is for handing out, so it shows names as chosen, whoever prints it.
    """
    tournament = get_tournament_or_404(club, pk)
    reader = PUBLIC_READER if form == "pdf" else request.reader
    results = results_of(
        tournament, last_round=_requested_round(request, tournament), reader=reader
    )
    return _file_response(request, tournament, results, form)


@reads_from_replica
@secret_link_view
def public_results(request: HttpRequest, key: str) -> HttpResponse:
    """The final results, for everyone with the link, once they are published."""
    tournament = _published_tournament(key)
    if tournament is None:
        return render(request, "tournaments/results/unpublished.html", status=404)
    mark, find_ = standings_version(tournament), request.GET.get("find", "")
    results = cached_results(tournament, mark)
    context = {
        "club": tournament.club,
        "tournament": tournament,
        "mark": mark,
        "results": results,
        "board": results.board,
        "find": find_,
        "found": results.board.lines_named(find_),
    }
    return render(request, "tournaments/results/results.html", context)


@secret_link_view
def public_results_file(request: HttpRequest, key: str, form: str) -> HttpResponse:
    tournament = _published_tournament(key)
    if tournament is None:
        raise Http404
    return _file_response(request, tournament, results_of(tournament), form)


@require_POST
def change_results_shown(request: ClubRequest, club: Club, pk: int, what: str) -> HttpResponse:
    """Hide or release the last round, or close the page of the results."""
    act, message, _ = RESULTS_ACTIONS[what]
    try:
        act(
            tournament=get_tournament_or_404(club, pk),
            page_state=shown_state(f"results-{what}", request.POST),
        )
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, message)
    return redirect("standings", club.slug, pk)


def _requested_round(request: ClubRequest, tournament: Tournament) -> int | None:
    requested_round = request.GET.get("after", "")
    return last_shown_round(
        tournament,
        requested_round=requested_round,
        to_officials=request.has_permission(SEE_LAST_ROUND),
    )


def _published_tournament(key: str) -> Tournament | None:
    return find_by_key(_all_published, wall_key=key) if is_own_link_key(key) else None


def _all_published() -> QuerySet[Tournament]:
    tournaments = Tournament.objects.filter(published_at__isnull=False)
    return tournaments.select_related("club", "book")


def _file_response(
    request: HttpRequest, tournament: Tournament, results: Results, form: str
) -> HttpResponse:
    name = file_name_of(tournament, "results")
    if form == "pdf":
        hands = played_hands(tournament, results) if request.GET.get("hands") else ()
        paper = results_pdf(
            tournament, results, format_from_query(request.GET, tournament.club), hands=hands
        )
        return pdf_response(request, paper, name)
    write, kind = EXPORTS[form]
    return attachment(write(tournament, results), f"{name}.{form}", kind)


class RenderedRows(NamedTuple):
    """The public rows, and where an entrant's row and name are to be highlighted."""

    text: str
    spots: Mapping[int, tuple[int, ...]]

    def highlight_rows(self, entrant_keys: Collection[int]) -> SafeString:
        """The rows with those of these entrants highlighted."""
        marks = sorted(
            (spot, mark)
            for entrant in entrant_keys
            for spot, mark in zip(self.spots.get(entrant, ()), OWN_ROW_MARKS, strict=False)
        )
        parts, start = [], 0
        for spot, mark in marks:
            parts += [self.text[start:spot], mark]
            start = spot
        return mark_safe("".join((*parts, self.text[start:])))  # noqa: S308 - a template drew it


def cached_standings_rows(tournament: Tournament) -> RenderedRows:
    """The public rows; one query if cached, else three more."""
    mark = standings_version(tournament, last_round=last_shown_round(tournament))
    return get_or_compute(
        f"phones-{mark}", lambda: _render_standings(tournament, mark), seconds=CACHE_SECONDS
    )


def _render_standings(tournament: Tournament, mark: str) -> RenderedRows:
    board = cached_board(tournament, last_round=last_shown_round(tournament), mark=mark)
    columns = [columns_of(tournament).index(key) for key in METRIC_KEYS]
    rows = [(line, [line.figures[column] for column in columns]) for line in board.lines]
    context = {
        "tournament": tournament,
        "version": str(tournament.version),
        "board": board,
        "rows": rows,
    }
    # The text without its comments, and their positions: twice the key of each entrant.
    html = render_to_string("clubs/table/_tournament_standings.html", context)
    parts, spots, offset = SPOT_PATTERN.split(html), defaultdict[int, tuple[int, ...]](tuple), 0
    for text, entrant in zip(parts[::2], parts[1::2], strict=False):
        offset += len(text)
        spots[int(entrant)] += (offset,)
    return RenderedRows("".join(parts[::2]), dict(spots))


@requires(RUN_TOURNAMENT, "added a prize to {tournament}", log_for="POST api-prize-list")
def prize_list(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Every prize with its actual or provisional winner, and a form to add one."""
    tournament = get_tournament_or_404(club, pk)
    form = PrizeForm(tournament, request.POST if request.method == "POST" else None)
    saved_prize = save_if_valid(
        form, lambda: services.save_prize(tournament=tournament, **form.terms)
    )
    if saved_prize:
        messages.success(request, f"{saved_prize.name} added.")
        return redirect("prizes", club.slug, pk)
    # The prizes, and the state that the forms on their page carry.
    extra_context = {
        "now": ShownState("prize-move", prizes_state(tournament)),
        "rule": ShownState("prizes-rule", rule_state(tournament)),
        "giving": prize_giving(tournament, reader=request.reader),
    }
    context = tournament_context(request, tournament, "prizes", form=form, **extra_context)
    return render_form(request, "tournaments/results/prizes.html", context, form)


@requires(RUN_TOURNAMENT, "changed a prize of {tournament}", log_for="PATCH api-prize-detail")
def edit_prize(request: ClubRequest, club: Club, pk: int, prize: int) -> HttpResponse:
    tournament = get_tournament_or_404(club, pk)
    try:
        edited_prize = _get_prize(tournament, prize)
    except Overtaken as refused:
        messages.info(request, str(refused))
        return redirect("prizes", club.slug, pk)
    data = request.POST if request.method == "POST" else None
    form = PrizeChangeForm(tournament, data, prize=edited_prize)
    saved_prize = save_unless_overtaken(
        form,
        Event(club, "tournament", pk, {"prize": ""}, {"prize": prize}),
        lock=lambda: lock_tournament(pk),
        current=lambda: _current_values(edited_prize),
        save=lambda: services.save_prize(tournament=tournament, prize=edited_prize, **form.terms),
    )
    if saved_prize:
        messages.success(request, f"{saved_prize.name} changed.")
        return redirect("prizes", club.slug, pk)
    context = tournament_context(request, tournament, "prizes", form=form, prize=edited_prize)
    return render_form(request, "tournaments/results/prize.html", context, form)


def _get_prize(tournament: Tournament, pk: int) -> Prize:
    """The prize of the address. Raises ``Overtaken`` if it was deleted."""
    prize = tournament.prizes.filter(pk=pk).first()
    if prize is None:
        raise services.removed_before(tournament, pk) or Http404
    return prize


def _current_values(prize: Prize) -> dict[str, Any]:
    reload_or_refuse(prize, "That prize has been deleted.")
    return initial_prize_terms(prize)


@requires(RUN_TOURNAMENT, "moved a prize of {tournament} up or down", log_for="POST api-prize-move")
@require_POST
def move_prize(request: ClubRequest, club: Club, pk: int, prize: int) -> HttpResponse:
    tournament, is_upward = get_tournament_or_404(club, pk), "up" in request.POST
    page_state = shown_state("prize-move", request.POST)

    def act() -> str:
        moved_prize = _get_prize(tournament, prize)
        services.move_prize(
            tournament=tournament, prize=moved_prize, up=is_upward, page_state=page_state
        )
        return f"{moved_prize.name} moved {'up' if is_upward else 'down'}."

    run_action(request, act, str)
    return redirect("prizes", club.slug, pk)


@requires(RUN_TOURNAMENT, "deleted a prize of {tournament}", log_for="DELETE api-prize-detail")
@require_POST
def remove_prize(request: ClubRequest, club: Club, pk: int, prize: int) -> HttpResponse:
    tournament = get_tournament_or_404(club, pk)
    page_state = shown_state("prize-remove", request.POST)

    def act() -> str:
        deleted_prize = _get_prize(tournament, prize)
        services.remove_prize(tournament=tournament, prize=deleted_prize, page_state=page_state)
        return f"{deleted_prize.name} deleted."

    run_action(request, act, str)
    return redirect("prizes", club.slug, pk)


@requires(
    RUN_TOURNAMENT, "added the standard prizes to {tournament}", log_for="POST api-prize-standard"
)
@require_POST
def add_standard_prizes(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    tournament = get_tournament_or_404(club, pk)
    run_action(
        request,
        lambda: services.declare_usual_prizes(tournament=tournament),
        lambda count: f"{count} prizes added.",
    )
    return redirect("prizes", club.slug, pk)


@requires(RUN_TOURNAMENT, "changed the prize rules of {tournament}", log_for="POST api-prize-rule")
@require_POST
def set_prize_rule(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    tournament, one_each = get_tournament_or_404(club, pk), "one_each" in request.POST
    page_state = shown_state("prizes-rule", request.POST)
    run_action(
        request,
        lambda: services.set_prize_rule(
            tournament=tournament, one_each=one_each, page_state=page_state
        ),
        "One prize per person." if one_each else "Players can win several prizes.",
    )
    return redirect("prizes", club.slug, pk)


urlpatterns = [
    path(f"{TOURNAMENT_PATH}standings/", tournament_standings, name="standings"),
    *(
        path(
            f"{TOURNAMENT_PATH}standings.{form}",
            requires(SEE_TOURNAMENT)(export_results),
            {"form": form},
            name=f"standings-{name}",
        )
        for form, name in URL_SUFFIXES.items()
    ),
    *(
        path(
            f"{TOURNAMENT_PATH}results/{action}/",
            requires(RUN_TOURNAMENT, log, log_for=f"POST api-results-{action}")(
                change_results_shown
            ),
            {"what": action},
            name=f"results-{action}",
        )
        for action, (_, _, log) in RESULTS_ACTIONS.items()
    ),
    path(PUBLIC_RESULTS_PATH, public_results, name="results"),
    *(
        path(
            f"{PUBLIC_RESULTS_PATH}results.{form}",
            public_results_file,
            {"form": form},
            name=f"results-{name}",
        )
        for form, name in URL_SUFFIXES.items()
    ),
    path(PRIZES_PATH, prize_list, name="prizes"),
    path(f"{PRIZES_PATH}usual/", add_standard_prizes, name="prizes-usual"),
    path(f"{PRIZES_PATH}rule/", set_prize_rule, name="prizes-rule"),
    path(PRIZE_PATH, edit_prize, name="prize"),
    path(f"{PRIZE_PATH}move/", move_prize, name="prize-move"),
    path(f"{PRIZE_PATH}remove/", remove_prize, name="prize-remove"),
]
