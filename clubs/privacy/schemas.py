"""The shapes of what the API answers about personal data and how long it is kept."""

from rest_framework import serializers

from clubs.api.rows import schema_of
from clubs.backup.archive import BackupNews
from clubs.models import Player
from clubs.privacy.selectors import erasure
from clubs.privacy.selectors.data_export import Dossier, Part

Shape = serializers.Serializer[object]


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


PartShape = schema_of(
    "PartShape",
    Part,
    "title about columns rows tables",
    rows=serializers.ListField(
        child=serializers.DictField(child=serializers.CharField(allow_blank=True)),
        help_text="each row’s cells by column",
    ),
)

EverythingShape = schema_of(
    "EverythingShape", Dossier, "club name made_at parts left_out", parts=PartShape
)

SealedShape = schema_of("SealedShape", erasure.Sealed, "held_on words")

ErasureShape = schema_of(
    "ErasureShape",
    erasure.ErasurePreview,
    "name former why_not goes stays sealed look",
    why_not=serializers.CharField(allow_blank=True, help_text="empty if it can be done now"),
    sealed=SealedShape,
)

ErasedShape = schema_of(
    "ErasedShape",
    Player,
    "id=pk name erased_on",
    "A person whose data was deleted: what results show now.",
    erased_on=serializers.DateField(),
)

DuePersonShape = schema_of("DuePersonShape", erasure.DuePerson, "player_id name why last_known")


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


GoneShape = schema_of("GoneShape", erasure.Gone, "what at by")
BackupShape = schema_of("BackupShape", BackupNews, "good_at trouble fault put_back_at")
