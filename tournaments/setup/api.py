"""The entry list over the API."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, cast

from django.db import transaction
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.urls import path
from django_filters.rest_framework import FilterSet
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.base import detail_endpoint
from clubs.api.commands import PatchAPIView, command_endpoint, patch_endpoint
from clubs.api.created import CreatedRoute
from clubs.api.fields import FlagField, KeyField, NumberField, OneOfField, TextField
from clubs.api.filters import FlagFilter, OneOfFilter, SearchFilter
from clubs.api.lists import FORMATS
from clubs.api.rows import serializer_of
from clubs.api.viewsets import ClubListViewSet, ClubReadOnlyViewSet, Router
from clubs.members.api import (
    ListColumnSerializer,
    SkippedLineSerializer,
    chosen_columns,
    columns_field,
    small_letters_field,
)
from clubs.models import Player
from clubs.models.names import MAX_NAME, by_surname
from scoring.scorebook.refusals import refuse
from tournaments.api import (
    API_TOURNAMENT_PATH,
    MAX_LIST_LENGTH,
    MAX_REASON_LENGTH,
    ImportCSV,
    RunAPIView,
    file_response,
)
from tournaments.core import file_name_of, lock_tournament
from tournaments.models import Entrant, EntrantState, OddNumber, Tournament
from tournaments.results.exports import entries_csv
from tournaments.rounds.selectors import EntryRow, entrant_state, entry_list
from tournaments.setup import corrections, services as services_entries, written_entries
from tournaments.setup.forms import MAX_PASTED_NAMES, MembersForm, details_of
from tournaments.setup.services import Entry
from tournaments.steps.api import DRY_RUN_ETAG, PreflightSerializer, preflight_data
from tournaments.steps.selectors import preflight_withdrawal

ENTRANT_FIELDS = (
    "id=entrant.pk entrant.number entrant.name entrant.from_club entrant.team entrant.couple "
    "entrant.player_id entrant.state entrant.has_paid entrant.is_here trouble missing_partner"
)
ENTRANT_HELP_TEXTS = {
    "number": "in order of entry",
    "player_id": "a member of the club; null: none",
    "state": "entered, waiting or withdrawn",
}

EntrantSerializer = serializer_of(
    "EntrantSerializer",
    EntryRow,
    ENTRANT_FIELDS,
    "An entrant with the full name, for organisers.",
    **ENTRANT_HELP_TEXTS,
)

MemberSerializer = serializer_of(
    "MemberSerializer", Player, "id=pk name", "A member of the club who has not entered yet."
)

EntrySerializer = serializer_of(
    "EntrySerializer", Entry, "line name from_club team couple has_paid"
)

API_ENTRANTS_PATH = f"{API_TOURNAMENT_PATH}entrants/"
API_IMPORT_PATH = f"{API_ENTRANTS_PATH}import/"
API_ENTRANT_PATH = f"{API_ENTRANTS_PATH}<int:entrant>/"


class EntryCountSerializer(serializers.Serializer[object]):
    """How many were entered."""

    entered = serializers.IntegerField()


class EntriesSerializer(serializers.Serializer[object]):
    """An entry list after reading."""

    entries = EntrySerializer(many=True)
    columns = ListColumnSerializer(many=True)
    skipped = SkippedLineSerializer(source="skipped_lines", many=True)


class TermsSerializer(serializers.Serializer[object]):
    """How many may enter, and what happens if the number is not a multiple of four."""

    odd_number = serializers.CharField(help_text="wait, house or sit_out")
    places = serializers.IntegerField(allow_null=True, help_text="null: no limit")


class EntrantIn(serializers.Serializer[Any]):
    """One more entrant, of this club or another."""

    name = TextField(max_length=MAX_NAME)
    from_club = TextField(required=False, allow_blank=True, max_length=MAX_NAME)
    team = TextField(required=False, allow_blank=True, max_length=MAX_NAME)
    couple = TextField(
        required=False,
        allow_blank=True,
        max_length=MAX_NAME,
        help_text="the partner’s name, or a word that both share: they are seated apart",
    )
    has_paid = FlagField(required=False)


class MembersIn(serializers.Serializer[Any]):
    """Members of the club who enter."""

    players = serializers.ListField(child=KeyField(), min_length=1, max_length=MAX_PASTED_NAMES)


class NamesIn(serializers.Serializer[Any]):
    """Many entrants by name; members of the club are recognised."""

    names = serializers.ListField(
        child=TextField(max_length=MAX_NAME), min_length=1, max_length=MAX_PASTED_NAMES
    )


class EntryListIn(serializers.Serializer[Any]):
    """An entry list as text, as a spreadsheet saves it (CSV)."""

    text = TextField(
        max_length=MAX_LIST_LENGTH,
        trim_whitespace=False,
        help_text="one of the first lines names the columns: name, club, team, couple, paid",
    )
    columns = columns_field(written_entries.TARGETS)
    small_letters = small_letters_field()

    def validate_columns(self, columns: dict[str, str]) -> dict[int, str]:
        """Columns are known by their numbers, from 1."""
        return chosen_columns(columns, written_entries.TARGETS)


class NotesIn(serializers.Serializer[Any]):
    """An entrant's details and marks on the list. Fields you omit stay as they are."""

    has_paid = FlagField(required=False)
    is_here = FlagField(required=False)
    name = TextField(required=False, max_length=MAX_NAME)
    from_club = TextField(required=False, allow_blank=True, max_length=MAX_NAME)
    team = TextField(required=False, allow_blank=True, max_length=MAX_NAME)
    couple = TextField(required=False, allow_blank=True, max_length=MAX_NAME)
    reason = TextField(
        required=False,
        max_length=MAX_REASON_LENGTH,
        help_text="why details are corrected; needed once the tournament is finished",
    )


