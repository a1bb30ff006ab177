"""Personal data over the API: the schedule, everything on one person, one person erased."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from django.urls import path
from django.utils import timezone
from rest_framework import serializers
from rest_framework.exceptions import NotFound

from clubs.api.base import ClubAPIView, ClubListAPIView, lists, reads, removes
from clubs.api.commands import ChangeAPIView, changes, does
from clubs.api.fields import named
from clubs.api.rows import schema_of
from clubs.backup.archive import BackupNews, backup_news
from clubs.backup.away_news import AwayNews
from clubs.core.people_names import active_records
from clubs.core.permissions import MANAGE_MEMBERS, SEE_CLUB
from clubs.members.api import PersonActView
from clubs.members.forms import MyEmailsForm, MyNameForm
from clubs.members.services import choose_emails, show_name
from clubs.models import Club, Player, ShownAs
from clubs.models.names import Reader
from clubs.privacy import services
from clubs.privacy.forms import EraseForm, TimetableForm, initial_months
from clubs.privacy.selectors.data_export import Dossier, Part, dossier, everything_data
from clubs.privacy.selectors.erasure import (
    DuePerson,
    ErasurePreview,
    Gone,
    Sealed,
    due,
    erasure_preview,
    log_of,
    timetable,
    what_forbids,
)

Shape = serializers.Serializer[object]


class WayShape(Shape):
    """A way to show a name, and how the person’s own name would look."""

    shown_as = named(ShownAs.choices)()
    name = serializers.CharField()
    note = serializers.CharField()


class MyNameShape(Shape):
    """Who you are on the club’s list, and how your name is shown."""

    player_id = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    shown_as = named(ShownAs.choices)()
    ways = WayShape(many=True)


class MyEmailsShape(Shape):
    """What the club may email you."""

    email = serializers.CharField(help_text="empty: the club has no address for you")
    wants_messages = serializers.BooleanField(help_text="invitations, news and reminders")
    wants_results = serializers.BooleanField(help_text="each evening’s result")


PartShape = schema_of(
    "PartShape",
    Part,
    "title about columns rows tables",
    rows=serializers.ListField(
        child=serializers.DictField(child=serializers.CharField(allow_blank=True)),
        help_text="each row’s cells by column",
    ),
)

EverythingShape = schema_of(
    "EverythingShape", Dossier, "club name made_at parts left_out", parts=PartShape
)

SealedShape = schema_of("SealedShape", Sealed, "held_on words")

ErasureShape = schema_of(
    "ErasureShape",
    ErasurePreview,
    "name former why_not goes stays sealed look",
    why_not=serializers.CharField(allow_blank=True, help_text="empty if it can be done now"),
    sealed=SealedShape,
)

ErasedShape = schema_of(
    "ErasedShape",
    Player,
    "id=pk name erased_on",
    "A person whose data was deleted: what results show now.",
    erased_on=serializers.DateField(),
)

DuePersonShape = schema_of("DuePersonShape", DuePerson, "player_id name why last_known")


class TimetableShape(Shape):
    """How many months each kind of data is kept (null: until deleted by hand), and what is next."""

    guests = serializers.IntegerField(allow_null=True, help_text="after a guest’s last visit")
    lapsed = serializers.IntegerField(allow_null=True, help_text="after someone has left")
    letters = serializers.IntegerField(
        allow_null=True, help_text="messages, invitations and imports"
    )
    money = serializers.IntegerField(allow_null=True, help_text="who paid table money")
    deeds = serializers.IntegerField(allow_null=True, help_text="the activity log")
    is_agreed = serializers.BooleanField(
        help_text="false: a proposal, so nothing is deleted automatically"
    )
    next_on = serializers.DateField(allow_null=True)
    sentences = serializers.ListField(child=serializers.CharField())
    people = DuePersonShape(many=True, help_text="whose names are deleted on that day")
    counted = serializers.ListField(child=serializers.CharField(), help_text="what else is deleted")


GoneShape = schema_of("GoneShape", Gone, "what at by")
AwayCopyShape = schema_of(
    "AwayCopyShape", AwayNews, "place made_at sent_at tried_at trouble fault try_at"
)
BackupShape = schema_of(
    "BackupShape", BackupNews, "good_at trouble fault put_back_at away", away=AwayCopyShape
)


class TimetableView(ChangeAPIView):
    access = MANAGE_MEMBERS

    @reads(TimetableShape)
    def get(self) -> dict[str, Any]:
        """Get the retention schedule in use or proposed, and what it deletes next."""
        return self.schedule_today()

    def form_kwargs(self) -> dict[str, Any]:
        return {"terms": timetable(self.club).terms}

    def current(self) -> Mapping[str, Any]:
        return initial_months(timetable(self.club).terms)

    @changes(TimetableForm, answers=TimetableShape)
    def patch(self, validated: dict[str, Any]) -> dict[str, Any]:
        """Turn on the retention schedule from tomorrow: months, or ``null`` to keep for ever."""
        services.agree(club=self.club, terms=validated, today=timezone.localdate())
        return self.schedule_today()

    @removes
    def delete(self) -> None:
        """Turn off the retention schedule."""
        services.stop(club=self.club)

    def schedule_today(self) -> dict[str, Any]:
        """The schedule, and what the next run would delete."""
        schedule, today = timetable(self.club), timezone.localdate()
        expired = due(self.club, schedule.terms, schedule.next_run(today))
        return {
            **initial_months(schedule.terms),
            "is_agreed": schedule.next_on is not None,
            "next_on": schedule.next_on,
            "sentences": schedule.sentences,
            "people": expired.people,
            "counted": expired.counted,
        }


class ErasuresView(ClubListAPIView):
    access = MANAGE_MEMBERS
    sheet = "Deleted personal data"

    @lists(GoneShape)
    def get(self) -> Any:
        """List what was deleted, newest first. No one is named."""
        return log_of(self.club)


class BackupView(ClubAPIView):
    access = MANAGE_MEMBERS

    @reads(BackupShape)
    def get(self) -> Any:
        """Get the date of the last good backup, and any problem with the newest."""
        return backup_news()


class EraseView(PersonActView):
    def dry_run(self, _validated: dict[str, Any]) -> dict[str, Any]:
        """What would be deleted and what would be kept."""
        return {**asdict(erasure_preview(self.player)), "why_not": what_forbids(self.player)}

    def form_kwargs(self) -> dict[str, Any]:
        return {"name": self.player.name}

    @does(EraseForm, answers=ErasedShape, preflight=ErasureShape)
    def post(self, _validated: dict[str, Any]) -> Player:
        """Delete a person's data. Send their ``name`` to confirm. Results stay, unnamed.

        A dry run, for which no name is needed, says what would be deleted and what kept.
        """
        today = timezone.localdate()
        return services.erase_player(player=self.player, today=today, made_by=self.me)


class EverythingView(PersonActView):
    @reads(EverythingShape)
    def get(self) -> dict[str, Any]:
        """Get everything stored about a person, under the same headings as their own file."""
        return everything_data(dossier(self.player))


NOBODY = "Your account is not linked to anyone on the club’s list. Ask the secretary."


class MyNameView(ChangeAPIView):
    access = SEE_CLUB

    @reads(MyNameShape)
    def get(self) -> dict[str, Any]:
        """Get your name on the list, and the three ways to show it."""
        return _named(own_player(self.club, self.reader))

    def current(self) -> Mapping[str, Any]:
        return {"shown_as": own_player(self.club, self.reader).shown_as}

    @changes(MyNameForm, answers=MyNameShape)
    def patch(self, validated: dict[str, Any]) -> dict[str, Any]:
        """Choose how your name is shown to others."""
        me = own_player(self.club, self.reader)
        return _named(show_name(player=me, shown_as=validated["shown_as"]))


class MyEmailsView(ChangeAPIView):
    access = SEE_CLUB

    @reads(MyEmailsShape)
    def get(self) -> Player:
        """Get what the club may email you, and where."""
        return own_player(self.club, self.reader)

    def current(self) -> Mapping[str, Any]:
        me = own_player(self.club, self.reader)
        return {name: getattr(me, name) for name in MyEmailsForm.base_fields}

    @changes(MyEmailsForm, answers=MyEmailsShape)
    def patch(self, validated: dict[str, Any]) -> Player:
        """Choose what the club may email you."""
        return choose_emails(player=own_player(self.club, self.reader), **validated)


class MyEverythingView(ClubAPIView):
    access = SEE_CLUB

    @reads(EverythingShape)
    def get(self) -> dict[str, Any]:
        """Get your personal data, under the same headings as your file."""
        return everything_data(dossier(own_player(self.club, self.reader)))


def own_player(club: Club, reader: Reader) -> Player:
    """The caller on the club's list; raises ``NotFound`` for an account without a person."""
    me = active_records(club).select_related("club").filter(pk=reader.player or 0).first()
    if me is None:
        raise NotFound(NOBODY)
    return me


def _named(me: Player) -> dict[str, Any]:
    ways = [
        {"shown_as": way.option.data["value"], "name": way.name, "note": way.note}
        for way in MyNameForm(initial={"shown_as": me.shown_as}).ways(me.name)
    ]
    return {"pk": me.pk, "name": me.name, "shown_as": me.shown_as, "ways": ways}


CLUB = "clubs/<slug:club>/"
PERSON = f"{CLUB}players/<int:player>/"
ME = f"{CLUB}me/"

urlpatterns = [
    path(f"{CLUB}kept/", TimetableView.as_view(), name="api-kept"),
    path(f"{CLUB}backup/", BackupView.as_view(), name="api-backup"),
    path(f"{CLUB}erasures/", ErasuresView.as_view(), name="api-erasures"),
    path(f"{PERSON}erase/", EraseView.as_view(), name="api-player-erase"),
    path(f"{PERSON}everything/", EverythingView.as_view(), name="api-player-everything"),
    path(ME, MyNameView.as_view(), name="api-my-name"),
    path(f"{ME}emails/", MyEmailsView.as_view(), name="api-my-emails"),
    path(f"{ME}everything/", MyEverythingView.as_view(), name="api-my-everything"),
]
