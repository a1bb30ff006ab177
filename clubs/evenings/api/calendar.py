"""The calendar and table money over the API."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.urls import path
from django.utils import timezone
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.exceptions import ValidationError
from rest_framework.mixins import DestroyModelMixin

from clubs.api.base import ClubAPIView, delete_endpoint, detail_endpoint
from clubs.api.commands import ClubCommandAPIView, PatchAPIView, command_endpoint, patch_endpoint
from clubs.api.created import SAME_ROUTE, CreatedRoute
from clubs.api.lists import ClubListAPIView, ClubTableAPIView, list_endpoint
from clubs.api.viewsets import CLUB_PATH, ClubReadOnlyViewSet, Router
from clubs.core.people_names import active_records
from clubs.core.permissions import RUN_EVENING, SEE_CALENDAR, SEE_CLUB
from clubs.evenings.forms import HolidayForm, SeriesForm, series_initial
from clubs.evenings.selectors import calendar as rows
from clubs.evenings.selectors.evenings import evening_of
from clubs.evenings.serializers import (
    CalendarSerializer,
    CashSheetSerializer,
    EveningMoneySerializer,
    EveningPaymentSerializer,
    HolidaySerializer,
    MemberChoiceIn,
    PriceIn,
    PriceSerializer,
    SeriesPreviewSerializer,
    SeriesSerializer,
)
from clubs.evenings.services import calendar as services
from clubs.models import Club, Holiday, Player, Series, Session

MONEY_PATH = f"{CLUB_PATH}evenings/<int:evening>/money/"


class CalendarView(ClubAPIView):
    access = SEE_CALENDAR

    @detail_endpoint(CalendarSerializer)
    def get(self) -> rows.ClubYear:
        """List the evenings planned from today, and any closed dates."""
        return rows.club_year(self.club, timezone.localdate())


@extend_schema_view(
    list=extend_schema(
        description="List the regular evenings, past ones included, each with its calendar feed."
    ),
    retrieve=extend_schema(description="Get a regular evening with its calendar feed."),
    destroy=extend_schema(
        description="Delete a regular evening. Evenings already opened are kept."
    ),
)
class SeriesViewSet(DestroyModelMixin, ClubReadOnlyViewSet):
    access = SEE_CLUB
    writing_access = RUN_EVENING
    sheet = "Regular evenings"
    queryset = Series.objects.none()
    serializer_class = SeriesSerializer
    lookup_url_kwarg = "series"

    def get_queryset(self) -> QuerySet[Series]:
        return self.club.series.all()

    def dry_run(self, validated: dict[str, Any]) -> dict[str, Any]:
        """Every day it would be held on, and those that are off."""
        inputs = {name: validated[name] for name in ("pattern", "starts_at", "ends_at")}
        services.check_series(**inputs)
        days = [
            {"held_on": day, "closed_reason": closed_reason}
            for day, closed_reason in rows.preview_days(self.club, validated["pattern"])
        ]
        return {"meetings": sum(not day["closed_reason"] for day in days), "days": days}

    @command_endpoint(
        SeriesForm,
        answers=SeriesSerializer,
        creates=CreatedRoute("api-series-detail", series="id"),
        previews=SeriesPreviewSerializer,
    )
    def create(self, validated: dict[str, Any]) -> Series:
        """Add a regular evening. Its dates appear in everyone’s calendar at once.

        ``how`` is ``every`` (then ``every`` says every how many weeks) or ``weeks`` (then ``weeks``
        are those of the month, ``5`` the last). The weekday is that of ``first_on``. A dry run
        lists the dates.
        """
        return services.save_series(club=self.club, series=None, **validated)

    def current(self) -> Mapping[str, Any]:
        return series_initial(self.get_object())

    @patch_endpoint(SeriesForm, answers=SeriesSerializer)
    def partial_update(self, validated: dict[str, Any]) -> Series:
        """Change the day, time or place. Members’ calendars update automatically."""
        return services.save_series(club=self.club, series=self.get_object(), **validated)

    def perform_destroy(self, instance: Series) -> None:
        services.delete_row(row=instance)


@extend_schema_view(
    list=extend_schema(description="List current and future closed dates."),
    retrieve=extend_schema(description="Get closed dates and the reason."),
    destroy=extend_schema(description="Delete closed dates."),
)
class HolidayViewSet(DestroyModelMixin, ClubReadOnlyViewSet):
    access = RUN_EVENING
    queryset = Holiday.objects.none()
    serializer_class = HolidaySerializer
    lookup_url_kwarg = "holiday"

    def get_queryset(self) -> QuerySet[Holiday]:
        """Every closed date, of which the list has those that are not over."""
        holidays = self.club.holidays.order_by("first_on", "pk")
        return holidays if self.detail else holidays.filter(last_on__gte=timezone.localdate())

    @command_endpoint(
        HolidayForm,
        answers=HolidaySerializer,
        creates=CreatedRoute("api-holiday-detail", holiday="id"),
    )
    def create(self, validated: dict[str, Any]) -> Holiday:
        """Add closed dates, from the first day to the last."""
        return services.add_holiday(club=self.club, **validated)

    def perform_destroy(self, instance: Holiday) -> None:
        services.delete_row(row=instance)


def listed_player(club: Club, key: int) -> Player:
    """The person of the club's list with that key; raises ``ValidationError`` at ``player``."""
    player = active_records(club).filter(pk=key).first()
    if player is None:
        fault = "That person is no longer in the member list."
        raise ValidationError({"player": [fault]}, code="invalid_choice")
    return player


