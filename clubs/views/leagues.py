"""A club's league: the seasons, a season's table, its rule, its pack."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST

from clubs.core.access import ClubRequest, door
from clubs.core.locks import lock_club
from clubs.core.page_context import framed, season_trail, trail
from clubs.core.permissions import MAKE_PACK, MANAGE_LEAGUE, PRINT_PAPERS, SEE_LEAGUE
from clubs.core.stale_forms import Event, save_over
from clubs.forms.leagues import SeasonForm, told_of
from clubs.models import Club, Season
from clubs.paper.formats import format_of
from clubs.selectors import leagues as rows
from clubs.services import leagues, packs
from scoring.scorebook.editions import rule_set

UNPROCESSABLE = 422
LIST = ("League", "seasons")


@door(SEE_LEAGUE)
def seasons(request: ClubRequest, club: Club) -> HttpResponse:
    """Every season of the club."""
    context = framed(
        club, "seasons", seasons=rows.seasons_of(club), may_lead=request.may(MANAGE_LEAGUE)
    )
    return render(request, "clubs/seasons.html", context)


@door(SEE_LEAGUE)
def current(_request: ClubRequest, club: Club) -> HttpResponse:
    """Lead to the season that is on; to all of them where there is none."""
    found = rows.current_season(club)
    return redirect("season", club.slug, found.pk) if found else redirect("seasons", club.slug)


@door(SEE_LEAGUE)
def season(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The league table; asked with ``?v=``, only its rows, or 204 when nothing is newer."""
    found = _season(club, pk)
    version = rows.version_of(found)
    if request.GET.get("v") == version:
        return HttpResponse(status=204)
    context = framed(
        club,
        "seasons",
        season=found,
        league=rows.league_table(found, reader=request.reader),
        rules=rule_set(found.plays),
        version=version,
        may_lead=request.may(MANAGE_LEAGUE),
        may_pack=request.may(MAKE_PACK),
        may_print=request.may(PRINT_PAPERS),
    )
    return render(request, f"clubs/{'_league' if 'v' in request.GET else 'season'}.html", context)


@door(MANAGE_LEAGUE)
def add(request: ClubRequest, club: Club) -> HttpResponse:
    """A new season."""
    return _save(request, club, None)


@door(MANAGE_LEAGUE)
def change(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Change a season's name, days or what it plays."""
    return _save(request, club, _season(club, pk))


@door(MAKE_PACK)
@require_POST
def pack(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Start making the season's pack and show how far it is."""
    form = format_of(request.POST)
    job = packs.ask_for_pack(season=_season(club, pk), asked_by=request.user, form=form)
    return redirect("job", club.slug, job.pk)


def _season(club: Club, pk: int) -> Season:
    return get_object_or_404(
        Season.objects.select_related("league__club"), league__club=club, pk=pk
    )


def _saved(
    request: ClubRequest, club: Club, held: Season | None, form: SeasonForm
) -> Season | None:
    """The season; None where it was refused, and the form says why."""
    return save_over(
        form,
        Event(club, "season", held.pk if held else 0, {"season-change": ""}),
        lock=lambda: lock_club(club.pk),
        held=lambda: told_of(_season(club, held.pk)) if held else {},
        save=lambda: leagues.save_season(
            club=club, season=held, made_by=request.user, **form.cleaned_data
        ),
    )


def _save(request: ClubRequest, club: Club, held: Season | None) -> HttpResponse:
    form = SeasonForm(request.POST or None, club=club, held=held)
    if saved := _saved(request, club, held, form):
        messages.success(request, f"{saved.name} saved.")
        return redirect("season", club.slug, saved.pk)
    here = "Edit season" if held else "New season"
    below = {"label": here}
    crumbs = season_trail(club, held, below) if held else trail(club, LIST, here=here)
    context = framed(club, "seasons", form=form, held=held, title=here, breadcrumbs=crumbs)
    status = UNPROCESSABLE if form.errors else 200
    return render(request, "clubs/season_form.html", context, status=status)
