"""The shapes of what a club plays: its settings, its own rules, its rehearsal."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from clubs.api.fields import FlagField, OneOfField, TextField
from clubs.models import Session
from scoring.scorebook.models import AgreementPolicy, Recording

Shape = serializers.Serializer[object]
DECLARED = "house rules: {base, name, limit, choices, points, doubles, without, specials}"


@extend_schema_field({"type": "object", "additionalProperties": {}, "description": DECLARED})
class DeclarationField(serializers.JSONField):
    """House rules as data; the engine judges them."""

    default_error_messages = {"not_an_object": "These are not house rules."}

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        """The object as it is."""
        if not isinstance(data, dict):
            self.fail("not_an_object")
        return data


class PublicShape(Shape):
    """What a club shows to everyone; members see all of it anyway."""

    shows_results = serializers.BooleanField(
        help_text="evenings, players’ pages, special hands and tournaments"
    )
    shows_league = serializers.BooleanField(help_text="league tables, ranking rules and ratings")
    shows_calendar = serializers.BooleanField(help_text="the dates of coming evenings")


class SettingsIn(Shape):
    """What a club plays; what is not sent stays as it is."""

    rules = TextField(required=False, max_length=40, help_text="the key of rules that are offered")
    record_by = OneOfField(
        required=False, choices=Recording.choices, help_text="how hands are told"
    )
    agreement = OneOfField(
        required=False,
        choices=AgreementPolicy.choices,
        help_text="who must say that a hand is right",
    )
    rates = FlagField(required=False, help_text="whether members are rated")


class OfferedShape(Shape):
    """Rules that can be chosen."""

    key = serializers.CharField()
    name = serializers.CharField()


class ClubSettingsShape(Shape):
    """A club’s settings, and the rules that it can choose among."""

    rules = serializers.CharField(help_text="the key of the rules")
    record_by = serializers.CharField(help_text="how hands are told")
    agreement = serializers.CharField(help_text="who must say that a hand is right")
    rates = serializers.BooleanField(help_text="whether members are rated")
    offered = OfferedShape(many=True)


class HouseRowShape(Shape):
    """House rules that a club has kept."""

    id = serializers.IntegerField(source="pk")
    key = serializers.CharField()
    name = serializers.CharField()
    version = serializers.IntegerField(help_text="counts those of one name; 0: there is one alone")
    book = serializers.CharField(help_text="the book that they are made from")
    summary = serializers.CharField(help_text="what is otherwise than in the book, counted")
    made_at = serializers.DateTimeField()
    made_by = serializers.CharField(allow_blank=True)
    games = serializers.IntegerField(help_text="how many games were played by them")
    is_offered = serializers.BooleanField(help_text="whether they can be chosen")
    is_played = serializers.BooleanField(help_text="whether the club plays them now")


class DeclaredIn(Shape):
    """House rules as they are declared."""

    rules = DeclarationField(help_text=DECLARED)


class ChangedLineShape(Shape):
    """A line that is otherwise than in the book."""

    cells = serializers.ListField(child=serializers.CharField(allow_blank=True))
    change = serializers.CharField(help_text="a word for what is otherwise")
    said = serializers.CharField(allow_blank=True)


class ChangedSectionShape(Shape):
    """A table of the rules with its lines that are otherwise."""

    title = serializers.CharField()
    heads = serializers.ListField(child=serializers.CharField(allow_blank=True))
    lines = ChangedLineShape(many=True)


class HousePreviewShape(Shape):
    """House rules looked at beside their book."""

    name = serializers.CharField()
    book = serializers.CharField()
    count = serializers.IntegerField(help_text="how many lines are otherwise")
    changed = ChangedSectionShape(many=True)
    rules = DeclarationField(help_text="the rules as they would be kept, whole")


class HouseWholeShape(HouseRowShape):
    """House rules that a club has kept, with their declaration."""

    rules = DeclarationField(help_text=DECLARED)


class NumberLineShape(Shape):
    """A line of the book whose numbers house rules can change."""

    kind = serializers.CharField(help_text="points or doubles")
    name = serializers.CharField()
    worth = serializers.ListField(
        child=serializers.IntegerField(), help_text="one number, or exposed and concealed"
    )


class OpenPointShape(Shape):
    """What the book leaves open, and what it says itself."""

    name = serializers.CharField()
    words = serializers.CharField()
    value = serializers.JSONField(help_text="true or false, or a number")


class HandOfBookShape(Shape):
    """A special hand that house rules can leave out."""

    key = serializers.CharField()
    name = serializers.CharField()


class HouseBookShape(Shape):
    """A book that house rules can be made from, and what they can say."""

    base = serializers.CharField()
    name = serializers.CharField()
    limit = serializers.IntegerField(allow_null=True)
    choices = OpenPointShape(many=True)
    lines = NumberLineShape(many=True)
    hands = HandOfBookShape(many=True, help_text="what without can name")


class RehearsalShape(Shape):
    """An evening that is rehearsed, in a club of pretend members beside the real one."""

    club = serializers.CharField(help_text="the slug of the rehearsal; use it as any club’s")
    name = serializers.CharField()
    evening_id = serializers.IntegerField()
    state = serializers.CharField()


class RehearsedShape(RehearsalShape):
    """The same once hands were played."""

    hands = serializers.IntegerField(help_text="how many were played at all tables")


def rehearsal_told(session: Session) -> dict[str, Any]:
    """An evening that is rehearsed as ``RehearsalShape`` tells it."""
    return {
        "club": session.club.slug,
        "name": session.club.name,
        "evening_id": session.pk,
        "state": session.state,
    }
