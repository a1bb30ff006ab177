"""What a club holds on its people, over the API: the timetable, everything on one, one erased."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from django import forms
from django.shortcuts import get_object_or_404
from django.urls import path
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.base import ClubAPIView, ClubListAPIView, removes
from clubs.api.commands import ActAPIView, ChangeAPIView
from clubs.core.backups import backup_news
from clubs.core.people_names import standing
from clubs.core.permissions import MANAGE_MEMBERS
from clubs.exports.everything import everything_told
from clubs.forms.keeping import EraseForm, TimetableForm
from clubs.members.schemas import (
    BackupShape,
    ErasedShape,
    ErasureShape,
    EverythingShape,
    GoneShape,
    TimetableShape,
)
from clubs.models import Player
from clubs.selectors.dossier import dossier
from clubs.selectors.erasing import erasure_preview, what_forbids
from clubs.selectors.keeping import A_DAY, due, log_of, timetable
from clubs.services import erasing, keeping

TERMS = ("guests", "lapsed", "letters", "money", "deeds")


class TimetableView(ChangeAPIView):
    """A club’s retention schedule."""

    door = MANAGE_MEMBERS
    asks = TimetableForm
    answers = TimetableShape
    http_method_names = ["get", "patch", "delete", "head", "options"]

    @extend_schema(responses=TimetableShape)
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Get the retention schedule in use or proposed, and what it deletes next."""
        return Response(TimetableShape(self.told_today()).data)

    def bound(self, form: type[forms.Form], data: Any) -> forms.Form:  # noqa: ARG002
        """The page's form over the terms of now."""
        return TimetableForm(timetable(self.club).terms, data)

    def held(self) -> Mapping[str, Any]:
        """The months of now, or those proposed."""
        terms = timetable(self.club).terms
        return {name: getattr(terms, name) for name in TERMS}

    def act(self, told: dict[str, Any]) -> dict[str, Any]:
        """Turn on the retention schedule from tomorrow: months, or ``null`` to keep for ever."""
        keeping.agree(club=self.club, terms=told, today=timezone.localdate())
        return self.told_today()

    @removes
    def delete(self) -> None:
        """Turn off the retention schedule."""
        keeping.stop(club=self.club)

    def told_today(self) -> dict[str, Any]:
        """The timetable, and what the next run would let go."""
        found, today = timetable(self.club), timezone.localdate()
        goes = due(self.club, found.terms, max(found.next_on or today + A_DAY, today))
        return {
            **{name: getattr(found.terms, name) for name in TERMS},
            "is_agreed": found.next_on is not None,
            "next_on": found.next_on,
            "sentences": found.sentences,
            "people": goes.people,
            "counted": goes.counted,
        }


class ErasuresView(ClubListAPIView):
    """What a club has deleted."""

    door = MANAGE_MEMBERS

    @extend_schema(responses=GoneShape(many=True))
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """List what was deleted, newest first. No one is named."""
        return self.page_of(log_of(self.club), GoneShape)


class BackupView(ClubAPIView):
    """The state of the backups."""

    door = MANAGE_MEMBERS

    @extend_schema(responses=BackupShape)
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Get the date of the last good backup, and any problem with the newest."""
        return Response(BackupShape(backup_news()).data)


class EraseView(ActAPIView):
    """One person's data, deleted. This cannot be undone."""

    door = MANAGE_MEMBERS
    asks = EraseForm
    answers = ErasedShape

    @extend_schema(responses=ErasureShape)
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Preview what would be deleted and what would be kept. Nothing is changed."""
        told = asdict(erasure_preview(self.player))
        return Response(ErasureShape({**told, "why_not": what_forbids(self.player)}).data)

    @property
    def player(self) -> Player:
        """The person of the address; raises ``Http404``."""
        people = standing(self.club).select_related("club")
        return get_object_or_404(people, pk=self.kwargs["player"])

    def bound(self, form: type[forms.Form], data: Any) -> forms.Form:  # noqa: ARG002
        """The form that wants the person's name."""
        return EraseForm(self.player.name, data)

    def act(self, told: dict[str, Any]) -> Player:  # noqa: ARG002
        """Delete a person's data. Send their ``name`` to confirm. Results stay, unnamed."""
        made_by: Any = self.request.user
        today = timezone.localdate()
        return erasing.erase_player(player=self.player, today=today, made_by=made_by)


class EverythingView(ClubAPIView):
    """One person's data, for the secretary."""

    door = MANAGE_MEMBERS

    @extend_schema(responses=EverythingShape)
    def get(self, request: Request, player: int, **kwargs: Any) -> Response:  # noqa: ARG002
        """Get everything stored about a person, under the same headings as their own file."""
        found = get_object_or_404(standing(self.club).select_related("club"), pk=player)
        return Response(EverythingShape(everything_told(dossier(found))).data)


CLUB = "clubs/<slug:club>/"
PERSON = f"{CLUB}players/<int:player>/"
urlpatterns = [
    path(f"{CLUB}kept/", TimetableView.as_view(), name="api-kept"),
    path(f"{CLUB}backup/", BackupView.as_view(), name="api-backup"),
    path(f"{CLUB}erasures/", ErasuresView.as_view(), name="api-erasures"),
    path(f"{PERSON}erase/", EraseView.as_view(), name="api-player-erase"),
    path(f"{PERSON}everything/", EverythingView.as_view(), name="api-player-everything"),
]
