"""Seating over the API: reading, explaining and changing it."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Final

from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import path
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.base import detail_endpoint
from clubs.api.commands import command_endpoint
from clubs.api.created import CreatedRoute
from clubs.api.fields import FlagField, KeyField, NumberField, OneOfField, TextField, WindField
from clubs.api.lists import FORMATS, ClubListAPIView, ClubTableAPIView, list_endpoint
from clubs.api.retries import sent_state
from clubs.api.rows import serializer_of
from clubs.core.forms import ShownState
from clubs.core.permissions import Permission
from clubs.evenings.serializers import RepeatMeetingSerializer, SeatingRemarkSerializer
from clubs.models.names import MAX_NAME, TABLE_READER, Reader
from clubs.seating import Round
from clubs.seating.history import PlayerRound, TableMate
from clubs.seats.selectors import (
    ListedPlayer,
    PersonalSeating,
    SeatingExplanation,
    personal_seating,
)
from scoring.scorebook.refusals import refuse
from tournaments.api import (
    API_PUBLIC_PATH,
    API_TOURNAMENT_PATH,
    FIND_PARAMETER,
    MAX_LIST_LENGTH,
    NAME_PARAMETER,
    ImportCSV,
    RunAPIView,
    TournamentAPIView,
    WallAPIView,
    file_response,
)
from tournaments.core import RUN_TOURNAMENT, file_name_of
from tournaments.models import (
    MOST_HANDS,
    MOST_ROUNDS,
    MOST_TABLES,
    Drawing,
    Entrant,
    SeatingChange,
    Tournament,
)
from tournaments.rounds.selectors import PlaceRow, RoundView, TableRow, rounds_of
from tournaments.rounds.steps import state_for
from tournaments.seating import selectors as rows
from tournaments.seating.selectors import (
    RoundByHand,
    fairness_report,
    players_named,
    round_by_hand,
    seating_csv,
    seats_by_player,
)
from tournaments.seating.services import by_hand, changes as services_changes, seating
from tournaments.seating.services.seating import Proposal, ProposedSeat, ProposedTable

RoundSeatSerializer = serializer_of(
    "RoundSeatSerializer",
    PlaceRow,
    "seat wind entrant_id name substitute first_hand has_withdrawn",
    "A seat of a round, before anything is played at it.",
    wind=WindField(),
)

SeatedTableSerializer = serializer_of(
    "SeatedTableSerializer", TableRow, "number places", places=RoundSeatSerializer
)

SeatedRoundSerializer = serializer_of(
    "SeatedRoundSerializer",
    RoundView,
    "number state tables sitting_out",
    "A round as it is seated.",
    tables=SeatedTableSerializer,
)

SittingSerializer = serializer_of(
    "SittingSerializer",
    rows.Sitting,
    "round table wind substitute",
    wind=WindField(allow_blank=True, help_text="empty: they sit out"),
)

PlayerSeatsSerializer = serializer_of(
    "PlayerSeatsSerializer",
    rows.PlayerSeats,
    "entrant_id name sittings has_withdrawn",
    sittings=SittingSerializer,
)

SeatingTestSerializer = serializer_of(
    "SeatingTestSerializer", rows.Fairness, "is_met=is_kept sentence"
)


class SeatingSerializer(serializers.Serializer[object]):
    """Who sits where, round by round and player by player, and whether it is fair."""

    rounds = SeatedRoundSerializer(many=True)
    players = PlayerSeatsSerializer(many=True)
    fairness = SeatingTestSerializer(many=True)


class EntrantSeatingSerializer(serializers.Serializer[ListedPlayer]):
    """One player's seating."""

    name = serializers.CharField()
    winds = serializers.SerializerMethodField(help_text="how often they start in each")
    tables = serializers.ListField(
        source="detail.tables",
        child=serializers.IntegerField(allow_null=True),
        help_text="round by round; null: no seat",
    )
    sits_out = serializers.ListField(
        source="detail.sits_out", child=serializers.IntegerField(), help_text="rounds"
    )
    opponents = serializers.IntegerField(
        source="people", help_text="how many different opponents they meet"
    )
    repeats = serializers.IntegerField(source="again", help_text="repeat meetings")

    @extend_schema_field({"type": "object", "additionalProperties": {"type": "integer"}})
    def get_winds(self, player: ListedPlayer) -> dict[str, int]:
        """By the letter of the wind."""
        return dict(zip(rows.WINDS, player.winds, strict=True))


