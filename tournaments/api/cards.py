"""The secret links of a round's tables over the API, as their cards have them; and new ones."""

from typing import Any

from django.urls import path, reverse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.base import ClubListAPIView
from clubs.api.commands import NothingIn
from clubs.evenings.schemas import TableLinkShape
from clubs.table.services import replace_link
from tournaments.api.base import ONE, TABLE, AtTableAPIView, RunAPIView, TournamentAPIView
from tournaments.permissions import ENTER_TABLE_HANDS, PRINT_TOURNAMENT
from tournaments.selectors.paper import linked_tables


def _link(request: Request, number: int, key: str) -> dict[str, Any]:
    """A table's link as its card has it."""
    address = request.build_absolute_uri(reverse("round-table", args=[key]))
    return {"number": number, "key": key, "address": address}


class LinksView(ClubListAPIView, TournamentAPIView):
    """The links printed on a round's table cards."""

    door = PRINT_TOURNAMENT

    @extend_schema(responses=TableLinkShape(many=True))
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Get the secret link of each table of a round. They work without an account."""
        tables = linked_tables(
            self.tournament, round_number=self.kwargs["round"], reader=self.reader
        )
        links = [_link(request, one.view.number, one.link_key) for one in tables]
        return self.page_of(links, TableLinkShape)


class NewLinkView(AtTableAPIView, RunAPIView):
    """Another link for a table."""

    door = ENTER_TABLE_HANDS
    asks = NothingIn
    answers = TableLinkShape
    status = 201

    def act(self, told: dict[str, Any]) -> dict[str, Any]:  # noqa: ARG002
        """Replace a table card: the old card and its seat links stop working."""
        key = replace_link(table=self.round_table, club=self.club)
        return _link(self.request, self.round_table.number, key)


urlpatterns = [
    path(f"{ONE}rounds/<int:round>/links/", LinksView.as_view(), name="api-tournament-links"),
    path(f"{TABLE}new-link/", NewLinkView.as_view(), name="api-tournament-new-link"),
]
