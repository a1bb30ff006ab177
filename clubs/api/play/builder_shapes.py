"""The shape of a hand built by tapping: tiles, score and open questions."""

from rest_framework import serializers

from clubs.selectors.building import Builder


class ChoiceShape(serializers.Serializer[object]):
    """An answer, and the tap that gives it."""

    tap = serializers.CharField()
    words = serializers.CharField(source="label")
    is_chosen = serializers.BooleanField()


class QuestionShape(serializers.Serializer[object]):
    """A question about the hand."""

    name = serializers.CharField()
    words = serializers.CharField(source="label")
    choices = ChoiceShape(many=True)


class GroupShape(serializers.Serializer[object]):
    """Some tiles of the hand, and the taps that turn or remove them (empty: not available)."""

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
    worth = serializers.CharField(help_text="in words, for example 1 double or points")


class BuilderShape(serializers.Serializer[Builder]):
    """A hand while it is being tapped."""

    rules = serializers.CharField(source="rules.key")
    hand = serializers.CharField(help_text="the hand as text; send it back with more taps")
    was = serializers.CharField(
        allow_blank=True, help_text="earlier versions of the hand, for undoing"
    )
    state = serializers.CharField(help_text="one sentence: what is missing, or how the hand ended")
    refused = serializers.ListField(
        child=serializers.CharField(), help_text="a sentence for each tap that had no effect"
    )
    said_mahjong = serializers.BooleanField(source="draft.won")
    is_whole = serializers.BooleanField(
        source="told.is_whole",
        help_text="whether the hand is complete, so that the total is its score",
    )
    total = serializers.IntegerField(source="told.total", allow_null=True)
    basic = serializers.IntegerField(source="told.basic", allow_null=True)
    doubles = serializers.IntegerField(source="told.doubles", allow_null=True)
    is_limited = serializers.BooleanField(source="told.limited")
    lines = ScoreLineShape(many=True)
    lacking = serializers.ListField(source="told.lacking", child=serializers.CharField())
    notices = serializers.ListField(
        child=serializers.CharField(), help_text="entries that cannot have happened"
    )
    near = serializers.ListField(
        source="told.near", child=serializers.CharField(), help_text="special hands it is close to"
    )
    waits = serializers.ListField(
        source="told.waits", child=serializers.CharField(), help_text="tiles that would complete it"
    )
    groups = GroupShape(many=True)
    bonus = serializers.ListField(child=serializers.CharField())
    outcome = QuestionShape()
    ending = QuestionShape(many=True)
    table = QuestionShape(many=True)