CompanionSerializer = serializer_of(
    "CompanionSerializer",
    TableMate,
    "name other_meetings=also",
    "Someone at the same table.",
    other_meetings="when else they share a table, in words; empty: never",
)

TurnSerializer = serializer_of(
    "TurnSerializer", PlayerRound, "round table seat company sits_out", company=CompanionSerializer
)

EntrantExplanationSerializer = serializer_of(
    "EntrantExplanationSerializer",
    PersonalSeating,
    "player.name turns sentences",
    turns=TurnSerializer,
)

SeatingChangeSerializer = serializer_of("SeatingChangeSerializer", rows.ChangeRow, "what made_at")


class ReseatingOptionSerializer(serializers.Serializer[object]):
    """A way to seat the remaining rounds, and its effect over all rounds."""

    leaver = serializers.IntegerField(
        source="leaver.pk", default=None, allow_null=True, help_text="null: everyone is reseated"
    )
    newcomer = serializers.IntegerField(
        source="newcomer_key",
        default=None,
        allow_null=True,
        help_text="who takes over; 0: a house player who comes for it",
    )
    plan = serializers.CharField(
        help_text="how everyone is reseated: fewest_moves or new_draw; empty: someone takes over"
    )
    is_best = serializers.BooleanField(help_text="whether it is the best of these ways")
    repeated_meetings = serializers.IntegerField(
        source="cost.repeats", help_text="repeat meetings over all pairs"
    )
    table_revisits = serializers.IntegerField(
        source="cost.returns", help_text="repeat visits to a table over all players"
    )
    couple_meetings = serializers.IntegerField(source="cost.couple_meetings")
    team_meetings = serializers.IntegerField(source="cost.team_meetings")
    wind_imbalance = serializers.IntegerField(
        source="cost.winds", help_text="uneven winds over all players, beyond what is unavoidable"
    )
    new_cards = serializers.ListField(
        child=serializers.CharField(), help_text="names of the players whose seats change"
    )
    moved = serializers.IntegerField(
        source="cost.moved", help_text="seats in the remaining rounds that change"
    )


class ReseatingOptionsSerializer(serializers.Serializer[object]):
    """The ways to reseat the remaining rounds."""

    options = ReseatingOptionSerializer(many=True)


SeatingExplanationSerializer = serializer_of(
    "SeatingExplanationSerializer",
    SeatingExplanation,
    "summary=counts limits=bound remarks=said players repeat_meetings=again changes person",
    "Why this seating.",
    remarks=SeatingRemarkSerializer,
    players=EntrantSeatingSerializer,
    repeat_meetings=RepeatMeetingSerializer(
        source="again", many=True, help_text="pairs who meet more than once, most frequent first"
    ),
    changes=SeatingChangeSerializer(many=True, help_text="changes by hand, in order"),
    person=EntrantExplanationSerializer(allow_null=True, help_text="the player asked for by name"),
)

DrawSerializer = serializer_of(
    "DrawSerializer",
    rows.DrawingRow,
    "id=pk first last made_at",
    "Rounds drawn together. The request is at its own address.",
)

TableByHandSerializer = serializer_of("TableByHandSerializer", rows.TableByHand, "number names")

RoundByHandSerializer = serializer_of(
    "RoundByHandSerializer",
    rows.RoundByHand,
    "number tables names has_sitting_out=rests others has_begun is_early",
    tables=TableByHandSerializer,
)


class SeatingByHandTableSerializer(serializers.Serializer[object]):
    """A table by names in the order of the winds."""

    number = serializers.IntegerField()
    seats = serializers.DictField(child=serializers.CharField(), help_text="by the wind’s letter")


class SeatingByHandRoundSerializer(serializers.Serializer[object]):
    """A round as it would be seated."""

    number = serializers.IntegerField()
    tables = SeatingByHandTableSerializer(many=True)
    sitting_out = serializers.ListField(child=serializers.CharField())


class SeatingByHandSerializer(serializers.Serializer[object]):
    """Rounds seated by hand, and their effect."""

    rounds = SeatingByHandRoundSerializer(many=True)
    remarks = SeatingRemarkSerializer(source="said", many=True)


def round_data(number: int, round_: Round) -> Mapping[str, Any]:
    """A round of the seating as ``SeatingByHandRoundSerializer``."""
    tables = [
        {"number": table.number, "seats": {str(wind): name for wind, name in table.seats.items()}}
        for table in round_.tables
    ]
    return {"number": number, "tables": tables, "sitting_out": round_.sitting_out}


