"""What the API answers, one serializer for each frozen row."""

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from clubs.api.fields import ClockField, KeyField, NumberField, WindField, named_field
from clubs.api.rows import serializer_of
from clubs.evenings.selectors import calendar, floor
from clubs.evenings.selectors.door import CheckInRow, DoorList
from clubs.evenings.selectors.evenings import EveningSummary, PlaceRow, ResultRow, TableSummary
from clubs.evenings.selectors.seating import EveningExplanation
from clubs.models import Holiday, Player, Series, SessionState
from clubs.seating.why import SeatingRemark
from clubs.seating.wishes import split_in_words
from clubs.seats.selectors import ListedPlayer, PersonalSeating, RepeatMeeting
from clubs.table.serializers import TableLinkSerializer
from clubs.table.square import Chair

MAX_PENCE = 10_000

PlaceSerializer = serializer_of(
    "PlaceSerializer",
    PlaceRow,
    "seat wind player_id name points",
    wind=WindField(allow_blank=True, help_text="as the game began; empty: sat out its first hand"),
)

TableSummarySerializer = serializer_of(
    "TableSummarySerializer",
    TableSummary,
    "number game_id places hands disputed=disputed_hands",
    places=PlaceSerializer,
)

ResultSerializer = serializer_of(
    "ResultSerializer",
    ResultRow,
    "place is_tied player_id name table points hands mahjongs best_hand",
)

EveningSummarySerializer = serializer_of(
    "EveningSummarySerializer",
    EveningSummary,
    "id=pk held_on state cancel_reason version players tables best points",
    cancel_reason="empty unless the evening is cancelled",
    players="how many people came",
    best="who has the most points, once hands are in",
    points="how many points they have",
)

CheckInRowSerializer = serializer_of(
    "CheckInRowSerializer", CheckInRow, "player_id name is_guest is_here table asks"
)

NewGuestSerializer = serializer_of(
    "NewGuestSerializer", Player, "player_id=pk name", "A guest who has been checked in."
)

TablePlaceSerializer = serializer_of(
    "TablePlaceSerializer",
    Chair,
    "seat=key position wind name points=note is_dealer=dealer is_empty",
    wind="of the next hand",
)

EndedGameSerializer = serializer_of(
    "EndedGameSerializer", floor.EndedGame, "number game_id title hands"
)

FloorTableSerializer = serializer_of(
    "FloorTableSerializer",
    floor.FloorTable,
    "number game_id seats prevailing hands disputed=disputed_hands unagreed=unagreed_count "
    "is_over text=label ended=ended_games",
    seats=TablePlaceSerializer,
    text="how far the table has come, or what is disputed",
    ended=EndedGameSerializer,
)

HandComplaintSerializer = serializer_of("HandComplaintSerializer", floor.Complaint, "name text")

DisputeSerializer = serializer_of(
    "DisputeSerializer",
    floor.Dispute,
    "hand number table round complaints since",
    complaints=HandComplaintSerializer,
)

StackedSheetSerializer = serializer_of(
    "StackedSheetSerializer",
    floor.StackedSheet,
    "number names state text typed by_phone planned=hands_planned disputed=disputed_count is_over",
)

SeatingRemarkSerializer = serializer_of(
    "SeatingRemarkSerializer",
    SeatingRemark,
    "sentence is_met=is_kept",
    "One sentence on a seating.",
)

ChangingTableSerializer = serializer_of(
    "ChangingTableSerializer",
    floor.ChangingTable,
    "number seats can_gain=takes can_lose=spares hands can_undo ended=has_ended",
)

PersonNameSerializer = serializer_of(
    "PersonNameSerializer", Player, "player_id=pk name", "Someone."
)

RepeatMeetingSerializer = serializer_of(
    "RepeatMeetingSerializer",
    RepeatMeeting,
    "player other=other_player times when=occasions",
    "Two players who share a table more than once, or have done so recently.",
)

