"""Two records of one person over the API: found, looked at, made one, made two again."""

from typing import Any

from django import forms
from django.shortcuts import get_object_or_404
from django.urls import path
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.base import ClubListAPIView
from clubs.api.commands import ActAPIView, judged
from clubs.api.fields import KEY
from clubs.api.office.shapes_people import MergePreviewShape, MergeShape, TwinShape
from clubs.core.people_names import standing
from clubs.core.permissions import MANAGE_MEMBERS
from clubs.forms.members_merge import OtherRecordForm
from clubs.models import Player, PlayerMerge
from clubs.selectors.people_twins import MergeRow, likely_twins, merge_row, merges_of
from clubs.services import merging

OTHER = OpenApiParameter("gone", KEY, required=True, description="the other record")


class TwinsView(ClubListAPIView):
    """Possible duplicates."""

    door = MANAGE_MEMBERS

    @extend_schema(responses=TwinShape(many=True))
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """List possible duplicates: similar names that never came to the same evening."""
        return self.page_of(likely_twins(self.club), TwinShape)


class MergesView(ClubListAPIView):
    """Merged records."""

    door = MANAGE_MEMBERS

    @extend_schema(responses=MergeShape(many=True))
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """List the merges, newest first. Each can be undone."""
        return self.page_of(merges_of(self.club), MergeShape)


class MergeView(ActAPIView):
    """One record of a person, to merge with another."""

    door = MANAGE_MEMBERS
    asks = OtherRecordForm
    answers = MergeShape
    status = 201

    @extend_schema(parameters=[OTHER], responses=MergePreviewShape)
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Preview merging the record ``?gone=`` into this one, and anything that prevents it."""
        asked = {"gone": request.query_params.get("gone", "")}
        gone = judged(self.bound(OtherRecordForm, asked))["gone"]
        told = {
            "kept_id": self.record.pk,
            "gone_id": gone.pk,
            "moves": [moving.words for moving in merging.what_moves(gone)],
            "problems": [one.sentence for one in merging.what_parts(self.record, gone)],
        }
        return Response(MergePreviewShape(told).data)

    @property
    def record(self) -> Player:
        """The record of the address; raises ``Http404``."""
        people = standing(self.club).select_related("club")
        return get_object_or_404(people, pk=self.kwargs["player"])

    def bound(self, form: type[forms.Form], data: Any) -> forms.Form:  # noqa: ARG002
        """The form that offers the other records."""
        return OtherRecordForm(self.record, data)

    def act(self, told: dict[str, Any]) -> MergeRow:
        """Merge the record ``gone`` into this one, which keeps everything from both."""
        made_by: Any = self.request.user
        merge = merging.merge_players(kept=self.record, gone=told["gone"], made_by=made_by)
        return merge_row(merge)


class MergeUndoView(ActAPIView):
    """A merge, undone."""

    door = MANAGE_MEMBERS
    answers = MergeShape

    def act(self, told: dict[str, Any]) -> MergeRow:  # noqa: ARG002
        """Undo a merge. Refused if something newer depends on it."""
        merge = get_object_or_404(PlayerMerge, club=self.club, pk=self.kwargs["merge"])
        merging.undo_merge(merge=merge)
        return merge_row(merge)


CLUB = "clubs/<slug:club>/"
urlpatterns = [
    path(f"{CLUB}twins/", TwinsView.as_view(), name="api-twins"),
    path(f"{CLUB}merges/", MergesView.as_view(), name="api-merges"),
    path(f"{CLUB}merges/<int:merge>/undo/", MergeUndoView.as_view(), name="api-merge-undo"),
    path(f"{CLUB}players/<int:player>/merge/", MergeView.as_view(), name="api-player-merge"),
]
