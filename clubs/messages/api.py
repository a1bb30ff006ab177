"""A club's messages over the API: read, while people write and send them on the pages."""

from django.db.models import QuerySet
from django.urls import path
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers

from clubs.api.base import detail_endpoint
from clubs.api.filters import DaysFilter, OneOfFilter, SearchFilter
from clubs.api.lists import ClubListAPIView, list_endpoint
from clubs.api.rows import serializer_of
from clubs.api.viewsets import ClubReadOnlyViewSet, Router
from clubs.core.permissions import SEND_MESSAGES
from clubs.messages import selectors as rows
from clubs.messages.message_kinds import MESSAGE_KINDS
from clubs.models import Batch, MessageState

LetterSerializer = serializer_of(
    "LetterSerializer",
    rows.Letter,
    "id=pk player_id name email state subject body answer sent_at has_own_text is_to_send "
    "is_by_hand",
    state=serializers.ChoiceField(choices=MessageState.choices),
)

BatchWholeSerializer = serializer_of(
    "BatchWholeSerializer",
    rows.BatchView,
    "id=batch.pk batch.kind batch.title batch.made_at subject text drafts own_texts waiting sent "
    "contacted dropped has_failed job letters",
    "A batch with every message.",
    own_texts="how many drafts were edited individually",
    has_failed="whether messages are waiting and nothing is sending them",
    job=serializers.UUIDField(
        source="job.pk", default=None, allow_null=True, help_text="of the latest send"
    ),
    letters=LetterSerializer,
)

UndeliveredSerializer = serializer_of(
    "UndeliveredSerializer", rows.Undelivered, "id=pk batch_id player_id name email subject answer"
)

OUTBOX = "clubs/<slug:club>/messages"


class CountsSerializer(serializers.Serializer[object]):
    """How many messages are in each state."""

    draft = serializers.IntegerField()
    waiting = serializers.IntegerField(help_text="being sent")
    sent = serializers.IntegerField(help_text="emailed, or passed on by post or phone")
    contacted = serializers.IntegerField(help_text="of these, by post or phone")
    refused = serializers.IntegerField(help_text="not delivered")
    dropped = serializers.IntegerField(help_text="excluded")


class BatchSerializer(CountsSerializer):
    """A batch: one message to many people."""

    id = serializers.IntegerField(source="pk")
    kind = serializers.CharField()
    title = serializers.CharField()
    made_at = serializers.DateTimeField()
    made_by = serializers.CharField(source="made_by.name", default="")
    to_send = serializers.IntegerField(help_text="drafts that go by email when it is sent")
    by_hand = serializers.IntegerField(help_text="drafts for people without an email address")


class BatchFilter(DaysFilter):
    day = "made_at__date"
    kind = OneOfFilter("kind", MESSAGE_KINDS)
    search = SearchFilter("title")


@extend_schema_view(
    list=extend_schema(
        description="List the batches of messages, newest first, with the state of each."
    )
)
class BatchViewSet(ClubReadOnlyViewSet):
    access = SEND_MESSAGES
    sheet = "Sent messages"
    queryset = Batch.objects.none()
    serializer_class = BatchWholeSerializer
    list_serializer_class = BatchSerializer
    filterset_class = BatchFilter
    lookup_url_kwarg = "batch"

    def get_queryset(self) -> QuerySet[Batch]:
        return rows.batches_with_counts(self.club)

    @detail_endpoint(BatchWholeSerializer)
    def retrieve(self) -> rows.BatchView:
        """Get a batch with every message; while it is being sent, also the progress."""
        return rows.batch_view(rows.batch_of(self.club, self.kwargs["batch"]))


class UndeliveredView(ClubListAPIView):
    access = SEND_MESSAGES
    sheet = "Not delivered"

    @list_endpoint(UndeliveredSerializer)
    def get(self) -> tuple[rows.Undelivered, ...]:
        """List undelivered messages, newest first, with the mail server's answer."""
        return rows.undelivered_messages(self.club)


router = Router()
router.register(OUTBOX, BatchViewSet, "api-batch")

urlpatterns = [
    path(f"{OUTBOX}/undelivered/", UndeliveredView.as_view(), name="api-undelivered"),
    *router.urls,
]
