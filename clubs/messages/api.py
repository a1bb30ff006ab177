"""A club's messages over the API: written, looked at, changed."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final

from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import path, reverse
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from clubs.api.base import ClubAPIView, ClubListAPIView, lists, reads
from clubs.api.commands import ActAPIView, ChangeAPIView, as_form_data, changes, cleaned_data, does
from clubs.api.created import Place
from clubs.api.fields import KEY, KeyField, OneOfField, TextField, days, number, one_of, search
from clubs.api.papers import (
    OfferedPaper,
    PaperShape,
    Printout,
    PrintoutAPIView,
    PrintoutsAPIView,
    prints_one_of,
)
from clubs.api.rows import schema_of
from clubs.core.permissions import SEND_MESSAGES
from clubs.language.moments import long_date
from clubs.messages import selectors as rows, services
from clubs.messages.forms import CHOSEN, EVERYBODY, GLAD, LONGEST, TONIGHT, TextForm, WriteForm
from clubs.messages.message_kinds import KINDS, WRITTEN, MergeField, MessageKind
from clubs.messages.papers import PrintedLetter, letters_pdf, telephone_pdf
from clubs.models import Batch, Message, MessageState
from clubs.paper.formats import Format

Shape = serializers.Serializer[object]
WHO = [
    (EVERYBODY, "all members"),
    (TONIGHT, "everyone who came to the latest evening; for the kind message"),
    (GLAD, "everyone on the substitutes list; for the kind invitation"),
    (CHOSEN, "only those in people"),
]
SUBJECT = 160
FieldShape = schema_of("FieldShape", MergeField, "name means")
MatterShape = schema_of(
    "MatterShape",
    MessageKind,
    "kind=key title note asks fields_in_text=fields",
    fields_in_text=FieldShape,
)


class WriteIn(Shape):
    """A new message; its kind decides which of the other fields it asks for."""

    kind = OneOfField(choices=[(message_kind.key, message_kind.title) for message_kind in WRITTEN])
    subject = TextField(required=False, max_length=SUBJECT)
    text = TextField(required=False, max_length=LONGEST, help_text="with fields such as {name}")
    day = serializers.DateField(required=False, help_text="a future date")
    evening = KeyField(required=False, help_text="a finished evening; for the kind result")
    why = TextField(required=False, allow_blank=True, max_length=80)
    who = OneOfField(required=False, choices=WHO)
    people = serializers.ListField(child=KeyField(), required=False, help_text="for who: chosen")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Only what the kind asks for."""
        strange = attrs.keys() - {*KINDS[attrs["kind"]].asks, "kind"}
        if strange:
            fault = "This kind of message does not use this field."
            raise serializers.ValidationError({name: [fault] for name in sorted(strange)})
        return attrs


class CountsShape(Shape):
    """How many messages are in each state."""

    draft = serializers.IntegerField()
    waiting = serializers.IntegerField(help_text="being sent")
    sent = serializers.IntegerField(help_text="emailed, or passed on by post or phone")
    contacted = serializers.IntegerField(help_text="of these, by post or phone")
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
    rows.Letter,
    "id=pk player_id name email state subject body answer sent_at has_own_text is_to_send "
    "is_by_hand",
    state=serializers.ChoiceField(choices=MessageState.choices),
)

