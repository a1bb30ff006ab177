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
from clubs.core.forms import Event, save_unless_overtaken
from clubs.core.locks import lock_club
from clubs.core.pages import (
    attachment,
    breadcrumbs,
    club_context,
    render_form,
    save_if_valid,
    season_breadcrumbs,
)
from clubs.core.permissions import (
    MAKE_PACK,
    MANAGE_LEAGUE,
    MANAGE_MEMBERS,
    PRINT_PAPERS,
    SEE_LEAGUE,
    SEE_RESULTS,
)
from clubs.core.replica import reads_from_replica
from clubs.language.words import whole_number
from clubs.league import services
from clubs.league.forms import CreditForm, HandicapForm, LeagueRulesForm, SeasonForm, season_initial
from clubs.league.papers import SEASON_PAPERS, special_hands_pdf
from clubs.league.selectors import players
from clubs.league.selectors.records import best_hand_of, special_book, special_hands_csv
from clubs.league.selectors.seasons import (
    adjustments_in,
    current_season,
    league_table,
    next_step,
    proposed_season,
    ranking_trials,
    results_version,
    rules_of,
    season_in,
    season_summaries,
    seasons_in,
    version_in,
    versions_of,
)
from clubs.league.selectors.why import explain_standing
from clubs.league_rules.rules import READY_MADE_LEAGUES, ready_made_league
from clubs.members.selectors import merged_into
from clubs.models import Club, Credit, Player, Role, Season
from clubs.models.names import this_person
from clubs.paper.formats import BOOK_JOB, PACK_JOB, PaperKind, format_from_query, kept_papers
from clubs.paper.response import pdf_response
from scoring.scorebook.editions import rule_set

SEASONS_STEP = ("League", "seasons")
RANKING_RULES = "Ranking rules"

JOB_PAPERS = (
    PaperKind(
        "season-book",
        "Season book",
        "Contents, calendar, league, every evening, records, special hands and members",
        is_first=True,
    ),
    PaperKind("season-pack", "Season pack", "The league table and every evening"),
)

MEMBERS_STEP = ("Members", "members")
HANDS_PER_PAGE = 12
SEASONS_PATH = "c/<slug:club>/seasons/"
SEASON_PATH = f"{SEASONS_PATH}<int:pk>/"
SPECIAL_HANDS_PATH = "c/<slug:club>/special-hands"


@reads_from_replica
@requires(SEE_LEAGUE)
def season_list(request: ClubRequest, club: Club) -> HttpResponse:
    rows = season_summaries(seasons_in(club))
    context = club_context(
        club, "seasons", seasons=rows, may_lead=request.has_permission(MANAGE_LEAGUE)
    )
    return render(request, "clubs/league/seasons.html", context)


@reads_from_replica
@requires(SEE_LEAGUE)
def redirect_to_current(_request: ClubRequest, club: Club) -> HttpResponse:
    """Redirect to the current season; to the list if there is none."""
    season = current_season(club)
    return redirect("season", club.slug, season.pk) if season else redirect("seasons", club.slug)


