"""The shapes of what the secretary's desk answers."""

from typing import Any, Final

from rest_framework import serializers

from clubs.api.fields import OneOfField, StrictSerializer, TextField
from clubs.api.rows import schema_of
from clubs.members import selectors
from clubs.members.person_columns import EDITED
from clubs.members.selectors import PlannedLine
from clubs.models import Player, PlayerKind, ShownAs

# In the order in which they have always been sent; other columns follow.
DETAILS: Final = (
    *("name", "nicknames", "kind", "email", "wants_results", "phone", "shown_as"),
    *("is_active", "joined_on", "paid_until"),
)


class HeldShape(serializers.ModelSerializer[Player]):
    """One person's details, for those who may change them."""

    id = serializers.IntegerField(source="pk")
    nicknames = serializers.SerializerMethodField()

    class Meta:
        model = Player
        fields = ["id", *DETAILS, *(name for name in EDITED if name not in DETAILS), "lapsed_on"]

    def get_nicknames(self, player: Player) -> list[str]:
        """Other names by which the person is known on lists."""
        return [alias.name for alias in player.aliases.all()]


Shape = serializers.Serializer[object]
MOST_LIST = 90_000


DueShape = schema_of("DueShape", selectors.DueRow, "player_id name email phone paid_until is_over")
LapsedShape = schema_of("LapsedShape", selectors.LapsedRow, "player_id name since paid_until")

GuestShape = schema_of(
    "GuestShape", selectors.GuestRow, "player_id name visits last_seen is_to_ask"
)

SubscriptionsShape = schema_of(
    "SubscriptionsShape",
    selectors.Subscriptions,
    "visits due unknown lapsed guests",
    "Who is due, who never paid, who has left, the guests; and when guests are asked to join.",
    visits=serializers.IntegerField(
        allow_null=True, help_text="the visit from which a guest is asked to join; null: never"
    ),
    due=DueShape,
    unknown=DueShape,
    lapsed=LapsedShape,
    guests=GuestShape,
)

TwinShape = schema_of(
    "TwinShape", selectors.DuplicateRow, "kept_id kept kept_evenings gone_id gone gone_evenings"
)

MergeShape = schema_of(
    "MergeShape", selectors.MergeRow, "id=pk kept_id kept gone made_at undone_at"
)


class MergePreviewShape(Shape):
    """The effect of merging two records."""

    kept_id = serializers.IntegerField()
    gone_id = serializers.IntegerField()
    moves = serializers.ListField(
        child=serializers.CharField(), help_text="what the kept record would gain, in words"
    )
    problems = serializers.ListField(
        child=serializers.CharField(), help_text="why they cannot be merged; empty if they can"
    )


ImportShape = schema_of(
    "ImportShape", selectors.ImportRow, "id=pk file_name made_at added changed undone_at"
)


class PersonIn(StrictSerializer):
    """Someone in a list. Fields you omit stay as they are."""

    name = TextField(max_length=80)
    kind = OneOfField(choices=PlayerKind.choices, required=False)
    email = TextField(required=False, allow_blank=True, max_length=254)
    phone = TextField(required=False, allow_blank=True, max_length=40)
    joined_on = serializers.DateField(required=False)
    paid_until = serializers.DateField(required=False)
    nicknames = serializers.ListField(child=TextField(max_length=80), required=False)
    shown_as = OneOfField(choices=ShownAs.choices, required=False)


class MembersListIn(Shape):
    """A list of people: either as the text of a spreadsheet, or person by person."""

    text = TextField(
        required=False,
        trim_whitespace=False,
        max_length=MOST_LIST,
        help_text="lines with commas, semicolons or tabs; the first line names the columns",
    )
    people = PersonIn(
        many=True, required=False, allow_empty=False, help_text="the same list, person by person"
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Exactly one of the two."""
        if ("text" in attrs) == ("people" in attrs):
            raise serializers.ValidationError("Send either text or people.")
        return attrs


class StoreMembersIn(MembersListIn):
    """A list of people, and who its doubtful lines are."""

    file_name = TextField(required=False, allow_blank=True, max_length=120)
    choices = serializers.DictField(
        child=TextField(max_length=20),
        required=False,
        help_text="by line number: a person’s id, new, or out to exclude the line",
    )

    def validate_choices(self, choices: dict[str, str]) -> dict[int, str]:
        """Lines are known by their numbers."""
        if strange := [key for key in choices if not (key.isascii() and key.isdigit())]:
            fault = "This is not the number of a line."
            raise serializers.ValidationError({key: [fault] for key in strange})
        return {int(key): choice for key, choice in choices.items() if len(key) < len(str(2**62))}


LikelyShape = schema_of(
    "LikelyShape", Player, "id=pk name", "Someone on the list who may be the same person."
)

DifferenceShape = schema_of("DifferenceShape", selectors.Change, "what=label was becomes")

PlannedShape = schema_of(
    "PlannedShape",
    PlannedLine,
    "line=line.number line.name how is_new is_doubtful people changes told",
    "What would happen to one line of a list.",
    is_doubtful="whether someone must choose who it is",
    is_new="whether no one on the list is similar",
    people=LikelyShape(many=True, help_text="who is meant, or may be"),
    changes=DifferenceShape,
    told=serializers.ListField(
        source="line.in_words",
        child=serializers.CharField(),
        read_only=True,
        help_text="the line, in words",
    ),
)


class PlanShape(Shape):
    """A list that was previewed."""

    lines = PlannedShape(many=True)


PlayerShape = schema_of(
    "PlayerShape",
    selectors.MemberRow,
    "player_id name kind is_active evenings last_seen",
    "One row of the member list, without email addresses.",
)