ProposedSeatSerializer = serializer_of(
    "ProposedSeatSerializer", ProposedSeat, "wind name place", wind=WindField()
)

ProposedTableSerializer = serializer_of(
    "ProposedTableSerializer", ProposedTable, "number seats", seats=ProposedSeatSerializer
)

ProposalSerializer = serializer_of(
    "ProposalSerializer",
    Proposal,
    "number is_final tables sitting_out remarks=why doubts is_seated moves",
    tables=ProposedTableSerializer,
    remarks=SeatingRemarkSerializer,
)


class SubstituteRoundsSerializer(serializers.Serializer[object]):
    """In how many rounds the substitute plays."""

    rounds = serializers.IntegerField()


class SeatingView(ClubTableAPIView, TournamentAPIView):
    """Who sits where; as a file, a line a player."""

    table = "players"
    renderer_classes = [*FORMATS, ImportCSV]

    def access_for(self, method: str) -> Permission:
        """Only who runs the tournament gets it to import it again."""
        kind = getattr(self.request, "accepted_renderer", None)
        return RUN_TOURNAMENT if isinstance(kind, ImportCSV) else super().access_for(method)

    @detail_endpoint(SeatingSerializer, parameters=[FIND_PARAMETER])
    def get(self) -> dict[str, Any] | HttpResponse:
        """Get the seating by round and by player, and how fair it is.

        With ``find``, only the players whose name contains it. ``?as=import.csv``, for those who
        run the tournament, has a line for each table and can be imported again.
        """
        if isinstance(self.request.accepted_renderer, ImportCSV):
            seated = rows.seated_rounds(self.tournament, reader=self.reader)
            return file_response(
                seating_csv(seated), file_name_of(self.tournament, "seating"), ImportCSV
            )
        rounds = rounds_of(self.tournament, to_officials=False, reader=self.reader)
        players, find = seats_by_player(rounds), self.request.query_params.get("find", "")
        return {
            "rounds": rounds,
            "players": players_named(players, find) if find else players,
            "fairness": fairness_report(rounds),
        }


def _explanation_data(request: Request, tournament: Tournament, reader: Reader) -> dict[str, Any]:
    """A seating's explanation as ``SeatingExplanationSerializer``."""
    seated = rows.seated_rounds(tournament, reader=reader)
    explanation = seated.explained()
    names = ("counts", "bound", "said", "players", "again")
    return {
        **{name: getattr(explanation, name) for name in names},
        "changes": rows.changes_by_hand(tournament, seated),
        "person": personal_seating(explanation, request.query_params.get("name", "")),
    }


class ExplanationView(TournamentAPIView):
    @detail_endpoint(SeatingExplanationSerializer, parameters=[NAME_PARAMETER])
    def get(self) -> dict[str, Any]:
        """Get how fair the seating is and why; with ``name``, also for one player."""
        return _explanation_data(self.request, self.tournament, self.reader)


class OpenExplanationView(WallAPIView):
    @detail_endpoint(SeatingExplanationSerializer, parameters=[NAME_PARAMETER])
    def get(self) -> dict[str, Any]:
        """Get how fair the seating is and why, with first names or more."""
        return _explanation_data(self.request, self.tournament, TABLE_READER)


class DrawsView(ClubListAPIView, TournamentAPIView):
    @list_endpoint(DrawSerializer)
    def get(self) -> tuple[rows.DrawingRow, ...]:
        """List the draws of the rounds, in order."""
        return rows.drawings_of(self.tournament)


