"""What a table's players ask over the API: their own links, what a tile is worth, what may come."""

from typing import Any

from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import PermissionDenied, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.base import TablesAPIView
from clubs.api.play.aid_shapes import AidShape
from clubs.api.play.table_shapes import AheadShape, SeatLinkShape
from clubs.api.play.tables import Acts, AtTable
from clubs.selectors.aid import Aid, Asker, aid_of
from scoring import RuleSet, Wind
from scoring.ahead import ahead, ahead_as_json

WINDS = [wind.value for wind in Wind]
AID = extend_schema(
    responses=AidShape,
    parameters=[
        OpenApiParameter("tile", OpenApiTypes.STR, description="the tile to describe: B5"),
        OpenApiParameter("own", OpenApiTypes.STR, enum=WINDS, description="the player’s wind"),
        OpenApiParameter(
            "prevailing", OpenApiTypes.STR, enum=WINDS, description="the prevailing wind"
        ),
    ],
)


class SeatsView(AtTable, TablesAPIView):
    """A link for each player's own phone."""

    page: str

    @extend_schema(tags=["tables"], responses=SeatLinkShape(many=True))
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Get the link of each seat, for that player only."""
        table = self.at
        if table.seat_key is None:
            raise PermissionDenied("A seat’s link does not give access to the other seats.")
        links = []
        for seat in table.view.seats:
            key = table.seat_key(seat.number)
            address = request.build_absolute_uri(reverse(self.page, args=[key]))
            links.append(
                {"seat": seat.number, "name": seat.name, "wind": seat.wind}
                | {"key": key, "address": address}
            )
        return self.table_of(links, SeatLinkShape)


class TableAidView(AtTable):
    """What a tile is worth at this table now."""

    @AID
    @extend_schema(tags=["tables"])
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Get what every tile is worth under the table's rules, with the current winds."""
        table = self.at
        deal = table.deal(table.next_number)
        own = deal.winds.get(table.seat or 0, Wind.E)
        told = asked_aid(request, table.rules, own=own, prevailing=deal.prevailing_wind)
        return Response(AidShape(told).data)


class AheadView(AtTable):
    """What may be dealt next, for a program that works offline."""

    @extend_schema(tags=["tables"], responses=AheadShape)
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Get every deal possible in the next 30 hands. There are none once the game is over."""
        table = self.at
        states = () if table.view.game.is_over else ahead(table.winners, **table.course)
        return Response(AheadShape(ahead_as_json(states)).data)


def asked_aid(request: Request, rules: RuleSet, *, own: Wind, prevailing: Wind | None) -> Aid:
    """The aid as the address asks for it; ``ValidationError`` for no wind or tile."""
    asker = Asker(
        own=_wind(request, "own") or own,
        prevailing=prevailing and (_wind(request, "prevailing") or prevailing),
    )
    code = request.query_params.get("tile", "")
    told = aid_of(rules, asker, code)
    if code and told.tile is None:
        raise ValidationError({"tile": ["These rules have no such tile."]})
    return told


def _wind(request: Request, name: str) -> Wind | None:
    told = request.query_params.get(name)
    if told is None:
        return None
    if told not in WINDS:
        raise ValidationError({name: [f"Choose one of {', '.join(WINDS)}."]})
    return Wind(told)


ASKING: Acts = {
    "seats": ("seats/", SeatsView),
    "aid": ("aid/", TableAidView),
    "ahead": ("ahead/", AheadView),
}
