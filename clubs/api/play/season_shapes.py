"""The shapes of what a season answers: its rules, who is where and why, what is given in it."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from clubs.forms.leagues_rules import LeagueRulesForm, asked_of
from clubs.league import ReadyMade
from clubs.models import Season
from clubs.selectors.leagues_rules import VersionRow


class SeasonHeldShape(serializers.ModelSerializer[Season]):
    """A season as whoever changes it sees it."""

    id = serializers.IntegerField(source="pk")
    league = serializers.CharField(source="league.name")
    rules = serializers.CharField(
        allow_blank=True, help_text="the key of its rule set; empty: as the club plays"
    )

    class Meta:
        model = Season
        fields = ["id", "name", "league", "starts_on", "ends_on", "rules"]


class WhyLineShape(serializers.Serializer[object]):
    """One evening of a player’s season."""

    evening = serializers.IntegerField(source="session_id")
    day = serializers.DateField()
    points = serializers.CharField(allow_blank=True, help_text="as they are said")
    brings = serializers.CharField(allow_blank=True, help_text="what it brings for the league")
    words = serializers.CharField()
    counts = serializers.BooleanField()


class SeasonWhyShape(serializers.Serializer[object]):
    """Why a player stands where they stand, and what they need next."""

    name = serializers.CharField()
    standing = serializers.CharField()
    sentence = serializers.CharField()
    rules = serializers.ListField(child=serializers.CharField())
    lines = WhyLineShape(many=True)
    next_on = serializers.DateField(allow_null=True)
    needs = serializers.ListField(child=serializers.CharField())


class VersionShape(serializers.Serializer[VersionRow]):
    """One version of how a season ranks."""

    number = serializers.IntegerField()
    rule = serializers.CharField(help_text="in one sentence")
    sentences = serializers.ListField(child=serializers.CharField(), help_text="rule by rule")
    made_at = serializers.DateTimeField()
    made_by = serializers.CharField(allow_blank=True)
    adopted_at = serializers.DateTimeField(allow_null=True)
    holds = serializers.BooleanField()
    asked = serializers.SerializerMethodField(help_text="as it is sent to be tried")

    @extend_schema_field(OpenApiTypes.OBJECT)
    def get_asked(self, version: VersionRow) -> dict[str, Any]:
        """What a form would send for these rules."""
        return _sent(asked_of(version.rules))


class ReadyMadeShape(serializers.Serializer[ReadyMade]):
    """A league to begin with."""

    key = serializers.CharField()
    name = serializers.CharField()
    note = serializers.CharField()
    asked = serializers.SerializerMethodField(help_text="as it is sent to be tried")

    @extend_schema_field(OpenApiTypes.OBJECT)
    def get_asked(self, ready: ReadyMade) -> dict[str, Any]:
        """What a form would send for these rules."""
        return _sent(asked_of(ready.rules))


class SeasonRulesShape(serializers.Serializer[object]):
    """How a season ranks: every version of it, and leagues to begin with."""

    versions = VersionShape(many=True)
    ready_made = ReadyMadeShape(many=True)


class LeagueMoveShape(serializers.Serializer[object]):
    """Someone in the table as it is and as it would be."""

    player_id = serializers.IntegerField(source="after.key")
    name = serializers.CharField(source="after.name")
    before = serializers.CharField(source="before.place", help_text="the place, such as 3=")
    after = serializers.CharField(source="after.place")
    words = serializers.CharField()


class TrialShape(serializers.Serializer[object]):
    """A season as it ranks and as it would rank."""

    title = serializers.CharField()
    now = serializers.CharField()
    then = serializers.CharField()
    movers = serializers.IntegerField(help_text="how many would have another place")
    moves = LeagueMoveShape(many=True)


class HandicapShape(serializers.Serializer[object]):
    """Points that someone is given each evening."""

    player_id = serializers.IntegerField()
    name = serializers.CharField()
    points = serializers.IntegerField()


class CreditShape(serializers.Serializer[object]):
    """An evening that someone missed for the club."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    held_on = serializers.DateField()
    reason = serializers.CharField(allow_blank=True)


class GivenShape(serializers.Serializer[object]):
    """What is given in a season."""

    handicaps = HandicapShape(many=True)
    credits = CreditShape(many=True)


def _sent(asked: dict[str, Any]) -> dict[str, Any]:
    """Without what is not asked for, so that it can be sent as it is."""
    fields = LeagueRulesForm.base_fields
    return {name: asked[name] for name in fields if asked.get(name, "") != ""}
