"""The shapes of what the secretary's desk answers."""

from typing import Any, Final

from rest_framework import serializers

from clubs.api.fields import OneOfField, StrictSerializer, TextField
from clubs.members.files import MemberLine
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


class DueShape(Shape):
    """A member whose subscription is overdue or due soon."""

    player_id = serializers.IntegerField()
    name = serializers.CharField()
    email = serializers.CharField(allow_blank=True)
    phone = serializers.CharField(allow_blank=True)
    paid_until = serializers.DateField(allow_null=True, help_text="null: not recorded")
    is_over = serializers.BooleanField(help_text="whether it is overdue")


class LapsedShape(Shape):
    """Someone who is no longer a member."""

    player_id = serializers.IntegerField()
    name = serializers.CharField()
    since = serializers.DateField()
    paid_until = serializers.DateField(allow_null=True, help_text="null: not recorded")


class GuestShape(Shape):
    """A guest, and how often they came."""

    player_id = serializers.IntegerField()
    name = serializers.CharField()
    visits = serializers.IntegerField()
    last_seen = serializers.DateField(allow_null=True)
    is_to_ask = serializers.BooleanField(help_text="whether it is time to ask them to join")


class SubscriptionsShape(Shape):
    """Who is due, who never paid, who has left, the guests; and when guests are asked to join."""

    visits = serializers.IntegerField(
        allow_null=True, help_text="the visit from which a guest is asked to join; null: never"
    )
    due = DueShape(many=True, help_text="the longest due first")
    unknown = DueShape(many=True, help_text="members with no recorded payment")
    lapsed = LapsedShape(many=True)
    guests = GuestShape(many=True, help_text="the most frequent guests first")


class TwinShape(Shape):
    """Two records with similar names. The one with more evenings would be kept."""

    kept_id = serializers.IntegerField()
    kept = serializers.CharField()
    kept_evenings = serializers.IntegerField()
    gone_id = serializers.IntegerField()
    gone = serializers.CharField()
    gone_evenings = serializers.IntegerField()


class MergeShape(Shape):
    """Two merged records."""

    id = serializers.IntegerField(source="pk")
    kept_id = serializers.IntegerField()
    kept = serializers.CharField()
    gone = serializers.CharField(help_text="the name of the other record, now a nickname")
    made_at = serializers.DateTimeField()
    undone_at = serializers.DateTimeField(allow_null=True, help_text="null: still merged")


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


class ImportShape(Shape):
    """An import."""

    id = serializers.IntegerField(source="pk")
    file_name = serializers.CharField(allow_blank=True)
    made_at = serializers.DateTimeField()
    added = serializers.IntegerField(help_text="how many people were new")
    changed = serializers.IntegerField(help_text="how many other people it changed")
    undone_at = serializers.DateTimeField(allow_null=True, help_text="null: not undone")


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


