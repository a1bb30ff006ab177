"""How a season ranks: rules asked for in sentences, tried on the tables, adopted; what is given."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from clubs.core.access import ClubRequest, door
from clubs.core.forms import add_problems
from clubs.core.page_context import framed, season_trail
from clubs.core.permissions import MANAGE_LEAGUE, SEE_LEAGUE
from clubs.forms.leagues_given import CreditForm, HandicapForm
from clubs.forms.leagues_rules import LeagueRulesForm
from clubs.league_rules import READY_MADE, LeagueRules, ready_made
from clubs.models import Club, Credit, Season
from clubs.selectors.leagues_given import given_in
from clubs.selectors.leagues_rules import VersionRow, rules_of, versions_of
from clubs.selectors.leagues_trial import trials_of
from clubs.selectors.leagues_why import season_why
from clubs.services import leagues_rules as services
from scoring.scorebook.refusals import Refused

UNPROCESSABLE = 422
RANKING_RULES = "Ranking rules"


@door(SEE_LEAGUE)
def why(request: ClubRequest, club: Club, pk: int, player: int) -> HttpResponse:
    """Why a player stands where they stand, evening by evening, and what they need next."""
    season = _season(club, pk)
    told = season_why(season, player, reader=request.reader)
    if told is None:
        raise Http404
    title = f"How {told.name}’s place was worked out"
    context = _framed(club, season, title, told=told, player=player)
    return render(request, "clubs/league_why.html", context)


@door(MANAGE_LEAGUE)
def rules(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The rules as a form; what is filled in is tried before it is adopted."""
    season = _season(club, pk)
    form = LeagueRulesForm(request.POST or None, begun=_begun(request, season))
    if form.is_valid():
        tried = services.try_rules(
            season=season, rules=form.cleaned_data["rules"], made_by=request.user
        )
        return redirect("season-try", club.slug, pk, tried.number)
    context = _framed(
        club, season, RANKING_RULES, form=form, ready=READY_MADE, versions=versions_of(season)
    )
    status = UNPROCESSABLE if form.errors else 200
    return render(request, "clubs/league_rules.html", context, status=status)


@door(MANAGE_LEAGUE)
def trial(request: ClubRequest, club: Club, pk: int, number: int) -> HttpResponse:
    """A version tried on this season and the last: who would move."""
    season = _season(club, pk)
    version = _version(season, number)
    trials = trials_of(season, version.rules)
    context = _below_rules(club, season, f"Version {number}", version=version, trials=trials)
    return render(request, "clubs/league_trial.html", context)


@door(MANAGE_LEAGUE)
@require_POST
def adopt(request: ClubRequest, club: Club, pk: int, number: int) -> HttpResponse:
    """That version holds from now on."""
    season = _season(club, pk)
    _version(season, number)
    services.adopt_rules(season=season, number=number)
    messages.success(request, f"Version {number} is now in use and the table has been updated.")
    return redirect("season", club.slug, pk)


@door(MANAGE_LEAGUE)
def given(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Handicaps and evenings missed for the club, each with a form to add to it."""
    season = _season(club, pk)
    return _given(request, club, season, HandicapForm(season=season), CreditForm(season=season))


@door(MANAGE_LEAGUE)
@require_POST
def handicap(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Give a handicap, or take it back."""
    season = _season(club, pk)
    form = HandicapForm(request.POST, season=season)
    if _saved(form, lambda **told: services.give_handicap(season=season, **told)):
        messages.success(request, "Handicap saved.")
        return redirect("season-given", club.slug, pk)
    return _given(request, club, season, form, CreditForm(season=season))


@door(MANAGE_LEAGUE)
@require_POST
def credit(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """An evening was missed for the club."""
    season = _season(club, pk)
    form = CreditForm(request.POST, season=season)
    if _saved(form, lambda **told: services.give_credit(made_by=request.user, **told)):
        messages.success(request, "Credit added.")
        return redirect("season-given", club.slug, pk)
    return _given(request, club, season, HandicapForm(season=season), form)


@door(MANAGE_LEAGUE)
@require_POST
def credit_back(request: ClubRequest, club: Club, pk: int, credit: int) -> HttpResponse:
    """The evening is missed like any other."""
    rows = Credit.objects.select_related("session")
    found = get_object_or_404(rows, session__club=club, session__season=pk, pk=credit)
    services.take_credit_back(credit=found)
    messages.success(request, "Credit removed.")
    return redirect("season-given", club.slug, pk)


def _saved(form: Any, save: Callable[..., None]) -> bool:
    if not form.is_valid():
        return False
    try:
        save(**form.cleaned_data)
    except Refused as refused:
        add_problems(form, refused)
        return False
    return True


def _given(
    request: ClubRequest, club: Club, season: Season, handicap: HandicapForm, credit: CreditForm
) -> HttpResponse:
    context = _below_rules(
        club,
        season,
        "Handicaps and credits",
        given=given_in(season),
        rules=rules_of(season),
        handicap_form=handicap,
        credit_form=credit,
    )
    status = UNPROCESSABLE if handicap.errors or credit.errors else 200
    return render(request, "clubs/league_given.html", context, status=status)


def _begun(request: ClubRequest, season: Season) -> LeagueRules:
    """What the form begins with: a ready-made league, a version, or what holds."""
    if (number := request.GET.get("version", "")).isdecimal():
        return _version(season, int(number)).rules
    try:
        key = request.GET.get("from", "")
        return ready_made(key) if key else rules_of(season)
    except KeyError as unknown:
        raise Http404 from unknown


def _version(season: Season, number: int) -> VersionRow:
    found = next((row for row in versions_of(season) if row.number == number), None)
    if found is None:
        raise Http404
    return found


def _season(club: Club, pk: int) -> Season:
    return get_object_or_404(
        Season.objects.select_related("league__club"), league__club=club, pk=pk
    )


def _below_rules(club: Club, season: Season, here: str, **shown: Any) -> dict[str, Any]:
    """The frame of a page below the ranking rules."""
    rules = reverse("season-rules", args=[club.slug, season.pk])
    return _framed(club, season, here, {"label": RANKING_RULES, "url": rules}, **shown)


def _framed(
    club: Club, season: Season, here: str, *above: dict[str, str], **shown: Any
) -> dict[str, Any]:
    crumbs = season_trail(club, season, *above, {"label": here})
    return framed(club, "seasons", season=season, title=here, breadcrumbs=crumbs, **shown)