class TermsIn(serializers.Serializer[Any]):
    """How many may enter, and what happens if the number is not a multiple of four."""

    odd_number = OneOfField(required=False, choices=OddNumber.choices)
    places = NumberField(
        required=False,
        allow_null=True,
        min_value=4,
        max_value=MAX_PASTED_NAMES,
        help_text="later entries join the waiting list; null: no limit",
    )


def entry_rows(tournament: Tournament) -> Sequence[EntryRow]:
    """The whole entry list: those who play, who wait and who withdrew."""
    result = entry_list(tournament)
    return (*result.entered, *result.waiting, *result.withdrawn)


def entry_row_of(tournament: Tournament, entrant: int) -> EntryRow:
    """The entrant of that key as the list has them."""
    return next(row for row in entry_rows(tournament) if row.entrant.pk == entrant)


class EntrantAPIView(RunAPIView):
    @cached_property
    def entrant(self) -> Entrant:
        """The entrant of the address, no house player; raises ``Http404``."""
        people = self.tournament.entrants.people()
        return get_object_or_404(people, pk=self.kwargs["entrant"])


class EntrantFilter(FilterSet):
    state = OneOfFilter("state", EntrantState.values)
    has_paid = FlagFilter("has_paid", "only where has_paid")
    is_here = FlagFilter("is_here", "only where is_here")
    search = SearchFilter("name")


