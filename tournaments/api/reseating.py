"""Seats changed by hand over the API: two change places, substitutes, rounds by hand or anew."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import Http404
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.base import ClubListAPIView
from clubs.api.commands import ShownIn
from clubs.core.stale_forms import Shown
from scoring.scorebook.refusals import refuse
from tournaments import services
from tournaments.api.asked import (
    KeptSeatsIn,
    MarkIn,
    PlanIn,
    SeatsIn,
    SubstituteIn,
    SwapIn,
    TakeOverIn,
    UndoIn,
)
from tournaments.api.base import ONE, RunAPIView, TournamentAPIView
from tournaments.api.shapes.seating import (
    ProposalShape,
    ReseatingWaysShape,
    RoundByHandShape,
    SeatingChangeShape,
    SubstitutedShape,
    WeighedShape,
    round_told,
)
from tournaments.models import Entrant, SeatingChange, Tournament
from tournaments.permissions import RUN_TOURNAMENT
from tournaments.selectors.byhand import RoundByHand, round_by_hand


class ChangesView(ClubListAPIView, TournamentAPIView):
    """Changes to the seating."""

    door = RUN_TOURNAMENT

    @extend_schema(responses=SeatingChangeShape(many=True))
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """List the changes that were not undone, newest first. Only the newest can be undone."""
        return self.page_of(self.tournament.changes.filter(undone_at=None), SeatingChangeShape)


class SeatingAPIView(RunAPIView):
    """A change of the seating, as it was looked at: ``shown`` is that of ``seat/``."""

    def seen(self, told: dict[str, Any]) -> Shown:
        """The seating that was looked at."""
        return Shown("seating-changes", told.get("shown", ""))


class SwapView(SeatingAPIView):
    """Two players swapped."""

    asks = SwapIn
    answers = SeatingChangeShape
    status = 201

    def act(self, told: dict[str, Any]) -> SeatingChange:
        """Swap two entrants in a round. One of them may have no seat in it."""
        who = {name: _entrant(self.tournament, told, name) for name in ("one", "other")}
        return services.swap(
            tournament=self.tournament,
            number=told["number"],
            made_by=self.made_by,
            shown=self.seen(told),
            **who,
        )


def _entrant(tournament: Tournament, told: Mapping[str, Any], name: str) -> Entrant:
    """The entrant of that key, house players too; refused at its field."""
    found = tournament.entrants.filter(pk=told[name]).first()
    if found is None:
        raise refuse("invalid_choice", "Choose a player of this tournament.", name)
    return found


class SubstituteView(SeatingAPIView):
    """A substitute."""

    asks = SubstituteIn
    answers = SubstitutedShape

    def act(self, told: dict[str, Any]) -> dict[str, int]:
        """Add a substitute for an entrant. Without a name the entrant plays again."""
        entrant = _entrant(self.tournament, told, "entrant")
        told = {"name": "", **told, "entrant": entrant, "shown": self.seen(told)}
        return {"rounds": services.substitute(tournament=self.tournament, **told)}


class AnewView(SeatingAPIView):
    """Rounds reseated."""

    asks = ShownIn
    answers = SeatingChangeShape
    status = 201

    def act(self, told: dict[str, Any]) -> SeatingChange:
        """Reseat the remaining rounds. Players who need not move keep their seats."""
        return services.reseat_rounds(
            tournament=self.tournament, made_by=self.made_by, shown=self.seen(told)
        )


class WaysView(TournamentAPIView):
    """The ways to reseat the remaining rounds."""

    door = RUN_TOURNAMENT

    @extend_schema(responses=ReseatingWaysShape)
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """List the ways to reseat the remaining rounds, each with its effect."""
        choices = services.weigh_reseating(tournament=self.tournament)
        return Response(ReseatingWaysShape({"ways": choices}).data)


class TakeOverView(SeatingAPIView):
    """A newcomer in the place of a player who has left."""

    asks = TakeOverIn
    answers = SeatingChangeShape
    status = 201

    def act(self, told: dict[str, Any]) -> SeatingChange:
        """Give a newcomer the remaining seats of a player who has left. No one else moves."""
        who = {name: _entrant(self.tournament, told, name) for name in ("leaver", "newcomer")}
        return services.take_over(
            tournament=self.tournament, made_by=self.made_by, shown=self.seen(told), **who
        )


class UndoView(RunAPIView):
    """The last change, undone."""

    asks = UndoIn
    answers = SeatingChangeShape

    def act(self, told: dict[str, Any]) -> SeatingChange:
        """Undo the last seating change and return it."""
        shown = Shown("seating-undo", str(told.get("change", "")))
        return services.undo_change(tournament=self.tournament, shown=shown)


class ByStandingView(RunAPIView):
    """The next round, seated by standings."""

    asks = MarkIn
    answers = SeatingChangeShape
    status = 201

    @extend_schema(responses=ProposalShape)
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Preview the next round seated by standings, and why. Nothing is saved."""
        return Response(ProposalShape(services.preview_round(tournament=self.tournament)).data)

    def act(self, told: dict[str, Any]) -> SeatingChange:
        """Seat the round as previewed. Refused if the standings have changed since."""
        return services.seat_by_standing(
            tournament=self.tournament, made_by=self.made_by, mark=told["mark"]
        )


