"""The shapes of what an evening answers: the door, the floor, what changes, why it sits so."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from clubs.api.shapes import EveningShape
from clubs.seating.advice import in_words
from clubs.selectors.doorlist import DoorList
from clubs.selectors.why import EveningExplained


class EveningSummaryShape(EveningShape):
    """An evening of the list."""

    players = serializers.IntegerField(help_text="how many were there")
    tables = serializers.IntegerField()
    best = serializers.ListField(
        child=serializers.CharField(), help_text="who has the most points, once hands are in"
    )
    points = serializers.IntegerField(help_text="how many those have")


class DoorRowShape(serializers.Serializer[object]):
    """One line of the list at the door."""

    player_id = serializers.IntegerField()
    name = serializers.CharField()
    is_guest = serializers.BooleanField()
    is_here = serializers.BooleanField()
    table = serializers.IntegerField(allow_null=True)
    asks = serializers.CharField(allow_blank=True, help_text="what to say to a guest, if anything")


class NewGuestShape(serializers.Serializer[object]):
    """A guest who was ticked at once."""

    player_id = serializers.IntegerField(source="pk")
    name = serializers.CharField()


class SplitShape(serializers.Serializer[object]):
    """One way to sit, and in words."""

    sizes = serializers.ListField(child=serializers.IntegerField())
    words = serializers.CharField()


class AdviceShape(serializers.Serializer[DoorList]):
    """At which tables those fit who are here."""

    here = serializers.IntegerField()
    can_be_seated = serializers.BooleanField()
    is_laid = serializers.BooleanField(help_text="whether someone sits at a table already")
    unseated = serializers.ListField(child=serializers.CharField())
    splits = serializers.SerializerMethodField(help_text="the usual one first")
    sentence = serializers.CharField(source="advice.sentence")
    neighbours = serializers.CharField(
        source="advice.neighbours", allow_blank=True, help_text="what one more or one fewer makes"
    )
    wishes = serializers.SerializerMethodField(help_text="wishes that cannot be kept tonight")

    @extend_schema_field(SplitShape(many=True))
    def get_splits(self, door: DoorList) -> Any:
        """Each way to sit with nobody left out."""
        splits = [{"sizes": split, "words": in_words(split)} for split in door.advice.splits]
        return SplitShape(splits, many=True).data

    def get_wishes(self, door: DoorList) -> list[str]:  # noqa: ARG002
        """In sentences."""
        said: list[str] = list(self.context["wishes"].said)
        return said


class ChairShape(serializers.Serializer[object]):
    """Someone's place at the square table: 1 near, 2 right, 3 far, 4 left, 5 sits out."""

    seat = serializers.CharField(source="key", allow_blank=True)
    position = serializers.IntegerField()
    wind = serializers.CharField(allow_null=True, help_text="of the next hand")
    name = serializers.CharField(allow_blank=True)
    points = serializers.CharField(source="note", allow_blank=True, help_text="as they are said")
    is_dealer = serializers.BooleanField(source="dealer")
    is_empty = serializers.BooleanField(help_text="a chair at which nobody sits")


class EndedGameShape(serializers.Serializer[object]):
    """A game that the table played before someone came or left."""

    number = serializers.IntegerField(help_text="the table’s number in an address")
    title = serializers.CharField()
    hands = serializers.IntegerField()


class FloorTableShape(serializers.Serializer[object]):
    """One table as someone sees it who walks round."""

    number = serializers.IntegerField()
    seats = ChairShape(many=True)
    prevailing = serializers.CharField(allow_null=True)
    hands = serializers.IntegerField()
    disputed = serializers.ListField(child=serializers.IntegerField())
    unagreed = serializers.IntegerField(help_text="hands to which not everyone has agreed yet")
    is_over = serializers.BooleanField()
    words = serializers.CharField(source="label")
    ended = EndedGameShape(many=True)


class HandComplaintShape(serializers.Serializer[object]):
    """Who says that a hand is not right."""

    name = serializers.CharField()
    words = serializers.CharField(allow_blank=True)


