"""Where a program begins: the addresses that need nothing but the installation's own."""

from typing import Any, Final

from django.urls import reverse
from rest_framework import serializers

from clubs.api.base import PublicAPIView, detail_endpoint

ENTRY_POINTS: Final = {
    "token": "api-token",
    "keys": "api-key-list",
    "clubs": "api-clubs",
    "rules": "api-rules",
    "description": "schema",
}


class RootSerializer(serializers.Serializer[object]):
    """The addresses from which everything else is found."""

    token = serializers.URLField(help_text="request an API key with a password")
    keys = serializers.URLField(help_text="your API keys")
    clubs = serializers.URLField(help_text="the clubs that you may read")
    rules = serializers.URLField(help_text="every rule set")
    description = serializers.URLField(help_text="the OpenAPI document of this version")


class RootView(PublicAPIView):
    @detail_endpoint(RootSerializer)
    def get(self) -> dict[str, Any]:
        """Get the addresses from which a program begins."""
        return {
            part: self.request.build_absolute_uri(reverse(name))
            for part, name in ENTRY_POINTS.items()
        }