class ByHandAPIView(RunAPIView):
    """Acts on a round seated by hand."""

    @property
    def number(self) -> int:
        """The round's number."""
        return int(self.kwargs["round"])

    @property
    def there(self) -> RoundByHand:
        """The round as it lies; raises ``Http404`` where there is none."""
        found = round_by_hand(self.tournament, self.number)
        if found is None:
            raise Http404
        return found

    def written(self, told: Mapping[str, Any]) -> services.WrittenRound:
        """The round as it was sent; raises ``Http404`` where there is none."""
        return services.WrittenRound(self.there.number, _tables(told["tables"]), told["rest"])


def _tables(told: Sequence[Mapping[str, Any]]) -> tuple[services.WrittenTable, ...]:
    if len({one["number"] for one in told}) < len(told):
        raise refuse("table_twice", "A table is listed twice.", "tables")
    return tuple(services.WrittenTable(one["number"], tuple(one["names"])) for one in told)


class ByHandView(ByHandAPIView):
    """A round seated by hand."""

    asks = KeptSeatsIn
    answers = SeatingChangeShape
    status = 201

    @extend_schema(responses=RoundByHandShape)
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Get a round as seated, and the players to choose from."""
        there, mark = self.there, services.mark_of(self.tournament, self.number)
        told = {name: getattr(there, name) for name in BY_HAND} | {"mark": mark}
        return Response(RoundByHandShape(told).data)

    def act(self, told: dict[str, Any]) -> SeatingChange:
        """Seat a round by hand before it starts, with a name for every seat. You can undo it."""
        mark = told.get("mark") or services.mark_of(self.tournament, self.number)
        return services.seat_by_hand(
            tournament=self.tournament,
            written=self.written(told),
            mark=mark,
            made_by=self.made_by,
        )


BY_HAND = ("number", "tables", "names", "rests", "others", "has_begun", "is_early")


class ByHandPreviewView(ByHandAPIView):
    """The effect of manual seating."""

    asks = SeatsIn
    answers = WeighedShape

    def act(self, told: dict[str, Any]) -> dict[str, Any]:
        """Preview manual seating: its effect and every error. Nothing is saved."""
        return _weighed(self.tournament, [self.written(told)])


def _weighed(tournament: Tournament, written: Sequence[services.WrittenRound]) -> dict[str, Any]:
    found = services.weigh(tournament=tournament, written=written)
    rounds = [round_told(number, one) for number, one in found.numbered]
    return {"rounds": rounds, "said": found.said}


class PlanView(SeatingAPIView):
    """A whole seating from a list."""

    asks = PlanIn
    answers = SeatingChangeShape
    status = 201

    def act(self, told: dict[str, Any]) -> SeatingChange:
        """Import seating for every round of a list. Rounds that have started do not change."""
        written = services.read_plan(told["text"], rests=told["rest"])
        return services.seat_as_written(
            tournament=self.tournament,
            written=written,
            made_by=self.made_by,
            shown=self.seen(told),
        )


class PlanPreviewView(RunAPIView):
    """The effect of a whole seating."""

    asks = PlanIn
    answers = WeighedShape

    def act(self, told: dict[str, Any]) -> dict[str, Any]:
        """Preview imported seating: its effect and every error. Nothing is saved."""
        written = services.read_plan(told["text"], rests=told["rest"])
        return _weighed(self.tournament, written)


SEATING = f"{ONE}seating/"
BY_HAND_AT = f"{SEATING}by-hand/<int:round>/"

urlpatterns = [
    path(f"{SEATING}changes/", ChangesView.as_view(), name="api-seating-changes"),
    path(f"{SEATING}changes/swap/", SwapView.as_view(), name="api-seating-swap"),
    path(f"{SEATING}changes/substitute/", SubstituteView.as_view(), name="api-seating-substitute"),
    path(f"{SEATING}changes/anew/", AnewView.as_view(), name="api-seating-anew"),
    path(f"{SEATING}changes/ways/", WaysView.as_view(), name="api-seating-ways"),
    path(f"{SEATING}changes/takeover/", TakeOverView.as_view(), name="api-seating-takeover"),
    path(f"{SEATING}changes/undo/", UndoView.as_view(), name="api-seating-undo"),
    path(f"{SEATING}standing/", ByStandingView.as_view(), name="api-round-by-standing"),
    path(BY_HAND_AT, ByHandView.as_view(), name="api-seating-by-hand"),
    path(f"{BY_HAND_AT}preview/", ByHandPreviewView.as_view(), name="api-seating-by-hand-preview"),
    path(f"{SEATING}list/", PlanView.as_view(), name="api-seating-list"),
    path(f"{SEATING}list/preview/", PlanPreviewView.as_view(), name="api-seating-list-preview"),
]
