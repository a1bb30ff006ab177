"""The projector screen over the API, by its key and without signing in."""

from typing import Any

from django.http import Http404
from django.urls import path
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema_field
from rest_framework import serializers

from clubs.api.base import detail_endpoint
from clubs.api.fields import OneOfField, WindField
from clubs.api.lists import ListsAPIView, list_endpoint
from clubs.api.rows import serializer_of
from clubs.evenings.selectors.floor import GuidedSeat, WallPage
from clubs.table.square import Chair
from scoring.scorebook.refusals import refuse
from tournaments.api import API_PUBLIC_PATH, FIND_PARAMETER, ClockSerializer, WallAPIView
from tournaments.results.selectors.standings import StandingLine, TeamLine
from tournaments.rounds.selectors import TableRow
from tournaments.wall.selectors import (
    SINGLE_SCREENS,
    MyRound,
    MyTournament,
    NameMatch,
    NowPage,
    WonPrize,
    find_names,
    my_tournament,
    wall_of,
)

NameMatchSerializer = serializer_of("NameMatchSerializer", NameMatch, "entrant_id name about")

NeighbourSerializer = serializer_of(
    "NeighbourSerializer", Chair, "wind name", "A player at my table, seen from my seat."
)

MyRoundSerializer = serializer_of(
    "MyRoundSerializer",
    MyRound,
    "number state table wind substitute points square sits_out",
    wind=WindField(allow_blank=True, help_text="empty: I sit out"),
    square=NeighbourSerializer,
)

SHOW_PARAMETER = OpenApiParameter(
    "show", str, enum=sorted(SINGLE_SCREENS), description="only these screens, not all in turn"
)


class HallTableSerializer(serializers.Serializer[TableRow]):
    """A table on the projector screen."""

    number = serializers.IntegerField()
    state = serializers.CharField()
    sign = serializers.CharField()
    names = serializers.SerializerMethodField()

    def get_names(self, row: TableRow) -> list[str]:
        """Who sits there, East first."""
        return [place.marked_sitter for place in row.places]


class HallLineSerializer(serializers.Serializer[object]):
    """A line of a screen: a player with table and wind, a place with scores, or a prize."""

    title = serializers.CharField(help_text="a name or a prize")
    table = serializers.IntegerField(allow_null=True)
    wind = serializers.CharField()
    place = serializers.CharField()
    figures = serializers.ListField(child=serializers.CharField())


class HallPageSerializer(serializers.Serializer[WallPage]):
    """One screen, and how many seconds it is shown."""

    kind = OneOfField(choices=["now", "seats", "tables", "standings", "teams", "prizes"])
    title = serializers.CharField()
    note = serializers.CharField()
    seconds = serializers.IntegerField()
    big = serializers.SerializerMethodField()
    sentences = serializers.SerializerMethodField()
    tables = HallTableSerializer(many=True)
    columns = serializers.SerializerMethodField()

    def get_big(self, page: WallPage) -> str:
        """A few characters to show very large; empty on most screens."""
        return page.big if isinstance(page, NowPage) else ""

    def get_sentences(self, page: WallPage) -> list[str]:
        """Sentences below it."""
        return list(page.lines) if isinstance(page, NowPage) else []

    @extend_schema_field(serializers.ListField(child=HallLineSerializer(many=True)))
    def get_columns(self, page: WallPage) -> list[list[dict[str, Any]]]:
        """Columns of lines."""
        return [[_line_data(part) for part in column] for column in page.columns]


def _line_data(part: object) -> dict[str, Any]:
    blank: dict[str, Any] = {"title": "", "table": None, "wind": "", "place": "", "figures": []}
    if isinstance(part, GuidedSeat):
        seat = part.seat
        return blank | {"title": seat.name, "table": seat.table, "wind": seat.wind}
    if isinstance(part, StandingLine | TeamLine):
        return blank | {"title": part.row.name, "place": part.place, "figures": list(part.figures)}
    if isinstance(part, WonPrize):
        return blank | {"title": part.title, "figures": [part.winner_names, part.figure, part.gift]}
    return blank | {"title": str(part)}


class TournamentWallSerializer(serializers.Serializer[object]):
    """The screens of a tournament, in turn. The clock is shown on all of them."""

    tournament = serializers.CharField()
    version = serializers.IntegerField()
    pages = HallPageSerializer(many=True)
    clock = ClockSerializer(allow_null=True)


class FigureSerializer(serializers.Serializer[object]):
    """A ranking figure, and my own value."""

    name = serializers.CharField()
    value = serializers.CharField()


class MyTournamentSerializer(serializers.Serializer[MyTournament]):
    """One player's tournament: past and future rounds, and the standing if shown."""

    entrant_id = serializers.IntegerField(source="entrant.pk")
    name = serializers.CharField()
    rounds = MyRoundSerializer(many=True)
    now = MyRoundSerializer(allow_null=True, help_text="the current or next round")
    place = serializers.SerializerMethodField()
    figures = serializers.SerializerMethodField()
    standing = serializers.CharField(source="board.standing")
    clock = ClockSerializer(allow_null=True)
    is_over = serializers.BooleanField()

    def get_place(self, me: MyTournament) -> str:
        """``3``, or ``3=`` if shared; empty if not ranked."""
        return me.line.place if me.line else ""

    @extend_schema_field(FigureSerializer(many=True))
    def get_figures(self, me: MyTournament) -> list[dict[str, str]]:
        """The first and second ranking figures."""
        return [{"name": name, "value": value} for name, value in me.figures]


class WallView(WallAPIView):
    @detail_endpoint(TournamentWallSerializer, parameters=[SHOW_PARAMETER])
    def get(self) -> dict[str, Any]:
        """Get the projector screens: seats, clock, tables, standings and finally the prizes."""
        show = self.request.query_params.get("show", "")
        if show and show not in SINGLE_SCREENS:
            raise refuse(
                "bad_parameter", f"Choose one of {', '.join(sorted(SINGLE_SCREENS))}.", "show"
            )
        wall = wall_of(self.tournament, now=timezone.now(), show=show)
        tournament_fields = {"tournament": self.tournament.name, "version": self.tournament.version}
        return tournament_fields | {"pages": wall.pages, "clock": wall.clock}


class FindView(ListsAPIView, WallAPIView):
    sheet = "Names found"

    @list_endpoint(NameMatchSerializer, parameters=[FIND_PARAMETER])
    def get(self) -> Any:
        """List everyone who plays, substitutes included, by first name or more."""
        return find_names(self.tournament, search_text=self.request.query_params.get("find", ""))


class MeView(WallAPIView):
    @detail_endpoint(MyTournamentSerializer)
    def get(self) -> Any:
        """Get a player's current and next seats, tablemates, and standing if shown."""
        me = my_tournament(self.tournament, entrant_id=self.kwargs["entrant"], now=timezone.now())
        if me is None:
            raise Http404
        return me


urlpatterns = [
    path(API_PUBLIC_PATH, WallView.as_view(), name="api-tournament-wall"),
    path(f"{API_PUBLIC_PATH}find/", FindView.as_view(), name="api-find-me"),
    path(f"{API_PUBLIC_PATH}find/<int:entrant>/", MeView.as_view(), name="api-find-me-one"),
]
