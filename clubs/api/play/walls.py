"""The projector screen of an evening over the API."""

from collections.abc import Iterator
from typing import Any

from django.http import Http404
from django.urls import path
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.base import LinkedAPIView
from clubs.api.play.evening_shapes import FloorTableShape
from clubs.api.shapes import ResultShape
from clubs.models.tenancy import by_key
from clubs.selectors.walls import evenings_on_walls, wall_of
from clubs.wallpages import WallPage


class WhereShape(serializers.Serializer[object]):
    """Where a player sits."""

    name = serializers.CharField()
    table = serializers.IntegerField(allow_null=True, help_text="null: they sit out")
    wind = serializers.CharField(allow_blank=True)


class EveningPictureShape(serializers.Serializer[WallPage]):
    """One screen: the tables, the players by name, or the result, depending on its kind."""

    kind = serializers.CharField(help_text="tables, seats or result")
    title = serializers.CharField()
    note = serializers.CharField(allow_blank=True)
    seconds = serializers.IntegerField(help_text="how long it is shown, in seconds")
    tables = FloorTableShape(many=True)
    people = serializers.SerializerMethodField()
    result = serializers.SerializerMethodField()

    @extend_schema_field(WhereShape(many=True))
    def get_people(self, page: WallPage) -> Any:
        """Every player by name, on a seating screen."""
        shown = [guided.where for guided in _rows(page, "seats")]
        return WhereShape(shown, many=True).data

    @extend_schema_field(ResultShape(many=True))
    def get_result(self, page: WallPage) -> Any:
        """The rows of the result, on a result screen."""
        return ResultShape(list(_rows(page, "result")), many=True).data


class EveningWallShape(serializers.Serializer[object]):
    """The screens of an evening, in order."""

    club = serializers.CharField()
    held_on = serializers.DateField()
    state = serializers.CharField()
    version = serializers.IntegerField(help_text="increases with every change")
    here = serializers.IntegerField()
    unseated = serializers.ListField(child=serializers.CharField())
    pages = EveningPictureShape(many=True)


class WallView(LinkedAPIView):
    """The projector screen of an evening, for anyone with its secret link."""

    @extend_schema(responses=EveningWallShape)
    def get(self, request: Request, key: str, **kwargs: Any) -> Response:  # noqa: ARG002
        """Get the projector screen of an evening: tables, names and result, split into screens."""
        session = by_key(evenings_on_walls, wall_key=key)
        if session is None:
            raise Http404
        wall = wall_of(session)
        told = {
            "club": session.club.name,
            "held_on": session.held_on,
            "state": session.state,
            "version": session.version,
            "here": wall.here,
            "unseated": wall.unseated,
            "pages": wall.pages,
        }
        return Response(EveningWallShape(told).data)


def _rows(page: WallPage, kind: str) -> Iterator[Any]:
    """What stands in the columns of a picture of that kind, one column after another."""
    if page.kind == kind:
        yield from (row for column in page.columns for row in column)


urlpatterns = [path("w/<slug:key>/", WallView.as_view(), name="api-wall")]
