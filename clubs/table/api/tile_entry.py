"""Tiles tapped at a table over the API: each seat's hand of the next deal, tile by tile."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.http import QueryDict
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.commands import ActView
from clubs.api.fields import NumberField, TextField
from clubs.table.api.tables import Acts, AtTable, refuse_if_done
from clubs.table.event import PlayedTable
from clubs.table.forms.rules import Tapping, read_tapping
from clubs.table.schemas import BuilderShape
from clubs.table.selectors.tile_entry import Builder, builder_at, said_first
from clubs.table.services import put_tiles
from scoring import Deal
from scoring.building import Draft, Played, Steps, seated
from scoring.scorebook.refusals import refuse
from scoring.scorebook.services.tapping import Tapped, put_tiles_away, tap_tiles
from scoring.scorebook.tapped import drafts_of

MOST_TAPS = 60
TAP = "for example B5, pung:B5, won:yes, take:B5; each question lists its own taps"


class TappedSeatShape(serializers.Serializer[object]):
    """What one seat has tapped."""

    seat = serializers.IntegerField()
    name = serializers.CharField()
    sets = serializers.ListField(child=serializers.ListField(child=serializers.CharField()))
    said_mahjong = serializers.BooleanField()
    total = serializers.IntegerField(allow_null=True, help_text="null until the hand is complete")
    lacks = serializers.CharField(allow_blank=True, help_text="what is still missing")
    hand = serializers.CharField(help_text="the tiles as text, as used in links")


class TappedShape(serializers.Serializer[object]):
    """The tiles of the current hand, for the seats that have tapped any."""

    number = serializers.IntegerField()
    seats = TappedSeatShape(many=True)


class _TapsIn(serializers.Serializer[Any]):
    number = NumberField(min_value=1, max_value=999, help_text="of the current hand")
    taps = serializers.ListField(
        child=TextField(max_length=40), max_length=MOST_TAPS, allow_empty=False, help_text=TAP
    )


class TapsIn(_TapsIn):
    """Taps on a hand, and the hand before them."""

    hand = TextField(
        max_length=200, allow_blank=True, default="", help_text="the hand before these taps"
    )
    was = TextField(
        max_length=4000,
        allow_blank=True,
        default="",
        help_text="earlier versions of the hand, for undoing",
    )


class WholeHandIn(_TapsIn):
    """A whole hand: the taps that build it from the start."""


class TappedView(AtTable):
    """The tiles of the current hand."""

    @extend_schema(tags=["tables"], responses=TappedShape)
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Get what each seat has tapped for the current hand."""
        table = self.at
        seats = [
            {
                "seat": one.seat,
                "name": table.view.names[one.seat],
                "sets": one.sets,
                "said_mahjong": one.draft.won,
                "total": one.total,
                "lacks": one.state,
                "hand": one.text,
            }
            for one in table.tapped.values()
        ]
        return Response(TappedShape({"number": table.next_number, "seats": seats}).data)


@extend_schema(tags=["tables"])
class TilesView(AtTable, ActView):
    """One seat's tiles in the current hand."""

    http_method_names = ["get", "post", "put", "delete", "head", "options"]
    answers = BuilderShape

    @extend_schema(responses=BuilderShape)
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Get a seat's tiles with every line of the score and any open questions."""
        table = self.at
        deal = self._deal(table)
        others = drafts_of(table.game, deal)
        draft = others.pop(self.kwargs["seat"], None)
        if draft is None:
            draft = seated(Draft(won=False), self.kwargs["seat"], deal, table.rules)
        shown = builder_at(draft, Played(Steps(draft)), others, table.rules, table.view.names)
        return Response(BuilderShape(shown).data)

    def shape_asked(self, *, optional: bool = False) -> type[serializers.Serializer[Any]]:  # noqa: ARG002
        """Taps on what is there, or a whole hand."""
        return WholeHandIn if getattr(self.request, "method", "") == "PUT" else TapsIn

    @extend_schema(request=WholeHandIn, responses=BuilderShape)
    def put(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Replace a seat's tiles with a whole hand. All the taps are accepted, or none."""
        told, table = self.told(request.data), self.at
        deal = self._deal(table)
        tapped = put_tiles(game_id=table.game.pk, seat=self.kwargs["seat"], **told)
        empty = seated(Draft(won=False), self.kwargs["seat"], deal, table.rules)
        return Response(BuilderShape(_shown(table, empty, tapped)).data)

    @extend_schema(request=None, responses={204: None})
    def delete(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Delete a seat's tiles, so that its score is entered instead."""
        table = self.at
        deal = self._deal(table)
        put_tiles_away(game_id=table.game.pk, number=deal.number, seat=self.kwargs["seat"])
        return Response(status=204)

    def act(self, told: dict[str, Any]) -> Builder:
        """Tap on a seat's tiles. Sending the same taps again changes nothing.

        Taps that have no effect are listed in ``refused``, as is a hand changed on
        another phone.
        """
        table = self.at
        deal = self._deal(table)
        tapping = tapping_told(told)
        tapped = tap_tiles(
            game_id=table.game.pk,
            number=told["number"],
            seat=self.kwargs["seat"],
            sent=tapping.steps,
            taps=tapping.taps,
        )
        before = seated(tapping.steps.draft, self.kwargs["seat"], deal, table.rules)
        return _shown(table, before, tapped)

    def _deal(self, table: PlayedTable) -> Deal:
        refuse_if_done(table)
        deal = table.view.game.next_deal
        if deal is None or self.kwargs["seat"] not in deal.winds:
            raise refuse("bad_seat", "This player has no tapped tiles.")
        return deal


def tapping_told(told: Mapping[str, Any]) -> Tapping:
    """Taps on a hand in letters; raises ``ValidationError`` for letters that are no hand."""
    sent = QueryDict(mutable=True)
    sent.update({name: told[name] for name in ("hand", "was")})
    sent.setlist("tap", told["taps"])
    tapping = read_tapping(sent)
    if tapping.is_unread:
        raise ValidationError({"hand": ["This text is not a valid hand."]})
    return tapping


def _shown(table: PlayedTable, before: Draft, tapped: Tapped) -> Builder:
    played, names = tapped.played, table.view.names
    if tapped.said_first is not None:
        refused = (*played.refused, said_first(names[tapped.said_first]))
        played = replace(played, refused=refused)
    return builder_at(before, played, tapped.others, table.rules, names)


TAPPING: Acts = {
    "tapped": ("tapped/", TappedView),
    "tiles": ("tiles/<int:seat>/", TilesView),
}
