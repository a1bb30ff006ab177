"""A season's papers on one page: those that print at once, and those that are made and kept."""

from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from clubs.core.access import ClubRequest, door
from clubs.core.page_context import framed, season_trail
from clubs.core.permissions import MAKE_PACK, PRINT_PAPERS, SEE_LEAGUE
from clubs.language.moments import short_month
from clubs.models import Club, Season
from clubs.paper.downloads import pdf
from clubs.paper.formats import format_of
from clubs.paper.registry import BOOK, Paper, kept_papers
from clubs.pdf.tables import season_poster
from clubs.selectors.leagues import league_table
from clubs.services import packs

PRINTED = (
    Paper("season-pdf", "League table", "The current table, in full"),
    Paper("season-poster-pdf", "Poster", "The season’s top ten, for the notice board"),
)
MADE = (
    Paper(
        "season-book",
        "Season book",
        "Contents, calendar, league, every evening, records, special hands and members",
        is_first=True,
    ),
    Paper("season-pack", "Season pack", "The league table and a page for every evening"),
)


@door(PRINT_PAPERS)
def everything(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """All of a season's papers; a button of the form leads on to its paper in its format."""
    season = _season(club, pk)
    asked = request.POST or request.GET
    form, pages = format_of(asked), asked.get("pages", "")
    if request.POST.get("print_paper") in {paper.name for paper in PRINTED}:
        query = "&".join(filter(None, (form.query, urlencode({"pages": pages}) if pages else "")))
        address = reverse(request.POST["print_paper"], args=[club.slug, pk])
        return redirect(f"{address}?{query}" if query else address)
    makes = request.may(MAKE_PACK)
    papers = {"made": MADE, "kept": kept_papers(season)} if makes else {}
    way: dict[str, object] = {
        "form": form,
        "pages": pages,
        "breadcrumbs": season_trail(club, season, {"label": "Printouts"}),
    }
    way["players"] = club.players.only("name", "club")
    context = framed(club, "seasons", season=season, printed=PRINTED, **papers, **way)
    return render(request, "clubs/season_papers.html", context)


@door(MAKE_PACK)
@require_POST
def book(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Start making the season's book and show how far it is."""
    form = format_of(request.POST)
    job = packs.ask_for_pack(season=_season(club, pk), asked_by=request.user, kind=BOOK, form=form)
    return redirect("job", club.slug, job.pk)


@door(SEE_LEAGUE)
def poster(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The first ten of the season on one page."""
    season = _season(club, pk)
    when = f"{short_month(season.starts_on)} to {short_month(season.ends_on)}"
    paper = season_poster(club.name, when, league_table(season), format_of(request.GET))
    return pdf(request, paper, f"{club.slug}-poster-{pk}")


def _season(club: Club, pk: int) -> Season:
    seasons = Season.objects.select_related("league__club")
    return get_object_or_404(seasons, pk=pk, league__club=club)
