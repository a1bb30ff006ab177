"""The shapes of a score and of a rule set as it is printed."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from clubs.api.shapes import ProblemShape
from clubs.selectors.printed import Cell, PrintedRow


class ScoredLineShape(serializers.Serializer[dict[str, Any]]):
    """A line of a score; it has one of points, doubles and value, the others are null."""

    name = serializers.CharField()
    tiles = serializers.ListField(child=serializers.CharField())
    points = serializers.SerializerMethodField()
    doubles = serializers.SerializerMethodField()
    value = serializers.SerializerMethodField(method_name="get_fixed")

    def get_points(self, line: dict[str, Any]) -> int | None:
        """Points added."""
        return line.get("points")

    def get_doubles(self, line: dict[str, Any]) -> int | None:
        """How many times the total is doubled."""
        return line.get("doubles")

    def get_fixed(self, line: dict[str, Any]) -> int | None:
        """A fixed score that replaces everything else."""
        return line.get("value")


class ArrangedSetShape(serializers.Serializer[object]):
    """A set as the engine read it."""

    tiles = serializers.ListField(child=serializers.CharField())
    exposed = serializers.BooleanField()


class ReckoningShape(serializers.Serializer[object]):
    """What a hand scores."""

    total = serializers.IntegerField(help_text="after any limit")
    basic = serializers.IntegerField(allow_null=True, help_text="before doubling")
    doubles = serializers.IntegerField(allow_null=True)
    special = serializers.CharField(allow_null=True, help_text="the key of the special hand")
    fishing = serializers.BooleanField()
    limited = serializers.BooleanField(help_text="whether the limit reduced it")
    items = ScoredLineShape(many=True)
    arrangement = ArrangedSetShape(many=True)
    notices = ProblemShape(many=True, help_text="a note, not an error")


class RulesRowShape(serializers.Serializer[PrintedRow]):
    """A line of the rules."""

    cells = serializers.SerializerMethodField()
    change = serializers.CharField(
        allow_blank=True, help_text="empty: as in the rule book; otherwise what has changed"
    )

    def get_cells(self, row: PrintedRow) -> list[str]:
        """The texts of its cells."""
        return _texts(row.cells)


class RulesSectionShape(serializers.Serializer[object]):
    """A table of the rules."""

    title = serializers.CharField()
    note = serializers.CharField(allow_blank=True)
    heads = serializers.SerializerMethodField()
    rows = RulesRowShape(many=True)

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_heads(self, section: Any) -> list[str]:
        """The texts above its columns."""
        return _texts(section.heads)


class RulesShape(serializers.Serializer[object]):
    """A rule set, whole, as it is printed; the very lines that score."""

    key = serializers.CharField(source="rules.key")
    name = serializers.CharField(source="rules.name")
    limit = serializers.IntegerField(source="rules.limit", allow_null=True)
    book = serializers.CharField(source="book.key", help_text="that house rules start from")
    sections = RulesSectionShape(many=True)


def _texts(cells: tuple[Cell, ...]) -> list[str]:
    return [cell.text for cell in cells]
