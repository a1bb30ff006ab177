"""The shapes of what the API answers: one serializer for each frozen row."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from clubs.api.fields import ClockField, KeyField, NumberField, OneOfField, TextField
from clubs.evenings.forms import MOST_TABLES
from clubs.evenings.selectors.evenings import DoorList
from clubs.evenings.selectors.seating import EveningExplained
from clubs.models import Answer, Holiday, WishKind
from clubs.seating.wishes import in_words

Shape = serializers.Serializer[object]
MOST_PENCE = 10_000


class EveningShape(Shape):
    """An evening at a glance."""

    id = serializers.IntegerField(source="pk")
    held_on = serializers.DateField()
    state = serializers.CharField()
    version = serializers.IntegerField()


class PlaceShape(Shape):
    """A named seat with its points so far and its starting wind."""

    seat = serializers.IntegerField()
    wind = serializers.CharField(allow_blank=True)
    name = serializers.CharField()
    points = serializers.IntegerField(allow_null=True)


class TableSummaryShape(Shape):
    """One table at a glance."""

    number = serializers.IntegerField()
    places = PlaceShape(many=True)
    hands = serializers.IntegerField()
    disputed = serializers.ListField(child=serializers.IntegerField())


class ResultShape(Shape):
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


class EveningSummaryShape(EveningShape):
    """An evening in the list."""

    players = serializers.IntegerField(help_text="how many people came")
    tables = serializers.IntegerField()
    best = serializers.ListField(
        child=serializers.CharField(), help_text="who has the most points, once hands are in"
    )
    points = serializers.IntegerField(help_text="how many points they have")


class DoorRowShape(Shape):
    """One row of the check-in list."""

    player_id = serializers.IntegerField()
    name = serializers.CharField()
    is_guest = serializers.BooleanField()
    is_here = serializers.BooleanField()
    table = serializers.IntegerField(allow_null=True)
    asks = serializers.CharField(allow_blank=True, help_text="a message for a guest, if any")


class NewGuestShape(Shape):
    """A guest who has been checked in."""

    player_id = serializers.IntegerField(source="pk")
    name = serializers.CharField()


class SplitShape(Shape):
    """One way to form tables, also in words."""

    sizes = serializers.ListField(child=serializers.IntegerField())
    words = serializers.CharField()


class AdviceShape(serializers.Serializer[DoorList]):
    """Which table sizes suit the players who are checked in."""

    here = serializers.IntegerField()
    can_be_seated = serializers.BooleanField()
    is_laid = serializers.BooleanField(help_text="whether anyone is seated already")
    unseated = serializers.ListField(child=serializers.CharField())
    splits = serializers.SerializerMethodField(help_text="the usual way first")
    sentence = serializers.CharField(source="advice.sentence")
    neighbours = serializers.CharField(
        source="advice.neighbours",
        allow_blank=True,
        help_text="the tables with one player more or one fewer",
    )
    wishes = serializers.SerializerMethodField(
        help_text="seating preferences that cannot be met tonight"
    )

    @extend_schema_field(SplitShape(many=True))
    def get_splits(self, door: DoorList) -> Any:
        """Each way to form tables with no one left out."""
        splits = [{"sizes": split, "words": in_words(split)} for split in door.advice.splits]
        return SplitShape(splits, many=True).data

    def get_wishes(self, door: DoorList) -> list[str]:  # noqa: ARG002
        """In sentences."""
        sentences: list[str] = list(self.context["wishes"].sentences)
        return sentences


class ChairShape(Shape):
    """Someone's place at the square table: 1 near, 2 right, 3 far, 4 left, 5 sits out."""

    seat = serializers.CharField(source="key", allow_blank=True)
    position = serializers.IntegerField()
    wind = serializers.CharField(allow_null=True, help_text="of the next hand")
    name = serializers.CharField(allow_blank=True)
    points = serializers.CharField(source="note", allow_blank=True, help_text="in words")
    is_dealer = serializers.BooleanField(source="dealer")
    is_empty = serializers.BooleanField(help_text="an empty seat")


class EndedGameShape(Shape):
    """A game that the table played before a player joined or left."""

    number = serializers.IntegerField(help_text="the table’s number, as used in addresses")
    title = serializers.CharField()
    hands = serializers.IntegerField()


class FloorTableShape(Shape):
    """One table at a glance."""

    number = serializers.IntegerField()
    seats = ChairShape(many=True)
    prevailing = serializers.CharField(allow_null=True)
    hands = serializers.IntegerField()
    disputed = serializers.ListField(child=serializers.IntegerField())
    unagreed = serializers.IntegerField(help_text="hands that not everyone has agreed yet")
    is_over = serializers.BooleanField()
    words = serializers.CharField(source="label")
    ended = EndedGameShape(many=True)


class HandComplaintShape(Shape):
    """Who reported a problem with a hand."""

    name = serializers.CharField()
    words = serializers.CharField(allow_blank=True)


