"""The club's settings, house rules and jobs over the API."""

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import path
from django.utils.text import slugify
from django_filters.rest_framework import FilterSet
from drf_spectacular.utils import extend_schema, extend_schema_field, extend_schema_view
from rest_framework import serializers

from clubs.accounts.services import clubs_of
from clubs.api.base import PublicAPIView, detail_endpoint
from clubs.api.callers import clubs_for_key
from clubs.api.commands import PatchAPIView, patch_endpoint
from clubs.api.fields import FlagField, OneOfField, TextField, named_field
from clubs.api.filters import OneOfFilter, SinceFilter
from clubs.api.lists import ClubTableAPIView, PersonalListAPIView, TablesAPIView, table_endpoint
from clubs.api.pagination import OnePagePagination
from clubs.api.papers import PaperAPIView, pdf_endpoint
from clubs.api.rows import serializer_of
from clubs.api.viewsets import CLUB_PATH, ClubReadOnlyViewSet, Router
from clubs.core.permissions import MAKE_PACK, MANAGE_CLUB, MANAGE_LEAGUE, SEE_HOME
from clubs.core.queue import CLUB_FILE
from clubs.house import services
from clubs.house.forms.club import PUBLIC_SWITCHES, ClubNameForm, PublicForm, initial_name
from clubs.league import services as league_services
from clubs.league.serializers import JobSerializer
from clubs.models import Club, HouseRules, Job, JobState, MarkColour
from clubs.paper.formats import Format
from clubs.table.forms.rules import CLUB_RULE_FIELDS, ClubRulesForm
from clubs.table.selectors import rules as selectors_rules
from clubs.table.selectors.rules import HouseRow, house_rules_of, rules_offered
from scoring import RuleSet, rule_set_keys
from scoring.scorebook.editions import declaration_of, rule_set
from scoring.scorebook.models import AgreementPolicy, Recording
from scoring.scorebook.reports import asks_who_discarded

DECLARATION_HELP = (
    "house rules: base and name; of limit, limits, choices, points, more_points, doubles, "
    "more_doubles, without, values, fishing, specials, chows, one_suit, minimum, minimum_with_two, "
    "losers_score, payments and passing what differs from the rule book. The page "
    "docs/rules/house-rules.md explains each."
)

HOUSE_RULES_FIELDS = (
    "id=pk key name version book summary made_at made_by games is_offered is_played"
)

HouseRulesSerializer = serializer_of("HouseRulesSerializer", HouseRow, HOUSE_RULES_FIELDS)


@extend_schema_field(
    {"type": "object", "additionalProperties": {}, "description": DECLARATION_HELP}
)
class DeclarationField(serializers.Field[Any, Any, dict[str, Any], str]):
    """House rules as data, found by their key."""

    def to_representation(self, value: str) -> dict[str, Any]:
        return declaration_of(value).as_data()


class ClubNameSerializer(serializers.Serializer[object]):
    """What a club is called, and its mark: the tile beside its name."""

    name = serializers.CharField()
    mark_colour = serializers.ChoiceField(
        choices=MarkColour.choices, help_text="the colour of the mark"
    )


class PublicSerializer(serializers.Serializer[object]):
    """What the public sees. Members always see all of it."""

    shows_results = serializers.BooleanField(
        help_text="evenings, players’ pages, special hands and tournaments"
    )
    shows_league = serializers.BooleanField(help_text="league tables, ranking rules and ratings")
    shows_calendar = serializers.BooleanField(help_text="the dates of coming evenings")


class SettingsIn(serializers.Serializer[object]):
    """A club's settings. Fields you omit stay as they are."""

    rules = TextField(required=False, max_length=40, help_text="the key of available rules")
    record_by = OneOfField(
        required=False, choices=Recording.choices, help_text="how hands are entered"
    )
    agreement = OneOfField(
        required=False,
        choices=AgreementPolicy.choices,
        help_text="who must agree that a hand is right",
    )
    rates = FlagField(required=False, help_text="whether members are rated")


