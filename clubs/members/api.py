"""Members over the API: the list, subscriptions and imports."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any, Final, cast

from django.db.models import DateField, QuerySet
from django.shortcuts import get_object_or_404
from django.urls import path
from django.utils import timezone
from django_filters.rest_framework import FilterSet
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.mixins import DestroyModelMixin
from rest_framework.permissions import SAFE_METHODS

from clubs.api.base import detail_endpoint
from clubs.api.commands import ClubCommandAPIView, PatchAPIView, command_endpoint, patch_endpoint
from clubs.api.created import SAME_ROUTE, CreatedRoute
from clubs.api.fields import FlagField, OneOfField, StrictSerializer, TextField
from clubs.api.filters import FlagFilter, OneOfFilter, SearchFilter
from clubs.api.retries import sent_state
from clubs.api.rows import serializer_of
from clubs.api.viewsets import CLUB_PATH, ClubListViewSet, ClubReadOnlyViewSet, Router
from clubs.core.people_names import active_records, names_of
from clubs.core.permissions import MANAGE_MEMBERS, SEE_CLUB, Permission
from clubs.language.words import whole_number
from clubs.members import selectors as rows
from clubs.members.files import TARGETS, members_text
from clubs.members.forms import GuestVisitsForm, MemberChangeForm, MemberForm
from clubs.members.import_plan import Answers, FieldChange, ImportPlan, PlannedLine, plan_import
from clubs.members.lists import NOT_IMPORTED, ListColumn, SkippedLine, Target
from clubs.members.person_columns import EDITED_COLUMNS, SENT_COLUMNS
from clubs.members.services import imports, people as services
from clubs.models import MemberImport, Player, PlayerKind
from clubs.models.names import by_surname

MAX_LIST_LENGTH = 90_000

# In the order in which they have always been sent; other columns follow.
DETAIL_FIELDS: Final = (
    *("name", "nicknames", "kind", "email", "wants_results", "phone", "shown_as"),
    *("is_active", "joined_on", "paid_until"),
)

DueSerializer = serializer_of(
    "DueSerializer", rows.DueRow, "player_id name email phone paid_until is_over"
)
LapsedMemberSerializer = serializer_of(
    "LapsedMemberSerializer", rows.LapsedRow, "player_id name since paid_until"
)

GuestSerializer = serializer_of(
    "GuestSerializer", rows.GuestRow, "player_id name visits last_seen is_to_ask"
)

SubscriptionsSerializer = serializer_of(
    "SubscriptionsSerializer",
    rows.Subscriptions,
    "visits due unknown lapsed guests",
    "Who is due, who never paid, who has left, the guests; and when guests are asked to join.",
    visits=serializers.IntegerField(
        allow_null=True, help_text="the visit from which a guest is asked to join; null: never"
    ),
    due=DueSerializer,
    unknown=DueSerializer,
    lapsed=LapsedMemberSerializer,
    guests=GuestSerializer,
)

ImportSerializer = serializer_of(
    "ImportSerializer",
    rows.ImportRow,
    "id=pk file_name made_at added=added_count changed=changed_count undone_at",
)

LikelyMatchSerializer = serializer_of(
    "LikelyMatchSerializer", Player, "id=pk name", "Someone on the list who may be the same person."
)

DifferenceSerializer = serializer_of(
    "DifferenceSerializer", FieldChange, "what=label was=old_value becomes"
)

ImportLineSerializer = serializer_of(
    "ImportLineSerializer",
    PlannedLine,
    "line=line.number line.name how=match_kind is_new is_doubtful people changes details "
    "problems nobody notes",
    "What would happen to one line of a list.",
    is_doubtful="whether someone must choose who it is",
    is_new="whether no one on the list is similar",
    people=LikelyMatchSerializer(many=True, help_text="who is meant, or may be"),
    changes=DifferenceSerializer,
    nobody=serializers.CharField(
        source="line.no_person_reason",
        read_only=True,
        help_text="why this is probably not one person, or empty: imported only where choices "
        "says so, but for two new people on one line",
    ),
    notes=serializers.ListField(
        source="line.notes",
        child=serializers.CharField(),
        read_only=True,
        help_text="what of the line is not imported, a sentence each",
    ),
    details=serializers.ListField(
        source="line.in_words",
        child=serializers.CharField(),
        read_only=True,
        help_text="the line, in words",
    ),
)

ListColumnSerializer = serializer_of(
    "ListColumnSerializer",
    ListColumn,
    "number heading example becomes",
    "A column of a list, and what it becomes.",
    becomes="a key of ``columns``; empty if the column is not imported",
)

SkippedLineSerializer = serializer_of(
    "SkippedLineSerializer", SkippedLine, "line reason text", "A line that is nobody’s, and why."
)

PlayerSerializer = serializer_of(
    "PlayerSerializer",
    rows.MemberRow,
    "player_id=player.pk name player.kind player.is_active evenings last_seen",
    "One row of the member list, without email addresses.",
)


class PersonDetailsSerializer(serializers.ModelSerializer[Player]):
    """One person's details, for those who may change them."""

    id = serializers.IntegerField(source="pk")
    nicknames = serializers.SerializerMethodField()

    class Meta:
        model = Player
        fields = [
            "id",
            *DETAIL_FIELDS,
            *(name for name in EDITED_COLUMNS if name not in DETAIL_FIELDS),
            "lapsed_on",
        ]
        fields += ["failed_email", "email_failed_on"]

    def get_nicknames(self, player: Player) -> list[str]:
        """Other names by which the person is known on lists."""
        return [alias.name for alias in player.aliases.all()]


