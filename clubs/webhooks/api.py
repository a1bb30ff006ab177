"""Webhooks over the API."""

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django_filters.rest_framework import FilterSet
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.mixins import DestroyModelMixin

from clubs.api.commands import command_endpoint, patch_endpoint
from clubs.api.created import CreatedRoute
from clubs.api.fields import named_field
from clubs.api.filters import OneOfFilter, SinceFilter
from clubs.api.viewsets import CLUB_PATH, ClubListViewSet, ClubReadOnlyViewSet, Router
from clubs.core.permissions import MANAGE_WEBHOOKS
from clubs.models import Delivery, News, Webhook
from clubs.webhooks import services
from clubs.webhooks.forms import WebhookChangeForm, WebhookForm


class WebhookSerializer(serializers.ModelSerializer[Webhook]):
    """A webhook; ``stopped_because`` says why it has stopped."""

    kinds = serializers.ListField(child=serializers.ChoiceField(choices=News.choices))

    class Meta:
        model = Webhook
        fields = ["id", "address", "kinds", "is_active", "stopped_because", "made_at"]


class NewWebhookSerializer(WebhookSerializer):
    """A new webhook; ``secret`` is shown only once."""

    class Meta(WebhookSerializer.Meta):
        fields = [*WebhookSerializer.Meta.fields, "secret"]


class EventSerializer(serializers.Serializer[object]):
    """An event as sent: ``about`` names rows by id, ``address`` is the API address for them."""

    id = serializers.UUIDField(help_text="stays the same when it is sent again")
    kind = serializers.ChoiceField(choices=News.choices)
    at = serializers.DateTimeField()
    club = serializers.CharField()
    about = serializers.DictField(child=serializers.IntegerField())
    address = serializers.URLField()


class DeliverySerializer(serializers.ModelSerializer[Delivery]):
    """A delivery: the attempts, the receiver's answer and the next attempt."""

    kind = named_field(News.choices)()
    payload = EventSerializer()

    class Meta:
        model = Delivery
        fields = ["id", "kind", "payload", "made_at", "tries", "try_at", "done_at", "answer"]


@extend_schema_view(
    list=extend_schema(description="List the club’s webhooks."),
    retrieve=extend_schema(description="Get a webhook."),
    destroy=extend_schema(description="Delete a webhook."),
)
class WebhookViewSet(DestroyModelMixin, ClubReadOnlyViewSet):
    access = MANAGE_WEBHOOKS
    queryset = Webhook.objects.none()
    serializer_class = WebhookSerializer
    lookup_url_kwarg = "webhook"
    log = {"partial_update": "changed a webhook"}

    def get_queryset(self) -> QuerySet[Webhook]:
        return self.club.webhooks.all()

    @command_endpoint(
        WebhookForm,
        answers=NewWebhookSerializer,
        answers_secret=True,
        creates=CreatedRoute("api-webhook-detail", webhook="id"),
    )
    def create(self, validated: dict[str, Any]) -> Webhook:
        """Add a webhook.

        Each event is signed: ``Tongbox-Signature: t=SECONDS,v1=HEX`` is the HMAC-SHA256
        of ``SECONDS.BODY`` under ``secret``, which is shown only once.
        """
        return services.add_webhook(club=self.club, made_by=self.me, **validated)

    def current(self) -> Mapping[str, Any]:
        webhook = self.get_object()
        return {name: getattr(webhook, name) for name in ("address", "kinds", "is_active")}

    @patch_endpoint(WebhookChangeForm, answers=WebhookSerializer)
    def partial_update(self, validated: dict[str, Any]) -> Webhook:
        """Change a webhook. One that is restarted receives the events that are waiting."""
        return services.change_webhook(webhook=self.get_object(), **validated)

    def perform_destroy(self, instance: Webhook) -> None:
        services.remove_webhook(webhook=instance)

    @command_endpoint(answers=NewWebhookSerializer, answers_secret=True)
    @action(detail=True, methods=["post"])
    def secret(self) -> Any:
        """Replace the secret of a webhook. The new one is shown only once.

        For a day both sign: the header has a ``v1`` for each, the new one first.
        """
        return services.change_secret(webhook=self.get_object())

    @command_endpoint(answers=DeliverySerializer, creates=CreatedRoute("api-delivery-list"))
    @action(detail=True, methods=["post"])
    def test(self) -> Any:
        """Send a test event."""
        return services.try_webhook(webhook=self.get_object())


class DeliveryFilter(FilterSet):
    kind = OneOfFilter("kind", News.values)
    since = SinceFilter("made_at")


@extend_schema_view(
    list=extend_schema(description="List the deliveries of the last 30 days, newest first.")
)
class DeliveryViewSet(ClubListViewSet):
    access = MANAGE_WEBHOOKS
    queryset = Delivery.objects.none()
    serializer_class = DeliverySerializer
    filterset_class = DeliveryFilter
    lookup_url_kwarg = "delivery"

    def get_queryset(self) -> QuerySet[Delivery]:
        webhook = get_object_or_404(self.club.webhooks, pk=self.kwargs["webhook"])
        return webhook.deliveries.all()

    @command_endpoint(answers=DeliverySerializer)
    @action(detail=True, methods=["post"], log="resent a delivery to a webhook")
    def again(self) -> Any:
        """Send a delivery again, with the same id."""
        return services.resend_delivery(delivery=self.get_object())


router = Router()
router.register(f"{CLUB_PATH}webhooks", WebhookViewSet, "api-webhook")
router.register(f"{CLUB_PATH}webhooks/<int:webhook>/deliveries", DeliveryViewSet, "api-delivery")

urlpatterns = router.urls
