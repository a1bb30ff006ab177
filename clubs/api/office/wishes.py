"""The club's seating preferences over the API."""

from typing import Any

from django.shortcuts import get_object_or_404
from django.urls import path
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.base import ClubAPIView, ClubListAPIView, removes
from clubs.api.commands import ActAPIView, judged
from clubs.api.form_schemas import as_form_data
from clubs.api.office.shapes_year import WishIn, WishShape
from clubs.core.permissions import MANAGE_WISHES
from clubs.forms.wishes import WishForm
from clubs.models import WishKind
from clubs.selectors.wishes import WishRow, wish_list
from clubs.services import wishes as services


class WishesView(ClubListAPIView, ActAPIView):
    """A club’s seating preferences."""

    door = MANAGE_WISHES
    asks = WishIn
    answers = WishShape
    status = 201

    @extend_schema(responses=WishShape(many=True))
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """List the seating preferences as sentences, past ones last."""
        return self.page_of(wish_list(self.club, timezone.localdate()), WishShape)

    def act(self, told: dict[str, Any]) -> WishRow:
        """Add a seating preference for the next seating. Refused if it contradicts another."""
        kind = WishKind(told.pop("kind"))
        cleaned = judged(WishForm(self.club, kind, as_form_data(told)))
        made_by: Any = self.request.user
        made = services.add_wish(club=self.club, kind=kind, made_by=made_by, **cleaned)
        rows = wish_list(self.club, timezone.localdate())
        return next(row for row in rows if row.pk == made.pk)


class WishView(ClubAPIView):
    """One seating preference."""

    door = MANAGE_WISHES

    @extend_schema(responses=WishShape)
    def get(self, request: Request, wish: int, **kwargs: Any) -> Response:  # noqa: ARG002
        """Get a seating preference as a sentence."""
        found = get_object_or_404(self.club.wishes, pk=wish)
        rows = wish_list(self.club, timezone.localdate())
        return Response(WishShape(next(row for row in rows if row.pk == found.pk)).data)

    @removes
    def delete(self) -> None:
        """Delete a seating preference."""
        wish = get_object_or_404(self.club.wishes, pk=self.kwargs["wish"])
        services.take_back_wish(wish=wish)


WISHES = "clubs/<slug:club>/wishes/"
urlpatterns = [
    path(WISHES, WishesView.as_view(), name="api-wishes"),
    path(f"{WISHES}<int:wish>/", WishView.as_view(), name="api-wish"),
]