def _column_field(column: str) -> serializers.Field[Any, Any, Any, Any]:
    """What a program may send of a person's column, as far as the database could hold it."""
    field: Any = Player._meta.get_field(column)
    is_optional = field.blank or field.has_default()
    if field.choices:
        return OneOfField(choices=field.choices, required=not is_optional)
    if isinstance(field, DateField):
        return serializers.DateField(required=not is_optional)
    return TextField(required=not is_optional, allow_blank=field.blank, max_length=field.max_length)


class PersonIn(StrictSerializer):
    """Someone in a list. Fields you omit stay as they are."""

    def get_fields(self) -> dict[str, Any]:
        """The columns of a list that programs may send, and the nicknames."""
        nicknames = serializers.ListField(child=TextField(max_length=80), required=False)
        *first, last = SENT_COLUMNS
        return {name: _column_field(name) for name in first} | {
            "nicknames": nicknames,
            last: _column_field(last),
        }


def columns_field(targets: Iterable[Target]) -> serializers.DictField:
    """What a program may say of the columns of a list."""
    keys = [target.key for target in targets]
    return serializers.DictField(
        child=TextField(max_length=max(map(len, keys)), allow_blank=True),
        required=False,
        help_text="by column number from 1 what it becomes, if not what its heading says: "
        f"{', '.join(keys)}; empty to exclude it",
    )


def small_letters_field() -> FlagField:
    """Whether names in capitals are written in the usual way."""
    return FlagField(
        required=False,
        help_text="whether names all in capitals, or all in small letters, are written in the "
        "usual way: SMITH, JOHN is John Smith",
    )


def chosen_columns(columns: dict[str, str], targets: Iterable[Target]) -> dict[int, str]:
    """The choices by column number; each that is no number and no target is an error."""
    keys = {NOT_IMPORTED, *(target.key for target in targets)}
    if strange := [key for key, becomes in columns.items() if becomes not in keys]:
        fault = "A column cannot become this."
        raise serializers.ValidationError({key: [fault] for key in strange})
    return answers_by_number(columns, "This is not the number of a column.")