PlayerSeatingSerializer = serializer_of(
    "PlayerSeatingSerializer",
    ListedPlayer,
    "name tables winds fifths opponents=people repeats",
    winds="how often they start as East, South, West and North",
)

PlayerExplanationSerializer = serializer_of(
    "PlayerExplanationSerializer", PersonalSeating, "player.name sentences", "One player’s seating."
)

DaySerializer = serializer_of(
    "DaySerializer",
    calendar.ClubDay,
    "held_on series_id name place starts_at ends_at off=closed_reason evening_id=session_id",
)

CalendarSerializer = serializer_of(
    "CalendarSerializer",
    calendar.ClubYear,
    "meetings next days",
    meetings="how many dates the club meets on",
    next=DaySerializer,
    days=DaySerializer,
)

PreviewDaySerializer = serializer_of(
    "PreviewDaySerializer",
    calendar.ClubDay,
    "held_on off=closed_reason",
    "A date of the regular evening.",
    off="why the club does not meet",
)

SeriesPreviewSerializer = serializer_of(
    "SeriesPreviewSerializer",
    calendar.ClubYear,
    "meetings days",
    "The dates of the regular evening.",
    days=PreviewDaySerializer,
)

ToAskSerializer = serializer_of(
    "ToAskSerializer", calendar.ListedSubstitute, "player_id name asked_at"
)

EveningPaymentSerializer = serializer_of(
    "EveningPaymentSerializer", calendar.Payment, "player_id name is_guest pence"
)

CashSheetSerializer = serializer_of(
    "CashSheetSerializer",
    calendar.CashSheet,
    "price total paid rows",
    price=serializers.IntegerField(help_text="the price of an evening per person, in pence"),
    rows=EveningPaymentSerializer,
)

EveningMoneySerializer = serializer_of(
    "EveningMoneySerializer", calendar.EveningMoney, "evening_id=pk held_on attendance paid pence"
)


class EveningSerializer(serializers.Serializer[object]):
    """An evening at a glance."""

    id = serializers.IntegerField(source="pk")
    held_on = serializers.DateField()
    state = named_field(SessionState.choices)()
    cancel_reason = serializers.CharField(help_text="empty unless the evening is cancelled")
    version = serializers.IntegerField()


class EveningWholeSerializer(EveningSerializer):
    """An evening with its tables and result."""

    tables = TableSummarySerializer(many=True)
    result = ResultSerializer(many=True)


class SplitSerializer(serializers.Serializer[object]):
    """One way to form tables, also in words."""

    sizes = serializers.ListField(child=serializers.IntegerField())
    text = serializers.CharField(help_text="such as: two fours and one three")


class AdviceSerializer(serializers.Serializer[DoorList]):
    """Which table sizes suit the players who are checked in."""

    checked_in = serializers.IntegerField(source="present_count", help_text="how many players")
    can_be_seated = serializers.BooleanField()
    is_seated = serializers.BooleanField(
        source="is_laid", help_text="whether anyone is seated already"
    )
    unseated = serializers.ListField(source="unseated_names", child=serializers.CharField())
    splits = serializers.SerializerMethodField(help_text="the usual way first")
    sentence = serializers.CharField(source="advice.sentence")
    neighbours = serializers.CharField(
        source="advice.neighbours",
        allow_blank=True,
        help_text="the tables with one player more or one fewer",
    )
    wishes = serializers.SerializerMethodField(help_text="seating preferences that cannot be met")

    @extend_schema_field(SplitSerializer(many=True))
    def get_splits(self, door: DoorList) -> Any:
        """Each way to form tables with no one left out."""
        splits = [{"sizes": split, "text": split_in_words(split)} for split in door.advice.splits]
        return SplitSerializer(splits, many=True).data

    def get_wishes(self, door: DoorList) -> list[str]:  # noqa: ARG002
        """In sentences."""
        sentences: list[str] = list(self.context["wishes"].sentences)
        return sentences


class EveningLinksSerializer(serializers.Serializer[object]):
    """The secret links of an evening."""

    wall_key = serializers.CharField()
    wall = serializers.CharField(help_text="the address of the projector screen")
    tables = TableLinkSerializer(many=True)


