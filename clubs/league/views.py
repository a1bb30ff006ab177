"""Pages of the league: seasons, their rules and papers, players, ratings and special hands."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from clubs.accounts.services import has_account
from clubs.core.access import ClubRequest, View, requires
from clubs.core.forms import Event, save_over
from clubs.core.locks import lock_club
from clubs.core.pages import accepted, attachment, form_page, framed, season_trail, trail
from clubs.core.permissions import (
    MAKE_PACK,
    MANAGE_LEAGUE,
    MANAGE_MEMBERS,
    PRINT_PAPERS,
    SEE_LEAGUE,
    SEE_RESULTS,
)
from clubs.core.replica import may_be_a_second_old
from clubs.language.words import whole_number
from clubs.league import services
from clubs.league.forms import CreditForm, HandicapForm, LeagueRulesForm, SeasonForm, season_initial
from clubs.league.papers import SEASON_PAPERS, special_hands_pdf
from clubs.league.selectors import players
from clubs.league.selectors.records import best_hand_of, special_book, special_hands_csv
from clubs.league.selectors.seasons import (
    current_season,
    given_in,
    league_table,
    next_step,
    proposed_season,
    rules_of,
    season_in,
    season_summaries,
    seasons_in,
    trials_of,
    version_in,
    version_of,
    versions_of,
)
from clubs.league.selectors.why import season_why
from clubs.league_rules.rules import READY_MADE, ready_made
from clubs.members.selectors import kept_instead
from clubs.models import Club, Credit, Player, Role, Season
from clubs.models.names import this_person
from clubs.paper.document import pdf
from clubs.paper.formats import BOOK, PACK, Paper, format_of, kept_papers
from scoring.scorebook.editions import rule_set

LIST = ("League", "seasons")


@may_be_a_second_old
@requires(SEE_LEAGUE)
def seasons(request: ClubRequest, club: Club) -> HttpResponse:
    rows = season_summaries(seasons_in(club))
    context = framed(club, "seasons", seasons=rows, may_lead=request.may(MANAGE_LEAGUE))
    return render(request, "clubs/league/seasons.html", context)


@may_be_a_second_old
@requires(SEE_LEAGUE)
def current(_request: ClubRequest, club: Club) -> HttpResponse:
    """Redirect to the current season; to the list if there is none."""
    season = current_season(club)
    return redirect("season", club.slug, season.pk) if season else redirect("seasons", club.slug)


@may_be_a_second_old
@requires(SEE_LEAGUE)
def season(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The league table; with ``?v=``, only its rows, or 204 if nothing is newer."""
    shown = season_in(club, pk)
    version = version_of(shown)
    if request.GET.get("v") == version:
        return HttpResponse(status=204)
    league, may_lead = league_table(shown, reader=request.reader), request.may(MANAGE_LEAGUE)
    context = framed(
        club,
        "seasons",
        season=shown,
        league=league,
        rules=rule_set(shown.plays),
        version=version,
        may_lead=may_lead,
        may_pack=request.may(MAKE_PACK),
        may_print=request.may(PRINT_PAPERS),
    )
    if "v" in request.GET:
        return render(request, "clubs/league/_league.html", context)
    step = next_step(shown, league, club) if may_lead else None
    return render(request, "clubs/league/season.html", context | {"step": step})


@requires(MANAGE_LEAGUE, "added a season", log_for="POST api-season-list")
def add_season(request: ClubRequest, club: Club) -> HttpResponse:
    return _save(request, club, None)


