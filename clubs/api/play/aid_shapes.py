"""The shape of the beginner's aid: what a tile is and what it is worth."""

from rest_framework import serializers


class SetWorthShape(serializers.Serializer[object]):
    """A set of a tile and, in words, what it is worth."""

    name = serializers.CharField()
    tiles = serializers.ListField(child=serializers.CharField())
    exposed = serializers.CharField()
    concealed = serializers.CharField()


class AboutTileShape(serializers.Serializer[object]):
    """One tile."""

    code = serializers.CharField()
    name = serializers.CharField()
    said = serializers.ListField(child=serializers.CharField())
    sets = SetWorthShape(many=True)


class AidLineShape(serializers.Serializer[object]):
    """A line of the rules."""

    name = serializers.CharField()
    words = serializers.CharField(allow_blank=True)
    worth = serializers.CharField(allow_blank=True)
    tiles = serializers.ListField(child=serializers.CharField())


class AidPartShape(serializers.Serializer[object]):
    """A table of the rules."""

    title = serializers.CharField()
    note = serializers.CharField(allow_blank=True)
    lines = AidLineShape(many=True)


class AidShape(serializers.Serializer[object]):
    """Every tile, the tile that was asked about, and the rules as a crib sheet."""

    rules = serializers.CharField(source="rules.key")
    own = serializers.CharField(source="asker.own")
    prevailing = serializers.CharField(source="asker.prevailing", allow_null=True)
    tiles = serializers.ListField(
        source="rows", child=serializers.ListField(child=serializers.CharField())
    )
    tile = AboutTileShape(allow_null=True)
    parts = AidPartShape(many=True)
