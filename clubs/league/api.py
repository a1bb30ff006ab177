"""A club's league over the API: seasons and how they rank, and what was played in all of them."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import path
from django.utils import timezone
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.mixins import ListModelMixin
from rest_framework.request import Request

from clubs.api.base import ClubAPIView, detail_endpoint
from clubs.api.commands import ClubCommandAPIView, cleaned_data, command_endpoint, patch_endpoint
from clubs.api.created import CreatedRoute
from clubs.api.fields import OneOfField, TextField
from clubs.api.filters import DaysFilter, FlagFilter, KeyFilter, OneOfFilter, SearchFilter
from clubs.api.lists import ClubListAPIView, ClubTableAPIView, list_endpoint
from clubs.api.papers import (
    FormatIn,
    OfferedPaper,
    Printout,
    PrintoutAPIView,
    PrintoutsAPIView,
    PrintoutSerializer,
    printouts_endpoint,
)
from clubs.api.viewsets import (
    CLUB_PATH,
    ClubListViewSet,
    ClubReadOnlyViewSet,
    RecordViewSet,
    Router,
)
from clubs.core.permissions import (
    MAKE_PACK,
    MANAGE_LEAGUE,
    MANAGE_MEMBERS,
    PRINT_PAPERS,
    SEE_HOME,
    SEE_LEAGUE,
    SEE_RESULTS,
)
from clubs.evenings.api.papers import PRINTOUTS_WITHOUT_EVENING as WITHOUT_EVENING
from clubs.language.moments import long_date
from clubs.league import services
from clubs.league.forms import LEAGUE_CHOICES, SeasonForm, season_initial
from clubs.league.papers import SEASON_PAPERS, SeasonPaper, special_hands_pdf
from clubs.league.selectors.hands import evening_hands, flat_evening_hands
from clubs.league.selectors.players import opponents_of, player_seasons, rating_of, ratings_of
from clubs.league.selectors.records import (
    best_hand_of,
    front_page,
    likely_special_hands,
    special_book,
    special_hands,
)
from clubs.league.selectors.seasons import (
    Adjustments,
    adjustments_in,
    league_table,
    season_in,
    season_summaries,
    seasons_in,
    versions_of,
)
from clubs.league.selectors.why import explain_standing
from clubs.league.serializers import (
    AdjustmentsSerializer,
    CareerSerializer,
    ClubAtAGlanceSerializer,
    FlatHandSerializer,
    JobSerializer,
    LeagueTableSerializer,
    OpponentsSerializer,
    PlayedEveningSerializer,
    RatingRowSerializer,
    SeasonDetailsSerializer,
    SeasonRulesSerializer,
    SeasonSerializer,
    SpecialBookSerializer,
    SpecialHandSerializer,
    StandingExplanationSerializer,
)
from clubs.league_rules.rules import READY_MADE_LEAGUES, TIE_BREAK_NAMES
from clubs.members import papers as members
from clubs.members.selectors import members as members_of, merged_into, played_evenings, seats_of
from clubs.models import Job, Player, Season, SessionSeat
from clubs.paper.formats import BOOK_JOB, PACK_JOB, Format, format_from_query
from scoring.scorebook.models import Hand, HandState

SEASON_PATH = "clubs/<slug:club>/seasons/<int:season>/"
PLAYER_PATH = f"{CLUB_PATH}players/<int:player>/"


class SeasonAPIView(ClubAPIView):
    season: Season

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """After the door, load the season before reading the request's body."""
        super().initial(request, *args, **kwargs)
        self.season = season_in(self.club, self.kwargs["season"])


class SeasonIn(serializers.Serializer[Any]):
    """A season's name, dates, rules and first ranking rules."""

    name = TextField(max_length=200)
    starts_on = serializers.DateField()
    ends_on = serializers.DateField()
    rules = TextField(
        max_length=200,
        allow_blank=True,
        default="",
        help_text="the key of a rule set; empty: the club’s usual rules",
    )
    ranking = OneOfField(choices=[key for key, _ in LEAGUE_CHOICES], default="total")


class SeasonChangeIn(serializers.Serializer[Any]):
    """Changes to a season."""

    name = TextField(max_length=200, required=False)
    starts_on = serializers.DateField(required=False)
    ends_on = serializers.DateField(required=False)
    rules = TextField(max_length=200, allow_blank=True, required=False)


class SeasonFilter(DaysFilter):
    day = "ends_on"
    search = SearchFilter("name")


