"""Programs that a club tells of what happens, over the API."""

from collections.abc import Mapping
from typing import Any

from django.shortcuts import get_object_or_404
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.acting import ActAPIView, ChangeAPIView
from clubs.api.base import ClubAPIView, ClubListAPIView
from clubs.api.filters import one_of, since
from clubs.forms.webhooks import WebhookChangeForm, WebhookForm
from clubs.models import Delivery, News, User, Webhook
from clubs.permissions import MANAGE_WEBHOOKS
from clubs.services import webhooks as services


class WebhookShape(serializers.ModelSerializer[Webhook]):
    """A program that is told; ``stopped_because`` says why it is told no more."""

    kinds = serializers.ListField(child=serializers.ChoiceField(choices=News.choices))

    class Meta:
        model = Webhook
        fields = ["id", "address", "kinds", "is_active", "stopped_because", "made_at"]


class MadeWebhookShape(WebhookShape):
    """A new one; ``secret`` is told this once."""

    class Meta(WebhookShape.Meta):
        fields = [*WebhookShape.Meta.fields, "secret"]


class NewsShape(serializers.Serializer[object]):
    """What is posted: ``about`` names rows by number, ``address`` is where the API tells of it."""

    id = serializers.UUIDField(help_text="the same whenever it is sent again")
    kind = serializers.ChoiceField(choices=News.choices)
    at = serializers.DateTimeField()
    club = serializers.CharField()
    about = serializers.DictField(child=serializers.IntegerField())
    address = serializers.URLField()


class DeliveryShape(serializers.ModelSerializer[Delivery]):
    """A piece of news on its way: how often it was tried, what came back, when it is tried next."""

    payload = NewsShape()

    class Meta:
        model = Delivery
        fields = ["id", "kind", "payload", "made_at", "tries", "try_at", "done_at", "answer"]


class WebhooksView(ClubListAPIView, ActAPIView):
    """The programs that are told of what happens in the club."""

    door = MANAGE_WEBHOOKS
    asks = WebhookForm
    answers = MadeWebhookShape
    answers_secret = True
    status = 201

    @extend_schema(responses=WebhookShape(many=True))
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """The programs that are told of what happens."""
        return self.page_of(self.club.webhooks.all(), WebhookShape)

    def act(self, told: dict[str, Any]) -> Webhook:
        """Note it."""
        made_by = self.request.user if isinstance(self.request.user, User) else None
        return services.add_webhook(club=self.club, made_by=made_by, **told)

    def post(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Tell another program from now on.

        What is posted to it is signed: ``Tongbox-Signature: t=SECONDS,v1=HEX`` is the HMAC-SHA256
        of ``SECONDS.BODY`` under ``secret``, which is told this once.
        """
        return self.done(request)


class _OneWebhook(ClubAPIView):
    """Finds the program of the address."""

    door = MANAGE_WEBHOOKS

    @property
    def webhook(self) -> Webhook:
        """The club's program of that number; raises ``Http404``."""
        return get_object_or_404(self.club.webhooks, pk=self.kwargs["webhook"])


class WebhookView(_OneWebhook, ChangeAPIView):
    """One program."""

    asks = WebhookChangeForm
    answers = WebhookShape
    http_method_names = ["get", "patch", "delete", "head", "options"]

    @extend_schema(responses=WebhookShape)
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """A program, and whether it is told."""
        return Response(WebhookShape(self.webhook).data)

    def held(self) -> Mapping[str, Any]:
        """What is held of it."""
        found = self.webhook
        return {name: getattr(found, name) for name in ("address", "kinds", "is_active")}

    def act(self, told: dict[str, Any]) -> Webhook:
        """Change it; one that begins again is told what waits."""
        return services.change_webhook(webhook=self.webhook, **told)

    @extend_schema(request=None, responses={204: None})
    def delete(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Tell it no more."""
        services.remove_webhook(webhook=self.webhook)
        return Response(status=204)


class WebhookSecretView(_OneWebhook, ActAPIView):
    """Another secret for a program."""

    answers = MadeWebhookShape
    answers_secret = True

    def post(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Give it another secret, which is told this once.

        For a day the former one signs beside it: the header has a ``v1`` for each, the new first.
        """
        return self.done(request)

    def act(self, told: dict[str, Any]) -> Webhook:  # noqa: ARG002
        """Make it."""
        return services.change_secret(webhook=self.webhook)


class WebhookTestView(_OneWebhook, ActAPIView):
    """Something to see whether a program hears."""

    answers = DeliveryShape
    status = 201

    def post(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Send something that only says that it arrives."""
        return self.done(request)

    def act(self, told: dict[str, Any]) -> Delivery:  # noqa: ARG002
        """Send it."""
        return services.try_webhook(webhook=self.webhook)


class DeliveriesView(_OneWebhook, ClubListAPIView):
    """What a program was told."""

    filters = (one_of("kind", News.values), since("made_at"))

    @extend_schema(responses=DeliveryShape(many=True))
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """What a program was told in the last thirty days, the newest first."""
        return self.page_of(self.webhook.deliveries.all(), DeliveryShape)


class DeliveryAgainView(_OneWebhook, ActAPIView):
    """A piece of news once more."""

    answers = DeliveryShape

    def post(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Send a piece of news again, with the same id."""
        return self.done(request)

    def act(self, told: dict[str, Any]) -> Delivery:  # noqa: ARG002
        """Send it."""
        found = get_object_or_404(self.webhook.deliveries, pk=self.kwargs["delivery"])
        return services.send_again(delivery=found)


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
