"""The shapes of what the API answers: one serializer for each frozen row."""

from rest_framework import serializers

from clubs.models import Club
from scoring import RuleSet
from scoring.scorebook.reports import asks_who_discarded


class ProblemShape(serializers.Serializer[object]):
    """One problem."""

    code = serializers.CharField()
    where = serializers.CharField(help_text="path of the field, such as scores.3; may be empty")
    message = serializers.CharField(help_text="one English sentence")


class ProblemsShape(serializers.Serializer[object]):
    """Every problem with the request."""

    problems = ProblemShape(many=True)
    request_id = serializers.CharField(
        help_text="identifies the request in the log; also sent as X-Request-ID"
    )


class ClubShape(serializers.ModelSerializer[Club]):
    """A club."""

    class Meta:
        model = Club
        fields = ["slug", "name", "rules", "shows_results", "shows_league", "shows_calendar"]


class PlayerShape(serializers.Serializer[object]):
    """One row of the member list, without email addresses."""

    player_id = serializers.IntegerField()
    name = serializers.CharField()
    kind = serializers.CharField()
    is_active = serializers.BooleanField()
    evenings = serializers.IntegerField()
    last_seen = serializers.DateField(allow_null=True)


class EveningShape(serializers.Serializer[object]):
    """An evening at a glance."""

    id = serializers.IntegerField(source="pk")
    held_on = serializers.DateField()
    state = serializers.CharField()
    version = serializers.IntegerField()


class PlaceShape(serializers.Serializer[object]):
    """A named seat with its points so far and its starting wind."""

    seat = serializers.IntegerField()
    wind = serializers.CharField(allow_blank=True)
    name = serializers.CharField()
    points = serializers.IntegerField(allow_null=True)


class TableSummaryShape(serializers.Serializer[object]):
    """One table at a glance."""

    number = serializers.IntegerField()
    places = PlaceShape(many=True)
    hands = serializers.IntegerField()
    disputed = serializers.ListField(child=serializers.IntegerField())


class ResultShape(serializers.Serializer[object]):
    """One player's evening."""

    place = serializers.IntegerField()
    is_tied = serializers.BooleanField()
    player_id = serializers.IntegerField()
    name = serializers.CharField()
    table = serializers.IntegerField()
    points = serializers.IntegerField()
    hands = serializers.IntegerField()
    mahjongs = serializers.IntegerField()
    best_hand = serializers.IntegerField()


class EveningWholeShape(EveningShape):
    """An evening with its tables and result."""

    shown = serializers.CharField(
        help_text="the state and the seats: send it back with any change to either"
    )
    tables = TableSummaryShape(many=True)
    result = ResultShape(many=True)


class SeasonShape(serializers.Serializer[object]):
    """A season."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    league = serializers.CharField()
    starts_on = serializers.DateField()
    ends_on = serializers.DateField()
    evenings = serializers.IntegerField()
    rule = serializers.CharField(help_text="the ranking rules, in a sentence")


class LeagueRowShape(serializers.Serializer[object]):
    """One player's season; place is null if not ranked yet."""

    place = serializers.IntegerField(allow_null=True)
    is_tied = serializers.BooleanField()
    player_id = serializers.IntegerField()
    name = serializers.CharField()
    attended = serializers.IntegerField()
    total = serializers.IntegerField()
    average = serializers.CharField(help_text="of an evening; an exact fraction, such as 245/2")
    best_total = serializers.IntegerField()
    mahjongs = serializers.IntegerField()
    best_hand = serializers.IntegerField()
    decided_by = serializers.CharField(allow_null=True)
    score = serializers.CharField(help_text="the ranking figure; an exact fraction, such as 35/2")


class LeagueTableShape(serializers.Serializer[object]):
    """A season's table and its ranking rules in a sentence."""

    title = serializers.CharField()
    rule = serializers.CharField()
    sentences = serializers.ListField(child=serializers.CharField(), help_text="rule by rule")
    evenings = serializers.ListField(child=serializers.DateField())
    rows = LeagueRowShape(many=True)


class RuleSetShape(serializers.Serializer[object]):
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
        """Whether the player who discarded the last tile pays alone."""
        return asks_who_discarded(rules)