@extend_schema_view(
    list=extend_schema(
        description="List the seasons of a club, newest first, with their ranking rules."
    ),
    retrieve=extend_schema(description="Get a season: its name, its dates and its rules."),
)
class SeasonViewSet(ClubReadOnlyViewSet):
    access = SEE_LEAGUE
    writing_access = MANAGE_LEAGUE
    queryset = Season.objects.none()
    serializer_class = SeasonDetailsSerializer
    list_serializer_class = SeasonSerializer
    filterset_class = SeasonFilter
    lookup_url_kwarg = "season"

    def get_queryset(self) -> QuerySet[Season]:
        return seasons_in(self.club)

    def on_page(self, page: Any) -> Any:
        return season_summaries(page)

    def get_object(self) -> Season:
        return season_in(self.club, self.kwargs["season"])

    @command_endpoint(
        SeasonIn,
        answers=SeasonDetailsSerializer,
        creates=CreatedRoute("api-season-detail", season="id"),
    )
    def create(self, validated: dict[str, Any]) -> Season:
        """Add a season. Evenings on its dates are included."""
        judge = cleaned_data(SeasonForm(validated, club=self.club))
        return services.save_season(club=self.club, season=None, made_by=self.me, **judge)

    def current(self) -> Mapping[str, Any]:
        return season_initial(self.get_object())

    @patch_endpoint(SeasonChangeIn, answers=SeasonDetailsSerializer)
    def partial_update(self, validated: dict[str, Any]) -> Season:
        """Change a season's name, dates or rules. Fields you omit stay as they are."""
        season = self.get_object()
        form = SeasonForm({**season_initial(season), **validated}, club=self.club, season=season)
        judge = cleaned_data(form)
        return services.save_season(club=self.club, season=season, made_by=self.me, **judge)


class SeasonStandingsView(SeasonAPIView, ClubTableAPIView):
    access = SEE_LEAGUE
    sheet = "League table"
    table = "rows"

    def value_labels(self) -> Mapping[str, Mapping[str, str]]:
        return {"decided_by": {tie.value: label for tie, label in TIE_BREAK_NAMES.items()}}

    @detail_endpoint(LeagueTableSerializer)
    def get(self) -> Any:
        """Get the league table under the season's ranking rules."""
        return league_table(self.season, reader=self.reader)


class StandingExplanationView(SeasonAPIView):
    access = SEE_LEAGUE

    @detail_endpoint(StandingExplanationSerializer)
    def get(self) -> Any:
        """Explain a player's rank, evening by evening, and what they need next."""
        explanation = explain_standing(self.season, self.kwargs["player"], reader=self.reader)
        if explanation is None:
            raise Http404
        return explanation


class SeasonRulesView(SeasonAPIView):
    access = MANAGE_LEAGUE

    @detail_endpoint(SeasonRulesSerializer)
    def get(self) -> dict[str, Any]:
        """List the versions of the season's ranking rules, newest first, and ready-made leagues."""
        return {"versions": versions_of(self.season), "ready_made": READY_MADE_LEAGUES}


class AdjustmentsView(SeasonAPIView):
    access = MANAGE_LEAGUE

    @detail_endpoint(AdjustmentsSerializer)
    def get(self) -> Adjustments:
        """List handicaps and club-duty credits."""
        return adjustments_in(self.season)


def _season_printout(paper: SeasonPaper) -> Printout:
    def draw(view: SeasonAPIView, form: Format) -> tuple[bytes, str]:
        return paper.draw(view.season, form), paper.file_for(view.season)

    return Printout(title=paper.title, note=paper.note, access=SEE_LEAGUE, draw=draw)


SEASON_PRINTOUTS: Final = {kind: _season_printout(paper) for kind, paper in SEASON_PAPERS.items()}


class SeasonPapersView(SeasonAPIView, PrintoutsAPIView):
    access = PRINT_PAPERS
    printouts = SEASON_PRINTOUTS
    paper_url_name = "api-season-paper"

    @list_endpoint(PrintoutSerializer)
    def get(self) -> list[OfferedPaper]:
        """List the printouts of a season that are ready at once, each with its address."""
        return self.offered_papers()


class SeasonPaperView(SeasonAPIView, PrintoutAPIView):
    access = PRINT_PAPERS
    printouts = SEASON_PRINTOUTS
    get = printouts_endpoint(SEASON_PRINTOUTS)


class PackView(SeasonAPIView, ClubCommandAPIView):
    """The season's pack or its book, which a job makes."""

    access = MAKE_PACK
    kind = PACK_JOB

    @command_endpoint(
        FormatIn,
        answers=JobSerializer,
        creates=CreatedRoute("api-job-detail", shared_names="club", job="id"),
    )
    def post(self, validated: dict[str, Any]) -> Job:
        """Start creating this printout, or return the job already running."""
        return services.queue_pack(
            season=self.season,
            asked_by=self.me,
            kind=self.kind,
            form=format_from_query(validated, self.club),
        )


