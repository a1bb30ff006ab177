"""Rulings, and the published scale of penalties."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tournaments.results.selectors.prizes import RulingRow


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


class StandingShape(serializers.Serializer[object]):
    """One entrant's place."""

    place = serializers.IntegerField()
    is_tied = serializers.BooleanField()
    entrant_id = serializers.IntegerField()
    name = serializers.CharField()
    from_club = serializers.CharField()
    team = serializers.CharField()
    rounds = serializers.IntegerField()
    sat_out = serializers.IntegerField(help_text="closed rounds that they sat out")
    table_points = serializers.CharField(help_text="an exact fraction, such as 7/3")
    total = serializers.IntegerField()
    mahjongs = serializers.IntegerField(help_text="won at the tables")
    mahjongs_credited = serializers.CharField(
        help_text="extra table points for rounds sat out: an exact fraction"
    )
    best_hand = serializers.IntegerField()
    decided_by = serializers.CharField(allow_null=True)


class PlacedShape(StandingShape):
    """One entrant's place, and in words the tie-break with the one above."""

    parted_by = serializers.CharField(
        help_text="the tie-break with the one above, if the first measure is equal"
    )

    def to_representation(self, line: Any) -> dict[str, Any]:
        """The standing of the line's row, and what parts it."""
        return {**StandingShape(line.row).data, "parted_by": line.parted_by}


class TeamShape(serializers.Serializer[object]):
    """One team's place."""

    place = serializers.IntegerField(source="row.place")
    is_tied = serializers.BooleanField(source="row.is_tied")
    name = serializers.CharField(source="row.name")
    members = serializers.ListField(source="row.members", child=serializers.CharField())
    table_points = serializers.CharField(source="row.table_points")
    total = serializers.IntegerField(source="row.total")
    mahjongs = serializers.IntegerField(source="row.mahjongs", help_text="won at the tables")
    mahjongs_credited = serializers.CharField(source="row.mahjongs_credited")
    best_hand = serializers.IntegerField(source="row.best_hand")
    parted_by = serializers.CharField()


class BoardShape(serializers.Serializer[object]):
    """The standings as they are shown."""

    columns = serializers.ListField(child=serializers.CharField(), help_text="what is shown")
    rule = serializers.CharField(help_text="how it is ranked")
    sitting_out = serializers.CharField(help_text="what a round sat out counts for, or empty")
    standing = serializers.CharField(help_text="how final it is")
    is_final = serializers.BooleanField()
    through = serializers.IntegerField(
        allow_null=True, help_text="the last round that counts, if later ones are not included"
    )
    after = serializers.ListField(
        child=serializers.IntegerField(), help_text="rounds you can ask for in through"
    )
    lines = PlacedShape(many=True)
    teams = TeamShape(many=True)


class MadeHandShape(serializers.Serializer[object]):
    """A hand that someone made."""

    name = serializers.CharField()
    round = serializers.IntegerField()
    table = serializers.IntegerField()
    number = serializers.IntegerField()
    score = serializers.IntegerField()
    special = serializers.CharField(help_text="name of a special hand, or empty")
    tiles = serializers.ListField(
        child=serializers.ListField(child=serializers.CharField()),
        help_text="the sets as scored; empty if only the total was entered",
    )


class RecordsShape(serializers.Serializer[object]):
    """The records of the rounds that count."""

    highest = MadeHandShape(many=True)
    mahjongs = serializers.IntegerField(help_text="the highest figure")
    most_mahjongs = serializers.ListField(child=serializers.CharField(), help_text="who has them")
    special = MadeHandShape(many=True)


class WonShape(serializers.Serializer[object]):
    """A prize and its winners."""

    title = serializers.CharField()
    gift = serializers.CharField()
    names = serializers.ListField(child=serializers.CharField())
    figure = serializers.CharField()
    said = serializers.CharField()


class HonourShape(serializers.Serializer[object]):
    """A step of the podium."""

    place = serializers.IntegerField()
    title = serializers.CharField()
    names = serializers.ListField(child=serializers.CharField())
    figure = serializers.CharField()
    gifts = serializers.ListField(child=serializers.CharField())


class ResultsShape(serializers.Serializer[object]):
    """All the results of a tournament; prizes and podium once it is final."""

    board = BoardShape()
    podium = HonourShape(many=True)
    prizes = WonShape(many=True)
    records = RecordsShape()
    rulings = RulingShape(many=True)
