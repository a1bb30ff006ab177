"""What becomes of drafts, over the API: sent, stopped, tried again, left out, told by hand."""

from typing import Any

from django.http import Http404, HttpResponse
from django.urls import path, reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.base import ClubListAPIView
from clubs.api.commands import ActAPIView
from clubs.api.fields import KEY
from clubs.api.filters import number
from clubs.api.office.messages import BATCH, batch_of
from clubs.api.office.shapes_messages import (
    BatchWholeShape,
    OneIn,
    OneOrAllIn,
    PhoneCallShape,
    SeenIn,
    ToldIn,
)
from clubs.api.papers import OPTIONS, PAGES, PAPER, PDF, PaperAPIView, PaperShape, papers_told
from clubs.core.permissions import SEND_MESSAGES
from clubs.models import Batch, Message
from clubs.paper.formats import Format
from clubs.pdf.letters import PrintedLetter, letters_pdf, telephone_pdf
from clubs.selectors.byhand import calls_of
from clubs.selectors.outbox import BatchView, Letter, batch_view
from clubs.services import outbox as services

HOW = {"telephone": "contacted by phone", "letter": "contacted by letter"}
MESSAGE = number("message", words="only the letter of this message")
ONE = OpenApiParameter("message", KEY, description=MESSAGE.words)
LETTERS = extend_schema(
    parameters=[*OPTIONS, PAGES, ONE],
    responses={(200, PDF): OpenApiTypes.BINARY},
)


class BatchActView(ActAPIView):
    """An action on a batch; the answer is the batch afterwards."""

    door = SEND_MESSAGES
    answers = BatchWholeShape

    @property
    def batch(self) -> Batch:
        """The batch of the address; raises ``Http404``."""
        return batch_of(self.club, self.kwargs["batch"])

    @property
    def asker(self) -> Any:
        """Who asks for it."""
        return self.request.user


class SendView(BatchActView):
    """Drafts to send."""

    asks = SeenIn

    def act(self, told: dict[str, Any]) -> BatchView:
        """Send every draft that has an email address.

        ``seen`` comes from the batch; if any text has changed since, nothing is sent.
        """
        services.send(batch=self.batch, seen=told["seen"], asked_by=self.asker)
        return batch_view(self.batch)


class StopView(BatchActView):
    """Messages stopped."""

    def act(self, told: dict[str, Any]) -> BatchView:  # noqa: ARG002
        """Stop sending. Messages not sent yet become drafts again."""
        services.stop(batch=self.batch)
        return batch_view(self.batch)


class AgainView(BatchActView):
    """Messages sent again."""

    asks = OneOrAllIn

    def act(self, told: dict[str, Any]) -> BatchView:
        """Send undelivered messages again, to each person's current address."""
        one = message_told(self.batch, told)
        services.try_again(batch=self.batch, asked_by=self.asker, message=one)
        return batch_view(self.batch)


class LeaveOutView(BatchActView):
    """Excluded drafts."""

    asks = OneOrAllIn

    def act(self, told: dict[str, Any]) -> BatchView:
        """Exclude one person’s draft, or all the drafts that are left."""
        services.leave_out(batch=self.batch, message=message_told(self.batch, told))
        return batch_view(self.batch)


class TakeInView(BatchActView):
    """A draft included again."""

    asks = OneIn

    def act(self, told: dict[str, Any]) -> BatchView:
        """Include someone who was excluded."""
        one: Any = message_told(self.batch, told)
        services.take_in(message=one, asked_by=self.asker)
        return batch_view(self.batch)


class ToldView(BatchActView):
    """Someone who was contacted by post or phone."""

    asks = ToldIn

    def act(self, told: dict[str, Any]) -> BatchView:
        """Record that someone has been contacted by post or phone."""
        one: Any = message_told(self.batch, told)
        services.told(message=one, by=HOW[told["by"]])
        return batch_view(self.batch)


class ByHandView(ClubListAPIView):
    """People to contact by post or phone."""

    door = SEND_MESSAGES

    @extend_schema(responses=PhoneCallShape(many=True))
    def get(self, request: Request, batch: int, **kwargs: Any) -> Response:  # noqa: ARG002
        """List everyone to contact by post or phone, those with a number first."""
        calls = calls_of(batch_view(batch_of(self.club, batch))).everybody
        told = [
            {
                "pk": call.pk,
                "player_id": call.player_id,
                "name": call.name,
                "phone": call.phone,
                "say": call.say,
                "address": _answered_at(request, call.link),
                "why": call.why,
            }
            for call in calls
        ]
        return self.page_of(told, PhoneCallShape)


