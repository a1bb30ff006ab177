"""Standings, prizes and results over the API."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.db.models import QuerySet
from django.http import Http404
from django.urls import path
from django_filters.rest_framework import FilterSet
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.mixins import DestroyModelMixin, RetrieveModelMixin
from rest_framework.renderers import JSONRenderer
from rest_framework.views import APIView

from clubs.api.answers import FileRenderer
from clubs.api.base import detail_endpoint
from clubs.api.commands import command_endpoint, patch_endpoint
from clubs.api.created import CreatedRoute
from clubs.api.fields import FlagField, KeyField, NumberField, OneOfField, TextField, named_field
from clubs.api.filters import KeyFilter, OneOfFilter
from clubs.api.lists import ClubTableAPIView, table_endpoint
from clubs.api.rows import serializer_of
from clubs.api.viewsets import ClubListViewSet, ClubViewSet, Router
from clubs.language.words import whole_number
from clubs.league.serializers import FlatHandSerializer
from clubs.models.names import MAX_NAME
from scoring.scorebook.models import Hand, HandState
from scoring.scorebook.refusals import refuse
from tournaments.api import (
    API_PUBLIC_PATH,
    API_TOURNAMENT_PATH,
    CSV,
    XLSX,
    HandsCSV,
    RoundsCSV,
    RunAPIView,
    TournamentAPIView,
    TournamentSerializer,
    WallAPIView,
    file_response,
)
from tournaments.core import file_name_of, lock_tournament
from tournaments.models import MOST_ROUNDS, Prize, Tournament
from tournaments.results import services
from tournaments.results.exports import hands_csv, results_csv, results_xlsx, rounds_csv
from tournaments.results.forms import PRIZE_KIND_CHOICES
from tournaments.results.selectors import standings
from tournaments.results.selectors.hands import flat_tournament_hands, tournament_hands
from tournaments.results.selectors.records import MadeHand, Records, records_of
from tournaments.results.selectors.results import (
    Gain,
    Honour,
    PrizeGiving,
    PrizeRow,
    Results,
    RulingRow,
    prize_giving,
    prize_terms,
    results_of,
    stored_terms,
)
from tournaments.results.selectors.standings import Board, StandingLine, StandingRow, TeamLine
from tournaments.rounds.selectors import last_shown_round

GainSerializer = serializer_of("GainSerializer", Gain, "name points")

RulingSerializer = serializer_of(
    "RulingSerializer",
    RulingRow,
    "id=pk round table hand name what gains note reason ruled_at is_cancelled=is_taken_back "
    "cancels_another=takes_back",
    gains=GainSerializer(many=True, read_only=True, help_text="empty for a warning"),
)

STANDING_FIELDS = (
    "place is_tied entrant_id name from_club team rounds without_hand sat_out table_points total "
    "mahjongs mahjongs_credited best_hand decided_by has_left"
)

StandingSerializer = serializer_of("StandingSerializer", StandingRow, STANDING_FIELDS)

PlacedEntrantSerializer = serializer_of(
    "PlacedEntrantSerializer",
    StandingLine,
    " ".join([*(f"row.{name}" for name in STANDING_FIELDS.split()), "tie_broken_by=parted_by"]),
    "One entrant’s place, and in words the tie-break with the one above.",
    tie_broken_by="the tie-break with the one above, if the first measure is equal",
)

TeamSerializer = serializer_of(
    "TeamSerializer",
    TeamLine,
    "row.place row.is_tied row.name row.members row.table_points row.total row.mahjongs "
    "row.mahjongs_credited row.best_hand tie_broken_by=parted_by",
    tie_broken_by="the tie-break with the one above, if the first measure is equal",
)

StandingsBoardSerializer = serializer_of(
    "StandingsBoardSerializer",
    Board,
    "players columns rule sitting_out without_hand standing is_final through=last_round after "
    "lines teams",
    lines=PlacedEntrantSerializer,
    teams=TeamSerializer,
)

NotableHandSerializer = serializer_of(
    "NotableHandSerializer", MadeHand, "name round table number score special tiles"
)

RecordsSerializer = serializer_of(
    "RecordsSerializer",
    Records,
    "highest mahjongs most_mahjongs special",
    highest=NotableHandSerializer,
    special=NotableHandSerializer,
)

PrizeWinnersSerializer = serializer_of(
    "PrizeWinnersSerializer", PrizeRow, "title gift names figure note", "A prize and its winners."
)

HonourSerializer = serializer_of("HonourSerializer", Honour, "place title names figure gifts")

ResultsSerializer = serializer_of(
    "ResultsSerializer",
    Results,
    "board podium prizes records rulings",
    board=StandingsBoardSerializer,
    podium=HonourSerializer,
    prizes=PrizeWinnersSerializer,
    records=RecordsSerializer,
    rulings=RulingSerializer,
)

AFTER_PARAMETER = OpenApiParameter(
    "after",
    {"type": "integer", "minimum": 1, "maximum": MOST_ROUNDS},
    description="after this round",
)

FILE_WRITERS: dict[type[FileRenderer], Callable[[Tournament, Results], bytes]] = {
    CSV: results_csv,
    RoundsCSV: rounds_csv,
    HandsCSV: hands_csv,
    XLSX: results_xlsx,
}

TOURNAMENT_ETAG: Final = "the tournament"
PRIZE_KINDS = [key for key, _ in PRIZE_KIND_CHOICES]

PrizeRowSerializer = serializer_of(
    "PrizeRowSerializer",
    PrizeRow,
    "id=key title gift names figure note place is_team",
    names="several: it is shared",
    figure="what it was won with",
    note="why it is shared or passed to the next in line",
)

PrizeGivingSerializer = serializer_of(
    "PrizeGivingSerializer",
    PrizeGiving,
    "prizes=rows are_usual one_each is_final standing",
    prizes=PrizeRowSerializer,
    one_each=serializers.BooleanField(
        help_text="whether a winner’s further prizes pass to the next in line"
    ),
)


class PenaltySerializer(serializers.Serializer[object]):
    """A penalty from the published scale."""

    key = serializers.CharField(help_text="send it as what")
    name = serializers.CharField()
    costs = serializers.CharField()


class RulingsSerializer(serializers.Serializer[object]):
    """Every ruling at a table, and the penalties available."""

    rulings = RulingSerializer(many=True)
    scale = PenaltySerializer(many=True)
    may_rule = serializers.BooleanField(
        help_text="once the round has begun, until the tournament is finished"
    )


class ResultsFilesAPIView(APIView):
    """Results that are also files; in ``rounds.csv`` and ``hands.csv`` a player has lines."""

    sheet = "Results"
    offers_files = True
    renderer_classes = [JSONRenderer, *FILE_WRITERS]

    def results_or_file(self, tournament: Tournament, results: Results) -> Any:
        """The results, or the kind of file that is asked for."""
        kind = type(self.request.accepted_renderer)
        if kind not in FILE_WRITERS:
            return results
        return file_response(
            FILE_WRITERS[kind](tournament, results), file_name_of(tournament, "results"), kind
        )


class ShownAPIView(TournamentAPIView):
    """What counts up to a round; the last is left out while it is kept for the prize-giving."""

    @property
    def last_round(self) -> int | None:
        """The last round that counts for the caller; None: all of them."""
        requested_round = self.request.query_params.get("after", "")
        if requested_round and not whole_number(requested_round, most=MOST_ROUNDS):
            raise refuse("bad_parameter", f"Choose a round from 1 to {MOST_ROUNDS}.", "after")
        return last_shown_round(
            self.tournament, requested_round=requested_round, to_officials=self.sees_all
        )


class StandingsView(ClubTableAPIView, ShownAPIView):
    def value_labels(self) -> Mapping[str, Mapping[str, str]]:
        return {"decided_by": standings.tie_breaks_of(self.tournament)}

    @table_endpoint(StandingSerializer, parameters=[AFTER_PARAMETER])
    def get(self) -> Any:
        """List the standings, best first, without the last round while it is hidden."""
        return standings.standings_of(
            self.tournament, last_round=self.last_round, reader=self.reader
        )


class ClubResultsView(ResultsFilesAPIView, ShownAPIView):
    @detail_endpoint(ResultsSerializer, parameters=[AFTER_PARAMETER])
    def get(self) -> Any:
        """Get the standings with teams, records and rulings, and at the end prizes and podium."""
        results = results_of(self.tournament, last_round=self.last_round, reader=self.reader)
        return self.results_or_file(self.tournament, results)


class RecordsView(ShownAPIView):
    @detail_endpoint(RecordsSerializer, parameters=[AFTER_PARAMETER])
    def get(self) -> Any:
        """Get the highest hands, the most Mah-Jongs and the special hands."""
        return records_of(self.tournament, last_round=self.last_round, reader=self.reader)


class HandFilter(FilterSet):
    round = KeyFilter("round", "only this round")
    entrant = KeyFilter(
        "game__tournament_table__placements__entrant",
        "only hands of games in which this entrant has a seat",
    )
    state = OneOfFilter("state", HandState.values)


@extend_schema_view(
    list=extend_schema(
        description="List every hand with its players and tiles, without the last round while it "
        "is hidden.\n\nAs a file, each player of a hand has a line.",
        parameters=[AFTER_PARAMETER],
    )
)
class HandViewSet(ClubListViewSet, ShownAPIView):
    queryset = Hand.objects.none()
    serializer_class = FlatHandSerializer
    filterset_class = HandFilter

    def get_queryset(self) -> QuerySet[Hand]:
        return tournament_hands(self.tournament, last_round=self.last_round)

    def on_page(self, page: Any) -> Any:
        return flat_tournament_hands(self.tournament, page, self.reader)


class PublishedAPIView(WallAPIView):
    """Published results, for anyone with the link."""

    @property
    def published_tournament(self) -> Tournament:
        """The tournament, once its results are published; raises ``Http404`` before."""
        if self.tournament.published_at is None:
            raise Http404
        return self.tournament


class ResultsView(ResultsFilesAPIView, PublishedAPIView):
    @detail_endpoint(ResultsSerializer)
    def get(self) -> Any:
        """Get the final results with the public link. Nothing is shown until they are published."""
        tournament = self.published_tournament
        return self.results_or_file(tournament, results_of(tournament))


class HideView(RunAPIView):
    @command_endpoint(answers=TournamentSerializer, reading=TOURNAMENT_ETAG)
    def post(self) -> Tournament:
        """Hide the last round, so that only officials see it."""
        return self.take_step(services.hide_last_round)


class ReleaseView(RunAPIView):
    @command_endpoint(answers=TournamentSerializer, reading=TOURNAMENT_ETAG)
    def post(self) -> Tournament:
        """Show the last round to everyone."""
        return self.take_step(services.release_results)


class WithdrawView(RunAPIView):
    @command_endpoint(answers=TournamentSerializer, reading=TOURNAMENT_ETAG)
    def post(self) -> Tournament:
        """Unpublish the results."""
        return self.take_step(services.withdraw_results)


class PrizeChangeIn(serializers.Serializer[Any]):
    """Terms of a prize. Fields you omit stay as they are."""

    kind = OneOfField(required=False, choices=PRIZE_KINDS)
    place = NumberField(
        required=False, min_value=1, max_value=400, help_text="for a place, of players or teams"
    )
    from_club = TextField(
        source="of",
        required=False,
        allow_blank=True,
        max_length=MAX_NAME,
        help_text="the club, for a best-of-club prize; empty: the organising club",
    )
    chosen = KeyField(
        required=False, allow_null=True, help_text="the entrant, for a prize whose winner is chosen"
    )
    name = TextField(
        required=False,
        allow_blank=True,
        max_length=MAX_NAME,
        help_text="empty: named after what it is for, such as First",
    )
    gift = TextField(required=False, allow_blank=True, max_length=120)


class PrizeIn(PrizeChangeIn):
    """A new prize."""

    kind = OneOfField(choices=PRIZE_KINDS)


class MoveIn(serializers.Serializer[Any]):
    """The direction to move a prize."""

    up = FlagField()


class PrizeRuleIn(serializers.Serializer[Any]):
    """Whether anyone may win several prizes."""

    one_each = FlagField()


class PrizeSerializer(serializers.Serializer[Prize]):
    """The terms of a prize."""

    id = serializers.IntegerField()
    kind = named_field(PRIZE_KIND_CHOICES)()
    place = serializers.IntegerField(allow_null=True)
    from_club = serializers.CharField(
        source="of", help_text="the club, for a best-of-club prize; empty: the organising club"
    )
    chosen = serializers.IntegerField(allow_null=True, help_text="an entrant")
    name = serializers.CharField()
    gift = serializers.CharField()

    def to_representation(self, instance: Prize) -> Any:
        """The terms as they are sent, a prize for the most of something by its metric."""
        return super().to_representation({"id": instance.pk, **prize_terms(instance)})  # type: ignore[arg-type]


class PrizeCountSerializer(serializers.Serializer[object]):
    """How many prizes there are."""

    prizes = serializers.IntegerField()


@extend_schema_view(
    retrieve=extend_schema(description="Get the terms of one prize."),
    destroy=extend_schema(description="Delete a prize."),
)
class PrizeViewSet(RetrieveModelMixin, DestroyModelMixin, ClubViewSet, RunAPIView):
    queryset = Prize.objects.none()
    serializer_class = PrizeSerializer
    lookup_url_kwarg = "prize"
    offers_files = False

    def get_queryset(self) -> QuerySet[Prize]:
        return self.tournament.prizes.all()

    @detail_endpoint(PrizeGivingSerializer, operation_id="clubs_tournaments_prizes_giving")
    def list(self) -> dict[str, Any]:
        """List the prizes with their current winners."""
        giving = prize_giving(self.tournament, reader=self.reader)
        names = ("rows", "are_usual", "is_final", "standing")
        fields = {name: getattr(giving, name) for name in names}
        return fields | {"one_each": self.tournament.one_prize_each}

    @command_endpoint(
        PrizeIn, answers=PrizeSerializer, creates=CreatedRoute("api-prize-detail", prize="id")
    )
    def create(self, validated: dict[str, Any]) -> Prize:
        """Add a prize at the end. Without a name it is called by what it is for."""
        terms = _stored_prize_terms(self.tournament, validated)
        return services.save_prize(tournament=self.tournament, **terms)

    def lock(self) -> None:
        """The tournament, as every change of its prizes does."""
        lock_tournament(self.tournament.pk)

    def current(self) -> Mapping[str, Any]:
        return prize_terms(self.get_object())

    @patch_endpoint(PrizeChangeIn, answers=PrizeSerializer)
    def partial_update(self, validated: dict[str, Any]) -> Prize:
        """Change a prize."""
        prize = self.get_object()
        terms = _stored_prize_terms(self.tournament, {**prize_terms(prize), **validated})
        return services.save_prize(tournament=self.tournament, prize=prize, **terms)

    def perform_destroy(self, instance: Prize) -> None:
        services.remove_prize(tournament=self.tournament, prize=instance)

    @command_endpoint(MoveIn)
    @action(detail=True, methods=["post"])
    def move(self, validated: dict[str, Any]) -> Any:
        """Move a prize up or down by one."""
        services.move_prize(tournament=self.tournament, prize=self.get_object(), **validated)

    @command_endpoint(answers=PrizeCountSerializer, creates=CreatedRoute("api-prize-list"))
    @action(detail=False, methods=["post"])
    def standard(self) -> Any:
        """Add the standard prizes: first three, highest hand, most Mah-Jongs, and best team."""
        return {"prizes": services.declare_usual_prizes(tournament=self.tournament)}

    @command_endpoint(PrizeRuleIn)
    @action(detail=False, methods=["post"])
    def rule(self, validated: dict[str, Any]) -> Any:
        """Choose whether a winner's further prizes pass to the next in line."""
        services.set_prize_rule(tournament=self.tournament, **validated)


