"""The shape of a hand that is tapped together: tiles, score, what is asked."""

from rest_framework import serializers

from clubs.selectors.building import Builder


class ChoiceShape(serializers.Serializer[object]):
    """An answer, and the tap that gives it."""

    tap = serializers.CharField()
    words = serializers.CharField(source="label")
    is_chosen = serializers.BooleanField()


class QuestionShape(serializers.Serializer[object]):
    """What is asked beside the tiles."""

    name = serializers.CharField()
    words = serializers.CharField(source="label")
    choices = ChoiceShape(many=True)


class GroupShape(serializers.Serializer[object]):
    """Some tiles of the hand, and the taps that turn or take them (empty: not offered)."""

    tiles = serializers.ListField(child=serializers.CharField())
    name = serializers.CharField()
    state = serializers.CharField(allow_blank=True)
    turn = serializers.CharField(allow_blank=True)
    take = serializers.CharField(allow_blank=True)
    split = serializers.CharField(allow_blank=True)
    joker = serializers.CharField(allow_blank=True)


class ScoreLineShape(serializers.Serializer[object]):
    """A line of the score."""

    name = serializers.CharField()
    tiles = serializers.ListField(child=serializers.CharField())
    worth = serializers.CharField(help_text="in words, such as 1 double, or points")


class BuilderShape(serializers.Serializer[Builder]):
    """A hand as it is tapped together."""

    rules = serializers.CharField(source="rules.key")
    hand = serializers.CharField(help_text="the hand as a link holds it; send it with more taps")
    was = serializers.CharField(allow_blank=True, help_text="the hands before it, to go back")
    state = serializers.CharField(help_text="one sentence: what is missing, or how it ended")
    refused = serializers.ListField(
        child=serializers.CharField(), help_text="a sentence for each tap that could do nothing"
    )
    said_mahjong = serializers.BooleanField(source="draft.won")
    is_whole = serializers.BooleanField(
        source="told.is_whole", help_text="whether nothing is lacking: the total is its score"
    )
    total = serializers.IntegerField(source="told.total", allow_null=True)
    basic = serializers.IntegerField(source="told.basic", allow_null=True)
    doubles = serializers.IntegerField(source="told.doubles", allow_null=True)
    is_limited = serializers.BooleanField(source="told.limited")
    lines = ScoreLineShape(many=True)
    lacking = serializers.ListField(source="told.lacking", child=serializers.CharField())
    notices = serializers.ListField(
        child=serializers.CharField(), help_text="what was told and cannot have happened"
    )
    near = serializers.ListField(
        source="told.near", child=serializers.CharField(), help_text="special hands it nearly is"
    )
    waits = serializers.ListField(
        source="told.waits", child=serializers.CharField(), help_text="tiles that it waits for"
    )
    groups = GroupShape(many=True)
    bonus = serializers.ListField(child=serializers.CharField())
    outcome = QuestionShape()
    ending = QuestionShape(many=True)
    table = QuestionShape(many=True)