BatchWholeShape = schema_of(
    "BatchWholeShape",
    rows.BatchView,
    "id=batch.pk batch.kind batch.title batch.made_at subject text drafts own_texts waiting sent "
    "contacted dropped has_failed seen job letters",
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


class OneMessageIn(Shape):
    """One message of the batch."""

    message = KeyField()


class ToldIn(OneMessageIn):
    """Who has been contacted, and how."""

    by = OneOfField(choices=[("letter", "by letter"), ("telephone", "by phone")])


UndeliveredShape = schema_of(
    "UndeliveredShape", rows.Undelivered, "id=pk batch_id player_id name email subject answer"
)

PhoneCallShape = schema_of(
    "PhoneCallShape",
    rows.Call,
    "message=pk player_id name phone say address why",
    address=serializers.CharField(
        allow_blank=True, help_text="where to record their yes or no; empty if none is asked"
    ),
)


OUTBOX = "clubs/<slug:club>/messages/"
BATCH = f"{OUTBOX}<int:batch>/"


class MessagesView(ClubListAPIView, ActAPIView):
    access = SEND_MESSAGES
    sheet = "Sent messages"
    filters = (*days("made_at__date"), one_of("kind", KINDS), search("title"))

    @lists(BatchShape)
    def get(self) -> QuerySet[Batch]:
        """List the batches of messages, newest first, with the state of each."""
        return rows.batches(self.club)

    @does(WriteIn, answers=BatchWholeShape, creates=Place("api-batch", batch="id"))
    def post(self, validated: dict[str, Any]) -> rows.BatchView:
        """Write a message to many people, as a draft for each. Nothing is sent yet.

        See ``messages/kinds/`` for the fields of each kind.
        """
        kind = KINDS[validated.pop("kind")]
        cleaned = cleaned_data(WriteForm(self.club, kind, as_form_data(validated)))
        batch = services.write(club=self.club, kind=kind, fields=cleaned, made_by=self.me)
        return rows.batch_view(batch)


class KindsView(ClubListAPIView):
    access = SEND_MESSAGES
    sheet = "Kinds of message"

    @lists(MatterShape)
    def get(self) -> tuple[MessageKind, ...]:
        """List the kinds of messages, their fields, and the personal details you can insert."""
        return WRITTEN


class UndeliveredView(ClubListAPIView):
    access = SEND_MESSAGES
    sheet = "Not delivered"

    @lists(UndeliveredShape)
    def get(self) -> tuple[rows.Undelivered, ...]:
        """List undelivered messages, newest first, with the mail server's answer."""
        return rows.undelivered(self.club)


class OfBatch(ClubAPIView):
    access = SEND_MESSAGES

    @property
    def batch(self) -> Batch:
        """The batch of the address, read afresh; raises ``Http404``."""
        return rows.batch_of(self.club, self.kwargs["batch"])

    @property
    def view(self) -> rows.BatchView:
        """The same with every message."""
        return rows.batch_view(self.batch)


class MessageBatchView(OfBatch, ChangeAPIView):
    @reads(BatchWholeShape)
    def get(self) -> rows.BatchView:
        """Get a batch with every message; while it is being sent, also the progress."""
        return self.view

    def lock(self) -> None:
        """The batch, as for every change or sending."""
        services.lock_batch(self.batch)

    def current(self) -> Mapping[str, Any]:
        view = self.view
        return {"subject": view.subject, "text": view.text}

    def form_kwargs(self) -> dict[str, Any]:
        return {"kind": KINDS[self.batch.kind]}

    @changes(TextForm, answers=BatchWholeShape)
    def patch(self, validated: dict[str, Any]) -> rows.BatchView:
        """Edit the text of all drafts, except those edited individually."""
        services.change_text(batch=self.batch, **validated)
        return self.view


class LettersView(OfBatch, ClubListAPIView):
    sheet = "Messages"
    filters = (one_of("state", ["draft", "waiting", "sent", "refused", "dropped"]),)

    @lists(LetterShape)
    def get(self) -> tuple[rows.Letter, ...]:
        """List the messages of a batch, by name."""
        return self.view.letters


class LetterView(OfBatch, ChangeAPIView):
    @reads(LetterShape)
    def get(self) -> Any:
        """Get one person’s message, as it will be sent or was sent."""
        return self.letter

    @property
    def message(self) -> Message:
        """The message of the address; raises ``Http404``."""
        messages = self.batch.messages.select_related("batch")
        return get_object_or_404(messages, pk=self.kwargs["message"])

    @property
    def letter(self) -> rows.Letter | None:
        """The same as it is read."""
        message = self.message
        return rows.batch_view(message.batch).letter(message.pk)

    def lock(self) -> None:
        """Its batch, as for every change or sending."""
        services.lock_batch(self.message.batch)

    def current(self) -> Mapping[str, Any]:
        message = self.message
        return {"subject": message.subject, "text": message.body}

    def form_kwargs(self) -> dict[str, Any]:
        return {"kind": KINDS[self.message.batch.kind]}

    @changes(TextForm, answers=LetterShape)
    def patch(self, validated: dict[str, Any]) -> rows.Letter | None:
        """Edit the message for this person only. Refused once it has been sent."""
        services.change_one(message=self.message, **validated)
        return self.letter


MESSAGE = number("message", words="only the letter of this message")
ONE = OpenApiParameter("message", KEY, description=MESSAGE.words)


class SendView(OfBatch, ActAPIView):
    @does(SeenIn, answers=BatchWholeShape)
    def post(self, validated: dict[str, Any]) -> rows.BatchView:
        """Send every draft that has an email address.

        ``seen`` comes from the batch; if any text has changed since, nothing is sent.
        """
        services.send(batch=self.batch, seen=validated["seen"], asked_by=self.me)
        return self.view


class StopView(OfBatch, ActAPIView):
    @does(answers=BatchWholeShape)
    def post(self) -> rows.BatchView:
        """Stop sending. Messages not sent yet become drafts again."""
        services.stop(batch=self.batch)
        return self.view


class AgainView(OfBatch, ActAPIView):
    @does(OneOrAllIn, answers=BatchWholeShape)
    def post(self, validated: dict[str, Any]) -> rows.BatchView:
        """Send undelivered messages again, to each person's current address."""
        message = message_in(self.batch, validated)
        services.try_again(batch=self.batch, asked_by=self.me, message=message)
        return self.view


class LeaveOutView(OfBatch, ActAPIView):
    @does(OneOrAllIn, answers=BatchWholeShape)
    def post(self, validated: dict[str, Any]) -> rows.BatchView:
        """Exclude one person’s draft, or all the drafts that are left."""
        services.leave_out(batch=self.batch, message=message_in(self.batch, validated))
        return self.view


class TakeInView(OfBatch, ActAPIView):
    @does(OneMessageIn, answers=BatchWholeShape)
    def post(self, validated: dict[str, Any]) -> rows.BatchView:
        """Include someone who was excluded."""
        item: Any = message_in(self.batch, validated)
        services.take_in(message=item, asked_by=self.me)
        return self.view


class ToldView(OfBatch, ActAPIView):
    @does(ToldIn, answers=BatchWholeShape)
    def post(self, validated: dict[str, Any]) -> rows.BatchView:
        """Record that someone has been contacted by post or phone."""
        item: Any = message_in(self.batch, validated)
        services.mark_contacted(message=item, by=rows.CONTACTED[validated["by"]])
        return self.view


class ByHandView(OfBatch, ClubListAPIView):
    sheet = "Post and phone list"

    @lists(PhoneCallShape)
    def get(self) -> list[dict[str, Any]]:
        """List everyone to contact by post or phone, those with a number first."""
        calls = rows.calls_of(self.view).everybody
        at = self.request.build_absolute_uri
        return [
            {
                **asdict(call),
                "address": call.link and at(reverse("standby-answer", args=[call.link])),
            }
            for call in calls
        ]


def _letters(view: OfBatch, form: Format) -> tuple[bytes, str]:
    """A letter to everyone to contact by post, or only the letter of ``?message=12``."""
    batch = view.view
    chosen = batch.to_print
    if "message" in view.request.query_params:
        chosen = [_asked_letter(batch, view.request.query_params["message"])]
    printed = [PrintedLetter(letter.name, letter.subject, letter.blocks) for letter in chosen]
    name = f"{view.club.slug}-letters-{batch.batch.pk}"
    return letters_pdf(view.club.name, long_date(batch.batch.made_at), printed, form), name


def _asked_letter(batch: rows.BatchView, number: str) -> rows.Letter:
    """The letter of ``?message=``; raises ``Http404``, or ``ValidationError`` for no number."""
    try:
        letter = batch.letter(MESSAGE.read(number))
    except ValueError as unread:
        raise ValidationError({"message": [str(unread)]}, code="bad_parameter") from unread
    if letter is None:
        raise Http404
    return letter


def _telephone(view: OfBatch, form: Format) -> tuple[bytes, str]:
    """Whom to call, their number and what to say."""
    batch = view.view
    paper = telephone_pdf(view.club.name, batch.batch.title, rows.calls_of(batch), form)
    return paper, f"{view.club.slug}-telephone-{batch.batch.pk}"


OF_BATCH: Final = {
    "letters": Printout(
        title="Letters",
        note="To everyone to contact by post",
        access=SEND_MESSAGES,
        draw=_letters,
        parameters=(ONE,),
    ),
    "telephone": Printout(
        title="Phone list", note="Whom to call, what to say", access=SEND_MESSAGES, draw=_telephone
    ),
}


class BatchPapersView(OfBatch, PrintoutsAPIView):
    printouts = OF_BATCH
    one = "api-batch-paper"

    @lists(PaperShape)
    def get(self) -> list[OfferedPaper]:
        """List the letters and the phone list, each with its address and options."""
        rows.batch_of(self.club, self.kwargs["batch"])  # raises Http404
        return self.offered()


class BatchPaperView(OfBatch, PrintoutAPIView):
    printouts = OF_BATCH
    get = prints_one_of(OF_BATCH)


def message_in(batch: Batch, validated: dict[str, Any]) -> Message | None:
    """The message of the batch that was named, None where none was.

    Raises ``ValidationError`` at ``message`` for one that is not of the batch.
    """
    if "message" not in validated:
        return None
    message = (
        batch.messages.select_related("player", "batch").filter(pk=validated["message"]).first()
    )
    if message is None:
        fault = "There is no such message in this batch."
        raise ValidationError({"message": [fault]}, code="invalid_choice")
    return message


urlpatterns = [
    path(OUTBOX, MessagesView.as_view(), name="api-messages"),
    path(f"{OUTBOX}kinds/", KindsView.as_view(), name="api-message-kinds"),
    path(f"{OUTBOX}undelivered/", UndeliveredView.as_view(), name="api-undelivered"),
    path(BATCH, MessageBatchView.as_view(), name="api-batch"),
    path(f"{BATCH}letters/", LettersView.as_view(), name="api-letters"),
    path(f"{BATCH}letters/<int:message>/", LetterView.as_view(), name="api-letter"),
    path(f"{BATCH}send/", SendView.as_view(), name="api-batch-send"),
    path(f"{BATCH}stop/", StopView.as_view(), name="api-batch-stop"),
    path(f"{BATCH}again/", AgainView.as_view(), name="api-batch-again"),
    path(f"{BATCH}leave-out/", LeaveOutView.as_view(), name="api-batch-leave-out"),
    path(f"{BATCH}take-in/", TakeInView.as_view(), name="api-batch-take-in"),
    path(f"{BATCH}told/", ToldView.as_view(), name="api-batch-told"),
    path(f"{BATCH}by-hand/", ByHandView.as_view(), name="api-by-hand"),
    path(f"{BATCH}papers/", BatchPapersView.as_view(), name="api-batch-papers"),
    path(f"{BATCH}papers/<slug:paper>.pdf", BatchPaperView.as_view(), name="api-batch-paper"),
]
