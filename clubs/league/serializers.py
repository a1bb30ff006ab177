"""What the API answers, one serializer for each frozen row."""

from collections.abc import Mapping
from typing import Any

from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from clubs.api.fields import named_field
from clubs.api.rows import serializer_of
from clubs.core.queue import CLUB_FILE
from clubs.evenings.selectors.evenings import EveningSummary
from clubs.league.forms import LeagueRulesForm, rules_initial
from clubs.league.selectors.hands import FlatHand, HandOfPlayer, ReportedSet, ReportedTiles
from clubs.league.selectors.players import (
    Chart,
    ChartMark,
    Figures,
    Opponent,
    Opponents,
    PlayerRating,
    ProgressRow,
    Rating,
    RatingRow,
    SeasonProgress,
    SeasonRow,
)
from clubs.league.selectors.records import HandCount, MadeHand, SpecialBook
from clubs.league.selectors.seasons import (
    Adjustments,
    CreditRow,
    HandicapRow,
    LeagueRow,
    LeagueTable,
    SeasonSummary,
    VersionRow,
)
from clubs.league.selectors.why import StandingExplanation, StandingLine
from clubs.league_rules.rules import LeagueRules, ReadyMadeLeague
from clubs.members.selectors import EveningRow
from clubs.models import Job, JobState, Season
from clubs.table.serializers import PaymentSerializer

SeasonSerializer = serializer_of(
    "SeasonSerializer", SeasonSummary, "id=pk name league starts_on ends_on evenings rule"
)

LeagueRowSerializer = serializer_of(
    "LeagueRowSerializer",
    LeagueRow,
    "place is_tied player_id name attended=evenings_attended total average best_total mahjongs "
    "best_hand decided_by score",
)

LeagueTableSerializer = serializer_of(
    "LeagueTableSerializer",
    LeagueTable,
    "title rule sentences evenings unfinished=unfinished_evenings rows",
    rows=LeagueRowSerializer,
)

StandingExplanationLineSerializer = serializer_of(
    "StandingExplanationLineSerializer",
    StandingLine,
    "evening=session_id day points league_points=brings text counts",
)

StandingExplanationSerializer = serializer_of(
    "StandingExplanationSerializer",
    StandingExplanation,
    "name standing sentence rules lines next_on needs",
    lines=StandingExplanationLineSerializer,
)

HandicapSerializer = serializer_of("HandicapSerializer", HandicapRow, "player_id name points")
CreditSerializer = serializer_of("CreditSerializer", CreditRow, "id=pk name held_on reason")

AdjustmentsSerializer = serializer_of(
    "AdjustmentsSerializer",
    Adjustments,
    "handicaps credits",
    handicaps=HandicapSerializer,
    credits=CreditSerializer,
)

PlayedEveningSerializer = serializer_of(
    "PlayedEveningSerializer",
    EveningRow,
    "evening_id=session_id season_id held_on table points hands mahjongs best_hand pays",
)

FiguresSerializer = serializer_of(
    "FiguresSerializer",
    Figures,
    "evenings hands mahjongs mahjong_rate=share total an_evening a_hand best best_hand pays",
    an_evening=serializers.CharField(help_text="points per evening, to one decimal place"),
    a_hand=serializers.CharField(help_text="points per hand, to one decimal place"),
    best=PlayedEveningSerializer,
)

PlayerSeasonSerializer = serializer_of(
    "PlayerSeasonSerializer",
    SeasonRow,
    "season_id title figures place players_ranked has_place",
    figures=FiguresSerializer,
)

ChartMarkSerializer = serializer_of("ChartMarkSerializer", ChartMark, "x y text")

ChartSerializer = serializer_of(
    "ChartSerializer",
    Chart,
    "scale zero curve middle dots end days",
    scale=ChartMarkSerializer,
    dots=ChartMarkSerializer,
    end=ChartMarkSerializer,
    days=ChartMarkSerializer,
)

RunningRowSerializer = serializer_of(
    "RunningRowSerializer",
    ProgressRow,
    "evening_id=session_id day played total middle",
    played=PlayedEveningSerializer,
)

RunningSerializer = serializer_of(
    "RunningSerializer",
    SeasonProgress,
    "rows chart",
    rows=RunningRowSerializer,
    chart=ChartSerializer,
)

SpecialHandSerializer = serializer_of(
    "SpecialHandSerializer",
    MadeHand,
    "player_id name evening_id=session_id day table number score special tiles is_disputed",
    special="its name, if it has one",
    tiles="sets, then flowers and seasons; empty if not entered",
)

RatingSerializer = serializer_of(
    "RatingSerializer",
    Rating,
    "now.points now.give_or_take evenings is_settled change confidence",
    evenings="how many hands it is based on",
    change="the change at the last evening",
    confidence="how certain it is, in words",
)

PlayerRatingSerializer = serializer_of(
    "PlayerRatingSerializer",
    PlayerRating,
    "rating chart",
    rating=RatingSerializer,
    chart=ChartSerializer,
)

OpponentSerializer = serializer_of(
    "OpponentSerializer",
    Opponent,
    "player_id name evenings hands own_points opponent_points lead=ahead",
)
OpponentsSerializer = serializer_of(
    "OpponentsSerializer", Opponents, "met not_met least_met", met=OpponentSerializer
)

RatingRowSerializer = serializer_of(
    "RatingRowSerializer",
    RatingRow,
    "place is_tied player_id name rating.now.points rating.now.give_or_take rating.evenings "
    "rating.is_settled rating.change rating.confidence",
)

HandCountSerializer = serializer_of("HandCountSerializer", HandCount, "title times names last_on")

SpecialBookSerializer = serializer_of(
    "SpecialBookSerializer",
    SpecialBook,
    "rules counts=hand_counts waiting",
    counts=HandCountSerializer,
)