class LikelyShape(Shape):
    """Someone on the list who may be the same person."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()


class DifferenceShape(Shape):
    """A difference between a line and the club’s list."""

    what = serializers.CharField(source="label", help_text="the field, in words")
    was = serializers.CharField(allow_blank=True)
    becomes = serializers.CharField(allow_blank=True)


class PlannedShape(serializers.Serializer[PlannedLine]):
    """What would happen to one line of a list."""

    line = serializers.IntegerField(source="line.number")
    name = serializers.CharField(source="line.name")
    how = serializers.CharField(help_text="how the person was recognised, in words")
    is_new = serializers.BooleanField(help_text="whether no one on the list is similar")
    is_doubtful = serializers.BooleanField(help_text="whether someone must choose who it is")
    people = LikelyShape(many=True, help_text="who is meant, or may be")
    changes = DifferenceShape(many=True)
    told = serializers.SerializerMethodField(help_text="the line, in words")

    def get_told(self, planned: PlannedLine) -> list[str]:
        """What stands in the line beside the name."""
        line: MemberLine = planned.line
        return line.in_words


class PlanShape(Shape):
    """A list that was previewed."""

    lines = PlannedShape(many=True)


class WayShape(Shape):
    """A way to show a name, and how the person’s own name would look."""

    shown_as = serializers.CharField()
    name = serializers.CharField()
    note = serializers.CharField()


class MyNameShape(Shape):
    """Who you are on the club’s list, and how your name is shown."""

    player_id = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    shown_as = serializers.CharField()
    ways = WayShape(many=True)


class PartShape(Shape):
    """A heading of the file on a person."""

    title = serializers.CharField()
    about = serializers.CharField(allow_blank=True)
    columns = serializers.ListField(child=serializers.CharField())
    rows = serializers.ListField(
        child=serializers.DictField(child=serializers.CharField(allow_blank=True)),
        help_text="each row’s cells by column",
    )
    tables = serializers.ListField(child=serializers.CharField())


class EverythingShape(Shape):
    """All the personal data on one person."""

    club = serializers.CharField()
    name = serializers.CharField()
    made_at = serializers.DateTimeField()
    parts = PartShape(many=True)
    left_out = serializers.DictField(
        child=serializers.CharField(),
        help_text="tables that are not included, each with the reason",
    )


class SealedShape(Shape):
    """Words in a score book that name the person and cannot be removed."""

    held_on = serializers.DateField()
    words = serializers.CharField()


class ErasureShape(Shape):
    """What deleting a person's data would remove and keep. It cannot be undone."""

    name = serializers.CharField()
    former = serializers.CharField(help_text="what results would show instead of the name")
    why_not = serializers.CharField(allow_blank=True, help_text="empty if it can be done now")
    goes = serializers.ListField(child=serializers.CharField())
    stays = serializers.ListField(child=serializers.CharField())
    sealed = SealedShape(many=True)
    look = serializers.ListField(
        child=serializers.CharField(), help_text="words that may refer to the person; they stay"
    )


class ErasedShape(Shape):
    """A person whose data was deleted: what results show now."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    erased_on = serializers.DateField()


class DuePersonShape(Shape):
    """Someone whose data is deleted next, and why."""

    player_id = serializers.IntegerField()
    name = serializers.CharField()
    why = serializers.CharField()
    last_known = serializers.DateField()


class TimetableShape(Shape):
    """How many months each kind of data is kept (null: until deleted by hand), and what is next."""

    guests = serializers.IntegerField(allow_null=True, help_text="after a guest’s last visit")
    lapsed = serializers.IntegerField(allow_null=True, help_text="after someone has left")
    letters = serializers.IntegerField(
        allow_null=True, help_text="messages, invitations and imports"
    )
    money = serializers.IntegerField(allow_null=True, help_text="who paid table money")
    deeds = serializers.IntegerField(allow_null=True, help_text="the activity log")
    is_agreed = serializers.BooleanField(
        help_text="false: a proposal, so nothing is deleted automatically"
    )
    next_on = serializers.DateField(allow_null=True)
    sentences = serializers.ListField(child=serializers.CharField())
    people = DuePersonShape(many=True, help_text="whose names are deleted on that day")
    counted = serializers.ListField(child=serializers.CharField(), help_text="what else is deleted")


class GoneShape(Shape):
    """What was deleted, without names."""

    what = serializers.CharField()
    at = serializers.DateTimeField()
    by = serializers.CharField(allow_blank=True, help_text="empty: the retention schedule")


class BackupShape(Shape):
    """The state of the backups of the whole installation."""

    good_at = serializers.DateTimeField(allow_null=True, help_text="null: no good backup was made")
    trouble = serializers.CharField(allow_blank=True, help_text="empty: no problem")
    fault = serializers.CharField(allow_blank=True, help_text="why the newest one failed")
    put_back_at = serializers.DateTimeField(
        allow_null=True, help_text="when Tongbox was restored from a backup; null: never"
    )


class PlayerShape(serializers.Serializer[object]):
    """One row of the member list, without email addresses."""

    player_id = serializers.IntegerField()
    name = serializers.CharField()
    kind = serializers.CharField()
    is_active = serializers.BooleanField()
    evenings = serializers.IntegerField()
    last_seen = serializers.DateField(allow_null=True)
