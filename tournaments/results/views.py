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

from clubs.core.access import ClubRequest, by_secret_link, requires
from clubs.core.forms import Event, Overtaken, Shown, as_shown, save_over
from clubs.core.locks import read_again
from clubs.core.pages import accepted, attachment, form_page, pressed
from clubs.core.replica import may_be_a_second_old
from clubs.core.versioned_cache import made_once
from clubs.models import Club
from clubs.models.names import EVERYBODY
from clubs.models.people import is_ours
from clubs.paper.document import pdf
from clubs.paper.formats import format_of
from clubs.tenancy import by_key
from scoring.scorebook.refusals import Refused
from tournaments.core import (
    RUN_TOURNAMENT,
    SEE_LAST_ROUND,
    SEE_TOURNAMENT,
    about,
    file_of,
    find,
    lock,
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
from tournaments.results.forms import PrizeChangeForm, PrizeForm, initial_terms
from tournaments.results.papers import results_pdf
from tournaments.results.selectors.results import (
    A_MINUTE,
    Results,
    kept_board,
    kept_results,
    mark_of,
    prize_giving,
    prizes_state,
    results_of,
    rule_state,
)
from tournaments.results.selectors.standings import SHOWN, columns_of
from tournaments.rounds.selectors import shown_through
from tournaments.rounds.steps import results_state

Export = Callable[[Tournament, Results], bytes]
CSV: Final = "text/csv; charset=utf-8"
EXPORTS: dict[str, tuple[Export, str]] = {
    "csv": (results_csv, CSV),
    "rounds.csv": (rounds_csv, CSV),
    "hands.csv": (hands_csv, CSV),
    "json": (results_json, "application/json"),
    "xlsx": (results_xlsx, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
}
FORMS = {form: form.replace(".", "-") for form in ("pdf", *EXPORTS)}  # and as in names
PARTS = {False: "tournaments/results/standings.html", True: "tournaments/results/_standings.html"}


@may_be_a_second_old
@requires(SEE_TOURNAMENT)
def standings(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The standings, now or after a round; with ``?v=``, only the table, or 204."""
    tournament = find(club, pk)
    if request.GET.get("v") == str(tournament.version):
        return HttpResponse(status=204)
    seen: dict[str, Any] = {"through": _through(request, tournament), "reader": request.reader}
    mark, find_ = mark_of(tournament, **seen), request.GET.get("find", "")
    results = kept_results(tournament, mark, **seen)
    shown = {
        "board": results.board,
        "results": results,
        "found": results.board.lines_named(find_),
        "sees_all": request.may(SEE_LAST_ROUND),
        "results_state": results_state(tournament),
    }
    context = about(request, tournament, "standings", mark=mark, find=find_, **shown)
    return render(request, PARTS["v" in request.GET], context)


def export(request: ClubRequest, club: Club, pk: int, form: str) -> HttpResponse:
    """The results as a file: ``pdf``, ``csv``, ``xlsx`` or ``json``, as now or ``?after=3``.

    A PDF is for handing out, so it shows names as chosen, whoever prints it.
    """
    tournament, reader = find(club, pk), EVERYBODY if form == "pdf" else request.reader
    results = results_of(tournament, through=_through(request, tournament), reader=reader)
    return _file(request, tournament, results, form)


@may_be_a_second_old
@by_secret_link
def results(request: HttpRequest, key: str) -> HttpResponse:
    """The final results, for everyone with the link, once they are published."""
    tournament = _published(key)
    if tournament is None:
        return render(request, "tournaments/results/unpublished.html", status=404)
    mark, find_ = mark_of(tournament), request.GET.get("find", "")
    results = kept_results(tournament, mark)
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


@by_secret_link
def results_file(request: HttpRequest, key: str, form: str) -> HttpResponse:
    tournament = _published(key)
    if tournament is None:
        raise Http404
    return _file(request, tournament, results_of(tournament), form)


@require_POST
def show(request: ClubRequest, club: Club, pk: int, what: str) -> HttpResponse:
    """Hide or release the last round, or close the page of the results."""
    act, message, _ = SHOWING[what]
    try:
        act(tournament=find(club, pk), shown=as_shown(f"results-{what}", request.POST))
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, message)
    return redirect("standings", club.slug, pk)


# What is done, the message, and the words of the activity log.
SHOWING: dict[str, tuple[Callable[..., None], str, str]] = {
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


def _through(request: ClubRequest, tournament: Tournament) -> int | None:
    wanted = request.GET.get("after", "")
    return shown_through(tournament, wanted=wanted, to_officials=request.may(SEE_LAST_ROUND))


def _published(key: str) -> Tournament | None:
    return by_key(_all_published, wall_key=key) if is_ours(key) else None


def _all_published() -> QuerySet[Tournament]:
    published = Tournament.objects.filter(published_at__isnull=False)
    return published.select_related("club", "book")


def _file(
    request: HttpRequest, tournament: Tournament, results: Results, form: str
) -> HttpResponse:
    name = file_of(tournament, "results")
    if form == "pdf":
        hands = played_hands(tournament, results) if request.GET.get("hands") else ()
        paper = results_pdf(
            tournament, results, format_of(request.GET, tournament.club), hands=hands
        )
        return pdf(request, paper, name)
    write, kind = EXPORTS[form]
    return attachment(write(tournament, results), f"{name}.{form}", kind)


SPOT: Final = re.compile(r"<!--(\d+)-->")
OURS: Final = (' class="ours"', '<span class="hidden-text"> (this table)</span>')


class Drawn(NamedTuple):
    """The public rows, and where an entrant's row and name are to be highlighted."""

    text: str
    spots: Mapping[int, tuple[int, ...]]

    def marked(self, ours: Collection[int]) -> SafeString:
        """The rows with those of these entrants highlighted."""
        marks = sorted(
            (spot, words)
            for entrant in ours
            for spot, words in zip(self.spots.get(entrant, ()), OURS, strict=False)
        )
        parts, begun = [], 0
        for spot, words in marks:
            parts += [self.text[begun:spot], words]
            begun = spot
        return mark_safe("".join((*parts, self.text[begun:])))  # noqa: S308 - a template drew it


def drawn_standings(tournament: Tournament) -> Drawn:
    """The public rows; one query if cached, else three more."""
    mark = mark_of(tournament, through=shown_through(tournament))
    return made_once(f"phones-{mark}", lambda: _drawn(tournament, mark), seconds=A_MINUTE)


def _drawn(tournament: Tournament, mark: str) -> Drawn:
    board = kept_board(tournament, through=shown_through(tournament), mark=mark)
    columns = [columns_of(tournament).index(key) for key in SHOWN]
    rows = [(line, [line.figures[column] for column in columns]) for line in board.lines]
    context = {
        "tournament": tournament,
        "version": str(tournament.version),
        "board": board,
        "rows": rows,
    }
    # The text without its comments, and their positions: twice the key of each entrant.
    drawn = render_to_string("clubs/table/_tournament_standings.html", context)
    parts, spots, at = SPOT.split(drawn), defaultdict[int, tuple[int, ...]](tuple), 0
    for text, entrant in zip(parts[::2], parts[1::2], strict=False):
        at += len(text)
        spots[int(entrant)] += (at,)
    return Drawn("".join(parts[::2]), dict(spots))


@requires(RUN_TOURNAMENT, "added a prize to {tournament}", log_for="POST api-prize-list")
def prizes(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Every prize with its actual or provisional winner, and a form to add one."""
    tournament = find(club, pk)
    form = PrizeForm(tournament, request.POST if request.method == "POST" else None)
    saved = accepted(form, lambda: services.save_prize(tournament=tournament, **form.terms))
    if saved:
        messages.success(request, f"{saved.name} added.")
        return redirect("prizes", club.slug, pk)
    # The prizes, and the state that the forms on their page carry.
    listed = {
        "now": Shown("prize-move", prizes_state(tournament)),
        "rule": Shown("prizes-rule", rule_state(tournament)),
        "giving": prize_giving(tournament, reader=request.reader),
    }
    context = about(request, tournament, "prizes", form=form, **listed)
    return form_page(request, "tournaments/results/prizes.html", context, form)


@requires(RUN_TOURNAMENT, "changed a prize of {tournament}", log_for="PATCH api-prize-detail")
def prize(request: ClubRequest, club: Club, pk: int, prize: int) -> HttpResponse:
    tournament = find(club, pk)
    try:
        changed = _prize(tournament, prize)
    except Overtaken as refused:
        messages.info(request, str(refused))
        return redirect("prizes", club.slug, pk)
    data = request.POST if request.method == "POST" else None
    form = PrizeChangeForm(tournament, data, prize=changed)
    saved = save_over(
        form,
        Event(club, "tournament", pk, {"prize": ""}, {"prize": prize}),
        lock=lambda: lock(pk),
        current=lambda: _current_values(changed),
        save=lambda: services.save_prize(tournament=tournament, prize=changed, **form.terms),
    )
    if saved:
        messages.success(request, f"{saved.name} changed.")
        return redirect("prizes", club.slug, pk)
    context = about(request, tournament, "prizes", form=form, prize=changed)
    return form_page(request, "tournaments/results/prize.html", context, form)


def _prize(tournament: Tournament, pk: int) -> Prize:
    """The prize of the address. Raises ``Overtaken`` if it was deleted."""
    prize = tournament.prizes.filter(pk=pk).first()
    if prize is None:
        raise services.removed_before(tournament, pk) or Http404
    return prize


def _current_values(prize: Prize) -> dict[str, Any]:
    read_again(prize, "That prize has been deleted.")
    return initial_terms(prize)


@requires(RUN_TOURNAMENT, "moved a prize of {tournament} up or down", log_for="POST api-prize-move")
@require_POST
def move(request: ClubRequest, club: Club, pk: int, prize: int) -> HttpResponse:
    tournament, up = find(club, pk), "up" in request.POST
    shown = as_shown("prize-move", request.POST)

    def act() -> str:
        moved = _prize(tournament, prize)
        services.move_prize(tournament=tournament, prize=moved, up=up, shown=shown)
        return f"{moved.name} moved {'up' if up else 'down'}."

    pressed(request, act, str)
    return redirect("prizes", club.slug, pk)


@requires(RUN_TOURNAMENT, "deleted a prize of {tournament}", log_for="DELETE api-prize-detail")
@require_POST
def remove(request: ClubRequest, club: Club, pk: int, prize: int) -> HttpResponse:
    tournament, shown = find(club, pk), as_shown("prize-remove", request.POST)

    def act() -> str:
        gone = _prize(tournament, prize)
        services.remove_prize(tournament=tournament, prize=gone, shown=shown)
        return f"{gone.name} deleted."

    pressed(request, act, str)
    return redirect("prizes", club.slug, pk)


@requires(
    RUN_TOURNAMENT, "added the standard prizes to {tournament}", log_for="POST api-prize-standard"
)
@require_POST
def usual(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    tournament = find(club, pk)
    pressed(
        request,
        lambda: services.declare_usual_prizes(tournament=tournament),
        lambda count: f"{count} prizes added.",
    )
    return redirect("prizes", club.slug, pk)


@requires(RUN_TOURNAMENT, "changed the prize rules of {tournament}", log_for="POST api-prize-rule")
@require_POST
def rule(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    tournament, one_each = find(club, pk), "one_each" in request.POST
    shown = as_shown("prizes-rule", request.POST)
    pressed(
        request,
        lambda: services.set_prize_rule(tournament=tournament, one_each=one_each, shown=shown),
        "One prize per person." if one_each else "Players can win several prizes.",
    )
    return redirect("prizes", club.slug, pk)


TOURNAMENT = "c/<slug:club>/tournaments/<int:pk>/"
PRIZES = f"{TOURNAMENT}prizes/"
PRIZE = f"{PRIZES}<int:prize>/"
OPEN = "e/<slug:key>/results/"

urlpatterns = [
    path(f"{TOURNAMENT}standings/", standings, name="standings"),
    *(
        path(
            f"{TOURNAMENT}standings.{form}",
            requires(SEE_TOURNAMENT)(export),
            {"form": form},
            name=f"standings-{name}",
        )
        for form, name in FORMS.items()
    ),
    *(
        path(
            f"{TOURNAMENT}results/{what}/",
            requires(RUN_TOURNAMENT, log, log_for=f"POST api-results-{what}")(show),
            {"what": what},
            name=f"results-{what}",
        )
        for what, (_, _, log) in SHOWING.items()
    ),
    path(OPEN, results, name="results"),
    *(
        path(f"{OPEN}results.{form}", results_file, {"form": form}, name=f"results-{name}")
        for form, name in FORMS.items()
    ),
    path(PRIZES, prizes, name="prizes"),
    path(f"{PRIZES}usual/", usual, name="prizes-usual"),
    path(f"{PRIZES}rule/", rule, name="prizes-rule"),
    path(PRIZE, prize, name="prize"),
    path(f"{PRIZE}move/", move, name="prize-move"),
    path(f"{PRIZE}remove/", remove, name="prize-remove"),
]
