"""The shapes of what is answered about people: subscriptions, lists, twins, what is held."""

from typing import Any

from rest_framework import serializers

from clubs.api.fields import OneOfField, StrictSerializer, TextField
from clubs.memberlines import MemberLine
from clubs.models import PlayerKind, ShownAs
from clubs.services.importing_plan import PlannedLine

Shape = serializers.Serializer[object]
MOST_LIST = 90_000


class DueShape(Shape):
    """A member whose subscription has run out, or soon will."""

    player_id = serializers.IntegerField()
    name = serializers.CharField()
    email = serializers.CharField(allow_blank=True)
    phone = serializers.CharField(allow_blank=True)
    paid_until = serializers.DateField(allow_null=True, help_text="null: nothing is written down")
    is_over = serializers.BooleanField(help_text="whether it has run out already")


class LapsedShape(Shape):
    """Someone who is no longer a member."""

    player_id = serializers.IntegerField()
    name = serializers.CharField()
    since = serializers.DateField()
    paid_until = serializers.DateField(allow_null=True, help_text="null: nothing is written down")


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
        allow_null=True, help_text="from which visit on a guest is asked to join; null: never"
    )
    due = DueShape(many=True, help_text="the longest due first")
    unknown = DueShape(many=True, help_text="members of whom no payment is written down")
    lapsed = LapsedShape(many=True)
    guests = GuestShape(many=True, help_text="who came most often first")


class TwinShape(Shape):
    """Two records with like names; the one with more evenings would be kept."""

    kept_id = serializers.IntegerField()
    kept = serializers.CharField()
    kept_evenings = serializers.IntegerField()
    gone_id = serializers.IntegerField()
    gone = serializers.CharField()
    gone_evenings = serializers.IntegerField()


class MergeShape(Shape):
    """Two records that were made one."""

    id = serializers.IntegerField(source="pk")
    kept_id = serializers.IntegerField()
    kept = serializers.CharField()
    gone = serializers.CharField(help_text="the name of the other record, now another name")
    made_at = serializers.DateTimeField()
    undone_at = serializers.DateTimeField(allow_null=True, help_text="null: they are one")


class MergePreviewShape(Shape):
    """What would happen if two records were made one."""

    kept_id = serializers.IntegerField()
    gone_id = serializers.IntegerField()
    moves = serializers.ListField(
        child=serializers.CharField(), help_text="what would become the kept record’s, in words"
    )
    problems = serializers.ListField(
        child=serializers.CharField(), help_text="why they cannot be merged; empty if they can"
    )


class ImportShape(Shape):
    """A list that was read in."""

    id = serializers.IntegerField(source="pk")
    file_name = serializers.CharField(allow_blank=True)
    made_at = serializers.DateTimeField()
    added = serializers.IntegerField(help_text="how many people were new in it")
    changed = serializers.IntegerField(help_text="of how many others it changed something")
    undone_at = serializers.DateTimeField(allow_null=True, help_text="null: it stands")


class PersonIn(StrictSerializer):
    """Someone of a list; what is not sent stays as it is held."""

    name = TextField(max_length=80)
    kind = OneOfField(choices=PlayerKind.choices, required=False)
    email = TextField(required=False, allow_blank=True, max_length=254)
    phone = TextField(required=False, allow_blank=True, max_length=40)
    joined_on = serializers.DateField(required=False)
    paid_until = serializers.DateField(required=False)
    nicknames = serializers.ListField(child=TextField(max_length=80), required=False)
    shown_as = OneOfField(choices=ShownAs.choices, required=False)


class MembersListIn(Shape):
    """A list of people: as the text of a spreadsheet, or person by person; one of the two."""

    text = TextField(
        required=False,
        trim_whitespace=False,
        max_length=MOST_LIST,
        help_text="lines with commas, semicolons or tabs; the first names the columns",
    )
    people = PersonIn(
        many=True, required=False, allow_empty=False, help_text="the same person by person"
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
        help_text="by a line’s number who it is: a person’s id, new, or out to leave it out",
    )

    def validate_choices(self, told: dict[str, str]) -> dict[int, str]:
        """Lines are known by their numbers."""
        if strange := [key for key in told if not (key.isascii() and key.isdigit())]:
            fault = "This is not the number of a line."
            raise serializers.ValidationError({key: [fault] for key in strange})
        return {int(key): choice for key, choice in told.items() if len(key) < len(str(2**62))}