@extend_schema_view(
    list=extend_schema(
        description="List the entries: players by surname, then the waiting list, then withdrawn "
        "entrants.\n\n``?as=import.csv`` is the list as it can be imported again."
    ),
    retrieve=extend_schema(description="Get one entrant."),
)
class EntrantViewSet(ClubReadOnlyViewSet, EntrantAPIView):
    queryset = Entrant.objects.none()
    serializer_class = EntrantSerializer
    filterset_class = EntrantFilter
    renderer_classes = [*FORMATS, ImportCSV]
    lookup_url_kwarg = "entrant"
    log = {"partial_update": "changed the details of {entrant} in {tournament}"}

    def get_queryset(self) -> QuerySet[Entrant]:
        """The entrants, without house players."""
        return self.tournament.entrants.people()

    def get_object(self) -> EntryRow:
        """The entrant of the address as the list has them; raises ``Http404``."""
        return entry_row_of(self.tournament, self.entrant.pk)

    def paginate_queryset(self, queryset: Any) -> Any:
        entrant_keys = (
            set(queryset.values_list("pk", flat=True)) if self.request.query_params else None
        )
        entries = entry_rows(self.tournament)
        rows = [row for row in entries if entrant_keys is None or row.entrant.pk in entrant_keys]
        return super().paginate_queryset(rows)

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        if isinstance(request.accepted_renderer, ImportCSV):
            file = file_response(
                entries_csv(self.tournament), file_name_of(self.tournament, "entries"), ImportCSV
            )
            return cast(Response, file)
        return super().list(request, *args, **kwargs)

    @command_endpoint(
        EntrantIn,
        answers=EntrantSerializer,
        creates=CreatedRoute("api-entrant-detail", entrant="id"),
    )
    def create(self, validated: dict[str, Any]) -> EntryRow:
        """Add an entrant. They join the waiting list if every place is taken."""
        entrant = services_entries.enter_entrant(tournament=self.tournament, **validated)
        return entry_row_of(self.tournament, entrant.pk)

    def state(self) -> str | None:
        """Whether they are in the tournament, which readmitting them compares."""
        return entrant_state(self.entrant, "entrant-readmit") if self.detail else None

    def lock(self) -> None:
        """No lock: only the sent ticks are written."""

    def current(self) -> Mapping[str, Any]:
        """Empty: omitted fields stay."""
        return {}

    @patch_endpoint(NotesIn, answers=EntrantSerializer)
    def partial_update(self, validated: dict[str, Any]) -> EntryRow:
        """Correct an entrant's details, or record whether they have paid and arrived."""
        reason = validated.pop("reason", "")
        details = details_of(self.entrant)
        new_details = {name: validated.pop(name) for name in details if name in validated}
        with transaction.atomic():
            if new_details:
                corrections.correct_entrant(
                    tournament=self.tournament,
                    entrant=self.entrant,
                    details=corrections.EntrantDetails(**{**details, **new_details}),
                    note=reason,
                    made_by=self.made_by,
                )
            if validated:
                services_entries.tick_entrant(
                    tournament=self.tournament, entrant=self.entrant, **validated
                )
        del self.entrant
        return self.get_object()

    @command_endpoint(answers=EntrantSerializer, reading="the entrant")
    @action(detail=True, methods=["post"])
    def readmit(self) -> Any:
        """Add someone who withdrew or is waiting to the tournament."""
        page_state = self.shown_state()
        services_entries.readmit(
            tournament=self.tournament, entrant=self.entrant, page_state=page_state
        )
        return self.get_object()


class WithdrawView(EntrantAPIView):
    def dry_run(self, _validated: dict[str, Any]) -> dict[str, Any]:
        """What a withdrawal leads to."""
        return preflight_data(self.tournament, preflight_withdrawal(self.entrant))

    def state(self) -> str:
        """How often they have withdrawn."""
        return entrant_state(self.entrant, "entrant-withdraw")

    @command_endpoint(preflight=PreflightSerializer, reading=DRY_RUN_ETAG)
    def post(self) -> None:
        """Withdraw an entrant. Someone with a seat stays listed as withdrawn."""
        page_state = self.shown_state()
        services_entries.withdraw(
            tournament=self.tournament, entrant=self.entrant, page_state=page_state
        )


class MemberFilter(FilterSet):
    search = SearchFilter("name")


