"""The club's settings, house rules and jobs over the API."""

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import path
from django.utils.text import slugify
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from clubs.accounts.services import clubs_of
from clubs.api.base import (
    ClubAPIView,
    ClubListAPIView,
    ClubTableAPIView,
    OpenAPIView,
    OwnListAPIView,
    TablesAPIView,
    WholePages,
    lists,
    reads,
    tables,
)
from clubs.api.callers import clubs_opened_by
from clubs.api.commands import ChangeAPIView, changes
from clubs.api.fields import FlagField, OneOfField, TextField, named, one_of, since
from clubs.api.papers import PaperAPIView, prints
from clubs.api.rows import serializer_of
from clubs.core.permissions import MAKE_PACK, MANAGE_CLUB, MANAGE_LEAGUE, SEE_HOME
from clubs.core.queue import CLUB_FILE
from clubs.house import services
from clubs.house.forms.club import SWITCHES, ClubNameForm, PublicForm, initial_name
from clubs.league import services as league_services
from clubs.league.serializers import JobSerializer
from clubs.models import Club, Job, JobState, MarkColour
from clubs.paper.formats import Format
from clubs.table.forms.rules import HELD, ClubRulesForm
from clubs.table.selectors import rules as selectors_rules
from clubs.table.selectors.rules import HouseRow, house_rules_of, rules_offered
from scoring import RuleSet, rule_set_keys
from scoring.scorebook.editions import declaration_of, rule_set
from scoring.scorebook.models import AgreementPolicy, Recording
from scoring.scorebook.reports import asks_who_discarded

DECLARED = (
    "house rules: base and name; of limit, limits, choices, points, more_points, doubles, "
    "more_doubles, without, values, fishing, specials, chows, one_suit, minimum, minimum_with_two, "
    "losers_score, payments and passing what differs from the rule book. The page "
    "docs/rules/house-rules.md explains each."
)


@extend_schema_field({"type": "object", "additionalProperties": {}, "description": DECLARED})
class DeclarationField(serializers.JSONField):
    """House rules as data; the engine judges them."""

    default_error_messages = {"not_an_object": "These are not house rules."}

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if not isinstance(data, dict):
            self.fail("not_an_object")
        return data


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
    record_by = named(Recording.choices)(help_text="how hands are entered")
    agreement = named(AgreementPolicy.choices)(help_text="who must agree that a hand is right")
    rates = serializers.BooleanField(help_text="whether members are rated")
    offered = RulesOnOfferSerializer(many=True)


HOUSE = "id=pk key name version book summary made_at made_by games is_offered is_played"

HouseRulesSerializer = serializer_of("HouseRulesSerializer", HouseRow, HOUSE)


