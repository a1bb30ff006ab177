"""The shapes of what a club plays: its settings, house rules and practice evening."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from clubs.api.fields import FlagField, OneOfField, TextField
from clubs.api.rows import schema_of
from clubs.house.forms import NumberLine
from clubs.models import Club, Session
from clubs.table.selectors.rules import HouseRow
from scoring import RuleSet
from scoring.rules.declarations import Choice
from scoring.scorebook.models import AgreementPolicy, Recording
from scoring.scorebook.reports import asks_who_discarded

Shape = serializers.Serializer[object]
DECLARED = "house rules: {base, name, limit, choices, points, doubles, without, specials}"


@extend_schema_field({"type": "object", "additionalProperties": {}, "description": DECLARED})
class DeclarationField(serializers.JSONField):
    """House rules as data; the engine judges them."""

    default_error_messages = {"not_an_object": "These are not house rules."}

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if not isinstance(data, dict):
            self.fail("not_an_object")
        return data


class PublicShape(Shape):
    """What everyone can see. Members always see all of it."""

    shows_results = serializers.BooleanField(
        help_text="evenings, players’ pages, special hands and tournaments"
    )
    shows_league = serializers.BooleanField(help_text="league tables, ranking rules and ratings")
    shows_calendar = serializers.BooleanField(help_text="the dates of coming evenings")


class SettingsIn(Shape):
    """A club's settings. Fields you omit stay as they are."""

    rules = TextField(required=False, max_length=40, help_text="the key of available rules")
    record_by = OneOfField(
        required=False, choices=Recording.choices, help_text="how hands are entered"
    )
    agreement = OneOfField(
        required=False,
        choices=AgreementPolicy.choices,
        help_text="who must agree that a hand is right",
    )
    rates = FlagField(required=False, help_text="whether members are rated")


class OfferedShape(Shape):
    """Rules that can be chosen."""

    key = serializers.CharField()
    name = serializers.CharField()


class ClubSettingsShape(Shape):
    """A club’s settings, and the rules it can choose."""

    rules = serializers.CharField(help_text="the key of the rules")
    record_by = serializers.CharField(help_text="how hands are entered")
    agreement = serializers.CharField(help_text="who must agree that a hand is right")
    rates = serializers.BooleanField(help_text="whether members are rated")
    offered = OfferedShape(many=True)


HOUSE = "id=pk key name version book summary made_at made_by games is_offered is_played"

HouseRowShape = schema_of("HouseRowShape", HouseRow, HOUSE)


class DeclaredIn(Shape):
    """House rules as declared."""

    rules = DeclarationField(help_text=DECLARED)


class ChangedLineShape(Shape):
    """A line that differs from the rule book."""

    cells = serializers.ListField(child=serializers.CharField(allow_blank=True))
    change = serializers.CharField(help_text="what differs, in a word")
    said = serializers.CharField(allow_blank=True)


class ChangedSectionShape(Shape):
    """A section of the rules with the lines that differ."""

    title = serializers.CharField()
    heads = serializers.ListField(child=serializers.CharField(allow_blank=True))
    lines = ChangedLineShape(many=True)


class HousePreviewShape(Shape):
    """House rules compared with their rule book."""

    name = serializers.CharField()
    book = serializers.CharField()
    count = serializers.IntegerField(help_text="how many lines differ")
    changed = ChangedSectionShape(many=True)
    rules = DeclarationField(help_text="the whole rules as they would be saved")


HouseWholeShape = schema_of(
    "HouseWholeShape",
    HouseRow,
    f"{HOUSE} rules",
    "A club's house rules, with their declaration.",
    rules=DeclarationField(help_text=DECLARED),
)

NumberLineShape = schema_of("NumberLineShape", NumberLine, "kind name worth")

OpenPointShape = schema_of(
    "OpenPointShape",
    Choice,
    "name words value",
    "A point the rule book leaves open, and its own answer.",
    value=serializers.JSONField(help_text="true or false, or a number"),
)


class HandOfBookShape(Shape):
    """A special hand that house rules can leave out."""

    key = serializers.CharField()
    name = serializers.CharField()


class HouseBookShape(Shape):
    """A rule book to base house rules on, and what they can change."""

    base = serializers.CharField()
    name = serializers.CharField()
    limit = serializers.IntegerField(allow_null=True)
    choices = OpenPointShape(many=True)
    lines = NumberLineShape(many=True)
    hands = HandOfBookShape(many=True, help_text="the names that without can contain")


class RehearsalShape(Shape):
    """A practice evening, in a separate club of made-up members."""

    club = serializers.CharField(
        help_text="the slug of the practice evening; use it like any club’s"
    )
    name = serializers.CharField()
    evening_id = serializers.IntegerField()
    state = serializers.CharField()


class RehearsedShape(RehearsalShape):
    """A practice evening after hands were played."""

    hands = serializers.IntegerField(help_text="how many hands were played at all tables")


def rehearsal_data(session: Session) -> dict[str, Any]:
    """A practice evening as ``RehearsalShape``."""
    return {
        "club": session.club.slug,
        "name": session.club.name,
        "evening_id": session.pk,
        "state": session.state,
    }


class ClubShape(serializers.ModelSerializer[Club]):
    """A club."""

    class Meta:
        model = Club
        fields = ["slug", "name", "rules", "shows_results", "shows_league", "shows_calendar"]


class RuleSetShape(serializers.Serializer[object]):
    """A rule set, and what a hand must state under it."""

    key = serializers.CharField()
    name = serializers.CharField()
    limit = serializers.IntegerField(allow_null=True)
    losers_score = serializers.BooleanField(help_text="false if only the winner scores")
    players_pay = serializers.BooleanField(source="zero_sum", help_text="false if scores add up")
    asks_who_discarded = serializers.SerializerMethodField(
        help_text="whether a hand needs won_by and, after a claim, discarder"
    )

    def get_asks_who_discarded(self, rules: RuleSet) -> bool:
        """Whether the player who discarded the last tile pays alone."""
        return asks_who_discarded(rules)
