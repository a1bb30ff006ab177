"""Rulings, and the published scale of penalties."""

from rest_framework import serializers

from clubs.api.rows import schema_of
from tournaments.results.selectors.prizes import Gain, PrizeRow, RulingRow
from tournaments.results.selectors.records import MadeHand, Records
from tournaments.results.selectors.results import Honour, Results
from tournaments.results.selectors.standings import Board, Line, StandingRow, TeamLine

GainShape = schema_of("GainShape", Gain, "name points")

RulingShape = schema_of(
    "RulingShape",
    RulingRow,
    "id=pk round table name what gains reason ruled_at is_taken_back takes_back",
    gains=GainShape(many=True, read_only=True, help_text="empty for a warning"),
)


class PenaltyShape(serializers.Serializer[object]):
    """A penalty from the published scale."""

    key = serializers.CharField(help_text="send it as what")
    name = serializers.CharField()
    costs = serializers.CharField()


class RulingsShape(serializers.Serializer[object]):
    """Every ruling at a table, and the penalties available."""

    rulings = RulingShape(many=True)
    scale = PenaltyShape(many=True)
    may_rule = serializers.BooleanField(help_text="until the tournament is finished")


STANDING = (
    "place is_tied entrant_id name from_club team rounds sat_out table_points total mahjongs "
    "mahjongs_credited best_hand decided_by"
)

StandingShape = schema_of("StandingShape", StandingRow, STANDING)

PlacedShape = schema_of(
    "PlacedShape",
    Line,
    " ".join([*(f"row.{name}" for name in STANDING.split()), "parted_by"]),
    "One entrant's place, and in words the tie-break with the one above.",
    parted_by="the tie-break with the one above, if the first measure is equal",
)

TeamShape = schema_of(
    "TeamShape",
    TeamLine,
    "row.place row.is_tied row.name row.members row.table_points row.total row.mahjongs "
    "row.mahjongs_credited row.best_hand parted_by",
)

BoardShape = schema_of(
    "BoardShape",
    Board,
    "columns rule sitting_out standing is_final through after lines teams",
    lines=PlacedShape,
    teams=TeamShape,
)

MadeHandShape = schema_of("MadeHandShape", MadeHand, "name round table number score special tiles")

RecordsShape = schema_of(
    "RecordsShape",
    Records,
    "highest mahjongs most_mahjongs special",
    highest=MadeHandShape,
    special=MadeHandShape,
)

WonShape = schema_of(
    "WonShape", PrizeRow, "title gift names figure said", "A prize and its winners."
)

HonourShape = schema_of("HonourShape", Honour, "place title names figure gifts")

ResultsShape = schema_of(
    "ResultsShape",
    Results,
    "board podium prizes records rulings",
    board=BoardShape,
    podium=HonourShape,
    prizes=WonShape,
    records=RecordsShape,
    rulings=RulingShape,
)
