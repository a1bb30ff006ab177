"""Prizes over the API: what they are for, who wins them, and their order."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar

from django.shortcuts import get_object_or_404
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.commands import Asked, ChangeAPIView, NothingIn
from clubs.api.form_schemas import Shape
from scoring.scorebook.refusals import refuse
from tournaments import services
from tournaments.api.asked import MoveIn, PrizeChangeIn, PrizeIn, PrizeRuleIn
from tournaments.api.base import ONE, RunAPIView
from tournaments.models import Entrant, Prize, PrizeKind, Tournament
from tournaments.selectors.prizes import BEST_OF, PrizeRow
from tournaments.selectors.results import prize_giving
from tournaments.services.locks import lock


class PrizeRowShape(serializers.Serializer[PrizeRow]):
    """A prize with its current winners."""

    id = serializers.IntegerField(
        source="key", allow_null=True, help_text="null for a standard prize that was not added"
    )
    title = serializers.CharField()
    gift = serializers.CharField()
    names = serializers.ListField(child=serializers.CharField(), help_text="several: it is shared")
    figure = serializers.CharField(help_text="what it was won with")
    said = serializers.CharField(help_text="why it is shared or passed to the next in line")
    place = serializers.IntegerField(allow_null=True)
    is_team = serializers.BooleanField()


class PrizeGivingShape(serializers.Serializer[object]):
    """Every prize, in order."""

    prizes = PrizeRowShape(source="rows", many=True)
    are_usual = serializers.BooleanField(help_text="none were added, so these are given")
    one_each = serializers.BooleanField(
        help_text="whether a winner's further prizes pass to the next in line"
    )
    is_final = serializers.BooleanField()
    standing = serializers.CharField()


class PrizeShape(serializers.Serializer[object]):
    """The terms of a prize."""

    id = serializers.IntegerField()
    kind = serializers.CharField()
    place = serializers.IntegerField(allow_null=True)
    of = serializers.CharField()
    chosen = serializers.IntegerField(allow_null=True, help_text="an entrant")
    name = serializers.CharField()
    gift = serializers.CharField()


class DeclaredShape(serializers.Serializer[object]):
    """How many prizes there are."""

    prizes = serializers.IntegerField()


class PrizesView(RunAPIView):
    """A tournament's prizes, and one more."""

    asks = PrizeIn
    answers = PrizeShape
    status = 201

    @extend_schema(responses=PrizeGivingShape, operation_id="clubs_tournaments_prizes_giving")
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """List the prizes with their current winners."""
        giving = prize_giving(self.tournament, reader=self.reader)
        told = {name: getattr(giving, name) for name in GIVING}
        one_each = {"one_each": self.tournament.one_prize_each}
        return Response(PrizeGivingShape(told | one_each).data)

    def act(self, told: dict[str, Any]) -> dict[str, Any]:
        """Add a prize at the end. Without a name it is called by what it is for."""
        saved = services.save_prize(tournament=self.tournament, **_terms(self.tournament, told))
        return _as_told(saved)


GIVING = ("rows", "are_usual", "is_final", "standing")


def _as_told(prize: Prize) -> dict[str, Any]:
    """A prize under the names in which it is sent."""
    is_best = prize.kind == PrizeKind.BEST
    return {
        "id": prize.pk,
        "kind": prize.of if is_best else prize.kind,
        "place": prize.place,
        "of": "" if is_best else prize.of,
        "chosen": prize.chosen_id,
        "name": prize.name,
        "gift": prize.gift,
    }


def _terms(tournament: Tournament, told: Mapping[str, Any]) -> dict[str, Any]:
    """What was sent as the service takes it."""
    terms = {**told, "chosen": _chosen(tournament, told.get("chosen"))}
    if told["kind"] in BEST_OF:
        return terms | {"kind": PrizeKind.BEST, "of": told["kind"]}
    return terms


def _chosen(tournament: Tournament, entrant: int | None) -> Entrant | None:
    if entrant is None:
        return None
    found = tournament.entrants.people().filter(pk=entrant).first()
    if found is None:
        raise refuse("invalid_choice", "Choose one of the players of this tournament.", "chosen")
    return found


class PrizeAPIView(RunAPIView):
    """Acts on one prize."""

    asks: ClassVar[Asked] = NothingIn

    @cached_property
    def prize(self) -> Prize:
        """The prize of the address; raises ``Http404``."""
        return get_object_or_404(self.tournament.prizes, pk=self.kwargs["prize"])


class PrizeView(PrizeAPIView, ChangeAPIView):
    """One prize."""

    http_method_names = ["get", "patch", "delete", "head", "options"]
    asks = PrizeIn
    answers = PrizeShape

    @extend_schema(responses=PrizeShape)
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Get the terms of one prize."""
        return Response(PrizeShape(_as_told(self.prize)).data)

    def shape_asked(self, *, optional: bool = False) -> Shape:
        """Any of the terms."""
        return PrizeChangeIn if optional else PrizeIn

    def lock(self) -> None:
        """The tournament, as every change of its prizes does."""
        lock(self.tournament.pk)

    def held(self) -> Mapping[str, Any]:
        """The terms as they are."""
        return {name: value for name, value in _as_told(self.prize).items() if name != "id"}

    def act(self, told: dict[str, Any]) -> dict[str, Any]:
        """Change a prize."""
        terms = _terms(self.tournament, {**self.held(), **told})
        services.save_prize(tournament=self.tournament, prize=self.prize, **terms)
        return _as_told(self.prize)

    @extend_schema(request=None, responses={204: None})
    def delete(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Delete a prize."""
        services.remove_prize(tournament=self.tournament, prize=self.prize)
        return Response(status=204)


class MovePrizeView(PrizeAPIView):
    """A prize moved in the order."""

    asks = MoveIn

    def act(self, told: dict[str, Any]) -> None:
        """Move a prize up or down by one."""
        services.move_prize(tournament=self.tournament, prize=self.prize, **told)


class UsualPrizesView(RunAPIView):
    """The standard prizes."""

    asks = NothingIn
    answers = DeclaredShape
    status = 201

    def act(self, told: dict[str, Any]) -> dict[str, int]:  # noqa: ARG002
        """Add the standard prizes: first three, highest hand, most Mah-Jongs, and best team."""
        return {"prizes": services.declare_usual_prizes(tournament=self.tournament)}


class PrizeRuleView(RunAPIView):
    """Whether anyone may win several prizes."""

    asks = PrizeRuleIn

    def act(self, told: dict[str, Any]) -> None:
        """Choose whether a winner's further prizes pass to the next in line."""
        services.set_prize_rule(tournament=self.tournament, **told)


HERE = f"{ONE}prizes/"

urlpatterns = [
    path(HERE, PrizesView.as_view(), name="api-prizes"),
    path(f"{HERE}usual/", UsualPrizesView.as_view(), name="api-prizes-usual"),
    path(f"{HERE}rule/", PrizeRuleView.as_view(), name="api-prizes-rule"),
    path(f"{HERE}<int:prize>/", PrizeView.as_view(), name="api-prize"),
    path(f"{HERE}<int:prize>/move/", MovePrizeView.as_view(), name="api-prize-move"),
]