HouseRulesWithDeclarationSerializer = serializer_of(
    "HouseRulesWithDeclarationSerializer",
    HouseRow,
    f"{HOUSE} rules",
    "A club’s house rules, with their declaration.",
    rules=DeclarationField(help_text=DECLARED),
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


class ClubsView(OwnListAPIView):
    pagination_class = WholePages

    @tables(ClubSerializer)
    def get(self) -> list[Club]:
        """List your clubs, by name."""
        return clubs_opened_by(self.request.auth, clubs_of(self.me))


class RuleSetsView(TablesAPIView, OpenAPIView):
    sheet = "Rules"

    @tables(RuleSetSerializer)
    def get(self) -> list[RuleSet]:
        """List the newest edition of each rule set."""
        return [rule_set(key) for key in rule_set_keys()]


class HouseRulesView(ClubTableAPIView):
    access = SEE_HOME
    sheet = "Rules"

    @tables(RuleSetSerializer)
    def get(self) -> tuple[RuleSet, ...]:
        """List the house rules that a club can play, newest first."""
        return selectors_rules.editions_of(self.club)


class SettingsView(ChangeAPIView):
    access = MANAGE_LEAGUE

    @reads(ClubSettingsSerializer)
    def get(self) -> dict[str, Any]:
        """Get the club's rules, how hands are entered, who agrees, and the choices."""
        return self.current_settings()

    def current(self) -> Mapping[str, Any]:
        return {name: getattr(self.club, name) for name in HELD}

    def form_kwargs(self) -> dict[str, Any]:
        return {"club": self.club}

    @changes(ClubRulesForm, answers=ClubSettingsSerializer, serializer_class=SettingsIn)
    def patch(self, validated: dict[str, Any]) -> dict[str, Any]:
        """Change the club's settings. A season already started keeps its own rules."""
        league_services.change_rules(club=self.club, **validated)
        self.club.refresh_from_db()
        return self.current_settings()

    def current_settings(self) -> dict[str, Any]:
        """The current settings, and the available rules."""
        offered = rules_offered(self.club, current=self.club.rules)
        return {**self.current(), "offered": [{"key": key, "name": name} for key, name in offered]}


class ClubNameView(ChangeAPIView):
    access = MANAGE_CLUB

    @reads(ClubNameSerializer)
    def get(self) -> Club:
        """Get the club's name, and the colour of its mark."""
        return self.club

    def current(self) -> Mapping[str, Any]:
        return initial_name(self.club)

    @changes(ClubNameForm, answers=ClubNameSerializer)
    def patch(self, validated: dict[str, Any]) -> Club:
        """Rename the club or recolour its mark. Its slug and every address stay as they are."""
        return services.change_club(club=self.club, **validated)


class PublicView(ChangeAPIView):
    access = MANAGE_CLUB

    @reads(PublicSerializer)
    def get(self) -> Club:
        """Get what the public sees without signing in."""
        return self.club

    def current(self) -> Mapping[str, Any]:
        return {name: getattr(self.club, name) for name in SWITCHES}

    @changes(PublicForm, answers=PublicSerializer)
    def patch(self, validated: dict[str, Any]) -> Club:
        """Choose what the public sees: results, league and calendar."""
        services.publish(club=self.club, **validated)
        return self.club


class HouseRulesListView(ClubListAPIView):
    access = MANAGE_LEAGUE
    sheet = "House rules"

    @lists(HouseRulesSerializer)
    def get(self) -> tuple[HouseRow, ...]:
        """List the club's house rules, newest first, retired ones included."""
        return house_rules_of(self.club)


class KeptHouseRulesView(ClubAPIView):
    access = MANAGE_LEAGUE

    @reads(HouseRulesWithDeclarationSerializer)
    def get(self) -> dict[str, Any]:
        """Get house rules with their declaration, which new ones can start from."""
        kept = get_object_or_404(
            self.club.house_rules.select_related("edition"), pk=self.kwargs["rules"]
        )
        row = row_of(self.club, kept.pk)
        fields = {name: getattr(row, name) for name in HouseRow.__slots__}
        return {**fields, "rules": declaration_of(kept.edition.key).as_data()}


def row_of(club: Club, key: int) -> HouseRow:
    """The club's house rules of that number, as listed."""
    return next(row for row in house_rules_of(club) if row.pk == key)


CLUB = "clubs/<slug:club>/"
OWN = f"{CLUB}house-rules/"


class JobsView(ClubListAPIView):
    access = MAKE_PACK
    filters = (one_of("state", JobState.values), since("made_at"))

    @lists(JobSerializer)
    def get(self) -> QuerySet[Job]:
        """List the background jobs, newest first: long printouts, messages, club files."""
        return self.club.jobs.order_by("-made_at", "-pk")


class JobView(ClubAPIView):
    access = MAKE_PACK

    @reads(JobSerializer)
    def get(self) -> Job:
        """Get the progress of a job. Ask every second or two until it is done or failed."""
        return get_object_or_404(self.club.jobs, pk=self.kwargs["job"])


class JobResultPaper(PaperAPIView):
    access = MAKE_PACK

    @prints(in_formats=False)
    def get(self, _form: Format) -> tuple[bytes, str]:
        """Download the job's PDF, or only ``?pages=3,7-9``. It is 404 until it is ready."""
        job = get_object_or_404(self.club.jobs.exclude(kind=CLUB_FILE), pk=self.kwargs["job"])
        if not job.result:
            raise Http404
        with job.result.open("rb") as file:
            return file.read(), f"{self.club.slug}-{slugify(job.kind)}"


JOB = "clubs/<slug:club>/jobs/"


urlpatterns = [
    path(f"{CLUB}settings/", SettingsView.as_view(), name="api-settings"),
    path(f"{CLUB}settings/name/", ClubNameView.as_view(), name="api-club-name"),
    path(f"{CLUB}settings/public/", PublicView.as_view(), name="api-club-public"),
    path(OWN, HouseRulesListView.as_view(), name="api-house-list"),
    path(f"{OWN}<int:rules>/", KeptHouseRulesView.as_view(), name="api-house"),
    path(JOB, JobsView.as_view(), name="api-jobs"),
    path(f"{JOB}<uuid:job>/", JobView.as_view(), name="api-job"),
    path(f"{JOB}<uuid:job>/result.pdf", JobResultPaper.as_view(), name="api-job-result"),
]