class MembersListIn(serializers.Serializer[object]):
    """A list of people: either as the text of a spreadsheet, or person by person."""

    text = TextField(
        required=False,
        trim_whitespace=False,
        max_length=MAX_LIST_LENGTH,
        help_text="lines with commas, semicolons or tabs; one of the first names the columns, "
        "but for names alone, one a line",
    )
    columns = columns_field(TARGETS)
    people = PersonIn(
        many=True, required=False, allow_empty=False, help_text="the same list, person by person"
    )
    small_letters = small_letters_field()

    def validate_columns(self, columns: dict[str, str]) -> dict[int, str]:
        """Columns are known by their numbers, from 1."""
        return chosen_columns(columns, TARGETS)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Exactly one of the two."""
        if ("text" in attrs) == ("people" in attrs):
            raise serializers.ValidationError("Send either text or people.")
        return attrs


class ImportIn(MembersListIn):
    """A list of people, and who its doubtful lines are."""

    file_name = TextField(required=False, allow_blank=True, max_length=120)
    choices = serializers.DictField(
        child=TextField(max_length=20),
        required=False,
        help_text="by line number: a person’s id, new, two for a line with the names of two, or "
        "out to exclude the line",
    )

    def validate_choices(self, choices: dict[str, str]) -> dict[int, str]:
        """Lines are known by their numbers."""
        return answers_by_number(choices, "This is not the number of a line.")


def answers_by_number(answers: dict[str, str], fault: str) -> dict[int, str]:
    """The answers by whole numbers; each key that is none is an error."""
    numbers = {key: whole_number(key) for key in answers}
    if strange := [key for key, number in numbers.items() if number is None]:
        raise serializers.ValidationError({key: [fault] for key in strange})
    return {number: answers[key] for key, number in numbers.items() if number is not None}


class PlanSerializer(serializers.Serializer[object]):
    """A list that was previewed."""

    lines = ImportLineSerializer(many=True)
    columns = ListColumnSerializer(many=True)
    skipped = SkippedLineSerializer(source="skipped_lines", many=True)
    problems = serializers.ListField(
        child=serializers.CharField(),
        help_text="what is wrong with the columns; empty if nothing is",
    )


class MemberFilter(FilterSet):
    search = SearchFilter("name")
    kind = OneOfFilter("kind", PlayerKind.values)
    is_active = FlagFilter("is_active", "only where is_active")


class PlayerFilter(MemberFilter):
    """The same, but names are searched as the caller may read them."""

    search = SearchFilter("name", method="by_name")

    def by_name(self, players: QuerySet[Player], _name: str, letters: str) -> QuerySet[Player]:
        reader = cast(Any, self.request).parser_context["view"].reader
        names = names_of(players, reader).items()
        matching_keys = [pk for pk, name in names if letters.casefold() in name.casefold()]
        return players.filter(pk__in=matching_keys)


@extend_schema_view(
    list=extend_schema(description="List the people of a club by surname, former members last."),
    retrieve=extend_schema(description="Get all the details of one person."),
    destroy=extend_schema(
        description="Delete a record made by mistake, of someone who was never here and cannot "
        "sign in."
    ),
)
class PlayerViewSet(DestroyModelMixin, ClubReadOnlyViewSet):
    access = MANAGE_MEMBERS
    queryset = Player.objects.none()
    serializer_class = PersonDetailsSerializer
    list_serializer_class = PlayerSerializer
    filterset_class = PlayerFilter
    lookup_url_kwarg = "player"

    def access_for(self, method: str) -> Permission:
        """Everyone in the club may read the list; the rest is for those who manage it."""
        return SEE_CLUB if method in SAFE_METHODS and not self.detail else self.access

    def get_queryset(self) -> QuerySet[Player]:
        return active_records(self.club).select_related("club")

    def paginate_queryset(self, queryset: Any) -> Any:
        return super().paginate_queryset(rows.member_rows(queryset, reader=self.reader))

    @command_endpoint(
        MemberForm,
        answers=PersonDetailsSerializer,
        creates=CreatedRoute("api-player-detail", player="id"),
    )
    def create(self, validated: dict[str, Any]) -> Player:
        """Add a member."""
        return services.add_player(club=self.club, **validated)

    def current(self) -> Mapping[str, Any]:
        details = rows.details_of(self.get_object())
        return {**details, "nicknames": "; ".join(details["nicknames"])}

    @patch_endpoint(MemberChangeForm, answers=PersonDetailsSerializer)
    def partial_update(self, validated: dict[str, Any]) -> Player:
        """Change a person's details."""
        changes = {name: value for name, value in validated.items() if name in self.request.data}
        return services.change_player(player=self.get_object(), changes=changes)

    def perform_destroy(self, instance: Player) -> None:
        services.delete_player(player=instance)

    def state(self) -> str | None:
        """The last day paid for, which a renewal compares."""
        return _paid(self.get_object()) if self.detail else None

    @command_endpoint(answers=PersonDetailsSerializer, reading="the player")
    @action(detail=True, methods=["post"])
    def renew(self) -> Any:
        """Renew a subscription for a year from its last day. It also readmits a former member.

        With the ETag of the player it is done only if that is still the last day, so never twice.
        """
        player, state = self.get_object(), sent_state(self.request)
        shown_details = {"paid_until": player.paid_until if state == _paid(player) else state}
        today = timezone.localdate()
        return services.renew_subscription(
            player=player, today=today, shown_details=shown_details if state else None
        )

    @command_endpoint(answers=PersonDetailsSerializer)
    @action(detail=True, methods=["post"])
    def lapse(self) -> Any:
        """Mark a member as left and take them off the check-in list. Results are kept."""
        return services.end_membership(player=self.get_object(), today=timezone.localdate())

    @command_endpoint(answers=PersonDetailsSerializer)
    @action(detail=True, methods=["post"])
    def join(self) -> Any:
        """Make a guest a member today. Refused for someone who is already a member."""
        return services.make_member(player=self.get_object(), today=timezone.localdate())