class RulesOnOfferSerializer(serializers.Serializer[object]):
    """Rules that can be chosen."""

    key = serializers.CharField()
    name = serializers.CharField()


class ClubSettingsSerializer(serializers.Serializer[object]):
    """A club’s settings, and the rules it can choose."""

    rules = serializers.CharField(help_text="the key of the rules")
    record_by = named_field(Recording.choices)(help_text="how hands are entered")
    agreement = named_field(AgreementPolicy.choices)(
        help_text="who must agree that a hand is right"
    )
    rates = serializers.BooleanField(help_text="whether members are rated")
    offered = RulesOnOfferSerializer(many=True)


HouseRulesWithDeclarationSerializer = serializer_of(
    "HouseRulesWithDeclarationSerializer",
    HouseRow,
    f"{HOUSE_RULES_FIELDS} rules",
    "A club’s house rules, with their declaration.",
    rules=DeclarationField(source="key", read_only=True, help_text=DECLARATION_HELP),
)


class ClubSerializer(serializers.ModelSerializer[Club]):
    """A club."""

    class Meta:
        model = Club
        fields = ["slug", "name", "rules", "shows_results", "shows_league", "shows_calendar"]


class RuleSetSerializer(serializers.Serializer[object]):
    """A rule set, and what a hand must state under it."""

    key = serializers.CharField()
    name = serializers.CharField()
    limit = serializers.IntegerField(allow_null=True)
    losers_score = serializers.BooleanField(help_text="false if only the winner scores")
    players_pay = serializers.BooleanField(source="zero_sum", help_text="false if scores add up")
    asks_who_discarded = serializers.SerializerMethodField(
        help_text="whether a hand needs won_by and, after a claim, discarder"
    )

    def get_asks_who_discarded(self, rules: RuleSet) -> bool:
        """Whether what players pay depends on who discarded the last tile."""
        return asks_who_discarded(rules)


class ClubsView(PersonalListAPIView):
    pagination_class = OnePagePagination

    @table_endpoint(ClubSerializer)
    def get(self) -> list[Club]:
        """List your clubs, by name."""
        return clubs_for_key(self.request.auth, clubs_of(self.me))


class RuleSetsView(TablesAPIView, PublicAPIView):
    @table_endpoint(RuleSetSerializer)
    def get(self) -> list[RuleSet]:
        """List the newest edition of each rule set."""
        return [rule_set(key) for key in rule_set_keys()]


class HouseRulesView(ClubTableAPIView):
    access = SEE_HOME

    @table_endpoint(RuleSetSerializer)
    def get(self) -> tuple[RuleSet, ...]:
        """List the house rules that a club can play, newest first."""
        return selectors_rules.editions_of(self.club)


class SettingsView(PatchAPIView):
    access = MANAGE_LEAGUE

    @detail_endpoint(ClubSettingsSerializer)
    def get(self) -> dict[str, Any]:
        """Get the club's rules, how hands are entered, who agrees, and the choices."""
        return self.current_settings()

    def current(self) -> Mapping[str, Any]:
        return {name: getattr(self.club, name) for name in CLUB_RULE_FIELDS}

    def form_kwargs(self) -> dict[str, Any]:
        return {"club": self.club}

    @patch_endpoint(ClubRulesForm, answers=ClubSettingsSerializer, serializer_class=SettingsIn)
    def patch(self, validated: dict[str, Any]) -> dict[str, Any]:
        """Change the club's settings. A season already started keeps its own rules."""
        league_services.change_rules(club=self.club, **validated)
        self.club.refresh_from_db()
        return self.current_settings()

    def current_settings(self) -> dict[str, Any]:
        """The current settings, and the available rules."""
        rule_choices = rules_offered(self.club, current=self.club.rules)
        return {
            **self.current(),
            "offered": [{"key": key, "name": name} for key, name in rule_choices],
        }