class DisputeShape(serializers.Serializer[object]):
    """One hand that the scorer must decide."""

    hand = serializers.IntegerField(help_text="its id")
    number = serializers.IntegerField()
    table = serializers.IntegerField()
    round = serializers.IntegerField(allow_null=True, help_text="null on an evening")
    complaints = HandComplaintShape(many=True)
    since = serializers.DateTimeField()


class TableLinkShape(serializers.Serializer[object]):
    """A table’s secret link, as its card has it."""

    number = serializers.IntegerField()
    key = serializers.CharField()
    address = serializers.CharField()


class EveningLinksShape(serializers.Serializer[object]):
    """The secret links of an evening."""

    wall_key = serializers.CharField()
    wall = serializers.CharField(help_text="what a projector shows")
    tables = TableLinkShape(many=True)


class DoneShape(serializers.Serializer[object]):
    """What was done, or would be, in sentences."""

    done = serializers.BooleanField(help_text="false where it was only looked at")
    said = serializers.ListField(child=serializers.CharField())


class SeatingSaidShape(serializers.Serializer[object]):
    """One thing about a seating."""

    sentence = serializers.CharField()
    is_kept = serializers.BooleanField(allow_null=True, help_text="null: neither good nor bad")


class MoveShape(serializers.Serializer[object]):
    """A move, and what it costs."""

    done = serializers.BooleanField(help_text="false where it was only looked at")
    said = SeatingSaidShape(many=True)


class TableNowShape(serializers.Serializer[object]):
    """A table at which someone may come in or leave."""

    number = serializers.IntegerField()
    seats = serializers.ListField(
        child=serializers.ListField(child=serializers.CharField()),
        help_text="wind and name of everyone at the next hand, East first",
    )
    takes = serializers.BooleanField(help_text="whether the rules allow one more")
    spares = serializers.BooleanField(help_text="whether the rules allow one fewer")
    hands = serializers.IntegerField()
    can_undo = serializers.BooleanField(help_text="whether its last change can be taken back")
    ended = serializers.BooleanField()


class OneOfThemShape(serializers.Serializer[object]):
    """Someone."""

    player_id = serializers.IntegerField(source="pk")
    name = serializers.CharField()


class ChangesShape(serializers.Serializer[object]):
    """Who can come in and who can leave while the evening is played."""

    tables = TableNowShape(many=True)
    waiting = OneOfThemShape(many=True, help_text="who is here and has no seat")
    playing = OneOfThemShape(many=True)
    gone = serializers.ListField(child=serializers.CharField())


class AgainShape(serializers.Serializer[object]):
    """Two who share a table more than once, or have done lately."""

    one = serializers.CharField()
    other = serializers.CharField()
    times = serializers.IntegerField()
    when = serializers.CharField()


class WhyPlayerShape(serializers.Serializer[object]):
    """One player of a seating."""

    name = serializers.CharField()
    tables = serializers.ListField(
        child=serializers.CharField(), help_text="round by round; a dash without a table"
    )
    winds = serializers.ListField(
        child=serializers.IntegerField(), help_text="how often East, South, West, North at first"
    )
    fifths = serializers.IntegerField(help_text="how often fifth at a table of five")
    people = serializers.IntegerField(help_text="how many different people they meet")
    again = serializers.IntegerField(help_text="meetings with someone met before")


class WhyPersonShape(serializers.Serializer[object]):
    """How one player fares."""

    name = serializers.CharField(source="player.name")
    sentences = serializers.ListField(child=serializers.CharField())


class WhyShape(serializers.Serializer[EveningExplained]):
    """Why an evening sits as it sits."""

    counts = serializers.CharField()
    said = SeatingSaidShape(source="seating.said", many=True)
    bound = serializers.CharField(source="seating.bound", allow_blank=True)
    evenings = serializers.ListField(
        child=serializers.CharField(), help_text="those before that were weighed"
    )
    wishes = SeatingSaidShape(many=True, help_text="for whoever may know them")
    players = WhyPlayerShape(source="seating.players", many=True)
    again = AgainShape(source="seating.again", many=True)
    person = serializers.SerializerMethodField()

    @extend_schema_field(WhyPersonShape(allow_null=True))
    def get_person(self, found: EveningExplained) -> Any:
        """Whoever was asked about by ``name``."""
        told = found.person(self.context["name"])
        return WhyPersonShape(told).data if told else None