def _paid(player: Player) -> str:
    return f"paid-until-{player.paid_until}"


@extend_schema_view(
    list=extend_schema(description="List everyone with all their details, by surname.")
)
class MemberViewSet(ClubListViewSet):
    access = MANAGE_MEMBERS
    queryset = Player.objects.none()
    serializer_class = PersonDetailsSerializer
    filterset_class = MemberFilter

    def get_queryset(self) -> QuerySet[Player]:
        return active_records(self.club).prefetch_related("aliases")

    def paginate_queryset(self, queryset: Any) -> Any:
        return super().paginate_queryset(by_surname(queryset))


class PersonActView(ClubCommandAPIView):
    access = MANAGE_MEMBERS

    @property
    def player(self) -> Player:
        """The person of the address; raises ``Http404``."""
        people = active_records(self.club).select_related("club")
        return get_object_or_404(people, pk=self.kwargs["player"])


class SubscriptionsView(PatchAPIView):
    access = MANAGE_MEMBERS

    @detail_endpoint(SubscriptionsSerializer)
    def get(self) -> dict[str, Any]:
        """List members whose subscription is due, former members, and guests."""
        return self.due_today()

    def current(self) -> Mapping[str, Any]:
        return {"visits": self.club.guest_visits}

    @patch_endpoint(GuestVisitsForm, answers=SubscriptionsSerializer)
    def patch(self, validated: dict[str, Any]) -> dict[str, Any]:
        """Set the visit from which guests are asked to join; ``null`` for never."""
        services.set_guest_visits(club=self.club, visits=validated["visits"])
        return self.due_today()

    def due_today(self) -> dict[str, Any]:
        due = rows.subscriptions(self.club, timezone.localdate())
        return {"visits": self.club.guest_visits, **asdict(due)}


@extend_schema_view(list=extend_schema(description="List the imports, newest first."))
class ImportViewSet(ClubListViewSet):
    access = MANAGE_MEMBERS
    queryset = MemberImport.objects.none()
    serializer_class = ImportSerializer
    lookup_url_kwarg = "made"

    def get_queryset(self) -> QuerySet[MemberImport]:
        return self.club.imports.all()

    def on_page(self, page: Any) -> Any:
        return [rows.import_row(member_import) for member_import in page]

    def dry_run(self, validated: dict[str, Any]) -> ImportPlan:
        """The list line by line."""
        return plan_import(
            club=self.club, text=list_text(validated), answers=_import_answers(validated)
        )

    @command_endpoint(
        ImportIn, answers=ImportSerializer, creates=SAME_ROUTE, previews=PlanSerializer
    )
    def create(self, validated: dict[str, Any]) -> rows.ImportRow:
        """Import members: add new people and update the others.

        Everything is imported, or nothing. A dry run lists the ``problems`` of each line, who may
        be meant, and what each column becomes. Answer each doubtful line in ``choices``, and
        exclude lines with problems.
        """
        member_import = imports.import_members(
            club=self.club,
            text=list_text(validated),
            answers=_import_answers(validated),
            file_name=validated.get("file_name", ""),
            made_by=self.me,
        )
        return rows.import_row(member_import)

    @command_endpoint(answers=ImportSerializer)
    @action(detail=True, methods=["post"])
    def undo(self) -> Any:
        """Undo an import. Refused if newer changes would be lost."""
        member_import = self.get_object()
        imports.undo_import(member_import=member_import)
        return rows.import_row(member_import)


def _import_answers(validated: dict[str, Any]) -> Answers:
    return Answers(
        validated.get("columns", {}),
        validated.get("choices", {}),
        small_letters=validated.get("small_letters", False),
    )


def list_text(validated: dict[str, Any]) -> str:
    """The list as text, whichever way it was sent."""
    text: str | None = validated.get("text")
    return members_text(validated["people"]) if text is None else text


router = Router()
router.register(f"{CLUB_PATH}players", PlayerViewSet, "api-player")
router.register(f"{CLUB_PATH}members", MemberViewSet, "api-member")
router.register(f"{CLUB_PATH}imports", ImportViewSet, "api-import")

urlpatterns = [
    *router.urls,
    path(f"{CLUB_PATH}subscriptions/", SubscriptionsView.as_view(), name="api-subscriptions"),
]
