"""Who did what in a club, over the API."""

from dataclasses import replace
from typing import Any

from django.urls import path
from rest_framework import serializers

from clubs.api.base import ClubListAPIView, lists
from clubs.api.fields import days, number, one_of, search, since
from clubs.core.audit_log import deeds_of, in_words
from clubs.core.audit_messages import DRAWERS, names_in
from clubs.core.permissions import SEE_DEEDS


class DeedShape(serializers.Serializer[object]):
    """An entry of the activity log."""

    id = serializers.IntegerField(source="pk")
    at = serializers.DateTimeField()
    sentence = serializers.CharField(help_text="what happened, using the names of today")
    kind = serializers.CharField(allow_blank=True, help_text="empty: not known")
    user = serializers.IntegerField(
        allow_null=True, help_text="whose account or key it was; null: none, or deleted"
    )
    program = serializers.CharField(
        allow_blank=True,
        help_text="the key, command or retention schedule that did it; empty: a browser",
    )
    page = serializers.CharField(source="address", allow_blank=True, help_text="the page about it")
    request_id = serializers.CharField(
        allow_blank=True, help_text="identifies the request in the log"
    )


KIND = one_of("kind", DRAWERS, field="what")
FILTERS = (
    *days("at__date"),
    since("at"),
    replace(KIND, read=lambda said: names_in(KIND.read(said)), lookup="in"),
    number("user", field="made_by", words="only by this account and its keys"),
    replace(search("by", name="program"), words="characters within the name of the program"),
)


class DeedsView(ClubListAPIView):
    door = SEE_DEEDS
    filters = FILTERS

    @lists(DeedShape)
    def get(self) -> Any:
        """List the activity log, newest first: changes by people, programs and commands."""
        return deeds_of(self.club)

    def on_page(self, page: Any) -> Any:
        return in_words(self.club, page)


urlpatterns = [
    path("clubs/<slug:club>/who-did-what/", DeedsView.as_view(), name="api-who-did-what"),
]
