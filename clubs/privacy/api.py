"""Personal data over the API: everything on one person, their own choices, and the backup."""

from collections.abc import Mapping
from typing import Any

from django.urls import path
from rest_framework import serializers
from rest_framework.exceptions import NotFound

from clubs.api.base import ClubAPIView, detail_endpoint
from clubs.api.commands import PatchAPIView, patch_endpoint
from clubs.api.fields import named_field
from clubs.api.rows import serializer_of
from clubs.api.viewsets import CLUB_PATH
from clubs.backup.archive import BackupNews, backup_news
from clubs.backup.away_news import AwayNews
from clubs.core.people_names import active_records
from clubs.core.permissions import MANAGE_MEMBERS, SEE_CLUB
from clubs.members.api import PersonActView
from clubs.members.forms import MyEmailsForm, MyNameForm
from clubs.members.services.people import choose_emails, show_name
from clubs.models import Club, Player, ShownAs
from clubs.models.names import Reader
from clubs.privacy.selectors.data_export import (
    ExportPart,
    PersonalData,
    personal_data,
    personal_data_values,
)

PersonalDataPartSerializer = serializer_of(
    "PersonalDataPartSerializer",
    ExportPart,
    "title about columns rows tables",
    rows=serializers.ListField(
        child=serializers.DictField(child=serializers.CharField(allow_blank=True)),
        help_text="each row’s cells by column",
    ),
)

PersonalDataSerializer = serializer_of(
    "PersonalDataSerializer",
    PersonalData,
    "club name made_at parts left_out",
    parts=PersonalDataPartSerializer,
)

AwayCopySerializer = serializer_of(
    "AwayCopySerializer", AwayNews, "place made_at sent_at tried_at trouble fault try_at"
)
BackupSerializer = serializer_of(
    "BackupSerializer",
    BackupNews,
    "good_at trouble fault put_back_at away",
    away=AwayCopySerializer,
)

NOT_LINKED_MESSAGE = "Your account is not linked to anyone on the club’s list. Ask the secretary."
PERSON_PATH = f"{CLUB_PATH}players/<int:player>/"
OWN_PATH = f"{CLUB_PATH}me/"


class NameStyleSerializer(serializers.Serializer[object]):
    """A way to show a name, and how the person’s own name would look."""

    shown_as = named_field(ShownAs.choices)()
    name = serializers.CharField()
    note = serializers.CharField()


class MyNameSerializer(serializers.Serializer[object]):
    """Who you are on the club’s list, and how your name is shown."""

    player_id = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    shown_as = named_field(ShownAs.choices)()
    styles = NameStyleSerializer(many=True)


class MyEmailsSerializer(serializers.Serializer[object]):
    """What the club may email you."""

    email = serializers.CharField(help_text="empty: the club has no address for you")
    wants_messages = serializers.BooleanField(help_text="invitations, news and reminders")
    wants_results = serializers.BooleanField(help_text="each evening’s result")


class BackupView(ClubAPIView):
    access = MANAGE_MEMBERS

    @detail_endpoint(BackupSerializer)
    def get(self) -> Any:
        """Get the date of the last good backup, and any problem with the newest."""
        return backup_news()


class DataExportView(PersonActView):
    @detail_endpoint(PersonalDataSerializer)
    def get(self) -> dict[str, Any]:
        """Get everything stored about a person, under the same headings as their own file."""
        return personal_data_values(personal_data(self.player))


class MyNameView(PatchAPIView):
    access = SEE_CLUB

    @detail_endpoint(MyNameSerializer)
    def get(self) -> dict[str, Any]:
        """Get your name on the list, and the three ways to show it."""
        return _name_settings(own_player(self.club, self.reader))

    def current(self) -> Mapping[str, Any]:
        return {"shown_as": own_player(self.club, self.reader).shown_as}

    @patch_endpoint(MyNameForm, answers=MyNameSerializer)
    def patch(self, validated: dict[str, Any]) -> dict[str, Any]:
        """Choose how your name is shown to others."""
        me = own_player(self.club, self.reader)
        return _name_settings(show_name(player=me, shown_as=validated["shown_as"]))


class MyEmailsView(PatchAPIView):
    access = SEE_CLUB

    @detail_endpoint(MyEmailsSerializer)
    def get(self) -> Player:
        """Get what the club may email you, and where."""
        return own_player(self.club, self.reader)

    def current(self) -> Mapping[str, Any]:
        me = own_player(self.club, self.reader)
        return {name: getattr(me, name) for name in MyEmailsForm.base_fields}

    @patch_endpoint(MyEmailsForm, answers=MyEmailsSerializer)
    def patch(self, validated: dict[str, Any]) -> Player:
        """Choose what the club may email you."""
        return choose_emails(player=own_player(self.club, self.reader), **validated)


class MyDataExportView(ClubAPIView):
    access = SEE_CLUB

    @detail_endpoint(PersonalDataSerializer)
    def get(self) -> dict[str, Any]:
        """Get your personal data, under the same headings as your file."""
        return personal_data_values(personal_data(own_player(self.club, self.reader)))


def own_player(club: Club, reader: Reader) -> Player:
    """The caller on the club's list; raises ``NotFound`` for an account without a person."""
    me = active_records(club).select_related("club").filter(pk=reader.player or 0).first()
    if me is None:
        raise NotFound(NOT_LINKED_MESSAGE)
    return me


def _name_settings(me: Player) -> dict[str, Any]:
    styles = [
        {"shown_as": style.option.data["value"], "name": style.name, "note": style.note}
        for style in MyNameForm(initial={"shown_as": me.shown_as}).name_styles(me.name)
    ]
    return {"pk": me.pk, "name": me.name, "shown_as": me.shown_as, "styles": styles}


urlpatterns = [
    path(f"{CLUB_PATH}backup/", BackupView.as_view(), name="api-backup"),
    path(f"{PERSON_PATH}data-export/", DataExportView.as_view(), name="api-player-everything"),
    path(OWN_PATH, MyNameView.as_view(), name="api-my-name"),
    path(f"{OWN_PATH}emails/", MyEmailsView.as_view(), name="api-my-emails"),
    path(f"{OWN_PATH}data-export/", MyDataExportView.as_view(), name="api-my-everything"),
]