class FrontView(ClubAPIView):
    access = SEE_HOME

    @detail_endpoint(ClubAtAGlanceSerializer)
    def get(self) -> dict[str, Any]:
        """Get a club at a glance: the current evening, last result and leaders you may see."""
        front = front_page(
            self.club, today=timezone.localdate(), sees=self.sees, reader=self.reader
        )
        glance = {name: getattr(front, name) for name in front.__slots__}
        club_details = {name: getattr(self.club, name) for name in ("slug", "name", "rules")}
        return {**glance, **club_details}


class PlayerAPIView(ClubAPIView):
    access = SEE_RESULTS

    @property
    def player(self) -> Player:
        """The person of the address, or the record that theirs was merged into."""
        people = self.club.players.select_related("club")
        player = get_object_or_404(people, pk=self.kwargs["player"])
        kept_pk = merged_into(player)
        return people.get(pk=kept_pk) if kept_pk else player


class CareerView(PlayerAPIView):
    @detail_endpoint(CareerSerializer)
    def get(self) -> dict[str, Any]:
        """Get a player's numbers for each season and overall, chart, best hand and rating."""
        player = self.player
        seasons = player_seasons(player, reader=self.reader)
        best = best_hand_of(player, seasons.history.best_hand)
        return {
            "history": seasons.history,
            "career": seasons.career,
            "seasons": seasons.seasons,
            "running": seasons.running,
            "best": best and replace(best, name=seasons.history.name),
            "rating": rating_of(player),
        }


class PlayedFilter(DaysFilter):
    day = "session__held_on"


@extend_schema_view(
    list=extend_schema(description="List the evenings that a person has played, newest first.")
)
class PlayedViewSet(ListModelMixin, RecordViewSet, PlayerAPIView):
    queryset = SessionSeat.objects.none()
    serializer_class = PlayedEveningSerializer
    filterset_class = PlayedFilter

    def get_queryset(self) -> QuerySet[SessionSeat]:
        return seats_of(self.player)

    def paginate_queryset(self, queryset: Any) -> Any:
        return super().paginate_queryset(played_evenings(queryset))


class OpponentsView(PlayerAPIView, ClubTableAPIView):
    headings = {"opponent_points": "Opponent’s points", "lead": "Difference"}
    table = "met"

    @detail_endpoint(OpponentsSerializer)
    def get(self) -> Any:
        """Get a person's opponents, who gained more, and members not yet met."""
        return opponents_of(self.player, reader=self.reader)


class RatingsView(ClubListAPIView):
    access = SEE_LEAGUE
    headings = {"points": "Rating"}

    @list_endpoint(RatingRowSerializer)
    def get(self) -> Any:
        """List everyone’s rating, newcomers last. It is 404 if the club has no ratings."""
        if not self.club.rates:
            raise Http404
        lists = ratings_of(self.club, reader=self.reader)
        return (*lists.settled_rows, *lists.newcomers)


class HandFilter(DaysFilter):
    day = "day"
    evening = KeyFilter("session", "only this evening")
    season = KeyFilter("game__session_table__session__season", "only this season")
    player = KeyFilter(
        "game__session_table__places__player", "only hands of games in which this player has a seat"
    )
    state = OneOfFilter("state", HandState.values)


@extend_schema_view(
    list=extend_schema(
        description="List every hand of the club’s evenings with its players and tiles, newest "
        "day first.\n\nCancelled evenings are left out. The hands of a tournament are listed "
        "there. As a file, each player of a hand has a line."
    )
)
class HandViewSet(ClubListViewSet):
    access = SEE_RESULTS
    queryset = Hand.objects.none()
    serializer_class = FlatHandSerializer
    filterset_class = HandFilter

    def get_queryset(self) -> QuerySet[Hand]:
        return evening_hands(self.club)

    def on_page(self, page: Any) -> Any:
        return flat_evening_hands(page, self.reader)


class SpecialHandFilter(DaysFilter):
    day = "day"
    is_disputed = FlagFilter("state", "only where is_disputed", method="by_dispute")

    def by_dispute(self, hands: QuerySet[Hand], name: str, *, is_disputed: bool) -> QuerySet[Hand]:
        lookup = {name: HandState.DISPUTED}
        return hands.filter(**lookup) if is_disputed else hands.exclude(**lookup)


