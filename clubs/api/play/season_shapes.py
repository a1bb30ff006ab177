"""The shapes of what a season answers: its rules, who is where and why, what is given in it."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from clubs.forms.leagues_rules import LeagueRulesForm, asked_of
from clubs.league_rules import ReadyMade
from clubs.models import Season
from clubs.selectors.leagues_rules import VersionRow


class SeasonHeldShape(serializers.ModelSerializer[Season]):
    """A season with the fields that can be changed."""

    id = serializers.IntegerField(source="pk")
    league = serializers.CharField(source="league.name")
    rules = serializers.CharField(
        allow_blank=True, help_text="the key of its rule set; empty: the club’s usual rules"
    )

    class Meta:
        model = Season
        fields = ["id", "name", "league", "starts_on", "ends_on", "rules"]


class WhyLineShape(serializers.Serializer[object]):
    """One evening of a player’s season."""

    evening = serializers.IntegerField(source="session_id")
    day = serializers.DateField()
    points = serializers.CharField(allow_blank=True, help_text="in words")
    brings = serializers.CharField(allow_blank=True, help_text="league points")
    words = serializers.CharField()
    counts = serializers.BooleanField()


class SeasonWhyShape(serializers.Serializer[object]):
    """Why a player is ranked where they are, and what they need next."""

    name = serializers.CharField()
    standing = serializers.CharField()
    sentence = serializers.CharField()
    rules = serializers.ListField(child=serializers.CharField())
    lines = WhyLineShape(many=True)
    next_on = serializers.DateField(allow_null=True)
    needs = serializers.ListField(child=serializers.CharField())


class VersionShape(serializers.Serializer[VersionRow]):
    """One version of a season's ranking rules."""

    number = serializers.IntegerField()
    rule = serializers.CharField(help_text="in one sentence")
    sentences = serializers.ListField(child=serializers.CharField(), help_text="rule by rule")
    made_at = serializers.DateTimeField()
    made_by = serializers.CharField(allow_blank=True)
    adopted_at = serializers.DateTimeField(allow_null=True)
    holds = serializers.BooleanField()
    asked = serializers.SerializerMethodField(help_text="as sent for a trial")

    @extend_schema_field(OpenApiTypes.OBJECT)
    def get_asked(self, version: VersionRow) -> dict[str, Any]:
        """The values to send for these rules."""
        return _sent(asked_of(version.rules))


class ReadyMadeShape(serializers.Serializer[ReadyMade]):
    """A ready-made league to start from."""

    key = serializers.CharField()
    name = serializers.CharField()
    note = serializers.CharField()
    asked = serializers.SerializerMethodField(help_text="as sent for a trial")

    @extend_schema_field(OpenApiTypes.OBJECT)
    def get_asked(self, ready: ReadyMade) -> dict[str, Any]:
        """The values to send for these rules."""
        return _sent(asked_of(ready.rules))


class SeasonRulesShape(serializers.Serializer[object]):
    """A season's ranking rules: every version, and leagues to start from."""

    versions = VersionShape(many=True)
    ready_made = ReadyMadeShape(many=True)


class LeagueMoveShape(serializers.Serializer[object]):
    """A player's place now and under the draft."""

    player_id = serializers.IntegerField(source="after.key")
    name = serializers.CharField(source="after.name")
    before = serializers.CharField(source="before.place", help_text="the place, such as 3=")
    after = serializers.CharField(source="after.place")
    words = serializers.CharField()


class TrialShape(serializers.Serializer[object]):
    """A season's ranking now and under the draft."""

    title = serializers.CharField()
    now = serializers.CharField()
    then = serializers.CharField()
    movers = serializers.IntegerField(help_text="how many players would change place")
    moves = LeagueMoveShape(many=True)


class HandicapShape(serializers.Serializer[object]):
    """A player's handicap: points given each evening."""

    player_id = serializers.IntegerField()
    name = serializers.CharField()
    points = serializers.IntegerField()


class CreditShape(serializers.Serializer[object]):
    """A club-duty credit: an evening missed while working for the club."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    held_on = serializers.DateField()
    reason = serializers.CharField(allow_blank=True)


class GivenShape(serializers.Serializer[object]):
    """Handicaps and club-duty credits in a season."""

    handicaps = HandicapShape(many=True)
    credits = CreditShape(many=True)


def _sent(asked: dict[str, Any]) -> dict[str, Any]:
    """Without what is not asked for, so that it can be sent as it is."""
    fields = LeagueRulesForm.base_fields
    return {name: asked[name] for name in fields if asked.get(name, "") != ""}
