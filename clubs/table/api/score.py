"""The score desk and the rules over the API: for anyone, under any book or house rules."""

from typing import Any

from django.http import Http404
from django.urls import path
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.base import OpenAPIView
from clubs.api.commands import ActView
from clubs.api.fields import FlagField, NumberField, OneOfField, TextField
from clubs.table.api.tables import AID, asked_aid
from clubs.table.api.tile_entry import MOST_TAPS, TAP, tapping_told
from clubs.table.schemas import AidShape, BuilderShape, ReckoningShape, RulesShape
from clubs.table.selectors.rules import Printed, printed_beside
from clubs.table.selectors.tile_entry import Builder, built
from scoring import (
    BadHand,
    RuleSet,
    UnknownRuleSet,
    Wind,
    hand_from_json,
    reckoning_as_json,
    score,
)
from scoring.hands.hand import Fact, WonBy
from scoring.scorebook.editions import book_of, rule_set
from scoring.scorebook.refusals import Refused

WINDS = [wind.value for wind in Wind]
MOST_TILES = 60


class OfRules(OpenAPIView):
    """Part of a rule set."""

    @property
    def rules(self) -> RuleSet:
        """The rule set with that key, house rules too; raises ``Http404``."""
        try:
            return rule_set(self.kwargs["key"])
        except UnknownRuleSet as unknown:
            raise Http404 from unknown


class TilesOfHandField(serializers.ListField):
    """Tile codes."""

    child = TextField(max_length=3)

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"max_length": MOST_TILES, **options})


class SetIn(serializers.Serializer[Any]):
    """A set on the table."""

    tiles = TilesOfHandField()
    exposed = FlagField(default=True, help_text="false for a concealed kong")


class HandToScoreIn(serializers.Serializer[Any]):
    """One player's hand. Tiles are B1 to B9, C1…, O1…, WE WS WW WN, DR DG DW, F1…, S1…, JK."""

    seat_wind = OneOfField(choices=WINDS, default="E")
    prevailing_wind = OneOfField(choices=WINDS, allow_null=True, default=None)
    dealer = FlagField(required=False, help_text="if omitted: whether the player is East")
    sets = serializers.ListField(child=SetIn(), default=list, max_length=10)
    concealed = TilesOfHandField(
        help_text="every tile still in the hand, including the winning tile"
    )
    bonus = TilesOfHandField(default=list, help_text="flowers and seasons")
    mahjong = FlagField(help_text="whether the player went Mah-Jong")
    winning_tile = TextField(max_length=3, allow_null=True, default=None)
    won_by = OneOfField(choices=[way.value for way in WonBy], allow_null=True, default=None)
    facts = serializers.ListField(
        child=OneOfField(choices=[fact.value for fact in Fact]), default=list, max_length=10
    )
    players = NumberField(min_value=2, max_value=5, default=4)
    goulash = FlagField(default=False)


class ScoredTapsIn(serializers.Serializer[Any]):
    """A hand built by tapping."""

    taps = serializers.ListField(
        child=TextField(max_length=40), max_length=MOST_TAPS, default=list, help_text=TAP
    )
    hand = TextField(
        max_length=200, allow_blank=True, default="", help_text="the hand before these taps"
    )
    was = TextField(
        max_length=4000,
        allow_blank=True,
        default="",
        help_text="earlier versions of the hand, for undoing",
    )


PUNGS = OpenApiExample(
    "A Mah-Jong of pungs",
    value={
        "seat_wind": "S",
        "prevailing_wind": "E",
        "sets": [{"tiles": ["WE", "WE", "WE"], "exposed": True}],
        "concealed": ["B1", "B1", "B1", "C5", "C5", "C5", "O9", "O9", "O9", "DR", "DR"],
        "mahjong": True,
        "winning_tile": "DR",
        "won_by": "wall",
    },
    request_only=True,
)


@extend_schema(tags=["score"], examples=[PUNGS])
class ScoreView(OfRules, ActView):
    """A hand to score."""

    asks = HandToScoreIn
    answers = ReckoningShape

    def act(self, told: dict[str, Any]) -> dict[str, object]:
        """Score a hand under these rules and return every line. Nothing is saved."""
        rules = self.rules
        try:
            return reckoning_as_json(score(hand_from_json(told, rules), rules))
        except BadHand as bad:
            raise Refused(bad.problems) from bad


@extend_schema(tags=["score"])
class ScoreTapsView(OfRules, ActView):
    """A hand built by tapping, with its score."""

    asks = ScoredTapsIn
    answers = BuilderShape

    def act(self, told: dict[str, Any]) -> Builder:
        """Score a hand while it is being tapped: every line, what is missing and open questions."""
        tapping = tapping_told(told)
        return built(tapping.steps, tapping.taps, self.rules)


class RulesView(OfRules):
    """A rule set, whole."""

    @extend_schema(tags=["score"], responses=RulesShape)
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Get every line of a rule set with its source, house rules beside their rule book."""
        return Response(RulesShape(self._printed()).data)

    def _printed(self) -> Printed:
        return printed_beside(self.rules, rule_set(book_of(self.kwargs["key"])))


class RulesAidView(OfRules):
    """A beginner's aid."""

    @AID
    @extend_schema(tags=["score"])
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Get a beginner's aid: what a tile is and what it is worth, for any winds."""
        prevailing = Wind.E if self.rules.passing.prevailing else None
        told = asked_aid(request, self.rules, own=Wind.E, prevailing=prevailing)
        return Response(AidShape(told).data)


urlpatterns = [
    path("score/<path:key>/taps/", ScoreTapsView.as_view(), name="api-score-taps"),
    path("score/<path:key>/", ScoreView.as_view(), name="api-score"),
    path("rules/<path:key>/aid/", RulesAidView.as_view(), name="api-rules-aid"),
    path("rules/<path:key>/", RulesView.as_view(), name="api-rules-page"),
]
