"""The shapes of what a club’s people have played: seasons, company, special hands, ratings."""

from django.urls import reverse
from rest_framework import serializers

from clubs.api.shapes import LeagueRowShape
from clubs.models import Job

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
    """What some evenings come to."""

    evenings = serializers.IntegerField()
    hands = serializers.IntegerField()
    mahjongs = serializers.IntegerField()
    share = serializers.IntegerField(help_text="of a hundred hands, how many were Mah-Jong")
    total = serializers.IntegerField()
    an_evening = serializers.CharField(help_text="points an evening, to a tenth")
    a_hand = serializers.CharField(help_text="points a hand, to a tenth")
    best = PlayedShape(help_text="the evening with the most points")
    best_hand = serializers.IntegerField()
    pays = serializers.BooleanField()


class PlayerSeasonShape(Shape):
    """One season of a player."""

    season_id = serializers.IntegerField()
    title = serializers.CharField()
    figures = FiguresShape()
    place = serializers.CharField(allow_blank=True, help_text="in words; empty for a guest")
    of = serializers.IntegerField(help_text="how many have a place")
    has_place = serializers.BooleanField()


class ChartMarkShape(Shape):
    """A point of a chart: shares of its width and height, and what is said there."""

    x = serializers.CharField()
    y = serializers.CharField()
    words = serializers.CharField()


class ChartShape(Shape):
    """A line from evening to evening on a picture of 1,000 by 1,000."""

    scale = ChartMarkShape(many=True, help_text="the lines across")
    zero = serializers.CharField(help_text="the height at which everyone begins")
    curve = serializers.CharField(help_text="the corners of the player’s line, as in SVG")
    middle = serializers.CharField(help_text="the corners of the middle of the members")
    dots = ChartMarkShape(many=True)
    end = ChartMarkShape()
    falls = serializers.BooleanField()
    days = ChartMarkShape(many=True)


class RunningRowShape(Shape):
    """An evening of the season: all so far, and the middle of the members’."""

    evening_id = serializers.IntegerField(source="session_id")
    day = serializers.DateField()
    played = PlayedShape(allow_null=True, help_text="null: the player was not there")
    total = serializers.CharField(help_text="with its sign, where points have one")
    middle = serializers.CharField()


class RunningShape(Shape):
    """A season evening by evening."""

    rows = RunningRowShape(many=True, help_text="the newest first")
    chart = ChartShape(allow_null=True, help_text="null before there are two evenings")


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
    special = serializers.CharField(allow_blank=True, help_text="its name; empty: it has none")
    tiles = serializers.ListField(
        child=TileGroupField(), help_text="sets, then flowers and seasons; none where not told"
    )
    is_disputed = serializers.BooleanField()


class RatingShape(Shape):
    """How well someone plays, as far as it can be guessed."""

    points = serializers.IntegerField(source="now.points")
    give_or_take = serializers.IntegerField(source="now.give_or_take")
    evenings = serializers.IntegerField(help_text="on how many it rests")
    is_settled = serializers.BooleanField()
    change = serializers.IntegerField(help_text="what the last evening changed")
    words = serializers.CharField(help_text="how sure it is")


class PlayerRatingShape(Shape):
    """A player’s rating and its chart."""

    rating = RatingShape()
    chart = ChartShape(allow_null=True, help_text="null before it has settled")


class CareerShape(Shape):
    """What one person has played, season by season."""

    player_id = serializers.IntegerField(
        source="history.player_id", help_text="another than asked for where records were made one"
    )
    name = serializers.CharField(source="history.name", help_text="as you may read it")
    career = FiguresShape(allow_null=True, help_text="null before the first hand")
    seasons = PlayerSeasonShape(many=True, help_text="the newest first")
    running = RunningShape(allow_null=True, help_text="the season played in last")
    best = SpecialHandShape(allow_null=True, help_text="the hand with the highest score")
    rating = PlayerRatingShape(allow_null=True, help_text="null where the club wants none")


class MetShape(Shape):
    """Someone a player has sat with, and what each gained in the hands that both played."""

    player_id = serializers.IntegerField()
    name = serializers.CharField()
    evenings = serializers.IntegerField()
    hands = serializers.IntegerField()
    own = serializers.IntegerField()
    theirs = serializers.IntegerField()
    ahead = serializers.IntegerField(help_text="by how much the player did better")


class CompanyShape(Shape):
    """Whom a player has sat with, and whom not yet."""

    met = MetShape(many=True, help_text="the most often met first")
    not_met = serializers.ListField(child=serializers.CharField())
    least_met = serializers.ListField(child=serializers.CharField())


class RatedShape(Shape):
    """A line of the ratings; newcomers, whose rating is still settling, have no place."""

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
    """Which special hands were made, and which nobody has made yet."""

    rules = serializers.CharField()
    made = HandCountShape(many=True, help_text="the most often made first")
    waiting = serializers.ListField(child=serializers.CharField(), help_text="nobody has made them")


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
    """A club at a glance: the evening that is on, the last result, who leads."""

    slug = serializers.CharField()
    name = serializers.CharField()
    rules = serializers.CharField()
    members = serializers.IntegerField()
    evening = EveningGlanceShape(allow_null=True, help_text="the one that is open")
    last = EveningGlanceShape(allow_null=True, help_text="the last that was finished")
    season_id = serializers.IntegerField(source="season.pk", default=None, allow_null=True)
    heading = serializers.CharField(allow_blank=True, help_text="what the season ranks by")
    leaders = LeagueRowShape(many=True)


class JobShape(serializers.Serializer[Job]):
    """Work that takes a while: a pack, a book, a batch of messages."""

    id = serializers.UUIDField(source="pk")
    kind = serializers.CharField()
    state = serializers.CharField(help_text="waiting, running, done or failed")
    done = serializers.IntegerField()
    total = serializers.IntegerField()
    message = serializers.CharField(allow_blank=True, help_text="what went wrong, if it failed")
    made_at = serializers.DateTimeField()
    result = serializers.SerializerMethodField(help_text="the path of the PDF, once there is one")

    def get_result(self, job: Job) -> str | None:
        """Where the paper is that the work made."""
        return reverse("api-job-result", args=[job.club.slug, job.pk]) if job.result else None