EveningGlanceSerializer = serializer_of(
    "EveningGlanceSerializer",
    EveningSummary,
    "id=pk held_on state players tables best points",
    "An evening at a glance, with who did best.",
)


class SeasonDetailsSerializer(serializers.ModelSerializer[Season]):
    """A season with the fields that can be changed."""

    id = serializers.IntegerField(source="pk")
    league = serializers.CharField(source="league.name")
    rules = serializers.CharField(
        allow_blank=True, help_text="the key of its rule set; empty: the club’s usual rules"
    )

    class Meta:
        model = Season
        fields = ["id", "name", "league", "starts_on", "ends_on", "rules"]


@extend_schema_field(OpenApiTypes.OBJECT)
class RuleValuesField(serializers.Field[Any, Any, Any, LeagueRules]):
    """Ranking rules as the values of the page’s form."""

    def to_representation(self, rules: LeagueRules) -> dict[str, Any]:
        """Without what is not asked for."""
        values = rules_initial(rules)
        fields = LeagueRulesForm.base_fields
        return {name: values[name] for name in fields if values.get(name, "") != ""}


VersionSerializer = serializer_of(
    "VersionSerializer",
    VersionRow,
    "number rule sentences made_at made_by adopted_at is_in_force=holds values",
    is_in_force="whether the season is ranked by this version",
    values=RuleValuesField(
        source="rules", read_only=True, help_text="the values of the page’s form"
    ),
)

ReadyMadeSerializer = serializer_of(
    "ReadyMadeSerializer",
    ReadyMadeLeague,
    "key name note values",
    "A ready-made league to start from.",
    values=RuleValuesField(
        source="rules", read_only=True, help_text="the values of the page’s form"
    ),
)


class SeasonRulesSerializer(serializers.Serializer[object]):
    """A season's ranking rules: every version, and leagues to start from."""

    versions = VersionSerializer(many=True)
    ready_made = ReadyMadeSerializer(many=True)


class CareerSerializer(serializers.Serializer[object]):
    """What one person has played, season by season."""

    player_id = serializers.IntegerField(
        source="history.player_id", help_text="may differ from the id asked for, after a merge"
    )
    name = serializers.CharField(source="history.name", help_text="as you are allowed to see it")
    career = FiguresSerializer(allow_null=True, help_text="null before the first hand")
    seasons = PlayerSeasonSerializer(many=True, help_text="the newest first")
    running = RunningSerializer(allow_null=True, help_text="the season played in last")
    best = SpecialHandSerializer(allow_null=True, help_text="the hand with the highest score")
    rating = PlayerRatingSerializer(
        allow_null=True, help_text="null if the club has turned ratings off"
    )


class ClubAtAGlanceSerializer(serializers.Serializer[object]):
    """A club at a glance: the current evening, the last result and the leaders."""

    slug = serializers.CharField()
    name = serializers.CharField()
    rules = serializers.CharField()
    members = serializers.IntegerField()
    evening = EveningGlanceSerializer(allow_null=True, help_text="the one that is open")
    last = EveningGlanceSerializer(allow_null=True, help_text="the last that was finished")
    season_id = serializers.IntegerField(source="season.pk", default=None, allow_null=True)
    heading = serializers.CharField(allow_blank=True, help_text="what the season is ranked by")
    leaders = LeagueRowSerializer(many=True)


class JobSerializer(serializers.Serializer[Job]):
    """A background job: a season pack or book, a long printout, messages, or a club file."""

    id = serializers.UUIDField(source="pk")
    kind = serializers.CharField()
    state = named_field(JobState.choices)()
    done = serializers.IntegerField()
    total = serializers.IntegerField()
    message = serializers.CharField(
        allow_blank=True, help_text="what went wrong, if the job failed"
    )
    made_at = serializers.DateTimeField()
    result = serializers.SerializerMethodField(help_text="the path of the file, once it is ready")

    def get_result(self, job: Job) -> str | None:
        """The address of the printout, if the job made one."""
        page = "api-club-file-result" if job.kind == CLUB_FILE else "api-job-result"
        return reverse(page, args=[job.club.slug, job.pk]) if job.result else None


class ReportedSetSerializer(serializers.Serializer[ReportedSet]):
    """A set on the table."""

    tiles = serializers.ListField(child=serializers.CharField())
    exposed = serializers.BooleanField(help_text="false for a concealed kong")

    @staticmethod
    def cell(row: Mapping[str, Any]) -> str:
        """``WE WE WE``, a concealed kong in brackets."""
        tiles = " ".join(row["tiles"])
        return tiles if row["exposed"] else f"({tiles})"


ReportedTilesSerializer = serializer_of(
    "ReportedTilesSerializer",
    ReportedTiles,
    "sets concealed bonus winning_tile facts",
    sets=ReportedSetSerializer,
)

HandOfPlayerSerializer = serializer_of(
    "HandOfPlayerSerializer",
    HandOfPlayer,
    "seat player_id entrant_id name substitute wind score gain special tiles",
    tiles=ReportedTilesSerializer,
)

FlatHandSerializer = serializer_of(
    "FlatHandSerializer",
    FlatHand,
    "id=row.pk place.evening_id place.tournament_id place.round place.day place.table "
    "number=row.number_at_table rules row.prevailing_wind row.dealer row.goulash "
    "entered_as=report.recording row.winner won_by report.discarder report.pays_for_all row.state "
    "row.sent_at players payments",
    "A hand as it counts now, with everything that was reported of it.",
    number="as the table counts, also after a change of players",
    winner="null if nobody went Mah-Jong",
    players=HandOfPlayerSerializer,
    payments=PaymentSerializer,
)
