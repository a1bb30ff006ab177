"""Rulings, and the published scale of penalties."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tournaments.selectors.rulings import RulingRow


class GainShape(serializers.Serializer[object]):
    """What a ruling gives or takes."""

    name = serializers.CharField()
    points = serializers.IntegerField()


class RulingShape(serializers.Serializer[RulingRow]):
    """A ruling: where, whose mistake, the points, the reason, and whether it still counts."""

    id = serializers.IntegerField(source="pk")
    round = serializers.IntegerField()
    table = serializers.IntegerField()
    name = serializers.CharField()
    what = serializers.CharField()
    gains = serializers.SerializerMethodField(help_text="empty for a warning")
    reason = serializers.CharField()
    ruled_at = serializers.DateTimeField()
    is_taken_back = serializers.BooleanField()
    takes_back = serializers.BooleanField(help_text="whether it cancels another ruling")

    @extend_schema_field(GainShape(many=True))
    def get_gains(self, row: RulingRow) -> list[dict[str, Any]]:
        """Who gained how much; negative for points given."""
        return [{"name": name, "points": points} for name, points in row.gains]


class PenaltyShape(serializers.Serializer[object]):
    """A penalty from the published scale."""

    key = serializers.CharField(help_text="send it as what")
    name = serializers.CharField()
    costs = serializers.CharField()


class RulingsShape(serializers.Serializer[object]):
    """Every ruling at a table, and the penalties available."""

    rulings = RulingShape(many=True)
    scale = PenaltyShape(many=True)
    may_rule = serializers.BooleanField(help_text="until the tournament is finished")
