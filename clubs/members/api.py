"""Members over the API: the list, subscriptions, imports and merged records."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.urls import path
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter

from clubs.api.base import ClubListAPIView, lists, reads
from clubs.api.commands import ActAPIView, ChangeAPIView, changes, cleaned_data, does
from clubs.api.fields import KEY, flag, one_of, search
from clubs.core.people_names import active_records
from clubs.core.permissions import MANAGE_MEMBERS, SEE_CLUB
from clubs.members import schemas as shapes, selectors as rows, services
from clubs.members.files import members_text
from clubs.members.forms import (
    GuestVisitsForm,
    MemberChangeForm,
    MemberForm,
    OtherRecordForm,
    RenewForm,
    as_shown,
)
from clubs.models import MemberImport, Player, PlayerKind, PlayerMerge

FILTERS = (search("name"), one_of("kind", PlayerKind.values), flag("is_active"))


class PlayersView(ClubListAPIView, ActAPIView):
    access = SEE_CLUB
    writing_access = MANAGE_MEMBERS
    filters = FILTERS

    @lists(shapes.PlayerShape)
    def get(self) -> tuple[rows.MemberRow, ...]:
        """List the people of a club by name, former members last."""
        return rows.members(self.club, reader=self.reader)

    @does(MemberForm, answers=shapes.HeldShape, status=201)
    def post(self, validated: dict[str, Any]) -> Player:
        """Add a member."""
        return services.add_player(club=self.club, **validated)


class MembersView(ClubListAPIView):
    access = MANAGE_MEMBERS
    filters = FILTERS

    @lists(shapes.HeldShape)
    def get(self) -> QuerySet[Player]:
        """List everyone with all their details."""
        everybody = active_records(self.club).prefetch_related("aliases")
        return everybody.order_by("name_key", "pk")


class PersonActView(ActAPIView):
    access = MANAGE_MEMBERS

    @property
    def player(self) -> Player:
        """The person of the address; raises ``Http404``."""
        return get_object_or_404(active_records(self.club), pk=self.kwargs["player"])


class PlayerView(PersonActView, ChangeAPIView):
    @reads(shapes.HeldShape)
    def get(self) -> Player:
        """Get all the details of one person."""
        return self.player

    def current(self) -> Mapping[str, Any]:
        details = rows.details_of(self.player)
        return {**details, "nicknames": "; ".join(details["nicknames"])}

    @changes(MemberChangeForm, answers=shapes.HeldShape)
    def patch(self, validated: dict[str, Any]) -> Player:
        """Change a person's details."""
        changes = {name: value for name, value in validated.items() if name in self.request.data}
        return services.change_player(player=self.player, changes=changes)


class SubscriptionsView(ChangeAPIView):
    access = MANAGE_MEMBERS

    @reads(shapes.SubscriptionsShape)
    def get(self) -> dict[str, Any]:
        """List members whose subscription is due, former members, and guests."""
        return self.due_today()

    def current(self) -> Mapping[str, Any]:
        return {"visits": self.club.guest_visits}

    @changes(GuestVisitsForm, answers=shapes.SubscriptionsShape)
    def patch(self, validated: dict[str, Any]) -> dict[str, Any]:
        """Set the visit from which guests are asked to join; ``null`` for never."""
        services.ask_guests_from(club=self.club, visits=validated["visits"])
        return self.due_today()

    def due_today(self) -> dict[str, Any]:
        due = rows.subscriptions(self.club, timezone.localdate())
        return {"visits": self.club.guest_visits, **asdict(due)}


class RenewView(PersonActView):
    @does(RenewForm, answers=shapes.HeldShape)
    def post(self, validated: dict[str, Any]) -> Player:
        """Renew a subscription for a year from its last day. It also readmits a former member.

        With ``paid_until`` it is done only if that is still the last day, so never twice.
        """
        shown = as_shown(validated, self.request.data)
        return services.renew(player=self.player, today=timezone.localdate(), shown=shown)


class LapseView(PersonActView):
    @does(answers=shapes.HeldShape)
    def post(self) -> Player:
        """Mark a member as left and take them off the check-in list. Results are kept."""
        return services.lapse(player=self.player, today=timezone.localdate())


class JoinView(PersonActView):
    @does(answers=shapes.HeldShape)
    def post(self) -> Player:
        """Make a guest a member today. Refused for someone who is already a member."""
        return services.make_member(player=self.player, today=timezone.localdate())


class ImportsView(ClubListAPIView, ActAPIView):
    access = MANAGE_MEMBERS

    @lists(shapes.ImportShape)
    def get(self) -> tuple[rows.ImportRow, ...]:
        """List the imports, newest first."""
        return rows.imports_of(self.club, most=None)

    @does(shapes.StoreMembersIn, answers=shapes.ImportShape, status=201)
    def post(self, validated: dict[str, Any]) -> rows.ImportRow:
        """Import members: add new people and update the others.

        Everything is imported, or nothing. Answer each doubtful line in ``choices``:
        ``imports/preview/`` lists who may be meant.
        """
        made = services.import_members(
            club=self.club,
            text=text_of(validated),
            choices=validated.get("choices"),
            file_name=validated.get("file_name", ""),
            made_by=self.me,
        )
        return rows.import_row(made)


