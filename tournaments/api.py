"""Shared by the API views of a tournament: finding it and its tables, and its serializers."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema_field
from rest_framework import serializers

from clubs.api.answers import FileRenderer
from clubs.api.base import ClubAPIView, SecretLinkAPIView
from clubs.api.commands import ClubCommandAPIView
from clubs.api.fields import NumberField, TextField, WindField, named_field
from clubs.api.retries import sent_state
from clubs.api.rows import serializer_of
from clubs.core.forms import ShownState
from clubs.core.pages import attachment
from clubs.table.api.games import sender
from scoring.scorebook.models import AgreementPolicy, Recording
from scoring.table.ranking import METRICS
from tournaments.core import RUN_TOURNAMENT, SEE_LAST_ROUND, SEE_TOURNAMENT, find_by_wall_key
from tournaments.models import MOST_ROUNDS, AtTheBell, SittingOut, Tournament, TournamentState
from tournaments.rounds import selectors
from tournaments.rounds.clock import Clock, clock_now
from tournaments.rounds.selectors import PlaceRow, RoundView, TableRow

API_TOURNAMENTS_PATH = "clubs/<slug:club>/tournaments/"
API_TOURNAMENT_PATH = f"{API_TOURNAMENTS_PATH}<int:tournament>/"
API_PUBLIC_PATH = "e/<slug:key>/"
FIND_PARAMETER = OpenApiParameter("find", str, description="only names that contain this")
NAME_PARAMETER = OpenApiParameter("name", str, description="also explain this player, by full name")
MAX_LIST_LENGTH = 90_000
MAX_REASON_LENGTH = 200

ClockSerializer = serializer_of(
    "ClockSerializer",
    Clock,
    "round_number minutes minutes_added seconds_left ends_at has_begun is_paused has_rung text",
)

RoundPlaceSerializer = serializer_of(
    "RoundPlaceSerializer",
    PlaceRow,
    "seat wind entrant_id name points substitute",
    wind=WindField(help_text="as the game began"),
    points="null while they are hidden",
)

RoundTableSerializer = serializer_of(
    "RoundTableSerializer",
    TableRow,
    "number game_id places hands disputed=disputed_hands",
    places=RoundPlaceSerializer,
)

RoundSerializer = serializer_of(
    "RoundSerializer", RoundView, "number state tables sitting_out", tables=RoundTableSerializer
)


class TournamentAPIView(ClubAPIView):
    """An API view of one tournament; those of other clubs are not found."""

    access = SEE_TOURNAMENT

    @cached_property
    def tournament(self) -> Tournament:
        """The tournament of the address; raises ``Http404``."""
        of_the_club = Tournament.objects.select_related("club", "book").filter(club=self.club)
        return get_object_or_404(of_the_club, pk=self.kwargs["tournament"])

    @property
    def sees_all(self) -> bool:
        """Whether the caller sees the last round, which may be hidden until the prize-giving."""
        return not self.tournament.hides_last_round or self.has_permission(SEE_LAST_ROUND)

    @property
    def made_by(self) -> str:
        """Who acts, as the score book keeps it."""
        return sender(self.request)


class RunAPIView(TournamentAPIView, ClubCommandAPIView):
    access = RUN_TOURNAMENT

    def shown_state(self, validated: dict[str, Any] | None = None) -> ShownState:
        """The act, the state for which it was sent, and its round, taken out of what was sent."""
        match = self.request.resolver_match
        act = "" if match is None else str(match.url_name).removeprefix("api-")
        number = validated.pop("round", None) if validated else None
        return ShownState(act, sent_state(self.request), number)

    def take_step(
        self,
        take: Callable[..., object],
        validated: dict[str, Any] | None = None,
        **extra_fields: str,
    ) -> Tournament:
        """The tournament after the step. Refused with everything that prevents it."""
        page_state = self.shown_state(validated)
        take(tournament=self.tournament, page_state=page_state, **(validated or {}), **extra_fields)
        self.tournament.refresh_from_db()
        return self.tournament


class WallAPIView(SecretLinkAPIView):
    """An API view for anyone with the link of a tournament's projector screen."""

    @cached_property
    def tournament(self) -> Tournament:
        """The tournament with that link; raises ``Http404``."""
        tournament = find_by_wall_key(self.kwargs["key"])
        if tournament is None:
            raise Http404
        return tournament


def api_address_of(page: str, tournament: Tournament) -> str:
    """The API's address for a page of the tournament by URL name; empty if it has none."""
    if not page:
        return ""
    name = "api-entrant-list" if page == "entrants" else f"api-{page}"
    return reverse(name, kwargs={"club": tournament.club.slug, "tournament": tournament.pk})


def public_links(tournament: Tournament) -> dict[str, str]:
    key = [tournament.wall_key]
    return {
        "wall": reverse("tournament-wall", args=key),
        "find_me": reverse("find-me", args=key),
        "seating_explanation": reverse("why-open", args=key),
        "results": reverse("results", args=key) if tournament.published_at else "",
    }


