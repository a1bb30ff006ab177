"""The shapes of a club's year: wishes, the calendar, who fills in, table money."""

from typing import Any

from rest_framework import serializers

from clubs.api.fields import ClockField, KeyField, NumberField, OneOfField, TextField
from clubs.forms.wishes import MOST_TABLES
from clubs.models import Answer, Holiday, WishKind

Shape = serializers.Serializer[object]
MOST_PENCE = 10_000


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