class ImportPreviewView(ActAPIView):
    access = MANAGE_MEMBERS

    @does(shapes.MembersListIn, answers=shapes.PlanShape)
    def post(self, validated: dict[str, Any]) -> dict[str, tuple[rows.PlannedLine, ...]]:
        """Preview an import line by line. Nothing is saved."""
        return {"lines": rows.plan_import(club=self.club, text=text_of(validated))}


class ImportUndoView(ActAPIView):
    access = MANAGE_MEMBERS

    @does(answers=shapes.ImportShape)
    def post(self) -> rows.ImportRow:
        """Undo an import. Refused if newer changes would be lost."""
        made = get_object_or_404(MemberImport, club=self.club, pk=self.kwargs["made"])
        services.undo_import(made=made)
        return rows.import_row(made)


def text_of(validated: dict[str, Any]) -> str:
    """The list as text, whichever way it was sent."""
    text: str | None = validated.get("text")
    return members_text(validated["people"]) if text is None else text


OTHER = OpenApiParameter("gone", KEY, required=True, description="the other record")


class DuplicatesView(ClubListAPIView):
    access = MANAGE_MEMBERS

    @lists(shapes.TwinShape)
    def get(self) -> tuple[rows.DuplicateRow, ...]:
        """List possible duplicates: similar names that never came to the same evening."""
        return rows.likely_duplicates(self.club)


class MergesView(ClubListAPIView):
    access = MANAGE_MEMBERS

    @lists(shapes.MergeShape)
    def get(self) -> tuple[rows.MergeRow, ...]:
        """List the merges, newest first. Each can be undone."""
        return rows.merges_of(self.club)


class MergeView(ActAPIView):
    access = MANAGE_MEMBERS

    @reads(shapes.MergePreviewShape, parameters=[OTHER])
    def get(self) -> dict[str, Any]:
        """Preview merging the record ``?gone=`` into this one, and anything that prevents it."""
        data = {"gone": self.request.query_params.get("gone", "")}
        gone = cleaned_data(self.bound(OtherRecordForm, data))["gone"]
        return {
            "kept_id": self.record.pk,
            "gone_id": gone.pk,
            "moves": [moving.words for moving in services.what_moves(gone)],
            "problems": [problem.sentence for problem in services.what_parts(self.record, gone)],
        }

    @property
    def record(self) -> Player:
        """The record of the address; raises ``Http404``."""
        people = active_records(self.club).select_related("club")
        return get_object_or_404(people, pk=self.kwargs["player"])

    def form_kwargs(self) -> dict[str, Any]:
        return {"kept": self.record}

    @does(OtherRecordForm, answers=shapes.MergeShape, status=201)
    def post(self, validated: dict[str, Any]) -> rows.MergeRow:
        """Merge the record ``gone`` into this one, which keeps everything from both."""
        merge = services.merge_players(kept=self.record, gone=validated["gone"], made_by=self.me)
        return rows.merge_row(merge)


class MergeUndoView(ActAPIView):
    access = MANAGE_MEMBERS

    @does(answers=shapes.MergeShape)
    def post(self) -> rows.MergeRow:
        """Undo a merge. Refused if something newer depends on it."""
        merge = get_object_or_404(PlayerMerge, club=self.club, pk=self.kwargs["merge"])
        services.undo_merge(merge=merge)
        return rows.merge_row(merge)


CLUB = "clubs/<slug:club>/"
PERSON = f"{CLUB}players/<int:player>/"
IMPORTS = f"{CLUB}imports/"

urlpatterns = [
    path(f"{CLUB}players/", PlayersView.as_view(), name="api-players"),
    path(f"{CLUB}members/", MembersView.as_view(), name="api-members"),
    path(PERSON, PlayerView.as_view(), name="api-player"),
    path(f"{CLUB}subscriptions/", SubscriptionsView.as_view(), name="api-subscriptions"),
    path(f"{PERSON}renew/", RenewView.as_view(), name="api-player-renew"),
    path(f"{PERSON}lapse/", LapseView.as_view(), name="api-player-lapse"),
    path(f"{PERSON}join/", JoinView.as_view(), name="api-player-join"),
    path(IMPORTS, ImportsView.as_view(), name="api-imports"),
    path(f"{IMPORTS}preview/", ImportPreviewView.as_view(), name="api-import-preview"),
    path(f"{IMPORTS}<int:made>/undo/", ImportUndoView.as_view(), name="api-import-undo"),
    path(f"{CLUB}twins/", DuplicatesView.as_view(), name="api-twins"),
    path(f"{CLUB}merges/", MergesView.as_view(), name="api-merges"),
    path(f"{CLUB}merges/<int:merge>/undo/", MergeUndoView.as_view(), name="api-merge-undo"),
    path(f"{PERSON}merge/", MergeView.as_view(), name="api-player-merge"),
]
