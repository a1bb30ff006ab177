"""Seats changed by hand over the API: two change places, substitutes, rounds by hand or anew."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import Http404
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.base import ClubListAPIView
from clubs.api.shown import ShownIn
from clubs.shown import Shown
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
    """What was changed in the seating by hand."""

    door = RUN_TOURNAMENT

    @extend_schema(responses=SeatingChangeShape(many=True))
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """What was changed and not undone, the last change first: that is the one to be undone."""
        return self.page_of(self.tournament.changes.filter(undone_at=None), SeatingChangeShape)


class SeatingAPIView(RunAPIView):
    """A change of the seating, as it was looked at: ``shown`` is that of ``seat/``."""

    def seen(self, told: dict[str, Any]) -> Shown:
        """The seating that was looked at."""
        return Shown("seating-changes", told.get("shown", ""))


class SwapView(SeatingAPIView):
    """Two change places."""

    asks = SwapIn
    answers = SeatingChangeShape
    status = 201

    def act(self, told: dict[str, Any]) -> SeatingChange:
        """Two entrants change places in a round; one of them may have no seat in it so far."""
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
    """Someone sits in."""

    asks = SubstituteIn
    answers = SubstitutedShape

    def act(self, told: dict[str, Any]) -> dict[str, int]:
        """Someone sits in for an entrant; without a name the entrant sits in person again."""
        entrant = _entrant(self.tournament, told, "entrant")
        told = {"name": "", **told, "entrant": entrant, "shown": self.seen(told)}
        return {"rounds": services.substitute(tournament=self.tournament, **told)}


class AnewView(SeatingAPIView):
    """Rounds are seated anew."""

    asks = ShownIn
    answers = SeatingChangeShape
    status = 201

    def act(self, told: dict[str, Any]) -> SeatingChange:
        """Seat the rounds that are not started anew; who need not move keeps their seats."""
        return services.reseat_rounds(
            tournament=self.tournament, made_by=self.made_by, shown=self.seen(told)
        )


class WaysView(TournamentAPIView):
    """The ways to seat the rounds to come for who plays now."""

    door = RUN_TOURNAMENT

    @extend_schema(responses=ReseatingWaysShape)
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Newcomers in the places of those who left, and all seated anew, each with its cost."""
        choices = services.weigh_reseating(tournament=self.tournament)
        return Response(ReseatingWaysShape({"ways": choices}).data)


class TakeOverView(SeatingAPIView):
    """Someone takes over the places of a player who has left."""

    asks = TakeOverIn
    answers = SeatingChangeShape
    status = 201

    def act(self, told: dict[str, Any]) -> SeatingChange:
        """A newcomer has every seat that a player who has left still has; nobody else moves."""
        who = {name: _entrant(self.tournament, told, name) for name in ("leaver", "newcomer")}
        return services.take_over(
            tournament=self.tournament, made_by=self.made_by, shown=self.seen(told), **who
        )


class UndoView(RunAPIView):
    """The last change is undone."""

    asks = UndoIn
    answers = SeatingChangeShape

    def act(self, told: dict[str, Any]) -> SeatingChange:
        """Take the last change of the seating back; tells which it was."""
        shown = Shown("seating-undo", str(told.get("change", "")))
        return services.undo_change(tournament=self.tournament, shown=shown)


class ByStandingView(RunAPIView):
    """The next round by standing."""

    asks = MarkIn
    answers = SeatingChangeShape
    status = 201

    @extend_schema(responses=ProposalShape)
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """How the next round would be seated by standing, and why; nothing is kept."""
        return Response(ProposalShape(services.preview_round(tournament=self.tournament)).data)

    def act(self, told: dict[str, Any]) -> SeatingChange:
        """Seat the round as it was looked at; refused where the standings have changed since."""
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
        raise refuse("table_twice", "A table is there twice.", "tables")
    return tuple(services.WrittenTable(one["number"], tuple(one["names"])) for one in told)


class ByHandView(ByHandAPIView):
    """A round seated by hand."""

    asks = KeptSeatsIn
    answers = SeatingChangeShape
    status = 201

    @extend_schema(responses=RoundByHandShape)
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """A round as it lies, and who may be named."""
        there, mark = self.there, services.mark_of(self.tournament, self.number)
        told = {name: getattr(there, name) for name in BY_HAND} | {"mark": mark}
        return Response(RoundByHandShape(told).data)

    def act(self, told: dict[str, Any]) -> SeatingChange:
        """Seat a round that has not begun, a name for every seat; it can be undone."""
        mark = told.get("mark") or services.mark_of(self.tournament, self.number)
        return services.seat_by_hand(
            tournament=self.tournament,
            written=self.written(told),
            mark=mark,
            made_by=self.made_by,
        )


BY_HAND = ("number", "tables", "names", "rests", "others", "has_begun", "is_early")


class ByHandPreviewView(ByHandAPIView):
    """What a round seated by hand would cost."""

    asks = SeatsIn
    answers = WeighedShape

    def act(self, told: dict[str, Any]) -> dict[str, Any]:
        """What a round by hand would cost, and everything that is wrong; nothing is kept."""
        return _weighed(self.tournament, [self.written(told)])


def _weighed(tournament: Tournament, written: Sequence[services.WrittenRound]) -> dict[str, Any]:
    found = services.weigh(tournament=tournament, written=written)
    rounds = [round_told(number, one) for number, one in found.numbered]
    return {"rounds": rounds, "said": found.said}


class PlanView(SeatingAPIView):
    """A whole plan from a list."""

    asks = PlanIn
    answers = SeatingChangeShape
    status = 201

    def act(self, told: dict[str, Any]) -> SeatingChange:
        """Seat every round of a list: rounds that have begun are not touched."""
        written = services.read_plan(told["text"], rests=told["rest"])
        return services.seat_as_written(
            tournament=self.tournament,
            written=written,
            made_by=self.made_by,
            shown=self.seen(told),
        )


class PlanPreviewView(RunAPIView):
    """What a whole plan would cost."""

    asks = PlanIn
    answers = WeighedShape

    def act(self, told: dict[str, Any]) -> dict[str, Any]:
        """How a list is read, what it costs, everything that is wrong; nothing is kept."""
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
