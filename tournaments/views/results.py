"""Standings as they are and as they were, what is kept for the prize-giving, and the results."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from clubs.core.access import ClubRequest, by_secret_link, door
from clubs.core.stale_forms import as_shown
from clubs.models import Club
from clubs.models.accounts import is_ours
from clubs.models.names import EVERYBODY
from clubs.models.tenancy import by_key
from clubs.paper.downloads import pdf
from clubs.paper.formats import format_of
from scoring.scorebook.refusals import Refused
from tournaments import services
from tournaments.exports import played_hands, results_csv, results_json, results_xlsx
from tournaments.models import Tournament
from tournaments.pdf import results_pdf
from tournaments.permissions import RUN_TOURNAMENT, SEE_LAST_ROUND, SEE_TOURNAMENT
from tournaments.selectors.results import Results, results_of
from tournaments.selectors.showing import shown_through
from tournaments.selectors.stages import results_state
from tournaments.selectors.versions import kept_results, mark_of
from tournaments.views.pages import about, find

Export = Callable[[Tournament, Results], bytes]
EXPORTS: dict[str, tuple[Export, str]] = {
    "csv": (results_csv, "text/csv; charset=utf-8"),
    "json": (results_json, "application/json"),
    "xlsx": (
        results_xlsx,
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ),
}
FORMS = ("pdf", *EXPORTS)
PARTS = {False: "tournaments/standings.html", True: "tournaments/_standings.html"}


@door(SEE_TOURNAMENT)
def standings(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Who stands where, or stood after a round; asked with ``?v=``, only the table, or 204."""
    tournament = find(club, pk)
    if request.GET.get("v") == str(tournament.version):
        return HttpResponse(status=204)
    seen: dict[str, Any] = {"through": _through(request, tournament), "reader": request.reader}
    mark, find_ = mark_of(tournament, **seen), _find(request)
    results = kept_results(tournament, mark, **seen)
    shown = {
        "board": results.board,
        "results": results,
        "found": results.board.found(find_),
        "sees_all": request.may(SEE_LAST_ROUND),
        "results_state": results_state(tournament),
    }
    context = about(request, tournament, "standings", mark=mark, find=find_, **shown)
    return render(request, PARTS["v" in request.GET], context)


@door(SEE_TOURNAMENT)
def export(request: ClubRequest, club: Club, pk: int, form: str) -> HttpResponse:
    """The results as a file: ``pdf``, ``csv``, ``xlsx`` or ``json``, as now or ``?after=3``.

    Paper is handed out, so that its names stand as they were chosen, whoever prints it.
    """
    tournament, reader = find(club, pk), EVERYBODY if form == "pdf" else request.reader
    results = results_of(tournament, through=_through(request, tournament), reader=reader)
    return _file(request, tournament, results, form)


@by_secret_link
def results(request: HttpRequest, key: str) -> HttpResponse:
    """The final results, for everyone with the link, once they are published."""
    tournament = _published(key)
    if tournament is None:
        return render(request, "tournaments/unpublished.html", status=404)
    mark, find_ = mark_of(tournament), _find(request)
    found = kept_results(tournament, mark)
    context = {
        "club": tournament.club,
        "tournament": tournament,
        "mark": mark,
        "results": found,
        "board": found.board,
        "find": find_,
        "found": found.board.found(find_),
    }
    return render(request, "tournaments/results.html", context)


@by_secret_link
def results_file(request: HttpRequest, key: str, form: str) -> HttpResponse:
    """The published results as a file."""
    tournament = _published(key)
    if tournament is None:
        raise Http404
    return _file(request, tournament, results_of(tournament), form)


@door(RUN_TOURNAMENT)
@require_POST
def show(request: ClubRequest, club: Club, pk: int, what: str) -> HttpResponse:
    """Hide or release the last round, or close the page of the results."""
    act, said = SHOWING[what]
    try:
        act(tournament=find(club, pk), shown=as_shown(f"results-{what}", request.POST))
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, said)
    return redirect("standings", club.slug, pk)


SHOWING: dict[str, tuple[Callable[..., None], str]] = {
    "hide": (
        services.hide_last_round,
        "The last round is now hidden. Only officials can see it.",
    ),
    "release": (services.release_results, "The last round is now visible to everyone."),
    "withdraw": (services.withdraw_results, "Results unpublished."),
}


def _through(request: ClubRequest, tournament: Tournament) -> int | None:
    asked = request.GET.get("after", "")
    return shown_through(tournament, asked=asked, to_officials=request.may(SEE_LAST_ROUND))


def _find(request: HttpRequest) -> str:
    return request.GET.get("find", "")


def _published(key: str) -> Tournament | None:
    if not is_ours(key):
        return None
    return by_key(_all_published, wall_key=key)


def _all_published() -> QuerySet[Tournament]:
    published = Tournament.objects.filter(published_at__isnull=False)
    return published.select_related("club", "book")


def _file(
    request: HttpRequest, tournament: Tournament, results: Results, form: str
) -> HttpResponse:
    name = f"{tournament.club.slug}-tournament-{tournament.pk}-results"
    if form == "pdf":
        hands = played_hands(tournament, results) if request.GET.get("hands") else ()
        paper = results_pdf(tournament, results, format_of(request.GET), hands=hands)
        return pdf(request, paper, name)
    write, kind = EXPORTS[form]
    headers = {"Content-Disposition": f'attachment; filename="{name}.{form}"'}
    return HttpResponse(write(tournament, results), content_type=kind, headers=headers)
