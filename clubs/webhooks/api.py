"""Webhooks over the API."""

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.urls import path
from rest_framework import serializers

from clubs.api.base import ClubAPIView, ClubListAPIView, lists, reads, removes
from clubs.api.commands import ActAPIView, ChangeAPIView, changes, does
from clubs.api.created import Place
from clubs.api.fields import named, one_of, since
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

    kind = named(News.choices)()
    payload = EventSerializer()

    class Meta:
        model = Delivery
        fields = ["id", "kind", "payload", "made_at", "tries", "try_at", "done_at", "answer"]


class WebhooksView(ClubListAPIView, ActAPIView):
    access = MANAGE_WEBHOOKS
    answers_secret = True

    @lists(WebhookSerializer)
    def get(self) -> QuerySet[Webhook]:
        """List the club's webhooks."""
        return self.club.webhooks.all()

    @does(WebhookForm, answers=NewWebhookSerializer, creates=Place("api-webhook", webhook="id"))
    def post(self, validated: dict[str, Any]) -> Webhook:
        """Add a webhook.

        Each event is signed: ``Tongbox-Signature: t=SECONDS,v1=HEX`` is the HMAC-SHA256
        of ``SECONDS.BODY`` under ``secret``, which is shown only once.
        """
        return services.add_webhook(club=self.club, made_by=self.me, **validated)


class _OneWebhook(ClubAPIView):
    access = MANAGE_WEBHOOKS

    @property
    def webhook(self) -> Webhook:
        """The webhook of the address; raises ``Http404``."""
        return get_object_or_404(self.club.webhooks, pk=self.kwargs["webhook"])


class WebhookView(_OneWebhook, ChangeAPIView):
    log = "changed a webhook"

    @reads(WebhookSerializer)
    def get(self) -> Webhook:
        """Get a webhook."""
        return self.webhook

    def current(self) -> Mapping[str, Any]:
        webhook = self.webhook
        return {name: getattr(webhook, name) for name in ("address", "kinds", "is_active")}

    @changes(WebhookChangeForm, answers=WebhookSerializer)
    def patch(self, validated: dict[str, Any]) -> Webhook:
        """Change a webhook. One that is restarted receives the events that are waiting."""
        return services.change_webhook(webhook=self.webhook, **validated)

    @removes
    def delete(self) -> None:
        """Delete a webhook."""
        services.remove_webhook(webhook=self.webhook)


class WebhookSecretView(_OneWebhook, ActAPIView):
    answers_secret = True

    @does(answers=NewWebhookSerializer)
    def post(self) -> Webhook:
        """Replace the secret of a webhook. The new one is shown only once.

        For a day both sign: the header has a ``v1`` for each, the new one first.
        """
        return services.change_secret(webhook=self.webhook)


class WebhookTestView(_OneWebhook, ActAPIView):
    @does(answers=DeliverySerializer, creates=Place("api-deliveries"))
    def post(self) -> Delivery:
        """Send a test event."""
        return services.try_webhook(webhook=self.webhook)


class DeliveriesView(_OneWebhook, ClubListAPIView):
    sheet = "Deliveries"
    filters = (one_of("kind", News.values), since("made_at"))

    @lists(DeliverySerializer)
    def get(self) -> QuerySet[Delivery]:
        """List the deliveries of the last 30 days, newest first."""
        return self.webhook.deliveries.all()


class DeliveryAgainView(_OneWebhook, ActAPIView):
    log = "resent a delivery to a webhook"

    @does(answers=DeliverySerializer)
    def post(self) -> Delivery:
        """Send a delivery again, with the same id."""
        delivery = get_object_or_404(self.webhook.deliveries, pk=self.kwargs["delivery"])
        return services.send_again(delivery=delivery)


ALL = "clubs/<slug:club>/webhooks/"
ONE = f"{ALL}<int:webhook>/"

urlpatterns = [
    path(ALL, WebhooksView.as_view(), name="api-webhooks"),
    path(ONE, WebhookView.as_view(), name="api-webhook"),
    path(f"{ONE}secret/", WebhookSecretView.as_view(), name="api-webhook-secret"),
    path(f"{ONE}test/", WebhookTestView.as_view(), name="api-webhook-test"),
    path(f"{ONE}deliveries/", DeliveriesView.as_view(), name="api-deliveries"),
    path(
        f"{ONE}deliveries/<int:delivery>/again/",
        DeliveryAgainView.as_view(),
        name="api-delivery-again",
    ),
]