class CSV(FileRenderer):
    media_type = "text/csv"
    format = "csv"


class RoundsCSV(CSV):
    """One line for each player in each round."""

    format = "rounds.csv"


class HandsCSV(CSV):
    """One line for each player in each hand."""

    format = "hands.csv"


class ImportCSV(CSV):
    """The list as it can be imported again."""

    format = "import.csv"


class XLSX(FileRenderer):
    media_type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    format = "xlsx"


def file_response(content: bytes, name: str, kind: type[FileRenderer]) -> HttpResponse:
    """A file that is saved under this name and the ending of its kind."""
    charset = "; charset=utf-8" if issubclass(kind, CSV) else ""
    return attachment(content, f"{name}.{kind.format}", f"{kind.media_type}{charset}")


class ReasonIn(serializers.Serializer[Any]):
    """The reason, in a few words that are stored."""

    reason = TextField(max_length=MAX_REASON_LENGTH)


class RoundIn(serializers.Serializer[Any]):
    """The round that the step is for."""

    round = NumberField(
        required=False,
        min_value=1,
        max_value=MOST_ROUNDS,
        help_text="its number: refused (409) if another round is current, with who changed it",
    )


class TournamentSerializer(serializers.Serializer[Tournament]):
    """A tournament at a glance."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    held_on = serializers.DateField()
    state = named_field(TournamentState.choices)(help_text="entering, playing or finished")
    rules = serializers.CharField()
    rounds_planned = serializers.IntegerField()
    hands_a_round = serializers.IntegerField(
        allow_null=True, help_text="hands at most; null: as many as the minutes allow"
    )
    minutes_a_round = serializers.IntegerField(allow_null=True, help_text="null: no clock")
    at_the_bell = named_field(AtTheBell.choices)(
        help_text="what happens to the hand in progress: finish, one_more or stop"
    )
    start_stake = serializers.IntegerField(
        help_text="starting points of each player in a round; not part of any total"
    )
    ranks_by = serializers.ListField(child=named_field(METRICS.items())())
    record_by = named_field(Recording.choices)(
        help_text="how hands are entered unless a table chooses otherwise"
    )
    agreement = named_field(AgreementPolicy.choices)(
        help_text="who must agree that a hand is right"
    )
    by_standing_from = serializers.IntegerField(
        allow_null=True, help_text="this round and later ones are seated by standings"
    )
    bands = serializers.IntegerField(help_text="tables in a group when seated by standings")
    has_final = serializers.BooleanField(help_text="whether the top four meet in the last round")
    sitting_out_counts = named_field(SittingOut.choices)(
        help_text="what a round counts for a player who sits out: average, fixed or nothing"
    )
    sitting_out_table_points = serializers.DecimalField(
        max_digits=4, decimal_places=2, help_text="table points for each round sat out, if fixed"
    )
    sitting_out_points = serializers.IntegerField(
        help_text="points of gain for each round sat out, if fixed"
    )
    hides_last_round = serializers.BooleanField(
        help_text="the last round is hidden from all but officials until you show it"
    )
    published_at = serializers.DateTimeField(
        allow_null=True, help_text="when the results were published"
    )
    version = serializers.IntegerField(help_text="increases with every change that is shown")


class ListedTournamentSerializer(TournamentSerializer):
    """A tournament in the club's list."""

    entered = serializers.IntegerField(help_text="players")
    rounds_closed = serializers.IntegerField(source="closed")


class ClockNowSerializer(serializers.Serializer[object]):
    """The clock in use; null if there is none."""

    clock = ClockSerializer(allow_null=True)


class GameClockSerializer(ClockNowSerializer):
    """The clock at a table of a round, and whether it has stopped."""

    stopped_at = serializers.DateTimeField(
        allow_null=True, help_text="when it stopped play in this round"
    )


class TournamentWholeSerializer(TournamentSerializer):
    """A tournament with the seating of its rounds."""

    clock = serializers.SerializerMethodField(help_text="of the current round, or null")
    rounds = serializers.SerializerMethodField()

    @extend_schema_field(ClockSerializer(allow_null=True))
    def get_clock(self, tournament: Tournament) -> dict[str, Any] | None:
        """The clock that the hall sees."""
        clock = clock_now(tournament, now=timezone.now())
        return None if clock is None else dict(ClockSerializer(clock).data)

    @extend_schema_field(RoundSerializer(many=True))
    def get_rounds(self, tournament: Tournament) -> list[dict[str, Any]]:
        """Every round. A hidden round has no points."""
        rounds = selectors.rounds_of(
            tournament, to_officials=self.context["sees_all"], reader=self.context["reader"]
        )
        return list(RoundSerializer(rounds, many=True).data)
