"""The shapes of a paper sheet: its rows beside the book, and its foot."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from clubs.api.play.table_shapes import BriefHandShape
from clubs.api.shapes import ProblemsShape
from clubs.forms.sheets import Sheet


class SheetColumnShape(serializers.Serializer[object]):
    """A column of the sheet: a seat and its starting wind."""

    seat = serializers.IntegerField()
    name = serializers.CharField()
    wind = serializers.CharField(allow_null=True)


class SheetFigureShape(serializers.Serializer[object]):
    """What the paper and the score book have for one player."""

    name = serializers.CharField()
    paper = serializers.CharField()
    book = serializers.CharField()
    differs = serializers.BooleanField()


class SheetChoiceShape(serializers.Serializer[object]):
    """A difference between the paper and the score book."""

    key = serializers.CharField()
    made = serializers.CharField(allow_blank=True, help_text="paper, book, or empty")
    is_open = serializers.BooleanField()


class LoneHandShape(serializers.Serializer[object]):
    """A recorded hand that is missing from the paper."""

    stands = BriefHandShape()
    choice = SheetChoiceShape()


class SheetRowShape(serializers.Serializer[object]):
    """A row of the paper compared with the score book."""

    number = serializers.IntegerField()
    submission_id = serializers.UUIDField()
    stands_as = serializers.CharField(
        source="kind",
        help_text="new, same, other (the score book differs) or extra (not in the score book)",
    )
    hand = BriefHandShape(allow_null=True, help_text="as it would be recorded")
    problems = serializers.ListField(child=serializers.CharField())
    is_unexplained = serializers.BooleanField(help_text="whether no scores lead to these gains")
    stands = BriefHandShape(allow_null=True, help_text="what the score book has")
    figures = SheetFigureShape(many=True)
    choice = SheetChoiceShape(allow_null=True)
    before = LoneHandShape(many=True, help_text="recorded hands that come before it")


class SheetSumShape(serializers.Serializer[object]):
    """The total of a column, and the total at the foot of the paper."""

    seat = serializers.IntegerField()
    name = serializers.CharField()
    total = serializers.IntegerField()
    typed = serializers.CharField(allow_blank=True)
    is_wrong = serializers.BooleanField()


class SheetShape(serializers.Serializer[Sheet]):
    """A sheet, checked row by row."""

    is_saved = serializers.SerializerMethodField()
    saved = serializers.SerializerMethodField(
        help_text="how many hands were added to the score book"
    )
    first = serializers.IntegerField(help_text="the hand of the first row")
    kind = serializers.CharField()
    columns = serializers.SerializerMethodField()
    rows = serializers.SerializerMethodField(help_text="rows that are filled in")
    does_not_fit = serializers.ListField(source="unfit", child=serializers.CharField())
    open_choices = serializers.IntegerField()
    changed = serializers.IntegerField(help_text="how many recorded entries it changes")
    same = serializers.IntegerField(help_text="how many rows already match the score book")
    beyond = serializers.ListField(
        child=serializers.IntegerField(), help_text="recorded hands after the end of the paper"
    )
    can_be_saved = serializers.BooleanField()
    sums = SheetSumShape(source="foot.sums", many=True)
    foot = serializers.ListField(
        source="foot.sentences",
        child=serializers.CharField(),
        help_text="how far the total differs, and what may be wrong",
    )

    def get_is_saved(self, sheet: Sheet) -> bool:  # noqa: ARG002
        """Whether it has been saved."""
        return bool(self.context["is_saved"])

    def get_saved(self, sheet: Sheet) -> int:  # noqa: ARG002
        """How many hands are new in the score book."""
        return int(self.context["saved"])

    @extend_schema_field(SheetColumnShape(many=True))
    def get_columns(self, sheet: Sheet) -> Any:
        """The players in the order of the paper."""
        columns = [{"seat": s, "name": name, "wind": wind} for s, name, wind in sheet.columns]
        return SheetColumnShape(columns, many=True).data

    @extend_schema_field(SheetRowShape(many=True))
    def get_rows(self, sheet: Sheet) -> Any:
        """The rows that are not blank."""
        return SheetRowShape([row for row in sheet.rows if not row.is_blank], many=True).data


class SheetTroubleShape(ProblemsShape):
    """What prevents saving, and the checked sheet."""

    sheet = SheetShape(required=False, help_text="missing if the request could not be read")


class StackedSheetShape(serializers.Serializer[object]):
    """One table’s paper score sheet."""

    number = serializers.IntegerField()
    names = serializers.ListField(child=serializers.CharField())
    state = serializers.CharField(help_text="none, half, some or whole")
    words = serializers.CharField()
    typed = serializers.IntegerField(help_text="hands entered by an organiser")
    by_phone = serializers.IntegerField(help_text="hands entered at the table")
    planned = serializers.IntegerField(allow_null=True)
    disputed = serializers.IntegerField()
    is_over = serializers.BooleanField()