@reads_from_replica
@requires(SEE_LEAGUE)
def season_detail(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The league table; with ``?v=``, only its rows, or 204 if nothing is newer."""
    season = season_in(club, pk)
    version = results_version(season)
    if request.GET.get("v") == version:
        return HttpResponse(status=204)
    league = league_table(season, reader=request.reader)
    may_lead = request.has_permission(MANAGE_LEAGUE)
    context = club_context(
        club,
        "seasons",
        season=season,
        league=league,
        rules=rule_set(season.plays),
        version=version,
        may_lead=may_lead,
        may_pack=request.has_permission(MAKE_PACK),
        may_print=request.has_permission(PRINT_PAPERS),
    )
    if "v" in request.GET:
        return render(request, "clubs/league/_league.html", context)
    step = next_step(season, league, club) if may_lead else None
    return render(request, "clubs/league/season.html", context | {"step": step})


@requires(MANAGE_LEAGUE, "added a season", log_for="POST api-season-list")
def add_season(request: ClubRequest, club: Club) -> HttpResponse:
    return _save_season(request, club, None)


@requires(MANAGE_LEAGUE, "changed {season}", log_for="PATCH api-season-detail")
def change_season(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    return _save_season(request, club, season_in(club, pk))


@require_POST
def start_printout(request: ClubRequest, club: Club, pk: int, kind: str = PACK_JOB) -> HttpResponse:
    """Start creating the season's pack or book and show its progress."""
    job = services.queue_pack(
        season=season_in(club, pk),
        asked_by=request.user,
        kind=kind,
        form=format_from_query(request.POST, club),
    )
    return redirect("job", club.slug, job.pk)


def _printout_view(kind: str, name: str) -> View:
    """The view that creates the pack or book, by its kind and URL name."""
    return requires(MAKE_PACK, f"created the {kind} of {{season}}", log_for=f"POST api-{name}")(
        start_printout
    )


def _save_season(request: ClubRequest, club: Club, season: Season | None) -> HttpResponse:
    proposal = None if season else proposed_season(club, timezone.localdate())
    form = SeasonForm(request.POST or None, club=club, season=season, proposal=proposal)
    if saved_season := save_unless_overtaken(
        form,
        Event(club, "season", season.pk if season else 0, {"season-change": ""}),
        lock=lambda: lock_club(club.pk),
        current=lambda: season_initial(season_in(club, season.pk)) if season else {},
        save=lambda: services.save_season(
            club=club, season=season, made_by=request.user, **form.cleaned_data
        ),
    ):
        messages.success(request, f"{saved_season.name} saved.")
        return redirect("season", club.slug, saved_season.pk)
    title = "Edit season" if season else "New season"
    crumbs = (
        season_breadcrumbs(club, season, {"label": title})
        if season
        else breadcrumbs(club, SEASONS_STEP, title=title)
    )
    context = club_context(
        club, "seasons", form=form, season=season, title=title, breadcrumbs=crumbs
    )
    return render_form(request, "clubs/league/season_form.html", context, form)


@reads_from_replica
@requires(SEE_LEAGUE)
def standing_explanation(request: ClubRequest, club: Club, pk: int, player: int) -> HttpResponse:
    """Explain a player's place, evening by evening, and what they need next."""
    season = season_in(club, pk)
    explanation = explain_standing(season, player, reader=request.reader)
    if explanation is None:
        raise Http404
    title = f"How {this_person(explanation.name)}’s place was worked out"
    context = _season_context(club, season, title, explained=explanation, player=player)
    return render(request, "clubs/league/why.html", context)


@requires(MANAGE_LEAGUE, "saved draft ranking rules for {season}")
def ranking_rules(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The ranking rules as a form; changes are tried as a draft before they are put in use."""
    season = season_in(club, pk)
    if "version" in request.GET:
        initial_rules = version_in(season, whole_number(request.GET["version"]) or 0).rules
    elif key := request.GET.get("from", ""):
        try:
            initial_rules = ready_made_league(key)
        except KeyError as unknown:
            raise Http404 from unknown
    else:
        initial_rules = rules_of(season)
    form = LeagueRulesForm(request.POST or None, initial_rules=initial_rules)
    if form.is_valid():
        draft = services.save_draft_rules(
            season=season, rules=form.cleaned_data["rules"], made_by=request.user
        )
        return redirect("season-try", club.slug, pk, draft.number)
    context = _season_context(
        club,
        season,
        RANKING_RULES,
        form=form,
        ready=READY_MADE_LEAGUES,
        versions=versions_of(season),
    )
    return render_form(request, "clubs/league/rules.html", context, form)


@requires(MANAGE_LEAGUE)
def preview_draft_rules(request: ClubRequest, club: Club, pk: int, number: int) -> HttpResponse:
    """Preview a draft on this season and the last: who would change place."""
    season = season_in(club, pk)
    version = version_in(season, number)
    trials = ranking_trials(season, version.rules)
    context = _rules_page_context(club, season, f"Version {number}", version=version, trials=trials)
    return render(request, "clubs/league/trial.html", context)


@requires(MANAGE_LEAGUE, "changed the ranking rules in use for {season}")
@require_POST
def adopt_rules(request: ClubRequest, club: Club, pk: int, number: int) -> HttpResponse:
    season = season_in(club, pk)
    version_in(season, number)
    services.adopt_rules(season=season, number=number)
    messages.success(request, f"Version {number} is now in use and the table has been updated.")
    return redirect("season", club.slug, pk)


@requires(MANAGE_LEAGUE)
def adjustments(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Handicaps and club-duty credits, each with a form to add one."""
    season = season_in(club, pk)
    return _render_adjustments(
        request, club, season, HandicapForm(season=season), CreditForm(season=season)
    )


@requires(MANAGE_LEAGUE, "set a handicap in {season}")
@require_POST
def set_handicap(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    season = season_in(club, pk)
    form = HandicapForm(request.POST, season=season)
    save_if_valid(form, lambda: services.give_handicap(season=season, **form.cleaned_data))
    if form.is_valid():
        messages.success(request, "Handicap saved.")
        return redirect("season-given", club.slug, pk)
    return _render_adjustments(request, club, season, form, CreditForm(season=season))


@requires(MANAGE_LEAGUE, "gave a club-duty credit in {season}")
@require_POST
def add_credit(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    season = season_in(club, pk)
    form = CreditForm(request.POST, season=season)
    save_if_valid(form, lambda: services.give_credit(made_by=request.user, **form.cleaned_data))
    if form.is_valid():
        messages.success(request, "Credit added.")
        return redirect("season-given", club.slug, pk)
    return _render_adjustments(request, club, season, HandicapForm(season=season), form)


@requires(MANAGE_LEAGUE, "removed a club-duty credit in {season}")
@require_POST
def remove_credit(request: ClubRequest, club: Club, pk: int, credit: int) -> HttpResponse:
    rows = Credit.objects.select_related("session")
    row = get_object_or_404(rows, session__club=club, session__season=pk, pk=credit)
    services.remove_credit(credit=row)
    messages.success(request, "Credit removed.")
    return redirect("season-given", club.slug, pk)


def _render_adjustments(
    request: ClubRequest, club: Club, season: Season, handicap: HandicapForm, credit: CreditForm
) -> HttpResponse:
    context = _rules_page_context(
        club,
        season,
        "Handicaps and credits",
        given=adjustments_in(season),
        rules=rules_of(season),
        handicap_form=handicap,
        credit_form=credit,
    )
    return render_form(request, "clubs/league/given.html", context, handicap, credit)


def _rules_page_context(
    club: Club, season: Season, title: str, **extra_context: Any
) -> dict[str, Any]:
    """The context of a page below the ranking rules."""
    rules = reverse("season-rules", args=[club.slug, season.pk])
    return _season_context(
        club, season, title, {"label": RANKING_RULES, "url": rules}, **extra_context
    )


def _season_context(
    club: Club, season: Season, title: str, *parent_crumbs: dict[str, str], **extra_context: Any
) -> dict[str, Any]:
    crumbs = season_breadcrumbs(club, season, *parent_crumbs, {"label": title})
    return club_context(
        club, "seasons", season=season, title=title, breadcrumbs=crumbs, **extra_context
    )


@requires(PRINT_PAPERS, "created printouts of {season}")
def season_papers(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The season's printouts; the form redirects to a printout in its format."""
    season = season_in(club, pk)
    params = request.POST or request.GET
    form, pages = format_from_query(params, club), params.get("pages", "")
    if request.POST.get("print_paper") in {paper.name for paper in SEASON_PAPERS.values()}:
        query = "&".join(filter(None, (form.query, urlencode({"pages": pages}) if pages else "")))
        address = reverse(request.POST["print_paper"], args=[club.slug, pk])
        return redirect(f"{address}?{query}" if query else address)
    context = club_context(
        club,
        "seasons",
        season=season,
        printed=SEASON_PAPERS.values(),
        form=form,
        pages=pages,
        players=club.players.only("name", "club"),
        breadcrumbs=season_breadcrumbs(club, season, {"label": "Printouts"}),
    )
    if request.has_permission(MAKE_PACK):
        context |= {"made": JOB_PAPERS, "kept": kept_papers(season)}
    return render(request, "clubs/league/papers.html", context)


def season_paper(request: ClubRequest, club: Club, pk: int, kind: str) -> HttpResponse:
    """One of ``SEASON_PAPERS``."""
    season, paper = season_in(club, pk), SEASON_PAPERS[kind]
    return pdf_response(
        request, paper.draw(season, format_from_query(request.GET, club)), paper.file_for(season)
    )


@reads_from_replica
@requires(SEE_RESULTS)
def player_detail(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """One person's seasons, evenings and totals."""
    player: Player = get_object_or_404(club.players, pk=pk)
    if kept_pk := merged_into(player):
        return redirect("player", club.slug, kept_pk)
    seasons = players.player_seasons(player, reader=request.reader)
    is_own = request.reader.player == pk
    # A player's own page is a main tab; for everyone else it is below the members' list.
    tab = "my-results" if is_own and request.role == Role.PLAYER else "members"
    by_the_list = request.role and tab == "members"
    may_manage = request.has_permission(MANAGE_MEMBERS) and not player.erased_on
    context = club_context(
        club,
        tab,
        player=player,
        history=seasons.history,
        seasons=seasons,
        best=best_hand_of(player, seasons.history.best_hand),
        company=players.opponents_of(player, reader=request.reader),
        rated=players.rating_of(player),
        is_own=is_own,
        may_manage=may_manage,
        may_be_me=may_manage
        and request.role
        and not (request.reader.player or has_account(player)),
        breadcrumbs=breadcrumbs(club, MEMBERS_STEP, title=seasons.history.name)
        if by_the_list
        else [],
    )
    return render(request, "clubs/league/player.html", context)


@reads_from_replica
@requires(SEE_LEAGUE)
def rating_list(request: ClubRequest, club: Club) -> HttpResponse:
    """Everyone's rating, if the club uses ratings."""
    if not club.rates:
        raise Http404
    ratings = players.ratings_of(club, reader=request.reader)
    context = club_context(
        club, "seasons", ratings=ratings, settled_after=players.EVENINGS_TO_SETTLE
    )
    return render(request, "clubs/league/rating.html", context)


@reads_from_replica
@requires(SEE_RESULTS)
def special_hand_list(request: ClubRequest, club: Club) -> HttpResponse:
    book = special_book(club, reader=request.reader)
    page = Paginator(book.hands, HANDS_PER_PAGE).get_page(request.GET.get("page"))
    context = club_context(club, "seasons", book=book, page_obj=page)
    return render(request, "clubs/league/special_hands.html", context)


@requires(SEE_RESULTS)
def special_hands_paper(request: ClubRequest, club: Club) -> HttpResponse:
    """The whole book as a PDF."""
    book = special_book(club, reader=request.reader)
    pdf = special_hands_pdf(club.name, book, format_from_query(request.GET, club))
    return pdf_response(request, pdf, f"{club.slug}-special-hands")


@requires(SEE_RESULTS)
def special_hands_file(request: ClubRequest, club: Club) -> HttpResponse:
    content = special_hands_csv(special_book(club, reader=request.reader))
    return attachment(content, f"{club.slug}-special-hands.csv")


urlpatterns = [
    path(SEASONS_PATH, season_list, name="seasons"),
    path(f"{SEASONS_PATH}new/", add_season, name="season-add"),
    path(f"{SEASONS_PATH}current/", redirect_to_current, name="season-now"),
    path(SEASON_PATH, season_detail, name="season"),
    path(f"{SEASON_PATH}change/", change_season, name="season-change"),
    path(f"{SEASON_PATH}pack/", _printout_view(PACK_JOB, "season-pack"), name="season-pack"),
    path(f"{SEASON_PATH}why/<int:player>/", standing_explanation, name="season-why"),
    path(f"{SEASON_PATH}rules/", ranking_rules, name="season-rules"),
    path(f"{SEASON_PATH}rules/<int:number>/", preview_draft_rules, name="season-try"),
    path(f"{SEASON_PATH}rules/<int:number>/adopt/", adopt_rules, name="season-adopt"),
    path(f"{SEASON_PATH}given/", adjustments, name="season-given"),
    path(f"{SEASON_PATH}given/handicap/", set_handicap, name="season-handicap"),
    path(f"{SEASON_PATH}given/credit/", add_credit, name="season-credit"),
    path(f"{SEASON_PATH}given/credit/<int:credit>/back/", remove_credit, name="season-credit-back"),
    path(f"{SEASON_PATH}print/", season_papers, name="season-papers"),
    path(
        f"{SEASON_PATH}book/",
        _printout_view(BOOK_JOB, "season-book"),
        {"kind": BOOK_JOB},
        name="season-book",
    ),
    *(
        path(
            f"{SEASON_PATH}{kind}.pdf",
            requires(SEE_LEAGUE)(season_paper),
            {"kind": kind},
            name=paper.name,
        )
        for kind, paper in SEASON_PAPERS.items()
    ),
    path("c/<slug:club>/members/<int:pk>/", player_detail, name="player"),
    path(f"{SPECIAL_HANDS_PATH}/", special_hand_list, name="special-hands"),
    path(f"{SPECIAL_HANDS_PATH}.pdf", special_hands_paper, name="special-hands-pdf"),
    path(f"{SPECIAL_HANDS_PATH}.csv", special_hands_file, name="special-hands-csv"),
    path("c/<slug:club>/rating/", rating_list, name="rating"),
]