@extend_schema_view(
    list=extend_schema(
        description="List the special hands that went Mah-Jong, with their tiles, newest first."
    )
)
class SpecialHandViewSet(ClubListViewSet):
    access = SEE_RESULTS
    queryset = Hand.objects.none()
    serializer_class = SpecialHandSerializer
    filterset_class = SpecialHandFilter

    def get_queryset(self) -> QuerySet[Hand]:
        return likely_special_hands(self.club)

    def paginate_queryset(self, queryset: Any) -> Any:
        return super().paginate_queryset(special_hands(queryset, reader=self.reader))


class SpecialBookView(ClubTableAPIView):
    access = SEE_RESULTS
    sheet = "Special hands"
    table = "counts"

    @detail_endpoint(SpecialBookSerializer)
    def get(self) -> Any:
        """Get how often each special hand was made and by whom, and those still to be made."""
        return special_book(self.club, reader=self.reader)


def _draw_special_hands(view: ClubAPIView, form: Format) -> tuple[bytes, str]:
    book = special_book(view.club, reader=view.reader)
    return special_hands_pdf(view.club.name, book, form), f"{view.club.slug}-special-hands"


def _draw_members(view: ClubAPIView, form: Format) -> tuple[bytes, str]:
    people = members_of(view.club, reader=view.reader)
    day = long_date(timezone.localdate())
    return members.members_pdf(view.club.name, people, day, form), f"{view.club.slug}-members"


CLUB_PRINTOUTS: Final = {
    "special-hands": Printout(
        title="Special hands",
        note="Every special hand",
        access=SEE_RESULTS,
        draw=_draw_special_hands,
    ),
    **WITHOUT_EVENING,
    "members": Printout(
        title=members.TITLE, note=members.NOTE, access=MANAGE_MEMBERS, draw=_draw_members
    ),
}


class ClubPapersView(PrintoutsAPIView):
    access = SEE_RESULTS
    printouts = CLUB_PRINTOUTS
    paper_url_name = "api-club-paper"

    @list_endpoint(PrintoutSerializer)
    def get(self) -> list[OfferedPaper]:
        """List the printouts of the club itself that you may print.

        Evenings, seasons and tournaments each have a list of their own.
        """
        return self.offered_papers()


class ClubPaperView(PrintoutAPIView):
    access = PRINT_PAPERS
    printouts = CLUB_PRINTOUTS
    get = printouts_endpoint(CLUB_PRINTOUTS)


router = Router()
router.register(f"{CLUB_PATH}seasons", SeasonViewSet, "api-season")
router.register(f"{PLAYER_PATH}evenings", PlayedViewSet, "api-player-evening")
router.register(f"{CLUB_PATH}hands", HandViewSet, "api-hand")
router.register(f"{CLUB_PATH}special-hands", SpecialHandViewSet, "api-special-hand")

urlpatterns = [
    *router.urls,
    path(f"{SEASON_PATH}standings/", SeasonStandingsView.as_view(), name="api-season-standings"),
    path(
        f"{SEASON_PATH}standings/<int:player>/explanation/",
        StandingExplanationView.as_view(),
        name="api-season-why",
    ),
    path(f"{SEASON_PATH}rules/", SeasonRulesView.as_view(), name="api-season-rules"),
    path(f"{SEASON_PATH}adjustments/", AdjustmentsView.as_view(), name="api-season-given"),
    path(f"{SEASON_PATH}printouts/", SeasonPapersView.as_view(), name="api-season-papers"),
    path(
        f"{SEASON_PATH}printouts/<slug:printout>.pdf",
        SeasonPaperView.as_view(),
        name="api-season-paper",
    ),
    path(f"{SEASON_PATH}pack/", PackView.as_view(), name="api-season-pack"),
    path(f"{SEASON_PATH}book/", PackView.as_view(kind=BOOK_JOB), name="api-season-book"),
    path(CLUB_PATH, FrontView.as_view(), name="api-club"),
    path(f"{PLAYER_PATH}career/", CareerView.as_view(), name="api-player-career"),
    path(f"{PLAYER_PATH}opponents/", OpponentsView.as_view(), name="api-player-company"),
    path(f"{CLUB_PATH}ratings/", RatingsView.as_view(), name="api-rating"),
    path(f"{CLUB_PATH}special-hands/book/", SpecialBookView.as_view(), name="api-special-book"),
    path(f"{CLUB_PATH}printouts/", ClubPapersView.as_view(), name="api-papers"),
    path(
        f"{CLUB_PATH}printouts/<slug:printout>.pdf", ClubPaperView.as_view(), name="api-club-paper"
    ),
]
