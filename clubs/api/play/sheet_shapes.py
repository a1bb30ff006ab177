"""The shapes of a paper sheet: its rows beside the book, and its foot."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from clubs.api.play.table_shapes import BriefHandShape
from clubs.api.shapes import ProblemsShape
from clubs.forms.sheets import Sheet


class SheetColumnShape(serializers.Serializer[object]):
    """A column of the paper: a seat, and the wind that it starts with."""

    seat = serializers.IntegerField()
    name = serializers.CharField()
    wind = serializers.CharField(allow_null=True)


class SheetFigureShape(serializers.Serializer[object]):
    """What paper and book have of one player."""

    name = serializers.CharField()
    paper = serializers.CharField()
    book = serializers.CharField()
    differs = serializers.BooleanField()


class SheetChoiceShape(serializers.Serializer[object]):
    """A question that paper and book answer otherwise."""

    key = serializers.CharField()
    made = serializers.CharField(allow_blank=True, help_text="paper, book, or empty")
    is_open = serializers.BooleanField()


class LoneHandShape(serializers.Serializer[object]):
    """A hand of the book that the paper does not have."""

    stands = BriefHandShape()
    choice = SheetChoiceShape()


class SheetRowShape(serializers.Serializer[object]):
    """A row of the paper as it stands to the book."""

    number = serializers.IntegerField()
    submission_id = serializers.UUIDField()
    stands_as = serializers.CharField(
        source="kind", help_text="new, same, other (the book has others) or extra (it has none)"
    )
    hand = BriefHandShape(allow_null=True, help_text="as it would be in the book")
    problems = serializers.ListField(child=serializers.CharField())
    is_unexplained = serializers.BooleanField(help_text="no scores lead to these gains")
    stands = BriefHandShape(allow_null=True, help_text="what the book has")
    figures = SheetFigureShape(many=True)
    choice = SheetChoiceShape(allow_null=True)
    before = LoneHandShape(many=True, help_text="hands of the book that come before it")


class SheetSumShape(serializers.Serializer[object]):
    """What a column adds up to, beside what the paper has at its foot."""

    seat = serializers.IntegerField()
    name = serializers.CharField()
    total = serializers.IntegerField()
    typed = serializers.CharField(allow_blank=True)
    is_wrong = serializers.BooleanField()


class SheetShape(serializers.Serializer[Sheet]):
    """A sheet, checked row by row."""

    is_saved = serializers.SerializerMethodField()
    saved = serializers.SerializerMethodField(help_text="how many hands came into the book")
    first = serializers.IntegerField(help_text="the hand of the first row")
    kind = serializers.CharField()
    columns = serializers.SerializerMethodField()
    rows = serializers.SerializerMethodField(help_text="rows in which something is written")
    does_not_fit = serializers.ListField(source="unfit", child=serializers.CharField())
    open_choices = serializers.IntegerField()
    changed = serializers.IntegerField(help_text="how many places of the book it changes")
    same = serializers.IntegerField(help_text="how many rows the book has just so")
    beyond = serializers.ListField(
        child=serializers.IntegerField(), help_text="hands that the paper has not come to"
    )
    can_be_saved = serializers.BooleanField()
    sums = SheetSumShape(source="foot.sums", many=True)
    foot = serializers.ListField(
        source="foot.sentences",
        child=serializers.CharField(),
        help_text="by how much the foot differs, and what may have gone wrong",
    )

    def get_is_saved(self, sheet: Sheet) -> bool:  # noqa: ARG002
        """Whether it is in the book now."""
        return bool(self.context["is_saved"])

    def get_saved(self, sheet: Sheet) -> int:  # noqa: ARG002
        """How many hands are new there."""
        return int(self.context["saved"])

    @extend_schema_field(SheetColumnShape(many=True))
    def get_columns(self, sheet: Sheet) -> Any:
        """Everyone in the order of the paper."""
        columns = [{"seat": s, "name": name, "wind": wind} for s, name, wind in sheet.columns]
        return SheetColumnShape(columns, many=True).data

    @extend_schema_field(SheetRowShape(many=True))
    def get_rows(self, sheet: Sheet) -> Any:
        """The rows that are not blank."""
        return SheetRowShape([row for row in sheet.rows if not row.is_blank], many=True).data


class SheetTroubleShape(ProblemsShape):
    """What is in the way of saving it, and the sheet as it was checked."""

    sheet = SheetShape(required=False, help_text="left out where what was sent could not be read")


class StackedSheetShape(serializers.Serializer[object]):
    """One table’s sheet in the stack."""

    number = serializers.IntegerField()
    names = serializers.ListField(child=serializers.CharField())
    state = serializers.CharField(help_text="none, half, some or whole")
    words = serializers.CharField()
    typed = serializers.IntegerField(help_text="hands that came from the desk")
    by_phone = serializers.IntegerField(help_text="hands that came from the table")
    planned = serializers.IntegerField(allow_null=True)
    disputed = serializers.IntegerField()
    is_over = serializers.BooleanField()