class BatchPapersView(ClubListAPIView):
    """The printouts of a batch."""

    door = SEND_MESSAGES

    @extend_schema(responses=PaperShape(many=True))
    def get(self, request: Request, batch: int, **kwargs: Any) -> Response:  # noqa: ARG002
        """List the letters and the phone list, each with its address and options."""
        held = batch_of(self.club, batch)
        at = [self.club.slug, held.pk]
        papers = [
            ("Letters", "To everyone to contact by post", reverse("api-letters-pdf", args=at)),
            ("Phone list", "Whom to call, what to say", reverse("api-phone-pdf", args=at)),
        ]
        return self.page_of(papers_told(request, papers), PaperShape)


class LettersPaper(PaperAPIView):
    """Printed letters."""

    door = SEND_MESSAGES

    @LETTERS
    def get(self, request: Request, **kwargs: Any) -> HttpResponse:  # noqa: ARG002
        """Print a letter to everyone to contact by post, or only the letter of ``?message=12``."""
        return self.sent(request)

    def drawn(self, form: Format) -> tuple[bytes, str]:
        """The letters, to all where nobody is to be told by hand."""
        view = batch_view(batch_of(self.club, self.kwargs["batch"]))
        chosen = view.by_hand or view.letters
        if "message" in self.request.query_params:
            chosen = [self.asked_letter(view)]
        printed = [PrintedLetter(letter.name, letter.subject, letter.blocks) for letter in chosen]
        name = f"{self.club.slug}-letters-{view.batch.pk}"
        return letters_pdf(self.club.name, printed, form), name

    def asked_letter(self, view: BatchView) -> Letter:
        """The letter of ``?message=``; raises ``Http404``, or ``ValidationError`` for no number."""
        try:
            one = view.letter(MESSAGE.read(self.request.query_params["message"]))
        except ValueError as unread:
            raise ValidationError({"message": [str(unread)]}, code="bad_parameter") from unread
        if one is None:
            raise Http404
        return one


class PhonePaper(PaperAPIView):
    """The printed phone list."""

    door = SEND_MESSAGES

    @PAPER
    def get(self, request: Request, **kwargs: Any) -> HttpResponse:  # noqa: ARG002
        """Print the phone list: whom to call, their number and what to say."""
        return self.sent(request)

    def drawn(self, form: Format) -> tuple[bytes, str]:
        """People to contact by post or phone."""
        view = batch_view(batch_of(self.club, self.kwargs["batch"]))
        paper = telephone_pdf(self.club.name, view.batch.title, calls_of(view), form)
        return paper, f"{self.club.slug}-telephone-{view.batch.pk}"


def message_told(batch: Batch, told: dict[str, Any]) -> Message | None:
    """The message of the batch that was named, None where none was.

    Raises ``ValidationError`` at ``message`` for one that is not of the batch.
    """
    if "message" not in told:
        return None
    one = batch.messages.select_related("player", "batch").filter(pk=told["message"]).first()
    if one is None:
        fault = "There is no such message in this batch."
        raise ValidationError({"message": [fault]}, code="invalid_choice")
    return one


def _answered_at(request: Request, key: str) -> str:
    return request.build_absolute_uri(reverse("standby-answer", args=[key])) if key else ""


urlpatterns = [
    path(f"{BATCH}send/", SendView.as_view(), name="api-batch-send"),
    path(f"{BATCH}stop/", StopView.as_view(), name="api-batch-stop"),
    path(f"{BATCH}again/", AgainView.as_view(), name="api-batch-again"),
    path(f"{BATCH}leave-out/", LeaveOutView.as_view(), name="api-batch-leave-out"),
    path(f"{BATCH}take-in/", TakeInView.as_view(), name="api-batch-take-in"),
    path(f"{BATCH}told/", ToldView.as_view(), name="api-batch-told"),
    path(f"{BATCH}by-hand/", ByHandView.as_view(), name="api-by-hand"),
    path(f"{BATCH}papers/", BatchPapersView.as_view(), name="api-batch-papers"),
    path(f"{BATCH}papers/letters.pdf", LettersPaper.as_view(), name="api-letters-pdf"),
    path(f"{BATCH}papers/telephone.pdf", PhonePaper.as_view(), name="api-phone-pdf"),
]
