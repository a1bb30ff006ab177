"""Seating over the API: reading, explaining and changing it."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Final

from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import path
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.base import detail_endpoint
from clubs.api.commands import command_endpoint
from clubs.api.created import CreatedRoute
from clubs.api.lists import FORMATS, ClubListAPIView, ClubTableAPIView, list_endpoint
from clubs.api.retries import sent_state
from clubs.core.forms import ShownState
from clubs.core.permissions import Permission
from clubs.models.names import TABLE_READER, Reader
from clubs.seats.selectors import personal_seating
from scoring.scorebook.refusals import refuse
from tournaments.api import (
    API_PUBLIC_PATH,
    API_TOURNAMENT_PATH,
    FIND_PARAMETER,
    NAME_PARAMETER,
    ImportCSV,
    RunAPIView,
    TournamentAPIView,
    WallAPIView,
    file_response,
)
from tournaments.core import RUN_TOURNAMENT, file_name_of
from tournaments.models import Drawing, Entrant, SeatingChange, Tournament
from tournaments.rounds.selectors import rounds_of
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
from tournaments.seating.serializers import (
    DrawSerializer,
    PlanIn,
    ProposalSerializer,
    ReseatIn,
    ReseatingOptionsSerializer,
    RoundByHandSerializer,
    SeatingByHandSerializer,
    SeatingChangeSerializer,
    SeatingExplanationSerializer,
    SeatingSerializer,
    SeatsIn,
    SubstituteIn,
    SubstituteRoundsSerializer,
    SwapIn,
    TakeOverIn,
    UndoIn,
    round_data,
)
from tournaments.seating.services import by_hand, changes as services_changes, seating
from tournaments.seating.services.seating import Proposal

API_SEATING_PATH = f"{API_TOURNAMENT_PATH}seating/"
SEATING_ETAG: Final = "the seating, its changes, or the dry run of a step that seats"
CHANGE_PLACE: Final = CreatedRoute("api-seating-changes", shared_names="club tournament")
API_BY_HAND_PATH = f"{API_SEATING_PATH}by-hand/<int:round>/"


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
            seating_plan = rows.seated_rounds(self.tournament, reader=self.reader)
            return file_response(
                seating_csv(seating_plan), file_name_of(self.tournament, "seating"), ImportCSV
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
    seating_plan = rows.seated_rounds(tournament, reader=reader)
    explanation = seating_plan.explanation()
    names = ("counts", "meeting_limits", "remarks", "players", "repeat_meetings")
    return {
        **{name: getattr(explanation, name) for name in names},
        "changes": rows.changes_by_hand(tournament, seating_plan),
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


class SeatingAPIView(SeatingStateMixin, RunAPIView):
    """A change of the seating, as it was looked at."""

    @property
    def seating_state(self) -> ShownState:
        """The seating for which the change was sent."""
        return ShownState("seating-changes", sent_state(self.request))


class SwapView(SeatingAPIView):
    log = "swapped {entrant<one} and {entrant<other} in {tournament}"

    @command_endpoint(
        SwapIn, answers=SeatingChangeSerializer, creates=CHANGE_PLACE, reading=SEATING_ETAG
    )
    def post(self, validated: dict[str, Any]) -> SeatingChange:
        """Swap two entrants in a round. One of them may have no seat in it."""
        entrants = {name: _entrant(self.tournament, validated, name) for name in ("one", "other")}
        return services_changes.swap(
            tournament=self.tournament,
            number=validated["number"],
            made_by=self.made_by,
            page_state=self.seating_state,
            **entrants,
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
        validated = {"name": "", **validated, "entrant": entrant, "page_state": self.seating_state}
        return {"rounds": services_changes.set_substitute(tournament=self.tournament, **validated)}


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
            page_state=self.seating_state,
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
            page_state=self.seating_state,
        )


class UndoView(RunAPIView):
    @command_endpoint(UndoIn, answers=SeatingChangeSerializer)
    def post(self, validated: dict[str, Any]) -> SeatingChange:
        """Undo the last seating change and return it."""
        page_state = ShownState("seating-undo", str(validated.get("change", "")))
        return services_changes.undo_change(tournament=self.tournament, page_state=page_state)


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
    def seated_round(self) -> RoundByHand:
        """The round as it lies; raises ``Http404`` where there is none."""
        round_ = round_by_hand(self.tournament, self.number)
        if round_ is None:
            raise Http404
        return round_

    def written_round(self, validated: Mapping[str, Any]) -> by_hand.WrittenRound:
        """The round as it was sent; raises ``Http404`` where there is none."""
        rows = validated["tables"]
        if len({item["number"] for item in rows}) < len(rows):
            raise refuse("table_twice", "A table is listed twice.", "tables")
        tables = tuple(by_hand.WrittenTable(item["number"], tuple(item["names"])) for item in rows)
        return by_hand.WrittenRound(self.seated_round.number, tables, validated["others_sit_out"])


class ByHandView(ByHandAPIView):
    @detail_endpoint(RoundByHandSerializer)
    def get(self) -> RoundByHand:
        """Get a round as seated, and the players to choose from."""
        return self.seated_round

    def state(self) -> str:
        """The seats of the round."""
        return by_hand.round_digest(self.tournament, self.number)

    def dry_run(self, validated: dict[str, Any]) -> dict[str, Any]:
        """The effect, and every error."""
        return _weighed_data(self.tournament, [self.written_round(validated)])

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
            written_round=self.written_round(validated),
            mark=mark,
            made_by=self.made_by,
        )


def _weighed_data(
    tournament: Tournament, written_rounds: Sequence[by_hand.WrittenRound]
) -> dict[str, Any]:
    weighed_plan = by_hand.weigh_plan(tournament=tournament, written_rounds=written_rounds)
    rounds = [round_data(number, round_) for number, round_ in weighed_plan.numbered_rounds]
    return {"rounds": rounds, "said": weighed_plan.remarks}


class PlanView(SeatingAPIView):
    def dry_run(self, validated: dict[str, Any]) -> dict[str, Any]:
        """The effect, and every error."""
        written_rounds = by_hand.read_plan(validated["text"], rests=validated["others_sit_out"])
        return _weighed_data(self.tournament, written_rounds)

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
        written_rounds = by_hand.read_plan(validated["text"], rests=validated["others_sit_out"])
        return by_hand.seat_as_written(
            tournament=self.tournament,
            written_rounds=written_rounds,
            made_by=self.made_by,
            page_state=self.seating_state,
        )


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