class TableChangeSerializer(serializers.Serializer[object]):
    """What was done, or would be done, in sentences."""

    done = serializers.BooleanField(help_text="false for a preview")
    sentences = serializers.ListField(source="said", child=serializers.CharField())


class MoveSerializer(serializers.Serializer[object]):
    """A move and its effect."""

    done = serializers.BooleanField(help_text="false for a preview")
    remarks = SeatingRemarkSerializer(source="said", many=True)


class ChangesSerializer(serializers.Serializer[object]):
    """Who can join or leave while the evening is being played."""

    tables = ChangingTableSerializer(many=True)
    waiting = PersonNameSerializer(many=True, help_text="players checked in without a seat")
    playing = PersonNameSerializer(many=True)
    left = serializers.ListField(source="gone", child=serializers.CharField())


class EveningExplanationSerializer(serializers.Serializer[EveningExplanation]):
    """Why an evening sits as it sits."""

    summary = serializers.CharField(source="counts")
    remarks = SeatingRemarkSerializer(source="seating.remarks", many=True)
    limits = serializers.CharField(source="seating.meeting_limits", allow_blank=True)
    evenings = serializers.ListField(
        child=serializers.CharField(), help_text="earlier evenings that were taken into account"
    )
    wishes = SeatingRemarkSerializer(many=True, help_text="only for readers who may see them")
    players = PlayerSeatingSerializer(source="seating.players", many=True)
    repeat_meetings = RepeatMeetingSerializer(source="seating.repeat_meetings", many=True)
    person = serializers.SerializerMethodField()

    @extend_schema_field(PlayerExplanationSerializer(allow_null=True))
    def get_person(self, explanation: EveningExplanation) -> Any:
        """The player named in ``name``."""
        person = explanation.person(self.context["name"])
        return PlayerExplanationSerializer(person).data if person else None


class SeriesSerializer(serializers.ModelSerializer[Series]):
    """A regular evening and its calendar feed."""

    place = serializers.CharField(allow_blank=True)
    text = serializers.SerializerMethodField(help_text="such as: Every other Tuesday")
    every = serializers.IntegerField(help_text="number of weeks between evenings")
    weeks = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="weeks of the month; 5 is the last. Empty: every so many weeks",
    )
    starts_at = ClockField()
    ends_at = ClockField()
    feed = serializers.SerializerMethodField(
        help_text="iCalendar; anyone with the address can read it, so give it only to members"
    )

    class Meta:
        model = Series
        fields = ["id", "name", "place", "text", "first_on", "last_on", "every", "weeks"]
        fields += ["starts_at", "ends_at", "feed"]

    def get_text(self, series: Series) -> str:
        return calendar.pattern_in_words(calendar.pattern_of(series))

    def get_feed(self, series: Series) -> str:
        """The whole address of the feed."""
        feed = reverse("calendar-feed", args=[series.feed_key])
        return str(self.context["request"].build_absolute_uri(feed))


class HolidaySerializer(serializers.ModelSerializer[Holiday]):
    """Closed dates."""

    id = serializers.IntegerField(source="pk")

    class Meta:
        model = Holiday
        fields = ["id", "name", "first_on", "last_on"]


class MemberChoiceIn(serializers.Serializer[object]):
    """Someone of the club’s list."""

    player = KeyField()


class PriceSerializer(serializers.Serializer[object]):
    """The price of an evening per person, in pence, and when the club's year begins."""

    pence = NumberField(min_value=0, max_value=MAX_PENCE, help_text="0: no table money")
    year_begins = NumberField(min_value=1, max_value=12, help_text="the month, from 1 to 12")


class PriceIn(serializers.Serializer[object]):
    """What changes of it."""

    pence = NumberField(
        required=False, min_value=0, max_value=MAX_PENCE, help_text="0: no table money"
    )
    year_begins = NumberField(
        required=False, min_value=1, max_value=12, help_text="the month, from 1 to 12"
    )
