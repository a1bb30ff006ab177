"""A club's messages over the API: written, looked at, changed."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.shortcuts import get_object_or_404
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.base import ClubListAPIView
from clubs.api.commands import ActAPIView, ChangeAPIView, judged
from clubs.api.filters import days, one_of, search
from clubs.api.form_schemas import as_form_data
from clubs.api.office.shapes_messages import (
    ASKED,
    BatchShape,
    BatchWholeShape,
    LetterShape,
    MatterShape,
    UndeliveredShape,
    WriteIn,
)
from clubs.core.permissions import SEND_MESSAGES
from clubs.forms.messages import TextForm, WriteForm
from clubs.matters import MATTERS, WRITTEN
from clubs.models import Batch, Club, Message
from clubs.selectors import outbox as rows
from clubs.services import outbox as services
from clubs.services.writing import write

OUTBOX = "clubs/<slug:club>/messages/"
BATCH = f"{OUTBOX}<int:batch>/"


class MessagesView(ClubListAPIView, ActAPIView):
    """A club’s messages."""

    door = SEND_MESSAGES
    asks = WriteIn
    answers = BatchWholeShape
    status = 201
    filters = (*days("made_at__date"), one_of("kind", MATTERS), search("title"))

    @extend_schema(responses=BatchShape(many=True))
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """List the batches of messages, newest first, with the state of each."""
        return self.page_of(rows.batches(self.club), BatchShape)

    def act(self, told: dict[str, Any]) -> rows.BatchView:
        """Write a message to many people, as a draft for each. Nothing is sent yet.

        See ``messages/kinds/`` for the fields of each kind.
        """
        matter, made_by = MATTERS[told.pop("kind")], self.request.user
        cleaned = judged(WriteForm(self.club, matter, as_form_data(told)))
        batch = write(
            club=self.club,
            matter=matter,
            told=cleaned,
            made_by=made_by,  # type: ignore[arg-type]
        )
        return rows.batch_view(batch)


class KindsView(ClubListAPIView):
    """The kinds of messages."""

    door = SEND_MESSAGES

    @extend_schema(responses=MatterShape(many=True))
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """List the kinds of messages, their fields, and the personal details you can insert."""
        told = [
            {
                "kind": one.key,
                "title": one.title,
                "note": one.note,
                "asks": sorted(ASKED[one.key]),
                "fields_in_text": [{"name": name, "means": means} for name, means in one.fields],
            }
            for one in WRITTEN
        ]
        return self.page_of(told, MatterShape)


class UndeliveredView(ClubListAPIView):
    """Messages that did not arrive."""

    door = SEND_MESSAGES

    @extend_schema(responses=UndeliveredShape(many=True))
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """List undelivered messages, newest first, with the mail server's answer."""
        return self.page_of(rows.undelivered(self.club), UndeliveredShape)


class BatchView(ChangeAPIView):
    """A batch."""

    door = SEND_MESSAGES
    asks = TextForm
    answers = BatchWholeShape

    @extend_schema(responses=BatchWholeShape)
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Get a batch with every message; while it is being sent, also the progress."""
        return Response(BatchWholeShape(self.view).data)

    @property
    def view(self) -> rows.BatchView:
        """The batch of the address with every message."""
        return rows.batch_view(batch_of(self.club, self.kwargs["batch"]))

    def lock(self) -> None:
        """The batch, as for every change or sending."""
        services.lock_batch(batch_of(self.club, self.kwargs["batch"]))

    def held(self) -> Mapping[str, Any]:
        """The text that most drafts have."""
        view = self.view
        return {"subject": view.subject, "text": view.text}

    def bound(self, form: type[forms.Form], data: Any) -> forms.Form:  # noqa: ARG002
        """The form that knows which fields the matter has."""
        return TextForm(MATTERS[batch_of(self.club, self.kwargs["batch"]).kind], data)

    def act(self, told: dict[str, Any]) -> rows.BatchView:
        """Edit the text of all drafts, except those edited individually."""
        services.change_text(batch=batch_of(self.club, self.kwargs["batch"]), **told)
        return self.view


class LettersView(ClubListAPIView):
    """The messages of a batch."""

    door = SEND_MESSAGES
    filters = (one_of("state", ["draft", "waiting", "sent", "refused", "dropped"]),)

    @extend_schema(responses=LetterShape(many=True))
    def get(self, request: Request, batch: int, **kwargs: Any) -> Response:  # noqa: ARG002
        """List the messages of a batch, by name."""
        view = rows.batch_view(batch_of(self.club, batch))
        return self.page_of(view.letters, LetterShape)


class LetterView(ChangeAPIView):
    """One person’s message."""

    door = SEND_MESSAGES
    asks = TextForm
    answers = LetterShape

    @extend_schema(responses=LetterShape)
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Get one person’s message, as it will be sent or was sent."""
        return Response(LetterShape(self.letter).data)

    @property
    def message(self) -> Message:
        """The message of the address; raises ``Http404``."""
        messages = batch_of(self.club, self.kwargs["batch"]).messages.select_related("batch")
        return get_object_or_404(messages, pk=self.kwargs["message"])

    @property
    def letter(self) -> rows.Letter | None:
        """The same as it is read."""
        message = self.message
        return rows.batch_view(message.batch).letter(message.pk)

    def lock(self) -> None:
        """Its batch, as for every change or sending."""
        services.lock_batch(self.message.batch)

    def held(self) -> Mapping[str, Any]:
        """Its words with their fields."""
        message = self.message
        return {"subject": message.subject, "text": message.body}

    def bound(self, form: type[forms.Form], data: Any) -> forms.Form:  # noqa: ARG002
        """The form that knows which fields the matter has."""
        return TextForm(MATTERS[self.message.batch.kind], data)

    def act(self, told: dict[str, Any]) -> rows.Letter | None:
        """Edit the message for this person only. Refused once it has been sent."""
        services.change_one(message=self.message, **told)
        return self.letter


def batch_of(club: Club, key: int) -> Batch:
    """The club's own batch of that number; raises ``Http404``."""
    return get_object_or_404(Batch.objects.select_related("club", "made_by"), club=club, pk=key)


urlpatterns = [
    path(OUTBOX, MessagesView.as_view(), name="api-messages"),
    path(f"{OUTBOX}kinds/", KindsView.as_view(), name="api-message-kinds"),
    path(f"{OUTBOX}undelivered/", UndeliveredView.as_view(), name="api-undelivered"),
    path(BATCH, BatchView.as_view(), name="api-batch"),
    path(f"{BATCH}letters/", LettersView.as_view(), name="api-letters"),
    path(f"{BATCH}letters/<int:message>/", LetterView.as_view(), name="api-letter"),
]