class ClubNameView(PatchAPIView):
    access = MANAGE_CLUB

    @detail_endpoint(ClubNameSerializer)
    def get(self) -> Club:
        """Get the club's name, and the colour of its mark."""
        return self.club

    def current(self) -> Mapping[str, Any]:
        return initial_name(self.club)

    @patch_endpoint(ClubNameForm, answers=ClubNameSerializer)
    def patch(self, validated: dict[str, Any]) -> Club:
        """Rename the club or recolour its mark. Its slug and every address stay as they are."""
        return services.change_club(club=self.club, **validated)


class PublicView(PatchAPIView):
    access = MANAGE_CLUB

    @detail_endpoint(PublicSerializer)
    def get(self) -> Club:
        """Get what the public sees without signing in."""
        return self.club

    def current(self) -> Mapping[str, Any]:
        return {name: getattr(self.club, name) for name in PUBLIC_SWITCHES}

    @patch_endpoint(PublicForm, answers=PublicSerializer)
    def patch(self, validated: dict[str, Any]) -> Club:
        """Choose what the public sees: results, league and calendar."""
        services.set_public_parts(club=self.club, **validated)
        return self.club


@extend_schema_view(
    list=extend_schema(
        description="List the club’s house rules, newest first, retired ones included."
    ),
    retrieve=extend_schema(
        description="Get house rules with their declaration, which new ones can start from."
    ),
)
class HouseRulesViewSet(ClubReadOnlyViewSet):
    access = MANAGE_LEAGUE
    queryset = HouseRules.objects.none()
    serializer_class = HouseRulesWithDeclarationSerializer
    list_serializer_class = HouseRulesSerializer
    lookup_url_kwarg = "rules"

    def get_queryset(self) -> Any:
        """The club's house rules, each with how many games were played under it."""
        return house_rules_of(self.club)

    def get_object(self) -> HouseRow:
        """The house rules of the address; raises ``Http404``."""
        for row in house_rules_of(self.club):
            if row.pk == self.kwargs["rules"]:
                return row
        raise Http404


class JobFilter(FilterSet):
    state = OneOfFilter("state", JobState.values)
    since = SinceFilter("made_at")


@extend_schema_view(
    list=extend_schema(
        description="List the background jobs, newest first: long printouts, messages, club files."
    ),
    retrieve=extend_schema(
        description="Get the progress of a job. Ask every second or two until it is done or failed."
    ),
)
class JobViewSet(ClubReadOnlyViewSet):
    access = MAKE_PACK
    queryset = Job.objects.none()
    serializer_class = JobSerializer
    filterset_class = JobFilter
    lookup_url_kwarg = "job"
    lookup_value_converter = "uuid"

    def get_queryset(self) -> QuerySet[Job]:
        return self.club.jobs.order_by("-made_at", "-pk")


class JobResultPaper(PaperAPIView):
    access = MAKE_PACK

    @pdf_endpoint(in_formats=False)
    def get(self, _form: Format) -> tuple[bytes, str]:
        """Download the job's PDF, or only ``?pages=3,7-9``. It is 404 until it is ready."""
        job = get_object_or_404(self.club.jobs.exclude(kind=CLUB_FILE), pk=self.kwargs["job"])
        if not job.result:
            raise Http404
        with job.result.open("rb") as file:
            return file.read(), f"{self.club.slug}-{slugify(job.kind)}"


router = Router()
router.register(f"{CLUB_PATH}house-rules", HouseRulesViewSet, "api-house")
router.register(f"{CLUB_PATH}jobs", JobViewSet, "api-job")

urlpatterns = [
    *router.urls,
    path(f"{CLUB_PATH}settings/", SettingsView.as_view(), name="api-settings"),
    path(f"{CLUB_PATH}settings/name/", ClubNameView.as_view(), name="api-club-name"),
    path(f"{CLUB_PATH}settings/public/", PublicView.as_view(), name="api-club-public"),
    path(f"{CLUB_PATH}jobs/<uuid:job>/result.pdf", JobResultPaper.as_view(), name="api-job-result"),
]
