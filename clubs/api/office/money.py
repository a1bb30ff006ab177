"""Table money over the API: who has paid on an evening, a year's sheet, the price."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.base import ClubAPIView, ClubListAPIView, ClubTableAPIView, removes
from clubs.api.commands import ActAPIView, ChangeAPIView
from clubs.api.office.shapes_year import (
    CashSheetShape,
    EveningMoneyShape,
    PaidShape,
    PriceShape,
    WhoIn,
)
from clubs.api.office.standby import player_told
from clubs.core.permissions import RUN_EVENING
from clubs.models import Session
from clubs.selectors import money as rows
from clubs.services import money as services

FIRST_YEAR, LAST_YEAR = 1920, 2200


class PriceView(ChangeAPIView):
    """The price of an evening per person."""

    door = RUN_EVENING
    asks = PriceShape
    answers = PriceShape

    @extend_schema(responses=PriceShape)
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Get the price of an evening in pence; 0 if there is no table money."""
        return Response(PriceShape(self.held()).data)

    def held(self) -> Mapping[str, Any]:
        """The price of now."""
        return {"pence": self.club.table_money}

    def act(self, told: dict[str, Any]) -> Mapping[str, Any]:
        """Change the price of an evening from now on. Payments already recorded stay."""
        services.set_price(club=self.club, pence=told.get("pence", self.club.table_money))
        self.club.refresh_from_db(fields=["table_money"])
        return self.held()


class EveningMoneyView(ClubTableAPIView, ActAPIView):
    """An evening’s table money."""

    door = RUN_EVENING
    asks = WhoIn
    answers = PaidShape
    status = 201
    table = "rows"

    @extend_schema(responses=CashSheetShape)
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Get everyone who is checked in or has paid, and the total collected."""
        sheet = rows.cash_sheet(self.session)
        told = {"price": self.club.table_money, "total": sheet.total, "paid": sheet.paid}
        return Response(CashSheetShape({**told, **asdict(sheet)}).data)

    @property
    def session(self) -> Session:
        """The evening of the address; raises ``Http404``."""
        sessions = self.club.sessions.select_related("club")
        return get_object_or_404(sessions, pk=self.kwargs["evening"])

    def act(self, told: dict[str, Any]) -> rows.Payment:
        """Record that someone checked in has paid. Sending it again changes nothing."""
        session, player = self.session, player_told(self.club, told["player"])
        taken_by: Any = self.request.user
        services.take_money(session=session, player=player, taken_by=taken_by)
        return next(row for row in rows.cash_sheet(session).rows if row.player_id == player.pk)


class EveningPaymentView(ClubAPIView):
    """What someone paid on an evening."""

    door = RUN_EVENING

    @removes
    def delete(self) -> None:
        """Delete a payment."""
        session = get_object_or_404(self.club.sessions, pk=self.kwargs["evening"])
        player = get_object_or_404(self.club.players, pk=self.kwargs["player"])
        services.give_back(session=session, player=player)


class YearMoneyView(ClubListAPIView):
    """A year’s table money."""

    door = RUN_EVENING

    @extend_schema(responses=EveningMoneyShape(many=True))
    def get(self, request: Request, year: int, **kwargs: Any) -> Response:  # noqa: ARG002
        """List the evenings of a calendar year with their table money, earliest first."""
        if not FIRST_YEAR <= year <= LAST_YEAR:
            raise Http404
        return self.page_of(rows.year_of_money(self.club, year), EveningMoneyShape)


CLUB = "clubs/<slug:club>/"
MONEY = f"{CLUB}evenings/<int:evening>/money/"
urlpatterns = [
    path(f"{CLUB}money/", PriceView.as_view(), name="api-price"),
    path(f"{CLUB}money/<int:year>/", YearMoneyView.as_view(), name="api-money-year"),
    path(MONEY, EveningMoneyView.as_view(), name="api-money"),
    path(f"{MONEY}<int:player>/", EveningPaymentView.as_view(), name="api-payment"),
]