@requires(MANAGE_LEAGUE, "changed {season}", log_for="PATCH api-season-detail")
def change_season(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    return _save(request, club, season_in(club, pk))


@require_POST
def make(request: ClubRequest, club: Club, pk: int, kind: str = PACK) -> HttpResponse:
    """Start creating the season's pack or book and show its progress."""
    job = services.ask_for_pack(
        season=season_in(club, pk),
        asked_by=request.user,
        kind=kind,
        form=format_of(request.POST, club),
    )
    return redirect("job", club.slug, job.pk)


def _makes(kind: str, name: str) -> View:
    """The view that creates the pack or book, by its kind and URL name."""
    return requires(MAKE_PACK, f"created the {kind} of {{season}}", log_for=f"POST api-{name}")(
        make
    )


def _save(request: ClubRequest, club: Club, season: Season | None) -> HttpResponse:
    proposed = None if season else proposed_season(club, timezone.localdate())
    form = SeasonForm(request.POST or None, club=club, season=season, proposed=proposed)
    if saved := save_over(
        form,
        Event(club, "season", season.pk if season else 0, {"season-change": ""}),
        lock=lambda: lock_club(club.pk),
        current=lambda: season_initial(season_in(club, season.pk)) if season else {},
        save=lambda: services.save_season(
            club=club, season=season, made_by=request.user, **form.cleaned_data
        ),
    ):
        messages.success(request, f"{saved.name} saved.")
        return redirect("season", club.slug, saved.pk)
    here = "Edit season" if season else "New season"
    crumbs = season_trail(club, season, {"label": here}) if season else trail(club, LIST, here=here)
    context = framed(club, "seasons", form=form, season=season, title=here, breadcrumbs=crumbs)
    return form_page(request, "clubs/league/season_form.html", context, form)


RANKING_RULES = "Ranking rules"


@may_be_a_second_old
@requires(SEE_LEAGUE)
def why(request: ClubRequest, club: Club, pk: int, player: int) -> HttpResponse:
    """Explain a player's place, evening by evening, and what they need next."""
    season = season_in(club, pk)
    explained = season_why(season, player, reader=request.reader)
    if explained is None:
        raise Http404
    title = f"How {this_person(explained.name)}’s place was worked out"
    context = _framed(club, season, title, explained=explained, player=player)
    return render(request, "clubs/league/why.html", context)


@requires(MANAGE_LEAGUE, "saved draft ranking rules for {season}")
def rules(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The ranking rules as a form; changes are tried as a draft before they are put in use."""
    season = season_in(club, pk)
    if "version" in request.GET:
        begun = version_in(season, whole_number(request.GET["version"]) or 0).rules
    elif key := request.GET.get("from", ""):
        try:
            begun = ready_made(key)
        except KeyError as unknown:
            raise Http404 from unknown
    else:
        begun = rules_of(season)
    form = LeagueRulesForm(request.POST or None, begun=begun)
    if form.is_valid():
        tried = services.try_rules(
            season=season, rules=form.cleaned_data["rules"], made_by=request.user
        )
        return redirect("season-try", club.slug, pk, tried.number)
    context = _framed(
        club, season, RANKING_RULES, form=form, ready=READY_MADE, versions=versions_of(season)
    )
    return form_page(request, "clubs/league/rules.html", context, form)


@requires(MANAGE_LEAGUE)
def trial(request: ClubRequest, club: Club, pk: int, number: int) -> HttpResponse:
    """Preview a draft on this season and the last: who would change place."""
    season = season_in(club, pk)
    version = version_in(season, number)
    trials = trials_of(season, version.rules)
    context = _below_rules(club, season, f"Version {number}", version=version, trials=trials)
    return render(request, "clubs/league/trial.html", context)


@requires(MANAGE_LEAGUE, "changed the ranking rules in use for {season}")
@require_POST
def adopt(request: ClubRequest, club: Club, pk: int, number: int) -> HttpResponse:
    season = season_in(club, pk)
    version_in(season, number)
    services.adopt_rules(season=season, number=number)
    messages.success(request, f"Version {number} is now in use and the table has been updated.")
    return redirect("season", club.slug, pk)


@requires(MANAGE_LEAGUE)
def given(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Handicaps and club-duty credits, each with a form to add one."""
    season = season_in(club, pk)
    return _given(request, club, season, HandicapForm(season=season), CreditForm(season=season))


@requires(MANAGE_LEAGUE, "set a handicap in {season}")
@require_POST
def handicap(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    season = season_in(club, pk)
    form = HandicapForm(request.POST, season=season)
    accepted(form, lambda: services.give_handicap(season=season, **form.cleaned_data))
    if form.is_valid():
        messages.success(request, "Handicap saved.")
        return redirect("season-given", club.slug, pk)
    return _given(request, club, season, form, CreditForm(season=season))


@requires(MANAGE_LEAGUE, "gave a club-duty credit in {season}")
@require_POST
def credit(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    season = season_in(club, pk)
    form = CreditForm(request.POST, season=season)
    accepted(form, lambda: services.give_credit(made_by=request.user, **form.cleaned_data))
    if form.is_valid():
        messages.success(request, "Credit added.")
        return redirect("season-given", club.slug, pk)
    return _given(request, club, season, HandicapForm(season=season), form)


@requires(MANAGE_LEAGUE, "removed a club-duty credit in {season}")
@require_POST
def credit_back(request: ClubRequest, club: Club, pk: int, credit: int) -> HttpResponse:
    rows = Credit.objects.select_related("session")
    row = get_object_or_404(rows, session__club=club, session__season=pk, pk=credit)
    services.take_credit_back(credit=row)
    messages.success(request, "Credit removed.")
    return redirect("season-given", club.slug, pk)


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
    return form_page(request, "clubs/league/given.html", context, handicap, credit)


def _below_rules(club: Club, season: Season, here: str, **shown: Any) -> dict[str, Any]:
    """The context of a page below the ranking rules."""
    rules = reverse("season-rules", args=[club.slug, season.pk])
    return _framed(club, season, here, {"label": RANKING_RULES, "url": rules}, **shown)


def _framed(
    club: Club, season: Season, here: str, *above: dict[str, str], **shown: Any
) -> dict[str, Any]:
    crumbs = season_trail(club, season, *above, {"label": here})
    return framed(club, "seasons", season=season, title=here, breadcrumbs=crumbs, **shown)


MADE = (
    Paper(
        "season-book",
        "Season book",
        "Contents, calendar, league, every evening, records, special hands and members",
        is_first=True,
    ),
    Paper("season-pack", "Season pack", "The league table and every evening"),
)


@requires(PRINT_PAPERS, "created printouts of {season}")
def everything(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The season's printouts; the form redirects to a printout in its format."""
    season = season_in(club, pk)
    params = request.POST or request.GET
    form, pages = format_of(params, club), params.get("pages", "")
    if request.POST.get("print_paper") in {paper.name for paper in SEASON_PAPERS.values()}:
        query = "&".join(filter(None, (form.query, urlencode({"pages": pages}) if pages else "")))
        address = reverse(request.POST["print_paper"], args=[club.slug, pk])
        return redirect(f"{address}?{query}" if query else address)
    context = framed(
        club,
        "seasons",
        season=season,
        printed=SEASON_PAPERS.values(),
        form=form,
        pages=pages,
        players=club.players.only("name", "club"),
        breadcrumbs=season_trail(club, season, {"label": "Printouts"}),
    )
    if request.may(MAKE_PACK):
        context |= {"made": MADE, "kept": kept_papers(season)}
    return render(request, "clubs/league/papers.html", context)


def printed(request: ClubRequest, club: Club, pk: int, kind: str) -> HttpResponse:
    """One of ``SEASON_PAPERS``."""
    season, paper = season_in(club, pk), SEASON_PAPERS[kind]
    return pdf(request, paper.draw(season, format_of(request.GET, club)), paper.file_for(season))


MEMBERS = ("Members", "members")


@may_be_a_second_old
@requires(SEE_RESULTS)
def player(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """One person's seasons, evenings and totals."""
    shown: Player = get_object_or_404(club.players, pk=pk)
    if kept := kept_instead(shown):
        return redirect("player", club.slug, kept)
    seasons = players.player_seasons(shown, reader=request.reader)
    is_own = request.reader.player == pk
    # A player's own page is a main tab; for everyone else it is below the members' list.
    tab = "my-results" if is_own and request.role == Role.PLAYER else "members"
    by_the_list = request.role and tab == "members"
    may_manage = request.may(MANAGE_MEMBERS) and not shown.erased_on
    context = framed(
        club,
        tab,
        player=shown,
        history=seasons.history,
        seasons=seasons,
        best=best_hand_of(shown, seasons.history.best_hand),
        company=players.company_of(shown, reader=request.reader),
        rated=players.rating_of(shown),
        is_own=is_own,
        may_manage=may_manage,
        may_be_me=may_manage and request.role and not (request.reader.player or has_account(shown)),
        breadcrumbs=trail(club, MEMBERS, here=seasons.history.name) if by_the_list else [],
    )
    return render(request, "clubs/league/player.html", context)


@may_be_a_second_old
@requires(SEE_LEAGUE)
def rating(request: ClubRequest, club: Club) -> HttpResponse:
    """Everyone's rating, if the club uses ratings."""
    if not club.rates:
        raise Http404
    ratings = players.ratings_of(club, reader=request.reader)
    context = framed(club, "seasons", ratings=ratings, settled_after=players.SETTLED_AFTER)
    return render(request, "clubs/league/rating.html", context)


HANDS_A_PAGE = 12


@may_be_a_second_old
@requires(SEE_RESULTS)
def special_hands(request: ClubRequest, club: Club) -> HttpResponse:
    book = special_book(club, reader=request.reader)
    page = Paginator(book.hands, HANDS_A_PAGE).get_page(request.GET.get("page"))
    context = framed(club, "seasons", book=book, page_obj=page)
    return render(request, "clubs/league/special_hands.html", context)


@requires(SEE_RESULTS)
def special_hands_paper(request: ClubRequest, club: Club) -> HttpResponse:
    """The whole book as a PDF."""
    book = special_book(club, reader=request.reader)
    printed = special_hands_pdf(club.name, book, format_of(request.GET, club))
    return pdf(request, printed, f"{club.slug}-special-hands")


@requires(SEE_RESULTS)
def special_hands_file(request: ClubRequest, club: Club) -> HttpResponse:
    content = special_hands_csv(special_book(club, reader=request.reader))
    return attachment(content, f"{club.slug}-special-hands.csv")


SEASONS = "c/<slug:club>/seasons/"
SEASON = f"{SEASONS}<int:pk>/"
HANDS = "c/<slug:club>/special-hands"

urlpatterns = [
    path(SEASONS, seasons, name="seasons"),
    path(f"{SEASONS}new/", add_season, name="season-add"),
    path(f"{SEASONS}current/", current, name="season-now"),
    path(SEASON, season, name="season"),
    path(f"{SEASON}change/", change_season, name="season-change"),
    path(f"{SEASON}pack/", _makes(PACK, "season-pack"), name="season-pack"),
    path(f"{SEASON}why/<int:player>/", why, name="season-why"),
    path(f"{SEASON}rules/", rules, name="season-rules"),
    path(f"{SEASON}rules/<int:number>/", trial, name="season-try"),
    path(f"{SEASON}rules/<int:number>/adopt/", adopt, name="season-adopt"),
    path(f"{SEASON}given/", given, name="season-given"),
    path(f"{SEASON}given/handicap/", handicap, name="season-handicap"),
    path(f"{SEASON}given/credit/", credit, name="season-credit"),
    path(f"{SEASON}given/credit/<int:credit>/back/", credit_back, name="season-credit-back"),
    path(f"{SEASON}print/", everything, name="season-papers"),
    path(f"{SEASON}book/", _makes(BOOK, "season-book"), {"kind": BOOK}, name="season-book"),
    *(
        path(f"{SEASON}{kind}.pdf", requires(SEE_LEAGUE)(printed), {"kind": kind}, name=paper.name)
        for kind, paper in SEASON_PAPERS.items()
    ),
    path("c/<slug:club>/members/<int:pk>/", player, name="player"),
    path(f"{HANDS}/", special_hands, name="special-hands"),
    path(f"{HANDS}.pdf", special_hands_paper, name="special-hands-pdf"),
    path(f"{HANDS}.csv", special_hands_file, name="special-hands-csv"),
    path("c/<slug:club>/rating/", rating, name="rating"),
]
