"""The projector screen of an evening over the API."""

from collections.abc import Iterator
from typing import Any

from django.urls import path
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from clubs.api.base import SecretLinkAPIView, detail_endpoint
from clubs.api.fields import OneOfField, WindField, named_field
from clubs.api.rows import serializer_of
from clubs.core.access import get_by_key_or_404
from clubs.evenings.selectors import floor
from clubs.evenings.serializers import FloorTableSerializer, ResultSerializer
from clubs.models import SessionState

WhereToSitSerializer = serializer_of(
    "WhereToSitSerializer", floor.PlayerSeat, "name table wind", wind=WindField(allow_blank=True)
)


class EveningPictureSerializer(serializers.Serializer[floor.WallPage]):
    """One screen: the tables, the players by name, or the result, depending on its kind."""

    kind = OneOfField(choices=["tables", "seats", "result"])
    title = serializers.CharField()
    note = serializers.CharField(allow_blank=True)
    seconds = serializers.IntegerField(help_text="how long it is shown, in seconds")
    tables = FloorTableSerializer(many=True)
    people = serializers.SerializerMethodField()
    result = serializers.SerializerMethodField()

    @extend_schema_field(WhereToSitSerializer(many=True))
    def get_people(self, page: floor.WallPage) -> Any:
        """Every player by name, on a seating screen."""
        return WhereToSitSerializer([row.seat for row in _page_rows(page, "seats")], many=True).data

    @extend_schema_field(ResultSerializer(many=True))
    def get_result(self, page: floor.WallPage) -> Any:
        """The rows of the result, on a result screen."""
        return ResultSerializer(list(_page_rows(page, "result")), many=True).data


class EveningWallSerializer(serializers.Serializer[object]):
    """The screens of an evening, in order."""

    club = serializers.CharField()
    held_on = serializers.DateField()
    state = named_field(SessionState.choices)()
    version = serializers.IntegerField(help_text="increases with every change")
    checked_in = serializers.IntegerField(help_text="how many players")
    unseated = serializers.ListField(child=serializers.CharField())
    pages = EveningPictureSerializer(many=True)


class WallView(SecretLinkAPIView):
    @detail_endpoint(EveningWallSerializer)
    def get(self) -> dict[str, Any]:
        """Get the projector screen of an evening: tables, names and result, split into screens."""
        session = get_by_key_or_404(floor.evenings_on_walls, wall_key=self.kwargs["key"])
        wall = floor.wall_of(session)
        return {
            "club": session.club.name,
            "held_on": session.held_on,
            "state": session.state,
            "version": session.version,
            "checked_in": wall.present_count,
            "unseated": wall.unseated_names,
            "pages": wall.pages,
        }


def _page_rows(page: floor.WallPage, kind: str) -> Iterator[Any]:
    """The rows of a page of that kind, one column after another."""
    if page.kind == kind:
        yield from (row for column in page.columns for row in column)


urlpatterns = [path("w/<slug:key>/", WallView.as_view(), name="api-wall")]