class DisputeShape(Shape):
    """One disputed hand."""

    hand = serializers.IntegerField(help_text="its id")
    number = serializers.IntegerField()
    table = serializers.IntegerField()
    round = serializers.IntegerField(allow_null=True, help_text="null on an evening")
    complaints = HandComplaintShape(many=True)
    since = serializers.DateTimeField()


class TableLinkShape(Shape):
    """A table’s secret link, as on its table card."""

    number = serializers.IntegerField()
    key = serializers.CharField()
    address = serializers.CharField()


class EveningLinksShape(Shape):
    """The secret links of an evening."""

    wall_key = serializers.CharField()
    wall = serializers.CharField(help_text="the address of the projector screen")
    tables = TableLinkShape(many=True)


class DoneShape(Shape):
    """What was done, or would be done, in sentences."""

    done = serializers.BooleanField(help_text="false for a preview")
    said = serializers.ListField(child=serializers.CharField())


class SeatingSaidShape(Shape):
    """One fact about a seating."""

    sentence = serializers.CharField()
    is_kept = serializers.BooleanField(allow_null=True, help_text="null: neither good nor bad")


class MoveShape(Shape):
    """A move and its effect."""

    done = serializers.BooleanField(help_text="false for a preview")
    said = SeatingSaidShape(many=True)


class TableNowShape(Shape):
    """A table that a player may join or leave."""

    number = serializers.IntegerField()
    seats = serializers.ListField(
        child=serializers.ListField(child=serializers.CharField()),
        help_text="wind and name of each player at the next hand, East first",
    )
    takes = serializers.BooleanField(help_text="whether the rules allow another player")
    spares = serializers.BooleanField(help_text="whether the rules allow one player fewer")
    hands = serializers.IntegerField()
    can_undo = serializers.BooleanField(help_text="whether its last change can be undone")
    ended = serializers.BooleanField()


class OneOfThemShape(Shape):
    """Someone."""

    player_id = serializers.IntegerField(source="pk")
    name = serializers.CharField()


class ChangesShape(Shape):
    """Who can join or leave while the evening is being played."""

    tables = TableNowShape(many=True)
    waiting = OneOfThemShape(many=True, help_text="players checked in without a seat")
    playing = OneOfThemShape(many=True)
    gone = serializers.ListField(child=serializers.CharField())


class AgainShape(Shape):
    """Two players who share a table more than once, or have done so recently."""

    one = serializers.CharField(source="player")
    other = serializers.CharField()
    times = serializers.IntegerField()
    when = serializers.CharField()


class WhyPlayerShape(Shape):
    """One player in a seating."""

    name = serializers.CharField()
    tables = serializers.ListField(
        child=serializers.CharField(), help_text="round by round; a dash without a table"
    )
    winds = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="how often they start as East, South, West and North",
    )
    fifths = serializers.IntegerField(help_text="how often they are fifth at a table of five")
    people = serializers.IntegerField(help_text="how many different opponents they meet")
    again = serializers.IntegerField(help_text="repeat meetings")


class WhyPersonShape(Shape):
    """One player's seating."""

    name = serializers.CharField(source="player.name")
    sentences = serializers.ListField(child=serializers.CharField())


class WhyShape(serializers.Serializer[EveningExplained]):
    """Why an evening sits as it sits."""

    counts = serializers.CharField()
    said = SeatingSaidShape(source="seating.said", many=True)
    bound = serializers.CharField(source="seating.bound", allow_blank=True)
    evenings = serializers.ListField(
        child=serializers.CharField(), help_text="earlier evenings that were taken into account"
    )
    wishes = SeatingSaidShape(many=True, help_text="only for readers who may see them")
    players = WhyPlayerShape(source="seating.players", many=True)
    again = AgainShape(source="seating.again", many=True)
    person = serializers.SerializerMethodField()

    @extend_schema_field(WhyPersonShape(allow_null=True))
    def get_person(self, explained: EveningExplained) -> Any:
        """The player named in ``name``."""
        person = explained.person(self.context["name"])
        return WhyPersonShape(person).data if person else None


class WishShape(Shape):
    """A seating preference, as a sentence."""

    id = serializers.IntegerField(source="pk")
    kind = serializers.CharField(help_text="apart, together, helper or table")
    sentence = serializers.CharField()
    until = serializers.DateField(allow_null=True, help_text="null: until it is deleted")
    reason = serializers.CharField(allow_blank=True)
    is_over = serializers.BooleanField()


class WishIn(Shape):
    """A seating preference: with ``other`` for two people, with ``table`` for a fixed table."""

    kind = OneOfField(choices=WishKind.choices)
    player = KeyField()
    other = KeyField(required=False, help_text="the second person; not for the kind table")
    table = NumberField(
        required=False, min_value=1, max_value=MOST_TABLES, help_text="only for the kind table"
    )
    until = serializers.DateField(required=False, allow_null=True)
    reason = TextField(required=False, allow_blank=True, max_length=120)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Only what the kind asks for."""
        strange = "other" if attrs["kind"] == WishKind.TABLE else "table"
        if strange in attrs:
            raise serializers.ValidationError(
                {strange: ["This kind of preference does not use this field."]}
            )
        return attrs


class DayShape(Shape):
    """A date of a regular evening."""

    held_on = serializers.DateField()
    series_id = serializers.IntegerField()
    name = serializers.CharField()
    place = serializers.CharField(allow_blank=True)
    starts_at = ClockField()
    ends_at = ClockField()
    off = serializers.CharField(
        allow_blank=True, help_text="why the club does not meet; empty if it does"
    )
    evening_id = serializers.IntegerField(
        source="session_id", allow_null=True, help_text="the evening opened for the date"
    )


class CalendarShape(Shape):
    """What comes in a club's year."""

    meetings = serializers.IntegerField(help_text="how many dates the club meets on")
    next = DayShape(allow_null=True)
    days = DayShape(many=True)


