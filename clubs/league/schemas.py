"""The shapes of what the API answers: one serializer for each frozen row."""

from typing import Any

from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from clubs.league.forms import LeagueRulesForm, rules_initial
from clubs.league.selectors.seasons import VersionRow
from clubs.league_rules.rules import ReadyMade
from clubs.models import Job, Season


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
        return _sent(rules_initial(version.rules))


class ReadyMadeShape(serializers.Serializer[ReadyMade]):
    """A ready-made league to start from."""

    key = serializers.CharField()
    name = serializers.CharField()
    note = serializers.CharField()
    asked = serializers.SerializerMethodField(help_text="as sent for a trial")

    @extend_schema_field(OpenApiTypes.OBJECT)
    def get_asked(self, ready: ReadyMade) -> dict[str, Any]:
        """The values to send for these rules."""
        return _sent(rules_initial(ready.rules))


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


def _sent(values: dict[str, Any]) -> dict[str, Any]:
    """Without what is not asked for, so that it can be sent as it is."""
    fields = LeagueRulesForm.base_fields
    return {name: values[name] for name in fields if values.get(name, "") != ""}


Shape = serializers.Serializer[object]


class PlayedShape(Shape):
    """One evening of one player."""

    evening_id = serializers.IntegerField(source="session_id")
    season_id = serializers.IntegerField(allow_null=True)
    held_on = serializers.DateField()
    table = serializers.IntegerField()
    points = serializers.IntegerField()
    hands = serializers.IntegerField()
    mahjongs = serializers.IntegerField()
    best_hand = serializers.IntegerField()
    pays = serializers.BooleanField(help_text="whether players pay, so that points have a sign")


class FiguresShape(Shape):
    """Totals over some evenings."""

    evenings = serializers.IntegerField()
    hands = serializers.IntegerField()
    mahjongs = serializers.IntegerField()
    share = serializers.IntegerField(help_text="Mah-Jongs per 100 hands")
    total = serializers.IntegerField()
    an_evening = serializers.CharField(help_text="points per evening, to one decimal place")
    a_hand = serializers.CharField(help_text="points per hand, to one decimal place")
    best = PlayedShape(help_text="the evening with the most points")
    best_hand = serializers.IntegerField()
    pays = serializers.BooleanField()


class PlayerSeasonShape(Shape):
    """One season of a player."""

    season_id = serializers.IntegerField()
    title = serializers.CharField()
    figures = FiguresShape()
    place = serializers.CharField(allow_blank=True, help_text="in words; empty for a guest")
    of = serializers.IntegerField(help_text="how many players are ranked")
    has_place = serializers.BooleanField()


class ChartMarkShape(Shape):
    """A point of a chart: shares of its width and height, and what is said there."""

    x = serializers.CharField()
    y = serializers.CharField()
    words = serializers.CharField()


class ChartShape(Shape):
    """A chart line from evening to evening, on a picture of 1,000 by 1,000."""

    scale = ChartMarkShape(many=True, help_text="the lines across")
    zero = serializers.CharField(help_text="the height of the starting rating")
    curve = serializers.CharField(help_text="the points of the player’s line, as in SVG")
    middle = serializers.CharField(help_text="the points of the members’ median, as in SVG")
    dots = ChartMarkShape(many=True)
    end = ChartMarkShape()
    falls = serializers.BooleanField()
    days = ChartMarkShape(many=True)


class RunningRowShape(Shape):
    """An evening of the season: the total so far, and the members’ median."""

    evening_id = serializers.IntegerField(source="session_id")
    day = serializers.DateField()
    played = PlayedShape(allow_null=True, help_text="null: the player did not come")
    total = serializers.CharField(help_text="with its sign, if points have one")
    middle = serializers.CharField()


class RunningShape(Shape):
    """A season evening by evening."""

    rows = RunningRowShape(many=True, help_text="the newest first")
    chart = ChartShape(allow_null=True, help_text="null until there are two evenings")


class TileGroupField(serializers.ListField):
    """Codes of tiles that lie together."""

    child = serializers.CharField()


class SpecialHandShape(Shape):
    """A hand that someone made at a club evening."""

    player_id = serializers.IntegerField()
    name = serializers.CharField()
    evening_id = serializers.IntegerField(source="session_id")
    day = serializers.DateField()
    table = serializers.IntegerField()
    number = serializers.IntegerField()
    score = serializers.IntegerField()
    special = serializers.CharField(allow_blank=True, help_text="its name, if it has one")
    tiles = serializers.ListField(
        child=TileGroupField(), help_text="sets, then flowers and seasons; empty if not entered"
    )
    is_disputed = serializers.BooleanField()


