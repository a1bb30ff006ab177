"""The shapes of what a club writes to its people."""

from typing import Any

from rest_framework import serializers

from clubs.api.fields import KeyField, OneOfField, TextField
from clubs.api.rows import schema_of
from clubs.messages.forms import CHOSEN, EVERYBODY, GLAD, LONGEST, TONIGHT
from clubs.messages.message_kinds import FREE, INVITATION, NO_EVENING, RENEWAL, WRITTEN
from clubs.messages.selectors import BatchView, Call, Letter, Undelivered
from clubs.models import MessageState

Shape = serializers.Serializer[object]
WHO = [
    (EVERYBODY, "all members"),
    (TONIGHT, "everyone who came to the latest evening; for the kind message"),
    (GLAD, "everyone on the substitutes list; for the kind invitation"),
    (CHOSEN, "only those in people"),
]
ASKED = {
    FREE.key: {"subject", "text", "who", "people"},
    INVITATION.key: {"day", "who", "people"},
    NO_EVENING.key: {"day", "why", "who", "people"},
    RENEWAL.key: set[str](),
}
SUBJECT = 160


class FieldShape(Shape):
    """A personal detail you can insert in a text."""

    name = serializers.CharField()
    means = serializers.CharField()


class MatterShape(Shape):
    """A kind of message that can be written."""

    kind = serializers.CharField()
    title = serializers.CharField()
    note = serializers.CharField(allow_blank=True)
    asks = serializers.ListField(child=serializers.CharField(), help_text="the fields to send")
    fields_in_text = FieldShape(many=True, help_text="the personal details you can insert")


class WriteIn(Shape):
    """A new message; its kind decides which of the other fields it asks for."""

    kind = OneOfField(choices=[(message_kind.key, message_kind.title) for message_kind in WRITTEN])
    subject = TextField(required=False, max_length=SUBJECT)
    text = TextField(required=False, max_length=LONGEST, help_text="with fields such as {name}")
    day = serializers.DateField(required=False, help_text="a future date")
    why = TextField(required=False, allow_blank=True, max_length=80)
    who = OneOfField(required=False, choices=WHO)
    people = serializers.ListField(child=KeyField(), required=False, help_text="for who: chosen")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Only what the kind asks for."""
        strange = attrs.keys() - ASKED[attrs["kind"]] - {"kind"}
        if strange:
            fault = "This kind of message does not use this field."
            raise serializers.ValidationError({name: [fault] for name in sorted(strange)})
        return attrs


class CountsShape(Shape):
    """How many messages are in each state."""

    draft = serializers.IntegerField()
    waiting = serializers.IntegerField(help_text="being sent")
    sent = serializers.IntegerField()
    refused = serializers.IntegerField(help_text="not delivered")
    dropped = serializers.IntegerField(help_text="excluded")


class BatchShape(CountsShape):
    """A batch: one message to many people."""

    id = serializers.IntegerField(source="pk")
    kind = serializers.CharField()
    title = serializers.CharField()
    made_at = serializers.DateTimeField()
    made_by = serializers.CharField(source="made_by.name", default="")
    to_send = serializers.IntegerField(help_text="drafts that go by email when it is sent")
    by_hand = serializers.IntegerField(help_text="drafts for people without an email address")


LetterShape = schema_of(
    "LetterShape",
    Letter,
    "id=pk player_id name email state subject body answer sent_at has_own_text is_to_send "
    "is_by_hand",
    state=serializers.ChoiceField(choices=MessageState.choices),
)

BatchWholeShape = schema_of(
    "BatchWholeShape",
    BatchView,
    "id=batch.pk batch.kind batch.title batch.made_at subject text drafts own_texts waiting sent "
    "dropped has_failed seen job letters",
    "A batch with every message.",
    own_texts="how many drafts were edited individually",
    has_failed="whether messages are waiting and nothing is sending them",
    job=serializers.UUIDField(
        source="job.pk", default=None, allow_null=True, help_text="of the latest send"
    ),
    letters=LetterShape,
)


class SeenIn(Shape):
    """What was read before sending."""

    seen = TextField(max_length=64, help_text="as given in the batch; any other value is refused")


class OneOrAllIn(Shape):
    """One message of the batch, or all that apply."""

    message = KeyField(required=False, help_text="if omitted: all")


class OneIn(Shape):
    """One message of the batch."""

    message = KeyField()


class ToldIn(OneIn):
    """Who has been contacted, and how."""

    by = OneOfField(choices=[("letter", "by letter"), ("telephone", "by phone")])


UndeliveredShape = schema_of(
    "UndeliveredShape", Undelivered, "id=pk batch_id player_id name email subject answer"
)

PhoneCallShape = schema_of(
    "PhoneCallShape",
    Call,
    "message=pk player_id name phone say address why",
    address=serializers.CharField(
        allow_blank=True, help_text="where to record their yes or no; empty if none is asked"
    ),
)