class SeriesShape(Shape):
    """A regular evening and its calendar feed."""

    id = serializers.IntegerField(source="series.pk")
    name = serializers.CharField(source="series.name")
    place = serializers.CharField(source="series.place", allow_blank=True)
    words = serializers.CharField(help_text="such as: Every other Tuesday")
    first_on = serializers.DateField(source="series.first_on")
    last_on = serializers.DateField(source="series.last_on")
    every = serializers.IntegerField(
        source="series.every", help_text="number of weeks between evenings"
    )
    weeks = serializers.ListField(
        source="series.weeks",
        child=serializers.IntegerField(),
        help_text="weeks of the month; 5 is the last. Empty: every so many weeks",
    )
    starts_at = ClockField(source="series.starts_at")
    ends_at = ClockField(source="series.ends_at")
    feed = serializers.CharField(
        help_text="iCalendar; anyone with the address can read it, so give it only to members"
    )


class PreviewDayShape(Shape):
    """A date of the regular evening."""

    held_on = serializers.DateField()
    off = serializers.CharField(allow_blank=True, help_text="why the club does not meet")


class SeriesPreviewShape(Shape):
    """The dates of the regular evening."""

    meetings = serializers.IntegerField()
    days = PreviewDayShape(many=True)


class HolidayShape(serializers.ModelSerializer[Holiday]):
    """Closed dates."""

    id = serializers.IntegerField(source="pk")

    class Meta:
        model = Holiday
        fields = ["id", "name", "first_on", "last_on"]


class ToAskShape(Shape):
    """Someone on the substitutes list."""

    player_id = serializers.IntegerField()
    name = serializers.CharField()
    asked_at = serializers.DateTimeField(allow_null=True, help_text="last asked; null: never")


class AskedShape(Shape):
    """Someone who was asked for a date."""

    player_id = serializers.IntegerField()
    name = serializers.CharField()
    email = serializers.CharField(allow_blank=True)
    answer = serializers.CharField(allow_blank=True, help_text="yes, no, or empty for none yet")
    address = serializers.CharField(help_text="where they answer yes or no, without a password")


class NamedShape(Shape):
    """Someone of the club."""

    player_id = serializers.IntegerField(source="pk")
    name = serializers.CharField()


class FillingInShape(Shape):
    """A date’s substitutes: who was asked, whom to ask next, and who else is available."""

    held_on = serializers.DateField()
    day = DayShape(allow_null=True, help_text="null: nothing is planned for the date")
    is_over = serializers.BooleanField()
    asked = AskedShape(many=True)
    waiting = ToAskShape(many=True, help_text="whom to ask next: first those not asked for longest")


class WhoIn(Shape):
    """Someone of the club’s list."""

    player = KeyField()


class AnswerIn(Shape):
    """Yes or no."""

    answer = OneOfField(choices=[(Answer.YES.value, "Yes"), (Answer.NO.value, "No")])


class InvitationShape(Shape):
    """What someone was asked by a link, and their answer."""

    club = serializers.CharField()
    name = serializers.CharField()
    held_on = serializers.DateField()
    day = DayShape(allow_null=True)
    answer = serializers.CharField(allow_blank=True, help_text="yes, no, or empty for none yet")
    is_over = serializers.BooleanField(help_text="whether it is too late to answer")


class PaidShape(Shape):
    """Someone at an evening, and what they paid."""

    player_id = serializers.IntegerField()
    name = serializers.CharField()
    is_guest = serializers.BooleanField()
    pence = serializers.IntegerField(allow_null=True, help_text="null: nothing yet")


class CashSheetShape(Shape):
    """An evening’s table money."""

    price = serializers.IntegerField(help_text="the price of an evening per person, in pence")
    total = serializers.IntegerField(help_text="in pence")
    paid = serializers.IntegerField(help_text="how many have paid")
    rows = PaidShape(many=True)


class EveningMoneyShape(Shape):
    """One evening of a year’s table money."""

    evening_id = serializers.IntegerField(source="pk")
    held_on = serializers.DateField()
    here = serializers.IntegerField(help_text="how many came")
    paid = serializers.IntegerField(help_text="how many paid")
    pence = serializers.IntegerField()


class PriceShape(Shape):
    """The price of an evening per person, in pence; 0: no table money."""

    pence = NumberField(min_value=0, max_value=MOST_PENCE)