class RatingShape(Shape):
    """A player’s rating: an estimate of playing strength."""

    points = serializers.IntegerField(source="now.points")
    give_or_take = serializers.IntegerField(source="now.give_or_take")
    evenings = serializers.IntegerField(help_text="how many hands it is based on")
    is_settled = serializers.BooleanField()
    change = serializers.IntegerField(help_text="the change at the last evening")
    words = serializers.CharField(help_text="how certain it is")


class PlayerRatingShape(Shape):
    """A player’s rating and its chart."""

    rating = RatingShape()
    chart = ChartShape(allow_null=True, help_text="null until it has settled")


class CareerShape(Shape):
    """What one person has played, season by season."""

    player_id = serializers.IntegerField(
        source="history.player_id", help_text="may differ from the id asked for, after a merge"
    )
    name = serializers.CharField(source="history.name", help_text="as you are allowed to see it")
    career = FiguresShape(allow_null=True, help_text="null before the first hand")
    seasons = PlayerSeasonShape(many=True, help_text="the newest first")
    running = RunningShape(allow_null=True, help_text="the season played in last")
    best = SpecialHandShape(allow_null=True, help_text="the hand with the highest score")
    rating = PlayerRatingShape(allow_null=True, help_text="null if the club has turned ratings off")


class MetShape(Shape):
    """An opponent, and what each player gained in the hands both played."""

    player_id = serializers.IntegerField()
    name = serializers.CharField()
    evenings = serializers.IntegerField()
    hands = serializers.IntegerField()
    own = serializers.IntegerField()
    theirs = serializers.IntegerField()
    ahead = serializers.IntegerField(help_text="by how much the player did better")


class CompanyShape(Shape):
    """A player’s opponents, and members not yet met."""

    met = MetShape(many=True, help_text="the most often met first")
    not_met = serializers.ListField(child=serializers.CharField())
    least_met = serializers.ListField(child=serializers.CharField())


class RatedShape(Shape):
    """A row of the ratings. Newcomers have no place until their rating settles."""

    place = serializers.IntegerField(allow_null=True)
    is_tied = serializers.BooleanField()
    player_id = serializers.IntegerField()
    name = serializers.CharField()
    points = serializers.IntegerField(source="rating.now.points")
    give_or_take = serializers.IntegerField(source="rating.now.give_or_take")
    evenings = serializers.IntegerField(source="rating.evenings")
    is_settled = serializers.BooleanField(source="rating.is_settled")
    change = serializers.IntegerField(source="rating.change")
    words = serializers.CharField(source="rating.words")


class HandCountShape(Shape):
    """A hand of the rules, and how often it was made."""

    title = serializers.CharField()
    times = serializers.IntegerField()
    names = serializers.ListField(child=serializers.CharField())
    last_on = serializers.DateField()


class SpecialBookShape(Shape):
    """The special hands that have been made, and those still to be made."""

    rules = serializers.CharField()
    made = HandCountShape(many=True, help_text="the most often made first")
    waiting = serializers.ListField(
        child=serializers.CharField(), help_text="not made by anyone yet"
    )


class EveningGlanceShape(Shape):
    """An evening at a glance, with who did best."""

    id = serializers.IntegerField(source="pk")
    held_on = serializers.DateField()
    state = serializers.CharField()
    players = serializers.IntegerField()
    tables = serializers.IntegerField()
    best = serializers.ListField(child=serializers.CharField())
    points = serializers.IntegerField()


class FrontShape(Shape):
    """A club at a glance: the current evening, the last result and the leaders."""

    slug = serializers.CharField()
    name = serializers.CharField()
    rules = serializers.CharField()
    members = serializers.IntegerField()
    evening = EveningGlanceShape(allow_null=True, help_text="the one that is open")
    last = EveningGlanceShape(allow_null=True, help_text="the last that was finished")
    season_id = serializers.IntegerField(source="season.pk", default=None, allow_null=True)
    heading = serializers.CharField(allow_blank=True, help_text="what the season is ranked by")
    leaders = LeagueRowShape(many=True)


class JobShape(serializers.Serializer[Job]):
    """A background job: a season pack, a season book or a batch of messages."""

    id = serializers.UUIDField(source="pk")
    kind = serializers.CharField()
    state = serializers.CharField(help_text="waiting, running, done or failed")
    done = serializers.IntegerField()
    total = serializers.IntegerField()
    message = serializers.CharField(
        allow_blank=True, help_text="what went wrong, if the job failed"
    )
    made_at = serializers.DateTimeField()
    result = serializers.SerializerMethodField(help_text="the path of the PDF, once it is ready")

    def get_result(self, job: Job) -> str | None:
        """The address of the printout, if the job made one."""
        return reverse("api-job-result", args=[job.club.slug, job.pk]) if job.result else None