class PriceView(PatchAPIView):
    access = RUN_EVENING

    @detail_endpoint(PriceSerializer)
    def get(self) -> Mapping[str, Any]:
        """Get the price of an evening in pence, and the month in which the club’s year begins."""
        return self.current()

    def current(self) -> Mapping[str, Any]:
        return {"pence": self.club.table_money, "year_begins": self.club.year_begins}

    @patch_endpoint(PriceIn, answers=PriceSerializer)
    def patch(self, validated: dict[str, Any]) -> Mapping[str, Any]:
        """Change the price of an evening from now on, or the month in which the year begins.

        Payments already recorded stay.
        """
        services.set_table_money(club=self.club, **validated)
        self.club.refresh_from_db(fields=["table_money", "year_begins"])
        return self.current()


class EveningMoneyView(ClubTableAPIView, ClubCommandAPIView):
    access = RUN_EVENING
    sheet = "Table money"
    table = "rows"

    @detail_endpoint(CashSheetSerializer)
    def get(self) -> dict[str, Any]:
        """Get everyone who is checked in or has paid, and the total collected."""
        sheet = rows.cash_sheet(self.session)
        totals = {"price": self.club.table_money, "total": sheet.total, "paid": sheet.paid}
        return {**totals, **asdict(sheet)}

    @property
    def session(self) -> Session:
        """The evening of the address; raises ``Http404``."""
        return evening_of(self.club, self.kwargs["evening"])

    @command_endpoint(MemberChoiceIn, answers=EveningPaymentSerializer, creates=SAME_ROUTE)
    def post(self, validated: dict[str, Any]) -> rows.Payment:
        """Record that someone checked in has paid. Sending it again changes nothing."""
        session, player = self.session, listed_player(self.club, validated["player"])
        services.record_payment(session=session, player=player, taken_by=self.me)
        return next(row for row in rows.cash_sheet(session).rows if row.player_id == player.pk)


class EveningPaymentView(ClubAPIView):
    access = RUN_EVENING
    log = {"delete": "deleted {player}’s payment for {evening}"}

    @delete_endpoint
    def delete(self) -> None:
        """Delete a payment."""
        session = evening_of(self.club, self.kwargs["evening"])
        player = get_object_or_404(self.club.players, pk=self.kwargs["player"])
        services.remove_payment(session=session, player=player)


class YearMoneyView(ClubListAPIView):
    access = RUN_EVENING
    sheet = "Table money"
    headings = {"here": "People here", "paid": "People who paid"}

    @list_endpoint(EveningMoneySerializer)
    def get(self) -> tuple[rows.EveningMoney, ...]:
        """List the evenings of a year with their table money, earliest first.

        It is the club’s year that begins in this calendar year, such as September 2026 to August
        2027.
        """
        return rows.evenings_of_money_year(self.club, self.kwargs["year"])


router = Router()
router.register(f"{CLUB_PATH}series", SeriesViewSet, "api-series")
router.register(f"{CLUB_PATH}closed-dates", HolidayViewSet, "api-holiday")

urlpatterns = [
    *router.urls,
    path(f"{CLUB_PATH}calendar/", CalendarView.as_view(), name="api-calendar"),
    path(f"{CLUB_PATH}money/", PriceView.as_view(), name="api-price"),
    path(f"{CLUB_PATH}money/<int:year>/", YearMoneyView.as_view(), name="api-money-year"),
    path(MONEY_PATH, EveningMoneyView.as_view(), name="api-money"),
    path(f"{MONEY_PATH}<int:player>/", EveningPaymentView.as_view(), name="api-payment"),
]