@extend_schema_view(
    list=extend_schema(description="List the members who have not entered yet, by surname.")
)
class EntrantMembersViewSet(ClubListViewSet, RunAPIView):
    queryset = Player.objects.none()
    serializer_class = MemberSerializer
    filterset_class = MemberFilter
    log = {"create": "entered members for {tournament}"}

    def get_queryset(self) -> QuerySet[Player]:
        players: Any = MembersForm(self.tournament).fields["players"]
        return cast(QuerySet[Player], players.queryset)

    def paginate_queryset(self, queryset: Any) -> Any:
        return super().paginate_queryset(by_surname(queryset))

    @command_endpoint(
        MembersIn, answers=EntryCountSerializer, creates=CreatedRoute("api-entrant-list")
    )
    def create(self, validated: dict[str, Any]) -> dict[str, int]:
        """Enter members, all or none. Anyone already entered is refused."""
        # The names of these members in this order; refused if one has entered or is no member.
        players = validated["players"]
        result = self.get_queryset().in_bulk(players)
        if missing := [key for key in players if key not in result]:
            fault = f"Number {missing[0]} is not one of them."
            message = f"Choose members who have not entered yet. {fault}"
            raise refuse("invalid_choice", message, "players")
        names = [result[key].name for key in dict.fromkeys(players)]
        return {"entered": services_entries.enter_members(tournament=self.tournament, names=names)}


class NamesView(RunAPIView):
    log = "entered people for {tournament}"

    @command_endpoint(
        NamesIn, answers=EntryCountSerializer, creates=CreatedRoute("api-entrant-list")
    )
    def post(self, validated: dict[str, Any]) -> dict[str, int]:
        """Enter people by name, all or none. Each error names the line."""
        return {"entered": services_entries.enter_names(tournament=self.tournament, **validated)}


class EntryListView(RunAPIView):
    def dry_run(self, validated: dict[str, Any]) -> written_entries.WrittenEntryList:
        """The list, with every error."""
        return written_entries.preview_entries(tournament=self.tournament, **validated)

    @command_endpoint(
        EntryListIn,
        answers=EntryCountSerializer,
        creates=CreatedRoute("api-entrant-list"),
        previews=EntriesSerializer,
    )
    def post(self, validated: dict[str, Any]) -> dict[str, int]:
        """Import entries, all or none. A dry run lists them, with every error."""
        written_list = written_entries.preview_entries(tournament=self.tournament, **validated)
        entry_count = services_entries.enter_entries(
            tournament=self.tournament, entries=written_list.entries
        )
        return {"entered": entry_count}


class TermsView(RunAPIView, PatchAPIView):
    log = "changed the terms of entry for {tournament}"

    @detail_endpoint(TermsSerializer)
    def get(self) -> Tournament:
        """Get the terms of entry."""
        return self.tournament

    def lock(self) -> None:
        """Lock the tournament, as the entry list does; its terms as they are then."""
        lock_tournament(self.tournament.pk)
        self.tournament.refresh_from_db()

    def current(self) -> Mapping[str, Any]:
        return {name: getattr(self.tournament, name) for name in ("odd_number", "places")}

    @patch_endpoint(TermsIn, answers=TermsSerializer)
    def patch(self, validated: dict[str, Any]) -> Tournament:
        """Change the terms of entry. People waiting get any free places."""
        terms = {**self.current(), **validated}
        services_entries.set_entry_rules(tournament=self.tournament, **terms)
        self.tournament.refresh_from_db()
        return self.tournament


router = Router()
router.register(f"{API_TOURNAMENT_PATH}entrants", EntrantViewSet, "api-entrant")
router.register(
    f"{API_TOURNAMENT_PATH}entrants/members", EntrantMembersViewSet, "api-entrant-member"
)

urlpatterns = [
    *router.urls,
    path(f"{API_ENTRANTS_PATH}terms/", TermsView.as_view(), name="api-entrants-terms"),
    path(f"{API_ENTRANTS_PATH}names/", NamesView.as_view(), name="api-entrants-names"),
    path(API_IMPORT_PATH, EntryListView.as_view(), name="api-entrants-import"),
    path(f"{API_ENTRANT_PATH}withdraw/", WithdrawView.as_view(), name="api-entrant-withdraw"),
]