def _stored_prize_terms(tournament: Tournament, validated: Mapping[str, Any]) -> dict[str, Any]:
    """What was sent as the service takes it."""
    entrant_key = validated.get("chosen")
    entrant = (
        tournament.entrants.people().filter(pk=entrant_key).first()
        if entrant_key is not None
        else None
    )
    if entrant_key is not None and entrant is None:
        raise refuse("invalid_choice", "Choose one of the players of this tournament.", "chosen")
    return stored_terms({**validated, "chosen": entrant})


router = Router()
router.register(f"{API_TOURNAMENT_PATH}hands", HandViewSet, "api-tournament-hand")
router.register(f"{API_TOURNAMENT_PATH}prizes", PrizeViewSet, "api-prize")

urlpatterns = [
    *router.urls,
    path(f"{API_TOURNAMENT_PATH}standings/", StandingsView.as_view(), name="api-standings"),
    path(
        f"{API_TOURNAMENT_PATH}results/", ClubResultsView.as_view(), name="api-tournament-results"
    ),
    path(f"{API_TOURNAMENT_PATH}records/", RecordsView.as_view(), name="api-tournament-records"),
    path(f"{API_TOURNAMENT_PATH}results/hide/", HideView.as_view(), name="api-results-hide"),
    path(
        f"{API_TOURNAMENT_PATH}results/release/", ReleaseView.as_view(), name="api-results-release"
    ),
    path(
        f"{API_TOURNAMENT_PATH}results/withdraw/",
        WithdrawView.as_view(),
        name="api-results-withdraw",
    ),
    path(f"{API_PUBLIC_PATH}results/", ResultsView.as_view(), name="api-results"),
]