class DrawView(TournamentAPIView):
    access = RUN_TOURNAMENT

    @extend_schema(responses={200: OpenApiTypes.OBJECT})
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Get the request of a draw, for the command line that can draw it again."""
        drawing = get_object_or_404(Drawing, pk=self.kwargs["drawing"], tournament=self.tournament)
        return Response(drawing.asked)


API_SEATING_PATH = f"{API_TOURNAMENT_PATH}seating/"


class UndoIn(serializers.Serializer[Any]):
    """The change to undo."""

    change = KeyField(
        required=False, help_text="its id: refused (409) if it is no longer the last change"
    )


class SwapIn(serializers.Serializer[Any]):
    """Two entrants to swap in a round."""

    number = NumberField(min_value=1, max_value=MOST_ROUNDS, help_text="of the round")
    one = KeyField(help_text="an entrant")
    other = KeyField(help_text="another entrant")


class TakeOverIn(serializers.Serializer[Any]):
    """A newcomer, and the player whose seats they take."""

    leaver = KeyField(help_text="an entrant who has withdrawn, or a house player")
    newcomer = KeyField(
        min_value=0, help_text="an entrant without a seat; 0: a house player who comes for it"
    )


class SubstituteIn(serializers.Serializer[Any]):
    """A substitute for an entrant, from a round on."""

    entrant = KeyField()
    name = TextField(
        required=False,
        allow_blank=True,
        max_length=MAX_NAME,
        help_text="empty: the entrant plays again",
    )
    number = NumberField(min_value=1, max_value=MOST_ROUNDS, help_text="of the round")
    from_hand = NumberField(
        required=False,
        allow_null=True,
        min_value=1,
        max_value=MOST_HANDS,
        help_text="the first hand that they play in that round; null: the table’s next hand",
    )
    goes_on = FlagField(
        default=True, help_text="whether it also applies to later rounds that are seated"
    )


class TableIn(serializers.Serializer[Any]):
    """A table with four names, East first; an empty name is an empty seat."""

    number = NumberField(min_value=1, max_value=MOST_TABLES)
    names = serializers.ListField(
        child=TextField(allow_blank=True, max_length=MAX_NAME), min_length=4, max_length=4
    )


class SeatsIn(serializers.Serializer[Any]):
    """A round seated by hand."""

    tables = serializers.ListField(child=TableIn(), min_length=1, max_length=MOST_TABLES)
    others_sit_out = FlagField(
        default=False, help_text="whether players without a seat sit out; else they are an error"
    )


class PlanIn(serializers.Serializer[Any]):
    """A whole seating as text, a line for each table: round, table, East, South, West, North."""

    text = TextField(max_length=MAX_LIST_LENGTH, trim_whitespace=False)
    others_sit_out = FlagField(
        default=False,
        help_text="whether players missing from a round sit it out; else they are an error",
    )


SEATING_ETAG: Final = "the seating, its changes, or the dry run of a step that seats"


class SeatingStateMixin:
    """What is read, or done, with the seats of every round as the state that it compares."""

    tournament: Tournament

    def state(self) -> str:
        """The seats of every round."""
        return state_for(self.tournament, "seating-changes")


class ChangesView(SeatingStateMixin, ClubListAPIView, TournamentAPIView):
    access = RUN_TOURNAMENT

    @list_endpoint(SeatingChangeSerializer)
    def get(self) -> QuerySet[SeatingChange]:
        """List the changes that were not undone, newest first. Only the newest can be undone."""
        return self.tournament.changes.filter(undone_at=None)


CHANGE_PLACE: Final = CreatedRoute("api-seating-changes", shared="club tournament")


class SeatingAPIView(SeatingStateMixin, RunAPIView):
    """A change of the seating, as it was looked at."""

    @property
    def seen(self) -> ShownState:
        """The seating for which the change was sent."""
        return ShownState("seating-changes", sent_state(self.request))


class SwapView(SeatingAPIView):
    log = "swapped {entrant<one} and {entrant<other} in {tournament}"

    @command_endpoint(
        SwapIn, answers=SeatingChangeSerializer, creates=CHANGE_PLACE, reading=SEATING_ETAG
    )
    def post(self, validated: dict[str, Any]) -> SeatingChange:
        """Swap two entrants in a round. One of them may have no seat in it."""
        who = {name: _entrant(self.tournament, validated, name) for name in ("one", "other")}
        return services_changes.swap(
            tournament=self.tournament,
            number=validated["number"],
            made_by=self.made_by,
            shown=self.seen,
            **who,
        )


def _entrant(tournament: Tournament, validated: Mapping[str, Any], name: str) -> Entrant:
    """The entrant of that key, including house players; refused at its field."""
    entrant = tournament.entrants.filter(pk=validated[name]).first()
    if entrant is None:
        raise refuse("invalid_choice", "Choose a player of this tournament.", name)
    return entrant


class SubstituteView(SeatingAPIView):
    log = "changed the substitute for {entrant<entrant} in {tournament}"

    @command_endpoint(SubstituteIn, answers=SubstituteRoundsSerializer, reading=SEATING_ETAG)
    def post(self, validated: dict[str, Any]) -> dict[str, int]:
        """Add a substitute for an entrant. Without a name the entrant plays again.

        In a round that is being played, they play from the next hand on.
        """
        entrant = _entrant(self.tournament, validated, "entrant")
        validated = {"name": "", **validated, "entrant": entrant, "shown": self.seen}
        return {"rounds": services_changes.set_substitute(tournament=self.tournament, **validated)}


class ReseatIn(serializers.Serializer[Any]):
    """How everyone is reseated."""

    plan = OneOfField(
        required=False,
        allow_blank=True,
        choices=services_changes.RESEATING_PLANS,
        help_text="as in the list of ways; empty: the better one",
    )


class ReseatView(SeatingAPIView):
    @command_endpoint(
        ReseatIn, answers=SeatingChangeSerializer, creates=CHANGE_PLACE, reading=SEATING_ETAG
    )
    def post(self, validated: dict[str, Any]) -> SeatingChange:
        """Reseat the remaining rounds. Players who need not move keep their seats."""
        return services_changes.reseat_rounds(
            tournament=self.tournament,
            made_by=self.made_by,
            plan=validated.get("plan", ""),
            shown=self.seen,
        )


class ReseatingOptionsView(SeatingStateMixin, TournamentAPIView):
    access = RUN_TOURNAMENT

    @detail_endpoint(ReseatingOptionsSerializer)
    def get(self) -> dict[str, Any]:
        """List the ways to reseat the remaining rounds, each with its effect."""
        return {"options": services_changes.weigh_reseating(tournament=self.tournament)}


class TakeOverView(SeatingAPIView):
    @command_endpoint(
        TakeOverIn, answers=SeatingChangeSerializer, creates=CHANGE_PLACE, reading=SEATING_ETAG
    )
    def post(self, validated: dict[str, Any]) -> SeatingChange:
        """Give a newcomer the remaining seats of a player who has left. No one else moves."""
        is_house = validated["newcomer"] == services_changes.HOUSE_PLAYER_KEY
        return services_changes.take_over(
            tournament=self.tournament,
            leaver=_entrant(self.tournament, validated, "leaver"),
            newcomer=None if is_house else _entrant(self.tournament, validated, "newcomer"),
            made_by=self.made_by,
            shown=self.seen,
        )


class UndoView(RunAPIView):
    @command_endpoint(UndoIn, answers=SeatingChangeSerializer)
    def post(self, validated: dict[str, Any]) -> SeatingChange:
        """Undo the last seating change and return it."""
        shown = ShownState("seating-undo", str(validated.get("change", "")))
        return services_changes.undo_change(tournament=self.tournament, shown=shown)


class ByStandingView(RunAPIView):
    @cached_property
    def proposal(self) -> Proposal:
        """The next round seated by standings, and why."""
        return seating.preview_round(tournament=self.tournament)

    def dry_run(self, _validated: dict[str, Any]) -> Proposal:
        """The proposal."""
        return self.proposal

    def state(self) -> str:
        """The standings and the seats that follow from them."""
        return self.proposal.mark

    @command_endpoint(
        answers=SeatingChangeSerializer,
        creates=CHANGE_PLACE,
        preflight=ProposalSerializer,
        reading="the dry run",
    )
    def post(self) -> SeatingChange:
        """Seat the round by standings; a dry run proposes it, and says why.

        With the ETag of the dry run it is refused if the standings have changed since.
        """
        mark = sent_state(self.request) or None
        return seating.seat_by_standing(tournament=self.tournament, made_by=self.made_by, mark=mark)


class ByHandAPIView(RunAPIView):
    @property
    def number(self) -> int:
        return int(self.kwargs["round"])

    @property
    def there(self) -> RoundByHand:
        """The round as it lies; raises ``Http404`` where there is none."""
        round_ = round_by_hand(self.tournament, self.number)
        if round_ is None:
            raise Http404
        return round_

    def written(self, validated: Mapping[str, Any]) -> by_hand.WrittenRound:
        """The round as it was sent; raises ``Http404`` where there is none."""
        rows = validated["tables"]
        if len({item["number"] for item in rows}) < len(rows):
            raise refuse("table_twice", "A table is listed twice.", "tables")
        tables = tuple(by_hand.WrittenTable(item["number"], tuple(item["names"])) for item in rows)
        return by_hand.WrittenRound(self.there.number, tables, validated["others_sit_out"])


class ByHandView(ByHandAPIView):
    @detail_endpoint(RoundByHandSerializer)
    def get(self) -> RoundByHand:
        """Get a round as seated, and the players to choose from."""
        return self.there

    def state(self) -> str:
        """The seats of the round."""
        return by_hand.round_digest(self.tournament, self.number)

    def dry_run(self, validated: dict[str, Any]) -> dict[str, Any]:
        """The effect, and every error."""
        return _weighed_data(self.tournament, [self.written(validated)])

    @command_endpoint(
        SeatsIn,
        answers=SeatingChangeSerializer,
        creates=CHANGE_PLACE,
        previews=SeatingByHandSerializer,
        reading="the round",
    )
    def post(self, validated: dict[str, Any]) -> SeatingChange:
        """Seat a round by hand before it starts, with a name for every seat. You can undo it.

        A dry run says what the seating would lead to, and every error.
        """
        mark = sent_state(self.request) or by_hand.round_digest(self.tournament, self.number)
        return by_hand.seat_by_hand(
            tournament=self.tournament,
            written=self.written(validated),
            mark=mark,
            made_by=self.made_by,
        )


def _weighed_data(
    tournament: Tournament, written: Sequence[by_hand.WrittenRound]
) -> dict[str, Any]:
    weighed = by_hand.weigh_plan(tournament=tournament, written=written)
    rounds = [round_data(number, round_) for number, round_ in weighed.numbered]
    return {"rounds": rounds, "said": weighed.said}


class PlanView(SeatingAPIView):
    def dry_run(self, validated: dict[str, Any]) -> dict[str, Any]:
        """The effect, and every error."""
        written = by_hand.read_plan(validated["text"], rests=validated["others_sit_out"])
        return _weighed_data(self.tournament, written)

    @command_endpoint(
        PlanIn,
        answers=SeatingChangeSerializer,
        creates=CHANGE_PLACE,
        previews=SeatingByHandSerializer,
        reading=SEATING_ETAG,
    )
    def post(self, validated: dict[str, Any]) -> SeatingChange:
        """Import seating for every round of a list. Rounds that have started do not change.

        A dry run says what the seating would lead to, and every error.
        """
        written = by_hand.read_plan(validated["text"], rests=validated["others_sit_out"])
        return by_hand.seat_as_written(
            tournament=self.tournament, written=written, made_by=self.made_by, shown=self.seen
        )


API_BY_HAND_PATH = f"{API_SEATING_PATH}by-hand/<int:round>/"

urlpatterns = [
    path(API_SEATING_PATH, SeatingView.as_view(), name="api-seating"),
    path(f"{API_SEATING_PATH}explanation/", ExplanationView.as_view(), name="api-seating-why"),
    path(f"{API_SEATING_PATH}draws/", DrawsView.as_view(), name="api-seating-draws"),
    path(
        f"{API_SEATING_PATH}draws/<int:drawing>/", DrawView.as_view(), name="api-seating-draw-json"
    ),
    path(
        f"{API_PUBLIC_PATH}seating/explanation/", OpenExplanationView.as_view(), name="api-why-open"
    ),
    path(f"{API_SEATING_PATH}changes/", ChangesView.as_view(), name="api-seating-changes"),
    path(f"{API_SEATING_PATH}changes/swap/", SwapView.as_view(), name="api-seating-swap"),
    path(
        f"{API_SEATING_PATH}changes/substitute/",
        SubstituteView.as_view(),
        name="api-seating-substitute",
    ),
    path(f"{API_SEATING_PATH}changes/reseat/", ReseatView.as_view(), name="api-seating-anew"),
    path(
        f"{API_SEATING_PATH}changes/options/",
        ReseatingOptionsView.as_view(),
        name="api-seating-ways",
    ),
    path(
        f"{API_SEATING_PATH}changes/takeover/", TakeOverView.as_view(), name="api-seating-takeover"
    ),
    path(f"{API_SEATING_PATH}changes/undo/", UndoView.as_view(), name="api-seating-undo"),
    path(
        f"{API_SEATING_PATH}by-standings/", ByStandingView.as_view(), name="api-round-by-standing"
    ),
    path(API_BY_HAND_PATH, ByHandView.as_view(), name="api-seating-by-hand"),
    path(f"{API_SEATING_PATH}import/", PlanView.as_view(), name="api-seating-list"),
]