class LikelyShape(Shape):
    """Someone on the list who may be meant."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()


class DifferenceShape(Shape):
    """What a line says otherwise than the club’s list."""

    what = serializers.CharField(source="label", help_text="the field, in words")
    was = serializers.CharField(allow_blank=True)
    becomes = serializers.CharField(allow_blank=True)


class PlannedShape(serializers.Serializer[PlannedLine]):
    """What would become of one line of a list."""

    line = serializers.IntegerField(source="line.number")
    name = serializers.CharField(source="line.name")
    how = serializers.CharField(help_text="how the person was known again, in words")
    is_new = serializers.BooleanField(help_text="whether nobody on the list is like this")
    is_doubtful = serializers.BooleanField(help_text="whether someone must choose who it is")
    people = LikelyShape(many=True, help_text="who is meant, or may be")
    changes = DifferenceShape(many=True)
    told = serializers.SerializerMethodField(help_text="what stands in the line, in words")

    def get_told(self, planned: PlannedLine) -> list[str]:
        """What stands in the line beside the name."""
        line: MemberLine = planned.line
        return line.told


class PlanShape(Shape):
    """A list that was looked at and not stored."""

    lines = PlannedShape(many=True)


class WayShape(Shape):
    """A way in which others can read a name, and how the person’s own name would stand."""

    shown_as = serializers.CharField()
    name = serializers.CharField()
    note = serializers.CharField()


class MyNameShape(Shape):
    """Who the caller is on the club’s list, and how others read their name."""

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
    """Everything that the club holds on one person."""

    club = serializers.CharField()
    name = serializers.CharField()
    made_at = serializers.DateTimeField()
    parts = PartShape(many=True)
    left_out = serializers.DictField(
        child=serializers.CharField(), help_text="tables that are not told, each with the reason"
    )


class SealedShape(Shape):
    """Words in an event’s sealed book that name the person and must stay."""

    held_on = serializers.DateField()
    words = serializers.CharField()


class ErasureShape(Shape):
    """What would go and what would stay if a person were erased. It cannot be taken back."""

    name = serializers.CharField()
    former = serializers.CharField(help_text="what results would show instead of the name")
    why_not = serializers.CharField(allow_blank=True, help_text="empty where it can be done now")
    goes = serializers.ListField(child=serializers.CharField())
    stays = serializers.ListField(child=serializers.CharField())
    sealed = SealedShape(many=True)
    look = serializers.ListField(
        child=serializers.CharField(), help_text="words that perhaps mean the person; they stay"
    )


class ErasedShape(Shape):
    """A person who was erased: what results show now."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    erased_on = serializers.DateField()


class DuePersonShape(Shape):
    """Someone whose name goes next, and why."""

    player_id = serializers.IntegerField()
    name = serializers.CharField()
    why = serializers.CharField()
    last_known = serializers.DateField()


class TimetableShape(Shape):
    """For how many months what is kept (null: until taken away by hand), and what goes next."""

    guests = serializers.IntegerField(allow_null=True, help_text="after a guest’s last visit")
    lapsed = serializers.IntegerField(allow_null=True, help_text="after someone has left")
    letters = serializers.IntegerField(
        allow_null=True, help_text="messages, invitations and lists that were read in"
    )
    money = serializers.IntegerField(allow_null=True, help_text="who paid table money")
    deeds = serializers.IntegerField(allow_null=True, help_text="who did what")
    is_agreed = serializers.BooleanField(help_text="false: a proposal, nothing goes by itself")
    next_on = serializers.DateField(allow_null=True)
    sentences = serializers.ListField(child=serializers.CharField())
    people = DuePersonShape(many=True, help_text="whose names go on that day")
    counted = serializers.ListField(child=serializers.CharField(), help_text="what else goes")


class GoneShape(Shape):
    """What was let go; it names nobody."""

    what = serializers.CharField()
    at = serializers.DateTimeField()
    by = serializers.CharField(allow_blank=True, help_text="empty: the timetable")


class BackupShape(Shape):
    """How the backups of the whole installation stand."""

    good_at = serializers.DateTimeField(allow_null=True, help_text="null: no good one was made")
    trouble = serializers.CharField(allow_blank=True, help_text="empty: nothing is wrong")
    fault = serializers.CharField(allow_blank=True, help_text="what the newest one failed of")
    put_back_at = serializers.DateTimeField(
        allow_null=True, help_text="when the book was put back from it; null: it was not"
    )
